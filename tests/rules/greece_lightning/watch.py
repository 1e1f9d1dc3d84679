"""A second bookkeeper beside the referee, and what has to hold at any moment of any race."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rules.greece_lightning.components import (
    BASE_WEDGES,
    FAVORS,
    FAVORS_A_TURN,
    FISH,
    FISH_LIMIT,
    LAPS,
    PLACES,
    SLOTS,
    WEDGES,
)
from rules.greece_lightning.events import Reveal, Step
from rules.greece_lightning.game import REFEREE
from rules.greece_lightning.state import GreeceLightningState
from rules.greece_lightning.validity import favors_of_table
from rules.rulings import Ruling

__all__ = ["MOST_EVENTS", "Watch"]

MOST_EVENTS = 9000
"""No race takes so many."""


def by_print(state: GreeceLightningState) -> bool:
    """True when the order of the race is read as the rulebook prints it: laps, wedges, then the centre."""
    return state.options.laps_first and state.options.same_wedge == "centre"


def order(state: GreeceLightningState) -> list[int]:
    """The seats in the order of the race by what lies on the table, the leader first. GL-E3, GL-E7 to GL-E9."""
    found = []
    for seat in state.seats:
        assert seat.spot is not None
        dot = state.course.dot(seat.spot)
        wedges = (seat.spot.place - state.course.layout.line) % PLACES
        found.append((seat.laps, wedges, -dot.lane_tenths, dot.along_percent, seat.number))
    return [each[-1] for each in sorted(found, reverse=True)]


class Watch:
    """A second bookkeeper: what the rulings say must come to what lies on the table."""

    def __init__(self, state: GreeceLightningState) -> None:
        self.sailed: Counter[int] = Counter()
        self.due: Counter[int] = Counter()
        self.turns: Counter[int] = Counter()
        self.seen: Counter[str] = Counter()
        self.fleece: int | None = None
        self.plain = not (state.options.start_counts or state.options.leaving_line_counts)
        self.plain = self.plain and state.options.skipped_line_counts_lap

    TOLD = frozenset({"fish", "laps", "facedown"})
    """What is told by an effect whenever it changes; a card revealed is told by its ruling."""

    @staticmethod
    def _of(state: GreeceLightningState, what: str, seat: int) -> int:
        found: int = getattr(state.seat_state(seat), what)
        return found

    def note(
        self, event: Any, before: GreeceLightningState, after: GreeceLightningState, told: tuple[Ruling, ...]
    ) -> None:
        told_now: dict[tuple[str, int], Any] = {}
        if isinstance(event, Reveal):
            told_now["facedown", event.seat] = before.seat_state(event.seat).facedown - 1
        for ruling in told:
            self.seen[ruling.code] += 1
            assert ruling.clauses
            if ruling.code == "gl.turn":
                assert ruling.seat is not None
                self.turns[ruling.seat] += 1
                self.due[ruling.seat] = int(str(ruling.facts["movement"]))
            if ruling.code == "gl.fleece":
                # Between rounds only, to the last of the race. GL-O8, GL-E4.
                assert len({self.turns[seat.number] for seat in after.seats}) == 1
                assert ruling.seat == after.fleece
                if by_print(after):
                    assert after.fleece == order(after)[-1]
            for effect in ruling.effects:
                if effect.what == "fleece":
                    assert effect.before == self.fleece
                    self.fleece = int(str(effect.after))
                if effect.what == "movement":
                    assert effect.seat is not None
                    self.due[effect.seat] += int(str(effect.after)) - int(str(effect.before))
                if effect.what in self.TOLD and effect.seat is not None:
                    key = effect.what, effect.seat
                    assert told_now.get(key, self._of(before, *key)) == effect.before, (event, effect)
                    told_now[key] = effect.after
            if ruling.code == "gl.move-finished":
                # The whole movement is used, and no more. GL-M5.
                assert ruling.seat is not None
                assert ruling.facts["moved"] == self.due[ruling.seat]
        # There is one Golden Fleece, and everybody was told before whom it lies.
        assert after.fleece == self.fleece
        if after.turn is not None:
            sailing = after.seat_state(after.turn.seat)
            assert sailing.dots_moved + sailing.movement_left == self.due[sailing.number]
        for seat in after.seats:
            # Everybody hears of every Fish, lap and face-down card. What the effects say is what lies there.
            for what in self.TOLD:
                then, now = self._of(before, what, seat.number), self._of(after, what, seat.number)
                assert told_now.get((what, seat.number), then) == now, (event, what, seat.number)
        if isinstance(event, Step):
            here, there = (state.seat_state(event.seat).spot for state in (before, after))
            assert here is not None
            assert there is not None
            self.sailed[event.seat] += (there.place - here.place) % PLACES
            if self.plain:
                # Twelve wedges are a lap, wherever the line lies. GL-L1.
                assert after.seat_state(event.seat).laps == self.sailed[event.seat] // PLACES

    def table(self, state: GreeceLightningState) -> None:
        """What is in the box is still there, each thing once, and no player has more than the limits allow."""
        assert REFEREE.check_state(state) == ()
        assert state.supply + sum(seat.fish for seat in state.seats) == FISH
        held = [wedge for seat in state.seats for wedge in (*seat.wedges, *seat.drawn)]
        course = list(state.layout.wedges) if state.layout else []
        assert len({*held, *course, *state.stack}) == len(held) + len(course) + len(state.stack) == WEDGES
        assert not course or len(course) >= BASE_WEDGES
        if state.phase != "setup":
            assert favors_of_table(state) == FAVORS
            assert state.fleece in state.given.numbers
        for seat in state.seats:
            assert 0 <= seat.fish <= FISH_LIMIT
            assert seat.facedown <= FAVORS_A_TURN
            assert len(seat.favors) <= SLOTS
            assert len(seat.wedges) + len(seat.drawn) <= (2 if len(state.seats) == 2 else 1)

    def end(self, state: GreeceLightningState) -> None:
        """Everybody has had as many turns, somebody two laps, and the one in front has won. GL-G3, GL-G6."""
        assert len({self.turns[seat.number] for seat in state.seats}) == 1
        assert max(seat.laps for seat in state.seats) >= LAPS
        if by_print(state):
            assert state.winners == (order(state)[0],)
