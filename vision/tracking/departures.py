"""Dice that leave the table: rolling over its edge in view, or too fast to be read."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist

import numpy as np

from vision.readings import Point, Unreadable
from vision.tracking.book import Book
from vision.tracking.flights import Flight, Flights, may_be_of
from vision.tracking.glimpse import SHRINK, Glimpse
from vision.tracking.hands import BARE, COVERED, Hands, HandsWatch, Thing
from vision.tracking.happenings import DieState, Happening, Kind
from vision.tracking.mixing import in_light, vivid
from vision.tracking.track import Track, one_of_each_colour

__all__ = ["Departures"]

_MS = 1_000_000
_JUST_NS = 150 * _MS
_LEFT_NS = 300 * _MS
"""A die that was on its way out and is not seen for so long is out."""
_TAKEN_NS = 250 * _MS
"""No hand takes a die up and throws it in less: so soon after it lay there it is none that flew."""
_FLOWN_NS = 700 * _MS
"""Other dice of a throw lie still by then."""
_EDGE_SIDES = 1.5
_FELL_SAMPLES, _FELL_LAST, _FELL_SIDES = 4, 10, 0.8
_HIDDEN_NS = 3_000 * _MS
_UNDER_SIDES = 1.5
"""Where a hand hides what may lie there, or where a die may still lie that is like it, it is waited for so long."""
_LIES_SIDES = 1.0
"""What is seen nearer than this to the place of a die at rest is that die."""
_SLOWLY_SIDES_S = 18.0
"""What flies goes farther in a second, or it would be read as it rolls."""
_ONE_PLACE_SIDES = 0.3
"""No two dice lie so near to each other."""
_MIDDLE_SIDES = 0.3
_LIGHT, _ALIKE_LEVELS = (0.35, 1.2), 12.0
"""In shade and out of it: by such a factor the same looks darker or brighter, and what else differs is less than these
levels. Where dice have flown over rendered tables it is 2, where one lies 20 and more."""
_AHEAD_NS = 110 * _MS
"""A shadow is no farther ahead of its hand than the hand goes in so long."""
_NEARER = 0.5
"""What is seen where a thing was is the table when it differs from it by no more than this part of that thing."""
_WAY_STEPS, _WAY_SHARE = 12, 1.5
"""The way out is looked at in so many places, as far as this part of another step leads."""
_PERHAPS_TAKEN = (DieState.COVERED, DieState.IN_HAND, DieState.ROLLING)
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
            things = [each for each in (*hands.things, *self._peeping(hands, side_px)) if not self._goes_slowly(each)]
            gone = self._flights.look(things, self._before, side_px, size_wh, at_ns, self._may_be_one)
            self._gone += [
                each
                for each in gone
                if not self._was_a_hand(each, side_px)
                and not self._lies(each)
                and (not each.hardly or self._went_at_once(each, hands, size_wh))
            ]
        self._before = hands
        self._gone = [each for each in self._gone if not self._came_to_rest(each)]
        happenings = []
        for flight in [each for each in self._gone if at_ns - each.last_ns >= _FLOWN_NS]:
            if flight not in self._gone:  # it was another view of one that is told
                continue
            missing, perhaps = self._may_have_flown(flight)
            hidden = self._hides(flight, at_ns) or (perhaps and not missing) or self._may_be_newcomer(missing)
            if hidden and at_ns - flight.last_ns < _HIDDEN_NS:
                continue
            self._gone.remove(flight)
            if hidden:
                continue
            track = min(missing, key=lambda each: dist(each.last.centre_px, flight.first_px), default=None)
            if track is None or self._came_to_light(flight, track) or self._left_something(flight, track, at_ns):
                continue
            if not vivid(track.plain_bgr) and (self._was_a_shadow(flight) or self._was_shade(flight)):
                continue
            if flight.hardly and self._rests_ahead(flight, track, size_wh):
                continue
            happenings.append(self.left(track, flight.last_ns, at_ns))
            self._gone = [each for each in self._gone if each.things[-1] is not flight.things[-1]]
        return happenings

    def _may_have_flown(self, flight: Flight) -> tuple[list[Track], bool]:
        """The dice of its colour that are missing; and whether there are some of which an arm hides the place."""
        alike = [
            each
            for each in self._book.tracks
            if each.known and not each.seen and each.last.at_ns < flight.last_ns and may_be_of(flight, each.plain_bgr)
        ]
        missing = [
            each
            for each in alike
            if not each.at_rest
            and each.state is not DieState.OFF_TABLE
            and (each.home is None or flight.times_ns[0] - each.home.until_ns >= _TAKEN_NS)
            and not self._is_another(each)
        ]
        return missing, any(each.at_rest for each in alike)

    def _is_another(self, track: Track) -> bool:
        """Where it lay another lies that was there before it: beside a hand that one was taken for a new die."""
        home = track.home
        return home is not None and any(
            each is not track and each.at_rest and each.seen
            and each.home is not None and each.home.rest_ns < home.rest_ns
            and dist(each.anchor_px, home.place_px) <= _ONE_PLACE_SIDES * each.side_px
            for each in self._book.tracks
        )  # fmt: skip

    def _may_be_one(self, flight: Flight) -> bool:
        """All of its way may be one of the dice that are not seen."""
        return any(
            each.known and not each.seen and each.state is not DieState.OFF_TABLE and may_be_of(flight, each.plain_bgr)
            for each in self._book.tracks
        )

    def _went_at_once(self, flight: Flight, hands: Hands, size_wh: tuple[int, int]) -> bool:
        """In the frame after it was last seen the table is seen there, and no hand hides any of its way out."""
        last, radius_px = flight.things[-1], _MIDDLE_SIDES * (self._book.usual_side_px() or 0.0)
        now_bgr = self._hands.colour_at(last.centre_px, radius_px)
        if now_bgr is None or any(hands.cover(place, radius_px) > 0 for place in _way_out(flight, size_wh)):
            return False
        return dist(now_bgr, last.table_bgr) <= _NEARER * dist(last.colour_bgr, last.table_bgr)

    def _rests_ahead(self, flight: Flight, track: Track, size_wh: tuple[int, int]) -> bool:
        """A die like it has come to rest since on its way out: it may have been that."""
        way = _way_out(flight, size_wh)
        return any(
            each is not track and each.at_rest and each.like(track)
            and each.rest_ns is not None and each.rest_ns > flight.last_ns
            and min(dist(place, each.anchor_px) for place in way) <= _UNDER_SIDES * each.side_px
            for each in self._book.tracks
        )  # fmt: skip

    def _may_be_newcomer(self, missing: Sequence[Track]) -> bool:
        """A die is seen that is like one of these, and of which is not known yet which it is."""
        new = [each for each in self._book.tracks if each.seen and not each.known]
        return any(each.like(track) for each in new for track in missing)

    def _came_to_light(self, flight: Flight, track: Track) -> bool:
        """A die like it, and that may be it, lies where it was last seen, and did not lie there by then."""
        place_px = flight.things[-1].centre_px
        return any(
            each.seen and each.like(track)
            and (each.rest_ns is None or each.rest_ns > flight.last_ns)
            and dist(each.last.centre_px, place_px) <= _UNDER_SIDES * each.side_px
            for each in self._book.tracks
        )  # fmt: skip

    def _left_something(self, flight: Flight, track: Track, at_ns: int) -> bool:
        """A place of its way looks as it did with it, not as the table did: it lies there unread, or was the table.

        Of a die that lies there beside something else its own colour is seen in the middle.
        """
        radius_px = _MIDDLE_SIDES * (self._book.usual_side_px() or 0.0)
        for thing in flight.surely:
            now_bgr = self._hands.colour_at(thing.centre_px, radius_px)
            if now_bgr is None or self._hands.most_cover(thing.centre_px, radius_px, at_ns) > 0:
                continue
            if _in_some_light(now_bgr, thing.table_bgr):
                continue
            lies = _in_some_light(now_bgr, track.plain_bgr) and not self._is_at_rest(thing)
            if lies or _in_some_light(thing.colour_bgr, now_bgr):
                return True
        return False

    def _was_a_shadow(self, flight: Flight) -> bool:
        """A hand came over where it was seen at once: its shadow, which looks like a dull die, goes ahead of it."""
        radius_px = _MIDDLE_SIDES * (self._book.usual_side_px() or 0.0)
        return any(
            self._hands.most_cover(thing.centre_px, radius_px, at_ns + 1, at_ns + _AHEAD_NS) >= COVERED
            for thing, at_ns in flight.surely_at
        )

    def _was_shade(self, flight: Flight) -> bool:
        """Hardly seen, and less than a whole face: the shade at a hand is smaller, and looks like a dull die."""
        return flight.hardly and flight.things[-1].area_px2 < (self._book.usual_side_px() or 0.0) ** 2

    def _hides(self, flight: Flight, at_ns: int) -> bool:
        """A hand is, or was a moment ago, where the die was last seen: it may lie under it."""
        side_px, place_px = self._book.usual_side_px() or 0.0, flight.things[-1].centre_px
        since_ns = max(flight.last_ns + 1, at_ns - _JUST_NS)
        return self._hands.most_cover(place_px, _UNDER_SIDES * side_px, since_ns) > BARE

    def _peeping(self, hands: Hands, side_px: float) -> list[Thing]:
        """What may be a die that a hand took, and that has just left it: in the picture it touches that hand still."""
        taken = [each for each in self._book.tracks if each.known and not each.seen and each.state in _PERHAPS_TAKEN]
        found = self._hands.peeping(hands, [each.plain_bgr for each in one_of_each_colour(taken)], side_px)
        return [thing for thing in found if not self._is_at_rest(thing)]

    def _came_to_rest(self, flight: Flight) -> bool:
        """A part of its way is a die that lay there by then, as is known since."""
        return any(
            each.at_rest and each.rest_ns is not None and each.rest_ns <= at_ns and _is_there(thing, each)
            for thing, at_ns in flight.surely_at
            for each in self._book.tracks
        )

    def _lies(self, flight: Flight) -> bool:
        """What was seen only once is a die at rest from which a shadow has gone."""
        return len(flight.things) == 1 and self._is_at_rest(flight.things[0])

    def _goes_slowly(self, thing: Thing) -> bool:
        """It is a die that is followed, too slow to fly; or something beside it: a finger that pushes it."""
        return any(
            each.seen and len(each.samples) > 1 and _is_near(thing, each)
            and each.speed_px_s() <= _SLOWLY_SIDES_S * each.side_px
            for each in self._book.tracks
        )  # fmt: skip

    def _is_at_rest(self, thing: Thing) -> bool:
        return any(each.at_rest and _is_there(thing, each) for each in self._book.tracks)

    def _was_a_hand(self, flight: Flight, side_px: float) -> bool:
        """What goes out where a hand has just been is the rest of that hand."""
        if any(each.peeps for each in flight.surely):
            return False
        last_px, just_ns = flight.things[-1].centre_px, flight.last_ns - _JUST_NS
        return self._hands.most_cover(last_px, side_px, just_ns, flight.last_ns) >= COVERED

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


def _way_out(flight: Flight, size_wh: tuple[int, int]) -> list[Point]:
    """Places from where it was last seen straight on to the edge of the picture."""
    places, (width, height) = [], size_wh
    for step in range(_WAY_STEPS + 1):
        x, y = flight.next_px(_WAY_SHARE * step / _WAY_STEPS)
        if not (0 <= x < width and 0 <= y < height):
            break
        places.append((x, y))
    return places


def _is_near(thing: Thing, track: Track) -> bool:
    return dist(thing.centre_px, track.last.centre_px) <= _LIES_SIDES * track.side_px


def _is_there(thing: Thing, track: Track) -> bool:
    return dist(thing.centre_px, track.anchor_px) <= _LIES_SIDES * track.side_px


def _in_some_light(seen_bgr: Sequence[float], plain_bgr: Sequence[float]) -> bool:
    light, apart = in_light(np.array(seen_bgr, float), plain_bgr)
    return bool(_LIGHT[0] <= light <= _LIGHT[1] and apart <= _ALIKE_LEVELS)
