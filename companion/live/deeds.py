"""What happened to dice, judged together: which deeds of one hand belong together, and which may be no deed at all."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from vision.readings import Point
from vision.tracking.happenings import DieState, HandSeen, Happening, Kind, TrackedDie, Watched

__all__ = ["TOGETHER_NS", "Doubts", "hands_at", "is_dropped", "is_set_back"]

TOGETHER_NS: Final = 450_000_000
"""Dice of one seat that come to rest within this time came out of one hand."""
NEAR_SIDES: Final = 0.4
"""A hand that sets a die down is over it when it comes to rest, or misses it by no more than this."""
ON_ITS_WAY_NS: Final = 250_000_000
CAME_NS: Final = 200_000_000
LINGERS_SIDES: Final = 1.5
"""A hand this near to where it met a die, so long before, had not come for it."""
SEEN_LATE_NS: Final = 800_000_000
REMEMBERED_NS: Final = 2_500_000_000
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
    """Remembers the last moments, to ask what else may have been what the tracker took for a breach."""

    def __init__(self) -> None:
        self._frames: deque[tuple[int, Watched]] = deque()

    def happenings(self, watched: Watched, at_ns: int) -> tuple[Happening, ...]:
        """The happenings of a frame, without those that are in doubt.

        A die that seems set back was rolled when it was seen on its way, or came to rest with no hand over it. One that
        a hand seems to have met was not touched when that hand was there all along: it had thrown it.
        """
        self._frames.append((at_ns, watched))
        while at_ns - self._frames[0][0] > REMEMBERED_NS:
            self._frames.popleft()
        dice = {die.id: die for die in watched.dice}
        found = []
        for each in watched.happenings:
            die = dice.get(each.die)
            if die is not None and each.kind is Kind.SET_BACK and not self._set_down(each, die):
                found.append(replace(each, kind=Kind.ROLLED))
            elif die is None or each.kind is not Kind.TOUCHED or self._hand_came(each, die):
                found.append(each)
        return tuple(found)

    def _set_down(self, each: Happening, die: TrackedDie) -> bool:
        """It was first seen at rest, and a hand was over it then."""
        for at_ns, watched in self._frames:
            if at_ns < each.ended_ns:
                if at_ns >= each.ended_ns - ON_ITS_WAY_NS and _on_its_way(each.die, watched):
                    return False
                continue
            return hands_at(watched.hands, die.centre_px, NEAR_SIDES * die.side_px) > 0
        return False

    def _hand_came(self, each: Happening, die: TrackedDie) -> bool:
        """No hand was where they met a moment before."""
        where = each.to_px or die.centre_px
        before = [watched for at_ns, watched in self._frames if 0 < each.began_ns - at_ns <= CAME_NS]
        return not any(hands_at(watched.hands, where, LINGERS_SIDES * die.side_px) for watched in before[:1])


def _on_its_way(track: int, watched: Watched) -> bool:
    return any(die.id == track and die.seen and die.state is DieState.ROLLING for die in watched.dice)


def is_set_back(deed: Happening, deeds: Iterable[Happening]) -> bool:
    """Whether a die was surely set back; `deeds` are all of its seat, itself among them.

    Dice that come out of a hand together are thrown together: when one of them rolled, all did. Several at once count
    as set back only when none shows another face, for chance seldom brings that.
    """
    if deed.kind is not Kind.SET_BACK:
        return False
    together = [each for each in deeds if abs(each.ended_ns - deed.ended_ns) <= TOGETHER_NS]
    if any(each.kind is Kind.ROLLED for each in together):
        return False
    back = [each for each in together if each.kind is Kind.SET_BACK]
    if len(back) > MOST_SET_BACK or deed.value is None:
        return False
    return len(back) == 1 or all(each.value == each.before for each in back)


def is_dropped(deed: Happening, deeds: Iterable[Happening]) -> bool:
    """Whether a die seems dropped; not when others of its hand only rolled, or when it was seen late and badly.

    `deeds` are all of its seat, itself among them; to be dropped is told beside to have rolled.
    """
    if deed.kind is not Kind.DROPPED or deed.value is None or deed.told_ns - deed.ended_ns > SEEN_LATE_NS:
        return False
    together = [each for each in deeds if abs(each.ended_ns - deed.ended_ns) <= TOGETHER_NS]
    dropped = {each.die for each in together if each.kind is Kind.DROPPED}
    return all(each.die in dropped for each in together if each.kind is Kind.ROLLED)
