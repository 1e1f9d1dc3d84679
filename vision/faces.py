"""Top faces: a glance at every proposal, a close look, or two, at those that the glance leaves in doubt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.confidence import CLOSE_WEIGHTS, GLANCE_WEIGHTS, chance, close_evidence, glance_evidence
from vision.looks import PIP_FLOOR, Looks, Values, looks_of, softmax, values_of
from vision.networks import OTHER_DIE, FaceNetwork, GlanceNetwork, Proposals, apart_px
from vision.patches import GLANCE_PX, PATCH_PX, cut_patches
from vision.pyramid import Pyramid

__all__ = ["SAME_FACE", "SURE_AT_A_GLANCE", "Face", "FaceReader"]

SURE_AT_A_GLANCE = 0.827
"""A value of at least this confidence after the glance gets no closer look. On the held-out source and rendered scenes
this and the next four read as much, as rightly, as looking closely at everything, at a sixth of the close looks. It was
chosen, as 0.85, before the confidences were scaled; so was the 0.98 that is 0.979 below."""
_LIKELY_AT_A_GLANCE = 0.85
"""And the glance itself must give the value this chance."""
_NO_FACE_AT_A_GLANCE = 0.92
"""What the glance takes for no face at all with this chance gets no closer look, unless the finder insists."""
_INSISTENT = 0.4
_NO_FACE_WITHOUT_PIPS = 0.6
"""The same where no value's pips fit."""
_NO_FACE = 0.8
"""A close look that is so sure of seeing no readable top face is not followed by another."""
_SURE_AT_ONE_LOOK, _LIKELY_AT_ONE_LOOK = 0.979, 0.95
"""A value of this confidence and chance after one close look, counted twice, is not looked at again.

Chosen on the 53 photographs of the held-out source and 417 rendered scenes, 225 by the renderer of training and 192 by
that of the sweeps: of a grid, the pair that skips most second looks while neither it nor the next looser, 0.95 and 0.9,
states a wrong value that two looks would not or withholds a right one that they would state. It skipped 111 of 1,330
and no decision differed. On the photographs and the first 171 scenes the choice was 0.98 and 0.9; the other 246 took
away that one's margin. On 246 more, seen only afterwards, the pair skipped 71 of 738, again without a difference;
confidences moved by 0.002 in the mean, 0.015 at most."""
_WORTH_CHECKING = 0.1
"""A value to which one of two looks gives less is not agreed upon."""
_SURELY_OTHER = 0.6
"""People take a die away that is called another kind, so this is only said when it is likely."""
_FAR_OFF_SIDES = 0.7
"""An outline whose centre lies farther than this from the proposal's is not its face."""
SAME_FACE = 0.42
"""Centres closer than this share of the larger side belong to one face."""


@dataclass(frozen=True, slots=True)
class Face:
    """One looked-at proposal, in px of the image.

    `chances` (8,) are those of no readable face, of the values 1 to 6, and of a die that is not a pip die; `value` is
    the likeliest value whose pips are all found in their places or, when there is none, the likeliest; `agreed` tells
    whether all looks think it possible, `fits` whether exactly its pips were found, each in its place; `confidence`
    is the chance that the value is right given both, made of `evidence`; `glanced` tells that the glance was sure
    enough. `score` is the finder's, `outline_px` (4, 2), `pips_px` (k, 2), `centre_px` and `side_px` the outline's.
    """

    score: float
    evidence: NDArray[Any]
    chances: NDArray[Any]
    value: int
    agreed: bool
    fits: bool
    confidence: float
    glanced: bool
    outline_px: NDArray[Any]
    pips_px: NDArray[Any]
    centre_px: tuple[float, float]
    side_px: float

    @property
    def other_die(self) -> bool:
        """Whether it is rather a die that is not a pip die than all else together."""
        return bool(self.chances[OTHER_DIE] >= _SURELY_OTHER)


