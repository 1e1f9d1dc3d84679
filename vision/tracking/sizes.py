"""Dice of one colour are of one size: a value that is read from a much smaller outline is that of a part of a face."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import dist
from statistics import median

import numpy as np

from vision.geometry import TableGeometry
from vision.readings import DieReading, Unreadable
from vision.tracking.hands import COVERED
from vision.tracking.track import Sample, Track

__all__ = ["of_whole_faces", "sides_mm", "with_parts"]

_LEAST, _LEAST_BESIDE_A_HAND = 0.75, 0.84
"""Parts of the usual side. Of 59,059 right readings of dice at rest on rendered tables none was of less than the first,
of 36 wrong ones 25; beside a hand 8 of 249 right ones, and all 11 wrong ones, were of less than the second."""
_LEAST_OF_ITSELF, _AT_HOME_SIDES = 0.84, 0.6
"""And of its own side as it came to rest, at its place."""
_ENOUGH_DICE = 3
"""Of fewer dice of that colour nobody knows how large they are."""


def sides_mm(dice: Sequence[DieReading], geometry: TableGeometry | None) -> list[float | None]:
    """Mean side of each outline, laid on the table, in mm; None where the place of the table is not known.

    A face lies above the table, so all of them seem a little larger than they are.
    """
    if geometry is None or not dice:
        return [None] * len(dice)
    corners = geometry.to_mm(np.array([corner for die in dice for corner in die.outline_px])).reshape(-1, 4, 2)
    edges = np.hypot(*np.moveaxis(corners - np.roll(corners, -1, axis=1), 2, 0))
    return [float(side) for side in edges.mean(axis=1)]


def of_whole_faces(samples: Iterable[Sample], tracks: Sequence[Track]) -> list[Sample]:
    """The same samples; one whose outline is too small for a die like it states no value."""
    known = [track for track in tracks if track.known and track.side_mm is not None]
    usual_mm = median(track.side_mm or 0.0 for track in known) if len(known) >= _ENOUGH_DICE else None
    return [each if usual_mm is None else _judged(each, known, usual_mm) for each in samples]


def with_parts(pairs: Iterable[tuple[Sample, Track | None]]) -> list[tuple[Sample, Track | None]]:
    """The same samples, each with its die; `partial` where that lies at rest, and something smaller is read there."""
    return [
        (replace(sample, partial=True) if track is not None and _is_a_part(sample, track) else sample, track)
        for sample, track in pairs
    ]


def _is_a_part(sample: Sample, track: Track) -> bool:
    """Another value is read than the die came to rest with, though nothing moves, from a part of its face."""
    home = track.home
    return (
        track.at_rest
        and home is not None
        and None not in (home.value, sample.reading.value)
        and home.value != sample.reading.value
        and not sample.moves
        and sample.side_px < _LEAST_OF_ITSELF * home.side_px
        and dist(sample.centre_px, home.place_px) < _AT_HOME_SIDES * home.side_px
    )


def _judged(sample: Sample, known: Sequence[Track], usual_mm: float) -> Sample:
    if sample.reading.value is None or sample.side_mm is None:
        return sample
    least = _LEAST_BESIDE_A_HAND if sample.cover > COVERED else _LEAST
    if sample.side_mm >= least * usual_mm:
        return sample
    like_mm = [track.side_mm or 0.0 for track in known if track.like(sample)]
    if len(like_mm) < _ENOUGH_DICE or sample.side_mm >= least * median(like_mm):
        return sample
    reading = replace(sample.reading, value=None, reason=Unreadable.AMBIGUOUS)
    return replace(sample, reading=reading, place_px=sample.centre_px)
