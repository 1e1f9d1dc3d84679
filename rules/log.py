"""The match log: JSON Lines, each chained by hash to the one before.

Line 1 is `{"hash": …, "header": {…}}`; each further line `{"entry": {…}, "hash": …}`. A hash is the SHA-256 of the hash
before it (nothing for the header) and the bytes of the header or entry as they stand in the line, so changing, dropping
or swapping any line breaks every hash after it. The last hash, written down elsewhere, seals the whole record.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from rules.errors import BrokenLog, RulesError
from rules.games import new_match, referee_for
from rules.header import Header
from rules.match import Match
from rules.records import Record, canonical
from rules.referee import Entry

__all__ = ["Replay", "chain", "entry_line", "header_line", "log_lines", "read_log", "replay"]


class _HeaderLine(Record, frozen=True):
    header: msgspec.Raw
    hash: str


class _EntryLine(Record, frozen=True):
    entry: msgspec.Raw
    hash: str


_header_lines = msgspec.json.Decoder(_HeaderLine)
_headers = msgspec.json.Decoder(Header)
_entry_lines = msgspec.json.Decoder(_EntryLine)


class Replay(NamedTuple):
    """A log that was read: the match at its end, the last hash, and how many bytes of a cut last line were dropped."""

    match: Match[Any]
    last_hash: str
    dropped_bytes: int


def chain(before: str, body: bytes) -> str:
    """The hash of a line: SHA-256, in hex, of the hash before it and its own canonical JSON."""
    return hashlib.sha256(before.encode("ascii") + body).hexdigest()


def header_line(header: Header) -> tuple[bytes, str]:
    """The first line of a log (without line end) and its hash."""
    body = canonical(header)
    digest = chain("", body)
    return b'{"hash":"' + digest.encode() + b'","header":' + body + b"}", digest


def entry_line(before: str, entry: Entry) -> tuple[bytes, str]:
    """A further line of a log (without line end) and its hash; `before` is the hash of the line before it."""
    body = canonical(entry)
    digest = chain(before, body)
    return b'{"entry":' + body + b',"hash":"' + digest.encode() + b'"}', digest


def log_lines(match: Match[Any]) -> Iterator[bytes]:
    """The whole log of a match, a line at a time, without line ends."""
    line, digest = header_line(match.header)
    yield line
    for entry in match.entries:
        line, digest = entry_line(digest, entry)
        yield line


def read_log(lines: Iterable[bytes], *, repair: bool = False) -> tuple[Header, list[Entry], str, int]:
    """Read a log and check its chain; rulings are not judged again (see `replay`).

    With `repair` a last line that was cut off in writing is dropped and its length in bytes told.

    Returns:
        header, entries, hash of the last line, dropped bytes.

    Raises:
        BrokenLog: a line is unreadable, or was changed, dropped or swapped.
        UnknownGame: the header names a game or rules version that this program has not.
    """
    rows = [row.rstrip(b"\r\n") for row in lines]
    while rows and not rows[-1]:
        rows.pop()
    if not rows:
        raise BrokenLog("the log is empty; expected a header.", line=1)
    try:
        first = _header_lines.decode(rows[0])
        header = _headers.decode(first.header)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BrokenLog(f"this is not a log header: {error}.", line=1) from error
    digest = chain("", bytes(first.header))
    if digest != first.hash:
        raise BrokenLog("the header was changed: its hash does not fit.", line=1)
    referee = referee_for(header.game, header.rules_version)
    entries: list[Entry] = []
    for number, row in enumerate(rows[1:], start=2):
        try:
            raw = _entry_lines.decode(row)
            entry = referee.read_entry(bytes(raw.entry))
        except (msgspec.MsgspecError, UnicodeError, RulesError, RecursionError) as error:
            if repair and number == len(rows):
                return header, entries, digest, len(row)
            raise BrokenLog(f"this is not an entry: {error}", line=number) from error
        digest = chain(digest, bytes(raw.entry))
        if digest != raw.hash:
            raise BrokenLog(
                "its hash does not fit: this line or one before it was changed, dropped or swapped.",
                line=number,
            )
        if entry.seq != number - 1:
            raise BrokenLog(f"entry {entry.seq} stands where {number - 1} belongs.", line=number)
        entries.append(entry)
    return header, entries, digest, 0


def replay(lines: Iterable[bytes], *, repair: bool = False) -> Replay:
    """Read a log and judge it again from the start.

    Raises:
        BrokenLog: as `read_log`, or an entry is ruled differently now than the log says.
        UnknownGame: no such game or rules version.
        BadHeader: the header breaks a rule of set-up.
    """
    header, entries, digest, dropped = read_log(lines, repair=repair)
    match = new_match(header)
    for entry in entries:
        again, position = match.judge(entry.filed)
        if again != entry:
            raise BrokenLog(
                f"entry {entry.seq} is ruled {again.rulings[0].code!r} now, the log says {entry.rulings[0].code!r}.",
                line=entry.seq + 1,
            )
        match.append(again, position)
    return Replay(match, digest, dropped)
