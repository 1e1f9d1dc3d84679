"""Which mode of a Raspberry Pi's sensor to ask for: one that sees all that the lens shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["widest_mode"]


def widest_mode(modes: Sequence[Mapping[str, Any]], size_wh: tuple[int, int]) -> dict[str, Any] | None:
    """What picamera2 takes as `sensor` for the mode that shows most, and of these the smallest of at least `size_wh`.

    Left to itself libcamera takes the mode nearest in size, which on a Camera Module 3 (IMX708) is cut out of the
    middle: at 1280x720 two thirds of the width. `modes` are those of `Picamera2.sensor_modes`, with `size`, `bit_depth`
    and `crop_limits` (x, y, width, height on the sensor). None when no mode is large enough or they do not tell.
    """
    fitting = [
        mode
        for mode in modes
        if {"size", "bit_depth", "crop_limits"} <= mode.keys()
        and mode["size"][0] >= size_wh[0]
        and mode["size"][1] >= size_wh[1]
    ]
    if not fitting:
        return None
    best = min(fitting, key=lambda mode: (-_area(mode["crop_limits"][2:]), _area(mode["size"])))
    return {"output_size": tuple(best["size"]), "bit_depth": best["bit_depth"]}


def _area(size_wh: Sequence[int]) -> int:
    width, height = size_wh
    return width * height
