"""A die as a body: a rounded cube with pips, and how it is turned so that a given face is up."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from device.simulated.layout import DIE_MM

__all__ = [
    "CUBE_CORNERS",
    "FACE_NORMALS",
    "PIP_RADIUS_MM",
    "Facets",
    "face_axes",
    "facets",
    "pip_centres",
    "resting_rotation",
    "top_face",
    "turn_about",
    "value_up_rotation",
]

Array = NDArray[Any]
HALF_MM: Final = DIE_MM / 2
CORNER_RADIUS_MM: Final = 2.0
PIP_RADIUS_MM: Final = 1.5
_PIP_STEP_MM: Final = 4.1

FACE_NORMALS: Final[dict[int, Array]] = {
    1: np.array([0.0, 0.0, 1.0]),
    6: np.array([0.0, 0.0, -1.0]),
    2: np.array([0.0, 1.0, 0.0]),
    5: np.array([0.0, -1.0, 0.0]),
    3: np.array([1.0, 0.0, 0.0]),
    4: np.array([-1.0, 0.0, 0.0]),
}
"""Outward direction of each face in the die's own axes; opposite faces add up to 7."""

_VALUES: Final = tuple(FACE_NORMALS)
_NORMALS: Final = np.array([FACE_NORMALS[value] for value in _VALUES])

_PATTERNS: Final[dict[int, tuple[tuple[int, int], ...]]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}

CUBE_CORNERS: Final = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float) * HALF_MM


@dataclass(frozen=True)
class Facets:
    """A mesh of flat quadrilaterals: `points` (P, 3) mm, `quads` (Q, 4) indices, `normals` (Q, 3)."""

    points: Array
    quads: NDArray[Any]
    normals: Array


@lru_cache(maxsize=6)
def face_axes(value: int) -> tuple[Array, Array]:
    """Two directions at right angles in the plane of a face, in the die's own axes."""
    along = FACE_NORMALS[3] if value in (1, 6, 2, 5) else FACE_NORMALS[2]
    return along, np.cross(FACE_NORMALS[value], along)


@lru_cache(maxsize=4)
def facets(bevels: int) -> Facets:
    """The rounded cube with `bevels` flat strips on each side of an edge."""
    flat_mm = HALF_MM - CORNER_RADIUS_MM
    angles = np.linspace(0, np.pi / 4, bevels + 1)[1:]
    outside = flat_mm + CORNER_RADIUS_MM * np.tan(angles)
    steps = np.concatenate([-outside[::-1], [-flat_mm, flat_mm], outside])
    points: list[Array] = []
    quads: list[list[int]] = []
    normals: list[Array] = []
    for value in FACE_NORMALS:
        normal, (along, across) = FACE_NORMALS[value], face_axes(value)
        base = len(points)
        count = len(steps)
        for v in steps:
            for u in steps:
                raw = normal * HALF_MM + along * u + across * v
                core = np.clip(raw, -flat_mm, flat_mm)
                points.append(core + CORNER_RADIUS_MM * (raw - core) / np.linalg.norm(raw - core))
        for row in range(count - 1):
            for column in range(count - 1):
                a = base + row * count + column
                quad = [a, a + 1, a + count + 1, a + count]
                middle = np.mean([points[i] for i in quad], axis=0)
                core = np.clip(middle, -flat_mm, flat_mm)
                if np.allclose(np.abs(middle).max(), HALF_MM):
                    direction = normal
                else:
                    direction = (middle - core) / np.linalg.norm(middle - core)
                quads.append(quad)
                normals.append(direction)
    return Facets(np.array(points), np.array(quads), np.array(normals))


@lru_cache(maxsize=1)
def _all_pips() -> dict[int, Array]:
    centres = {}
    for value, pattern in _PATTERNS.items():
        normal, (along, across) = FACE_NORMALS[value], face_axes(value)
        centres[value] = np.array([normal * HALF_MM + (along * u + across * v) * _PIP_STEP_MM for u, v in pattern])
    return centres


def pip_centres(value: int) -> Array:
    """Centres of the pips of one face in the die's own axes, shape (value, 3) mm."""
    return _all_pips()[value]


def turn_about(axis: Array, angle_rad: float) -> Array:
    """Rotation matrix, shape (3, 3), about a unit axis (Rodrigues)."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle_rad) * cross + (1 - np.cos(angle_rad)) * cross @ cross)


@lru_cache(maxsize=6)
def _value_up(value: int) -> tuple[tuple[float, ...], ...]:
    turns = {
        1: np.eye(3),
        6: turn_about(np.array([1.0, 0, 0]), np.pi),
        2: turn_about(np.array([1.0, 0, 0]), np.pi / 2),
        5: turn_about(np.array([1.0, 0, 0]), -np.pi / 2),
        3: turn_about(np.array([0, 1.0, 0]), -np.pi / 2),
        4: turn_about(np.array([0, 1.0, 0]), np.pi / 2),
    }
    return tuple(tuple(row) for row in np.round(turns[value]))


def value_up_rotation(value: int) -> Array:
    """A rotation that brings face `value` to the top."""
    return np.array(_value_up(value))


def resting_rotation(value: int, yaw_rad: float) -> Array:
    """Rotation of a die lying flat with `value` up, turned by `yaw_rad` about the vertical."""
    return turn_about(np.array([0.0, 0.0, 1.0]), yaw_rad) @ value_up_rotation(value)


def top_face(rotation: Array) -> int:
    """The face that points up most."""
    return _VALUES[int((_NORMALS @ rotation[2]).argmax())]
