"""One frame in, one reading out: dice, markers and their places on the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from math import dist
from time import perf_counter_ns
from typing import NamedTuple, Protocol, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice import DiceReader, Worth
from vision.errors import GeometryError
from vision.geometry import TableGeometry
from vision.images import Image, checked_bgr
from vision.light import paper_white
from vision.markers import MarkerReader
from vision.pyramid import Pyramid
from vision.readings import DieReading, MarkerReading, Point, Reading

__all__ = ["NoDice", "ReadsDice", "TableReader"]

BORDER_SHARE = 1.25
"""A marker with its white border of one module against the marker alone (8 modules across)."""

_BLOCK_PX = 4
"""By blocks of so many pixels it is noted where markers lie, so that nothing is looked for in their print."""

Placed = TypeVar("Placed", DieReading, MarkerReading)


class _Print(NamedTuple):
    """A marker with its white border: its corners (4, 2), and the circle around them."""

    outline_px: NDArray[np.float32]
    middle_px: Point
    reach_px: float


class ReadsDice(Protocol):
    """What a TableReader asks of its dice reader; see DiceReader."""

    stage_ms: dict[str, float]

    def read(self, image_bgr: Image | Pyramid, worth: Worth | None = None) -> tuple[DieReading, ...]:
        """The dice of an image, or of the parts of it that are worth reading."""
        ...


class NoDice:
    """Sees no dice: for games without any, which then neither load nor run the networks that read them."""

    def __init__(self) -> None:
        self.stage_ms: dict[str, float] = {}

    def read(self, image_bgr: Image | Pyramid, worth: Worth | None = None) -> tuple[DieReading, ...]:
        """No dice, in no time. Raises BadImage as DiceReader does."""
        Pyramid.of(image_bgr)
        return ()


class TableReader:
    """Reads dice and markers of a frame and, when the geometry is known, where they lie in millimetres.

    `dice` None reads dice with the networks; `NoDice()` reads markers alone. `geometry` may be set at any time.
    One reader serves one thread.
    """

    def __init__(
        self,
        dice: ReadsDice | None = None,
        markers: MarkerReader | None = None,
        geometry: TableGeometry | None = None,
    ) -> None:
        self.dice: ReadsDice = DiceReader() if dice is None else dice
        self.markers = markers or MarkerReader()
        self.geometry = geometry

    def read(self, image_bgr: Image, *, exposure_start_ns: int | None = None, sequence: int | None = None) -> Reading:
        """The reading of a (H, W, 3) BGR or (H, W) grey uint8 image.

        `stage_ms` holds 'markers', 'geometry' and what the dice reader has: 'dice.proposals', 'dice.faces' and
        'dice.looks', or nothing.
        Raises BadImage for anything that is not such an image.
        """
        image = checked_bgr(image_bgr)
        start = perf_counter_ns()
        markers = self.markers.read(image)
        marked = perf_counter_ns()
        dice = self.dice.read(image, _beside(markers, image)) if markers else self.dice.read(image)
        stage_ms = {**self.dice.stage_ms, "markers": (marked - start) / 1e6}
        start = perf_counter_ns()
        dice, markers = self.placed(dice, markers)
        white = paper_white(image, markers)
        stage_ms["geometry"] = (perf_counter_ns() - start) / 1e6
        size_wh = (image.shape[1], image.shape[0])
        return Reading(size_wh, dice, markers, exposure_start_ns, sequence, stage_ms, white)

    def placed(
        self, dice: Iterable[DieReading], markers: Iterable[MarkerReading]
    ) -> tuple[tuple[DieReading, ...], tuple[MarkerReading, ...]]:
        """Dice and markers with their places in millimetres, where the geometry is known.

        What seems a die within a marker that was read is the marker's print: a die on top would hide the marker.
        """
        known = tuple(markers)
        prints = [_print_px(marker) for marker in known]
        real = tuple(die for die in dice if not _is_print(die.centre_px, prints))
        if self.geometry is None:
            return real, known
        return (
            tuple(replace(each, position_mm=place) for each, place in self._on_table(real)),
            tuple(replace(each, position_mm=place) for each, place in self._on_table(known)),
        )

    def _on_table(self, things: Sequence[Placed]) -> Iterator[tuple[Placed, Point | None]]:
        """Each with its place in mm; None above the horizon, where no table is."""
        points_px = [each.centre_px for each in things]
        assert self.geometry is not None
        try:
            places = self.geometry.to_mm(points_px).tolist()
        except GeometryError:
            places = [self._place(point_px) for point_px in points_px]
        for each, place in zip(things, places, strict=True):
            yield each, place and (place[0], place[1])

    def _place(self, point_px: Point) -> Point | None:
        assert self.geometry is not None
        try:
            x_mm, y_mm = self.geometry.to_mm([point_px])[0].tolist()
        except GeometryError:
            return None
        return (x_mm, y_mm)


def _is_print(centre_px: Point, prints: Iterable[_Print]) -> bool:
    """Whether a place lies within the print of a marker."""
    return any(
        dist(centre_px, each.middle_px) <= each.reach_px
        and cv2.pointPolygonTest(each.outline_px, centre_px, False) >= 0
        for each in prints
    )


def _beside(markers: Iterable[MarkerReading], image: Image) -> Worth:
    """All of an image but the black squares of the markers that were read: nothing lies upon them."""
    height, width = image.shape[:2]
    look = np.ones((-(-height // _BLOCK_PX), -(-width // _BLOCK_PX)), np.uint8)
    for marker in markers:
        corners = np.rint(np.array(marker.corners_px) / _BLOCK_PX - 0.5).astype(np.int32)
        cv2.fillConvexPoly(look, corners, 0)
    anywhere = np.ones(look.shape, bool)
    return Worth(look > 0, anywhere, anywhere, _BLOCK_PX)


@lru_cache(maxsize=512)
def _print_px(marker: MarkerReading) -> _Print:
    """Where a marker with its white border is; those that lie still are met in every frame."""
    corners = np.array(marker.corners_px, np.float32)
    outline = np.asarray(marker.centre_px + (corners - marker.centre_px) * BORDER_SHARE, np.float32)
    middle, reach_px = cv2.minEnclosingCircle(outline)
    x, y = middle
    return _Print(outline, (float(x), float(y)), float(reach_px))
