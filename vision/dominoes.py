"""Halves of dominoes, told from dice that touch by the bar between the halves.

A tile goes on beyond one side of a half, for about another side: its body's colour, its two long sides in line with
those of the half, and between the halves a bar, thin, of the pips' colour, that ends before it reaches the long sides.
Between dice that touch there is a groove instead, darker than the bodies whatever colour the pips have, over the whole
width, and wider where corners are rounded. It is measured on the picture itself, around faces that have been read.

The limits were chosen on rendered pictures and on the photographs that may be learned from, as some of those that name
most halves while no more than one die in a thousand is taken for one. README.md of this package has the figures.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, log2, sqrt
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images import Image

__all__ = ["Bar", "are_half_dominoes", "bars"]

Floats = NDArray[np.float64]

_LEAST_CONTRAST = 20.0
"""Levels that body and pips are taken to differ by at least. All differences in colour are parts of theirs."""
_LIKE_THE_BODY = 0.3
"""How far the colour beyond the border may be from the body's."""
_JUST_INSIDE = 0.25
"""The same just inside of the long sides; at the rims of pips it is farther."""
_HINT = 0.1
"""A line across the border that is fainter than this is no bar, wherever the long sides lie."""
_STEP_AT_THE_SIDES = 0.06
"""The long sides of both halves must stand out from what lies beside them by this."""
_STEPS_ALIKE = 0.5
"""The cosine between the steps in colour there, of one half and of the other."""
_BAR = 0.35
"""Least contrast of the bar."""
_ENDS = (0.4, 0.5)
"""What may be left of the line before the long sides, as shares of the bar: at the clearer end, and at the other."""
_SHIFT, _TURN = 0.08, 0.09
"""Long sides are in line when one is shifted by less than the first, and the halves differ in width by less than the
second, in sides. Dice that touch are seldom turned and shifted so little."""
_CORNER = 0.5
"""The corners of both halves at the border differ from the body by less. A gap between dice that are turned against
each other opens towards one side."""
_THIN = 0.2
"""What is left of the bar, as a share, at a tenth of a side to either side of it."""
_FINE_PX = 28.0
"""Larger faces are measured in a picture made smaller, their side at least this."""

# Places in sides of the face: u across, from the middle; v along the tile, from the border, the neighbour at v > 0.
_BEYOND = np.stack(np.meshgrid([-0.4, -0.25, 0.0, 0.25, 0.4], [0.2, 0.4, 0.6, 0.8]), axis=2).reshape(-1, 2)
_WITHIN_THE_IMAGE = np.array([(-0.5, 0.9), (0.5, 0.9)])
_V, _U = np.arange(-15, 16) / 50, np.arange(-25, 26) / 50
_AWAY = np.abs(_V) > 0.19
_AT_THE_BORDER = np.nonzero(np.abs(_V) < 0.15)[0]
_MIDDLE = np.abs(_U) < 0.33
_BESIDE_PIPS = np.abs(_U) < 0.45
_END = [slice(0, 3), slice(48, 51)]
"""Of `_U`, what lies within 0.05 of the long sides."""
_AWAY_IN_EACH = [slice(0, 6), slice(25, 31)]
_PROBED_U = np.array([-0.4, 0.4, -0.26, -0.13, 0.0, 0.13, 0.26])
"""Two columns beside the pips, then five across a bar."""
_PROBED = np.stack([np.tile(_PROBED_U, len(_V)), np.repeat(_V, len(_PROBED_U))], axis=1)
_EVEN = np.zeros((len(_V), len(_V)))
_EVEN[:, _AWAY] = np.stack([np.ones_like(_V), _V], 1) @ np.linalg.pinv(np.stack([np.ones_like(_V), _V], 1)[_AWAY])
"""Makes of columns along v the straight line through what they are away from the border."""
_SIDES_U, _SIDES_V = np.arange(-36, 37) / 50, np.linspace(-0.84, 0.84, 29)
_LEFT, _RIGHT = slice(1, 17), slice(50, 66)
"""Of the steps at `_SIDES_U`, those from 0.34 to 0.64 of a side from the middle, where long sides are looked for."""
_IN_LINE = np.abs(np.subtract.outer(np.arange(16), np.arange(16))) <= 6
"""The long sides of the two halves that are taken together are no farther apart than 0.12."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A line across the border of a face and what continues it; strengths in parts of the contrast of body and pips.

    `contrast` is that of the line in its middle, positive towards the pips' colour; `ends` what is left of any line
    before the two long sides, the clearer first; `beside` what is left a tenth of a side away from it; `corner` how far
    that corner of either half at the border that is least like the body is from it. `shift` is how far a long side of
    one half lies beside that of the other, `turn` how much wider one half is, in sides.
    """

    contrast: float
    ends: tuple[float, float]
    beside: float
    corner: float
    shift: float
    turn: float

    @property
    def parts_halves(self) -> bool:
        """Whether this is what parts the halves of a domino."""
        straight = self.shift < _SHIFT and self.turn < _TURN and self.corner < _CORNER
        ends = self.ends[0] < _ENDS[0] * self.contrast and self.ends[1] < _ENDS[1] * self.contrast
        return self.contrast > _BAR and ends and self.beside < _THIN * self.contrast and straight


