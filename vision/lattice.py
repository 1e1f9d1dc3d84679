"""Do the pips found on a face fit the pattern of the value that is claimed for it?"""

from __future__ import annotations

from itertools import permutations

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["LATTICE_TOLERANCE", "face_coordinates", "lattice_error", "pattern"]

LATTICE_TOLERANCE = 0.115
"""Largest distance, in sides, between a pip and its place in the pattern. Places are at least 0.2 apart."""

_SPREADS = (0.19, 0.22, 0.25, 0.28, 0.31)
"""How far the outer pips lie from the centre, in sides; dice in shops span about 0.2 to 0.29."""


def pattern(value: int, spread: float, turned: bool = False) -> NDArray[np.float64]:
    """Pip places (value, 2) in sides from the face's centre; `turned` by a quarter: the other 2, 3 and 6."""
    d = spread
    diagonal, other = [(-d, -d), (d, d)], [(-d, d), (d, -d)]
    places = {
        1: [(0.0, 0.0)],
        2: diagonal,
        3: [*diagonal, (0.0, 0.0)],
        4: diagonal + other,
        5: [*diagonal, *other, (0.0, 0.0)],
        6: [(x, y) for x in (-d, d) for y in (-d, 0.0, d)],
    }[value]
    points = np.array(places, float)
    return np.column_stack([points[:, 1], -points[:, 0]]) if turned else points


def face_coordinates(points_px: NDArray[np.floating], outline_px: NDArray[np.floating]) -> NDArray[np.float64]:
    """Points (N, 2) in px as seen straight on, in sides from the centre of the face with these four corners."""
    square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)], np.float32)
    homography = cv2.getPerspectiveTransform(np.asarray(outline_px, np.float32), square)
    points = np.asarray(points_px, np.float64).reshape(-1, 1, 2)
    if len(points) == 0:
        return np.zeros((0, 2))
    return np.asarray(cv2.perspectiveTransform(points, homography), np.float64).reshape(-1, 2)


def lattice_error(points: NDArray[np.floating], value: int) -> float:
    """The distance, in sides, of the worst pip from its place under the best fit; infinite when the count is wrong.

    `points` (N, 2) are face coordinates. The pattern may be moved a little as a whole and its spread may vary.
    """
    if len(points) != value:
        return float("inf")
    best = float("inf")
    centred = points - np.clip(points.mean(axis=0), -0.1, 0.1) if value > 1 else points
    for spread in _SPREADS if value > 1 else (0.0,):
        for turned in (False, True) if value in (2, 3, 6) else (False,):
            best = min(best, _matching(centred, pattern(value, spread, turned)))
    return best


def _matching(points: NDArray[np.floating], places: NDArray[np.float64]) -> float:
    """Worst distance under the best one-to-one assignment of at most six points."""
    distances = np.linalg.norm(points[:, None] - places[None], axis=2)
    nearest = distances.argmin(axis=1)
    if len(set(nearest.tolist())) == len(points):
        return float(distances.min(axis=1).max())
    rows = np.arange(len(points))
    return min(float(distances[rows, list(order)].max()) for order in permutations(range(len(points))))
