"""Colours of dice, and what may hide their values: contrast, glare, sharpness."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colours import colour_names
from vision.images import Image

__all__ = ["Flaws", "Paint", "flaws", "paints"]

_FACE_PX = 48
_GRID = 10
"""Samples along each edge of a face; its outer eighth is left out, where rounded edges and shine are."""
_AROUND = np.array([(0.0, 1.0, -1.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0, -1.0)])[:, None] * 0.035
"""Samples in a pip (2, 1, 5), in sides: a pip is at least 0.12 wide."""
_PIP_REACH_SIDES = 0.15
"""Samples so near to a pip's centre do not count for the body."""


@dataclass(frozen=True, slots=True)
class Paint:
    """Colours of one top face: names of readings.COLOURS, the median colour of the body, and of the pips, in BGR.

    `pips_show` tells whether the picture itself shows each pip: some pixel of it is more like the pips than like the
    body. A network that knows the patterns can see a pip where a finger or a sticker lies; pixels cannot.
    """

    colour: str
    pip_colour: str
    colour_bgr: tuple[int, int, int]
    pip_bgr: tuple[int, int, int]
    pips_show: bool


@dataclass(frozen=True, slots=True)
class Flaws:
    """`contrast` is the distance of pip and body in Lab units, `glare` the share of blown-out pixels that are not the
    body's own white, `sharpness` the steepest edges against the contrast, 0..1."""

    contrast: float
    glare: float
    sharpness: float


_AT = (np.arange(_GRID) + 0.5) / _GRID * 0.75 - 0.375
_SAMPLES = np.stack(np.meshgrid(_AT, _AT)).reshape(2, -1)
"""Places (2, 100) across and down, in edges from the middle."""


def _medians(pixels: NDArray[np.uint8], counted: NDArray[np.bool_]) -> NDArray[np.int16]:
    """Per face the median (n, 3) of the counted of its pixels (n, 3, k), `counted` (n, k); of all where none is."""
    counted = counted | ~counted.any(axis=1, keepdims=True)
    ordered = np.where(counted[:, None], pixels, np.int16(300))
    ordered.sort(axis=2)
    middle = (counted.sum(axis=1) - 1) // 2
    return ordered[np.arange(len(middle)), :, middle]


def paints(image: Image, outlines_px: NDArray[Any], pips_px: list[NDArray[Any]]) -> list[Paint]:
    """Colours of n faces with outlines (n, 4, 2) and pips (k, 2) each, in px of a BGR uint8 image."""
    n = len(outlines_px)
    if n == 0:
        return []
    # x and y apart, and before all else: numpy is slow along short last axes.
    corners = np.ascontiguousarray(outlines_px.transpose(2, 1, 0))  # (2, 4, n)
    middle, (across, down) = corners.mean(axis=1), (corners[:, k] - corners[:, 0] for k in (1, 3))
    points = middle[:, :, None] + np.stack([across, down], axis=2) @ _SAMPLES  # (2, n, 100)
    most = max(1, *(len(p) for p in pips_px))
    pips = np.full((2, n, most), np.inf)
    for i, each in enumerate(pips_px):
        pips[:, i, : len(each)] = each.T
    apart = np.square(points[0] - pips[0].T[:, :, None]) + np.square(points[1] - pips[1].T[:, :, None])
    area = np.abs(across[0] * down[1] - across[1] * down[0])
    body = _medians(_pixels(image, points), apart.min(axis=0) > _PIP_REACH_SIDES**2 * area[:, None])
    there = np.isfinite(pips[0])
    pip = _medians(_pixels(image, np.where(there, pips, middle[:, :, None])), there)
    pip = np.where(there[:, :1], pip, body)
    names = colour_names(np.concatenate([body, pip]).astype(np.uint8))
    sides_px = (np.hypot(*across) + np.hypot(*down)) / 2
    around = pips[:, :, None] + (_AROUND * sides_px[:, None])[:, :, :, None]  # (2, n, 5, k)
    pixels = _pixels(image, around.reshape(2, n, -1)).astype(np.int32)
    like_pips, like_body = (np.square(pixels - c[:, :, None]).sum(axis=1) for c in (pip, body))
    shown = (like_pips < like_body).reshape(n, len(_AROUND[0, 0]), most).any(axis=1) | ~there
    bodies, pip_colours = (map(tuple, colours.tolist()) for colours in (body, pip))
    return list(map(Paint, names[:n], names[n:], bodies, pip_colours, shown.all(axis=1).tolist()))


def _pixels(image: Image, points: NDArray[Any]) -> NDArray[np.uint8]:
    """The pixels (n, 3, k) nearest to points (2, n, k), those outside as at the border."""
    height, width = image.shape[:2]
    x, y = np.rint(points)
    at = np.clip(y, 0, height - 1) * width + np.clip(x, 0, width - 1)
    return np.ascontiguousarray(image.reshape(-1, 3).take(at.astype(np.intp), axis=0).transpose(0, 2, 1))


def flaws(image: Image, outline_px: NDArray[Any], paint: Paint) -> Flaws:
    """What may hide the pips of the face with these corners (4, 2) in px of a BGR uint8 image."""
    n = _FACE_PX
    frame = np.array([(0, 0), (n, 0), (n, n), (0, n)], np.float32)
    homography = cv2.getPerspectiveTransform(np.asarray(outline_px, np.float32), frame)
    face = cv2.warpPerspective(image, homography, (n, n), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    pair = np.array([[paint.colour_bgr, paint.pip_bgr]], np.uint8)
    lab = cv2.cvtColor(pair, cv2.COLOR_BGR2LAB)[0].astype(np.float32)
    grey = cv2.cvtColor(face, cv2.COLOR_BGR2GRAY).astype(np.float32)
    slopes = np.abs(cv2.Sobel(grey, cv2.CV_32F, 1, 0)) + np.abs(cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    steep = _quantile(slopes, 0.97)
    span = _quantile(grey, 0.98) - _quantile(grey, 0.02)
    return Flaws(
        contrast=float(np.linalg.norm(lab[0] - lab[1])),
        glare=float((grey > 250).mean()) if max(paint.colour_bgr) < 235 else 0.0,
        sharpness=steep / (4 * span) if span > 8 else 0.0,
    )


def _quantile(numbers: NDArray[Any], share: float) -> float:
    """The number that this share (0 to 1) of all is not above; np.percentile takes ten times as long."""
    at = round(share * (numbers.size - 1))
    return float(np.partition(numbers, at, axis=None)[at])
