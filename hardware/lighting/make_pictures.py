"""Draws the pictures of good and bad light in this folder: a rendered table under lamps that stand well and badly.

    .venv/bin/python hardware/lighting/make_pictures.py

Each picture is what a camera over the simulated table would give; `companion doctor` says of it what is written beside
it in README.md, and a test holds that.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

HERE: Final = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent))

from device.clock import NS_PER_S, ManualClock  # noqa: E402
from device.simulated import Lamp, SimulatedTable  # noqa: E402
from vision.light import encoded, linear  # noqa: E402

__all__ = ["FRAMES_PER_S", "SCENES", "frames"]

FRAMES_PER_S: Final = 15
JPEG_QUALITY: Final = 82
PRINTED_WIDTH_PX: Final = 960

Array = NDArray[Any]


def frames(scene: str, count: int = 1) -> list[Array]:
    """So many frames, (720, 1280, 3) uint8 BGR, of a table with dice and a card under the light of a scene."""
    clock, table = _table()
    table.light(Lamp(brightness=BRIGHTNESS.get(scene, 0.95)))
    made = []
    for number in range(count):
        clock.advance(NS_PER_S // FRAMES_PER_S)
        made.append(SCENES[scene](table.frame().image_bgr, number))
    return made


@cache
def _table() -> tuple[ManualClock, SimulatedTable]:
    clock = ManualClock()
    table = SimulatedTable(clock, 4, seed=3, fps=FRAMES_PER_S)
    table.show_card(12)
    return clock, table


def _as_it_is(image: Array, _number: int) -> Array:
    return image


def _from_one_side(image: Array, _number: int) -> Array:
    """One bare lamp, low, beside the left edge of the table: light falls with the square of the distance."""
    height, width = image.shape[:2]
    ys, xs = np.mgrid[:height, :width]
    x, y = xs / width + 0.3, ys / height - 0.5
    field = 1 / (x**2 + (y * height / width) ** 2 + 0.12) ** 1.2
    return _shaded(image, 1.15 * field / field.max())


def _mirrored(image: Array, _number: int) -> Array:
    """A bulb that the varnish of the table throws straight into the camera, far right."""
    height, width = image.shape[:2]
    ys, xs = np.mgrid[:height, :width]
    away = np.hypot((xs - 0.73 * width) / 60, (ys - 0.27 * height) / 42)
    spot = 3.0 * np.exp(-(away**2) / 2) + 0.25 * np.exp(-away / 1.6)
    return _levels(linear(image) + spot[..., None])


def _banded(image: Array, number: int) -> Array:
    """A dimmed lamp on 50 Hz mains: its flashes wander from frame to frame, for the rows are read one by one."""
    height = image.shape[0]
    seconds = number / FRAMES_PER_S + np.arange(height) / height * 0.025
    return _shaded(image, (0.8 + 0.2 * np.sin(2 * np.pi * 100 * seconds))[:, None])


def _shaded(image: Array, field: Array) -> Array:
    return _levels(linear(image) * field[..., None])


def _levels(light: Array) -> Array:
    return np.asarray(np.rint(encoded(light)), np.uint8)


SCENES: Final[dict[str, Callable[[Array, int], Array]]] = {
    "good": _as_it_is,
    "too-dark": _as_it_is,
    "too-bright": _as_it_is,
    "from-one-side": _from_one_side,
    "glare": _mirrored,
    "bands": _banded,
}
"""Name of a scene to what its light does to a frame, given the frame's number."""

BRIGHTNESS: Final = {"too-dark": 0.03, "too-bright": 2.2, "from-one-side": 1.1}


def main() -> None:
    """Write one JPEG for each scene."""
    for scene in SCENES:
        image = frames(scene)[-1]
        size_wh = (PRINTED_WIDTH_PX, round(image.shape[0] * PRINTED_WIDTH_PX / image.shape[1]))
        small = cv2.resize(image, size_wh, interpolation=cv2.INTER_AREA)
        path = HERE / f"{scene}.jpg"
        cv2.imwrite(str(path), small, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        print(path.relative_to(HERE.parent.parent))


if __name__ == "__main__":
    main()
