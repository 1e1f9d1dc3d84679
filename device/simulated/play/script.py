"""People at the simulated table, all at once: each rolls, looks, saves, rolls again and presses; some break rules.

The script is worked out before anything is drawn, at the table's own clock: who does what when follows from the seed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from device.clock import ManualClock
from device.errors import SceneError
from device.simulated.layout import DICE_PER_SEAT, DIE_MM
from device.simulated.motion import Rest
from device.simulated.placing import squares_overlap
from device.simulated.table import SimulatedTable

__all__ = ["PLAYS", "Script"]

_MS: Final = 1_000_000
_BEGIN_NS: Final = 900 * _MS
_LOOK_MS: Final = (350, 1500)
_SAVED_STEP_MM: Final = 19.5
_SAVED_EDGE_MM: Final = 12.0
_MOST_ROLLS: Final = 5
_WORTH_A_SLIDE_MM: Final = 14.0
"""A die that lies so near to its place among the saved ones is left alone."""

PLAYS: Final[dict[str, dict[str, float]]] = {
    "clean": {},
    "touched": {"touched": 0.35},
    "lifted": {"lifted": 0.7},
    "set back": {"set back": 0.35},
    "off": {"off": 0.4},
    "dropped": {"dropped": 0.4},
    "cocked": {"cocked": 0.45},
    "knocked": {"knocked": 0.4},
    "blocked": {"blocked": 0.3},
    "mixed": {
        "touched": 0.07,
        "lifted": 0.25,
        "set back": 0.07,
        "off": 0.08,
        "dropped": 0.06,
        "cocked": 0.1,
        "knocked": 0.06,
    },
}
"""Kinds of play: how likely each mishap is, of "lifted" at each die that is saved, of the others at each roll."""


class Script:
    """Lets the people of one table play for a while; `presses` is what they pressed, (seat, edge in ns)."""

    def __init__(self, table: SimulatedTable, clock: ManualClock, *, kind: str, seed: int, until_ns: int) -> None:
        self._table, self._clock = table, clock
        self._odds = PLAYS[kind]
        self._rng = np.random.default_rng([seed, 77])
        self._saved: dict[int, list[int]] = {seat: [] for seat in table.seats}
        self._rolls = dict.fromkeys(table.seats, 0)
        self._off: dict[int, int | None] = dict.fromkeys(table.seats)
        self.presses: list[tuple[int, int]] = []
        next_ns = {seat: _BEGIN_NS + int(self._rng.integers(0, 900)) * _MS for seat in table.seats}
        then: dict[int, Callable[[], int]] = {seat: self._first(seat) for seat in table.seats}
        while min(next_ns.values()) < until_ns:
            seat = min(next_ns, key=lambda s: (next_ns[s], s))
            clock.advance_to(max(clock.now_ns(), next_ns[seat]))
            try:
                done_ns = then[seat]()
            except SceneError:
                # There is no room for it here: the seat takes everything up and rolls anew.
                self._saved[seat], self._rolls[seat] = [], 0
                try:
                    done_ns = table.throw(seat)
                except SceneError:
                    done_ns = clock.now_ns() + 300 * _MS
            then[seat] = self._decide(seat)
            next_ns[seat] = done_ns + self._ms(*_LOOK_MS)
            self._maybe_press(seat, done_ns, next_ns[seat])
        self.presses.sort(key=lambda press: press[1])

    # Decisions

    def _ms(self, low: int, high: int) -> int:
        return int(self._rng.integers(low, high)) * _MS

    def _chance(self, mishap: str) -> bool:
        odds = self._odds.get(mishap, 0.0)
        return odds > 0 and float(self._rng.random()) < odds

    def _first(self, seat: int) -> Callable[[], int]:
        return lambda: self._table.throw(seat)

    def _maybe_press(self, seat: int, done_ns: int, next_ns: int) -> None:
        """Most presses are of dice that lie; some come too early; now and then two seats press within a millisecond."""
        if self._rng.random() > 0.3:
            return
        edge_ns = int(self._rng.integers(done_ns - 250 * _MS, next_ns))
        self.presses.append((seat, edge_ns))
        if self._rng.random() < 0.2:
            other = self._table.seats[int(self._rng.integers(0, len(self._table.seats)))]
            if other != seat:
                self.presses.append((other, edge_ns + int(self._rng.integers(1, 3)) * _MS))

    def _decide(self, seat: int) -> Callable[[], int]:
        return lambda: self._go_on(seat)

    def _go_on(self, seat: int) -> int:
        """The next thing that a player does, who sees what lies there."""
        table = self._table
        faces = table.truth()[seat]
        gone = self._off[seat]
        if gone is not None:
            return self._after_off(seat, gone)
        if None in faces:  # one leans: it is rolled again
            return table.throw(seat, [i for i, face in enumerate(faces) if face is None])
        kept = self._saved[seat]
        if len(kept) >= DICE_PER_SEAT or self._rolls[seat] >= _MOST_ROLLS:
            self._saved[seat], self._rolls[seat] = [], 0
            return table.throw(seat)
        shown = [face for face in faces if face is not None]
        wish = shown[kept[0]] if kept else max(set(shown), key=lambda face: (shown.count(face), face))
        fresh = [i for i, face in enumerate(shown) if face == wish and i not in kept]
        if fresh:
            self._saved[seat] = [*kept, fresh[0]]
            return self._save(seat, fresh[0])
        left = [i for i in range(DICE_PER_SEAT) if i not in kept]
        self._rolls[seat] += 1
        return self._roll(seat, left)

    # Saving

    def _save(self, seat: int, die: int) -> int:
        """Slide a die to the seat's row of saved dice, or wrongly lift it there."""
        table = self._table
        place = table.lying_place(seat, die)
        if self._chance("lifted"):
            goal = self._row_place(seat, die, place, lifted=True)
            up_ns = table.lift(seat, [die], why="lifted when saving")
            self._clock.advance_to(up_ns + self._ms(30, 350))
            return table.set_back(seat, [die], place=goal, why="lifted when saving")
        goal = self._row_place(seat, die, place, lifted=False)
        if goal is None or np.hypot(goal.x_mm - place.x_mm, goal.y_mm - place.y_mm) < _WORTH_A_SLIDE_MM:
            return self._clock.now_ns()  # there is no way to slide it, or no need: it stays where it lies
        return table.slide(seat, die, goal.x_mm - place.x_mm, goal.y_mm - place.y_mm, goal.yaw_rad - place.yaw_rad)

    def _row_place(self, seat: int, die: int, place: Rest, *, lifted: bool) -> Rest | None:
        """The nearest free place of the row along the player's edge, to which there is a free way."""
        zone = self._table.zones[seat]
        y = zone.y1 - _SAVED_EDGE_MM if zone.near else zone.y0 + _SAVED_EDGE_MM
        others = self._table.lying_places(but=(seat, die))
        slots = np.arange(zone.x0 + 2 * _SAVED_STEP_MM, zone.x1 - 2 * _SAVED_STEP_MM, _SAVED_STEP_MM)
        for x in sorted(slots.tolist(), key=lambda x: abs(x - place.x_mm)):
            turn = float(self._rng.normal(0, 0.12))
            goal = Rest(float(x), y, place.yaw_rad + turn, place.value)
            steps = [1.0] if lifted else np.linspace(0.1, 1, 10).tolist()
            squares = [
                (
                    place.x_mm + (goal.x_mm - place.x_mm) * s,
                    place.y_mm + (y - place.y_mm) * s,
                    place.yaw_rad + turn * s,
                    DIE_MM + 1.5,
                )
                for s in steps
            ]
            if not any(squares_overlap(mine, (o.x_mm, o.y_mm, o.yaw_rad, DIE_MM)) for mine in squares for o in others):
                return goal
        return None

    # Rolling

    def _roll(self, seat: int, left: list[int]) -> int:
        """Roll the dice that are left, or break a rule with one of them."""
        table, clock = self._table, self._clock
        one = left[int(self._rng.integers(0, len(left)))]
        if self._chance("touched"):
            others = [s for s in table.seats if s != seat and self._rng.random() < 0.3]
            return table.touch_moving(seat, one, others[0] if others else seat)
        if self._chance("set back"):
            some = left[: int(self._rng.integers(1, min(3, len(left)) + 1))]
            up_ns = table.lift(seat, some)
            clock.advance_to(up_ns + self._ms(100, 700))
            return table.set_back(seat, some)
        if self._chance("off"):
            self._off[seat] = one
            return table.throw_off(seat, one)
        if self._chance("dropped"):
            return table.drop(seat, left[:3])
        lying = [i for i in range(DICE_PER_SEAT) if i != one]
        if self._chance("cocked"):
            return table.lean(seat, one, lying[int(self._rng.integers(0, len(lying)))])
        if self._chance("knocked"):
            return table.knock(seat, one, (seat, lying[int(self._rng.integers(0, len(lying)))]))
        if self._chance("blocked"):
            table.add_hand(seat, duration_s=float(self._rng.uniform(1.5, 4)))
            return clock.now_ns() + 4000 * _MS
        return table.throw(seat, left)

    def _after_off(self, seat: int, gone: int) -> int:
        """A die that left the table is rolled again, or wrongly put back with a face up."""
        self._off[seat] = None
        if self._rng.random() < 0.5:
            return self._table.throw(seat, [gone])
        face = int(self._rng.integers(1, 7))
        return self._table.set_back(seat, [gone], [face], why="off the table and not rolled again")
