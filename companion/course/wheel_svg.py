"""The whole course as a wheel, in two drawings that lie on each other: the chart, twelve wedges around the central
piece, and the traffic, ships, wake tokens and the dots that a ship may sail to.

Place 1 is at the top and the others follow clockwise. The same course gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from companion.course.geometry import DOT, INNER, SPAN_DEGREES, Point, dot_angle, outer_radius, polar, radius_of
from companion.course.icons import ICON
from companion.course.wedge_svg import STYLE, wedge_parts
from companion.course.words import wheel_sentences
from rules.greece_lightning.components import PLACES
from rules.greece_lightning.course import Course, Spot

if TYPE_CHECKING:
    from companion.catalogue import Catalogue

__all__ = ["WHEEL_STYLE", "Ship", "chart_svg", "traffic_svg"]

WHEEL_STYLE = (
    STYLE
    + """\
.hub { fill: #c9dde6; stroke: #1c3a4a; stroke-width: 2; }
.hull { fill: #ffffff; stroke: #1c3a4a; stroke-width: 2.5; }
.wake { fill: none; stroke: #1c3a4a; stroke-width: 2; stroke-dasharray: 3 3; }
.lit { fill: #ffe08a; stroke: #1c3a4a; stroke-width: 3; }
.letter { font-weight: bold; }
.place { font-size: 22px; font-weight: bold; }
"""
)
"""The look of the wheel. Hulls carry the class of their seat ("seat-red") too, which a page may colour."""

_MARGIN = 40.0
_HULL = "M-15 -3 H15 L9 9 H-9 Z M0 -3 V-17 L11 -6 H0"


@dataclass(frozen=True, slots=True)
class Ship:
    """A ship as it is drawn.

    Attributes:
        letter: of its seat's badge.
        name: of its player.
        colour: of its seat ("red").
        spot: where it stands.
        wake: where its wake token lies; None when it is under the ship.
    """

    letter: str
    name: str
    colour: str
    spot: Spot
    wake: Spot | None = None


def chart_svg(course: Course, lanes: int, catalogue: Catalogue, *, style: bool = True) -> str:
    """The twelve wedges around the central piece: what changes only when a wedge is laid.

    Every dot is a group with `data-spot="PLACE:DOT"` that can be tapped. Who does not see it is told by `traffic_svg`.

    Args:
        course: the course as it can be sailed now.
        lanes: how many lanes every wedge has.
        catalogue: the language of its words.
        style: with its own style sheet; without for a page that has one.
    """
    parts = [f'{_opening(lanes)} class="chart" aria-hidden="true">']
    if style:
        parts.append(f"<style>{WHEEL_STYLE}</style>")
    parts.append(f'<circle class="hub" r="{INNER - 12:g}"/>')
    for place in range(1, PLACES + 1):
        middle = SPAN_DEGREES * (place - 1)
        parts += wedge_parts(course.top(place), lanes, catalogue, middle)
        at = polar(outer_radius(lanes) + 20, middle)
        parts.append(f'<text class="place" x="{at.x:.1f}" y="{at.y + 8:.1f}">{place}</text>')
    parts += [_spot(course, spot, "spot", "") for spot in course.spots]
    return "\n".join([*parts, "</svg>"]) + "\n"


def traffic_svg(
    course: Course,
    lanes: int,
    ships: Sequence[Ship],
    lit: Collection[Spot],
    catalogue: Catalogue,
    *,
    style: bool = True,
) -> str:
    """What moves on the course, to be laid over its chart; with a title and a description for who does not see either.

    The dots that a ship may sail to are groups of the class "open" with their `data-spot`.

    Args:
        course: the course as it can be sailed now.
        lanes: how many lanes every wedge has.
        ships: the ships on it.
        lit: the dots that the ship in turn may sail to.
        catalogue: the language of its words.
        style: with its own style sheet; without for a page that has one.
    """
    told = " ".join(wheel_sentences(course, [(ship.name, ship.spot) for ship in ships], lit, catalogue))
    parts = [
        f'{_opening(lanes)} class="traffic" role="img" aria-labelledby="wheel-title wheel-desc"',
        f'lang="{escape(catalogue.language)}">',
        f'<title id="wheel-title">{escape(catalogue.text("wheel.title"))}</title>',
        f'<desc id="wheel-desc">{escape(told)}</desc>',
    ]
    if style:
        parts.append(f"<style>{WHEEL_STYLE}</style>")
    circle = f'<circle class="lit" r="{DOT + 3:g}"/>'
    parts += [_spot(course, spot, "spot open", circle) for spot in course.spots if spot in lit]
    parts += _wakes(course, ships)
    parts += _ships(course, ships)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _opening(lanes: int) -> str:
    half = outer_radius(lanes) + _MARGIN
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-half:g} {-half:g} {2 * half:g} {2 * half:g}"'


def _at(course: Course, spot: Spot) -> Point:
    dot = course.dot(spot)
    return polar(radius_of(dot.lane_tenths), dot_angle(dot.along_percent, SPAN_DEGREES * (spot.place - 1)))


def _spot(course: Course, spot: Spot, kind: str, shape: str) -> str:
    """A place to tap over a dot."""
    at = _at(course, spot)
    return (
        f'<g class="{kind}" data-spot="{spot.place}:{escape(spot.dot)}" '
        f'transform="translate({at.x:.1f} {at.y:.1f})">{shape}<circle r="{ICON + 6:g}" fill="transparent"/></g>'
    )


def _wakes(course: Course, ships: Sequence[Ship]) -> Iterator[str]:
    for ship in ships:
        if ship.wake is not None and ship.wake != ship.spot and course.find(ship.wake) is not None:
            at = _at(course, ship.wake)
            yield (
                f'<g class="seat-{escape(ship.colour)}" transform="translate({at.x:.1f} {at.y:.1f})">'
                f'<circle class="wake seat-{escape(ship.colour)}" '
                f'r="{ICON + 5:g}"/><text class="letter" y="{ICON + 18:g}">{escape(ship.letter)}</text></g>'
            )


def _ships(course: Course, ships: Sequence[Ship]) -> Iterator[str]:
    for ship in ships:
        at = _at(course, ship.spot)
        yield (
            f'<g class="ship seat-{escape(ship.colour)}" transform="translate({at.x:.1f} {at.y:.1f})">'
            f"<title>{escape(ship.name)}</title>"
            f'<path class="hull seat-{escape(ship.colour)}" d="{_HULL}"/>'
            f'<text class="letter" y="7">{escape(ship.letter)}</text></g>'
        )
