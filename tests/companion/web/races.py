"""A real table of Greece Lightning without a camera, and a way to bring it to where the pages get interesting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.hub import Hub
from companion.live.opening import Wanted, open_match
from companion.live.table import LiveTable
from companion.store import Store
from rules.events import Event, Source, Submission
from rules.greece_lightning.state import GreeceLightningState
from rules.header import Seat
from rules.referee import Entry
from rules.rulings import Verdict
from tests.rules.greece_lightning.players import Table

SEATS = (Seat(1, "Ann", "red"), Seat(2, "Ben", "blue"), Seat(3, "Cleo", "green"))
LONGEST = 5000
"""Events until a race has to be where a test wants it."""


class Race:
    """A live table of three, and players by chance who know what lies hidden."""

    def __init__(self, store: Store, hub: Hub, seed: int = 3, **wanted: Any) -> None:
        stored, _ = open_match(store, Wanted("greece-lightning", SEATS, **wanted))
        self.hub = hub
        self.table = LiveTable(store, stored, publish=hub.publish)
        self._hidden = Table(self.state, seed)

    @property
    def state(self) -> GreeceLightningState:
        found = self.table.state
        assert isinstance(found, GreeceLightningState)
        return found

    def file(self, event: Event, source: Source = Source.DECLARED) -> Entry:
        before = self.state
        entry = self.table.submit(Submission(event, source))
        self._hidden.follow(event, before, self.state)
        return entry

    def play(self, event: Event) -> None:
        """An event that must be accepted."""
        for ruling in self.file(event).rulings:
            assert ruling.verdict is not Verdict.REFUSED, ruling

    def next(self) -> Event:
        return self._hidden.next(self.state)

    def until(self, there: Callable[[GreeceLightningState], Any]) -> None:
        """Plays until the race stands as wanted, then stops before the next event."""
        for _ in range(LONGEST):
            if there(self.state):
                return
            self.play(self.next())
        raise AssertionError("the race never came there")

    def to_a_move(self, least_ways: int = 1) -> None:
        """Until a ship has movement left, with so many ways to choose from."""
        self.until(lambda state: self.moving(state) and len(self.table.view()["next"]) >= least_ways)

    @staticmethod
    def moving(state: GreeceLightningState) -> bool:
        """A ship may sail on now."""
        on_the_way = state.turn is not None and state.turn.step == "move" and not state.waiting
        return on_the_way and state.seat_state(state.turn.seat).movement_left > 1 if state.turn else False
