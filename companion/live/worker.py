"""A job in a thread of its own beside the table, which ends with it."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod

__all__ = ["Worker"]


class Worker(ABC):
    """Runs `run` in a daemon thread from `start` to `stop`; `run` returns soon after `stopping` is set."""

    def __init__(self, name: str, longest_wait_s: float) -> None:
        """`longest_wait_s` is how long `stop` waits for the job to end."""
        self.stopping = threading.Event()
        self._longest_wait_s = longest_wait_s
        self._thread = threading.Thread(target=self.run, name=name, daemon=True)

    @abstractmethod
    def run(self) -> None:
        """The job; called in the thread."""

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End. Stopping twice is harmless, and so is stopping from within the job."""
        self.stopping.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(self._longest_wait_s)
