"""What presses and sightings mean in a game, and what its screens show: only here the table asks which game it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from companion.live.collector import Sighting
from device.buttons.base import Press
from rules.errors import UnknownGame
from rules.events import Event, Submission
from rules.header import Header
from rules.match import Match
from vision.readings import Reading

__all__ = ["Eyes", "Interpreter", "Notice", "Seen", "SeenDie", "interpreter_for"]


@dataclass(frozen=True, slots=True)
class Notice:
    """Something odd for people to put right: a catalogue code, its facts, and the English words for lack of others."""

    code: str
    facts: tuple[tuple[str, int | str], ...]
    text: str

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        return {"code": self.code, "facts": dict(self.facts), "text": self.text}


@dataclass(frozen=True, slots=True)
class SeenDie:
    """One die as the camera has it now.

    `seat` is None when nobody's it seems to be; `place` is the lasting number of the die before its seat (0 to 5), or
    its rank from left to right when it has no seat. `value` is None while it moves and when it cannot be read; then
    `reason` says why ("moving" while it moves).
    """

    seat: int | None
    place: int
    value: int | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Seen:
    """What one more reading brought.

    Attributes:
        sightings: events, in the order in which they happened.
        still_seats: seats whose dice all lie still in this reading.
        dice: every die now.
        notices: what is odd on the table and for people to put right.
    """

    sightings: tuple[Sighting, ...] = ()
    still_seats: frozenset[int] = frozenset()
    dice: tuple[SeenDie, ...] = ()
    notices: tuple[Notice, ...] = ()


class Eyes(Protocol):
    """Turns readings into events of one match; used by the camera thread alone."""

    def update(self, reading: Reading, now_ns: int, state: Any) -> Seen:
        """What this reading adds; `state` is the game's state as it stands, to leave out what is known already."""
        ...


class Interpreter(Protocol):
    """One game, as the live table needs it. Has no state; works from the match."""

    def tie_ns(self, header: Header) -> int:
        """How close presses must be to count as simultaneous."""
        ...

    def presses(self, presses: tuple[Press, ...], match: Match[Any]) -> list[Submission[Any]]:
        """What a group of presses means, in the order to file; nothing for presses without a meaning now."""
        ...

    def view(self, match: Match[Any]) -> dict[str, Any]:
        """The part of the snapshot that belongs to the game."""
        ...

    def is_news(self, event: Event) -> bool:
        """False for events that only follow pieces about; they stand in the record, not among the last rulings."""
        ...

    def eyes(self, header: Header, *, zones: Mapping[int, Any] | None = None) -> Eyes:
        """New eyes for a match; `zones` is each seat's part of the table in mm, where it is known."""
        ...

    def marker_ids(self, header: Header) -> frozenset[int]:
        """Ids of the card markers of the deck in play."""
        ...

    def marker_of_open_card(self, match: Match[Any]) -> int | None:
        """Marker of the card that lies open in the match, to set a simulated table like it."""
        ...


@dataclass(frozen=True)
class _Registry:
    known: dict[str, Interpreter] = field(default_factory=dict)


_registry = _Registry()


def interpreter_for(game: str) -> Interpreter:
    """The interpreter of a game.

    Raises:
        UnknownGame: the live table cannot watch this game.
    """
    if not _registry.known:
        from companion.live.lightning_dice import LightningDice

        _registry.known["lightning-dice"] = LightningDice()
    try:
        return _registry.known[game]
    except KeyError:
        known = ", ".join(_registry.known)
        raise UnknownGame(f"The live table cannot watch {game!r}; it can watch: {known}.") from None
