"""What happened to a die between two rests, told from what was seen of it on the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import dropwhile, pairwise
from math import dist

from vision.tracking.happenings import Happening, Kind
from vision.tracking.setting_down import NEARBY_SIDES
from vision.tracking.track import Home, Sample, turned_by

__all__ = ["FREE_COVER", "Story"]

_MS = 1_000_000
FREE_COVER = 0.15
"""Less of its surroundings covered by a hand, and a die is on its own."""
_SAME_PLACE_SIDES = 0.3
_NUDGED_SIDES = 0.2
"""So little is told of a die that no hand was near: a bump of the table moves it less, and readings spread by half."""
_VERY_PLACE_SIDES, _VERY_PLACE_RAD = 0.12, 0.1
"""No hand sets a die down so exactly where it was."""
_NEARBY_RAD = 0.3
"""What was knocked under a hand turned by 0.45 radians and more."""
_ROLL_SIDES = 1.3
"""A throw goes at least this far."""
_FOUND_SIDES = 2.0
"""When nobody watched, a die that shows the same no farther from its place has stayed; the picture may have turned."""
_KNOCKED_SIDES = 2.0
"""A die that was not taken up and shows another face was rolled when it went this far, else nudged."""
_SLIDE_SIDES, _SHORT_SIDES = 24.0, 16.0
_SLIDE_RAD = 0.5
_SLIDE_NS, _SHORT_NS = 1_500 * _MS, 450 * _MS
_FINGER_COVER = 0.8
"""Fingers that push a die leave some of its surroundings in view (on rendered tables up to 0.72 is covered) and hide it
for a while (1.27 s for 16 sides); a hand that takes it up covers all (at least 0.94 of what is around each of 117 dice
that were set down and 1150 that were thrown, where it is remembered) and lies over it for longer (from 0.87 s)."""
_KNOCK_NS, _KNOCK_SIDES = 250 * _MS, 1.5
"""A die that is knocked lies still again sooner, and nearer, than one that is pushed."""
_PUSH_NS, _PUSH_SPEEDS_UP = 130 * _MS, 1.15
"""A finger speeds a die up and slows it down: from a tenth to nine tenths of the way it takes this long at least, and
in the middle the die is so much faster than before (1.35 times for the smoothest push). What is knocked is not."""
_SPUN_NS = 500 * _MS
"""What was knocked, and spins or is hidden for moments, lies still again so soon."""
_BLINK_NS = 280 * _MS
_BLINK_SIDES = 4.0
"""A finger that pushes a die hides it for no longer, and for no longer a way."""
_SET_BACK_NS = 800 * _MS
"""To take a die up, carry it and set it down hides it for longer than this (on rendered tables 0.87 s and more)."""
_LET_GO_SIDES = 0.4
"""A die that goes so far after the hand has left it was let go while it moved: nobody sets a die down like that."""
_LET_GO_FRAMES = 2
"""In so many frames, or in one in which it is read: of a die half hidden the middle seems to lie elsewhere for one."""
_STIRRED_SIDES = 0.6
"""The shadow and the rim of a hand that comes make a die at rest seem to lie elsewhere by no more than this."""
_FREELY_SIDES = 0.2
_KEPT = 400


@dataclass(slots=True)
class Story:
    """One die from the end of one rest to the beginning of the next.

    Attributes:
        home: where it lay before; None for a die that came from elsewhere.
        began_ns: the last frame of rest, or the first frame that shows a new die.
        samples: what was seen of it on the way.
        bare_ns: the first frame that shows its old place without it.
        hidden: its old place was covered when it went.
        handled: a hand was at it when it went.
        lifted_told: that it was lifted has been told.
        left_ns: the last frame that showed it, when it was told to have left the table.
        most_cover: the largest part (0..1) of the surroundings of its old place that was covered on the way.
        under_a_hand: a hand was over the place of its new rest until it was first seen there.
        stood_still: a hand stood still over that place before it was seen there, as fingers do that set a die down.
        nearby: a hand must have set it down beside where it lay, if it was not knocked there.
        thrown: it has been told to have rolled.
        broken: for a part of it nobody watched, so that it cannot be told.
    """

    home: Home | None
    began_ns: int
    samples: list[Sample] = field(default_factory=list)
    bare_ns: int | None = None
    hidden: bool = False
    handled: bool = False
    lifted_told: bool = False
    left_ns: int | None = None
    broken: bool = False
    most_cover: float = 0.0
    under_a_hand: bool = False
    stood_still: bool = False
    nearby: bool = False
    thrown: bool = False

    def add(self, sample: Sample) -> None:
        """Take in one more sample of the way."""
        if len(self.samples) < _KEPT:
            self.samples.append(sample)

    def rolls_freely(self, sample: Sample) -> bool:
        """The die goes its way with no hand over it, after a hand had it."""
        if not self.samples or not (self.hidden or self.home is None):
            return False
        if not sample.moves or sample.cover >= FREE_COVER or sample.partial:  # a shadow may have shifted its outline
            return False
        return dist(self.samples[-1].place_px, sample.place_px) >= _FREELY_SIDES * sample.side_px

    @property
    def taken(self) -> bool:
        """It was seen to be gone from a place that a hand had covered."""
        return self.hidden and self.bare_ns is not None

    def told(self, die: int, rest: Home, at_ns: int, *, set_back: bool = False) -> Iterator[Happening]:
        """What happened, now that the die rests at `rest`; told in the frame `at_ns`.

        `set_back` says of a die that came out of a hand by nobody knows what way that it was not thrown.
        """
        home = self.home
        kind = self._kind(rest, set_back=set_back)
        if self.broken:
            changed = home is not None and home.value != rest.value
            if home is not None and (changed or dist(home.place_px, rest.place_px) > _FOUND_SIDES * rest.side_px):
                yield self._event(Kind.CAME_BACK, die, rest, at_ns)
            return
        self.thrown = kind is Kind.ROLLED
        if self.hidden and self.bare_ns is None and kind in (Kind.ROLLED, Kind.SET_BACK):
            self.bare_ns = self.samples[-1].at_ns if self.samples else rest.rest_ns  # another face: it was taken up
        if self.taken and not self.lifted_told and kind in (Kind.ROLLED, Kind.SET_BACK):
            yield self.lifted(die, at_ns)
        if self.left_ns is not None:
            yield self._event(Kind.CAME_BACK, die, rest, at_ns)
        if kind is not None:
            yield self._event(kind, die, rest, at_ns)

    def on_its_way(self, rest: Home) -> list[Sample]:
        """What was seen of it until it rests, since it left the table if it did.

        Of one that a hand took it begins where it was seen elsewhere than it lay.
        """
        way = [each for each in self.samples if (self.left_ns or -1) < each.at_ns < rest.rest_ns]
        if self.home is None or not self.hidden:
            return way
        home, reach_px = self.home, _STIRRED_SIDES * self.home.side_px
        return list(dropwhile(lambda each: dist(each.place_px, home.place_px) <= reach_px, way))

    def out_of_a_hand(self, rest: Home) -> bool:
        """It came to light at rest where a hand was, and nothing of its own way tells whether it was thrown there."""
        return not self.broken and self._kind(rest, set_back=True) is Kind.SET_BACK

    def lifted(self, die: int, at_ns: int) -> Happening:
        """That it was taken up; `taken` must hold."""
        assert self.home is not None
        assert self.bare_ns is not None
        self.lifted_told = True
        return Happening(
            Kind.LIFTED, die, self.began_ns, self.bare_ns, at_ns,
            before=self.home.value, from_px=self.home.place_px, from_mm=self.home.place_mm,
        )  # fmt: skip

    def fell(self, die: int, rest: Home, at_ns: int, why: str) -> Happening:
        """That it seems to have been dropped; `why` in a few words."""
        return self._event(Kind.DROPPED, die, rest, at_ns, why)

    def _event(self, kind: Kind, die: int, rest: Home, at_ns: int, why: str = "") -> Happening:
        home = self.home
        return Happening(
            kind, die, self.began_ns, rest.rest_ns, at_ns,
            before=None if home is None else home.value,
            value=rest.value,
            reason=rest.reason,
            from_px=None if home is None else home.place_px,
            to_px=rest.place_px,
            from_mm=None if home is None else home.place_mm,
            to_mm=rest.place_mm,
            why=why,
        )  # fmt: skip

    def _kind(self, rest: Home, *, set_back: bool) -> Kind | None:
        home, side_px = self.home, rest.side_px
        free = [each for each in self.on_its_way(rest) if each.cover < FREE_COVER and not each.partial]
        gone = max((dist(each.place_px, rest.place_px) for each in free), default=0.0) / side_px
        tumbled = self._tumbled(free, rest)
        turned_over = home is not None and None not in (home.value, rest.value) and home.value != rest.value
        if home is not None and not turned_over and self._pushed_in_view(home, rest):
            return self._slid_or_knocked(home, rest)
        if home is not None and self.taken and not turned_over and self._spun_in_view(home, rest):
            return Kind.NUDGED
        if home is None or self.taken or (self.hidden and turned_over):
            let_go = tumbled or self._let_go(free, rest)
            return self._after_a_hand(rest, gone, let_go=let_go, set_back=set_back)
        moved = dist(home.place_px, rest.place_px) / side_px
        if turned_over:
            return Kind.ROLLED if max(moved, gone) >= _KNOCKED_SIDES else Kind.NUDGED
        if tumbled and max(moved, gone) >= _KNOCKED_SIDES:
            return Kind.ROLLED
        unwatched = not self.hidden and not self.handled and self._out_of_view_ns(home, rest) > _BLINK_NS
        if unwatched and moved >= _KNOCKED_SIDES:
            return Kind.ROLLED
        return self._slid_or_knocked(home, rest)

    def _slid_or_knocked(self, home: Home, rest: Home) -> Kind | None:
        """What happened to a die that shows what it showed and was not taken up."""
        moved = dist(home.place_px, rest.place_px) / rest.side_px
        handled = self.hidden or self.handled or any(each.handled for each in self.samples)
        if moved < (_SAME_PLACE_SIDES if handled else _NUDGED_SIDES):
            return None
        knocked = rest.rest_ns - home.until_ns <= _KNOCK_NS and moved <= _KNOCK_SIDES
        return Kind.SLID if (handled and not knocked) or self._pushed_along(home, rest) else Kind.NUDGED

    def _pushed_along(self, home: Home, rest: Home) -> bool:
        """It went as a finger pushes, though no hand was seen: of one that reaches in a little only the tip is."""
        way = [each for each in self.samples if home.until_ns < each.at_ns <= rest.rest_ns]
        if self._out_of_view_ns(home, rest) > _BLINK_NS or not way:
            return False
        whole = dist(home.place_px, rest.place_px)
        course = [(home.until_ns, 0.0), *((each.at_ns, dist(each.place_px, home.place_px) / whole) for each in way)]
        times = [_first_ns(course, share) for share in (0.1, 0.3, 0.4, 0.6, 0.9)]
        if any(each is None for each in times):
            return False
        tenth, third, before_half, after_half, most = (each for each in times if each is not None)
        if most - tenth < _PUSH_NS:
            return False
        return third - tenth >= _PUSH_SPEEDS_UP * (after_half - before_half)

    def _after_a_hand(self, rest: Home, gone: float, *, let_go: bool, set_back: bool) -> Kind | None:
        home = self.home
        if home is not None and rest.value in (home.value, None) and gone < _SAME_PLACE_SIDES:
            moved = dist(home.place_px, rest.place_px) / rest.side_px
            exact = moved < _VERY_PLACE_SIDES and self._turned_rad(home, rest) < _VERY_PLACE_RAD
            if self.nearby and moved >= NEARBY_SIDES and self._turned_rad(home, rest) <= _NEARBY_RAD:
                return Kind.SET_BACK if set_back else None
            if exact or (home.value == rest.value and moved < _SAME_PLACE_SIDES and not self.lifted_told):
                return None  # it lay there all the time, as far as anybody saw
        if home is not None and self._slid_under_fingers(home, rest):
            return Kind.SLID
        if gone >= _ROLL_SIDES:
            return Kind.ROLLED
        if home is not None and self._knocked_under_a_hand(home, rest):
            return Kind.NUDGED
        if home is None:  # nobody saw where it came from: it was laid down, or lay there when the watching began
            return None
        if let_go or not self.under_a_hand or not set_back:
            return Kind.ROLLED
        if self._in_haste(home, rest) or self._under_a_finger(home, rest):  # nobody took it up
            return Kind.ROLLED
        return Kind.SET_BACK

    def _pushed_in_view(self, home: Home, rest: Home) -> bool:
        """It was in sight from its old place to the new one, but for moments."""
        way = [each for each in self.samples if home.until_ns < each.at_ns <= rest.rest_ns]
        if not any(each.handled for each in way):
            return False
        at_ns, place_px = home.until_ns, home.place_px
        for at, place in [*((each.at_ns, each.place_px) for each in way), (rest.rest_ns, rest.place_px)]:
            if at - at_ns > _BLINK_NS or dist(place, place_px) > _BLINK_SIDES * rest.side_px:
                return False
            at_ns, place_px = at, place
        return self._turned_rad(home, rest) <= _SLIDE_RAD

    def _spun_in_view(self, home: Home, rest: Home) -> bool:
        """It was in sight but for moments, showed one face all the way, and soon lay still again: it was knocked."""
        way = [each for each in self.samples if home.until_ns < each.at_ns <= rest.rest_ns]
        shown = {each.reading.value for each in way} - {None}
        moved = dist(home.place_px, rest.place_px) / rest.side_px
        return (
            shown == {home.value}
            and self._turned_rad(home, rest) > _SLIDE_RAD
            and rest.rest_ns - home.until_ns <= _SPUN_NS
            and self._out_of_view_ns(home, rest) <= _BLINK_NS
            and _SAME_PLACE_SIDES <= moved <= _BLINK_SIDES
        )

    def _knocked_under_a_hand(self, home: Home, rest: Home) -> bool:
        """It shows the same close by its old place, too soon for anybody to have taken it up and thrown it."""
        moved = dist(home.place_px, rest.place_px) / rest.side_px
        return (
            home.value == rest.value and moved <= _KNOCK_SIDES and not self.lifted_told and self._in_haste(home, rest)
        )

    def _slid_under_fingers(self, home: Home, rest: Home) -> bool:
        """It shows the same, is turned as it was, and was not out of view for long, nor under a whole hand."""
        finger = self._under_a_finger(home, rest)
        short = finger or self._out_of_view_ns(home, rest) <= _SHORT_NS
        moved = dist(home.place_px, rest.place_px) / rest.side_px
        near = _SAME_PLACE_SIDES <= moved <= (_SLIDE_SIDES if finger else _SHORT_SIDES)
        return home.value == rest.value and near and short and self._turned_rad(home, rest) <= _SLIDE_RAD

    def _under_a_finger(self, home: Home, rest: Home) -> bool:
        """No whole hand was over its old place for as long as it was out of view, which was not for longer than a push.

        Of what left the table nobody knows where it was taken up.
        """
        short = self._out_of_view_ns(home, rest) <= _SLIDE_NS
        return short and self.left_ns is None and self.most_cover <= _FINGER_COVER

    def _in_haste(self, home: Home, rest: Home) -> bool:
        """It was out of view for less time than it takes to set a die back with care."""
        return self.left_ns is None and self._out_of_view_ns(home, rest) < _SET_BACK_NS

    def _out_of_view_ns(self, home: Home, rest: Home) -> int:
        """The longest time on its way for which it was not seen."""
        seen_ns = [home.until_ns, *(each.at_ns for each in self.samples if each.at_ns <= rest.rest_ns), rest.rest_ns]
        return max(after - before for before, after in pairwise(seen_ns))

    @staticmethod
    def _let_go(free: list[Sample], rest: Home) -> bool:
        """It still moved when the hand had left it."""
        far_px = _LET_GO_SIDES * rest.side_px
        away = [each for each in free if dist(each.place_px, rest.place_px) >= far_px]
        return len(away) >= _LET_GO_FRAMES or any(each.reading.value is not None for each in away)

    @staticmethod
    def _turned_rad(home: Home, rest: Home) -> float:
        # The blurred edges of a face with a single pip do not tell how it is turned.
        return turned_by(rest.turn_rad, home.turn_rad) if rest.value != 1 else 0.0

    @staticmethod
    def _tumbled(free: list[Sample], rest: Home) -> bool:
        """Other values were read on the way than the one it shows at rest, by more than one frame."""
        others = [each for each in free if each.reading.value not in (None, rest.value)]
        return len(others) >= 2


def _first_ns(course: list[tuple[int, float]], share: float) -> float | None:
    """When so much of a way was first behind it, between frames as if it went evenly; None when it never was."""
    for (before_ns, before), (at_ns, gone) in pairwise(course):
        if gone >= share:
            return before_ns + (at_ns - before_ns) * (share - before) / max(1e-6, gone - before)
    return None
