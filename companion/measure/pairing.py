"""Which track is which true die, frame by frame.

A track belongs to the die that lies where the track says it is: within half a side for a die at rest (dice that touch
are a whole side apart, so no two can be meant), within a whole side for one that moves (the upper face of a tumbling
die is no single place, and the exposure smears it). A pair of the frame before goes on as long as it is within reach,
as in the usual measures of tracking (CLEAR MOT), so that noise between near dice is no exchange. Tracks that are seen
come before those that are only remembered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import dist

from companion.measure.told import AT_REST, Die, Shot, Told
from device.simulated.play.truth import TrueDie
from vision.readings import Point
from vision.tracking.happenings import DieState

__all__ = ["pair", "pair_all", "side_px"]

REACH_AT_REST = 0.5
REACH_MOVING = 1.0
"""In sides of the die's upper face."""
_LOST = (DieState.IN_HAND, DieState.OFF_TABLE)


def pair_all(shots: Sequence[Shot]) -> None:
    """Fill in the pairs of all shots of a play, which must be in the order in which the tracker had them."""
    before: dict[int, Die] = {}
    for shot in shots:
        shot.pairs.clear()
        if shot.told:  # out of step nothing is told, and pairs outlast that
            before = pair(shot.told, shot.true, before)
            shot.pairs.update(before)


def pair(told: Sequence[Told], true: Mapping[Die, TrueDie], before: Mapping[int, Die]) -> dict[int, Die]:
    """The die of each track that has one, given the pairs of the frame before."""
    candidates = []
    for track in told:
        if track.state in _LOST and not track.seen:
            continue
        for die, each in true.items():
            sides = _sides_apart(track.centre_px, each)
            if sides > (REACH_AT_REST if each.state in AT_REST else REACH_MOVING):
                continue
            away = each.state in ("in hand", "off table")
            candidates.append((not track.seen, away, before.get(track.id) != die, sides, track.id, die))
    pairs: dict[int, Die] = {}
    taken: set[Die] = set()
    for *_, track_id, die in sorted(candidates):
        if track_id not in pairs and die not in taken:
            pairs[track_id] = die
            taken.add(die)
    return pairs


def side_px(true: TrueDie) -> float:
    """Mean side of the upper face in the picture."""
    top = true.top_px
    return sum(dist(a, b) for a, b in zip(top, top[1:] + top[:1], strict=True)) / len(top) if top else 1.0


def _sides_apart(place_px: Point, true: TrueDie) -> float:
    return dist(place_px, true.centre_px) / max(side_px(true), 1.0)
