"""From pixels to millimetres on the table, by its four corner markers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import GeometryError
from vision.markers import CORNER_IDS
from vision.readings import MarkerReading, Point

__all__ = ["TableGeometry"]

_SMALLEST_AREA_PX2 = 400.0


@dataclass(frozen=True, slots=True)
class TableGeometry:
    """The plane of the table: origin at the far left corner, x to the right, y towards the camera, in mm.

    The corners of the table are the centres of the markers 240 (far left), 241 (far right), 242 (near right)
    and 243 (near left); `table_size_mm` is (width, depth) between those centres.
    """

    table_size_mm: tuple[float, float]
    corners_px: tuple[Point, Point, Point, Point]

    def __post_init__(self) -> None:
        width, depth = self.table_size_mm
        if not (width > 0 and depth > 0 and np.isfinite(width) and np.isfinite(depth)):
            raise GeometryError(f"The table must have a size: got {self.table_size_mm} mm, expected two above 0.")
        if not np.isfinite(np.asarray(self.corners_px, float)).all():
            raise GeometryError(f"The table corners must be finite: got {self.corners_px} px.")
        turns = [
            _turn(self.corners_px[i], self.corners_px[(i + 1) % 4], self.corners_px[(i + 2) % 4]) for i in range(4)
        ]
        if not all(turn > 0 for turn in turns) or abs(_area(self.corners_px)) < _SMALLEST_AREA_PX2:
            raise GeometryError(
                "The table corners are crossed or too close: expected markers 240, 241, 242, 243 clockwise "
                f"in the image, got {self.corners_px} px. Put them in that order and away from each other."
            )

    @classmethod
    def from_corner_markers(cls, markers: Iterable[MarkerReading], table_size_mm: tuple[float, float]) -> TableGeometry:
        """The geometry from a reading's markers; those that are not table corners are passed over.

        Raises GeometryError, naming the ids, when corners are missing, seen twice or crossed.
        """
        centres: dict[int, Point] = {}
        for marker in markers:
            if marker.id not in CORNER_IDS:
                continue
            if marker.id in centres:
                raise GeometryError(f"Corner marker {marker.id} is seen twice: leave only one on the table.")
            centres[marker.id] = marker.centre_px
        missing = [i for i in CORNER_IDS if i not in centres]
        if missing:
            raise GeometryError(
                f"Corner markers not seen: {missing}; expected all of {list(CORNER_IDS)}. "
                "Uncover them or move the camera until all four are in view."
            )
        a, b, c, d = (centres[i] for i in CORNER_IDS)
        return cls(table_size_mm, (a, b, c, d))

    def to_mm(self, points_px: Sequence[Point] | NDArray[Any]) -> NDArray[Any]:
        """Positions in mm, shape (N, 2), of points on the table given in px, shape (N, 2).

        Raises GeometryError for a point at or beyond the table's horizon.
        """
        return _map(np.asarray(np.linalg.inv(self._mm_to_px())), points_px, "px", self.corners_px[3])

    def to_px(self, points_mm: Sequence[Point] | NDArray[Any]) -> NDArray[Any]:
        """Positions in px, shape (N, 2), of points of the table given in mm, shape (N, 2).

        Raises GeometryError for a point behind the camera.
        """
        return _map(self._mm_to_px(), points_mm, "mm", (0.0, self.table_size_mm[1]))

    def _mm_to_px(self) -> NDArray[Any]:
        width, depth = self.table_size_mm
        table = np.array([(0, 0), (width, 0), (width, depth), (0, depth)], np.float32)
        return np.asarray(cv2.getPerspectiveTransform(table, np.asarray(self.corners_px, np.float32)), np.float64)


def _map(homography: NDArray[Any], points: object, unit: str, on_table: Point) -> NDArray[Any]:
    """Points through a homography; those on the other side of the horizon than the point `on_table` are refused."""
    array = np.asarray(points, np.float64)
    if array.size == 0:
        return np.zeros((0, 2))
    if array.ndim != 2 or array.shape[1] != 2:
        raise GeometryError(f"Wrong points: got shape {array.shape}, expected (N, 2) in {unit}.")
    mapped = np.column_stack([array, np.ones(len(array))]) @ homography.T
    weight = mapped[:, 2:] / (homography[2] @ np.array([*on_table, 1.0]))
    if (weight <= 1e-9).any():
        raise GeometryError(f"A point of {array.tolist()} {unit} lies beyond the horizon of the table.")
    return np.asarray(mapped[:, :2] / mapped[:, 2:])


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


def _area(points: Sequence[Point]) -> float:
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, [*points[1:], points[0]], strict=True)) / 2
