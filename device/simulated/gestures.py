"""What hands do with dice: they come, take them up, carry, push and set them down, and go.

A motion says where a die is at any time; a hand's course where the palm is. Both are worked out when the gesture
begins, so that a picture of any time can be drawn afterwards.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from device.simulated.dice_model import HALF_MM, turn_about
from device.simulated.hands import Hand
from device.simulated.motion import Pose, Rest

__all__ = ["Carried", "Course", "DieMotion", "HandCourse", "LiftedOff", "Lying", "SetDown", "Until", "smooth"]

Array = NDArray[Any]
_MS: Final = 1_000_000
_STEP_NS: Final = 16 * _MS
_AWAY_MM: Final = 330.0
_UP: Final = np.array([0.0, 0.0, 1.0])
PALM_HEIGHT_MM: Final = 34.0


class DieMotion(Protocol):
    """What a die does from `start_ns` on; from `rest_ns` on it lies still, or is held or gone for good."""

    @property
    def start_ns(self) -> int: ...

    @property
    def rest_ns(self) -> int: ...

    def pose(self, at_ns: int) -> Pose:
        """The pose at any time."""
        ...

    def still(self, from_ns: int, to_ns: int) -> bool:
        """True when it does not move between two times."""
        ...


def smooth(share: float) -> float:
    """From 0 to 1 as a hand goes: with the least jerk."""
    s = min(1.0, max(0.0, share))
    return s * s * s * (10 - 15 * s + 6 * s * s)


@dataclass(frozen=True, eq=False)
class Lying:
    """A die that stays as it is."""

    at: Pose
    start_ns: int

    @property
    def rest_ns(self) -> int:
        """From the start on."""
        return self.start_ns

    def pose(self, at_ns: int) -> Pose:
        """Always the same."""
        return self.at

    def still(self, from_ns: int, to_ns: int) -> bool:
        """Always."""
        return True


@dataclass(frozen=True, eq=False)
class Carried:
    """Taken up by a hand: drawn under the palm, then inside the hand, wherever it goes."""

    start: Pose
    start_ns: int
    inside_ns: int
    palm: Callable[[int], tuple[float, float]]
    rest_ns: int

    def pose(self, at_ns: int) -> Pose:
        """The pose at any time."""
        share = smooth((at_ns - self.start_ns) / (self.inside_ns - self.start_ns))
        palm = np.array([*self.palm(at_ns), PALM_HEIGHT_MM])
        centre = self.start.centre_mm + (palm - self.start.centre_mm) * share
        turn = turn_about(np.array([1.0, 0.0, 0.0]), 0.9 * share)
        inside = at_ns >= self.inside_ns or self.start.hidden
        return Pose(centre, turn @ self.start.rotation, in_hand=inside)

    def still(self, from_ns: int, to_ns: int) -> bool:
        """Only before."""
        return to_ns <= self.start_ns


@dataclass(frozen=True, eq=False)
class LiftedOff:
    """Taken up between fingers, level, and held over the table, following the palm at a distance."""

    start: Pose
    start_ns: int
    up_ns: int
    height_mm: float
    rest_ns: int

    def pose(self, at_ns: int) -> Pose:
        """The pose at any time; held in the fingers it trembles a little."""
        share = smooth((at_ns - self.start_ns) / (self.up_ns - self.start_ns))
        shaken = 0.8 * share * np.sin(at_ns / 90e6) * np.array([1.0, 0.6, 0.4])
        tilt = turn_about(np.array([0.8, 0.6, 0.0]), 0.16 * share)
        centre = self.start.centre_mm + np.array([0, 0, self.height_mm * share]) + shaken
        return Pose(centre, tilt @ self.start.rotation, in_hand=share > 0.5)

    def still(self, from_ns: int, to_ns: int) -> bool:
        """Only before."""
        return to_ns <= self.start_ns


@dataclass(frozen=True, eq=False)
class SetDown:
    """Set down flat by the fingers, from where it was held to where it lies, without tumbling."""

    start: Pose
    goal: Rest
    start_ns: int
    rest_ns: int

    def pose(self, at_ns: int) -> Pose:
        """The pose at any time: first across, then down."""
        end = self.goal.pose()
        if at_ns >= self.rest_ns:
            return end
        share = (at_ns - self.start_ns) / (self.rest_ns - self.start_ns)
        across, down = smooth(share / 0.7), smooth((share - 0.35) / 0.65)
        held = max(self.start.centre_mm[2], HALF_MM + 12.0)
        centre = self.start.centre_mm * (1 - across) + end.centre_mm * across
        centre[2] = held * (1 - down) + HALF_MM * down
        tilt = turn_about(np.array([0.8, 0.6, 0.0]), 0.16 * (1 - down))
        return Pose(centre, tilt @ end.rotation, in_hand=down < 0.3)

    def still(self, from_ns: int, to_ns: int) -> bool:
        """Only after."""
        return from_ns >= self.rest_ns


class Course:
    """One motion after another: each holds from its start until the next one's."""

    def __init__(self, parts: Sequence[DieMotion]) -> None:
        self.parts = tuple(parts)
        self._starts = [part.start_ns for part in self.parts]

    @property
    def start_ns(self) -> int:
        """When the first begins."""
        return self._starts[0]

    @property
    def rest_ns(self) -> int:
        """When the last has come to rest."""
        return self.parts[-1].rest_ns

    def part_at(self, at_ns: int) -> DieMotion:
        """The motion that holds at a time."""
        return self.parts[max(0, bisect_right(self._starts, at_ns) - 1)]

    def pose(self, at_ns: int) -> Pose:
        """The pose at any time."""
        return self.part_at(at_ns).pose(at_ns)

    def still(self, from_ns: int, to_ns: int) -> bool:
        """True when it does not move between two times."""
        first, last = self.part_at(from_ns), self.part_at(to_ns)
        if first is last:
            return first.still(from_ns, to_ns)
        return first.still(from_ns, last.start_ns) and last.still(last.start_ns, to_ns)


