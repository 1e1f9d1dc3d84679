"""Ghosts: places where a table was learned with a hand or dice over it that have gone since."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["gone"]

_CONTINUES, _CONTINUES_SHARE = 0.8, 0.7
"""Where the bare table is seen, a place goes on along its outline as its surroundings do: it differs from them by less
than this part of how the table, as it was learned, does, and it does so along more than this share of its outline. On
rendered tables that is so along 0.56 at most of hands that lie still, and along 0.8 and more of nine in ten ghosts."""
_NEAR_OUTLINE = 5
_LEAST_NEAR, _LEAST_OUTLINE = 3, 1.5
"""Places are compared across an outline within a square of so many small pixels, when so many lie there on each side;
and an outline tells something when it has so many such places times the root of the area: a square has four."""
_THICK_DICE = 2.0
"""What is thinner than so many sides of a die is judged apart from what is thicker: dice, and where dice lay, from the
hand beside them."""
_STILL_SHARE = 0.8
"""Nothing is told of a place before so much of it lies still."""
_AROUND = np.ones((3, 3), np.uint8)


def gone(
    now: NDArray[np.float32],
    table: NDArray[np.float32],
    mask: NDArray[np.bool_],
    lasts: NDArray[np.bool_],
    moving: NDArray[np.bool_],
    face_area: float,
) -> NDArray[np.bool_]:
    """The parts of a mask where something has gone that the table, as it was learned, still shows; (h, w).

    It lies still, and it is not the picture that differs there from its surroundings but the table.

    Args:
        now: the picture, (h, w, 3) BGR.
        table: the table as it was learned, (h, w, 3) BGR.
        mask: where the two differ by more than a shadow, (h, w).
        lasts: the part of it that has not changed for a moment.
        moving: where the picture moves, (h, w).
        face_area: of a die, in pixels of these pictures.
    """
    pieces = _pieces(mask, face_area)
    areas = np.bincount(pieces.ravel())
    judged = np.bincount(pieces[lasts], minlength=areas.size) >= _STILL_SHARE * areas
    judged[0] = False
    if not judged.any():
        return np.zeros(mask.shape, bool)
    x, y, wide, high = cv2.boundingRect(judged[pieces].view(np.uint8))
    box = (slice(max(0, y - _NEAR_OUTLINE), y + high + _NEAR_OUTLINE),
           slice(max(0, x - _NEAR_OUTLINE), x + wide + _NEAR_OUTLINE))  # fmt: skip
    of = np.where(judged, np.arange(areas.size), 0)[pieces[box]]
    found = _ghosts(now[box], table[box], mask[box], moving[box], of)
    return np.isin(pieces, found) if found else np.zeros(mask.shape, bool)


def _pieces(mask: NDArray[np.bool_], face_area: float) -> NDArray[np.int32]:
    """The connected parts of a mask (h, w), numbered from 1; thick ones apart from the thin ones at their rims."""
    part = mask.view(np.uint8)
    wide = max(3, int(_THICK_DICE * face_area**0.5) | 1)
    thick = np.asarray(
        cv2.morphologyEx(part, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide))), np.uint8
    )
    count, pieces = cv2.connectedComponents(thick)
    _, thin = cv2.connectedComponents(part & ~thick)
    return np.asarray(np.where(thin > 0, thin + count - 1, pieces), np.int32)


def _ghosts(
    now: NDArray[np.float32],
    table: NDArray[np.float32],
    mask: NDArray[np.bool_],
    moving: NDArray[np.bool_],
    pieces: NDArray[np.int32],
) -> list[int]:
    """The pieces of a mask that the table as it was learned shows, (h, w, 3), and not the picture.

    `pieces` are numbered from 1; 0 is of none of those that are judged.
    """
    part = mask.astype(np.uint8)
    bare = (cv2.dilate(part, _AROUND) == 0) & ~moving
    rim = (pieces > 0) & (cv2.erode(part, _AROUND) == 0)
    reach, width = _NEAR_OUTLINE // 2, mask.shape[1]
    rim[:reach] = rim[-reach:] = rim[:, :reach] = rim[:, -reach:] = False
    steps = np.arange(-reach, reach + 1)
    near = np.flatnonzero(rim)[:, None] + (steps[:, None] * width + steps).ravel()
    inside, outside = mask.ravel()[near], bare.ravel()[near]
    told = (inside.sum(axis=1) >= _LEAST_NEAR) & (outside.sum(axis=1) >= _LEAST_NEAR)
    if not told.any():
        return []
    near, inside, outside, of = near[told], inside[told], outside[told], pieces[rim][told]
    shares = (each / each.sum(axis=1, keepdims=True, dtype=np.float32) for each in (inside, outside))
    weights = np.subtract(*shares)[:, None]
    now_differs, table_differs = (
        np.abs(weights @ each.reshape(-1, 3)[near])[:, 0].max(axis=1) for each in (now, table)
    )
    ghosts = []
    for label in np.unique(of[of > 0]).tolist():
        its = of == label
        if np.count_nonzero(its) < _LEAST_OUTLINE * np.count_nonzero(pieces == label) ** 0.5:
            continue
        continues = np.median(now_differs[its]) < _CONTINUES * np.median(table_differs[its])
        if continues and np.mean(now_differs[its] < table_differs[its]) > _CONTINUES_SHARE:
            ghosts.append(label)
    return ghosts
