"""Dice that touch others: the finder may name the crowd, or one of it, and not the die between.

It sees no colours. So more places are looked at: those on which it insisted and where no face was found, with the usual
size of the dice, and of a crowd its surroundings; and those beside a face where the colour of its body goes on. What is
found there must have its place and its pips for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.appearance import paints
from vision.faces import SAME_FACE, Face
from vision.images import Image
from vision.networks import Proposals, apart_px

__all__ = ["has_its_own_place", "places_in_crowds", "proposals_of"]

_INSISTENT = 0.3
"""Below this score of the finder a place is not looked at again."""
_SIZES = (0.7, 2.8)
"""Nor where it saw something smaller or larger than this, in sides of a die: a crowd, or a die mistaken in its size."""
_CROWD_SIDES = 2.0
"""Faces so near to such a place belong to the crowd: its surroundings are looked at, too."""
_STEP_SIDES = 0.6
_BESIDE_SIDES = 1.2
"""Steps around the middle of a crowd, and from a face to the one beside it, in eight directions. On rendered pictures
of 576 dice in threes, all of which can be read where they are named, this finds 539 in place of 501; with the second
step alone 531, with the first 532, with steps around what lies alone 542, of five times as many places."""
_AROUND = np.array([(0.0, 0.0), *((np.cos(turn), np.sin(turn)) for turn in np.arange(8) * np.pi / 4)])
_GRID = 0.22 * np.stack(np.meshgrid([-1, 0, 1], [-1, 0, 1]), axis=2).reshape(-1, 2)
"""Nine samples of a place, in sides."""
_ALIKE_LEVELS, _ALIKE_SHARE = 40.0, 0.6
"""So many of them within this BGR distance of a body are of its colour. From 30 to 55 and 0.45 to 0.75 it is much the
same."""
_FREE_SIDES = 0.7
"""Middles of faces lie farther apart than this, for bodies do by a whole side, though not all are seen from above."""
_OWN_PIP_SIDES = 0.09
"""Pips nearer than this to one another are one pip: they lie four times as far apart on a face."""

Wanted = Callable[[NDArray[np.float64]], NDArray[np.bool_]]
"""Which of places (n, 2), in px, count: (n,)."""


def _everywhere(places_px: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.ones(len(places_px), bool)


def places_in_crowds(
    image: Image, proposals: Proposals, faces: Sequence[Face], wanted: Wanted = _everywhere
) -> Proposals:
    """Where else to look in a (H, W, 3) BGR uint8 image, in its px, by what the finder proposed and what was read.

    `wanted` tells of places (n, 2) which of them count, (n,).
    """
    sure = [face for face in faces if face.agreed and face.fits]
    if not sure:
        return proposals.only(np.zeros(0, int))
    centres_px, sides_px = np.array([face.centre_px for face in sure]), np.array([face.side_px for face in sure])
    insisted = _insisted(proposals, centres_px, sides_px, wanted)
    beside = _beside(image, sure, centres_px, sides_px, wanted)
    places = Proposals(
        np.concatenate([insisted.centres_px, beside.centres_px]),
        np.concatenate([insisted.sides_px, beside.sides_px]),
        np.concatenate([insisted.scores, beside.scores]),
    )
    on_a_face = _any(apart_px(places.centres_px, centres_px) < _FREE_SIDES * sides_px)
    return places.only(~on_a_face)


def _insisted(
    proposals: Proposals, centres_px: NDArray[np.float64], sides_px: NDArray[np.float64], wanted: Wanted
) -> Proposals:
    """Where the finder is sure of something, and none of the faces, with centres (n, 2) and sides (n,), lies."""
    usual_px = float(np.median(sides_px))
    least, most = _SIZES
    away_sides = apart_px(proposals.centres_px, centres_px) / sides_px
    missed = ~_any(away_sides < SAME_FACE) & (proposals.scores >= _INSISTENT)
    missed &= (proposals.sides_px > least * usual_px) & (proposals.sides_px < most * usual_px)
    again = np.flatnonzero(missed)
    places_px = proposals.centres_px[again, None] + _STEP_SIDES * usual_px * _AROUND
    looked_at = np.repeat(_any(away_sides[again] < _CROWD_SIDES)[:, None], len(_AROUND), axis=1)
    looked_at[:, 0] = True
    looked_at &= wanted(places_px.reshape(-1, 2)).reshape(looked_at.shape)
    of = np.repeat(again, looked_at.sum(axis=1))
    return Proposals(places_px[looked_at], np.full(len(of), usual_px), proposals.scores[of])


def _beside(
    image: Image,
    faces: Sequence[Face],
    centres_px: NDArray[np.float64],
    sides_px: NDArray[np.float64],
    wanted: Wanted,
) -> Proposals:
    """Where, beside a face, the colour of its body goes on."""
    places_px = centres_px[:, None] + _BESIDE_SIDES * sides_px[:, None, None] * _AROUND[1:]
    asked = wanted(places_px.reshape(-1, 2)).reshape(places_px.shape[:2])
    asking = np.flatnonzero(_any(asked))
    if not len(asking):
        return Proposals(np.zeros((0, 2)), np.zeros(0), np.zeros(0))
    places_px, sides_px, chosen = places_px[asking], sides_px[asking], [faces[i] for i in asking.tolist()]
    looks = paints(image, np.array([face.outline_px for face in chosen]), [face.pips_px for face in chosen])
    alike = _alike(image, places_px, sides_px, np.array([paint.colour_bgr for paint in looks])) & asked[asking]
    of = np.repeat(sides_px, alike.sum(axis=1))
    return Proposals(places_px[alike], of, np.full(len(of), _INSISTENT))


def _alike(
    image: Image, places_px: NDArray[np.float64], sides_px: NDArray[np.float64], bodies_bgr: NDArray[np.int_]
) -> NDArray[np.bool_]:
    """Which of the places (n, m, 2) beside n faces have the colours (n, 3) of their bodies, (n, m)."""
    height, width = image.shape[:2]
    at = places_px[:, :, None] + _GRID * sides_px[:, None, None, None]
    x, y = np.rint(at).astype(int).transpose(3, 0, 1, 2)
    inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    pixels = image[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)].astype(int)
    alike = np.square(pixels - bodies_bgr[:, None, None]).sum(axis=3) <= _ALIKE_LEVELS**2
    return np.asarray((alike & inside).mean(axis=2) >= _ALIKE_SHARE)


def proposals_of(faces: Sequence[Face]) -> Proposals:
    """The places of faces, to be looked at again."""
    return Proposals(
        np.array([face.centre_px for face in faces]).reshape(-1, 2),
        np.array([face.side_px for face in faces]),
        np.array([face.score for face in faces]),
    )


def has_its_own_place(face: Face, others: Sequence[Face]) -> bool:
    """Whether no other face lies where this one does, or has one of its pips."""
    for other in others:
        side_px = min(face.side_px, other.side_px)
        if np.hypot(*np.subtract(face.centre_px, other.centre_px)) < _FREE_SIDES * side_px:
            return False
        if apart_px(face.pips_px, other.pips_px).min(initial=np.inf) < _OWN_PIP_SIDES * side_px:
            return False
    return True


def _any(of_rows: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether anything in each row of (n, m) is True, (n,)."""
    return np.asarray(of_rows.any(axis=1))
