"""From scores to a chance: how often a value is right that was seen like this."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.lattice import LATTICE_TOLERANCE
from vision.looks import Looks, Values

__all__ = ["CLOSE_WEIGHTS", "GLANCE_WEIGHTS", "chance", "close_evidence", "glance_evidence"]

GLANCE_WEIGHTS = (-2.5397, 0.9864, 0.0, 2.6382, 0.0893, 1.3508, 0.2405, 0.1109, 1.3594)
CLOSE_WEIGHTS = (-2.7845, 1.024, 0.0, 1.1009, 1.4965, 0.0, 0.7724, 0.7175, 0.4109, 0.5296)
"""Of a constant and the columns of the evidence; fitted by vision.training.calibrate, see weights/MODEL_CARD.md."""


def _log_odds(chances: NDArray[Any]) -> NDArray[Any]:
    kept = np.minimum(np.maximum(chances, 1e-4), 1 - 1e-4)
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
    return np.array([_log_odds(looks.chances[at]), *_common(looks, values, scores)]).T


def close_evidence(
    looks: tuple[Looks, ...], shown: Looks, chances: NDArray[Any], values: Values, scores: NDArray[Any]
) -> NDArray[Any]:
    """What speaks for the values of n faces after the glance and two close looks: (n, 9); the pips of `shown` count."""
    at = np.arange(len(values.values)), values.values
    lowest = np.minimum.reduce([look.chances[at] for look in looks])
    return np.array([_log_odds(chances[at]), _log_odds(lowest), *_common(shown, values, scores)]).T


def chance(evidence: NDArray[Any], weights: tuple[float, ...]) -> NDArray[Any]:
    """The chances (n,) that the values are the top faces', given that looks and lattice agree: evidence (n, k) and the
    weights of a constant and its k columns."""
    total = weights[0] + evidence @ np.array(weights[1:])
    return np.asarray(1 / (1 + np.exp(-np.minimum(np.maximum(total, -30), 30))))
