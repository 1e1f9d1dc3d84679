"""The picture in small: where it moves from one frame to the next, cheap enough for every frame.

Two things that happen to a whole picture are taken out first: a camera that makes it brighter or darker by itself, and
one that is held in a hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images import Image
from vision.pyramid import Pyramid
from vision.readings import Point

__all__ = [
    "SHRINK",
    "Glimpse",
    "Glimpses",
    "around",
    "left_when_moved",
    "share",
    "shift_between",
    "square",
    "standing_share",
]

_HALVINGS = 2
SHRINK = 2**_HALVINGS
"""Pixels of the picture for one of its small copy, each way."""
_LEAST_LEVELS = 6.0
_NOISES = 6.0
"""A small pixel moves when it differs by more than this many standard deviations of the noise."""
_NOISE_MEMORY = 0.9
_NOISY = 0.3
"""A camera with this noise never takes the same picture twice."""
_CELLS = 32
_LEAST_GAIN, _MOST_GAIN = 0.004, 0.12
"""A camera's own control changes the brightness by less than this from one frame to the next, everywhere alike."""
_ALIKE = 0.02
_DRIFT_SHARE = 0.02
_DRIFT_SPREAD = 0.35
"""Where less of the picture has something that moves, hands and dice move; a camera that moves shows it all over."""
_CORNERS, _LEAST_CORNERS = 80, 12
_AGREEING = 0.6
_LEAST_DRIFT, _MOST_DRIFT = 0.08, 2.5
"""In small pixels. Less is noise, more in one frame is a camera that was knocked."""
_STANDS_SHARE, _STANDS = 0.25, 0.04
"""Where this share of the corners moves by no more, the camera stands, however much moves before it: of a camera on a
stand they move by 0.01 small pixels at most, even with six people's hands over the table, of three real ones in a hand
by 0.07 at least."""
_DRIFT_LEFT = 0.75
"""When the picture moves as a whole, at most this part of the motion is left after it was moved back."""


@dataclass(frozen=True, slots=True)
class Glimpse:
    """One frame in small. Arrays are (h, w) or (h, w, 3) BGR, `SHRINK` times smaller than the picture.

    Attributes:
        small_bgr: the small picture, uint8.
        motion: True where it differs from the frame before; all False in the first.
        exposure_start_ns: of the frame.
        noise_levels: standard deviation of a small pixel between two frames of a still picture.
        repeated: it is the very picture of the frame before, though this camera has noise: it shows nothing new.
        gain_bgr: by how much the camera made everything brighter than in the frame before.
        move: how the whole picture lies elsewhere than in the frame before, (2, 3) from small pixels there to small
            pixels here; None when it lies where it lay.
    """

    small_bgr: NDArray[np.uint8]
    motion: NDArray[np.bool_]
    exposure_start_ns: int
    noise_levels: float
    repeated: bool = False
    gain_bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)
    move: NDArray[np.float64] | None = None

    @property
    def motion_share(self) -> float:
        """Part of the picture (0..1) that moves."""
        return share(self.motion)

    @property
    def drift_px(self) -> float:
        """By how many pixels of the picture its middle lies elsewhere than in the frame before."""
        if self.move is None:
            return 0.0
        height, width = self.motion.shape
        x, y = self.move @ (width / 2, height / 2, 1.0)
        return float(SHRINK * np.hypot(x - width / 2, y - height / 2))

    def moved(self, place_px: Point) -> Point:
        """Where a place of the frame before lies in this one."""
        if self.move is None:
            return place_px
        x, y = self.move @ (place_px[0] / SHRINK, place_px[1] / SHRINK, 1.0)
        return (float(x) * SHRINK, float(y) * SHRINK)

    def moves_around(self, centre_px: Point, radius_px: float) -> bool:
        """True when something moves within a square of `radius_px` around a place of the picture."""
        return bool(np.count_nonzero(around(self.motion, centre_px, radius_px)))


