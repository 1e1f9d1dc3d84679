"""What presses and sightings mean in a game, and what its screens show: only here the table asks which game it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from companion.live.areas import Rect
from companion.live.collector import Sighting
from device.buttons.base import Press
from rules.errors import UnknownGame
from rules.events import Event, Submission
from rules.header import Header
from rules.match import Match
from vision.tracking.happenings import Watched

if TYPE_CHECKING:
    from companion.live.colour_desk import ColourDesk

__all__ = ["NO_CORNERS", "Eyes", "Interpreter", "Markers", "Notice", "Seen", "SeenDie", "interpreter_for"]


@dataclass(frozen=True, slots=True)
class Notice:
    """Something odd for people to put right: a catalogue code, its facts, and the English words for lack of others."""

    code: str
    facts: tuple[tuple[str, int | str | tuple[str, ...]], ...]
    text: str

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        return {"code": self.code, "facts": dict(self.facts), "text": self.text}


NO_CORNERS = Notice("notice.no-corners", (), "The camera does not see the four corner markers; lay them bare.")
"""Where things lie on the table is not known."""


@dataclass(frozen=True, slots=True)
class Markers:
    """The markers of a game's pieces.

    Attributes:
        cards: by marker id, the id of the card that has it on its face; each marker is there once.
        repeated: ids that lie on the table many times, as those on the backs of cards do.
    """

    cards: Mapping[int, str]
    repeated: frozenset[int] = frozenset()

    @property
    def ids(self) -> frozenset[int]:
        """Every id in play."""
        return frozenset(self.cards) | self.repeated


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
        still_seats: seats whose dice or cards all lie still in this reading: a press need not wait for more.
        dice: every die now; none in a game without dice.
        notices: what is odd on the table and for people to put right.
        secret: markers that the camera saw and that are not for all to see; nothing public may show or name them.
        whose: by the track of each die that is somebody's, the seat, and its place there once it has one.
    """

    sightings: tuple[Sighting, ...] = ()
    still_seats: frozenset[int] = frozenset()
    dice: tuple[SeenDie, ...] = ()
    notices: tuple[Notice, ...] = ()
    secret: frozenset[int] = frozenset()
    whose: Mapping[int, tuple[int, int | None]] = field(default_factory=dict)


class Eyes(Protocol):
    """Turns what is watched into events of one match; used by the camera thread alone."""

    def update(self, watched: Watched, now_ns: int, state: Any) -> Seen:
        """What this frame adds; `state` is the game's state as it stands, to leave out what is known already."""
        ...


class Interpreter(Protocol):
    """One game, as the live table needs it. Has no state; works from the match."""

    @property
    def dice(self) -> bool:
        """True when it is played with dice; else none are looked for, and nobody is asked for faces."""
        ...

    @property
    def table_size_mm(self) -> tuple[float, float]:
        """Width and depth between the centres of the four corner markers."""
        ...

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

    def eyes(
        self, header: Header, *, zones: Mapping[int, Any] | None = None, colours: ColourDesk | None = None
    ) -> Eyes:
        """New eyes for a match; `zones` is each seat's part of the table in mm, where it is known.

        `colours` knows the seats' dice by their colours once they were shown.
        """
        ...

    def markers(self, header: Header) -> Markers:
        """The markers of the deck in play."""
        ...

    def open_areas(self, match: Match[Any]) -> tuple[Rect, ...] | None:
        """The parts of the table that a shared picture may show now; None when all of it may be seen."""
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
        from companion.live.greece_lightning import GreeceLightning
        from companion.live.lightning_dice import LightningDice
        from companion.live.thunder_and_lightning import ThunderAndLightning

        _registry.known["lightning-dice"] = LightningDice()
        _registry.known["thunder-and-lightning"] = ThunderAndLightning()
        _registry.known["greece-lightning"] = GreeceLightning()
    try:
        return _registry.known[game]
    except KeyError:
        known = ", ".join(_registry.known)
        raise UnknownGame(f"The live table cannot watch {game!r}; it can watch: {known}.") from None
