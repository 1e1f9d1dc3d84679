"""The six dice of one seat through all frames: each keeps its number (0 to 5) until it is thrown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import dist

from companion.live.deeds import is_set_back
from vision.readings import Point, Unreadable
from vision.tracking.happenings import DieState, Happening, Kind, TrackedDie

__all__ = ["DICE", "LIFTED_NS", "LYING", "NOT_SEEN", "OFF_TABLE", "THROWN", "Left", "Rested", "SeatDice", "place_of"]

DICE = 6
NOT_SEEN = "not seen"
OFF_TABLE = "off table"
LYING = frozenset({DieState.SETTLED, DieState.COCKED, DieState.COVERED})
"""States of a die that lies in its place."""
THROWN = frozenset({Kind.ROLLED})
"""What makes a new throw of a die. That it seems dropped is told beside its roll, and perhaps later."""
_PUSHED = frozenset({Kind.SLID, Kind.NUDGED})
"""What moves a die without a throw, unless it went off together with dice that were thrown."""

LIFTED_NS = 400_000_000
"""A lying die that is not seen for so long has been taken up, or is covered; either way it shows nothing."""
MISSING_NS = 1_500_000_000
"""A throw of which some dice came to rest waits so long for the others before it is told without them."""
COVERED_NS = 4_000_000_000
"""Dice that left while others of the seat lie on are shaken in a hand for less than this; then they count as unread."""
LEFT_TOGETHER_NS = 250_000_000
"""Dice of one seat that leave their places within this time go off in one throw."""
SAME_PLACE_MM = 5.0
SAME_PLACE_PX = 8.0
SLID_MM = 160.0
SLID_PX = 260.0
"""A die that nobody watched on its way, and that lies further from its place than this, is taken for thrown."""


@dataclass(frozen=True, slots=True)
class Left:
    """Dice that left their place; `since_ns` is the exposure of the first frame that shows it."""

    places: tuple[int, ...]
    since_ns: int


@dataclass(frozen=True, slots=True)
class Rested:
    """All six at rest (or as many as can be found). `reasons` says per die why there is no value.

    `off_table` are the places whose die went over the edge of the table; they were thrown too.
    """

    faces: tuple[int | None, ...]
    reasons: tuple[str | None, ...]
    thrown: tuple[int, ...]
    settled_ns: int
    confidence: float
    off_table: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Before:
    """How a die lay when it left."""

    where: Point
    in_mm: bool
    value: int | None
    track: int | None
    left_ns: int


@dataclass(slots=True)
class _Slot:
    track: int | None = None
    where: Point | None = None
    in_mm: bool = False
    value: int | None = None
    reason: str | None = NOT_SEEN
    confidence: float = 0.0
    unseen_ns: int | None = None  # exposure of the first frame that does not show it at rest any more
    away: bool = True
    told_away: bool = False
    off_table: bool = False
    before: _Before | None = None
    settled_ns: int = 0


class SeatDice:
    """Feed it every frame's dice of the seat; it tells when some left and when all rest."""

    def __init__(self) -> None:
        self._slots = [_Slot() for _ in range(DICE)]
        self._told: Rested | None = None
        self._stalled_ns: int | None = None
        self._deeds: dict[int, list[Happening]] = {}
        self._fallen: set[int] = set()
        self.still = False

    @property
    def slots(self) -> tuple[tuple[int | None, str | None], ...]:
        """Value and reason by place: "moving" while a die is not at rest; "not seen" and "off table" once told."""
        return tuple(self._shown(place, slot) for place, slot in enumerate(self._slots))

    def _shown(self, place: int, slot: _Slot) -> tuple[int | None, str | None]:
        if not slot.away:
            return slot.value, slot.reason
        told = None if self._told is None else self._told.reasons[place]
        return None, told if told in (NOT_SEEN, OFF_TABLE) else "moving"

    @property
    def complete(self) -> bool:
        """True once all six were at rest."""
        return self._told is not None

    def place_of(self, track: int) -> int | None:
        """The number of the die with this track; None when it has none yet."""
        return next((place for place, slot in enumerate(self._slots) if slot.track == track), None)

    def update(
        self, dice: Sequence[TrackedDie], happenings: Iterable[Happening], at_ns: int
    ) -> tuple[Left | None, Rested | None]:
        """What changed.

        Args:
            dice: the seat's dice as tracked now, moving ones too.
            happenings: what was found out with this frame, of whatever dice.
            at_ns: exposure of the frame.
        """
        self._take_in(happenings)
        seen = {die.id for die in dice if die.seen}
        here = {die.id: die for die in dice if die.state in LYING}
        if len(seen) >= DICE:  # all six are in view: what is not seen was lifted long ago
            here = {track: die for track, die in here.items() if track in seen}
        self._fallen = {die.id for die in dice if die.id in self._fallen and die.state is DieState.OFF_TABLE}
        moving = any(die.state is DieState.ROLLING for die in dice)
        self._keep(here, seen, at_ns)
        left = self._leaving()
        fresh = self._put_back([die for track, die in here.items() if track in seen])
        # Stable: from left to right, and those of dice that fell last.
        free = sorted((slot for slot in self._slots if slot.away), key=lambda slot: slot.track in self._fallen)
        given_up = self._given_up(moving, bool(fresh), at_ns)
        if len(fresh) + len(self._fallen) >= len(free) or given_up:  # else some are still in the hand or rolling
            for slot, die in zip(free, fresh, strict=False):
                _lay(slot, die)
        self._set_fallen()
        resting = [slot for slot in self._slots if not slot.away]
        whole = all(slot.off_table or not slot.away for slot in self._slots) and not (moving and self._fallen)
        self.still = whole and not moving and all(slot.unseen_ns is None for slot in resting)
        return left, self._rested() if whole or given_up else None

    def _take_in(self, happenings: Iterable[Happening]) -> None:
        for each in happenings:
            self._deeds.setdefault(each.die, []).append(each)
            if each.kind is Kind.LEFT_TABLE:
                self._fallen.add(each.die)
            elif each.kind is Kind.CAME_BACK:  # nobody watched it on the way
                for slot in self._slots:
                    if slot.track == each.die and not slot.away:
                        self._take_away(slot)
                        slot.told_away = True

    def _keep(self, here: dict[int, TrackedDie], seen: set[int], at_ns: int) -> None:
        for slot in self._slots:
            if slot.away:
                continue
            die = here.get(slot.track) if slot.track is not None else None
            if die is None:
                slot.unseen_ns = slot.unseen_ns or at_ns
                self._take_away(slot)
                continue
            slot.where, slot.in_mm = place_of(die)
            slot.value, slot.reason, slot.confidence = die.value, _word(die), die.confidence
            if slot.track in seen:
                slot.unseen_ns = None
                continue
            slot.unseen_ns = slot.unseen_ns or at_ns
            if at_ns - slot.unseen_ns >= LIFTED_NS:
                self._take_away(slot)

    @staticmethod
    def _take_away(slot: _Slot) -> None:
        assert slot.where is not None
        slot.before = slot.before or _Before(slot.where, slot.in_mm, slot.value, slot.track, slot.unseen_ns or 0)
        slot.away, slot.told_away = True, False

    def _put_back(self, seen: list[TrackedDie]) -> list[TrackedDie]:
        """Dice that were only hidden or moved by a hand take their own places; the others, from left to right."""
        taken = {slot.track for slot in self._slots if not slot.away}
        free = [slot for slot in self._slots if slot.away]
        others = []
        for die in sorted((die for die in seen if die.id not in taken), key=lambda die: place_of(die)[0]):
            own = None
            if not self._kinds(die.id) & THROWN:
                own = next((slot for slot in free if slot.track == die.id), None) or _nearest(free, die)
            if own is None:
                others.append(die)
            else:
                free.remove(own)
                _lay(own, die)
        return others

    def _set_fallen(self) -> None:
        """The places that are left over by the dice of a throw that lie are those of the dice that fell."""
        away = [slot for slot in self._slots if slot.away]
        own = [slot for slot in away if slot.track in self._fallen]
        known = {slot.track for slot in own}
        for slot in self._slots:
            slot.off_table = False
        for slot in own:
            slot.off_table = True
        spare = [slot for slot in away if slot not in own]
        for track, slot in zip(sorted(self._fallen - known), spare, strict=False):
            if not any(other.track == track and not other.away for other in self._slots):
                slot.track, slot.off_table = track, True

    def _leaving(self) -> Left | None:
        gone = [(place, slot) for place, slot in enumerate(self._slots) if slot.away and not slot.told_away]
        for _, slot in gone:
            slot.told_away = True
        known = [(place, slot.unseen_ns) for place, slot in gone if slot.unseen_ns is not None]
        if not known or self._told is None:
            return None
        return Left(tuple(place for place, _ in known), min(ns for _, ns in known))

    def _given_up(self, moving: bool, fresh: bool, at_ns: int) -> bool:
        """True when dice have been out of view for so long that the others are told without them."""
        away = [slot.away for slot in self._slots]
        in_the_hand = all(away) and not fresh
        if moving or in_the_hand or not any(away) or self._told is None:
            self._stalled_ns = None
            return False
        self._stalled_ns = self._stalled_ns or at_ns
        return at_ns - self._stalled_ns >= (MISSING_NS if fresh else COVERED_NS)

    def _rested(self) -> Rested | None:
        faces = tuple(None if slot.away else slot.value for slot in self._slots)
        fallen = tuple(place for place, slot in enumerate(self._slots) if slot.away and slot.off_table)
        reasons = tuple(
            OFF_TABLE if place in fallen else NOT_SEEN if slot.away else slot.reason
            for place, slot in enumerate(self._slots)
        )
        moved = [(place, slot) for place, slot in enumerate(self._slots) if slot.before is not None and not slot.away]
        before = () if self._told is None else self._told.off_table
        if self._told is not None and not moved and faces == self._told.faces and fallen == before:
            return None
        thrown = () if self._told is None else self._thrown(moved)
        thrown = tuple(sorted({*thrown, *(place for place in fallen if place not in before)}))
        settled_ns = max((slot.settled_ns for slot in self._slots if not slot.away), default=0)
        lying = [slot.confidence for slot in self._slots if not slot.away]
        rested = Rested(faces, reasons, thrown, settled_ns, min(lying, default=0.0), fallen)
        for _, slot in moved:
            slot.before = None
        self._deeds = {track: deeds for track, deeds in self._deeds.items() if track in self._fallen}
        self._told = rested
        return rested

    def _kinds(self, track: int | None) -> set[Kind]:
        return set() if track is None else {each.kind for each in self._deeds.get(track, ())}

    def _thrown(self, moved: list[tuple[int, _Slot]]) -> tuple[int, ...]:
        """What happened to a die says whether it was a throw; of one that nobody watched, how it lay and lies."""
        tracks = {slot.track for _, slot in moved if slot.track is not None}
        deeds = [each for track in tracks for each in self._deeds.get(track, ())]
        rolled = [(slot, self._kinds(slot.track)) for _, slot in moved]
        starts_ns = [slot.before.left_ns for slot, kinds in rolled if kinds & THROWN and slot.before is not None]
        return tuple(place for place, slot in moved if self._was_thrown(slot, len(moved), deeds, starts_ns))

    def _was_thrown(self, slot: _Slot, moved: int, deeds: list[Happening], starts_ns: list[int]) -> bool:
        assert slot.before is not None
        left_ns, kinds = slot.before.left_ns, self._kinds(slot.track)
        if kinds & THROWN:
            return True
        back = [each for each in deeds if each.die == slot.track and each.kind is Kind.SET_BACK]
        if back:
            return not is_set_back(back[-1], deeds)
        if kinds & _PUSHED:
            return any(abs(left_ns - start_ns) <= LEFT_TOGETHER_NS for start_ns in starts_ns)
        return _seems_thrown(slot, moved)


