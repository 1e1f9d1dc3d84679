"""Which die it is that is seen, where that is in doubt."""

from __future__ import annotations

from math import dist

from vision.tracking.track import Sample, Track

__all__ = ["is_part_of"]

_PART_SIDES, _PART_HUES = 0.35, 12.0
"""What is seen so near to the place of a die, of a colour so near to its own (in CIELAB), is that die, as far as a hand
leaves it in view: skin beside a red die differs from it by 20."""


def is_part_of(track: Track, sample: Sample) -> bool:
    """What a hand leaves in view is the die at rest itself: it lies where that lies, and no skin is mixed with it."""
    return (
        dist(sample.centre_px, track.anchor_px) <= _PART_SIDES * track.side_px
        and track.hue_gap(sample.hue_lab) <= _PART_HUES
    )
