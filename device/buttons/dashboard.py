"""Presses that come in over the web: honest, and marked as not timed by the kernel."""

from __future__ import annotations

from device.buttons.base import Press
from device.buttons.listened import ListenedButtons

__all__ = ["DashboardButtons"]


class DashboardButtons(ListenedButtons):
    """Buttons on a phone or on the judge's page; the web layer calls `press`."""

    def press(self, seat: int, button: str, edge_ns: int) -> Press:
        """Hand on a press that arrived at `edge_ns` (monotonic), and return it.

        Raises ButtonPinError for an unknown button or seat. While stopped the press goes nowhere.
        """
        return self._hand_on(Press(seat, button, edge_ns, source="dashboard", kernel_timed=False))
