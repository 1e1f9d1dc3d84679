"""What white is under the light of a frame: measured on the paper around the markers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images import Image
from vision.marker_codes import MODULES
from vision.readings import MarkerReading

__all__ = ["GAMMA", "encoded", "linear", "paper_white"]

GAMMA: Final = 2.2
"""Exponent between the light on a sensor and the levels of its picture."""
_OUT: Final = 0.55 / MODULES
"""Samples lie this far outside the black square, in its sides: in the middle of the white border of a module."""
_SPREAD: Final = 0.22
"""Levels of one border that differ by more than this share are shadowed, covered or printed on."""

_ALONG = (np.arange(2 * MODULES) + 0.5) / (2 * MODULES)
_RIM: NDArray[np.float32] = np.concatenate(
    [
        np.column_stack([_ALONG, np.full_like(_ALONG, -_OUT)]),
        np.column_stack([_ALONG, np.full_like(_ALONG, 1 + _OUT)]),
        np.column_stack([np.full_like(_ALONG, -_OUT), _ALONG]),
        np.column_stack([np.full_like(_ALONG, 1 + _OUT), _ALONG]),
    ]
).astype(np.float32)
_SQUARE: NDArray[np.float32] = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)


def linear(bgr: Any) -> NDArray[np.float64]:
    """Light, 0..1, of picture levels 0..255 of any shape."""
    return np.asarray((np.asarray(bgr, np.float64) / 255) ** GAMMA)


def encoded(light: Any) -> NDArray[np.float64]:
    """Picture levels 0..255 of light of any shape; what is brighter than 1 is clipped."""
    return np.asarray(255 * np.clip(light, 0, 1) ** (1 / GAMMA))


def paper_white(image_bgr: Image, markers: Iterable[MarkerReading]) -> tuple[float, float, float] | None:
    """The level (B, G, R), 0..255, of the white paper around the markers of a (H, W, 3) BGR uint8 image.

    The median over the markers whose border is evenly lit; None where there is none. A channel of 250 or more
    is blown out: white is then at least so bright.
    """
    found = []
    height, width = image_bgr.shape[:2]
    for marker in markers:
        homography = cv2.getPerspectiveTransform(_SQUARE, np.asarray(marker.corners_px, np.float32))
        at = np.rint(cv2.perspectiveTransform(_RIM[None], homography)[0]).astype(np.intp)
        inside = (at[:, 0] >= 0) & (at[:, 0] < width) & (at[:, 1] >= 0) & (at[:, 1] < height)
        if inside.sum() < len(_RIM) // 2:
            continue
        levels = image_bgr[at[inside, 1], at[inside, 0]].astype(np.float64)
        middle = np.median(levels, axis=0)
        low, high = np.percentile(levels.mean(axis=1), [20, 80])
        if middle.min() > 8 and high - low <= _SPREAD * high:
            found.append(middle)
    if not found:
        return None
    b, g, r = np.median(found, axis=0)
    return (float(b), float(g), float(r))
