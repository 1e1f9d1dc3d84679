"""The picture in small: where it moves from one frame to the next, cheap enough for every frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images import Image
from vision.readings import Point

__all__ = ["SHRINK", "Glimpse", "Glimpses", "around"]

SHRINK = 4
"""Pixels of the picture for one of its small copy, each way."""
_LEAST_LEVELS = 6.0
_NOISES = 6.0
"""A small pixel moves when it differs by more than this many standard deviations of the noise."""
_NOISE_MEMORY = 0.9
_NOISY = 0.3
"""A camera with this noise never takes the same picture twice."""


@dataclass(frozen=True, slots=True)
class Glimpse:
    """One frame in small. Arrays are (h, w) or (h, w, 3) BGR, `SHRINK` times smaller than the picture.

    Attributes:
        small_bgr: the small picture, uint8.
        motion: True where it differs from the frame before; all False in the first.
        exposure_start_ns: of the frame.
        noise_levels: standard deviation of a small pixel between two frames of a still picture.
        repeated: it is the very picture of the frame before, though this camera has noise: it shows nothing new.
    """

    small_bgr: NDArray[np.uint8]
    motion: NDArray[np.bool_]
    exposure_start_ns: int
    noise_levels: float
    repeated: bool = False

    @property
    def motion_share(self) -> float:
        """Part of the picture (0..1) that moves."""
        return float(self.motion.mean())

    def moves_around(self, centre_px: Point, radius_px: float) -> bool:
        """True when something moves within a square of `radius_px` around a place of the picture."""
        return bool(around(self.motion, centre_px, radius_px).any())


class Glimpses:
    """Makes glimpses of the frames of one camera; knows the frame before."""

    def __init__(self) -> None:
        self._before: NDArray[np.uint8] | None = None
        self._noise_levels = 1.0

    def look(self, image: Image, exposure_start_ns: int) -> Glimpse:
        """The glimpse of a (H, W, 3) BGR uint8 image."""
        height, width = image.shape[:2]
        size = (width // SHRINK, height // SHRINK)
        small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
        before = self._before
        self._before = small
        if before is None or before.shape != small.shape:
            still = np.zeros(small.shape[:2], bool)
            return Glimpse(small, still, exposure_start_ns, self._noise_levels)
        gap = cv2.absdiff(small, before)
        gap = cv2.max(cv2.max(gap[:, :, 0], gap[:, :, 1]), gap[:, :, 2])
        # The median is that of the still part of the picture unless half of it moves; 1.6 makes it a deviation
        # of the largest of three channels (measured on normal noise).
        if self._noise_levels > _NOISY and not gap.any():
            still = np.zeros(small.shape[:2], bool)
            return Glimpse(small, still, exposure_start_ns, self._noise_levels, repeated=True)
        noise = min(4.0, max(0.0, float(np.median(gap[::4, ::4])) / 1.1))
        self._noise_levels = _NOISE_MEMORY * self._noise_levels + (1 - _NOISE_MEMORY) * noise
        limit = max(_LEAST_LEVELS, _NOISES * self._noise_levels)
        return Glimpse(small, np.asarray(gap > limit), exposure_start_ns, self._noise_levels)


def around(mask: NDArray[Any], centre_px: Point, radius_px: float, shrink: int = SHRINK) -> NDArray[Any]:
    """The part of an array, `shrink` times smaller than the picture, within a square of `radius_px` around a place.

    Empty where that lies outside of the picture.
    """
    height, width = mask.shape[:2]
    x0, x1 = int((centre_px[0] - radius_px) / shrink), int((centre_px[0] + radius_px) / shrink) + 1
    y0, y1 = int((centre_px[1] - radius_px) / shrink), int((centre_px[1] + radius_px) / shrink) + 1
    return mask[max(0, y0) : min(height, max(0, y1)), max(0, x0) : min(width, max(0, x1))]
