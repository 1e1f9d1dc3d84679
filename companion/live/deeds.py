"""What happened to dice, judged together: which deeds of one hand belong together, and which may be no deed at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from vision.readings import Point
from vision.tracking.happenings import HandSeen, Happening, Kind, TrackedDie, Watched

__all__ = ["TOGETHER_NS", "hands_at", "is_set_back", "with_doubts"]

TOGETHER_NS: Final = 450_000_000
"""Dice of one seat that come to rest within this time came out of one hand."""
NEAR_SIDES: Final = 1.0
"""A hand that has just set a die down is still this near to it."""
MOST_SET_BACK: Final = 3
"""Nobody sets down more dice at once; more of them that seem so were thrown in a heap."""


def hands_at(hands: Sequence[HandSeen], point_px: Point, reach_px: float) -> int:
    """How many hands lie over a place, or no further from it than this."""
    count = 0
    for hand in hands:
        outline = np.array(hand.outline_px, np.float32).reshape(-1, 1, 2)
        count += len(outline) >= 3 and cv2.pointPolygonTest(outline, point_px, True) >= -reach_px
    return count


def with_doubts(watched: Watched) -> tuple[Happening, ...]:
    """The happenings of a frame; a die that seems set back, where no hand is any more, may as well have been rolled."""
    dice = {die.id: die for die in watched.dice}
    return tuple(_doubted(each, dice.get(each.die), watched.hands) for each in watched.happenings)


def _doubted(each: Happening, die: TrackedDie | None, hands: Sequence[HandSeen]) -> Happening:
    if each.kind is not Kind.SET_BACK or die is None:
        return each
    near = hands_at(hands, die.centre_px, NEAR_SIDES * die.side_px) > 0
    return each if near else replace(each, kind=Kind.ROLLED)


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
