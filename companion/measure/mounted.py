"""The tracker as a table uses it: the place of the table comes from the corner markers, as they are seen."""

from __future__ import annotations

from math import dist

from vision.errors import GeometryError
from vision.geometry import TableGeometry
from vision.images import Image
from vision.markers import CORNER_IDS
from vision.readings import MarkerReading, Point
from vision.tracking.happenings import Watched
from vision.tracking.tracker import TableTracker

__all__ = ["MountedTracker"]

_MOVED_PX = 3.0
"""Corners that move further than this move the geometry: less is noise."""


class MountedTracker:
    """A `TableTracker` whose reader knows the geometry of a table of `size_mm` as soon as its corners are seen."""

    def __init__(self, size_mm: tuple[float, float], tracker: TableTracker | None = None) -> None:
        self.size_mm = size_mm
        self.tracker = tracker or TableTracker()
        self._corners: tuple[Point, ...] | None = None

    def update(self, image_bgr: Image, *, exposure_start_ns: int, sequence: int) -> Watched:
        """What one more (H, W, 3) BGR uint8 image brings; its corners count from the next one on."""
        watched = self.tracker.update(image_bgr, exposure_start_ns=exposure_start_ns, sequence=sequence)
        self._place(watched.reading.markers)
        return watched

    def _place(self, markers: tuple[MarkerReading, ...]) -> None:
        centres = {marker.id: marker.centre_px for marker in markers if marker.id in CORNER_IDS}
        if len(centres) < len(CORNER_IDS):
            return
        corners = tuple(centres[each] for each in CORNER_IDS)
        if self._corners is not None:
            moved_px = max(dist(a, b) for a, b in zip(self._corners, corners, strict=True))
            if moved_px <= _MOVED_PX:
                return
        try:
            self.tracker.reader.geometry = TableGeometry.from_corner_markers(markers, self.size_mm)
        except GeometryError:
            return  # a corner is seen twice for a moment
        self._corners = corners
