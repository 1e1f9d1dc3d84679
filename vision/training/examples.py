"""From scenes to what a network sees and should answer: crops for the finder, patches for those that read faces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.patches import cut_patch
from vision.quads import quad_code
from vision.training.data import load_shard

__all__ = [
    "CROP_PX",
    "SIDE_UNIT_PX",
    "STRIDE_PX",
    "FaceExample",
    "FinderExample",
    "face_examples",
    "finder_example",
    "scenes_forever",
]

Rng = np.random.Generator
CROP_PX = 320
STRIDE_PX = 4
SIDE_UNIT_PX = 24.0
_SMALL_FRAMES = 0.12
"""Share of finder examples that show a small picture which one or two large dice fill."""
_SHRUNK = 0.5


@dataclass
class FinderExample:
    """`image` (320, 320, 3) uint8 BGR and `target` (6, 80, 80): heat, weight of the heat, log side, offsets in cells
    (x, y), weight of sides and offsets."""

    image: NDArray[np.uint8]
    target: NDArray[np.float32]


@dataclass
class FaceExample:
    """`patch` (n, n, 3) uint8 BGR; `kind` 0 no readable face, 1 to 6, 7 not a pip die; `code` (7,) of the outline with
    its `code_weight`; `pips` (n / 2, n / 2) the heat of pip centres with its `pips_weight`."""

    patch: NDArray[np.uint8]
    kind: int
    code: NDArray[np.float32]
    code_weight: float
    pips: NDArray[np.float32]
    pips_weight: float


@dataclass
class _Die:
    """One entry of a scene's dice; see training.scenes.RenderedDie. `sure` is False where only the value is known."""

    value: int
    corners: NDArray[np.float32]
    pips: NDArray[np.float32]
    visible: float
    pips_seen: bool
    cocked: bool
    upright: bool
    square: bool
    sure: bool

    @property
    def side(self) -> float:
        return float(np.mean(np.linalg.norm(self.corners - np.roll(self.corners, 1, 0), axis=1)))


def _dice(scene: dict[str, Any]) -> list[_Die]:
    rough = scene.get("rough") or [False] * len(scene["dice"])
    return [_Die(*die, sure=not unsure) for die, unsure in zip(scene["dice"], rough, strict=True)]


def _picture(scene: dict[str, Any]) -> NDArray[np.uint8]:
    return np.asarray(cv2.imdecode(np.frombuffer(scene["png"], np.uint8), cv2.IMREAD_COLOR), np.uint8)


def scenes_forever(
    folders: list[Path], rng: Rng, photographs: list[Path] | None = None, share: float = 0.0
) -> Iterator[dict[str, Any]]:
    """Scenes of all shards in random order without end, a share of them made of photographs."""
    rendered = _scenes_of(folders, rng)
    real = _scenes_of(photographs, rng) if photographs else rendered
    while True:
        yield next(real if rng.random() < share else rendered)


def _scenes_of(folders: list[Path], rng: Rng) -> Iterator[dict[str, Any]]:
    while True:
        paths = sorted(path for folder in folders for path in folder.glob("*.pkl"))
        rng.shuffle(paths)  # type: ignore[arg-type]
        for at in range(0, len(paths), 4):
            pool = [scene for path in paths[at : at + 4] for scene in load_shard(path)]
            rng.shuffle(pool)  # type: ignore[arg-type]
            yield from pool


