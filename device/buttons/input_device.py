"""USB arcade encoders, foot switches and any key of any keyboard as buttons, stamped by the kernel.

A USB device is asked for news every 1 to 10 ms, so its presses are that coarse: two buttons of one encoder within one
such step are equal, and those of two encoders may change places within it. The tie time of a match covers that.
"""

from __future__ import annotations

import logging
import os
import select
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from device.buttons.awaited import AwaitingThread
from device.buttons.base import ButtonTrouble, OnPress, OnTrouble, Press, checked_button, deliver, tell_trouble
from device.buttons.debounce import DEFAULT_TIMES, Debouncer, DebounceTimes
from device.buttons.input_events import InputDevice, InputEvent, input_devices, key_code, key_name
from device.clock import NS_PER_S, Clock
from device.errors import ButtonBackendError, ButtonPinError

__all__ = ["InputButtons", "InputMap", "KeyListener", "PressedKey", "load_keys"]

log = logging.getLogger(__name__)

_POLL_S: Final = 0.002
_HELD_POLL_S: Final = 0.25
_OTHER_CLOCK_NS: Final = 10 * NS_PER_S

Line = tuple[int, int]
"""Which map, and which key of it."""


@dataclass(frozen=True, slots=True)
class InputMap:
    """One device and what its keys are.

    Attributes:
        device: its name as the kernel tells it, or a path (one below /dev/input/by-path tells two alike apart).
        keys: key code to (seat, button).
        shared: leave its keys to other programs too; else they type nowhere while they are buttons.
    """

    device: str
    keys: Mapping[int, tuple[int, str]]
    shared: bool = False


def load_keys(path: str | Path) -> tuple[InputMap, ...]:
    """Maps from a file of sections [[device]] with `name`, perhaps `shared = true`, and [device.keys] below.

    A key is written as the kernel names it, and what it is as "seat button": BTN_TRIGGER = "3 claim"; the judge's seat
    is 0. Raises ButtonPinError with what is wrong.
    """
    try:
        plain = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ButtonPinError(f"the key map {path} cannot be read ({error.strerror}); check its name") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ButtonPinError(f"the key map {path} is not TOML ({error}); correct it there") from error
    sections = plain.get("device")
    if not isinstance(sections, list) or not sections:
        raise ButtonPinError(f'{path}: expected sections [[device]] with name = "…" and [device.keys] below it')
    return tuple(_map_of(section, str(path)) for section in sections)


def _map_of(section: Any, path: str) -> InputMap:
    name, keys = section.get("name"), section.get("keys")
    if not isinstance(name, str) or not isinstance(keys, Mapping) or not keys:
        raise ButtonPinError(f'{path}: a [[device]] needs name = "…" and at least one line below [device.keys]')
    found: dict[int, tuple[int, str]] = {}
    for key, what in keys.items():
        seat, _, button = str(what).partition(" ")
        if not seat.isdecimal():
            raise ButtonPinError(f'{path}: {key} is {what!r}; expected a seat and a button, as in {key} = "3 claim"')
        checked_button(int(seat), button.strip())
        found[key_code(key)] = (int(seat), button.strip())
    return InputMap(name, found, bool(section.get("shared", False)))


@dataclass(slots=True)
class _Source:
    """One map with its device while it is plugged in."""

    number: int
    map: InputMap
    device: InputDevice | None = None
    foreign: set[int] = field(default_factory=set)


