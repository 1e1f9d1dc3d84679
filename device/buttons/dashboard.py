"""Presses that come in over the web: honest, and marked as not timed by the kernel."""

from __future__ import annotations

import threading

from device.buttons.base import OnPress, Press, checked_button, deliver

__all__ = ["DashboardButtons"]


class DashboardButtons:
    """Buttons on a phone or on the judge's page; the web layer calls `press`."""

    def __init__(self) -> None:
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

    def press(self, seat: int, button: str, edge_ns: int) -> Press:
        """Hand on a press that arrived at `edge_ns` (monotonic), and return it.

        Raises ButtonPinError for an unknown button or seat. While stopped the press goes nowhere.
        """
        checked_button(seat, button)
        press = Press(seat=seat, button=button, edge_ns=edge_ns, source="dashboard", kernel_timed=False)
        with self._lock:
            on_press = self._on_press
        deliver(on_press, press)
        return press
