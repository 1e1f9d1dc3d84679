"""Do the pips found on a face fit the pattern of the value that is claimed for it?"""

from __future__ import annotations

from itertools import permutations
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["LATTICE_TOLERANCE", "face_coordinates", "lattice_error", "pattern"]

LATTICE_TOLERANCE = 0.075
"""Largest distance, in sides, between a pip and its place in the fitted pattern. Places are at least 0.2 apart."""

_SPREADS = (0.13, 0.36)
"""How far the outer pips may lie from the centre, in sides and along either edge; shops sell 0.2 to 0.29."""
_SHIFT = 0.17
"""How far the whole pattern may lie off the centre of an outline that is not exact."""
_SHEAR = 0.09
"""How far an outer pip may be turned or sheared out of line with an outline that is not exact."""


_ORDERS = {n: np.array(list(permutations(range(n)))) for n in range(1, 7)}


def pattern(value: int, spread: float, turned: bool = False) -> NDArray[Any]:
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


def face_coordinates(points_px: NDArray[Any], outline_px: NDArray[Any]) -> NDArray[Any]:
    """Points (N, 2) in px as seen straight on, in sides from the centre of the face with these four corners."""
    square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)], np.float32)
    homography = cv2.getPerspectiveTransform(np.asarray(outline_px, np.float32), square)
    points = np.asarray(points_px, np.float64).reshape(-1, 1, 2)
    if len(points) == 0:
        return np.zeros((0, 2))
    return np.asarray(cv2.perspectiveTransform(points, homography), np.float64).reshape(-1, 2)


def lattice_error(points: NDArray[Any], value: int) -> float:
    """The distance, in sides, of the worst pip from its place under the best fit; infinite when the value cannot be.

    `points` (N, 2) are face coordinates. The pattern may lie a little off the centre, its spreads along both
    edges may differ, and it may be slightly turned or sheared, as far as outlines are exact.
    """
    if len(points) != value or value < 1:
        return float("inf")
    points = np.asarray(points, np.float64)
    middle = points.mean(axis=0)
    if np.abs(middle).max() > _SHIFT:
        return float("inf")
    if value == 1:
        return float(np.linalg.norm(middle)) * LATTICE_TOLERANCE / _SHIFT
    turns = (False, True) if value in (2, 3, 6) else (False,)
    return min(_fit(points - middle, pattern(value, 1.0, turned)) for turned in turns)


def _fit(points: NDArray[Any], places: NDArray[Any]) -> float:
    """Worst distance of centred points from places of unit spread, moved by the best allowed linear map."""
    order = _assignment(points, places * 0.25)
    places = places[order]
    if len(points) <= 3:  # in a line: only how far out they lie is free
        spread = float((points * places).sum() / (places * places).sum())
        if not _SPREADS[0] <= spread <= _SPREADS[1]:
            return float("inf")
        return float(np.linalg.norm(points - spread * places, axis=1).max())
    linear = np.linalg.lstsq(places, points, rcond=None)[0]
    inside = all(_SPREADS[0] <= linear[k, k] <= _SPREADS[1] for k in (0, 1))
    if not inside or max(abs(linear[0, 1]), abs(linear[1, 0])) > _SHEAR:
        return float("inf")
    return float(np.linalg.norm(points - places @ linear, axis=1).max())


def _assignment(points: NDArray[Any], places: NDArray[Any]) -> list[int]:
    """For each point the index of its place, one to one, the sum of squares least."""
    squares = ((points[:, None] - places[None]) ** 2).sum(axis=2)
    nearest = [int(k) for k in squares.argmin(axis=1)]
    if len(set(nearest)) == len(points):
        return nearest
    orders = _ORDERS[len(points)]
    return [int(k) for k in orders[squares[np.arange(len(points)), orders].sum(axis=1).argmin()]]
