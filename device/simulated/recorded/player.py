"""A recorded roll played anywhere on the table: turned about the vertical, shifted, its dice relabelled.

Turning and shifting change nothing in the physics, and neither does naming the faces of a die anew: what is multiplied
on the body's side is a constant rotation of the cube into itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from device.simulated.dice_model import top_face, turn_about
from device.simulated.motion import Pose
from device.simulated.recorded.codec import RATE_HZ, Roll
from device.simulated.recorded.shelf import Span, rests_of

__all__ = ["CUBE_TURNS", "Placed", "RolledDie", "relabelling"]

Array = NDArray[Any]
_UP: Final = np.array([0.0, 0.0, 1.0])
_SECOND: Final = 1_000_000_000


@lru_cache(maxsize=1)
def _cube_turns() -> tuple[Array, ...]:
    found = []
    for first in range(3):
        for second in range(3):
            if first == second:
                continue
            for a in (-1, 1):
                for b in (-1, 1):
                    turn = np.zeros((3, 3))
                    turn[0, first], turn[1, second] = a, b
                    turn[2] = np.cross(turn[0], turn[1])
                    found.append(turn)
    return tuple(found)


CUBE_TURNS: Final = _cube_turns()
"""The 24 rotations that bring a cube into itself."""


def relabelling(rotation: Array, value: int, choice: int) -> Array:
    """A rotation of the cube into itself after which a die turned by `rotation` has `value` up; `choice` 0 to 3."""
    fitting = [turn for turn in CUBE_TURNS if top_face(rotation @ turn) == value]
    return fitting[choice % len(fitting)]


def _ns(seconds: float) -> int:
    return round(seconds * _SECOND)


@dataclass(frozen=True, eq=False)
class Placed:
    """A roll that begins at `start_ns`, turned by `angle_rad` about the vertical and shifted by `shift_mm` (2,)."""

    roll: Roll
    angle_rad: float
    shift_mm: tuple[float, float]
    start_ns: int

    @cached_property
    def turn(self) -> Array:
        """The turn about the vertical, (3, 3)."""
        return turn_about(_UP, self.angle_rad)

    def places(self, track_mm: Array) -> Array:
        """Points of the recording, (..., 2) or (..., 3), where they lie on the table."""
        flat = track_mm[..., :2] @ self.turn[:2, :2].T + np.array(self.shift_mm)
        return flat if track_mm.shape[-1] == 2 else np.concatenate([flat, track_mm[..., 2:]], axis=-1)

    def hand_mm(self, at_ns: int) -> tuple[float, float] | None:
        """Where the palm is at a time, within the time of the recording; None for a roll without a hand."""
        return self._track(self.roll.hand_mm, at_ns)

    def finger_mm(self, at_ns: int) -> tuple[float, float] | None:
        """Where the finger is at a time; None for a roll without one."""
        return self._track(self.roll.finger_mm, at_ns)

    def _track(self, track: Array, at_ns: int) -> tuple[float, float] | None:
        if not len(track):
            return None
        at = min(max(0.0, (at_ns - self.start_ns) * RATE_HZ / _SECOND), len(track) - 1)
        here = [float(np.interp(at, range(len(track)), track[:, k])) for k in range(2)]
        x, y = self.places(np.array(here))
        return float(x), float(y)


class RolledDie:
    """The motion of one die of a placed roll, with `label` (3, 3) on its body's side."""

    def __init__(self, placed: Placed, die: int, label: Array) -> None:
        self.placed, self.die = placed, die
        self._label = label
        roll = placed.roll
        self._rests = rests_of(roll, die)
        self._turn = placed.turn
        self.start_ns = placed.start_ns
        self.off = roll.ends[die] == "off"
        self.cocked = roll.ends[die] == "cocked"
        self.released_ns = self.start_ns + _ns(roll.released[die] / RATE_HZ)
        last_s = (roll.samples - 1) / RATE_HZ
        self.rest_ns = self.start_ns + _ns(last_s if self.off else self._rests[-1][0])
        self.rests: Sequence[tuple[int, int | None]] = tuple(
            (-1 if a == -np.inf else self.start_ns + _ns(a), None if b == np.inf else self.start_ns + _ns(b))
            for a, b in self._rests
        )
        """When it lies at rest: from and until, in ns; the last until None, -1 where it lay before the roll."""
        self._final = self._at(roll.samples - 1)

    def still(self, from_ns: int, to_ns: int) -> bool:
        """True when it stands still all the time between."""
        if from_ns >= self.rest_ns:
            return True
        spans: Sequence[Span] = self._rests
        a, b = (from_ns - self.start_ns) / _SECOND, (to_ns - self.start_ns) / _SECOND
        return any(begin <= a and b <= end for begin, end in spans)

    def pose(self, at_ns: int) -> Pose:
        """The pose at any time; before the start that of the start."""
        if at_ns >= self.rest_ns:
            return self._final
        at_s = (at_ns - self.start_ns) / _SECOND
        for begin, end in self._rests:
            if begin <= at_s < end:
                return self._at(min(self.placed.roll.samples - 1, end * RATE_HZ))
        return self._at(min(max(0.0, at_s * RATE_HZ), self.placed.roll.samples - 1))

    def _at(self, at: float) -> Pose:
        roll, die = self.placed.roll, self.die
        i = int(at)
        j = min(i + 1, roll.samples - 1)
        share = at - i
        a, b = roll.turns[i, die], roll.turns[j, die]
        turn = a if share == 0 else _between(a, b, share)
        centre = roll.centres_mm[i, die] * (1 - share) + roll.centres_mm[j, die] * share
        return Pose(
            self.placed.places(centre),
            self._turn @ _matrix(turn.tolist()) @ self._label,
            in_hand=at < roll.released[die],
            gone=self.off and i >= roll.samples - 1,
        )


def _matrix(turn: Sequence[float]) -> Array:
    """The rotation matrix of one unit quaternion; for a single one faster than `codec.matrices`."""
    w, x, y, z = turn
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def _between(a: Array, b: Array, share: float) -> Array:
    """The turn between two near ones: along the straight line, back to unit length."""
    mixed = a * (1 - share) + (b if a @ b >= 0 else -b) * share
    return np.asarray(mixed / np.linalg.norm(mixed))
