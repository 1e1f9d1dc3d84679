"""Lamps over the simulated table, and what a camera's white balance makes of their light."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from device.errors import SceneError

__all__ = ["DAYLIGHT", "Lamp", "light_of"]

_FROM_XYZ: Final = np.array([[0.0557, -0.2040, 1.0570], [-0.9689, 1.8758, 0.0415], [3.2406, -1.5372, -0.4986]])
"""From X, Y, Z to light (B, G, R) of sRGB."""
_GAMMA: Final = 2.2


def light_of(kelvin: float) -> NDArray[np.float64]:
    """Light (B, G, R) of a black body of 1667 to 25000 K, its brightest channel 1.

    The locus in CIE x and y is the cubic approximation of Kim et al. (2002). Raises SceneError outside its range.
    """
    if not 1667 <= kelvin <= 25000:
        raise SceneError(f"a lamp of {kelvin:g} K asked for; lamps have 1667 to 25000 K")
    t = kelvin / 1000
    if t < 4:
        x = -0.2661239 / t**3 - 0.2343589 / t**2 + 0.8776956 / t + 0.179910
    else:
        x = -3.0258469 / t**3 + 2.1070379 / t**2 + 0.2226347 / t + 0.240390
    if t < 2.222:
        y = -1.1063814 * x**3 - 1.34811020 * x**2 + 2.18555832 * x - 0.20219683
    elif t < 4:
        y = -0.9549476 * x**3 - 1.37418593 * x**2 + 2.09137015 * x - 0.16748867
    else:
        y = 3.0817580 * x**3 - 5.87338670 * x**2 + 3.75112997 * x - 0.37001483
    bgr = np.maximum(_FROM_XYZ @ (x / y, 1.0, (1 - x - y) / y), 0.01)
    return np.asarray(bgr / bgr.max())


@dataclass(frozen=True, slots=True)
class Lamp:
    """The light over the table, against the even daylight that it is drawn in.

    Attributes:
        kelvin: its colour temperature; daylight has about 6500.
        brightness: of its brightest channel as the sensor has it, 1 as it is drawn.
        balanced: share (0 to 1) of its colour that the camera's white balance takes out.
        tint: factor of its green, for lamps that are no black bodies.
    """

    kelvin: float = 6500.0
    brightness: float = 1.0
    balanced: float = 0.5
    tint: float = 1.0

    @property
    def gains(self) -> NDArray[np.float64]:
        """Factors (B, G, R) of the light, by channel."""
        cast = light_of(self.kelvin) / light_of(6500.0) * (1.0, self.tint, 1.0)
        left = cast ** (1 - self.balanced)
        return np.asarray(self.brightness * left / left.max())

    def lit(self, picture: NDArray[Any]) -> NDArray[Any]:
        """A picture (H, W, 3) uint8 BGR, drawn in daylight, in this light: each channel by itself (von Kries)."""
        if self == DAYLIGHT:
            return picture
        levels = np.arange(256)[:, None] * self.gains ** (1 / _GAMMA)
        table = np.rint(levels.clip(0, 255)).astype(np.uint8)
        return np.stack([table[picture[..., k], k] for k in range(3)], axis=-1)


DAYLIGHT: Final = Lamp()
"""The light that everything is drawn in."""
