"""What vision says of one frame: dice and markers, each with its evidence, or why not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import dist

__all__ = ["COLOURS", "DieReading", "MarkerReading", "Point", "Reading", "Unreadable"]

Point = tuple[float, float]

COLOURS = (
    "white",
    "black",
    "grey",
    "red",
    "orange",
    "yellow",
    "green",
    "blue",
    "purple",
    "pink",
    "brown",
)
"""Every name that `DieReading.colour` and `pip_colour` may have."""


class Unreadable(StrEnum):
    """Why the value of a die cannot be told for sure."""

    GLARE = "glare"
    COVERED = "covered"
    TILTED = "tilted"
    BLURRED = "blurred"
    TOO_SMALL = "too small"
    AMBIGUOUS = "ambiguous"
    LOW_CONTRAST = "low contrast"
    CUT_OFF = "cut off"
    NOT_A_PIP_DIE = "not a pip die"
    HALF_DOMINO = "half of a domino"


@dataclass(frozen=True, slots=True)
class DieReading:
    """One die in one frame. Pixels are those of the image given to the reader, x to the right, y down.

    `value` is 1 to 6, or None with a `reason`. `confidence` is the chance (0..1) that the value is right,
    or, without a value, that an unreadable die lies here. `outline_px` holds the four corners of the top
    face clockwise; `pips_px` the pip centres found on it; `box_xyxy` encloses the outline. `colour` and
    `pip_colour` are names of COLOURS, `colour_bgr` and `pip_bgr` the median colours of body and pips (None where
    no pip was measured). `position_mm` is the centre on the table when its geometry is known.

    Raises ValueError when value and reason do not fit together.
    """

    value: int | None
    reason: Unreadable | None
    confidence: float
    box_xyxy: tuple[float, float, float, float]
    outline_px: tuple[Point, ...]
    pips_px: tuple[Point, ...]
    colour: str
    pip_colour: str
    colour_bgr: tuple[int, int, int]
    position_mm: Point | None = None
    pip_bgr: tuple[int, int, int] | None = None

    def __post_init__(self) -> None:
        if (self.value is None) == (self.reason is None):
            raise ValueError(f"A die has either a value or a reason: got value {self.value} and reason {self.reason}.")
        if self.value is not None and not 1 <= self.value <= 6:
            raise ValueError(f"A die shows 1 to 6: got {self.value}.")

    @property
    def centre_px(self) -> Point:
        """Centre of the top face, in pixels."""
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = self.outline_px
        return ((ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4)

    @property
    def side_px(self) -> float:
        """Mean length of the sides of the top face, in pixels."""
        a, b, c, d = self.outline_px
        return (dist(a, b) + dist(b, c) + dist(c, d) + dist(d, a)) / 4


@dataclass(frozen=True, slots=True)
class MarkerReading:
    """One marker: its id and its four corners in pixels, clockwise from the marker's own top left."""

    id: int
    corners_px: tuple[Point, Point, Point, Point]
    position_mm: Point | None = None

    @property
    def centre_px(self) -> Point:
        """Mean of the four corners, in pixels."""
        return (sum(x for x, _ in self.corners_px) / 4, sum(y for _, y in self.corners_px) / 4)


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything read from one frame of `size_wh` pixels.

    `exposure_start_ns` (monotonic) and `sequence` are those of the frame, None for a still picture.
    `stage_ms` tells how long each stage took, in milliseconds. `white_bgr` is what white paper is in its light, in
    levels 0..255, where markers show some (vision.light.paper_white).
    """

    size_wh: tuple[int, int]
    dice: tuple[DieReading, ...]
    markers: tuple[MarkerReading, ...]
    exposure_start_ns: int | None = None
    sequence: int | None = None
    stage_ms: Mapping[str, float] = field(default_factory=dict)
    white_bgr: tuple[float, float, float] | None = None
