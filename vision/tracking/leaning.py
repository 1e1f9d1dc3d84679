"""The shipped network that tells dice that lean from dice that lie flat, run by OpenCV's DNN module."""

from __future__ import annotations

import threading
from importlib import resources
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import BadWeights

__all__ = ["leaning_chances"]

_WEIGHTS = "leaning.onnx"
_MEAN, _SCALE = 127.5, 1 / 64
_nets = threading.local()
"""A net of OpenCV serves one thread."""


def leaning_chances(maps: NDArray[np.uint8]) -> NDArray[np.float64]:
    """How sure it is (n,), 0..1, that dice lean, of their maps (n, 6, 48, 48) by `vision.tracking.upright`.

    Raises BadWeights when the network is not in the package or cannot be loaded.
    """
    if not len(maps):
        return np.zeros(0)
    net = _net()
    net.setInput((maps.astype(np.float32) - _MEAN) * _SCALE)
    logits: NDArray[Any] = net.forward().reshape(-1).astype(np.float64)
    return np.asarray(1 / (1 + np.exp(-logits)))


def _net() -> cv2.dnn.Net:
    known: cv2.dnn.Net | None = getattr(_nets, "net", None)
    if known is None:
        known = _nets.net = _loaded()
    return known


def _loaded() -> cv2.dnn.Net:
    try:
        data = resources.files("vision").joinpath("weights", _WEIGHTS).read_bytes()
        net = cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))
    except (OSError, cv2.error) as error:
        raise BadWeights(
            f"The network {_WEIGHTS} is missing or cannot be loaded ({error}); install tabletop-companion again."
        ) from error
    net.setPreferableBackend(cv2.dnn.DNN_BACKEND_OPENCV)
    net.setPreferableTarget(cv2.dnn.DNN_TARGET_CPU)
    return net
