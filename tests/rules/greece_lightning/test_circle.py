"""The first circle, and the places on which a wedge may be laid."""

from __future__ import annotations

import random

import pytest

from rules.greece_lightning.circle import barred, circle_fault
from rules.greece_lightning.components import BASE_WEDGES, PLACES, STACK_WEDGES, WEDGES
from rules.greece_lightning.course import Layout
from rules.greece_lightning.pack import wedges_of
from tests.rules.greece_lightning.course_parts import at, course, shipped, wedge

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss

BOX = {
    name: wedge(name, symbol=None if name[0] == "S" else name[0])
    for name in [*(f"{symbol}{number}" for symbol in "ABCD" for number in (1, 2, 3)), "S1", "S2", "A4", "E1"]
}
RIGHT = "A1 A2 A3 B1 B2 B3 C1 C2 C3 D1 D2 D3"

CIRCLES = [
    pytest.param(RIGHT, None, (), marks=near_miss("GL-S1", "GL-S2", "GL-S4"), id="as the rulebook wants it"),
    pytest.param("A3 A1 A2 B1 B2 B3 C1 C2 C3 D1 D2 D3", None, (), marks=clause("GL-S3"), id="another order in a set"),
    pytest.param(
        "C1 C2 C3 A1 A2 A3 D1 D2 D3 B1 B2 B3", None, (), marks=clause("GL-S5"), id="another order of quarters"
    ),
    pytest.param(
        "A3 B1 B2 B3 C1 C2 C3 D1 D2 D3 A1 A2", None, (), marks=near_miss("GL-S4"), id="begun inside a quarter"
    ),
    pytest.param(
        "A1 B1 A2 B2 A3 B3 C1 C2 C3 D1 D2 D3",
        "apart",
        ("A", "B"),
        marks=[clause("GL-S4"), near_miss("GL-S3", "GL-S5")],
        id="two quarters mixed",
    ),
    pytest.param("A1 A2 B1 A3 B2 B3 C1 C2 C3 D1 D2 D3", "apart", ("A", "B"), marks=clause("GL-S4"), id="one strayed"),
    pytest.param("A1 A2 A3 B1 B2 B3 C1 C2 C3 D1 D2 S1", "no symbol", ("S1",), marks=clause("GL-S1"), id="of the stack"),
    pytest.param("A1 A2 A3 A4 B1 B2 C1 C2 C3 D1 D2 D3", "sets", ("A", "B"), marks=clause("GL-S2"), id="four and two"),
    pytest.param("A1 A2 A3 B1 B2 E1 C1 C2 C3 D1 D2 D3", "sets", ("B", "E"), id="a fifth symbol"),
    pytest.param("A1 A2 A3 B1 B2 B3 C1 C2 C3 D1 D2", "number", (), marks=clause("GL-S1"), id="eleven"),
    pytest.param(RIGHT + " S1", "number", (), id="thirteen"),
    pytest.param("A1 A2 A2 B1 B2 B3 C1 C2 C3 D1 D2 D3", "twice", ("A2",), id="one wedge in two places"),
    pytest.param("A1 A2 X9 B1 B2 B3 C1 C2 C3 D1 D2 D3", "unknown", ("X9",), marks=clause("GL-C2"), id="unknown"),
]


@pytest.mark.parametrize(("circle", "what", "named"), CIRCLES)
def test_the_first_circle(circle: str, what: str | None, named: tuple[str, ...]) -> None:
    fault = circle_fault(circle.split(), BOX)
    assert (fault.what if fault else None) == what
    assert (fault.named if fault else ()) == named
    assert fault is None or all(each.startswith("GL-") for each in fault.clauses)


def test_every_rotation_of_a_right_circle_is_right_and_of_a_wrong_one_wrong() -> None:
    right = RIGHT.split()
    wrong = [right[place] for place in (0, 3, 1, 4, 2, 5, 6, 7, 8, 9, 10, 11)]
    for turn in range(BASE_WEDGES):
        assert circle_fault(right[turn:] + right[:turn], BOX) is None
        found = circle_fault(wrong[turn:] + wrong[:turn], BOX)
        assert found is not None
        assert (found.what, set(found.named)) == ("apart", {"A", "B"})


@clause("GL-C7")
@near_miss("GL-C7", "GL-C2")
def test_the_shipped_box_makes_a_circle_and_a_stack_of_sixteen() -> None:
    wedges = wedges_of(shipped())
    base = [each.id for each in wedges.values() if each.symbol]
    assert circle_fault(base, wedges) is None
    assert len(wedges) - len(base) == STACK_WEDGES == WEDGES - BASE_WEDGES == 16


@pytest.mark.parametrize(
    ("ships", "wakes", "expected"),
    [
        pytest.param("", "", {1: "GL-W5"}, marks=clause("GL-W5", "GL-S6"), id="the Starting Line only"),
        pytest.param("3a 9b", "3a 9b", {1: "GL-W5", 3: "GL-W6", 9: "GL-W6"}, marks=clause("GL-W6"), id="under ships"),
        pytest.param("1a", "1a", {1: "GL-W5"}, marks=near_miss("GL-W6"), id="a ship on the line"),
        pytest.param("3a 3b", "3a 3b", {1: "GL-W5", 3: "GL-W6"}, id="two ships on one wedge"),
        pytest.param("3a", "5a", {1: "GL-W5", 3: "GL-W6", 5: "GL-W12"}, marks=clause("GL-W12"), id="a stray wake"),
        pytest.param("3a", "3b", {1: "GL-W5", 3: "GL-W6"}, marks=near_miss("GL-W12"), id="a wake on the ship's wedge"),
    ],
)
def test_where_no_wedge_may_be_laid(ships: str, wakes: str, expected: dict[int, str]) -> None:
    layout = course(line=1).layout
    spots = [[at(each) for each in text.split()] for text in (ships, wakes)]
    assert barred(layout, *spots) == expected


@near_miss("GL-W5", "GL-S6")
def test_the_bar_moves_with_the_line() -> None:
    assert barred(course(line=8).layout, ()) == {8: "GL-W5"}
    assert barred(course(line=12).layout, [at("1a")]) == {1: "GL-W6", 12: "GL-W5"}


@clause("GL-W11", "GL-W7")
@near_miss("GL-W7", "GL-W11")
def test_ahead_behind_and_on_high_stacks_are_free_but_not_under_the_ship_itself() -> None:
    layout: Layout = course(line=1).layout
    for _ in range(5):
        layout = layout.with_wedge(5, "w5")
    free = set(range(1, PLACES + 1)) - set(barred(layout, [at("4a")]))
    assert free == {2, 3, 5, 6, 7, 8, 9, 10, 11, 12}


def test_with_four_ships_apart_seven_places_are_free() -> None:
    chance = random.Random(1)
    for _ in range(20):
        ships = [at(f"{place}a") for place in chance.sample(range(2, 13), 4)]
        assert len(barred(course(line=1).layout, ships, ships)) == 5