class InputButtons:
    """Listens to the devices of `maps`; one that is unplugged is told as trouble and taken up again when it is back."""

    def __init__(
        self,
        clock: Clock,
        maps: Sequence[InputMap],
        *,
        times: DebounceTimes = DEFAULT_TIMES,
        on_trouble: OnTrouble | None = None,
        retry_s: float = 1.0,
        devices: Callable[[], Iterable[str]] = input_devices,
    ) -> None:
        for each in maps:
            for code, (seat, button) in each.keys.items():
                checked_button(seat, button)
                if code <= 0:
                    raise ButtonPinError(f"{code} is no key of {each.device}; give a number above 0")
        self._clock = clock
        self._maps = tuple(maps)
        self._times = times
        self._on_trouble = on_trouble
        self._retry_s = retry_s
        self._devices = devices
        self._on_press: OnPress | None = None
        self._thread = AwaitingThread("input buttons")

    def start(self, on_press: OnPress) -> None:
        """Take the devices and give every press to `on_press`, in a thread of the buttons.

        Raises ButtonBackendError when a device is not there or may not be opened.
        """
        self._on_press = on_press
        if self._thread.running:
            return
        sources = [_Source(number, each) for number, each in enumerate(self._maps)]
        try:
            for source in sources:
                source.device = self._found(source.map)
        except ButtonBackendError:
            _close(sources)
            raise
        lines = [(source.number, code) for source in sources for code in source.map.keys]
        closed = [
            (source.number, code)
            for source in sources
            if source.device is not None
            for code in source.device.down() & source.map.keys.keys()
        ]
        debouncer: Debouncer[Line] = Debouncer(lines, times=self._times, closed=closed)
        self._thread.start(lambda stop_fd: self._run(sources, debouncer, stop_fd))

    def stop(self) -> None:
        """Let go of the devices; no press comes after this returns."""
        self._on_press = None
        self._thread.stop()

    def _found(self, wanted: InputMap) -> InputDevice:
        """The device of a map, open. Raises ButtonBackendError."""
        if wanted.device.startswith("/"):
            return InputDevice(wanted.device, grab=not wanted.shared)
        names, refused = [], None
        for path in self._devices():
            try:
                device = InputDevice(path)
            except ButtonBackendError as error:
                refused = error
                continue
            named = device.name
            device.close()
            if named.split() == wanted.device.split():
                return InputDevice(path, grab=not wanted.shared)
            names.append(named)
        if refused is not None and not names:
            raise refused
        raise ButtonBackendError(
            f"there is no input device {wanted.device!r}; expected one of {', '.join(names) or 'none at all'}; plug it "
            "in, or correct the name in the key map"
        )

    def _run(self, sources: list[_Source], debouncer: Debouncer[Line], stop_fd: int) -> None:
        try:
            while True:
                wait_s = _POLL_S if debouncer.pending else _HELD_POLL_S if debouncer.down else None
                away = [source for source in sources if source.device is None]
                if away:
                    wait_s = min(wait_s or self._retry_s, self._retry_s)
                by_fd = {source.device.fileno(): source for source in sources if source.device is not None}
                ready, _, _ = select.select([*by_fd, stop_fd], [], [], wait_s)
                if stop_fd in ready:
                    return
                for fd in ready:
                    self._take(by_fd[fd], debouncer)
                if not ready:
                    for source in away:
                        self._take_up(source, debouncer)
                self._tell(sources, debouncer)
        finally:
            _close(sources)
            os.close(stop_fd)

    def _take(self, source: _Source, debouncer: Debouncer[Line]) -> None:
        """Feed what a device has to say to the debounce."""
        assert source.device is not None
        try:
            for event in source.device.read():
                if event.dropped:
                    log.warning("%s: events were lost; its keys are asked for anew", source.device.name)
                    self._ask_anew(source, debouncer)
                elif event.code in source.map.keys:
                    self._edge(source, event, debouncer)
        except OSError:
            source.device.close()
            source.device = None
            for code in source.map.keys:  # nothing is down on a device that is gone
                debouncer.edge((source.number, code), self._clock.now_ns(), False)
            what = tuple(dict.fromkeys(source.map.keys.values()))
            tell_trouble(self._on_trouble, ButtonTrouble("gone", what, self._clock.now_ns()))

    def _edge(self, source: _Source, event: InputEvent, debouncer: Debouncer[Line]) -> None:
        now_ns = self._clock.now_ns()
        assert source.device is not None
        timed = source.device.monotonic and abs(now_ns - event.at_ns) <= _OTHER_CLOCK_NS
        if timed:
            source.foreign.discard(event.code)
        else:
            source.foreign.add(event.code)
        debouncer.edge((source.number, event.code), event.at_ns if timed else now_ns, event.down)

    def _ask_anew(self, source: _Source, debouncer: Debouncer[Line]) -> None:
        assert source.device is not None
        down = source.device.down()
        for code in source.map.keys:
            source.foreign.add(code)
            debouncer.edge((source.number, code), self._clock.now_ns(), code in down)

    def _take_up(self, source: _Source, debouncer: Debouncer[Line]) -> None:
        """Open a device again that was unplugged."""
        try:
            source.device = self._found(source.map)
        except ButtonBackendError as error:
            log.debug("not back yet: %s", error)
        else:
            log.info("%s is back", source.device.name)

    def _tell(self, sources: list[_Source], debouncer: Debouncer[Line]) -> None:
        for told in debouncer.due(self._clock.now_ns()):
            source = sources[told.line[0]]
            seat, button = source.map.keys[told.line[1]]
            timed = told.line[1] not in source.foreign
            deliver(self._on_press, Press(seat, button, told.edge_ns, "input", kernel_timed=timed))
        for trouble in debouncer.troubles():
            if trouble.kind == "together":
                continue  # of one USB report, as is quite usual
            what = tuple(sources[number].map.keys[code] for number, code in trouble.lines)
            tell_trouble(self._on_trouble, ButtonTrouble(trouble.kind, what, trouble.at_ns))


def _close(sources: Iterable[_Source]) -> None:
    for source in sources:
        if source.device is not None:
            source.device.close()


@dataclass(frozen=True, slots=True)
class PressedKey:
    """A key that went down: of which device (name and path), and its name as a key map has it."""

    device: str
    path: str
    key: str


class KeyListener:
    """Tells which key of which device is pressed, for finding out what to write into a key map.

    Use it as a context manager. Devices that may not be opened are left out; `refused` counts them.
    """

    def __init__(self, devices: Callable[[], Iterable[str]] = input_devices) -> None:
        self._paths = devices
        self._open: list[InputDevice] = []
        self.refused = 0

    def __enter__(self) -> KeyListener:
        for path in self._paths():
            try:
                self._open.append(InputDevice(path))
            except ButtonBackendError as error:
                log.info("not listened to: %s", error)
                self.refused += 1
        return self

    def __exit__(self, *_: object) -> None:
        for device in self._open:
            device.close()
        self._open.clear()

    @property
    def devices(self) -> list[str]:
        """The names of the devices that are listened to."""
        return [device.name for device in self._open]

    def next(self, timeout_s: float) -> PressedKey | None:
        """The next key that goes down; None when none did within `timeout_s`."""
        ready, _, _ = select.select(self._open, [], [], timeout_s)
        for device in ready:
            try:
                for event in device.read():
                    if event.down and not event.dropped:
                        return PressedKey(device.name, device.path, key_name(event.code))
            except OSError:
                device.close()
                self._open.remove(device)
        return None
