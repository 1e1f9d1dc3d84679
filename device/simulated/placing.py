"""Finding places for dice to lie: inside a zone, off the corner markers and clutter, never one in another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from device.errors import SceneError
from device.simulated.layout import DIE_MM, MARKER_MM, Zone, corner_marker_positions_mm
from device.simulated.motion import Rest

__all__ = ["free_place", "squares_overlap"]

_EDGE_MM: Final = 13.0
_GAP_MM: Final = 1.0
_TRIES: Final = 3000

Square = tuple[float, float, float, float]
"""Centre x, centre y, turn in radians, side in mm."""


def _corners(square: Square) -> NDArray[Any]:
    x, y, yaw, side = square
    c, s = np.cos(yaw) * side / 2, np.sin(yaw) * side / 2
    return np.array([[x - c + s, y - s - c], [x + c + s, y + s - c], [x + c - s, y + s + c], [x - c - s, y - s + c]])


def squares_overlap(a: Square, b: Square) -> bool:
    """True when two turned squares share more than their border (separating axis test)."""
    if np.hypot(a[0] - b[0], a[1] - b[1]) > (a[3] + b[3]) * 0.7072:
        return False
    first, second = _corners(a), _corners(b)
    for yaw in (a[2], a[2] + np.pi / 2, b[2], b[2] + np.pi / 2):
        axis = np.array([np.cos(yaw), np.sin(yaw)])
        p, q = first @ axis, second @ axis
        if p.max() <= q.min() + 1e-9 or q.max() <= p.min() + 1e-9:
            return False
    return True


def free_place(
    rng: np.random.Generator,
    zone: Zone,
    value: int,
    others: Sequence[Rest],
    keep_clear: Iterable[tuple[float, float, float]] = (),
) -> Rest:
    """A place in `zone` for a die showing `value`, clear of `others` and of circles (x, y, radius) in mm.

    Raises SceneError when the zone is full.
    """
    circles = list(keep_clear)
    taken = [(o.x_mm, o.y_mm, o.yaw_rad, DIE_MM) for o in others]
    markers = [(x, y, 0.0, MARKER_MM + 9) for x, y in corner_marker_positions_mm().values()]
    for _ in range(_TRIES):
        x = rng.uniform(zone.x0 + _EDGE_MM, zone.x1 - _EDGE_MM)
        y = rng.uniform(zone.y0 + _EDGE_MM, zone.y1 - _EDGE_MM)
        yaw = rng.uniform(0, np.pi / 2)
        mine = (x, y, yaw, DIE_MM + _GAP_MM)
        if any(squares_overlap(mine, other) for other in (*taken, *markers)):
            continue
        if any(np.hypot(x - cx, y - cy) < radius + DIE_MM * 0.75 for cx, cy, radius in circles):
            continue
        return Rest(float(x), float(y), float(yaw), value)
    raise SceneError(f"no free place for a die in the zone of seat {zone.seat}; take some clutter away")
