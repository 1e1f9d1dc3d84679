"""What a game's referee must offer, and what an option is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from rules.events import CoreEvent, Event, Overrule, Source, Submission
from rules.header import Header
from rules.records import Fact, Record, decode, from_plain
from rules.rulings import Outcome, Ruling

__all__ = ["Domain", "Entry", "Option", "Referee", "Result"]

S = TypeVar("S")


class Domain(Record, frozen=True):
    """What a free field of an option may hold.

    Attributes:
        values: the allowed values; None = any of the field's type.
        each: the field is a tuple and `values` holds for each of its `count` elements.
        least: numbers must be at least this.
    """

    values: tuple[Fact, ...] | None = None
    each: bool = False
    count: int | None = None
    least: int | None = None

    def allows(self, value: Any) -> bool:
        """True when the value lies in this domain."""
        if self.each:
            if not isinstance(value, tuple) or (self.count is not None and len(value) != self.count):
                return False
            return all(self.values is None or element in self.values for element in value)
        if self.least is not None and not (isinstance(value, int) and value >= self.least):
            return False
        return self.values is None or value in self.values


class Option(Record, frozen=True):
    """One kind of event that would be accepted now.

    Attributes:
        event: the event, complete; fields named in `free` hold an example.
        free: the fields that the table decides (what dice show, which card comes up), each with its domain.
        clauses: the rules that give this right or duty.
        label: catalogue code of the words on a button for it.
        people: True when it is a person's choice (a button can offer it), False when it is seen at the table.
        sources: from whom alone it would be accepted; empty = from anybody.
    """

    event: Any
    free: dict[str, Domain] = msgspec.field(default_factory=dict)
    clauses: tuple[str, ...] = ()
    label: str = ""
    people: bool = True
    sources: tuple[Source, ...] = ()

    def permits(self, event: Event, source: Source = Source.JUDGE) -> bool:
        """True when the event, from this source, is this option with some allowed filling of its free fields."""
        if type(event) is not type(self.event) or (self.sources and source not in self.sources):
            return False
        for name in event.__struct_fields__:
            value = getattr(event, name)
            domain = self.free.get(name)
            if domain is None:
                if value != getattr(self.event, name):
                    return False
            elif not domain.allows(value):
                return False
        return True


class Result(Record, frozen=True):
    """How a match ended.

    Attributes:
        winners: seat numbers; several share the win.
        code: which sentence says how.
        clauses: the rules that end it.
    """

    winners: tuple[int, ...]
    code: str
    clauses: tuple[str, ...]


class Entry(Record, frozen=True):
    """One line of the record: the sequence number (from 1), what was filed and how it was ruled."""

    seq: int
    filed: Submission[Any]
    rulings: tuple[Ruling, ...]


class Referee(ABC, Generic[S]):
    """One version of one game's rules: a pure function of (state, event) to (state, rulings).

    States are frozen values holding only what the table shows in public; a face-down card is a place without an
    identity. A referee keeps nothing between calls.
    """

    game: ClassVar[str]
    rules_version: ClassVar[str]
    event_type: ClassVar[Any]
    """Union of the game's own events."""
    codes: ClassVar[dict[str, tuple[str, ...]]]
    """Every ruling and result code that the game can give, with the names of its facts."""

    @abstractmethod
    def start(self, header: Header) -> S:
        """The state before the first event.

        Raises:
            BadHeader: the header breaks a rule of set-up.
        """

    @abstractmethod
    def judge(self, state: S, filed: Submission[Any], seq: int) -> Outcome[S]:
        """Rule on one of the game's own events or an `Adjust`; `seq` is the entry it will become.

        When every ruling is a refusal, the state returned is the state given.
        """

    @abstractmethod
    def overrule(
        self, state: S, filed: Submission[Overrule], seq: int, original: Entry, standing: Ruling
    ) -> Outcome[S]:
        """Put a person's decision in the place of a ruling.

        `original` is the entry overruled; `standing` the last ruling on it: the original one, or that of an earlier
        overrule.
        """

    @abstractmethod
    def options(self, state: S) -> tuple[Option, ...]:
        """What would be accepted now. Listed means accepted, not listed means refused. Total: never raises.

        What not everybody may say names the sources from which it is accepted.
        """

    @abstractmethod
    def context(self, state: S, event: Event) -> Hashable:
        """The part of the position that this event answers; when it has changed, the event is stale."""

    @abstractmethod
    def result(self, state: S) -> Result | None:
        """How the match ended, None while it goes on."""

    @abstractmethod
    def check_state(self, state: S) -> tuple[str, ...]:
        """What is impossible about a state, in words for a developer; empty for every state of a real match."""

    def permits(self, state: S, event: Event, source: Source = Source.JUDGE) -> bool:
        """True when an option of this state covers the event from this source."""
        return any(option.permits(event, source) for option in self.options(state))

    @cached_property
    def _submissions(self) -> msgspec.json.Decoder[Submission[Any]]:
        return msgspec.json.Decoder(Submission[self.event_type | CoreEvent])  # type: ignore[name-defined]

    @cached_property
    def _entries(self) -> msgspec.json.Decoder[Any]:
        filed = Submission[self.event_type | CoreEvent]  # type: ignore[name-defined]
        return msgspec.json.Decoder(
            msgspec.defstruct(
                "TypedEntry",
                [("seq", int), ("filed", filed), ("rulings", tuple[Ruling, ...])],
                frozen=True,
                forbid_unknown_fields=True,
            )
        )

    def read_submission(self, data: bytes | str) -> Submission[Any]:
        """Read one submission from JSON.

        Raises:
            UnreadableInput: not a submission of this game.
        """
        return decode(self._submissions, data, what=f"a submission of {self.game}")

    def read_entry(self, data: bytes | str) -> Entry:
        """Read one entry of a log from JSON.

        Raises:
            UnreadableInput: not an entry of this game.
        """
        typed = decode(self._entries, data, what=f"an entry of {self.game}")
        return Entry(typed.seq, typed.filed, typed.rulings)

    def read_event(self, plain: Any) -> Event:
        """Turn plain data into one of the game's own events.

        Raises:
            UnreadableInput: not an event of this game.
        """
        return from_plain(plain, self.event_type, what=f"an event of {self.game}")  # type: ignore[no-any-return]
