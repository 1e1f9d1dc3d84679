"""Presses made by a program, stamped as the kernel would stamp them."""

from __future__ import annotations

from device.buttons.base import Press
from device.buttons.listened import ListenedButtons
from device.clock import Clock

__all__ = ["SimulatedButtons"]


class SimulatedButtons(ListenedButtons):
    """The buttons of the simulated table: `press` at once gives a press at the clock's time."""

    def __init__(self, clock: Clock, *, source: str = "simulated") -> None:
        super().__init__()
        self._clock = clock
        self._source = source

    def press(self, seat: int, button: str, edge_ns: int | None = None) -> Press:
        """Press `button` of `seat` at `edge_ns` (now when not given) and return the press.

        Raises ButtonPinError for an unknown button or seat. Before `start` the press goes nowhere.
        """
        at_ns = self._clock.now_ns() if edge_ns is None else edge_ns
        return self._hand_on(Press(seat, button, at_ns, self._source, kernel_timed=True))
