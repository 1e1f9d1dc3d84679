"""How well dice are read on labelled photographs, told honestly: per source, learned from and not, and in all."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter_ns
from typing import Any, NamedTuple, Protocol

import cv2
import numpy as np

from vision.dice import DEFAULT_THRESHOLD, DiceReader
from vision.errors import VisionError
from vision.goals import goals
from vision.images import Image
from vision.outcomes import Frame, Kind, View, judge, match, view_of
from vision.readings import DieReading, Unreadable

__all__ = [
    "NoSuchCollection",
    "Reads",
    "Report",
    "Step",
    "Tally",
    "evaluate",
    "expected_calibration_error",
    "match",
    "photographs",
]

MARKS = (
    *(0.0, 0.3, DEFAULT_THRESHOLD, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.84, 0.86, 0.88, 0.9, 0.91, 0.92, 0.93),
    *(0.94, 0.95, 0.96, 0.97, 0.975, 0.98, 0.985, 0.99, 0.995, 0.999),
)
"""The thresholds at which the curve is told, the shipped one among them."""

_COUNTS = ("dice", "right", "refused", "wrong", "missed", "invented", "frames", "frames_right")
_NO_SECOND_LOOK = (Unreadable.CUT_OFF, Unreadable.TOO_SMALL, Unreadable.NOT_A_PIP_DIE, Unreadable.HALF_DOMINO)
"""Reasons that do not depend on the threshold."""


class NoSuchCollection(VisionError, FileNotFoundError):
    """The folder has no labels.json that can be used, or a photograph named in it is missing."""


class Reads(Protocol):
    """What reads dice: `DiceReader`, or what a test puts in its place."""

    def read(self, image_bgr: Image, /) -> tuple[DieReading, ...]:
        """The dice of a BGR image."""
        ...


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

    @classmethod
    def over(cls, frames: Iterable[Frame]) -> Tally:
        """Counts over these frames; learned from when the first is."""
        tally = cls()
        for frame in frames:
            tally.learned = frame.learned if not tally.frames else tally.learned
            for each in frame.outcomes:
                if each.kind is not Kind.LEFT_OPEN:
                    setattr(tally, each.kind.value, getattr(tally, each.kind.value) + 1)
                tally.dice += each.truth is not None
            tally.frames += 1
            tally.frames_right += frame.wholly_right()
            tally.milliseconds += frame.milliseconds
        return tally

    def share(self, name: str) -> float:
        """One of right, refused, wrong, missed as a share of the dice, in percent; 0 without dice."""
        return 100 * getattr(self, name) / self.dice if self.dice else 0.0

    @property
    def ms_per_frame(self) -> float:
        """Milliseconds a frame; 0 without frames."""
        return self.milliseconds / self.frames if self.frames else 0.0

    @property
    def invented_per_100_frames(self) -> float:
        """Invented values in a hundred frames; 0 without frames."""
        return 100 * self.invented / self.frames if self.frames else 0.0


class Step(NamedTuple):
    """What would have come out had values been stated from the confidence `threshold` up.

    `right`, `wrong`, `refused` count labelled dice that were found (those missed are not among them), `invented`
    values where no die is labelled, `frames_right` frames with dice that are wholly right.
    """

    threshold: float
    right: int
    wrong: int
    refused: int
    invented: int
    frames_right: int


@dataclass
class Report:
    """The result of `evaluate`; `str(report)` is a table.

    `frames` are the photographs in the order of the labels; `curve_from` is the least threshold for which it is
    known what would have been stated.
    """

    frames: list[Frame] = field(default_factory=list)
    curve_from: float = 0.0

    @property
    def sources(self) -> dict[str, Tally]:
        """Counts of the photographs with dice by source, as first met."""
        names = dict.fromkeys(f.source for f in self.frames if f.has_dice)
        return {name: Tally.over(f for f in self.frames if f.has_dice and f.source == name) for name in names}

    def views(self, *, unlearned: bool = False) -> dict[View, Tally]:
        """Counts of the photographs with dice by view; views that do not occur are left out."""
        frames = [f for f in self.frames if f.has_dice and not (unlearned and f.learned)]
        tallies = {view: Tally.over(f for f in frames if f.view is view) for view in View}
        return {view: tally for view, tally in tallies.items() if tally.frames}

    @property
    def without_dice(self) -> Tally:
        """The photographs that have none."""
        return Tally.over(f for f in self.frames if not f.has_dice)

    @property
    def all(self) -> Tally:
        """All photographs with dice."""
        return Tally.over(f for f in self.frames if f.has_dice)

    @property
    def learned(self) -> Tally:
        """The sources that the shipped weights learned from."""
        return Tally.over(f for f in self.frames if f.has_dice and f.learned)

    @property
    def unlearned(self) -> Tally:
        """The sources that only test."""
        return Tally.over(f for f in self.frames if f.has_dice and not f.learned)

    @property
    def stated(self) -> list[tuple[float, bool]]:
        """Every stated value, on a labelled die or beside one, as (confidence, right)."""
        return self._stated(False)

    def _stated(self, unlearned: bool) -> list[tuple[float, bool]]:
        frames = [f for f in self.frames if not (unlearned and f.learned)]
        return [
            (each.reading.confidence, each.kind is Kind.RIGHT)
            for frame in frames
            for each in frame.outcomes
            if each.reading is not None and each.reading.value is not None
        ]

    @property
    def misreads(self) -> list[str]:
        """Every wrong or invented value as a line of text."""
        lines = []
        for frame in self.frames:
            for each in (*frame.of(Kind.WRONG), *frame.of(Kind.INVENTED)):
                if (die := each.reading) is not None:
                    at = f"({die.centre_px[0]:.0f}, {die.centre_px[1]:.0f}), {die.side_px:.0f} px"
                    what = f"invented {die.value}" if each.truth is None else f"{each.truth} read as {die.value}"
                    lines.append(f"{frame.image}: {what} ({die.confidence:.3f}) at {at}")
        return lines

    def mean_of_sources(self, name: str, *, unlearned: bool = False) -> float:
        """The mean over sources of a share in percent."""
        tallies = [t for t in self.sources.values() if t.dice and not (unlearned and t.learned)]
        return float(np.mean([t.share(name) for t in tallies])) if tallies else 0.0

    def calibration_error(self, *, unlearned: bool = False) -> float:
        """Expected calibration error of the stated values, in ten bins of confidence."""
        return expected_calibration_error(self._stated(unlearned))

    def curve(self, *, unlearned: bool = False) -> list[Step]:
        """What each threshold would have brought, from `curve_from` up."""
        frames = [f for f in self.frames if not (unlearned and f.learned)]
        return [_step(frames, mark) for mark in MARKS if mark >= self.curve_from]

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        rows = {
            **self.sources,
            "all": self.all,
            "learned": self.learned,
            "unlearned": self.unlearned,
            "without dice": self.without_dice,
        }
        views = {"views": self.views(), "views_unlearned": self.views(unlearned=True)}
        return {
            "rows": {key: _plain(t) for key, t in rows.items()},
            **{name: {view.value: _plain(t) for view, t in each.items()} for name, each in views.items()},
            "calibration_error": self.calibration_error(),
            "calibration_error_unlearned": self.calibration_error(unlearned=True),
            "goals": [{**asdict(goal), "met": goal.met} for goal in goals(self)],
            "curve": [step._asdict() for step in self.curve()],
            "curve_unlearned": [step._asdict() for step in self.curve(unlearned=True)],
            "misreads": self.misreads,
        }

    def __str__(self) -> str:
        from vision.evaluation_table import table

        return table(self)


def expected_calibration_error(stated: Sequence[tuple[float, bool]]) -> float:
    """How far confidences lie from the shares that are right, for (confidence, right) of values; in ten bins."""
    if not stated:
        return 0.0
    confidences, hits = np.array([c for c, _ in stated]), np.array([r for _, r in stated], float)
    bins = np.minimum((confidences * 10).astype(int), 9)
    return float(sum(abs(confidences[bins == b].sum() - hits[bins == b].sum()) for b in range(10)) / len(stated))


def _plain(tally: Tally) -> dict[str, Any]:
    return {name: getattr(tally, name) for name in _COUNTS} | {
        "learned": tally.learned,
        "ms_per_frame": tally.ms_per_frame,
        "invented_per_100_frames": tally.invented_per_100_frames,
    }


def _step(frames: list[Frame], threshold: float) -> Step:
    right = wrong = refused = invented = whole = 0
    for frame in frames:
        for each in frame.outcomes:
            leaning = each.leaning
            stated = leaning is not None and leaning[1] >= threshold
            if each.truth is None:
                invented += stated
            elif each.kind is not Kind.MISSED:
                hit = leaning is not None and leaning[0] == each.truth
                right += stated and hit
                wrong += stated and not hit
                refused += not stated
        whole += frame.has_dice and frame.wholly_right(threshold)
    return Step(threshold, right, wrong, refused, invented, whole)


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


def photographs(folder: Path | str) -> list[dict[str, Any]]:
    """The entries of `folder`/labels.json, then those of negatives.json when there. Raises NoSuchCollection."""
    negatives = Path(folder) / "negatives.json"
    labels = Path(folder) / "labels.json"
    entries = [*_entries(labels), *(_entries(negatives) if negatives.exists() else [])]
    if not entries:
        raise NoSuchCollection(f"{labels} names no photograph: expected at least one.")
    return entries


def evaluate(
    folder: Path | str,
    progress: Callable[[int, int], None] | None = None,
    reader: Reads | None = None,
    only: Callable[[Mapping[str, Any]], bool] | None = None,
    without_threshold: Reads | None = None,
) -> Report:
    """Read every photograph of `folder`/labels.json and negatives.json (when there) and compare.

    A label is hit when the centre of a reading lies in its box, one to one; readings in `ignore` boxes count as
    nothing; crops with a null box compare values only; any value stated where no die is counts as invented.
    `progress(done, total)` is called after each photograph; `only(entry)` chooses photographs. Sources with
    `learn` true count as learned from. A photograph with a refused die is read once more by `without_threshold`,
    untimed, to learn what was held back: with neither reader given it is the shipped one at threshold 0; with a
    `reader` alone the curve starts at that reader's threshold. Raises NoSuchCollection.
    """
    folder = Path(folder)
    if reader is None:
        reader = DiceReader()
        without_threshold = without_threshold or DiceReader(threshold=0)
    lowest = 0.0 if without_threshold is not None else float(getattr(reader, "threshold", 0))
    report = Report(curve_from=lowest)
    chosen = [e for e in photographs(folder) if only is None or only(e)]
    for done, entry in enumerate(chosen, 1):
        image = _image(folder, entry["image"])
        start = perf_counter_ns()
        dice = reader.read(image)
        ms = (perf_counter_ns() - start) / 1e6
        again: tuple[DieReading, ...] = ()
        if without_threshold is not None and any(d.reason and d.reason not in _NO_SECOND_LOOK for d in dice):
            again = without_threshold.read(image)
        outcomes = judge(dice, entry, again)
        learned, view = bool(entry.get("learn")), view_of(entry, outcomes)
        report.frames.append(Frame(entry["image"], entry["source"], learned, "dice" in entry, view, ms, outcomes))
        if progress is not None:
            progress(done, len(chosen))
    return report
