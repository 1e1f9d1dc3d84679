"""Wedges and the course in words: what a person hears who does not see the drawing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from rules.greece_lightning.ahead import Ahead
from rules.greece_lightning.components import PLACES, Mark
from rules.greece_lightning.course import Course, Spot
from rules.greece_lightning.wedges import Dot, Path, Wedge, lane_out

if TYPE_CHECKING:
    from companion.catalogue import Catalogue

__all__ = [
    "ahead_sentences",
    "dot_words",
    "lane_words",
    "mark_words",
    "spot_words",
    "wedge_sentences",
    "wedge_title",
    "wheel_sentences",
]


def wedge_title(wedge: Wedge, catalogue: Catalogue) -> str:
    """What a wedge is called."""
    return catalogue.text("wedge.line") if wedge.line else catalogue.text("wedge.title", wedge=wedge.id)


def wedge_sentences(wedge: Wedge, lanes: int, catalogue: Catalogue) -> tuple[str, ...]:
    """A wedge sentence by sentence: its symbol, how many dots, where each lane comes in, each dot with what is printed
    on it and where its paths lead."""
    found = []
    if wedge.line:
        found.append(catalogue.text("wedge.line-dots", dots=catalogue.listed(wedge.line)))
        found.append(catalogue.text("wedge.line-icons"))
    elif wedge.symbol is not None:
        found.append(catalogue.text("wedge.symbol", symbol=wedge.symbol))
    else:
        found.append(catalogue.text("wedge.no-symbol"))
    found.append(catalogue.text("wedge.dots", count=len(wedge.dots)))
    for lane in range(1, lanes + 1):
        onward = _onward(wedge.ways_in(lane), catalogue)
        found.append(catalogue.text("wedge.comes-in", lane=lane, onward=onward))
    found += [dot_words(dot, wedge, catalogue) for dot in wedge.dots]
    return tuple(found)


def dot_words(dot: Dot, wedge: Wedge, catalogue: Catalogue) -> str:
    """One dot in a sentence: where it lies, what is printed on it, where its paths lead."""
    where = lane_words(dot, catalogue)
    onward = _onward(wedge.ways_from(dot.id), catalogue, dot.whirlpool)
    if not dot.marks:
        return catalogue.text("wedge.dot", dot=dot.id, where=where, onward=onward)
    marks = catalogue.listed(mark_words(mark, catalogue) for mark in dot.marks)
    return catalogue.text("wedge.dot-marked", dot=dot.id, where=where, marks=marks, onward=onward)


def lane_words(dot: Dot, catalogue: Catalogue) -> str:
    """Where a dot lies: on a lane or between two."""
    lane, rest = divmod(dot.lane_tenths, 10)
    if rest:
        return catalogue.text("wedge.between-lanes", lane=lane, next=lane + 1)
    return catalogue.text("wedge.on-lane", lane=lane)


def spot_words(course: Course, spot: Spot, catalogue: Catalogue) -> str:
    """A dot of the course: the place of its wedge, its name and its lane."""
    where = lane_words(course.dot(spot), catalogue)
    if spot.place == course.layout.line:
        return catalogue.text("spot.line", place=spot.place, dot=spot.dot, where=where)
    return catalogue.text("spot.wedge", place=spot.place, dot=spot.dot, where=where)


def wheel_sentences(
    course: Course, ships: Iterable[tuple[str, Spot]], lit: Collection[Spot], catalogue: Catalogue
) -> tuple[str, ...]:
    """The course in words: which wedge lies on top at each place, where each ship stands, where the one in turn may go.

    Args:
        course: the course.
        ships: name of each player, and where the ship stands.
        lit: the dots that the ship in turn may sail to.
        catalogue: the language.
    """
    found = [
        catalogue.text("wheel.place", place=place, wedge=wedge_title(course.top(place), catalogue))
        for place in range(1, PLACES + 1)
    ]
    found += [catalogue.text("wheel.ship", name=name, spot=spot_words(course, spot, catalogue)) for name, spot in ships]
    if lit:
        spots = catalogue.listed((spot_words(course, spot, catalogue) for spot in lit), choice=True)
        found.append(catalogue.text("wheel.lit", spots=spots))
    return tuple(found)


def ahead_sentences(course: Course, dots: Iterable[Ahead], catalogue: Catalogue) -> Iterator[str]:
    """What is printed ahead of a ship, nearest first: "Hydra 3 dots ahead on your lane." Dots without marks are left
    out; the Starting Line is told."""
    for each in dots:
        names = [catalogue.text("wedge.line")] if each.line else [mark_words(mark, catalogue) for mark in each.marks]
        if not names:
            continue
        where = catalogue.text("ahead.own-lane")
        if not each.same_lane:
            where = lane_words(course.dot(each.spot), catalogue)
        yield catalogue.text("ahead.dot", names=catalogue.listed(names), count=each.movement, where=where)


def mark_words(mark: Mark, catalogue: Catalogue) -> str:
    """What a mark is called."""
    return catalogue.text(f"mark.{mark.value}")


def _onward(paths: Iterable[Path], catalogue: Catalogue, whirlpool: Mark | None = None) -> str:
    return catalogue.listed((_end_words(path, catalogue, whirlpool) for path in paths), choice=True)


def _end_words(path: Path, catalogue: Catalogue, whirlpool: Mark | None) -> str:
    lane = lane_out(path.end)
    end = path.end if lane is None else catalogue.text("wedge.lane-out", lane=lane)
    if path.number is None:
        return end
    if whirlpool is Mark.SCYLLA:
        return catalogue.text("wedge.for-fish", count=path.number, end=end)
    return catalogue.text("wedge.by-number", number=path.number, end=end)
