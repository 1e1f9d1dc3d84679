"""A pinhole camera over the table: where a point of the table comes to lie in the picture.

World: millimetres, origin at the far left table corner as the camera sees it, x to the right, y towards the
camera, z up from the table top. Picture: pixels, origin at the centre of the top left pixel.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["PinholeCamera"]

Array = NDArray[Any]
_FIELD_MARGIN: Final = 1.012
"""How much more than the field is in the picture, so that nothing of it touches the rim."""


@dataclass(frozen=True)
class PinholeCamera:
    """A camera `height_mm` above the table, tilted by `tilt_deg` from straight down, aimed at the middle.

    The focal length is chosen so that `field_mm` (x0, y0, x1, y1) just fills the picture. `barrel` is the
    first radial coefficient of the lens (negative: straight lines bow outwards), in units of the focal length.
    """

    size_wh: tuple[int, int]
    field_mm: tuple[float, float, float, float]
    height_mm: float = 1000.0
    tilt_deg: float = 18.0
    roll_deg: float = 0.6
    barrel: float = -0.02

    @cached_property
    def _axes(self) -> Array:
        tilt, roll = np.radians(self.tilt_deg), np.radians(self.roll_deg)
        right = np.array([1.0, 0.0, 0.0])
        down = np.array([0.0, np.cos(tilt), -np.sin(tilt)])
        forward = np.array([0.0, -np.sin(tilt), -np.cos(tilt)])
        turned_right = np.cos(roll) * right + np.sin(roll) * down
        turned_down = -np.sin(roll) * right + np.cos(roll) * down
        return np.array([turned_right, turned_down, forward])

    @cached_property
    def _fit(self) -> tuple[float, float]:
        """The y at which the camera aims, and the focal length in pixels."""
        x0, y0, x1, y1 = self.field_mm
        corners = np.array([[x0, y0, 0], [x1, y0, 0], [x1, y1, 0], [x0, y1, 0]], float)
        aim_y = (y0 + y1) / 2
        for _ in range(12):
            local = (corners - self._position_for(aim_y)) @ self._axes.T
            flat = local[:, :2] / local[:, 2:]
            high, low = flat[:, 1].max(), flat[:, 1].min()
            aim_y += (high + low) / 2 * self.height_mm
        width, height = self.size_wh
        span = np.abs(flat).max(axis=0)
        return aim_y, min(width / 2 / span[0], height / 2 / span[1]) / _FIELD_MARGIN

    def _position_for(self, aim_y: float) -> Array:
        x0, _, x1, _ = self.field_mm
        return np.array([(x0 + x1) / 2, aim_y + self.height_mm * np.tan(np.radians(self.tilt_deg)), self.height_mm])

    @property
    def focal_px(self) -> float:
        """Focal length in pixels."""
        return self._fit[1]

    @cached_property
    def position_mm(self) -> Array:
        """Where the camera is, shape (3,)."""
        return self._position_for(self._fit[0])

    def project(self, points_mm: Array) -> Array:
        """Pixels, shape (N, 2), of world points, shape (N, 3)."""
        local = (np.asarray(points_mm, float) - self.position_mm) @ self._axes.T
        flat = local[:, :2] / local[:, 2:]
        bent = flat * (1 + self.barrel * (flat**2).sum(axis=1, keepdims=True))
        return np.asarray(bent * self.focal_px + self._centre)

    def on_plane(self, points_px: Array, z_mm: float = 0.0) -> Array:
        """World positions, shape (N, 2), where the rays of pixels, shape (N, 2), meet the height `z_mm`."""
        bent = (np.asarray(points_px, float) - self._centre) / self.focal_px
        flat = bent.copy()
        for _ in range(6):
            flat = bent / (1 + self.barrel * (flat**2).sum(axis=1, keepdims=True))
        rays = np.column_stack([flat, np.ones(len(flat))]) @ self._axes
        reach = (z_mm - self.position_mm[2]) / rays[:, 2]
        return np.asarray(self.position_mm[:2] + rays[:, :2] * reach[:, None])

    def depth_mm(self, points_mm: Array) -> Array:
        """Distance along the optical axis, shape (N,), of world points, shape (N, 3)."""
        return np.asarray((np.asarray(points_mm, float) - self.position_mm) @ self._axes[2])

    def px_per_mm(self, point_mm: Array) -> float:
        """Scale at a world point, across the line of sight."""
        return float(self.focal_px / self.depth_mm(np.asarray(point_mm, float)[None])[0])

    def cropped(self, box: tuple[int, int, int, int]) -> PinholeCamera:
        """The same camera for a part of its picture: x0, y0, x1, y1 in pixels."""
        x0, y0, x1, y1 = box
        part = _Part(
            self.size_wh, self.field_mm, self.height_mm, self.tilt_deg, self.roll_deg, self.barrel,
            corner_px=(x0, y0), part_wh=(x1 - x0, y1 - y0),
        )  # fmt: skip
        known = {"_axes": self._axes, "_fit": self._fit, "position_mm": self.position_mm}
        part.__dict__.update(known)  # what is worked out once for the whole
        return part

    @property
    def _centre(self) -> Array:
        return np.array([(self.size_wh[0] - 1) / 2, (self.size_wh[1] - 1) / 2])


@dataclass(frozen=True)
class _Part(PinholeCamera):
    """A camera of whose picture only a part is kept, that begins at `corner_px` and is `part_wh` wide and high."""

    corner_px: tuple[int, int] = (0, 0)
    part_wh: tuple[int, int] = (0, 0)

    def project(self, points_mm: Array) -> Array:
        """Pixels of the part."""
        return np.asarray(super().project(points_mm) - self.corner_px)
