"""Small things that fly too fast to be read: a die that goes over the table's edge is seen in two or three frames.

They are what is foreign on the table and too small for a hand. A thing seen in consecutive frames on a straight way out
of the picture has left it; so has one that is seen only once, at the edge, on its way out of a hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import dist, hypot

import numpy as np

from vision.readings import Point
from vision.tracking.hands import Hands, Thing

__all__ = ["Flight", "Flights", "may_be_of"]

_NEXT_NS = 75_000_000
"""Seen again within this time: two frames at 30 a second, one at 15."""
_STEP_SIDES = (0.6, 4.5)
"""From frame to frame a flying die goes so far; what goes less far is read as it rolls."""
_STEP_NS = 33_333_333
_TURN = 0.7
"""Cosine between one step and the next."""
_SIZE = (0.25, 6.0)
"""In areas of a die's face: a blurred die is as long as its way within the exposure."""
_AHEAD, _AHEAD_OF_HAND = 1.0, 1.3
"""After this part of another step it must be outside the picture: more would take in what stops before the edge. Out of
a hand the step was longer than it seems, for only the nearest part of the hand is known."""
_CERTAIN = 3
_EDGE_SIDES = {1: 2.0, 2: 3.0}
_BLURRED = 1.3
"""So many frames make a way: two may show two dice, or the tips of a hand that goes. One or two are enough of what came
out of a hand and was last seen this near the edge; one, when it is drawn long by its speed."""
_LEAST_SHARE, _MOST_SHARE = 0.15, 1.4
_RESIDUE = 12.0


@dataclass(slots=True)
class Flight:
    """The way of one thing: `things` in consecutive frames, at `times_ns`.

    `source_px` is the nearest part of a hand in the frame before the first; None where none was so near.
    """

    things: list[Thing] = field(default_factory=list)
    times_ns: list[int] = field(default_factory=list)
    source_px: Point | None = None
    frames: float = 1.0
    """Of 30 a second: how many lie between two of those in which it can be seen."""

    @property
    def first_px(self) -> Point:
        """Where it was first seen."""
        return self.things[0].centre_px

    @property
    def last_ns(self) -> int:
        """When it was last seen."""
        return self.times_ns[-1]

    @property
    def slowing(self) -> float:
        """Its last step against the one before, at most 1: so much shorter the next one will be."""
        if len(self.things) < _CERTAIN:
            return 1.0
        a, b, c = (each.centre_px for each in self.things[-3:])
        return min(1.0, dist(b, c) / max(1e-6, dist(a, b)))

    @property
    def _before_px(self) -> Point:
        return self.things[-2].centre_px if len(self.things) > 1 else self.source_px or self.first_px

    def next_px(self, share: float) -> Point:
        """Where it will be after one more step, or part of it."""
        (ax, ay), (bx, by) = self._before_px, self.things[-1].centre_px
        return bx + share * (bx - ax), by + share * (by - ay)


class Flights:
    """Follows what flies; fed with the small things of every frame."""

    def __init__(self) -> None:
        self._flights: list[Flight] = []

    def forget(self) -> None:
        """Nobody watched meanwhile."""
        self._flights.clear()

    def look(
        self, things: Sequence[Thing], before: Hands | None, side_px: float, size_wh: tuple[int, int], at_ns: int
    ) -> list[Flight]:
        """Take in a frame's things; the flights that have just gone out of a picture of `size_wh`.

        `before` are the hands of the frame before; `side_px` is the side of a die's face.
        """
        small = [each for each in things if _SIZE[0] <= each.area_px2 / side_px**2 <= _SIZE[1]]
        free = list(small)
        gone, kept = [], []
        for flight in self._flights:
            nearest = min(free, key=lambda each: _miss(flight, each), default=None)
            if nearest is not None and _goes_on(flight, nearest, side_px, at_ns):
                flight.things.append(nearest)
                flight.times_ns.append(at_ns)
                free.remove(nearest)
                kept.append(flight)
            elif _goes_out(flight, side_px, size_wh):
                gone.append(flight)
            elif at_ns - flight.last_ns < _NEXT_NS:
                kept.append(flight)
        frames = 1.0 if before is None else max(1.0, (at_ns - before.exposure_start_ns) / _STEP_NS)
        new = (Flight([each], [at_ns], _source_px(each, before, frames * side_px), frames) for each in free)
        self._flights = [*kept, *new]
        return gone


def may_be_of(flight: Flight, colour_bgr: Sequence[float]) -> bool:
    """Whether a thing of that colour flew: blurred and in shade, it mixes with the table over which it went."""
    for thing in flight.things:
        seen, die, table = (np.array(each, float) for each in (thing.colour_bgr, colour_bgr, thing.table_bgr))
        (of_die, of_table), *_ = np.linalg.lstsq(np.column_stack([die, table]), seen, rcond=None)
        residue = float(np.linalg.norm(seen - of_die * die - of_table * table))
        if not _LEAST_SHARE <= of_die <= _MOST_SHARE or of_table < -_LEAST_SHARE or residue > _RESIDUE:
            return False
    return True


def _miss(flight: Flight, thing: Thing) -> float:
    expected = flight.next_px(1.0) if len(flight.things) > 1 else flight.things[-1].centre_px
    return dist(expected, thing.centre_px)


def _goes_on(flight: Flight, thing: Thing, side_px: float, at_ns: int) -> bool:
    gap_ns = at_ns - flight.last_ns
    if not 0 < gap_ns < _NEXT_NS:
        return False
    bx, by = flight.things[-1].centre_px
    x, y = thing.centre_px
    step = hypot(x - bx, y - by) / side_px / (gap_ns / _STEP_NS)
    if not _STEP_SIDES[0] <= step <= _STEP_SIDES[1]:
        return False
    if len(flight.things) < 2:
        return True
    ax, ay = flight.things[-2].centre_px
    turn = ((bx - ax) * (x - bx) + (by - ay) * (y - by)) / max(1e-6, dist((ax, ay), (bx, by)) * dist((bx, by), (x, y)))
    return turn >= _TURN


def _source_px(thing: Thing, before: Hands | None, side_px: float) -> Point | None:
    """The part of a hand, a frame ago, from which a thing may have come."""
    near = before.nearest(thing.centre_px, _STEP_SIDES[1] * side_px) if before is not None else None
    return near if near is not None and dist(near, thing.centre_px) >= _STEP_SIDES[0] * side_px else None


def _goes_out(flight: Flight, side_px: float, size_wh: tuple[int, int]) -> bool:
    width, height = size_wh
    if len(flight.things) < _CERTAIN:
        (x, y), area_px2 = flight.things[-1].centre_px, flight.things[-1].area_px2
        edge_px = min(x, y, width - x, height - y)
        if flight.source_px is None or edge_px > _EDGE_SIDES[len(flight.things)] * flight.frames * side_px:
            return False
        if len(flight.things) == 1 and area_px2 < _BLURRED * side_px**2:
            return False
    x, y = flight.next_px(_AHEAD * flight.slowing if len(flight.things) > 1 else _AHEAD_OF_HAND)
    return not (0 <= x < width and 0 <= y < height)
