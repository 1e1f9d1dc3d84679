"""Which die is which from frame to frame: who lies where it lay comes first, and what is pushed goes no farther."""

from __future__ import annotations

from dataclasses import replace
from math import dist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.tracking.samples import FRAME_NS, sample
from vision.readings import Point
from vision.tracking.happenings import DieState
from vision.tracking.matching import all_shifted, matched
from vision.tracking.track import Home, Sample, Track

SIDE = 30.0
NOW_NS = 10 * FRAME_NS


def lying(number: int, place: Point, value: int = 4, last_frame: int = 9) -> Track:
    """A die at rest, last seen in a frame."""
    track = Track(number)
    for frame in range(last_frame - 4, last_frame + 1):
        track.add(sample(frame, place, value, side_px=SIDE, moves=False))
    track.be(DieState.SETTLED, 0)
    track.home = Home(place, None, SIDE, 0.0, value, None, 0, last_frame * FRAME_NS)
    track.known = True
    return track


def now(place: Point, value: int | None = 4, *, partial: bool = False) -> Sample:
    return replace(sample(10, place, value, side_px=SIDE), partial=partial)


HERE: Point = (300.0, 200.0)
BESIDE: Point = (300.0 + 1.2 * SIDE, 200.0)


def test_a_die_half_hidden_where_it_lay_is_that_one_and_another_beside_it_is_not() -> None:
    there = lying(1, HERE)
    assert matched([now(BESIDE), now(HERE, None, partial=True)], [there], NOW_NS) == [None, there]
    assert matched([now(BESIDE)], [there], NOW_NS) == [there], "alone, it is the one that lay there, pushed"


@pytest.mark.parametrize(
    ("name", "sides", "value", "partial", "last_frame", "same"),
    [
        ("pushed a little", 1.2, 5, False, 9, True),
        ("another face too far away", 1.6, 5, False, 9, False),
        ("the same face as far", 1.6, 4, False, 9, True),
        ("the same face half hidden", 1.6, 4, True, 9, True),
        ("the same face farther than a push goes", 2.4, 4, False, 9, False),
        ("the same face farther than a push goes in one frame", 1.9, 4, False, 9, False),
        ("the same face as far after some frames", 1.9, 4, False, 5, True),
        ("the same face after a while in which it was not seen", 1.6, 4, False, 1, False),
    ],
)
def test_a_die_that_is_pushed(name: str, sides: float, value: int, partial: bool, last_frame: int, same: bool) -> None:
    track = lying(1, HERE, 4, last_frame)
    found = matched([now((HERE[0] + sides * SIDE, HERE[1]), value, partial=partial)], [track], NOW_NS)
    assert found == [track if same else None], name


@pytest.mark.parametrize(
    ("part", "seen_frame", "same"), [(1.0, 7, True), (0.8, 7, True), (0.5, 7, False), (0.5, 9, True)]
)
def test_a_fragment_beside_a_hand_is_a_die_that_is_pushed_only_where_that_was_just_seen(
    part: float, seen_frame: int, same: bool
) -> None:
    track = lying(1, HERE, 4, seen_frame)
    beside = replace(now((HERE[0] + 0.8 * SIDE, HERE[1]), None, partial=True), side_px=part * SIDE)
    assert matched([beside], [track], NOW_NS) == [track if same else None]


def test_a_die_does_not_come_from_one_frame_to_the_next_to_where_nothing_moves() -> None:
    for last_frame, sides, moves, same in (
        (9, 1.2, True, True),
        (9, 1.2, False, False),
        (6, 1.2, False, True),
        (9, 0.5, False, True),  # another part of the same die: no two lie so near
    ):
        there = lying(1, HERE, 4, last_frame)
        beside = replace(now((HERE[0] + sides * SIDE, HERE[1])), moves=moves)
        assert matched([beside], [there], NOW_NS) == [there if same else None]


def test_a_die_at_rest_is_sought_where_it_came_to_rest_and_not_where_its_visible_part_seemed_to_be() -> None:
    there = lying(1, HERE)
    for frame, away in ((8, 0.25), (9, 0.45)):  # a hand hides more and more of it
        there.add(replace(sample(frame, (HERE[0] + away * SIDE, HERE[1]), None, cover=0.5, side_px=SIDE), partial=True))
    assert there.at_rest
    assert there.rest_ns is not None
    beside = now((HERE[0] + 0.7 * SIDE, HERE[1]), 4)
    assert matched([beside, now(HERE)], [there], NOW_NS) == [None, there]


def test_a_die_that_is_read_in_one_place_lies_there_though_a_shadow_moves_over_it() -> None:
    for places, same in (([HERE] * 4, False), ([(HERE[0], HERE[1] - 6.0 * n) for n in (3, 2, 1, 0)], True)):
        track = Track(1)
        for frame, place in zip(range(3, 7), places, strict=True):
            track.add(sample(frame, place, 4, side_px=SIDE, moves=True))
        other = now((HERE[0] + 1.8 * SIDE, HERE[1]), None, partial=True)
        assert matched([other], [track], NOW_NS) == [track if same else None]


