"""Simulated players who now and then break a tournament rule, so that the judge has something to weigh."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from device.errors import SceneError
from device.simulated.layout import DICE_PER_SEAT
from device.simulated.table import SimulatedTable

__all__ = ["BadManners"]

_MS: Final = 1_000_000
HELD_NS: Final = 700 * _MS
AFTER_FALL_NS: Final = 1_500 * _MS
PICKED_UP_NS: Final = 3_000 * _MS


class BadManners:
    """Breaks rules 2 to 5: lifts saved dice, sets them back, leaves one on the floor, drops them."""

    def __init__(self, simulated: SimulatedTable, rng: random.Random) -> None:
        self._simulated = simulated
        self._rng = rng
        self._next: dict[int, list[tuple[int, Callable[[], int]]]] = {}

    def misbehave(self, seat: int, keep: list[int], now_ns: int) -> int | None:
        """Break a rule with the dice of a seat that lie still; `keep` are those it saves.

        Returns when they lie, or the first of it is over; None when there is no room for it.
        """
        loose = [die for die in range(DICE_PER_SEAT) if die not in keep] or keep
        deed = self._rng.choice((self._lift, self._lift, self._leave_on_the_floor, self._drop))
        try:
            return deed(seat, keep or loose, loose, now_ns)
        except SceneError:
            return None

    def go_on(self, seat: int, now_ns: int) -> int | None:
        """The next part of what a seat has begun, when it is due; returns when that is over, else None."""
        waiting = self._next.get(seat, [])
        if not waiting or now_ns < waiting[0][0]:
            return None
        _, act = waiting.pop(0)
        try:
            return act()
        except SceneError:
            waiting.clear()
            return None

    def _lift(self, seat: int, keep: list[int], loose: list[int], now_ns: int) -> int:
        """Rules 2 and 3: a saved die is lifted and set down again."""
        dice = [self._rng.choice(keep)]
        up_ns = self._simulated.lift(seat, dice)
        self._next[seat] = [(up_ns + HELD_NS, lambda: self._simulated.set_back(seat, dice))]
        return up_ns

    def _leave_on_the_floor(self, seat: int, keep: list[int], loose: list[int], now_ns: int) -> int:
        """Rule 4: a die goes over the edge, and the seat rolls another before it picks that one up."""
        fallen, *others = loose if len(loose) > 1 else [*loose, *keep]
        gone_ns = self._simulated.throw_off(seat, fallen)
        roll_ns = gone_ns + AFTER_FALL_NS
        self._next[seat] = [
            (roll_ns, lambda: self._simulated.throw(seat, others[:1])),
            (roll_ns + PICKED_UP_NS, lambda: self._simulated.throw(seat, [fallen])),
        ]
        return gone_ns

    def _drop(self, seat: int, keep: list[int], loose: list[int], now_ns: int) -> int:
        """Rule 5: dice are dropped and not rolled."""
        return self._simulated.drop(seat, loose[:2])
