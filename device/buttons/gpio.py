"""Buttons on the pins of a Raspberry Pi: between a pin and ground, pulled up inside.

The pin library is gpiozero over lgpio, named and never silently another, since only it gives the kernel's edge
time. Its own bounce_time stays off: it stamps an edge only once the contact was quiet, so that a noisy switch
loses a close race by as much as 23 ms. The debounce is ours (device.buttons.debounce).
"""

from __future__ import annotations

import importlib
import logging
import os
import queue
import threading
from collections.abc import Callable, Mapping
from typing import Any, Final

from device.buttons.base import ButtonTrouble, OnPress, OnTrouble, Press, checked_button, deliver, tell_trouble
from device.buttons.debounce import DEFAULT_TIMES, Debouncer, DebounceTimes
from device.clock import NS_PER_S, Clock
from device.errors import ButtonBackendError, ButtonBackendMissing, ButtonDirectoryError, ButtonPinError, DeviceError

__all__ = ["GpioButtons", "PinMap", "lgpio_factory"]

log = logging.getLogger(__name__)

PinMap = Mapping[int, tuple[int, str]]
"""BCM number of a pin to (seat, button)."""

_POLL_S: Final = 0.002
_HELD_POLL_S: Final = 0.25
"""How often a button that is down is looked at, lest it be stuck."""
_JOIN_S: Final = 5.0
_OTHER_CLOCK_NS: Final = 10 * NS_PER_S
"""An edge this far from now was stamped by another clock."""
_RESERVED_PINS: Final = frozenset({0, 1})
"""Pins of the HAT's identity chip."""


def lgpio_factory() -> Any:
    """gpiozero's lgpio pin factory. Raises ButtonDirectoryError, ButtonBackendMissing, ButtonBackendError.

    Importing lgpio makes a FIFO in the working directory, so that must be writable; nothing is imported before
    pin buttons are asked for.
    """
    if not os.access(".", os.W_OK):
        raise ButtonDirectoryError(
            f"the working directory {os.getcwd()} is not writable, which the pin library lgpio needs for a FIFO; "
            "start the program in a folder of its own (a service: WorkingDirectory=)"
        )
    try:
        factory: Any = importlib.import_module("gpiozero.pins.lgpio").LGPIOFactory
    except Exception as error:
        raise ButtonBackendMissing(
            f"the pin library lgpio cannot be imported ({error}); it gives the kernel's edge time and nothing is "
            "used in its place; install it with 'sudo apt install python3-lgpio', or take keyboard buttons"
        ) from error
    try:
        return factory()
    except Exception as error:
        raise ButtonBackendError(
            f"lgpio cannot open the pins ({error}); expected a Raspberry Pi and a user in the group 'gpio'; add "
            "the user and log in again, or take keyboard buttons"
        ) from error


