"""What is printed within an outline: which marker, where its top left is, and whether all of it is in view."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["MARKER_DICTIONARY", "MODULES", "Decoded", "decoded"]

MARKER_DICTIONARY = cv2.aruco.DICT_6X6_250
"""36 bits for 250 ids: at least 11 bits apart; 4x4 dictionaries find markers in clutter."""

MODULES = 8
"""Six data modules and the black frame, along one side."""

_DATA = MODULES - 2
_IDS = 250
_MOST_WRONG_BITS = 5
"""Fewer than half of the 11 bits between two markers: up to here it is clear which marker was meant."""
_MOST_BRIGHT_FRAME = 9
"""Of the 28 modules of the frame: with more of them bright it is not a marker at all."""
_LEAST_CONTRAST = 12.0
"""Grey levels between black and white."""
_WORST_MODULE, _WORST_MEAN, _DARKER_BORDER = 0.25, 0.085, 0.25
"""The most of each figure of a Fit for a marker that lies open. Measured on rendered tables with all that is hard but
nothing hidden: 98 in 100 have no more than 0.17, 0.07 and 0.23; half of those with a twentieth hidden have more."""
_YX: NDArray[Any] = (np.mgrid[0:MODULES, 0:MODULES].astype(np.float32) + 0.5) / MODULES - 0.5
_SAMPLES = (-0.25, 0.0, 0.25)
"""Places within a module, from its middle, in modules."""
_STEPS = (np.arange(-1, MODULES + 1)[:, None] + 0.5 + np.array(_SAMPLES)).ravel() / MODULES
"""All of them along one side and a module beyond, in sides."""
_LEAST_WEIGHT = np.float32(1e-6)
"""Beyond the horizon of an outline there is nothing."""
_AT_ONCE = 7
_BORDER = np.pad(np.zeros((MODULES, MODULES), bool), 1, constant_values=True)
_FRAME = np.pad(np.zeros((_DATA, _DATA), bool), 1, constant_values=True)
_TURNED = np.array([np.roll(np.arange(4), turn) for turn in range(4)])


class Fit(NamedTuple):
    """How far what is seen is from what a marker's print can look like, in shares of the step from black to white.

    `worst` is that of the module that is farthest off, `mean` the quadratic mean over all; `darker_border` is by how
    much the darkest place of the border, a module wide, is darker than most of it: something dark on a corner of the
    frame is told by that alone.
    """

    worst: float
    mean: float
    darker_border: float


class Decoded(NamedTuple):
    """One outline that holds a marker: its corners (4, 2) from the marker's own top left, clockwise, in px.

    `complete` says that every module of it looks as printed; else part of it is hidden, or too blurred or small.
    """

    id: int
    corners_px: NDArray[np.float32]
    fit: Fit

    @property
    def complete(self) -> bool:
        """Whether all of it is in view and as printed."""
        fit = self.fit
        return fit.worst <= _WORST_MODULE and fit.mean <= _WORST_MEAN and fit.darker_border <= _DARKER_BORDER


@cache
def _codes() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """For each id and turn, in this order: data as +1 (white) and -1 (1000, 36), and the print (1000, 10, 10), 1 white.

    Turn k is the marker turned by k quarters against the clock.
    """
    dictionary = cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY)
    prints = []
    for row in dictionary.bytesList:
        bits = cv2.aruco.Dictionary.getBitsFromByteList(row[None], _DATA)
        whole = np.ones((MODULES + 2, MODULES + 2), np.float32)
        whole[1:-1, 1:-1] = 0
        whole[2:-2, 2:-2] = bits
        prints += [np.rot90(whole, k) for k in range(4)]
    printed = np.ascontiguousarray(prints)
    data = printed[:, 2:-2, 2:-2].reshape(len(printed), -1)
    return np.ascontiguousarray(data * 2 - 1), printed


def decoded(grey: NDArray[np.uint8], quads: NDArray[np.float32]) -> list[Decoded]:
    """The markers that lie within the outlines (N, 4, 2), clockwise, in px of the (H, W) picture."""
    if not len(quads):
        return []
    around = _modules(grey, quads)
    seen = around[:, 1:-1, 1:-1]
    frame = seen[:, _FRAME]
    data = seen[:, 1:-1, 1:-1].reshape(len(seen), -1)
    black = _medians(frame)
    white = np.sort(data, axis=1)[:, -6:].mean(axis=1)
    step = white - black
    middle = (white + black) / 2
    possible = (step >= _LEAST_CONTRAST) & ((frame > middle[:, None]).sum(axis=1) <= _MOST_BRIGHT_FRAME)
    chosen = np.flatnonzero(possible)
    if not len(chosen):
        return []
    codes = _codes()[0]
    soft = np.clip((data[chosen] - middle[chosen, None]) / (step[chosen, None] / 2), -1, 1).astype(np.float32)
    # A few at a time: numpy's product of many wakes threads that cost more than so small a product.
    likeness = np.concatenate([soft[k : k + _AT_ONCE] @ codes.T for k in range(0, len(soft), _AT_ONCE)])
    best = likeness.argmax(axis=1)
    near = ((soft > 0) != (codes[best] > 0)).sum(axis=1) <= _MOST_WRONG_BITS
    chosen, best = chosen[near], best[near]
    found = []
    for k, code, fit in zip(chosen.tolist(), best.tolist(), _fits(around[chosen], best.tolist()), strict=True):
        marker_id, turn = divmod(code, 4)
        # Turned by k quarters against the clock, the marker's top left lies k corners back.
        corners = quads[k][_TURNED[turn]]
        found.append(Decoded(marker_id, corners, fit))
    return found


def _modules(grey: NDArray[np.uint8], quads: NDArray[np.float32]) -> NDArray[np.float32]:
    """Mean grey level of each module and of a border as wide (N, 10, 10), rows from the outline's first side on."""
    n, side = len(_SAMPLES), MODULES + 2
    h = _homographies(quads)[:, :, :, None]
    along = (h[:, :, 0] * _STEPS).astype(np.float32)[:, :, None]  # (N, 3, 1, 30): what the column adds
    down = (h[:, :, 1] * _STEPS + h[:, :, 2]).astype(np.float32)[:, :, :, None]  # and the row
    weight = along[:, 2] + down[:, 2]
    weight[np.abs(weight) < _LEAST_WEIGHT] = _LEAST_WEIGHT
    at = np.empty((len(quads), side * n, side * n, 2), np.float32)
    np.divide(along[:, 0] + down[:, 0], weight, out=at[..., 0])
    np.divide(along[:, 1] + down[:, 1], weight, out=at[..., 1])
    np.clip(at, -1e4, 1e5, out=at)
    values = cv2.remap(grey, at.reshape(len(quads), -1, 2), None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
    rows = values.reshape(len(quads), side, n, side * n).sum(axis=2, dtype=np.uint16)
    sums = rows[..., ::n] + rows[..., 1::n] + rows[..., 2::n]
    return np.asarray(sums * np.float32(1 / n**2))


def _homographies(quads: NDArray[np.float32]) -> NDArray[np.float64]:
    """(N, 3, 3), from the unit square, (0, 0) (1, 0) (1, 1) (0, 1), to the corners of each outline."""
    a, b, c, d = quads.astype(np.float64).transpose(1, 0, 2)
    e, f, g = b - c, d - c, a - b + c - d
    size = e[:, 0] * f[:, 1] - e[:, 1] * f[:, 0]
    size = np.where(np.abs(size) > 1e-9, size, 1e-9)
    p = (g[:, 0] * f[:, 1] - g[:, 1] * f[:, 0]) / size
    q = (e[:, 0] * g[:, 1] - e[:, 1] * g[:, 0]) / size
    out = np.ones((len(quads), 3, 3))
    out[:, :2, 0] = b - a + p[:, None] * b
    out[:, :2, 1] = d - a + q[:, None] * d
    out[:, :2, 2] = a
    out[:, 2, 0], out[:, 2, 1] = p, q
    return out


@lru_cache(maxsize=4 * _IDS)
def _looks(code: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """What a print can look like in light that changes evenly, blurred: eight pictures (64, 8), and their inverse."""
    printed = _codes()[1][code]
    own = printed[1:-1, 1:-1]
    beside = printed[:-2, 1:-1] + printed[2:, 1:-1] + printed[1:-1, :-2] + printed[1:-1, 2:]
    across = printed[:-2, :-2] + printed[2:, 2:] + printed[2:, :-2] + printed[:-2, 2:]
    y, x = _YX
    # White and black each a plane over the marker, and what the blur brings in from the eight modules around.
    basis = np.stack([np.ones_like(own), x, y, own, own * x, own * y, beside / 4, across / 4]).reshape(8, -1).T
    return basis, np.linalg.pinv(basis)


def _fits(around: NDArray[np.float32], codes: list[int]) -> list[Fit]:
    """How far the modules with their border, (10, 10) of each of K, are from what the print of its code can be."""
    if not codes:
        return []
    seen = around[:, 1:-1, 1:-1]
    looks = [_looks(code) for code in codes]
    weights = np.stack([inverse for _, inverse in looks]) @ seen.reshape(len(codes), -1, 1)  # (K, 8, 1)
    y, x = _YX
    black_to_white = weights[:, 3:4] + weights[:, 4:5] * x + weights[:, 5:6] * y + weights[:, 6:7] + weights[:, 7:8]
    possible = (black_to_white.min(axis=(1, 2)) > 0) & (weights[:, 3, 0] > 0)
    modelled = (np.stack([basis for basis, _ in looks]) @ weights).reshape(seen.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        off = np.abs(modelled - seen) / black_to_white
    worst, mean = off.max(axis=(1, 2)), np.sqrt(np.square(off).mean(axis=(1, 2)))
    border = around[:, _BORDER]
    darker = (_medians(border) - border.min(axis=1)) / np.maximum(black_to_white.mean(axis=(1, 2)), 1e-6)
    figures = zip(worst.tolist(), mean.tolist(), darker.tolist(), possible.tolist(), strict=True)
    return [Fit(*each[:3]) if each[3] else Fit(np.inf, np.inf, np.inf) for each in figures]


def _medians(numbers: NDArray[np.float32]) -> NDArray[np.float32]:
    """Of each row of an even number of them; np.median takes three times as long."""
    half = numbers.shape[1] // 2
    return np.asarray(np.sort(numbers, axis=1)[:, half - 1 : half + 1].mean(axis=1))
