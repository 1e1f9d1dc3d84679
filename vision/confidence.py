"""From scores to a chance: how often a value is right that was seen like this."""

from __future__ import annotations

import numpy as np

from vision.faces import Face

__all__ = ["confidence", "evidence"]

_WEIGHTS = (-2.604, 0.451, -1.097, 7.781, -0.364, -0.117)
"""Of a constant and the entries of `evidence`; see weights/MODEL_CARD.md for the data they were fitted on."""


def evidence(face: Face) -> tuple[float, float, float, float, float]:
    """What speaks for the value: log odds of the network, pips counted against pips left out, score of the finder,
    whether it is a one (any round mark looks like it), logarithm of the size.
    """
    chance = min(max(face.chance, 1e-4), 1 - 1e-4)
    return (
        float(np.log(chance / (1 - chance))),
        max(0.0, face.pip_strength - face.pip_doubt),
        face.proposal.score,
        float(face.value == 1),
        min(1.5, float(np.log(max(face.side_px, 1.0) / 10))),
    )


def confidence(face: Face) -> float:
    """The chance (0..1) that the face's value is the top face's, given that both looks and the lattice agree."""
    constant, *weights = _WEIGHTS
    total = constant + sum(w * e for w, e in zip(weights, evidence(face), strict=True))
    return float(1 / (1 + np.exp(-np.clip(total, -30, 30))))
