"""Photographs as training scenes: outlines and pips proposed by an earlier network, kept only where the label agrees.

python -m vision.training.photographs --photographs DIR --out DIR [--first-seed N]

The labels tell value and box, not corners and pips. A face read by the current networks is taken as truth only
when its value is the label's and its pips fit that value's lattice; otherwise only the value is learned from, and
the finder learns nothing in that box. What the networks take for dice outside all boxes becomes a decoy.
"""

from __future__ import annotations

import argparse
import pickle
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice import DiceReader
from vision.faces import Face
from vision.training.data import SCENE_SIZE_PX, Photograph, learnable

__all__ = ["annotated", "main"]

_SIDES_PX = (9.0, 75.0)
_LEAST_PROPOSAL = 0.12


def _choose(faces: list[Face], value: int, box: NDArray[np.floating]) -> Face | None:
    """The face in a box that most surely shows the labelled value."""
    inside = [f for f in faces if box[0] <= f.centre_px[0] <= box[2] and box[1] <= f.centre_px[1] <= box[3]]
    good = [f for f in inside if f.chances[value] > 0.3 and 0.3 < f.side_px / np.sqrt(np.prod(box[2:] - box[:2])) < 1.1]
    return max(good, key=lambda f: f.chances[value], default=None)


def annotated(photograph: Photograph, reader: DiceReader) -> dict[str, Any]:
    """The photograph with dice as in training scenes, boxes to ignore, decoys, and which dice are sure."""
    image = photograph.image()
    whole = np.array([0, 0, image.shape[1], image.shape[0]], np.float32)
    faces = reader.looked_at(image, _LEAST_PROPOSAL)
    dice, ignore, used = [], [], []
    for value, box in zip(photograph.values, photograph.boxes, strict=True):
        crop = bool(np.isnan(box).any())
        face = _choose(faces, value, whole if crop else box)
        if face is not None:
            used.append(face)
            sure = face.value == value and face.fits
            dice.append((value, face.outline_px.astype(np.float32), face.pips_px.astype(np.float32), sure))
            if not sure:
                ignore.append(box if not crop else whole)
            continue
        ignore.append(box if not crop else whole)
        if not crop:
            x0, y0, x1, y1 = box
            m = 0.12 * (box[2:] - box[:2]).mean()
            corners = np.array([(x0 + m, y0 + m), (x1 - m, y0 + m), (x1 - m, y1 - m), (x0 + m, y1 - m)], np.float32)
            dice.append((value, corners, np.zeros((0, 2), np.float32), False))
    decoys = []
    for face in faces:
        x, y = face.centre_px
        b = photograph.boxes
        if (
            not np.isnan(b).any()
            and not ((b[:, 0] - 4 < x) & (x < b[:, 2] + 4) & (b[:, 1] - 4 < y) & (y < b[:, 3] + 4)).any()
        ):
            decoys.append((x, y, face.side_px))
    return {"image": image, "source": photograph.source, "dice": dice, "ignore": ignore, "decoys": decoys}


def _placed(
    item: dict[str, Any], matrix: NDArray[np.float64], canvas: NDArray[np.uint8], scene: dict[str, Any]
) -> None:
    """Add the dice of an annotated photograph, moved by a similarity (2, 3), to a scene."""

    def moved(points: NDArray[np.floating]) -> NDArray[np.float32]:
        return (points @ matrix[:, :2].T + matrix[:, 2]).astype(np.float32)

    size = canvas.shape[0]
    zoom = float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
    for value, corners, pips, sure in item["dice"]:
        corners = moved(corners)
        if (corners.min(0) < -1).any() or (corners.max(0) > size).any():
            if (corners.max(0) > 0).all() and (corners.min(0) < size).all():
                scene["ignore"].append((*(corners.min(0) - 8), *(corners.max(0) + 8)))
            continue
        scene["dice"].append((value, corners, moved(pips), 1.0, True, False, True, True))
        scene["rough"].append(not sure)
    for box in item["ignore"]:
        b = moved(np.array([(box[0], box[1]), (box[2], box[1]), (box[2], box[3]), (box[0], box[3])]))
        scene["ignore"].append((*b.min(0), *b.max(0)))
    for x, y, side in item["decoys"]:
        at = moved(np.array([(x, y)]))[0]
        if (at > 0).all() and (at < size).all():
            scene["decoys"].append((float(at[0]), float(at[1]), side * zoom))


def _scene(canvas: NDArray[np.uint8]) -> dict[str, Any]:
    return {"canvas": canvas, "dice": [], "rough": [], "ignore": [], "decoys": [], "mined": True}


