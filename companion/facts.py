"""The facts of a ruling as sentences name them: numbers of seats get names, codes get words.

Beside each fact `x` stands `x_name` for a seat (or several), and `x_words` for a code or another value that has words;
which facts those are, each game says (`companion.web.games`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from companion.web.games import FactWords, screens_of
from rules.header import Header

if TYPE_CHECKING:
    from companion.catalogue import Catalogue

__all__ = ["derived_names", "worded"]


def derived_names(fact: str, game: str) -> tuple[str, ...]:
    """Every name that a sentence of this game may use for this fact."""
    how = screens_of(game).facts
    names = [fact]
    if fact in how.seats:
        names.append(f"{fact}_name")
    if fact in how.codes or fact in how.values:
        names.append(f"{fact}_words")
    return (*names, *how.more_names.get(fact, ()))


def worded(facts: Mapping[str, Any], header: Header, catalogue: Catalogue) -> dict[str, Any]:
    """The facts with everything that sentences may name."""
    how = screens_of(header.game).facts
    found: dict[str, Any] = dict(facts)
    for name, value in facts.items():
        if name in how.seats:
            found[f"{name}_name"] = _each(value, lambda seat: catalogue.seat_name(header, seat), catalogue)
        words = _words(name, how, header, catalogue)
        if words is not None:
            found[f"{name}_words"] = _each(value, words, catalogue)
    if how.more is not None:
        found.update(how.more(facts, header, catalogue))
    return found


def _words(fact: str, how: FactWords, header: Header, catalogue: Catalogue) -> Callable[[Any], str] | None:
    """The words of one value of this fact; None when it has none."""
    if fact in how.values:
        return lambda value: how.values[fact](value, header, catalogue)
    if fact in how.codes:
        return lambda code: catalogue.maybe(f"{how.codes[fact]}.{str(code).replace(' ', '-')}", str(code))
    return None


def _each(value: Any, words: Callable[[Any], str], catalogue: Catalogue) -> str:
    if value is None:
        return catalogue.text("fact.nothing")
    if isinstance(value, tuple | list):
        return catalogue.listed([words(each) for each in value]) or catalogue.text("fact.nothing")
    return words(value)
