"""What the networks say: where top faces are, a glance at all of them, a close look at one."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.beside import both
from vision.inference import Network, inputs_of
from vision.patches import GLANCE_PX, PATCH_PX
from vision.pyramid import Pyramid

__all__ = [
    "CLASSES", "OTHER_DIE", "FaceNetwork", "FinderNetwork", "GlanceNetwork", "NetworkAnswers", "Proposals", "apart_px",
]  # fmt: skip

CLASSES = 8
OTHER_DIE = 7
"""Classes of a face: 0 no readable face, the values 1 to 6, 7 a die that is not a pip die."""

_STRIDE_PX = 4
_SIDE_UNIT_PX = 24.0
_GRID_PX = 16
"""Sides of the finder's images are multiples of its coarsest stride."""
_LEVEL_SIDES_PX = (6.5, 84.0)
"""Face sides, in px of a level, that a level answers for; each level halves the one before."""

_MOSAICS = ((1, 1), (1, 2), (1, 4), (2, 3), (2, 4), (2, 6), (4, 4), (4, 5), (4, 6), (4, 7), (4, 8))
"""Rows and columns of patches looked at together, by number; places left over are grey."""
_LEFT_OVER = 0.1
"""Where more than this share of a mosaic were left over, a smaller full one and another for the rest are quicker."""
_WORTH_HALVING = 4
"""So many patches to glance at are shared by two cores."""
_GREY = 127
_AROUND = np.ones((3, 3), np.uint8)
_BATCH = 4
"""Patches looked at closely in one go; more at once would not be quicker for each."""

_Looks = list[tuple[NDArray[Any], NDArray[Any]]]
"""Vectors (n, 15) and maps of pips (n, s, s) of patches looked at together."""


@dataclass(frozen=True, slots=True)
class Proposals:
    """Places where top faces may be, best first: centres (n, 2) and sides (n,) in px, the finder's scores (n,) 0..1."""

    centres_px: NDArray[Any]
    sides_px: NDArray[Any]
    scores: NDArray[Any]

    def __len__(self) -> int:
        return len(self.scores)

    def only(self, which: NDArray[Any]) -> Proposals:
        """Those that a mask or indices choose."""
        return Proposals(self.centres_px[which], self.sides_px[which], self.scores[which])


def apart_px(some_px: NDArray[Any], others_px: NDArray[Any]) -> NDArray[Any]:
    """Distances (n, m) between places (n, 2) and (m, 2)."""
    return np.asarray(np.hypot(*(some_px[:, None] - others_px[None]).transpose(2, 0, 1)))


@dataclass(frozen=True, slots=True)
class NetworkAnswers:
    """What a network says of n patches: logits of CLASSES (n, 8), outline codes (n, 7), logits of pips (n, s, s)."""

    logits: NDArray[Any]
    codes: NDArray[Any]
    pip_logits: NDArray[Any]


def _quartered(maps: NDArray[Any]) -> NDArray[Any]:
    """Maps (4, h, w), one for each quarter of every cell, as one (2 h, 2 w)."""
    _, h, w = maps.shape
    together = np.empty((2 * h, 2 * w), maps.dtype)
    for quarter, each in enumerate(maps):
        together[quarter >> 1 :: 2, quarter & 1 :: 2] = each
    return together


class FinderNetwork:
    """Finds top faces at all sizes by looking at the grey image at several scales."""

    def __init__(self) -> None:
        self._network = Network("finder.onnx")

    def find(self, pyramid: Pyramid, min_score: float, largest_px: float = np.inf) -> Proposals:
        """Proposals of at least `min_score`, best first, none within another's face.

        Levels coarser than faces with a side of `largest_px` need are left out.
        """
        floor = float(np.log(min_score / (1 - min_score)))
        levels = pyramid.grey_levels()
        wanted = [next(levels), *takewhile(lambda level: _LEVEL_SIDES_PX[1] * level[1] < 2 * largest_px, levels)]
        (finest, *coarse), level_factors = zip(*wanted, strict=True)
        of_finest, of_coarse = both(
            lambda: _peaks(self._network, finest, floor),
            lambda: [_peaks(self._network, level, floor) for level in coarse],
        )
        peaks = [of_finest, *of_coarse]
        counts = [each.shape[1] for each in peaks]
        heights, widths = np.repeat([level.shape for level in (finest, *coarse)], counts, axis=0).T
        factors = np.repeat(level_factors, counts)
        iy, ix, logits, sides, dx, dy = np.concatenate(peaks, axis=1)
        sides = np.exp(np.clip(sides, -4, 4)) * _SIDE_UNIT_PX
        x, y = (ix + dx) * _STRIDE_PX + 1.5, (iy + dy) * _STRIDE_PX + 1.5
        kept = (sides >= _LEVEL_SIDES_PX[0]) & (sides <= _LEVEL_SIDES_PX[1])
        kept &= (x > -0.5) & (y > -0.5) & (x < widths) & (y < heights)
        scores = 1 / (1 + np.exp(-logits))
        kept_at = np.flatnonzero(kept)
        order = kept_at[np.argsort(-scores[kept_at], kind="stable")]
        factors = factors[order]
        centres = (np.column_stack([x[order], y[order]]) + 0.5) * factors[:, None] - 0.5
        proposals = Proposals(centres, sides[order] * factors, scores[order])
        return proposals.only(_without_doubles(proposals))


