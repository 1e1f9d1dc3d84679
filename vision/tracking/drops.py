"""Dice that fell out of a hand rather than rolled: a suspicion of a whole handful, told once all of it lies still.

From above a drop and a gentle roll differ in one thing only: how far the dice go. That says something only of dice
that were in view from the time at which the hand let go of them, for what a hand hides may have rolled beneath it. So a
handful is suspected when one of its dice was in view well before the first came to rest, none that was seen went
anywhere, and all of them lie close together. Of fewer than three dice nothing is said, for one or two that are thrown
with little swing do the same (of 61 throws of two dice by the physics engine 15 end within 2.2 sides of where the hand
let go, of 67 throws of three 2): nobody is accused in doubt. Nor is anything said of dice that the hand hid while they
fell, nor of a handful of which some are still in the hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import dist, fsum

from vision.tracking.happenings import DieState, Happening, Kind
from vision.tracking.stories import Story
from vision.tracking.track import Home, Track

__all__ = ["STRAIGHT_DOWN", "UNDER_THE_HAND", "Drops"]

_MS = 1_000_000
STRAIGHT_DOWN = "fell straight down"
"""The handful was in view as it came down, and went nowhere."""
UNDER_THE_HAND = "fell under the hand"
"""It came to light in one heap while the hand went; what was seen of it went nowhere."""
_FEWEST = 3
_TOGETHER_NS = 450 * _MS
"""Dice of one colour that come to rest one after the other within this time came out of one hand."""
_BLINK_NS = 200 * _MS
"""A die that was out of sight for longer may have rolled there."""
_AWAY_SIDES = 2.2
"""Farther from where it was first seen no die may rest: of 108 drops of three dice 94 end so near to where the hand let
go of them, of 67 throws 2."""
_SUSPECTED = ((190 * _MS, 2.4, STRAIGHT_DOWN), (130 * _MS, 1.9, UNDER_THE_HAND))
"""For so long a handful must have been in view before the first die rests, if all lie within so many sides of its
middle. Drops take a quarter of a second from the hand to rest (0.08 to 0.46 s). The tighter the heap the less likely
it was thrown, so that it need not be seen for as long: within 1.9 sides lie 68 of 108 drops of three dice and 2 of 67
throws, and none of these two is among the two that did not go far."""
_EACH_IN_VIEW_NS = 110 * _MS
"""And for so long each of them on an average, lest one of six, or a misreading of the hand, speaks for all. Of 703
handfuls thrown in 60 plays where nobody drops dice, taken as they were truly in view, 3 fulfil all but this at 75 ms;
in a clean play of six people one was suspected at 78 ms. Drops that are told are in view for 190 ms and more."""
_IN_VIEW_FRAMES, _APART_NS = 5, 45 * _MS
"""And one of them in so many frames, no farther apart on an average, or its way is not known: of handfuls seen 15 times
a second one in seven minutes of six people was suspected though it was thrown, so nothing is said of these."""
_CALM_NS = 130 * _MS
"""So long after the last of a handful has come to rest no other of it is to come."""
_LATEST_NS = 700 * _MS
"""When some are still in the hand then, nothing is said."""


@dataclass(slots=True)
class _Out:
    """A die that came out of a hand and rests; `since_ns` is when it was first in view, `away_px` how far it went then,
    in so many `frames`."""

    track: Track
    story: Story
    rest: Home
    since_ns: int
    away_px: float
    frames: int
    kind: Kind | None = None
    """Whether it *rolled* or was *set back*; None as long as neither is told, or when it did something else."""


class Drops:
    """Judges what comes out of the hands of one table."""

    def __init__(self) -> None:
        self._out: list[_Out] = []

    def ended(self, track: Track, story: Story, rest: Home) -> None:
        """A die has come to rest; what is told of it may come later."""
        if story.hidden and story.home is not None and not story.broken:
            seen = _in_view(story, rest)
            since_ns = min((at_ns for at_ns, _ in seen), default=rest.rest_ns)
            away_px = max((dist(place_px, rest.place_px) for _, place_px in seen), default=0.0)
            self._out.append(_Out(track, story, rest, since_ns, away_px, len(seen)))

    def look(
        self, told: Iterable[Happening], tracks: Sequence[Track], stories: Mapping[int, Story], at_ns: int
    ) -> list[Happening]:
        """What seems dropped; `told` is what this frame tells of dice that were thrown or set back."""
        kinds = {
            (each.die, each.ended_ns): each.kind for each in told if each.kind in (Kind.ROLLED, Kind.SET_BACK)
        }  # fmt: skip
        for out in self._out:
            out.kind = kinds.get((out.track.id, out.rest.rest_ns), out.kind)
        happenings: list[Happening] = []
        for handful in self._handfuls():
            late = at_ns - handful[0].rest.rest_ns >= _LATEST_NS
            more = _more_to_come(handful, tracks, stories)
            if not late and (more or at_ns - handful[-1].rest.rest_ns < _CALM_NS):
                continue
            self._out = [each for each in self._out if each not in handful]
            thrown = [each for each in handful if each.kind is Kind.ROLLED]
            if more or any(each.kind is Kind.SET_BACK for each in handful):
                continue
            why = _why_dropped(thrown)
            if why is not None:
                happenings += [each.story.fell(each.track.id, each.rest, at_ns, why) for each in thrown]
        return happenings

    def _handfuls(self) -> list[list[_Out]]:
        """What came out of one hand together, each in the order in which it came to rest."""
        handfuls: list[list[_Out]] = []
        for out in sorted(self._out, key=lambda each: each.rest.rest_ns):
            mine = next(
                (
                    each for each in handfuls
                    if each[0].track.like(out.track) and out.rest.rest_ns - each[-1].rest.rest_ns < _TOGETHER_NS
                ),
                None,
            )  # fmt: skip
            if mine is None:
                handfuls.append([out])
            else:
                mine.append(out)
        return handfuls


def _in_view(story: Story, rest: Home) -> list[tuple[int, tuple[float, float]]]:
    """When and where the die was seen whole since it last came to light: (exposure in ns, place in px)."""
    seen = []
    later_ns = rest.rest_ns
    for sample in reversed(story.samples):
        if sample.at_ns > rest.rest_ns:
            continue
        if later_ns - sample.at_ns > _BLINK_NS:
            break
        later_ns = sample.at_ns
        if not sample.partial:
            seen.append((sample.at_ns, sample.place_px))
    return seen


def _more_to_come(handful: Sequence[_Out], tracks: Sequence[Track], stories: Mapping[int, Story]) -> bool:
    """A hand may still hold dice of it, or some still roll."""
    return any(
        track.known and not track.at_rest and track.state is not DieState.OFF_TABLE
        and track.id in stories and track.like(handful[0].track)
        for track in tracks
    )  # fmt: skip


def _why_dropped(handful: Sequence[_Out]) -> str | None:
    """What makes a handful that lies still seem dropped; None when nothing does, or not surely."""
    watched_ns = sum(each.rest.rest_ns - each.since_ns for each in handful)
    if len(handful) < _FEWEST or watched_ns < _EACH_IN_VIEW_NS * len(handful):
        return None
    longest = max(handful, key=lambda each: each.frames)
    if longest.frames < _IN_VIEW_FRAMES or longest.rest.rest_ns - longest.since_ns > _APART_NS * longest.frames:
        return None
    if any(each.away_px > _AWAY_SIDES * each.rest.side_px for each in handful):
        return None
    in_view_ns = min(each.rest.rest_ns for each in handful) - min(each.since_ns for each in handful)
    places = [each.rest.place_px for each in handful]
    middle = (fsum(x for x, _ in places) / len(places), fsum(y for _, y in places) / len(places))
    apart = max(dist(each.rest.place_px, middle) / each.rest.side_px for each in handful)
    return next(
        (why for least_ns, most_sides, why in _SUSPECTED if in_view_ns >= least_ns and apart <= most_sides), None
    )
