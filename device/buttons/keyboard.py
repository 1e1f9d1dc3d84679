"""Keys of a terminal as buttons: for a table without pins, and for trying things out."""

from __future__ import annotations

import contextlib
import os
import select
import threading
from collections.abc import Iterator, Mapping
from typing import IO, Any, Final

from device.buttons.awaited import JOIN_S, AwaitingThread
from device.buttons.base import OnPress, Press, checked_button, deliver
from device.clock import Clock
from device.errors import ButtonPinError

__all__ = ["DEFAULT_KEYS", "KeyMap", "KeyboardButtons"]

KeyMap = Mapping[str, tuple[int, str]]
"""One character to (seat, button)."""

DEFAULT_KEYS: Final[KeyMap] = {
    **{str(seat): (seat, "claim") for seat in range(1, 7)},
    **{key: (seat, "call") for seat, key in enumerate("qwerty", start=1)},
    "f": (0, "flip"),
    "u": (0, "uphold"),
    "o": (0, "overrule"),
    " ": (0, "hush"),
}


class KeyboardButtons:
    """Reads single keys from `stream` (a terminal, a pipe, a file) in a thread.

    A terminal is put into single-key mode while it is listened to, and back again afterwards. Keys that the map
    does not know are ignored. Presses carry the time they were read: not fit to decide a race.
    """

    def __init__(self, clock: Clock, keys: KeyMap = DEFAULT_KEYS, *, stream: IO[Any] | None = None) -> None:
        for key, (seat, button) in keys.items():
            if len(key) != 1:
                raise ButtonPinError(f"{key!r} is not one key; give a single character")
            checked_button(seat, button)
        self._clock = clock
        self._keys = dict(keys)
        self._stream = stream
        self._on_press: OnPress | None = None
        self._thread = AwaitingThread("keyboard buttons")

    def start(self, on_press: OnPress) -> None:
        """Listen, and give every press to `on_press`, in a thread of the buttons."""
        self._on_press = on_press
        if self._thread.running:
            return
        stream = self._stream
        if stream is None:
            import sys

            stream = sys.stdin
        listening, keys_fd = threading.Event(), stream.fileno()
        self._thread.start(lambda stop_fd: self._run(keys_fd, stop_fd, listening))
        listening.wait(JOIN_S)

    def stop(self) -> None:
        """Listen no more; a terminal gets its settings back."""
        self._on_press = None
        self._thread.stop()

    def _run(self, keys_fd: int, stop_fd: int, listening: threading.Event) -> None:
        try:
            with _single_keys(keys_fd):
                listening.set()
                while True:
                    ready, _, _ = select.select([keys_fd, stop_fd], [], [])
                    if stop_fd in ready:
                        return
                    data = os.read(keys_fd, 64)
                    if not data:
                        return
                    read_ns = self._clock.now_ns()
                    for key in data.decode("utf-8", "ignore"):
                        if key in self._keys:
                            seat, button = self._keys[key]
                            deliver(self._on_press, Press(seat, button, read_ns, "keyboard", kernel_timed=False))
        finally:
            listening.set()
            os.close(stop_fd)


@contextlib.contextmanager
def _single_keys(fd: int) -> Iterator[None]:
    """Keys one by one and unechoed while inside, when `fd` is a terminal; Ctrl-C goes on working."""
    if not os.isatty(fd):
        yield
        return
    import termios
    import tty

    before = termios.tcgetattr(fd)
    try:
        tty.setcbreak(fd)
        yield
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)
