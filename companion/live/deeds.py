"""What happened to dice, judged together: which deeds of one hand belong together, and which may be no deed at all."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from vision.readings import Point
from vision.tracking.happenings import HandSeen, Happening, Kind, TrackedDie, Watched

__all__ = ["TOGETHER_NS", "Doubts", "hands_at", "is_set_back"]

TOGETHER_NS: Final = 450_000_000
"""Dice of one seat that come to rest within this time came out of one hand."""
NEAR_SIDES: Final = 0.4
"""A hand that sets a die down is over it when it comes to rest, or misses it by no more than this."""
REMEMBERED_NS: Final = 1_500_000_000
MOST_SET_BACK: Final = 3
"""Nobody sets down more dice at once; more of them that seem so were thrown in a heap."""


def hands_at(hands: Sequence[HandSeen], point_px: Point, reach_px: float) -> int:
    """How many hands lie over a place, or no further from it than this."""
    count = 0
    for hand in hands:
        outline = np.array(hand.outline_px, np.float32).reshape(-1, 1, 2)
        count += len(outline) >= 3 and cv2.pointPolygonTest(outline, point_px, True) >= -reach_px
    return count


class Doubts:
    """Remembers the hands of the last moments, to ask whether a die that seems set back was still under one at rest."""

    def __init__(self) -> None:
        self._hands: deque[tuple[int, Sequence[HandSeen]]] = deque()

    def happenings(self, watched: Watched, at_ns: int) -> tuple[Happening, ...]:
        """The happenings of a frame; a die whose rest began with no hand over it may as well have rolled, and has."""
        self._hands.append((at_ns, watched.hands))
        while at_ns - self._hands[0][0] > REMEMBERED_NS:
            self._hands.popleft()
        dice = {die.id: die for die in watched.dice}
        return tuple(self._doubted(each, dice.get(each.die)) for each in watched.happenings)

    def _doubted(self, each: Happening, die: TrackedDie | None) -> Happening:
        if each.kind is not Kind.SET_BACK or die is None:
            return each
        then = next((hands for at_ns, hands in self._hands if at_ns >= each.ended_ns), ())
        under = hands_at(then, die.centre_px, NEAR_SIDES * die.side_px) > 0
        return each if under else replace(each, kind=Kind.ROLLED)


def is_set_back(deed: Happening, deeds: Iterable[Happening]) -> bool:
    """Whether a die was surely set back; `deeds` are all of its seat, itself among them.

    Dice that come out of a hand together are thrown together: when one of them rolled, all did. Several at once count
    as set back only when none shows another face, for chance seldom brings that.
    """
    if deed.kind is not Kind.SET_BACK:
        return False
    together = [each for each in deeds if abs(each.ended_ns - deed.ended_ns) <= TOGETHER_NS]
    if any(each.kind in (Kind.ROLLED, Kind.DROPPED) for each in together):
        return False
    back = [each for each in together if each.kind is Kind.SET_BACK]
    if len(back) > MOST_SET_BACK or deed.value is None:
        return False
    return len(back) == 1 or all(each.value == each.before for each in back)
