"""One frame in, one reading out: dice, markers and their places on the table."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter_ns

from vision.dice import DiceReader
from vision.errors import GeometryError
from vision.geometry import TableGeometry
from vision.images import Image, checked_bgr
from vision.markers import MarkerReader
from vision.readings import Point, Reading

__all__ = ["TableReader"]


class TableReader:
    """Reads dice and markers of a frame and, when the geometry is known, where they lie in millimetres.

    `geometry` may be set at any time. One reader serves one thread.
    """

    def __init__(
        self,
        dice: DiceReader | None = None,
        markers: MarkerReader | None = None,
        geometry: TableGeometry | None = None,
    ) -> None:
        self.dice = dice or DiceReader()
        self.markers = markers or MarkerReader()
        self.geometry = geometry

    def read(self, image_bgr: Image, *, exposure_start_ns: int | None = None, sequence: int | None = None) -> Reading:
        """The reading of a (H, W, 3) BGR or (H, W) grey uint8 image.

        `stage_ms` holds 'dice.proposals', 'dice.faces', 'markers' and, with a geometry, 'geometry'.
        Raises BadImage for anything that is not such an image.
        """
        image = checked_bgr(image_bgr)
        dice = self.dice.read(image)
        stage_ms = dict(self.dice.stage_ms)
        start = perf_counter_ns()
        markers = self.markers.read(image)
        stage_ms["markers"] = (perf_counter_ns() - start) / 1e6
        if self.geometry is not None:
            start = perf_counter_ns()
            dice = tuple(replace(die, position_mm=self._place(die.centre_px)) for die in dice)
            markers = tuple(replace(m, position_mm=self._place(m.centre_px)) for m in markers)
            stage_ms["geometry"] = (perf_counter_ns() - start) / 1e6
        return Reading((image.shape[1], image.shape[0]), dice, markers, exposure_start_ns, sequence, stage_ms)

    def _place(self, point_px: Point) -> Point | None:
        assert self.geometry is not None
        try:
            x_mm, y_mm = self.geometry.to_mm([point_px])[0]
        except GeometryError:
            return None  # above the horizon: not on the table
        return (float(x_mm), float(y_mm))
