"""A die at rest that another knocks away, and whose place that one takes: which is which shows by their faces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import dist

from vision.tracking.happenings import DieState
from vision.tracking.stories import Story
from vision.tracking.track import Track

__all__ = ["knocked_away"]

_READ_FRAMES = 2
"""In so many frames what was knocked away must show the face that it showed where it lay."""
_AWAY_SIDES = 2.5
"""A die that another knocks slides no farther and keeps its face: it seldom tumbles, and then who is who is unknown."""
_AWAY_NS = 500_000_000
"""It comes to light so soon; no hand takes a die up and sets it down in that time."""


def knocked_away(newcomer: Track, tracks: Sequence[Track], stories: Mapping[int, Story]) -> Track | None:
    """The die that `newcomer`, which nobody knows, is, though something else was followed in its stead; None for none.

    What was followed came to where the die lay, and has not shown its face since; the newcomer shows it close by.
    """
    value = newcomer.last.reading.value
    if value is None or sum(each.reading.value == value for each in newcomer.samples) < _READ_FRAMES:
        return None
    for track in tracks:
        story = stories.get(track.id)
        home = None if story is None else story.home
        if home is None or home.value != value or track.state is not DieState.ROLLING:
            continue
        way = [each for each in track.samples if each.at_ns > home.until_ns]
        if (
            way
            and all(each.reading.value != value for each in way)
            and 0 < newcomer.samples[0].at_ns - home.until_ns <= _AWAY_NS
            and dist(newcomer.last.place_px, home.place_px) <= _AWAY_SIDES * home.side_px
            and newcomer.like(track)
        ):
            return track
    return None
