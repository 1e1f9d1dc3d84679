"""The simulated board areas of a race: each player has dice of one look that begin in the hand, and go back to it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from device.clock import Clock
from device.simulated.dice_acts import Die
from device.simulated.gestures import Course, Lying
from device.simulated.motion import Pose
from device.simulated.table import SimulatedTable

__all__ = ["MOVEMENT_LOOK", "SimulatedRaceTable"]

MOVEMENT_LOOK: Final = "blue"
"""Of all dice; whose one is tells only the area that it lies in."""


class SimulatedRaceTable(SimulatedTable):
    """A table whose dice all look alike; none lies on it before it is thrown."""

    def __init__(self, clock: Clock, seats: int | Collection[int] = 4, seed: int = 0, **how: Any) -> None:
        """As `SimulatedTable`, whose further arguments it takes."""
        super().__init__(clock, seats, seed, **how)
        for seat in self.seats:
            self.take_dice(seat, MOVEMENT_LOOK)
        for die in self.dice:
            self._away_from(die, clock.now_ns(), die.pose(clock.now_ns()))

    def take_off(self, seat: int, dice: Collection[int]) -> int:
        """Take lying dice up and away from the table; when they are in the hand, in ns.

        Raises SceneError for a die that does not lie still.
        """
        with self._lock:
            now_ns = self.clock.now_ns()
            bodies = [self._dice[seat, number] for number in sorted(self._known_dice(seat, dice))]
            lies = [self._lying_place(body, now_ns) for body in bodies]
            if not bodies:
                return now_ns
            hand, inside = self._take_up(seat, bodies, (lies[-1].x_mm, lies[-1].y_mm), 0.0, now_ns)
            taken_ns = hand.now_ns
            hand.leave(taken_ns + self._leave_ns)
            for body in bodies:
                gone = Lying(Pose(body.pose(now_ns).centre_mm, body.pose(now_ns).rotation, gone=True), taken_ns)
                self._begin(body, inside[body.index], gone, now_ns, deed="take off")
                body.rest = None
            return taken_ns

    def _away_from(self, die: Die, now_ns: int, pose: Pose) -> None:
        """The die is nowhere on the table from now on."""
        gone = Lying(Pose(pose.centre_mm, pose.rotation, gone=True), now_ns)
        die.motions = [Course([gone])]
        die.rest = None
