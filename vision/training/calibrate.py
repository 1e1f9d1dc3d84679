"""Fit the confidence: python -m vision.training.calibrate --photographs DIR [--scenes 200] [--first-seed 6000000].

On rendered scenes and on the one open source that is held out of all training; prints the weights for confidence.py
and how well they are calibrated.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.confidence import chance
from vision.dice import DiceReader
from vision.faces import Face
from vision.training.data import learnable
from vision.training.scenes import SceneLimits, render_scene

__all__ = ["Case", "cases", "fit", "main"]

Case = tuple[NDArray[np.uint8], list[tuple[int, NDArray[Any]]], list[NDArray[Any]]]
"""An image, its dice as values and boxes x0, y0, x1, y1, and boxes in which nothing counts."""
_PHOTOGRAPH_WEIGHT = 12.0
_CLUTTER_WEIGHT = 0.3
"""Of a face beside one in a rendered scene with dice: tables look like photographs, and dominoes are seldom there."""
_PENALTY = 2.0
_CLUTTER_EVERY = 5


def rendered(seed: int, count: int) -> Iterator[Case]:
    """Scenes as in training and some without dice, from seeds that training never used."""
    for k in range(count):
        limits = (
            SceneLimits(side_px=(15, 75), degrade=0.8) if k % _CLUTTER_EVERY else SceneLimits(dice=(0, 1), clutter=1.0)
        )
        scene = render_scene(np.random.default_rng(seed + k), 448, replace(limits, hand=0.08))
        dice, ignored = [], []
        for die in scene.dice:
            box = np.array([*die.corners.min(axis=0), *die.corners.max(axis=0)])
            if die.readable:
                dice.append((die.value, box))
            else:
                ignored.append(box)
        yield scene.image, dice, ignored


def photographed(folder: Path) -> Iterator[Case]:
    """The photographs of the held-out source."""
    for photograph in learnable(folder, held_out=True):
        yield photograph.image(), list(zip(photograph.values, photograph.boxes, strict=True)), []


def cases(found: Iterator[Case], reader: DiceReader) -> list[tuple[Face, bool]]:
    """Every face that would be stated without a threshold, and whether it is right."""
    told = []
    for image, dice, ignored in found:
        for face in reader.faces(image):
            if not (face.agreed and face.fits) or face.chances[0] >= 0.5 or face.other_die or _within(face, ignored):
                continue
            told.append((face, any(_within(face, [box]) and value == face.value for value, box in dice)))
    return told


def _within(face: Face, boxes: list[NDArray[Any]]) -> bool:
    x, y = face.centre_px
    return any(b[0] <= x <= b[2] and b[1] <= y <= b[3] for b in boxes)


_NEVER_AGAINST = {"GLANCE": (0, 1, 2, 3), "CLOSE": (0, 1, 2, 3, 4)}
"""Columns of which more can only speak for a value: chances, pips, the finder, the lattice."""


def fit(
    evidence: NDArray[Any], right: NDArray[Any], weights: NDArray[Any], never_against: tuple[int, ...]
) -> tuple[float, ...]:
    """Weights of a constant and of each column by penalised logistic regression (Newton's method).

    A column of `never_against` that would get a negative weight is left out: it only makes up for another.
    """
    kept = list(range(evidence.shape[1]))
    while True:
        columns = np.column_stack([np.ones(len(evidence)), evidence[:, kept]])
        found = np.zeros(columns.shape[1])
        ridge = np.diag([1e-6] + [_PENALTY] * len(kept))
        for _ in range(60):
            likely = 1 / (1 + np.exp(-columns @ found))
            slope = columns.T @ (weights * (likely - right)) + ridge @ found
            curve = (columns * (weights * likely * (1 - likely))[:, None]).T @ columns + ridge
            found -= np.linalg.solve(curve, slope)
        against = [k for k, w in zip(kept, found[1:], strict=True) if w < 0 and k in never_against]
        if not against:
            break
        kept.remove(min(against, key=lambda k: found[1 + kept.index(k)]))
    by_column = dict(zip(kept, found[1:], strict=True))
    return tuple(round(float(v), 3) for v in (found[0], *(by_column.get(k, 0.0) for k in range(evidence.shape[1]))))


def _report(name: str, told: list[tuple[Face, bool]], weights: NDArray[Any]) -> None:
    evidence, right = np.array([f.evidence for f, _ in told]), np.array([float(r) for _, r in told])
    found = fit(evidence, right, weights, _NEVER_AGAINST[name])
    print(f"{name}_WEIGHTS = {found}")
    told_chance = chance(evidence, found)
    for mark in (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.985, 0.99, 0.995):
        stated = told_chance >= mark
        good, bad = int(right[stated].sum()), int((1 - right[stated]).sum())
        print(f"  from {mark}: {good} right, {bad} wrong; meant {float((1 - told_chance[stated]).sum()):.1f} wrong")


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the weights of the confidence.")
    parser.add_argument("--photographs", type=Path, required=True, help="folder with labels.json")
    parser.add_argument("--scenes", type=int, default=200)
    parser.add_argument("--first-seed", type=int, default=6_000_000)
    a = parser.parse_args()
    cv2.setNumThreads(1)
    scenes, photographs = list(rendered(a.first_seed, a.scenes)), list(photographed(a.photographs))
    groups = [
        (scenes[::_CLUTTER_EVERY], _CLUTTER_WEIGHT),
        ([scene for k, scene in enumerate(scenes) if k % _CLUTTER_EVERY], 1.0),
        (photographs, _PHOTOGRAPH_WEIGHT),
    ]
    for name, sure in (("GLANCE", 0.0), ("CLOSE", 2.0)):
        reader = DiceReader(sure=sure)
        told: list[tuple[Face, bool]] = []
        weights: list[float] = []
        for images, weight in groups:
            found = [(f, right) for f, right in cases(iter(images), reader) if f.glanced == (name == "GLANCE")]
            print(f"  weight {weight}: {sum(right for _, right in found)} right of {len(found)}")
            told += found
            weights += [weight] * len(found)
        _report(name, told, np.array(weights))


if __name__ == "__main__":
    main()
