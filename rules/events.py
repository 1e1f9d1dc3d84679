"""The events that every game shares: corrections, pauses and notes.

A game adds its own events in its folder. An event says that one thing happened, as data; it does not say how the
program came to know it (seen, pressed, declared): that stands in the `Submission` that carries it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Generic, TypeVar

from rules.records import Record

__all__ = [
    "Adjust",
    "Amend",
    "CoreEvent",
    "Decision",
    "Event",
    "Note",
    "Overrule",
    "Pause",
    "Resume",
    "Source",
    "Submission",
    "Undo",
    "correctors",
]


class Source(StrEnum):
    """How an event came to be known."""

    CAMERA = "camera"
    BUTTON = "button"
    DECLARED = "declared"
    TYPED = "typed"
    JUDGE = "judge"


def correctors(*, judged: bool) -> tuple[Source, ...]:
    """Who may put the record right: the judge of a match that has one, else any person, but never a camera. TC-9."""
    return (Source.JUDGE,) if judged else (Source.BUTTON, Source.DECLARED, Source.TYPED, Source.JUDGE)


class Event(Record, frozen=True, tag_field="kind"):
    """Base of every event of every game; in JSON its field `kind` tells which."""


class Undo(Event, frozen=True, tag="undo"):
    """Return the match to the position after entry `back_to` (0 = before the first event).

    A position that was undone stays in the record, so the same event goes forward again: name a later entry. TC-5.
    """

    back_to: int
    reason: str


class Amend(Event, frozen=True, tag="amend"):
    """Correct what entry `target` says happened; everything filed after it is judged again. TC-6.

    `event` is the corrected event as plain data, read by the game's own schema when the match judges it.
    """

    target: int
    event: dict[str, Any]
    reason: str


class Decision(StrEnum):
    """What a person rules on a call or claim."""

    UPHOLD = "uphold"
    REFUSE = "refuse"


class Overrule(Event, frozen=True, tag="overrule"):
    """Set a person's decision in the place of ruling number `ruling` of entry `target`. TC-7.

    Only this ruling's own consequences are taken back or given; what was ruled in between stands.
    """

    target: int
    decision: Decision
    reason: str
    ruling: int = 0


class Adjust(Event, frozen=True, tag="adjust"):
    """Set a public count (a score, a supply) to `value` outright. TC-8."""

    seat: int
    what: str
    value: int
    reason: str


class Pause(Event, frozen=True, tag="pause"):
    """Stop the match: until it resumes only corrections are judged. TC-4."""

    reason: str = ""


class Resume(Event, frozen=True, tag="resume"):
    """Go on after a pause. TC-4."""


class Note(Event, frozen=True, tag="note"):
    """A remark for the record, without effect. TC-12."""

    text: str


CoreEvent = Undo | Amend | Overrule | Adjust | Pause | Resume | Note

E_co = TypeVar("E_co", covariant=True)


class Submission(Record, Generic[E_co], frozen=True):
    """An event as it is handed to the referee, with how it is known.

    Attributes:
        event: what happened.
        source: who or what says so.
        answers: sequence number of the last entry that its author had seen; the referee refuses the event as stale
            when what it answers has changed since. None = it answers whatever stands now.
        confidence: 0 to 1, of a reading; None when a person says so.
        at_ns: when it happened on the monotonic clock of the table, in nanoseconds; only compared, never spoken.
        wall: the wall-clock label for people, ISO 8601; never used for an order.
    """

    event: E_co
    source: Source = Source.DECLARED
    answers: int | None = None
    confidence: float | None = None
    at_ns: int | None = None
    wall: str | None = None
