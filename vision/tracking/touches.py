"""Dice that a hand meets while they roll: told when the hand stops them, or turns them aside.

A die that rolls goes straight on and slows down, and an arm may pass over it meanwhile. So a hand is said to have met
it only when it was in plain view and fast before, was covered for a moment, and then lies still at once or goes another
way, and no other die was there that it may have hit. What is too fast to be read, or first seen under the hand, tells
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import dist, hypot

from vision.readings import Point
from vision.tracking.happenings import Happening, Kind
from vision.tracking.stories import FREE_COVER, Story
from vision.tracking.track import Home, Sample, Track

__all__ = ["touched"]

_MS = 1_000_000
_BRAKES_SIDES_S2, _SPREAD_SIDES = 800.0, 0.5
"""A die that a hand stops slows down by more than this, 1.3 times the acceleration of free fall for sides of 16 mm:
rubbing on the table and tumbling by itself it does by less. Of a die that tumbles the middle of what is read, now of
one face and now of another, is known to within half a side."""
_ALONE_FRAMES, _ALONE_NS = 3, 120 * _MS
_MET_NS = 200 * _MS
"""So long a hand that meets a die may hide it."""
_STEP_NS = 40 * _MS
"""Two frames tell a velocity when they are no farther apart. At 15 a second dice that tumble and bounce between two
frames seem to turn, and those that slow down by themselves seem to be stopped: two turns were told falsely in 3 minutes
of six people, two stops in 10, and none of 57 true ones is told; so nothing is told then."""
_BEFORE_SIDES_S, _AFTER_SIDES_S, _GOES_ON_SIDES = 24.0, 12.0, 2.0
_COVERED = 0.3
_TURNED_COS = 0.85
_KICK_SIDES_S = 18.0
"""A die that was this fast before a hand covered so much of its surroundings, is this fast afterwards, and goes
another way by 32 degrees and by this speed, and so far, was turned by the hand. On 37 rendered plays a finger met 35 of
some 2,000 dice that were thrown: 6 of them are found so, and no other. In ten minutes of six people with good manners
one was, with 18 in place of 24 and however far: of a die that tumbled out its last two sides two faces were read."""
_NEIGHBOUR_SIDES = 3.0
"""Another die this near may have turned it."""


def touched(die: Track, story: Story, rest: Home, dice: Iterable[Track], at_ns: int) -> Happening | None:
    """That a hand met a die which has rolled to `rest`; None when nothing tells it. `dice` are all of the table."""
    if story.home is None or story.broken:
        return None
    met = _stopped(story.samples, rest) or _turned(
        story.samples, rest, [each for each in dice if each.known and each is not die]
    )
    if met is None:
        return None
    place_mm = met.reading.position_mm
    return Happening(Kind.TOUCHED, die.id, met.at_ns, rest.rest_ns, at_ns, to_px=met.place_px, to_mm=place_mm)


def _stopped(samples: Iterable[Sample], rest: Home) -> Sample | None:
    """The first sample in which a hand met a die that rolled on its own, and stopped it; None when none did."""
    run: list[Sample] = []
    for sample in samples:
        if sample.cover < FREE_COVER:
            run.append(sample)
            continue
        alone = len(run) >= _ALONE_FRAMES and run[-1].at_ns - run[0].at_ns >= _ALONE_NS and not run[-2].handled
        if alone and sample.at_ns - run[-1].at_ns <= _MET_NS:
            speeds = [hypot(*velocity) for _, velocity in _steps(run[-3:], rest.side_px)]
            went_on = dist(sample.place_px, rest.place_px) / rest.side_px + _SPREAD_SIDES
            if len(speeds) == 2 and min(speeds) ** 2 / (2 * went_on) >= _BRAKES_SIDES_S2:
                return sample
        run.clear()
    return None


def _turned(samples: Sequence[Sample], rest: Home, others: Sequence[Track]) -> Sample | None:
    """The first sample under a hand that turned a rolling die aside; None when none did."""
    way = [each for each in samples if each.at_ns <= rest.rest_ns]
    steps = list(_steps(way, rest.side_px))
    for number, (before, velocity) in enumerate(steps):
        if way[before].cover >= FREE_COVER or hypot(*velocity) < _BEFORE_SIDES_S:
            continue
        last = way[before + 1]
        for after, later in steps[number + 1 :]:
            first = way[after]
            if first.at_ns - last.at_ns > _MET_NS:
                break
            met = next((each for each in way[before + 1 : after + 1] if each.cover > _COVERED), None)
            if after == before + 1 or met is None or not _another_way(velocity, later):
                continue
            if dist(met.place_px, rest.place_px) < _GOES_ON_SIDES * rest.side_px:
                continue
            if not _near(others, last, first, rest.side_px):
                return met
    return None


def _steps(way: Sequence[Sample], side_px: float) -> Iterator[tuple[int, Point]]:
    """Wherever two samples of it tell a velocity: the number of the first, and the velocity in sides/s."""
    for number, (one, other) in enumerate(pairwise(way)):
        if not one.partial and not other.partial and other.at_ns - one.at_ns <= _STEP_NS:
            scale = side_px * (other.at_ns - one.at_ns) / 1e9
            (ax, ay), (bx, by) = one.place_px, other.place_px
            yield number, ((bx - ax) / scale, (by - ay) / scale)


def _another_way(before: Point, after: Point) -> bool:
    """Fast before and after, and not the way that it went."""
    fast, slower = hypot(*before), hypot(*after)
    if slower < _AFTER_SIDES_S or dist(before, after) < _KICK_SIDES_S:
        return False
    return before[0] * after[0] + before[1] * after[1] < _TURNED_COS * fast * slower


def _near(others: Iterable[Track], one: Sample, other: Sample, side_px: float) -> bool:
    """Another die was where it was turned."""
    (ax, ay), (bx, by) = one.place_px, other.place_px
    middle = ((ax + bx) / 2, (ay + by) / 2)
    reach_px = _NEIGHBOUR_SIDES * side_px
    return any(
        dist(seen.place_px, middle) <= reach_px
        for each in others
        for seen in (each.samples if not each.at_rest else (each.last,))
        if each.at_rest or one.at_ns <= seen.at_ns <= other.at_ns
    )
