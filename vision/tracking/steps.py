"""Whether frames can be trusted: a camera that was moved, a lamp that was switched, frames that are missing or late."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readings import Point
from vision.tracking.glimpse import SHRINK, Glimpse, left_when_moved, shift_between, standing_share
from vision.tracking.happenings import OutOfStep, Trouble

__all__ = ["Return", "StepWatch"]

_MS = 1_000_000
_EVERYWHERE = 0.22
"""When so much of the picture differs from the frame before, no hand or die did it."""
_LIGHT_LEFT = 0.25
"""Of that, so much is left when the two are brought to the same light: it was the light."""
_MOVE_LEFT = 0.6
"""And so much, at most, when the picture was moved back, by the shift of a knock that may turn it as well."""
_STANDING = 0.1
"""Nor did the camera move when such a part of the corners in the picture stands: of knocks none does, and a fifth at
least even while six hands throw dice all over the table at 15 frames a second."""
_STILL = 0.02
_STILL_FRAMES = 3
_STIRS = 1e-4
"""Less of the picture than this moves where nothing does; a small die that rolls slowly makes more."""
_STIRRED_NS = 100 * _MS
_BLOCKED = 0.6
_FREE = 0.5
_SHIFT_PX = 1.5
_SURE_SHIFT = 0.08
_GAPS = 3.0
_GAP_NS = 300 * _MS
"""Frames are missing when the next one comes after so many usual intervals, and after so long."""
_NEW_TABLE_NS = 4_000 * _MS
"""What covers everything and has not moved for so long is how the table looks now."""
_HELD_FRAMES = 8
_HELD_OF = 20
"""So many of the last frames in which the whole picture drifts: the camera is held in a hand."""
_LATE_FRAMES = 3
_LATE_OF = 12


@dataclass(frozen=True, slots=True)
class Return:
    """The tracker is in step again: what had happened, and by how much the picture has moved since, in px."""

    trouble: Trouble
    shift_px: Point = (0.0, 0.0)


class StepWatch:
    """Watches the frames themselves."""

    def __init__(self) -> None:
        self._trouble: OutOfStep | None = None
        self._good: NDArray[np.uint8] | None = None
        self._before: NDArray[np.uint8] | None = None
        self._intervals_ns: deque[int] = deque(maxlen=30)
        self._late: deque[bool] = deque(maxlen=_LATE_OF)
        self._drifted: deque[bool] = deque(maxlen=_HELD_OF)
        self._last_ns: int | None = None
        self._stirred_ns = 0
        self._still = 0
        self._moved_ns = 0

    @property
    def out_of_step(self) -> OutOfStep | None:
        """Why nothing counts now."""
        return self._trouble

    @property
    def held_in_hand(self) -> bool:
        """The camera moves all the time; places are told as if it stood still, and that is no trouble."""
        return sum(self._drifted) >= _HELD_FRAMES

    def late(self, at_ns: int) -> OutOfStep | None:
        """A frame came that is older than one that came before it."""
        self._late.append(True)
        if self._trouble is None and sum(self._late) >= _LATE_FRAMES:
            self._trouble, self._still = OutOfStep(Trouble.FRAMES_LATE, at_ns), 0
        return self._trouble

    def repeated(self, at_ns: int) -> bool:
        """The very picture of the frame before came once more; True when it may be taken for what is there now.

        For `_GAP_NS` it is not. Then frames are missing, unless nothing moved when the picture stopped: some cameras
        send nothing new while there is nothing new.
        """
        if self._last_ns is None or at_ns - self._last_ns <= _GAP_NS:
            return False
        if self._last_ns - self._stirred_ns > _STIRRED_NS:
            return True
        if self._trouble is None:
            self._trouble, self._still = OutOfStep(Trouble.FRAMES_MISSING, at_ns), 0
        return False

    def camera_moved(self, at_ns: int) -> None:
        """All dice at rest have moved alike: only the camera can have done that."""
        if self._trouble is None:
            self._trouble, self._still = OutOfStep(Trouble.CAMERA_MOVED, at_ns), 0

    def look(self, glimpse: Glimpse, covered_share: float, *, stands: bool = False) -> Return | None:
        """Judge one more frame; a Return when all is well again.

        `stands` says that things lie as they lay and in the same light, however much moves elsewhere.
        """
        at_ns = glimpse.exposure_start_ns
        missing = not glimpse.repeated and self._missing(at_ns)
        if glimpse.motion_share > _STIRS:
            self._stirred_ns = at_ns
        self._late.append(False)
        self._drifted.append(glimpse.move is not None)
        before, self._before = self._before, glimpse.small_bgr
        if before is None or before.shape != glimpse.small_bgr.shape:
            return None
        if self._trouble is None:
            found = self._found(glimpse, before, covered_share, missing=missing, stands=stands)
            if found is None:
                if glimpse.motion_share < _STILL:
                    self._good = glimpse.small_bgr
                return None
            self._trouble, self._still = OutOfStep(found, at_ns), 0
            return None
        return self._recovered(glimpse, covered_share)

    def _missing(self, at_ns: int) -> bool:
        gap_ns = 0 if self._last_ns is None else at_ns - self._last_ns
        self._last_ns = at_ns
        usual_ns = median(self._intervals_ns) if len(self._intervals_ns) >= 5 else None
        missing = usual_ns is not None and gap_ns > max(_GAP_NS, _GAPS * usual_ns)
        if gap_ns and not missing:
            self._intervals_ns.append(gap_ns)
        return missing

    def _found(
        self, glimpse: Glimpse, before: NDArray[np.uint8], covered_share: float, *, missing: bool, stands: bool
    ) -> Trouble | None:
        if missing:
            return Trouble.FRAMES_MISSING
        if glimpse.drift_px > _SHIFT_PX and not self.held_in_hand:
            return Trouble.CAMERA_MOVED
        if glimpse.motion_share >= _EVERYWHERE and not stands:
            everywhere, limit = glimpse.motion_share, max(8.0, 6 * glimpse.noise_levels)
            left = _left_in_one_light(glimpse.small_bgr, before, limit)
            if left <= _LIGHT_LEFT * everywhere:
                return Trouble.LIGHT_CHANGED
            shift, sure = shift_between(before, glimpse.small_bgr)
            moved = sure >= _SURE_SHIFT and SHRINK * np.hypot(*shift) >= _SHIFT_PX
            if (
                moved
                and standing_share(before, glimpse.small_bgr) < _STANDING
                and left_when_moved(before, glimpse.small_bgr, _shifting(shift), limit).mean() < _MOVE_LEFT * everywhere
            ):
                return Trouble.CAMERA_MOVED
        blocked = covered_share if stands else max(covered_share, glimpse.motion_share)
        return Trouble.VIEW_BLOCKED if blocked >= _BLOCKED else None

    def _recovered(self, glimpse: Glimpse, covered_share: float) -> Return | None:
        assert self._trouble is not None
        trouble = self._trouble.trouble
        calm = glimpse.motion_share - covered_share < (_EVERYWHERE / 2 if trouble is Trouble.FRAMES_MISSING else _STILL)
        if trouble is Trouble.VIEW_BLOCKED:
            calm = covered_share < _FREE and glimpse.motion_share < _EVERYWHERE / 2
            if glimpse.motion_share >= _STILL:
                self._moved_ns = glimpse.exposure_start_ns
            if glimpse.exposure_start_ns - self._moved_ns >= _NEW_TABLE_NS:
                trouble, calm, self._still = Trouble.LIGHT_CHANGED, True, _STILL_FRAMES
        if trouble is Trouble.CAMERA_MOVED and self.held_in_hand:
            calm, self._still = True, _STILL_FRAMES
        if trouble is Trouble.FRAMES_LATE:
            calm = not any(list(self._late)[-5:])
        self._still = self._still + 1 if calm else 0
        if self._still < _STILL_FRAMES:
            return None
        shift_px = (0.0, 0.0)
        if self._good is not None and trouble is Trouble.CAMERA_MOVED:
            (dx, dy), _ = shift_between(self._good, glimpse.small_bgr)
            shift_px = (dx * SHRINK, dy * SHRINK)
        self._trouble, self._good = None, glimpse.small_bgr
        return Return(trouble, shift_px)


def _left_in_one_light(now_bgr: NDArray[np.uint8], before_bgr: NDArray[np.uint8], levels: float) -> float:
    """Part of the picture that differs when smooth differences of light are taken out."""
    now, before = now_bgr.astype(np.float32) + 4, before_bgr.astype(np.float32) + 4
    size = (max(2, now.shape[1] // 40), max(2, now.shape[0] // 40))
    coarse_now, coarse_before = (cv2.resize(each, size, interpolation=cv2.INTER_AREA) for each in (now, before))
    gain = np.asarray(coarse_now / coarse_before, np.float32)
    as_now = before * cv2.resize(gain, (now.shape[1], now.shape[0]), interpolation=cv2.INTER_LINEAR)
    gap = np.abs(now - np.minimum(as_now, 259)).max(axis=2)
    return float((gap > levels).mean())


def _shifting(shift: Point) -> NDArray[np.float64]:
    return np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float64)
