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

_MOST = 6
_ORDERS = {n: np.array(list(permutations(range(n)))) for n in range(1, _MOST + 1)}


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


def _ways(value: int) -> list[NDArray[Any]]:
    """Every way in which a value's pips may lie, at a spread of one; on some dice the two stands along an edge."""
    ways = [pattern(value, 1.0, turned) for turned in ((False, True) if value in (2, 3, 6) else (False,))]
    edges = [np.array([(-1.0, 0.0), (1.0, 0.0)]), np.array([(0.0, -1.0), (0.0, 1.0)])]
    return ways + edges if value == 2 else ways


_WAYS = {value: _ways(value) for value in range(1, _MOST + 1)}
_COUNTS = np.array([0, *map(len, _WAYS.values())])
"""Of ways, by value; those of all values follow each other below."""
_FIRST = _COUNTS.cumsum() - _COUNTS
_PLACES = np.array([np.pad(way, ((0, _MOST - len(way)), (0, 0))) for ways in _WAYS.values() for way in ways])
_SQUARES = np.square(_PLACES).sum(axis=1)
"""Along x and y, of each way (w, 2)."""
_IS_PIP = np.arange(_MOST) < np.arange(_MOST + 1)[:, None]
"""By value (7, 6): so many pips count, and what follows them counts for nothing."""
_BARRED = np.where((_IS_PIP[:, :, None] & _IS_PIP[:, None]) | np.eye(_MOST, dtype=bool), 0.0, np.inf)
"""By value (7, 6, 6): what follows the pips belongs to nothing but itself."""
_ALONG_BOTH = np.eye(2)[:, :, None]
"""By as much along either edge."""


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
    padded = np.zeros((1, _MOST, 2))
    padded[0, :value] = points
    return float(lattice_errors(padded, np.array([value]))[0])


def lattice_errors(points: NDArray[Any], values: NDArray[np.int_]) -> NDArray[Any]:
    """`lattice_error` of many faces at once: of points (n, 6, 2) the first so many as `values` (n,), errors (n,)."""
    # Pips come first, faces last: numpy is quick along axes that are long.
    counted = _IS_PIP[values].T
    pips = np.where(counted, points.T, 0.0)  # (2, 6, n)
    middle = pips.sum(axis=1) / values
    ones = np.hypot(*middle) * LATTICE_TOLERANCE / _SHIFT
    others = _fits(np.where(counted, pips - middle[:, None], 0.0), values)
    return np.where(np.abs(middle).max(axis=0) > _SHIFT, np.inf, np.where(values == 1, ones, others))


def _fits(pips: NDArray[Any], values: NDArray[np.int_]) -> NDArray[Any]:
    """Worst distances (n,) of centred pips (2, 6, n) from their places in the best of their values' patterns."""
    counts = _COUNTS[values]
    starts = counts.cumsum() - counts
    face = np.arange(len(values)).repeat(counts)
    way = np.arange(len(face)) + (_FIRST[values] - starts)[face]
    tried, value, places = pips[:, :, face], values[face], _PLACES[way].T  # (2, 6, t)
    x, y = tried[:, :, None] - _USUAL_SPREAD * places[:, None]
    squares = x * x + y * y + _BARRED[value].transpose(1, 2, 0)  # (6, 6, t)
    nearest = squares.argmin(axis=1)
    one_to_one = np.bitwise_or.reduce(1 << nearest) == (1 << _MOST) - 1
    worst = _worst(tried, places[:, nearest, np.arange(len(face))], way, value)
    worst[~one_to_one] = np.inf
    fitting = np.logical_or.reduceat(worst <= LATTICE_TOLERANCE, starts)
    rest = (~one_to_one & ~fitting[face]).nonzero()[0]  # who fits one pattern is not tried in every order elsewhere
    if len(rest):
        order = np.repeat(np.arange(_MOST)[:, None], len(rest), axis=1)
        for k in set(value[rest].tolist()):
            at = np.flatnonzero(value[rest] == k)
            sums = squares[np.arange(k), _ORDERS[k], rest[at, None, None]].sum(axis=2)
            order[:k, at] = _ORDERS[k][sums.argmin(axis=1)].T
        worst[rest] = _worst(tried[:, :, rest], places[:, order, rest], way[rest], value[rest])
    least: NDArray[Any] = np.minimum.reduceat(worst, starts)
    return least


def _worst(pips: NDArray[Any], places: NDArray[Any], way: NDArray[Any], value: NDArray[Any]) -> NDArray[Any]:
    """Worst distances (t,) of pips (2, 6, t) from their own places of unit spread, moved by the best allowed linear
    map; infinite where none is allowed."""
    norms = _SQUARES[way].T
    moments = (places[:, None] * pips).sum(axis=2)
    # From place to pip (2, 2, t). Whole patterns are symmetric: their own second moments have no mixed part.
    linear = moments / np.maximum(norms, 1.0)[:, None]
    in_a_line = value <= 3  # then only how far out they lie is free
    spread = (moments[0, 0] + moments[1, 1]) / np.maximum(norms[0] + norms[1], 1.0)
    linear = np.where(in_a_line, spread * _ALONG_BOTH, linear)
    spreads, shears = linear[(0, 1), (0, 1)], linear[(0, 1), (1, 0)]
    allowed = ((spreads >= _SPREADS[0]) & (spreads <= _SPREADS[1]) & (np.abs(shears) <= _SHEAR)).all(axis=0)
    x, y = pips - (places[:, None] * linear[:, :, None]).sum(axis=0)
    return np.where(allowed, np.sqrt((x * x + y * y).max(axis=0)), np.inf)
