"""Dice of which hardly anything is seen as they fly over the edge: that they have gone at once must be seen, too."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision.tracking.flying_dice import (
    BLURRED,
    HOME,
    PLACE,
    SIDE_PX,
    TABLE,
    Watched,
    coming_to_rest,
    die,
    painted,
    told,
)
from vision.readings import Point
from vision.tracking.book import Book
from vision.tracking.hands import Thing
from vision.tracking.happenings import DieState

UNBLURRED = replace(BLURRED, area_px2=1.1 * SIDE_PX**2)
HALF_OF_IT = replace(BLURRED, area_px2=0.8 * SIDE_PX**2)


@pytest.mark.parametrize(
    ("name", "seen", "looks", "hides", "leaves"),
    [
        ("only the table is seen there", UNBLURRED, TABLE, None, True),
        ("it is seen there still", UNBLURRED, (52.0, 72.0, 130.0), None, False),
        ("another hand hides where it went", UNBLURRED, TABLE, (12.0, 300.0), False),
        ("another hand hides what lies beside its way", UNBLURRED, TABLE, (12.0, 360.0), True),
        ("half of a red die", HALF_OF_IT, TABLE, None, True),
    ],
)
def test_of_what_was_hardly_seen_it_must_be_seen_that_it_has_gone_at_once(
    name: str, seen: Thing, looks: tuple[float, float, float], hides: Point | None, leaves: bool
) -> None:
    book = Book()
    die(book, HOME, DieState.IN_HAND)
    assert bool(told(book, Watched(looks=looks), until=160, seen=seen, hides=hides)) is leaves, name


def test_less_than_a_face_of_black_at_a_hand_is_shade() -> None:
    for faces, leaves in ((0.8, False), (1.1, True)):
        book = Book()
        painted(die(book, HOME, DieState.IN_HAND), (40, 40, 40))
        dark = Thing(PLACE, faces * SIDE_PX**2, (45.0, 60.0, 53.0), TABLE)
        assert bool(told(book, Watched(looks=TABLE), until=160, seen=dark)) is leaves, f"{faces} of a face"


@pytest.mark.parametrize(
    ("name", "place", "frame", "leaves"),
    [
        ("on its way out", (8.0, 300.0), 13, False),
        ("on its way out, before that", (8.0, 300.0), 5, True),
        ("elsewhere", (300.0, 300.0), 13, True),
    ],
)
def test_a_die_that_has_come_to_rest_ahead_may_be_what_was_hardly_seen(
    name: str, place: Point, frame: int, leaves: bool
) -> None:
    book = Book()
    die(book, HOME, DieState.IN_HAND)
    rests = coming_to_rest(die(book, (600.0, 200.0), DieState.ROLLING), place, frame)
    came = told(book, Watched(looks=TABLE), until=160, seen=UNBLURRED, meanwhile=rests)
    assert bool(came) is leaves, name