@given(st.lists(st.tuples(st.integers(1, 20), st.integers(1, 10)), unique=True, max_size=12), st.randoms())
def test_dice_that_lie_still_are_each_themselves_in_whatever_order_they_are_read(
    places: list[tuple[int, int]], chance: np.random.Generator
) -> None:
    tracks = [lying(n, (2 * SIDE * x, 2 * SIDE * y)) for n, (x, y) in enumerate(places)]
    samples = [now((track.last.centre_px[0] + 3, track.last.centre_px[1] - 3)) for track in tracks]
    chance.shuffle(samples)
    for each, track in zip(samples, matched(samples, tracks, NOW_NS), strict=True):
        assert track is not None
        assert dist(track.last.centre_px, each.centre_px) < SIDE / 2


def test_no_dice_or_no_tracks_match_nothing() -> None:
    assert matched([], [lying(1, HERE)], NOW_NS) == []
    assert matched([now(HERE)], [], NOW_NS) == [None]


def coming(number: int, places: list[Point], *, known: bool = True) -> Track:
    """A die on its way, last seen in the frame before."""
    track = Track(number)
    for frame, place in enumerate(places, 10 - len(places)):
        track.add(sample(frame, place, 4, side_px=SIDE))
    track.known = known
    return track


def test_what_was_seen_coming_is_not_the_die_that_lay_there_under_a_hand() -> None:
    covered = lying(1, HERE, last_frame=2)
    covered.be(DieState.COVERED, 0)
    rolling = coming(2, [(HERE[0] + 30, HERE[1]), (HERE[0] + 20, HERE[1]), (HERE[0] + 12, HERE[1])])
    assert matched([now((HERE[0] + 8, HERE[1]))], [covered, rolling], NOW_NS) == [rolling]
    assert matched([now((HERE[0] + 1, HERE[1]))], [covered, rolling], NOW_NS) == [covered], "there it lay all the time"
    far = coming(2, [(HERE[0] + 80, HERE[1]), (HERE[0] + 60, HERE[1]), (HERE[0] + 40, HERE[1])])
    assert matched([now((HERE[0] + 8, HERE[1]))], [covered, far], NOW_NS) == [covered]


def test_another_face_of_a_die_does_not_take_over_from_it() -> None:
    known = coming(1, [HERE, HERE])
    face = coming(2, [(HERE[0] + 12, HERE[1])], known=False)
    between = (HERE[0] + 8, HERE[1])
    assert matched([now(between)], [known, face], NOW_NS) == [known]
    face.known = True
    assert matched([now(between)], [known, face], NOW_NS) == [face], "one that has come to rest before is a die"
    new = coming(2, [(HERE[0] + 33, HERE[1])], known=False)
    assert matched([now((HERE[0] + 32, HERE[1]))], [known, new], NOW_NS) == [new], "so far away it is another die"


@pytest.mark.parametrize(
    ("name", "part_in_frame", "sides", "same"),
    [
        ("not seen for as long as a push may take it so far", None, 1.6, True),
        ("a part of it was seen at its place in the frame before", 9, 1.6, False),
        ("a part of it was seen there long before", 4, 1.6, True),
        ("it is no farther than a push takes it in one frame", 9, 0.9, True),
    ],
)
def test_a_die_of_which_a_part_was_just_seen_where_it_lies_is_not_far_away_all_at_once(
    name: str, part_in_frame: int | None, sides: float, same: bool
) -> None:
    there = lying(1, HERE, last_frame=4)
    if part_in_frame is not None:
        there.glimpsed_ns = part_in_frame * FRAME_NS
    part = now((HERE[0] - sides * SIDE, HERE[1]), None, partial=True)
    assert matched([part], [there], NOW_NS) == [there if same else None], name


def tumbling(number: int, way: dict[int, Point]) -> Track:
    """A die on its way that was seen in some frames."""
    track = Track(number)
    for frame, place in way.items():
        track.add(sample(frame, place, None, side_px=SIDE))
    return track


def test_two_dice_on_their_way_side_by_side_are_told_apart_by_what_fits_both() -> None:
    one = tumbling(1, {8: (308.0, 178.0), 9: (333.0, 170.0)})
    other = tumbling(2, {7: (313.0, 122.0), 8: (345.0, 139.0)})
    upper, lower = now((377.0, 154.0), None), now((356.0, 186.0), None)
    assert matched([upper, lower], [one, other], NOW_NS) == [other, one], "though the upper one is nearer to its way"
    assert matched([upper], [one, other], NOW_NS) == [one], "there is no other for it"
    other = tumbling(2, {7: (293.0, 182.0), 8: (315.0, 184.0)})
    assert matched([upper, lower], [one, other], NOW_NS) == [one, other], "each goes on as it went"


