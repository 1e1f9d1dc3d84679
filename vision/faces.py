"""One top face: value, outline and pips as the face network sees them, checked by geometry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images import Image
from vision.lattice import LATTICE_TOLERANCE, face_coordinates, lattice_error
from vision.networks import FaceNetwork, FaceSeen, Proposal
from vision.patches import PATCH_PX, cut_patch
from vision.quads import corners_from_code, order_clockwise

__all__ = ["Face", "read_faces"]

_PIP_FLOOR = 0.22
_CLEARLY_WEAKER = 0.55
"""A peak of the pip map beside the pattern may be at most this part of the pattern's weakest pip."""
_HOPELESS = 0.985
"""A first look that is so sure of seeing no readable top face is not followed by a second."""
_WORTH_CHECKING = 0.1
"""A value to which the network gives less is not looked for in the pips."""
_MARGIN_SIDES = 0.9
"""Every pip found up to this far from the centre must belong to the pattern, though the face's edge is at 0.5:
the map shows pips of the top face only, so one outside tells that outline or value is wrong."""


@dataclass(frozen=True, slots=True)
class Face:
    """One looked-at proposal, in px of the image.

    `chances` (7,) are those of no readable face and of the values 1 to 6, from two looks; `value` is the likeliest
    whose pips are all found in their places, or, when there is none, the likeliest; `agreed` tells whether both
    looks think it possible; `lattice` is the worst pip's distance from its place in the value's pattern, in sides
    (infinite when the count is wrong); `pip_strength` the weakest counted pip's score and `pip_doubt` the
    strongest uncounted one's; `centre_px` and `side_px` are the means of the outline's corners and sides.
    """

    proposal: Proposal
    chances: NDArray[Any]
    value: int
    agreed: bool
    outline_px: NDArray[Any]
    pips_px: NDArray[Any]
    lattice: float
    pip_strength: float
    pip_doubt: float
    centre_px: tuple[float, float]
    side_px: float

    @property
    def chance(self) -> float:
        """The network's chance of `value`."""
        return float(self.chances[self.value])

    @property
    def geometry_agrees(self) -> bool:
        """Whether exactly the pips of `value` were found, each in its place."""
        return self.lattice <= LATTICE_TOLERANCE


def read_faces(network: FaceNetwork, image: Image, proposals: list[Proposal]) -> list[Face]:
    """Look twice at each proposal: as proposed, then centred anew on the outline found, and mirrored."""
    if not proposals:
        return []
    firsts = [cut_patch(image, (p.x, p.y), p.side_px) for p in proposals]
    seen = network.look([patch for patch, _ in firsts])
    faces: list[Face] = []
    again: list[tuple[Proposal, FaceSeen, NDArray[Any]]] = []
    for proposal, (_, place), first in zip(proposals, firsts, seen, strict=True):
        chances = _softmax(first.logits)
        outline = _outline(first.code, place)
        if chances[0] < _HOPELESS and _plausible(outline, proposal):
            again.append((proposal, first, outline))
    seconds = []
    for proposal, _, outline in again:
        side = _mean_side(outline)
        side = float(np.clip(side, 0.6 * proposal.side_px, 1.6 * proposal.side_px))
        x, y = outline.mean(axis=0)
        patch, place = cut_patch(image, (float(x), float(y)), side)
        seconds.append((np.ascontiguousarray(patch[:, ::-1]), place))
    looks = network.look([patch for patch, _ in seconds])
    for (proposal, first, _), (_, place), second in zip(again, seconds, looks, strict=True):
        faces.append(_face(proposal, first, second, place))
    return faces


