"""Which die of a frame is which die of the frames before."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import dist, hypot

from vision.tracking.happenings import DieState
from vision.tracking.track import Sample, Track

__all__ = ["matched"]

_NS_PER_S = 1_000_000_000
_LIES_SIDES = 0.35
"""A die at rest is found within this many sides of its place, else it has moved."""
_PUSHED_SIDES = 1.3
"""A die at rest that is pushed is no farther away in the next frame."""
_REACH_SIDES = 2.2
"""A die of whose way nothing is known yet is found within so many sides."""
_STEADY_SIDES, _REACH_WAYS = 0.9, 1.2
"""One that was seen in two frames may be off its course by these sides, and by this part of its way since."""
_RECENT_NS = 120_000_000
_FARTHEST_SIDES = 9.0
_HUE_GATE = 34.0
_HUE_LOST = 45.0
"""In motion the colour of a die mixes with that of the table."""
_HUE_SURE = 22.0
_HUE_COST = 0.035
"""Sides that one unit of CIELAB distance counts for."""
_LOST_SIDES = 30.0


def matched(
    samples: Sequence[Sample], tracks: Sequence[Track], at_ns: int, changed: Collection[int] = ()
) -> list[Track | None]:
    """The track of each die of a frame, one to one; None for a die that is none of them.

    First dice that lie where they lay, then those that move along their way, then those that come out of a hand;
    `changed` are ids of dice at rest where the picture has changed, so that they may be among these.
    """
    found: list[Track | None] = [None] * len(samples)
    free = list(tracks)
    stages: tuple[Callable[[Sample, Track, int], float | None], ...] = (
        _lies,
        _moves,
        lambda sample, track, at_ns: _returns(sample, track, gone=track.id in changed),
    )
    for stage in stages:
        options = sorted(
            (cost, i, track.id, track)
            for i, sample in enumerate(samples)
            if found[i] is None
            for track in free
            if (cost := stage(sample, track, at_ns)) is not None
        )
        taken: set[int] = set()
        for _, i, number, track in options:
            if found[i] is None and number not in taken:
                found[i] = track
                taken.add(number)
        free = [track for track in free if track.id not in taken]
    return found


def _lies(sample: Sample, track: Track, at_ns: int) -> float | None:
    if not track.at_rest:
        return None
    gap = dist(sample.centre_px, track.last.centre_px) / track.side_px
    return gap if gap <= _LIES_SIDES and track.hue_gap(sample.hue_lab) <= _HUE_GATE else None


def _moves(sample: Sample, track: Track, at_ns: int) -> float | None:
    if track.state in (DieState.IN_HAND, DieState.OFF_TABLE):
        return None
    last = track.last
    side = track.side_px
    away = dist(sample.centre_px, last.centre_px) / side
    if away > 2 * _FARTHEST_SIDES:
        return None
    gap_s = min(0.3, (at_ns - last.at_ns) / _NS_PER_S)
    vx, vy = track.velocity_px_s()
    x, y = last.centre_px
    gap = dist(sample.centre_px, (x + vx * gap_s, y + vy * gap_s)) / side
    way = hypot(vx, vy) * gap_s / side
    if track.at_rest:
        reach = _PUSHED_SIDES
    elif len(track.samples) < 2 or at_ns - last.at_ns > _RECENT_NS:
        reach = _REACH_SIDES
    else:
        reach = min(_FARTHEST_SIDES, _STEADY_SIDES + _REACH_WAYS * way)
    if gap > reach:
        return None
    hue = track.hue_gap(sample.hue_lab)
    return gap + _HUE_COST * hue if hue <= _HUE_GATE else None


def _returns(sample: Sample, track: Track, *, gone: bool) -> float | None:
    """A die that nobody saw for a while: of its colour, wherever it comes to light."""
    if not track.known or (track.state in (DieState.SETTLED, DieState.COCKED) and not gone):
        return None
    in_hand = track.state is DieState.IN_HAND
    hue = track.hue_gap(sample.hue_lab)
    gap = dist(sample.centre_px, track.last.centre_px) / track.side_px
    if hue > (_HUE_SURE if track.at_rest else _HUE_LOST) or gap > _LOST_SIDES:
        return None
    likely = 0.0 if in_hand else 3.0 if track.at_rest else 1.0
    return likely + 0.1 * gap + _HUE_COST * hue
