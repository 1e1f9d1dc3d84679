"""The shipped networks, run by ONNX Runtime: pictures into numbers, numbers into what a network says of them."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from typing import Any

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray

from vision.beside import threads_each
from vision.errors import BadWeights

__all__ = ["Network", "inputs_of", "inputs_of_maps"]

_MEAN, _SCALE = 127.5, 1 / 64
"""What the networks were taught with: (level - mean) * scale."""

_ERRORS_ONLY = 3
"""ONNX Runtime warns of processors and graphics cards that it does not know, which is no concern of a user."""

onnxruntime.set_default_logger_severity(_ERRORS_ONLY)


class Network:
    """One of the networks of `vision/weights`; any number of threads may ask it at once.

    Raises BadWeights when it is not in the package or cannot be loaded.
    """

    def __init__(self, name: str) -> None:
        try:
            weights = resources.files("vision").joinpath("weights", name).read_bytes()
        except OSError as error:
            raise BadWeights(
                f"The network {name} is not in the package ({error}); install tabletop-companion again."
            ) from error
        try:
            self._session = onnxruntime.InferenceSession(weights, _options(), providers=["CPUExecutionProvider"])
        except Exception as error:  # ONNX Runtime's errors have no root of their own
            raise BadWeights(
                f"The network {name} cannot be loaded ({error}); install tabletop-companion again."
            ) from error
        self._input = self._session.get_inputs()[0].name

    def answers(self, inputs: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """What it says of inputs (n, channels, height, width), see `inputs_of`: one array for each of its outputs."""
        answers: list[NDArray[np.float32]] = self._session.run(None, {self._input: inputs})
        return answers


def inputs_of(images: NDArray[np.uint8] | Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
    """Inputs (n, channels, h, w) of n images of one size, grey (h, w) or BGR (h, w, 3) uint8."""
    return np.asarray(cv2.dnn.blobFromImages(list(images), _SCALE, mean=(_MEAN,) * 3), np.float32)


def inputs_of_maps(maps: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Inputs of maps that lie as a network wants them: (n, channels, h, w) uint8."""
    return (maps.astype(np.float32) - _MEAN) * np.float32(_SCALE)


def _options() -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads_each()
    options.inter_op_num_threads = 1
    # Plans and memory kept for every size that was ever met would grow, and save no time.
    options.enable_mem_pattern = False
    options.enable_cpu_mem_arena = False
    options.log_severity_level = _ERRORS_ONLY
    # Its threads wait without turning, so that they take nothing from the thread beside (see vision.beside).
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options
