"""From light to picture: exposure, colour of the light, motion, lens, mains-light bands, noise, compression."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sweeps.solids import Array

__all__ = ["Shot", "photographed"]


@dataclass(frozen=True, slots=True)
class Shot:
    """How the picture is taken: `gain` on the light, `cast` of it (BGR factors), `motion_px` in a direction (radians),
    `blur_px` (sigma) of the lens, `bands` (0..1) as deep as dark rows are, `noise` in grey levels, JPEG `quality`."""

    gain: float = 1.0
    cast: tuple[float, float, float] = (1.0, 1.0, 1.0)
    motion_px: float = 0.0
    motion_towards: float = 0.0
    blur_px: float = 0.6
    bands: float = 0.0
    band_rows: float = 60.0
    noise: float = 2.5
    quality: int = 88


def photographed(light: Array, shot: Shot, rng: np.random.Generator) -> NDArray[np.uint8]:
    """An (H, W, 3) uint8 BGR picture of linear light (H, W, 3) as a camera without any care would take it."""
    height, width = light.shape[:2]
    seen = light * (np.float32(shot.gain) * np.array(shot.cast, np.float32))
    if shot.motion_px > 1:
        seen = cv2.filter2D(seen, -1, _streak(shot.motion_px, shot.motion_towards))
    if shot.blur_px > 0:
        seen = cv2.GaussianBlur(seen, (0, 0), shot.blur_px)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    away = ((x / width - 0.5) ** 2 + (y / height - 0.5) ** 2) * (width * height) / (width**2 + height**2)
    seen = seen * (1 - 0.35 * away)[..., None]
    if shot.bands:
        phase = float(rng.uniform(0, 2 * np.pi))
        rows = 1 - shot.bands * (0.5 + 0.5 * np.sin(2 * np.pi * np.arange(height) / shot.band_rows + phase))
        seen = seen * rows[:, None, None].astype(np.float32)
    # Bright light presses together before it clips, as in any phone.
    toned = np.where(seen < 0.7, seen, 0.7 + 0.3 * np.tanh((seen - 0.7) / 0.3))
    grey = 255 * np.clip(toned, 0, 1) ** (1 / 2.2)
    grain = rng.standard_normal((height, width, 3), np.float32)
    grain = 0.6 * grain + 0.4 * grain.mean(2, keepdims=True) * 1.7
    grey += grain * shot.noise * np.float32(max(1.0, shot.gain) ** 0.5)
    picture = np.clip(np.rint(grey), 0, 255).astype(np.uint8)
    _, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, shot.quality])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def _streak(length_px: float, towards: float) -> Array:
    """The kernel of even motion."""
    size = int(np.ceil(length_px)) | 1
    kernel = np.zeros((size, size), np.float32)
    middle = size // 2
    for t in np.linspace(-0.5, 0.5, 8 * size):
        x, y = middle + t * (length_px - 1) * np.cos(towards), middle + t * (length_px - 1) * np.sin(towards)
        kernel[round(float(y)), round(float(x))] += 1
    return kernel / np.float32(kernel.sum())
