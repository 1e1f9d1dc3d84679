"""Where the camera stands over the table: its pose, by the four corner markers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import GeometryError
from vision.geometry import TableGeometry

__all__ = ["Camera", "camera_over", "camera_told"]

_USUAL_FOCAL = 1.1
"""Focal length of a usual camera by the width of its picture, where the corners do not tell."""
_FOCAL_RANGE = (0.5, 6**0.5)
"""Shortest and longest focal length that is believed, by the usual one."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera with square pixels over a table.

    World: x to the right and y towards the camera in the plane of the table, z down into it, so that what stands on
    the table has negative z; lengths in any one unit. `rotation` (3, 3) and `shift` (3,) bring a point of the world
    into the camera's axes (x right, y down the picture, z ahead); `focal_px` and `middle_px` (2,) into the picture.
    """

    rotation: NDArray[np.float64]
    shift: NDArray[np.float64]
    focal_px: float
    middle_px: NDArray[np.float64]

    @property
    def eye(self) -> NDArray[np.float64]:
        """Where the camera is, (3,)."""
        return np.asarray(-self.rotation.T @ self.shift)

    def project(self, points: NDArray[Any]) -> NDArray[np.float64]:
        """Pixels (N, 2) of points (N, 3) before the camera."""
        seen = points @ self.rotation.T + self.shift
        return np.asarray(seen[:, :2] / seen[:, 2:] * self.focal_px + self.middle_px)

    def at_height(self, points_px: NDArray[Any], height: float) -> NDArray[np.float64]:
        """Places (N, 2) where the rays of pixels (N, 2) meet the plane `height` above the table."""
        rays = np.column_stack([(points_px - self.middle_px) / self.focal_px, np.ones(len(points_px))]) @ self.rotation
        eye = self.eye
        return np.asarray(eye[:2] + rays[:, :2] * ((-height - eye[2]) / rays[:, 2])[:, None])


def camera_over(geometry: TableGeometry, size_wh: tuple[int, int]) -> Camera:
    """The camera that sees the table so, in mm; `size_wh` is the size of its picture in px.

    The corners' homography H = K [r1 r2 t] gives the focal length, for r1 and r2 are of one length and at right
    angles (Zhang, A Flexible New Technique for Camera Calibration, 2000, eq. 3 and 4, with square pixels and the
    middle of the picture on the axis), and then the pose (ibid., 3.1). Seen from straight above, no focal length
    follows from it: it is then taken as usual, and the pose hardly depends on it.
    """
    width, depth = geometry.table_size_mm
    middle = (np.array(size_wh) - 1) / 2
    corners = (np.array(geometry.corners_px) - middle).astype(np.float32)
    table = np.array([(0, 0), (width, 0), (width, depth), (0, depth)], np.float32)
    h = np.asarray(cv2.getPerspectiveTransform(table, corners), np.float64)
    focal = _focal_px(h, size_wh[0])
    columns = np.diag([1 / focal, 1 / focal, 1.0]) @ h
    columns *= 2 / (np.linalg.norm(columns[:, 0]) + np.linalg.norm(columns[:, 1]))
    along, across = columns[:, 0], columns[:, 1]
    # The nearest rotation with these two columns.
    u, _, vt = np.linalg.svd(np.column_stack([along, across, np.cross(along, across)]))
    return Camera(np.asarray(u @ vt), columns[:, 2], focal, middle)


def camera_told(geometry: TableGeometry, image: NDArray[Any]) -> Camera | None:
    """The camera that took an image (H, W, 3); None where the table's corners do not tell where it stands."""
    try:
        return camera_over(geometry, (image.shape[1], image.shape[0]))
    except (GeometryError, np.linalg.LinAlgError):
        return None


def _focal_px(h: NDArray[np.float64], width_px: int) -> float:
    """By least squares over both conditions on its square, each weighted as much as it depends on it."""
    usual = _USUAL_FOCAL * width_px
    # For both: (x and y of the columns) + square * (their third numbers) = 0.
    planar = np.array([h[0, 0] * h[0, 1] + h[1, 0] * h[1, 1], (h[:2, 0] ** 2).sum() - (h[:2, 1] ** 2).sum()])
    ahead = np.array([h[2, 0] * h[2, 1], h[2, 0] ** 2 - h[2, 1] ** 2])
    weight = float(ahead @ ahead)
    square = -float(planar @ ahead) / weight if weight > 0 else 0.0
    low, high = (usual * part for part in _FOCAL_RANGE)
    return square**0.5 if low**2 < square < high**2 else usual
