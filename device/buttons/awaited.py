"""A thread that waits for a device and is woken to end."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Final

__all__ = ["JOIN_S", "AwaitingThread"]

JOIN_S: Final = 5.0
"""Longest wait for the thread to begin or to end."""


class AwaitingThread:
    """Runs something that waits, with `select`, for a device and for one more file, whose end tells it to stop."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._thread: threading.Thread | None = None
        self._wake_fd = -1

    @property
    def running(self) -> bool:
        """Started and not yet told to stop."""
        return self._thread is not None

    def start(self, run: Callable[[int], None]) -> None:
        """Call `run` in the thread; it gets the file that ends when it must stop, and closes it."""
        stop_fd, self._wake_fd = os.pipe()
        self._thread = threading.Thread(target=run, args=(stop_fd,), name=self._name, daemon=True)
        self._thread.start()

    def join(self, timeout_s: float) -> None:
        """Wait, at most so long, until it has ended by itself, as when its device has."""
        if self._thread is not None:
            self._thread.join(timeout_s)

    def stop(self) -> None:
        """Tell it to stop and wait until it has, unless it is the one that asks; stopping twice is harmless."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        os.close(self._wake_fd)
        if thread is not threading.current_thread():
            thread.join(JOIN_S)
