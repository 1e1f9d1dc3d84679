"""The six dice of one seat through all frames: each keeps its number (0 to 5) until it is thrown."""

from __future__ import annotations

from dataclasses import dataclass
from math import dist

from vision.readings import Point
from vision.settling import SettledDie

__all__ = ["DICE", "LIFTED_NS", "Left", "Rested", "SeatDice"]

DICE = 6
NOT_SEEN = "not seen"
LIFTED_NS = 400_000_000
"""A lying die that is not seen for so long has been taken up, or is covered; either way it shows nothing."""
MISSING_NS = 1_500_000_000
"""A throw of which some dice came to rest waits so long for the others before it is told without them."""
COVERED_NS = 4_000_000_000
"""Dice that left while others of the seat lie on are shaken in a hand for less than this; then they count as unread."""
SAME_PLACE_MM = 5.0
SAME_PLACE_PX = 8.0
SLID_MM = 160.0
SLID_PX = 260.0
"""A die pushed further than this while its value stayed is taken for thrown."""


@dataclass(frozen=True, slots=True)
class Left:
    """Dice that left their place; `since_ns` is the exposure of the first frame that shows it."""

    places: tuple[int, ...]
    since_ns: int


@dataclass(frozen=True, slots=True)
class Rested:
    """All six at rest (or as many as can be found). `reasons` says per die why there is no value."""

    faces: tuple[int | None, ...]
    reasons: tuple[str | None, ...]
    thrown: tuple[int, ...]
    settled_ns: int
    confidence: float


@dataclass(frozen=True, slots=True)
class _Before:
    """How a die lay when it left."""

    where: Point
    in_mm: bool
    value: int | None
    track: int | None


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
    before: _Before | None = None
    settled_ns: int = 0


