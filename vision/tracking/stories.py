"""What happened to a die between two rests, told from what was seen of it on the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import dist

from vision.tracking.happenings import Happening, Kind
from vision.tracking.track import Home, Sample, turned_by

__all__ = ["Story"]

_MS = 1_000_000
_FREE_COVER = 0.15
"""Less of its surroundings covered by a hand, and a die is on its own."""
_SAME_PLACE_SIDES = 0.3
_ROLL_SIDES = 1.3
"""A throw goes at least this far; what tumbles and goes less far was dropped."""
_FOUND_SIDES = 2.0
"""When nobody watched, a die that shows the same no farther from its place has stayed; the picture may have turned."""
_KNOCKED_SIDES = 2.0
"""A die that was not taken up and shows another face was rolled when it went this far, else nudged."""
_HIDDEN_SLIDE_SIDES = 9.0
_HIDDEN_SLIDE_RAD = 0.5
_HIDDEN_SLIDE_NS = 1_000 * _MS
_LET_GO_SIDES = 0.4
"""A die that goes so far after the hand has left it was let go while it moved: nobody sets a die down like that."""
_FREELY_SIDES = 0.2
_TOUCH_SIDES_S = 3.0
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
        under_a_hand: a hand was over it when its new rest began, and it shows what a die in that hand had shown.
        in_company: others like it rolled at the same time.
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
    under_a_hand: bool = False
    in_company: bool = False

    def add(self, sample: Sample) -> None:
        """Take in one more sample of the way."""
        if len(self.samples) < _KEPT:
            self.samples.append(sample)

    def rolls_freely(self, sample: Sample) -> bool:
        """The die goes its way with no hand over it, after a hand had it."""
        if not self.samples or sample.cover >= _FREE_COVER or not (self.hidden or self.home is None):
            return False
        return dist(self.samples[-1].place_px, sample.place_px) >= _FREELY_SIDES * sample.side_px

    @property
    def taken(self) -> bool:
        """It was seen to be gone from a place that a hand had covered."""
        return self.hidden and self.bare_ns is not None

    def told(self, die: int, rest: Home, at_ns: int) -> Iterator[Happening]:
        """What happened, now that the die rests at `rest`; told in the frame `at_ns`."""
        home = self.home
        kind, why = self._kind(rest)
        if self.broken:
            changed = home is not None and home.value != rest.value
            if home is not None and (changed or dist(home.place_px, rest.place_px) > _FOUND_SIDES * rest.side_px):
                yield self._event(Kind.CAME_BACK, die, rest, at_ns)
            return
        if self.hidden and self.bare_ns is None and kind in (Kind.ROLLED, Kind.DROPPED, Kind.SET_BACK):
            self.bare_ns = self.samples[-1].at_ns if self.samples else rest.rest_ns  # another face: it was taken up
        if self.taken and not self.lifted_told and kind in (Kind.ROLLED, Kind.DROPPED, Kind.SET_BACK):
            yield self.lifted(die, at_ns)
        if self.left_ns is not None:
            yield self._event(Kind.CAME_BACK, die, rest, at_ns)
        if kind is not None:
            yield self._event(kind, die, rest, at_ns, why)
        touch = self.touch(rest.side_px) if kind is Kind.ROLLED and home is not None else None
        if touch is not None:
            place_mm = touch.reading.position_mm
            yield Happening(
                Kind.TOUCHED, die, touch.at_ns, rest.rest_ns, at_ns, to_px=touch.place_px, to_mm=place_mm
            )  # fmt: skip

    def lifted(self, die: int, at_ns: int) -> Happening:
        """That it was taken up; `taken` must hold."""
        assert self.home is not None
        assert self.bare_ns is not None
        self.lifted_told = True
        return Happening(
            Kind.LIFTED, die, self.began_ns, self.bare_ns, at_ns,
            before=self.home.value, from_px=self.home.place_px, from_mm=self.home.place_mm,
        )  # fmt: skip

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

    def _kind(self, rest: Home) -> tuple[Kind | None, str]:
        home, side_px = self.home, rest.side_px
        free = [each for each in self.samples if each.cover < _FREE_COVER and each.at_ns < rest.rest_ns]
        gone = max((dist(each.place_px, rest.place_px) for each in free), default=0.0) / side_px
        tumbled = self._tumbled(free, rest)
        turned_over = home is not None and None not in (home.value, rest.value) and home.value != rest.value
        if home is None or self.taken or (self.hidden and turned_over):
            return self._after_a_hand(rest, gone, tumbled)
        moved = dist(home.place_px, rest.place_px) / side_px
        if turned_over:
            return (Kind.ROLLED if max(moved, gone) >= _KNOCKED_SIDES else Kind.NUDGED), ""
        if tumbled and max(moved, gone) >= _KNOCKED_SIDES:
            return Kind.ROLLED, ""
        if moved < _SAME_PLACE_SIDES:
            return None, ""
        handled = self.hidden or self.handled or any(each.handled for each in self.samples)
        return (Kind.SLID if handled else Kind.NUDGED), ""

    def _after_a_hand(self, rest: Home, gone: float, tumbled: bool) -> tuple[Kind | None, str]:
        home = self.home
        if home is not None and not gone and not self.lifted_told and home.value == rest.value:
            moved = dist(home.place_px, rest.place_px) / rest.side_px
            if moved < _SAME_PLACE_SIDES:
                return None, ""  # it lay there all the time, as far as anybody saw
        if home is not None and self._slid_under_a_hand(home, rest):
            return Kind.SLID, ""
        if gone >= _ROLL_SIDES:
            return Kind.ROLLED, ""
        if home is None:  # nobody saw where it came from: it was laid down, or lay there when the watching began
            return None, ""
        if gone >= _LET_GO_SIDES or self.in_company or not self.under_a_hand:
            return Kind.ROLLED, ""
        if tumbled:
            return Kind.DROPPED, "fell under the hand"
        return Kind.SET_BACK, ""

    def _slid_under_a_hand(self, home: Home, rest: Home) -> bool:
        """It shows the same, is turned as it was, is not far and was not out of view for long."""
        hidden_ns = (self.samples[0].at_ns if self.samples else rest.rest_ns) - self.began_ns
        moved = dist(home.place_px, rest.place_px) / rest.side_px
        # The blurred edges of a face with a single pip do not tell how it is turned.
        turned = turned_by(rest.turn_rad, home.turn_rad) if rest.value != 1 else 0.0
        same = home.value == rest.value and all(each.reading.value in (None, rest.value) for each in self.samples)
        near = _SAME_PLACE_SIDES <= moved <= _HIDDEN_SLIDE_SIDES and turned <= _HIDDEN_SLIDE_RAD
        return same and near and not self.lifted_told and not self.in_company and hidden_ns <= _HIDDEN_SLIDE_NS

    @staticmethod
    def _tumbled(free: list[Sample], rest: Home) -> bool:
        """Other values were read on the way than the one it shows at rest, by more than one frame."""
        others = [each for each in free if each.reading.value not in (None, rest.value)]
        return len(others) >= 2

    def touch(self, side_px: float) -> Sample | None:
        """The first sample in which a hand met the die while it rolled on its own; None when none did."""
        run: list[Sample] = []
        for sample in self.samples:
            if sample.cover < _FREE_COVER:
                run.append(sample)
                continue
            on_its_own = len(run) >= 3 and run[-1].at_ns - run[0].at_ns >= 120 * _MS and not run[-2].handled
            if on_its_own and sample.at_ns - run[-1].at_ns <= 200 * _MS:
                gap_s = (run[-1].at_ns - run[-3].at_ns) / 1e9
                speed = dist(run[-1].place_px, run[-3].place_px) / side_px / gap_s
                if speed >= _TOUCH_SIDES_S:
                    return sample
            run.clear()
        return None
