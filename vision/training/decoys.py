"""Rendered scenes again, with what the finder takes for dice there and is none: python -m vision.training.decoys.

The face network learns to reject exactly those places: halves of dominoes, dice printed on cards, side faces.
"""

from __future__ import annotations

import argparse
import pickle
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.networks import FinderNetwork
from vision.pyramid import Pyramid
from vision.training.data import load_shard

__all__ = ["main", "mine"]


def mine(scene: dict[str, Any], finder: FinderNetwork, min_score: float = 0.13) -> dict[str, Any]:
    """The scene with decoys where the finder proposes a face and no die's top face has its centre."""
    image = cv2.imdecode(np.frombuffer(scene["png"], np.uint8), cv2.IMREAD_COLOR)
    proposals = finder.find(Pyramid(image), min_score)
    decoys = []
    for (x, y), side in zip(proposals.centres_px.tolist(), proposals.sides_px.tolist(), strict=True):
        near = [np.hypot(*(np.array([x, y]) - die[1].mean(axis=0))) / side for die in scene["dice"]]
        if min(near, default=9.0) > 0.5:
            decoys.append((x, y, side))
    return {**scene, "decoys": decoys, "mined": True}


def main() -> None:
    parser = argparse.ArgumentParser(description="Look for decoys in rendered scenes.")
    parser.add_argument("--data", type=Path, required=True, help="folder of shards")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--shards", type=int, default=10)
    a = parser.parse_args()
    finder = FinderNetwork()
    a.out.mkdir(parents=True, exist_ok=True)
    for path in sorted(a.data.glob("*.pkl"))[-a.shards :]:
        scenes = [mine(scene, finder) for scene in load_shard(path)]
        (a.out / path.name).write_bytes(pickle.dumps(scenes))


if __name__ == "__main__":
    main()
