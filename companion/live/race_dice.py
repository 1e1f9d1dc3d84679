"""The Movement dice of one seat through all frames: which of them came to rest after a throw, and what it shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from companion.live.places import LYING, MISSING_NS, THROWN, place_of
from vision.tracking.happenings import DieState, Happening, Kind, TrackedDie

__all__ = ["FIRST_LOOK_NS", "UNREAD_NS", "RaceDice", "Thrown"]

FIRST_LOOK_NS: Final = 1_000_000_000
"""What lies still in a picture so soon after the first one was not thrown while anybody watched."""

UNREAD_NS: Final = 1_000_000_000
"""A die that lies still and shows no value for so long is told as one that cannot be read."""

_CALM: Final = frozenset({Kind.SET_BACK, Kind.SLID})
"""Deeds that bring a die to rest without a roll: it was taken up to be laid on its space, or pushed there."""


@dataclass(frozen=True, slots=True)
class Thrown:
    """Dice that rolled at one time, in the order in which they came to rest.

    Attributes:
        faces: what they show; None for one that leans or cannot be read.
        settled_ns: exposure of the first frame that shows the last of them at rest.
        confidence: that all values are right, 0..1.
        tracks: the dice themselves, in the same order.
    """

    faces: tuple[int | None, ...]
    settled_ns: int
    confidence: float
    tracks: tuple[int, ...]


@dataclass(slots=True)
class _Rest:
    """A die at rest: since when, since when it was looked at, what it shows, whether it was thrown, and told with what.

    `told` is False until it was told; then `value` is what it was told with.
    """

    since_ns: int
    seen_ns: int
    value: int | None
    thrown: bool = False
    told: bool = False


class RaceDice:
    """Feed it every frame's dice of the seat; it tells of each throw once all dice of it lie still."""

    def __init__(self) -> None:
        self._began_ns: int | None = None
        self._rests: dict[int, _Rest] = {}
        self._deeds: dict[int, list[Kind]] = {}
        self._landed: dict[int, TrackedDie] = {}
        self._landed_ns = 0
        self._here: tuple[TrackedDie, ...] = ()
        self.still = False

    @property
    def shown(self) -> tuple[tuple[int | None, str | None], ...]:
        """Value and reason of each die in view, from left to right; "moving" while it is not at rest."""
        seen = sorted(self._here, key=lambda die: place_of(die)[0])
        return tuple(
            (die.value, None if die.reason is None else str(die.reason)) if die.state in LYING else (None, "moving")
            for die in seen
        )

    def update(
        self, dice: Sequence[TrackedDie], happenings: Iterable[Happening], at_ns: int, *, due: bool = False
    ) -> Thrown | None:
        """What was thrown.

        A die that was taken up and laid down, or pushed, is not thrown; nor is one that lay there from the start.

        Args:
            dice: the seat's dice as tracked now, moving ones too.
            happenings: what was found out with this frame, of whatever dice.
            at_ns: exposure of the frame.
            due: a die was picked up to be rolled again; one that shows the same in nearly the same place was.
        """
        if self._began_ns is None:
            self._began_ns = at_ns
        for each in happenings:
            self._deeds.setdefault(each.die, []).append(each.kind)
        self._here = tuple(die for die in dice if die.state in LYING or die.state is DieState.ROLLING)
        for die in dice:
            if die.seen and die.state in (DieState.SETTLED, DieState.COCKED):
                self._look_at(die, at_ns, due=due)
        moving = any(die.state is DieState.ROLLING for die in dice)
        self.still = not moving
        known = {die.id for die in dice}
        self._rests = {track: rest for track, rest in self._rests.items() if track in known}
        self._deeds = {track: deeds for track, deeds in self._deeds.items() if track in known}
        if not self._landed or (moving and at_ns - self._landed_ns < MISSING_NS):
            return None
        landed, self._landed = list(self._landed.values()), {}
        return Thrown(
            tuple(die.value for die in landed),
            max(die.rest_ns or at_ns for die in landed),
            min(die.confidence for die in landed),
            tuple(die.id for die in landed),
        )

    def _look_at(self, die: TrackedDie, at_ns: int, *, due: bool) -> None:
        """Note a die at rest; it has landed when it rolled since its last rest and can be read, or never can be."""
        since_ns = die.since_ns if die.rest_ns is None else die.rest_ns
        rest = self._rests.get(die.id)
        deeds = set(self._deeds.pop(die.id, ()))
        if rest is None or rest.since_ns != since_ns:
            thrown = self._is_thrown(die, rest, since_ns, deeds, due=due)
            rest = self._rests[die.id] = _Rest(since_ns, at_ns, die.value, thrown)
        elif _rolled(deeds, due=due):  # it is told some frames after the rest that it came from a roll
            rest.thrown = True
        if not rest.thrown:
            rest.value = die.value
        elif rest.told:
            if rest.value is None and die.value is not None:  # it leaned, or was hidden, and can be read now
                self._land(die, rest, at_ns)
        elif die.value is not None or at_ns - rest.seen_ns >= UNREAD_NS:
            self._land(die, rest, at_ns)

    def _is_thrown(self, die: TrackedDie, before: _Rest | None, since_ns: int, deeds: set[Kind], *, due: bool) -> bool:
        """True when the die rolled before it came to this rest, by what is known at its first frame."""
        assert self._began_ns is not None
        if before is None:
            return since_ns - self._began_ns > FIRST_LOOK_NS and Kind.SET_BACK not in deeds
        changed = None not in (before.value, die.value) and before.value != die.value and not _CALM & deeds
        unread = before.thrown and before.value is None  # it was straightened, or can be read only now
        return unread or changed or _rolled(deeds, due=due)

    def _land(self, die: TrackedDie, rest: _Rest, at_ns: int) -> None:
        rest.value, rest.told = die.value, True
        if not self._landed:
            self._landed_ns = at_ns
        self._landed[die.id] = die


def _rolled(deeds: set[Kind], *, due: bool) -> bool:
    """True for deeds that are a roll; of a die that is to be rolled again a nudge is one too."""
    return bool(THROWN & deeds) or (due and Kind.NUDGED in deeds)
