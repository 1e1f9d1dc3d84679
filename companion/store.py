"""The durable record: every line of every match in one SQLite file, committed before anybody is told.

Lines are kept as they stand in a log, hash chain and all, so that a match can be checked, exported and replayed
byte for byte. One transaction an entry, write-ahead log, a disk flush with every commit.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from companion.errors import MatchBroken, MatchMissing, StoreFailed, StoreTooNew
from companion.lock import DirectoryLock, write_durably
from companion.transaction import Transaction
from rules.errors import BadHeader, BrokenLog
from rules.header import Header
from rules.log import header_line, replay
from rules.match import Match

__all__ = ["DATABASE_NAME", "SCHEMA_VERSION", "Store", "StoredMatch", "StoredRow"]

DATABASE_NAME = "matches.sqlite3"
SCHEMA_VERSION = 2
BUSY_TIMEOUT_S = 5.0

_SCHEMA = """
CREATE TABLE matches (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    game TEXT NOT NULL,
    started TEXT NOT NULL,
    ended INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE lines (
    match TEXT NOT NULL,
    seq INTEGER NOT NULL,
    line BLOB NOT NULL,
    PRIMARY KEY (match, seq)
) WITHOUT ROWID;
"""

_EVIDENCE_SCHEMA = """
CREATE TABLE evidence (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    match TEXT NOT NULL,
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    disputed TEXT NOT NULL DEFAULT '',
    wall TEXT,
    UNIQUE (match, seq)
);
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""

_STEPS = (_SCHEMA, _EVIDENCE_SCHEMA)
"""What each version of the file adds to the one before: version 2 came with evidence."""


class StoredMatch(NamedTuple):
    """A match as it was loaded: where it stands, the last hash, and what had to be left out (None: nothing)."""

    match: Match[Any]
    last_hash: str
    report: str | None


class StoredRow(NamedTuple):
    """A line of the list of matches; `entries` counts without the header."""

    id: str
    game: str
    started: str
    ended: bool
    entries: int


class Store:
    """The matches of one data directory. Safe to use from several threads.

    A writing store holds the directory for itself; any number may read beside it.

    Attributes:
        reports: in words, what was wrong with the store when it was opened and what was done about it.
        read_only: it was opened for reading.
        version: of the file; older than SCHEMA_VERSION only while it is read and not written.
    """

    version = SCHEMA_VERSION

    def __init__(self, directory: Path, *, read_only: bool = False) -> None:
        """Open, or make, the store of a data directory.

        Raises:
            StoreBusy: another program writes there.
            StoreTooNew: a newer release wrote it.
            StoreFailed: the directory or file cannot be used.
            MatchMissing: read only, and there is no store.
        """
        self.directory = directory
        self.reports: list[str] = []
        self._guard = threading.RLock()
        self._next_seq: dict[str, int] = {}
        self._lock: DirectoryLock | None = None
        self.read_only = read_only
        self.path = directory / DATABASE_NAME
        if read_only:
            if not self.path.exists():
                raise MatchMissing(f"There is no record of matches in {directory}; name another with --data DIRECTORY.")
        else:
            self._lock = DirectoryLock(directory)
        try:
            self._connection = self._open()
        except BaseException:
            if self._lock is not None:
                self._lock.release()
            raise

    def create(self, header: Header) -> str:
        """Begin a match and return the hash of its header line.

        Raises:
            StoreFailed: it could not be written, or the match is there already.
        """
        line, digest = header_line(header)
        started = header.wall or ""
        with self.transaction(f"match {header.match} could not be begun") as connection:
            connection.execute(
                "INSERT INTO matches (id, game, started) VALUES (?, ?, ?)", (header.match, header.game, started)
            )
            connection.execute("INSERT INTO lines VALUES (?, 0, ?)", (header.match, line))
        self._next_seq[header.match] = 1
        return digest

    def append(self, match: str, line: bytes, *, ended: bool = False) -> int:
        """Write the next line of a match; it is on the disk when this returns. Returns its sequence number.

        Raises:
            StoreFailed: it could not be written; the record is as it was.
            MatchMissing: there is no such match.
        """
        with self._guard:
            seq = self._next_seq.get(match)
            if seq is None:
                seq = len(self.lines(match))
            with self.transaction(f"entry {seq} of match {match} could not be written") as connection:
                connection.execute("INSERT INTO lines VALUES (?, ?, ?)", (match, seq, line))
                connection.execute(
                    "UPDATE matches SET ended = ? WHERE id = ? AND ended <> ?", (int(ended), match, int(ended))
                )
            self._next_seq[match] = seq + 1
            return seq

    def lines(self, match: str) -> list[bytes]:
        """The lines of a match, header first, without line ends.

        Raises:
            MatchMissing: there is no such match.
            StoreFailed: the file cannot be read.
        """
        with self.reading() as connection:
            found = connection.execute("SELECT CAST(line AS BLOB) FROM lines WHERE match = ? ORDER BY seq", (match,))
            rows = found.fetchall()
        if not rows:
            raise MatchMissing(
                f"There is no match {match!r} in {self.directory}; `companion replay` lists those there."
            )
        return [bytes(row[0]) for row in rows]

    def load(self, match: str) -> StoredMatch:
        """A match, judged again from its lines.

        When a line is damaged, all lines are copied into a file beside the store and the match goes on from
        the entries before the damage; `report` says so.

        Raises:
            MatchMissing: there is no such match.
            MatchBroken: not even its header can be read; its lines were copied aside.
            UnknownGame: this program has no referee for it; nothing was touched.
        """
        lines = self.lines(match)
        try:
            whole = replay(lines)
            if whole.match.seq + 1 == len(lines):
                self._next_seq[match] = len(lines)
                return StoredMatch(whole.match, whole.last_hash, None)
            problem, readable = "lines at its end are empty", whole.match.seq + 1
        except BadHeader as error:
            problem, readable = str(error), 0
        except BrokenLog as error:
            problem, readable = str(error), error.line - 1
        return self._repair(match, lines, readable, problem)

    def matches(self) -> list[StoredRow]:
        """Every match, newest first."""
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT id, game, started, ended, (SELECT COUNT(*) FROM lines WHERE match = id) - 1"
                " FROM matches ORDER BY number DESC"
            ).fetchall()
        return [StoredRow(row[0], row[1], row[2], bool(row[3]), row[4]) for row in rows]

    def delete(self, match: str) -> None:
        """Delete the record of a match, and that evidence is kept of it, for good.

        Raises:
            MatchMissing: there is no such match.
            StoreFailed: it could not be written; the record is as it was.
        """
        self.lines(match)
        with self.transaction(f"match {match} could not be deleted") as connection:
            for table, column in (("evidence", "match"), ("lines", "match"), ("matches", "id")):
                connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (match,))
        self._next_seq.pop(match, None)

    def close(self) -> None:
        """Close the file and let go of the directory. Closing twice is harmless."""
        with self._guard:
            self._connection.close()
            if self._lock is not None:
                self._lock.release()
                self._lock = None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _repair(self, match: str, lines: list[bytes], readable: int, problem: str) -> StoredMatch:
        copy = self._copy_aside(match, lines)
        if readable < 1:
            if not self.read_only:
                with self.transaction(f"match {match} could not be set aside") as connection:
                    connection.execute("UPDATE matches SET ended = 1 WHERE id = ?", (match,))
            raise MatchBroken(f"Match {match} cannot be read ({problem}). Its lines are kept in {copy}.")
        whole = replay(lines[:readable])
        if not self.read_only:
            with self.transaction(f"match {match} could not be repaired") as connection:
                connection.execute("DELETE FROM lines WHERE match = ? AND seq >= ?", (match, readable))
                connection.execute("UPDATE matches SET ended = 0 WHERE id = ?", (match,))
            self._next_seq[match] = readable
        report = (
            f"The record of match {match} was damaged ({problem}). It goes on after entry {readable - 1}; "
            f"all {len(lines)} lines as they were found are kept in {copy}."
        )
        return StoredMatch(whole.match, whole.last_hash, report)

    def _copy_aside(self, match: str, lines: list[bytes]) -> Path | str:
        if self.read_only:
            return "the store itself, untouched"
        folder = self.directory / "broken"
        return write_durably(folder, f"{match}-{_stamp()}.jsonl", b"".join(line + b"\n" for line in lines))

    def _open(self) -> sqlite3.Connection:
        try:
            connection = self._connect()
        except sqlite3.OperationalError as error:
            raise StoreFailed(
                f"The store {self.path} cannot be opened ({error}); expected a folder that this user may write."
            ) from error
        except sqlite3.DatabaseError as error:
            if self.read_only:
                raise StoreFailed(
                    f"The store {self.path} is damaged ({error}); start `companion table` on it."
                ) from error
            connection = self._start_over(error)
        return connection

    def _connect(self) -> sqlite3.Connection:
        name = f"{self.path.resolve().as_uri()}?mode=ro" if self.read_only else str(self.path)
        connection = sqlite3.connect(
            name,
            uri=self.read_only,
            isolation_level=None,
            check_same_thread=False,
            timeout=BUSY_TIMEOUT_S,
        )
        try:
            connection.execute("PRAGMA journal_mode = WAL" if not self.read_only else "SELECT 1")
            connection.execute("PRAGMA synchronous = FULL")
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version > SCHEMA_VERSION:
                raise StoreTooNew(
                    f"The store {self.path} has version {version}, this release knows {SCHEMA_VERSION}. "
                    "Use the newer release, or another directory with --data."
                )
            if version < SCHEMA_VERSION and not self.read_only:
                steps = "".join(_STEPS[version:])
                connection.executescript(f"BEGIN; {steps} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")
                version = SCHEMA_VERSION
            self.version = int(version)
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if found != "ok":
                raise sqlite3.DatabaseError(found)
            return connection
        except BaseException:
            connection.close()
            raise

    def _start_over(self, error: sqlite3.DatabaseError) -> sqlite3.Connection:
        """Move a damaged file aside and carry over every line that can still be read."""
        aside = self.directory / "broken" / f"store-{_stamp()}"
        aside.mkdir(parents=True)
        for each in self.directory.glob(DATABASE_NAME + "*"):
            each.rename(aside / each.name)
        rescued = list(_rescue(aside / DATABASE_NAME))
        connection = self._connect()
        with connection:
            connection.execute("BEGIN")
            for match, game, started, ended, lines in rescued:
                connection.execute(
                    "INSERT INTO matches (id, game, started, ended) VALUES (?, ?, ?, ?)", (match, game, started, ended)
                )
                connection.executemany(
                    "INSERT INTO lines VALUES (?, ?, ?)", [(match, seq, line) for seq, line in enumerate(lines)]
                )
            connection.execute("COMMIT")
        self.reports.append(
            f"The store was damaged ({error}). It is kept in {aside}; {len(rescued)} matches with "
            f"{sum(len(lines) for *_, lines in rescued)} lines could be carried over."
        )
        return connection

    def transaction(self, what: str) -> Transaction:
        """`with` it: everything done on the connection that it gives is committed at the end, or nothing.

        Raises:
            StoreFailed: it could not be written; `what` could not be done, in words.
        """
        if self.read_only:
            raise StoreFailed(f"The store {self.path} was opened for reading only: {what}.")
        return Transaction(self._guard, self._connection, what)

    def reading(self) -> Transaction:
        """`with` it: a connection to read from."""
        return Transaction(self._guard, self._connection, f"the store {self.path} could not be read", writes=False)


def _rescue(path: Path) -> Iterator[tuple[str, str, str, int, list[bytes]]]:
    """Every match of a damaged file with its lines as far as they follow on one another."""
    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    except sqlite3.Error:
        return
    try:
        try:
            rows = connection.execute("SELECT id, game, started, ended FROM matches ORDER BY number").fetchall()
        except sqlite3.Error:
            return
        for match, game, started, ended in rows:
            lines: list[bytes] = []
            try:
                for seq, line in connection.execute(
                    "SELECT seq, CAST(line AS BLOB) FROM lines WHERE match = ? ORDER BY seq", (match,)
                ):
                    if seq != len(lines):
                        break
                    lines.append(bytes(line))
            except sqlite3.Error:
                pass  # what was read so far is carried over; the file itself is kept
            if lines:
                yield match, game, started, ended, lines
    finally:
        connection.close()


def _stamp() -> str:
    return datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
