"""The catalogue: every sentence that the companion shows or speaks, in every language it knows.

Sentences live in `locales/<language>/messages.po` and are read at start. A message id is a stable key
("ld.got-it.paid.say"), never the English text; facts stand in it as `{named}` placeholders. A message with plural forms
chooses by the fact called `count`.
"""

from __future__ import annotations

import gettext
import logging
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from babel import Locale
from babel.lists import format_list
from babel.messages.pofile import read_po

from companion.facts import worded
from rules.clauses import Clause, clause
from rules.header import Header
from rules.rulings import Effect, Ruling

__all__ = ["DEFAULT_LANGUAGE", "LOCALES", "Catalogue", "ClauseText", "Sentences", "languages"]

DEFAULT_LANGUAGE: Final = "en"
LOCALES: Final = Path(__file__).parent / "locales"

log = logging.getLogger(__name__)


class Sentences(NamedTuple):
    """What is said of one ruling: what was seen, what was expected, what follows, and a short form to speak."""

    seen: str
    expected: str
    follows: str
    say: str


class ClauseText(NamedTuple):
    """The text of a clause: its id and section, the words, and the language that they are in."""

    id: str
    section: str
    text: str
    language: str
    open_case: bool


class _Messages(NamedTuple):
    texts: Mapping[str, tuple[str, ...]]
    plural: Any


class _Facts(dict[str, Any]):
    """Facts for `format_map`: one that is missing shows as a dash instead of failing in front of people."""

    def __missing__(self, key: str) -> str:
        log.error("A sentence names the fact {%s}, which was not given.", key)
        return "–"


def languages(folder: Path = LOCALES) -> tuple[str, ...]:
    """Every language with a catalogue, the default one first."""
    found = sorted(each.parent.name for each in folder.glob("*/messages.po"))
    return tuple(sorted(found, key=lambda name: name != DEFAULT_LANGUAGE))


@cache
def _messages(folder: Path, language: str) -> _Messages:
    with (folder / language / "messages.po").open("rb") as file:
        catalog = read_po(file, locale=language)
    texts: dict[str, tuple[str, ...]] = {}
    for message in catalog:
        if message.id:
            key = str(message.id[0] if isinstance(message.id, tuple | list) else message.id)
            string = message.string
            texts[key] = tuple(string) if isinstance(string, tuple | list) else (str(string or ""),)
    return _Messages(texts, gettext.c2py(catalog.plural_expr))


