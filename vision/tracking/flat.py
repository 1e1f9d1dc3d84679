"""Whether a die that has come to rest lies flat or leans on something."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

import numpy as np

from vision.geometry import TableGeometry
from vision.images import Image
from vision.readings import Point, Unreadable
from vision.tracking.camera import camera_told
from vision.tracking.leaning import leaning_chances
from vision.tracking.track import Sample
from vision.tracking.upright import upright

__all__ = ["HAND_COVER", "LEANS_FROM", "in_doubt", "leaning", "leaning_chance", "leans", "surely_flat", "together"]

_SAMPLES = 3
"""So many of the last samples are looked at, each with another outline, which frames the die a little otherwise."""
_LATELY_NS = 600_000_000
"""None of them is older: a hand may have thrown its shadow on the face then. What is not read is tried anew three times
within that time."""
LEANS_FROM = 0.95
"""From this chance on a die leans. Flat dice come to rest some sixty times as often in plays as leaning ones, and with
that share the fewest are told wrongly from here on, of rendered tables other than those learned from."""
_DOUBT = (0.05, 0.98)
"""Between these it is worth another look: of the dice that came to rest in 39 plays, one of 3,146 that lay flat and
five of 41 that leaned, most of which were outlined otherwise a moment later."""
_SUREST = 1e-9
"""No look is surer."""
HAND_COVER = 0.02
"""Where a hand covers more than this part of its surroundings, what is seen beside the face may be a finger."""


def leans(
    samples: Sequence[Sample],
    geometry: TableGeometry | None,
    image: Image,
    neighbours_px: Sequence[tuple[Point, ...]] = (),
) -> bool:
    """True when the last of these samples show a die that leans; see `leaning`."""
    return leaning(samples, geometry, image, neighbours_px) >= LEANS_FROM


def in_doubt(chance: float) -> bool:
    """True where it should be looked at again before it is told whether a die of this `chance` leans."""
    return _DOUBT[0] < chance < _DOUBT[1]


def surely_flat(chance: float) -> bool:
    """True where a die of this `chance` to lean lies flat beyond doubt."""
    return chance <= _DOUBT[0]


def leaning(
    samples: Sequence[Sample],
    geometry: TableGeometry | None,
    image: Image,
    neighbours_px: Sequence[tuple[Point, ...]] = (),
) -> float:
    """How sure it is, 0..1, that the last of these samples show a die that leans.

    That is one that most of them call tilted, or one that in the last `image`, (H, W, 3) BGR uint8, does not look as
    a flat die with this upper face would look from where the camera stands. Where that cannot be told, without the
    table's geometry or with a hand over it, only the reader's word counts. `neighbours_px` are the outlines of the dice
    around it.
    """
    recent = samples[-_SAMPLES:]
    if not recent:
        return 0.0
    called = sum(sample.reading.reason is Unreadable.TILTED for sample in recent)
    if called > len(recent) / 2:
        return 1.0
    if geometry is None or recent[-1].cover > HAND_COVER:
        return 0.0
    return leaning_chance(_looks(samples), geometry, image, neighbours_px)


def _looks(samples: Sequence[Sample]) -> list[Sample]:
    """The last of these samples that outline the face anew: what lies still is read now and then, and carried over."""
    looks: list[Sample] = []
    for sample in reversed(samples):
        if samples[-1].at_ns - sample.at_ns > _LATELY_NS:
            break
        if all(sample.reading.outline_px != look.reading.outline_px for look in looks):
            looks.insert(0, sample)
        if len(looks) == _SAMPLES:
            break
    return looks


def leaning_chance(
    samples: Sequence[Sample],
    geometry: TableGeometry,
    image: Image,
    neighbours_px: Sequence[tuple[Point, ...]] = (),
) -> float:
    """How sure it is, 0..1, that the die of these samples leans in `image`; 0 where nothing can be told.

    It is looked at once with the outline of each sample: their mean logit counts.
    """
    camera = camera_told(geometry, image)
    if camera is None:
        return 0.0
    around = [np.array(outline) for outline in neighbours_px]
    looks = [upright(image, np.array(sample.reading.outline_px), around, camera) for sample in samples]
    maps = [look for look in looks if look is not None]
    if not maps:
        return 0.0
    return _chance(float(np.mean([_logit(chance) for chance in leaning_chances(np.stack(maps))])))


def together(*chances: float) -> float:
    """How sure it is, 0..1, by two looks at a die that have little in common: the sum of their logits counts."""
    return _chance(sum(_logit(chance) for chance in chances))


def _logit(chance: float) -> float:
    bounded = min(max(chance, _SUREST), 1 - _SUREST)
    return log(bounded / (1 - bounded))


def _chance(logit: float) -> float:
    return 1 / (1 + exp(-logit))
