"""The three networks. Needs PyTorch, which the product does not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from vision.networks import CLASSES
from vision.patches import GLANCE_PX, PATCH_PX

__all__ = ["FaceNet", "FinderNet", "GlanceNet", "export", "fused", "mosaic"]

_VECTOR = CLASSES + 7
"""Logits of the classes, then the code of the outline (see quads.py) with lengths in half patches."""


class Block(nn.Sequential):
    """3x3 convolution, batch normalisation, ReLU."""

    def __init__(
        self, n_in: int, n_out: int, stride: int = 1, dilation: int = 1, kernel: int = 3, pad: int | None = None
    ) -> None:
        pad = dilation * (kernel // 2) if pad is None else pad
        super().__init__(
            nn.Conv2d(n_in, n_out, kernel, stride, pad, dilation=dilation, bias=False),
            nn.BatchNorm2d(n_out),
            nn.ReLU(inplace=True),
        )


class Residual(nn.Module):
    """Two blocks beside a short cut."""

    def __init__(self, n: int, dilation: int = 1) -> None:
        super().__init__()
        self.first, self.second = Block(n, n), Block(n, n, dilation=dilation)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.second(self.first(x))


def _doubled(x: Tensor) -> Tensor:
    return F.interpolate(x, scale_factor=2.0, mode="nearest")


class FinderNet(nn.Module):
    """Where top faces are: grey (N, 1, H, W) to (N, 16, H/8, W/8), four maps for each of the four quarters of a cell.

    The maps are centre logit, log(side / 24 px), offset x and y in quarter cells of 4 px; map m of the quarter
    (row r, column c) is channel 4 m + 2 r + c, so that pixel shuffling gives maps at a quarter of the image's size.
    """

    def __init__(self) -> None:
        super().__init__()
        self.fourth = Block(1, 16, 4, kernel=4, pad=0)
        self.eighth = nn.Sequential(Block(16, 24, 2), Block(24, 24))
        self.sixteenth = nn.Sequential(Block(24, 40, 2), Block(40, 40), Block(40, 40), Block(40, 40))
        self.lift, self.join = nn.Conv2d(40, 24, 1), Block(24, 24)
        self.head = nn.Conv2d(24, 16, 1)
        nn.init.constant_(self.head.bias, 0)
        with torch.no_grad():
            self.head.bias[:4] = -4.6

    def forward(self, x: Tensor) -> Tensor:
        eighth = self.eighth(self.fourth(x))
        return self.head(self.join(eighth + _doubled(self.lift(self.sixteenth(eighth)))))


def mosaic(patches: Tensor, across: int) -> Tensor:
    """Patches (N, 3, s, s) side by side, row by row: (1, 3, s N / across, s across); N is a multiple of `across`."""
    n, channels, side, _ = patches.shape
    rows = n // across
    tiles = patches.reshape(rows, across, channels, side, side).permute(2, 0, 3, 1, 4)
    return tiles.reshape(1, channels, rows * side, across * side)


class GlanceNet(nn.Module):
    """What top faces show at a glance: a mosaic (1, 3, 48 r, 48 c) to (1, 15, r, c) and (1, 4, 12 r, 12 c).

    Patches lie side by side because convolutions are cheaper over one large image than over many small ones; the
    network learns not to mind its neighbours. The second output are logits of pip centres, one for each quarter of a
    cell as in FinderNet.
    """

    def __init__(self) -> None:
        super().__init__()
        cells = GLANCE_PX // 8
        self.fourth = nn.Sequential(Block(3, 24, 4, kernel=4, pad=0), Block(24, 24), Block(24, 24))
        self.eighth = nn.Sequential(Block(24, 48, 2), Block(48, 48))
        self.squeeze = Block(48, 24, kernel=1)
        self.vector = nn.Sequential(
            nn.Dropout2d(0.05), nn.Conv2d(24, 72, cells, cells), nn.ReLU(inplace=True), nn.Conv2d(72, _VECTOR, 1)
        )
        self.lift, self.join = nn.Conv2d(48, 24, 1), Block(24, 24)
        self.pips = nn.Conv2d(24, 4, 1)
        with torch.no_grad():
            self.pips.bias.fill_(-3.5)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        fourth = self.fourth(x)
        eighth = self.eighth(fourth)
        return self.vector(self.squeeze(eighth)), self.pips(self.join(fourth + _doubled(self.lift(eighth))))


class FaceNet(nn.Module):
    """What one top face shows, looked at closely: (N, 3, 64, 64) to (N, 15) and (N, 1, 32, 32).

    The map: logits of pip centres of the top face.
    """

    def __init__(self) -> None:
        super().__init__()
        self.halved = nn.Sequential(Block(3, 20, 2), Block(20, 24))
        self.quarter = nn.Sequential(Block(24, 40, 2), Residual(40))
        self.eighth = nn.Sequential(Block(40, 64, 2), Residual(64))
        self.squeeze = Block(64, 32, kernel=1)
        self.vector = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.15), nn.Linear(32 * 64, 72), nn.ReLU(inplace=True), nn.Linear(72, _VECTOR)
        )
        self.lift16, self.join16 = nn.Conv2d(64, 40, 1), Block(40, 40)
        self.lift32, self.join32 = nn.Conv2d(40, 24, 1), Block(24, 24)
        self.pips = nn.Conv2d(24, 1, 1)
        with torch.no_grad():
            self.pips.bias.fill_(-3.5)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        half = self.halved(x)
        quarter = self.quarter(half)
        eighth = self.eighth(quarter)
        vector = self.vector(self.squeeze(eighth))
        quarter = self.join16(quarter + _doubled(self.lift16(eighth)))
        half = self.join32(half + _doubled(self.lift32(quarter)))
        return vector, self.pips(half)


def fused(module: nn.Module) -> nn.Module:
    """The network for inference, batch normalisation folded into the convolutions."""
    module.eval()
    for child in module.modules():
        if isinstance(child, Block):
            conv = torch.nn.utils.fusion.fuse_conv_bn_eval(child[0], child[1])
            child[0], child[1] = conv, nn.Identity()
    return module


def mean_weights(checkpoints: Sequence[Path]) -> dict[str, Tensor]:
    """The weights of a checkpoint, or the mean of those of several of one network."""
    states = [torch.load(path)["weights"] for path in checkpoints]
    return {
        name: sum(state[name] for state in states) / len(states) if first.dtype.is_floating_point else first
        for name, first in states[0].items()
    }


def export(module: nn.Module, path: Path) -> None:
    """Write ONNX (opset 13) that cv2.dnn reads, with a free image size or, for FaceNet, a free number of patches."""
    inputs, outputs, free = {
        FinderNet: ((1, 1, 96, 128), ["map"], {2: "h", 3: "w"}),
        GlanceNet: ((1, 3, 2 * GLANCE_PX, 3 * GLANCE_PX), ["vector", "pips"], {2: "h", 3: "w"}),
        FaceNet: ((2, 3, PATCH_PX, PATCH_PX), ["vector", "pips"], {0: "n"}),
    }[type(module)]
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        fused(module), (torch.zeros(*inputs),), str(path), input_names=["image"], output_names=outputs,
        dynamic_axes=dict.fromkeys(["image", *outputs], free), opset_version=13, dynamo=False,
    )  # fmt: skip
