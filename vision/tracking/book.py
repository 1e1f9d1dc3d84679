"""The dice of one table: the track of each, and the story of each that is on its way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import dist

from vision.tracking.handfuls import Handfuls
from vision.tracking.happenings import DieState
from vision.tracking.knocks import lay_until_ns
from vision.tracking.stories import Story
from vision.tracking.track import Home, Sample, Track

__all__ = ["Book"]

_BROKEN_NS = 500_000_000
"""What is found changed so soon after the tracker was out of step happened while it was."""
_ELSEWHERE_SIDES = 0.6
"""What is read so far from the place of a die that lies there is another."""


class Book:
    """What is known of the dice; `stories` has one for each track that is not at rest, by its id."""

    def __init__(self) -> None:
        self.tracks: list[Track] = []
        self.stories: dict[int, Story] = {}
        self.handfuls = Handfuls()
        self._missed_until_ns = -_BROKEN_NS
        self._next_id = 1

    def usual_side_px(self) -> float | None:
        """Side of a die's face in px: the median of all; None while none is known."""
        sides = sorted(track.side_px for track in self.tracks if track.known)
        return sides[len(sides) // 2] if sides else None

    def miss(self, at_ns: int) -> None:
        """Up to this frame nobody watched: what is on its way cannot be told."""
        self._missed_until_ns = at_ns
        for story in self.stories.values():
            story.broken = True

    def broken(self, at_ns: int) -> bool:
        """Whether a change found now may have happened while nobody watched."""
        return at_ns - self._missed_until_ns < _BROKEN_NS

    def new_track(self, at_ns: int) -> Track:
        """A track for something that nobody knows."""
        track = Track(self._next_id, since_ns=at_ns)
        self._next_id += 1
        self.tracks.append(track)
        self.stories[track.id] = Story(None, at_ns)
        return track

    def drop(self, track: Track) -> None:
        """It was nothing."""
        self.tracks.remove(track)
        self.stories.pop(track.id, None)

    def take_over(self, track: Track, old: Track) -> None:
        """A die that nobody knows yet is one that was missing: it gets its number, its story and its colour."""
        story = self.stories.pop(old.id, None)
        if story is None:  # an arm still hides its place
            assert old.home is not None
            story = Story(old.home, old.home.until_ns, bare_ns=track.samples[0].at_ns, hidden=True)
        if story.hidden and story.bare_ns is None:  # what was followed from its place was the hand
            story.bare_ns = track.samples[0].at_ns
        for sample in self.stories.pop(track.id).samples:
            story.add(sample)
        self.tracks.remove(old)
        track.id, track.known, track.home, track.hue_lab = old.id, True, old.home, old.hue_lab
        track.colours = old.colours + track.colours
        track.rolled_ns = max(track.rolled_ns, old.rolled_ns)
        self.stories[track.id] = story

    def rests_again(self, track: Track, home: Home, state: DieState) -> None:
        """A die that seemed to be on its way lies where it lay: nothing happened to it."""
        del self.stories[track.id]
        track.rest_ns, track.anchor_px, track.look = home.rest_ns, home.place_px, home.look
        track.be(state, home.until_ns)
        track.value, track.reason, track.confidence = home.value, home.reason, home.confidence

    def exchange(self, newcomer: Track, track: Track) -> None:
        """What nobody knows yet is the die that was followed as `track`; what was followed in its stead is new."""
        story = self.stories.get(track.id)
        home = track.home if story is None else story.home
        assert home is not None
        home = replace(home, until_ns=lay_until_ns(track, home, newcomer.samples[0].at_ns))
        track.home = home
        way = _cut_off_way(track, home)
        if story is not None:
            story.home = home
            story.samples.clear()
        self.take_over(newcomer, track)
        if way:
            self._follow_as_new(way)
            story = self.stories[newcomer.id]
            story.hidden, story.bare_ns = False, None  # whatever hand was over it, another die moved it

    def never_left(self, track: Track) -> None:
        """A die on its way lies where it lay: what was followed in its stead is one that nobody knows yet."""
        home = self.stories[track.id].home
        assert home is not None
        if all(sample.at_ns > home.until_ns for sample in track.samples):
            return
        self.rests_again(track, home, home.state)
        track.side_px = home.side_px
        way = _cut_off_way(track, home)
        if way and dist(way[-1].centre_px, home.place_px) > _ELSEWHERE_SIDES * home.side_px:
            self._follow_as_new(way)

    def _follow_as_new(self, way: Sequence[Sample]) -> None:
        other = self.new_track(way[0].at_ns)
        for sample in way:
            other.add(sample)
            self.stories[other.id].add(sample)


def _cut_off_way(track: Track, home: Home) -> list[Sample]:
    """Take from a track all that was seen since it lay at `home`."""
    way = [sample for sample in track.samples if sample.at_ns > home.until_ns]
    for _ in way:
        track.samples.pop()
    return way
