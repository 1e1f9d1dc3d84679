"""Dice that a frame does not show: covered, in a hand, on their way, off the table, or not read for once."""

from __future__ import annotations

from dataclasses import replace
from math import dist

from vision.readings import Unreadable
from vision.tracking.book import Book
from vision.tracking.departures import Departures
from vision.tracking.glimpse import Glimpse
from vision.tracking.hands import BARE, COVERED, Hands, HandsWatch
from vision.tracking.happenings import DieState, Happening
from vision.tracking.sampling import REACH_SIDES
from vision.tracking.stories import Story
from vision.tracking.track import Home, Track

__all__ = ["BLIND_NS", "HALF_SIDES", "HANDLED", "Absences", "hides"]

_MS = 1_000_000
HANDLED = 0.05
"""A die that leaves its place with so much covered around it is moved by a hand."""
HALF_SIDES = 0.6
"""The middle of a die of which a hand hides part seems to lie elsewhere by no more than this."""
_BARE_FRAMES = 2
_JUST_NS, _WHOLLY = 400 * _MS, 0.8
"""Where a hand covered so much so lately another die may lie, which looks the same from afar."""
_HAND_GONE_SIDES = 6.0
_HELD_NS = 1_000 * _MS
"""A die that has left its place under a hand is in that hand once the hand has gone, or after so long."""
_PUSHED_NS = 250 * _MS
"""A die that was seen since it left its place, and that is hidden for no longer, is pushed by a finger."""
_SLIDE_NS = 700 * _MS
"""A push with a finger that hides the die takes less than this."""
_UNSEEN_NS = 1_500 * _MS
"""A die that was seen on its own and is not seen for so long is off the table, or nobody knows where."""
_PHANTOM_NS = 400 * _MS
"""What has never come to rest, and is not seen for so long, was nothing."""
BLIND_NS = 2_000 * _MS
"""A die at rest that cannot be read for so long, nothing being over it, becomes unreadable."""
_GONE_NS = 4_000 * _MS
"""And one that is not seen at all for so long is not there any more."""


def hides(hands: Hands, home: Home) -> bool:
    """A hand hides whether a die lies at a place."""
    return hands.cover(home.place_px, 0.8 * home.side_px) >= COVERED


class Absences:
    """Tells of the dice of a book what their absence means; `hands` are those that were over the table lately."""

    def __init__(self, book: Book, hands: HandsWatch, departures: Departures) -> None:
        self._book = book
        self._hands = hands
        self._departures = departures
        self._bare: dict[int, int] = {}

    def seen(self, track: Track) -> None:
        """It is not absent."""
        self._bare.pop(track.id, None)

    def of(self, track: Track, glimpse: Glimpse, hands: Hands, at_ns: int) -> list[Happening]:
        """What is found out of a track that the frame `at_ns` does not show."""
        if not track.known and not self._departures.fell(track, glimpse, hands, at_ns):
            if at_ns - track.last.at_ns >= _PHANTOM_NS:
                self._book.drop(track)
            return []
        if track.at_rest:
            return self._missing(track, glimpse, hands, at_ns)
        story = self._book.stories[track.id]
        gone_ns = at_ns - track.last.at_ns
        if track.state is DieState.IN_HAND:
            if story.taken and not story.lifted_told and self._hand_has_it(track, story, hands, at_ns):
                return [story.lifted(track.id, at_ns)]
            return []
        if self._never_left(track, story, hands):
            return []
        if story.hidden and story.bare_ns is None and story.home is not None:
            if gone_ns >= _PUSHED_NS and hands.cover(story.home.place_px, 0.8 * story.home.side_px) <= BARE:
                story.bare_ns = at_ns
                track.be(DieState.IN_HAND, at_ns)
            return []
        if hands.cover(track.last.centre_px, 0.8 * track.side_px) >= COVERED:
            return []
        if track.state is DieState.ROLLING and self._departures.rolled_out(track, glimpse, at_ns):
            return [self._departures.left(track, track.last.at_ns, at_ns)]
        if track.state is DieState.ROLLING and gone_ns >= _UNSEEN_NS:
            track.be(DieState.OFF_TABLE, at_ns)
        return []

    def _never_left(self, track: Track, story: Story, hands: Hands) -> bool:
        """The shadow of a hand, or its rim, made it seem to stir a moment before that hand came over it."""
        home = story.home
        if home is None or story.hidden or not hides(hands, home):
            return False
        if any(dist(each.centre_px, home.place_px) > HALF_SIDES * home.side_px for each in story.samples):
            return False
        self._book.rests_again(track, home, DieState.COVERED)
        return True

    def just_hidden(self, home: Home, at_ns: int) -> bool:
        """A hand has only just lain over all of it: another may lie there now, and must be read first."""
        return self._hands.most_cover(home.place_px, 0.8 * home.side_px, at_ns - _JUST_NS) >= _WHOLLY

    def _missing(self, track: Track, glimpse: Glimpse, hands: Hands, at_ns: int) -> list[Happening]:
        """A die at rest: it is covered, gone, or not read for once."""
        home = track.home
        assert home is not None
        cover = hands.cover(home.place_px, 0.8 * home.side_px)
        if cover >= COVERED:
            self._bare.pop(track.id, None)
            if track.state is not DieState.COVERED:
                track.be(DieState.COVERED, at_ns, keep=True)
            return []
        if cover > BARE:
            return []
        if home.stays(glimpse):  # it is not read for once, but there it is
            self._bare.pop(track.id, None)
            if hands.cover(home.place_px, REACH_SIDES * home.side_px) == 0:
                track.home = replace(home, until_ns=at_ns)
            if not self.just_hidden(home, at_ns):
                track.be(home.state, at_ns, keep=True)
            return []
        if glimpse.moves_around(home.place_px, 0.6 * home.side_px):
            self._bare.setdefault(track.id, 0)
        elif track.state is DieState.COVERED:
            self._bare[track.id] = self._bare.get(track.id, 0) + 1
        elif track.id in self._bare:
            self._bare[track.id] += 1
        else:  # nothing has changed there: it is not read for once
            unseen_ns = at_ns - track.last.at_ns
            if unseen_ns >= BLIND_NS and track.value is not None:
                track.value, track.reason, track.confidence = None, Unreadable.AMBIGUOUS, 0.0
            if unseen_ns >= _GONE_NS:
                self._book.stories[track.id] = Story(home, home.until_ns, broken=True)
                track.rest_ns = None
                track.be(DieState.OFF_TABLE, at_ns)
            return []
        if self._bare[track.id] < _BARE_FRAMES:
            return []
        handled = self._hands.most_cover(home.place_px, 0.8 * home.side_px, home.until_ns)
        hidden = track.state is DieState.COVERED or handled > HANDLED
        del self._bare[track.id]
        self._book.stories[track.id] = Story(
            home, home.until_ns, bare_ns=at_ns, hidden=hidden, broken=self._book.broken(at_ns)
        )
        track.rest_ns = None
        track.be(DieState.IN_HAND if hidden else DieState.ROLLING, at_ns)
        return []

    def _hand_has_it(self, track: Track, story: Story, hands: Hands, at_ns: int) -> bool:
        assert story.home is not None
        assert story.bare_ns is not None
        held_ns = at_ns - story.bare_ns
        if held_ns >= _HELD_NS:
            return True
        return held_ns >= _SLIDE_NS and hands.cover(story.home.place_px, _HAND_GONE_SIDES * story.home.side_px) == 0.0
