"""Dice that touch a hand in the picture, and count for a part of it: one that it has just let go is such a one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tracking.mixing import mixed, vivid

__all__ = ["peeping"]

_LEAST_SHARE, _PEAK_SHARE = 0.25, 0.5
"""So much of the die's colour is in every small pixel of it, and in one at least: the shade at the rim of a hand, which
has the colour of anything, holds less (on rendered tables 0.38 in the middle, dice 0.88)."""
_RESIDUE = 6.0
"""What is of no other colour differs by less, in levels: skin that looks like it by 9 in the middle, dice by 2."""
_FACES, _DULL_FACES = (0.4, 5.0), 1.0
"""So large; where the die is black, grey or white, the shade between fingers is smaller than this and looks like it."""
_BARE_SHARE, _AROUND_SIDES = 0.15, 1.5
"""So much bare table is around it: within a hand there is none."""


def peeping(
    now: NDArray[np.float32],
    table: NDArray[np.float32],
    where: NDArray[np.bool_],
    hands: NDArray[np.bool_],
    colours_bgr: Sequence[Sequence[float]],
    side: float,
) -> Iterator[tuple[Sequence[float], NDArray[np.uint8]]]:
    """The colours of dice of which there are patches that may be one, each with these: (h, w), 255 there.

    `now` and the bare `table` are (h, w, 3) BGR, `hands` (h, w) is what covers it, `where` what moves of that and is
    no shadow, `side` that of a die's face, in pixels of these.
    """
    if not colours_bgr or not where.any():
        return
    mixture = mixed(now[where], colours_bgr, table[where])
    alike = mixture.may_be(_LEAST_SHARE)
    rows, columns = np.nonzero(where)
    for number, colour in enumerate(colours_bgr):
        here = np.flatnonzero(alike[:, number])
        of_die = mixture.of_dice[here, number]
        least_faces = _FACES[0] if vivid(colour) else _DULL_FACES
        if len(here) < least_faces * side**2 or of_die.max() < _PEAK_SHARE:
            continue
        shares, residues = np.zeros(where.shape, np.float32), np.zeros(where.shape, np.float32)
        places = rows[here], columns[here]
        shares[places], residues[places] = of_die, mixture.left[here, number]
        bodies = _bodies(shares, residues, hands, side, least_faces)
        if bodies.any():
            yield colour, bodies


def _bodies(
    shares: NDArray[np.float32],
    residues: NDArray[np.float32],
    hands: NDArray[np.bool_],
    side: float,
    least_faces: float,
) -> NDArray[np.uint8]:
    """255 in the patches that may be a die by their size, their colour and what is around them."""
    found = np.zeros(shares.shape, np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats((shares > 0).view(np.uint8), connectivity=8)
    faces = stats[1:, cv2.CC_STAT_AREA] / side**2
    reach = round(_AROUND_SIDES * side)
    for label in (1 + np.flatnonzero((faces >= least_faces) & (faces <= _FACES[1]))).tolist():
        x, y, wide, high, _ = (int(each) for each in stats[label])
        box = (slice(y, y + high), slice(x, x + wide))
        body = labels[box] == label
        around = hands[max(0, y - reach) : y + high + reach, max(0, x - reach) : x + wide + reach]
        pure = residues[box][body].mean() <= _RESIDUE and shares[box][body].max() >= _PEAK_SHARE
        if pure and 1 - around.mean() >= _BARE_SHARE:
            found[box][body] = 255
    return found
