"""Fit the confidence: python -m vision.training.calibrate --photographs DIR [--scale] [--scenes 400].

On rendered scenes and on the one open source that is held out of all training; prints the weights for confidence.py
and how well they are calibrated. With --scale the weights that are there stay, but for a factor and a constant that
make their chances those that were found.
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

from vision.confidence import CLOSE_WEIGHTS, GLANCE_WEIGHTS, chance
from vision.dice import DiceReader
from vision.faces import Face
from vision.sweeps.catalogue import SWEEPS
from vision.sweeps.measure import scene_of
from vision.sweeps.scenes import Duty
from vision.training.data import learnable
from vision.training.scenes import SceneLimits, render_scene

__all__ = ["Case", "cases", "fit", "main", "rescaled", "scale"]

Case = tuple[NDArray[np.uint8], list[tuple[int, NDArray[Any]]], list[NDArray[Any]]]
"""An image, its dice as values and boxes x0, y0, x1, y1, and boxes in which nothing counts."""
_PHOTOGRAPH_WEIGHT = 12.0
_CLUTTER_WEIGHT = 0.3
"""Of a face beside one in a rendered scene with dice: tables look like photographs, and dominoes are seldom there."""
_PENALTY = 2.0
_CLUTTER_EVERY = 5
_SWEPT = range(1000, 1003)
"""Scenes of each step of the sweeps by which the chances are scaled; floors and figures are taken from the first."""
_SCALE_PENALTY = 1.0


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


def swept() -> Iterator[Case]:
    """Scenes of the renderer that training never used: every fault of the sweeps, those without dice too."""
    for sweep in SWEEPS:
        for step in sweep.steps:
            for number in _SWEPT:
                scene = scene_of(sweep.name, step, number)
                boxes = [(die.duty, die.value, np.array(die.box)) for die in scene.dice]
                dice = [(value, box) for duty, value, box in boxes if duty is Duty.READ and value is not None]
                yield scene.image, dice, [box for duty, _, box in boxes if duty is Duty.MAY_REFUSE]


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


def stated(found: Iterator[Case], reader: DiceReader) -> list[tuple[Face, bool]]:
    """Of the faces of `cases` those that a `reader` without a threshold does state."""
    told: list[tuple[Face, bool]] = []
    for case in found:
        outlines = {die.outline_px for die in reader.read(case[0]) if die.value is not None}
        told += [
            (face, right)
            for face, right in cases(iter([case]), reader)
            if tuple(map(tuple, face.outline_px.tolist())) in outlines
        ]
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


def scale(chances: NDArray[Any], right: NDArray[Any], weights: NDArray[Any]) -> tuple[float, float]:
    """The constant and factor of log odds by which chances (n,) come nearest to what was right (n,), 0 or 1."""
    kept = np.clip(chances, 1e-6, 1 - 1e-6)
    columns = np.column_stack([np.ones(len(kept)), np.log(kept / (1 - kept))])
    as_they_are = np.array([0.0, 1.0])
    found = as_they_are.copy()
    for _ in range(60):
        likely = 1 / (1 + np.exp(-columns @ found))
        slope = columns.T @ (weights * (likely - right)) + _SCALE_PENALTY * (found - as_they_are)
        curve = (columns * (weights * likely * (1 - likely))[:, None]).T @ columns + _SCALE_PENALTY * np.eye(2)
        found -= np.linalg.solve(curve, slope)
    return float(found[0]), float(found[1])


def rescaled(weights: tuple[float, ...], constant: float, factor: float) -> tuple[float, ...]:
    """The weights of a constant and columns whose log odds are `factor` times as large, and `constant` more."""
    first, *rest = weights
    return (round(constant + factor * first, 4), *(round(factor * each, 4) for each in rest))


def _scale(sets: list[list[Case]]) -> None:
    """Print the weights scaled on several sets of which each counts as much as any other."""
    told = [stated(iter(images), DiceReader(threshold=0)) for images in sets]
    every = sum(map(len, told))
    weights = np.concatenate([np.full(len(each), every / len(told) / len(each)) for each in told])
    faces = [each for some in told for each in some]
    glanced = np.array([face.glanced for face, _ in faces])
    chances, right = np.array([face.confidence for face, _ in faces]), np.array([float(good) for _, good in faces])
    for name, which, before in (("GLANCE", glanced, GLANCE_WEIGHTS), ("CLOSE", ~glanced, CLOSE_WEIGHTS)):
        constant, factor = scale(chances[which], right[which], weights[which])
        print(f"{name}_WEIGHTS = {rescaled(before, constant, factor)}")
        for mark in (0.5, 0.85, 0.98):
            odds = constant + factor * np.log(mark / (1 - mark))
            print(f"  what was {mark} is {1 / (1 + np.exp(-odds)):.4f}")


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
    parser.add_argument("--scenes", type=int, default=400)
    parser.add_argument("--scale", action="store_true", help="keep the weights but for a factor and a constant")
    parser.add_argument("--first-seed", type=int, default=6_000_000)
    a = parser.parse_args()
    cv2.setNumThreads(1)
    scenes, photographs = list(rendered(a.first_seed, a.scenes)), list(photographed(a.photographs))
    if a.scale:
        _scale([photographs, list(swept()), scenes])
        return
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
