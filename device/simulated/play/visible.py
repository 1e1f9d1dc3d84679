"""How much of the upper face of each die the camera sees: hands, other dice and the picture's edge hide it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from device.simulated.dice_model import CUBE_CORNERS, FACE_NORMALS, HALF_MM, face_axes, top_face
from device.simulated.hands import Hand, covers
from device.simulated.layout import DIE_MM
from device.simulated.motion import Pose
from device.simulated.optics import PinholeCamera

__all__ = ["upper_face", "visible_shares"]

Array = NDArray[Any]
_STEPS: Final = np.linspace(-0.42, 0.42, 5)
_GRID: Final = np.array([(u, v) for v in _STEPS for u in _STEPS])
_CORNERS: Final = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
_NEAR_MM: Final = 60.0


def upper_face(pose: Pose) -> Array:
    """The corners (4, 3) and then 25 points (25, 3) of the face that points up most, in mm on the table."""
    return np.asarray(_face_points(top_face(pose.rotation)) @ pose.rotation.T + pose.centre_mm)


@lru_cache(maxsize=6)
def _face_points(value: int) -> Array:
    along, across = face_axes(value)
    flat = np.vstack([_CORNERS, _GRID]) * DIE_MM
    return np.asarray(FACE_NORMALS[value] * HALF_MM + flat[:, :1] * along + flat[:, 1:] * across)


def visible_shares(
    poses: Sequence[Pose], points_px: Array, hands: Sequence[Hand], camera: PinholeCamera
) -> NDArray[np.float64]:
    """For each die the share of its 25 face points (N, 25, 2) that the camera sees; 0 for those in a hand or gone."""
    count = len(poses)
    width, height = camera.size_wh
    flat = points_px.reshape(-1, 2)
    seen = (flat >= -0.5).all(axis=1) & (flat[:, 0] < width - 0.5) & (flat[:, 1] < height - 0.5)
    for hand in hands:
        seen &= ~covers(hand, camera, flat)
    seen = seen.reshape(count, -1)
    seen[[pose.hidden for pose in poses]] = False
    centres = np.array([pose.centre_mm for pose in poses])
    depths = np.linalg.norm(centres - camera.position_mm, axis=1)
    shown = [not pose.hidden for pose in poses]
    near = np.linalg.norm(centres[:, None] - centres[None], axis=2) < _NEAR_MM
    for a, b in zip(*np.nonzero(near), strict=True):
        # Only what is nearer to the camera, and as high, can hide an upper face.
        if a == b or not (shown[a] and shown[b]) or depths[b] >= depths[a] or centres[b, 2] < centres[a, 2] - 4:
            continue
        hull = cv2.convexHull(
            camera.project(CUBE_CORNERS @ poses[b].rotation.T + poses[b].centre_mm).astype(np.float32)
        )
        for i in np.flatnonzero(seen[a]):
            x, y = points_px[a, i]
            if cv2.pointPolygonTest(hull, (float(x), float(y)), False) > 0:
                seen[a, i] = False
    return np.asarray(seen.mean(axis=1))
