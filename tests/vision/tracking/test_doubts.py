"""Where it cannot be said which die it is that is seen, its number is not put on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.tracking.samples import FRAME_NS, GREY, sample
from vision.readings import Point
from vision.tracking.doubts import doubtful, is_part_of, shows_there
from vision.tracking.happenings import DieState
from vision.tracking.track import Home, Sample, Track

SIDE = 30.0
HERE: Point = (300.0, 200.0)
BESIDE: Point = (HERE[0] + SIDE, HERE[1])


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
    ("name", "state", "way", "hidden", "doubt"),
    [
        ("it lies there", DieState.SETTLED, [], False, False),
        ("it lies elsewhere", DieState.SETTLED, [sample(12, BESIDE, None)], True, False),
        ("something lies where a hand was over it", DieState.COVERED, [sample(12, HERE, None)], False, True),
        ("parts of something beside a hand", DieState.ROLLING, [part(12, BESIDE), part(13, BESIDE)], False, True),
        ("a part, then a whole face", DieState.ROLLING, [part(12, BESIDE), sample(13, BESIDE, None)], False, False),
        ("it is seen to go", DieState.ROLLING, [sample(12, BESIDE, None)], False, False),
        ("a hand hides where it may still lie", DieState.ROLLING, [sample(12, BESIDE, None)], True, True),
    ],
)
def test_what_may_be_another_die_is_in_doubt(
    name: str, state: DieState, way: list[Sample], hidden: bool, doubt: bool
) -> None:
    track = lain(state, way)
    assert doubtful(track, [track], lambda home: hidden) is doubt, name
    assert track.told().seen is True, "that is for the follower to say"
    track.doubtful = doubt
    assert track.told().seen is not doubt


@pytest.mark.parametrize(
    ("name", "sides", "frame", "known", "hue", "doubt"),
    [
        ("by its place", 1.0, 12, False, 0, True),
        ("farther away than a knock takes a die", 3.0, 12, False, 0, False),
        ("later than a knock does", 1.0, 30, False, 0, False),
        ("it is a die of its own", 1.0, 12, True, 0, False),
        ("of another colour", 1.0, 12, False, 60, False),
    ],
)
def test_of_two_by_its_place_the_one_that_is_followed_may_have_knocked_it_away(
    name: str, sides: float, frame: int, known: bool, hue: int, doubt: bool
) -> None:
    track = lain(DieState.ROLLING, [sample(frame, BESIDE, None)])
    other = Track(2, known=known)
    other.add(sample(frame, (HERE[0] - sides * SIDE, HERE[1]), 4, hue=GREY + np.array([0, hue, 0], np.float32)))
    assert doubtful(track, [track, other], lambda home: False) is doubt, name


@pytest.mark.parametrize(
    ("name", "state", "way", "read", "there"),
    [
        ("only parts were seen elsewhere", DieState.ROLLING, [part(12, BESIDE)], sample(14, HERE, 4), True),
        ("another face lies there", DieState.ROLLING, [part(12, BESIDE)], sample(14, HERE, 5), False),
        ("it is not read", DieState.ROLLING, [part(12, BESIDE)], sample(14, HERE, None), False),
        ("its face lies beside its place", DieState.ROLLING, [part(12, BESIDE)], sample(14, BESIDE, 4), False),
        ("it was seen to go", DieState.ROLLING, [sample(12, BESIDE, None)], sample(14, HERE, 4), False),
        ("nothing of it was seen", DieState.ROLLING, [], sample(14, HERE, 4), False),
        ("a hand has it", DieState.IN_HAND, [part(12, BESIDE)], sample(14, HERE, 4), False),
    ],
)
def test_a_die_that_is_read_where_it_lay_never_left_when_only_parts_were_seen_elsewhere(
    name: str, state: DieState, way: list[Sample], read: Sample, there: bool
) -> None:
    track = lain(state, way)
    assert track.home is not None
    assert shows_there(track, track.home, [read]) is there, name


RED = np.array([42.0, 47.0, 25.0], np.float32)


@pytest.mark.parametrize(
    ("name", "sides", "value", "hue", "is_part"),
    [
        ("at its place", 0.2, None, (40.0, 45.0, 27.0), True),
        ("beside it", 0.5, None, (40.0, 45.0, 27.0), False),
        ("in the shade of the hand", 0.2, None, (24.0, 28.0, 14.0), True),
        ("skin", 0.2, None, (50.0, 33.0, 13.0), False),
        ("skin in the shade", 0.2, None, (30.0, 20.0, 8.0), False),
        ("what is all but black", 0.2, None, (10.0, 11.0, 6.0), False),
        ("its face", 0.2, 4, (40.0, 45.0, 27.0), True),
        ("another face", 0.2, 1, (40.0, 45.0, 27.0), False),
    ],
)
def test_a_part_is_of_a_die_where_it_lies_and_of_its_colour(
    name: str, sides: float, value: int | None, hue: tuple[float, float, float], is_part: bool
) -> None:
    track = lain(DieState.COVERED)
    track.anchor_px, track.hue_lab, track.value = HERE, RED, 4
    seen = replace(part(12, (HERE[0] + sides * SIDE, HERE[1]), value), hue_lab=np.array(hue, np.float32))
    assert is_part_of(track, seen) is is_part, name
