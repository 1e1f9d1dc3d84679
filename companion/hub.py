"""The hub: whatever the table publishes reaches every listener, and no listener can hold the table up."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from typing import Any, Final

__all__ = ["DEFAULT_LISTENERS", "QUEUE_LENGTH", "Hub", "Published", "Subscription", "TooManyListeners"]

DEFAULT_LISTENERS: Final = 60
"""How many listeners may follow at once; the web server needs that many threads and some more."""

QUEUE_LENGTH: Final = 50
"""How many messages may wait for one listener before it is cut off."""

NEWEST_ONLY: Final = frozenset({"view", "dice"})
"""Topics of which only the newest message counts; an older one still waiting is dropped."""


class TooManyListeners(RuntimeError):
    """As many listeners follow as the hub allows; ask for the view from time to time instead."""


@dataclass(frozen=True, slots=True)
class Published:
    """One message: its place among all messages, its topic, the sequence number of the record (if any) and data."""

    number: int
    topic: str
    seq: int | None
    data: dict[str, Any]


class Subscription:
    """What one listener has not read yet. Closing it twice is harmless; use it as a context manager."""

    def __init__(self, hub: Hub, last_id: int | None, length: int) -> None:
        self._hub = hub
        self._length = length
        self._changed = threading.Condition()
        self._waiting: deque[Published] = deque()
        self._seen = -1 if last_id is None else last_id
        self._closed = False
        self._cut_off = False

    @property
    def closed(self) -> bool:
        """True when nothing more will come: closed by the listener, by the hub, or cut off."""
        with self._changed:
            return self._closed

    @property
    def cut_off(self) -> bool:
        """True when the listener read too slowly and was dropped."""
        with self._changed:
            return self._cut_off

    def next(self, timeout_s: float) -> Published | None:
        """The next message; None when none came within `timeout_s` seconds or the subscription is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed, timeout=timeout_s)
            return self._waiting.popleft() if self._waiting else None

    def skip_to(self, seq: int) -> None:
        """Leave out entries up to `seq`: the listener has them from elsewhere."""
        with self._changed:
            self._seen = max(self._seen, seq)
            self._waiting = deque(each for each in self._waiting if not self._is_old(each))

    def close(self) -> None:
        """Stop listening."""
        self._hub._forget(self)
        self._end()

    def __enter__(self) -> Subscription:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _is_old(self, message: Published) -> bool:
        return message.topic == "entry" and message.seq is not None and message.seq <= self._seen

    def _offer(self, message: Published) -> bool:
        """Queue a message; False when the listener is too slow and has been cut off."""
        with self._changed:
            if self._closed:
                return False
            if message.topic == "view" and message.seq == 0:
                self._seen = 0  # a new match: its entries are counted from 1 again
            if self._is_old(message):
                return True
            if message.topic in NEWEST_ONLY:
                self._waiting = deque(each for each in self._waiting if each.topic != message.topic)
            if len(self._waiting) >= self._length:
                self._cut_off = self._closed = True
                self._waiting.clear()
            else:
                self._waiting.append(message)
            self._changed.notify_all()
            return not self._closed

    def _end(self) -> None:
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._changed.notify_all()


class Hub:
    """Hands messages on. `publish` never waits for a listener."""

    def __init__(self, *, listeners: int = DEFAULT_LISTENERS, queue_length: int = QUEUE_LENGTH) -> None:
        """A hub for at most `listeners` listeners with `queue_length` waiting messages each."""
        self.limit = listeners
        self._queue_length = queue_length
        self._lock = threading.Lock()
        self._listeners: set[Subscription] = set()
        self._newest: dict[str, Published] = {}
        self._number = 0
        self._closed = False

    def publish(self, topic: str, data: dict[str, Any], seq: int | None = None) -> None:
        """Hand a message to every listener; `seq` is the sequence number of the record it belongs to."""
        with self._lock:
            if self._closed:
                return
            self._number += 1
            message = Published(self._number, topic, seq, data)
            if topic in NEWEST_ONLY:
                self._newest[topic] = message
            slow = [each for each in self._listeners if not each._offer(message)]
            self._listeners.difference_update(slow)

    def subscribe(self, last_id: int | None = None) -> Subscription:
        """Listen from now on; entries with a sequence number up to `last_id` are left out.

        Raises:
            TooManyListeners: the limit is reached.
        """
        with self._lock:
            if self._closed:
                raise TooManyListeners("The table is closing; nobody can listen any more.")
            if len(self._listeners) >= self.limit:
                raise TooManyListeners(
                    f"{self.limit} listeners follow already and no more are allowed; "
                    "ask for the view from time to time, or close a page elsewhere."
                )
            subscription = Subscription(self, last_id, self._queue_length)
            self._listeners.add(subscription)
            return subscription

    def newest(self, topic: str) -> Published | None:
        """The last message of a newest-only topic ("view", "dice"); None when there was none."""
        with self._lock:
            return self._newest.get(topic)

    @property
    def listeners(self) -> int:
        """How many listen now."""
        with self._lock:
            return len(self._listeners)

    def close(self) -> None:
        """End every subscription and take no more; closing twice is harmless."""
        with self._lock:
            self._closed = True
            ending = list(self._listeners)
            self._listeners.clear()
        for each in ending:
            each._end()

    def _forget(self, subscription: Subscription) -> None:
        with self._lock:
            self._listeners.discard(subscription)
