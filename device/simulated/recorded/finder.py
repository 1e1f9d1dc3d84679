"""Finding a recorded roll, and where to play it, so that nothing lying on the table is in its way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from device.errors import SceneError
from device.simulated.dice_model import top_face, value_up_rotation
from device.simulated.layout import DIE_MM, MARKER_MM, TABLE_SIZE_MM, Zone, corner_marker_positions_mm
from device.simulated.motion import Rest
from device.simulated.placing import Square, squares_overlap
from device.simulated.recorded.codec import RATE_HZ, Roll, matrices
from device.simulated.recorded.player import Placed, RolledDie
from device.simulated.recorded.shelf import rolls

__all__ = ["NEAR_MM", "OVER_MM", "Field", "find_rolls", "flat_yaw", "rest_of"]

Array = NDArray[Any]
_EDGE_MM: Final = 12.0
"""From a die's centre at rest to the border of its zone."""
_BESIDE_MM: Final = 20.0
"""How far the dice may roll out of the zone on their way, where no neighbour sits."""
_ALONGSIDE_MM: Final = 9.0
"""How near their centres may come to a neighbour's zone."""
_GAP_MM: Final = 1.0
NEAR_MM: Final = 23.2
"""Centres farther apart than this, level with each other, are of dice that do not touch whichever way they are
turned, but for corner against corner."""
OVER_MM: Final = 29.5
"""A centre as high as this is over whatever lies."""
_APART_MM: Final = 27.0
"""Between the centres of dice in the air at one time."""
_EVERY: Final = 2
_ANGLES: Final = 5
_SHIFTS: Final = 8
_ROLLS: Final = 40
_QUICK_S: Final = 1.25


@dataclass
class Field:
    """Where dice may roll: a zone, what lies there, and what is on its way there.

    Attributes:
        zone: where they must come to rest.
        lying: dice that lie there or will.
        circles: things in the way, (x, y, radius) in mm.
        moving: dice that are on their way.
        longest_s: a roll may take so long.
    """

    zone: Zone
    lying: Sequence[Rest]
    circles: Sequence[tuple[float, float, float]] = ()
    moving: list[RolledDie] = field(default_factory=list)
    longest_s: float = _QUICK_S

    def path_box(self) -> tuple[float, float, float, float]:
        """Where the dice may be while they roll: x0, y0, x1, y1."""
        zone = self.zone
        x0 = zone.x0 - _BESIDE_MM if zone.x0 <= 0 else zone.x0 + _ALONGSIDE_MM
        x1 = zone.x1 + _BESIDE_MM if zone.x1 >= TABLE_SIZE_MM[0] else zone.x1 - _ALONGSIDE_MM
        return x0, zone.y0 - _BESIDE_MM, x1, zone.y1 + _BESIDE_MM


def rest_of(die: RolledDie) -> Rest | None:
    """Where a die lies in the end; None when it leans or is gone."""
    if die.off or die.cocked:
        return None
    pose = die.pose(die.rest_ns)
    value = top_face(pose.rotation)
    flat = pose.rotation @ value_up_rotation(value).T
    return Rest(float(pose.centre_mm[0]), float(pose.centre_mm[1]), float(np.arctan2(flat[1, 0], flat[0, 0])), value)


def _square(place: Rest) -> Square:
    return place.x_mm, place.y_mm, place.yaw_rad, DIE_MM


def flat_yaw(turn: Array) -> float:
    """Turn about the vertical, up to quarter turns, of a flat die's quaternion."""
    rotation = matrices(turn)
    level = int(np.abs(rotation[2]).argmin())
    x, y, _ = rotation[:, level]
    return float(np.arctan2(y, x))


def _angles(rng: np.random.Generator, zone: Zone) -> Iterator[float]:
    """Ways of a throw: away from the player, more or less."""
    ahead = -np.pi / 2 if zone.near else np.pi / 2
    for _ in range(_ANGLES):
        yield float(ahead + rng.uniform(-1.35, 1.35))


def _shifts(rng: np.random.Generator, where: Field, path: Array, ends: Array) -> Iterator[tuple[float, float]]:
    """Shifts that bring the ends (N, 2) into the zone and keep the path (M, 2) in its box, by chance."""
    zone, (bx0, by0, bx1, by1) = where.zone, where.path_box()
    low = np.maximum(
        np.array([zone.x0, zone.y0]) + _EDGE_MM - ends.min(axis=0), np.array([bx0, by0]) - path.min(axis=0)
    )
    high = np.minimum(
        np.array([zone.x1, zone.y1]) - _EDGE_MM - ends.max(axis=0), np.array([bx1, by1]) - path.max(axis=0)
    )
    if (high < low).any():
        return
    for _ in range(_SHIFTS):
        x, y = rng.uniform(low, high)
        yield float(x), float(y)


