"""A real table of Thunder & Lightning without a camera, and a way to bring it to where the pages get interesting."""

from __future__ import annotations

from typing import Any

from companion.hub import Hub
from companion.live.opening import Wanted, open_match
from companion.live.sight import PrivateLook
from companion.live.table import LiveTable
from companion.store import Store
from rules.events import Event, Source, Submission
from rules.header import Seat
from rules.referee import Entry
from rules.rulings import Verdict
from rules.thunder_and_lightning.events import Challenge, Deal, Draw, EndTurn, Lay, Shuffled, TurnUp

THOR, LOKI = 1, 2
SEATS = (Seat(THOR, "Tora", "red"), Seat(LOKI, "Leif", "blue"))


class Duel:
    """A live table with Thor in seat 1 and Loki in seat 2."""

    def __init__(self, store: Store, hub: Hub, **wanted: Any) -> None:
        stored, _ = open_match(store, Wanted("thunder-and-lightning", SEATS, **wanted))
        self.hub = hub
        self.table = LiveTable(store, stored, publish=hub.publish)
        self.looks: list[int] = []
        self.look = PrivateLook(reason="nothing")
        self.table.look_privately = self._looked  # type: ignore[method-assign]

    def _looked(self, seat: int) -> PrivateLook:
        self.looks.append(seat)
        return self.look

    def file(self, event: Event, source: Source = Source.DECLARED) -> Entry:
        return self.table.submit(Submission(event, source))

    def play(self, *events: Event) -> None:
        """Events that must be accepted."""
        for event in events:
            for ruling in self.file(event).rulings:
                assert ruling.verdict is not Verdict.REFUSED, ruling

    def set_up(self) -> None:
        for seat in (THOR, LOKI):
            self.play(Shuffled(seat), Deal(seat), *(Lay(seat, column) for column in (1, 2, 3)))

    def to_the_second_turns(self) -> None:
        """Both first turns are over; each middle column holds two cards, and Loki is on turn with three points."""
        self.set_up()
        for seat in (LOKI, THOR):
            self.play(Lay(seat, 2, 2), Draw(seat), Draw(seat), EndTurn(seat))

    def challenge(self) -> None:
        """Loki's middle card challenges Thor's; neither is turned up yet."""
        self.to_the_second_turns()
        self.play(Challenge(LOKI, 2))

    def ravens_beaten(self) -> None:
        """Loki's Ravens lost against Thor's Viking Warriors, which lie face up in the middle."""
        self.challenge()
        self.play(TurnUp((LOKI, 2, 1), "loki-ravens"), TurnUp((THOR, 2, 1), "thor-viking-warriors"))
