"""Dice that go over the edge: one that was read on its way out, and those that only seem to go out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.tracking.flying_dice import (
    A_LITTLE,
    BLURRED,
    HOME,
    PLACE,
    RED,
    SIDE_PX,
    TABLE,
    Watched,
    coming_to_rest,
    die,
    painted,
    told,
)
from tests.vision.tracking.samples import FRAME_NS, sample
from vision.readings import Point, Unreadable
from vision.tracking.book import Book
from vision.tracking.departures import Departures
from vision.tracking.glimpse import Glimpse
from vision.tracking.hands import Hands, HandsWatch
from vision.tracking.happenings import DieState, Kind
from vision.tracking.stories import Story
from vision.tracking.track import Home, Sample

SMALL = np.zeros((180, 320, 3), np.uint8)


def cut_off(each: Sample) -> Sample:
    return replace(each, reading=replace(each.reading, reason=Unreadable.CUT_OFF))


@pytest.mark.parametrize(
    ("name", "way", "last_cut_off", "goes"),
    [
        ("read twice, then cut off by the edge", [(1220, 492), (1267, 469)], True, True),
        ("read twice, and no edge was seen to cut it off", [(1220, 492), (1267, 469)], False, False),
        ("cut off, and it comes in", [(1269, 492), (1244, 469)], True, False),
        ("cut off where it first was seen", [(1267, 469)], True, False),
        ("followed to the edge in four frames", [(1180, 500), (1210, 492), (1240, 480), (1267, 469)], False, True),
    ],
)
def test_a_die_that_came_rolling_out_of_a_hand_goes_over_the_edge(
    name: str, way: Sequence[Point], last_cut_off: bool, goes: bool
) -> None:
    book = Book()
    old = book.new_track(0)
    old.add(sample(0, (900.0, 400.0), 4))
    old.known, old.home = True, Home((900.0, 400.0), None, 30.0, 0.0, 4, None, 0, 0)
    book.stories[old.id] = Story(old.home, 0, bare_ns=5 * FRAME_NS, hidden=True)
    old.be(DieState.IN_HAND, 0)
    newcomer = book.new_track(20 * FRAME_NS)
    samples = [sample(20 + n, place, None) for n, place in enumerate(way)]
    if last_cut_off:
        samples[-1] = cut_off(samples[-1])
    for each in samples:
        newcomer.add(each)
        book.stories[newcomer.id].add(each)
    old.seen = newcomer.seen = False
    departures = Departures(book, HandsWatch())
    at_ns = (30 + len(way)) * FRAME_NS
    glimpse = Glimpse(SMALL, np.zeros(SMALL.shape[:2], bool), at_ns, 1.0)
    fell = departures.fell(newcomer, glimpse, Hands(at_ns, np.zeros((90, 160), bool)), at_ns)
    assert fell is goes, name
    if goes:
        assert departures.left(newcomer, newcomer.last.at_ns, at_ns).kind is Kind.LEFT_TABLE
        assert newcomer.id == old.id


def test_what_flew_out_of_a_hand_and_is_nowhere_left_the_table() -> None:
    book = Book()
    track = die(book, HOME, DieState.IN_HAND)
    assert told(book, Watched(), until=60) == [32], "0.7 s after it was seen"
    assert track.state is DieState.OFF_TABLE


@pytest.mark.parametrize(("lay_until", "leaves"), [(1, True), (8, False)])
def test_no_hand_takes_a_die_up_and_throws_it_within_two_frames(lay_until: int, leaves: bool) -> None:
    book = Book()
    die(book, HOME, DieState.IN_HAND, lay_until)
    assert bool(told(book, Watched(), until=60)) is leaves


def test_what_peeps_out_of_a_hand_and_then_is_nowhere_left_the_table() -> None:
    book = Book()
    die(book, HOME, DieState.IN_HAND)
    assert told(book, Watched(peeps=A_LITTLE), until=60, seen=None) == [32]
    alone = Book()
    die(alone, HOME, DieState.SETTLED).seen = True
    assert not told(alone, Watched(peeps=A_LITTLE), until=60, seen=None), "no die is in that hand"
    lying = Book()
    die(lying, HOME, DieState.IN_HAND)
    die(lying, PLACE, DieState.COVERED)
    assert not told(lying, Watched(peeps=A_LITTLE), until=160, seen=None), "a die lies there under the hand"
    sliver = replace(BLURRED, centre_px=(8.0, 300.0), area_px2=64.0)
    assert not told(lying, Watched(peeps=A_LITTLE), until=160, seen=None, after=sliver)


def test_what_may_be_seen_in_two_ways_is_one_die() -> None:
    book = Book()
    for place in (HOME, (940.0, 400.0)):
        die(book, place, DieState.IN_HAND)
    assert told(book, Watched(), until=60, before=replace(BLURRED, centre_px=(90.0, 300.0))) == [32]


def test_where_a_hand_hides_what_may_lie_there_it_is_waited_for_that_hand() -> None:
    book = Book()
    die(book, HOME, DieState.IN_HAND)
    assert told(book, Watched([(PLACE, 20, 50)]), until=100) == [55], "150 ms after the hand has gone"
    hidden = Book()
    die(hidden, HOME, DieState.IN_HAND)
    assert not told(hidden, Watched([(PLACE, 20, 400)]), until=160), "it may lie under a hand that stays"


def test_while_an_arm_hides_the_place_of_the_only_die_that_it_can_be_it_is_waited() -> None:
    book = Book()
    track = die(book, HOME, DieState.COVERED)

    def goes(frame: int) -> None:
        if frame == 50:  # the arm: the die is not there
            book.stories[track.id] = Story(track.home, 0, bare_ns=frame * FRAME_NS, hidden=True)
            track.be(DieState.IN_HAND, frame * FRAME_NS)

    assert told(book, Watched(), until=80, meanwhile=goes) == [50]


@pytest.mark.parametrize(
    ("name", "place", "known", "rest_frame", "leaves"),
    [
        ("a die that nobody knows lies somewhere", (600.0, 200.0), False, 20, False),
        ("one of that hand lies where it was last seen", (75.0, 310.0), True, 20, False),
        ("one of that hand that lay beside that place by then", (75.0, 310.0), True, 10, True),
        ("one of that hand lies elsewhere", (400.0, 310.0), True, 20, True),
    ],
)
def test_what_comes_to_light_may_be_what_flew(
    name: str, place: Point, known: bool, rest_frame: int, leaves: bool
) -> None:
    book = Book()
    die(book, HOME, DieState.IN_HAND)
    other = die(book, HOME, DieState.IN_HAND if known else DieState.ROLLING)
    other.known = known
    other.add(sample(20, place, 4, moves=False))
    other.seen, other.anchor_px, other.rest_ns = False, place, rest_frame * FRAME_NS
    assert bool(told(book, Watched(), until=60, later=other)) is leaves, name


def test_while_it_is_not_known_which_die_comes_to_light_it_is_waited() -> None:
    book = Book()
    die(book, HOME, DieState.IN_HAND)
    other = die(book, (600.0, 200.0), DieState.ROLLING)
    other.known = False

    def is_another(frame: int) -> None:
        other.known = frame >= 45

    assert told(book, Watched(), until=80, later=other, meanwhile=is_another) == [45]


def test_a_die_is_not_missing_where_one_lies_that_was_there_before_it() -> None:
    for lay_before, leaves in ((True, False), (False, True)):
        book = Book()
        track, other = die(book, HOME, DieState.IN_HAND), die(book, HOME, DieState.SETTLED)
        assert track.home is not None
        assert other.home is not None
        track.home, other.home = (
            replace(each, rest_ns=(3 + 2 * late) * FRAME_NS)
            for each, late in ((track.home, lay_before), (other.home, not lay_before))
        )
        other.seen, other.rest_ns = True, other.home.rest_ns
        assert bool(told(book, Watched(), until=60)) is leaves


def test_a_die_at_rest_from_which_a_shadow_goes_does_not_fly() -> None:
    book = Book()
    die(book, HOME, DieState.IN_HAND)
    die(book, PLACE, DieState.SETTLED).seen = False
    assert not told(book, Watched(), until=160)


@pytest.mark.parametrize(
    ("name", "step_px", "away_px", "leaves"),
    [
        ("a die that is pushed, with the finger that does it", 10.0, 20.0, False),
        ("one that goes as fast as what flies", 30.0, 20.0, True),
        ("one that is pushed elsewhere", 10.0, 60.0, True),
    ],
)
def test_what_is_followed_and_goes_slowly_does_not_fly(name: str, step_px: float, away_px: float, leaves: bool) -> None:
    book = Book()
    die(book, HOME, DieState.IN_HAND)
    pushed = die(book, (600.0, 200.0), DieState.ROLLING)
    painted(pushed, (200, 40, 40))
    pushed.rest_ns = None

    def goes(frame: int) -> None:
        pushed.seen = frame <= 10
        if pushed.seen:
            pushed.add(sample(frame, (PLACE[0] + away_px, PLACE[1] + step_px * (10 - frame)), None, side_px=SIDE_PX))

    assert bool(told(book, Watched(), until=60, meanwhile=goes)) is leaves, name


@pytest.mark.parametrize(
    ("name", "place", "rest_frame", "leaves"),
    [
        ("it lay there by then, as is known later", PLACE, 10, False),
        ("it came to rest there after that", PLACE, 12, True),
        ("it lies elsewhere", (PLACE[0] + 2 * SIDE_PX, PLACE[1]), 10, True),
    ],
)
def test_what_has_come_to_rest_did_not_fly_though_it_is_taken_up_again_before_that_is_told(
    name: str, place: Point, rest_frame: int, leaves: bool
) -> None:
    book = Book()
    die(book, HOME, DieState.IN_HAND)
    other = die(book, (600.0, 200.0), DieState.ROLLING)

    def taken_up_again(frame: int) -> None:
        if frame == 14:  # by now its readings agree
            other.anchor_px, other.rest_ns = place, rest_frame * FRAME_NS
            other.be(DieState.SETTLED, frame * FRAME_NS)
        if frame == 20:
            other.rest_ns = None
            other.be(DieState.OFF_TABLE, frame * FRAME_NS)

    watch = Watched([(PLACE, 12, 30)])  # a hand takes it, and it is waited for that hand
    assert bool(told(book, watch, until=60, meanwhile=taken_up_again)) is leaves, name


@pytest.mark.parametrize(
    ("name", "looks", "leaves"),
    [
        ("the table, as it was", TABLE, True),
        ("the table in the shade of a hand", tuple(0.6 * each for each in TABLE), True),
        ("the die that was seen there, read or not", (58.0, 80.0, 168.0), False),
        ("the same out of the shade of a hand", (75.0, 105.0, 215.0), False),
        ("something else, which has come since", (150.0, 110.0, 60.0), True),
    ],
)
def test_a_die_has_left_the_table_where_only_the_table_is_seen_now(
    name: str, looks: tuple[float, float, float], leaves: bool
) -> None:
    book = Book()
    die(book, HOME, DieState.IN_HAND)
    assert bool(told(book, Watched(looks=looks), until=160)) is leaves, name


def test_what_looked_like_a_die_was_the_table_where_another_die_had_been_learned_with_it() -> None:
    green, wood = (80.0, 125.0, 67.0), (83.0, 117.0, 151.0)
    in_shade = replace(BLURRED, colour_bgr=tuple(0.74 * each for each in wood), table_bgr=green)  # type: ignore[arg-type]
    for looks, leaves in ((wood, False), (green, True)):
        book = Book()
        painted(die(book, HOME, DieState.IN_HAND), (62, 60, 176))
        assert bool(told(book, Watched(looks=looks), until=160, seen=in_shade)) is leaves


def test_the_shadow_that_goes_ahead_of_a_hand_is_no_black_die() -> None:
    dark = replace(BLURRED, colour_bgr=(45.0, 65.0, 57.0))
    for frames, share, leaves in (((12, 14), 1.0, False), ((15, 17), 1.0, True), ((12, 14), 0.15, True)):
        book = Book()
        painted(die(book, HOME, DieState.IN_HAND), (40, 40, 40))
        came = told(book, Watched([(PLACE, *frames)], share=share), until=160, seen=dark)
        assert bool(came) is leaves, f"a hand came in frames {frames} over {share} of its middle"
    red = Book()
    die(red, HOME, DieState.IN_HAND)
    assert told(red, Watched([(PLACE, 12, 14)]), until=160), "no shadow looks like a red one"


def test_a_die_that_lies_unread_beside_something_white_is_known_by_its_colour() -> None:
    with_white = replace(BLURRED, colour_bgr=(62.0, 94.0, 134.0))
    for place, leaves in (((300.0, 300.0), False), (PLACE, True)):
        book = Book()
        die(book, HOME, DieState.IN_HAND)
        rests = coming_to_rest(die(book, (600.0, 200.0), DieState.ROLLING), place, 14)
        watch = Watched(looks=(42.0, 44.0, 190.0))
        came = told(book, watch, until=160, seen=with_white, meanwhile=rests)
        assert bool(came) is leaves, f"what came to rest there since lies at {place}"


def test_the_rest_of_a_hand_is_no_die_unless_it_has_its_colour() -> None:
    over = [(PLACE, 8, 10)]
    tip, peeping = Book(), Book()
    for book in (tip, peeping):
        die(book, HOME, DieState.IN_HAND)
    assert not told(tip, Watched(over), until=60)
    assert told(peeping, Watched(over, peeps=A_LITTLE), until=60, seen=None) == [32]
    for share, came in ((0.1, [32]), (0.45, [])):
        beside = Book()
        die(beside, HOME, DieState.IN_HAND)
        assert told(beside, Watched(over, share=share), until=60) == came, "the hand was beside it, or over half of it"
    earlier = Book()
    die(earlier, HOME, DieState.IN_HAND)
    assert told(earlier, Watched([(PLACE, 2, 5)]), until=60) == [32], "the hand had gone from there before"


def test_the_colour_of_a_die_is_that_which_no_hand_shades() -> None:
    track = Book().new_track(0)
    track.add(sample(0, HOME, 4))
    shaded = sample(1, HOME, 4, cover=0.3)
    track.add(replace(shaded, reading=replace(shaded.reading, colour_bgr=(20, 20, 100))))
    assert track.plain_bgr == RED
    only = Book().new_track(0)
    only.add(replace(shaded, reading=replace(shaded.reading, colour_bgr=(20, 20, 100))))
    assert only.plain_bgr == (20, 20, 100)