def are_half_dominoes(
    image: Image, outlines_px: NDArray[Any], bodies_bgr: NDArray[Any], pips_bgr: NDArray[Any]
) -> NDArray[np.bool_]:
    """Whether each of n faces is half of a domino, (n,) bool.

    `outlines_px` (n, 4, 2) are their corners, clockwise, in px of a (H, W, 3) BGR uint8 image; `bodies_bgr` and
    `pips_bgr` (n, 3) the median colours of bodies and pips.
    """
    halves = np.zeros(len(outlines_px), bool)
    for number, bar in bars(image, outlines_px, bodies_bgr, pips_bgr):
        halves[number] |= bar.parts_halves
    return halves


def bars(
    image: Image, outlines_px: NDArray[Any], bodies_bgr: NDArray[Any], pips_bgr: NDArray[Any]
) -> list[tuple[int, Bar]]:
    """The lines across all borders beyond which a face goes on, each with the number of the face.

    Arguments as those of `are_half_dominoes`.
    """
    if not len(outlines_px):
        return []
    outlines, bodies = np.asarray(outlines_px, float), np.asarray(bodies_bgr, float)
    contrasts = np.asarray(pips_bgr, float) - bodies
    levels = np.maximum(np.linalg.norm(contrasts, axis=1), _LEAST_CONTRAST)
    frames = _frames(outlines)
    found = []
    for number, way in zip(*np.nonzero(_go_on(image, frames, bodies, contrasts, levels)), strict=True):
        bar = _bar(image, frames[number, way], bodies[number], contrasts[number], float(levels[number]))
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
    """The colours (..., 3) of the pixels nearest to places (..., 2), those outside as at the border."""
    x = np.clip(np.rint(places[..., 0]), 0, image.shape[1] - 1).astype(np.intp)
    y = np.clip(np.rint(places[..., 1]), 0, image.shape[0] - 1).astype(np.intp)
    return image[y, x].astype(np.float64)


def _go_on(image: Image, frames: Floats, bodies: Floats, contrasts: Floats, levels: Floats) -> NDArray[np.bool_]:
    """(n, 4) whether the body's colour goes on beyond each side, in the image, across a line of the pips' colour."""
    height, width = image.shape[:2]
    far = _places(frames[:, :, None], *_WITHIN_THE_IMAGE.T)
    going = np.asarray((far >= -1).all(axis=(2, 3)) & (far <= (width, height)).all(axis=(2, 3)))
    number, way = np.nonzero(going)
    beyond = _ranked(_nearest(image, _places(frames[number, way, None], *_BEYOND.T)), 0.5, 1)
    alike = np.linalg.norm(beyond - bodies[number], axis=1) < _LIKE_THE_BODY * levels[number]
    going[number, way] = alike
    number, way = number[alike], way[alike]
    if len(number):
        seen = _nearest(image, _places(frames[number, way, None], *_PROBED.T))
        towards = seen @ (contrasts[number] / levels[number, None] ** 2)[:, :, None]
        towards = towards.reshape(len(number), len(_V), -1)
        line = _ranked(towards[:, _AT_THE_BORDER, 2:], 0.5, 2).max(axis=1)
        going[number, way] = line - np.median(towards[:, _AWAY, :2], axis=(1, 2)) > _HINT
    return going


