"""Bands that flickering lamps draw over a picture, and exposures that have none.

A sensor reads its rows one after another, each exposed a little later than the one above. Under a lamp that flickers
with twice the frequency of the mains, rows get more or less light, and the picture has bands that wander. An exposure
of whole flicker periods (10 ms at 50 Hz, 8 1/3 ms at 60 Hz) gives every row the same light.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from device.frames import checked_bgr

__all__ = ["BANDS_SHOW", "FREE_OF_BANDS_US", "band_amplitude", "flicker_period_us", "whole_periods"]

BANDS_SHOW: Final = 0.015
"""Bands stronger than this share of the brightness are worth avoiding; noise and JPEG leave less than a third of it."""

FREE_OF_BANDS_US: Final = 50_000.0
"""The shortest exposure of whole flicker periods at 50 Hz (five) and 60 Hz (six) alike: a picture to compare with."""

_DARKEST, _BRIGHTEST = 16, 240
"""Grey levels outside say nothing of the light."""
_LEAST_SHARE: Final = 0.05
"""So much of each row must be within those levels."""
_MOST_CYCLES: Final = 60


def flicker_period_us(mains_hz: float) -> float:
    """Length of one flicker of a lamp in microseconds: half a period of the mains. ValueError unless above 0."""
    if mains_hz <= 0:
        raise ValueError(f"mains of {mains_hz:g} Hz asked for; it is 50 or 60 Hz")
    return 1e6 / (2 * mains_hz)


def whole_periods(exposure_us: float, mains_hz: float, longest_us: float) -> float | None:
    """The exposure of whole flicker periods nearest to `exposure_us`, at most `longest_us`.

    None when not even one period is allowed, or when one period is more than 1.5 times what the light asks for: in
    light that bright the sun outshines the lamps, and a longer exposure would only be white.
    """
    period_us = flicker_period_us(mains_hz)
    most = int(longest_us / period_us + 1e-9)
    if most < 1 or period_us > 1.5 * exposure_us:
        return None
    return min(most, max(1, round(exposure_us / period_us))) * period_us


def band_amplitude(image_bgr: NDArray[Any], without_bands_bgr: NDArray[Any]) -> float | None:
    """How strong the bands of a picture are, as a share of its brightness.

    Both pictures are (H, W, 3) uint8 BGR and show the same still table with the same colours; the second has no bands
    (an exposure of FREE_OF_BANDS_US). What is on the table cancels in their quotient, row by row, and the strongest
    ripple that is left is measured. None when too little of the pictures is neither black nor white.
    """
    first = checked_bgr(image_bgr, "a picture with bands").mean(axis=2)
    second = checked_bgr(without_bands_bgr, "a picture without bands").mean(axis=2)
    if first.shape != second.shape:
        raise ValueError(f"pictures of {first.shape} and {second.shape} cannot be compared; give two of one size")
    fair = (first > _DARKEST) & (first < _BRIGHTEST) & (second > _DARKEST) & (second < _BRIGHTEST)
    if fair.mean(axis=1).min() < _LEAST_SHARE:
        return None
    quotient = np.where(fair, first / np.maximum(second, 1), np.nan)
    rows = np.nanmean(quotient, axis=1)
    rows = rows / rows.mean() - 1
    height = len(rows)
    places = np.linspace(-1, 1, height)
    rows = rows - np.polyval(np.polyfit(places, rows, 1), places)
    padded = 8 * height
    ripples = 2 * np.abs(np.fft.rfft(rows, padded)) / height
    least, most = padded // height, min(_MOST_CYCLES * padded // height, len(ripples) - 1)
    return float(ripples[least : most + 1].max())
