"""Dice too fast to be read: what goes out of the picture on a straight way is told, what stays or turns is not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from vision.readings import Point
from vision.tracking.flights import Flight, Flights, may_be_of
from vision.tracking.hands import Hands, Thing

FRAME_NS = 33_333_333
SIDE_PX = 24.0
SIZE_WH = (1280, 720)
TABLE = (80.0, 110.0, 140.0)
RED = (40.0, 40.0, 190.0)


def thing(place: Point, share: float = 0.6, sides: float = 2.0, shade: float = 1.0, *, peeps: bool = False) -> Thing:
    colour = tuple(shade * share * red + (1 - share) * wood for red, wood in zip(RED, TABLE, strict=True))
    return Thing(place, sides * SIDE_PX**2, colour, TABLE, peeps)  # type: ignore[arg-type]


def gone(
    way: Sequence[Point | None], sides: float = 2.0, hand_px: Point | None = None, frame_ns: int = FRAME_NS
) -> list[Flight]:
    """What has flown out when a thing is seen on its way, and in the frame before it a hand at `hand_px`."""
    flights, found = Flights(), []
    before = a_hand(hand_px)
    for number, place in enumerate([*way, None, None, None, None], 1):
        things = [] if place is None else [thing(place, sides=sides)]
        found += flights.look(things, before, SIDE_PX, SIZE_WH, number * frame_ns)
        before = None
    return [each for each in found if not each.hardly]


def a_hand(at_px: Point | None) -> Hands | None:
    if at_px is None:
        return None
    mask = np.zeros((SIZE_WH[1] // 8, SIZE_WH[0] // 8), bool)
    x, y = (int(each) // 8 for each in at_px)
    mask[max(0, y - 2) : y + 3, max(0, x - 2) : x + 3] = True
    return Hands(0, mask)


@pytest.mark.parametrize(
    ("name", "way", "sides", "out"),
    [
        ("over the left edge", [(190, 550), (130, 545), (73, 566), (17, 578)], 2.0, True),
        ("over the far edge in two frames, and no hand was there", [(546, 64), (560, 20)], 2.0, False),
        ("one frame missed on the way", [(190, 300), None, (70, 300), (15, 300)], 2.0, True),
        ("stops before the edge", [(190, 550), (150, 550), (130, 550), (126, 550)], 2.0, False),
        ("slows down before the edge", [(215, 300), (110, 300), (50, 300)], 2.0, False),
        ("slows down as the edge cuts it off", [(638, 71), (632, 42), (617, 21)], 2.0, True),
        ("near the edge, and hardly nearer", [(700, 19), (660, 16), (630, 14)], 2.0, False),
        ("along the edge", [(200, 14), (260, 12), (320, 13)], 2.0, False),
        ("across the middle", [(500, 300), (560, 300), (620, 300)], 2.0, False),
        ("too slow to be missed by the reader", [(30, 300), (20, 300), (10, 300)], 2.0, False),
        ("blurred as far as dice are", [(130, 545), (73, 566), (17, 578)], 3.0, True),
        ("as large as the tips of a hand", [(130, 545), (73, 566), (17, 578)], 3.8, False),
        ("seen only once", [(15, 300)], 2.0, False),
    ],
)
def test_what_flies_out_of_the_picture(name: str, way: list[Point | None], sides: float, out: bool) -> None:
    assert (len(gone(way, sides)) == 1) is out, name


def test_two_frames_are_enough_of_what_comes_out_of_a_hand() -> None:
    way = [(546, 64), (560, 20)]
    assert len(gone(way, hand_px=(540, 120))) == 1
    assert not gone(way, hand_px=(540, 320)), "a hand far away let go of something else"
    assert not gone([(560, 200), (560, 90)], hand_px=(560, 290)), "so far from the edge it may be two dice"


@pytest.mark.parametrize(
    ("name", "place", "sides", "hand_px", "out"),
    [
        ("out of a hand over the right edge", (1256, 152), 2.0, (1178, 157), True),
        ("out of a hand over the far edge", (556, 35), 2.0, (545, 90), True),
        ("no hand near by", (1256, 152), 2.0, (1000, 157), False),
        ("the hand was at the edge, and the thing comes in", (1240, 152), 2.0, (1276, 152), False),
        ("along the edge", (700, 30), 2.0, (630, 28), False),
        ("too far from the edge", (1200, 152), 2.0, (1130, 152), False),
        ("fast, but too far from the edge to be gone", (1208, 152), 2.0, (1112, 152), False),
        ("no blur: it lies there, and the hand has let go of it", (1256, 152), 1.0, (1178, 157), False),
    ],
)
def test_a_die_is_seen_only_once_between_a_hand_and_the_edge(
    name: str, place: Point, sides: float, hand_px: Point, out: bool
) -> None:
    assert (len(gone([place], sides, hand_px)) == 1) is out, name


@pytest.mark.parametrize(
    ("name", "place", "hand_px", "out"),
    [
        ("as far from the hand as a die flies in one of 15 frames a second", (1199, 520), (1066, 500), True),
        ("farther than that", (1199, 520), (930, 500), False),
        ("as near to the hand as one that stays on the table", (1199, 520), (1168, 500), False),
    ],
)
def test_in_half_as_many_frames_a_die_is_seen_twice_as_far_from_the_edge(
    name: str, place: Point, hand_px: Point, out: bool
) -> None:
    assert (len(gone([place], 2.0, hand_px, 2 * FRAME_NS)) == 1) is out, name
    assert not gone([place], 2.0, hand_px), "at 30 frames a second it would have been seen once more"


def looked(
    frames: Sequence[Sequence[Thing]],
    hands_px: Sequence[Point | None],
    frame_ns: int,
    may_be_one: Callable[[Flight], bool] = lambda flight: True,
    *,
    hardly: bool = False,
) -> list[Flight]:
    """What has flown out when these things are seen in frames, and hands in the frame before each."""
    flights, found = Flights(), []
    for number, (things, hand_px) in enumerate([*zip(frames, hands_px, strict=True), *[((), None)] * 4], 1):
        before = a_hand(hand_px)
        if before is not None:
            before = replace(before, exposure_start_ns=(number - 1) * frame_ns)
        found += flights.look(things, before, SIDE_PX, SIZE_WH, number * frame_ns, may_be_one)
    return [each for each in found if each.hardly is hardly]


def test_a_sliver_at_the_edge_goes_on_with_a_way_and_one_elsewhere_is_noise() -> None:
    sliver = thing((580, 716), sides=0.1)
    (flight,) = looked([[thing((602, 652))], [sliver]], [(616, 590), None], 2 * FRAME_NS)
    assert flight.things[-1] is sliver
    assert may_be_of(replace(flight, things=[flight.things[0], thing((580, 716), 0.05, 0.1)]), RED)
    assert not may_be_of(replace(flight, things=[flight.things[0], thing((580, 716), 0.05, 1.0)]), RED)
    noise = thing((590, 690), sides=0.1)
    assert not looked([[thing((602, 652), sides=1.0)], [noise]], [(616, 590), None], 2 * FRAME_NS)


def test_what_flies_out_of_a_hand_has_not_come_from_what_was_seen_once_elsewhere() -> None:
    noise, out, last = thing((560, 110), sides=0.5), thing((737, 58)), thing((756, 10))
    found = looked([[noise], [out], [last]], [None, (742, 120), None], 2 * FRAME_NS)
    assert [out, last] in [each.things for each in found]
    assert not looked([[noise], [out], [last]], [None, None, None], 2 * FRAME_NS), "no hand let go of it"


def test_what_two_ways_may_go_on_with_is_of_both() -> None:
    out, last = thing((737, 58)), thing((756, 10))
    frames = [[thing((1000, 100))], [thing((880, 60)), out], [last]]
    found = looked(frames, [None, (742, 120), None], 2 * FRAME_NS)
    assert [out, last] in [each.things for each in found]


def test_what_lies_beside_the_way_does_not_end_it() -> None:
    shadow = thing((190, 552), sides=0.4)
    found = looked([[thing((190, 550))], [thing((130, 548)), shadow], [thing((70, 548))], [thing((20, 546))]],
                   [None] * 4, FRAME_NS)  # fmt: skip
    assert [len(each.things) for each in found] == [4]


@pytest.mark.parametrize(
    ("name", "hand_px", "out"),
    [
        ("of the parts of a hand one leads outside, though another is nearer", (640, 640), True),
        ("no part leads outside", (650, 676), False),
    ],
)
def test_a_thing_may_have_come_out_of_any_part_of_a_hand(name: str, hand_px: Point, out: bool) -> None:
    assert bool(looked([[thing((600, 676))]], [hand_px], FRAME_NS)) is out, name


def test_of_a_die_that_touches_the_hand_still_less_is_seen() -> None:
    place, hand = (1256, 152), (1178, 157)
    assert looked([[thing(place, sides=0.7, peeps=True)]], [hand], FRAME_NS)
    assert not looked([[thing(place, sides=0.7)]], [hand], FRAME_NS)
    assert not looked([[thing(place, sides=0.4, peeps=True)]], [hand], FRAME_NS)
    assert not looked([[thing(place, sides=4.0, peeps=True)]], [hand], FRAME_NS), "a sleeve comes in over the edge"


@pytest.mark.parametrize(
    ("name", "seen", "hand_px", "out"),
    [
        ("fast, from farther away", thing((1208, 152)), (1112, 152), True),
        ("from farther away than a die flies", thing((1160, 152)), (1064, 152), False),
        ("without a blur", thing((1256, 152), sides=1.0), (1178, 157), True),
        ("too little of it", thing((1256, 152), sides=0.4), (1178, 157), False),
        ("no hand near by", thing((1256, 152), sides=1.0), (1000, 157), False),
        (
            "cut off by the edge, and no broader than a die",
            thing((1271, 152), sides=0.7, peeps=True),
            (1200, 157),
            True,
        ),
        (
            "cut off by the edge, and as broad as a sleeve",
            thing((1271, 152), sides=1.4, peeps=True),
            (1200, 157),
            False,
        ),
    ],
)
def test_what_was_hardly_seen_may_have_gone_out(name: str, seen: Thing, hand_px: Point, out: bool) -> None:
    assert bool(looked([[seen]], [hand_px], FRAME_NS, hardly=True)) is out, name
    assert not looked([[seen]], [hand_px], FRAME_NS), "that alone tells nothing"


@pytest.mark.parametrize(
    ("name", "before", "out"),
    [
        ("nothing", None, True),
        ("the same, which lies there", thing((560, 21)), False),
        ("something else", thing((560, 21), share=0.2), True),
        ("the same, which has moved", thing((570, 21)), True),
    ],
)
def test_nothing_has_flown_to_where_it_was_a_frame_ago(name: str, before: Thing | None, out: bool) -> None:
    first = [thing((546, 64)), *([] if before is None else [before])]
    found = looked([first, [thing((560, 20))]], [(540, 120), None], FRAME_NS)
    assert any(len(each.things) == 2 for each in found) is out, name


def test_what_goes_on_in_another_colour_is_something_else_and_what_was_seen_before_it_may_have_gone_out() -> None:
    out = thing((737, 50), sides=1.4, peeps=True)
    shade = Thing((560, 20), 2 * SIDE_PX**2, (40.0, 46.0, 40.0), TABLE)

    def red(flight: Flight) -> bool:
        return may_be_of(flight, RED)

    for after, alone in ((shade, True), (thing((560, 20)), False)):
        found = looked([[out], [after]], [(742, 120), None], 2 * FRAME_NS, red, hardly=True)
        assert ([out] in [each.things for each in found]) is alone
        surely = looked([[out], [after]], [(742, 120), None], 2 * FRAME_NS, red)
        assert [out] not in [each.things for each in surely], "both may have been a hand"


def test_the_tip_of_a_dark_hand_is_no_red_die() -> None:
    table = (76.0, 71.0, 66.0)
    tip = [Thing((772, 692), 1200.0, (44.0, 52.0, 70.0), table), Thing((769, 712), 500.0, (42.0, 54.0, 78.0), table)]
    assert not may_be_of(Flight(tip, [0, FRAME_NS]), (58, 55, 172))
    die = [replace(each, colour_bgr=(62.0, 60.0, 119.0)) for each in tip]
    assert may_be_of(Flight(die, [0, FRAME_NS]), (58, 55, 172))


def test_the_shadow_of_the_hand_may_be_the_first_of_a_way() -> None:
    way = [thing((190, 550)), thing((130, 545)), thing((73, 540))]
    shadow = Thing((190, 550), 600.0, (50.0, 47.0, 45.0), (141.0, 145.0, 148.0))
    times = [FRAME_NS, 2 * FRAME_NS, 3 * FRAME_NS]
    assert may_be_of(Flight([shadow, *way[1:]], times), RED)
    assert not may_be_of(Flight([shadow, way[1]], times[:2]), RED)
    assert not may_be_of(Flight([way[0], shadow, way[2]], times), RED)


def test_a_blurred_thing_is_known_by_the_colour_that_mixes_with_the_table() -> None:
    flight = Flight([thing((100, 100)), thing((60, 100), share=0.4, shade=0.8)], [0, FRAME_NS])
    assert may_be_of(flight, RED)
    for other in ((190.0, 60.0, 40.0), (40.0, 150.0, 40.0), (230.0, 230.0, 230.0)):
        assert not may_be_of(flight, other)
    assert not may_be_of(Flight([thing((100, 100), share=0.05)], [0]), RED), "the table itself is no die"


@pytest.mark.parametrize(
    ("name", "colour", "die"),
    [
        ("fingers that the edge cuts off", (52.0, 69.0, 94.0), (66, 63, 180)),
        ("a finger on felt", (71.0, 90.0, 111.0), (53, 49, 167)),
    ],
)
def test_skin_that_looks_like_a_die_on_felt_leaves_more_of_no_other_colour(
    name: str, colour: tuple[float, float, float], die: tuple[int, int, int]
) -> None:
    felt = (82.0, 88.0, 56.0)
    share = 0.45
    blurred = tuple(share * a + 0.8 * (1 - share) * b for a, b in zip(die, felt, strict=True))
    seen = Thing((10.0, 10.0), 2 * SIDE_PX**2, colour, felt)
    assert not may_be_of(Flight([seen], [0]), die), name
    assert may_be_of(Flight([replace(seen, colour_bgr=blurred)], [0]), die)  # type: ignore[arg-type]
