"""The rows of the store that say what evidence is kept, and its settings."""

from __future__ import annotations

import sqlite3
from typing import Final, NamedTuple

from companion.errors import MatchMissing
from companion.store import Store

__all__ = ["EvidenceRow", "Rows"]

SINCE_VERSION: Final = 2
"""Stores that an older release wrote, and that are only read, have no evidence."""


class EvidenceRow(NamedTuple):
    """That evidence is kept.

    Attributes:
        number: grows with each evidence that is kept; it tells the oldest.
        match, seq: the entry.
        kind: "claim" or "infraction".
        bytes: size of its file.
        sha256: of its file, in hex.
        disputed: why it is disputed ("infraction", "pending", "overruled", "amended"); empty when it is not.
        wall: when the entry was filed.
    """

    number: int
    match: str
    seq: int
    kind: str
    bytes: int
    sha256: str
    disputed: str
    wall: str | None


class Rows:
    """Reads and writes these rows."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def all(self, match: str | None = None) -> list[EvidenceRow]:
        """The rows of a match, or of all; oldest first."""
        if self._store.version < SINCE_VERSION:
            return []
        query = "SELECT number, match, seq, kind, bytes, sha256, disputed, wall FROM evidence"
        where, values = ("", ()) if match is None else (" WHERE match = ?", (match,))
        with self._store.reading() as connection:
            return [EvidenceRow(*row) for row in connection.execute(f"{query}{where} ORDER BY number", values)]

    def add(self, row: EvidenceRow) -> None:
        """Write a row, in the place of one that was there; its number is given by the store.

        Raises:
            MatchMissing: its match is not there (any more).
            StoreFailed: it could not be written.
        """
        with self._store.transaction(f"evidence of entry {row.seq} could not be noted") as connection:
            if connection.execute("SELECT 1 FROM matches WHERE id = ?", (row.match,)).fetchone() is None:
                raise MatchMissing(f"There is no match {row.match!r}; evidence of it is not kept.")
            self._write(connection, row)

    @staticmethod
    def _write(connection: sqlite3.Connection, row: EvidenceRow) -> None:
        connection.execute(
            "INSERT OR REPLACE INTO evidence (match, seq, kind, bytes, sha256, disputed, wall)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            row[1:],
        )

    def dispute(self, match: str, seq: int, why: str) -> None:
        """Say why a row is disputed, if there is one; an infraction always is."""
        with self._store.transaction(f"evidence of entry {seq} could not be marked") as connection:
            connection.execute(
                "UPDATE evidence SET disputed = ? WHERE match = ? AND seq = ? AND kind <> 'infraction'",
                (why, match, seq),
            )

    def remove(self, match: str, seq: int) -> None:
        """Delete a row."""
        with self._store.transaction(f"evidence of entry {seq} could not be deleted") as connection:
            connection.execute("DELETE FROM evidence WHERE match = ? AND seq = ?", (match, seq))

    def setting(self, name: str) -> str | None:
        """A setting; None when it was never made."""
        if self._store.version < SINCE_VERSION:
            return None
        with self._store.reading() as connection:
            found = connection.execute("SELECT value FROM settings WHERE name = ?", (name,)).fetchone()
        return None if found is None else str(found[0])

    def set_setting(self, name: str, value: str) -> None:
        """Make a setting."""
        with self._store.transaction(f"the setting {name} could not be made") as connection:
            connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, value))
