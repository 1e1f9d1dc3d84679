"""Training data on disk: shards of rendered scenes, and the photographs whose licence allows learning from them."""

from __future__ import annotations

import argparse
import json
import pickle
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.scenes import Scene, SceneLimits, render_scene

__all__ = ["HELD_OUT_SOURCE", "Photograph", "dice_free_pieces", "learnable", "load_shard", "write_shards"]

HELD_OUT_SOURCE = "DamianTab/DiceDetection"
"""Open licence, never trained on: thresholds and confidence are chosen on it and on rendered scenes."""

SCENE_SIZE_PX = 448
SHARD_SCENES = 125


@dataclass
class Photograph:
    """One labelled photograph; boxes (N, 4) are x0, y0, x1, y1 in px, rows of NaN where none is known."""

    path: Path
    source: str
    values: list[int]
    boxes: NDArray[np.float32]

    def image(self) -> NDArray[np.uint8]:
        image = cv2.imread(str(self.path))
        if image is None:
            raise FileNotFoundError(f"Cannot read {self.path}.")
        return np.asarray(image, np.uint8)


def learnable(folder: Path, *, held_out: bool = False) -> list[Photograph]:
    """The photographs marked `learn` in labels.json, without the held-out source, or only that one."""
    found = []
    for entry in json.loads((folder / "labels.json").read_text()):
        if not entry["learn"] or (entry["source"] == HELD_OUT_SOURCE) != held_out:
            continue
        boxes = [die["box"] or [np.nan] * 4 for die in entry["dice"]]
        found.append(
            Photograph(
                folder / entry["image"],
                entry["source"],
                [die["value"] for die in entry["dice"]],
                np.array(boxes, np.float32).reshape(-1, 4),
            )
        )
    return found


def dice_free_pieces(photographs: list[Photograph], seed: int = 1, wanted: int = 150) -> list[NDArray[np.uint8]]:
    """Square pieces of the photographs in which no die lies, to render dice upon."""
    rng = np.random.default_rng(seed)
    usable = [p for p in photographs if not np.isnan(p.boxes).any() and len(p.boxes)]
    pieces: list[NDArray[np.uint8]] = []
    for _ in range(wanted * 6):
        if len(pieces) >= wanted or not usable:
            break
        photograph = usable[int(rng.integers(len(usable)))]
        image = photograph.image()
        side = int(rng.uniform(0.25, 0.6) * min(image.shape[:2]))
        x, y = int(rng.integers(image.shape[1] - side)), int(rng.integers(image.shape[0] - side))
        b, m = photograph.boxes, 6
        if not ((b[:, 0] < x + side + m) & (b[:, 2] > x - m) & (b[:, 1] < y + side + m) & (b[:, 3] > y - m)).any():
            pieces.append(image[y : y + side, x : x + side].copy())
    return pieces


def _packed(scene: Scene) -> dict[str, Any]:
    return {
        "png": cv2.imencode(".jpg", scene.image, [cv2.IMWRITE_JPEG_QUALITY, 96])[1].tobytes(),
        "dice": [
            (d.value, d.corners, d.pips, d.visible, d.pips_seen, d.cocked, d.upright, d.square) for d in scene.dice
        ],
        "decoys": scene.decoys,
    }


def write_shards(out: Path, photographs: Path | None, first_seed: int, shards: int, limits: SceneLimits) -> None:
    """Render scenes with seeds counting up from `first_seed`, 125 to a file; files that exist are kept."""
    out.mkdir(parents=True, exist_ok=True)
    pieces = dice_free_pieces(learnable(photographs)) if photographs else None
    for k in range(shards):
        seed = first_seed + k * SHARD_SCENES
        path = out / f"scenes-{seed:07d}.pkl"
        if path.exists():
            continue
        scenes = [
            _packed(render_scene(np.random.default_rng(seed + i), SCENE_SIZE_PX, limits, pieces))
            for i in range(SHARD_SCENES)
        ]
        path.with_suffix(".part").write_bytes(pickle.dumps(scenes))
        path.with_suffix(".part").rename(path)


def load_shard(path: Path) -> list[dict[str, Any]]:
    """The scenes of one file: jpeg bytes, dice as tuples in the order of RenderedDie, decoys as x, y, side."""
    return pickle.loads(path.read_bytes())


def main() -> None:
    parser = argparse.ArgumentParser(description="Render training scenes.")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--photographs", type=Path, help="folder with labels.json; pieces without dice become backgrounds"
    )
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--shards", type=int, default=48)
    parser.add_argument("--values", type=int, nargs="*", default=[1, 2, 3, 4, 5, 6], help="of the top faces")
    parser.add_argument("--other", type=float, default=SceneLimits().other, help="chance of kinds of dice without pips")
    parser.add_argument("--clutter", help="only this kind of things, in every scene, with few dice: domino, button…")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    limits = SceneLimits(values=tuple(arguments.values), other=arguments.other)
    if arguments.clutter:
        limits = replace(limits, clutter=1.0, clutter_kind=arguments.clutter, dice=(0, 4))
    write_shards(arguments.out, arguments.photographs, arguments.first_seed, arguments.shards, limits)


if __name__ == "__main__":
    main()