class SeatDice:
    """Feed it every frame's dice of the seat; it tells when some left and when all rest."""

    def __init__(self) -> None:
        self._slots = [_Slot() for _ in range(DICE)]
        self._told: Rested | None = None
        self._stalled_ns: int | None = None
        self.still = False

    @property
    def slots(self) -> tuple[tuple[int | None, str | None], ...]:
        """Value and reason by place; "moving" while a die is not at rest, "not seen" once it was told as missing."""
        missing = [self._told is not None and self._told.reasons[place] == NOT_SEEN for place in range(DICE)]
        return tuple(
            (None, NOT_SEEN if gone else "moving") if slot.away else (slot.value, slot.reason)
            for slot, gone in zip(self._slots, missing, strict=True)
        )

    @property
    def complete(self) -> bool:
        """True once all six were at rest."""
        return self._told is not None

    def update(
        self, dice: list[SettledDie], seen: set[int], rest_ns: dict[int, int], at_ns: int
    ) -> tuple[Left | None, Rested | None]:
        """What changed.

        Args:
            dice: the seat's dice as tracked now, moving ones too.
            seen: ids of the tracks that this very frame shows.
            rest_ns: by track id, exposure of the first frame that shows the die where it rests.
            at_ns: exposure of the frame.
        """
        here = {die.id: die for die in dice if die.state == "settled"}
        if len(seen & {die.id for die in dice}) >= DICE:  # all six are in view: what is not seen was lifted long ago
            here = {track: die for track, die in here.items() if track in seen}
        moving = any(die.state == "moving" for die in dice)
        self._keep(here, seen, at_ns)
        left = self._leaving()
        fresh = self._put_back([die for track, die in here.items() if track in seen], rest_ns)
        free = [slot for slot in self._slots if slot.away]
        given_up = self._given_up(moving, bool(fresh), at_ns)
        if len(fresh) >= len(free) or given_up:  # else some are still in the hand or rolling
            for slot, die in zip(free, fresh, strict=False):
                _lay(slot, die, rest_ns)
        resting = [slot for slot in self._slots if not slot.away]
        whole = len(resting) == DICE
        self.still = whole and not moving and all(slot.unseen_ns is None for slot in resting)
        return left, self._rested() if whole or given_up else None

    def _keep(self, here: dict[int, SettledDie], seen: set[int], at_ns: int) -> None:
        for slot in self._slots:
            if slot.away:
                continue
            die = here.get(slot.track) if slot.track is not None else None
            if die is None:
                slot.unseen_ns = slot.unseen_ns or at_ns
                self._take_away(slot)
                continue
            slot.where, slot.in_mm, slot.value, slot.reason = die.position, die.in_mm, die.value, _word(die)
            slot.confidence = die.confidence
            if slot.track in seen:
                slot.unseen_ns = None
                continue
            slot.unseen_ns = slot.unseen_ns or at_ns
            if at_ns - slot.unseen_ns >= LIFTED_NS:
                self._take_away(slot)

    @staticmethod
    def _take_away(slot: _Slot) -> None:
        assert slot.where is not None
        slot.before = slot.before or _Before(slot.where, slot.in_mm, slot.value, slot.track)
        slot.away, slot.told_away = True, False

    def _put_back(self, seen: list[SettledDie], rest_ns: dict[int, int]) -> list[SettledDie]:
        """Dice that were only hidden or pushed aside take their own places; the others, from left to right."""
        taken = {slot.track for slot in self._slots if not slot.away}
        free = [slot for slot in self._slots if slot.away]
        others = []
        for die in sorted((die for die in seen if die.id not in taken), key=lambda die: die.position):
            own = next((slot for slot in free if slot.track == die.id), None) or _nearest(free, die)
            if own is None:
                others.append(die)
            else:
                free.remove(own)
                _lay(own, die, rest_ns)
        return others

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
        reasons = tuple(NOT_SEEN if slot.away else slot.reason for slot in self._slots)
        moved = [(place, slot) for place, slot in enumerate(self._slots) if slot.before is not None and not slot.away]
        if self._told is not None and not moved and faces == self._told.faces:
            return None
        thrown = () if self._told is None else tuple(place for place, slot in moved if _thrown(slot, len(moved)))
        settled_ns = max((slot.settled_ns for slot in self._slots if not slot.away), default=0)
        lying = [slot.confidence for slot in self._slots if not slot.away]
        rested = Rested(faces, reasons, thrown, settled_ns, min(lying, default=0.0))
        for _, slot in moved:
            slot.before = None
        self._told = rested
        return rested


def _lay(slot: _Slot, die: SettledDie, rest_ns: dict[int, int]) -> None:
    slot.track, slot.where, slot.in_mm = die.id, die.position, die.in_mm
    slot.value, slot.reason, slot.confidence = die.value, _word(die), die.confidence
    slot.away, slot.unseen_ns = False, None
    slot.settled_ns = rest_ns.get(die.id, slot.settled_ns)


def _nearest(free: list[_Slot], die: SettledDie) -> _Slot | None:
    """The free place from which this very die was only hidden for a while."""
    reach = SAME_PLACE_MM if die.in_mm else SAME_PLACE_PX
    near = [
        (dist(slot.before.where, die.position), number)
        for number, slot in enumerate(free)
        if slot.before is not None and slot.before.in_mm == die.in_mm and slot.before.value == die.value
    ]
    found = min(near, default=None)
    return free[found[1]] if found is not None and found[0] <= reach else None


def _thrown(slot: _Slot, moved: int) -> bool:
    """Same value where it lay: it was hidden. Followed all the way and same value: it was pushed aside, not thrown."""
    before, where = slot.before, slot.where
    assert before is not None
    assert where is not None
    if before.value != slot.value or before.in_mm != slot.in_mm:
        return True
    gone = dist(before.where, where)
    if gone <= (SAME_PLACE_MM if slot.in_mm else SAME_PLACE_PX):
        return False
    return moved == DICE or before.track != slot.track or gone > (SLID_MM if slot.in_mm else SLID_PX)


def _word(die: SettledDie) -> str | None:
    return None if die.reason is None else str(die.reason)
