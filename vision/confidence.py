"""From scores to a chance: how often a value is right that was seen like this."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.lattice import LATTICE_TOLERANCE
from vision.looks import Looks, Values

__all__ = ["CLOSE_WEIGHTS", "GLANCE_WEIGHTS", "chance", "close_evidence", "glance_evidence"]

GLANCE_WEIGHTS = (-1.116, 0.685, 0.0, 1.832, 0.062, 0.938, 0.167, 0.077, 0.944)
CLOSE_WEIGHTS = (-2.135, 0.932, 0.0, 1.002, 1.362, 0.0, 0.703, 0.653, 0.374, 0.482)
"""Of a constant and the columns of the evidence; fitted by vision.training.calibrate, see weights/MODEL_CARD.md."""


def _log_odds(chances: NDArray[Any]) -> NDArray[Any]:
    kept = np.clip(chances, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(kept / (1 - kept)))


def _common(looks: Looks, values: Values, scores: NDArray[Any]) -> list[NDArray[Any]]:
    """Columns of both evidences: pips counted against pips left out, the finder, how well the lattice fits, the size,
    and which of 1, 2 and 6 it is: any round mark looks like a one, two glints like a two."""
    return [
        np.maximum(0.0, values.strengths - values.doubts),
        _log_odds(scores),
        1 - np.minimum(values.lattice, LATTICE_TOLERANCE) / LATTICE_TOLERANCE,
        np.minimum(1.5, np.log(np.maximum(looks.sides_px, 1.0) / 10)),
        *((values.values == value).astype(float) for value in (1, 2, 6)),
    ]


def glance_evidence(looks: Looks, values: Values, scores: NDArray[Any]) -> NDArray[Any]:
    """What speaks for the values of n faces after the glance: (n, 8)."""
    at = np.arange(len(values.values)), values.values
    return np.column_stack([_log_odds(looks.chances[at]), *_common(looks, values, scores)])


def close_evidence(
    looks: tuple[Looks, ...], shown: Looks, chances: NDArray[Any], values: Values, scores: NDArray[Any]
) -> NDArray[Any]:
    """What speaks for the values of n faces after the glance and two close looks: (n, 9); the pips of `shown` count."""
    at = np.arange(len(values.values)), values.values
    lowest = np.min([look.chances[at] for look in looks], axis=0)
    return np.column_stack([_log_odds(chances[at]), _log_odds(lowest), *_common(shown, values, scores)])


def chance(evidence: NDArray[Any], weights: tuple[float, ...]) -> NDArray[Any]:
    """The chances (n,) that the values are the top faces', given that looks and lattice agree: evidence (n, k) and the
    weights of a constant and its k columns."""
    total = weights[0] + evidence @ np.array(weights[1:])
    return np.asarray(1 / (1 + np.exp(-np.clip(total, -30, 30))))
