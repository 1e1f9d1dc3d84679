"""What the shipped network says of which dice lean and which lie flat."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.inference import Network, inputs_of_maps

__all__ = ["leaning_chances"]


def leaning_chances(maps: NDArray[np.uint8]) -> NDArray[np.float64]:
    """How sure it is (n,), 0..1, that dice lean, of their maps (n, 6, 48, 48) by `vision.tracking.upright`.

    Raises BadWeights when the network is not in the package or cannot be loaded.
    """
    if not len(maps):
        return np.zeros(0)
    (logits,) = _network().answers(inputs_of_maps(maps))
    return np.asarray(1 / (1 + np.exp(-logits.reshape(-1).astype(np.float64))))


@cache
def _network() -> Network:
    return Network("leaning.onnx")
