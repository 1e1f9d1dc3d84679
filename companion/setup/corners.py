"""The corners of a table without markers: a die is laid on each of them, one after another."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist
from typing import Final

from companion.setup.framing import Advice
from vision.errors import GeometryError
from vision.geometry import TableGeometry
from vision.readings import Point

__all__ = ["CORNER_NAMES", "CornersByDie"]

CORNER_NAMES: Final = ("far-left", "far-right", "near-right", "near-left")
STILL_S: Final = 1.0
STILL_PX: Final = 3.0
APART_SHARE: Final = 0.06
"""Of the picture's width: a corner nearer to the one before is the same die, not moved yet."""
REPEAT_S: Final = 8.0


class CornersByDie:
    """Asks for a die on each corner, clockwise from the far left; give it where dice lie in every frame.

    Attributes:
        corners: the four, in px, when all are shown; None before.
    """

    def __init__(self) -> None:
        self.corners: tuple[Point, Point, Point, Point] | None = None
        self._shown: list[Point] = []
        self._still: tuple[Point, float] | None = None
        self._told_s: float | None = None

    @property
    def request(self) -> Advice:
        """What is asked for now."""
        return Advice("setup.corners.ask", (("where", CORNER_NAMES[min(len(self._shown), 3)]),))

    def look(self, dice_px: Sequence[Point], size_wh: tuple[int, int], now_s: float) -> list[Advice]:
        """Take in the centres of the dice of one frame; what is to be told now."""
        if self.corners is not None:
            return []
        if self._told_s is None:
            self._told_s = now_s
        apart_px = APART_SHARE * size_wh[0]
        if len(dice_px) != 1 or any(dist(dice_px[0], each) < apart_px for each in self._shown):
            self._still = None
            if len(dice_px) > 1 and now_s - self._told_s >= REPEAT_S:
                self._told_s = now_s
                return [Advice("setup.corners.one-die", (("count", len(dice_px)),))]
            return self._again(now_s)
        place = dice_px[0]
        if self._still is None or dist(place, self._still[0]) > STILL_PX:
            self._still = (place, now_s)
            return []
        if now_s - self._still[1] < STILL_S:
            return []
        self._shown.append(place)
        self._still, self._told_s = None, now_s
        if len(self._shown) < 4:
            return [self.request]
        return [self._finished(size_wh)]

    def _again(self, now_s: float) -> list[Advice]:
        if self._told_s is not None and now_s - self._told_s >= REPEAT_S:
            self._told_s = now_s
            return [self.request]
        return []

    def _finished(self, size_wh: tuple[int, int]) -> Advice:
        a, b, c, d = self._shown
        try:
            TableGeometry((float(size_wh[0]), float(size_wh[1])), (a, b, c, d))
        except GeometryError:
            self._shown = []
            return Advice("setup.corners.crossed")
        self.corners = (a, b, c, d)
        return Advice("setup.corners.good")
