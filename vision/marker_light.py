"""A shadow whose edge runs across a marker, found on its white modules and taken out."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.marker_prints import DATA_MODULES, MODULES, SAMPLE_MODULES, codes

__all__ = ["without_shadow"]

_TURNS = 24
_OFFSETS = np.arange(-9, 10) / 16
"""Of the shadow's edge from the marker's middle, in sides."""
_PENUMBRAS = (0.08, 0.35, 1.0)
"""Widths of the edge, in sides."""
_EDGES = np.array([(k * 2 * np.pi / _TURNS, o, p) for k in range(_TURNS) for o in _OFFSETS for p in _PENUMBRAS])
_DEEPEST = 0.5
"""Share of a picture's level that a shadow takes, nearly four fifths of the light; in deeper ones no ink stands out."""
_SHALLOWEST = 0.05
"""Less is left to the planes of light that a fit allows anyway."""
_DATA = np.pad(np.ones((DATA_MODULES, DATA_MODULES), bool), 2).ravel()


def _shaded(y: NDArray[Any], x: NDArray[Any], edges: NDArray[Any]) -> NDArray[np.float32]:
    """How much of the shadow lies at places (H, W), in sides from the middle, 0 to 1: (n, H, W) for edges (n, 3)."""
    turn, offset, penumbra = edges.T[:, :, None, None]
    across = x * np.cos(turn) + y * np.sin(turn) - offset
    return np.asarray(np.clip(across / penumbra + 0.5, 0, 1), np.float32)


@cache
def _on_modules() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The shadows of all edges on the modules and their border (n, 100), and their squares."""
    at = (np.arange(-1, MODULES + 1) + 0.5) / MODULES - 0.5
    y, x = np.meshgrid(at, at, indexing="ij")
    shaded = _shaded(y, x, _EDGES).reshape(len(_EDGES), -1)
    return shaded, np.square(shaded)


def without_shadow(samples: NDArray[np.uint8], modules: NDArray[np.float32], code: int) -> NDArray[np.uint8] | None:
    """The grey levels (30, 30) of a marker of this code as if no shadow fell on a part of it; None where none does.

    `modules` (10, 10) are their means. A shadow takes the same share of the light from ink and from paper: what is
    gone is measured on the white modules and border alone, and the black ones tell afterwards whether it was one. Its
    edge must run between white modules within the frame; what darkens only the border may as well lie on it.
    """
    white = codes()[1][code].ravel()  # 1 or 0
    count = white.sum()
    middle = white @ modules.ravel() / count
    shaded, squares = _on_modules()
    sums, slope = (shaded @ np.stack([white, white * (modules.ravel() - middle)], axis=1)).T
    spread = np.maximum(squares @ white - sums**2 / count, 1e-3)
    best = int(np.where(slope < 0, slope**2 / spread, -1.0).argmax())
    darker = float(slope[best] / spread[best])
    share = -darker / (float(middle) - darker * float(sums[best] / count))
    within = shaded[best, _DATA & (white > 0)] > 0.5
    if not _SHALLOWEST <= share <= _DEEPEST or within.all() or not within.any():
        return None
    at = SAMPLE_MODULES / MODULES - 0.5
    y, x = np.meshgrid(at, at, indexing="ij")
    light = 1 - share * _shaded(y, x, _EDGES[best : best + 1])[0]
    return np.asarray(np.clip(np.rint(samples / light), 0, 255), np.uint8)
