"""What the pages must know of one game: its regions, its words for facts, what a seat may declare, its reading aid."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from companion.web.seats import look_of
from rules.header import Header

if TYPE_CHECKING:
    from companion.catalogue import Catalogue

__all__ = ["FactWords", "Screens"]


@dataclass(frozen=True, slots=True)
class FactWords:
    """How the facts of one game's rulings become words.

    Attributes:
        seats: facts that hold seat numbers; beside `x` stands `x_name`.
        codes: facts that hold codes, and the family of the catalogue that has their words; beside `x` stands `x_words`.
        values: facts of other values with the words of one value; beside `x` stands `x_words`.
        more: names that only all facts together give.
        more_names: by fact, the names that `more` gives for it.
    """

    seats: frozenset[str]
    codes: Mapping[str, str]
    values: Mapping[str, Callable[[Any, Header, Catalogue], str]]
    more: Callable[[Mapping[str, Any], Header, Catalogue], dict[str, Any]] | None = None
    more_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Screens(ABC):
    """One game on the pages. Has no state."""

    regions: ClassVar[Mapping[str, tuple[str, ...]]]
    """By page, which regions it follows live. Every game has the same pages."""
    folder: ClassVar[str] = ""
    """Folder of the game's own templates, looked into before the shared ones; empty when it has none."""
    sheet: ClassVar[str] = ""
    """The game's own style sheet; empty when it has none."""
    facts: ClassVar[FactWords]
    seat_events: ClassVar[frozenset[str]]
    """Kinds of event that a seat may declare, each for itself; notes are anybody's who has a code."""
    common_events: ClassVar[frozenset[str]] = frozenset()
    """Kinds of event that any seat may declare, because everybody at the table sees them."""
    typed_events: ClassVar[frozenset[str]]
    """Kinds that stand for a reading that people type in by hand."""
    quiet_events: ClassVar[frozenset[str]] = frozenset()
    """Kinds that are shown and recorded but not announced, for they would drown the rest."""
    reading_events: ClassVar[frozenset[str]] = frozenset()
    """Kinds that are readings: announced, but never in the place of the last ruling."""
    evidence_events: ClassVar[frozenset[str]] = frozenset()
    """Kinds of which evidence is kept: what the camera showed at the moment."""
    acting_pages: ClassVar[frozenset[str]] = frozenset({"judge"})
    """Pages that show the judge (or the group) buttons for what may be done."""
    choices_elsewhere: ClassVar[frozenset[str]]
    """Kinds of choice that have their own buttons."""
    complete_choices: ClassVar[frozenset[str]] = frozenset()
    """Kinds whose free fields may stay as they are offered: what nobody looked at."""
    announce_all: ClassVar[str] = "settings.announce.all"
    """Message that says what is announced when everything is."""

    def event_words(self, kind: str, catalogue: Catalogue) -> str:
        """What a kind of event is called."""
        return catalogue.maybe(f"event.{kind}", kind)

    def templates(self, name: str) -> list[str]:
        """Where a template is looked for, the first that is there is taken."""
        return [f"{self.folder}/{name}", name] if self.folder else [name]

    def seat(self, seat: Mapping[str, Any], view: Mapping[str, Any], catalogue: Catalogue) -> dict[str, Any]:
        """A seat of the view as the templates need it."""
        return {**seat, "look": look_of(int(seat["number"]), str(seat.get("colour", "")))}

    def newer(self, view: dict[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
        """The view with what the camera sees now laid over it."""
        return {**view, **{name: data[name] for name in ("camera", "colours", "notices") if name in data}}

    @abstractmethod
    def context(
        self, view: Mapping[str, Any], header: Header, catalogue: Catalogue, seat: int | None
    ) -> dict[str, Any]:
        """What the game's own templates name beside what all of them do; `seat` is whose page it is."""

    @abstractmethod
    def seen(self, reading: Any, header: Header, catalogue: Catalogue) -> tuple[list[str], list[str], str]:
        """A reading of the camera in words: its dice, its markers, and what they are together."""

    @abstractmethod
    def aid(self, table: Any, header: Header, catalogue: Catalogue, seat: int | None) -> str:
        """The table read aloud, of one seat or of all."""

    @abstractmethod
    def may_overrule(self, kind: str, ruling: Mapping[str, Any]) -> bool:
        """True when the judge may uphold or refuse this ruling (plain data) on an event of this kind."""

    def private_words(
        self, card: str | None, reason: str | None, header: Header, catalogue: Catalogue
    ) -> tuple[Mapping[str, Any] | None, str]:
        """What a private look at a card (its id, or the reason why there is none) tells its seat: the card as it is
        printed, and the words to speak.

        Raises:
            LookupError: this game has no hidden cards.
        """
        raise LookupError("This game has no private aid.")

    def may_declare(self, event: Mapping[str, Any], seats: Set[int]) -> bool:
        """True when somebody with the codes of these seats may file this event."""
        kind = event.get("kind")
        if kind in self.common_events:
            return bool(seats)
        seat = event.get("seat")
        return kind in self.seat_events and isinstance(seat, int) and seat in seats