class _Obstacles:
    """What lies in the way, ready to be asked many times."""

    def __init__(self, where: Field) -> None:
        self.squares = [_square(place) for place in where.lying]
        self.squares += [(x, y, 0.0, MARKER_MM + 9) for x, y in corner_marker_positions_mm().values()]
        self.dice = np.array([[place.x_mm, place.y_mm] for place in where.lying]).reshape(-1, 2)
        self.circles = np.array(where.circles, float).reshape(-1, 3)
        self.moving = where.moving

    def clear_path(self, path_mm: Array) -> bool:
        """True when dice on the path (M, 3) meet nothing that lies."""
        low = path_mm[path_mm[:, 2] < OVER_MM, :2]
        if len(self.dice) and len(low):
            away = np.hypot(*(low[:, None] - self.dice[None]).transpose(2, 0, 1))
            if away.min() < NEAR_MM:
                return False
        if len(self.circles):
            away = np.hypot(*(path_mm[:, None, :2] - self.circles[None, :, :2]).transpose(2, 0, 1))
            if (away - self.circles[:, 2]).min() < DIE_MM * 0.75:
                return False
        return True

    def clear_ends(self, squares: Sequence[Square]) -> bool:
        """True when dice may lie at `squares`."""
        wide = [(x, y, yaw, side + _GAP_MM) for x, y, yaw, side in squares]
        return not any(squares_overlap(mine, other) for mine in wide for other in self.squares)

    def clear_of_moving(self, placed: Placed) -> bool:
        """True when the dice of the roll keep away from those that are on their way, at each time."""
        roll = placed.roll
        if not self.moving:
            return True
        for i in range(0, roll.samples, _EVERY):
            at_ns = placed.start_ns + round(i / RATE_HZ * 1e9)
            free = [die for die in range(roll.dice) if i >= roll.released[die]]
            if not free:
                continue
            mine = placed.places(roll.centres_mm[i, free])
            for other in self.moving:
                pose = other.pose(at_ns)
                if not pose.hidden and np.linalg.norm(mine - pose.centre_mm, axis=1).min() < _APART_MM:
                    return False
        return True


def _path_of(roll: Roll) -> Array:
    """Where its dice are after they were let go, (M, 3)."""
    tracks = [roll.centres_mm[roll.released[die] :: _EVERY, die] for die in range(roll.dice)]
    return np.concatenate(tracks)


def _placements(
    rng: np.random.Generator, where: Field, kinds: Sequence[str], dice: int, start_ns: int
) -> Placed | None:
    shelf = [roll for kind in kinds for roll in rolls(kind, dice)]
    obstacles = _Obstacles(where)
    order = rng.permutation(len(shelf))[:_ROLLS]
    for number in order.tolist():
        roll = shelf[number]
        if roll.samples / RATE_HZ > where.longest_s:
            continue
        path = _path_of(roll)
        yaws = [flat_yaw(roll.turns[-1, die]) for die in range(dice)]
        for angle in _angles(rng, where.zone):
            c, s = np.cos(angle), np.sin(angle)
            turn = np.array([[c, s], [-s, c]])
            turned = np.column_stack([path[:, :2] @ turn, path[:, 2]])
            ends = roll.centres_mm[-1, :, :2] @ turn
            for shift in _shifts(rng, where, turned[:, :2], ends):
                squares = [
                    (float(x + shift[0]), float(y + shift[1]), yaw + angle, DIE_MM)
                    for (x, y), yaw in zip(ends.tolist(), yaws, strict=True)
                ]
                placed = Placed(roll, angle, shift, start_ns)
                if (
                    obstacles.clear_ends(squares)
                    and obstacles.clear_path(turned + np.array([*shift, 0.0]))
                    and obstacles.clear_of_moving(placed)
                ):
                    return placed
    return None


def find_rolls(
    rng: np.random.Generator, where: Field, dice: int, start_ns: int, kinds: Sequence[str] = ("throw", "long")
) -> list[Placed]:
    """Rolls that together throw so many dice: one where there is room for it, else several at about one time.

    Raises SceneError when not even single dice find a way.
    """
    whole = _placements(rng, where, kinds, dice, start_ns)
    if whole is not None:
        return [whole]
    if dice == 1:
        near = _placements(rng, where, ("drop",), 1, start_ns)
        if near is None:
            raise SceneError(f"no free way for a die in the zone of seat {where.zone.seat}; take some clutter away")
        return [near]
    first = find_rolls(rng, where, (dice + 1) // 2, start_ns, kinds)
    moving, lying = list(where.moving), list(where.lying)
    for placed in first:
        for die in range(placed.roll.dice):
            rolled = RolledDie(placed, die, np.eye(3))
            moving.append(rolled)
            place = rest_of(rolled)
            if place is not None:
                lying.append(place)
    later = start_ns + int(rng.integers(0, 60)) * 1_000_000
    rest = Field(where.zone, lying, where.circles, moving, where.longest_s)
    return first + find_rolls(rng, rest, dice // 2, later, kinds)
