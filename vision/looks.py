"""What a network's answers for many patches mean: chances, outlines and pips in px of the image, all faces at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.lattice import LATTICE_TOLERANCE, lattice_errors
from vision.networks import CLASSES, OTHER_DIE, NetworkAnswers
from vision.quads import MIRRORED, corners_from_codes

__all__ = ["PIPS_KEPT", "Looks", "Values", "looks_of", "softmax", "values_of"]

PIPS_KEPT = 9
"""So many of the strongest pips of a face are kept: more than any face has, and some to doubt it by."""
PIP_FLOOR = 0.22
_PEAK_FLOOR = 0.12
_CLEARLY_WEAKER = 0.55
"""A peak of the pip map beside the pattern may be at most this part of the pattern's weakest pip."""
_MARGIN_SIDES = 0.9
"""Every pip found up to this far from the centre must belong to the pattern, though the face's edge is at 0.5:
the map shows pips of the top face only, so one outside tells that outline or value is wrong."""
_OFTEN_NO_FACE = np.array([1.0, *[0.0] * (CLASSES - 1)])
"""Log odds by which patches without a face were commoner in training, where decoys were sought out, than on tables;
chosen on the held-out source and on rendered scenes."""
_WORTH_CHECKING = 0.1
"""A value to which the network gives less is not looked for in the pips."""

_AROUND = np.ones((3, 3), np.uint8)
_STEPS = np.array([-1, 0, 1])
_FLOOR = np.log(_PEAK_FLOOR / (1 - _PEAK_FLOOR))


@dataclass(frozen=True, slots=True)
class Looks:
    """One look at each of n faces.

    `logits` and `chances` (n, 8) of the classes; `outlines_px` (n, 4, 2) clockwise; the strongest pips of each, best
    first: `pips_px` and `pips_local` (n, 9, 2) in px and in sides from the face's centre, `pip_scores` (n, 9), 0 where
    there is none; `centres_px` (n, 2) and `sides_px` (n,) are the means of the outline's corners and sides.
    """

    logits: NDArray[Any]
    chances: NDArray[Any]
    outlines_px: NDArray[Any]
    pips_px: NDArray[Any]
    pips_local: NDArray[Any]
    pip_scores: NDArray[Any]
    centres_px: NDArray[Any]
    sides_px: NDArray[Any]


@dataclass(frozen=True, slots=True)
class Values:
    """The value of each of n faces, and what the pips say of it.

    `values` (n,) 1 to 6: the likeliest whose pips are all found in their places or, when there is none, the
    likeliest. `lattice` (n,) the worst pip's distance from its place in the value's pattern, in sides, infinite when
    the count is wrong; `strengths` (n,) the weakest counted pip's score, `doubts` (n,) the strongest uncounted one's.
    """

    values: NDArray[Any]
    lattice: NDArray[Any]
    strengths: NDArray[Any]
    doubts: NDArray[Any]

    @property
    def fitting(self) -> NDArray[np.bool_]:
        """Whether exactly the pips of the value were found, each in its place."""
        return np.asarray(self.lattice <= LATTICE_TOLERANCE)


def softmax(logits: NDArray[Any]) -> NDArray[Any]:
    """Chances (n, k) of logits (n, k)."""
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances: NDArray[Any] = raised / raised.sum(axis=1, keepdims=True)
    return chances