class Until:
    """A motion that went on until a hand took the die."""

    def __init__(self, before: Course, until_ns: int, start_ns: int) -> None:
        self._before, self._until_ns, self.start_ns = before, until_ns, start_ns
        self.rest_ns = until_ns

    def pose(self, at_ns: int) -> Pose:
        """The pose at any time."""
        return self._before.pose(at_ns)

    def still(self, from_ns: int, to_ns: int) -> bool:
        """As the motion before."""
        return self._before.still(from_ns, to_ns)


class HandCourse:
    """Where a hand is, from when it comes over the table until it has gone.

    `lean_rad` turns the arm: 0 comes straight from the player's edge.
    """

    def __init__(self, seat: int, *, near: bool, lean_rad: float, to_mm: tuple[float, float], start_ns: int) -> None:
        self.seat, self.near, self.lean_rad = seat, near, lean_rad
        turn = lean_rad + (0.0 if near else np.pi)
        self._out = np.array([-np.sin(turn), np.cos(turn)]) * _AWAY_MM
        self._times: list[int] = [start_ns]
        self._places: list[tuple[float, float]] = [self._outside(to_mm)]
        self._shapes: list[tuple[int, str]] = [(start_ns, "open")]
        self.gone_ns: int | None = None

    def _outside(self, at_mm: tuple[float, float]) -> tuple[float, float]:
        return float(at_mm[0] + self._out[0]), float(at_mm[1] + self._out[1])

    @property
    def start_ns(self) -> int:
        """When it comes over the table."""
        return self._times[0]

    @property
    def now_ns(self) -> int:
        """Up to when its course is known."""
        return self._times[-1]

    @property
    def last_mm(self) -> tuple[float, float]:
        """Where it is then."""
        return self._places[-1]

    def move(self, to_mm: tuple[float, float], until_ns: int) -> None:
        """Go on to a place."""
        begin_ns, (x0, y0) = self.now_ns, self.last_mm
        steps = max(1, round((until_ns - begin_ns) / _STEP_NS))
        for step in range(1, steps + 1):
            share = smooth(step / steps)
            self._times.append(begin_ns + (until_ns - begin_ns) * step // steps)
            self._places.append((x0 + (to_mm[0] - x0) * share, y0 + (to_mm[1] - y0) * share))

    def follow(self, palm: Callable[[int], tuple[float, float] | None], until_ns: int) -> None:
        """Go where `palm` says."""
        while self.now_ns < until_ns:
            at_ns = min(until_ns, self.now_ns + _STEP_NS)
            place = palm(at_ns)
            if place is None:
                return
            self._times.append(at_ns)
            self._places.append(place)

    def wait(self, until_ns: int) -> None:
        """Stay."""
        if until_ns > self.now_ns:
            self._times.append(until_ns)
            self._places.append(self.last_mm)

    def shape(self, name: str, from_ns: int | None = None) -> None:
        """Hold the fingers in another way from now (of the course) on, or from a time after the last change."""
        self._shapes.append((self.now_ns if from_ns is None else from_ns, name))

    def leave(self, until_ns: int) -> None:
        """Go away from the table."""
        self.move(self._outside(self.last_mm), until_ns)
        self.gone_ns = until_ns

    def cut(self, at_ns: int) -> None:
        """Forget what was to come after a time."""
        keep = max(1, bisect_right(self._times, at_ns))
        place = self.place(at_ns)
        self._times, self._places = self._times[:keep], self._places[:keep]
        if at_ns > self._times[-1]:
            self._times.append(at_ns)
            self._places.append(place)
        self._shapes = [self._shapes[0], *(s for s in self._shapes[1:] if s[0] <= at_ns)]
        self.gone_ns = None

    def place(self, at_ns: int) -> tuple[float, float]:
        """Where the palm is."""
        i = bisect_right(self._times, at_ns)
        if i == 0:
            return self._places[0]
        if i == len(self._times):
            return self._places[-1]
        t0, t1 = self._times[i - 1], self._times[i]
        share = (at_ns - t0) / (t1 - t0)
        (x0, y0), (x1, y1) = self._places[i - 1], self._places[i]
        return x0 + (x1 - x0) * share, y0 + (y1 - y0) * share

    def hand(self, at_ns: int) -> Hand | None:
        """The hand as it is drawn at a time; None before it comes and after it has gone."""
        if at_ns <= self.start_ns or (self.gone_ns is not None and at_ns >= self.gone_ns):
            return None
        shape = self._shapes[0][1]
        for from_ns, name in self._shapes:
            if from_ns <= at_ns:
                shape = name
        return Hand(self.seat, self.place(at_ns), self.near, self.lean_rad, shape=shape)
