"""What lies ahead of a ship."""

from __future__ import annotations

import random

import pytest

from rules.greece_lightning.ahead import Ahead, ahead
from rules.greece_lightning.components import Mark
from rules.greece_lightning.course import Spot
from tests.rules.greece_lightning.course_parts import ONE_EACH, at, course, shipped_course, wedge, written

FORK = wedge("fork", *ONE_EACH[:2], "b > c2 > out3", "in3 > c > out3", "in4 > d > out4", c2="hydra")


def test_dots_come_nearest_first_with_marks_and_lane() -> None:
    found = ahead(course(p5=FORK), at("4b"), (), 3)
    assert found == (
        Ahead(at("5b"), 1, True),
        Ahead(at("6b"), 2, True),
        Ahead(at("5c2"), 2, False, (Mark.HYDRA,)),
        Ahead(at("7b"), 3, True),
        Ahead(at("6c"), 3, False),
    )


def test_skipped_dots_do_not_count_and_are_not_told() -> None:
    found = ahead(course(p5=FORK), at("4b"), [at("5b")], 1)
    assert [(written(each.spot), each.movement) for each in found] == [("6b", 1), ("5c2", 1)]


def test_the_line_is_told() -> None:
    found = ahead(course(line=1), at("11a"), (), 2)
    assert [(written(each.spot), each.line) for each in found] == [("12a", False), ("1a", True)]


def test_without_movement_nothing_lies_ahead() -> None:
    assert ahead(course(), at("3a"), (), 0) == ()


@pytest.mark.parametrize("seed", range(4))
def test_the_least_movement_is_that_of_the_best_of_many_random_ways(seed: int) -> None:
    made, chance = shipped_course(seed), random.Random(seed)
    start = chance.choice(made.spots)
    found = {each.spot: each.movement for each in ahead(made, start, (), 6)}
    seen: dict[Spot, int] = {}
    for _ in range(600):
        spot = start
        for steps in range(1, 7):
            spot = chance.choice(made.ways(spot, ())).to
            seen[spot] = min(steps, seen.get(spot, steps))
    assert seen == found
