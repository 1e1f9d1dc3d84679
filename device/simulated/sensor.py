"""What a lens and a sensor do to a picture that is drawn: a little blur, and grain that differs from frame to frame."""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["EXPOSURE_NS", "Sensor"]

Picture = NDArray[Any]
EXPOSURE_NS: Final = 8_000_000
"""How long the shutter is open: 1/125 s."""
_NOISE_SPREAD: Final = 2.2
_NOISE_MARGIN_PX: Final = 48


class Sensor:
    """Blur of `blur_px` and grain in the measure of `noise` (0: none); the same seeds give the same grain."""

    def __init__(self, size_wh: tuple[int, int], *, seed: int, noise: float = 1.0, blur_px: float = 0.65) -> None:
        self._size_wh = size_wh
        self._blur_px = blur_px
        self._noise = self._noise_field(seed, noise) if noise > 0 else None

    def exposed(self, picture: Picture, noise_seed: int) -> Picture:
        """The picture, (H, W, 3) uint8 BGR, as the sensor gives it; `noise_seed` is of this frame alone."""
        return self.grained(self.blurred(picture), noise_seed)

    def blurred(self, picture: Picture) -> Picture:
        """The picture, or a part of one, as the lens draws it."""
        return np.asarray(cv2.GaussianBlur(picture, (5, 5), self._blur_px)) if self._blur_px > 0 else picture

    def grained(self, frame: Picture, noise_seed: int) -> Picture:
        """The picture with the grain of one frame; always another array."""
        if self._noise is None:
            return frame.copy()
        rng = np.random.default_rng([noise_seed & 0xFFFFFFFF, noise_seed >> 32, 8])
        x, y = (int(v) for v in rng.integers(0, _NOISE_MARGIN_PX, 2))
        height, width = frame.shape[:2]
        grain = self._noise[y : y + height, x : x + width]
        return cv2.addWeighted(frame, 1.0, grain, 1.0, -128.0)

    def _noise_field(self, seed: int, amount: float) -> NDArray[Any]:
        width, height = self._size_wh
        rng = np.random.default_rng([seed, 3])
        shape = (height + _NOISE_MARGIN_PX, width + _NOISE_MARGIN_PX, 3)
        grain = rng.standard_normal(shape).astype(np.float32)
        grain = 0.75 * grain + 0.9 * cv2.GaussianBlur(grain, (3, 3), 0.8)  # the camera's own processing smears it
        grain = 0.8 * grain.mean(axis=2, keepdims=True) * np.sqrt(3) + 0.45 * grain
        spread = _NOISE_SPREAD * amount / grain.std()
        return np.asarray(np.round(128 + grain * spread).clip(0, 255), np.uint8)
