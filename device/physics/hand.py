"""How a hand goes that throws dice: shaken a little, swung forward, tipped over so that they fall out, drawn back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from device.physics.world import LIP_CM

__all__ = ["Swing"]

SETTLE_S = 0.16
"""Dice fall into the hollow and come to lie before anything is shaken."""


@dataclass(frozen=True, slots=True)
class Swing:
    """A throw as the hand makes it; call it with a time in s for x, z in cm and pitch in rad.

    Attributes:
        speed_cm_s: how fast it goes forward when it lets go.
        height_cm: how high the palm is over the table.
        tip_rad_s: how fast it tips over.
        tip_rad: how far.
        shake_cm: how far it is shaken, to and fro.
        shake_s: how long a shake takes.
    """

    speed_cm_s: float
    height_cm: float
    tip_rad_s: float
    tip_rad: float
    shake_cm: float
    shake_s: float

    @property
    def swing_s(self) -> float:
        """When the swing begins: after two shakes."""
        return SETTLE_S + 2 * self.shake_s

    @property
    def tip_s(self) -> float:
        """When it begins to tip over."""
        return self.swing_s + 0.08

    @property
    def open_s(self) -> float:
        """When it has tipped over."""
        return self.tip_s + self.tip_rad / self.tip_rad_s + 0.1

    def __call__(self, at_s: float) -> tuple[float, float, float]:
        """Where the hand is."""
        rise_s, stay_s, fall_s = 0.10, 0.06, 0.12
        v = self.speed_cm_s
        t = at_s - self.swing_s
        if t < 0:
            shaken = at_s - SETTLE_S
            x = self.shake_cm * np.sin(2 * np.pi * shaken / self.shake_s) if shaken > 0 else 0.0
        else:
            up, even, down = min(t, rise_s), min(max(t - rise_s, 0), stay_s), min(max(t - rise_s - stay_s, 0), fall_s)
            x = v * (up * up / (2 * rise_s) + even + down - down * down / (2 * fall_s))
        tip = at_s - self.tip_s
        pitch = 0.0
        if tip > 0:
            share = min(1.0, tip * self.tip_rad_s / self.tip_rad)
            pitch = self.tip_rad * share * share * (3 - 2 * share)
        away = max(0.0, at_s - self.open_s)
        # It tips about the tips of the fingers, as one pours.
        x += LIP_CM * (1 - np.cos(pitch)) - 60 * away * away
        z = self.height_cm + LIP_CM * np.sin(pitch) + 300 * away * away
        return float(x), float(z), float(pitch)