class FaceReader:
    """Looks at proposals with the two networks that read faces; `sure` is the confidence that ends the looking."""

    def __init__(self, *, sure: float = SURE_AT_A_GLANCE) -> None:
        self.sure = sure
        self.closely_looked_at = 0
        """Faces of the last image that got a close look."""
        self._glance, self._close = GlanceNetwork(), FaceNetwork()

    def read(self, pyramid: Pyramid, proposals: Proposals, *, closely: NDArray[np.bool_] | None = None) -> list[Face]:
        """The faces at the proposals, without those that surely are none.

        Where `closely` (n,) is False a glance must do: what it leaves in doubt is not agreed upon.
        """
        patches, places = cut_patches(pyramid, proposals.centres_px, proposals.sides_px, GLANCE_PX)
        looks = looks_of(self._glance.look(patches), places, GLANCE_PX)
        values = values_of(looks, looks.chances)
        evidence = glance_evidence(looks, values, proposals.scores)
        confidence = chance(evidence, GLANCE_WEIGHTS)
        plausible = _plausible(looks, proposals)
        likely = looks.chances[np.arange(len(proposals)), values.values]
        sure = plausible & values.fitting & (likely >= _LIKELY_AT_A_GLANCE) & (confidence >= self.sure)
        hopeless = (looks.chances[:, 0] > _NO_FACE_AT_A_GLANCE) & (proposals.scores < _INSISTENT)
        hopeless |= looks.chances[:, 0] > 1 - (1 - _NO_FACE_AT_A_GLANCE) / 10
        hopeless |= ~values.fitting & (looks.chances[:, 0] > _NO_FACE_WITHOUT_PIPS)
        judged = _Judged(looks, looks.chances, values, evidence, confidence, agreed=np.ones(len(sure), bool))
        faces = _faces(sure, proposals, judged, glanced=True)
        in_doubt = ~sure & ~hopeless & ~_covered(proposals, looks, sure)
        if closely is not None:
            passed = in_doubt & ~closely & plausible & (looks.chances[:, 0] < _NO_FACE_WITHOUT_PIPS)
            faces += _faces(passed, proposals, replace(judged, agreed=np.zeros(len(sure), bool)), glanced=True)
            in_doubt &= closely
        doubtful = np.nonzero(in_doubt)[0]
        self.closely_looked_at = len(doubtful)
        if len(doubtful):
            faces += self._closely(pyramid, proposals.only(doubtful), _chosen(looks, doubtful), plausible[doubtful])
        return faces

    def _closely(
        self, pyramid: Pyramid, proposals: Proposals, glances: Looks, plausible: NDArray[np.bool_]
    ) -> list[Face]:
        """A look where the glance saw the face; where that does not decide, another, centred anew on the outline found,
        and mirrored."""
        centres = np.where(plausible[:, None], glances.centres_px, proposals.centres_px)
        first = self._look(pyramid, centres, _near(glances.sides_px, proposals.sides_px, plausible))
        going_on = np.nonzero(_plausible(first, proposals) & (first.chances[:, 0] < _NO_FACE))[0]
        if not len(going_on):
            return []
        proposals, glances, first = proposals.only(going_on), _chosen(glances, going_on), _chosen(first, going_on)
        faces: list[Face] = []
        decided = np.zeros(len(going_on), bool)
        maybe = np.nonzero(first.chances[:, 1:OTHER_DIE].max(axis=1) >= _LIKELY_AT_ONE_LOOK)[0]
        if len(maybe):
            chosen, look = proposals.only(maybe), _chosen(first, maybe)
            judged = _judged(chosen, _chosen(glances, maybe), look, look)
            likely = look.chances[np.arange(len(maybe)), judged.values.values]
            enough = judged.values.fitting & (judged.confidence >= _SURE_AT_ONE_LOOK) & (likely >= _LIKELY_AT_ONE_LOOK)
            faces = _faces(enough, chosen, judged)
            decided[maybe] = enough
        rest = np.nonzero(~decided)[0]
        if len(rest):
            proposals, glances, first = proposals.only(rest), _chosen(glances, rest), _chosen(first, rest)
            sides = _near(first.sides_px, proposals.sides_px, np.ones(len(rest), bool))
            second = self._look(pyramid, first.centres_px, sides, mirrored=True)
            judged = _judged(proposals, glances, first, second)
            faces += _faces(np.ones(len(rest), bool), proposals, judged)
        return faces

    def _look(
        self, pyramid: Pyramid, centres_px: NDArray[Any], sides_px: NDArray[Any], *, mirrored: bool = False
    ) -> Looks:
        height, width = pyramid.colour(0).shape[:2]
        centres_px = np.minimum(
            np.maximum(centres_px, 0), (width - 1, height - 1)
        )  # an outline may be centred beyond the edge
        patches, places = cut_patches(pyramid, centres_px, sides_px, PATCH_PX)
        if mirrored:
            patches = np.ascontiguousarray(patches[:, :, ::-1])
        return looks_of(self._close.look(patches), places, PATCH_PX, mirrored=mirrored)


