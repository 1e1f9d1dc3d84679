"""Rendered dice that lie flat or lean on something, as `vision.tracking.upright` shows them: to learn which is which.

python -m vision.training.leaning --out FILE.npz --first-seed N --scenes N [--crowds]
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tracking.camera import Camera
from vision.tracking.upright import CHANNELS, UPRIGHT_PX, upright
from vision.training.backgrounds import random_background
from vision.training.clutter import draw_hand, random_clutter
from vision.training.exposure import exposed
from vision.training.scenes import _Camera, _draw_die, _paste, _Pose, _shadow
from vision.training.styles import random_style

__all__ = ["Box", "Example", "against", "beside", "leaning_examples", "leaning_on", "overlap", "save"]

Rng = np.random.Generator
Array = NDArray[np.float64]
_SIZE = 352
_SIDE_PX = (13.0, 64.0)
_TILT = (11.0, 46.0)
"""How far a die leans, in degrees: below the first nobody would call it so, beyond the last another face is up."""
_ALONG_AN_EDGE = 0.65
_SEEN = 0.7


@dataclass
class Example:
    """One die: its maps (6, 48, 48), and by how much it leans; 0 when it lies flat."""

    maps: NDArray[np.uint8]
    tilt_deg: float


@dataclass
class Box:
    """A box that stands on the table or leans: centre (3,), axes in its columns (3, 3), half its sides (3,)."""

    centre: Array
    axes: Array
    half: Array

    def corners(self) -> Array:
        signs = np.array(list(product((-1, 1), repeat=3)), float)
        return self.centre + (signs * self.half) @ self.axes.T


def _turn(angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([(c, -s, 0), (s, c, 0), (0, 0, 1)])


def overlap(a: Box, b: Box) -> bool:
    """Separating axis test of two boxes (Gottschalk, Lin and Manocha, OBBTree, 1996)."""
    way = b.centre - a.centre
    if float(np.linalg.norm(way)) >= float(np.linalg.norm(a.half) + np.linalg.norm(b.half)):
        return False
    crossed = np.cross(a.axes.T[:, None], b.axes.T[None]).reshape(9, 3)
    axes = np.vstack([a.axes.T, b.axes.T, crossed])
    axes = axes[np.linalg.norm(axes, axis=1) > 1e-6]
    reach = np.abs(axes @ a.axes) @ a.half + np.abs(axes @ b.axes) @ b.half
    return bool((np.abs(axes @ way) < reach).all())


def _tilted(rng: Rng) -> tuple[Array, float, Array]:
    """Axes of a cube that leans, by how many degrees, and towards where (2,) its lower face looks."""
    tilt = np.radians(rng.uniform(*_TILT))
    yaw = rng.uniform(0, 2 * np.pi)
    about = yaw + np.pi / 2 * int(rng.integers(4)) + rng.normal(0, 0.06)
    if rng.random() > _ALONG_AN_EDGE:
        about = rng.uniform(0, 2 * np.pi)
    axis = np.array([np.cos(about), np.sin(about), 0.0])
    turn = np.asarray(cv2.Rodrigues(axis * tilt)[0], float)
    below = turn @ np.array([0, 0, -1.0])
    return turn @ _turn(yaw), float(np.degrees(tilt)), below[:2] / np.linalg.norm(below[:2])


def leaning_on(rng: Rng, support: Box) -> tuple[Box, float]:
    """A unit cube that leans on a support, one corner or edge on the table, and its tilt in degrees."""
    axes, tilt_deg, towards = _tilted(rng)
    height = float(np.abs(axes[2]).sum()) / 2
    across = np.array([-towards[1], towards[0]]) * rng.uniform(-0.45, 0.45)
    near, far = 0.0, 1.2 + float(np.abs(support.half[:2]).sum())
    for _ in range(12):
        middle = (near + far) / 2
        at = np.array([*(support.centre[:2] - towards * middle + across), height])
        if overlap(Box(at, axes, np.full(3, 0.5)), support):
            near = middle
        else:
            far = middle
    at = np.array([*(support.centre[:2] - towards * (far + abs(rng.normal(0, 0.01))) + across), height])
    return Box(at, axes, np.full(3, 0.5)), tilt_deg


def _flat(at: Array, yaw: float) -> Box:
    return Box(np.array([at[0], at[1], 0.5]), _turn(yaw), np.full(3, 0.5))


def beside(rng: Rng, box: Box) -> Box:
    """A flat die that touches a box or lies next to it."""
    yaw = float(np.arctan2(box.axes[1, 0], box.axes[0, 0]))
    yaw = yaw + rng.normal(0, 0.05) if rng.random() < 0.5 else rng.uniform(0, np.pi)
    way = rng.uniform(0, 2 * np.pi)
    direction = np.array([np.cos(way), np.sin(way), 0.0])
    gap = 0.02 if rng.random() < 0.6 else rng.uniform(0.02, 0.5)
    distance = 0.3
    while overlap(_flat(box.centre + direction * distance, yaw), box):
        distance += 0.03
    return _flat(box.centre + direction * (distance + gap), yaw)


def against(rng: Rng, crowd: Sequence[Box]) -> Box:
    """A flat die pushed against boxes from outside, then, as often as not, along them until it meets another of them.

    So it touches one, two or three of them with sides or corners, as dice do that rolled into one another.
    """
    target = crowd[int(rng.integers(len(crowd)))]
    yaw = float(np.arctan2(target.axes[1, 0], target.axes[0, 0]))
    yaw = yaw + rng.normal(0, 0.04) if rng.random() < 0.4 else rng.uniform(0, np.pi)
    way = rng.uniform(0, 2 * np.pi)
    inwards, along = -np.array([np.cos(way), np.sin(way), 0.0]), np.array([-np.sin(way), np.cos(way), 0.0])
    begin = _flat(target.centre - inwards * 8 + along * rng.uniform(-0.6, 0.6), yaw)
    box = _pushed(begin, inwards, 8.0, crowd)
    if rng.random() < 0.5:
        box = _pushed(box, along * (1 if rng.random() < 0.5 else -1), rng.uniform(0.2, 1.2), crowd)
    return box


def _pushed(box: Box, way: Array, farthest: float, crowd: Sequence[Box]) -> Box:
    """The box as far along a `way` (3,) of length one as others let it, and no farther than this."""
    step, gone = 0.25, 0.0

    def moved(by: float) -> Box:
        return Box(box.centre + way * by, box.axes, box.half)

    def free(by: float) -> bool:
        there = moved(by)
        return not any(overlap(there, each) for each in crowd)

    while gone < farthest and step > 0.004:
        if free(min(gone + step, farthest)):
            gone = min(gone + step, farthest)
        else:
            step /= 2
    return moved(gone)


def _placed(rng: Rng, camera: _Camera, *, crowds: bool) -> tuple[list[tuple[Box, float]], list[Box]]:
    """Dice of a scene, each with its tilt in degrees, and the stacks of cards that some lean on."""
    dice: list[tuple[Box, float]] = []
    stacks: list[Box] = []

    def free(box: Box) -> bool:
        return not any(overlap(box, other) for other in (*(each for each, _ in dice), *stacks))

    for _ in range(int(rng.integers(3, 9))):
        ground = camera.ground(rng.uniform(0.02, 0.98, 2) * _SIZE)
        if ground is None:
            continue
        if rng.random() < 0.22:
            half = np.array([rng.uniform(1.2, 2.6), rng.uniform(1.2, 2.6), rng.uniform(0.15, 0.6)])
            support = Box(np.array([ground[0], ground[1], half[2]]), _turn(rng.uniform(0, np.pi)), half)
            if not free(support):
                continue
            stacks.append(support)
        else:
            support = _flat(ground, rng.uniform(0, np.pi))
            if not free(support):
                continue
            dice.append((support, 0.0))
        group = [support]
        for _ in range(int(rng.integers(1, 5)) if crowds else int(rng.integers(0, 4))):
            if rng.random() < 0.55:
                box, tilt_deg = leaning_on(rng, support)
            elif crowds:
                box, tilt_deg = against(rng, group), 0.0
            else:
                box, tilt_deg = beside(rng, support), 0.0
            if free(box):
                dice.append((box, tilt_deg))
                group.append(box)
    return dice, stacks


def _draw_stack(rng: Rng, image: NDArray[np.float32], camera: _Camera, stack: Box) -> None:
    """A stack of cards: its cut edges, and the back of the uppermost with a frame on it."""
    paper = rng.uniform(90, 250) * np.array([1, 1, 1]) + rng.normal(0, 15, 3)
    back = rng.uniform(10, 250, 3)
    layers = int(rng.integers(4, 20))
    for layer in range(layers + 1):
        level = Box(stack.centre * (1, 1, 0), stack.axes, stack.half * (1, 1, 0))
        rim = level.corners()[[0, 2, 6, 4]] + (0, 0, 2 * stack.half[2] * layer / layers)
        pixels = np.round(camera.project(rim) * 16).astype(np.int32)
        colour = back if layer == layers else paper * (1.0 if layer % 2 else 0.8)
        cv2.fillConvexPoly(image, pixels, colour.clip(0, 255).tolist(), cv2.LINE_AA, 4)
    top = Box(stack.centre * (1, 1, 0), stack.axes, stack.half * (0.85, 0.85, 0)).corners()[[0, 2, 6, 4]]
    pixels = np.round(camera.project(top + np.array([0, 0, 2 * stack.half[2]])) * 16).astype(np.int32)
    cv2.polylines(image, [pixels], True, rng.uniform(10, 250, 3).tolist(), 2, cv2.LINE_AA, 4)


def _as_read(rng: Rng, corners: Array, *, leaning: bool) -> Array:
    """An upper face (4, 2) as readers outline it: a little off in place, size, turn and shape; now and then far off."""
    centre = corners.mean(axis=0)
    side = float(np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1).mean())
    rough = (2.5 if rng.random() < 0.08 else 1.0) * (1.4 if leaning else 1.0)
    turn = rng.normal(0, 0.03 * rough)
    c, s = np.cos(turn), np.sin(turn)
    scale = 1 + rng.normal(0.005, 0.045 * rough)
    out = (corners - centre) @ np.array([(c, s), (-s, c)]) * scale
    squeeze = np.eye(2) + rng.normal(0, 0.02 * rough, (2, 2))
    out = out @ squeeze + rng.normal(0, 0.012 * rough, (4, 2)) * side
    return np.asarray(centre + rng.normal(0, 0.025 * rough, 2) * side + out)


def _face_corners(box: Box, axis: int, sign: int) -> Array:
    u, v = (box.axes[:, other] for other in range(3) if other != axis)
    middle = box.centre + box.axes[:, axis] * sign / 2
    return np.array([middle + (a * u + b * v) / 2 for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])


def _outline(rng: Rng, box: Box, camera: _Camera, *, leaning: bool) -> Array:
    """The face that a reader takes for the upper one: of a die that leans it may be another that is well seen."""
    axis, sign = 2, 1
    if leaning and rng.random() < 0.2:
        ray = camera.eye - box.centre
        facing = (box.axes.T @ ray) / np.linalg.norm(ray)
        shown = [(other, int(np.sign(facing[other]))) for other in range(3) if abs(facing[other]) > 0.5]
        axis, sign = shown[int(rng.integers(len(shown)))] if shown else (2, 1)
    corners = camera.project(_face_corners(box, axis, sign))
    if cv2.contourArea(corners.astype(np.float32), oriented=True) < 0:
        corners = corners[::-1]
    return _as_read(rng, corners, leaning=leaning)


def leaning_examples(rng: Rng, *, crowds: bool = False) -> list[Example]:
    """The dice of one rendered scene that can be seen well, every chance taken from `rng`; in `crowds` most touch."""
    side_px = float(np.exp(rng.uniform(*np.log(_SIDE_PX))))
    tilt = np.radians(rng.uniform(0, 12) if rng.random() < 0.3 else rng.uniform(8, 36))
    camera = _Camera(rng, _SIZE, side_px, tilt)
    image = random_background(rng, _SIZE, None)
    if rng.random() < 0.3:
        for tile in random_clutter(rng, side_px, None):
            _paste(rng, image, tile, rng.uniform(0, 1, 2) * _SIZE, camera)
    dice, stacks = _placed(rng, camera, crowds=crowds)
    styles = [random_style(rng, 0.0) for _ in range(int(rng.integers(1, 2 if crowds else 5)))]
    poses = [
        _Pose(box.centre, box.axes, int(rng.integers(1, 7)), styles[int(rng.integers(len(styles)))], tilt_deg > 0)
        for box, tilt_deg in dice
    ]
    turn, height = rng.uniform(0, 2 * np.pi), rng.uniform(0.5, 2.5)
    light = np.array([np.cos(turn), np.sin(turn), height])
    light /= np.linalg.norm(light)
    depth, blur = rng.uniform(0.1, 0.65), max(0.6, side_px * rng.uniform(0.02, 0.2))
    for stack in stacks:
        _draw_stack(rng, image, camera, stack)
    for pose in poses:
        _shadow(image, camera, pose, light, depth, blur)
    owner = np.zeros((_SIZE, _SIZE), np.int16)
    order = sorted(range(len(dice)), key=lambda i: -camera.depth(poses[i].centre) - 0.5 * float(poses[i].centre[2]))
    drawn = {i: _draw_die(rng, image, owner, camera, poses[i], light, i + 1) for i in order}
    if rng.random() < 0.1:
        owner[draw_hand(rng, image, side_px)] = -1
    seen = exposed(rng, image, float(rng.uniform(0.2, 1.0)), side_px)
    outlines = {i: _outline(rng, box, camera, leaning=tilt_deg > 0) for i, (box, tilt_deg) in enumerate(dice)}
    placed = Camera(camera.rotation @ np.diag([1.0, -1, -1]), camera.shift, camera.focal, camera.origin)
    examples = []
    for i, (box, tilt_deg) in enumerate(dice):
        if drawn[i] is None or not _well_seen(owner, camera.project(_face_corners(box, 2, 1)), i + 1):
            continue
        around = [outlines[j] for j in outlines if j != i and _near(outlines[i], outlines[j])]
        around = [each for each in around if rng.random() < 0.95]
        maps = upright(seen, outlines[i], around, placed)
        if maps is not None:
            examples.append(Example(maps, tilt_deg))
    return examples


def _near(a: Array, b: Array) -> bool:
    side = float(np.linalg.norm(a - np.roll(a, 1, 0), axis=1).mean())
    return bool(np.linalg.norm(a.mean(axis=0) - b.mean(axis=0)) < 3 * side)


def _well_seen(owner: NDArray[np.int16], corners: Array, label: int) -> bool:
    if (corners < 2).any() or (corners > _SIZE - 3).any():
        return False
    mask = np.zeros(owner.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1)
    return float(((owner == label) & (mask > 0)).sum()) > _SEEN * float(mask.sum())


def save(path: Path, examples: Sequence[Example]) -> None:
    """Write examples: `maps` (n, 6, 48, 48) uint8 and `tilts_deg` (n,)."""
    maps = np.stack([each.maps for each in examples]) if examples else np.zeros((0, CHANNELS, UPRIGHT_PX, UPRIGHT_PX))
    np.savez(path, maps=maps.astype(np.uint8), tilts_deg=np.array([each.tilt_deg for each in examples], np.float32))


def main() -> None:
    parser = argparse.ArgumentParser(description="Render dice that lean and dice that lie flat.")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--scenes", type=int, default=500)
    parser.add_argument("--crowds", action="store_true", help="dice of one kind that touch one another")
    a = parser.parse_args()
    cv2.setNumThreads(1)
    found: list[Example] = []
    for seed in range(a.first_seed, a.first_seed + a.scenes):
        found += leaning_examples(np.random.default_rng(seed), crowds=a.crowds)
    save(a.out, found)
    print(f"{len(found)} dice, {sum(each.tilt_deg > 0 for each in found)} of them leaning")


if __name__ == "__main__":
    main()
