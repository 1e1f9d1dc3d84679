"""What white is under the light of a frame: measured on the paper around the markers."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images import Image
from vision.marker_codes import MODULES
from vision.readings import MarkerReading

__all__ = ["GAMMA", "encoded", "linear", "paper_white", "white_differs"]

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
    places = [_rim(marker) for marker in markers]
    if not places:
        return None
    at = np.rint(np.array(places)).astype(np.intp)
    height, width = image_bgr.shape[:2]
    inside = ((at >= 0) & (at < (width, height))).all(axis=2)
    whole = inside.all(axis=1)
    found = _even(image_bgr[at[whole, :, 1], at[whole, :, 0]])
    for points in (at[i, inside[i]] for i in np.nonzero(~whole & (2 * inside.sum(axis=1) >= len(_RIM)))[0]):
        found = np.concatenate([found, _even(image_bgr[points[:, 1], points[:, 0]][None])])
    if not len(found):
        return None
    b, g, r = _quantile(found[None], 0.5)[0].tolist()
    return (b, g, r)


def white_differs(one: tuple[float, ...], other: tuple[float, ...], share: float) -> bool:
    """Whether two levels of white (B, G, R) are more than `share` of the larger apart in some channel."""
    return any(abs(a - b) > share * max(a, b) for a, b in zip(one, other, strict=True))


@lru_cache(maxsize=512)
def _rim(marker: MarkerReading) -> NDArray[Any]:
    """Points (k, 2) in px within the marker's white border; markers that lie still are met in every frame."""
    homography = cv2.getPerspectiveTransform(_SQUARE, np.asarray(marker.corners_px, np.float32))
    return np.asarray(cv2.perspectiveTransform(_RIM[None], homography)[0])


def _even(levels: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The middle levels of those of n borders (n, k, 3) that are bright enough and evenly lit."""
    middle = _quantile(levels, 0.5)
    brightness = levels.mean(axis=2)
    low, high = _quantile(brightness, 0.2), _quantile(brightness, 0.8)
    return np.asarray(middle[(middle.min(axis=1) > 8) & (high - low <= _SPREAD * high)])


def _quantile(numbers: NDArray[Any], share: float) -> NDArray[np.float64]:
    """That of the second axis of (n, k, ...), between two as np.quantile does, which takes ten times as long."""
    ordered = np.sort(numbers, axis=1).astype(np.float64)
    below, part = divmod(share * (ordered.shape[1] - 1), 1)
    at = int(below)
    return np.asarray(ordered[:, at] + part * (ordered[:, min(at + 1, ordered.shape[1] - 1)] - ordered[:, at]))
