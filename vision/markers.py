"""Square markers on cards and table corners: a small dictionary with many bits, and only ids in play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from math import dist

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images import Image, checked_grey
from vision.marker_codes import MARKER_DICTIONARY, MODULES, Decoded, decoded
from vision.marker_outlines import outlines
from vision.readings import MarkerReading, Point

__all__ = [
    "CARD_BACK_IDS",
    "CARD_IDS",
    "CORNER_IDS",
    "MARKER_COUNT",
    "RESERVED_IDS",
    "SPARE_IDS",
    "MarkerReader",
    "RefusedMarker",
    "marker_image",
]

MARKER_COUNT = 250
CARD_IDS = range(200)
SPARE_IDS = range(200, 240)
CARD_BACK_IDS = (SPARE_IDS[0], SPARE_IDS[1])
"""The back of every card of a first and of a second deck: such a marker tells the deck and nothing more."""
CORNER_IDS = range(240, 244)
"""Table corners, clockwise from the far left seen from the camera."""
RESERVED_IDS = range(244, 250)


@dataclass(frozen=True, slots=True)
class RefusedMarker:
    """A marker that was seen and not accepted, with the reason in words."""

    id: int
    corners_px: tuple[Point, ...]
    why: str


class MarkerReader:
    """Reads markers of MARKER_DICTIONARY whose id is in `ids` (None: all of them) or in `repeated`.

    An id of `repeated` may lie at many places at once, such as the one on all the backs of a deck: each is kept.
    Refused, and listed in `refused` after each read: foreign ids, any other id at two places (neither can be
    trusted), squares whose corners touch the image border, squares of impossible shape, and markers of which a part
    does not look as printed: a finger, a die, a card or glare lies on it. One that is hidden so far that nothing square
    is left, or that nothing tells which it was, is not listed.

    Raises ValueError for an id that the dictionary does not have.
    """

    def __init__(self, ids: Collection[int] | None = None, *, repeated: Collection[int] = ()) -> None:
        wrong = sorted({i for i in (*(ids or ()), *repeated) if not 0 <= i < MARKER_COUNT})
        if wrong:
            raise ValueError(f"No such marker: {wrong}; ids go from 0 to {MARKER_COUNT - 1}.")
        self.repeated = frozenset(repeated)
        self.ids = frozenset(range(MARKER_COUNT) if ids is None else ids) | self.repeated
        self.refused: tuple[RefusedMarker, ...] = ()

    def read(self, image_bgr: Image) -> tuple[MarkerReading, ...]:
        """The markers in a (H, W, 3) BGR or (H, W) grey uint8 image, by id, those of one id from left to right.

        Raises BadImage for anything that is not such an image.
        """
        grey = checked_grey(image_bgr)
        found = decoded(grey, outlines(grey))
        refused: list[RefusedMarker] = []
        kept: list[MarkerReading] = []
        known: list[tuple[Point, float]] = []
        # The best of what was outlined twice first; of equals that of the finer picture, whose corners are exacter.
        for each in sorted(found, key=lambda each: round(each.fit.mean, 3)):
            points = _points(each.corners_px)
            middle = _middle(points)
            # One square may be outlined twice.
            if any(dist(middle, other) < reach for other, reach in known):
                continue
            known.append((middle, dist(points[0], points[1]) / 2))
            why = self._objection(each, points, grey.shape[1], grey.shape[0])
            if why:
                refused.append(RefusedMarker(each.id, points, why))
            else:
                kept.append(MarkerReading(each.id, points))
        times = Counter(marker.id for marker in kept if marker.id not in self.repeated)
        refused += [
            RefusedMarker(m.id, m.corners_px, "the same id lies at two places") for m in kept if times[m.id] > 1
        ]
        self.refused = tuple(refused)
        return tuple(sorted((m for m in kept if times[m.id] <= 1), key=_order))

    def _objection(self, marker: Decoded, points: tuple[Point, ...], width: int, height: int) -> str | None:
        if marker.id not in self.ids:
            return "the id is not in play"
        xs, ys = [x for x, _ in points], [y for _, y in points]
        if min(xs) < 1 or min(ys) < 1 or max(xs) > width - 2 or max(ys) > height - 2:
            return "it touches the edge of the image"
        sides = [dist(a, b) for a, b in zip(points, points[1:] + points[:1], strict=True)]
        if min(sides) < max(sides) / 4 or not cv2.isContourConvex(marker.corners_px):
            return "its shape is not that of a square seen from any side"
        if not marker.complete:
            return "part of it is hidden or glares, or it is too small or too blurred"
        return None


def marker_image(marker_id: int, side_px: int) -> Image:
    """The marker as a square grey uint8 image of `side_px` pixels, with a white border of a module or more.

    The black square measures 8 modules of `side_px // 10` pixels. Raises ValueError for an unknown id or less
    than 10 px.
    """
    if not 0 <= marker_id < MARKER_COUNT:
        raise ValueError(f"No such marker: {marker_id}; ids go from 0 to {MARKER_COUNT - 1}.")
    if side_px < MODULES + 2:
        raise ValueError(f"A marker of {side_px} px cannot hold {MODULES + 2} modules: give at least 10 px.")
    black_px = side_px // (MODULES + 2) * MODULES
    dictionary = cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY)
    sheet = np.full((side_px, side_px), 255, np.uint8)
    start = (side_px - black_px) // 2
    sheet[start : start + black_px, start : start + black_px] = cv2.aruco.generateImageMarker(
        dictionary, marker_id, black_px
    )
    return sheet


def _order(marker: MarkerReading) -> tuple[int, float, float]:
    """By id, from left to right, those above each other from the top: what is not exact of places does not matter."""
    x, y = marker.centre_px
    return marker.id, round(x, 1), y


def _points(quad: NDArray[np.float32]) -> tuple[Point, Point, Point, Point]:
    a, b, c, d = map(tuple, quad.tolist())
    return (a, b, c, d)


def _middle(points: tuple[Point, ...]) -> Point:
    return sum(x for x, _ in points) / 4, sum(y for _, y in points) / 4
