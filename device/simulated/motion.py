"""How dice move: thrown, slid, or at rest. A pose is a pure function of the motion and the time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from device.simulated.dice_model import CORNER_RADIUS_MM, CUBE_CORNERS, HALF_MM, resting_rotation, turn_about

__all__ = ["LIFT_NS", "RELEASE_NS", "Motion", "Pose", "Rest", "Slide", "Throw"]

Array = NDArray[Any]
_MS: Final = 1_000_000
LIFT_NS: Final = 130 * _MS
"""From the start of a throw until the dice are inside the hand."""
RELEASE_NS: Final = 250 * _MS
"""From the start of a throw until the hand lets go."""
_HAND_HEIGHT_MM: Final = 40.0
_REACH_RAD: Final = np.pi


@dataclass(frozen=True, eq=False)
class Pose:
    """Where a die is: its centre (3,) in mm and its rotation (3, 3); `in_hand` dice are not seen."""

    centre_mm: Array
    rotation: Array
    in_hand: bool = False


@dataclass(frozen=True, slots=True)
class Rest:
    """A die lying flat: centre on the table in mm, turn about the vertical, face up."""

    x_mm: float
    y_mm: float
    yaw_rad: float
    value: int

    def pose(self) -> Pose:
        """The same as a pose."""
        return Pose(np.array([self.x_mm, self.y_mm, HALF_MM]), resting_rotation(self.value, self.yaw_rad))


class Motion(Protocol):
    """A movement that begins at `start_ns` and has come to rest at `rest_ns`."""

    @property
    def start_ns(self) -> int: ...

    @property
    def rest_ns(self) -> int: ...

    def pose(self, at_ns: int) -> Pose:
        """The pose at any time; before the start and after the rest it stands still."""
        ...


def _lowest_centre_mm(rotation: Array) -> float:
    """Height of the centre of a turned die that just touches the table, its corners being rounded."""
    core = CUBE_CORNERS * ((HALF_MM - CORNER_RADIUS_MM) / HALF_MM)
    return float(-(core @ rotation.T)[:, 2].min() + CORNER_RADIUS_MM)


@dataclass(frozen=True, eq=False)
class Throw:
    """Lifted into the hand, let go at the palm, tumbling and bouncing until it lies at `rest`."""

    start: Pose
    rest: Rest
    palm_mm: tuple[float, float]
    turns: float
    bounce_mm: float
    start_ns: int
    rest_ns: int

    def pose(self, at_ns: int) -> Pose:
        """The pose at any time."""
        if at_ns <= self.start_ns:
            return self.start
        if at_ns >= self.rest_ns:
            return self.rest.pose()
        since_ns = at_ns - self.start_ns
        palm = np.array([*self.palm_mm, _HAND_HEIGHT_MM])
        if since_ns < RELEASE_NS:
            share = min(1.0, since_ns / LIFT_NS)
            centre = self.start.centre_mm + (palm - self.start.centre_mm) * share**2
            turn = turn_about(np.array([1.0, 0.0, 0.0]), 2.0 * share)
            return Pose(centre, turn @ self.start.rotation, in_hand=share >= 1.0)
        flown = (since_ns - RELEASE_NS) / (self.rest_ns - self.start_ns - RELEASE_NS)
        left = 1.0 - flown
        goal = np.array([self.rest.x_mm, self.rest.y_mm])
        here = goal + (palm[:2] - goal) * left**1.8
        way = goal - palm[:2]
        length = float(np.linalg.norm(way)) or 1.0
        # Rolling: the axis lies flat, across the way; in this left-handed world the turn is negative.
        axis = np.array([-way[1], way[0], 0.0]) / length
        rolled = turn_about(axis, -self.turns * 2 * np.pi * left**1.6)
        twisted = turn_about(np.array([0.0, 0.0, 1.0]), 1.5 * left**2)
        rotation = twisted @ rolled @ resting_rotation(self.rest.value, self.rest.yaw_rad)
        bounce = self.bounce_mm * left**2 * abs(np.cos(flown * _REACH_RAD * 2.5))
        return Pose(np.array([*here, _lowest_centre_mm(rotation) + bounce]), rotation)


@dataclass(frozen=True, eq=False)
class Slide:
    """Pushed flat over the table from one place to another; the face up stays."""

    start: Rest
    rest: Rest
    start_ns: int
    rest_ns: int

    def pose(self, at_ns: int) -> Pose:
        """The pose at any time."""
        if at_ns >= self.rest_ns:
            return self.rest.pose()
        share = max(0.0, (at_ns - self.start_ns) / (self.rest_ns - self.start_ns))
        smooth = share * share * (3 - 2 * share)
        a, b = self.start, self.rest
        return Rest(
            a.x_mm + (b.x_mm - a.x_mm) * smooth,
            a.y_mm + (b.y_mm - a.y_mm) * smooth,
            a.yaw_rad + (b.yaw_rad - a.yaw_rad) * smooth,
            a.value,
        ).pose()
