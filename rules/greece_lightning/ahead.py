"""What lies ahead of a ship: the dots that it can come to, and after how much movement."""

from __future__ import annotations

from collections.abc import Collection

from rules.greece_lightning.components import Mark
from rules.greece_lightning.course import Course, Spot
from rules.records import Record

__all__ = ["Ahead", "ahead"]


class Ahead(Record, frozen=True):
    """A dot ahead.

    Attributes:
        spot: where.
        movement: the least movement that brings a ship there; dots of other ships are skipped and do not count.
        same_lane: it lies as far from the centre as the dot from which one looks.
        marks: what is printed on it.
        line: it is on the Starting Line.
    """

    spot: Spot
    movement: int
    same_lane: bool
    marks: tuple[Mark, ...] = ()
    line: bool = False


def ahead(course: Course, start: Spot, occupied: Collection[Spot], movement: int) -> tuple[Ahead, ...]:
    """Every dot that so much movement can lead to, nearest first; boosts and obstacles on the way are not regarded.

    Args:
        course: the course.
        start: where the ship stands.
        occupied: the dots of the other ships.
        movement: how far to look.
    """
    lane = course.dot(start).lane_tenths
    found: dict[Spot, int] = {}
    fresh = [start]
    for steps in range(1, movement + 1):
        reached = dict.fromkeys(way.to for spot in fresh for way in course.ways(spot, occupied))
        fresh = [spot for spot in reached if spot not in found]
        found |= dict.fromkeys(fresh, steps)
    return tuple(_told(course, spot, steps, lane) for spot, steps in found.items())


def _told(course: Course, spot: Spot, movement: int, lane_tenths: int) -> Ahead:
    dot = course.dot(spot)
    return Ahead(spot, movement, dot.lane_tenths == lane_tenths, dot.marks, course.on_line(spot))
