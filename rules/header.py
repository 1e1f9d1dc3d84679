"""The header of a match: everything that is fixed before the first event."""

from __future__ import annotations

from typing import Any

import msgspec

from rules.records import Record

__all__ = ["Header", "Seat"]


class Seat(Record, frozen=True):
    """A place at the table.

    Attributes:
        number: the player number, from 1; it is also what Bonus and Thunder are called with.
        name: what people call the player.
        colour: of the dice and pieces ("red").
    """

    number: int
    name: str
    colour: str


class Header(Record, frozen=True):
    """What a match is played with. A log carries all of it, so that it replays without any other file.

    Attributes:
        game: "lightning-dice" and so on.
        rules_version: version of the referee that judged it; a log keeps replaying under its own.
        match: identity of the match.
        seats: in seating order.
        options: every option of the match with its value, defaults written out.
        pack: the component pack as data.
        judge: name of the judge, who is not a player; None when the group corrects itself.
        wall: when it was started, ISO 8601, a label only.
    """

    game: str
    rules_version: str
    match: str
    seats: tuple[Seat, ...]
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    pack: dict[str, Any] = msgspec.field(default_factory=dict)
    judge: str | None = None
    wall: str | None = None

    def seat(self, number: int) -> Seat | None:
        """The seat with this number, None when there is none."""
        return next((seat for seat in self.seats if seat.number == number), None)
