"""Hands, arms and whatever else comes over the table: large things that were not there before."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readings import Point
from vision.tracking.ghosts import gone
from vision.tracking.glimpse import SHRINK, Glimpse, around, share, square
from vision.tracking.happenings import HandSeen
from vision.tracking.mixing import vivid
from vision.tracking.peeping import peeping

__all__ = ["BARE", "COVERED", "Hands", "HandsWatch", "Thing"]

BARE = 0.1
"""A die whose surroundings are covered by no more than this is in plain view, or its place bare."""
COVERED = 0.2
"""A die whose surroundings are covered by this much, and that is not seen, lies under a hand."""
_HALVED = 2
_SHRINK = SHRINK * _HALVED
"""A hand is large: half of the small picture is enough."""
_FOREIGN_LEVELS = 12
"""A small pixel that differs from the bare table by more than this, in any channel, shows something else."""
_SHADOW = (0.35, 0.97)
_SHADOW_HUES = 0.045
"""A shadow darkens all channels by one factor in this range, alike to within this share: on rendered tables 98 of 100
pixels of shadows are within 0.02, and those of skin on brown wood, which is the nearest, beyond 0.04."""
_GHOST_STILL_NS = 60_000_000
"""What has gone is not looked for where the picture changed more lately than this, and only once in this time."""
_STILL_LEVELS = 6.0
_SETTLES_NS = 700_000_000
"""What has not changed for so long belongs to the table: dice, cards, cups."""
_HAND_STAYS_NS = 20_000_000_000
"""And what is as large as a hand after so long."""
_FROM_OUTSIDE_DICE = 5.0
_ANYWHERE_DICE = 22.0
"""In areas of a die's face: something that reaches in over the edge of the picture, or lies anywhere, is a hand."""
_DEFAULT_SIDE_SHARE = 0.03
_REMEMBERED_NS = 2_000_000_000
_STANDS_SHARE = 0.02
"""A hand stands still over a place when no more than this part of the surroundings moves: at 15 frames a second of a
rendered table there is such a moment for 225 of 229 dice that are set down, and for 150 of 796 that are thrown to where
a hand hides them and show a value that was in that hand."""
_MOST_THINGS = 60
_MOSTLY = 0.5


@dataclass(frozen=True, slots=True)
class Thing:
    """Something foreign on the table that is too small for a hand: its middle, its size, its colour and the table's."""

    centre_px: Point
    area_px2: float
    colour_bgr: tuple[float, float, float]
    table_bgr: tuple[float, float, float]
    peeps: bool = False
    """It touches a hand in the picture, and is of the vivid colour of a die: it is no part of that hand."""