def _bar(image: Image, frame: Floats, body: Floats, contrast: Floats, level: float) -> Bar | None:
    """The line across the border of this frame (3, 2); None where the long sides do not go straight on."""
    finer, frame = _made_smaller(image, frame)
    both = _seen(finer, frame, _SIDES_U, _SIDES_V)
    sums = [_sums_of_three(_ranked(both[rows], 0.5, 0)) for rows in (_SIDES_V < -0.1, _SIDES_V > 0.1)]
    here, there = ((three[4:] - three[:-4]) / 3 for three in sums)
    edges = []
    for places, within in ((_LEFT, 4), (_RIGHT, 0)):
        inner = slice(places.start + within, places.stop + within)
        bodily = [np.linalg.norm(three[inner] / 3 - body, axis=1) < _JUST_INSIDE * level for three in sums]
        alike = np.where(_IN_LINE & np.logical_and.outer(*bodily), here[places] @ there[places].T, -np.inf)
        i, j = np.unravel_index(alike.argmax(), alike.shape)
        step, other = here[places][i], there[places][j]
        strengths = float(np.linalg.norm(step)), float(np.linalg.norm(other))
        if min(strengths) < _STEP_AT_THE_SIDES * level or alike[i, j] < _STEPS_ALIKE * strengths[0] * strengths[1]:
            return None
        edges.append((_peak(here, places.start + int(i)), _peak(there, places.start + int(j))))
    (left_here, left_there), (right_here, right_there) = edges
    # As if the long sides were parallel: half a side apart from the middle line in u, which may run aslant.
    width = (right_here + right_there - left_here - left_there) / 2
    middle = (left_here + left_there + right_here + right_there) / 4
    slant = (left_there + right_there - left_here - right_here) / 2
    aligned = frame.copy()
    aligned[0] += middle * frame[1] - slant * 0.5 * frame[1]
    aligned[1] *= width
    aligned[2] += slant * frame[1]
    seen = _seen(finer, aligned, _U, _V)
    # Shading that changes evenly along the tile is taken out; pips cover less than three quarters of any row.
    towards = seen @ (contrast / level**2)
    body_along = _EVEN @ _ranked(towards[:, _BESIDE_PIPS], 0.25, 1)
    profile = np.convolve(_ranked(towards[:, _MIDDLE], 0.5, 1) - body_along, np.ones(3) / 3, "same")
    at = int(_AT_THE_BORDER[profile[_AT_THE_BORDER].argmax()])
    rows = slice(at - 1, at + 2)
    left, right = (
        float(np.linalg.norm((seen[:, end] - np.tensordot(_EVEN, seen[:, end], 1))[rows], axis=2).mean()) / level
        for end in _END
    )
    corner = max(
        float(np.linalg.norm(_ranked(seen[half, end].reshape(-1, 3), 0.5, 0) - body)) / level
        for end in _END
        for half in _AWAY_IN_EACH
    )
    return Bar(
        contrast=float(profile[at]),
        ends=(min(left, right), max(left, right)),
        beside=float(max(profile[at + k] for k in (-6, -5, 5, 6))),
        corner=corner,
        shift=max(abs(left_here - left_there), abs(right_here - right_there)),
        turn=abs((left_here - left_there) - (right_here - right_there)),
    )


def _made_smaller(image: Image, frame: Floats) -> tuple[Image, Floats]:
    """A cut-out of the picture about both halves, halved as often as leaves a side its pixels, and the frame in it."""
    height, width = image.shape[:2]
    (x, y), (ux, uy), (vx, vy) = frame.tolist()
    x, y, wide, high = x + vx / 2, y + vy / 2, 0.75 * abs(ux) + abs(vx), 0.75 * abs(uy) + abs(vy)
    x0, y0 = min(max(0, floor(x - wide)), width - 2), min(max(0, floor(y - high)), height - 2)
    x1, y1 = min(max(x0 + 2, ceil(x + wide) + 1), width), min(max(y0 + 2, ceil(y + high) + 1), height)
    side = sqrt(abs(ux * vy - uy * vx))
    zoom = 1 << int(log2(max(side / _FINE_PX, 1.0)))
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


def _ranked(numbers: Floats, share: float, axis: int) -> Floats:
    """Along an axis the number that this share of all is not above; np.quantile takes several times as long."""
    at = round(share * (numbers.shape[axis] - 1))
    return np.asarray(np.partition(numbers, at, axis=axis).take(at, axis=axis))


def _sums_of_three(colours: Floats) -> Floats:
    """Sums (k - 2, 3) of three colours (k, 3) in a row; two that are four apart lie on either side of a place."""
    return colours[:-2] + colours[1:-1] + colours[2:]


def _peak(steps: Floats, i: int) -> float:
    """The place in u of the step i, finer than the places themselves where it is a peak among its neighbours."""
    at = float(_SIDES_U[3 + i])
    before, peak, after = np.linalg.norm(steps[i - 1 : i + 2], axis=1).tolist()
    bend = before - 2 * peak + after
    return at + 0.02 * min(max((before - after) / (2 * bend), -0.5), 0.5) if bend < 0 else at