@dataclass(frozen=True, slots=True)
class _Judged:
    """What is said of n faces after a glance, or together with two close looks: see Face."""

    shown: Looks
    chances: NDArray[Any]
    values: Values
    evidence: NDArray[Any]
    confidence: NDArray[Any]
    agreed: NDArray[np.bool_]


def _judged(proposals: Proposals, glances: Looks, first: Looks, second: Looks) -> _Judged:
    """Of the same faces; where one look decides it counts twice."""
    chances = softmax((first.logits + second.logits + glances.logits) / 3)
    shown, values = _fitting_look((second,) if second is first else (second, first), chances)
    at = np.arange(len(values.values)), values.values
    agreed = np.minimum(first.chances[at], second.chances[at]) >= _WORTH_CHECKING
    evidence = close_evidence((glances, first, second), shown, chances, values, proposals.scores)
    return _Judged(shown, chances, values, evidence, chance(evidence, CLOSE_WEIGHTS), agreed)


def _faces(chosen: NDArray[np.bool_], proposals: Proposals, judged: _Judged, *, glanced: bool = False) -> list[Face]:
    """The chosen (n,) of the proposals."""
    looks = judged.shown
    scores, values, confidences, sides = (
        numbers.tolist() for numbers in (proposals.scores, judged.values.values, judged.confidence, looks.sides_px)
    )
    agreed, fitting, centres = judged.agreed.tolist(), judged.values.fitting.tolist(), looks.centres_px.tolist()
    return [
        Face(
            score=scores[i],
            evidence=judged.evidence[i],
            chances=judged.chances[i],
            value=values[i],
            agreed=agreed[i],
            fits=fitting[i],
            confidence=confidences[i],
            glanced=glanced,
            outline_px=looks.outlines_px[i],
            pips_px=looks.pips_px[i][slice(values[i]) if fitting[i] else looks.pip_scores[i] >= PIP_FLOOR],
            centre_px=tuple(centres[i]),
            side_px=sides[i],
        )
        for i in np.flatnonzero(chosen).tolist()
    ]


def _fitting_look(looks: tuple[Looks, ...], chances: NDArray[Any]) -> tuple[Looks, Values]:
    """Of several looks at the same faces, the best first, for each face the first whose pips fit a likely value."""
    shown, values = looks[0], values_of(looks[0], chances)
    for look in looks[1:]:
        rest = np.nonzero(~values.fitting)[0]
        if not len(rest):
            break
        others = values_of(_chosen(look, rest), chances[rest])
        better, fitting = rest[others.fitting], others.fitting
        shown = _replaced(shown, better, _chosen(look, better))
        values = _replaced(values, better, _chosen(others, fitting))
    return shown, values


_Arrays = TypeVar("_Arrays", Looks, Values)


def _replaced(arrays: _Arrays, at: NDArray[np.int_], others: _Arrays) -> _Arrays:
    """All faces, those at the indices (k,) as in `others` of k faces."""
    mixed = {name: getattr(arrays, name).copy() for name in arrays.__slots__}
    for name, array in mixed.items():
        array[at] = getattr(others, name)
    return type(arrays)(**mixed)


def _chosen(arrays: _Arrays, which: NDArray[Any]) -> _Arrays:
    """The faces that a mask or indices choose."""
    return type(arrays)(*(getattr(arrays, name)[which] for name in arrays.__slots__))


def _plausible(looks: Looks, proposals: Proposals) -> NDArray[np.bool_]:
    """Whether each outline lies about where the proposal was."""
    apart = np.hypot(*(looks.centres_px - proposals.centres_px).T)
    whole = np.isfinite(looks.outlines_px).all(axis=(1, 2)) & (looks.sides_px > 2)
    return np.asarray(whole & (apart < _FAR_OFF_SIDES * proposals.sides_px))


def _near(sides_px: NDArray[Any], proposed_px: NDArray[Any], plausible: NDArray[np.bool_]) -> NDArray[Any]:
    """Sides to cut a patch by: those seen, as far as they are near those proposed."""
    seen = np.minimum(np.maximum(sides_px, 0.6 * proposed_px), 1.6 * proposed_px)
    return np.where(plausible, seen, proposed_px)


def _covered(proposals: Proposals, looks: Looks, sure: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether each proposal names a face that is already sure, or something small upon it."""
    if not sure.any():
        return np.zeros(len(sure), bool)
    centres, sides = looks.centres_px[sure], looks.sides_px[sure]
    apart = apart_px(proposals.centres_px, centres)
    return np.asarray((apart < SAME_FACE * sides[None]).any(axis=1))
