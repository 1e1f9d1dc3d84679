"""Dice without pips on a table of pip dice: foreign objects, whatever their colour, for people to take away."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from companion.live.interpreter import Notice
from companion.live.places import LYING
from vision.readings import Point, Unreadable
from vision.tracking.happenings import DieState, TrackedDie

__all__ = ["OtherDice"]


class OtherDice:
    """Tells dice without pips from those of the seats, from frame to frame.

    A die that came to rest without pips is nobody's, and stays so while it moves, until pips are read on it. One whose
    pips were read and that has not moved since is still its seat's: something lies on it or has taken its place.
    """

    def __init__(self) -> None:
        self._strange: set[int] = set()
        self._read: set[int] = set()

    def follow(self, tracks: Iterable[TrackedDie]) -> None:
        """Take in every die that is tracked now."""
        known = set()
        for die in tracks:
            known.add(die.id)
            if die.state not in LYING:
                self._read.discard(die.id)
            elif die.value is not None:
                self._read.add(die.id)
                self._strange.discard(die.id)
            elif die.reason is Unreadable.NOT_A_PIP_DIE and die.id not in self._read:
                self._strange.add(die.id)
        self._strange &= known
        self._read &= known

    def holds(self, die: TrackedDie) -> bool:
        """Whether this die is a foreign object, to be counted for no seat."""
        return die.id in self._strange

    @staticmethod
    def notices(tracks: Iterable[TrackedDie], seat_at: Callable[[Point | None], int | None]) -> list[Notice]:
        """What people should do about the dice without pips that lie still: one notice for each part of the table.

        `seat_at` gives the player in front of whom a place in mm (None when unknown) is, None for nobody.
        """
        colours: dict[int | None, list[str]] = {}
        for die in tracks:
            if die.state is DieState.SETTLED and die.reason is Unreadable.NOT_A_PIP_DIE:
                colours.setdefault(seat_at(die.position_mm), []).append(die.colour)
        return [_notice(seat, colours[seat]) for seat in sorted(colours, key=lambda seat: (seat is None, seat or 0))]


def _notice(seat: int | None, colours: list[str]) -> Notice:
    count, named = len(colours), tuple(sorted(set(colours)))
    what = f"A die ({named[0]}) has" if count == 1 else f"{count} dice ({', '.join(named)}) have"
    text = f"{what} no pips and cannot be read: take it off the table, or use dice with pips."
    if seat is None:
        return Notice("notice.no-pips", (("count", count), ("colours", named)), text)
    return Notice("notice.no-pips-of-seat", (("seat", seat), ("count", count), ("colours", named)), text)