def _peaks(network: Network, level: NDArray[np.uint8], floor: float) -> NDArray[np.float64]:
    """Peaks of a level above the logit `floor`: rows iy and ix in quarter cells, logit, log side, offsets x and y."""
    height, width = level.shape
    down, across = -height % _GRID_PX, -width % _GRID_PX
    if down or across:
        level = np.asarray(cv2.copyMakeBorder(level, 0, down, 0, across, cv2.BORDER_REPLICATE), np.uint8)
    out = network.answers(inputs_of(level[None]))[0][0]
    logit = _quartered(out[:4])
    highest = cv2.dilate(logit, _AROUND)
    above = np.flatnonzero(logit > floor)  # few
    iy, ix = np.divmod(above[logit.ravel()[above] >= highest.ravel()[above]], logit.shape[1])
    of_map = np.arange(4) * 4
    maps = out[of_map[:, None] + (2 * (iy & 1) + (ix & 1)), iy >> 1, ix >> 1]
    return np.concatenate([[iy, ix], maps.astype(np.float64)])


def _without_doubles(proposals: Proposals) -> NDArray[np.bool_]:
    """Which to keep of proposals, best first, that may name one face several times, from several levels."""
    centres, sides = proposals.centres_px, proposals.sides_px
    apart = apart_px(centres, centres)
    mine, others = sides[:, None], sides[None]
    same = (apart < 0.42 * np.minimum(mine, others)) | ((apart < 0.42 * others) & (mine > 0.6 * others))
    same &= np.tri(len(sides), k=-1, dtype=bool)  # with one that is better
    kept = np.ones(len(sides), bool)
    for i in np.flatnonzero(same.any(axis=1)).tolist():
        kept[i] = not (same[i] & kept).any()
    return kept


class GlanceNetwork:
    """Glances at patches of 48 px around proposals, many at once side by side."""

    def __init__(self) -> None:
        self._network = Network("glance.onnx")

    def look(self, patches: NDArray[np.uint8]) -> NetworkAnswers:
        """One answer for each BGR patch of (n, 48, 48, 3) uint8; `pip_logits` are (n, 24, 24)."""
        half = (len(patches) + 1) // 2 if len(patches) >= _WORTH_HALVING else len(patches)
        some, others = both(lambda: self._looks(patches[:half]), lambda: self._looks(patches[half:]))
        return _joined(some + others, GLANCE_PX // 2)

    def _looks(self, patches: NDArray[np.uint8]) -> _Looks:
        looks = []
        while len(patches):
            shape = _mosaic_for(len(patches))
            looks.append(self._mosaic(patches[: shape[0] * shape[1]], *shape))
            patches = patches[shape[0] * shape[1] :]
        return looks

    def _mosaic(self, patches: NDArray[np.uint8], rows: int, across: int) -> tuple[NDArray[Any], NDArray[Any]]:
        n, side = len(patches), GLANCE_PX
        tiles = np.full((rows * across, side, side, 3), _GREY, np.uint8)
        tiles[:n] = patches
        together = tiles.reshape(rows, across, side, side, 3).transpose(0, 2, 1, 3, 4)
        vectors, pips = self._network.answers(inputs_of(together.reshape(1, rows * side, across * side, 3)))
        half = side // 2
        maps = _quartered(pips[0]).reshape(rows, half, across, half).transpose(0, 2, 1, 3)
        return vectors[0].transpose(1, 2, 0).reshape(rows * across, -1)[:n], maps.reshape(-1, half, half)[:n]


def _mosaic_for(n: int) -> tuple[int, int]:
    """Rows and columns of the mosaic for the first of n patches."""
    for shape in _MOSAICS:
        if n <= shape[0] * shape[1] <= n / (1 - _LEFT_OVER):
            return shape
    return next(shape for shape in reversed(_MOSAICS) if shape[0] * shape[1] <= n)


class FaceNetwork:
    """Looks closely at patches of 64 px."""

    def __init__(self) -> None:
        self._network = Network("faces.onnx")

    def look(self, patches: NDArray[np.uint8]) -> NetworkAnswers:
        """One answer for each BGR patch of (n, 64, 64, 3) uint8; `pip_logits` are (n, 32, 32)."""
        half = (len(patches) + 1) // 2
        some, others = both(lambda: self._looks(patches[:half]), lambda: self._looks(patches[half:]))
        return _joined(some + others, PATCH_PX // 2)

    def _looks(self, patches: NDArray[np.uint8]) -> _Looks:
        parts = [patches[at : at + _BATCH] for at in range(0, len(patches), _BATCH)]
        return [(vectors, pips[:, 0]) for vectors, pips in (self._network.answers(inputs_of(part)) for part in parts)]


def _joined(looks: _Looks, map_px: int) -> NetworkAnswers:
    if not looks:
        return NetworkAnswers(np.zeros((0, CLASSES)), np.zeros((0, 7)), np.zeros((0, map_px, map_px)))
    vectors = np.concatenate([v for v, _ in looks]).astype(np.float64)
    maps = np.concatenate([m for _, m in looks])
    return NetworkAnswers(vectors[:, :CLASSES], vectors[:, CLASSES:], maps)