def _tint(rng: Rng, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    if rng.random() < 0.5:
        return image
    gain = np.exp(rng.normal(0, 0.12)) * (1 + rng.normal(0, 0.06, 3))
    return np.clip(image * gain + rng.normal(0, 8), 0, 255).astype(np.uint8)


def _window(
    scene: dict[str, Any], dice: list[_Die], image: NDArray[np.uint8], rng: Rng
) -> tuple[NDArray[np.uint8], float, int, int, tuple[int, int]]:
    """The crop, its zoom, its left and top in px of the zoomed scene, and how much of it (width, height) is scene.

    Now and then the scene is shrunk, or the window is small and closely around a large die, and its border repeated:
    so a small picture filled by one die looks at the coarse levels of the finder's pyramid.
    """
    large = [die for die in dice if die.side > 34 and die.visible > 0.9]
    size = image.shape[0]
    if large and rng.random() < _SMALL_FRAMES:
        die = large[int(rng.integers(len(large)))]
        low, high = die.corners.min(axis=0), die.corners.max(axis=0)
        margin = rng.uniform(0.08, 1.1, 4) * die.side
        x0, y0 = (int(v) for v in np.clip(low - margin[:2], 0, size - 1))
        x1, y1 = (int(v) for v in np.clip(high + margin[2:], 1, size))
        part = image[y0:y1, x0:x1][:CROP_PX, :CROP_PX]
        height, width = part.shape[:2]
        crop = cv2.copyMakeBorder(part, 0, CROP_PX - height, 0, CROP_PX - width, cv2.BORDER_REPLICATE)
        return np.asarray(crop, np.uint8), 1.0, x0, y0, (width, height)
    zoom = 1.0
    if rng.random() < _SHRUNK:
        zoom = float(rng.uniform(CROP_PX / size, 1.0))
        side_px = max(CROP_PX, round(size * zoom))
        zoom = side_px / size
        image = np.asarray(cv2.resize(image, (side_px, side_px), interpolation=cv2.INTER_AREA), np.uint8)
    x0, y0 = (int(v) for v in rng.integers(0, image.shape[0] - CROP_PX + 1, 2))
    return image[y0 : y0 + CROP_PX, x0 : x0 + CROP_PX], zoom, x0, y0, (CROP_PX, CROP_PX)


def finder_example(scene: dict[str, Any], rng: Rng) -> FinderExample:
    """A part of a scene and where the top faces are in it."""
    dice = _dice(scene)
    crop, zoom, x0, y0, (width, height) = _window(scene, dice, _picture(scene), rng)
    flip = rng.random() < 0.5
    if flip:
        crop = crop[:, ::-1]
    cells = CROP_PX // STRIDE_PX
    target = np.zeros((6, cells, cells), np.float32)
    target[1] = 1
    yy, xx = np.mgrid[0:cells, 0:cells].astype(np.float32)
    for die in dice:
        corners = (die.corners + 0.5) * zoom - 0.5 - (x0, y0)
        cut = (corners.min(axis=0) < -2).any() or (corners.max(axis=0) > (width + 1, height + 1)).any()
        if flip:
            corners[:, 0] = CROP_PX - 1 - corners[:, 0]
        side = die.side * zoom
        cx, cy = corners.mean(axis=0) / STRIDE_PX - 0.375  # centre of cell 0 is at pixel 1.5
        inside = -0.5 < cx < cells - 0.5 and -0.5 < cy < cells - 0.5
        near = (xx - cx) ** 2 + (yy - cy) ** 2
        unknown = (cut and width < CROP_PX) or side < 5.5
        if not inside or die.visible < 0.5 or not die.upright or not die.sure or unknown:
            target[1][near < (0.7 * side / STRIDE_PX) ** 2] = 0
            continue
        sigma = max(0.75, 0.09 * side / STRIDE_PX)
        heat = np.exp(-near / (2 * sigma**2))
        ix, iy = min(max(round(float(cx)), 0), cells - 1), min(max(round(float(cy)), 0), cells - 1)
        heat[iy, ix] = 1
        np.maximum(target[0], heat, out=target[0])
        close = near < max(1.6, (0.12 * side / STRIDE_PX) ** 2)
        target[2][close] = np.log(side / SIDE_UNIT_PX)
        target[3][close] = (cx - xx)[close]
        target[4][close] = (cy - yy)[close]
        target[5][close] = 1
    for box in scene.get("ignore", ()):
        left, top, right, bottom = (np.array(box) * zoom - (x0, y0, x0, y0)).tolist()
        if flip:
            left, right = CROP_PX - 1 - right, CROP_PX - 1 - left
        target[1][
            max(0, int(top / STRIDE_PX)) : max(0, int(bottom / STRIDE_PX) + 1),
            max(0, int(left / STRIDE_PX)) : max(0, int(right / STRIDE_PX) + 1),
        ] = 0
    return FinderExample(np.ascontiguousarray(_tint(rng, crop)), target)


def _pip_heat(points: NDArray[np.floating], size: int) -> NDArray[np.float32]:
    yy, xx = np.mgrid[0:size, 0:size].astype(np.float32)
    heat = np.zeros((size, size), np.float32)
    for x, y in points:
        cx, cy = x / 2 - 0.5, y / 2 - 0.5
        np.maximum(heat, np.exp(-((xx - cx) ** 2 + (yy - cy) ** 2) / (2 * 0.85**2)), out=heat)
    return heat


def face_examples(scene: dict[str, Any], rng: Rng, patch_px: int) -> list[FaceExample]:
    """Patches of a scene: its dice, and places that are none."""
    image, dice = _picture(scene), _dice(scene)
    examples = [example for die in dice if (example := _of_die(image, die, rng, patch_px)) is not None]
    nothing = np.zeros(7, np.float32), 0.0, np.zeros((patch_px // 2, patch_px // 2), np.float32), 1.0
    size = image.shape[0]
    for centre, side in _wrong_places(scene, dice, size, rng):
        if not ((centre > 0) & (centre < size)).all():
            continue
        near = [(np.hypot(*(centre - die.corners.mean(axis=0))) / die.side, side / die.side) for die in dice]
        if any(apart < 0.5 and 0.5 < larger < 2 for apart, larger in near):
            continue
        patch, _ = cut_patch(image, (float(centre[0]), float(centre[1])), side, patch_px)
        examples.append(FaceExample(_tint(rng, patch), 0, *nothing))
    return examples


def _of_die(image: NDArray[np.uint8], die: _Die, rng: Rng, patch_px: int) -> FaceExample | None:
    """The patch of a die, a little off as proposals are; None when nobody can say what it should be read as."""
    size = image.shape[0]
    centre, side = die.corners.mean(axis=0), die.side
    if not ((centre > -side * 0.3) & (centre < size + side * 0.3)).all() or not die.upright:
        return None
    readable = die.visible > 0.8 and die.pips_seen and not die.cocked
    if not readable and die.pips_seen and die.visible > 0.6 and not die.cocked:
        return None  # neither clearly readable nor clearly not
    if die.cocked and die.visible > 0.8 and rng.random() < 0.5:
        return None
    if rng.random() < 0.06:  # a small picture that the die fills: what lies outside is its border repeated
        low, high = die.corners.min(axis=0), die.corners.max(axis=0)
        margin = rng.uniform(0.06, 0.5, 4) * side
        x0, y0 = (int(v) for v in np.clip(low - margin[:2], 0, size - 8))
        x1, y1 = (int(v) for v in np.clip(high + margin[2:], 8, size))
        shift = np.array([x0, y0], np.float32)
        image = image[y0:y1, x0:x1]
        die = _Die(**{**vars(die), "corners": die.corners - shift, "pips": die.pips - shift})
        centre = die.corners.mean(axis=0)
        if not ((centre > 2) & (centre < np.array(image.shape[1::-1]) - 2)).all():
            return None
    zoom = float(np.exp(rng.normal(0, 0.12)))
    at = centre + rng.normal(0, 0.075, 2) * side
    patch, (px, py, scale) = cut_patch(image, (float(at[0]), float(at[1])), side * zoom, patch_px)
    corners = (die.corners - (px, py) + 0.5) / scale  # 0..patch_px from edge to edge of the patch
    pips = (die.pips - (px, py) + 0.5) / scale
    if rng.random() < 0.5:  # mirrored left to right
        patch = np.ascontiguousarray(patch[:, ::-1])
        corners, pips = corners * (-1, 1) + (patch_px, 0), pips * (-1, 1) + (patch_px, 0)
    kind = die.value if readable else 0
    heat = _pip_heat(pips if die.pips_seen else pips[:0], patch_px // 2)
    known = die.pips_seen and not die.cocked and die.sure
    code = quad_code((corners - patch_px / 2) / (patch_px / 2)).astype(np.float32)
    return FaceExample(_tint(rng, patch), kind, code, float(known and die.square), heat, float(known or kind in (0, 7)))


def _wrong_places(
    scene: dict[str, Any], dice: list[_Die], size: int, rng: Rng
) -> list[tuple[NDArray[np.floating], float]]:
    """Centres and sides of what is no die, or not one: decoys, chance places, beside dice, parts and heaps of them."""
    wrong: list[tuple[NDArray[np.floating], float]] = []
    spread = 0.08 if scene.get("mined") else 0.3
    for x, y, side in scene["decoys"]:
        wrong.append((np.array([x, y]) + rng.normal(0, spread, 2) * side, side * float(np.exp(rng.normal(0, spread)))))
    wrong += [(rng.uniform(0, size, 2), float(np.exp(rng.uniform(np.log(9), np.log(75))))) for _ in range(2)]
    for die in dice:
        centre, side = die.corners.mean(axis=0), die.side
        if rng.random() < 0.4:  # beside a die: its side faces, its shadow, two dice at once
            turn = rng.uniform(0, 2 * np.pi)
            reach = rng.uniform(0.6, 1.3) * side
            wrong.append((centre + reach * np.array([np.cos(turn), np.sin(turn)]), side * rng.uniform(0.7, 1.4)))
        if rng.random() < 0.1:  # a corner of a large die taken for a small one, several dice taken for one
            wrong.append((centre + rng.normal(0, 0.3, 2) * side, side * float(rng.choice([0.35, 2.6]))))
    return wrong
