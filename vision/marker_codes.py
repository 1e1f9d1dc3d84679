"""What is printed within an outline: which marker, where its top left is, and whether all of it is in view."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.marker_light import without_shadow
from vision.marker_prints import (
    CENTRES_YX,
    DATA_MODULES,
    MARKER_DICTIONARY,
    MODULES,
    SAMPLES,
    codes,
    looks,
    sides_off_print,
)

__all__ = ["MARKER_DICTIONARY", "MODULES", "Decoded", "decoded"]

_MOST_WRONG_BITS = 5
"""Fewer than half of the 11 bits between two markers: up to here it is clear which marker was meant."""
_MOST_BRIGHT_FRAME = 9
"""Of the 28 modules of the frame: with more of them bright it is not a marker at all."""
_LEAST_CONTRAST = 12.0
"""Grey levels between black and white."""
_WORST_MODULE, _WORST_MEAN, _DARKER_BORDER = 0.25, 0.085, 0.25
"""The most of each figure of a Fit for a marker that lies open. Measured on rendered tables with all that is hard but
nothing hidden: 98 in 100 have no more than 0.17, 0.07 and 0.23; half of those with a twentieth hidden have more."""
_ASKEW_TOO, _WORST_COUNTS = 0.45, 1.5
"""The most of `askew` together with `worst`, which counts so much more: what lies along a side moves the outline off
the print and leaves modules half hidden. Chosen on such tables: 10 of 1,383 whole markers have more, and of 116 with a
twentieth hidden (of 1,024) that were within the other limits all but 2."""
_SHADOWED_MEAN = 0.2
"""A marker that is farther off in the mean has no shadow on it: the farthest that was read out of one had 0.15."""
_STEPS = (np.arange(-1, MODULES + 1)[:, None] + 0.5 + np.array(SAMPLES)).ravel() / MODULES
"""All samples along one side and a module beyond, in sides."""
_LEAST_WEIGHT = np.float32(1e-6)
"""Beyond the horizon of an outline there is nothing."""
_AT_ONCE = 7
_BORDER = np.pad(np.zeros((MODULES, MODULES), bool), 1, constant_values=True)
_FRAME = np.pad(np.zeros((DATA_MODULES, DATA_MODULES), bool), 1, constant_values=True)
_TURNED = np.array([np.roll(np.arange(4), turn) for turn in range(4)])


class Fit(NamedTuple):
    """How far what is seen is from what a marker's print can look like, in shares of the step from black to white.

    `worst` is that of the module that is farthest off, `mean` the quadratic mean over all; `darker_border` is by how
    much the darkest place of the border, a module wide, is darker than most of it: something dark on a corner of the
    frame is told by that alone. `askew` is in modules: by how much more one side of the outline lies inside of the
    print than another. Something bright along a side of the frame moves the outline, and hides little of any
    module.
    """

    worst: float
    mean: float
    darker_border: float
    askew: float

    @property
    def complete(self) -> bool:
        """Whether all of a marker is in view and as printed."""
        as_printed = self.worst <= _WORST_MODULE and self.mean <= _WORST_MEAN
        in_place = self.askew + _WORST_COUNTS * self.worst <= _ASKEW_TOO
        return as_printed and in_place and self.darker_border <= _DARKER_BORDER


class Decoded(NamedTuple):
    """One outline that holds a marker: its corners (4, 2) from the marker's own top left, clockwise, in px.

    `complete` says that every module of it looks as printed, a shadow's edge across it taken out; else part of it is
    hidden, or too blurred or small.
    """

    id: int
    corners_px: NDArray[np.float32]
    fit: Fit

    @property
    def complete(self) -> bool:
        """Whether all of it is in view and as printed."""
        return self.fit.complete


def decoded(grey: NDArray[np.uint8], quads: NDArray[np.float32]) -> list[Decoded]:
    """The markers that lie within the outlines (N, 4, 2), clockwise, in px of the (H, W) picture."""
    if not len(quads):
        return []
    samples = _samples(grey, quads)
    around = _modules(samples)
    seen = around[:, 1:-1, 1:-1]
    frame = seen[:, _FRAME]
    data = seen[:, 1:-1, 1:-1].reshape(len(seen), -1)
    black = _medians(frame)
    white = np.sort(data, axis=1)[:, -6:].mean(axis=1)
    step = white - black
    middle = (white + black) / 2
    possible = (step >= _LEAST_CONTRAST) & ((frame > middle[:, None]).sum(axis=1) <= _MOST_BRIGHT_FRAME)
    chosen = possible.nonzero()[0]
    if not len(chosen):
        return []
    data_of = codes()[0]
    soft = (data[chosen] - middle[chosen, None]) / (step[chosen, None] / 2)
    soft = np.minimum(np.maximum(soft, -1), 1).astype(np.float32, copy=False)
    # A few at a time: numpy's product of many wakes threads that cost more than so small a product.
    likeness = np.concatenate([soft[k : k + _AT_ONCE] @ data_of for k in range(0, len(soft), _AT_ONCE)])
    best = likeness.argmax(axis=1)
    near = ((soft > 0) != (data_of[:, best].T > 0)).sum(axis=1) <= _MOST_WRONG_BITS
    chosen, best = chosen[near], best[near]
    found = []
    fits = _fits(samples[chosen], around[chosen], best.tolist())
    for k, code, fit in zip(chosen.tolist(), best.tolist(), fits, strict=True):
        if not fit.complete and fit.mean <= _SHADOWED_MEAN:
            fit = _fit_out_of_shadow(samples[k], around[k], code) or fit
        marker_id, turn = divmod(code, 4)
        # Turned by k quarters against the clock, the marker's top left lies k corners back.
        corners = quads[k][_TURNED[turn]]
        found.append(Decoded(marker_id, corners, fit))
    return found


def _fit_out_of_shadow(samples: NDArray[np.uint8], around: NDArray[np.float32], code: int) -> Fit | None:
    """The fit of a marker that looks complete once the shadow on a part of it is taken out; None for all others."""
    lit = without_shadow(samples, around, code)
    if lit is None:
        return None
    (fit,) = _fits(lit[None], _modules(lit[None]), [code])
    return fit if fit.complete else None


def _samples(grey: NDArray[np.uint8], quads: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Grey levels at SAMPLES of each module and of a border as wide (N, 30, 30), rows from the outline's first side."""
    n, side = len(SAMPLES), MODULES + 2
    h = _homographies(quads)[:, :, :, None]
    along = (h[:, :, 0] * _STEPS).astype(np.float32)[:, :, None]  # (N, 3, 1, 30): what the column adds
    down = (h[:, :, 1] * _STEPS + h[:, :, 2]).astype(np.float32)[:, :, :, None]  # and the row
    x, y, weight = (along[:, k] + down[:, k] for k in range(3))
    weight[np.abs(weight) < _LEAST_WEIGHT] = _LEAST_WEIGHT
    x, y = (np.minimum(np.maximum(each / weight, -1e4), 1e5).reshape(len(quads), -1) for each in (x, y))
    values = cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(values.reshape(len(quads), side * n, side * n), np.uint8)


