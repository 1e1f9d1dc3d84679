"""Do the pips found on a face fit the pattern of the value that is claimed for it?"""

from __future__ import annotations

from itertools import permutations
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["LATTICE_TOLERANCE", "face_coordinates", "lattice_error", "lattice_errors", "pattern"]

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


_PATTERNS = {value: [pattern(value, 1.0, t) for t in ((False, True) if value in (2, 3, 6) else (False,))]
             for value in range(1, 7)}  # fmt: skip
"""Every way in which a value's pips may lie; on some dice the two stands along an edge."""
_PATTERNS[2] += [np.array([(-1.0, 0.0), (1.0, 0.0)]), np.array([(0.0, -1.0), (0.0, 1.0)])]


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
    return float(lattice_errors(np.asarray(points, np.float64)[None], value)[0])


def lattice_errors(points: NDArray[Any], value: int) -> NDArray[Any]:
    """`lattice_error` of many faces at once: points (n, value, 2), errors (n,)."""
    middle = points.mean(axis=1)
    if value == 1:
        errors = np.linalg.norm(middle, axis=1) * LATTICE_TOLERANCE / _SHIFT
    else:
        centred = points - middle[:, None]
        errors = np.min([_fits(centred, places) for places in _PATTERNS[value]], axis=0)
    return np.where(np.abs(middle).max(axis=1) > _SHIFT, np.inf, errors)


def _fits(points: NDArray[Any], places: NDArray[Any]) -> NDArray[Any]:
    """Worst distances of centred points from places of unit spread, moved by the best allowed linear map."""
    mine = places[_assignments(points, places * 0.25)]
    if len(places) <= 3:  # in a line: only how far out they lie is free
        spread = (points * mine).sum(axis=(1, 2)) / (places * places).sum()
        allowed = (spread >= _SPREADS[0]) & (spread <= _SPREADS[1])
        fitted = spread[:, None, None] * mine
    else:  # whole patterns are symmetric: their second moments have no mixed part
        linear = np.einsum("nki,nkj->nij", mine, points) / (places * places).sum(axis=0)[:, None]
        spreads, shears = linear[:, (0, 1), (0, 1)], np.abs(linear[:, (0, 1), (1, 0)])
        allowed = ((spreads >= _SPREADS[0]) & (spreads <= _SPREADS[1])).all(axis=1) & (shears.max(axis=1) <= _SHEAR)
        fitted = mine @ linear
    worst = np.linalg.norm(points - fitted, axis=2).max(axis=1)
    return np.where(allowed, worst, np.inf)


def _assignments(points: NDArray[Any], places: NDArray[Any]) -> NDArray[np.int_]:
    """For each point (n, k) the index of its place, one to one, the sum of squares least."""
    squares = ((points[:, :, None] - places[None, None]) ** 2).sum(axis=3)
    nearest = squares.argmin(axis=2)
    shared = (np.sort(nearest, axis=1) != np.arange(len(places))).any(axis=1)
    if shared.any():
        orders = _ORDERS[len(places)]
        sums = squares[shared][:, np.arange(len(places)), orders].sum(axis=2)
        nearest[shared] = orders[sums.argmin(axis=1)]
    return np.asarray(nearest)
