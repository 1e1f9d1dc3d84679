"""Which dice lie still, and what they show once several frames agree."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from math import dist
from typing import Literal

from vision.readings import DieReading, Point, Reading, Unreadable

__all__ = ["DieChange", "SettleWatcher", "SettledDie", "State"]

State = Literal["moving", "settled", "gone"]

STILL_NS = 200_000_000
"""A die must have been still for so long before its value counts."""
CHANGE_NS = 600_000_000
"""A settled die must show another value for so long, at the same place, before that counts."""
BLIND_NS = 2_000_000_000
"""A settled die that cannot be read for so long becomes unreadable; a passing hand is shorter."""
GONE_NS = 1_000_000_000
"""A die not seen for so long is gone."""
GIVE_UP_NS = 1_000_000_000
"""Votes of a still die that disagree for so long make it unreadable: ambiguous."""
MIN_VOTES = 3
AGREEMENT = 0.75
"""Share of the votes that must agree."""
STILL_SIDES = 0.14
"""Steps up to this many die sides are noise of the reading, not motion."""
REACH_SIDES = 1.5
"""How far a die can go between two frames and still be the same one."""


@dataclass(frozen=True, slots=True)
class SettledDie:
    """One die followed through frames; `position` is in mm when the readings carry mm, else in px.

    `value` is None while it moves, and when it is unreadable (then `reason` says why).
    """

    id: int
    state: State
    value: int | None
    reason: Unreadable | None
    position: Point
    in_mm: bool
    colour: str
    confidence: float


@dataclass(frozen=True, slots=True)
class DieChange:
    """A die that began to move, settled, shows another value, or is gone, at the exposure time `at_ns`."""

    at_ns: int
    die: SettledDie


@dataclass(slots=True)
class _Vote:
    at_ns: int
    die: DieReading


@dataclass(slots=True)
class _Track:
    id: int
    anchor_px: Point
    last: DieReading
    still_since_ns: int
    seen_ns: int
    votes: list[_Vote] = field(default_factory=list)
    public: SettledDie | None = None


class SettleWatcher:
    """Follows dice from reading to reading; says a value only after rest and agreement of several frames.

    Times are exposure times (`Reading.exposure_start_ns`, else the given `now_ns`); a reading not newer than
    the one before is passed over. Values are voted on, never averaged.
    """

    def __init__(self) -> None:
        self._tracks: list[_Track] = []
        self._next_id = 1
        self._last_ns: int | None = None

    @property
    def settled(self) -> tuple[SettledDie, ...]:
        """The dice that lie still, readable or not, oldest first."""
        return tuple(t.public for t in self._tracks if t.public is not None and t.public.state == "settled")

    @property
    def moving(self) -> bool:
        """Whether some die in view has not settled."""
        return any(t.public is None or t.public.state == "moving" for t in self._tracks)

    def update(self, reading: Reading, now_ns: int) -> tuple[DieChange, ...]:
        """What changed with this reading, in order of die id."""
        at_ns = now_ns if reading.exposure_start_ns is None else reading.exposure_start_ns
        if self._last_ns is not None and at_ns <= self._last_ns:
            return ()
        self._last_ns = at_ns
        changes: list[DieChange] = []
        pairs = self._matched(reading.dice)
        for die, track in pairs:
            if track is None:
                track = _Track(self._next_id, die.centre_px, die, at_ns, at_ns)
                self._next_id += 1
                self._tracks.append(track)
            self._see(track, die, at_ns)
        for track in list(self._tracks):
            new = self._judge(track, at_ns)
            if new is not None and (track.public is None or _told(new) != _told(track.public)):
                changes.append(DieChange(at_ns, new))
            track.public = new if new is not None else track.public
            if new is not None and new.state == "gone":
                self._tracks.remove(track)
        return tuple(sorted(changes, key=lambda change: change.die.id))

    def _matched(self, dice: tuple[DieReading, ...]) -> list[tuple[DieReading, _Track | None]]:
        """One to one, nearest first."""
        options = sorted(
            (dist(die.centre_px, track.last.centre_px), i, j)
            for i, die in enumerate(dice)
            for j, track in enumerate(self._tracks)
            if dist(die.centre_px, track.last.centre_px) <= REACH_SIDES * max(die.side_px, track.last.side_px)
        )
        taken: dict[int, int] = {}
        for _, i, j in options:
            if i not in taken and j not in taken.values():
                taken[i] = j
        return [(die, self._tracks[taken[i]] if i in taken else None) for i, die in enumerate(dice)]

    def _see(self, track: _Track, die: DieReading, at_ns: int) -> None:
        track.seen_ns = at_ns
        step = dist(die.centre_px, track.anchor_px)
        if step > STILL_SIDES * die.side_px + 1.0:
            track.anchor_px = die.centre_px
            track.still_since_ns = at_ns
            track.votes.clear()
        track.votes.append(_Vote(at_ns, die))
        track.votes = _recent(track.votes, at_ns - BLIND_NS)
        track.last = die

    def _judge(self, track: _Track, at_ns: int) -> SettledDie | None:
        """The die as it may be told now; None while nothing can be said of it yet."""
        if at_ns - track.seen_ns >= GONE_NS:
            return self._die(track, "gone", None, None, 0.0)
        public = track.public
        was_settled = public is not None and public.state == "settled"
        still_ns = track.seen_ns - track.still_since_ns
        if still_ns == 0 and len(track.votes) == 1:  # it has just moved, or just come into view
            return self._die(track, "moving", None, None, 0.0)
        if was_settled:
            assert public is not None
            since_ns = CHANGE_NS if track.last.value is not None else BLIND_NS
            recent = _recent(track.votes, at_ns - since_ns)
            covers = at_ns - track.votes[0].at_ns >= since_ns * 0.95
            agreed = _agreed(recent, 1.0) if covers else None
            if agreed is None or agreed[:2] == (public.value, public.reason):
                return replace(public, position=_place(track.last)[0])
            return self._die(track, "settled", *agreed)
        if still_ns < STILL_NS:
            return self._die(track, "moving", None, None, 0.0)
        agreed = _agreed(track.votes, AGREEMENT)
        if agreed is not None:
            return self._die(track, "settled", *agreed)
        if still_ns >= GIVE_UP_NS and len(track.votes) >= MIN_VOTES:
            return self._die(track, "settled", None, Unreadable.AMBIGUOUS, 0.0)
        return self._die(track, "moving", None, None, 0.0)

    def _die(
        self, track: _Track, state: State, value: int | None, reason: Unreadable | None, confidence: float
    ) -> SettledDie:
        position, in_mm = _place(track.last)
        return SettledDie(track.id, state, value, reason, position, in_mm, track.last.colour, confidence)


def _recent(votes: list[_Vote], since_ns: int) -> list[_Vote]:
    """The votes since then; of a slow camera the last few, however old, for the die has not moved since."""
    recent = [vote for vote in votes if vote.at_ns >= since_ns]
    return recent if len(recent) >= MIN_VOTES else votes[-MIN_VOTES:]


def _agreed(votes: list[_Vote], share: float) -> tuple[int | None, Unreadable | None, float] | None:
    """The value (or None with its most frequent reason) that enough votes carry, the last one among them."""
    if len(votes) < MIN_VOTES:
        return None
    value, count = Counter(v.die.value for v in votes).most_common(1)[0]
    if count < share * len(votes) or votes[-1].die.value != value:
        return None
    same = [v.die for v in votes if v.die.value == value]
    confidence = min(d.confidence for d in same)
    if value is None:
        return None, _reason(same), confidence
    return value, None, confidence


def _reason(dice: list[DieReading]) -> Unreadable | None:
    """The most frequent reason; that it is no pip die at all only when nearly all say so."""
    counts = Counter(die.reason for die in dice)
    if counts.pop(Unreadable.NOT_A_PIP_DIE, 0) >= AGREEMENT * len(dice):
        return Unreadable.NOT_A_PIP_DIE
    return counts.most_common(1)[0][0]


def _place(die: DieReading) -> tuple[Point, bool]:
    return (die.position_mm, True) if die.position_mm is not None else (die.centre_px, False)


def _told(die: SettledDie) -> tuple[object, ...]:
    return (die.state, die.value, die.reason)
