"""What the place of a die at rest looks like, in small: as long as it looks like that the die lies there, read or not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.readings import Point
from vision.tracking.glimpse import SHRINK, Glimpse, around

__all__ = ["Look"]

_HALF_SIDES, _RIM_SIDES = 0.45, 1.1
"""The face alone, so that a neighbour that goes changes nothing; and the table about it."""
_GAIN = (0.7, 1.15)
_LEVELS, _NOISES = 5.0, 3.0
"""Levels by which a face differs from itself, in the mean: on rendered tables 1.3 at most, and 13 at least from a hand
or the table in its place."""
_TABLE_GAIN = (0.45, 1.4)
_TABLE_LEVELS = 8.0
"""In the mid: of 100 bare places 95 differ from the table about them by less, of hands in their place 3 of 9."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A place of the picture with a die on it, in the frame of `at_ns`.

    Attributes:
        place_px: the middle of the face.
        side_px: its side.
        small_bgr: the face in a glimpse, (h, w, 3).
        table_bgr: the colour of most of what lies about it, (3,).
        at_ns: exposure of the frame.
    """

    place_px: Point
    side_px: float
    small_bgr: NDArray[np.float32]
    table_bgr: NDArray[np.float32]
    at_ns: int

    @classmethod
    def of(cls, glimpse: Glimpse, place_px: Point, side_px: float) -> Look:
        """How a die of that side looks in a frame."""
        rim = _part(glimpse, place_px, _RIM_SIDES * side_px)
        width = max(1, round((_RIM_SIDES - _HALF_SIDES) / 2 * side_px / SHRINK))
        inner = np.zeros(rim.shape[:2], bool)
        inner[width:-width, width:-width] = True
        table_bgr = np.median(rim[~inner], axis=0) if rim.size else np.zeros(3, np.float32)
        face = _part(glimpse, place_px, _HALF_SIDES * side_px)
        return cls(place_px, side_px, face, np.asarray(table_bgr, np.float32), glimpse.exposure_start_ns)

    def stays(self, glimpse: Glimpse) -> bool:
        """Whether the place still looks like that, perhaps in the shade of a hand."""
        now = _part(glimpse, self.place_px, _HALF_SIDES * self.side_px)
        before = self.small_bgr
        if not before.size or now.shape != before.shape:
            return False
        gain = _gain(before, now)
        if not _GAIN[0] <= gain <= _GAIN[1]:
            return False
        return bool(np.abs(gain * before - now).mean() <= max(_LEVELS, _NOISES * glimpse.noise_levels))

    def bare(self, glimpse: Glimpse) -> bool:
        """Whether the place looks like the table about it, perhaps in the shade of a hand."""
        now = _part(glimpse, self.place_px, _HALF_SIDES * self.side_px)
        if not now.size:
            return True
        colour = np.median(now.reshape(-1, 3), axis=0)
        gain = _gain(self.table_bgr, colour)
        return bool(
            _TABLE_GAIN[0] <= gain <= _TABLE_GAIN[1] and np.abs(gain * self.table_bgr - colour).max() <= _TABLE_LEVELS
        )


def _gain(before: NDArray[np.float32], now: NDArray[np.float32]) -> float:
    """By how much all has become brighter."""
    return float((before * now).sum() / max(1.0, float((before * before).sum())))


def _part(glimpse: Glimpse, place_px: Point, half_px: float) -> NDArray[np.float32]:
    return around(glimpse.small_bgr, place_px, half_px).astype(np.float32)