def place_of(die: TrackedDie) -> tuple[Point, bool]:
    """Where a die is: in mm and True where the table's geometry is known, else in px and False."""
    return (die.position_mm, True) if die.position_mm is not None else (die.centre_px, False)


def _lay(slot: _Slot, die: TrackedDie) -> None:
    slot.track = die.id
    slot.where, slot.in_mm = place_of(die)
    slot.value, slot.reason, slot.confidence = die.value, _word(die), die.confidence
    slot.away, slot.unseen_ns = False, None
    slot.settled_ns = die.rest_ns if die.rest_ns is not None else slot.settled_ns


def _nearest(free: list[_Slot], die: TrackedDie) -> _Slot | None:
    """The free place from which this very die was only hidden for a while."""
    where, in_mm = place_of(die)
    reach = SAME_PLACE_MM if in_mm else SAME_PLACE_PX
    near = [
        (dist(slot.before.where, where), number)
        for number, slot in enumerate(free)
        if slot.before is not None and slot.before.in_mm == in_mm and slot.before.value == die.value
    ]
    found = min(near, default=None)
    return free[found[1]] if found is not None and found[0] <= reach else None


def _seems_thrown(slot: _Slot, moved: int) -> bool:
    """Same value where it lay: it was hidden. Same track and value, and not far: it was pushed aside, not thrown."""
    before, where = slot.before, slot.where
    assert before is not None
    assert where is not None
    if before.value != slot.value or before.in_mm != slot.in_mm:
        return True
    gone = dist(before.where, where)
    if gone <= (SAME_PLACE_MM if slot.in_mm else SAME_PLACE_PX):
        return False
    return moved == DICE or before.track != slot.track or gone > (SLID_MM if slot.in_mm else SLID_PX)


def _word(die: TrackedDie) -> str | None:
    """Why it has no value; a die that leans has none whatever was read on it."""
    if die.state is DieState.COCKED:
        return str(die.reason or Unreadable.TILTED)
    return None if die.reason is None else str(die.reason)
