"""Where dice are: at rest, slid, and the poses of an exposure. A pose is a pure function of the time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from device.simulated.dice_model import HALF_MM, resting_rotation

__all__ = ["Pose", "Rest", "Slide", "exposed"]

Array = NDArray[Any]
_STILL_MM: Final = 0.25
_STILL_RAD: Final = 0.02
_PART_RAD: Final = 0.08
"""A die turns no farther than this in one part of an exposure, but for the fastest."""


@dataclass(frozen=True, eq=False)
class Pose:
    """Where a die is: its centre (3,) in mm and its rotation (3, 3); `in_hand` or `gone` dice are not seen."""

    centre_mm: Array
    rotation: Array
    in_hand: bool = False
    gone: bool = False

    @property
    def hidden(self) -> bool:
        """True when nothing of it is to be drawn."""
        return self.in_hand or self.gone

    @property
    def key(self) -> bytes:
        """Equal for equal poses."""
        return self.centre_mm.tobytes() + self.rotation.tobytes()


def exposed(pose: Callable[[int], Pose], start_ns: int, end_ns: int) -> tuple[Pose, ...]:
    """Poses from the middles of equal parts of an exposure, the more the faster the die turns."""
    first, last = pose(start_ns), pose(end_ns)
    cosine = (np.trace(first.rotation.T @ last.rotation) - 1) / 2
    turned = float(np.arccos(np.clip(cosine, -1, 1)))
    way = float(np.linalg.norm(last.centre_mm - first.centre_mm))
    parts = 1 if turned < _STILL_RAD and way < _STILL_MM else int(np.clip(np.ceil(turned / _PART_RAD), 2, 4))
    span = end_ns - start_ns
    return tuple(pose(start_ns + span * (2 * k + 1) // (2 * parts)) for k in range(parts))


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

    def still(self, from_ns: int, to_ns: int) -> bool:
        """True when it does not move between two times."""
        return to_ns <= self.start_ns or from_ns >= self.rest_ns
