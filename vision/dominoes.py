"""Halves of dominoes, told from dice that touch by the bar between the halves.

A tile goes on beyond one side of a half, for about another side: its body's colour, its two long sides in line with those
of the half, and between the halves a bar, thin, of the pips' colour, that ends before it reaches the long sides. Between
dice that touch there is a groove instead, darker than the bodies whatever colour the pips have, over the whole width, and
notches at both its ends where corners are rounded. Measured on the picture itself around faces that have been read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images import Image

__all__ = ["Bar", "are_half_dominoes", "bars"]

Floats = NDArray[np.float64]

_LIKE_THE_BODY = 0.3
"""How far the colour beyond the border may be from the body's: this and all contrasts in the difference of body and pips."""
_LEAST_CONTRAST = 20.0
"""Levels that body and pips are taken to differ by at least."""
_HINT = 0.1
"""A line across the border that is fainter than this is no bar, wherever the long sides lie."""
_STEP_AT_THE_SIDES = 0.06
"""The long sides of both halves must stand out from what lies beside them by this."""
_STEPS_ALIKE = 0.5
"""The cosine between the steps in colour there, of one half and of the other."""
_BAR = 0.3
"""Least contrast of the bar."""
_ENDS = (0.3, 0.6)
"""What may be left of the line before the long sides, as shares of the bar: at the clearer end, and at the other."""
_SHIFT, _TURN = 0.12, 0.07
"""Long sides are in line when one is shifted by less than the first, and the halves differ in width by less than the
second, in sides. Dice that touch are seldom turned and shifted so little."""
_THIN = 0.2
"""What is left of the bar, as a share, at a tenth of a side to either side of it."""
_FINE_PX = 28.0
"""Larger faces are measured in a picture made smaller, their side at least this."""

# Places in sides of the face: u across, from the middle; v along the tile, from the border, the neighbour at v > 0.
_BEYOND = np.stack(np.meshgrid([-0.4, -0.25, 0.0, 0.25, 0.4], [0.2, 0.4, 0.6, 0.8]), axis=2).reshape(-1, 2)
_WITHIN_THE_IMAGE = np.array([(-0.5, 0.9), (0.5, 0.9)])
_V = np.arange(-0.30, 0.301, 0.02)
_U = np.arange(-0.60, 0.601, 0.02)
_AWAY = np.abs(_V) > 0.18
_AT_THE_BORDER = np.nonzero(np.abs(_V) <= 0.141)[0]
_MIDDLE = np.abs(_U) < 0.33
_END = [(_U * side > 0.44) & (_U * side < 0.505) for side in (-1, 1)]
_PROBED = np.linspace(-0.3, 0.3, 7)
_UNEVEN = np.eye(len(_V))
_UNEVEN[:, _AWAY] -= np.stack([np.ones_like(_V), _V], 1) @ np.linalg.pinv(np.stack([np.ones_like(_V), _V], 1)[_AWAY])
"""Takes from columns along v what changes evenly, as it is away from the border."""
_SIDES_U, _SIDES_V = np.arange(-0.72, 0.721, 0.02), np.arange(-0.86, 0.861, 0.06)
_LEFT, _RIGHT = slice(1, 17), slice(50, 66)
"""Of the steps at `_SIDES_U`, those from 0.34 to 0.64 of a side from the middle, where the long sides are looked for."""
_IN_LINE = np.abs(np.subtract.outer(np.arange(16), np.arange(16))) <= 6
"""The long sides of the two halves that are taken together are no farther apart than 0.12."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A line across the border of a face and what continues it; strengths in parts of the contrast of body and pips.

    `contrast` is that of the line in its middle, positive towards the pips' colour; `ends` what is left of any line before
    the two long sides, the clearer first; `beside` what is left a tenth of a side away from it. `shift` is how far a long
    side of one half lies beside that of the other, `turn` how much wider one half is, in sides.
    """

    contrast: float
    ends: tuple[float, float]
    beside: float
    shift: float
    turn: float

    @property
    def parts_halves(self) -> bool:
        """Whether this is what parts the halves of a domino."""
        straight = self.shift < _SHIFT and self.turn < _TURN
        ends = self.ends[0] < _ENDS[0] * self.contrast and self.ends[1] < _ENDS[1] * self.contrast
        return self.contrast > _BAR and ends and self.beside < _THIN * self.contrast and straight