def _view(item: dict[str, Any], rng: np.random.Generator) -> dict[str, Any] | None:
    """A random window of a photograph, scaled so that its faces have trainable sizes, turned where seen from above."""
    image = item["image"]
    sides = [np.linalg.norm(c - np.roll(c, 1, 0), axis=1).mean() for _, c, _, _ in item["dice"]]
    middle = float(np.median(sides)) if sides else 40.0
    zoom = float(
        np.exp(rng.uniform(np.log(max(0.4, _SIDES_PX[0] / middle)), np.log(max(0.6, min(2.0, _SIDES_PX[1] / middle)))))
    )
    size = SCENE_SIZE_PX
    focus = np.array(image.shape[1::-1]) * rng.uniform(0, 1, 2)
    if item["dice"] and rng.random() < 0.8:
        focus = item["dice"][int(rng.integers(len(item["dice"])))][1].mean(axis=0)
    angle = float(rng.uniform(0, 360)) if "nell" in item["source"] else float(rng.normal(0, 8))
    matrix = cv2.getRotationMatrix2D((float(focus[0]), float(focus[1])), angle, zoom)
    matrix[:, 2] += rng.uniform(0.3, 0.7, 2) * size - focus
    how = cv2.INTER_AREA if zoom < 1 else cv2.INTER_LINEAR
    source = image
    if zoom < 0.7:  # warpAffine does not average
        source = cv2.GaussianBlur(image, (0, 0), 0.4 / zoom)
    canvas = cv2.warpAffine(source, matrix, (size, size), flags=how, borderMode=cv2.BORDER_REFLECT_101)
    scene = _scene(canvas)
    # Reflected borders hold mirrored dice without labels: grey them out.
    inside = cv2.warpAffine(np.full(image.shape[:2], 255, np.uint8), matrix, (size, size))
    canvas[inside < 128] = rng.integers(0, 256, 3)
    _placed(item, matrix, canvas, scene)
    return scene


def _mosaic(items: list[dict[str, Any]], rng: np.random.Generator) -> dict[str, Any]:
    """Single-die crops side by side."""
    across = int(rng.choice([4, 5, 7, 9]))
    tile = SCENE_SIZE_PX // across
    canvas = np.full((SCENE_SIZE_PX, SCENE_SIZE_PX, 3), int(rng.integers(256)), np.uint8)
    scene = _scene(canvas)
    for row in range(across):
        for column in range(across):
            if rng.random() < 0.45:
                continue
            item = items[int(rng.integers(len(items)))]
            zoom = tile / item["image"].shape[0]
            turn = cv2.getRotationMatrix2D(
                (item["image"].shape[1] / 2 - 0.5, item["image"].shape[0] / 2 - 0.5), 90.0 * int(rng.integers(4)), zoom
            )
            middle = np.array(item["image"].shape[1::-1]) / 2 - 0.5
            turn[:, 2] += (tile / 2 - 0.5) - middle
            canvas[row * tile : (row + 1) * tile, column * tile : (column + 1) * tile] = cv2.warpAffine(
                cv2.GaussianBlur(item["image"], (0, 0), 0.4 / zoom) if zoom < 0.8 else item["image"],
                turn,
                (tile, tile),
                borderMode=cv2.BORDER_REPLICATE,
            )
            turn[:, 2] += (column * tile, row * tile)
            _placed(item, turn, canvas, scene)
    return scene


def _packed(scene: dict[str, Any]) -> dict[str, Any]:
    scene["png"] = cv2.imencode(".jpg", scene.pop("canvas"), [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()
    return scene


def main() -> None:
    parser = argparse.ArgumentParser(description="Make training scenes of photographs.")
    parser.add_argument("--photographs", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--views", type=int, default=7, help="windows of each photograph")
    a = parser.parse_args()
    rng = np.random.default_rng(a.seed)
    reader = DiceReader(sure=1.0)
    items = [annotated(photograph, reader) for photograph in learnable(a.photographs)]
    for source in sorted({i["source"] for i in items}):
        mine = [i for i in items if i["source"] == source]
        sure = sum(d[3] for i in mine for d in i["dice"])
        print(f"{source}: {len(mine)} photographs, {sum(len(i['dice']) for i in mine)} dice, {sure} sure, "
              f"{sum(len(i['decoys']) for i in mine)} decoys")  # fmt: skip
    crops = [i for i in items if i["source"].startswith("tomitomi")]
    photographs = [i for i in items if not i["source"].startswith("tomitomi")]
    scenes = [_packed(view) for _ in range(a.views) for item in photographs if (view := _view(item, rng))]
    scenes += [_packed(_mosaic(crops, rng)) for _ in range(len(scenes) // 8)]
    order = rng.permutation(len(scenes))
    a.out.mkdir(parents=True, exist_ok=True)
    for k in range(0, len(scenes), 125):
        shard = [scenes[i] for i in order[k : k + 125]]
        (a.out / f"photographs-{a.seed}-{k:05d}.pkl").write_bytes(pickle.dumps(shard))


if __name__ == "__main__":
    main()
