"""How markers look when printed: which is which, what light and blur make of them, and where their print lies."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = [
    "CENTRES_YX",
    "DATA_MODULES",
    "MARKER_DICTIONARY",
    "MODULES",
    "SAMPLES",
    "SAMPLE_MODULES",
    "codes",
    "looks",
    "sides_off_print",
]

MARKER_DICTIONARY = cv2.aruco.DICT_6X6_250
"""36 bits for 250 ids: at least 11 bits apart; 4x4 dictionaries find markers in clutter."""

MODULES = 8
"""Six data modules and the black frame, along one side."""
DATA_MODULES = MODULES - 2
SAMPLES = (-0.25, 0.0, 0.25)
"""Places within a module, from its middle, in modules."""

_IDS = 250
CENTRES_YX: NDArray[Any] = (np.mgrid[0:MODULES, 0:MODULES].astype(np.float32) + 0.5) / MODULES - 0.5
"""The middles of the modules (2, 8, 8), in sides from the marker's."""

SAMPLE_MODULES = (np.arange(-1, MODULES + 1)[:, None] + 0.5 + np.array(SAMPLES)).ravel()
"""The samples along one side and a module beyond, in modules from the outline."""
_WITHIN = slice(int((SAMPLE_MODULES <= 0.5).sum()), int((SAMPLE_MODULES < MODULES - 0.5).sum()))
"""From the middle of the frame inward: what lies farther out follows the outline, wherever that is."""
_SOFT_MODULES = 0.35
"""Blur (sigma) of the print by which it is sought; a sharper or softer one is found at the same place."""
_FINE_PX = 12
"""To a module, where the blurred print is drawn."""
_CORNERS = np.array([(1, x, y, x * y) for x, y in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))]).T
"""What the corners have of: each in the middle, more to the right, more below, and more to the lower right (4, 4)."""
_SIDES, _NEXT = np.arange(4), np.array([1, 2, 3, 0])
"""The corners before and after each of the sides."""
_KEPT = 256
"""Prints whose movements are kept, 17 kB each."""


@cache
def codes() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """For each id and turn, in this order: data as +1 (white) and -1 (36, 1000), and the print (1000, 10, 10), 1 white.

    Turn k is the marker turned by k quarters against the clock.
    """
    dictionary = cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY)
    prints = []
    for row in dictionary.bytesList:
        bits = cv2.aruco.Dictionary.getBitsFromByteList(row[None], DATA_MODULES)
        whole = np.ones((MODULES + 2, MODULES + 2), np.float32)
        whole[1:-1, 1:-1] = 0
        whole[2:-2, 2:-2] = bits
        prints += [np.rot90(whole, k) for k in range(4)]
    printed = np.ascontiguousarray(prints)
    data = printed[:, 2:-2, 2:-2].reshape(len(printed), -1)
    return np.ascontiguousarray(data.T * 2 - 1), printed


@lru_cache(maxsize=4 * _IDS)
def looks(code: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """What a print can look like in light that changes evenly, blurred: eight pictures (64, 8), and their inverse."""
    printed = codes()[1][code]
    own = printed[1:-1, 1:-1]
    beside = printed[:-2, 1:-1] + printed[2:, 1:-1] + printed[1:-1, :-2] + printed[1:-1, 2:]
    across = printed[:-2, :-2] + printed[2:, 2:] + printed[2:, :-2] + printed[:-2, 2:]
    y, x = CENTRES_YX
    # White and black each a plane over the marker, and what the blur brings in from the eight modules around.
    basis = np.stack([np.ones_like(own), x, y, own, own * x, own * y, beside / 4, across / 4]).reshape(8, -1).T
    return basis, np.linalg.pinv(basis)


@lru_cache(maxsize=_KEPT)
def _movements(code: int) -> NDArray[np.float32]:
    """By what the samples within a print (400,) are multiplied to give nine numbers: its step from black to white, and
    that step times how far it lies right of and below the outline, in modules: each in the middle, more to the right,
    more below, and more to the lower right."""
    drawn = np.kron(codes()[1][code], np.ones((_FINE_PX, _FINE_PX)))
    drawn = cv2.GaussianBlur(drawn, (0, 0), _SOFT_MODULES * _FINE_PX, borderType=cv2.BORDER_REPLICATE)
    down, right = np.gradient(drawn, 1 / _FINE_PX)
    inner = SAMPLE_MODULES[_WITHIN]
    at = ((inner + 1) * _FINE_PX).astype(int)  # the edge between two pixels
    y, x = np.meshgrid(inner / MODULES - 0.5, inner / MODULES - 0.5, indexing="ij")
    own, right, down = (cv2.blur(picture, (2, 2), anchor=(1, 1))[np.ix_(at, at)] for picture in (drawn, right, down))
    one = np.ones_like(own)
    ways = [-slope * part for slope in (right, down) for part in (one, x, y, x * y)]
    basis = np.stack([own, *ways, own * x, own * y, one, x, y]).reshape(len(ways) + 6, -1).T
    return np.linalg.solve(basis.T @ basis, basis.T)[: 1 + len(ways)].astype(np.float32)


def sides_off_print(samples: NDArray[Any], chosen: list[int]) -> NDArray[np.float64]:
    """How far inside of the print each side of the outline lies, in modules: (K, 4), top, right, bottom, left.

    `samples` (K, 30, 30) are grey levels at SAMPLES of each module along and beyond the outlines, `chosen` the codes
    (id times 4, plus turn). What covers a side of a marker, or its corner, moves the outline and not what is printed
    within. Bright light that spreads over the ink moves all four sides alike.
    """
    if not chosen:
        return np.zeros((0, 4))
    inner = samples[:, _WITHIN, _WITHIN].astype(np.float32).reshape(len(chosen), -1)
    numbers = np.array([_movements(code) @ each for code, each in zip(chosen, inner, strict=True)])
    step = np.where(numbers[:, :1] > 0, numbers[:, :1], np.inf)
    right, down = numbers[:, 1:5] / step @ _CORNERS, numbers[:, 5:] / step @ _CORNERS  # (K, 4)
    outward = np.array((-down, right, down, -right))  # of each corner at each side, (4, K, 4)
    return np.asarray((outward[_SIDES, :, _SIDES] + outward[_SIDES, :, _NEXT]).T / 2)
