"""What a die did between two rests, told from samples of its way; each kind beside the nearest that is not it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.tracking.samples import FRAME_NS, sample
from vision.readings import Point, Unreadable
from vision.tracking.happenings import Kind
from vision.tracking.stories import Story
from vision.tracking.track import Home, Sample

SIDE = 30.0


def home(x: float, y: float, value: int | None, rest_ns: int, turn_rad: float = 0.2) -> Home:
    return Home((x, y), None, SIDE, turn_rad, value, None if value else Unreadable.BLURRED, rest_ns, rest_ns)


def kinds(story: Story, rest: Home, *, set_back: bool = False) -> list[Kind]:
    return [each.kind for each in story.told(1, rest, rest.rest_ns + 3 * FRAME_NS, set_back=set_back)]


def way(values: Sequence[int | None], start: Point, stop: Point, covers: Sequence[float] | None = None) -> list[Sample]:
    covers = covers or [0.0] * len(values)
    steps = np.linspace(0, 1, len(values))
    return [
        sample(n + 1, (start[0] + (stop[0] - start[0]) * s, start[1] + (stop[1] - start[1]) * s), value, cover)
        for n, (value, cover, s) in enumerate(zip(values, covers, steps, strict=True))
    ]


A, B, NEAR_A = (100.0, 100.0), (300.0, 180.0), (105.0, 100.0)
REST_NS = 12 * FRAME_NS


@pytest.mark.parametrize(
    ("name", "values", "covers", "stop", "last_value", "told"),
    [
        ("pushed flat by a finger", [4] * 8, [0.1] * 8, B, 4, [Kind.SLID]),
        ("pushed by a finger and tumbling", [4, None, 2, 6, None, 3, 2, 2], [0.1] * 8, B, 2, [Kind.ROLLED]),
        ("knocked flat by another die", [4] * 8, None, (150.0, 100.0), 4, [Kind.NUDGED]),
        ("knocked by a quarter of its side", [4] * 4, None, (100.0 + 0.25 * SIDE, 100.0), 4, [Kind.NUDGED]),
        ("moved as little by a hand that is near", [4] * 4, [0.02] * 4, (100.0 + 0.25 * SIDE, 100.0), 4, []),
        ("knocked over where it lay", [4, None, 5, 5], None, (130.0, 100.0), 5, [Kind.NUDGED]),
        ("shaken by a bump of the table", [4] * 4, None, NEAR_A, 4, []),
    ],
)
def test_a_die_that_was_in_view_all_the_way(
    name: str, values: list[int | None], covers: list[float] | None, stop: Point, last_value: int, told: list[Kind]
) -> None:
    story = Story(home(*A, 4, 0), 0)
    for each in way(values, A, stop, covers):
        story.add(each)
    assert kinds(story, home(*stop, last_value, REST_NS)) == told, name


def taken(samples: Sequence[Sample], *, under_a_hand: bool) -> Story:
    """A die that a hand took from A."""
    story = Story(home(*A, 4, 0), 0, bare_ns=3 * FRAME_NS, hidden=True, under_a_hand=under_a_hand, most_cover=1.0)
    for each in samples:
        story.add(each)
    return story


def test_a_die_that_is_taken_and_thrown_is_lifted_and_rolled() -> None:
    story = taken(way([None, 3, 5, None, 2], (200, 150), B), under_a_hand=True)
    assert kinds(story, home(*B, 2, REST_NS)) == [Kind.LIFTED, Kind.ROLLED]


def test_a_die_that_comes_to_light_at_rest_under_the_hand_is_set_back_unless_its_company_was_thrown() -> None:
    for set_back, told in ((True, Kind.SET_BACK), (False, Kind.ROLLED)):
        story = taken([sample(29, B, 2, cover=0.5)], under_a_hand=True)
        rest = home(*B, 2, 30 * FRAME_NS)
        assert story.out_of_a_hand(rest)
        assert kinds(story, rest, set_back=set_back) == [Kind.LIFTED, told]
        assert story.thrown is not set_back


def test_nobody_sets_a_die_back_in_half_a_second() -> None:
    for frame, told in ((16, Kind.ROLLED), (29, Kind.SET_BACK)):
        story = taken([sample(frame, B, 2, cover=0.5)], under_a_hand=True)
        assert kinds(story, home(*B, 2, (frame + 1) * FRAME_NS), set_back=True) == [Kind.LIFTED, told]


def test_a_die_that_was_off_the_table_may_be_set_back_in_a_moment() -> None:
    story = taken([sample(16, B, 2, cover=0.5)], under_a_hand=True)
    story.left_ns = 8 * FRAME_NS
    assert kinds(story, home(*B, 2, 17 * FRAME_NS), set_back=True)[-1] is Kind.SET_BACK


def test_what_was_seen_of_a_die_before_it_left_the_table_says_nothing_of_how_it_came_back() -> None:
    for left, told in ((12, Kind.SET_BACK), (9, Kind.ROLLED)):
        story = taken([sample(8, (500.0, 20.0), 3), sample(11, (520.0, 10.0), None)], under_a_hand=True)
        story.left_ns = left * FRAME_NS
        story.add(sample(39, B, 2, cover=0.5))
        assert kinds(story, home(*B, 2, 40 * FRAME_NS), set_back=True)[-1] is told


def test_a_die_that_seemed_to_stir_as_the_hand_came_had_not_left_its_place_yet() -> None:
    for stirred, told in ((0.4, Kind.SET_BACK), (0.9, Kind.ROLLED)):
        before = sample(2, (A[0] + stirred * SIDE, A[1]), None)
        story = taken([before, sample(29, B, 2, cover=0.5)], under_a_hand=True)
        rest = home(*B, 2, 30 * FRAME_NS)
        assert kinds(story, rest, set_back=True)[-1] is told
        assert story.on_its_way(rest)[0].at_ns == (29 if told is Kind.SET_BACK else 2) * FRAME_NS


def test_a_die_rolls_freely_when_the_picture_moves_there_and_not_when_only_its_outline_does() -> None:
    for moves in (True, False):
        story = taken([sample(29, B, None, cover=0.1)], under_a_hand=True)
        assert story.rolls_freely(sample(30, (B[0], B[1] + 0.4 * SIDE), 2, moves=moves)) is moves
    assert not story.rolls_freely(sample(30, (B[0], B[1] + 0.1 * SIDE), 2)), "it lies where it lay"
    assert not story.rolls_freely(sample(30, (B[0], B[1] + 0.4 * SIDE), 2, cover=0.3)), "a hand is at it"


@pytest.mark.parametrize(
    ("name", "values", "told"),
    [
        ("half under the hand for a frame", [None], Kind.SET_BACK),
        ("on its way for two", [None, None], Kind.ROLLED),
        ("read in one", [2], Kind.ROLLED),
    ],
)
def test_a_die_that_still_moves_when_the_hand_has_left_it_was_let_go(
    name: str, values: list[int | None], told: Kind
) -> None:
    near_b = (B[0], B[1] + 0.7 * SIDE)
    story = taken([sample(27 + n, near_b, value) for n, value in enumerate(values)], under_a_hand=True)
    assert kinds(story, home(*B, 2, 30 * FRAME_NS), set_back=True)[-1] is told, name


def test_a_die_that_came_to_rest_where_no_hand_was_has_been_rolled() -> None:
    story = taken([sample(11, B, 2, cover=0.0)], under_a_hand=False)
    assert not story.out_of_a_hand(home(*B, 2, REST_NS))
    assert kinds(story, home(*B, 2, REST_NS), set_back=True) == [Kind.LIFTED, Kind.ROLLED]


def test_a_die_that_tumbles_in_one_place_under_the_hand_was_not_set_back() -> None:
    samples = [sample(8, B, 3), sample(9, B, 6), sample(10, B, 3)]
    story = taken(samples, under_a_hand=True)
    assert not story.out_of_a_hand(home(*B, 2, REST_NS))
    assert kinds(story, home(*B, 2, REST_NS), set_back=True) == [Kind.LIFTED, Kind.ROLLED]


def test_what_speeds_up_and_slows_down_was_pushed_though_no_hand_was_seen_and_what_only_slows_down_was_knocked() -> (
    None
):
    stop = (A[0] + 1.2 * SIDE, A[1])
    for told, course in (
        (Kind.SLID, lambda t: t * t * t * (10 - 15 * t + 6 * t * t)),
        (Kind.NUDGED, lambda t: 2 * t - t * t),
    ):
        story = Story(home(*A, 4, 0), 0)
        for frame in range(1, 13):
            story.add(sample(frame, (A[0] + (stop[0] - A[0]) * course(frame / 12), A[1]), None))
        assert kinds(story, home(*stop, 4, 12 * FRAME_NS)) == [told]


def test_a_die_that_spins_away_in_view_or_is_found_close_by_too_soon_was_knocked_and_nobody_took_it_up() -> None:
    stop = (A[0] + 2.2 * SIDE, A[1])
    for values, told in (([4, 4, 4], [Kind.NUDGED]), ([4, 2, 4], [Kind.LIFTED, Kind.ROLLED])):
        story = Story(home(*A, 4, 0), 0, bare_ns=3 * FRAME_NS, hidden=True, under_a_hand=True)
        for frame, value in enumerate(values, 3):
            story.add(sample(frame, (A[0] + 0.4 * frame * SIDE, A[1]), value, cover=0.5))
        assert kinds(story, home(*stop, 4, 6 * FRAME_NS, turn_rad=0.2 + 0.7)) == told
    near, far = (A[0] + 0.6 * SIDE, A[1]), (A[0] + 3 * SIDE, A[1])
    for place, frame, told in (
        (near, 18, [Kind.NUDGED]),
        (near, 30, [Kind.LIFTED, Kind.ROLLED]),
        (far, 18, [Kind.LIFTED, Kind.ROLLED]),
    ):
        hidden = taken([sample(frame, place, 4, cover=0.6)], under_a_hand=True)
        hidden.most_cover = 1.0
        assert kinds(hidden, home(*place, 4, frame * FRAME_NS, turn_rad=0.2 + 0.7)) == told


NEXT = (A[0] + 4 * SIDE, A[1])


@pytest.mark.parametrize(
    ("name", "frame", "most_cover", "turn_rad", "value", "told"),
    [
        ("under a finger", 18, 0.7, 0.2, 4, [Kind.SLID]),
        ("for a blink under the whole hand", 11, 1.0, 0.2, 4, [Kind.SLID]),
        ("for long under the whole hand", 26, 1.0, 0.2, 4, [Kind.LIFTED, Kind.SET_BACK]),
        ("for long under a finger", 38, 0.7, 0.2, 4, [Kind.SLID]),
        ("for longer than any push", 48, 0.7, 0.2, 4, [Kind.LIFTED, Kind.SET_BACK]),
        ("turned meanwhile", 26, 1.0, 0.2 + pi / 5, 4, [Kind.LIFTED, Kind.SET_BACK]),
        ("turned in haste", 18, 1.0, 0.2 + pi / 5, 4, [Kind.LIFTED, Kind.ROLLED]),
        ("another face", 26, 1.0, 0.2, 3, [Kind.LIFTED, Kind.SET_BACK]),
        ("turned, and no whole hand took it up", 26, 0.7, 0.2 + pi / 5, 4, [Kind.LIFTED, Kind.ROLLED]),
        ("another face, and no whole hand took it up", 26, 0.7, 0.2, 3, [Kind.LIFTED, Kind.ROLLED]),
    ],
)
def test_fingers_push_a_die_and_a_whole_hand_takes_it_up(
    name: str, frame: int, most_cover: float, turn_rad: float, value: int, told: list[Kind]
) -> None:
    story = taken([sample(frame, NEXT, value, cover=0.6)], under_a_hand=True)
    story.most_cover = most_cover
    assert kinds(story, home(*NEXT, value, frame * FRAME_NS, turn_rad=turn_rad), set_back=True) == told, name


def test_a_die_followed_under_a_finger_by_the_part_that_is_seen_was_slid_however_far() -> None:
    story = Story(home(*A, 4, 0), 0, hidden=True)
    for each in way([None] * 30, A, (A[0] + 25 * SIDE, A[1]), [0.4] * 30):
        story.add(replace(each, partial=True))
    assert kinds(story, home(A[0] + 25 * SIDE, A[1], 4, 31 * FRAME_NS)) == [Kind.SLID]
    lost = Story(home(*A, 4, 0), 0, hidden=True, bare_ns=10 * FRAME_NS)
    for each in way([None] * 30, A, (A[0] + 25 * SIDE, A[1]), [0.4] * 30)[22:]:
        lost.add(replace(each, partial=True))
    assert Kind.SLID not in kinds(lost, home(A[0] + 25 * SIDE, A[1], 4, 31 * FRAME_NS))


def test_a_die_found_exactly_where_it_lay_has_lain_there() -> None:
    there = taken([sample(30, A, 4, cover=0.0)], under_a_hand=True)
    assert kinds(there, home(*A, 4, 30 * FRAME_NS), set_back=True) == []
    turned = taken([sample(30, A, 4, cover=0.0)], under_a_hand=True)
    turned.lifted_told = True
    assert kinds(turned, home(*A, 4, 30 * FRAME_NS, turn_rad=0.6), set_back=True) == [Kind.SET_BACK]


def test_a_die_found_lying_there_was_not_thrown() -> None:
    story = Story(None, 0)
    story.add(sample(0, A, 4))
    assert kinds(story, home(*A, 4, 0)) == []


def test_a_die_that_comes_rolling_in_was_thrown() -> None:
    story = Story(None, 0)
    for each in way([None, 3, 5, 2, 2], A, B):
        story.add(each)
    assert kinds(story, home(*B, 2, REST_NS)) == [Kind.ROLLED]


def test_of_a_time_when_nobody_watched_only_what_has_changed_is_told() -> None:
    for stop, value, told in ((NEAR_A, 4, []), (NEAR_A, 5, [Kind.CAME_BACK]), (B, 4, [Kind.CAME_BACK])):
        story = Story(home(*A, 4, 0), 0, broken=True)
        for each in way([4, 4, value], A, stop):
            story.add(each)
        assert kinds(story, home(*stop, value, REST_NS)) == told


@given(
    values=st.lists(st.one_of(st.none(), st.integers(1, 6)), min_size=1, max_size=20),
    covers=st.floats(0, 1),
    stop=st.tuples(st.floats(0, 600), st.floats(0, 600)),
    last=st.integers(1, 6),
    hidden=st.booleans(),
    bare=st.booleans(),
    under_a_hand=st.booleans(),
)
def test_at_most_one_thing_happens_between_two_rests(
    values: list[int | None], covers: float, stop: Point, last: int, hidden: bool, bare: bool, under_a_hand: bool
) -> None:
    story = Story(home(*A, 4, 0), 0, bare_ns=3 * FRAME_NS if bare else None, hidden=hidden, under_a_hand=under_a_hand)
    for each in way(values, A, stop, [covers] * len(values)):
        story.add(each)
    found = kinds(story, home(*stop, last, 40 * FRAME_NS))
    moves = [kind for kind in found if kind is not Kind.LIFTED]
    assert len(moves) <= 1
    assert Kind.LIFTED not in found or story.taken
