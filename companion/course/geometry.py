"""Where dots and paths of a wedge are drawn: around the centre of the course, twelve wedges to the circle.

Units are those of the drawing; the centre of the course is (0, 0), x runs to the right and y down. An angle is in
degrees clockwise from straight up. A wedge stands upright: paths come in at its left edge and leave at its right one.
"""

from __future__ import annotations

from math import cos, radians, sin
from typing import NamedTuple

from rules.greece_lightning.components import PLACES
from rules.greece_lightning.wedges import Path, Wedge, lane_in, lane_out

__all__ = [
    "DOT",
    "INNER",
    "LANE",
    "SPAN_DEGREES",
    "Curve",
    "Point",
    "curve_of",
    "dot_angle",
    "lane_radius",
    "outer_radius",
    "polar",
    "radius_of",
]

SPAN_DEGREES = 360 / PLACES
"""Angle of one wedge."""

INNER = 300.0
"""Radius of the hole for the central piece."""

LANE = 80.0
"""Distance between two lanes."""

DOT = 8.0
"""Radius of a dot."""


class Point(NamedTuple):
    """A point of the drawing."""

    x: float
    y: float


class Curve(NamedTuple):
    """A cubic Bézier curve."""

    start: Point
    first: Point
    second: Point
    end: Point

    def at(self, part: float) -> Point:
        """The point after this part of the curve, 0 to 1."""
        rest = 1 - part
        weights = rest**3, 3 * rest**2 * part, 3 * rest * part**2, part**3
        return Point(
            sum(weight * point.x for weight, point in zip(weights, self, strict=True)),
            sum(weight * point.y for weight, point in zip(weights, self, strict=True)),
        )


def polar(radius: float, angle: float) -> Point:
    """The point at this distance from the centre and this angle."""
    return Point(radius * sin(radians(angle)), -radius * cos(radians(angle)))


def lane_radius(lane: int) -> float:
    """Distance of a lane from the centre."""
    return radius_of(10 * lane)


def radius_of(lane_tenths: int) -> float:
    """Distance from the centre of what lies so many tenths of a lane out."""
    return INNER + LANE * (lane_tenths / 10 - 0.5)


def outer_radius(lanes: int) -> float:
    """Distance of the rim of a wedge with so many lanes."""
    return INNER + LANE * lanes


def dot_angle(along_percent: int, middle: float = 0.0) -> float:
    """Angle of what lies so far clockwise on the wedge whose middle is at an angle."""
    return middle + SPAN_DEGREES * (along_percent / 100 - 0.5)


def curve_of(path: Path, wedge: Wedge, middle: float = 0.0) -> Curve:
    """The curve of a path of a wedge whose middle is at an angle: it leaves and arrives along its lanes."""
    (begin, begin_angle), (end, end_angle) = _end(path.start, wedge, middle), _end(path.end, wedge, middle)
    third = (end_angle - begin_angle) / 2.4
    return Curve(
        polar(begin, begin_angle),
        polar(begin, begin_angle + third),
        polar(end, end_angle - third),
        polar(end, end_angle),
    )


def _end(end: str, wedge: Wedge, middle: float) -> tuple[float, float]:
    """Radius and angle of an end of a path."""
    for lane, along in ((lane_in(end), 0), (lane_out(end), 100)):
        if lane is not None:
            return lane_radius(lane), dot_angle(along, middle)
    dot = wedge.dot(end)
    return radius_of(dot.lane_tenths), dot_angle(dot.along_percent, middle)