class Glimpses:
    """Makes glimpses of the frames of one camera; knows the frame before."""

    def __init__(self) -> None:
        self._before: NDArray[np.uint8] | None = None
        self._cells_before: NDArray[np.float32] = np.zeros((0, 3), np.float32)
        self._noise_levels = 0.0

    def look(self, image: Image | Pyramid, exposure_start_ns: int) -> Glimpse:
        """The glimpse of a (H, W, 3) BGR uint8 image."""
        small = Pyramid.of(image).colour(_HALVINGS)
        before, self._before = self._before, small
        cells_before, self._cells_before = self._cells_before, _cells(small)
        still = np.zeros(small.shape[:2], bool)
        if before is None or before.shape != small.shape:
            return Glimpse(small, still, exposure_start_ns, self._noise_levels)
        if self._noise_levels > _NOISY and np.array_equal(before, small):
            return Glimpse(small, still, exposure_start_ns, self._noise_levels, repeated=True)
        gain_bgr = _gain(cells_before, self._cells_before)
        if gain_bgr != (1.0, 1.0, 1.0):
            before = np.asarray(cv2.convertScaleAbs(before * np.array(gain_bgr, np.float32)), np.uint8)
        gap = _largest(cv2.absdiff(small, before))
        # The median is that of the still part of the picture unless half of it moves; 1.1 makes it a deviation
        # of the largest of three channels (measured on normal noise).
        noise = min(4.0, float(np.median(gap[::4, ::4])) / 1.1)
        limit = max(_LEAST_LEVELS, _NOISES * self._noise_levels)
        motion = np.asarray(gap > limit)
        move = None
        if share(motion) > _DRIFT_SHARE and _spread(motion) > _DRIFT_SPREAD:
            move, motion = _without_drift(before, small, motion, limit)
        if move is None:
            self._noise_levels = _NOISE_MEMORY * self._noise_levels + (1 - _NOISE_MEMORY) * noise
        return Glimpse(small, motion, exposure_start_ns, self._noise_levels, gain_bgr=gain_bgr, move=move)


def share(mask: NDArray[np.bool_]) -> float:
    """Part (0..1) of a mask that is True; its mean takes ten times as long."""
    return np.count_nonzero(mask) / mask.size


def around(mask: NDArray[Any], centre_px: Point, radius_px: float, shrink: int = SHRINK) -> NDArray[Any]:
    """The part of an array, `shrink` times smaller than the picture, within a square of `radius_px` around a place.

    Empty where that lies outside of the picture.
    """
    x0, y0, x1, y1 = square(mask.shape, centre_px, radius_px, shrink)
    return mask[y0:y1, x0:x1]


def square(shape: tuple[int, ...], centre_px: Point, radius_px: float, shrink: int) -> tuple[int, int, int, int]:
    """The part (x0, y0, x1, y1) of an array of such a shape that `around` gives; nothing where x0 = x1 or y0 = y1."""
    x, y = centre_px
    x0, x1 = _within(shape[1], (x - radius_px) / shrink, (x + radius_px) / shrink)
    y0, y1 = _within(shape[0], (y - radius_px) / shrink, (y + radius_px) / shrink)
    return x0, y0, x1, y1


def _within(size: int, low: float, high: float) -> tuple[int, int]:
    """The stretch of `size` places that holds all from `low` to `high`; asked too often for calls of min and max."""
    first, end = int(low), int(high) + 1
    first = 0 if first < 0 else size if first > size else first
    return first, first if end < first else size if end > size else end


def shift_between(before_bgr: NDArray[np.uint8], now_bgr: NDArray[np.uint8]) -> tuple[Point, float]:
    """By how many of its pixels a small picture (h, w, 3) has moved, and how sure that is (0..1)."""
    a, b = (cv2.cvtColor(each, cv2.COLOR_BGR2GRAY).astype(np.float32) for each in (before_bgr, now_bgr))
    window: NDArray[Any] = cv2.createHanningWindow((a.shape[1], a.shape[0]), cv2.CV_32F)
    (dx, dy), sure = cv2.phaseCorrelate(a, b, window)
    return (float(dx), float(dy)), float(sure)


