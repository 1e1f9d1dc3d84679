"""Networks answer as another library computes them, from any thread, or say plainly that they cannot be loaded."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import BadWeights
from vision.inference import Network, inputs_of, inputs_of_maps

WEIGHTS = Path(str(resources.files("vision"))) / "weights"
SHAPES = {"finder": (96, 128), "glance": (96, 144, 3), "faces": (64, 64, 3), "leaning": (6, 48, 48)}


def some_inputs(name: str, n: int = 1) -> np.ndarray:
    images = np.random.default_rng(5).integers(0, 256, (n, *SHAPES[name])).astype(np.uint8)
    return inputs_of_maps(images) if name == "leaning" else inputs_of(images)


@pytest.mark.parametrize("name", SHAPES)
def test_each_network_answers_as_opencv_computes_it(name: str) -> None:
    inputs = some_inputs(name, 3 if name in ("faces", "leaning") else 1)
    net = cv2.dnn.readNetFromONNX(str(WEIGHTS / f"{name}.onnx"))
    net.setInput(inputs)
    expected = net.forward(["vector", "pips"]) if name in ("glance", "faces") else [net.forward()]
    answers = Network(f"{name}.onnx").answers(inputs)
    assert len(answers) == len(expected)
    for answer, other in zip(answers, expected, strict=True):
        assert answer.dtype == np.float32
        assert np.ptp(answer) > 0.1, "an answer of which something depends"
        assert np.abs(answer.ravel() - np.asarray(other).ravel()).max() < 1e-3


def test_pictures_become_numbers_channel_by_channel() -> None:
    picture = np.zeros((8, 16, 3), np.uint8)
    picture[2, 5] = 255, 127, 0
    picture[:2] = 64
    (inputs,) = inputs_of([picture])
    assert inputs.shape == (3, 8, 16)
    assert inputs[:, 2, 5] == pytest.approx([127.5 / 64, -0.5 / 64, -127.5 / 64])
    assert inputs[:, 0, 0] == pytest.approx([-63.5 / 64] * 3)
    (grey,) = inputs_of([picture[:, :, 1]])
    assert np.array_equal(grey[0], inputs[1])
    assert np.allclose(inputs_of_maps(picture.transpose(2, 0, 1)[None])[0], inputs)


def test_one_network_may_be_asked_by_two_threads_at_once() -> None:
    network, inputs = Network("finder.onnx"), some_inputs("finder")
    (alone,) = network.answers(inputs)
    with ThreadPoolExecutor(2) as pool:
        for (answer,) in pool.map(network.answers, [inputs] * 20):
            assert np.array_equal(answer, alone)


def test_a_network_that_is_not_in_the_package_is_named_and_what_to_do() -> None:
    with pytest.raises(BadWeights, match=r"finder2\.onnx is not in the package .* install tabletop-companion again"):
        Network("finder2.onnx")


def test_a_damaged_network_is_named_and_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "weights").mkdir()
    whole = (WEIGHTS / "finder.onnx").read_bytes()
    monkeypatch.setattr(resources, "files", lambda package: tmp_path)
    for data in (whole[: len(whole) // 2], b"", b"<html>404</html>"):
        (tmp_path / "weights" / "finder.onnx").write_bytes(data)
        with pytest.raises(BadWeights, match=r"finder\.onnx cannot be loaded .* install tabletop-companion again"):
            Network("finder.onnx")
    (tmp_path / "weights" / "finder.onnx").write_bytes(whole)
    assert Network("finder.onnx").answers(some_inputs("finder"))
