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

_USUAL_SPREAD = 0.25
"""By patterns of this spread it is decided which pip belongs to which place."""

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


_PATTERNS = {value: np.array([pattern(value, 1.0, t) for t in ((False, True) if value in (2, 3, 6) else (False,))])
             for value in range(1, 7)}  # fmt: skip
"""Every way (p, value, 2) in which a value's pips may lie; on some dice the two stands along an edge."""
_PATTERNS[2] = np.concatenate([_PATTERNS[2], [[(-1.0, 0.0), (1.0, 0.0)], [(0.0, -1.0), (0.0, 1.0)]]])


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
        errors = _fits(points - middle[:, None], _PATTERNS[value])
    return np.where(np.abs(middle).max(axis=1) > _SHIFT, np.inf, errors)


def _fits(points: NDArray[Any], patterns: NDArray[Any]) -> NDArray[Any]:
    """Worst distances (n,) of centred points (n, k, 2) from the places of the best of the patterns (p, k, 2)."""
    k = points.shape[1]
    off = points[None, :, :, None] - (patterns * _USUAL_SPREAD)[:, None, None]
    squares = np.square(off).sum(axis=4)  # (p, n, k, k)
    nearest = squares.argmin(axis=3)
    one_to_one = (np.sort(nearest, axis=2) == np.arange(k)).all(axis=2)
    worst = np.full(one_to_one.shape, np.inf)
    which, face = np.nonzero(one_to_one)
    if len(face):
        worst[which, face] = _worst(points[face], patterns[which[:, None], nearest[which, face]])
    fitting = (worst <= LATTICE_TOLERANCE).any(axis=0)
    which, face = np.nonzero(~one_to_one & ~fitting)
    if len(face):  # points that fit one pattern are not tried in every order against the others
        orders = _ORDERS[k]
        best = orders[squares[which, face][:, np.arange(k), orders].sum(axis=2).argmin(axis=1)]
        worst[which, face] = _worst(points[face], patterns[which[:, None], best])
    least: NDArray[Any] = worst.min(axis=0)
    return least


def _worst(points: NDArray[Any], places: NDArray[Any]) -> NDArray[Any]:
    """Worst distances (m,) of points (m, k, 2) from their own places of unit spread, moved by the best allowed linear
    map; infinite where none is allowed."""
    if places.shape[1] <= 3:  # in a line: only how far out they lie is free
        spread = (points * places).sum(axis=(1, 2)) / np.maximum(np.square(places).sum(axis=(1, 2)), 1.0)
        allowed = (spread >= _SPREADS[0]) & (spread <= _SPREADS[1])
        fitted = spread[:, None, None] * places
    else:  # whole patterns are symmetric: their second moments have no mixed part
        linear = places.swapaxes(1, 2) @ points / np.maximum(np.square(places).sum(axis=1), 1.0)[:, :, None]
        spreads, shears = linear[:, (0, 1), (0, 1)], np.abs(linear[:, (0, 1), (1, 0)])
        allowed = ((spreads >= _SPREADS[0]) & (spreads <= _SPREADS[1])).all(axis=1) & (shears.max(axis=1) <= _SHEAR)
        fitted = places @ linear
    return np.where(allowed, np.sqrt(np.square(points - fitted).sum(axis=2).max(axis=1)), np.inf)
