"""A transaction on the store: all of it, or nothing."""

from __future__ import annotations

import sqlite3
import threading

from companion.errors import StoreFailed

__all__ = ["Transaction"]


class Transaction:
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
