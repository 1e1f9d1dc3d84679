"""Which die of a frame is which die of the frames before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from math import dist, hypot
from statistics import median

import numpy as np
from numpy.typing import NDArray

from vision.tracking.happenings import DieState
from vision.tracking.track import Sample, Track

__all__ = ["WHOLE_SIDES", "all_shifted", "matched"]

_UNKNOWN_SIDES = 0.4
"""Sides that it counts for when a track has never come to rest, beside one that has: it may be a face of that die."""
_NS_PER_S = 1_000_000_000
_LIES_SIDES = 0.35
"""A die at rest is found within this many sides of its place, else it has moved."""
_PUSHED_SIDES = 1.3
"""A die at rest that is pushed is no farther away in the next frame."""
_PUSHED_ALIKE_SIDES, _PUSHED_SIDES_S = 2.2, 10.0
"""Or, when it shows what it showed, than this and this by the second: a finger pushes a die 16 sides in one."""
_OTHER_FACE_SIDES = 1.0
"""So much farther away seems what shows another face, or none: a die that another knocks away keeps its own, and that
other comes near its place."""
_STEADY_FRAMES = 3
"""A die that was read in one place so often lies still, though a shadow that moves over it may say otherwise."""
_VAGUE_SIDES = 0.6
"""What is read of a die half hidden lies within so many sides of its place."""
_HIDDEN_SIDES, _HIDDEN_SIDES_S = 0.9, 4.0
"""One that a finger has just hidden is no farther away than this, and this by the second."""
WHOLE_SIDES = 0.65
"""What is that much smaller than a die is no die: a finger, or a corner of one that is followed already."""
_REACH_SIDES = 2.2
"""A die of whose way nothing is known yet is found within so many sides."""
_STEADY_SIDES, _REACH_WAYS = 0.9, 1.2
"""One that was seen in two frames may be off its course by these sides, and by this part of its way since."""
_AT_ONCE_NS = 70_000_000
_ONE_DIE_SIDES = 0.75
"""Where nothing moves, nothing has come within so short a time (two frames at 30 a second, one at 15). But nearer than
this no two dice lie: it is the same die, of which another part was read."""
_RECENT_NS = 120_000_000
_SLIDING_NS = 250_000_000
"""A die that a finger pushes comes to light again this soon."""
_FARTHEST_SIDES = 9.0
_HUE_GATE = 34.0
_HUE_COST = 0.035
"""Sides that one unit of CIELAB distance counts for."""
_ALIKE_DICE = 5
_ALIKE = 0.7
_ALIKE_SIDES, _ALIKE_PART = 0.12, 0.5
"""So many dice at rest, and this share of them, moved by the same way to within these sides, and to within this part of
that way: the camera moved."""
_SHIFT_PX, _SHIFT_SIDES = 1.5, 0.06


def matched(
    samples: Sequence[Sample], tracks: Sequence[Track], at_ns: int, stays: Callable[[Track], bool] = lambda _: False
) -> list[Track | None]:
    """The track of each die of a frame, one to one; None for a die that is none of them.

    `stays` says of a die that lies still that the picture shows it where it lay, read or not: it is nowhere else.
    First dice that lie where they lay, then those that move along their way. Samples that are but `partial` come last.
    """
    found: list[Track | None] = [None] * len(samples)
    if not samples or not tracks:
        return found
    away_sides = _away_sides(samples, tracks)
    nearest_rolling = _nearest_rolling(away_sides, tracks)
    possible = ~_near_another(away_sides, samples, tracks) & ~_covered_meanwhile(away_sides, nearest_rolling, tracks)
    unknown = np.array([not track.known for track in tracks])
    extra = _UNKNOWN_SIDES * (unknown & np.isfinite(nearest_rolling)[:, None])
    extra[:, unknown & _of_one_body(tracks, at_ns)] += _FARTHEST_SIDES
    partial = np.array([sample.partial for sample in samples])
    for costs, reach_sides in ((_lies, _LIES_SIDES), (_moves, 2 * _FARTHEST_SIDES)):
        for rows in (~partial, partial):
            options = []
            for i, j in np.argwhere(possible & rows[:, None] & (away_sides <= reach_sides)).tolist():
                cost = costs(samples[i], tracks[j], float(away_sides[i, j]), at_ns)
                elsewhere = costs is _moves and away_sides[i, j] > _ONE_DIE_SIDES
                if cost is not None and not (elsewhere and _lies_still(tracks[j]) and stays(tracks[j])):
                    options.append((cost + float(extra[i, j]), i, tracks[j].id, j))
            given: dict[int, int] = {}
            for _, i, _, j in sorted(options):
                if possible[i, j]:
                    given[i] = j
                    possible[i], possible[:, j] = False, False
            if costs is _moves:
                _exchange(given, {(i, j): cost for cost, i, _, j in options if not _lies_still(tracks[j])})
            for i, j in given.items():
                found[i] = tracks[j]
    return found


def _exchange(given: dict[int, int], costs: Mapping[tuple[int, int], float]) -> None:
    """Let two dice on their way exchange what each was given, where that fits the two of them better together.

    What is nearest to the way of one may be all that is left for the other.
    """
    for a, b in combinations(sorted(given), 2):
        crosswise = (a, given[b]), (b, given[a])
        if all(pair in costs for pair in (*crosswise, (a, given[a]), (b, given[b]))):
            as_given = costs[a, given[a]] + costs[b, given[b]]
            if sum(costs[pair] for pair in crosswise) < as_given:
                given[a], given[b] = given[b], given[a]


def all_shifted(pairs: Sequence[tuple[Sample, Track | None]]) -> bool:
    """True when most dice at rest that are read have moved by the same way, which no hand does."""
    ways, sides = [], []
    for sample, track in pairs:
        if track is not None and track.at_rest and not sample.partial:
            ways.append((sample.place_px[0] - track.anchor_px[0], sample.place_px[1] - track.anchor_px[1]))
            sides.append(track.side_px)
    if len(ways) < _ALIKE_DICE:
        return False
    way, side = tuple(map(median, zip(*ways, strict=True))), median(sides)
    far_px = hypot(*way)
    if far_px < max(_SHIFT_PX, _SHIFT_SIDES * side):
        return False
    alike = np.hypot(*(np.array(ways) - way).T) <= min(_ALIKE_SIDES * side, _ALIKE_PART * far_px)
    return bool(alike.mean() >= _ALIKE)


def _away_sides(samples: Sequence[Sample], tracks: Sequence[Track]) -> NDArray[np.float64]:
    """How far each sample is from where each track lies or was last seen, in sides of its face: (samples, tracks).

    A die at rest lies where it came to rest: of one half hidden the middle seems elsewhere, and by and by farther.
    """
    here = np.array([sample.centre_px for sample in samples])
    there = np.array([track.anchor_px if track.at_rest else track.last.centre_px for track in tracks])
    away_px = np.linalg.norm(here[:, None] - there, axis=2)
    return np.asarray(away_px / [track.side_px for track in tracks])


def _nearest_rolling(away_sides: NDArray[np.float64], tracks: Sequence[Track]) -> NDArray[np.float64]:
    """How far from each sample a die that is known and on its way was last seen, if no other die can lie between."""
    rolling = np.array([track.known and track.state is DieState.ROLLING for track in tracks])
    nearest = np.where(rolling, away_sides, np.inf).min(axis=1)
    return np.asarray(np.where(nearest <= _ONE_DIE_SIDES, nearest, np.inf))


def _of_one_body(tracks: Sequence[Track], at_ns: int) -> NDArray[np.bool_]:
    """Which tracks are no other die than one that is known and was just seen on its way: no two dice are so near."""
    known = [
        each
        for each in tracks
        if each.known and each.state is DieState.ROLLING and at_ns - each.last.at_ns <= _RECENT_NS
    ]
    if not known:
        return np.zeros(len(tracks), bool)
    here = np.array([track.last.centre_px for track in tracks])
    there = np.array([each.last.centre_px for each in known])
    reach_px = _ONE_DIE_SIDES * np.array([each.side_px for each in known])
    return np.asarray((np.linalg.norm(here[:, None] - there, axis=2) < reach_px).any(axis=1))


def _covered_meanwhile(
    away_sides: NDArray[np.float64], nearest_rolling: NDArray[np.float64], tracks: Sequence[Track]
) -> NDArray[np.bool_]:
    """Which pairs cannot be, (samples, tracks): what was seen coming is not the die that lies, or lay, under a hand."""
    covered = np.array([track.state is DieState.COVERED for track in tracks])
    return np.asarray(covered & (nearest_rolling[:, None] < away_sides))


def _near_another(
    away_sides: NDArray[np.float64], samples: Sequence[Sample], tracks: Sequence[Track]
) -> NDArray[np.bool_]:
    """Which pairs cannot be, (samples, tracks): what shows no value, by the place of a die at rest, is that die."""
    away = np.where([track.at_rest for track in tracks], away_sides, np.inf)
    vague = np.array([sample.partial or sample.reading.value is None for sample in samples])
    at_home = vague & (away.min(axis=1) <= _VAGUE_SIDES)
    return np.asarray(at_home[:, None] & (np.arange(len(tracks)) != away.argmin(axis=1)[:, None]))


def _lies(sample: Sample, track: Track, away_sides: float, at_ns: int) -> float | None:
    return away_sides if _lies_still(track) and track.hue_gap(sample.hue_lab) <= _HUE_GATE else None


def _lies_still(track: Track) -> bool:
    """It is at rest, or lies as if it were and has not been told so yet."""
    if track.at_rest or track.rest_ns is not None:
        return True
    if track.state is not DieState.ROLLING:
        return False
    since_ns = -1 if track.home is None else track.home.until_ns
    return sum(sample.at_ns > since_ns for sample in track.steady()) >= _STEADY_FRAMES


def _moves(sample: Sample, track: Track, away_sides: float, at_ns: int) -> float | None:
    last = track.last
    if track.state is DieState.OFF_TABLE:
        return None
    if (track.state is DieState.IN_HAND or last.partial) and at_ns - last.at_ns > _SLIDING_NS:
        return None  # what was seen of it under the hand may have been the hand
    if away_sides > _ONE_DIE_SIDES and not sample.moves and at_ns - last.at_ns <= _AT_ONCE_NS:
        return None
    side = track.side_px
    gap_s = min(0.3, (at_ns - last.at_ns) / _NS_PER_S)
    vx, vy = track.velocity_px_s()
    x, y = last.centre_px
    gap = dist(sample.centre_px, (x + vx * gap_s, y + vy * gap_s)) / side
    way = hypot(vx, vy) * gap_s / side
    if _lies_still(track) and at_ns - last.at_ns > _SLIDING_NS:
        return None
    other_face = 0.0
    if _lies_still(track):
        seen_ns = max(last.at_ns, track.glimpsed_ns)
        if sample.partial and sample.side_px < WHOLE_SIDES * side and at_ns - seen_ns > _AT_ONCE_NS:
            return None  # under a hand: it may be a finger
        unseen_s = min(gap_s, (at_ns - track.glimpsed_ns) / _NS_PER_S)
        reach = _HIDDEN_SIDES + _HIDDEN_SIDES_S * unseen_s if sample.partial else _PUSHED_SIDES
        shown = track.home.value if track.at_rest and track.home is not None else last.reading.value
        if shown is not None and shown == sample.reading.value:
            reach = min(_PUSHED_ALIKE_SIDES, _PUSHED_SIDES + _PUSHED_SIDES_S * gap_s)
        else:
            other_face = _OTHER_FACE_SIDES
    elif len(track.samples) < 2 or at_ns - last.at_ns > _RECENT_NS:
        reach = _REACH_SIDES
    else:
        reach = min(_FARTHEST_SIDES, _STEADY_SIDES + _REACH_WAYS * way)
    if gap > reach:
        return None
    hue = track.hue_gap(sample.hue_lab)
    return gap + other_face + _HUE_COST * hue if hue <= _HUE_GATE else None
