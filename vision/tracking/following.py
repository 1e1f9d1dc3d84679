"""Dice from frame to frame: which is which, what each is doing, and what happened to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from math import dist

from vision.geometry import TableGeometry
from vision.images import Image
from vision.readings import Point, Unreadable
from vision.tracking.absences import BLIND_NS, HALF_SIDES, HANDLED, Absences, hides
from vision.tracking.bodies import Bodies
from vision.tracking.book import Book
from vision.tracking.departures import Departures
from vision.tracking.doubts import doubtful, is_part_of, shows_there
from vision.tracking.drops import Drops
from vision.tracking.glimpse import Glimpse
from vision.tracking.hands import BARE, Hands, HandsWatch
from vision.tracking.happenings import DieState, Happening, Kind, TrackedDie
from vision.tracking.knocks import knocked_away
from vision.tracking.looks import Look
from vision.tracking.matching import WHOLE_SIDES, matched
from vision.tracking.rest import Verdict, insistent, verdict
from vision.tracking.sampling import REACH_SIDES, told_apart
from vision.tracking.setting_down import Uncovered, stood_still
from vision.tracking.sizes import of_whole_faces, with_parts
from vision.tracking.stories import Story
from vision.tracking.tilts import Tilts
from vision.tracking.touches import touched
from vision.tracking.track import Home, Sample, Track, turn_of

__all__ = ["DiceFollower"]

_MS = 1_000_000
_UNDER_SIDES = 1.2
"""And one that sets it down within so many, when it comes to rest."""
_JUST_NS = 150 * _MS
_PLACE_SIDES = 0.6
"""What nothing has moved on for a while, so far around its middle, has lain there for as long, read or not."""
_ARM_GOES_NS = 330 * _MS
"""So long the number of a die waits for an arm to show which one it took."""
_AROUND_SIDES = 1.3
_ANOTHER_NS = 600 * _MS
"""A die at rest that is read as another value for so long shows it."""
_OTHERWISE_FRAMES = 2
"""Another value than that of the die which seems to lie there still is read in so many frames, one after the other."""
_LOOK_NS = 500 * _MS
"""Light that changes slowly is followed so often."""


class DiceFollower:
    """Knows every die of a table; `hands` are those that were over it lately.

    Attributes:
        bodies: finds the dice of a frame of which no face is read, before they are matched.
    """

    def __init__(self, hands: HandsWatch) -> None:
        self._hands = hands
        self._book = Book()
        self._departures = Departures(self._book, hands)
        self._absences = Absences(self._book, hands, self._departures)
        self._drops = Drops()
        self.bodies = Bodies(self._book, hands)
        self._uncovered = Uncovered(hands)
        self._tilts = Tilts(self._book, hands, self.bodies)
        self._glimpse: Glimpse | None = None

    @property
    def dice(self) -> tuple[TrackedDie, ...]:
        """Every die that has come to rest at least once; what has not may be a misreading of a hand."""
        return tuple(track.told() for track in self._book.tracks if track.known)

    def usual_side_px(self) -> float | None:
        """Side of a die's face in px: the median of all; None while none is known."""
        return self._book.usual_side_px()

    def move(self, moved: Callable[[Point], Point]) -> None:
        """The whole picture has moved: `moved` tells where a place lies now."""
        self.bodies.forget()
        for track in self._book.tracks:
            track.move(moved)

    def resting_px(self) -> list[tuple[Point, float]]:
        """Places of the dice that lie still in view, each with the side of its face, in px."""
        return [(each.last.centre_px, each.side_px) for each in self._book.tracks if each.at_rest and each.seen]

    def relight(self) -> None:
        """The light has changed: what is known of colours counts no more."""
        self.bodies.forget()
        for track in self._book.tracks:
            track.hue_lab, track.look = None, None
            if track.home is not None:
                track.home = replace(track.home, look=None)

    def miss(self, at_ns: int) -> None:
        """Up to this frame nobody watched: what is on its way cannot be told."""
        self._book.miss(at_ns)

    def matches(self, samples: Iterable[Sample], glimpse: Glimpse, at_ns: int) -> list[tuple[Sample, Track | None]]:
        """The samples of a frame that tell something, each with the die that it is; None for one that is new."""
        samples = of_whole_faces(samples, self._book.tracks)
        read = [each for each in samples if each.reading.value is not None and not each.partial]
        shown = [(each.centre_px, each.reading.value) for each in read if each.cover < BARE]
        for track in list(self._book.tracks):
            self._doubt_look(track, shown)
            story = self._book.stories.get(track.id)
            home = None if story is None else story.home
            if home is not None and (home.stays(glimpse) or shows_there(track, home, read)):
                self._book.never_left(track)
        homes = [track.home for track in self._book.tracks if track.at_rest and track.home is not None]
        kept = told_apart(samples, homes, lambda home: self._hands.most_cover(home.place_px, 0.8 * home.side_px, at_ns))

        def stays(track: Track) -> bool:
            return track.look is not None and track.look.stays(glimpse)

        return with_parts(zip(kept, matched(kept, self._book.tracks, at_ns, stays), strict=True))

    def _doubt_look(self, track: Track, shown: Iterable[tuple[Point, int | None]]) -> None:
        """A die of the same colour looks alike from afar, whatever it shows: another value, read there, tells more.

        `shown` are the places and values of the dice that are read in plain view.
        """
        story = self._book.stories.get(track.id)
        home = track.home if story is None else story.home
        if home is None or home.value is None:
            return
        at_px, reach_px = home.place_px, HALF_SIDES * home.side_px
        values = {value for place_px, value in shown if dist(place_px, at_px) < reach_px}
        if not values or home.value in values:
            track.read_otherwise = 0
            return
        track.read_otherwise += 1
        if track.read_otherwise >= _OTHERWISE_FRAMES:
            track.look = None
            if track.home is not None:
                track.home = replace(track.home, look=None)
            if story is not None and story.home is not None:
                story.home = replace(story.home, look=None)

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
        self._glimpse = glimpse
        self._tilts.look(image, geometry)
        self._see(pairs, hands, at_ns)
        happenings: list[Happening] = []
        for track in list(self._book.tracks):
            happenings += self._seen(track, at_ns) if track.seen else self._absences.of(track, glimpse, hands, at_ns)
        happenings += self._book.handfuls.look(self._book.tracks, self._book.stories, at_ns)
        happenings += self._drops.look(happenings, self._book.tracks, self._book.stories, at_ns)
        happenings += self._departures.flown(hands, (image.shape[1], image.shape[0]), at_ns)
        self._look(glimpse, at_ns)
        for track in self._book.tracks:
            track.doubtful = track.seen and doubtful(track, self._book.tracks, lambda home: hides(hands, home))
        return sorted(happenings, key=lambda each: (each.ended_ns, each.began_ns, each.die))

    def _look(self, glimpse: Glimpse, at_ns: int) -> None:
        """Remember how dice look that lie in plain view."""
        for track in self._book.tracks:
            if track.rest_ns is None or not track.seen or track.last.cover > 0:
                continue
            if track.look is None or at_ns - track.look.at_ns >= _LOOK_NS:
                track.look = Look.of(glimpse, track.anchor_px, track.side_px)
            if track.at_rest and track.home is not None and track.home.look is not track.look:
                track.home = replace(track.home, look=track.look)

    def _see(self, pairs: Iterable[tuple[Sample, Track | None]], hands: Hands, at_ns: int) -> None:
        """Give every die of a frame to its track, or to a new one."""
        for track in self._book.tracks:
            track.missed, track.seen = not track.seen, False
        for sample, known in pairs:
            if sample.partial and (known is None or _still_there(known, sample)):
                if known is not None and is_part_of(known, sample):
                    known.glimpsed_ns = at_ns
                continue
            track = known or self._book.new_track(at_ns)
            story = self._book.stories.get(track.id)
            if story is not None:
                if story.rolls_freely(sample):
                    track.rolled_ns = at_ns
                story.add(sample)
            track.add(sample)
        for track in [each for each in self._book.tracks if each.seen and not each.known]:
            knocked = knocked_away(
                track, self._book.tracks, self._book.stories, lambda home: self._is_bare(home, hands)
            )
            if knocked is not None:
                self._book.exchange(track, knocked)
                continue
            old = self._book.handfuls.owner_on_its_way(track, self._book.tracks, self._book.stories)
            if old is not None:
                self._book.take_over(track, old)

    def _is_bare(self, home: Home, hands: Hands) -> bool:
        """No hand hides where a die lay, and the picture does not show it there."""
        glimpse = self._glimpse
        return (
            glimpse is not None
            and hands.cover(home.place_px, home.side_px) < BARE
            and home.look is not None
            and not home.stays(glimpse)
        )

    # --- dice that are seen

    def _seen(self, track: Track, at_ns: int) -> list[Happening]:
        self._absences.seen(track)
        if track.at_rest and track.rest_ns is None:
            self._leaves(track, at_ns)
        if track.at_rest:
            return self._lies_on(track, at_ns)
        found = verdict(track, at_ns)
        if found is None and self._tilts.though_not_read(track, at_ns):
            found = Verdict(None, Unreadable.TILTED, 0.0)
        if found is None or (found.value is None and self._is_a_fragment(track)):
            if track.state is not DieState.ROLLING:
                track.be(DieState.ROLLING, at_ns)
            return []
        old, certain = (
            (None, True) if track.known else self._book.handfuls.owner(track, self._book.tracks, self._book.stories)
        )
        if not certain and track.rest_ns is not None and at_ns - track.rest_ns < _ARM_GOES_NS:
            return []
        if old is not None:
            self._book.take_over(track, old)
        leans = self._tilts.surely(track, at_ns)
        return [] if leans is None else self._settles(track, found, at_ns, cocked=leans)

    def _is_a_fragment(self, track: Track) -> bool:
        """It was never a die, and is much smaller than the dice of this table: the side of one beside it."""
        usual_px = self._book.usual_side_px()
        return not track.known and usual_px is not None and track.side_px < WHOLE_SIDES * usual_px

    def _leaves(self, track: Track, at_ns: int) -> None:
        """It lies no longer where it lay."""
        before = None if self._book.broken(at_ns) else self._uncovered.taken_from(track)
        if before is not None:
            track.home = before
            track.be(DieState.COVERED, at_ns)
        home = track.home
        assert home is not None
        story = Story(home, home.until_ns, broken=self._book.broken(at_ns))
        handled = self._hands.most_cover(home.place_px, 0.8 * home.side_px, home.until_ns)
        story.hidden = max(track.last.cover, handled) > HANDLED
        reach_px = REACH_SIDES * home.side_px
        story.handled = self._hands.most_cover(home.place_px, reach_px, home.until_ns) > 0
        if track.state is DieState.COVERED:  # a hand was over it, and it comes to light elsewhere
            story.hidden, story.bare_ns, story.nearby = True, at_ns, before is not None
        story.add(track.last)
        self._book.stories[track.id] = story
        track.be(DieState.ROLLING, at_ns)

    def _lies_on(self, track: Track, at_ns: int) -> list[Happening]:
        """It lies where it lay. What it shows may be read anew, when that holds for long enough."""
        assert track.home is not None
        if track.state is DieState.COVERED:
            if track.last.reading.value not in (track.value, None) and track.last.cover < BARE:
                self._leaves(track, at_ns)
                return []
            unread = track.last.reading.value is None and track.value is not None
            if unread and self._glimpse is not None and track.home.stays(self._glimpse):
                if not self._absences.just_hidden(track.home, at_ns):
                    track.be(track.home.state, at_ns, keep=True)
                return []
            if track.last.reading.value != track.value:  # another die may lie there now: it must be read again
                limit_ns = BLIND_NS if unread else _ANOTHER_NS
                if at_ns - track.home.until_ns >= limit_ns and track.last.cover < BARE:
                    self._leaves(track, at_ns)
                return []
            self._uncovered.came_to_light(track, at_ns)
            track.be(track.home.state, at_ns, keep=True)
        if track.state is DieState.COCKED:
            track.home = replace(track.home, until_ns=at_ns)
            return self._still_leans(track, at_ns)
        if track.last.reading.value == track.value:
            if self._uncovered.set_down_beside(track):
                track.rest_ns, track.anchor_px = track.last.at_ns, track.last.place_px
                self._leaves(track, at_ns)
            else:
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
            if at_ns - since < (BLIND_NS if read.value is None else _ANOTHER_NS):
                return []
            found = Verdict(read.value, read.reason, 0.0 if read.value is None else read.confidence)
        before = track.value
        track.value, track.reason, track.confidence = found
        track.home = replace(
            track.home, value=found.value, reason=found.reason, until_ns=at_ns, confidence=found.confidence
        )
        kind = Kind.NUDGED if before is not None and found.value is not None else Kind.SETTLED
        return [track.happened(kind, since, since, at_ns, before)]

    def _still_leans(self, track: Track, at_ns: int) -> list[Happening]:
        """A die that was found to lean is judged again, now and then: a shadow may have deceived."""
        assert track.home is not None
        if not self._tilts.is_due(track, at_ns):
            return []
        found = insistent(track.steady())
        if found is None or not self._tilts.lies_flat_after_all(track, at_ns):
            return []
        track.value, track.reason, track.confidence = found
        track.home = replace(
            track.home, value=found.value, reason=None, confidence=found.confidence, state=DieState.SETTLED
        )
        track.be(DieState.SETTLED, at_ns, keep=True)
        return [track.happened(Kind.SETTLED, at_ns, at_ns, at_ns)]

    def _lies_since_ns(self, track: Track, rest_ns: int) -> int:
        """Since when a die lies there that, by its readings, does since `rest_ns`: it may have lain unread before."""
        place_px, reach_px = track.last.place_px, HALF_SIDES * track.side_px
        since_ns = self._hands.unchanged_since_ns(place_px, _PLACE_SIDES * track.side_px)
        story = self._book.stories.get(track.id)
        if since_ns is None or since_ns >= rest_ns or story is None:
            return rest_ns
        elsewhere_ns = [
            each.at_ns for each in track.samples if each.moves and dist(each.place_px, place_px) > reach_px
        ]  # of what does not move another part was outlined
        if story.home is not None:
            elsewhere_ns.append(story.home.until_ns)
        return rest_ns if any(at_ns >= since_ns for at_ns in elsewhere_ns) else since_ns

    def _settles(self, track: Track, found: Verdict, at_ns: int, *, cocked: bool) -> list[Happening]:
        last = track.last
        rest_ns = self._lies_since_ns(
            track, track.rest_ns if track.rest_ns is not None else at_ns - track.unchanged_ns()
        )
        track.rest_ns, track.anchor_px = rest_ns, last.place_px
        if cocked:
            found = Verdict(None, Unreadable.TILTED, 0.0)
        track.value, track.reason, track.confidence = found
        home = Home(
            last.place_px, last.reading.position_mm, track.side_px, turn_of(last.reading.outline_px),
            found.value, found.reason, rest_ns, at_ns, DieState.COCKED if cocked else DieState.SETTLED,
            found.confidence,
        )  # fmt: skip
        story = self._book.stories.pop(track.id, None)
        track.home, track.known = home, True
        track.be(home.state, at_ns, keep=True)
        settled = track.happened(Kind.COCKED if cocked else Kind.SETTLED, rest_ns, rest_ns, at_ns)
        if story is None:
            return [settled]
        first_ns = min((each.at_ns for each in story.on_its_way(home) if not each.partial), default=rest_ns)
        seen_ns = first_ns if rest_ns - first_ns <= _JUST_NS else rest_ns  # what was seen to come came alone
        story.under_a_hand = (
            self._hands.most_cover(last.place_px, _UNDER_SIDES * track.side_px, seen_ns - _JUST_NS, seen_ns) > 0
        )
        story.stood_still = stood_still(self._hands, last.place_px, track.side_px, rest_ns)
        if story.home is not None:
            story.most_cover = self._hands.most_cover(
                story.home.place_px, _AROUND_SIDES * track.side_px, story.home.until_ns, rest_ns
            )
        self._drops.ended(track, story, home)
        told = self._book.handfuls.ended(track, story, home, self._book.tracks, self._book.stories, at_ns)
        if any(each.kind is Kind.ROLLED for each in told):
            met = touched(track, story, home, self._book.tracks, at_ns)
            told += [] if met is None else [met]
        return [*told, settled]


def _still_there(track: Track, sample: Sample) -> bool:
    """A hand hides part of a die at rest: its middle seems to have moved by half a side."""
    return track.at_rest and dist(sample.centre_px, track.last.centre_px) < HALF_SIDES * track.side_px
