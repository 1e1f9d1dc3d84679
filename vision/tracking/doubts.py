"""Which die it is that is seen: where that cannot be said yet, its number is not put on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import dist

from vision.tracking.happenings import DieState
from vision.tracking.knocks import AWAY_NS, AWAY_SIDES, lay_until_ns
from vision.tracking.track import Home, Sample, Track, turn_of, turned_by

__all__ = ["doubtful", "is_part_of", "shows_there"]

_THERE_SIDES, _THERE_RAD = 0.15, 0.15
"""A die that lies where it lay is read so near to its place, and turned by no more: twice what readings spread by."""
_PART_SIDES, _PART_HUES = 0.35, 12.0
"""What is seen so near to the place of a die, of a colour so near to its own (in CIELAB, made as bright), is that die,
as far as a hand leaves it in view: skin beside a red die differs from it by 20."""
_SHADE = 0.4
"""A hand leaves no less of the lightness of what it shades."""


def doubtful(track: Track, tracks: Sequence[Track], hidden: Callable[[Home], bool]) -> bool:
    """Whether what is seen of a die may be another; `hidden` tells where a hand hides that a die still lies.

    It may be while no more is seen of a die that was hidden than that something lies at its place; while it moves and
    its old place is hidden, or only parts of it were seen beside a hand since it left that, for hands bring other dice
    along; and while one that nobody knows is seen by its place, so soon that it may be the one that lay there, knocked
    away by what is followed.
    """
    home = track.home
    if not track.known or home is None:
        return False
    if track.state is DieState.COVERED:
        return True
    if track.at_rest:
        return False
    if hidden(home) or all(each.partial for each in _way(track, home)):
        return True
    return any(
        each.seen
        and not each.known
        and each.like(track)
        and each.last.at_ns - lay_until_ns(track, home, each.samples[0].at_ns) <= AWAY_NS
        and dist(each.last.centre_px, home.place_px) <= AWAY_SIDES * home.side_px
        for each in tracks
    )


def shows_there(track: Track, home: Home, read: Iterable[Sample]) -> bool:
    """A die of which only parts seemed to be seen since it left `home` is read there, as it lay: it never left.

    `read` is what is read in a frame.
    """
    way = _way(track, home)
    if track.state is not DieState.ROLLING or not way or not all(each.partial for each in way):
        return False
    return any(
        each.reading.value is not None
        and each.reading.value == home.value
        and dist(each.place_px, home.place_px) <= _THERE_SIDES * home.side_px
        and turned_by(turn_of(each.reading.outline_px), home.turn_rad) <= _THERE_RAD
        and track.like(each)
        for each in read
    )


def is_part_of(track: Track, sample: Sample) -> bool:
    """What a hand leaves in view is the die at rest itself: it lies where that lies, and no skin is mixed with it."""
    value, hue_lab = sample.reading.value, sample.hue_lab
    if dist(sample.centre_px, track.anchor_px) > _PART_SIDES * track.side_px or value not in (None, track.value):
        return False
    if track.hue_lab is not None and track.hue_lab[0] > hue_lab[0] >= _SHADE * track.hue_lab[0]:
        hue_lab = hue_lab * (track.hue_lab[0] / hue_lab[0])  # shade takes from all of a colour alike
    return track.hue_gap(hue_lab) <= _PART_HUES


def _way(track: Track, home: Home) -> list[Sample]:
    return [each for each in track.samples if each.at_ns > home.until_ns]
