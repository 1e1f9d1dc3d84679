"""Train a network: python -m vision.training.train finder|faces --data DIR [--photographs DIR] --out CHECKPOINT.

Twice: first on rendered scenes, then, from that checkpoint, with scenes made of photographs mixed in.

Seeds are fixed; the same data, steps and number of threads give the same weights up to the order of summation.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from vision.patches import PATCH_PX, cut_patch
from vision.quads import quad_code
from vision.training.data import load_shard
from vision.training.networks import FaceNet, FinderNet

__all__ = ["main"]

Rng = np.random.Generator
CROP_PX = 320
STRIDE = 4
SIDE_UNIT_PX = 24.0


def to_input(images: list[NDArray[np.uint8]]) -> Tensor:
    """(N, 3, H, W) float: (BGR - 127.5) / 64, as the readers feed it."""
    array = np.stack(images).astype(np.float32).transpose(0, 3, 1, 2)
    return torch.from_numpy((array - 127.5) / 64)


def scenes_forever(
    folder: Path, rng: Rng, photographs: Path | None = None, share: float = 0.0
) -> Iterator[dict[str, Any]]:
    """Scenes in random order without end, a share of them made of photographs."""
    rendered = _scenes_of(folder, rng)
    real = _scenes_of(photographs, rng) if photographs else rendered
    while True:
        yield next(real if rng.random() < share else rendered)


def _scenes_of(folder: Path, rng: Rng) -> Iterator[dict[str, Any]]:
    while True:
        paths = sorted(folder.glob("*.pkl"))
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


# ---------------------------------------------------------------- finder


def finder_example(scene: dict[str, Any], rng: Rng) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """A crop and its targets (6, h, w): heat, weight of the heat, log side, offsets, weight of the sizes."""
    image = cv2.imdecode(np.frombuffer(scene["png"], np.uint8), cv2.IMREAD_COLOR)
    size = image.shape[0]
    x0, y0 = (int(v) for v in rng.integers(0, size - CROP_PX + 1, 2))
    crop = image[y0 : y0 + CROP_PX, x0 : x0 + CROP_PX]
    flip = rng.random() < 0.5
    if flip:
        crop = crop[:, ::-1]
    cells = CROP_PX // STRIDE
    target = np.zeros((6, cells, cells), np.float32)
    target[1] = 1
    yy, xx = np.mgrid[0:cells, 0:cells].astype(np.float32)
    rough = scene.get("rough") or [False] * len(scene["dice"])
    for (_value, corners, _pips, visible, _seen, _cocked, upright), unsure in zip(scene["dice"], rough, strict=True):
        corners = corners - (x0, y0)
        if flip:
            corners[:, 0] = CROP_PX - 1 - corners[:, 0]
        side = float(np.mean(np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1)))
        cx, cy = corners.mean(axis=0) / STRIDE - 0.375  # centre of cell 0 is at pixel 1.5
        inside = -0.5 < cx < cells - 0.5 and -0.5 < cy < cells - 0.5
        near = (xx - cx) ** 2 + (yy - cy) ** 2
        if not inside or visible < 0.5 or not upright or unsure:
            target[1][near < (0.7 * side / STRIDE) ** 2] = 0
            continue
        sigma = max(0.75, 0.09 * side / STRIDE)
        heat = np.exp(-near / (2 * sigma**2))
        ix, iy = min(max(round(float(cx)), 0), cells - 1), min(max(round(float(cy)), 0), cells - 1)
        heat[iy, ix] = 1
        np.maximum(target[0], heat, out=target[0])
        close = near < max(1.6, (0.12 * side / STRIDE) ** 2)
        target[2][close] = np.log(side / SIDE_UNIT_PX)
        target[3][close] = (cx - xx)[close]
        target[4][close] = (cy - yy)[close]
        target[5][close] = 1
    for bx0, by0, bx1, by1 in scene.get("ignore", ()):
        left, right = sorted(((CROP_PX - 1 - (b - x0)) if flip else b - x0) for b in (bx0, bx1))
        target[1][
            max(0, int((by0 - y0) / STRIDE)) : max(0, int((by1 - y0) / STRIDE) + 1),
            max(0, int(left / STRIDE)) : max(0, int(right / STRIDE) + 1),
        ] = 0
    return np.ascontiguousarray(_tint(rng, crop)), target


def finder_loss(out: Tensor, target: Tensor) -> tuple[Tensor, dict[str, float]]:
    logit, heat, weight = out[:, 0], target[:, 0], target[:, 1]
    p = torch.sigmoid(logit).clamp(1e-4, 1 - 1e-4)
    hit = (heat >= 0.999).float()
    gain = -(hit * (1 - p) ** 2 * torch.log(p) + (1 - hit) * (1 - heat) ** 4 * p**2 * torch.log(1 - p))
    count = hit.sum().clamp(min=1)
    centre = (gain * torch.maximum(weight, hit)).sum() / count
    mask = target[:, 5]
    cells = mask.sum().clamp(min=1)
    size = (F.smooth_l1_loss(out[:, 1], target[:, 2], beta=0.1, reduction="none") * mask).sum() / cells
    offset = (F.smooth_l1_loss(out[:, 2:4], target[:, 3:5], beta=0.5, reduction="none").sum(1) * mask).sum() / cells
    return centre + size + 0.2 * offset, {"centre": float(centre), "size": float(size), "offset": float(offset)}


# ---------------------------------------------------------------- faces

FaceExample = tuple[NDArray[np.uint8], int, NDArray[np.float32], NDArray[np.float32], float]
MAP_PX = PATCH_PX // 2


def _pip_map(points: NDArray[np.floating]) -> NDArray[np.float32]:
    yy, xx = np.mgrid[0:MAP_PX, 0:MAP_PX].astype(np.float32)
    heat = np.zeros((MAP_PX, MAP_PX), np.float32)
    for x, y in points:
        cx, cy = x / 2 - 0.5, y / 2 - 0.5
        np.maximum(heat, np.exp(-((xx - cx) ** 2 + (yy - cy) ** 2) / (2 * 0.85**2)), out=heat)
    return heat


_NO_CODE = np.zeros(7, np.float32)
_NO_MAP = np.zeros((MAP_PX, MAP_PX), np.float32)


def face_examples(scene: dict[str, Any], rng: Rng) -> list[FaceExample]:
    """Patches of a scene: (patch, class, code, pip map, weight of code and map)."""
    image = cv2.imdecode(np.frombuffer(scene["png"], np.uint8), cv2.IMREAD_COLOR)
    size = image.shape[0]
    examples: list[FaceExample] = []
    centres, sides = [], []
    rough = scene.get("rough") or [False] * len(scene["dice"])
    for (value, corners, pips, visible, seen, cocked, upright), only_value in zip(scene["dice"], rough, strict=True):
        centre = corners.mean(axis=0)
        side = float(np.mean(np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1)))
        centres.append(centre)
        sides.append(side)
        if not ((centre > -side * 0.3) & (centre < size + side * 0.3)).all() or not upright:
            continue
        readable = visible > 0.8 and seen and not cocked
        if not readable and seen and visible > 0.6 and not cocked:
            continue  # neither clearly readable nor clearly not
        if cocked and visible > 0.8 and rng.random() < 0.5:
            continue
        jitter = rng.normal(0, 0.075, 2) * side
        zoom = float(np.exp(rng.normal(0, 0.12)))
        patch, (px, py, scale) = cut_patch(image, tuple(centre + jitter), side * zoom)
        local = (corners - (px, py) + 0.5) / scale  # 0..64 from edge to edge of the patch
        code = quad_code((local - PATCH_PX / 2) / (PATCH_PX / 2)).astype(np.float32)
        heat = _pip_map((pips - (px, py) + 0.5) / scale) if seen else _NO_MAP
        kind = value if readable else 0
        weight = 1.0 if seen and not cocked and not only_value else 0.0
        if rng.random() < 0.5:  # mirrored left to right
            patch = np.ascontiguousarray(patch[:, ::-1])
            mirrored = local.copy()
            mirrored[:, 0] = PATCH_PX - mirrored[:, 0]
            code = quad_code((mirrored - PATCH_PX / 2) / (PATCH_PX / 2)).astype(np.float32)
            heat = np.ascontiguousarray(heat[:, ::-1])
        examples.append((_tint(rng, patch), kind, code, heat, weight))
    wrong: list[tuple[NDArray[np.floating], float]] = []
    for x, y, side in scene["decoys"]:
        spread = 0.08 if scene.get("mined") else 0.3
        wrong.append((np.array([x, y]) + rng.normal(0, spread, 2) * side, side * float(np.exp(rng.normal(0, spread)))))
    wrong += [(rng.uniform(0, size, 2), float(np.exp(rng.uniform(np.log(9), np.log(75))))) for _ in range(2)]
    for centre, side in zip(centres, sides, strict=True):
        if rng.random() < 0.4:  # beside a die: its side faces, its shadow, two dice at once
            turn = rng.uniform(0, 2 * np.pi)
            reach = rng.uniform(0.6, 1.3) * side
            wrong.append((centre + reach * np.array([np.cos(turn), np.sin(turn)]), side * rng.uniform(0.7, 1.4)))
        if rng.random() < 0.1:  # a corner of a large die taken for a small one, several dice taken for one
            wrong.append((centre + rng.normal(0, 0.3, 2) * side, side * float(rng.choice([0.35, 2.6]))))
    for centre, side in wrong:
        if not ((centre > 0) & (centre < size)).all():
            continue
        near = [np.hypot(*(centre - c)) / s for c, s in zip(centres, sides, strict=True)]
        fits = [d < 0.5 and 0.5 < side / s < 2 for d, s in zip(near, sides, strict=True)]
        if any(fits):
            continue
        patch, _ = cut_patch(image, (float(centre[0]), float(centre[1])), side)
        examples.append((_tint(rng, patch), 0, _NO_CODE, _NO_MAP, 0.0))
    return examples


def face_loss(
    out: tuple[Tensor, Tensor], kinds: Tensor, codes: Tensor, maps: Tensor, weights: Tensor, has_map: Tensor
) -> tuple[Tensor, dict[str, float]]:
    vector, pips = out
    value = F.cross_entropy(vector[:, :7], kinds, label_smoothing=0.02)
    count = weights.sum().clamp(min=1)
    code = (F.smooth_l1_loss(vector[:, 7:], codes, beta=0.1, reduction="none").sum(1) * weights).sum() / count
    p = torch.sigmoid(pips[:, 0]).clamp(1e-4, 1 - 1e-4)
    gain = -(maps * (1 - p) ** 2 * torch.log(p) + (1 - maps) ** 2 * p**2 * torch.log(1 - p))
    pip = (gain.sum((1, 2)) * has_map).sum() / (has_map.sum().clamp(min=1) * 8)
    return value + 0.5 * code + pip, {"value": float(value), "code": float(code), "pips": float(pip)}


# ---------------------------------------------------------------- both


class Average:
    """Exponential moving average of the weights; what is shipped."""

    def __init__(self, network: nn.Module) -> None:
        self.network = deepcopy(network)
        self.steps = 0

    def update(self, network: nn.Module) -> None:
        self.steps += 1
        keep = min(0.998, (1 + self.steps) / (10 + self.steps))
        with torch.no_grad():
            for mine, theirs in zip(self.network.state_dict().values(), network.state_dict().values(), strict=True):
                if mine.dtype.is_floating_point:
                    mine.mul_(keep).add_(theirs, alpha=1 - keep)
                else:
                    mine.copy_(theirs)


def finder_batches(source: Iterator[dict[str, Any]], rng: Rng, batch: int) -> Iterator[tuple[Any, ...]]:
    """Images and targets, batch by batch."""
    while True:
        examples = [finder_example(next(source), rng) for _ in range(batch)]
        yield to_input([e[0] for e in examples]), torch.from_numpy(np.stack([e[1] for e in examples]))


def face_batches(source: Iterator[dict[str, Any]], rng: Rng, batch: int) -> Iterator[tuple[Any, ...]]:
    """Patches, classes, codes, pip maps and weights, batch by batch, well mixed over scenes."""
    pool: list[FaceExample] = []
    while True:
        while len(pool) < 8 * batch:
            pool += face_examples(next(source), rng)
        examples = [pool.pop(int(rng.integers(len(pool)))) for _ in range(batch)]
        yield (
            to_input([e[0] for e in examples]),
            torch.tensor([e[1] for e in examples]),
            torch.from_numpy(np.stack([e[2] for e in examples])),
            torch.from_numpy(np.stack([e[3] for e in examples])),
            torch.tensor([e[4] for e in examples], dtype=torch.float32),
            torch.tensor([1.0 if e[4] > 0 or e[1] == 0 else 0.0 for e in examples]),
        )


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the finder or the face network.")
    parser.add_argument("network", choices=["finder", "faces"])
    parser.add_argument("--data", type=Path, required=True, help="folder of rendered shards (vision.training.data)")
    parser.add_argument("--photographs", type=Path, help="folder of shards made by vision.training.photographs")
    parser.add_argument("--out", type=Path, required=True, help="checkpoint to write")
    parser.add_argument("--start", type=Path, help="checkpoint to go on from")
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--batch", type=int)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--real-share", type=float, default=0.25, help="share of scenes made of photographs")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    a = parser.parse_args()
    torch.manual_seed(a.seed)
    torch.set_num_threads(a.threads)
    cv2.setNumThreads(1)
    rng = np.random.default_rng(a.seed)
    network: nn.Module = FinderNet() if a.network == "finder" else FaceNet()
    if a.start:
        network.load_state_dict(torch.load(a.start)["weights"])
    network = network.to(memory_format=torch.channels_last)
    average = Average(network)
    optimiser = torch.optim.AdamW(network.parameters(), lr=a.rate, weight_decay=1e-4)
    warm = min(200, a.steps // 10)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda s: min(1, (s + 1) / warm) * (0.5 + 0.5 * np.cos(np.pi * min(1, s / a.steps))) + 0.005
    )
    source = scenes_forever(a.data, rng, a.photographs, a.real_share)
    batches = (
        finder_batches(source, rng, a.batch or 10)
        if a.network == "finder"
        else face_batches(source, rng, a.batch or 96)
    )
    sums: dict[str, float] = {}
    start = time.monotonic()
    for step in range(1, a.steps + 1):
        images, *rest = next(batches)
        network.train()
        out = network(images.contiguous(memory_format=torch.channels_last))
        loss, parts = finder_loss(out, *rest) if a.network == "finder" else face_loss(out, *rest)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        schedule.step()
        average.update(network)
        for name, value in parts.items():
            sums[name] = sums.get(name, 0.0) + value
        if step % 50 == 0:
            told = "  ".join(f"{name} {value / 50:.4f}" for name, value in sums.items())
            print(f"{a.network} step {step}  {told}  {(time.monotonic() - start) / step * 1e3:.0f} ms/step", flush=True)
            sums.clear()
        if step % 250 == 0 or step == a.steps:
            torch.save({"weights": average.network.state_dict(), "step": step}, a.out)


if __name__ == "__main__":
    main()
