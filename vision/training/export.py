"""Write a checkpoint, or the mean of several, as ONNX.

python -m vision.training.export finder|glance|faces CHECKPOINT... vision/weights/NAME.onnx
"""

from __future__ import annotations

import argparse
from pathlib import Path

from vision.training.networks import export, mean_weights
from vision.training.train import NETWORKS


def main() -> None:
    parser = argparse.ArgumentParser(description="Export a trained network.")
    parser.add_argument("network", choices=list(NETWORKS))
    parser.add_argument("checkpoints", type=Path, nargs="+")
    parser.add_argument("out", type=Path)
    a = parser.parse_args()
    network = NETWORKS[a.network]()
    network.load_state_dict(mean_weights(a.checkpoints))
    export(network, a.out)


if __name__ == "__main__":
    main()
