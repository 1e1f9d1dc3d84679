"""The dice of one frame as the tracker looks at them: with what moves and what hands are around."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import dist

import numpy as np
from numpy.typing import NDArray

from vision.geometry import TableGeometry
from vision.readings import DieReading, Reading
from vision.tracking.glimpse import Glimpse
from vision.tracking.hands import BARE, Hands
from vision.tracking.sizes import sides_mm
from vision.tracking.track import Home, Sample, hues, place_of

__all__ = ["REACH_SIDES", "sample_of", "samples_of", "told_apart"]

_COVER_SIDES = 0.8
_MOTION_SIDES = 0.6
REACH_SIDES = 2.5
"""A hand that pushes or takes a die is within so many sides of its middle."""
_TWICE_SIDES = 0.35
"""Two readings nearer than this are of one die."""
_TWO_FACES_SIDES = 0.75
"""So are two readings of a die that tumbles, of which two faces are seen: no two dice are nearer than a whole side."""
_SAME_DIE_SIDES = 1.3


def samples_of(reading: Reading, glimpse: Glimpse, hands: Hands, geometry: TableGeometry | None = None) -> list[Sample]:
    """A sample of each die of a reading; `geometry` tells where the table is, if that is known."""
    sides = sides_mm(reading.dice, geometry)
    return [
        _sample(die, hue_lab, side_mm, glimpse, hands)
        for die, hue_lab, side_mm in zip(reading.dice, hues(reading.dice), sides, strict=True)
    ]


def sample_of(die: DieReading, glimpse: Glimpse, hands: Hands, geometry: TableGeometry | None = None) -> Sample:
    """The same of one die."""
    return _sample(die, hues((die,))[0], sides_mm((die,), geometry)[0], glimpse, hands)


def _sample(
    die: DieReading, hue_lab: NDArray[np.float32], side_mm: float | None, glimpse: Glimpse, hands: Hands
) -> Sample:
    centre_px, side_px = die.centre_px, die.side_px
    return Sample(
        glimpse.exposure_start_ns,
        die,
        hue_lab,
        cover=hands.cover(centre_px, _COVER_SIDES * side_px),
        handled=hands.cover(centre_px, REACH_SIDES * side_px) > 0,
        moves=glimpse.moves_around(centre_px, _MOTION_SIDES * side_px),
        centre_px=centre_px,
        place_px=place_of(die, centre_px),
        side_px=side_px,
        side_mm=side_mm,
    )


def told_apart(samples: Iterable[Sample], homes: Sequence[Home], hands: Callable[[Home], float]) -> list[Sample]:
    """Each die once, the surest reading of it; `partial` where a hand hides some of it.

    `homes` is where dice lie still, `hands` tells what part of such a place a hand covers: what is read otherwise
    there with a hand over it may be a side of the die, or three pips of its six.
    """
    kept: list[Sample] = []
    for sample in sorted(samples, key=lambda each: (each.reading.value is None, -each.reading.confidence)):
        reach = _TWO_FACES_SIDES if sample.reading.value is None else _TWICE_SIDES
        if not any(dist(each.centre_px, sample.centre_px) < reach * each.side_px for each in kept):
            kept.append(replace(sample, partial=True) if _half_hidden(sample, homes, hands) else sample)
    return kept


def _half_hidden(sample: Sample, homes: Sequence[Home], hands: Callable[[Home], float]) -> bool:
    if sample.reading.value is None:
        return sample.cover > BARE
    return any(
        home.value != sample.reading.value
        and dist(home.place_px, sample.place_px) < _SAME_DIE_SIDES * home.side_px
        and max(sample.cover, hands(home)) > BARE
        for home in homes
    )
