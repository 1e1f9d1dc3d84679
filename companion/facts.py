"""The facts of a ruling as sentences name them: numbers of seats get names, codes get words, places count from 1.

Beside each fact `x` stands `x_name` for a seat (or several), and `x_words` for a code, a place or a goal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from companion.goals import condition_words
from rules.header import Header
from rules.lightning_dice.goals import parse_goal

if TYPE_CHECKING:
    from companion.catalogue import Catalogue

__all__ = ["PREFIXES", "SEAT_FACTS", "derived_names", "worded"]

SEAT_FACTS: Final = frozenset({"seat", "victim", "winners", "seats", "tied", "contenders", "elsewhere"})
"""Facts that hold seat numbers."""

PLACE_FACTS: Final = frozenset({"places", "unreadable", "idle", "thrown", "kept"})
"""Facts that hold dice by place, from 0; people count from 1."""

GOAL_FACTS: Final = frozenset({"goal", "unmet"})
"""Facts in the goal language."""

PREFIXES: Final[Mapping[str, str]] = {
    "call": "call",
    "colour": "colour",
    "colours": "colour",
    "detail": "detail",
    "where": "where",
    "expected": "where",
    "what": "count",
    "advice": "advice",
    "was": "advice",
    "rule": "rule",
    "why": "why",
}
"""Facts that hold codes, and where the catalogue has their words."""


def derived_names(fact: str) -> tuple[str, ...]:
    """Every name that a sentence may use for this fact."""
    names = [fact]
    if fact in SEAT_FACTS:
        names.append(f"{fact}_name")
    if fact in PLACE_FACTS or fact in GOAL_FACTS or fact in PREFIXES:
        names.append(f"{fact}_words")
    if fact == "reason":
        names.append("why_words")
    return tuple(names)


def worded(facts: Mapping[str, Any], header: Header, catalogue: Catalogue) -> dict[str, Any]:
    """The facts with everything that sentences may name."""
    found: dict[str, Any] = dict(facts)
    faces, idle = facts.get("faces"), facts.get("idle")
    if faces and idle:
        nothing = catalogue.text("die.idle")
        found["faces"] = ", ".join(
            nothing if place in idle else catalogue.face(face) for place, face in enumerate(faces)
        )
    for name, value in facts.items():
        if name in SEAT_FACTS:
            found[f"{name}_name"] = _each(value, lambda seat: catalogue.seat_name(header, seat), catalogue)
        if name in PLACE_FACTS:
            found[f"{name}_words"] = _each(value, lambda place: str(int(place) + 1), catalogue)
        elif name in GOAL_FACTS:
            found[f"{name}_words"] = _each(value, lambda goal: goal_words(str(goal), catalogue), catalogue)
        elif name in PREFIXES:
            found[f"{name}_words"] = _each(value, partial(code_words, name, catalogue=catalogue), catalogue)
        if name == "reason":
            found["why_words"] = code_words("why", value, catalogue)
    return found


def code_words(fact: str, code: Any, catalogue: Catalogue) -> str:
    """The words of a code of this fact; the code itself when there are none."""
    return catalogue.maybe(f"{PREFIXES[fact]}.{str(code).replace(' ', '-')}", str(code))


def goal_words(goal: str, catalogue: Catalogue) -> str:
    """A goal in the goal language in words; as it stands when it is not in the language."""
    try:
        return catalogue.listed(condition_words(each, catalogue) for each in parse_goal(goal).words())
    except ValueError:
        return goal


def _each(value: Any, words: Callable[[Any], str], catalogue: Catalogue) -> str:
    if value is None:
        return catalogue.text("fact.nothing")
    if isinstance(value, tuple | list):
        return catalogue.listed([words(each) for each in value]) or catalogue.text("fact.nothing")
    return words(value)
