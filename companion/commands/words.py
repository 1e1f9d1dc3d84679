"""Rulings in words, for commands that print them."""

from __future__ import annotations

from companion.catalogue import Catalogue
from companion.errors import BadInput
from rules.games import game_named
from rules.header import Header
from rules.rulings import Ruling

__all__ = ["RulingWords", "remarks_on"]


def remarks_on(header: Header, language: str) -> list[str]:
    """What people should hear about the options of a match before it begins.

    Raises:
        BadInput: there is no catalogue for the language.
    """
    codes = game_named(header.game).remarks(header)
    catalogue = _catalogue(language)
    return [catalogue.text(code) for code in codes]


def _catalogue(language: str) -> Catalogue:
    try:
        return Catalogue(language)
    except LookupError as error:
        raise BadInput(str(error)) from error


class RulingWords:
    """Says rulings of one match in one language."""

    def __init__(self, language: str, header: Header) -> None:
        """Raises BadInput when there is no catalogue for the language."""
        self._catalogue = _catalogue(language)
        self._header = header

    def line(self, ruling: Ruling) -> str:
        """Verdict, clause ids and the sentences of a ruling in one line."""
        verdict = str(ruling.verdict)
        if ruling.refusal is not None:
            verdict += f" ({ruling.refusal})"
        said = self._catalogue.ruling(ruling, self._header)
        sentences = " ".join(part for part in (said.seen, said.expected, said.follows) if part)
        return f"{verdict} [{', '.join(ruling.clauses)}] {sentences}"