@dataclass(frozen=True, slots=True)
class Hands:
    """What covers the table in one frame.

    Attributes:
        exposure_start_ns: of the frame.
        mask: (h, w) bool, half as large as a glimpse.
        seen: the outline of each hand.
        things: what else has come over the table and moves.
        moving: where it differs from the frame before, as the glimpse says; empty when that is not known.
    """

    exposure_start_ns: int
    mask: NDArray[np.bool_]
    seen: tuple[HandSeen, ...] = ()
    things: tuple[Thing, ...] = ()
    moving: NDArray[np.bool_] = field(default_factory=lambda: np.zeros((0, 0), bool), repr=False)
    _sums: NDArray[np.int32] = field(init=False, repr=False, compare=False)
    """How much of the mask lies above and to the left of each place: any square is summed in no time."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "_sums", cv2.integral(self.mask.view(np.uint8)))

    def cover(self, centre_px: Point, radius_px: float) -> float:
        """Part (0..1) of a square around a place of the picture that is covered."""
        x0, y0, x1, y1 = square(self.mask.shape, centre_px, radius_px, _SHRINK)
        area = (x1 - x0) * (y1 - y0)
        if not area:
            return 0.0
        sums = self._sums
        return float(sums[y1, x1] - sums[y0, x1] - sums[y1, x0] + sums[y0, x0]) / area

    def stir(self, centre_px: Point, radius_px: float) -> float:
        """Part (0..1) of a square around a place of the picture that moves."""
        there = around(self.moving, centre_px, radius_px)
        return share(there) if there.size else 0.0

    def places(self, centre_px: Point, radius_px: float) -> NDArray[np.float64]:
        """The covered places in a square around a place of the picture, (n, 2) pixels."""
        x0, y0, _, _ = square(self.mask.shape, centre_px, radius_px, _SHRINK)
        rows, columns = np.nonzero(around(self.mask, centre_px, radius_px, _SHRINK))
        return np.asarray(np.column_stack([columns + x0 + 0.5, rows + y0 + 0.5]) * _SHRINK)

    @property
    def share(self) -> float:
        """Part of the picture that is covered."""
        return share(self.mask)


class HandsWatch:
    """Learns the bare table from glimpses, and finds what comes over it."""

    def __init__(self) -> None:
        self._table: NDArray[np.float32] | None = None
        self._candidate: NDArray[np.float32] | None = None
        self._since_ns: NDArray[np.int64] = np.zeros((0, 0), np.int64)
        self._judged_ns = 0
        self._small: NDArray[np.float32] = np.zeros((0, 0, 3), np.float32)
        self._stirs: NDArray[np.bool_] = np.zeros((0, 0), bool)
        self._foreign_now: NDArray[np.uint8] = np.zeros((0, 0), np.uint8)
        self._history: deque[Hands] = deque()

    def forget(self) -> None:
        """Take the next glimpse for the bare table, whatever lies on it."""
        self._table = None
        self._history.clear()

    def move(self, shift_px: Point) -> None:
        """The whole picture has moved by so many pixels while nobody could look."""
        move = np.array([[1, 0, shift_px[0] / SHRINK], [0, 1, shift_px[1] / SHRINK]])
        self._shift(move)

    def look(self, glimpse: Glimpse, side_px: float | None) -> Hands:
        """What covers the table now; `side_px` is the side of a die's face, None while none was seen."""
        height, width = glimpse.motion.shape
        size = (width // _HALVED, height // _HALVED)
        small = np.asarray(cv2.resize(glimpse.small_bgr, size, interpolation=cv2.INTER_AREA), np.float32)
        moving = cv2.resize(glimpse.motion.astype(np.uint8) * 255, size, interpolation=cv2.INTER_AREA) > 0
        self._small, self._stirs = small, np.zeros(moving.shape, bool)
        at_ns = glimpse.exposure_start_ns
        self._follow(glimpse)
        if self._table is None or self._table.shape != small.shape:
            self._table, self._candidate = small.copy(), small.copy()
            self._since_ns = np.full(small.shape[:2], at_ns, np.int64)
            hands = Hands(at_ns, np.zeros(small.shape[:2], bool))
            self._foreign_now = np.zeros(small.shape[:2], np.uint8)
        else:
            side = side_px or _DEFAULT_SIDE_SHARE * small.shape[1] * _SHRINK
            face_area = (side / _SHRINK) ** 2
            foreign = self._foreign(small)
            hands = _found(foreign, face_area, at_ns)
            self._watch(small, moving, at_ns)
            if hands.seen and self._without_ghosts(small, moving, hands, face_area):
                foreign = self._foreign(small)
                hands = _found(foreign, face_area, at_ns)
            self._stirs, self._foreign_now = moving & (foreign > 0), foreign
            hands = replace(hands, things=self._things(small, foreign, moving & ~hands.mask), moving=glimpse.motion)
            self._learn(small, hands.mask, at_ns)
        self._history.append(hands)
        while at_ns - self._history[0].exposure_start_ns > _REMEMBERED_NS:
            self._history.popleft()
        return hands

    def _follow(self, glimpse: Glimpse) -> None:
        """The table as it looks in the brightness and from the place of this frame."""
        if self._table is None or self._candidate is None:
            return
        if glimpse.gain_bgr != (1.0, 1.0, 1.0):
            gain = np.array(glimpse.gain_bgr, np.float32)
            self._table *= gain
            self._candidate *= gain
        if glimpse.move is not None:
            self._shift(glimpse.move)

    def _shift(self, move: NDArray[np.float64]) -> None:
        """`move` (2, 3) leads from small pixels to small pixels, as in a Glimpse."""
        if self._table is None or self._candidate is None:
            return
        height, width = self._table.shape[:2]
        self._table, self._candidate = (
            np.asarray(
                cv2.warpAffine(each, move * [1, 1, 1 / _HALVED], (width, height), borderMode=cv2.BORDER_REPLICATE),
                np.float32,
            )
            for each in (self._table, self._candidate)
        )

    def most_cover(self, centre_px: Point, radius_px: float, since_ns: int, until_ns: int | None = None) -> float:
        """The largest part (0..1) of a place that was covered in any frame of a time, as far as is remembered.

        The time is from `since_ns` up to but without `until_ns`, or up to now.
        """
        lately = (
            hands
            for hands in self._history
            if since_ns <= hands.exposure_start_ns and (until_ns is None or hands.exposure_start_ns < until_ns)
        )
        return max((hands.cover(centre_px, radius_px) for hands in lately), default=0.0)

    def stood_ns(self, centre_px: Point, radius_px: float, around_px: float, since_ns: int, until_ns: int) -> int:
        """For how long at most a hand may have stood still over a place; 0 when no two frames show it.

        It is over the place while most of a square of `radius_px` is covered, and stands still while nothing moves
        within one of `around_px`, in frames after `since_ns` and up to `until_ns`. From the last frame before those
        that show it until the first one after them it may have stood.
        """
        times = [each.exposure_start_ns for each in self._history]
        most_ns, first = 0, None
        for number, hands in enumerate(self._history):
            if number == 0 or not since_ns < times[number] <= until_ns:
                continue
            if hands.cover(centre_px, radius_px) >= _MOSTLY and hands.stir(centre_px, around_px) <= _STANDS_SHARE:
                first = number if first is None else first
                before, after = max(0, first - 2), min(len(times) - 1, number + 1)
                most_ns = max(most_ns, times[after] - times[before])
            else:
                first = None
        return most_ns

    def unchanged_since_ns(self, centre_px: Point, radius_px: float) -> int | None:
        """Since which frame a square around a place of the picture has looked as it does; None when nobody knows."""
        since_ns = around(self._since_ns, centre_px, radius_px, _SHRINK)
        return int(since_ns.max()) if since_ns.size else None

    def still_things(self, still_ns: int, but: Iterable[tuple[Point, float]]) -> list[Thing]:
        """What is foreign, no hand, and has not changed for so long; but for circles `but` (middle, radius)."""
        if self._table is None or not self._history:
            return []
        hands = self._history[-1]
        still = ~hands.mask & (hands.exposure_start_ns - self._since_ns >= still_ns)
        free = still.view(np.uint8)
        for (x, y), radius_px in but:
            cv2.circle(free, (round(x / _SHRINK - 0.5), round(y / _SHRINK - 0.5)), round(radius_px / _SHRINK), 0, -1)
        return list(self._things(self._small, self._foreign_now, free.view(bool)))

    def table_around(self, centre_px: Point, radius_px: float) -> tuple[float, float, float]:
        """The median colour, BGR, of the table in a square around a place of the picture."""
        assert self._table is not None
        return _three(np.median(around(self._table, centre_px, radius_px, _SHRINK).reshape(-1, 3), axis=0))

    def colour_at(self, centre_px: Point, radius_px: float) -> tuple[float, float, float] | None:
        """The mean colour, BGR, of a square around a place in the frame that was looked at last; None outside of it."""
        there = around(self._small, centre_px, radius_px, _SHRINK)
        return _three(there.mean(axis=(0, 1))) if there.size else None

    def peeping(self, hands: Hands, colours_bgr: Iterable[Sequence[float]], side_px: float) -> list[Thing]:
        """What is of the colour of a die at the rim of `hands`, those of the frame that was looked at last."""
        if self._table is None or not hands.seen:
            return []
        now, table, rim, side = self._small, self._table, hands.mask & self._stirs, side_px / _SHRINK
        found = peeping(now, table, rim, hands.mask, list(colours_bgr), side)
        return [replace(thing, peeps=vivid(colour)) for colour, body in found for thing in self._things(now, body, rim)]

    def at(self, at_ns: int) -> Hands | None:
        """What covered the table in the first frame from `at_ns` on; None when that is not remembered."""
        return next((hands for hands in self._history if hands.exposure_start_ns >= at_ns), None)

    def _foreign(self, now: NDArray[np.float32]) -> NDArray[np.uint8]:
        """255 where something else than the table, or its shadow, is seen."""
        assert self._table is not None
        foreign = np.asarray((_largest(cv2.absdiff(now, self._table)) > _FOREIGN_LEVELS).view(np.uint8) * 255, np.uint8)
        if foreign.any():
            ratio = (now + 2) / (self._table + 2)
            low, high = -_largest(-ratio), _largest(ratio)
            shadow = (low > _SHADOW[0]) & (high < _SHADOW[1]) & (high - low < _SHADOW_HUES)
            foreign[shadow] = 0
        return foreign

    def _things(
        self, now: NDArray[np.float32], foreign: NDArray[np.uint8], where: NDArray[np.bool_]
    ) -> tuple[Thing, ...]:
        """What is foreign there."""
        assert self._table is not None
        foreign = foreign * where.view(np.uint8)
        if not foreign.any():
            return ()
        count, labels, stats, middles = cv2.connectedComponentsWithStats(foreign, connectivity=8)
        things = []
        for label in range(1, min(count, _MOST_THINGS)):
            x, y, wide, high, area = (int(v) for v in stats[label])
            box = (slice(y, y + high), slice(x, x + wide))
            body = (labels[box] == label).view(np.uint8)
            colour, table = (cv2.mean(picture[box], body)[:3] for picture in (now, self._table))
            middle = (float(middles[label][0]) + 0.5, float(middles[label][1]) + 0.5)
            centre_px = (middle[0] * _SHRINK, middle[1] * _SHRINK)
            things.append(Thing(centre_px, area * float(_SHRINK**2), _three(colour), _three(table)))
        return tuple(things)

    def _without_ghosts(
        self, now: NDArray[np.float32], moving: NDArray[np.bool_], hands: Hands, face_area: float
    ) -> bool:
        """Learn the table anew where something has gone that was learned with it; whether there is such a place."""
        assert self._table is not None
        at_ns = hands.exposure_start_ns
        lasts = hands.mask & (at_ns - self._since_ns >= _GHOST_STILL_NS)
        if at_ns - self._judged_ns < _GHOST_STILL_NS or not lasts.any():
            return False
        self._judged_ns = at_ns
        body = gone(now, self._table, hands.mask, lasts, moving, face_area)
        if not body.any():
            return False
        self._table[body] = now[body]
        return True

    def _watch(self, now: NDArray[np.float32], moving: NDArray[np.bool_], at_ns: int) -> None:
        """Keep in mind since when each place has looked as it does."""
        assert self._candidate is not None
        changed = moving | (_largest(cv2.absdiff(now, self._candidate)) > 2 * _STILL_LEVELS)
        cv2.copyTo(now, changed.view(np.uint8), self._candidate)
        self._since_ns[changed] = at_ns

    def _learn(self, now: NDArray[np.float32], covered: NDArray[np.bool_], at_ns: int) -> None:
        """What stays as it is becomes the table."""
        assert self._table is not None
        ripe = at_ns - self._since_ns > np.where(covered, _HAND_STAYS_NS, _SETTLES_NS)
        fresh = ripe & (_largest(cv2.absdiff(now, self._table)) > _FOREIGN_LEVELS / 2)
        cv2.accumulateWeighted(now, self._table, 0.2, mask=ripe.view(np.uint8))
        cv2.copyTo(now, fresh.view(np.uint8), self._table)


def _largest(levels: Any) -> NDArray[np.float32]:
    """The largest of three channels: (h, w, 3) to (h, w)."""
    return np.asarray(cv2.max(cv2.max(levels[:, :, 0], levels[:, :, 1]), levels[:, :, 2]))


def _three(colour: Any) -> tuple[float, float, float]:
    blue, green, red = colour
    return float(blue), float(green), float(red)


def _found(foreign: NDArray[np.uint8], face_area: float, at_ns: int) -> Hands:
    """Foreign things that are too large, or come from too far, for dice."""
    hands = np.zeros(foreign.shape, np.uint8)
    if not foreign.any():
        return Hands(at_ns, hands.astype(bool))
    mask = cv2.morphologyEx(foreign, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    height, width = mask.shape
    seen = []
    for contour in contours:
        area = cv2.contourArea(contour)
        if area < _FROM_OUTSIDE_DICE * face_area:
            continue
        x, y, wide, high = cv2.boundingRect(contour)
        edges = {
            "left": x <= 1, "top": y <= 1, "right": x + wide >= width - 1, "bottom": y + high >= height - 1,
        }  # fmt: skip
        reaches_in = any(edges.values())
        if not reaches_in and area < _ANYWHERE_DICE * face_area:
            continue
        body = np.zeros(foreign.shape, np.uint8)
        cv2.drawContours(body, [contour], -1, 1, cv2.FILLED)
        hands |= body
        seen.append(HandSeen(_points(contour[:, 0, :]), _side(body, edges) if reaches_in else None))
    # Skin like the table in shade leaves holes and bays: what lies between parts of a hand is hand.
    gap = max(3, int(1.2 * face_area**0.5) | 1)
    closed = cv2.morphologyEx(hands, cv2.MORPH_CLOSE, np.ones((gap, gap), np.uint8))
    return Hands(at_ns, closed.astype(bool), tuple(seen))


def _side(body: NDArray[np.uint8], edges: dict[str, bool]) -> str:
    """The side of the picture along which most of a thing lies."""
    along = {"left": body[:, :2], "top": body[:2], "right": body[:, -2:], "bottom": body[-2:]}
    return max((name for name, there in edges.items() if there), key=lambda name: int(along[name].sum()))


def _points(outline: NDArray[Any]) -> tuple[Point, ...]:
    return tuple(map(tuple, ((outline + 0.5) * _SHRINK).tolist()))
