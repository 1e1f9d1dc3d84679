"""Learn to tell dice that lean: python -m vision.training.learn_leaning --data FILE... --out FILE.onnx.

The data are made by `vision.training.leaning` and `tests.vision.tracking.leaning_dice`; a file that is named twice
counts twice. Needs PyTorch, which the product does not. The same data, seed and number of threads give the same weights
up to the order of summation.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from vision.tracking.upright import CHANNELS, UPRIGHT_PX
from vision.training.networks import Block, fused, mean_weights
from vision.training.train import Average

__all__ = ["LeaningNet", "as_input", "main"]

_FADE_DEG = (13.0, 19.0)
"""Dice that lean by less than the first count nothing, those by more than the second fully."""
_PICTURE = 3
"""So many of the maps are what is seen; the others are what was read."""
_MOVED = 0.03
"""By so much what is seen is moved against what was read (standard deviation, in halves of the frame), turned (in
radians) and scaled."""


class LeaningNet(nn.Module):
    """Maps of an upright die (N, 6, 48, 48) to the logit (N, 1) that it leans."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            Block(CHANNELS, 16, 2),
            Block(16, 24),
            Block(24, 32, 2),
            Block(32, 32),
            Block(32, 48, 2),
            Block(48, 48),
            Block(48, 64, 2),
        )
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), nn.Linear(64 * 9, 48), nn.ReLU(), nn.Linear(48, 1))

    def forward(self, maps: Tensor) -> Tensor:
        """Logits (N, 1)."""
        return self.head(self.body(maps))


def as_input(maps: NDArray[np.uint8]) -> Tensor:
    """(N, 6, 48, 48) float: (level - 127.5) / 64, as the product feeds it."""
    return (torch.from_numpy(maps).float() - 127.5) / 64


def _varied(maps: Tensor) -> Tensor:
    """The same dice in other colours and with more or less contrast; each says as much of leaning."""
    n = len(maps)
    maps[:, 1:3] *= torch.where(torch.rand(n, 2) < 0.3, -1.0, 1.0)[:, :, None, None]
    swapped = torch.rand(n) < 0.3
    maps[swapped] = maps[swapped][:, [0, 2, 1, 3, 4, 5]]
    maps[:, :3] *= torch.exp(torch.randn(n, 3) * 0.25)[:, :, None, None]
    grey = torch.rand(n) < 0.1
    maps[grey, 1:3] = 0
    maps[:, :_PICTURE] = _misread(maps[:, :_PICTURE])
    return maps


def _misread(seen: Tensor) -> Tensor:
    """What is seen (N, 3, 48, 48) as if every other die had been outlined a little off in place, turn and size."""
    n = len(seen)
    off = torch.randn(n, 2, 3) * _MOVED * (torch.rand(n) < 0.5).float()[:, None, None]
    off[:, 1, 0], off[:, 1, 1] = -off[:, 0, 1], off[:, 0, 0] + 0.3 * off[:, 1, 1]
    grid = F.affine_grid(torch.eye(2, 3) + off, list(seen.shape), align_corners=False)
    return F.grid_sample(seen, grid, padding_mode="border", align_corners=False)


def _weights(tilts_deg: Tensor) -> Tensor:
    low, high = _FADE_DEG
    return torch.where(tilts_deg > 0, ((tilts_deg - low) / (high - low)).clamp(0, 1), torch.ones_like(tilts_deg))


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn to tell dice that lean from those that lie flat.")
    parser.add_argument("--data", type=Path, nargs="*", default=[], help="files made by vision.training.leaning")
    parser.add_argument("--out", type=Path, required=True, help="ONNX file to write; a checkpoint goes beside it")
    parser.add_argument("--steps", type=int, default=6000, help="0 only writes what it starts with")
    parser.add_argument("--batch", type=int, default=96)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--start", type=Path, nargs="*", help="checkpoint to go on from, or the mean of several")
    a = parser.parse_args()
    torch.manual_seed(a.seed)
    torch.set_num_threads(a.threads)
    network = LeaningNet()
    if a.start:
        network.load_state_dict(mean_weights(a.start))
    _export(_learned(network, a) if a.steps else network, a.out)


def _learned(network: nn.Module, a: argparse.Namespace) -> nn.Module:
    """The mean of the network's weights along the way, having learned as the command line says."""
    rng = np.random.default_rng(a.seed)
    shards = [np.load(path) for path in a.data]
    maps, tilts = np.concatenate([s["maps"] for s in shards]), np.concatenate([s["tilts_deg"] for s in shards])
    print(f"{len(maps)} dice, {(tilts > 0).sum()} of them leaning", flush=True)
    leaning, flat = np.flatnonzero(tilts > 0), np.flatnonzero(tilts == 0)
    average = Average(network)
    optimiser = torch.optim.AdamW(network.parameters(), lr=a.rate, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda s: min(1, (s + 1) / 100) * (0.5 + 0.5 * np.cos(np.pi * min(1, s / a.steps))) + 0.003
    )
    begun, total = time.monotonic(), 0.0
    for step in range(1, a.steps + 1):
        some = np.concatenate([rng.choice(leaning, a.batch * 2 // 5), rng.choice(flat, a.batch - a.batch * 2 // 5)])
        tilt = torch.from_numpy(tilts[some])
        network.train()
        logits = network(_varied(as_input(maps[some])))[:, 0]
        each = F.binary_cross_entropy_with_logits(logits, (tilt > 0).float(), reduction="none")
        loss = (each * _weights(tilt)).mean()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        schedule.step()
        average.update(network)
        total += float(loss.detach())
        if step % 250 == 0:
            print(f"{step} loss {total / 250:.4f} {time.monotonic() - begun:.0f} s", flush=True)
            total = 0.0
            torch.save({"weights": average.network.state_dict()}, a.out.with_suffix(".pt"))
    return average.network


def _export(network: nn.Module, path: Path) -> None:
    """Write ONNX (opset 13) for a free number of dice."""
    torch.onnx.export(
        fused(network.eval()), (torch.zeros(2, CHANNELS, UPRIGHT_PX, UPRIGHT_PX),), str(path), input_names=["maps"],
        output_names=["logit"], dynamic_axes={"maps": {0: "n"}, "logit": {0: "n"}}, opset_version=13, dynamo=False,
    )  # fmt: skip


if __name__ == "__main__":
    main()
