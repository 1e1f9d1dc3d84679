"""Whose die it is: by colour, by place, or both; what contradicts itself is named and not guessed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.live.eyes import LightningDiceEyes
from companion.live.interpreter import Seen
from companion.live.seating import Seating
from tests.companion.test_eyes import SEATS, SIDE_PX, Half, StateNow, die
from vision.readings import Reading
from vision.seat_colours import Whose
from vision.tracking.happenings import DieState, TrackedDie, Watched

ZONES = {1: Half(True), 2: Half(False)}
LEFT, RIGHT, NOWHERE = (10.0, 10.0), (400.0, 10.0), None


@pytest.mark.parametrize(
    ("name", "whose", "place", "seat", "notice"),
    [
        ("its own", Whose(1, 0.999), LEFT, 1, None),
        ("its own, places not known", Whose(1, 0.999), NOWHERE, 1, None),
        ("a red die before blue", Whose(1, 0.999), RIGHT, None, "notice.die-elsewhere"),
        ("alike, before one of them", Whose(None, 0.99, "alike", (1, 2)), RIGHT, 2, None),
        ("alike, places not known", Whose(None, 0.99, "alike", (1, 2)), NOWHERE, None, None),
        ("alike to others than the one there", Whose(None, 0.99, "alike", (3, 4)), LEFT, None, None),
        ("nobody's, before somebody", Whose(None, 0.9, "foreign"), LEFT, None, "notice.foreign-die"),
        ("not sure, before somebody", Whose(None, 0.6, "unsure"), LEFT, None, "notice.die-unsure"),
    ],
)
def test_by_learned_colours_and_places(
    name: str, whose: Whose, place: Any, seat: int | None, notice: str | None
) -> None:
    found, told = Seating(SEATS, ZONES).seat_by_colours(whose, "red", place)
    assert found == seat, name
    assert (told.code if told else None) == notice, name


class Ownership:
    """One red die of Ann's, on the left half of the table, that goes through states."""

    def __init__(self) -> None:
        self.eyes = LightningDiceEyes(SEATS, {}, zones=ZONES)
        self.now_ns = 10**9
        reading = die(4, 100.0)
        self.die = TrackedDie(
            7, DieState.SETTLED, 4, None, 0.99, self.now_ns, self.now_ns, True, reading, reading.centre_px, SIDE_PX,
            reading.position_mm, "red",
        )  # fmt: skip
        self.look()

    def look(self, **changes: Any) -> Seen:
        self.now_ns += 33_000_000
        self.die = replace(self.die, **changes)
        shown = (self.die.reading,) if self.die.seen else ()
        return self.eyes.update(
            Watched(Reading((1280, 720), shown, (), self.now_ns), (self.die,)), self.now_ns, StateNow()
        )


def test_a_die_keeps_its_owner_through_a_hand_and_over_the_part_of_another() -> None:
    table = Ownership()
    away = {"value": None, "rest_ns": None}
    seen = table.look(state=DieState.COVERED, seen=False, colour="blue")
    assert seen.whose[7][0] == 1, "a sleeve over it is not its colour"
    seen = table.look(state=DieState.IN_HAND, **away)
    assert seen.whose[7][0] == 1
    seen = table.look(state=DieState.ROLLING, seen=True, position_mm=RIGHT, reading=die(None, 800.0, colour="purple"))
    assert seen.whose[7][0] == 1, "blurred, it looks like a blue one, and it rolls over Ben's part"
    assert seen.notices == ()
    seen = table.look(state=DieState.SETTLED, value=4, colour="red", position_mm=LEFT, reading=die(4, 100.0))
    assert seen.whose[7][0] == 1


def test_a_die_that_comes_to_rest_before_another_seat_is_named_and_counts_for_nobody() -> None:
    table = Ownership()
    table.look(state=DieState.ROLLING, value=None, rest_ns=None, position_mm=RIGHT)
    seen = table.look(state=DieState.SETTLED, value=4, position_mm=RIGHT, reading=die(4, 800.0))
    assert 7 not in seen.whose
    assert [notice.code for notice in seen.notices] == ["notice.die-elsewhere"]
