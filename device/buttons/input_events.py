"""The kernel's input events: key presses of keyboards, arcade encoders and foot switches, stamped by the kernel.

The interface is that of linux/input.h and linux/input-event-codes.h, read with the standard library alone: the usual
package for it has to be compiled on a Raspberry Pi, and leaves events stamped by the wall clock.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from device.errors import ButtonBackendError, ButtonPinError

__all__ = ["INPUT_FOLDER", "InputDevice", "InputEvent", "input_devices", "key_code", "key_name"]

INPUT_FOLDER: Final = Path("/dev/input")

EV_SYN, EV_KEY = 0, 1
SYN_DROPPED: Final = 3
"""The kernel's queue ran over: what was pressed since has to be asked for."""
UP, DOWN, REPEAT = 0, 1, 2
KEY_COUNT: Final = 0x300

_EVENT: Final = struct.Struct("@llHHi")  # struct input_event of a 64 bit system
_READ_BYTES: Final = 64 * _EVENT.size
_NAME_BYTES: Final = 256


def _request(direction: int, number: int, size: int) -> int:
    """An ioctl number of the type 'E', as the macros of asm-generic/ioctl.h make it (write 1, read 2)."""
    return direction << 30 | size << 16 | ord("E") << 8 | number


_GET_NAME: Final = _request(2, 0x06, _NAME_BYTES)
_GET_DOWN: Final = _request(2, 0x18, KEY_COUNT // 8)
_GET_KEYS: Final = _request(2, 0x20 + EV_KEY, KEY_COUNT // 8)
_GRAB: Final = _request(1, 0x90, 4)
_SET_CLOCK: Final = _request(1, 0xA0, 4)

_ROWS: Final = (
    (2, "1 2 3 4 5 6 7 8 9 0 MINUS EQUAL BACKSPACE TAB Q W E R T Y U I O P LEFTBRACE RIGHTBRACE ENTER LEFTCTRL"),
    (30, "A S D F G H J K L SEMICOLON APOSTROPHE GRAVE LEFTSHIFT BACKSLASH Z X C V B N M COMMA DOT SLASH RIGHTSHIFT"),
    (55, "KPASTERISK LEFTALT SPACE CAPSLOCK F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 NUMLOCK SCROLLLOCK KP7 KP8 KP9 KPMINUS"),
    (75, "KP4 KP5 KP6 KPPLUS KP1 KP2 KP3 KP0 KPDOT"),
    (87, "F11 F12"),
    (96, "KPENTER RIGHTCTRL KPSLASH SYSRQ RIGHTALT LINEFEED HOME UP PAGEUP LEFT RIGHT END DOWN PAGEDOWN INSERT DELETE"),
)
_BUTTON_ROWS: Final = (
    (0x100, "0 1 2 3 4 5 6 7 8 9"),
    (0x110, "LEFT RIGHT MIDDLE SIDE EXTRA FORWARD BACK TASK"),
    (0x120, "TRIGGER THUMB THUMB2 TOP TOP2 PINKIE BASE BASE2 BASE3 BASE4 BASE5 BASE6"),
    (0x130, "SOUTH EAST C NORTH WEST Z TL TR TL2 TR2 SELECT START MODE THUMBL THUMBR"),
    (0x2C0, " ".join(f"TRIGGER_HAPPY{number}" for number in range(1, 41))),
)
_NAMES: Final = {1: "KEY_ESC"} | {
    first + place: f"{kind}_{name}"
    for kind, rows in (("KEY", _ROWS), ("BTN", _BUTTON_ROWS))
    for first, row in rows
    for place, name in enumerate(row.split())
}
_CODES: Final = {name: code for code, name in _NAMES.items()}


def key_name(code: int) -> str:
    """The kernel's name of a key, as in "BTN_TRIGGER"; one without a name here is its number."""
    return _NAMES.get(code, str(code))


def key_code(name: str) -> int:
    """The number of a key, from its name or its number as text. ButtonPinError for neither."""
    code = _CODES.get(name.upper(), int(name) if name.isdecimal() else -1)
    if not 0 < code < KEY_COUNT:
        raise ButtonPinError(
            f"{name!r} is no key; expected a name of the kernel like KEY_SPACE or BTN_TRIGGER, or a number below "
            f"{KEY_COUNT}; 'companion pins --listen' tells what a key is called"
        )
    return code


@dataclass(frozen=True, slots=True)
class InputEvent:
    """A key that went down or up: its code, whether it is down, and when, in ns; `dropped`: events were lost."""

    code: int
    down: bool
    at_ns: int
    dropped: bool = False


class InputDevice:
    """One open input device, read without blocking. `monotonic`: its events are stamped by CLOCK_MONOTONIC."""

    def __init__(self, path: str | Path, *, grab: bool = False) -> None:
        """Open the device; with `grab` nobody else gets its keys, so that they type nowhere.

        Raises ButtonBackendError, with what to do.
        """
        self.path = str(path)
        try:
            self._fd = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except PermissionError as error:
            raise ButtonBackendError(
                f"{self.path} may not be opened by this user; add the user to the group 'input' "
                "(sudo usermod -aG input $USER) and log in again"
            ) from error
        except OSError as error:
            raise ButtonBackendError(
                f"{self.path} cannot be opened ({error.strerror}); expected an input device; plug it in again"
            ) from error
        try:
            self.name = self._asked(_GET_NAME, _NAME_BYTES).partition(b"\0")[0].decode("utf-8", "replace").strip()
            self.monotonic = self._clock_set()
            if grab:
                fcntl.ioctl(self._fd, _GRAB, 1)
        except OSError as error:
            os.close(self._fd)
            raise ButtonBackendError(
                f"{self.path} is no input device that can be used ({error.strerror}); another program may have "
                "taken it for itself; close that, or choose another device"
            ) from error

    def fileno(self) -> int:
        """For select()."""
        return self._fd

    def has_keys(self) -> bool:
        """Whether it can send keys at all; a mouse wheel or a lid switch cannot."""
        return any(self._asked(_GET_KEYS, KEY_COUNT // 8))

    def down(self) -> frozenset[int]:
        """The keys that are down now."""
        bits = self._asked(_GET_DOWN, KEY_COUNT // 8)
        return frozenset(code for code in range(KEY_COUNT) if bits[code // 8] >> code % 8 & 1)

    def read(self) -> Iterator[InputEvent]:
        """Every event that waits; a key that repeats because it is held gives none. OSError once it is unplugged."""
        while True:
            try:
                data = os.read(self._fd, _READ_BYTES)
            except BlockingIOError:
                return
            if not data:
                raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
            for seconds, microseconds, kind, code, value in _EVENT.iter_unpack(data[: len(data) // 24 * 24]):
                at_ns = (seconds * 1_000_000 + microseconds) * 1000
                if kind == EV_SYN and code == SYN_DROPPED:
                    yield InputEvent(0, False, at_ns, dropped=True)
                elif kind == EV_KEY and value != REPEAT:
                    yield InputEvent(code, value == DOWN, at_ns)
            if len(data) < _READ_BYTES:
                return

    def close(self) -> None:
        """Let go of it; twice is harmless."""
        if self._fd >= 0:
            fd, self._fd = self._fd, -1
            os.close(fd)

    def _asked(self, request: int, size: int) -> bytes:
        answer = bytearray(size)
        fcntl.ioctl(self._fd, request, answer)
        return bytes(answer)

    def _clock_set(self) -> bool:
        try:
            fcntl.ioctl(self._fd, _SET_CLOCK, struct.pack("i", time.CLOCK_MONOTONIC))
        except OSError:
            return False
        return True


def input_devices(folder: Path = INPUT_FOLDER) -> list[str]:
    """The paths of all input devices there are now."""
    try:
        return sorted(str(path) for path in folder.iterdir() if path.name.startswith("event"))
    except OSError:
        return []
