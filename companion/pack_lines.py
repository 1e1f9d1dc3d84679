"""On which line of a pack file a value stands, so that what is wrong with it can be found with an editor.

The reader of TOML that comes with Python keeps no lines. This one understands what pack files are made of: tables,
tables in a list, keys, and lists over several lines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

__all__ = ["PackLines"]

Place = tuple[str | int, ...]

_LISTED_TABLE = re.compile(r"[ \t]*\[\[[ \t]*([\w-]+)[ \t]*\]\]")
_TABLE = re.compile(r"[ \t]*\[[ \t]*([\w-]+)[ \t]*\]")
_KEY = re.compile(r"[ \t]*([\w-]+)[ \t]*=")
_SKIPPED = re.compile(r'"""(?:.|\n)*?"""|\'\'\'(?:.|\n)*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*')
"""Texts and comments: whatever stands in them means nothing."""


class PackLines:
    """Finds the lines of a file that is TOML."""

    def __init__(self, text: str) -> None:
        self._lines: dict[Place, int] = {}
        self._read(text)

    def line(self, at: Sequence[str | int]) -> int | None:
        """The line, from 1, of a value: names of fields, and places in lists from 0.

        That of what holds it, where the value itself is not there or has no line of its own; None for the whole file.
        """
        for length in range(len(at), 0, -1):
            found = self._lines.get(tuple(at[:length]))
            if found is not None:
                return found
        return None

    def _read(self, text: str) -> None:
        counted: Counter[str] = Counter()
        table: Place = ()
        place = 0
        while place < len(text):
            number = text.count("\n", 0, place) + 1
            if found := _LISTED_TABLE.match(text, place):
                table = (found[1], counted[found[1]])
                counted[found[1]] += 1
                self._lines[table] = number
            elif found := _TABLE.match(text, place):
                table = (found[1],)
                self._lines[table] = number
            elif found := _KEY.match(text, place):
                key = (*table, found[1])
                self._lines[key] = number
                place = self._value(text, found.end(), key)
                continue
            place = _end_of_line(text, place)

    def _value(self, text: str, place: int, key: Place) -> int:
        """Note the elements of a list; returns where the line after the value begins."""
        depth = element = 0
        waiting = False  # for the next element of the list
        while place < len(text):
            found = _SKIPPED.match(text, place)
            letter = text[place]
            if waiting and not letter.isspace() and letter not in "#],":
                self._lines[(*key, element)] = text.count("\n", 0, place) + 1
                waiting = False
            if found:
                place = found.end()
                continue
            if letter == "\n" and depth == 0:
                return place + 1
            if letter in "[{":
                depth += 1
                waiting = waiting or (depth == 1 and letter == "[")
            elif letter in "]}":
                depth -= 1
            elif letter == "," and depth == 1:
                element += 1
                waiting = True
            place += 1
        return place


def _end_of_line(text: str, place: int) -> int:
    end = text.find("\n", place)
    return len(text) if end < 0 else end + 1
