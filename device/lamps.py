"""Lamps at the seats and on the judge's box, and the buzzer: what they show, and the pins that show it.

What is shown differs in rhythm and not in colour alone, and no lamp flashes more than three times a second.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol, runtime_checkable

from device.buttons.gpio import lgpio_factory
from device.clock import NS_PER_MS, NS_PER_S, Clock
from device.errors import ButtonBackendError, DeviceError
from device.pins import PinPlan

__all__ = [
    "BAD",
    "BUZZ_BAD",
    "BUZZ_FIRST",
    "BUZZ_GOOD",
    "BUZZ_TURN",
    "FIRST",
    "GOOD",
    "TURN",
    "GpioLamps",
    "LampBoard",
    "Lamps",
    "Pattern",
    "RememberedLamps",
]

log = logging.getLogger(__name__)

_JOIN_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class Pattern:
    """A rhythm: lit and dark times in ms, in turn, beginning lit; `again` repeats it for ever."""

    steps_ms: tuple[int, ...]
    again: bool = False

    def __post_init__(self) -> None:
        if not self.steps_ms or min(self.steps_ms) <= 0:
            raise ValueError(f"a pattern needs lit and dark times above 0 ms, not {self.steps_ms}")
        if self.again and len(self.steps_ms) % 2:
            raise ValueError(f"a pattern that repeats ends dark, so it has an even number of times: {self.steps_ms}")

    @property
    def length_ns(self) -> int:
        """How long it takes once."""
        return sum(self.steps_ms) * NS_PER_MS

    def at(self, since_ns: int) -> tuple[bool, int | None]:
        """Whether it is lit so long after its beginning, and how long until that changes; None once it is over."""
        if since_ns >= self.length_ns and not self.again:
            return False, None
        left_ns = since_ns % self.length_ns
        for place, step_ms in enumerate(self.steps_ms):
            if left_ns < step_ms * NS_PER_MS:
                return place % 2 == 0, step_ms * NS_PER_MS - left_ns
            left_ns -= step_ms * NS_PER_MS
        raise AssertionError("unreachable")


FIRST: Final = Pattern((4000,))
"""At a seat: was first. It stays lit."""
TURN: Final = Pattern((900, 600), again=True)
"""At a seat: its turn. It breathes slowly until the turn passes."""
GOOD: Final = Pattern((2500,))
"""The judge's good lamp: it stays lit."""
BAD: Final = Pattern((300, 300, 300, 300, 300, 1000))
"""The judge's bad lamp: three flashes."""
BUZZ_FIRST: Final = Pattern((60,))
"""A click: a press was taken."""
BUZZ_GOOD: Final = Pattern((500,))
"""One long tone."""
BUZZ_BAD: Final = Pattern((120, 100, 120, 100, 120))
"""Three short tones."""
BUZZ_TURN: Final = Pattern((80, 120, 80))
"""Two short tones."""


@runtime_checkable
class Lamps(Protocol):
    """What shows; every method may be called from any thread, returns at once and never raises."""

    def light(self, seat: int, lamp: str, pattern: Pattern | None) -> None:
        """Show a pattern on a lamp ("lamp" of a seat, "good" or "bad" of seat 0); None lets it go dark.

        One that repeats goes on beneath one that ends.
        """
        ...

    def buzz(self, pattern: Pattern) -> None:
        """Sound a pattern; it takes the place of one that sounds."""
        ...

    def close(self) -> None:
        """Dark and silent for good."""
        ...


class RememberedLamps:
    """Lights nothing and remembers what it was asked for, in `lit` and `buzzed`."""

    def __init__(self) -> None:
        self.lit: list[tuple[int, str, Pattern | None]] = []
        self.buzzed: list[Pattern] = []

    def light(self, seat: int, lamp: str, pattern: Pattern | None) -> None:
        """Remember it."""
        self.lit.append((seat, lamp, pattern))

    def buzz(self, pattern: Pattern) -> None:
        """Remember it."""
        self.buzzed.append(pattern)

    def close(self) -> None:
        """Nothing to close."""


