"""Samples of dice, as frames show them, for the parts of the tracker that look at no pixels."""

from __future__ import annotations

import numpy as np

from vision.readings import DieReading, Point, Unreadable
from vision.tracking.track import Sample

FRAME_NS = 33_333_333
GREY = np.array([60.0, 0.0, 0.0], np.float32)


def sample(
    frame: int,
    place: Point,
    value: int | None,
    cover: float = 0.0,
    *,
    side_px: float = 30.0,
    hue: np.ndarray = GREY,
    moves: bool = True,
) -> Sample:
    """A die seen in a frame at a place, turned to the sides of the picture; without a value it is blurred."""
    x, y = place
    half = side_px / 2
    outline = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    reading = DieReading(
        value, None if value else Unreadable.BLURRED, 0.9, (x - half, y - half, x + half, y + half), outline, (),
        "red", "white", (40, 40, 200),
    )  # fmt: skip
    return Sample(frame * FRAME_NS, reading, hue, cover, cover > 0, moves, place, place, side_px)
