"""A wedge of the course as an SVG drawing of our own, with its text alternative.

The same wedge gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from math import hypot
from typing import TYPE_CHECKING

from companion.course.geometry import (
    DOT,
    INNER,
    SPAN_DEGREES,
    Curve,
    Point,
    curve_of,
    dot_angle,
    lane_radius,
    outer_radius,
    polar,
    radius_of,
)
from companion.course.icons import ICON, SHAPES
from companion.course.words import mark_words, wedge_sentences, wedge_title
from rules.greece_lightning.components import OBSTACLES, Mark
from rules.greece_lightning.wedges import Dot, Wedge

if TYPE_CHECKING:
    from companion.catalogue import Catalogue

__all__ = ["STYLE", "wedge_parts", "wedge_svg"]

STYLE = """\
.sea { fill: #e8f1f5; stroke: #1c3a4a; stroke-width: 2; }
.route { fill: none; stroke: #1c3a4a; stroke-width: 2.5; }
.arrow { fill: #1c3a4a; }
.dot { fill: #ffffff; stroke: #1c3a4a; stroke-width: 2; }
.start { fill: none; stroke: #1c3a4a; stroke-width: 6; stroke-dasharray: 6 6; }
.ground { fill: #ffffff; stroke: #1c3a4a; stroke-width: 2; }
.ground.obstacle { fill: #f6d9d3; }
.solid { fill: #1c3a4a; }
.hole { fill: #ffffff; }
.line { fill: none; stroke: #1c3a4a; stroke-width: 2; stroke-linecap: round; }
.ring { fill: none; stroke: #1c3a4a; stroke-width: 1.5; }
text { font-family: sans-serif; font-size: 11px; fill: #1c3a4a; text-anchor: middle; }
.sign { font-size: 12px; font-weight: bold; }
.title { font-size: 17px; font-weight: bold; }
.name { paint-order: stroke; stroke: #e8f1f5; stroke-width: 3px; }
.number { font-size: 13px; font-weight: bold; }
.plate { fill: #ffffff; stroke: #1c3a4a; }
"""
"""The look of a wedge; shapes tell what colours tell."""

_ROOM = ICON + 12
"""Distance that the number of a path keeps from dots and other numbers, where it can."""
_FREE = 13.0
"""Distance that it keeps from other paths with a number, where it can."""
_MARGIN = 34.0
_TITLE = 26.0


def wedge_svg(wedge: Wedge, lanes: int, catalogue: Catalogue) -> str:
    """The drawing of one wedge, upright, with a title and a description for who does not see it.

    Args:
        wedge: one whose print has no error.
        lanes: how many lanes every wedge of its box has.
        catalogue: the language of the words in it.
    """
    rim = outer_radius(lanes)
    half = polar(rim, SPAN_DEGREES / 2).x + _MARGIN
    top, bottom = -rim - _MARGIN - _TITLE, polar(INNER, SPAN_DEGREES / 2).y + _MARGIN
    box = " ".join(_number(value) for value in (-half, top, 2 * half, bottom - top))
    title, told = wedge_title(wedge, catalogue), " ".join(wedge_sentences(wedge, lanes, catalogue))
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{_number(2 * half)}" '
        f'height="{_number(bottom - top)}" role="img" aria-labelledby="title desc" lang="{escape(catalogue.language)}">'
    )
    parts = [
        opening,
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="desc">{escape(told)}</desc>',
        f"<style>{STYLE}</style>",
        *wedge_parts(wedge, lanes, catalogue),
        *_edges(lanes),
        f'<text class="title" y="{_number(-rim - 16)}">{escape(title)}</text>',
    ]
    if wedge.symbol is not None:
        parts.append(f'<text y="{_number(bottom - _MARGIN + 24)}">{escape(wedge.symbol)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def wedge_parts(wedge: Wedge, lanes: int, catalogue: Catalogue, middle: float = 0.0) -> Iterator[str]:
    """The elements of a wedge whose middle is at an angle: ground, paths, dots and marks."""
    yield f'<path class="sea" d="{_sector(lanes, middle)}"/>'
    curves = [(path, curve_of(path, wedge, middle)) for path in wedge.paths]
    for path, curve in curves:
        yield f'<path class="route" d="{_bezier(curve)}"><title>{escape(f"{path.start} > {path.end}")}</title></path>'
        yield _arrow(curve)
    if wedge.line:
        yield from _start(wedge, lanes, catalogue, middle)
    for dot in wedge.dots:
        yield from _dot(dot, catalogue, middle)
    yield from _numbers(wedge, [(path.number, curve) for path, curve in curves if path.number is not None], middle)


def _numbers(wedge: Wedge, numbered: Sequence[tuple[int, Curve]], middle: float) -> Iterator[str]:
    """The numbers of the paths out of whirlpools, each where its path lies free of dots, numbers and other paths."""
    taken = [polar(radius_of(dot.lane_tenths), dot_angle(dot.along_percent, middle)) for dot in wedge.dots]
    for number, curve in numbered:
        others = [other.at(part / 20) for _, other in numbered if other is not curve for part in range(4, 21)]
        points = [curve.at(part / 40) for part in range(6, 34)]
        room = [min(1.0, _gap(at, taken) / _ROOM, _gap(at, others) / _FREE) for at in points]
        at = points[room.index(max(room))]
        taken.append(at)
        yield f'<circle class="plate" cx="{_number(at.x)}" cy="{_number(at.y)}" r="8"/>'
        yield f'<text class="number" x="{_number(at.x)}" y="{_number(at.y + 4.5)}">{number}</text>'


def _gap(at: Point, others: Iterable[Point]) -> float:
    """Distance of a point to the nearest of others."""
    return min((hypot(at.x - other.x, at.y - other.y) for other in others), default=_ROOM)


def _dot(dot: Dot, catalogue: Catalogue, middle: float) -> Iterator[str]:
    angle = dot_angle(dot.along_percent, middle)
    radius = radius_of(dot.lane_tenths)
    at = polar(radius, angle)
    yield f'<circle class="dot" cx="{_number(at.x)}" cy="{_number(at.y)}" r="{_number(DOT)}"/>'
    for number, mark in enumerate(dot.marks):
        yield _icon(mark, polar(radius + number * 2 * ICON, angle), catalogue)
    beside = polar(radius - (ICON if dot.marks else DOT) - 9, angle - 0.8)
    yield f'<text class="name" x="{_number(beside.x)}" y="{_number(beside.y + 4)}">{escape(dot.id)}</text>'


def _icon(mark: Mark, at: Point, catalogue: Catalogue) -> str:
    ground = "ground obstacle" if mark in OBSTACLES else "ground"
    name = escape(mark_words(mark, catalogue))
    return (
        f'<g transform="translate({_number(at.x)} {_number(at.y)})"><title>{name}</title>'
        f'<circle class="{ground}" r="{_number(ICON)}"/>{SHAPES[mark]}</g>'
    )


def _start(wedge: Wedge, lanes: int, catalogue: Catalogue, middle: float) -> Iterator[str]:
    """The Starting Line through the dots of the line, and its icons at the rim. GL-S32, GL-L2."""
    ends = sorted((wedge.dot(name) for name in wedge.line), key=lambda dot: dot.lane_tenths)
    beyond = [
        polar(INNER, dot_angle(ends[0].along_percent, middle)),
        *(polar(radius_of(dot.lane_tenths), dot_angle(dot.along_percent, middle)) for dot in ends),
        polar(outer_radius(lanes), dot_angle(ends[-1].along_percent, middle)),
    ]
    yield f'<polyline class="start" points="{_points(beyond)}"/>'
    for number, mark in enumerate((Mark.FISH, Mark.WEDGE, Mark.FAVOR)):
        yield _icon(mark, polar(outer_radius(lanes) - ICON - 4, middle + 2.6 * (number + 1)), catalogue)


def _edges(lanes: int) -> Iterator[str]:
    """The numbers of the lanes at both edges."""
    for lane in range(1, lanes + 1):
        for side in (-1, 1):
            at = polar(lane_radius(lane), side * SPAN_DEGREES / 2)
            yield f'<text x="{_number(at.x + 12 * side)}" y="{_number(at.y + 4)}">{lane}</text>'


def _sector(lanes: int, middle: float) -> str:
    rim = outer_radius(lanes)
    left, right = middle - SPAN_DEGREES / 2, middle + SPAN_DEGREES / 2
    return (
        f"M{_point(polar(INNER, left))} L{_point(polar(rim, left))} "
        f"A{_number(rim)} {_number(rim)} 0 0 1 {_point(polar(rim, right))} "
        f"L{_point(polar(INNER, right))} A{_number(INNER)} {_number(INNER)} 0 0 0 {_point(polar(INNER, left))} Z"
    )


def _bezier(curve: Curve) -> str:
    return f"M{_point(curve.start)} C{_points(curve[1:])}"


def _arrow(curve: Curve) -> str:
    """A small head at two thirds of a path, in its direction."""
    before, tip = curve.at(0.6), curve.at(0.66)
    away = Point(tip.x - before.x, tip.y - before.y)
    length = hypot(away.x, away.y) or 1.0
    unit = Point(away.x / length, away.y / length)
    foot = Point(tip.x - 8 * unit.x, tip.y - 8 * unit.y)
    sides = (Point(foot.x - 4 * unit.y * side, foot.y + 4 * unit.x * side) for side in (1, -1))
    return f'<polygon class="arrow" points="{_points([tip, *sides])}"/>'


def _points(points: Iterable[Point]) -> str:
    return " ".join(_point(point) for point in points)


def _point(point: Point) -> str:
    return f"{_number(point.x)},{_number(point.y)}"


def _number(value: float) -> str:
    """A length to a tenth, without a minus before nothing."""
    return f"{round(value, 1) + 0.0:g}"
