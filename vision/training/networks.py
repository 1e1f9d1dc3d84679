"""The two networks. Needs PyTorch, which the product does not."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

__all__ = ["FaceNet", "FinderNet", "export", "fused"]


class Block(nn.Sequential):
    """3x3 convolution, batch normalisation, ReLU."""

    def __init__(self, n_in: int, n_out: int, stride: int = 1, dilation: int = 1, kernel: int = 3) -> None:
        pad = dilation * (kernel // 2)
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


class FinderNet(nn.Module):
    """Where top faces are: (N, 3, H, W) to (N, 4, H/4, W/4): centre logit, log(side / 24 px), offset x, y in cells."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(Block(3, 12, 2), Block(12, 24, 2), Block(24, 24))
        self.eighth = nn.Sequential(Block(24, 40, 2), Residual(40))
        self.sixteenth = nn.Sequential(Block(40, 64, 2), Residual(64), Residual(64, dilation=2))
        self.lift8, self.join8 = nn.Conv2d(64, 40, 1), Block(40, 40)
        self.lift4, self.join4 = nn.Conv2d(40, 24, 1), Block(24, 24)
        self.head = nn.Conv2d(24, 4, 1)
        nn.init.constant_(self.head.bias, 0)
        with torch.no_grad():
            self.head.bias[0] = -4.6

    def forward(self, x: Tensor) -> Tensor:
        fourth = self.stem(x)
        eighth = self.eighth(fourth)
        sixteenth = self.sixteenth(eighth)
        eighth = self.join8(eighth + F.interpolate(self.lift8(sixteenth), scale_factor=2.0, mode="nearest"))
        fourth = self.join4(fourth + F.interpolate(self.lift4(eighth), scale_factor=2.0, mode="nearest"))
        return self.head(fourth)


class FaceNet(nn.Module):
    """What one top face shows: (N, 3, 64, 64) to (N, 14) and (N, 1, 32, 32).

    The vector: logits of not readable and of 1 to 6, then the outline's code (see quads.py) with lengths in half
    patches. The map: logits of pip centres of the top face.
    """

    def __init__(self) -> None:
        super().__init__()
        self.halved = nn.Sequential(Block(3, 20, 2), Block(20, 24))
        self.quarter = nn.Sequential(Block(24, 40, 2), Residual(40))
        self.eighth = nn.Sequential(Block(40, 64, 2), Residual(64))
        self.squeeze = Block(64, 32, kernel=1)
        self.vector = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.15), nn.Linear(32 * 64, 72), nn.ReLU(inplace=True), nn.Linear(72, 14)
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
        quarter = self.join16(quarter + F.interpolate(self.lift16(eighth), scale_factor=2.0, mode="nearest"))
        half = self.join32(half + F.interpolate(self.lift32(quarter), scale_factor=2.0, mode="nearest"))
        return vector, self.pips(half)


def fused(module: nn.Module) -> nn.Module:
    """The network for inference, batch normalisation folded into the convolutions."""
    module.eval()
    for child in module.modules():
        if isinstance(child, Block):
            conv = torch.nn.utils.fusion.fuse_conv_bn_eval(child[0], child[1])
            child[0], child[1] = conv, nn.Identity()
    return module


def export(module: nn.Module, path: Path, example: Tensor, outputs: list[str]) -> None:
    """Write ONNX (opset 13) that cv2.dnn reads, with a free batch size and free image size where sizes vary."""
    path.parent.mkdir(parents=True, exist_ok=True)
    free = {"image": {0: "n", 2: "h", 3: "w"}} if example.shape[2] != 64 else {"image": {0: "n"}}
    for name in outputs:
        free[name] = {0: "n", 2: "h", 3: "w"} if example.shape[2] != 64 else {0: "n"}
    torch.onnx.export(
        fused(module), (example,), str(path), input_names=["image"], output_names=outputs, dynamic_axes=free,
        opset_version=13, dynamo=False,
    )  # fmt: skip
