"""Small things that fly too fast to be read: a die that goes over the table's edge is seen in two or three frames.

They are what is foreign on the table and too small for a hand, and what peeps out of one and has the colour of a die. A
thing seen in consecutive frames on a straight way out of the picture may have left it; so may one that is seen only
once, at the edge, on its way out of a hand. Whether it has, its absence must show; of one of which hardly anything was
seen, that it has gone at once and that nothing hides its way out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import dist, hypot

import numpy as np

from vision.readings import Point
from vision.tracking.hands import Hands, Thing
from vision.tracking.mixing import mixed

__all__ = ["Flight", "Flights", "may_be_of"]

_NEXT_NS = 75_000_000
"""Seen again within this time: two frames at 30 a second, one at 15."""
_STEP_SIDES = (0.6, 4.5)
"""From frame to frame a flying die goes so far; what goes less far is read as it rolls."""
_STEP_NS = 33_333_333
_TURN = 0.7
"""Cosine between one step and the next."""
_SIZE = (0.25, 3.5)
"""In areas of a die's face: a blurred die is as long as its way within the exposure (2.9 at most on rendered tables);
the tips of a hand that the edge of the picture cuts off are larger."""
_CUT_OFF_SIDES, _OUTWARD_SIDES, _SLIVER = 0.5, 0.3, 0.25
"""The middle of what the edge of the picture cuts off is so near to it, and lags behind; what comes so much nearer to
the edge in a step is on its way out; and what is so much smaller than it was is hardly seen any more."""
_OF_DIE = 0.35
"""On the way so much of its colour is seen: of the tip of a dark hand in shade a red die would make up 0.3."""
_LEFT_LEVELS = 8.0
"""What is of no other colour differs by less: on rendered tables by 6 at most, skin that looks like a die by 11."""
_HALF = 0.6
"""Of its own size, and a bit: a thing whose middle is no farther from the edge than this touches it."""
_AHEAD, _AHEAD_OF_HAND = 1.0, 1.3
"""After this part of another step it must be outside the picture: more would take in what stops before the edge. Out of
a hand the step was longer than it seems, for only the nearest part of the hand is known."""
_CERTAIN = 3
_EDGE_SIDES = {1: 2.5, 2: 3.0}
_BLURRED, _PEEPING = 1.3, 0.5
"""So many frames make a way: two may show two dice, or the tips of a hand that goes. One or two are enough of what came
out of a hand and was last seen this near the edge; one, when it is drawn long by its speed; of one that
touches the hand still less is seen."""
_ARM_SIDES = 1.5
"""What reaches in over the edge with an arm is broader along it than this."""
_STANDS_SIDES, _STANDS_LEVELS = 0.3, 12.0
"""What is no farther from where such a thing was a frame ago, and differs by no more in any channel, has not moved."""


@dataclass(slots=True, eq=False)
class Flight:
    """The way of one thing: `things` in consecutive frames, at `times_ns`.

    `hands` are those of the frame before the first, of which `frames` of 30 a second lie between two in which it can be
    seen; `source_px` is the part of them from which it came, as soon as that is asked. `hardly` says that so little was
    seen of it that it may as well have stayed: that it has gone at once must be seen.
    """

    things: list[Thing] = field(default_factory=list)
    times_ns: list[int] = field(default_factory=list)
    hands: Hands | None = None
    frames: float = 1.0
    source_px: Point | None = None
    hardly: bool = False

    @property
    def first_px(self) -> Point:
        """Where it was first seen."""
        return self.things[0].centre_px

    @property
    def surely(self) -> list[Thing]:
        """What is of its way: of three or more the first may have been the shadow of the hand, or its tip."""
        return self.things[1:] if len(self.things) >= _CERTAIN else self.things

    @property
    def surely_at(self) -> list[tuple[Thing, int]]:
        """The same, each with when it was seen."""
        return list(zip(self.things, self.times_ns, strict=True))[-len(self.surely) :]

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
        self._before: list[Thing] = []

    def look(
        self,
        things: Sequence[Thing],
        before: Hands | None,
        side_px: float,
        size_wh: tuple[int, int],
        at_ns: int,
        may_be_one: Callable[[Flight], bool] = lambda flight: True,
    ) -> list[Flight]:
        """Take in a frame's things; the flights that have just gone out of a picture of `size_wh`.

        `before` are the hands of the frame before; `side_px` is the side of a die's face; `may_be_one` tells whether
        all of a way may be one die.
        """
        seen = [each for each in things if _may_fly(each, side_px, size_wh)]
        moving = [each for each in seen if not any(_stands(each, other, side_px) for other in self._before)]
        self._before = seen
        free = list(seen)
        gone, kept = [], []
        for flight in sorted(self._flights, key=lambda each: -len(each.things)):
            # What was seen only once may have come from anywhere, and gone anywhere: several may go on with one thing.
            known = len(flight.things) > 1
            ahead = [
                each
                for each in moving
                if (not known or any(each is other for other in free)) and _goes_on(flight, each, side_px, at_ns)
            ]
            nearest = min(ahead, key=lambda each: _miss(flight, each), default=None)
            if nearest is not None:
                if not known and not may_be_one(replace(flight, things=[*flight.things, nearest])):
                    # What goes on in its stead is something else, or both were a hand.
                    gone += [replace(each, hardly=True) for each in _gone(flight, side_px, size_wh)]
                flight.things.append(nearest)
                flight.times_ns.append(at_ns)
                if known:
                    free = [each for each in free if each is not nearest]
                kept.append(flight)
            elif now_gone := _gone(flight, side_px, size_wh):
                gone += now_gone
            elif at_ns - flight.last_ns < _NEXT_NS:
                kept.append(flight)
        frames = 1.0 if before is None else max(1.0, (at_ns - before.exposure_start_ns) / _STEP_NS)
        self._flights = [*kept, *(Flight([each], [at_ns], before, frames) for each in free)]
        return gone


def may_be_of(flight: Flight, colour_bgr: Sequence[float]) -> bool:
    """Whether a thing of that colour flew: blurred and in shade, it mixes with the table over which it went.

    Of a sliver at the edge of the picture most is table.
    """
    least_px2 = _SLIVER * max(each.area_px2 for each in flight.surely)
    things = [each for each in flight.surely if each.area_px2 >= least_px2]
    mixture = mixed([each.colour_bgr for each in things], [colour_bgr], [each.table_bgr for each in things])
    return bool(mixture.may_be(most_left=_LEFT_LEVELS).all() and mixture.of_dice.mean() >= _OF_DIE)


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


def _may_fly(thing: Thing, side_px: float, size_wh: tuple[int, int]) -> bool:
    """It is neither too small nor too large for a die; of one that the edge of the picture cuts off any bit is left."""
    faces = thing.area_px2 / side_px**2
    return faces <= _SIZE[1] and (faces >= _SIZE[0] or _edge_px(thing.centre_px, size_wh) <= _CUT_OFF_SIDES * side_px)


def _edge_px(place: Point, size_wh: tuple[int, int]) -> float:
    (x, y), (width, height) = place, size_wh
    return min(x, y, width - x, height - y)


def _source_px(thing: Thing, before: Hands | None, side_px: float, size_wh: tuple[int, int]) -> Point | None:
    """The part of a hand, a frame ago, from which a thing may have come: the nearest, but first that leads outside."""
    if before is None:
        return None
    places = before.places(thing.centre_px, _STEP_SIDES[1] * side_px)
    steps = np.array(thing.centre_px) - places
    away = np.hypot(steps[:, 0], steps[:, 1])
    if not away.size or away.min() < _STEP_SIDES[0] * side_px:
        return None
    ahead = thing.centre_px + _AHEAD_OF_HAND * steps
    out = ((ahead < 0) | (ahead >= size_wh)).any(axis=1) & (away <= _STEP_SIDES[1] * side_px)
    x, y = places[np.argmin(np.where(out, away, away + out.any() * 1e6))]
    return float(x), float(y)


def _stands(thing: Thing, before: Thing, side_px: float) -> bool:
    """It is where, and as, it was a frame ago."""
    return dist(thing.centre_px, before.centre_px) <= _STANDS_SIDES * side_px and all(
        abs(now - then) <= _STANDS_LEVELS for now, then in zip(thing.colour_bgr, before.colour_bgr, strict=True)
    )


def _gone(flight: Flight, side_px: float, size_wh: tuple[int, int]) -> list[Flight]:
    """The flight as one that has ended outside of the picture; nothing where it cannot have done so."""
    for hardly in (False, True):
        if (_hardly_goes_out if hardly else _goes_out)(flight, side_px, size_wh):
            return [replace(flight, things=flight.things[:], times_ns=flight.times_ns[:], hardly=hardly)]
    return []


def _hardly_goes_out(flight: Flight, side_px: float, size_wh: tuple[int, int]) -> bool:
    """Of what was seen once one step more led outside: from farther, unblurred, or where a sleeve might reach in."""
    last = flight.things[-1]
    edge_px = _edge_px(last.centre_px, size_wh)
    if len(flight.things) > 1 or last.area_px2 < _PEEPING * side_px**2:
        return False
    if edge_px > _STEP_SIDES[1] * flight.frames * side_px:
        return False
    if _may_be_a_sleeve(last, edge_px) and last.area_px2 > 2 * edge_px * _ARM_SIDES * side_px:
        return False
    flight.source_px = _source_px(last, flight.hands, flight.frames * side_px, size_wh)
    return flight.source_px is not None and _edge_px(flight.next_px(_AHEAD_OF_HAND), size_wh) < 0


def _goes_out(flight: Flight, side_px: float, size_wh: tuple[int, int]) -> bool:
    last, once = flight.things[-1], len(flight.things) == 1
    edge_px = _edge_px(last.centre_px, size_wh)
    if len(flight.things) < _CERTAIN:
        if edge_px > _EDGE_SIDES[len(flight.things)] * flight.frames * side_px:
            return False
        if once and (
            last.area_px2 < (_PEEPING if last.peeps else _BLURRED) * side_px**2 or _may_be_a_sleeve(last, edge_px)
        ):
            return False
        flight.source_px = _source_px(flight.things[0], flight.hands, flight.frames * side_px, size_wh)
        if flight.source_px is None:
            return False
    if once:
        return _edge_px(flight.next_px(_AHEAD_OF_HAND), size_wh) < 0
    left_px = _edge_px(flight.next_px(_AHEAD * flight.slowing), size_wh)
    return left_px < 0 or (left_px < _CUT_OFF_SIDES * side_px and edge_px - left_px > _OUTWARD_SIDES * side_px)


def _may_be_a_sleeve(thing: Thing, edge_px: float) -> bool:
    """It comes in over the edge of the picture with the hand."""
    return thing.peeps and edge_px <= _HALF * thing.area_px2**0.5
