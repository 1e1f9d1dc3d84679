"""How well dice are read on labelled photographs, told honestly: per source, learned from and not, and in all."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter_ns
from typing import Any

import cv2
import numpy as np

from vision.dice import DiceReader
from vision.errors import VisionError
from vision.readings import DieReading

__all__ = ["NoSuchCollection", "Report", "Tally", "evaluate", "match"]

Box = tuple[float, float, float, float]


class NoSuchCollection(VisionError, FileNotFoundError):
    """The folder has no labels.json that can be used, or a photograph named in it is missing."""


@dataclass
class Tally:
    """Counts over some photographs. `dice` = `right` + `refused` + `wrong` + `missed`; `invented` beside them."""

    dice: int = 0
    right: int = 0
    refused: int = 0
    wrong: int = 0
    missed: int = 0
    invented: int = 0
    frames: int = 0
    frames_right: int = 0
    milliseconds: float = 0.0
    learned: bool = False

    def add(self, other: Tally) -> None:
        """Add another's counts to these."""
        for name in (
            "dice",
            "right",
            "refused",
            "wrong",
            "missed",
            "invented",
            "frames",
            "frames_right",
            "milliseconds",
        ):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def share(self, name: str) -> float:
        """One of right, refused, wrong, missed as a share of the dice, in percent; 0 without dice."""
        return 100 * getattr(self, name) / self.dice if self.dice else 0.0


@dataclass
class Report:
    """The result of `evaluate`; `str(report)` is a table.

    `sources` by name, `without_dice` the photographs that have none, `stated` every stated value on a labelled
    die or beside one as (confidence, right), `misreads` every wrong or invented value as text.
    """

    sources: dict[str, Tally] = field(default_factory=dict)
    without_dice: Tally = field(default_factory=Tally)
    stated: list[tuple[float, bool]] = field(default_factory=list)
    stated_unlearned: list[tuple[float, bool]] = field(default_factory=list)
    misreads: list[str] = field(default_factory=list)

    @property
    def all(self) -> Tally:
        """All photographs with dice."""
        return _total(self.sources.values())

    @property
    def learned(self) -> Tally:
        """The sources that the shipped weights learned from."""
        return _total(t for t in self.sources.values() if t.learned)

    @property
    def unlearned(self) -> Tally:
        """The sources that only test."""
        return _total(t for t in self.sources.values() if not t.learned)

    def mean_of_sources(self, name: str, *, unlearned: bool = False) -> float:
        """The mean over sources of a share in percent."""
        tallies = [t for t in self.sources.values() if t.dice and not (unlearned and t.learned)]
        return float(np.mean([t.share(name) for t in tallies])) if tallies else 0.0

    def calibration_error(self, *, unlearned: bool = False) -> float:
        """Expected calibration error of the stated values, in ten bins of confidence."""
        stated = self.stated_unlearned if unlearned else self.stated
        if not stated:
            return 0.0
        confidences, hits = np.array([c for c, _ in stated]), np.array([r for _, r in stated], float)
        bins = np.minimum((confidences * 10).astype(int), 9)
        return float(sum(abs(confidences[bins == b].sum() - hits[bins == b].sum()) for b in range(10)) / len(stated))

    def curve(self, *, unlearned: bool = False) -> list[tuple[float, int, int]]:
        """(confidence, stated right, stated wrong) had only values of at least that confidence been stated."""
        stated = self.stated_unlearned if unlearned else self.stated
        marks = sorted({0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995})
        return [(m, sum(r for c, r in stated if c >= m), sum(not r for c, r in stated if c >= m)) for m in marks]

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        names = ("dice", "right", "refused", "wrong", "missed", "invented", "frames", "frames_right")
        rows = {
            **self.sources,
            "all": self.all,
            "learned": self.learned,
            "unlearned": self.unlearned,
            "without dice": self.without_dice,
        }
        return {
            "rows": {key: {n: getattr(t, n) for n in names} | {"ms_per_frame": _ms(t)} for key, t in rows.items()},
            "calibration_error": self.calibration_error(),
            "calibration_error_unlearned": self.calibration_error(unlearned=True),
        }

    def __str__(self) -> str:
        shares = "".join(f" {name:>8}" for name in ("right", "refused", "wrong", "missed"))
        head = f"{'source':44} {'dice':>5}{shares} {'invented':>8} {'frames':>6} {'whole':>6} {'ms':>6}"
        lines = [head, "-" * len(head)]
        for name, tally in sorted(self.sources.items(), key=lambda item: (item[1].learned, -item[1].dice)):
            lines.append(_row(("* " if tally.learned else "  ") + name, tally))
        lines.append("-" * len(head))
        lines += [_row("  all", self.all), _row("* learned from", self.learned), _row("  only tested", self.unlearned)]
        for text, unlearned in (("  mean over sources", False), ("  mean over sources only tested", True)):
            means = [self.mean_of_sources(n, unlearned=unlearned) for n in ("right", "refused", "wrong", "missed")]
            lines.append(f"{text:44} {'':5}" + "".join(f" {share:7.1f}%" for share in means))
        lines.append(_row("  photographs without dice", self.without_dice))
        lines.append(
            f"Calibration error {self.calibration_error():.3f} "
            f"(only tested: {self.calibration_error(unlearned=True):.3f}). "
            "* = the weights learned from this source or were tuned on it."
        )
        for title, unlearned in (("all", False), ("only tested", True)):
            steps = "  ".join(f"{m:g}: {r}/{w}" for m, r, w in self.curve(unlearned=unlearned))
            lines.append(f"Stated right/wrong at confidence of at least ({title}): {steps}")
        return "\n".join(lines)