class GpioButtons:
    """Pin buttons by `pins`; the pin factory is made at `start`, by `make_factory`.

    Edges are stamped by the kernel, only queued in the pin callback, and debounced in a thread of their own;
    presses arrive in the order of their edges, a few milliseconds after them (DebounceTimes.hold_ns). What is wrong
    with a switch or a wire goes to `on_trouble`. Should the kernel stamp edges by another clock than `clock`, presses
    still come, timed by the program and marked so.
    """

    def __init__(
        self,
        clock: Clock,
        pins: PinMap,
        *,
        times: DebounceTimes = DEFAULT_TIMES,
        make_factory: Callable[[], Any] = lgpio_factory,
        on_trouble: OnTrouble | None = None,
    ) -> None:
        self._on_trouble = on_trouble
        self._clock_told = False
        self._clock = clock
        self._pins = dict(pins)
        self._times = times
        self._make_factory = make_factory
        self._edges: queue.SimpleQueue[tuple[int, int, bool] | None] = queue.SimpleQueue()
        self._held_pins: list[Any] = []
        self._factory: Any = None
        self._thread: threading.Thread | None = None
        self._on_press: OnPress | None = None
        used: dict[tuple[int, str], int] = {}
        for number, (seat, button) in self._pins.items():
            checked_button(seat, button)
            if number in _RESERVED_PINS or not 0 <= number <= 27:
                raise ButtonPinError(f"pin {number} is not free for a button; choose one of BCM 2 to 27")
            if (seat, button) in used:
                raise ButtonPinError(
                    f"pins {used[seat, button]} and {number} are both {button} of seat {seat}; give each its own"
                )
            used[seat, button] = number

    def start(self, on_press: OnPress) -> None:
        """Take the pins and give every press to `on_press`, in a thread of the buttons."""
        self._on_press = on_press
        if self._thread is not None:
            return
        self._factory = self._make_factory()
        self._edges = queue.SimpleQueue()
        try:
            closed = [number for number in self._pins if self._listen(number)]
        except DeviceError:
            self._let_go()
            raise
        except Exception as error:
            self._let_go()
            raise ButtonBackendError(
                f"a pin cannot be used ({error}); expected pins {sorted(self._pins)} to be free; stop what else "
                "uses them (gpioinfo tells)"
            ) from error
        debouncer = Debouncer(self._pins, times=self._times, closed=closed)
        self._thread = threading.Thread(
            target=self._run, args=(debouncer, self._edges), name="gpio buttons", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Let go of the pins; no press comes after this returns."""
        self._on_press = None
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._let_go()
        self._edges.put(None)
        if thread is not threading.current_thread():
            thread.join(_JOIN_S)

    def _listen(self, number: int) -> bool:
        """Set one pin up; True when its button is held down already."""
        pin = self._factory.pin(number)
        edges = self._edges

        def on_edge(ticks: float, state: int) -> None:
            # Kernel CLOCK_MONOTONIC in seconds; pressed pulls the pin low. Only queue: this thread is the library's.
            edges.put((number, round(ticks * 1e9), not state))

        pin.function = "input"
        pin.pull = "up"
        pin.bounce = None
        pin.edges = "both"
        self._held_pins.append((pin, on_edge))  # gpiozero keeps only a weak reference to the callback
        pin.when_changed = on_edge
        return not pin.state

    def _let_go(self) -> None:
        for pin, _ in self._held_pins:
            try:
                pin.when_changed = None
                pin.close()
            except Exception as error:
                log.warning("letting go of a pin: %s", error)
        self._held_pins.clear()
        factory, self._factory = self._factory, None
        if factory is not None:
            try:
                factory.close()
            except Exception as error:
                log.warning("letting go of the pins: %s", error)

    def _run(self, debouncer: Debouncer[int], edges: queue.SimpleQueue[tuple[int, int, bool] | None]) -> None:
        foreign: set[int] = set()
        while True:
            try:
                edge = edges.get(timeout=_POLL_S if debouncer.pending else _HELD_POLL_S if debouncer.down else None)
            except queue.Empty:
                pass
            else:
                if edge is None:
                    return
                number, edge_ns, closed = edge
                if abs(self._clock.now_ns() - edge_ns) > _OTHER_CLOCK_NS:
                    foreign.add(number)
                    self._tell_clock(number, edge_ns)
                    edge_ns = self._clock.now_ns()
                else:
                    foreign.discard(number)
                debouncer.edge(number, edge_ns, closed)
                continue  # take every edge that is waiting before deciding: one may be older than another's press
            for press in debouncer.due(self._clock.now_ns()):
                seat, button = self._pins[press.line]
                timed = press.line not in foreign
                deliver(self._on_press, Press(seat, button, press.edge_ns, "gpio", kernel_timed=timed))
            for trouble in debouncer.troubles():
                what = tuple(self._pins[line] for line in trouble.lines)
                tell_trouble(self._on_trouble, ButtonTrouble(trouble.kind, what, trouble.at_ns))

    def _tell_clock(self, number: int, edge_ns: int) -> None:
        """Say once that edges cannot be compared with frames, and by how much."""
        if self._clock_told:
            return
        self._clock_told = True
        log.warning("pin %d was stamped %d ns by the kernel, now is %d ns", number, edge_ns, self._clock.now_ns())
        tell_trouble(self._on_trouble, ButtonTrouble("clock", (self._pins[number],), self._clock.now_ns()))