def _modules(samples: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Mean grey level of each module and of the border (N, 10, 10)."""
    n, side = len(SAMPLES), MODULES + 2
    rows = samples.reshape(len(samples), side, n, side * n).sum(axis=2, dtype=np.uint16)
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


def _fits(samples: NDArray[np.uint8], around: NDArray[np.float32], chosen: list[int]) -> list[Fit]:
    """How far outlines are from what the prints of their codes can be: samples (K, 30, 30), their means (K, 10, 10)."""
    if not chosen:
        return []
    seen = around[:, 1:-1, 1:-1]
    possible_looks = [looks(code) for code in chosen]
    weights = np.array([inverse for _, inverse in possible_looks]) @ seen.reshape(len(chosen), -1, 1)  # (K, 8, 1)
    y, x = CENTRES_YX
    black_to_white = weights[:, 3:4] + weights[:, 4:5] * x + weights[:, 5:6] * y + weights[:, 6:7] + weights[:, 7:8]
    possible = (black_to_white.min(axis=(1, 2)) > 0) & (weights[:, 3, 0] > 0)
    modelled = (np.array([basis for basis, _ in possible_looks]) @ weights).reshape(seen.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        off = np.abs(modelled - seen) / black_to_white
    worst, mean = off.max(axis=(1, 2)), np.sqrt(np.square(off).mean(axis=(1, 2)))
    border = around[:, _BORDER]
    darker = (_medians(border) - border.min(axis=1)) / np.maximum(black_to_white.mean(axis=(1, 2)), 1e-6)
    off_print = sides_off_print(samples, chosen)
    figures = np.array([worst, mean, darker, off_print.max(axis=1) - off_print.min(axis=1)])
    return [Fit(*each) for each in np.where(possible, figures, np.inf).T.tolist()]


def _medians(numbers: NDArray[np.float32]) -> NDArray[np.float32]:
    """Of each row of an even number of them; np.median takes three times as long."""
    half = numbers.shape[1] // 2
    return np.asarray(np.sort(numbers, axis=1)[:, half - 1 : half + 1].mean(axis=1))
