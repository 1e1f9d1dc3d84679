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
from rules.errors import BadHeader, BrokenLog
from rules.header import Header
from rules.log import header_line, replay
from rules.match import Match

__all__ = ["DATABASE_NAME", "SCHEMA_VERSION", "Store", "StoredMatch", "StoredRow"]

DATABASE_NAME = "matches.sqlite3"
SCHEMA_VERSION = 1
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
    """

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
        self._read_only = read_only
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
        with self._transaction(f"match {header.match} could not be begun") as connection:
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
            with self._transaction(f"entry {seq} of match {match} could not be written") as connection:
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
        with self._reading() as connection:
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
        with self._reading() as connection:
            rows = connection.execute(
                "SELECT id, game, started, ended, (SELECT COUNT(*) FROM lines WHERE match = id) - 1"
                " FROM matches ORDER BY number DESC"
            ).fetchall()
        return [StoredRow(row[0], row[1], row[2], bool(row[3]), row[4]) for row in rows]

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
            if not self._read_only:
                with self._transaction(f"match {match} could not be set aside") as connection:
                    connection.execute("UPDATE matches SET ended = 1 WHERE id = ?", (match,))
            raise MatchBroken(f"Match {match} cannot be read ({problem}). Its lines are kept in {copy}.")
        whole = replay(lines[:readable])
        if not self._read_only:
            with self._transaction(f"match {match} could not be repaired") as connection:
                connection.execute("DELETE FROM lines WHERE match = ? AND seq >= ?", (match, readable))
                connection.execute("UPDATE matches SET ended = 0 WHERE id = ?", (match,))
            self._next_seq[match] = readable
        report = (
            f"The record of match {match} was damaged ({problem}). It goes on after entry {readable - 1}; "
            f"all {len(lines)} lines as they were found are kept in {copy}."
        )
        return StoredMatch(whole.match, whole.last_hash, report)

    def _copy_aside(self, match: str, lines: list[bytes]) -> Path | str:
        if self._read_only:
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
            if self._read_only:
                raise StoreFailed(
                    f"The store {self.path} is damaged ({error}); start `companion table` on it."
                ) from error
            connection = self._start_over(error)
        return connection

    def _connect(self) -> sqlite3.Connection:
        name = f"{self.path.resolve().as_uri()}?mode=ro" if self._read_only else str(self.path)
        connection = sqlite3.connect(
            name,
            uri=self._read_only,
            isolation_level=None,
            check_same_thread=False,
            timeout=BUSY_TIMEOUT_S,
        )
        try:
            connection.execute("PRAGMA journal_mode = WAL" if not self._read_only else "SELECT 1")
            connection.execute("PRAGMA synchronous = FULL")
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version > SCHEMA_VERSION:
                raise StoreTooNew(
                    f"The store {self.path} has version {version}, this release knows {SCHEMA_VERSION}. "
                    "Use the newer release, or another directory with --data."
                )
            if version == 0 and not self._read_only:
                connection.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")
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

    def _transaction(self, what: str) -> _Transaction:
        if self._read_only:
            raise StoreFailed(f"The store {self.path} was opened for reading only: {what}.")
        return _Transaction(self._guard, self._connection, what)

    def _reading(self) -> _Transaction:
        return _Transaction(self._guard, self._connection, f"the store {self.path} could not be read", writes=False)


class _Transaction:
    """`with` one: all of it is committed at the end, or nothing; SQLite's errors become StoreFailed."""

    def __init__(
        self, guard: threading.RLock, connection: sqlite3.Connection, what: str, *, writes: bool = True
    ) -> None:
        self._guard, self._connection, self._what, self._writes = guard, connection, what, writes

    def __enter__(self) -> sqlite3.Connection:
        self._guard.acquire()
        try:
            if self._writes:
                self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            self._guard.release()
            raise self._failure(error) from error
        return self._connection

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        try:
            if self._writes:
                if kind is None:
                    try:
                        self._connection.execute("COMMIT")
                    except sqlite3.Error as commit_error:
                        self._roll_back()
                        raise self._failure(commit_error) from commit_error
                else:
                    self._roll_back()
        finally:
            self._guard.release()
        if isinstance(error, sqlite3.Error):
            raise self._failure(error) from error

    def _roll_back(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def _failure(self, error: sqlite3.Error) -> StoreFailed:
        return StoreFailed(f"{self._what} ({error}); nothing was changed. Look at the disk's space and rights.")


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
