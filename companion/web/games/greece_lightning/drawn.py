"""The course as the pages draw it: from a view back to the course that is sailed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from companion.course.wheel_svg import Ship, chart_svg, traffic_svg
from companion.web.games.greece_lightning.spoken import lanes_of_header, read_pack, wedges_of_header
from companion.web.seats import look_of
from rules.greece_lightning.components import PLACES
from rules.greece_lightning.course import Course, Layout, Spot
from rules.greece_lightning.pack import STARTING_LINE
from rules.header import Header

if TYPE_CHECKING:
    from companion.catalogue import Catalogue

__all__ = ["chart_of", "course_of", "lit_spots", "traffic_of"]


def course_of(view: Mapping[str, Any], header: Header) -> Course | None:
    """The course of a view as it can be sailed now; None before the circle is laid."""
    if not view.get("course"):
        return None
    wedges = wedges_of_header(header)
    tops = tuple((str(each["wedge"]),) for each in view["course"])
    assert len(tops) == PLACES
    return Course(Layout(tops, int(view["line"])), wedges, wedges[STARTING_LINE])


def lit_spots(view: Mapping[str, Any]) -> tuple[Spot, ...]:
    """The dots that a ship may come to now: of the ship in turn, or of the one that is set on the line next."""
    found = [Spot(*each["spot"]) for each in view.get("next", ())]
    for choice in view.get("choices", ()):
        event = choice.get("event") or {}
        if event.get("kind") == "launch" and event.get("dot"):
            found.append(Spot(int(view["line"]), str(event["dot"])))
    return tuple(dict.fromkeys(found))


def chart_of(view: Mapping[str, Any], header: Header, catalogue: Catalogue) -> str:
    """The wedges as SVG without a style sheet of their own; empty before the circle is laid."""
    course = course_of(view, header)
    return "" if course is None else _chart(course.layout, msgspec.json.encode(header.pack), catalogue)


@lru_cache(maxsize=8)
def _chart(layout: Layout, pack: bytes, catalogue: Catalogue) -> str:
    """Drawn once for each way the wedges lie, not with every move."""
    wedges, lanes = read_pack(pack)
    return chart_svg(Course(layout, wedges, wedges[STARTING_LINE]), lanes, catalogue, style=False)


def traffic_of(view: Mapping[str, Any], header: Header, catalogue: Catalogue) -> str:
    """What moves on them, likewise."""
    course = course_of(view, header)
    if course is None:
        return ""
    ships = []
    for seat in view["seats"]:
        if seat["spot"] is not None:
            look = look_of(int(seat["number"]), str(seat["colour"]))
            wake = None if seat["wake"] is None else Spot(*seat["wake"])
            ships.append(Ship(str(seat["number"]), str(seat["name"]), look.colour, Spot(*seat["spot"]), wake))
    return traffic_svg(course, lanes_of_header(header), ships, lit_spots(view), catalogue, style=False)
