"""Dice from frame to frame: which is which, what each is doing, and what happened to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from math import dist

import numpy as np

from vision.geometry import TableGeometry
from vision.images import Image
from vision.readings import Point, Unreadable
from vision.tracking.flat import leans
from vision.tracking.glimpse import SHRINK, Glimpse
from vision.tracking.handfuls import Handfuls
from vision.tracking.hands import Hands, HandsWatch
from vision.tracking.happenings import DieState, Happening, Kind, TrackedDie
from vision.tracking.matching import matched
from vision.tracking.rest import Verdict, insistent, verdict
from vision.tracking.sampling import told_apart
from vision.tracking.stories import Story
from vision.tracking.track import Home, Sample, Track, turn_of

__all__ = ["DiceFollower"]

_MS = 1_000_000
_NEIGHBOUR_SIDES = 3.0
_COVERED = 0.2
"""A die whose surroundings are covered by this much, and that is not seen, lies under a hand."""
_HANDLED = 0.05
"""A die that leaves its place with so much covered around it is moved by a hand."""
_REACH_SIDES = 2.5
"""A hand that pushes a die is within so many sides of its middle."""
_UNDER_SIDES = 1.2
"""And one that sets it down within so many, when it comes to rest."""
_HALF_SIDES = 0.6
_BARE = 0.1
_BARE_FRAMES = 2
_HAND_GONE_SIDES = 6.0
_HELD_NS = 1_000 * _MS
"""A die that has left its place under a hand is in that hand once the hand has gone, or after so long."""
_PUSHED_NS = 250 * _MS
"""A die that was seen since it left its place, and that is hidden for no longer, is pushed by a finger."""
_JUST_NS = 150 * _MS
_ARM_GOES_NS = 330 * _MS
"""So long the number of a die waits for an arm to show which one it took."""
_AROUND_SIDES = 1.3
_SLIDE_NS = 700 * _MS
"""A push with a finger that hides the die takes less than this."""
_UNSEEN_NS = 1_500 * _MS
"""A die that was seen on its own and is not seen for so long is off the table, or nobody knows where."""
_LEFT_NS = 300 * _MS
_EDGE_SIDES = 1.0
_PHANTOM_NS = 400 * _MS
_GONE_NS = 4_000 * _MS
"""And one that is not seen at all for so long is not there any more."""
_ANOTHER_NS = 600 * _MS
"""A die at rest that is read as another value for so long shows it."""
_BROKEN_NS = 500 * _MS
"""What is found changed so soon after the tracker was out of step happened while it was."""
_BLIND_NS = 2_000 * _MS
"""A die at rest that cannot be read for so long, nothing being over it, becomes unreadable."""


class DiceFollower:
    """Knows every die of a table; `hands` are those that were over it lately."""

    def __init__(self, hands: HandsWatch) -> None:
        self._hands = hands
        self._tracks: list[Track] = []
        self._stories: dict[int, Story] = {}
        self._handfuls = Handfuls()
        self._bare: dict[int, int] = {}
        self._next_id = 1
        self._broken_ns = -_BROKEN_NS
        self._image: Image = np.zeros((1, 1, 3), np.uint8)
        self._geometry: TableGeometry | None = None

    @property
    def dice(self) -> tuple[TrackedDie, ...]:
        """Every die that has come to rest at least once; what has not may be a misreading of a hand."""
        return tuple(track.told() for track in self._tracks if track.known)

    def usual_side_px(self) -> float | None:
        """Side of a die's face in px: the median of all; None while none is known."""
        sides = sorted(track.side_px for track in self._tracks if track.known)
        return sides[len(sides) // 2] if sides else None

    def move(self, moved: Callable[[Point], Point]) -> None:
        """The whole picture has moved: `moved` tells where a place lies now."""
        for track in self._tracks:
            track.move(moved)

    def resting_px(self) -> list[tuple[Point, float]]:
        """Places of the dice that lie still in view, each with the side of its face, in px."""
        return [(each.last.centre_px, each.side_px) for each in self._tracks if each.at_rest and each.seen]

    def relight(self) -> None:
        """The light has changed: what is known of colours counts no more."""
        for track in self._tracks:
            track.hue_lab = None

    def miss(self, at_ns: int) -> None:
        """Up to this frame nobody watched: what is on its way cannot be told."""
        self._broken_ns = at_ns
        for story in self._stories.values():
            story.broken = True

    def matches(self, samples: Iterable[Sample], glimpse: Glimpse, at_ns: int) -> list[tuple[Sample, Track | None]]:
        """The samples of a frame that tell something, each with the die that it is; None for one that is new."""
        homes = [track.home for track in self._tracks if track.at_rest and track.home is not None]
        kept = told_apart(samples, homes)
        return list(zip(kept, matched(kept, self._tracks, at_ns), strict=True))

    def follow(
        self,
        pairs: Iterable[tuple[Sample, Track | None]],
        glimpse: Glimpse,
        hands: Hands,
        image: Image,
        geometry: TableGeometry | None,
        at_ns: int,
    ) -> list[Happening]:
        """Take in a frame, `image` (H, W, 3) BGR, and tell what was found out, in the order in which it happened."""
        self._image, self._geometry = image, geometry
        self._see(pairs, at_ns)
        happenings: list[Happening] = []
        for track in list(self._tracks):
            happenings += self._seen(track, at_ns) if track.seen else self._unseen(track, glimpse, hands, at_ns)
        happenings += self._handfuls.look(self._tracks, self._stories, at_ns)
        return sorted(happenings, key=lambda each: (each.ended_ns, each.began_ns, each.die))

    def _see(self, pairs: Iterable[tuple[Sample, Track | None]], at_ns: int) -> None:
        """Give every die of a frame to its track, or to a new one."""
        for track in self._tracks:
            track.seen = False
        for sample, known in pairs:
            if sample.partial and (known is None or _still_there(known, sample)):
                continue
            track = known or self._new_track(at_ns)
            story = self._stories.get(track.id)
            if story is not None:
                if story.rolls_freely(sample):
                    track.rolled_ns = at_ns
                story.add(sample)
            track.add(sample)
        for track in [each for each in self._tracks if each.seen and not each.known]:
            old = self._handfuls.owner_on_its_way(track, self._tracks, self._stories)
            if old is not None:
                self._take_over(track, old)

    def _new_track(self, at_ns: int) -> Track:
        track = Track(self._next_id, since_ns=at_ns)
        self._next_id += 1
        self._tracks.append(track)
        self._stories[track.id] = Story(None, at_ns)
        return track

    # --- dice that are seen

    def _seen(self, track: Track, at_ns: int) -> list[Happening]:
        self._bare.pop(track.id, None)
        if track.at_rest and track.rest_ns is None:
            self._leaves(track, at_ns)
        if track.at_rest:
            return self._lies_on(track, at_ns)
        found = verdict(track, at_ns)
        if found is None:
            if track.state is not DieState.ROLLING:
                self._be(track, DieState.ROLLING, at_ns)
            return []
        old, certain = (None, True) if track.known else self._handfuls.owner(track, self._tracks, self._stories)
        if not certain and track.rest_ns is not None and at_ns - track.rest_ns < _ARM_GOES_NS:
            return []
        if old is not None:
            self._take_over(track, old)
        return self._settles(track, found, at_ns)

    def _leaves(self, track: Track, at_ns: int) -> None:
        """It lies no longer where it lay."""
        home = track.home
        assert home is not None
        story = Story(home, home.until_ns, broken=at_ns - self._broken_ns < _BROKEN_NS)
        handled = self._hands.most_cover(home.place_px, 0.8 * home.side_px, home.until_ns)
        story.hidden = max(track.last.cover, handled) > _HANDLED
        reach_px = _REACH_SIDES * home.side_px
        story.handled = self._hands.most_cover(home.place_px, reach_px, home.until_ns) > 0
        if track.state is DieState.COVERED:  # a hand was over it, and it comes to light elsewhere
            story.hidden, story.bare_ns = True, at_ns
        story.add(track.last)
        self._stories[track.id] = story
        self._be(track, DieState.ROLLING, at_ns)

    def _lies_on(self, track: Track, at_ns: int) -> list[Happening]:
        """It lies where it lay. What it shows may be read anew, when that holds for long enough."""
        assert track.home is not None
        if track.state is DieState.COVERED:
            if track.last.reading.value not in (track.value, None) and track.last.cover < _BARE:
                self._leaves(track, at_ns)
                return []
            if track.last.reading.value != track.value:  # another die may lie there now: it must be read again
                if at_ns - track.home.until_ns >= _ANOTHER_NS and track.last.cover < _BARE:
                    self._leaves(track, at_ns)
                return []
            self._be(track, track.home.state, at_ns, keep=True)
        if track.state is DieState.COCKED:
            track.home = replace(track.home, until_ns=at_ns)
            return []
        if track.last.reading.value == track.value:
            track.home = replace(track.home, until_ns=at_ns)
            return []
        if track.value is None:
            found = insistent(track.steady())
            if found is None:
                return []
            since = at_ns
        else:
            since = at_ns - track.unchanged_ns()
            read = track.last.reading
            if at_ns - since < (_BLIND_NS if read.value is None else _ANOTHER_NS):
                return []
            found = Verdict(read.value, read.reason, 0.0 if read.value is None else read.confidence)
        before = track.value
        track.value, track.reason, track.confidence = found
        track.home = replace(
            track.home, value=found.value, reason=found.reason, until_ns=at_ns, confidence=found.confidence
        )
        kind = Kind.NUDGED if before is not None and found.value is not None else Kind.SETTLED
        return [self._event(kind, track, since, since, at_ns, before)]

    def _settles(self, track: Track, found: Verdict, at_ns: int) -> list[Happening]:
        last = track.last
        rest_ns = track.rest_ns if track.rest_ns is not None else at_ns - track.unchanged_ns()
        track.rest_ns, track.anchor_px = rest_ns, last.place_px
        around = [
            each.last.reading.outline_px
            for each in self._tracks
            if each is not track and dist(each.last.centre_px, last.centre_px) < _NEIGHBOUR_SIDES * track.side_px
        ]
        cocked = leans(track.steady(), self._geometry, self._image, around)
        if cocked:
            found = Verdict(None, Unreadable.TILTED, 0.0)
        track.value, track.reason, track.confidence = found
        home = Home(
            last.place_px, last.reading.position_mm, track.side_px, turn_of(last.reading.outline_px),
            found.value, found.reason, rest_ns, at_ns, DieState.COCKED if cocked else DieState.SETTLED,
            found.confidence,
        )  # fmt: skip
        story = self._stories.pop(track.id, None)
        track.home, track.known = home, True
        self._be(track, home.state, at_ns, keep=True)
        settled = self._event(Kind.COCKED if cocked else Kind.SETTLED, track, rest_ns, rest_ns, at_ns, None)
        if story is None:
            return [settled]
        first_ns = min((each.at_ns for each in story.samples if not each.partial), default=rest_ns)
        story.under_a_hand = (
            self._hands.most_cover(last.place_px, _UNDER_SIDES * track.side_px, first_ns - _JUST_NS, first_ns) > 0
        )
        if story.home is not None:
            story.most_cover = self._hands.most_cover(
                story.home.place_px, _AROUND_SIDES * track.side_px, story.home.until_ns, rest_ns
            )
        told = self._handfuls.ended(track, story, home, self._tracks, self._stories, at_ns)
        return [*told, settled]

    def _take_over(self, track: Track, old: Track) -> None:
        """A die that nobody knows yet is one that was missing."""
        story = self._stories.pop(old.id, None)
        if story is None:  # an arm still hides its place
            assert old.home is not None
            story = Story(old.home, old.home.until_ns, hidden=True)
        for sample in self._stories.pop(track.id).samples:
            story.add(sample)
        self._tracks.remove(old)
        self._bare.pop(old.id, None)
        track.id, track.known, track.home, track.hue_lab = old.id, True, old.home, old.hue_lab
        track.colours = old.colours + track.colours
        self._stories[track.id] = story

    # --- dice that are not seen

    def _unseen(self, track: Track, glimpse: Glimpse, hands: Hands, at_ns: int) -> list[Happening]:
        if not track.known:
            if at_ns - track.last.at_ns >= _PHANTOM_NS:
                self._drop(track)
            return []
        if track.at_rest:
            return self._missing(track, glimpse, hands, at_ns)
        story = self._stories[track.id]
        gone_ns = at_ns - track.last.at_ns
        if track.state is DieState.IN_HAND:
            if story.taken and not story.lifted_told and self._hand_has_it(track, story, hands, at_ns):
                return [story.lifted(track.id, at_ns)]
            return []
        if self._never_left(track, story, hands):
            return []
        if story.hidden and story.bare_ns is None and story.home is not None:
            if gone_ns >= _PUSHED_NS and hands.cover(story.home.place_px, 0.8 * story.home.side_px) <= _BARE:
                story.bare_ns = at_ns
                self._be(track, DieState.IN_HAND, at_ns)
            return []
        if hands.cover(track.last.centre_px, 0.8 * track.side_px) >= _COVERED:
            return []
        if track.state is DieState.ROLLING and gone_ns >= _LEFT_NS and self._went_over_the_edge(track, glimpse):
            self._be(track, DieState.OFF_TABLE, at_ns)
            story.left_ns = track.last.at_ns
            return [self._event(Kind.LEFT_TABLE, track, story.began_ns, track.last.at_ns, at_ns, None)]
        if track.state is DieState.ROLLING and gone_ns >= _UNSEEN_NS:
            self._be(track, DieState.OFF_TABLE, at_ns)
        return []

    def _never_left(self, track: Track, story: Story, hands: Hands) -> bool:
        """The shadow of a hand, or its rim, made it seem to stir a moment before that hand came over it."""
        home = story.home
        if home is None or story.hidden or hands.cover(home.place_px, 0.8 * home.side_px) < _COVERED:
            return False
        if any(dist(each.centre_px, home.place_px) > _HALF_SIDES * home.side_px for each in story.samples):
            return False
        del self._stories[track.id]
        track.rest_ns, track.anchor_px = home.rest_ns, home.place_px
        self._be(track, DieState.COVERED, home.until_ns)
        track.value, track.reason, track.confidence = home.value, home.reason, home.confidence
        return True

    def _missing(self, track: Track, glimpse: Glimpse, hands: Hands, at_ns: int) -> list[Happening]:
        """A die at rest that this frame does not show: covered, gone, or not read for once."""
        home = track.home
        assert home is not None
        cover = hands.cover(home.place_px, 0.8 * home.side_px)
        if cover >= _COVERED:
            self._bare.pop(track.id, None)
            if track.state is not DieState.COVERED:
                self._be(track, DieState.COVERED, at_ns, keep=True)
            return []
        if cover > _BARE:
            return []
        if glimpse.moves_around(home.place_px, 0.6 * home.side_px):
            self._bare.setdefault(track.id, 0)
        elif track.state is DieState.COVERED:
            self._bare[track.id] = self._bare.get(track.id, 0) + 1
        elif track.id in self._bare:
            self._bare[track.id] += 1
        else:  # nothing has changed there: it is not read for once
            unseen_ns = at_ns - track.last.at_ns
            if unseen_ns >= _BLIND_NS and track.value is not None:
                track.value, track.reason, track.confidence = None, Unreadable.AMBIGUOUS, 0.0
            if unseen_ns >= _GONE_NS:
                self._stories[track.id] = Story(home, home.until_ns, broken=True)
                track.rest_ns = None
                self._be(track, DieState.OFF_TABLE, at_ns)
            return []
        if self._bare[track.id] < _BARE_FRAMES:
            return []
        handled = self._hands.most_cover(home.place_px, 0.8 * home.side_px, home.until_ns)
        hidden = track.state is DieState.COVERED or handled > _HANDLED
        del self._bare[track.id]
        self._stories[track.id] = Story(
            home, home.until_ns, bare_ns=at_ns, hidden=hidden, broken=at_ns - self._broken_ns < _BROKEN_NS
        )
        track.rest_ns = None
        self._be(track, DieState.IN_HAND if hidden else DieState.ROLLING, at_ns)
        return []

    def _hand_has_it(self, track: Track, story: Story, hands: Hands, at_ns: int) -> bool:
        assert story.home is not None
        assert story.bare_ns is not None
        held_ns = at_ns - story.bare_ns
        if held_ns >= _HELD_NS:
            return True
        return held_ns >= _SLIDE_NS and hands.cover(story.home.place_px, _HAND_GONE_SIDES * story.home.side_px) == 0.0

    def _went_over_the_edge(self, track: Track, glimpse: Glimpse) -> bool:
        """It was last seen on its way out: at the edge of the picture, or going there."""
        height, width = (SHRINK * side for side in glimpse.motion.shape)
        x, y = track.last.centre_px
        vx, vy = track.velocity_px_s()
        x, y = x + 0.1 * vx, y + 0.1 * vy
        near = _EDGE_SIDES * track.side_px
        return not (near <= x <= width - near and near <= y <= height - near)

    # --- telling

    def _be(self, track: Track, state: DieState, at_ns: int, *, keep: bool = False) -> None:
        """Take a state; the value goes with the rest unless it is kept."""
        if track.state is not state:
            track.since_ns = at_ns
        track.state = state
        if not keep:
            track.value, track.reason, track.confidence = None, None, 0.0

    def _drop(self, track: Track) -> None:
        self._tracks.remove(track)
        self._stories.pop(track.id, None)

    def _event(
        self, kind: Kind, track: Track, began_ns: int, ended_ns: int, at_ns: int, before: int | None
    ) -> Happening:
        place: Point = track.last.place_px
        return Happening(
            kind, track.id, began_ns, ended_ns, at_ns, before=before, value=track.value, reason=track.reason,
            to_px=place, to_mm=track.last.reading.position_mm,
        )  # fmt: skip


def _still_there(track: Track, sample: Sample) -> bool:
    """A hand hides part of a die at rest: its middle seems to have moved by half a side."""
    return track.at_rest and dist(sample.centre_px, track.last.centre_px) < _HALF_SIDES * track.side_px
