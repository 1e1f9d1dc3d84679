"""Rulings in words, for commands that print them."""

from __future__ import annotations

from companion.catalogue import Catalogue
from companion.errors import BadInput
from rules.header import Header
from rules.rulings import Ruling

__all__ = ["RulingWords"]


class RulingWords:
    """Says rulings of one match in one language."""

    def __init__(self, language: str, header: Header) -> None:
        """Raises BadInput when there is no catalogue for the language."""
        try:
            self._catalogue = Catalogue(language)
        except LookupError as error:
            raise BadInput(str(error)) from error
        self._header = header

    def line(self, ruling: Ruling) -> str:
        """Verdict, clause ids and the sentences of a ruling in one line."""
        verdict = str(ruling.verdict)
        if ruling.refusal is not None:
            verdict += f" ({ruling.refusal})"
        said = self._catalogue.ruling(ruling, self._header)
        sentences = " ".join(part for part in (said.seen, said.expected, said.follows) if part)
        return f"{verdict} [{', '.join(ruling.clauses)}] {sentences}"
