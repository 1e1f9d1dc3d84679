"""Following what the table publishes in a thread of one's own."""

from __future__ import annotations

import logging
import threading

from companion.hub import Hub, Published

__all__ = ["HubListener"]

log = logging.getLogger(__name__)

_WAIT_S = 5.0


class HubListener:
    """Takes in every message of a hub, one after the other; subclasses say what they make of one.

    A message that cannot be dealt with is logged, and the next one is taken.
    """

    def __init__(self, hub: Hub, name: str) -> None:
        self._subscription = hub.subscribe()
        self._thread = threading.Thread(target=self._follow, name=name, daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """Listen no more; stopping twice is harmless."""
        self._subscription.close()
        if self._thread.is_alive():
            self._thread.join(timeout=_WAIT_S)

    def take(self, message: Published) -> None:
        """What a message gives to do."""
        raise NotImplementedError

    def _follow(self) -> None:
        while not self._subscription.closed:
            message = self._subscription.next(timeout_s=_WAIT_S)
            if message is None:
                continue
            try:
                self.take(message)
            except Exception:
                log.exception("A message of the table (%s) could not be dealt with.", message.topic)
