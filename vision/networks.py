"""The two shipped networks, run by OpenCV's DNN module: where top faces are, and what one shows."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from importlib import resources
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import BadWeights
from vision.images import Image
from vision.patches import PATCH_PX

__all__ = ["FaceNetwork", "FaceSeen", "FinderNetwork", "Proposal"]

_MEAN, _SCALE = (127.5, 127.5, 127.5), 1 / 64
_STRIDE_PX = 4
_SIDE_UNIT_PX = 24.0
_NETS_KEPT = 8
_BATCHES = (1, 2, 4, 6, 8, 12, 16, 24)

LONGEST_SIDE_PX = 960
"""The finest level at which faces are looked for; larger images are scaled down to it."""
SMALLEST_LEVEL_PX = 88
_LEVEL_SIDES_PX = (7.0, 80.0)
"""Face sides, in px of a level, that a level answers for; each level halves the one before."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A place where a top face may be, in px of the image; `score` 0..1 is the finder's own."""

    x: float
    y: float
    side_px: float
    score: float


@dataclass(frozen=True, slots=True)
class FaceSeen:
    """What the face network says of one patch: 7 logits (not readable, 1..6), outline code (7,), pip map (32, 32)."""

    logits: NDArray[Any]
    code: NDArray[Any]
    pip_map: NDArray[Any]


def _weights(name: str) -> NDArray[Any]:
    try:
        data = resources.files("vision").joinpath("weights", name).read_bytes()
    except OSError as error:
        raise BadWeights(
            f"The network {name} is not in the package ({error}); install tabletop-companion again."
        ) from error
    return np.frombuffer(data, np.uint8)


def _load(buffer: NDArray[Any], name: str) -> cv2.dnn.Net:
    try:
        net = cv2.dnn.readNetFromONNX(buffer)
    except cv2.error as error:
        raise BadWeights(f"OpenCV cannot load the network {name}: {error}") from error
    net.setPreferableBackend(cv2.dnn.DNN_BACKEND_OPENCV)
    net.setPreferableTarget(cv2.dnn.DNN_TARGET_CPU)
    return net


class FinderNetwork:
    """Finds top faces at all sizes by looking at the image at several scales."""

    def __init__(self) -> None:
        self._buffer = _weights("finder.onnx")
        # A net that sees another input size plans its memory anew; so each size keeps its own.
        self._nets: OrderedDict[tuple[int, int], cv2.dnn.Net] = OrderedDict()
        self._net((96, 96))

    def find(self, image: Image, min_score: float) -> list[Proposal]:
        """Proposals in a (H, W, 3) uint8 BGR image, best first, none within another's face."""
        found: list[Proposal] = []
        long_side = max(image.shape[:2])
        level_px = min(LONGEST_SIDE_PX, long_side)
        level = image
        while True:
            scale = level_px / long_side
            size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
            if size != (level.shape[1], level.shape[0]):
                level = np.asarray(cv2.resize(level, size, interpolation=cv2.INTER_AREA), np.uint8)
            found += self._one_level(level, image.shape[1] / size[0], min_score)
            level_px //= 2
            if level_px < SMALLEST_LEVEL_PX:
                return _without_doubles(found)

    def _one_level(self, level: Image, factor: float, min_score: float) -> list[Proposal]:
        height, width = level.shape[:2]
        down, across = -height % 16, -width % 16
        padded = cv2.copyMakeBorder(level, 0, down, 0, across, cv2.BORDER_REPLICATE) if down or across else level
        net = self._net((padded.shape[0], padded.shape[1]))
        net.setInput(cv2.dnn.blobFromImage(padded, _SCALE, mean=_MEAN))
        out = net.forward()[0]
        logit = out[0]
        floor = float(np.log(min_score / (1 - min_score)))
        peaks = (logit >= cv2.dilate(logit, np.ones((3, 3), np.uint8))) & (logit > floor)
        found = []
        for iy, ix in np.argwhere(peaks):
            side = float(np.exp(out[1, iy, ix]) * _SIDE_UNIT_PX)
            x = (ix + float(out[2, iy, ix])) * _STRIDE_PX + 1.5
            y = (iy + float(out[3, iy, ix])) * _STRIDE_PX + 1.5
            if (
                _LEVEL_SIDES_PX[0] <= side <= _LEVEL_SIDES_PX[1]
                and -side < x < width + side
                and -side < y < height + side
            ):
                score = float(1 / (1 + np.exp(-logit[iy, ix])))
                found.append(Proposal((x + 0.5) * factor - 0.5, (y + 0.5) * factor - 0.5, side * factor, score))
        return found

    def _net(self, size_hw: tuple[int, int]) -> cv2.dnn.Net:
        net = self._nets.pop(size_hw, None)
        if net is None:
            net = _load(self._buffer, "finder.onnx")
        self._nets[size_hw] = net
        while len(self._nets) > _NETS_KEPT:
            self._nets.popitem(last=False)
        return net


class FaceNetwork:
    """Looks at patches of 64 px around proposals."""

    def __init__(self) -> None:
        self._buffer = _weights("faces.onnx")
        # One net for each batch size, so that each plans its memory once.
        self._nets = {_BATCHES[0]: _load(self._buffer, "faces.onnx")}

    def look(self, patches: list[Image]) -> list[FaceSeen]:
        """One answer for each (64, 64, 3) uint8 BGR patch."""
        seen: list[FaceSeen] = []
        while len(seen) < len(patches):
            left = patches[len(seen) :]
            size = next((b for b in _BATCHES if b >= len(left)), _BATCHES[-1])
            if size not in self._nets:
                self._nets[size] = _load(self._buffer, "faces.onnx")
            net = self._nets[size]
            batch = left[:size]
            filled = batch + [batch[0]] * (size - len(batch))
            net.setInput(cv2.dnn.blobFromImages(filled, _SCALE, (PATCH_PX, PATCH_PX), _MEAN))
            vectors, maps = net.forward(["vector", "pips"])
            for i in range(len(batch)):
                pip_map = 1 / (1 + np.exp(-maps[i, 0]))
                seen.append(FaceSeen(vectors[i, :7].copy(), vectors[i, 7:].copy(), pip_map))
        return seen


def _without_doubles(found: list[Proposal]) -> list[Proposal]:
    """The best of proposals for one face, which may come from several levels."""
    kept: list[Proposal] = []
    for one in sorted(found, key=lambda p: -p.score):
        for other in kept:
            apart = np.hypot(one.x - other.x, one.y - other.y)
            if apart < 0.42 * min(one.side_px, other.side_px) or (
                apart < 0.42 * other.side_px and one.side_px > 0.6 * other.side_px
            ):
                break
        else:
            kept.append(one)
    return kept