def are_half_dominoes(
    image: Image, outlines_px: NDArray[Any], bodies_bgr: NDArray[Any], pips_bgr: NDArray[Any]
) -> NDArray[np.bool_]:
    """Whether each of n faces with corners (n, 4, 2), clockwise, in px of a (H, W, 3) BGR uint8 image and these median
    colours (n, 3) of body and pips is half of a domino."""
    halves = np.zeros(len(outlines_px), bool)
    for number, bar in bars(image, outlines_px, bodies_bgr, pips_bgr):
        halves[number] |= bar.parts_halves
    return halves


def bars(
    image: Image, outlines_px: NDArray[Any], bodies_bgr: NDArray[Any], pips_bgr: NDArray[Any]
) -> list[tuple[int, Bar]]:
    """The lines across all borders beyond which a face goes on, with the number of the face; arguments as above."""
    if not len(outlines_px):
        return []
    outlines, bodies = np.asarray(outlines_px, float), np.asarray(bodies_bgr, float)
    contrasts = np.asarray(pips_bgr, float) - bodies
    levels = np.maximum(np.linalg.norm(contrasts, axis=1), _LEAST_CONTRAST)
    frames = _frames(outlines)
    found = []
    for number, way in zip(*np.nonzero(_go_on(image, frames, bodies, contrasts, levels)), strict=True):
        bar = _bar(image, frames[number, way], contrasts[number], float(levels[number]))
        if bar is not None:
            found.append((int(number), bar))
    return found


def _frames(outlines: Floats) -> Floats:
    """(n, 4, 3, 2) for each side of each face: the middle of the face, across, outwards; the last two a side long."""
    across = (outlines[:, 1] + outlines[:, 2] - outlines[:, 0] - outlines[:, 3]) / 2
    down = (outlines[:, 2] + outlines[:, 3] - outlines[:, 0] - outlines[:, 1]) / 2
    middle = outlines.mean(axis=1)
    ways = ((across, down), (down, -across), (-across, -down), (-down, across))
    return np.stack([np.stack([middle, u, v], axis=1) for u, v in ways], axis=1)


def _places(frame: Floats, u: Any, v: Any) -> Floats:
    """Pixels (..., 2) of places u, v of a frame (..., 3, 2)."""
    middle, across, outwards = frame[..., 0, :], frame[..., 1, :], frame[..., 2, :]
    return middle + np.asarray(u)[..., None] * across + (np.asarray(v)[..., None] + 0.5) * outwards


def _nearest(image: Image, places: Floats) -> Floats:
    x = np.clip(np.rint(places[..., 0]), 0, image.shape[1] - 1).astype(np.intp)
    y = np.clip(np.rint(places[..., 1]), 0, image.shape[0] - 1).astype(np.intp)
    return image[y, x].astype(np.float32)


def _go_on(image: Image, frames: Floats, bodies: Floats, contrasts: Floats, levels: Floats) -> NDArray[np.bool_]:
    """(n, 4) whether the body's colour goes on beyond each side, within the image, and a line of the pips' crosses it."""
    height, width = image.shape[:2]
    far = _places(frames[:, :, None], *_WITHIN_THE_IMAGE.T)
    going = (far >= -1).all(axis=(2, 3)) & (far <= (width, height)).all(axis=(2, 3))
    number, way = np.nonzero(going)
    beyond = np.median(_nearest(image, _places(frames[number, way, None], *_BEYOND.T)), axis=1)
    alike = np.linalg.norm(beyond - bodies[number], axis=1) < _LIKE_THE_BODY * levels[number]
    going[number, way] = alike
    number, way = number[alike], way[alike]
    if len(number):
        v, u = np.meshgrid(_V, _PROBED, indexing="ij")
        seen = _nearest(image, _places(frames[number, way, None, None], u, v))
        along = np.median(np.einsum("kvuc,kc->kvu", seen, contrasts[number] / levels[number, None] ** 2), axis=2)
        line = along[:, _AT_THE_BORDER].max(axis=1) - np.median(along[:, _AWAY], axis=1)
        going[number, way] = line > _HINT
    return going


