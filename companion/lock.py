"""One program at a time writes a data directory; and files that are on the disk once they are written."""

from __future__ import annotations

import fcntl
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from companion.errors import StoreBusy, StoreFailed

__all__ = ["LOCK_NAME", "DirectoryLock", "write_durably"]

LOCK_NAME = "in-use"


class DirectoryLock:
    """Holds a data directory until it is released or the process ends, however it ends."""

    def __init__(self, directory: Path) -> None:
        """Take the directory, making it when it is not there.

        Raises:
            StoreBusy: another program holds it; the message names that program.
            StoreFailed: the directory cannot be made or written.
        """
        path = directory / LOCK_NAME
        try:
            directory.mkdir(parents=True, exist_ok=True)
            self._file = open(path, "a+", encoding="utf-8")  # noqa: SIM115 - kept open: the lock lives with it
        except OSError as error:
            raise StoreFailed(
                f"The data directory {directory} cannot be used ({error.strerror}); expected a folder that this "
                "user may write. Choose another with --data DIRECTORY."
            ) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.seek(0)
            holder = self._file.read().strip() or "a program that did not give its name"
            self._file.close()
            raise StoreBusy(
                f"The data directory {directory} is in use by {holder}. "
                "Stop that program, or choose another directory with --data DIRECTORY."
            ) from None
        self._file.truncate(0)
        self._file.write(_who())
        self._file.flush()

    def release(self) -> None:
        """Let go. Releasing twice is harmless."""
        if not self._file.closed:
            self._file.truncate(0)
            self._file.close()


def write_durably(folder: Path, name: str, content: bytes) -> Path:
    """Write a file so that it survives a power cut: flushed, renamed into place, and the folder flushed."""
    folder.mkdir(parents=True, exist_ok=True)
    part, whole = folder / f".{name}.part", folder / name
    with open(part, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.rename(whole)
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
    return whole


def _who() -> str:
    command = " ".join(["companion", *sys.argv[1:]])
    since = datetime.now(UTC).isoformat(timespec="seconds")
    return f"process {os.getpid()} (`{command}`, since {since})"
