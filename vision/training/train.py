"""Train a network: python -m vision.training.train finder|glance|faces --data DIR... [--photographs DIR...] --out FILE.

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

from vision.networks import CLASSES
from vision.patches import GLANCE_PX, PATCH_PX
from vision.training.examples import FaceExample, face_examples, finder_example, scenes_forever
from vision.training.networks import FaceNet, FinderNet, GlanceNet, mean_weights, mosaic

__all__ = ["NETWORKS", "main"]

NETWORKS: dict[str, type[nn.Module]] = {"finder": FinderNet, "glance": GlanceNet, "faces": FaceNet}
_BATCH = {"finder": 12, "glance": 192, "faces": 96}
_MOSAIC_ACROSS = 8


def to_input(images: list[NDArray[np.uint8]]) -> Tensor:
    """(N, C, H, W) float: (BGR or grey - 127.5) / 64, as the readers feed it."""
    array = np.stack(images).astype(np.float32)
    array = array[:, None] if array.ndim == 3 else array.transpose(0, 3, 1, 2)
    return torch.from_numpy((array - 127.5) / 64)


def finder_loss(out: Tensor, target: Tensor) -> tuple[Tensor, dict[str, float]]:
    out = F.pixel_shuffle(out, 2)
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


def face_loss(
    out: tuple[Tensor, Tensor], kinds: Tensor, codes: Tensor, code_weights: Tensor, maps: Tensor, map_weights: Tensor
) -> tuple[Tensor, dict[str, float]]:
    vector, pips = out
    value = F.cross_entropy(vector[:, :CLASSES], kinds, label_smoothing=0.02)
    count = code_weights.sum().clamp(min=1)
    code = F.smooth_l1_loss(vector[:, CLASSES:], codes, beta=0.1, reduction="none").sum(1)
    code = (code * code_weights).sum() / count
    p = torch.sigmoid(pips[:, 0]).clamp(1e-4, 1 - 1e-4)
    gain = -(maps * (1 - p) ** 2 * torch.log(p) + (1 - maps) ** 2 * p**2 * torch.log(1 - p))
    pip = (gain.sum((1, 2)) * map_weights).sum() / (map_weights.sum().clamp(min=1) * 8)
    right = float((vector[:, :CLASSES].argmax(1) == kinds).float().mean())
    return value + 0.5 * code + pip, {
        "value": float(value), "right": right, "code": float(code), "pips": float(pip),
    }  # fmt: skip


def glanced(network: nn.Module, patches: Tensor) -> tuple[Tensor, Tensor]:
    """The answers of a GlanceNet for patches (N, 3, 48, 48), in the shapes of FaceNet: (N, 15) and (N, 1, 24, 24)."""
    across = _MOSAIC_ACROSS
    vector, pips = network(mosaic(patches, across).contiguous(memory_format=torch.channels_last))
    pips = F.pixel_shuffle(pips, 2)[0, 0]
    side = GLANCE_PX // 2
    maps = pips.reshape(-1, side, across, side).permute(0, 2, 1, 3).reshape(-1, 1, side, side)
    return vector[0].permute(1, 2, 0).reshape(len(patches), -1), maps


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


def finder_batches(source: Iterator[dict[str, Any]], rng: np.random.Generator, batch: int) -> Iterator[list[Tensor]]:
    """Grey images and targets, batch by batch."""
    while True:
        examples = [finder_example(next(source), rng) for _ in range(batch)]
        grey = [np.asarray(cv2.cvtColor(e.image, cv2.COLOR_BGR2GRAY), np.uint8) for e in examples]
        yield [to_input(grey), torch.from_numpy(np.stack([e.target for e in examples]))]


def face_batches(
    source: Iterator[dict[str, Any]], rng: np.random.Generator, batch: int, patch_px: int
) -> Iterator[list[Tensor]]:
    """Patches, classes, codes, their weights, pip maps and theirs, batch by batch, well mixed over scenes."""
    pool: list[FaceExample] = []
    while True:
        while len(pool) < 8 * batch:
            pool += face_examples(next(source), rng, patch_px)
        examples = [pool.pop(int(rng.integers(len(pool)))) for _ in range(batch)]
        yield [
            to_input([e.patch for e in examples]),
            torch.tensor([e.kind for e in examples]),
            torch.from_numpy(np.stack([e.code for e in examples])),
            torch.tensor([e.code_weight for e in examples], dtype=torch.float32),
            torch.from_numpy(np.stack([e.pips for e in examples])),
            torch.tensor([e.pips_weight for e in examples], dtype=torch.float32),
        ]


def main() -> None:
    parser = argparse.ArgumentParser(description="Train a network.")
    parser.add_argument("network", choices=list(NETWORKS))
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="folders of shards (vision.training.data)")
    parser.add_argument("--photographs", type=Path, nargs="*", help="folders made by vision.training.photographs")
    parser.add_argument("--out", type=Path, required=True, help="checkpoint to write")
    parser.add_argument("--start", type=Path, nargs="+", help="checkpoint to go on from, or several: their mean")
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
    network = NETWORKS[a.network]()
    if a.start:
        network.load_state_dict(mean_weights(a.start))
    network = network.to(memory_format=torch.channels_last)
    average = Average(network)
    optimiser = torch.optim.AdamW(network.parameters(), lr=a.rate, weight_decay=1e-4)
    warm = max(1, min(200, a.steps // 10))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda s: min(1, (s + 1) / warm) * (0.5 + 0.5 * np.cos(np.pi * min(1, s / a.steps))) + 0.005
    )
    source = scenes_forever(a.data, rng, a.photographs, a.real_share)
    batch = a.batch or _BATCH[a.network]
    if a.network == "finder":
        batches = finder_batches(source, rng, batch)
    else:
        batches = face_batches(source, rng, batch, GLANCE_PX if a.network == "glance" else PATCH_PX)
    sums: dict[str, float] = {}
    start = time.monotonic()
    for step in range(1, a.steps + 1):
        images, *rest = next(batches)
        network.train()
        if a.network == "glance":
            loss, parts = face_loss(glanced(network, images), *rest)
        else:
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
