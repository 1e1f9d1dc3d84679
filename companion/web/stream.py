"""Server-sent events: what a page follows, with a heartbeat, resumed by the last event id."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from companion.hub import Published, Subscription

__all__ = ["HEADERS", "HEARTBEAT_S", "EventStream", "format_event"]

HEARTBEAT_S: Final = 5.0
"""Longest silence on a stream; writing is how the server notices that a listener has gone."""

RETRY_MS: Final = 1000

HEADERS: Final = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-cache, no-transform",
    "X-Accel-Buffering": "no",
}
"""Headers that keep proxies from holding events back."""

PADDING: Final = b":" + b" " * 2048 + b"\n"
"""A comment long enough to open the buffers of old proxies."""


BEAT: Final = b"event: beat\ndata: {}\n\n"
"""The heartbeat: an event and not a comment, so that a page too notices when it stays away."""


def format_event(topic: str, data: Any, event_id: int | None = None) -> bytes:
    """One event in the wire format of the HTML standard, section 9.2."""
    lines = [f"event: {topic}"]
    if event_id is not None:
        lines.append(f"id: {event_id}")
    lines.append("data: " + json.dumps(data, ensure_ascii=False, separators=(",", ":")))
    return ("\n".join(lines) + "\n\n").encode()


class EventStream:
    """The body of one stream: an iterator whose `close` always unsubscribes, even when it was never read."""

    def __init__(
        self,
        subscription: Subscription,
        first: Callable[[], Iterator[bytes]],
        render: Callable[[Published], bytes | None],
        *,
        heartbeat_s: float = HEARTBEAT_S,
    ) -> None:
        """`first` gives what a listener needs before anything new; `render` turns a message into bytes or None."""
        self._subscription = subscription
        self._render = render
        self._heartbeat_s = heartbeat_s
        self._first: Iterator[bytes] | None = None
        self._open = first

    def __iter__(self) -> EventStream:
        return self

    def __next__(self) -> bytes:
        if self._first is None:
            self._first = self._open()
            return PADDING + f"retry: {RETRY_MS}\n\n".encode()
        try:
            for early in self._first:
                return early
            while True:
                message = self._subscription.next(self._heartbeat_s)
                if message is None:
                    if self._subscription.closed:
                        raise StopIteration
                    return BEAT
                chunk = self._render(message)
                if chunk is not None:
                    return chunk
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Unsubscribe; the server calls this when the listener has gone."""
        self._subscription.close()
