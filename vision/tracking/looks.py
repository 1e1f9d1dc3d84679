"""What the place of a die at rest looks like, in small: while it looks like that the die lies there, read or not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.readings import Point
from vision.tracking.glimpse import Glimpse, around

__all__ = ["Look"]

_HALF_SIDES = 0.45
"""The face alone: a neighbour that goes changes nothing."""
_GAIN = (0.55, 1.15)
_LEVELS, _NOISES = 7.0, 3.0
"""Levels by which a face differs from itself, in the mean: on rendered tables 1.3 at most, up to 9 where the shadow of
a hand has its edge, and 13 at least from the table or a hand in its place."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A place of the picture with a die on it, in the frame of `at_ns`.

    Attributes:
        place_px: the middle of the face.
        side_px: its side.
        small_bgr: the face in a glimpse, (h, w, 3).
        at_ns: exposure of the frame.
    """

    place_px: Point
    side_px: float
    small_bgr: NDArray[np.float32]
    at_ns: int

    @classmethod
    def of(cls, glimpse: Glimpse, place_px: Point, side_px: float) -> Look:
        """How a die of that side looks in a frame."""
        return cls(place_px, side_px, _part(glimpse, place_px, side_px), glimpse.exposure_start_ns)

    def stays(self, glimpse: Glimpse) -> bool:
        """Whether the place still looks like that, perhaps in the shade of a hand."""
        now, before = _part(glimpse, self.place_px, self.side_px), self.small_bgr
        if not before.size or now.shape != before.shape:
            return False
        gain = float((before * now).sum() / max(1.0, float((before * before).sum())))
        if not _GAIN[0] <= gain <= _GAIN[1]:
            return False
        return bool(np.abs(gain * before - now).mean() <= max(_LEVELS, _NOISES * glimpse.noise_levels))


def _part(glimpse: Glimpse, place_px: Point, side_px: float) -> NDArray[np.float32]:
    return around(glimpse.small_bgr, place_px, _HALF_SIDES * side_px).astype(np.float32)
