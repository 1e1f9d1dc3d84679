"""A die at rest that another knocks away, and whose place that one takes: which is which shows by their faces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import dist

from vision.tracking.hands import BARE
from vision.tracking.happenings import DieState
from vision.tracking.stories import Story
from vision.tracking.track import Home, Track

__all__ = ["AWAY_NS", "AWAY_SIDES", "knocked_away", "lay_until_ns"]

_READ_FRAMES = 2
"""In so many frames what was knocked away must show the face that it showed where it lay."""
AWAY_SIDES = 2.5
"""A die that another knocks slides no farther and keeps its face: it seldom tumbles, and then who is who is unknown."""
AWAY_NS = 500_000_000
"""It comes to light so soon; no hand takes a die up and sets it down in that time."""
_LAY_SIDES = 0.25
"""What is seen so near to its place, and not read, is the die that lay there."""


def knocked_away(
    newcomer: Track, tracks: Sequence[Track], stories: Mapping[int, Story], bare: Callable[[Home], bool]
) -> Track | None:
    """The die that `newcomer`, which nobody knows, is, though something else is taken for it; None for none.

    That die does not lie where it lay any more, and its face is shown close by. `bare` tells of a place that no hand
    hides it, and that the picture does not show the die there.
    """
    value = newcomer.last.reading.value
    if value is None or sum(each.reading.value == value for each in newcomer.samples) < _READ_FRAMES:
        return None
    for track in tracks:
        story = stories.get(track.id)
        home = track.home if story is None else story.home
        if (
            track.known
            and home is not None
            and home.value == value
            and 0 < newcomer.samples[0].at_ns - lay_until_ns(track, home, newcomer.samples[0].at_ns) <= AWAY_NS
            and dist(newcomer.last.place_px, home.place_px) <= AWAY_SIDES * home.side_px
            and newcomer.like(track)
            and _is_another(track, home, bare)
        ):
            return track
    return None


def lay_until_ns(track: Track, home: Home, before_ns: int) -> int:
    """When a die was last seen where it lay before `before_ns`, though it may not have been read there any more.

    A hand that was over it may have taken it; but another hardly ever comes to lie at that very place.
    """
    until_ns = home.until_ns
    if track.glimpsed_ns < before_ns:
        until_ns = max(until_ns, track.glimpsed_ns)
    for each in track.samples:
        if home.until_ns < each.at_ns < before_ns and not each.partial and each.cover < BARE:
            if each.reading.value is not None or dist(each.centre_px, home.place_px) > _LAY_SIDES * home.side_px:
                break
            until_ns = max(until_ns, each.at_ns)
    return until_ns


def _is_another(track: Track, home: Home, bare: Callable[[Home], bool]) -> bool:
    """What is followed in its stead, or lies there, does not show its face; or nothing does, and it is not there."""
    if track.state is DieState.ROLLING:
        way = [each for each in track.samples if each.at_ns > home.until_ns]
        return bool(way) and all(each.reading.value != home.value for each in way)
    if track.state not in (DieState.COVERED, DieState.IN_HAND):
        return False
    if track.seen:
        return track.last.cover < BARE and track.last.reading.value not in (None, home.value)
    return bare(home)
