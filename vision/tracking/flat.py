"""Whether a die lies flat: by the shape of its upper face as seen from above, and by which of its sides can be seen."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, hypot, pi, remainder
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import GeometryError
from vision.geometry import TableGeometry
from vision.images import Image
from vision.readings import Point, Unreadable
from vision.tracking.track import Sample

__all__ = ["leans"]

_ASPECT = 1.27
"""Longer against shorter sides of a face, seen from above: on rendered tables up to 1.2 for dice that lie flat and
1.2 to 1.5 for those that lean by 30 degrees across the line of sight."""
_SKEW_RAD = 0.3
_PIPS = 2
"""With fewer pips than this nothing but blurred edges tells the shape of a face, which is not enough."""
_SAMPLES = 5
_TURNED_AWAY = -0.4
"""Cosine between an edge's outward direction and that to the foot of the camera: such an edge hides the side below."""
_ALONG = (0.2, 0.35, 0.5, 0.65, 0.8)
_BEYOND_SIDES = (0.18, 0.26)
"""Places beyond an edge where only a die that leans shows more of its body: a side of 16 mm at 30 degrees shows 8."""
_SHOWN = 0.5
"""So many of these places show the body; the rest may show pips."""
_COLOURED = 18.0
_HUE_RAD, _CHROMA = 0.4, 0.45
"""A side of a coloured die lies in other light than its face: it has its hue, and at least this part of its chroma."""
_TABLE_SIDES = 1.1
"""So far beyond the edge it is the table that is seen; where that has the hue of the die, nothing can be told."""
_NEIGHBOUR_SIDES = 0.05
_USUAL_FOCAL = 1.1
"""Focal length of a usual camera by the width of its picture, where the table's geometry does not tell."""


def leans(
    samples: Sequence[Sample],
    geometry: TableGeometry | None,
    image: Image,
    neighbours_px: Sequence[tuple[Point, ...]] = (),
) -> bool:
    """True when the last of these samples show a die that leans.

    That is a face that is no square on the table, or one behind whose edge, where the camera cannot look below, more of
    its body is seen; or what the reader calls tilted. Where the table's geometry is not known, only the reader's word
    counts. `image` is (H, W, 3) BGR uint8, `neighbours_px` the outlines of the dice around it.
    """
    recent = samples[-_SAMPLES:]
    if not recent:
        return False
    called = sum(sample.reading.reason is Unreadable.TILTED for sample in recent)
    if called > len(recent) / 2:
        return True
    if geometry is None or sum(len(sample.reading.pips_px) >= _PIPS for sample in recent) <= len(recent) / 2:
        return False
    try:
        shapes = [_shape(geometry.to_mm(list(sample.reading.outline_px))) for sample in recent]
    except GeometryError:
        return False
    aspect, skew_rad = np.median(shapes, axis=0)
    if aspect > _ASPECT or skew_rad > _SKEW_RAD:
        return True
    foot_px = _foot_of_the_camera(geometry, (image.shape[1], image.shape[0]))
    return _shows_a_hidden_side(recent[-1], image, foot_px, neighbours_px)


def _shape(corners_mm: NDArray[Any]) -> tuple[float, float]:
    """Longer against shorter side of a quadrilateral (4, 2), and by how much its angles miss the right one."""
    sides = np.roll(corners_mm, -1, axis=0) - corners_mm
    along, across = (sides[0] - sides[2]) / 2, (sides[1] - sides[3]) / 2
    a, b = float(np.linalg.norm(along)), float(np.linalg.norm(across))
    if min(a, b) < 1e-6:
        return 99.0, 0.0
    return max(a, b) / min(a, b), float(abs(np.arcsin(np.clip(along @ across / (a * b), -1, 1))))


def _foot_of_the_camera(geometry: TableGeometry, size_wh: tuple[int, int]) -> NDArray[np.float64]:
    """Where in the picture (2,), px, one looks straight down: the vanishing point of what stands upright.

    By the pole of the table's horizon in a camera with square pixels and the middle of the picture on its axis
    (Hartley and Zisserman, Multiple View Geometry, 8.6 and 8.10).
    """
    width, depth = geometry.table_size_mm
    middle = np.array(size_wh) / 2
    corners = (np.array(geometry.corners_px) - middle).astype(np.float32)
    table = np.array([(0, 0), (width, 0), (width, depth), (0, depth)], np.float32)
    h = np.asarray(cv2.getPerspectiveTransform(table, corners), np.float64)
    slope = h[2, 0] ** 2 - h[2, 1] ** 2
    square = ((h[:2, 1] ** 2).sum() - (h[:2, 0] ** 2).sum()) / slope if slope else 0.0
    usual = (_USUAL_FOCAL * size_wh[0]) ** 2
    if not usual / 4 < square < usual * 6:
        square = usual
    horizon = np.linalg.inv(h).T @ (0.0, 0.0, 1.0)
    return np.asarray(middle + square * horizon[:2] / horizon[2])


def _shows_a_hidden_side(
    sample: Sample, image: Image, foot_px: NDArray[np.float64], neighbours_px: Sequence[tuple[Point, ...]]
) -> bool:
    """Whether the body goes on behind an edge of the face that is turned away from the camera's foot.

    Only of coloured dice: white and black ones look like paper and shadows.
    """
    if hypot(float(sample.hue_lab[1]), float(sample.hue_lab[2])) < _COLOURED:
        return False
    corners = np.array(sample.reading.outline_px)
    centre = corners.mean(axis=0)
    down = foot_px - centre
    down = down / max(1e-6, float(np.linalg.norm(down)))
    around = [_widened(np.array(outline), _NEIGHBOUR_SIDES * sample.side_px) for outline in neighbours_px]
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        out = (a + b) / 2 - centre
        out = out / max(1e-6, float(np.linalg.norm(out)))
        if out @ down > _TURNED_AWAY:
            continue
        places = [a + (b - a) * s + out * k * sample.side_px for s in _ALONG for k in _BEYOND_SIDES]
        free = [place for place in places if not any(cv2.pointPolygonTest(o, place, False) >= 0 for o in around)]
        farther = [a + (b - a) * s + out * _TABLE_SIDES * sample.side_px for s in _ALONG]
        like_the_table = sum(_is_body(image, place, sample.hue_lab) for place in farther) > len(farther) / 2
        if len(free) < len(places) / 2 or like_the_table:
            continue
        if sum(_is_body(image, place, sample.hue_lab) for place in free) >= _SHOWN * len(free):
            return True
    return False


def _widened(outline: NDArray[Any], by_px: float) -> NDArray[np.float32]:
    centre = outline.mean(axis=0)
    out = outline - centre
    return np.asarray(centre + out * (1 + by_px / max(1.0, float(np.linalg.norm(out, axis=1).mean()))), np.float32)


def _is_body(image: Image, place_px: NDArray[Any], body_lab: NDArray[np.float32]) -> bool:
    x, y = (int(v) for v in np.round(place_px))
    patch = image[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2]
    if not patch.size:
        return False
    bgr = np.median(patch.reshape(-1, 3), axis=0).astype(np.float32).reshape(1, 1, 3) / 255
    _, a, b = (float(v) for v in cv2.cvtColor(bgr, cv2.COLOR_BGR2Lab)[0, 0])
    _, body_a, body_b = (float(v) for v in body_lab)
    turn = atan2(b, a) - atan2(body_b, body_a)
    return hypot(a, b) >= _CHROMA * hypot(body_a, body_b) and abs(remainder(turn, 2 * pi)) <= _HUE_RAD
