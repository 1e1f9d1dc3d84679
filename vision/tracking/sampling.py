"""The dice of one frame as the tracker looks at them: with what moves and what hands are around."""

from __future__ import annotations

from vision.readings import Reading
from vision.tracking.glimpse import Glimpse
from vision.tracking.hands import Hands
from vision.tracking.track import Sample, hues, place_of

__all__ = ["samples_of"]

_COVER_SIDES = 0.8
_MOTION_SIDES = 0.6
_REACH_SIDES = 2.5
"""A hand that pushes a die is within so many sides of its middle."""


def samples_of(reading: Reading, glimpse: Glimpse, hands: Hands) -> list[Sample]:
    """A sample of each die of a reading."""
    samples = []
    for die, hue_lab in zip(reading.dice, hues(reading.dice), strict=True):
        centre_px, side_px = die.centre_px, die.side_px
        sample = Sample(
            glimpse.exposure_start_ns,
            die,
            hue_lab,
            cover=hands.cover(centre_px, _COVER_SIDES * side_px),
            handled=hands.cover(centre_px, _REACH_SIDES * side_px) > 0,
            moves=glimpse.moves_around(centre_px, _MOTION_SIDES * side_px),
            centre_px=centre_px,
            place_px=place_of(die, centre_px),
            side_px=side_px,
        )
        samples.append(sample)
    return samples
