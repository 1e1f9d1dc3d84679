"""Reads anew only what has changed in the picture since it was last read; the rest of a table lies still.

What lay in unchanged pixels is carried over, for the same pixels would be read the same. A part that has just changed
is read afresh in several frames, so that votes over frames still mean something, and everything now and then. What
moves at this moment gets a glance and no closer look: its value counts for nothing yet. In the last of these frames
places where dice may have been overlooked are looked at, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import dist
from time import perf_counter_ns
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.beside import both
from vision.dice import Worth
from vision.images import Image
from vision.light import paper_white, white_differs
from vision.pyramid import Pyramid
from vision.reader import TableReader
from vision.readings import DieReading, MarkerReading, Point, Reading
from vision.tracking.glimpse import SHRINK, Glimpse

__all__ = ["ChangedReader"]

BLOCK_PX = 32
_STEP = BLOCK_PX // SHRINK
CHANGE_LEVELS = 9.0
"""Mean grey levels by which a spot of SHRINK x SHRINK pixels must differ; sensor noise stays far below."""
FRESH_FRAMES = 4
"""A part is read in so many frames after its last change."""
WHOLE_EVERY = 60
"""Every so many frames everything is read."""
UNREADABLE_EVERY = 6
"""Every so many frames a die without a value is looked at again: noise may have hidden a pip."""
_SAME_PLACE_SIDES = 0.3
OVERLOOKED_TIMES = 6
"""A die does not go without anything moving: so often one that is not read is taken to lie there still."""
MARKERS_EVERY = 6
"""Where markers wait until things lie still, those of the moving part are read every so many frames all the same."""
_ALIKE_DICE, _LARGEST_SIDES = 3, 3.0
"""Where so many dice are known, nothing is looked for that is larger than so many sides of the largest: a crowd of
three, which may be taken for one."""
_SIDES_AROUND = 1.5
"""A die whose centre lies within this many sides of a change is read again."""
_MARGIN_BLOCKS = (1, 2, 8)
"""The same in blocks: at least, where no die is known, at most."""
CROP_PX = 48
"""Looked at beyond that, so that nothing to be taken is cut off."""
OTHER_LIGHT = 0.04
"""White paper whose level has changed by more than this share in a channel is lit otherwise."""
WHOLE_SHARE = 0.25
"""When so much of the picture must be read, it is read as a whole."""

Box = tuple[int, int, int, int]
Blocks = NDArray[np.bool_]
Found = TypeVar("Found", DieReading, MarkerReading)


@dataclass(frozen=True, slots=True)
class _Plan:
    """What to read of a frame: boxes (x0, y0, x1, y1) in px, and by block what is new in them, what moves, and where
    this is not the last frame that is read since something has changed."""

    boxes: list[Box]
    new: Blocks
    moves: Blocks
    going_on: Blocks


class ChangedReader:
    """Wraps a TableReader for frames of one camera that stands still. `reader.geometry` is used as in its own `read`.

    With `markers_at_rest` the markers of what moves wait until it lies still, or for `MARKERS_EVERY` frames.

    Attributes:
        share: part (0 to 1) of the last picture that was read anew.
    """

    def __init__(self, reader: TableReader, *, markers_at_rest: bool = False) -> None:
        self.reader = reader
        self.markers_at_rest = markers_at_rest
        self._reference: NDArray[np.float32] | None = None
        self._fresh: NDArray[np.int32] = np.zeros((0, 0), np.int32)
        self._dice: tuple[DieReading, ...] = ()
        self._markers: tuple[MarkerReading, ...] = ()
        self._missed: dict[Point, int] = {}
        self._frames = 0
        self._white: tuple[float, float, float] | None = None
        self.share = 1.0

    def forget(self) -> None:
        """Read the next frame as a whole."""
        self._reference = None

    def read(self, image_bgr: Image | Pyramid, glimpse: Glimpse, *, sequence: int) -> Reading:
        """The reading of a (H, W, 3) BGR uint8 image, of which `glimpse` was had.

        `stage_ms` also holds 'changes', the search for them; 'markers' is what they took longer than the dice beside
        which they were read. Raises BadImage for anything that is not such an image, or
        a pyramid.
        """
        pyramid = Pyramid.of(image_bgr)
        image = pyramid.colour(0)
        height, width = image.shape[:2]
        start = perf_counter_ns()
        plan = self._plan(glimpse, (width, height))
        stage_ms = {"changes": (perf_counter_ns() - start) / 1e6}
        for box in plan.boxes:
            self._read_box(pyramid, box, plan, glimpse, stage_ms)
        if self._missed:
            here_px = {die.centre_px for die in self._dice}
            self._missed = {place_px: times for place_px, times in self._missed.items() if place_px in here_px}
        area = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in plan.boxes)
        stage_ms.setdefault("dice.proposals", 0.0)
        dice, markers = self.reader.placed(self._dice, self._markers)
        self.share = area / (width * height)
        white = paper_white(image, markers)
        if area == width * height or self._white is None:
            self._white = white
        elif white is not None and white_differs(white, self._white, OTHER_LIGHT):
            self.forget()  # colours that were carried over are those of another light
        return Reading((width, height), dice, markers, glimpse.exposure_start_ns, sequence, stage_ms, self._white)

    def _plan(self, glimpse: Glimpse, size_wh: tuple[int, int]) -> _Plan:
        width, height = size_wh
        small = cv2.cvtColor(glimpse.small_bgr, cv2.COLOR_BGR2GRAY).astype(np.float32)
        moves = _by_block(glimpse.motion)
        self._frames += 1
        whole = [(0, 0, width, height)]
        everything = np.ones_like(moves)
        if self._reference is None or self._reference.shape != small.shape:
            self._reference = small
            self._fresh = np.full(moves.shape, FRESH_FRAMES - 1, np.int32)
            return _Plan(whole, everything, np.zeros_like(moves), np.zeros_like(moves))
        if glimpse.move is not None:  # in a hand: what seems to move may be the edge of anything, and is read closely
            self._reference = small
            self._fresh[:] = FRESH_FRAMES
            return _Plan(whole, everything, np.zeros_like(moves), np.zeros_like(moves))
        blue, green, red = glimpse.gain_bgr
        self._reference *= 0.114 * blue + 0.587 * green + 0.299 * red  # the weights of cv2.COLOR_BGR2GRAY
        spots = np.abs(small - self._reference) > CHANGE_LEVELS
        changed = _by_block(spots)
        if self._frames % WHOLE_EVERY == 0 and not moves.any():
            self._reference = small
            return _Plan(whole, everything, moves, moves)
        self._fresh = np.where(changed | moves, FRESH_FRAMES, self._fresh)
        if self._frames % UNREADABLE_EVERY == 0:
            self._look_again()
        wanted, going_on = self._fresh > 0, self._fresh > 1
        self._fresh = np.maximum(self._fresh - 1, 0)
        if not wanted.any():
            return _Plan([], wanted, moves, going_on)
        # What is read is the new reference; what is not keeps its old one, so that slow change adds up.
        self._reference = np.where(_spots_of(changed, small.shape), small, self._reference)
        around = self._around(wanted)
        boxes = _boxes(around, size_wh)
        area = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in boxes)
        boxes = whole if area >= WHOLE_SHARE * width * height else boxes
        return _Plan(boxes, around, self._around(moves), self._around(going_on))

    def _look_again(self) -> None:
        for die in self._dice:
            if die.value is None:
                self._want(die.centre_px)

    def _largest_px(self) -> float:
        """The side of the largest face that is looked for: dice are much of a size, once some are known."""
        if len(self._dice) < _ALIKE_DICE or self._frames % WHOLE_EVERY == 0:
            return np.inf
        return _LARGEST_SIDES * max(die.side_px for die in self._dice)

    def _around(self, blocks: Blocks) -> Blocks:
        """These blocks and those so near that a die lying there may reach in."""
        least, usual, most = _MARGIN_BLOCKS
        sides = [die.side_px for die in self._dice]
        margin = min(most, max(least, round(_SIDES_AROUND * max(sides) / BLOCK_PX))) if sides else usual
        kernel = np.ones((2 * margin + 1,) * 2, np.uint8)
        return cv2.dilate(blocks.astype(np.uint8), kernel).astype(bool)

    def _read_box(self, pyramid: Pyramid, box: Box, plan: _Plan, glimpse: Glimpse, stage_ms: dict[str, float]) -> None:
        height, width = pyramid.colour(0).shape[:2]
        x0, y0 = max(0, box[0] - CROP_PX), max(0, box[1] - CROP_PX)
        x1, y1 = min(width, box[2] + CROP_PX), min(height, box[3] + CROP_PX)
        crop = pyramid.part((x0, y0, x1, y1))
        closely, again = plan.new & ~plan.moves, plan.new & ~plan.going_on
        worth = Worth(plan.new, closely, again, BLOCK_PX, (x0, y0), self._largest_px())
        rows, columns = (
            slice(box[1] // BLOCK_PX, -(-box[3] // BLOCK_PX)),
            slice(box[0] // BLOCK_PX, -(-box[2] // BLOCK_PX)),
        )
        waits = self.markers_at_rest and plan.moves[rows, columns].any() and self._frames % MARKERS_EVERY
        markers: list[MarkerReading] | None = None
        start = perf_counter_ns()
        if waits:
            dice = self._dice_of(crop, worth)
        else:
            dice, markers = both(lambda: self._dice_of(crop, worth), lambda: self._markers_of(crop, worth))
        spent_ms = {**self.reader.dice.stage_ms}
        if markers is not None:  # what they took longer than the dice
            spent_ms["markers"] = (perf_counter_ns() - start) / 1e6 - sum(spent_ms.values())
        for stage, ms in spent_ms.items():
            stage_ms[stage] = stage_ms.get(stage, 0.0) + ms
        self._doubt(dice, plan.new, glimpse)
        dice += self._overlooked(dice, box, plan.new, glimpse)
        self._dice = _replaced(self._dice, dice, box, plan.new)
        if markers is not None:
            found = _replaced(self._markers, markers, box, np.ones_like(plan.new))
            self._markers = tuple(sorted(found, key=lambda marker: marker.id))

    def _dice_of(self, crop: Pyramid, worth: Worth) -> list[DieReading]:
        return [_moved_die(die, *worth.origin_px) for die in self.reader.dice.read(crop, worth)]

    def _markers_of(self, crop: Pyramid, worth: Worth) -> list[MarkerReading]:
        return [_moved_marker(marker, *worth.origin_px) for marker in self.reader.markers.read(crop.colour(0))]

    def _doubt(self, found: Sequence[DieReading], blocks: Blocks, glimpse: Glimpse) -> None:
        """What is read otherwise than a moment ago, though nothing has moved, is read again until that lasts."""
        for die in found:
            centre_px, reach_px = die.centre_px, _SAME_PLACE_SIDES * die.side_px
            before = [each.value for each in self._dice if dist(each.centre_px, centre_px) < reach_px]
            changed = bool(before) and die.value is not None and die.value not in before
            if (
                changed
                and blocks[_block_at(centre_px, blocks.shape)]
                and not glimpse.moves_around(centre_px, die.side_px)
            ):
                self._want(centre_px, FRESH_FRAMES - 1)

    def _overlooked(self, found: Sequence[DieReading], box: Box, blocks: Blocks, glimpse: Glimpse) -> list[DieReading]:
        """Dice that lay there a moment ago, about which nothing has moved, and that are not read for once."""
        missed = {}
        places_px = [each.centre_px for each in found]
        for die in self._dice:
            centre_px, side_px = die.centre_px, die.side_px
            if not _read_at(centre_px, box, blocks) or glimpse.moves_around(centre_px, side_px):
                continue
            if any(dist(centre_px, place_px) < side_px for place_px in places_px):
                continue
            times = self._missed.get(centre_px, 0) + 1
            if times <= OVERLOOKED_TIMES:
                missed[die] = times
        for die, times in missed.items():
            self._missed[die.centre_px] = times
            self._want(die.centre_px)
        return list(missed)

    def _want(self, place_px: Point, frames: int = 1) -> None:
        """Read that place in the next frames."""
        at = _block_at(place_px, self._fresh.shape)
        self._fresh[at] = max(self._fresh[at], frames)


def _by_block(spots: NDArray[np.bool_]) -> Blocks:
    """Blocks in which some spot is True; those at the right and lower edge may be smaller."""
    rows, columns = -(-spots.shape[0] // _STEP), -(-spots.shape[1] // _STEP)
    padded = np.zeros((rows * _STEP, columns * _STEP), bool)
    padded[: spots.shape[0], : spots.shape[1]] = spots
    # Rows first, which lie in one piece: both at once take five times as long.
    by_row = padded.reshape(rows, _STEP, -1).any(axis=1)
    return np.asarray(by_row.reshape(rows, columns, _STEP).any(axis=2))


def _spots_of(blocks: Blocks, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    return np.repeat(np.repeat(blocks, _STEP, axis=0), _STEP, axis=1)[: shape[0], : shape[1]]


def _boxes(blocks: Blocks, size_wh: tuple[int, int]) -> list[Box]:
    """Boxes around all that hang together, none of them overlapping."""
    width, height = size_wh
    count, _, stats, _ = cv2.connectedComponentsWithStats(blocks.astype(np.uint8), connectivity=8)
    found = []
    for label in range(1, count):
        x, y, wide, high = (int(v) * BLOCK_PX for v in stats[label][:4])
        found.append((x, y, min(x + wide, width), min(y + high, height)))
    return _merged(found)


def _replaced(old: Sequence[Found], new: Sequence[Found], box: Box, blocks: Blocks) -> tuple[Found, ...]:
    """The new ones in the blocks of the box that were read, the old ones elsewhere."""
    found: list[Found] = [each for each in old if not _read_at(each.centre_px, box, blocks)]
    found.extend(each for each in new if _read_at(each.centre_px, box, blocks))
    return tuple(found)


def _read_at(point: Point, box: Box, blocks: Blocks) -> bool:
    return _within(point, box) and bool(blocks[_block_at(point, blocks.shape)])


def _block_at(point: Point, shape: tuple[int, ...]) -> tuple[int, int]:
    """Row and column of the block in which a place lies, or of the last."""
    rows, columns = shape
    return min(rows - 1, int(point[1]) // BLOCK_PX), min(columns - 1, int(point[0]) // BLOCK_PX)


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
