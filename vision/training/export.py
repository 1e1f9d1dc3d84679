"""Write a checkpoint, or the mean of several, as ONNX.

python -m vision.training.export finder|faces CHECKPOINT... vision/weights/NAME.onnx
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from vision.training.networks import FaceNet, FinderNet, export


def main() -> None:
    parser = argparse.ArgumentParser(description="Export a trained network.")
    parser.add_argument("network", choices=["finder", "faces"])
    parser.add_argument("checkpoints", type=Path, nargs="+")
    parser.add_argument("out", type=Path)
    a = parser.parse_args()
    network = FinderNet() if a.network == "finder" else FaceNet()
    states = [torch.load(path)["weights"] for path in a.checkpoints]
    mean = {
        n: sum(s[n] for s in states) / len(states) if states[0][n].dtype.is_floating_point else states[0][n]
        for n in states[0]
    }
    network.load_state_dict(mean)
    if a.network == "finder":
        export(network, a.out, torch.zeros(1, 3, 96, 128), ["map"])
    else:
        export(network, a.out, torch.zeros(2, 3, 64, 64), ["vector", "pips"])


if __name__ == "__main__":
    main()
