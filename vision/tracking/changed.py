"""Reads anew only what has changed in the picture since it was last read; the rest of a table lies still.

What lay in unchanged pixels is carried over, for the same pixels would be read the same. A part that has just changed
is read afresh in several frames, so that votes over frames still mean something, and everything now and then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter_ns
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images import Image, checked_bgr
from vision.light import paper_white, white_differs
from vision.reader import TableReader
from vision.readings import DieReading, MarkerReading, Point, Reading

__all__ = ["ChangedReader"]

SHRINK = 4
BLOCK_PX = 32
CHANGE_LEVELS = 9.0
"""Mean grey levels by which a spot of SHRINK x SHRINK pixels must differ; sensor noise stays far below."""
FRESH_FRAMES = 4
"""A part is read in so many frames after its last change."""
WHOLE_EVERY = 60
"""Every so many frames everything is read."""
UNREADABLE_EVERY = 6
"""Every so many frames a die without a value is looked at again: noise may have hidden a pip."""
MARGIN_BLOCKS = 2
"""A changed block has everything this many blocks around it read again: no die is wider."""
CROP_PX = 48
"""Looked at beyond that, so that nothing to be taken is cut off."""
OTHER_LIGHT = 0.04
"""White paper whose level has changed by more than this share in a channel is lit otherwise."""
WHOLE_SHARE = 0.7
"""When so much of the picture must be read, it is read as a whole."""

Box = tuple[int, int, int, int]
Found = TypeVar("Found", DieReading, MarkerReading)


class ChangedReader:
    """Wraps a TableReader for frames of one camera that stands still. `reader.geometry` is used as in its own `read`.

    Attributes:
        share: part (0 to 1) of the last picture that was read anew.
    """

    def __init__(self, reader: TableReader) -> None:
        self.reader = reader
        self._reference: NDArray[np.float32] | None = None
        self._fresh: NDArray[np.int32] = np.zeros((0, 0), np.int32)
        self._dice: tuple[DieReading, ...] = ()
        self._markers: tuple[MarkerReading, ...] = ()
        self._frames = 0
        self._white: tuple[float, float, float] | None = None
        self.share = 1.0

    def forget(self) -> None:
        """Read the next frame as a whole."""
        self._reference = None

    def read(self, image_bgr: Image, *, exposure_start_ns: int, sequence: int) -> Reading:
        """The reading of a (H, W, 3) BGR uint8 image; `stage_ms` also holds 'changes', the search for them.

        Raises BadImage for anything that is not such an image.
        """
        image = checked_bgr(image_bgr)
        height, width = image.shape[:2]
        start = perf_counter_ns()
        regions = self._regions(image)
        stage_ms = {"changes": (perf_counter_ns() - start) / 1e6}
        for core in regions:
            self._read_region(image, core, stage_ms)
        area = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in regions)
        stage_ms.setdefault("dice.proposals", 0.0)
        dice, markers = self.reader.placed(self._dice, self._markers)
        self.share = area / (width * height)
        white = paper_white(image, markers)
        if area == width * height or self._white is None:
            self._white = white
        elif white is not None and self._white is not None and white_differs(white, self._white, OTHER_LIGHT):
            self.forget()  # colours that were carried over are those of another light
        return Reading((width, height), dice, markers, exposure_start_ns, sequence, stage_ms, self._white)

    def _regions(self, image: Image) -> list[Box]:
        """Boxes (x0, y0, x1, y1) in px that must be read; they do not overlap."""
        height, width = image.shape[:2]
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        small = cv2.resize(grey, (width // SHRINK, height // SHRINK), interpolation=cv2.INTER_AREA).astype(np.float32)
        step = BLOCK_PX // SHRINK
        rows, columns = -(-small.shape[0] // step), -(-small.shape[1] // step)
        self._frames += 1
        whole = [(0, 0, width, height)]
        if self._reference is None or self._reference.shape != small.shape or self._frames % WHOLE_EVERY == 0:
            fresh_start = self._reference is None or self._reference.shape != small.shape
            self._reference = small
            if fresh_start:
                self._fresh = np.full((rows, columns), FRESH_FRAMES - 1, np.int32)
            return whole
        gap = np.abs(small - self._reference)
        padded = np.pad(gap, ((0, rows * step - gap.shape[0]), (0, columns * step - gap.shape[1])))
        changed = padded.reshape(rows, step, columns, step).max(axis=(1, 3)) > CHANGE_LEVELS
        self._fresh = np.where(changed, FRESH_FRAMES, self._fresh)
        if self._frames % UNREADABLE_EVERY == 0:
            for x, y in (die.centre_px for die in self._dice if die.value is None):
                row, column = min(rows - 1, int(y) // BLOCK_PX), min(columns - 1, int(x) // BLOCK_PX)
                self._fresh[row, column] = max(self._fresh[row, column], 1)
        wanted = self._fresh > 0
        self._fresh = np.maximum(self._fresh - 1, 0)
        if not wanted.any():
            return []
        # What is read is the new reference; what is not keeps its old one, so that slow change adds up.
        spots = np.repeat(np.repeat(changed, step, axis=0), step, axis=1)[: small.shape[0], : small.shape[1]]
        self._reference = np.where(spots, small, self._reference).astype(np.float32)
        kernel = np.ones((2 * MARGIN_BLOCKS + 1,) * 2, np.uint8)
        around = cv2.dilate(wanted.astype(np.uint8), kernel)
        count, _, stats, _ = cv2.connectedComponentsWithStats(around, connectivity=8)
        boxes = [
            (
                int(stats[label, cv2.CC_STAT_LEFT]) * BLOCK_PX,
                int(stats[label, cv2.CC_STAT_TOP]) * BLOCK_PX,
                min(width, int(stats[label, cv2.CC_STAT_LEFT] + stats[label, cv2.CC_STAT_WIDTH]) * BLOCK_PX),
                min(height, int(stats[label, cv2.CC_STAT_TOP] + stats[label, cv2.CC_STAT_HEIGHT]) * BLOCK_PX),
            )
            for label in range(1, count)
        ]
        boxes = _merged(boxes)
        area = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in boxes)
        return whole if area >= WHOLE_SHARE * width * height else boxes

    def _read_region(self, image: Image, core: Box, stage_ms: dict[str, float]) -> None:
        height, width = image.shape[:2]
        x0, y0 = max(0, core[0] - CROP_PX), max(0, core[1] - CROP_PX)
        x1, y1 = min(width, core[2] + CROP_PX), min(height, core[3] + CROP_PX)
        crop = np.ascontiguousarray(image[y0:y1, x0:x1])
        dice = [_moved_die(die, x0, y0) for die in self.reader.dice.read(crop)]
        for stage, ms in self.reader.dice.stage_ms.items():
            stage_ms[stage] = stage_ms.get(stage, 0.0) + ms
        start = perf_counter_ns()
        markers = [_moved_marker(marker, x0, y0) for marker in self.reader.markers.read(crop)]
        stage_ms["markers"] = stage_ms.get("markers", 0.0) + (perf_counter_ns() - start) / 1e6
        self._dice = _replaced(self._dice, dice, core)
        self._markers = tuple(sorted(_replaced(self._markers, markers, core), key=lambda marker: marker.id))


def _replaced(old: Sequence[Found], new: Sequence[Found], core: Box) -> tuple[Found, ...]:
    found: list[Found] = [each for each in old if not _within(each.centre_px, core)]
    found.extend(each for each in new if _within(each.centre_px, core))
    return tuple(found)


def _within(point: Point, box: Box) -> bool:
    return box[0] <= point[0] < box[2] and box[1] <= point[1] < box[3]


def _merged(boxes: list[Box]) -> list[Box]:
    """Boxes that overlap become one."""
    boxes = list(boxes)
    again = True
    while again:
        again = False
        for i in range(len(boxes)):
            for j in range(i + 1, len(boxes)):
                a, b = boxes[i], boxes[j]
                if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]:
                    boxes[i] = (min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]))
                    del boxes[j]
                    again = True
                    break
            if again:
                break
    return boxes


def _moved_die(die: DieReading, dx: int, dy: int) -> DieReading:
    x0, y0, x1, y1 = die.box_xyxy
    return replace(
        die,
        box_xyxy=(x0 + dx, y0 + dy, x1 + dx, y1 + dy),
        outline_px=tuple((x + dx, y + dy) for x, y in die.outline_px),
        pips_px=tuple((x + dx, y + dy) for x, y in die.pips_px),
    )


def _moved_marker(marker: MarkerReading, dx: int, dy: int) -> MarkerReading:
    a, b, c, d = ((x + dx, y + dy) for x, y in marker.corners_px)
    return replace(marker, corners_px=(a, b, c, d))