def _bar(image: Image, frame: Floats, contrast: Floats, level: float) -> Bar | None:
    """The line across the border of this frame (3, 2); None where the long sides do not go straight on."""
    finer, frame = _made_smaller(image, frame)
    both = _seen(finer, frame, _SIDES_U, _SIDES_V)
    here, there = _steps(both[_SIDES_V < -0.1].mean(axis=0)), _steps(both[_SIDES_V > 0.1].mean(axis=0))
    edges = []
    for places in (_LEFT, _RIGHT):
        alike = here[places] @ there[places].T
        i, j = np.unravel_index(np.where(_IN_LINE, alike, -np.inf).argmax(), alike.shape)
        step, other = here[places][i], there[places][j]
        strengths = float(np.linalg.norm(step)), float(np.linalg.norm(other))
        if min(strengths) < _STEP_AT_THE_SIDES * level or step @ other < _STEPS_ALIKE * strengths[0] * strengths[1]:
            return None
        edges.append((_peak(here, places.start + int(i)), _peak(there, places.start + int(j))))
    (left_here, left_there), (right_here, right_there) = edges
    # As if the long sides were parallel: half a side apart from the middle line in u, which may run aslant.
    width = (right_here + right_there - left_here - left_there) / 2
    middle, slant = (left_here + left_there + right_here + right_there) / 4, (left_there + right_there - left_here - right_here) / 2
    aligned = frame.copy()
    aligned[0] += middle * frame[1] - slant * 0.5 * frame[1]
    aligned[1] *= width
    aligned[2] += slant * frame[1]
    seen = _seen(finer, aligned, _U, _V)
    # Shading that changes evenly along the tile is taken out, column by column.
    off = (_UNEVEN @ seen.reshape(len(_V), -1)).reshape(seen.shape)
    towards = off @ (contrast / level**2)
    profile = np.convolve(np.median(towards[:, _MIDDLE], axis=1), np.ones(3) / 3, "same")
    at = int(_AT_THE_BORDER[profile[_AT_THE_BORDER].argmax()])
    strength = np.linalg.norm(off[at - 1 : at + 2], axis=2).mean(axis=0) / level
    left, right = (float(strength[end].mean()) for end in _END)
    return Bar(
        contrast=float(np.median(towards[at - 1 : at + 2].mean(axis=0)[_MIDDLE])),
        ends=(min(left, right), max(left, right)),
        beside=float(max(profile[at + k] for k in (-6, -5, 5, 6))),
        shift=max(abs(left_here - left_there), abs(right_here - right_there)),
        turn=abs((left_here - left_there) - (right_here - right_there)),
    )


def _made_smaller(image: Image, frame: Floats) -> tuple[Image, Floats]:
    """A cut-out of the picture about the two halves, halved as often as leaves a side its pixels, and the frame in it."""
    height, width = image.shape[:2]
    around = _places(frame, [-0.75, 0.75, -0.75, 0.75], [-1.0, -1.0, 1.0, 1.0])
    x0, y0 = np.clip(np.floor(around.min(axis=0)).astype(int), 0, (width - 2, height - 2))
    x1, y1 = np.clip(np.ceil(around.max(axis=0)).astype(int) + 1, (x0 + 2, y0 + 2), (width, height))
    side = float(np.sqrt(abs(frame[1, 0] * frame[2, 1] - frame[1, 1] * frame[2, 0])))
    zoom = 1 << int(max(0.0, np.log2(max(side / _FINE_PX, 1.0))))
    part = image[y0:y1, x0:x1]
    if zoom > 1:
        size = max(1, (x1 - x0) // zoom), max(1, (y1 - y0) // zoom)
        part = np.asarray(cv2.resize(part[: size[1] * zoom, : size[0] * zoom], size, interpolation=cv2.INTER_AREA))
    moved = frame / zoom
    moved[0] = (frame[0] - (x0, y0) + 0.5) / zoom - 0.5
    return part, moved


def _seen(image: Image, frame: Floats, u: Floats, v: Floats) -> Floats:
    """The colours (len(v), len(u), 3) at evenly spaced places of a frame (3, 2)."""
    across, along = (u[1] - u[0]) * frame[1], (v[1] - v[0]) * frame[2]
    first = frame[0] + u[0] * frame[1] + (v[0] + 0.5) * frame[2]
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    matrix = np.stack([across, along, first], axis=1)
    seen = cv2.warpAffine(image, matrix, (len(u), len(v)), flags=how, borderMode=cv2.BORDER_REPLICATE)
    return seen.astype(np.float64)


def _steps(colours: Floats) -> Floats:
    """How much colours (k, 3) change about each place but the outermost three, over a tenth of a side: (k - 6, 3)."""
    return (colours[4:-2] + colours[5:-1] + colours[6:] - colours[:-6] - colours[1:-5] - colours[2:-4]) / 3


def _peak(steps: Floats, i: int) -> float:
    """The place in u of the step i, finer than the places themselves where it is a peak among its neighbours."""
    at = float(_SIDES_U[3 + i])
    before, peak, after = np.linalg.norm(steps[i - 1 : i + 2], axis=1).tolist()
    bend = before - 2 * peak + after
    return at + 0.02 * min(max((before - after) / (2 * bend), -0.5), 0.5) if bend < 0 else at