class Catalogue:
    """The sentences of one language; what it lacks is taken from the default language."""

    def __init__(self, language: str = DEFAULT_LANGUAGE, *, folder: Path = LOCALES) -> None:
        """Read the catalogue of `language`.

        Raises:
            LookupError: there is none.
        """
        if language not in languages(folder):
            known = ", ".join(languages(folder))
            raise LookupError(
                f"There is no catalogue for the language {language!r}; expected one of: {known}. "
                "A translation is one file: companion/locales/<language>/messages.po."
            )
        self.language = language
        self._locale = Locale.parse(language, sep="_")
        self._own = _messages(folder, language)
        self._default = _messages(folder, DEFAULT_LANGUAGE)

    def keys(self) -> frozenset[str]:
        """Every message id that this language has itself."""
        return frozenset(key for key, texts in self._own.texts.items() if all(texts))

    def raw(self, msgid: str) -> tuple[str, ...]:
        """The forms of a message with their placeholders; empty when this language lacks it."""
        return self._own.texts.get(msgid, ())

    def form(self, msgid: str) -> str:
        """The message with its placeholders, for scripts that fill them in; the default language's for lack of it."""
        return (self._own.texts.get(msgid) or self._default.texts.get(msgid) or (msgid,))[0]

    def has(self, msgid: str) -> bool:
        """True when this language or the default one has the message."""
        return msgid in self._own.texts or msgid in self._default.texts

    def text(self, msgid: str, /, **facts: Any) -> str:
        """The message with its facts filled in. A missing message is logged and shows as its key."""
        messages = self._own if msgid in self._own.texts else self._default
        forms = messages.texts.get(msgid)
        if not forms:
            log.error("The catalogue has no message %r.", msgid)
            return msgid
        count = facts.get("count", 1)
        place = int(messages.plural(count)) if len(forms) > 1 and isinstance(count, int) else 0
        filled = _Facts((name, self.fact(value)) for name, value in facts.items())
        return forms[min(place, len(forms) - 1)].format_map(filled)

    def maybe(self, msgid: str, /, fallback: str = "", **facts: Any) -> str:
        """The message, or `fallback` when no language has it."""
        return self.text(msgid, **facts) if self.has(msgid) else fallback

    def fact(self, value: Any) -> str:
        """A fact in words: lists are joined, nothing is "unreadable" inside a list and a dash outside."""
        if isinstance(value, bool):
            return self.text("fact.yes" if value else "fact.no")
        if value is None:
            return self.text("fact.nothing")
        if isinstance(value, tuple | list):
            if value and all(each is None for each in value):
                return self.text("die.all-unreadable", count=len(value))
            if all(each is None or isinstance(each, int) for each in value):
                return ", ".join(self.face(each) for each in value)
            return self.listed(self.text("die.unreadable") if each is None else str(each) for each in value)
        return str(value)

    def face(self, value: int | None) -> str:
        """What one die shows; "unread" when it cannot be read."""
        return self.text("die.unreadable") if value is None else str(value)

    def listed(self, parts: Iterable[str], *, choice: bool = False) -> str:
        """Parts joined as this language lists things: "a, b and c"; for a choice "a, b or c"."""
        return format_list(list(parts), style="or" if choice else "standard", locale=self._locale)

    def seat_name(self, header: Header, number: int | None) -> str:
        """What people call the player of a seat."""
        seat = None if number is None else header.seat(number)
        if seat is None:
            return self.text("seat.unknown") if number is None else self.text("seat.number", seat=number)
        return seat.name

    def facts_of(self, ruling: Ruling, header: Header) -> dict[str, Any]:
        """The facts of a ruling with the names of its seats beside their numbers, as sentences may use them."""
        facts: dict[str, Any] = dict(ruling.facts)
        facts.setdefault("seat", ruling.seat)
        facts.setdefault("about", ruling.about)
        return worded(facts, header, self)

    def ruling(self, ruling: Ruling | Mapping[str, Any], header: Header) -> Sentences:
        """What is said of a ruling."""
        if not isinstance(ruling, Ruling):
            ruling = msgspec.convert(ruling, Ruling)
        facts = self.facts_of(ruling, header)
        code = ruling.code if self.has(f"{ruling.code}.say") else "ruling.unknown"
        facts.setdefault("code", ruling.code)
        return Sentences(*(self.text(f"{code}.{part}", **facts) for part in Sentences._fields))

    def effect(self, effect: Effect | Mapping[str, Any], header: Header) -> str:
        """One thing that a ruling changed, in words."""
        if not isinstance(effect, Effect):
            effect = msgspec.convert(effect, Effect)
        key = "effect." + effect.what.replace(" ", "-")
        facts = {"what": effect.what, "before": effect.before, "after": effect.after}
        facts["seat_name"] = self.seat_name(header, effect.seat) if effect.seat is not None else ""
        if not self.has(key):
            key = "effect.other" if effect.seat is None else "effect.other-of-seat"
        return self.text(key, **facts)

    def clause_text(self, clause_id: str, game: str) -> ClauseText:
        """The text of a clause of a game (or of the record itself), in this language where it is translated."""
        found = _clause(clause_id, game)
        if found is None:
            return ClauseText(clause_id, "", self.text("clause.unknown", clause=clause_id), self.language, False)
        key = f"clause.{clause_id}"
        section = self.maybe(f"section.{found.section}", found.section)
        if key in self._own.texts:
            return ClauseText(clause_id, section, self._own.texts[key][0], self.language, found.open_case)
        return ClauseText(clause_id, section, found.text, DEFAULT_LANGUAGE, found.open_case)


def _clause(clause_id: str, game: str) -> Clause | None:
    try:
        return clause("rules." + game.replace("-", "_"), clause_id)
    except (LookupError, ImportError):
        return None
