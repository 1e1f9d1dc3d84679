"""Names of the colours of dice and pips, from the pixels inside the outline."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["colour_name", "colour_names"]

_HUES = (  # upper bound of the OpenCV hue (0..180, half degrees), name
    (8, "red"),
    (20, "orange"),
    (34, "yellow"),
    (86, "green"),
    (126, "blue"),
    (148, "purple"),
    (169, "pink"),
    (180, "red"),
)


def colour_name(bgr: tuple[float, float, float], white_bgr: tuple[float, float, float] | None = None) -> str:
    """The everyday name of a colour given as 0..255 BGR; one of readings.COLOURS.

    `white_bgr` is what white looks like under the light of the scene, when known (white balance).
    """
    colour = np.asarray(bgr, np.float32)
    if white_bgr is not None:
        white = np.maximum(np.asarray(white_bgr, np.float32), 1)
        colour = np.clip(colour * (white.max() / white), 0, 255)
    pixel = colour.clip(0, 255).astype(np.uint8).reshape(1, 1, 3)
    return _named(*(int(v) for v in cv2.cvtColor(pixel, cv2.COLOR_BGR2HSV)[0, 0]))


def colour_names(bgr: NDArray[np.uint8]) -> list[str]:
    """The names of colours (n, 3)."""
    return [_named(*hsv) for hsv in cv2.cvtColor(bgr.reshape(1, -1, 3), cv2.COLOR_BGR2HSV)[0].tolist()]


def _named(hue: int, saturation: int, value: int) -> str:
    if value < 48:
        return "black"
    if saturation < 45 or (saturation < 80 and value > 170) or (saturation < 90 and value < 80):
        if value > 150:
            return "white"
        return "black" if value < 75 else "grey"
    name = next(name for bound, name in _HUES if hue <= bound)
    if name in ("orange", "red", "yellow") and 5 <= hue <= 24 and value < 150:
        return "brown"
    if name == "red" and value > 180 and saturation < 110:
        return "pink"
    return name