def _cells(small: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The mean colours of the cells of a small picture, (n, 3) BGR."""
    cells = cv2.resize(small, (_CELLS, _CELLS), interpolation=cv2.INTER_AREA)
    return np.asarray(cells.reshape(-1, 3), np.float32)


def _gain(a: NDArray[np.float32], b: NDArray[np.float32]) -> tuple[float, float, float]:
    """By how much most cells of the picture have become brighter, all by the same; 1 when they do not agree."""
    fair = ((a > 12) & (a < 240) & (b < 248)).all(axis=1)
    if fair.mean() < 0.3:
        return (1.0, 1.0, 1.0)
    ratio = b[fair] / a[fair]
    gain = np.median(ratio, axis=0)
    alike = (np.abs(ratio / gain - 1) < _ALIKE).all(axis=1).mean()
    most = float(np.abs(gain - 1).max())
    if alike < 0.5 or not _LEAST_GAIN <= most <= _MOST_GAIN:
        return (1.0, 1.0, 1.0)
    blue, green, red = (float(each) for each in gain)
    return (blue, green, red)


def _without_drift(
    before: NDArray[np.uint8], now: NDArray[np.uint8], motion: NDArray[np.bool_], limit: float
) -> tuple[NDArray[np.float64] | None, NDArray[np.bool_]]:
    """The move of the whole picture and what moves besides; no move when that explains too little."""
    move = _move(before, now)
    if move is None:
        return None, motion
    left = left_when_moved(before, now, move, limit)
    if share(left) > _DRIFT_LEFT * share(motion):
        return None, motion
    return move, left


def _move(before: NDArray[np.uint8], now: NDArray[np.uint8]) -> NDArray[np.float64] | None:
    """The small move, turn included, that most corners of the picture agree upon; hands and dice go their own ways."""
    corners, found = _corners(before, now)
    if len(corners) < _LEAST_CORNERS or np.quantile(np.hypot(*(found - corners).T), _STANDS_SHARE) <= _STANDS:
        return None
    move, agree = cv2.estimateAffinePartial2D(corners, found, ransacReprojThreshold=0.35)
    if move is None or agree.mean() < _AGREEING:
        return None
    height, width = now.shape[:2]
    way = np.abs(move @ (width / 2, height / 2, 1.0) - (width / 2, height / 2)).max()
    return np.asarray(move, np.float64) if _LEAST_DRIFT <= way <= _MOST_DRIFT else None


def standing_share(before_bgr: NDArray[np.uint8], now_bgr: NDArray[np.uint8]) -> float:
    """Which part (0..1) of the corners seen in two small pictures (h, w, 3) stands still; 0 where few are seen."""
    corners, found = _corners(before_bgr, now_bgr)
    if len(corners) < _LEAST_CORNERS:
        return 0.0
    return float((np.hypot(*(found - corners).T) <= _STANDS).mean())


def _corners(before_bgr: NDArray[np.uint8], now_bgr: NDArray[np.uint8]) -> tuple[NDArray[np.float32], ...]:
    """Corners of one small picture, (n, 2), and where they are in another."""
    before, now = (cv2.cvtColor(each, cv2.COLOR_BGR2GRAY) for each in (before_bgr, now_bgr))
    corners = cv2.goodFeaturesToTrack(before, _CORNERS, 0.01, 6)
    if corners is None:
        return np.zeros((0, 2), np.float32), np.zeros((0, 2), np.float32)
    found, status, _ = cv2.calcOpticalFlowPyrLK(
        before, now, corners, np.empty_like(corners), winSize=(11, 11), maxLevel=1
    )
    kept = status.ravel() == 1
    return corners[kept, 0], found[kept, 0]


def left_when_moved(
    before: NDArray[np.uint8], now: NDArray[np.uint8], move: NDArray[np.float64], limit: float
) -> NDArray[np.bool_]:
    """Where two small pictures (h, w, 3) differ by more than `limit` levels when the first is moved, (2, 3).

    Within a small pixel of the place: a move is never known exactly.
    """
    moved = cv2.warpAffine(before, move, (now.shape[1], now.shape[0]), borderMode=cv2.BORDER_REPLICATE)
    kernel = np.ones((3, 3), np.uint8)
    over = cv2.subtract(now, cv2.dilate(moved, kernel))
    under = cv2.subtract(cv2.erode(moved, kernel), now)
    return np.asarray(_largest(cv2.max(over, under)) > limit)


def _spread(motion: NDArray[np.bool_]) -> float:
    """Part (0..1) of the parts of a picture, 8 by 6, in which something moves."""
    parts = cv2.resize(motion.astype(np.uint8) * 255, (8, 6), interpolation=cv2.INTER_AREA)
    return float((np.asarray(parts) > 1).mean())


def _largest(levels: Any) -> NDArray[np.uint8]:
    blue, green, red = cv2.split(levels)
    return np.asarray(cv2.max(cv2.max(blue, green), red))
