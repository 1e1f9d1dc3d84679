"""A die turned upright: its picture as seen in a frame in which every die that lies flat looks alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images import Image
from vision.tracking.camera import Camera

__all__ = ["CHANNELS", "UPRIGHT_PX", "flat_outline", "upright"]

UPRIGHT_PX = 48
_SIDE_PX = 20.0
"""Side of a flat die's upper face in the frame, which shows 1.2 sides each way from its middle."""
CHANNELS = 6
_MOST_SLANT = 1.4
"""Seen more slantingly (tangent of the angle from straight down) a die shows its sides rather than its face."""
_LAB_GAIN = np.array([1.1, 1.6, 1.6], np.float32)
_LEVEL = 127.5
_SUBPIXEL_BITS = 4
_SQUARE = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
_FAR_SIDES = 8.0


def upright(
    image: Image, outline_px: NDArray[Any], neighbours_px: Sequence[NDArray[Any]], camera: Camera
) -> NDArray[np.uint8] | None:
    """Six maps (6, 48, 48) of a die with the upper face `outline_px` (4, 2) in a (H, W, 3) BGR uint8 image.

    The frame is the plane of the upper face, its middle at the face's, turned and, if need be, mirrored so that the
    sides of the face are upright and the camera's foot lies below and to the right: there the face of every flat die
    is the same square, and what is seen of its sides lies below it and to the right. The maps are: how the picture
    differs from the median of the face in CIELAB (L, a, b; 127.5 is no difference); the face as it was read; all that
    can be seen of a flat die of that face; the same of its neighbours, whose faces `neighbours_px` are. None where the
    camera sees the die from too low for this.
    """
    eye = camera.eye
    eye_height = -float(eye[2])
    on_table = camera.at_height(outline_px, 0.0)
    low_side = float(np.linalg.norm(on_table - np.roll(on_table, 1, 0), axis=1).mean())
    if not (eye_height > 0 and np.isfinite(low_side) and low_side > 0):
        return None
    # As high above the table as it is wide; seen from `eye_height`, what is higher looks larger.
    side = low_side * eye_height / (eye_height + low_side)
    corners = camera.at_height(outline_px, side)
    middle = corners.mean(axis=0)
    way = eye[:2] - middle
    if float(np.hypot(*way)) > _MOST_SLANT * eye_height:
        return None
    axes = _axes(corners, way) * side
    to_frame = np.linalg.inv(axes).T
    half = UPRIGHT_PX / 2 / _SIDE_PX
    rim = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    rim_px = camera.project(np.column_stack([rim @ axes.T + middle, np.full(4, -side)]))
    if not np.isfinite(rim_px).all():
        return None
    foot, part = way @ to_frame, side / eye_height
    maps = np.empty((CHANNELS, UPRIGHT_PX, UPRIGHT_PX), np.uint8)
    maps[3] = _filled((corners - middle) @ to_frame)
    maps[4] = _filled(flat_outline(_SQUARE, foot, part))
    others = np.zeros((UPRIGHT_PX, UPRIGHT_PX), np.uint8)
    for neighbour in neighbours_px:
        theirs = (camera.at_height(np.asarray(neighbour, float), side) - middle) @ to_frame
        if np.isfinite(theirs).all() and np.abs(theirs).max() < _FAR_SIDES:
            others |= _filled(flat_outline(theirs, foot, part))
    maps[5] = others
    maps[:3] = _differences(_warped(image, rim_px), maps[3] > 127)
    return maps


def flat_outline(face: NDArray[Any], foot: NDArray[Any], part: float) -> NDArray[np.float32]:
    """The outline (n, 2) of a flat die with the upper face (k, 2), in the plane of that face.

    `foot` (2,) is where the camera stands in that plane, `part` the height of the face by the camera's: a corner of
    the lower face is seen where the ray to it meets the plane, which lies by this part on the way to the foot.
    """
    return np.asarray(cv2.convexHull(np.vstack([face, face + (foot - face) * part]).astype(np.float32))[:, 0])


def _axes(face: NDArray[Any], way: NDArray[Any]) -> NDArray[np.float64]:
    """Right and down (in columns, unit length) along the sides of a face (4, 2): the foot, which lies the given `way`
    (2,), is below, and to the right of straight below."""
    sides = np.roll(face, -1, axis=0) - face
    quarters = 4 * np.arctan2(sides[:, 1], sides[:, 0])
    turn = float(np.arctan2(np.sin(quarters).sum(), np.cos(quarters).sum())) / 4
    c, s = np.cos(turn), np.sin(turn)
    directions = np.array([(c, s), (-s, c), (-c, -s), (s, -c)])
    ahead = directions @ way
    down = directions[int(ahead.argmax())]
    right = np.array([-down[1], down[0]])
    return np.column_stack([right * (1 if right @ way >= 0 else -1), down])


def _filled(outline: NDArray[Any]) -> NDArray[np.uint8]:
    """A map of the inside of an outline (n, 2) in sides from the middle of the frame."""
    drawn = np.zeros((UPRIGHT_PX, UPRIGHT_PX), np.uint8)
    pixels = (outline * _SIDE_PX + (UPRIGHT_PX - 1) / 2) * (1 << _SUBPIXEL_BITS)
    cv2.fillPoly(drawn, [np.round(pixels).astype(np.int32)], 255, cv2.LINE_AA, _SUBPIXEL_BITS)
    return drawn


def _warped(image: Image, rim_px: NDArray[np.float64]) -> NDArray[np.uint8]:
    """What is seen in the frame whose corners lie at `rim_px` (4, 2) of the image, (48, 48, 3) BGR."""
    height, width = image.shape[:2]
    x0, y0 = np.clip(np.floor(rim_px.min(axis=0)).astype(int) - 2, 0, (width - 1, height - 1)).tolist()
    x1, y1 = np.clip(np.ceil(rim_px.max(axis=0)).astype(int) + 3, (x0 + 1, y0 + 1), (width, height)).tolist()
    part = image[y0:y1, x0:x1]
    zoom = float(np.linalg.norm(rim_px - np.roll(rim_px, 1, 0), axis=1).mean()) / UPRIGHT_PX
    if zoom > 1.6:
        part = cv2.GaussianBlur(part, (0, 0), 0.4 * zoom)
    edge = UPRIGHT_PX - 0.5
    frame = np.array([(-0.5, -0.5), (edge, -0.5), (edge, edge), (-0.5, edge)], np.float32)
    move = cv2.getPerspectiveTransform(frame, (rim_px - (x0, y0)).astype(np.float32))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpPerspective(part, move, (UPRIGHT_PX, UPRIGHT_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8)


def _differences(seen: NDArray[np.uint8], face: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """(3, 48, 48): by how much each pixel differs in L, a, b from the median of the face, as levels about 127.5."""
    lab = cv2.cvtColor(seen.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    inside = lab[face] if face.any() else lab.reshape(-1, 3)
    levels = (lab - np.median(inside, axis=0)) * _LAB_GAIN + _LEVEL
    return np.asarray(np.clip(levels, 0, 255).astype(np.uint8).transpose(2, 0, 1))