def _ms(tally: Tally) -> float:
    return tally.milliseconds / tally.frames if tally.frames else 0.0


def _row(name: str, t: Tally) -> str:
    whole = f"{100 * t.frames_right / t.frames:5.1f}%" if t.frames else "     -"
    shares = "".join(f" {t.share(n):7.1f}%" if t.dice else "        -" for n in ("right", "refused", "wrong", "missed"))
    return f"{name:44} {t.dice:5}{shares} {t.invented:8} {t.frames:6} {whole} {_ms(t):6.1f}"


def _total(tallies: Iterable[Tally]) -> Tally:
    total = Tally()
    for tally in tallies:
        total.add(tally)
    return total


def match(
    dice: Iterable[DieReading], labels: list[Mapping[str, Any]], ignore: list[Box]
) -> tuple[list[tuple[int, DieReading]], list[DieReading]]:
    """Pair readings with labelled dice one to one: the centre of the reading lies inside the label's box.

    Gives (index of label, reading) pairs, nearest to the box centre first, and the readings left over that do
    not lie in an `ignore` box. Boxes are x0, y0, x1, y1.
    """
    readings = list(dice)
    options = []
    for i, die in enumerate(readings):
        x, y = die.centre_px
        for j, label in enumerate(labels):
            x0, y0, x1, y1 = label["box"]
            if x0 <= x <= x1 and y0 <= y <= y1:
                away = np.hypot((x - (x0 + x1) / 2) / (x1 - x0), (y - (y0 + y1) / 2) / (y1 - y0))
                options.append((float(away), i, j))
    pairs: dict[int, int] = {}
    for _, i, j in sorted(options):
        if i not in pairs and j not in pairs.values():
            pairs[i] = j
    left = [
        die
        for i, die in enumerate(readings)
        if i not in pairs
        and not any(b[0] <= die.centre_px[0] <= b[2] and b[1] <= die.centre_px[1] <= b[3] for b in ignore)
    ]
    return [(j, readings[i]) for i, j in pairs.items()], left


