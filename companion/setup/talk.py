"""Telling people what to do, on the screen and aloud, and hearing what they type."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import IO, Any, Final, Protocol

from companion.catalogue import Catalogue
from device.speaker import Speaker

__all__ = ["Script", "Talk", "TypedLines"]

SPOKEN_LIMIT_S: Final = 30.0
"""A sentence that takes longer than this to say does not hold the set-up up."""


class Typed(Protocol):
    """What people type, line by line."""

    def line(self, timeout_s: float) -> str | None:
        """The next line, without its end; None when none came in time."""
        ...


class TypedLines:
    """Lines of a stream, read by a thread of their own so that nobody waits for them."""

    def __init__(self, stream: IO[str]) -> None:
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._read, args=(stream,), name="typed lines", daemon=True).start()

    def line(self, timeout_s: float) -> str | None:
        """The next line; None when none came within `timeout_s` seconds."""
        try:
            return self._lines.get(timeout=timeout_s) if timeout_s > 0 else self._lines.get_nowait()
        except queue.Empty:
            return None

    def _read(self, stream: IO[str]) -> None:
        for text in stream:
            self._lines.put(text.strip())


class Script:
    """Lines that are known beforehand, one for each time that somebody waits for one: for trying out and for tests."""

    def __init__(self, *lines: str | None) -> None:
        self._lines = list(lines)

    def line(self, timeout_s: float) -> str | None:
        """The next of them; None when it is one of those, or when there are no more."""
        return self._lines.pop(0) if self._lines and timeout_s > 0 else None


class Talk:
    """Says every sentence in two ways: on the screen at once, and aloud when the one before is over."""

    def __init__(
        self,
        catalogue: Catalogue,
        typed: Typed,
        *,
        speaker: Speaker | None = None,
        show: Callable[[str], None] = print,
    ) -> None:
        self.catalogue = catalogue
        self.speaker = speaker
        self._typed = typed
        self._show = show

    def say(self, key: str, /, *, urgent: bool = False, **facts: Any) -> None:
        """Tell a sentence of the catalogue; an urgent one silences what is being said. `where` facts become words."""
        if "where" in facts:
            facts["where"] = self.catalogue.text(f"doctor.place.{facts['where']}")
        self.tell(self.catalogue.text(key, **facts), urgent=urgent)

    def tell(self, text: str, *, urgent: bool = False) -> None:
        """Tell a sentence that is in words already."""
        self._show(text)
        if self.speaker is not None:
            if urgent:
                self.speaker.stop()
            self.speaker.say(text, language=self.catalogue.language, keep=not urgent)

    def show(self, key: str, /, **facts: Any) -> None:
        """Show a sentence without saying it: what only somebody who types has use for."""
        self._show(self.catalogue.text(key, **facts))

    def line(self, timeout_s: float = 0.0) -> str | None:
        """What was typed since; None when nothing was, within `timeout_s` seconds."""
        return self._typed.line(timeout_s)

    def listen_out(self) -> None:
        """Wait until all that was told has been said."""
        wait = getattr(self.speaker, "wait_until_silent", None)
        if wait is not None:
            wait(SPOKEN_LIMIT_S)
