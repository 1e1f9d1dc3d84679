"""Square markers on cards and table corners: a small dictionary with many bits, and only ids in play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from math import dist
from typing import Any

import cv2
import numpy as np

from vision.images import Image, checked_grey
from vision.readings import MarkerReading, Point

__all__ = [
    "CARD_BACK_IDS",
    "CARD_IDS",
    "CORNER_IDS",
    "MARKER_COUNT",
    "MARKER_DICTIONARY",
    "RESERVED_IDS",
    "SPARE_IDS",
    "MarkerReader",
    "RefusedMarker",
    "marker_image",
]

MARKER_DICTIONARY = cv2.aruco.DICT_6X6_250
"""36 bits for 250 ids: at least 11 bits apart, 5 of them mended; 4x4 dictionaries find markers in clutter."""

MARKER_COUNT = 250
CARD_IDS = range(200)
SPARE_IDS = range(200, 240)
CARD_BACK_IDS = (SPARE_IDS[0], SPARE_IDS[1])
"""The back of every card of a first and of a second deck: such a marker tells the deck and nothing more."""
CORNER_IDS = range(240, 244)
"""Table corners, clockwise from the far left seen from the camera."""
RESERVED_IDS = range(244, 250)

_MODULES = 8  # six data modules and the black frame
_SHORTEST_PERIMETER_PX = 20.0
"""Nothing shorter is looked at. The detector takes it as a share of the image: too large a one loses small markers in
large images, too small a one takes single modules for squares, and those hide the marker that they lie in."""
_SMALLEST_WINDOW_PX = 5
"""Of the first threshold. With 3, the default, one marker in forty is lost where a module is 3 to 5 px."""


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
    trusted), squares whose corners touch the image border, and squares of impossible shape.

    Raises ValueError for an id that the dictionary does not have.
    """

    def __init__(self, ids: Collection[int] | None = None, *, repeated: Collection[int] = ()) -> None:
        wrong = sorted({i for i in (*(ids or ()), *repeated) if not 0 <= i < MARKER_COUNT})
        if wrong:
            raise ValueError(f"No such marker: {wrong}; ids go from 0 to {MARKER_COUNT - 1}.")
        self.repeated = frozenset(repeated)
        self.ids = frozenset(range(MARKER_COUNT) if ids is None else ids) | self.repeated
        self.refused: tuple[RefusedMarker, ...] = ()
        parameters = cv2.aruco.DetectorParameters()
        # The default, 0.125, takes the edge of the white paper and the black square for one, and keeps the paper.
        parameters.minMarkerDistanceRate = 0.02
        parameters.adaptiveThreshWinSizeMin = _SMALLEST_WINDOW_PX
        parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
        dictionary = cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY)
        self._parameters = parameters
        self._detector = cv2.aruco.ArucoDetector(dictionary, parameters)

    def read(self, image_bgr: Image) -> tuple[MarkerReading, ...]:
        """The markers in a (H, W, 3) BGR or (H, W) grey uint8 image, by id, those of one id from left to right.

        Raises BadImage for anything that is not such an image.
        """
        grey = checked_grey(image_bgr)
        shortest = _SHORTEST_PERIMETER_PX / max(grey.shape)
        if self._parameters.minMarkerPerimeterRate != shortest:
            self._parameters.minMarkerPerimeterRate = shortest
            self._detector.setDetectorParameters(self._parameters)
        corners, ids, _ = self._detector.detectMarkers(grey)
        # OpenCV 4 gives ids of shape (N, 1), OpenCV 5 of shape (N,), both None when there are none.
        found = (
            [] if ids is None else [(int(i), quad) for i, quad in zip(np.asarray(ids).ravel(), corners, strict=True)]
        )
        refused: list[RefusedMarker] = []
        kept: list[MarkerReading] = []
        for marker_id, quad in found:
            points = _points(quad)
            why = self._objection(marker_id, points, grey.shape[1], grey.shape[0])
            if why:
                refused.append(RefusedMarker(marker_id, points, why))
            elif not any(_same(points, marker_id, other) for other in kept):
                kept.append(MarkerReading(marker_id, points))
        times = Counter(marker.id for marker in kept if marker.id not in self.repeated)
        refused += [
            RefusedMarker(m.id, m.corners_px, "the same id lies at two places") for m in kept if times[m.id] > 1
        ]
        self.refused = tuple(refused)
        return tuple(sorted((m for m in kept if times[m.id] <= 1), key=lambda m: (m.id, m.centre_px)))

    def _objection(self, marker_id: int, points: tuple[Point, ...], width: int, height: int) -> str | None:
        if marker_id not in self.ids:
            return "the id is not in play"
        xs, ys = [x for x, _ in points], [y for _, y in points]
        if min(xs) < 1 or min(ys) < 1 or max(xs) > width - 2 or max(ys) > height - 2:
            return "it touches the edge of the image"
        sides = [dist(a, b) for a, b in zip(points, points[1:] + points[:1], strict=True)]
        if min(sides) < max(sides) / 4 or not cv2.isContourConvex(np.float32(points).reshape(-1, 1, 2)):  # type: ignore[arg-type]
            return "its shape is not that of a square seen from any side"
        return None


def marker_image(marker_id: int, side_px: int) -> Image:
    """The marker as a square grey uint8 image of `side_px` pixels, with a white border of a module or more.

    The black square measures 8 modules of `side_px // 10` pixels. Raises ValueError for an unknown id or less
    than 10 px.
    """
    if not 0 <= marker_id < MARKER_COUNT:
        raise ValueError(f"No such marker: {marker_id}; ids go from 0 to {MARKER_COUNT - 1}.")
    if side_px < _MODULES + 2:
        raise ValueError(f"A marker of {side_px} px cannot hold {_MODULES + 2} modules: give at least 10 px.")
    black_px = side_px // (_MODULES + 2) * _MODULES
    dictionary = cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY)
    sheet = np.full((side_px, side_px), 255, np.uint8)
    start = (side_px - black_px) // 2
    sheet[start : start + black_px, start : start + black_px] = cv2.aruco.generateImageMarker(
        dictionary, marker_id, black_px
    )
    return sheet


def _points(quad: Any) -> tuple[Point, Point, Point, Point]:
    a, b, c, d = ((float(x), float(y)) for x, y in np.asarray(quad).reshape(4, 2))
    return (a, b, c, d)


def _same(points: tuple[Point, ...], marker_id: int, other: MarkerReading) -> bool:
    """The detector can give one square twice, by the outer and the inner edge of its frame."""
    if other.id != marker_id:
        return False
    centre = (sum(x for x, _ in points) / 4, sum(y for _, y in points) / 4)
    return dist(centre, other.centre_px) < dist(other.corners_px[0], other.corners_px[1]) / 2
