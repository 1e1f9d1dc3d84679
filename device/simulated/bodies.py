"""Dice in the picture: faceted rounded cubes with pips, their shadows, and the blur of their movement.

Each die is drawn finer than the picture on a patch of its own and averaged down, then laid over the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from device.simulated.dice_model import (
    CUBE_CORNERS,
    FACE_NORMALS,
    PIP_RADIUS_MM,
    face_axes,
    facets,
    pip_centres,
)
from device.simulated.layout import DIE_MM
from device.simulated.motion import Pose
from device.simulated.optics import PinholeCamera

__all__ = ["LOOKS", "Blot", "DieLook", "Light", "die_box", "draw_die", "draw_shadow"]

Array = NDArray[Any]
Picture = NDArray[Any]
_SHIFT: Final = 4
_RING: Final = np.linspace(0, 2 * np.pi, 14, endpoint=False)
_CIRCLE: Final = np.column_stack([np.cos(_RING), np.sin(_RING)])


@dataclass(frozen=True, slots=True)
class DieLook:
    """Colours of body and pips as sRGB 0..255 in the order blue, green, red, and how glossy it is, 0..1."""

    body_bgr: tuple[int, int, int]
    pip_bgr: tuple[int, int, int]
    gloss: float = 0.25


_WHITE_PIP: Final = (236, 240, 242)
_BLACK_PIP: Final = (28, 26, 26)
LOOKS: Final = {
    "red": DieLook((40, 34, 186), _WHITE_PIP),
    "blue": DieLook((168, 78, 28), _WHITE_PIP),
    "green": DieLook((62, 126, 24), _WHITE_PIP),
    "yellow": DieLook((36, 190, 236), _BLACK_PIP),
    "white": DieLook((226, 234, 238), _BLACK_PIP),
    "black": DieLook((30, 28, 28), _WHITE_PIP),
    "orange": DieLook((30, 100, 226), _WHITE_PIP),
    "scarlet": DieLook((36, 52, 198), _WHITE_PIP),
    "purple": DieLook((140, 40, 100), _WHITE_PIP),
    "cream": DieLook((196, 226, 238), _BLACK_PIP),
    "dark green": DieLook((30, 48, 18), _WHITE_PIP),
}
"""Looks of dice: first those of SEAT_COLOURS, then some that are hard to tell from them."""


@dataclass(frozen=True, eq=False)
class Light:
    """A lamp at `lamp_mm` (3,) and light from all sides; the parts are linear and add up to about 1."""

    lamp_mm: Array
    lamp: float = 0.62
    sky: float = 0.36
    bounce: float = 0.12


@dataclass(frozen=True, slots=True)
class Blot:
    """A blob of paint on the top face: its colour and the seed of its outline."""

    colour_bgr: tuple[int, int, int]
    seed: int


def _linear(bgr: tuple[int, int, int]) -> Array:
    return (np.array(bgr, float) / 255) ** 2.2


def _encoded(linear: Array) -> Array:
    return 255 * np.clip(linear, 0, 1) ** (1 / 2.2)


@lru_cache(maxsize=64)
def _blot_outline(seed: int) -> tuple[tuple[float, float], ...]:
    rng = np.random.default_rng([4711, seed])
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    radius = 7.3 + 0.35 * np.sin(3 * angles + rng.uniform(0, 6)) + 0.25 * np.sin(5 * angles + rng.uniform(0, 6))
    # A rounded square rather than a circle: it must reach into the corners, where pips are.
    square = np.maximum(np.abs(np.cos(angles)), np.abs(np.sin(angles))) ** -0.6
    return tuple(zip((radius * square * np.cos(angles)), (radius * square * np.sin(angles)), strict=True))


class _Shades:
    """Brightness of a surface element of one die by its direction."""

    def __init__(self, centre_mm: Array, camera_mm: Array, light: Light, exposure: float) -> None:
        to_lamp = light.lamp_mm - centre_mm
        self._to_lamp = to_lamp / np.linalg.norm(to_lamp)
        to_eye = camera_mm - centre_mm
        self.to_eye = to_eye / np.linalg.norm(to_eye)
        middle = self._to_lamp + self.to_eye
        self._middle = middle / np.linalg.norm(middle)
        self._light = light
        self._exposure = exposure

    def colours(self, normals: Array, bgr: tuple[int, int, int], gloss: float) -> Array:
        """sRGB 0..255 BGR, shape (N, 3), for unit normals, shape (N, 3)."""
        light = self._light
        facing = np.clip(normals @ self._to_lamp, 0, None)
        up = normals[:, 2]
        diffuse = light.lamp * facing + light.sky * (0.5 + 0.5 * up) + light.bounce * (0.5 - 0.5 * up)
        shine = gloss * np.clip(normals @ self._middle, 0, None) ** 48
        linear = diffuse[:, None] * _linear(bgr) + 0.2 * shine[:, None]
        return _encoded(linear * self._exposure)


@dataclass(frozen=True, eq=False)
class _Outlines:
    """Everything of a die that is projected, in its own axes: mesh points, then rings of pips, then face centres."""

    points: Array
    ring_starts: dict[int, int]
    centre_start: int


@lru_cache(maxsize=4)
def _outlines(bevels: int) -> _Outlines:
    parts = [facets(bevels).points]
    at = len(parts[0])
    starts = {}
    for value in FACE_NORMALS:
        along, across = face_axes(value)
        ring = PIP_RADIUS_MM * (_CIRCLE[:, :1] * along + _CIRCLE[:, 1:] * across)
        rings = (pip_centres(value)[:, None] + ring[None]).reshape(-1, 3)
        starts[value] = at
        parts.append(rings)
        at += len(rings)
    parts.append(np.array(list(FACE_NORMALS.values())) * (DIE_MM / 2))
    return _Outlines(np.vstack(parts), starts, at)


def _fixed_point(pixels: Array, scale: int, origin: tuple[int, int]) -> NDArray[Any]:
    """Picture coordinates as fixed-point coordinates on a patch drawn `scale` times finer."""
    fine = (pixels - origin + 0.5) * scale - 0.5
    return np.round(fine * (1 << _SHIFT)).astype(np.int32)


def _paint(
    canvas: Picture,
    cover: Picture,
    pose: Pose,
    camera: PinholeCamera,
    look: DieLook,
    shades: _Shades,
    *,
    scale: int,
    origin: tuple[int, int],
    bevels: int,
    blot: Blot | None,
) -> None:
    """Draw one pose: the facets that face the camera, and on the faces their pips and a blot."""
    mesh, outlines = facets(bevels), _outlines(bevels)
    world = outlines.points @ pose.rotation.T + pose.centre_mm
    fixed = _fixed_point(camera.project(world), scale, origin)
    normals = mesh.normals @ pose.rotation.T
    # A die is small and far away: one direction to the eye serves all its facets, but for grazing ones,
    # which cover next to nothing.
    seen = np.flatnonzero(normals @ shades.to_eye > 0)
    colours = shades.colours(normals[seen], look.body_bgr, look.gloss)
    hull = cv2.convexHull(fixed[: len(mesh.points)])
    cv2.fillConvexPoly(cover, hull, 255, cv2.LINE_8, _SHIFT)
    cv2.fillConvexPoly(canvas, hull, colours.mean(axis=0).tolist(), cv2.LINE_8, _SHIFT)
    for corners, colour in zip(fixed[mesh.quads[seen]], colours.tolist(), strict=True):
        cv2.fillConvexPoly(canvas, corners, colour, cv2.LINE_8, _SHIFT)
    turned = np.array(list(FACE_NORMALS.values())) @ pose.rotation.T
    middles = world[outlines.centre_start :]
    to_eye = camera.position_mm - middles
    facing = np.einsum("ij,ij->i", turned, to_eye) > 0.04 * np.sqrt(np.einsum("ij,ij->i", to_eye, to_eye))
    tints = shades.colours(turned, look.pip_bgr, look.gloss * 0.4)
    shift = np.array([0.18, 0.14]) * camera.px_per_mm(pose.centre_mm) * scale * (1 << _SHIFT)
    for face, value in enumerate(FACE_NORMALS):
        if not facing[face]:
            continue
        start = outlines.ring_starts[value]
        rings = fixed[start : start + value * len(_CIRCLE)].reshape(value, len(_CIRCLE), 2)
        _draw_pips(canvas, rings, tints[face], shift, bowl=bevels > 1)
    top = int(np.argmax(turned[:, 2]))
    if blot is not None and facing[top]:
        along, across = (pose.rotation @ axis for axis in face_axes(list(FACE_NORMALS)[top]))
        shape = np.array(_blot_outline(blot.seed))
        rim = middles[top] + shape[:, :1] * along + shape[:, 1:] * across
        paint = shades.colours(turned[top : top + 1], blot.colour_bgr, 0.0)[0]
        points = _fixed_point(camera.project(rim), scale, origin)
        cv2.fillPoly(canvas, [points], paint.tolist(), cv2.LINE_8, _SHIFT)


def _draw_pips(canvas: Picture, rings: NDArray[Any], tint: Array, shift: Array, *, bowl: bool) -> None:
    """A pip is a shallow bowl: its rim towards the lamp lies in shade, so the lit part sits off the middle."""
    if not bowl:
        for ring in rings:
            cv2.fillConvexPoly(canvas, ring, tint.tolist(), cv2.LINE_8, _SHIFT)
        return
    for ring in rings:
        cv2.fillConvexPoly(canvas, ring, (tint * 0.88).tolist(), cv2.LINE_8, _SHIFT)
    middles = rings.mean(axis=1, keepdims=True)
    for ring in np.round((rings - middles) * 0.78 + middles + shift).astype(np.int32):
        cv2.fillConvexPoly(canvas, ring, tint.tolist(), cv2.LINE_8, _SHIFT)


def draw_die(
    picture: Picture,
    poses: Sequence[Pose],
    camera: PinholeCamera,
    look: DieLook,
    light: Light,
    light_at: NDArray[Any],
    *,
    scale: int,
    bevels: int,
    blot: Blot | None = None,
) -> None:
    """Lay one die over `picture` (H, W, 3) uint8 BGR; several poses, from equal parts of the exposure, blur it."""
    shown = [pose for pose in poses if not pose.hidden]
    if not shown:
        return
    reach = camera.project(np.vstack([CUBE_CORNERS @ p.rotation.T + p.centre_mm for p in shown]))
    middles = camera.project(np.array([p.centre_mm for p in shown]))
    room = 1 if len(shown) < 2 else 1 + int(np.abs(middles[-1] - middles[0]).max() / (len(shown) - 1) / 2 + 1)
    x0, y0 = (int(v) for v in np.floor(reach.min(axis=0)) - room)
    x1, y1 = (int(v) for v in np.ceil(reach.max(axis=0)) + room + 1)
    height, width = picture.shape[:2]
    if x1 <= 0 or y1 <= 0 or x0 >= width or y0 >= height:
        return
    size_wh = (x1 - x0, y1 - y0)
    total = np.zeros((size_wh[1], size_wh[0], 4), np.float32)
    # Each pose stands for its part of the exposure, and is smeared over the way that the die goes in it.
    way = (middles[-1] - middles[0]) / max(1, len(shown) - 1)
    for number, pose in enumerate(shown):
        x, y = np.clip(middles[number], 0, [width - 1, height - 1]).astype(int)
        shades = _Shades(pose.centre_mm, camera.position_mm, light, float(light_at[y, x]))
        layer = np.zeros((size_wh[1] * scale, size_wh[0] * scale, 3), np.uint8)
        cover = np.zeros(layer.shape[:2], np.uint8)
        _paint(
            layer, cover, pose, camera, look, shades,
            scale=scale, origin=(x0, y0), bevels=bevels, blot=blot,
        )  # fmt: skip
        patch = np.dstack(
            [
                cv2.resize(layer, size_wh, interpolation=cv2.INTER_AREA),
                cv2.resize(cover, size_wh, interpolation=cv2.INTER_AREA),
            ]
        )
        if len(shown) > 1:
            patch = _smeared(patch, way)
        total += patch
    total /= len(poses)
    left, top = max(0, -x0), max(0, -y0)
    right, bottom = min(size_wh[0], width - x0), min(size_wh[1], height - y0)
    part = total[top:bottom, left:right]
    view = picture[y0 + top : y0 + bottom, x0 + left : x0 + right]
    view[...] = view * (1 - part[..., 3:] / 255) + part[..., :3] + 0.5


def _smeared(patch: Picture, way_px: Array) -> Picture:
    """Average of the patch moved along `way_px` (x, y), from half of it behind to half of it ahead."""
    steps = int(np.ceil(np.hypot(*way_px)))
    if steps < 2:
        return patch
    reach = int(np.ceil(np.abs(way_px).max() / 2))
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    for share in np.linspace(-0.5, 0.5, steps + 1):
        x, y = np.round(way_px * share).astype(int)
        kernel[reach - y, reach - x] += 1
    return np.asarray(cv2.filter2D(patch, -1, kernel / kernel.sum(), borderType=cv2.BORDER_CONSTANT), np.uint8)


def die_box(poses: Sequence[Pose], camera: PinholeCamera, light: Light) -> tuple[int, int, int, int]:
    """All that a die and its shadow can change in the picture: x0, y0, x1, y1, clipped to it."""
    points: list[Array] = []
    margin = 0.0
    for pose in poses:
        corners = CUBE_CORNERS @ pose.rotation.T + pose.centre_mm
        ray = corners - light.lamp_mm
        cast = corners - ray * (corners[:, 2:] / ray[:, 2:])
        foot = corners * (1, 1, 0)
        points += [corners, cast, foot]
        margin = max(margin, 4 * (1.3 + 0.08 * max(0.0, float(pose.centre_mm[2]))) + 8)
    reach = camera.project(np.vstack(points))
    first, last = camera.project(np.array([poses[0].centre_mm, poses[-1].centre_mm]))
    margin += float(np.abs(last - first).max())
    width, height = camera.size_wh
    x0, y0 = (int(v) for v in np.maximum(np.floor(reach.min(axis=0) - margin), 0))
    x1, y1 = (int(v) for v in np.minimum(np.ceil(reach.max(axis=0) + margin), (width, height)))
    return x0, y0, x1, y1


def draw_shadow(picture: Picture, pose: Pose, camera: PinholeCamera, light: Light) -> None:
    """Darken the table where a die keeps the lamp's light away, and close under it."""
    if pose.hidden:
        return
    corners = CUBE_CORNERS * 0.95 @ pose.rotation.T + pose.centre_mm
    ray = corners - light.lamp_mm
    cast = corners - ray * (corners[:, 2:] / ray[:, 2:])
    outline = cv2.convexHull(camera.project(cast).astype(np.float32)).reshape(-1, 2)
    foot = corners.copy()
    foot[:, 2] = 0
    under = cv2.convexHull(camera.project(foot).astype(np.float32)).reshape(-1, 2)
    height_mm = float(pose.centre_mm[2] - DIE_MM / 2)
    soft_px = 1.3 + 0.08 * height_mm
    both = np.vstack([outline, under])
    margin = 4 * soft_px + 6
    x0, y0 = np.floor(both.min(axis=0) - margin).astype(int)
    x1, y1 = np.ceil(both.max(axis=0) + margin).astype(int)
    x0, y0 = max(0, x0), max(0, y0)
    x1, y1 = min(picture.shape[1], x1), min(picture.shape[0], y1)
    if x1 <= x0 or y1 <= y0:
        return
    dark = np.zeros((y1 - y0, x1 - x0), np.uint8)
    fixed = np.round((outline - (x0, y0)) * 16).astype(np.int32)
    cv2.fillConvexPoly(dark, fixed, 120, cv2.LINE_AA, 4)
    dark = _softened(dark, soft_px)
    close = np.zeros_like(dark)
    fixed = np.round((under - (x0, y0)) * 16).astype(np.int32)
    cv2.fillConvexPoly(close, fixed, int(95 / (1 + height_mm / 5)), cv2.LINE_AA, 4)
    close = _softened(close, 3.2 + 0.1 * height_mm)
    keep = cv2.multiply(255 - dark, 255 - close, scale=1 / 255)
    view = picture[y0:y1, x0:x1]
    view[...] = cv2.multiply(view, cv2.merge([keep, keep, keep]), scale=1 / 255)


def _softened(mask: Picture, spread_px: float) -> Picture:
    """About a Gaussian blur: a box filter twice, which costs the same however wide it is."""
    side = max(3, 2 * round(spread_px * 1.22) + 1)
    return np.asarray(cv2.blur(cv2.blur(mask, (side, side)), (side, side)), np.uint8)
