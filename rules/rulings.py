"""The referee's answers: verdict, clauses, what was seen, expected and follows."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import partial
from typing import Generic, NamedTuple, TypeVar

from rules.records import Fact, Record

__all__ = [
    "Effect",
    "Outcome",
    "Refusal",
    "Ruling",
    "Verdict",
    "accepted",
    "infraction",
    "penalty",
    "refused",
    "ruled",
]

S = TypeVar("S")


class Verdict(StrEnum):
    """What the referee makes of an event."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    PENALTY = "penalty"
    INFRACTION = "infraction"


class Refusal(StrEnum):
    """Why an event was refused. The four are never mixed: they ask for different things of people."""

    UNREADABLE = "unreadable"
    """What was seen or sent cannot be understood: look again."""
    AMBIGUOUS = "ambiguous"
    """It could mean two things: say which."""
    ILLEGAL = "illegal"
    """It was understood and is against a clause."""
    STALE = "stale"
    """It answers a position that is gone."""


class Effect(Record, frozen=True):
    """One public change that a ruling brings about.

    Attributes:
        what: name of what changes, as the game's state names it ("score", "card", "must roll", "match").
        seat: whose, when it belongs to a seat.
        before, after: the public value; None where there was or is none.
    """

    what: str
    seat: int | None = None
    before: Fact = None
    after: Fact = None


class Ruling(Record, frozen=True):
    """The answer to one event (or to one press of an event that carries several).

    Attributes:
        verdict: accepted, refused (state untouched), penalty, or infraction (for a judge to weigh).
        code: which sentence says it; the catalogue of the application has it in every language.
        clauses: ids of the rules it rests on, the deciding one first; never empty.
        seat: whom it concerns.
        refusal: the family, exactly when refused.
        about: sequence number of an earlier entry, when the ruling is about that one.
        facts: the values that the sentence names (what was seen, what was expected).
        effects: what follows, in order.
        by_option: names of the match options that decided an open case here.
    """

    verdict: Verdict
    code: str
    clauses: tuple[str, ...]
    seat: int | None = None
    refusal: Refusal | None = None
    about: int | None = None
    facts: dict[str, Fact] = {}  # noqa: RUF012 - msgspec copies an empty default for each instance
    effects: tuple[Effect, ...] = ()
    by_option: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if (self.verdict is Verdict.REFUSED) != (self.refusal is not None):
            raise ValueError(f"Ruling {self.code}: a refusal family is given exactly when the verdict is refused.")
        if not self.clauses:
            raise ValueError(f"Ruling {self.code} cites no clause; every ruling must cite its rule.")


class Outcome(NamedTuple, Generic[S]):
    """The state after an event and the rulings on it."""

    state: S
    rulings: tuple[Ruling, ...]

    @property
    def refused(self) -> bool:
        """True when nothing of the event was accepted, so the state is what it was."""
        return all(ruling.verdict is Verdict.REFUSED for ruling in self.rulings)


def ruled(
    verdict: Verdict,
    code: str,
    *clauses: str,
    seat: int | None = None,
    about: int | None = None,
    facts: Mapping[str, Fact] | None = None,
    effects: tuple[Effect, ...] = (),
    by_option: tuple[str, ...] = (),
) -> Ruling:
    """A ruling that is no refusal; see `Ruling` for the fields."""
    return Ruling(verdict, code, clauses, seat, None, about, dict(facts or {}), effects, by_option)


accepted = partial(ruled, Verdict.ACCEPTED)
"""An accepting ruling."""
penalty = partial(ruled, Verdict.PENALTY)
"""A ruling that costs somebody something."""
infraction = partial(ruled, Verdict.INFRACTION)
"""A breach laid before the judge; nothing is taken from anybody by itself."""


def refused(
    family: Refusal,
    code: str,
    *clauses: str,
    seat: int | None = None,
    about: int | None = None,
    facts: Mapping[str, Fact] | None = None,
    by_option: tuple[str, ...] = (),
) -> Ruling:
    """A refusing ruling; it never has effects."""
    return Ruling(Verdict.REFUSED, code, clauses, seat, family, about, dict(facts or {}), (), by_option)
