"""A shipped faces.onnx as a checkpoint: python -m vision.training.unfold OLD.onnx --data DIR... --out FILE.

Export folds batch normalisation into the convolutions. Here each gets one back whose means and variances are those of
real patches and that changes nothing, so that training finds it as it left it. A network of seven classes gets an
eighth that is never likely.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from vision.networks import CLASSES
from vision.patches import PATCH_PX
from vision.training.examples import scenes_forever
from vision.training.networks import Block, FaceNet
from vision.training.train import face_batches

__all__ = ["main"]

_LAST = "vector.4."


def main() -> None:
    parser = argparse.ArgumentParser(description="Make a checkpoint of a shipped faces.onnx.")
    parser.add_argument("onnx", type=Path)
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    a = parser.parse_args()
    folded = {i.name: torch.from_numpy(numpy_helper.to_array(i).copy()) for i in onnx.load(a.onnx).graph.initializer}
    for name, fill in ((f"{_LAST}weight", 0.0), (f"{_LAST}bias", -3.0)):
        old = folded[name]
        if len(old) == CLASSES - 1 + 7:
            extra = torch.full_like(old[:1], fill)
            folded[name] = torch.cat([old[: CLASSES - 1], extra, old[CLASSES - 1 :]])
    network = FaceNet().eval()
    weights = {name: folded.get(name, value) for name, value in network.state_dict().items()}
    blocks = {name: block for name, block in network.named_modules() if isinstance(block, Block)}
    for name in blocks:
        weights[f"{name}.1.bias"] = folded[f"{name}.0.bias"]
    network.load_state_dict(weights)
    seen: dict[str, tuple[torch.Tensor, torch.Tensor]] = {}
    for name, block in blocks.items():
        block[0].register_forward_hook(
            lambda _module, _inputs, out, name=name: seen.update({name: (out.mean((0, 2, 3)), out.var((0, 2, 3)))})
        )
    rng = np.random.default_rng(0)
    with torch.no_grad():
        network(next(face_batches(scenes_forever(a.data, rng), rng, 256, PATCH_PX))[0])
    for name, block in blocks.items():
        mean, variance = seen[name]
        weights[f"{name}.1.running_mean"], weights[f"{name}.1.running_var"] = mean, variance
        weights[f"{name}.1.weight"] = torch.sqrt(variance + block[1].eps)
        weights[f"{name}.1.bias"] = folded[f"{name}.0.bias"] + mean
    torch.save({"weights": weights, "step": 0}, a.out)


if __name__ == "__main__":
    main()