@pytest.mark.parametrize(("sides", "same"), [(0.5, True), (1.2, False)])
def test_a_die_that_surely_lies_there_is_still_what_is_read_within_its_body(sides: float, same: bool) -> None:
    track = lying(1, HERE)
    seen = replace(now((HERE[0] + sides * SIDE, HERE[1])), moves=False)
    assert matched([seen], [track], NOW_NS, stays=lambda _: True) == [track if same else None]


@pytest.mark.parametrize(("last_frame", "same"), [(6, True), (2, False)])
def test_what_was_followed_under_a_hand_comes_to_light_soon_or_was_the_hand(last_frame: int, same: bool) -> None:
    track = lying(1, HERE, last_frame=last_frame - 1)
    track.be(DieState.ROLLING, 0)
    track.rest_ns = None
    seen = replace(sample(last_frame, (HERE[0] + 0.4 * SIDE, HERE[1]), None, side_px=SIDE), partial=True)
    track.samples.append(seen)
    assert matched([now((HERE[0] + 2 * SIDE, HERE[1]))], [track], NOW_NS) == [track if same else None]
    track.samples[-1] = replace(seen, partial=False)
    assert matched([now((HERE[0] + 2 * SIDE, HERE[1]))], [track], NOW_NS) == [track], "what was seen of it was no hand"


@pytest.mark.parametrize(("sides", "frames_ago", "same"), [(0.4, 1, True), (0.85, 1, False), (0.4, 5, False)])
def test_a_second_reading_of_a_die_on_its_way_is_no_other_die(sides: float, frames_ago: int, same: bool) -> None:
    known = coming(1, [HERE, HERE])
    for _ in range(len(known.samples)):
        each = known.samples.popleft()
        known.samples.append(replace(each, at_ns=each.at_ns - (frames_ago - 1) * FRAME_NS))
    second = coming(2, [(HERE[0] - sides * SIDE, HERE[1])], known=False)
    seen = now((HERE[0] - (sides - 0.05) * SIDE, HERE[1]))
    seen = replace(seen, hue_lab=seen.hue_lab + np.float32(20))  # shade, which the second has as well
    second.hue_lab = seen.hue_lab
    assert matched([seen], [known, second], NOW_NS) == [known if same else second]


@pytest.mark.parametrize(
    ("name", "near", "far", "which"),
    [
        ("what comes shows another face", 2, 4, 1),
        ("what comes is too fast to be read", None, 4, 1),
        ("neither shows the face: the nearer one", 2, 3, 0),
        ("both show it: the nearer one", 4, 4, 0),
    ],
)
def test_of_two_dice_by_its_place_a_die_that_was_knocked_away_is_the_one_that_shows_its_face(
    name: str, near: int | None, far: int, which: int
) -> None:
    there = lying(1, HERE, 4)
    samples = [now((HERE[0] + 0.8 * SIDE, HERE[1]), near), now((HERE[0] - 1.4 * SIDE, HERE[1]), far)]
    found = matched(samples, [there], NOW_NS)
    assert found == ([there, None] if which == 0 else [None, there]), name


@pytest.mark.parametrize(
    ("name", "ways_sides", "moved"),
    [
        ("all of five by one way", [(0.15, 0.1)] * 5, True),
        ("one of five not", [(0.15, 0.1)] * 4 + [(0.0, 0.0)], True),
        ("four are too few", [(0.15, 0.1)] * 4, False),
        ("two of five stand", [(0.15, 0.1)] * 3 + [(0.0, 0.0)] * 2, False),
        ("each another way", [(0.3, 0.0), (0.0, 0.3), (0.2, 0.2), (-0.3, 0.0), (0.1, -0.3)], False),
        ("too little to be told from the spread of readings", [(0.03, 0.02)] * 5, False),
        ("some by a little, while others stand", [(0.0, 0.0)] * 2 + [(0.02, 0.09), (0.09, 0.06), (0.14, 0.09)], False),
    ],
)
def test_the_camera_moved_when_most_dice_at_rest_lie_elsewhere_by_one_way(
    name: str, ways_sides: list[tuple[float, float]], moved: bool
) -> None:
    places = [(100.0 + 60 * k, 100.0) for k in range(len(ways_sides))]
    pairs = [
        (now((x + dx * SIDE, y + dy * SIDE)), lying(k, (x, y)))
        for k, ((x, y), (dx, dy)) in enumerate(zip(places, ways_sides, strict=True))
    ]
    assert all_shifted(pairs) is moved, name
    half_hidden = [(replace(sample, partial=True), track) for sample, track in pairs]
    assert not all_shifted(half_hidden), "what a hand hides in part is not seen well enough"
    assert not all_shifted([(sample, None) for sample, _ in pairs]), "new dice tell nothing"
