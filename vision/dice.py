"""Reads the top faces of pip dice: networks propose and read, geometry must agree, or the die is refused."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import dist
from time import perf_counter_ns
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.appearance import Paint, flaws, paints
from vision.crowds import has_its_own_place, places_in_crowds, proposals_of
from vision.dominoes import are_half_dominoes
from vision.faces import SAME_FACE, SURE_AT_A_GLANCE, Face, FaceReader
from vision.images import Image
from vision.networks import OTHER_DIE, FinderNetwork, Proposals
from vision.pyramid import Pyramid
from vision.readings import DieReading, Unreadable

__all__ = ["DEFAULT_THRESHOLD", "DiceReader", "Worth"]

DEFAULT_THRESHOLD = 0.392
"""A value is stated when its confidence is at least this; lower states more and errs more."""

_MIN_PROPOSAL = 0.16
_MIN_DIE = 0.5
"""What is less likely a die than this is not reported, unless the finder is sure of it."""
_LIKELY_DIE = 0.8
_LIKELY_PROPOSAL = 0.35
_SURE_PROPOSAL = 0.6
_SURELY_NOT = 0.95
_SMALLEST_SIDE_PX = 8.0
_OTHER_DIE_DOUBT, _OF_A_SURE_VALUE, _SURE_VALUE = 0.1, 0.3, 0.8
"""A value is not stated of what is a die without pips with the first chance, or the second when the value itself is as
sure as the third. On the photographs that may be learned from and 236 rendered scenes, 60 of them with dice without
pips, the second gives back 9 of the 22 right values that the first takes, and none of the 7 wrong ones."""
_DOUBTED_BELOW = 0.99
"""A value of this confidence is stated without asking whether it lies on half of a domino."""
_PIP_SIDES = 0.3
"""No pip is wider than this part of its face's side: the widest sold, the single one of some dice, take a quarter."""
_ON_A_PIP_SIDES = 0.08
_MORE_THAN_A_PIP = 3
"""A pip with glints in it has been taken for a small one or two, never for more."""
_SURER_THAN_A_PIP = 0.95
"""Nor was it ever read so surely: on photographs that may be learned from, dice that lay like pips were, at 0.99 and
more, and made faces of at most 0.41."""
_SURE_IN_A_CROWD = 0.85
"""What is found where the finder named nothing must be so sure. On photographs that may be learned from this keeps 3 of
the 8 dice found so and leaves out the only wrong value."""


