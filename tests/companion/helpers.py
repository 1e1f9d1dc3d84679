"""Small makers shared by the tests of the application."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.live.opening import Wanted, new_header, open_match
from companion.live.table import LiveTable
from companion.store import Store
from device.buttons.base import Press
from device.clock import Clock, SystemClock
from rules.events import Source, Submission
from rules.header import Header, Seat
from rules.lightning_dice.events import Ready, Shuffled, Stack

MS = 1_000_000
SEATS = (Seat(1, "Ann", "red"), Seat(2, "Ben", "blue"))
WANTED = Wanted("lightning-dice", seats=SEATS)


def header(**changes: Any) -> Header:
    """The header of a match of two."""
    return new_header(Wanted("lightning-dice", seats=SEATS, **changes))


def press(seat: int, edge_ns: int, button: str = "claim") -> Press:
    """A press of a button box."""
    return Press(seat, button, edge_ns, "test", True)


def declared(event: Any) -> Submission[Any]:
    """An event that somebody declares."""
    return Submission(event, Source.DECLARED)


def set_up_events() -> list[Any]:
    """What must be said before the first card."""
    return [Shuffled(), Stack("side"), Ready(1), Ready(2)]


def open_table(
    directory: Path, *, clock: Clock | None = None, publish: Callable[..., None] | None = None, wanted: Wanted = WANTED
) -> tuple[Store, LiveTable]:
    """A live table on a store of its own."""
    store = Store(directory)
    stored, notices = open_match(store, wanted)
    return store, LiveTable(store, stored, clock=clock or SystemClock(), publish=publish, notices=notices)