def _face(proposal: Proposal, first: FaceSeen, second: FaceSeen, place: NDArray[Any]) -> Face:
    one, two = _softmax(first.logits), _softmax(second.logits)
    chances = _softmax((first.logits + second.logits) / 2)
    outline = _outline(second.code, place, mirrored=True)
    points, scores = _pips(second.pip_map[:, ::-1], place)
    local = face_coordinates(points, outline)
    inside = (np.abs(local) < _MARGIN_SIDES).all(axis=1) if len(local) else np.zeros(0, bool)
    points, scores, local = points[inside], scores[inside], local[inside]
    likely = [int(v) for v in np.argsort(-chances[1:]) + 1]
    checks = {v: _check(local, scores, v) for v in likely if v == likely[0] or chances[v] >= _WORTH_CHECKING}
    fitting = [v for v in checks if checks[v][0] <= LATTICE_TOLERANCE]
    value = fitting[0] if fitting else likely[0]
    error, strength, doubt, chosen = checks[value]
    return Face(
        proposal=proposal,
        chances=chances,
        value=value,
        agreed=bool(min(one[value], two[value]) >= _WORTH_CHECKING),
        outline_px=outline,
        pips_px=points[scores >= _PIP_FLOOR] if np.isinf(error) else points[chosen],
        lattice=error,
        pip_strength=strength,
        pip_doubt=doubt,
        centre_px=(float(outline[:, 0].mean()), float(outline[:, 1].mean())),
        side_px=_mean_side(outline),
    )


def _check(local: NDArray[Any], scores: NDArray[Any], value: int) -> tuple[float, float, float, NDArray[Any]]:
    """Lattice error, weakest counted and strongest uncounted pip, and the indices counted, for a claimed value."""
    order = np.argsort(-scores)
    chosen, rest = order[:value], order[value:]
    strength = float(scores[chosen].min(initial=1.0)) if len(chosen) == value else 0.0
    doubt = float(scores[rest].max(initial=0.0))
    error = lattice_error(local[chosen], value)
    if strength < _PIP_FLOOR or doubt > max(_PIP_FLOOR, _CLEARLY_WEAKER * strength):
        error = float("inf")  # a pip too few or too many
    return error, strength, doubt, chosen


def _softmax(logits: NDArray[Any]) -> NDArray[Any]:
    shifted = np.exp(np.asarray(logits, np.float64) - logits.max())
    chances: NDArray[Any] = shifted / shifted.sum()
    return chances


def _outline(code: NDArray[Any], place: NDArray[Any], mirrored: bool = False) -> NDArray[Any]:
    half = PATCH_PX / 2
    corners = corners_from_code(code) * half + half
    if mirrored:
        corners[:, 0] = PATCH_PX - corners[:, 0]
        corners = order_clockwise(corners)
    outline: NDArray[Any] = corners * place[2] + place[:2] - 0.5
    return outline


def _mean_side(outline: NDArray[Any]) -> float:
    return float(np.linalg.norm(outline - outline[[3, 0, 1, 2]], axis=1).mean())


def _plausible(outline: NDArray[Any], proposal: Proposal) -> bool:
    """The outline lies about where the proposal was."""
    x, y = outline.mean(axis=0)
    return bool(np.isfinite(outline).all()) and np.hypot(x - proposal.x, y - proposal.y) < 0.7 * proposal.side_px


def _pips(heat: NDArray[Any], place: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Peaks of the pip map as points (N, 2) in px of the image, with their scores."""
    heat = np.ascontiguousarray(heat)
    peaks = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > 0.12)
    points, scores = [], []
    for iy, ix in np.argwhere(peaks):
        y0, y1, x0, x1 = max(iy - 1, 0), min(iy + 2, heat.shape[0]), max(ix - 1, 0), min(ix + 2, heat.shape[1])
        window = heat[y0:y1, x0:x1].astype(np.float64)
        yy, xx = np.mgrid[y0:y1, x0:x1]
        x, y = (xx * window).sum() / window.sum(), (yy * window).sum() / window.sum()
        points.append((2 * x + 1, 2 * y + 1))
        scores.append(float(heat[iy, ix]))
    array = np.array(points, np.float64).reshape(-1, 2)
    return array * place[2] + place[:2] - 0.5, np.array(scores)
