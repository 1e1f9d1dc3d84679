"""What became of every labelled die of a photograph, and from how steep it was seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from vision.readings import DieReading

__all__ = ["Box", "Frame", "Kind", "Outcome", "View", "judge", "match", "tilt_deg", "view_of"]

Box = tuple[float, float, float, float]

OVERHEAD_BELOW_DEG = 22.0
STEEP_FROM_DEG = 45.0
"""Where a view that no label names stops being overhead, and where an oblique one starts to be steep."""


class Kind(StrEnum):
    """What became of one die; an invented value and one left open lie where no die is labelled."""

    RIGHT = "right"
    WRONG = "wrong"
    REFUSED = "refused"
    MISSED = "missed"
    INVENTED = "invented"
    LEFT_OPEN = "left open"


class View(StrEnum):
    """From how steep a photograph was taken."""

    OVERHEAD = "overhead"
    MILD = "mildly oblique"
    STEEP = "steep"
    CROP = "crops"
    UNKNOWN = "not told"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One labelled die with its reading, or one reading without a label.

    `truth` is the labelled value (None where no die is labelled), `box` the label's place (None for crops),
    `reading` is None for a missed die. `held_back` is the (value, confidence) that a reader without any threshold
    would have stated for a reading that states none.
    """

    kind: Kind
    truth: int | None
    box: Box | None
    reading: DieReading | None
    held_back: tuple[int, float] | None = None

    @property
    def leaning(self) -> tuple[int, float] | None:
        """The value and confidence that the reader stated, or held back."""
        if self.reading is not None and self.reading.value is not None:
            return self.reading.value, self.reading.confidence
        return self.held_back


@dataclass(frozen=True, slots=True)
class Frame:
    """One photograph: `outcomes` of all that is labelled or was read there, `milliseconds` that reading took.

    `learned` tells that the weights learned from its source, `has_dice` is False for those of negatives.json.
    """

    image: str
    source: str
    learned: bool
    has_dice: bool
    view: View
    milliseconds: float
    outcomes: tuple[Outcome, ...]

    def of(self, kind: Kind) -> list[Outcome]:
        """The outcomes of one kind."""
        return [each for each in self.outcomes if each.kind is kind]

    def wholly_right(self, threshold: float | None = None) -> bool:
        """Whether every labelled die is right and nothing invented, were values stated from this confidence up."""
        if threshold is None:
            good = (Kind.RIGHT, Kind.LEFT_OPEN)
            return all(each.kind in good for each in self.outcomes)
        for each in self.outcomes:
            leaning = each.leaning
            stated = leaning[0] if leaning is not None and leaning[1] >= threshold else None
            if stated != each.truth:
                return False
        return True


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


def judge(
    dice: Iterable[DieReading], entry: Mapping[str, Any], without_threshold: Iterable[DieReading] = ()
) -> tuple[Outcome, ...]:
    """What became of every die that `entry` labels, then what was read beside them.

    `without_threshold` are the readings of a reader that holds no value back for want of confidence; those with
    the same box as a refused one tell what was held back. For a crop (one label whose box is null) the reading
    nearest to the middle counts, one with a value first.
    """
    held = {die.box_xyxy: (die.value, die.confidence) for die in without_threshold if die.value is not None}
    labels = list(entry.get("dice", ()))
    if len(labels) == 1 and labels[0]["box"] is None:
        middle = entry["width"] / 2, entry["height"] / 2
        best = sorted(
            dice,
            key=lambda d: (d.value is None, np.hypot(d.centre_px[0] - middle[0], d.centre_px[1] - middle[1])),
        )
        pairs, left = [(0, die) for die in best[:1]], list(best[1:])
    else:
        ignore: list[Box] = [tuple(b) for b in entry.get("ignore", [])]
        pairs, left = match(dice, labels, ignore)
    by_label = dict(pairs)
    outcomes = []
    for j, label in enumerate(labels):
        die = by_label.get(j)
        truth = int(label["value"])
        if die is None:
            kind = Kind.MISSED
        elif die.value is None:
            kind = Kind.REFUSED
        else:
            kind = Kind.RIGHT if die.value == truth else Kind.WRONG
        box = None if label["box"] is None else tuple(label["box"])
        outcomes.append(Outcome(kind, truth, box, die, _held(held, die)))
    for die in left:
        kind = Kind.LEFT_OPEN if die.value is None else Kind.INVENTED
        outcomes.append(Outcome(kind, None, None, die, _held(held, die)))
    return tuple(outcomes)


def _held(held: Mapping[Box, tuple[int, float]], die: DieReading | None) -> tuple[int, float] | None:
    return held.get(die.box_xyxy) if die is not None and die.value is None else None


def tilt_deg(outline_px: Iterable[tuple[float, float]]) -> float:
    """The angle between a top face's normal and the line of sight, from its outline alone.

    Half the diagonals of a square, mapped by a camera far away, span a linear map whose two singular values are
    the size and the size times the cosine of the tilt, however the square is turned.
    """
    corners = np.asarray(list(outline_px), float)
    halves = np.column_stack([corners[0] - corners[2], corners[1] - corners[3]]) / 2
    long, short = np.linalg.svd(halves, compute_uv=False)
    return float(np.degrees(np.arccos(np.clip(short / long, 0, 1)))) if long > 0 else 90.0


def view_of(entry: Mapping[str, Any], outcomes: Iterable[Outcome]) -> View:
    """From how steep a photograph was taken: by its label, and where that leaves it open by its outlines.

    The label `view` decides for "overhead" and "crop". Of "oblique" photographs, those whose dice are seen at a
    median tilt of 45 degrees or more are steep, the others mildly oblique; without a label, a median below 22
    degrees is overhead. The tilt is measured on the outlines of dice that were read right, or where there is none,
    on those refused or read wrong; a photograph in which no labelled die was found is "not told".
    """
    told = entry.get("view")
    if told == "crop":
        return View.CROP
    if told == "overhead":
        return View.OVERHEAD
    on_dice = [each for each in outcomes if each.truth is not None and each.reading is not None]
    chosen = [each for each in on_dice if each.kind is Kind.RIGHT] or on_dice
    tilts = [tilt_deg(each.reading.outline_px) for each in chosen if each.reading is not None]
    if not tilts:
        return View.UNKNOWN
    tilt = float(np.median(tilts))
    if told is None and tilt < OVERHEAD_BELOW_DEG:
        return View.OVERHEAD
    return View.STEEP if tilt >= STEEP_FROM_DEG else View.MILD