def looks_of(answers: NetworkAnswers, places: NDArray[Any], patch_px: int, *, mirrored: bool = False) -> Looks:
    """Answers for patches of `patch_px` cut at `places` (n, 3), see patches.cut_patch; `mirrored` left to right."""
    n = len(places)
    codes, maps = answers.codes, answers.pip_logits
    if mirrored:
        codes, maps = codes * MIRRORED, maps[:, :, ::-1]
    zoom, origin = places[:, 2:], places[:, :2] - 0.5
    half = zoom * (patch_px / 2)
    outlines = corners_from_codes(codes) * half[:, None] + (half + origin)[:, None]
    first, second, third, last = outlines.transpose(1, 0, 2)
    centres, across, down = (first + third) / 2, second - first, last - first  # of parallelograms
    owner, points, scores = _peaks(maps)
    points = points * zoom[owner] + origin[owner]
    local = _in_sides(points - centres[owner], across[owner], down[owner])
    near = (np.abs(local) < _MARGIN_SIDES).all(axis=1).nonzero()[0]
    order = near[np.lexsort((-scores[near], owner[near]))]
    owner = owner[order]
    rank = np.arange(len(order)) - owner.searchsorted(owner)
    kept = rank < PIPS_KEPT
    at, order = (owner[kept], rank[kept]), order[kept]
    pips_px, pips_local, pip_scores = np.zeros((n, PIPS_KEPT, 2)), np.zeros((n, PIPS_KEPT, 2)), np.zeros((n, PIPS_KEPT))
    pips_px[at], pips_local[at], pip_scores[at] = points[order], local[order], scores[order]
    sides = (np.hypot(*across.T) + np.hypot(*down.T)) / 2
    logits = answers.logits - _OFTEN_NO_FACE
    return Looks(logits, softmax(logits), outlines, pips_px, pips_local, pip_scores, centres, sides)


def _in_sides(steps: NDArray[Any], across: NDArray[Any], down: NDArray[Any]) -> NDArray[Any]:
    """Steps (k, 2) in px as shares of the edges of parallelograms (k, 2) each."""
    (x, y), (across_x, across_y), (down_x, down_y) = steps.T, across.T, down.T
    area = across_x * down_y - across_y * down_x
    area = np.where(np.abs(area) < 1e-9, 1e-9, area)
    return np.array(((x * down_y - y * down_x) / area, (y * across_x - x * across_y) / area)).T


def _peaks(logits: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Peaks of maps (n, s, s) as owners (k,), points (k, 2) in px of the patch and scores (k,), by owner."""
    n, size = logits.shape[:2]
    if n == 0:
        return np.zeros(0, int), np.zeros((0, 2)), np.zeros(0)
    across = size + 2
    walled = np.empty((n, across, across), np.float32)
    walled.fill(-20.0)
    walled[:, 1:-1, 1:-1] = logits
    together = walled.reshape(n * across, across)
    flat, highest = together.ravel(), cv2.dilate(together, _AROUND).ravel()
    at = (flat > _FLOOR).nonzero()[0]
    at = at[flat[at] >= highest[at]]
    steps = _STEPS[:, None] * across + _STEPS
    weight = 1 / (1 + np.exp(-flat[at + steps[:, :, None]].astype(np.float64)))
    columns, rows = weight.sum(axis=0), weight.sum(axis=1)
    total = columns.sum(axis=0)
    row, column = np.divmod(at, across)
    owner, row = np.divmod(row, across)
    x, y = column - 1 + (columns[2] - columns[0]) / total, row - 1 + (rows[2] - rows[0]) / total
    return owner, np.array((2 * x + 1, 2 * y + 1)).T, weight[1, 1]


def values_of(looks: Looks, chances: NDArray[Any]) -> Values:
    """The value of each face by these chances (n, 8) and the pips of `looks`."""
    chances = chances[:, 1:OTHER_DIE]
    n, count = chances.shape
    faces = np.arange(n)
    likely = np.zeros((n, count), bool)
    likely[faces, chances.argmax(axis=1)] = True
    strengths, doubts = looks.pip_scores[:, :count], looks.pip_scores[:, 1 : count + 1]
    counted = (strengths >= PIP_FLOOR) & (doubts <= np.maximum(PIP_FLOOR, _CLEARLY_WEAKER * strengths))
    asked = counted & (likely | (chances >= _WORTH_CHECKING))
    errors = np.full((n, count), np.inf)
    at, column = np.nonzero(asked)
    errors[at, column] = lattice_errors(looks.pips_local[at, :count], column + 1)
    fitting = errors <= LATTICE_TOLERANCE
    # A value whose pips fit goes before one that is only likelier; what neither fits nor is the likeliest never counts.
    best = np.where(fitting | likely, fitting + chances, -1.0).argmax(axis=1)
    return Values(best + 1, errors[faces, best], strengths[faces, best], doubts[faces, best])


assert CLASSES == OTHER_DIE + 1
