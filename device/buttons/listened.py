"""Buttons that a program presses: who listens, and how a press reaches them."""

from __future__ import annotations

import threading

from device.buttons.base import OnPress, Press, checked_button, deliver

__all__ = ["ListenedButtons"]


class ListenedButtons:
    """Keeps the listener; any thread may press."""

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

    def _hand_on(self, press: Press) -> Press:
        """Hand on a press, and return it; while stopped it goes nowhere.

        Raises ButtonPinError for an unknown button or seat.
        """
        checked_button(press.seat, press.button)
        with self._lock:
            on_press = self._on_press
        deliver(on_press, press)
        return press
