"""Dice that leave the table: rolling over its edge in view, or too fast to be read."""

from __future__ import annotations

from math import dist

from vision.readings import Unreadable
from vision.tracking.book import Book
from vision.tracking.flights import Flight, Flights, may_be_of
from vision.tracking.glimpse import SHRINK, Glimpse
from vision.tracking.hands import BARE, COVERED, Hands, HandsWatch
from vision.tracking.happenings import DieState, Happening, Kind
from vision.tracking.track import Track

__all__ = ["Departures"]

_MS = 1_000_000
_JUST_NS = 150 * _MS
_LEFT_NS = 300 * _MS
"""A die that was on its way out and is not seen for so long is out."""
_FLOWN_NS = 700 * _MS
"""Other dice of a throw lie still by then."""
_EDGE_SIDES = 1.5
_FELL_SAMPLES, _FELL_LAST, _FELL_SIDES = 4, 10, 0.8
_CUT_OFF_SAMPLES = 2
"""So many are enough when the last shows that the edge of the picture cuts it off."""


class Departures:
    """Finds out which dice of a book go over the edge; `hands` are those that were over the table lately."""

    def __init__(self, book: Book, hands: HandsWatch) -> None:
        self._book = book
        self._hands = hands
        self._flights = Flights()
        self._gone: list[Flight] = []
        self._before: Hands | None = None

    def rolled_out(self, track: Track, glimpse: Glimpse, at_ns: int) -> bool:
        """A die that is not seen was followed to the edge, and has been out of view for long enough."""
        return at_ns - track.last.at_ns >= _LEFT_NS and self._went_over_the_edge(track, glimpse)

    def left(self, track: Track, last_ns: int, at_ns: int) -> Happening:
        """That it went over the edge, last seen at `last_ns`; from now on it is off the table."""
        story = self._book.stories[track.id]
        story.left_ns = last_ns
        track.be(DieState.OFF_TABLE, at_ns)
        return track.happened(Kind.LEFT_TABLE, story.began_ns, last_ns, at_ns)

    def flown(self, hands: Hands, size_wh: tuple[int, int], at_ns: int) -> list[Happening]:
        """Dice of a hand that were seen to fly out of the picture, and that have not come to light since."""
        side_px = self._book.usual_side_px()
        if side_px is not None:
            gone = self._flights.look(hands.things, self._before, side_px, size_wh, at_ns)
            self._gone += [each for each in gone if not self._was_a_hand(each, side_px)]
        self._before = hands
        happenings = []
        for flight in [each for each in self._gone if at_ns - each.last_ns >= _FLOWN_NS]:
            self._gone.remove(flight)
            missing = [
                track
                for track in self._book.tracks
                if track.known and not track.seen and not track.at_rest and track.state is not DieState.OFF_TABLE
                and track.last.at_ns < flight.last_ns and may_be_of(flight, track.last.reading.colour_bgr)
            ]  # fmt: skip
            track = min(missing, key=lambda each: dist(each.last.centre_px, flight.first_px), default=None)
            if track is None or any(each.seen and not each.known and each.like(track) for each in self._book.tracks):
                continue
            happenings.append(self.left(track, flight.last_ns, at_ns))
        return happenings

    def _was_a_hand(self, flight: Flight, side_px: float) -> bool:
        """What goes out where a hand has just been is the rest of that hand."""
        last = flight.things[-1].centre_px
        return self._hands.most_cover(last, side_px, flight.last_ns - _JUST_NS, flight.last_ns) > 0

    def fell(self, track: Track, glimpse: Glimpse, hands: Hands, at_ns: int) -> bool:
        """A die that came rolling out of a hand went over the edge before it had come to rest: which it is."""
        covered = hands.cover(track.last.centre_px, track.side_px) >= COVERED
        if covered or not self.rolled_out(track, glimpse, at_ns):
            return False
        old, _ = self._book.handfuls.owner(track, self._book.tracks, self._book.stories)
        if old is not None:
            self._book.take_over(track, old)
        return old is not None

    def _went_over_the_edge(self, track: Track, glimpse: Glimpse) -> bool:
        """It was followed on its way to the edge of the picture, with no hand over it."""
        free = [sample for sample in track.samples if sample.cover < BARE and not sample.partial][-_FELL_LAST:]
        enough = _CUT_OFF_SAMPLES if track.last.reading.reason is Unreadable.CUT_OFF else _FELL_SAMPLES
        if len(free) < enough or dist(free[0].centre_px, free[-1].centre_px) < _FELL_SIDES * track.side_px:
            return False
        height, width = (SHRINK * side for side in glimpse.motion.shape)
        before, now = (
            min(x, y, width - x, height - y) for x, y in (free[0].centre_px, track.last.centre_px)
        )  # fmt: skip
        return bool(now < min(_EDGE_SIDES * track.side_px, before))
