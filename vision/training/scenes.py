"""Rendered scenes: dice as rounded cubes under a pinhole camera, with clutter, light, blur, noise and compression."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.networks import OTHER_DIE
from vision.training.backgrounds import random_background
from vision.training.clutter import draw_hand, random_clutter
from vision.training.exposure import exposed
from vision.training.other_dice import facets, label_tile
from vision.training.styles import DieStyle, face_texture, pip_places, random_style

__all__ = ["RenderedDie", "Scene", "SceneLimits", "render_scene"]

Rng = np.random.Generator
Array = NDArray[np.float32]


@dataclass
class RenderedDie:
    """Truth of one die: value, corners (4, 2) of the top face clockwise, pips (value, 2), both in px.

    The value of a die that is not a pip die is OTHER_DIE, and it has no pips.
    """

    value: int
    corners: NDArray[np.float32]
    pips: NDArray[np.float32]
    visible: float
    pips_seen: bool
    cocked: bool
    upright: bool = True
    """False when a side face looks as large as the top and nothing tells which is up: nobody can know."""
    square: bool = True
    """False for solids that are no cubes: their corners only tell place and size."""

    @property
    def readable(self) -> bool:
        """Whether a careful person could tell the value."""
        return self.visible > 0.8 and self.pips_seen and not self.cocked and self.upright


@dataclass
class Scene:
    """One rendered image (size, size, 3) uint8 BGR with its dice, and the places of things that are no dice."""

    image: NDArray[np.uint8]
    dice: list[RenderedDie]
    decoys: list[tuple[float, float, float]] = field(default_factory=list)  # x, y, side in px


@dataclass
class SceneLimits:
    """Ranges that a sweep may narrow; the defaults are those of training."""

    side_px: tuple[float, float] = (9.0, 75.0)
    tilt_deg: tuple[float, float] | None = None
    dice: tuple[int, int] = (0, 14)
    clutter: float = 0.5
    clutter_kind: str | None = None
    hand: float = 0.12
    degrade: float = 1.0
    style: DieStyle | None = None
    values: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
    other: float = 0.1
    """Chance that a kind of dice in the scene has no pips."""
    stacked: float = 0.03
    cocked: float = 0.03


# Outward normal and the two edge directions of each face: top, bottom, then the four sides.
_FACES = np.array(
    [
        [(0, 0, 1), (1, 0, 0), (0, 1, 0)],
        [(0, 0, -1), (1, 0, 0), (0, -1, 0)],
        [(1, 0, 0), (0, 1, 0), (0, 0, 1)],
        [(-1, 0, 0), (0, -1, 0), (0, 0, 1)],
        [(0, 1, 0), (-1, 0, 0), (0, 0, 1)],
        [(0, -1, 0), (1, 0, 0), (0, 0, 1)],
    ],
    float,
)
_CUBE = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float) / 2
_BALL = np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if x or y or z], float)
_BALL /= np.linalg.norm(_BALL, axis=1, keepdims=True)


class _Camera:
    def __init__(self, rng: Rng, size: int, side_px: float, tilt: float) -> None:
        distance = float(np.exp(rng.uniform(np.log(max(7.0, 0.9 * size / side_px)), np.log(75))))
        roll = rng.uniform(-np.pi, np.pi) if tilt < np.radians(33) else rng.normal(0, 0.2)
        c, s = np.cos(tilt), np.sin(tilt)
        lean = np.array([(1, 0, 0), (0, c, s), (0, -s, c)])  # up on the table is up in the image
        turn = np.array([(np.cos(roll), -np.sin(roll), 0), (np.sin(roll), np.cos(roll), 0), (0, 0, 1)])
        # World z is up; an overhead camera looks down it: x right, y down the image, z away.
        self.rotation = turn @ lean @ np.diag([1.0, -1.0, -1.0])
        self.shift = np.array([0, 0, distance])
        self.focal = side_px * distance
        # No point of the image is seen more than about 37 degrees off the optical axis.
        reach = np.clip(0.75 * self.focal / size - 0.5, 0.0, 0.9)
        self.origin = (0.5 + rng.uniform(-reach, reach, 2)) * size
        self.eye = -self.rotation.T @ self.shift

    def project(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        seen = points @ self.rotation.T + self.shift
        return seen[:, :2] / np.maximum(seen[:, 2:], 1e-3) * self.focal + self.origin

    def depth(self, point: NDArray[np.float64]) -> float:
        return float((self.rotation @ point + self.shift)[2])

    def ground(self, pixel: NDArray[np.float64], height: float = 0.5) -> NDArray[np.float64] | None:
        """The point of the plane z = height seen at a pixel."""
        ray = self.rotation.T @ np.array([*((pixel - self.origin) / self.focal), 1.0])
        if ray[2] > -0.15 * np.linalg.norm(ray):
            return None
        return self.eye + ray * ((height - self.eye[2]) / ray[2])


@dataclass
class _Pose:
    centre: NDArray[np.float64]
    rotation: NDArray[np.float64]
    value: int
    style: DieStyle
    cocked: bool


def _yaw(angle: float) -> NDArray[np.float64]:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([(c, -s, 0), (s, c, 0), (0, 0, 1)])


def _poses(rng: Rng, camera: _Camera, size: int, limits: SceneLimits) -> list[_Pose]:
    count = int(rng.integers(limits.dice[0], limits.dice[1] + 1))
    other = limits.other * (6.0 if rng.random() < 0.08 else 0.5)  # more often a whole set than single ones
    styles = [limits.style or random_style(rng, other) for _ in range(int(rng.integers(1, 5)))]
    poses: list[_Pose] = []
    aligned = rng.random() < 0.1
    for _ in range(count * 3):
        if len(poses) >= count:
            break
        yaw = 0.0 if aligned else rng.uniform(0, 2 * np.pi)
        touching = poses and rng.random() < 0.25
        if touching:
            near = poses[int(rng.integers(len(poses)))]
            side = near.rotation @ np.array([*rng.permutation([rng.choice([-1, 1]), rng.uniform(-0.6, 0.6)]), 0])
            centre = near.centre + side * rng.uniform(1.005, 1.06)
            yaw = float(np.arctan2(near.rotation[1, 0], near.rotation[0, 0])) + rng.normal(0, 0.03)
        else:
            ground = camera.ground(rng.uniform(-0.04, 1.04, 2) * size)
            if ground is None:
                continue
            centre = ground
        centre = np.array([centre[0], centre[1], 0.5])
        gap = 0.999 if touching else 1.25
        if any(np.hypot(*(centre - p.centre)[:2]) < gap for p in poses):
            continue
        rotation, cocked = _yaw(yaw), False
        if rng.random() < limits.cocked:
            angle = rng.uniform(np.radians(16), np.radians(42))
            rotation = rotation @ np.array(
                [(1, 0, 0), (0, np.cos(angle), -np.sin(angle)), (0, np.sin(angle), np.cos(angle))]
            )
            centre[2] = 0.5 * (np.cos(angle) + np.sin(angle))
            cocked = True
        elif poses and rng.random() < limits.stacked:
            below = poses[int(rng.integers(len(poses)))]
            if not below.cocked and below.centre[2] < 1:
                centre = below.centre + np.array([rng.normal(0, 0.15), rng.normal(0, 0.15), 1.0])
        poses.append(
            _Pose(centre, rotation, int(rng.choice(limits.values)), styles[int(rng.integers(len(styles)))], cocked)
        )
    return poses


def _silhouette(points: NDArray[np.float64]) -> tuple[Array, NDArray[np.int_], NDArray[np.int_]]:
    """The outline (k, 2) around projected points, and the corners of a box with some room around it."""
    hull = cv2.convexHull(points.astype(np.float32)).reshape(-1, 2)
    return hull, np.floor(hull.min(0)).astype(int) - 2, np.ceil(hull.max(0)).astype(int) + 3


def _in_view(lo: NDArray[np.int_], hi: NDArray[np.int_], size: int) -> bool:
    """Whether a box shows in the picture and is not far larger than it."""
    return not ((hi < 2).any() or (lo > size - 2).any() or (hi - lo).max() > size * 1.5)


def _draw_die(
    rng: Rng,
    image: Array,
    owner: NDArray[np.int16],
    camera: _Camera,
    pose: _Pose,
    light: NDArray[np.float64],
    label: int,
) -> RenderedDie | None:
    size, style = image.shape[0], pose.style
    r = style.edge_radius * 0.8
    inner = _CUBE * (1 - 2 * r)
    cloud = (inner[:, None, :] + _BALL[None] * r).reshape(-1, 3) if r > 0.02 else _CUBE
    hull, lo, hi = _silhouette(camera.project(cloud @ pose.rotation.T + pose.centre))
    if not _in_view(lo, hi, size):
        return None
    corners_top = (
        pose.centre
        + np.array([(x, y, 0.5) for x, y in ((-0.5, 0.5), (0.5, 0.5), (0.5, -0.5), (-0.5, -0.5))]) @ pose.rotation.T
    )
    top = camera.project(corners_top)
    side_px = float(np.mean(np.linalg.norm(top - np.roll(top, 1, 0), axis=1)))
    ss = 2 if side_px < 60 else 1
    width, height = ((hi - lo) * ss).tolist()
    alpha = np.zeros((height, width), np.float32)
    cv2.fillConvexPoly(alpha, np.round((hull - lo) * ss * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
    shades = []
    for normal, _, _ in _FACES:
        world = pose.rotation @ normal
        shades.append(float(np.clip(0.55 + 0.55 * max(0.0, world @ light), 0.2, 1.15)))
    canvas = np.empty((height, width, 3), np.float32)
    canvas[:] = style.body * (0.35 * max(shades) + 0.65 * np.mean(shades))
    rest = [v for v in (1, 2, 3) if v not in (pose.value, 7 - pose.value)]
    rng.shuffle(rest)
    a, b = rest[0] if rng.random() < 0.5 else 7 - rest[0], rest[1] if rng.random() < 0.5 else 7 - rest[1]
    values = [pose.value, 7 - pose.value, a, 7 - a, b, 7 - b]
    texture = int(np.clip(side_px * ss * 1.25, 14, 170))
    pips = np.zeros((0, 2))
    for index, (normal, u, v) in enumerate(_FACES):
        centre = pose.centre + pose.rotation @ normal / 2
        turns = int(rng.integers(4))
        if index == 0:
            local = pip_places(pose.value, style)
            for _ in range(turns):  # np.rot90 turns counter-clockwise in image axes (x right, y down)
                local = np.column_stack([local[:, 1], -local[:, 0]])
            # texture x runs along u, texture y against v
            places = (
                pose.centre + (np.column_stack([local[:, 0], -local[:, 1], np.full(len(local), 0.5)])) @ pose.rotation.T
            )
            pips = camera.project(places)
        if (pose.rotation @ normal) @ (camera.eye - centre) <= 0:
            continue
        uu, vv = pose.rotation @ u / 2, pose.rotation @ v / 2
        quad = camera.project(np.array([centre - uu + vv, centre + uu + vv, centre + uu - vv, centre - uu - vv]))
        face = face_texture(values[index], turns, style, texture, shades[index], rng)
        frame = np.array([(0, 0), (texture, 0), (texture, texture), (0, texture)], np.float32)
        target = ((quad - lo) * ss).astype(np.float32)
        warped = cv2.warpPerspective(
            face, cv2.getPerspectiveTransform(frame, target), (width, height), flags=cv2.INTER_LINEAR
        )
        fa = warped[:, :, 3:]
        canvas = canvas * (1 - fa) + warped[:, :, :3] * fa
    if style.gloss and rng.random() < 0.6:  # light running along the rounded edges
        glow = cv2.GaussianBlur(alpha, (0, 0), max(1.0, side_px * ss * 0.06))
        canvas += ((1 - glow) * 255 * style.gloss * rng.uniform(0, 0.6))[:, :, None]
    _lay_in(image, owner, canvas, alpha, hull, lo, hi, style, side_px, label)
    value, pips = (OTHER_DIE, pips[:0]) if style.mark else (pose.value, pips)
    # Nobody can tell a blank face from one whose pips light has washed out.
    told = style.mark != "blank"
    return RenderedDie(
        value, top.astype(np.float32), pips.astype(np.float32), 1.0, told, pose.cocked, _upright(camera, pose)
    )


def _upright(camera: _Camera, pose: _Pose) -> bool:
    ray = camera.eye - pose.centre
    slant = np.arccos(np.clip(ray[2] / np.linalg.norm(ray), -1, 1))
    foot, head = camera.project(np.array([pose.centre, pose.centre + np.array([0, 0, 0.5])]))
    return bool(slant < np.radians(38) or (head - foot)[1] < -0.8 * np.linalg.norm(head - foot))


def _lay_in(
    image: Array,
    owner: NDArray[np.int16],
    canvas: Array,
    alpha: Array,
    hull: Array,
    lo: NDArray[np.int_],
    hi: NDArray[np.int_],
    style: DieStyle,
    side_px: float,
    label: int,
) -> None:
    """Blend a drawn die into the image, clear bodies letting the ground through, and note whose pixels they are."""
    size = image.shape[0]
    out = (hi - lo).tolist()
    if alpha.shape != (out[1], out[0]):
        canvas = np.asarray(cv2.resize(canvas, out, interpolation=cv2.INTER_AREA), np.float32)
        alpha = np.asarray(cv2.resize(alpha, out, interpolation=cv2.INTER_AREA), np.float32)
    x0, y0, x1, y1 = max(lo[0], 0), max(lo[1], 0), min(hi[0], size), min(hi[1], size)
    sub = (slice(y0 - lo[1], y1 - lo[1]), slice(x0 - lo[0], x1 - lo[0]))
    a3 = alpha[sub][:, :, None]
    canvas = canvas[sub]
    under = image[y0:y1, x0:x1]
    if style.translucent:
        through = cv2.GaussianBlur(under, (0, 0), max(1.0, side_px / 8)) * (style.body / 255)
        clear = style.translucent * 0.6
        body_like = np.clip(1 - np.abs(canvas - style.body).mean(axis=2, keepdims=True) / 60, 0.15, 1)
        canvas = canvas * (1 - clear * body_like) + (through + 25) * clear * body_like
    image[y0:y1, x0:x1] = under * (1 - a3) + np.clip(canvas, 0, 255) * a3
    cv2.fillConvexPoly(owner, np.round(hull).astype(np.int32), label)


def _draw_solid(
    rng: Rng,
    image: Array,
    owner: NDArray[np.int16],
    camera: _Camera,
    pose: _Pose,
    light: NDArray[np.float64],
    label: int,
) -> RenderedDie | None:
    """A polyhedron lying on one of its facets, a numeral on every other."""
    size, style = image.shape[0], pose.style
    solid = facets(style.shape or "d20")
    below = solid[int(rng.integers(len(solid)))].normal
    axis = np.cross(below, (0, 0, -1.0))
    sine, cosine = np.linalg.norm(axis), -below[2]
    axis = axis / sine * np.arctan2(sine, cosine) if sine > 1e-6 else np.array([np.pi if cosine < 0 else 0.0, 0, 0])
    turn = pose.rotation @ np.asarray(cv2.Rodrigues(axis)[0], float)
    reach = rng.uniform(0.6, 0.85)
    corners = [f.corners @ turn.T * reach for f in solid]
    lift = -min(c[:, 2].min() for c in corners)
    at = np.array([pose.centre[0], pose.centre[1], lift])
    hull, lo, hi = _silhouette(camera.project(np.vstack(corners) + at))
    if not _in_view(lo, hi, size):
        return None
    width, height = ((hi - lo) * 2).tolist()
    alpha = np.zeros((height, width), np.float32)
    cv2.fillConvexPoly(alpha, np.round((hull - lo) * 2 * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
    canvas = np.empty((height, width, 3), np.float32)
    canvas[:] = style.body * 0.6
    for number, (facet, points) in enumerate(zip(solid, corners, strict=True), 1):
        normal, middle = turn @ facet.normal, points.mean(axis=0) + at
        if normal @ (camera.eye - middle) <= 0:
            continue
        shade = float(np.clip(0.5 + 0.6 * max(0.0, normal @ light), 0.2, 1.15))
        polygon = np.round((camera.project(points + at) - lo) * 2 * 16).astype(np.int32)
        cv2.fillConvexPoly(canvas, polygon, (style.body * shade).tolist(), cv2.LINE_AA, 4)
        inner = min(np.linalg.norm((points[k] + points[k - 1]) / 2 - points.mean(axis=0)) for k in range(len(points)))
        u = (points[0] - points.mean(axis=0)) / np.linalg.norm(points[0] - points.mean(axis=0)) * inner * 0.75
        v = np.cross(u, normal)
        quad = camera.project(np.array([middle + u - v, middle + u + v, middle - u + v, middle - u - v]))
        tile = label_tile(str(number), style.pip * shade, rng)
        frame = np.array([(0, 0), (64, 0), (64, 64), (0, 64)], np.float32)
        matrix = cv2.getPerspectiveTransform(frame, ((quad - lo) * 2).astype(np.float32))
        warped = cv2.warpPerspective(tile, matrix, (width, height), flags=cv2.INTER_AREA)
        canvas = canvas * (1 - warped[:, :, 3:]) + warped[:, :, :3] * warped[:, :, 3:]
    canvas = np.asarray(cv2.GaussianBlur(canvas, (0, 0), 1.0), np.float32)
    side_px = float(0.75 * np.sqrt(cv2.contourArea(hull) * 4 / np.pi))
    _lay_in(image, owner, canvas, alpha, hull, lo, hi, style, side_px, label)
    half = side_px / 2
    square = hull.mean(axis=0) + np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    return RenderedDie(
        OTHER_DIE, square.astype(np.float32), np.zeros((0, 2), np.float32), 1.0, True, False, True, square=False
    )


def _shadow(image: Array, camera: _Camera, pose: _Pose, light: NDArray[np.float64], depth: float, blur: float) -> None:
    cube = _CUBE @ pose.rotation.T + pose.centre
    ground = cube - light * (cube[:, 2:] / max(light[2], 0.35))
    hull = cv2.convexHull(camera.project(ground).astype(np.float32))
    if not np.isfinite(hull).all() or np.abs(hull).max() > 4 * image.shape[0]:
        return
    x0, y0 = np.maximum(np.floor(hull.min((0, 1)) - 3 * blur).astype(int), 0)
    x1, y1 = np.minimum(np.ceil(hull.max((0, 1)) + 3 * blur).astype(int), image.shape[0])
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    mask = np.zeros((y1 - y0, x1 - x0), np.float32)
    cv2.fillConvexPoly(mask, np.round((hull.reshape(-1, 2) - (x0, y0)) * 16).astype(np.int32), depth, cv2.LINE_AA, 4)
    image[y0:y1, x0:x1] *= 1 - cv2.GaussianBlur(mask, (0, 0), blur)[:, :, None]


def _paste(rng: Rng, image: Array, tile: Array, at: NDArray[np.float64], camera: _Camera) -> None:
    """A flat thing, turned at will and foreshortened like the table."""
    size = image.shape[0]
    ground = camera.ground(at, 0.0)
    if ground is None:
        return
    unit = camera.focal / max(camera.depth(ground), 1e-3)
    half = np.array([tile.shape[1], tile.shape[0]]) / unit / 2
    turn = _yaw(rng.uniform(0, 2 * np.pi))
    quad = camera.project(
        np.array(
            [turn @ np.array([x * half[0], y * half[1], 0]) + ground for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
        )
    )
    if not np.isfinite(quad).all() or np.abs(quad).max() > 4 * size:
        return
    frame = np.array([(0, 0), (tile.shape[1], 0), (tile.shape[1], tile.shape[0]), (0, tile.shape[0])], np.float32)
    lo = np.maximum(np.floor(quad.min(0)).astype(int) - 6, 0)
    hi = np.minimum(np.ceil(quad.max(0)).astype(int) + 6, size)
    if (hi - lo < 4).any():
        return
    homography = cv2.getPerspectiveTransform(frame, (quad - lo).astype(np.float32))
    warped = cv2.warpPerspective(tile, homography, (hi - lo).tolist(), flags=cv2.INTER_LINEAR)
    shade = cv2.GaussianBlur(np.roll(warped[:, :, 3], (2, 2), (0, 1)), (0, 0), 2)[:, :, None]
    part = image[lo[1] : hi[1], lo[0] : hi[0]]
    part *= 1 - 0.35 * shade * (1 - warped[:, :, 3:])
    part[:] = part * (1 - warped[:, :, 3:]) + np.clip(warped[:, :, :3], 0, 255) * warped[:, :, 3:]


def _tilt(rng: Rng) -> float:
    u = rng.random()
    if u < 0.5:
        return float(rng.uniform(0, 15))
    return float(rng.uniform(15, 40) if u < 0.85 else rng.uniform(40, 58))


def render_scene(
    rng: Rng, size: int = 448, limits: SceneLimits | None = None, photographs: list[NDArray[np.uint8]] | None = None
) -> Scene:
    """One scene of `size` x `size` px, every chance taken from `rng`, so that a seed gives the same scene again."""
    limits = limits or SceneLimits()
    side_px = float(np.exp(rng.uniform(*np.log(limits.side_px))))
    tilt = np.radians(rng.uniform(*limits.tilt_deg) if limits.tilt_deg else _tilt(rng))
    camera = _Camera(rng, size, side_px, tilt)
    image = random_background(rng, size, photographs)
    decoys: list[tuple[float, float, float]] = []
    if rng.random() < limits.clutter:
        for tile in random_clutter(rng, side_px, limits.clutter_kind):
            at = rng.uniform(0, 1, 2) * size
            _paste(rng, image, tile, at, camera)
            decoys.append((float(at[0]), float(at[1]), side_px))
    poses = _poses(rng, camera, size, limits)
    poses.sort(key=lambda pose: -camera.depth(pose.centre) - 0.5 * pose.centre[2])
    turn, height = rng.uniform(0, 2 * np.pi), rng.uniform(0.5, 2.5)
    light = np.array([np.cos(turn), np.sin(turn), height])
    light /= np.linalg.norm(light)
    depth, blur = rng.uniform(0.1, 0.65), max(0.6, side_px * rng.uniform(0.02, 0.2))
    for pose in poses:
        _shadow(image, camera, pose, light, depth, blur)
    owner = np.zeros((size, size), np.int16)
    dice: list[tuple[int, RenderedDie]] = []
    for label, pose in enumerate(poses, 1):
        draw = _draw_solid if pose.style.shape else _draw_die
        die = draw(rng, image, owner, camera, pose, light, label)
        if die is not None:
            dice.append((label, die))
    if rng.random() < limits.hand:
        owner[draw_hand(rng, image, side_px)] = -1
    kept = []
    for label, die in dice:
        mask = np.zeros((size, size), np.uint8)
        cv2.fillConvexPoly(mask, np.round(die.corners).astype(np.int32), 1)
        quad = die.corners.astype(np.float64)
        area = abs(cv2.contourArea(die.corners))
        die.visible = float(((owner == label) & (mask > 0)).sum() / max(area, 1.0))
        at = np.round(die.pips).astype(int)
        inside = ((at >= 0) & (at < size)).all(axis=1)
        die.pips_seen = bool(die.pips_seen and inside.all() and all(owner[y, x] == label for x, y in at))
        if die.visible < 0.08 or area < 12 or not np.isfinite(quad).all():
            continue
        kept.append(die)
    return Scene(exposed(rng, image, limits.degrade, side_px), kept, decoys)
