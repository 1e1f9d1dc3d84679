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
from vision.training.data import load_shard

__all__ = ["main", "mine"]


def mine(scene: dict[str, Any], finder: FinderNetwork, min_score: float = 0.2) -> dict[str, Any]:
    """The scene with decoys where the finder proposes a face and no die's top face has its centre."""
    image = cv2.imdecode(np.frombuffer(scene["png"], np.uint8), cv2.IMREAD_COLOR)
    decoys = []
    for p in finder.find(image, min_score):
        near = [np.hypot(*(np.array([p.x, p.y]) - c.mean(axis=0))) / p.side_px for _, c, *_ in scene["dice"]]
        if min(near, default=9.0) > 0.5:
            decoys.append((p.x, p.y, p.side_px))
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
