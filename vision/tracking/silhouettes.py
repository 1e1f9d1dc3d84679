"""What of a picture is of a die's colour, and which flat die would cover it best.

How well it covers it does not tell whether it leans, for flat and leaning dice have much the same outline; whether the
faces within it look as those of that flat die would, does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images import Image
from vision.readings import Point
from vision.tracking.camera import Camera
from vision.tracking.mixing import in_light

__all__ = ["Silhouette", "silhouette_at"]

_REACH_SIDES = 2.0
_NEAR_SIDES = 1.2
"""The middle of a body is no farther from where it is looked for."""
_DIE_LIGHT, _TABLE_LIGHT = (0.4, 1.3), (0.55, 1.08)
"""A side of a die that is turned from the lamp is darker than its upper face, one with gloss brighter; and so is the
table, in the shadow of a die and out of it."""
_ALIKE, _LEAST_LEVELS = 0.16, 60.0
"""What is of a die's colour differs from it by no more than this part of its brightest channel, or of so many
levels."""
_PIP_SIDES = 0.3
"""Pips are of another colour, and no larger than this."""
_TURNS_RAD = np.deg2rad(np.arange(0, 90, 10))
_STEPS = ((0.25, 0.12), (0.12, 0.08), (0.06, 0.05), (0.03, 0.03))
"""In sides and in radians: in such steps the best place and turn are looked for, one pair after the other."""
_MOST_STEPS = 6
"""Of each."""
_SUBPIXEL_BITS = 4


@dataclass(frozen=True, slots=True)
class Silhouette:
    """A body of a die's colour in the picture, beside the flat die that covers it best.

    Attributes:
        face_px: the upper face that such a die would have, (4, 2) pixels.
        overlap: part (0..1) that its outline and the body have in common, of all that either covers.
        faces: how large the body is, in areas of that upper face.
    """

    face_px: NDArray[np.float64]
    overlap: float
    faces: float


def silhouette_at(
    image: Image,
    place_px: Point,
    colour_bgr: Sequence[float],
    table_bgr: Sequence[float],
    side: float,
    camera: Camera,
    neighbours_px: Sequence[NDArray[Any]] = (),
) -> Silhouette | None:
    """The body of a die at a place of a (H, W, 3) BGR uint8 image; None where nothing there is of its colour.

    `colour_bgr` is that of the die and `table_bgr` that of the table around it; `side` is that of the die, in the
    camera's unit; what the dice with the upper faces `neighbours_px` (each (4, 2)) cover is theirs.
    """
    cube = _Cube(camera, side)
    side_px = cube.side_px(camera.at_height(np.array([place_px]), side)[0])
    if not np.isfinite(side_px) or side_px <= 1:
        return None
    part, origin = _around(image, place_px, round(_REACH_SIDES * side_px))
    if not part.size:
        return None
    others = np.zeros(part.shape[:2], np.uint8)
    for neighbour in neighbours_px:
        others |= _filled(cube.hull_px(camera.at_height(np.asarray(neighbour, float), side)) - origin, others.shape)
    alike = _of_colour(part, colour_bgr, table_bgr)
    whole = cv2.morphologyEx(alike, cv2.MORPH_CLOSE, np.ones((2 * round(_PIP_SIDES * side_px / 2) + 1,) * 2, np.uint8))
    rim = np.ones((3, 3), np.uint8)
    whole[cv2.dilate(others, rim) > 0] = 0
    count, labels, stats, middles = cv2.connectedComponentsWithStats(
        cv2.morphologyEx(whole, cv2.MORPH_OPEN, rim), connectivity=4
    )
    areas = np.where(np.hypot(*(middles + origin - place_px).T) < _NEAR_SIDES * side_px, stats[:, cv2.CC_STAT_AREA], 0)
    areas[0] = 0
    label = int(areas.argmax())
    if count < 2 or not areas[label]:
        return None
    body = np.asarray(labels == label).view(np.uint8)
    face, overlap = _fitted(body, (others == 0).view(np.uint8), origin, cube)
    return Silhouette(cube.top_px(face), overlap, float(areas[label]) / side_px**2)


class _Cube:
    """Flat dice of one side before a camera."""

    def __init__(self, camera: Camera, side: float) -> None:
        self.camera, self.side = camera, side

    def face(self, middle: NDArray[Any], turn_rad: float) -> NDArray[np.float64]:
        """Corners (4, 2) of the upper face of a die on the table, in its plane."""
        c, s = np.cos(turn_rad) * self.side / 2, np.sin(turn_rad) * self.side / 2
        return np.asarray(np.array([(s - c, -s - c), (c + s, s - c), (c - s, s + c), (-c - s, c - s)]) + middle)

    def top_px(self, face: NDArray[Any]) -> NDArray[np.float64]:
        """The same in the picture."""
        return self.camera.project(np.column_stack([face, np.full(4, -self.side)]))

    def hull_px(self, face: NDArray[Any]) -> NDArray[np.float32]:
        """The outline (n, 2) of the whole die in the picture."""
        low_px = self.camera.project(np.column_stack([face, np.zeros(4)]))
        return np.asarray(cv2.convexHull(np.vstack([self.top_px(face), low_px]).astype(np.float32))[:, 0])

    def side_px(self, middle: NDArray[Any]) -> float:
        """Mean side of the upper face in the picture."""
        top_px = self.top_px(self.face(middle, 0.0))
        return float(np.linalg.norm(top_px - np.roll(top_px, 1, 0), axis=1).mean())


def _around(image: Image, place_px: Point, reach_px: int) -> tuple[Image, NDArray[np.int64]]:
    """The part of a picture around a place, and where it begins."""
    height, width = image.shape[:2]
    x, y = round(place_px[0]), round(place_px[1])
    x0, y0 = max(0, x - reach_px), max(0, y - reach_px)
    part = image[y0 : max(y0, min(height, y + reach_px)), x0 : max(x0, min(width, x + reach_px))]
    return part, np.array([x0, y0])


def _of_colour(part: Image, colour_bgr: Sequence[float], table_bgr: Sequence[float]) -> NDArray[np.uint8]:
    """1 where a part of a picture looks like a die of that colour, in some light, and more so than like the table."""
    pixels = part.astype(np.float32)
    (_, die), (_, table) = in_light(pixels, colour_bgr, _DIE_LIGHT), in_light(pixels, table_bgr, _TABLE_LIGHT)
    return np.asarray((die < table) & (die < _ALIKE * max(*colour_bgr, _LEAST_LEVELS))).view(np.uint8)


def _fitted(
    body: NDArray[np.uint8], free: NDArray[np.uint8], origin: NDArray[Any], cube: _Cube
) -> tuple[NDArray[np.float64], float]:
    """The upper face (4, 2), in its plane, of the flat die that covers a body best where no other die is."""

    def overlap(middle: NDArray[Any], turn_rad: float) -> float:
        flat = _filled(cube.hull_px(cube.face(middle, turn_rad)) - origin, body.shape) & free
        return int(np.count_nonzero(flat & body)) / max(1, int(np.count_nonzero(flat | body)))

    ys, xs = np.nonzero(body)
    (middle,) = cube.camera.at_height(np.array([(xs.mean(), ys.mean())]) + origin, cube.side / 2)
    best, turn = max((overlap(middle, float(turn)), float(turn)) for turn in _TURNS_RAD)
    for step, twist in _STEPS:
        for _ in range(_MOST_STEPS):
            before = best
            for dx, dy, dt in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)):
                there, turned = middle + np.array([dx, dy]) * step * cube.side, turn + dt * twist
                now = overlap(there, turned)
                if now > best:
                    best, middle, turn = now, there, turned
            if best == before:
                break
    return cube.face(middle, turn), best


def _filled(outline: NDArray[Any], shape: tuple[int, ...]) -> NDArray[np.uint8]:
    drawn = np.zeros(shape, np.uint8)
    cv2.fillPoly(drawn, [np.round(outline * (1 << _SUBPIXEL_BITS)).astype(np.int32)], 1, cv2.LINE_8, _SUBPIXEL_BITS)
    return drawn