class LampBoard:
    """What every output should be at a moment: pure, time is given."""

    def __init__(self, plan: PinPlan) -> None:
        self._pins = dict(plan.lamps)
        self._buzzer = plan.buzzer
        self._lasting: dict[int, tuple[Pattern, int]] = {}
        self._passing: dict[int, tuple[Pattern, int]] = {}

    @property
    def pins(self) -> tuple[int, ...]:
        """Every output, as BCM numbers."""
        return (*self._pins.values(), *(() if self._buzzer is None else (self._buzzer,)))

    def light(self, seat: int, lamp: str, pattern: Pattern | None, now_ns: int) -> None:
        """As `Lamps.light`; a lamp that the pin map does not have is left out."""
        number = self._pins.get((seat, lamp))
        if number is None:
            return
        if pattern is None:
            self._lasting.pop(number, None)
            self._passing.pop(number, None)
        elif not pattern.again:
            self._passing[number] = (pattern, now_ns)
        elif self._lasting.get(number, (None, 0))[0] != pattern:  # what is on already keeps its rhythm
            self._lasting[number] = (pattern, now_ns)

    def buzz(self, pattern: Pattern, now_ns: int) -> None:
        """As `Lamps.buzz`."""
        if self._buzzer is not None:
            self._passing[self._buzzer] = (pattern, now_ns)

    def at(self, now_ns: int) -> tuple[dict[int, bool], int | None]:
        """BCM number to lit or not, and when to ask again; None when nothing will change by itself."""
        levels: dict[int, bool] = {}
        changes: list[int] = []
        for number in self.pins:
            levels[number] = False
            for shown in (self._passing, self._lasting):
                if number not in shown:
                    continue
                pattern, began_ns = shown[number]
                lit, left_ns = pattern.at(now_ns - began_ns)
                if left_ns is None:
                    del shown[number]
                    continue
                levels[number] = lit
                changes.append(now_ns + left_ns)
                break
        return levels, min(changes, default=None)


class GpioLamps:
    """Lamps and buzzer on the pins of a Raspberry Pi, high when lit; a thread of their own keeps their rhythm.

    A pin that fails is logged, and the table goes on without it.
    """

    def __init__(self, clock: Clock, plan: PinPlan, *, make_factory: Callable[[], Any] = lgpio_factory) -> None:
        """Take the pins, dark. Raises ButtonDirectoryError, ButtonBackendMissing, ButtonBackendError."""
        self._clock = clock
        self._board = LampBoard(plan)
        self._changed = threading.Condition()
        self._closed = False
        self._shown: dict[int, bool] = {}
        self._broken: set[int] = set()
        self._factory = make_factory()
        self._pins: dict[int, Any] = {}
        try:
            for number in self._board.pins:
                pin = self._factory.pin(number)
                pin.function = "output"
                pin.state = False
                self._pins[number] = pin
                self._shown[number] = False
        except Exception as error:
            self._let_go()
            if isinstance(error, DeviceError):
                raise
            raise ButtonBackendError(
                f"a lamp's pin cannot be used ({error}); expected pins {sorted(self._board.pins)} to be free; stop "
                "what else uses them (gpioinfo tells), and switch the serial console off (raspi-config)"
            ) from error
        self._thread = threading.Thread(target=self._run, name="lamps", daemon=True)
        self._thread.start()

    def light(self, seat: int, lamp: str, pattern: Pattern | None) -> None:
        """See `Lamps.light`."""
        with self._changed:
            self._board.light(seat, lamp, pattern, self._clock.now_ns())
            self._changed.notify_all()

    def buzz(self, pattern: Pattern) -> None:
        """See `Lamps.buzz`."""
        with self._changed:
            self._board.buzz(pattern, self._clock.now_ns())
            self._changed.notify_all()

    def close(self) -> None:
        """Everything dark and silent, and the pins given back."""
        with self._changed:
            if self._closed:
                return
            self._closed = True
            self._changed.notify_all()
        if self._thread is not threading.current_thread():
            self._thread.join(_JOIN_S)

    def _run(self) -> None:
        with self._changed:
            while not self._closed:
                levels, again_ns = self._board.at(self._clock.now_ns())
                for number, lit in levels.items():
                    self._set(number, lit)
                left_s = None if again_ns is None else max(0.0, (again_ns - self._clock.now_ns()) / NS_PER_S)
                self._changed.wait(left_s)
            for number in self._pins:
                self._set(number, False)
            self._let_go()

    def _set(self, number: int, lit: bool) -> None:
        if self._shown[number] == lit or number in self._broken:
            return
        try:
            self._pins[number].state = lit
        except Exception as error:
            self._broken.add(number)
            log.warning("the lamp on pin %d does not work and is left out: %s", number, error)
        else:
            self._shown[number] = lit

    def _let_go(self) -> None:
        try:
            for pin in self._pins.values():
                pin.close()
            self._factory.close()
        except Exception as error:
            log.warning("letting go of the lamps: %s", error)
