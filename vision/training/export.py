"""Write a checkpoint as ONNX: python -m vision.training.export finder|faces CHECKPOINT vision/weights/NAME.onnx."""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from vision.training.networks import FaceNet, FinderNet, export


def main() -> None:
    parser = argparse.ArgumentParser(description="Export a trained network.")
    parser.add_argument("network", choices=["finder", "faces"])
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("out", type=Path)
    a = parser.parse_args()
    network = FinderNet() if a.network == "finder" else FaceNet()
    network.load_state_dict(torch.load(a.checkpoint)["weights"])
    if a.network == "finder":
        export(network, a.out, torch.zeros(1, 3, 96, 128), ["map"])
    else:
        export(network, a.out, torch.zeros(2, 3, 64, 64), ["vector", "pips"])


if __name__ == "__main__":
    main()