def _score(dice: tuple[DieReading, ...], entry: Mapping[str, Any], report: Report, tally: Tally) -> None:
    labels = entry["dice"]
    if len(labels) == 1 and labels[0]["box"] is None:  # a crop: only the value counts
        height, width = entry["height"], entry["width"]
        best = sorted(
            dice, key=lambda d: (d.value is None, np.hypot(d.centre_px[0] - width / 2, d.centre_px[1] - height / 2))
        )
        pairs, left = [(0, die) for die in best[:1]], list(best[1:])
    else:
        pairs, left = match(dice, labels, [tuple(b) for b in entry.get("ignore", [])])
    right = 0
    stated = []
    for j, die in pairs:
        value = labels[j]["value"]
        if die.value is None:
            tally.refused += 1
        elif die.value == value:
            right += 1
            stated.append((die.confidence, True))
        else:
            tally.wrong += 1
            stated.append((die.confidence, False))
            report.misreads.append(
                f"{entry['image']}: {value} read as {die.value} ({die.confidence:.3f}) at {_at(die)}"
            )
    invented = [die for die in left if die.value is not None]
    for die in invented:
        stated.append((die.confidence, False))
        report.misreads.append(f"{entry['image']}: invented {die.value} ({die.confidence:.3f}) at {_at(die)}")
    report.stated += stated
    if not tally.learned:
        report.stated_unlearned += stated
    tally.dice += len(labels)
    tally.right += right
    tally.missed += len(labels) - len(pairs)
    tally.invented += len(invented)
    tally.frames += 1
    tally.frames_right += right == len(labels) and not invented


def _at(die: DieReading) -> str:
    return f"({die.centre_px[0]:.0f}, {die.centre_px[1]:.0f}), {die.side_px:.0f} px"


def _image(folder: Path, name: str) -> np.ndarray:
    image = cv2.imread(str(folder / name))
    if image is None:
        raise NoSuchCollection(f"Cannot read {folder / name}, named in the labels: put it there or take it out.")
    return image


def _entries(path: Path) -> list[dict[str, Any]]:
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise NoSuchCollection(
            f"{path} cannot be read ({error.strerror}): expected a folder with labels.json."
        ) from error
    except ValueError as error:
        raise NoSuchCollection(f"{path} is not JSON ({error}): expected a list of labelled photographs.") from error
    if not isinstance(entries, list) or not all(isinstance(each, dict) for each in entries):
        raise NoSuchCollection(f'{path} is not a list of labelled photographs: expected [{{"image": …}}, …].')
    for each in entries:
        missing = [name for name in ("image", "source", "width", "height") if name not in each]
        if missing:
            named = each.get("image", f"entry {entries.index(each) + 1}")
            raise NoSuchCollection(f"{path}: {named} has no {', '.join(missing)}: fill it in.")
    return entries


def evaluate(
    folder: Path | str,
    progress: Callable[[int, int], None] | None = None,
    reader: DiceReader | None = None,
    only: Callable[[Mapping[str, Any]], bool] | None = None,
) -> Report:
    """Read every photograph of `folder`/labels.json and negatives.json (when there) and compare.

    A label is hit when the centre of a reading lies in its box, one to one; readings in `ignore` boxes count as
    nothing; crops with a null box compare values only; any value stated where no die is counts as invented.
    `progress(done, total)` is called after each photograph; `only(entry)` chooses photographs. Sources with
    `learn` true count as learned from. Raises NoSuchCollection.
    """
    folder = Path(folder)
    entries = [e for e in _entries(folder / "labels.json") if only is None or only(e)]
    negatives_path = folder / "negatives.json"
    negatives = _entries(negatives_path) if negatives_path.exists() else []
    negatives = [e for e in negatives if only is None or only(e)]
    reader = reader or DiceReader()
    report = Report()
    chosen = [*entries, *negatives]
    if not chosen and only is None:
        raise NoSuchCollection(f"{folder / 'labels.json'} names no photograph: expected at least one.")
    for done, entry in enumerate(chosen, 1):
        if "dice" in entry:
            tally = report.sources.setdefault(entry["source"], Tally(learned=bool(entry.get("learn"))))
        else:
            tally = report.without_dice
        image = _image(folder, entry["image"])
        start = perf_counter_ns()
        dice = reader.read(image)
        tally.milliseconds += (perf_counter_ns() - start) / 1e6
        _score(dice, entry if "dice" in entry else {**entry, "dice": []}, report, tally)
        if progress is not None:
            progress(done, len(chosen))
    return report
