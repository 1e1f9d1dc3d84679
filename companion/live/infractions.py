"""What looks like a breach of a tournament rule, for the judge to weigh: rather none than a wrong one, and no penalty.

Deeds of one hand are one breach. They are told a moment later, when it is known what else happened with them.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import dist
from typing import Any, Final

from companion.live.collector import Sighting
from companion.live.deeds import TOGETHER_NS, hands_at, is_dropped, is_set_back
from companion.live.places import DICE, LYING, THROWN
from rules.events import Source, Submission
from rules.lightning_dice.events import SUSPICIONS, Breach
from vision.readings import Point
from vision.tracking.happenings import DieState, Happening, Kind, TrackedDie, Watched

__all__ = ["Infractions"]

_MS: Final = 1_000_000
BLOCKING_RULE: Final = 6
JUDGED_NS: Final = TOGETHER_NS + 250 * _MS
"""By then it is told what else came out of a hand with a die."""
SAME_DEED_NS: Final = 1_000 * _MS
"""Deeds of one kind and seat that follow each other within this time are one."""
ASIDE_MM: Final = 25.0
ASIDE_SIDES: Final = 1.6
"""A die set down further than this from its place was saved by lifting it, not just put back."""
EDGE_MM: Final = 45.0
EDGE_SHARE: Final = 0.09
"""So near to the edge of the table (of the picture, where the table is not known) a hand may be keeping dice on it."""
BLOCKED_NS: Final = 8_000 * _MS
"""People who take dice up, think and slide them have their hand off them again sooner: where six roll at once, hands
that come one after the other hid a die for up to 6.1 s (on rendered tables)."""
LIFT_HIDES_NS: Final = 700 * _MS
"""A die that is uncovered for less than this is still hidden by the same hand."""

Whose = Mapping[int, tuple[int, int | None]]


@dataclass(slots=True)
class _Open:
    """A deed that goes on or has only just ended: it is told when nothing has been added for a moment."""

    seat: int
    rule: int
    detail: str
    suspicion: str
    began_ns: int
    last_ns: int
    places: set[int] = field(default_factory=set)


@dataclass(slots=True)
class _Fallen:
    """A die that left the table; `told` once the roll in which it fell is told."""

    told: bool = False


@dataclass(slots=True)
class _Cover:
    since_ns: int
    last_ns: int
    told: bool = False


class Infractions:
    """Watches one match; fed with every frame that is in step."""

    def __init__(self, table_size_mm: tuple[float, float]) -> None:
        """`table_size_mm` is the width and depth between the corner markers."""
        self._size_mm = table_size_mm
        self._recent: list[tuple[int, Happening]] = []
        self._open: list[_Open] = []
        self._fallen: dict[int, dict[int, _Fallen]] = {}
        self._covers: dict[tuple[int, int], _Cover] = {}
        self._calls: set[tuple[int, int]] = set()
        self._judged: deque[tuple[int, int]] = deque(maxlen=64)

    def forget(self) -> None:
        """Nobody knows what happened meanwhile: nothing that was half seen is told."""
        self._recent.clear()
        self._open.clear()
        self._covers.clear()

    def update(
        self,
        watched: Watched,
        happenings: Sequence[Happening],
        whose: Whose,
        rolls: Iterable[tuple[int, tuple[int, ...]]],
        state: Any,
        at_ns: int,
    ) -> list[Sighting]:
        """The breaches that are sure enough now.

        Args:
            watched: the frame.
            happenings: its happenings as the places of the dice take them (see `Doubts`).
            whose: seat and place of each track.
            rolls: seats whose dice were told with this frame, each with the places thrown.
            state: the game's state.
            at_ns: exposure of the frame.
        """
        dice = {die.id: die for die in watched.dice}
        for each in happenings:
            if each.die in whose and each.die in dice:
                self._recent.append((whose[each.die][0], each))
                self._take(each, dice[each.die], whose[each.die], watched)
        self._settle(whose, dice, at_ns)
        self._look_for_fallen(whose, dice)
        self._watch_fallen(whose, rolls, state, at_ns)
        self._watch_covers(watched, whose, at_ns)
        self._recent = [each for each in self._recent if at_ns - each[1].told_ns <= 3 * SAME_DEED_NS]
        ready = [each for each in self._open if at_ns - each.last_ns >= SAME_DEED_NS]
        self._open = [each for each in self._open if each not in ready]
        return [_sighting(each) for each in ready]

    def _take(self, each: Happening, die: TrackedDie, owner: tuple[int, int | None], watched: Watched) -> None:
        seat, place = owner
        if each.kind is Kind.TOUCHED:
            at_edge = self._at_edge(each.to_mm, each.to_px or die.centre_px, watched)
            two = len(watched.hands) > 1
            if at_edge and two and hands_at(watched.hands, die.centre_px, die.side_px) == 1:
                return  # a second hand keeps dice on the table: rule 6 allows it. LD-T6, LD-T14
            why = "perhaps the free hand" if at_edge or two else "hand met it"
            self._add(1, "touched", why, seat, (place,), each.began_ns, each.told_ns)
        elif each.kind is Kind.LEFT_TABLE:
            self._fallen.setdefault(seat, {})[each.die] = _Fallen()
        elif each.kind in THROWN:
            self._fallen.get(seat, {}).pop(each.die, None)

    def _at_edge(self, place_mm: Point | None, place_px: Point, watched: Watched) -> bool:
        """Whether a hand there may be keeping a die on the table."""
        if place_mm is not None:
            gaps = (*place_mm, self._size_mm[0] - place_mm[0], self._size_mm[1] - place_mm[1])
            return min(gaps) <= EDGE_MM
        width, height = watched.reading.size_wh
        x, y = place_px
        return min(x / width, y / height, 1 - x / width, 1 - y / height) <= EDGE_SHARE

    def _settle(self, whose: Whose, dice: Mapping[int, TrackedDie], at_ns: int) -> None:
        """What seems set back or dropped is told once no other die can have come out of the hand with it."""
        for seat, each in self._recent:
            age_ns = at_ns - each.told_ns
            key = (each.die, each.ended_ns)
            judged = each.kind in (Kind.SET_BACK, Kind.DROPPED) and age_ns >= JUDGED_NS
            if not judged or each.die not in whose or key in self._judged:
                continue
            self._judged.append(key)
            deeds = [deed for owner, deed in self._recent if owner == seat]
            if is_dropped(each, deeds):
                why = each.why if each.why in SUSPICIONS else "fell straight down"
                self._add(5, "dropped", why, seat, (whose[each.die][1],), each.ended_ns, at_ns)
            if not is_set_back(each, deeds):
                continue
            rule, detail, why = 3, "set back", "lay under the hand"
            if each.value != each.before:
                why = "another face"
            elif _moved_aside(each, dice[each.die]):
                rule, detail, why = 2, "lifted", "moved aside"
            self._fallen.get(seat, {}).pop(each.die, None)
            self._add(rule, detail, why, seat, (whose[each.die][1],), each.ended_ns, at_ns)

    def _look_for_fallen(self, whose: Whose, dice: Mapping[int, TrackedDie]) -> None:
        """Nothing of a seat lies on the floor when all its dice lie on the table, or when the very die is seen."""
        lying = Counter(
            seat
            for track, (seat, _) in whose.items()
            if track in dice and dice[track].seen and dice[track].state in LYING
        )
        for seat, fallen in self._fallen.items():
            for track in list(fallen):
                back = track in dice and dice[track].state is not DieState.OFF_TABLE
                if back or lying[seat] >= DICE:
                    del fallen[track]

    def _watch_fallen(
        self,
        whose: Whose,
        rolls: Iterable[tuple[int, tuple[int, ...]]],
        state: Any,
        at_ns: int,
    ) -> None:
        """Rule 4: a die that fell must be rolled again before the seat rolls others, or calls. LD-T4, LD-T8."""
        for seat, thrown in rolls:
            fallen = self._fallen.get(seat, {})
            late = [track for track, die in fallen.items() if die.told]
            places = {whose[track][1] for track in late if track in whose}
            if places and thrown and not places & set(thrown):
                self._add(4, "off table", "rolled without it", seat, places, at_ns, at_ns)
                for track in late:
                    del fallen[track]
            for die in fallen.values():
                die.told = True
        calls = {(each.seq, each.seat) for each in getattr(state, "pending", ()) if each.kind != "breach"}
        for _, seat in sorted(calls - self._calls):
            fallen = self._fallen.get(seat, {})
            places = {whose[track][1] for track in fallen if track in whose}
            if places:
                self._add(4, "off table", "claimed without it", seat, places, at_ns, at_ns)
                fallen.clear()
        self._calls = calls

    def _watch_covers(self, watched: Watched, whose: Whose, at_ns: int) -> None:
        """Rule 6: a hand may not take a die out of view for long; that it comes and goes is play. LD-T10."""
        for die in watched.dice:
            if die.state is DieState.COVERED and not die.seen and die.id in whose:
                if not hands_at(watched.hands, die.centre_px, die.side_px):  # it is not read, but no hand hides it
                    continue
                seat, place = whose[die.id]
                if place is not None:  # else nobody could say which die it is
                    self._covers.setdefault((seat, place), _Cover(at_ns, at_ns)).last_ns = at_ns
        for key in [key for key, cover in self._covers.items() if at_ns - cover.last_ns > LIFT_HIDES_NS]:
            del self._covers[key]
        for seat in {seat for seat, _ in self._covers}:
            mine = {place: cover for (owner, place), cover in self._covers.items() if owner == seat}
            for_long = {place for place, cover in mine.items() if at_ns - cover.since_ns >= BLOCKED_NS}
            if for_long and watched.hands and not any(cover.told for cover in mine.values()):
                since_ns = min(mine[place].since_ns for place in for_long)
                self._add(6, "view blocked", "hand stayed", seat, for_long, since_ns, at_ns)
                for cover in mine.values():
                    cover.told = True

    def _add(
        self,
        rule: int,
        detail: str,
        suspicion: str,
        seat: int,
        places: Iterable[int | None],
        began_ns: int,
        at_ns: int,
    ) -> None:
        """Take in one die's deed; it goes with those of the same kind that have only just happened."""
        for deed in self._open:
            if (deed.seat, deed.rule, deed.detail) == (seat, rule, detail):
                break
        else:
            deed = _Open(seat, rule, detail, suspicion, began_ns, at_ns)
            self._open.append(deed)
        deed.places |= {place for place in places if place is not None}
        deed.began_ns, deed.last_ns = min(deed.began_ns, began_ns), max(deed.last_ns, at_ns)


def _moved_aside(each: Happening, die: TrackedDie) -> bool:
    """Whether it was put down away from where it had lain."""
    if each.from_mm is not None and each.to_mm is not None:
        return dist(each.from_mm, each.to_mm) > ASIDE_MM
    if each.from_px is not None and each.to_px is not None:
        return dist(each.from_px, each.to_px) > ASIDE_SIDES * die.side_px
    return False


def _sighting(deed: _Open) -> Sighting:
    lasted_ms = (deed.last_ns - deed.began_ns) // _MS if deed.rule == BLOCKING_RULE else 0
    event = Breach(
        deed.seat,
        deed.rule,
        tuple(sorted(deed.places)),
        deed.detail,
        suspicion=deed.suspicion,
        lasted_ms=lasted_ms,
    )
    at_ns = deed.last_ns if deed.rule == BLOCKING_RULE else deed.began_ns
    return Sighting(Submission(event, Source.CAMERA, at_ns=at_ns), at_ns, deed.seat, begins=False)
