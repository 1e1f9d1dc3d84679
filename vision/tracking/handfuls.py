"""Dice that come out of hands: which of those that went in each one is, and whether it was thrown or set back.

Dice of one colour that were in one hand cannot be told apart, so a die that comes out takes over from any of those that
are missing; one that still lies under an arm is taken for gone only when no other is missing. What was thrown shows it
by its own way, by another value than any that went in, or by one of its company. Where nothing shows it, it is told
only once nothing more can come out of that hand: as set back if the hand stood still over all that it let go of, and
else, for nobody is accused in doubt, as rolled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import dist
from typing import NamedTuple

from vision.tracking.happenings import DieState, Happening
from vision.tracking.matching import WHOLE_SIDES
from vision.tracking.stories import Story
from vision.tracking.track import Home, Track, turned_by

__all__ = ["Handfuls"]

_MS = 1_000_000
_NS_PER_S = 1_000 * _MS
_CLEAR_COVER = 0.15
_CLEAR_SIDES = 1.5
_CLEAR_FRAMES = 3
"""A die in plain view, with no other within these sides, for so many frames keeps the number that it is given."""
_COVERED_COST, _LOST_COST = 3.0, 1.0
_SLID_COST = -1.0
_SLID_SIDES = (0.3, 16.0)
_SLID_RAD, _SLID_NS = 0.5, 1_000 * _MS
_KNOCKED_SIDES = 2.0
"""A covered die that is knocked comes to light so near to its place."""
_STAYED_COST = -6.0
_STAYED_SIDES, _STAYED_RAD = 0.12, 0.1
"""What shows the face of a die where that die lay, turned as it was, has most likely lain there all the time."""
_LOST_ON_WAY_COST, _LOST_ON_WAY_SIDE_COST = -2.0, 0.2
_LOST_ON_WAY_NS = 400 * _MS
"""A die out of a hand that was seen to roll, and then not for so long, is the one that is found near by."""
_AHEAD_SIDES, _AHEAD_WAYS = 3.0, 1.5
"""It is no farther away than this, and this part of the way that it would have gone meanwhile."""
_SIDE_COST = 0.03
_HUE_COST = 0.035
_COMPANY_NS = 1_200 * _MS
"""Dice of one colour that come to rest within this time of one that was thrown were thrown with it; and one hand takes
its dice within this time."""
_ONE_BY_ONE_NS, _AT_ONCE_NS = 150 * _MS, 100 * _MS
"""Dice that a hand covers so long after one another it took one by one, and it sets them down one by one: two hands
that take a die each are over them within 100 ms on rendered tables."""
_REMEMBERED_NS = 2 * _COMPANY_NS
_WAIT_NS = 900 * _MS
"""What else was in a hand comes out of it within this time."""


@dataclass(slots=True)
class _Out:
    """A die that came to light at rest where a hand was; `told` once it is told what it did."""

    track: Track
    story: Story
    rest: Home
    told: bool = False

    @property
    def taken_ns(self) -> int:
        """When it was last seen before a hand took it."""
        assert self.story.home is not None
        return self.story.home.until_ns

    @property
    def went_on(self) -> bool:
        """It was seen to go its way with no hand over it, since that hand took it, before it came to rest."""
        since_ns = self.taken_ns if self.story.left_ns is None else self.story.left_ns
        return since_ns < self.track.rolled_ns < self.rest.rest_ns


class _Claim(NamedTuple):
    """That a die nobody knows may be one that is missing: the less it costs, the likelier."""

    cost: float
    newcomer: Track
    old: Track


class Handfuls:
    """Keeps account of what hands of one table took and gave."""

    def __init__(self) -> None:
        self._out: list[_Out] = []

    def owner(
        self, newcomer: Track, tracks: Sequence[Track], stories: Mapping[int, Story]
    ) -> tuple[Track | None, bool]:
        """The missing die that a die nobody knows is, and whether that is certain; None when none is missing.

        Where another newcomer has a better claim to a die, by where and how it lies, that die is the other's. It is not
        certain as long as an arm hides the place where the die lay.
        """
        claims = self._claims(newcomer, tracks, stories)
        for other in tracks:
            if other is not newcomer and other.seen and not other.known and other.like(newcomer):
                claims += [claim for claim in self._claims(other, tracks, stories) if claim.cost < 0]
        given: set[int] = set()
        settled: set[int] = set()
        for claim in sorted(claims, key=lambda each: (each.cost, each.old.id, each.newcomer.id)):
            if claim.old.id in given or claim.newcomer.id in settled:
                continue
            if claim.newcomer is newcomer:
                return claim.old, not claim.old.at_rest
            given.add(claim.old.id)
            settled.add(claim.newcomer.id)
        return None, True

    def _claims(self, newcomer: Track, tracks: Sequence[Track], stories: Mapping[int, Story]) -> list[_Claim]:
        """The missing dice that a die nobody knows may be."""
        return [
            _Claim(cost, newcomer, old)
            for old in tracks
            if old is not newcomer and (cost := self._cost(newcomer, old, stories.get(old.id))) is not None
        ]

    def owner_on_its_way(self, newcomer: Track, tracks: Sequence[Track], stories: Mapping[int, Story]) -> Track | None:
        """The same of one that still moves: only when it is in plain view, and that another is missing is certain."""
        seen = [sample for sample in newcomer.samples if not sample.partial]
        if newcomer.known or len(seen) < _CLEAR_FRAMES or seen[-1].cover >= _CLEAR_COVER:
            return None
        reach_px = _CLEAR_SIDES * newcomer.side_px
        if any(
            each is not newcomer and each.seen and dist(each.last.centre_px, newcomer.last.centre_px) < reach_px
            for each in tracks
        ):
            return None
        perhaps = [each for each in tracks if each.state is not DieState.OFF_TABLE]
        old, certain = self.owner(newcomer, perhaps, stories)
        if old is None or newcomer.side_px < WHOLE_SIDES * old.side_px:
            return None
        return old if certain else None

    @staticmethod
    def _cost(newcomer: Track, old: Track, story: Story | None) -> float | None:
        if not old.known or old.seen or not old.like(newcomer):
            return None
        if max(old.last.at_ns, old.glimpsed_ns) >= newcomer.samples[0].at_ns:  # they were seen side by side
            return None
        cost = 0.0
        if old.at_rest:
            if old.state is not DieState.COVERED:
                return None
            cost = _COVERED_COST
        elif story is None:
            return None
        elif old.state is DieState.OFF_TABLE:
            cost = _LOST_COST
        home, last = old.home, newcomer.last
        if story is not None and story.samples and not old.at_rest:
            lost_ns = newcomer.samples[0].at_ns - old.last.at_ns
            free = not old.last.partial and old.last.cover < _CLEAR_COVER
            if free and old.state is DieState.ROLLING and lost_ns <= _LOST_ON_WAY_NS:
                gap = dist(newcomer.samples[0].centre_px, old.last.centre_px) / newcomer.side_px
                way = old.speed_px_s() * lost_ns / _NS_PER_S / newcomer.side_px
                if gap > _AHEAD_SIDES + _AHEAD_WAYS * way:
                    return None
                cost += min(0.0, _LOST_ON_WAY_COST + _LOST_ON_WAY_SIDE_COST * gap)
        if home is not None:
            moved = dist(home.place_px, last.place_px) / newcomer.side_px
            turned = turned_by(newcomer.turn_rad, home.turn_rad)
            away_ns = newcomer.samples[0].at_ns - home.until_ns
            pushed = (story is None or story.hidden) and away_ns <= _SLID_NS and turned <= _SLID_RAD
            alike = home.value is not None and home.value == last.reading.value
            if alike and moved <= _STAYED_SIDES and turned <= _STAYED_RAD:
                cost += _STAYED_COST
            elif pushed and home.value == last.reading.value and _SLID_SIDES[0] <= moved <= _SLID_SIDES[1]:
                cost += _SLID_COST
                if old.at_rest and moved <= _KNOCKED_SIDES:
                    cost -= _COVERED_COST
            cost += _SIDE_COST * moved
        return cost + _HUE_COST * old.hue_gap(newcomer.hue_lab)

    def ended(
        self, track: Track, story: Story, rest: Home, tracks: Sequence[Track], stories: Mapping[int, Story], at_ns: int
    ) -> list[Happening]:
        """What a die did that has come to rest, as far as it can be told now; the rest is told by `look`."""
        fell = story.left_ns is not None  # it may be set back with any face up
        if story.out_of_a_hand(rest) and (fell or rest.value in self._went_in(track, story, tracks, stories)):
            self._out.append(_Out(track, story, rest))
            return []
        told = list(story.told(track.id, rest, at_ns))
        if story.thrown:
            track.rolled_ns = rest.rest_ns
        return told

    def look(self, tracks: Sequence[Track], stories: Mapping[int, Story], at_ns: int) -> list[Happening]:
        """What can be told by now of dice that came to rest before."""
        self._out = [each for each in self._out if at_ns - each.rest.rest_ns < _REMEMBERED_NS or not each.told]
        ready = []
        for each in self._out:
            if each.told:
                continue
            thrown = self._thrown(each, tracks, stories)
            waited = at_ns - each.rest.rest_ns >= _WAIT_NS
            if thrown or waited or not _more_may_come(each, tracks, stories):
                ready.append((each, thrown))
        happenings: list[Happening] = []
        for each, thrown in ready:
            each.told = True
            happenings += each.story.told(each.track.id, each.rest, at_ns, set_back=not thrown)
        return happenings

    def _thrown(self, one: _Out, tracks: Sequence[Track], stories: Mapping[int, Story]) -> bool:
        """Something shows that it was thrown, or that its hand did to one of them what nobody does who sets dice down.

        A hand that sets dice down stands still over each of them, and none goes on by itself.
        """
        hand = self._of_hand(one)
        if any(not each.story.stood_still or each.went_on or self._let_go_together(each) for each in hand):
            return True
        return self._thrown_with(one, tracks) or self._too_many(one, tracks, stories)

    def _of_hand(self, one: _Out) -> list[_Out]:
        """It, and the dice like it that were taken, and came to rest, when it did.

        One that had left the table is on its own: those that were taken with it were thrown before.
        """
        if one.story.left_ns is not None:
            return [one]
        return [
            each
            for each in self._out
            if each is one or (
                each.track.like(one.track) and each.story.left_ns is None
                and abs(each.taken_ns - one.taken_ns) < _COMPANY_NS
                and abs(each.rest.rest_ns - one.rest.rest_ns) < _COMPANY_NS
            )
        ]  # fmt: skip

    @staticmethod
    def _thrown_with(one: _Out, tracks: Sequence[Track]) -> bool:
        """A die like it was seen to be thrown at the same time, or since it was taken: it may have lain unread.

        What had left the table lay nowhere: those that it left it with were thrown before.
        """
        since_ns = one.rest.rest_ns - _COMPANY_NS
        if one.story.left_ns is None:
            since_ns = min(one.taken_ns, since_ns)
        return any(
            other is not one.track and other.like(one.track)
            and since_ns < other.rolled_ns < one.rest.rest_ns + _COMPANY_NS
            for other in tracks
        )  # fmt: skip

    def _too_many(self, one: _Out, tracks: Sequence[Track], stories: Mapping[int, Story]) -> bool:
        """More dice show some value than went in with it: they cannot all have been set back."""
        group = [
            each
            for each in self._out
            if each.track.like(one.track) and abs(each.rest.rest_ns - one.rest.rest_ns) < _COMPANY_NS
            and each.story.left_ns is None
        ]  # fmt: skip
        homes = [*(each.story.home for each in group), *_perhaps_in_hand(one.track, tracks, stories)]
        return bool(Counter(each.rest.value for each in group) - Counter(home.value for home in homes if home))

    def _let_go_together(self, one: _Out) -> bool:
        """One hand took it up before or after another, and both came to rest at once: no hand sets two down at once."""
        for other in self._out:
            if other is one or not other.track.like(one.track):
                continue
            taken_ns = abs(other.taken_ns - one.taken_ns)
            if _ONE_BY_ONE_NS <= taken_ns < _COMPANY_NS and abs(other.rest.rest_ns - one.rest.rest_ns) <= _AT_ONCE_NS:
                return True
        return False

    def _went_in(
        self, track: Track, story: Story, tracks: Sequence[Track], stories: Mapping[int, Story]
    ) -> set[int | None]:
        """What dice like this one showed when hands took them: who sets a die back shows one of these again."""
        out = [each.story.home for each in self._out if each.track.like(track)]
        homes = [story.home, *out, *_perhaps_in_hand(track, tracks, stories)]
        return {home.value for home in homes if home is not None}


def _more_may_come(one: _Out, tracks: Sequence[Track], stories: Mapping[int, Story]) -> bool:
    """Another die like it may come out of its hand: one that hands have, hide since they took it, or just let be seen.

    What a hand hides may lie where it lay, or have been taken with it: only when it comes to light that is known.
    """
    for other in tracks:
        if other is one.track or not other.like(one.track):
            continue
        if not other.known:
            if other.seen:
                return True
        elif other.state is DieState.COVERED:
            if other.home is not None and abs(other.home.until_ns - one.taken_ns) < _COMPANY_NS:
                return True
        elif not other.at_rest and other.id in stories and stories[other.id].hidden:
            return True
    return False


def _perhaps_in_hand(track: Track, tracks: Sequence[Track], stories: Mapping[int, Story]) -> list[Home | None]:
    """Where dice like this one lay that a hand has, or hides."""
    homes = []
    for each in tracks:
        if each is not track and each.like(track):
            if each.id in stories and stories[each.id].hidden:
                homes.append(stories[each.id].home)
            elif each.state is DieState.COVERED:
                homes.append(each.home)
    return homes
