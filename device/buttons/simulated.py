"""Presses made by a program, stamped as the kernel would stamp them."""

from __future__ import annotations

import threading

from device.buttons.base import OnPress, Press, checked_button, deliver
from device.clock import Clock

__all__ = ["SimulatedButtons"]


class SimulatedButtons:
    """The buttons of the simulated table: `press` at once gives a press at the clock's time."""

    def __init__(self, clock: Clock, *, source: str = "simulated") -> None:
        self._clock = clock
        self._source = source
        self._lock = threading.Lock()
        self._on_press: OnPress | None = None

    def start(self, on_press: OnPress) -> None:
        """Give every press from now on to `on_press`."""
        with self._lock:
            self._on_press = on_press

    def stop(self) -> None:
        """Give no more presses."""
        with self._lock:
            self._on_press = None

    def press(self, seat: int, button: str, edge_ns: int | None = None) -> Press:
        """Press `button` of `seat` at `edge_ns` (now when not given) and return the press.

        Raises ButtonPinError for an unknown button or seat. Before `start` the press goes nowhere.
        """
        checked_button(seat, button)
        at_ns = self._clock.now_ns() if edge_ns is None else edge_ns
        press = Press(seat=seat, button=button, edge_ns=at_ns, source=self._source, kernel_timed=True)
        with self._lock:
            on_press = self._on_press
        deliver(on_press, press)
        return press
