"""Which die it is that is seen, where that is in doubt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.tracking.samples import FRAME_NS, GREY, sample
from vision.readings import Point
from vision.tracking.doubts import is_part_of
from vision.tracking.happenings import DieState
from vision.tracking.track import Home, Sample, Track

SIDE = 30.0
HERE: Point = (300.0, 200.0)


def lain(state: DieState, way: Sequence[Sample] = ()) -> Track:
    """A four that lay there up to frame 9, and what was seen of it since."""
    track = Track(1)
    for frame in range(5, 10):
        track.add(sample(frame, HERE, 4, moves=False))
    track.known, track.home = True, Home(HERE, None, SIDE, 0.0, 4, None, 0, 9 * FRAME_NS)
    for each in way:
        track.add(each)
    track.be(state, 10 * FRAME_NS)
    return track


def part(frame: int, place: Point, value: int | None = None) -> Sample:
    return replace(sample(frame, place, value, cover=0.5), partial=True)


@pytest.mark.parametrize(
    ("name", "sides", "hue", "is_part"),
    [("at its place", 0.2, 5, True), ("beside it", 0.5, 5, False), ("mixed with skin", 0.2, 20, False)],
)
def test_a_part_is_of_a_die_where_it_lies_and_of_its_colour(name: str, sides: float, hue: int, is_part: bool) -> None:
    track = lain(DieState.COVERED)
    track.anchor_px = HERE
    seen = replace(part(12, (HERE[0] + sides * SIDE, HERE[1])), hue_lab=GREY + np.array([0, hue, 0], np.float32))
    assert is_part_of(track, seen) is is_part, name