@dataclass(frozen=True, slots=True)
class Worth:
    """Which parts of an image are worth reading, by blocks of `block_px` pixels of a larger picture.

    The image begins at `origin_px` (x, y) of that picture. Of a place whose block is False in `look` (rows, columns),
    nothing is reported; where `closely` is False a glance must do; where `again` is False what gave no face the first
    time is not looked at again. No face larger than `largest_px` need be found.
    """

    look: NDArray[np.bool_]
    closely: NDArray[np.bool_]
    again: NDArray[np.bool_]
    block_px: int
    origin_px: tuple[int, int] = (0, 0)
    largest_px: float = np.inf

    def at(self, places_px: NDArray[Any]) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
        """`look`, `closely` and `again` (n,) at places (n, 2) of the image."""
        rows, columns = self.look.shape
        column, row = ((np.asarray(places_px) + self.origin_px) // self.block_px).astype(int).T
        column, row = np.clip(column, 0, columns - 1), np.clip(row, 0, rows - 1)
        return self.look[row, column], self.closely[row, column], self.again[row, column]

    def is_again(self, places_px: NDArray[Any]) -> NDArray[np.bool_]:
        """Whether places (n, 2) of the image are looked at again, (n,)."""
        look, _, again = self.at(places_px)
        return look & again


class DiceReader:
    """Reads the dice of an image; one reader serves one thread.

    `threshold` (0..1) is the least confidence at which a value is stated; below it the die is unreadable, with
    the reason. From a confidence of `sure` on, a glance is enough. After each read `stage_ms` holds the milliseconds
    of 'dice.proposals', 'dice.faces' and 'dice.looks', and `closely_looked_at` how many faces needed more.
    """

    def __init__(self, *, threshold: float = DEFAULT_THRESHOLD, sure: float = SURE_AT_A_GLANCE) -> None:
        if not 0 <= threshold <= 1:
            raise ValueError(f"The threshold is a confidence from 0 to 1: got {threshold}.")
        self.threshold = threshold
        self.stage_ms: dict[str, float] = {}
        self._finder = FinderNetwork()
        self._faces = FaceReader(sure=sure)

    @property
    def closely_looked_at(self) -> int:
        """How many faces of the last image got a close look."""
        return self._faces.closely_looked_at

    def read(self, image_bgr: Image | Pyramid, worth: Worth | None = None) -> tuple[DieReading, ...]:
        """The dice in a (H, W, 3) BGR or (H, W) grey uint8 image, from left to right; all, or where it is worth it.

        Coordinates are pixels of the given image. Raises BadImage for anything that is not such an image, or a pyramid.
        """
        pyramid = Pyramid.of(image_bgr)
        image = pyramid.colour(0)
        faces = self.faces(pyramid, worth)
        seen = perf_counter_ns()
        outlines = np.array([face.outline_px for face in faces]).reshape(-1, 4, 2)
        looks = paints(image, outlines, [face.pips_px for face in faces])
        dice = [self._reading(image, face, paint) for face, paint in zip(faces, looks, strict=True)]
        _refuse_half_dominoes(image, faces, dice, worth)
        self.stage_ms["dice.looks"] = (perf_counter_ns() - seen) / 1e6
        return tuple(sorted(dice, key=lambda die: die.box_xyxy))

    def faces(self, image: Image | Pyramid, worth: Worth | None = None) -> list[Face]:
        """The top faces in a (H, W, 3) BGR uint8 image, each once, before it is decided what may be stated."""
        found = self.looked_at(image, worth=worth)
        return _without_doubles([face for face in found if _is_die(face) and not _is_pip(face, found)])

    def looked_at(
        self, image: Image | Pyramid, min_score: float = _MIN_PROPOSAL, worth: Worth | None = None
    ) -> list[Face]:
        """Every proposal of at least `min_score` that may be a face, some of them twice or none; for training."""
        start = perf_counter_ns()
        pyramid = Pyramid.of(image)
        proposals = self._finder.find(pyramid, min_score, np.inf if worth is None else worth.largest_px)
        closely = None
        if worth is not None:
            look, closely, _ = worth.at(proposals.centres_px)
            proposals, closely = proposals.only(look), closely[look]
        found = perf_counter_ns()
        faces = self._faces.read(pyramid, proposals, closely=closely)
        faces += self._in_crowds(pyramid, proposals, faces, worth)
        self.stage_ms = {"dice.proposals": (found - start) / 1e6, "dice.faces": (perf_counter_ns() - found) / 1e6}
        return faces

    def _in_crowds(self, pyramid: Pyramid, proposals: Proposals, faces: list[Face], worth: Worth | None) -> list[Face]:
        """Faces that the finder did not name, of dice among others."""
        if worth is None:
            places = places_in_crowds(pyramid.colour(0), proposals, faces)
        else:
            places = places_in_crowds(pyramid.colour(0), proposals, faces, worth.is_again)
        if not len(places):
            return []
        before = self._faces.closely_looked_at
        glances = self._faces.read(pyramid, places, closely=np.zeros(len(places), bool))
        likely = _without_doubles([face for face in glances if has_its_own_place(face, faces)])
        if not likely:
            return []
        found = self._faces.read(pyramid, proposals_of(likely))
        self._faces.closely_looked_at += before
        return [face for face in found if _surety(face) >= _SURE_IN_A_CROWD and has_its_own_place(face, faces)]

    def _reading(self, image: Image, face: Face, paint: Paint) -> DieReading:
        outline = _points(face.outline_px)
        xs, ys = zip(*outline, strict=True)
        box = min(xs), min(ys), max(xs), max(ys)
        reason = _reason(image, face, box, paint, face.confidence >= self.threshold)
        return DieReading(
            value=face.value if reason is None else None,
            reason=reason,
            confidence=face.confidence if reason is None else float(1 - face.chances[0]),
            box_xyxy=box,
            outline_px=outline,
            pips_px=_points(face.pips_px),
            colour=paint.colour,
            pip_colour=paint.pip_colour,
            colour_bgr=paint.colour_bgr,
            pip_bgr=paint.pip_bgr if len(face.pips_px) else None,
        )


def _refuse_half_dominoes(image: Image, faces: list[Face], dice: list[DieReading], worth: Worth | None) -> None:
    """Take back the values of those dice, not quite sure, that turn out to be halves of dominoes.

    Of those that are worth no more than a glance it is not asked.
    """
    doubted = [i for i, die in enumerate(dice) if die.value is not None and die.confidence < _DOUBTED_BELOW]
    if doubted and worth is not None:
        _, closely, _ = worth.at(np.array([faces[i].centre_px for i in doubted]))
        doubted = [i for i, asked in zip(doubted, closely.tolist(), strict=True) if asked]
    if not doubted:
        return
    outlines = np.array([faces[i].outline_px for i in doubted])
    bodies, pips = np.array([(dice[i].colour_bgr, dice[i].pip_bgr) for i in doubted]).transpose(1, 0, 2)
    for i, is_half in zip(doubted, are_half_dominoes(image, outlines, bodies, pips).tolist(), strict=True):
        if is_half:
            likely = float(1 - faces[i].chances[0])
            dice[i] = replace(dice[i], value=None, reason=Unreadable.HALF_DOMINO, confidence=likely)


def _is_die(face: Face) -> bool:
    """Whether there is a die at all, readable or not."""
    if face.chances.argmax() == OTHER_DIE and not face.other_die:
        return face.score >= _SURE_PROPOSAL  # letters on a keyboard look a little like such dice
    if face.score >= _SURE_PROPOSAL:
        return bool(face.chances[0] < _SURELY_NOT)
    if face.fits or face.score >= _LIKELY_PROPOSAL:
        return bool(1 - face.chances[0] >= _MIN_DIE)
    return bool(1 - face.chances[0] >= _LIKELY_DIE)


def _reason(
    image: Image, face: Face, box_xyxy: tuple[float, float, float, float], paint: Paint, confident: bool
) -> Unreadable | None:
    """Why the value may not be stated; None when it may."""
    height, width = image.shape[:2]
    slack = 0.04 * face.side_px
    left, top, right, bottom = box_xyxy
    if face.other_die:
        return Unreadable.NOT_A_PIP_DIE
    if min(left, top) < -slack - 0.5 or right > width - 0.5 + slack or bottom > height - 0.5 + slack:
        return Unreadable.CUT_OFF
    if face.side_px < _SMALLEST_SIDE_PX:
        return Unreadable.TOO_SMALL
    doubt = _OF_A_SURE_VALUE if face.confidence > _SURE_VALUE else _OTHER_DIE_DOUBT
    if confident and face.agreed and face.fits and face.chances[0] < 0.5 and face.chances[OTHER_DIE] < doubt:
        return None if paint.pips_show else Unreadable.COVERED
    hiding = flaws(image, face.outline_px, paint)
    if hiding.glare > 0.12:
        return Unreadable.GLARE
    if hiding.contrast < 18:
        return Unreadable.LOW_CONTRAST
    if hiding.sharpness < 0.12:
        return Unreadable.BLURRED
    if _foreshortening(face.outline_px) < 0.42:
        return Unreadable.TILTED
    if len(face.pips_px) < face.value and face.chances[0] > 0.2:
        return Unreadable.COVERED
    return Unreadable.AMBIGUOUS


def _foreshortening(outline: NDArray[np.float64]) -> float:
    """Area of the outline against that of a square of its longer mean side: the cosine of the tilt, roughly."""
    a, b, c, d = outline.tolist()
    longest = max((dist(a, d) + dist(b, c)) / 2, (dist(a, b) + dist(c, d)) / 2, 1e-6)
    return float(abs(cv2.contourArea(outline.astype(np.float32))) / longest**2)


def _without_doubles(faces: list[Face]) -> list[Face]:
    """Of faces that cannot all be there the surest: centres that nearly coincide, or one within another.

    A single pip of a large die looks like a small die; so do dice that lie like pips look like a large one.
    """
    kept: list[Face] = []
    for face in sorted(faces, key=_surety, reverse=True):
        if not any(_exclude_each_other(face, other) for other in kept):
            kept.append(face)
    return kept


def _surety(face: Face) -> float:
    """How sure it is that this is a die's top face; values that may be stated go first."""
    if face.agreed and face.fits and face.chances[0] < _MIN_DIE:
        return face.confidence
    return float(0.3 * (1 - face.chances[0]) + 0.1 * face.score)


def _exclude_each_other(face: Face, other: Face) -> bool:
    """Whether they name one face, or one is much smaller and within the other."""
    small, large = (face, other) if face.side_px < other.side_px else (other, face)
    if dist(face.centre_px, other.centre_px) <= SAME_FACE * large.side_px:
        return True
    if small.side_px > 0.5 * large.side_px:
        return False
    return cv2.pointPolygonTest(large.outline_px.astype(np.float32), small.centre_px, False) >= 0


def _is_pip(face: Face, others: list[Face]) -> bool:
    """Whether it lies where a much larger face, die or domino, has one of its pips: glints in it look like pips.

    A ring of dice around nothing, or one die in an empty square, must not pass for such a face; nor may dice that lie
    like the pips of one, which are sure, and surer than it is.
    """
    if face.value >= _MORE_THAN_A_PIP:
        return False
    for other in others:
        if face.confidence >= max(_SURER_THAN_A_PIP, other.confidence):
            continue
        likely = other.fits and other.value > 1 and other.chances[0] < _LIKELY_DIE
        if likely and face.side_px < _PIP_SIDES * other.side_px:
            apart = np.hypot(*(other.pips_px - face.centre_px).T)
            if apart.min(initial=np.inf) < _ON_A_PIP_SIDES * other.side_px:
                return True
    return False


def _points(array: NDArray[np.float64]) -> tuple[tuple[float, float], ...]:
    return tuple(map(tuple, array.tolist()))
