"""The course: where paths lead over the edges of wedges, what is skipped, and who is ahead."""

from __future__ import annotations

import random

import pytest

from rules.errors import BadPack
from rules.greece_lightning.components import PLACES, Mark
from rules.greece_lightning.course import Course, Layout, Spot, next_place
from rules.greece_lightning.wedges import Path, lane_in, lane_out, read_paths
from tests.rules.greece_lightning.course_parts import ONE_EACH, at, course, shipped_course, wedge, written

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss

FORK = wedge("fork", *ONE_EACH[:2], "in3 > c > out3", "in4 > d > out4", "b > out3", "b > c2 > out3")
WHIRL = wedge(
    "whirl", *ONE_EACH[:1], "in2 > b", "b =0> out1", "b =1> out2", "b =2> b3 > out2", *ONE_EACH[2:], b="scylla"
)
CHARYBDIS = wedge(
    "charybdis", *ONE_EACH[:1], "in2 > b", "b =1> a2 > out1", "b =2> out2", "b =3> out3", *ONE_EACH[2:], b="charybdis"
)
HYDRAS = wedge("hydras", a="hydra", b="hydra", c="hydra", d="hydra")


def landings(made: Course, start: str, occupied: str = "") -> list[str]:
    """Where one movement can lead, as "3a"; with the dots skipped and the number of the path where there are any."""
    found = []
    for way in made.ways(at(start), [at(each) for each in occupied.split()]):
        told = written(way.to)
        if way.skipped:
            told += " over " + " ".join(written(each) for each in way.skipped)
        if way.number is not None:
            told += f" by {way.number}"
        found.append(told)
    return found


# --- paths


@pytest.mark.parametrize(
    ("line", "paths"),
    [
        ("in1 > a > out2", (Path("in1", "a"), Path("a", "out2"))),
        ("  w =2> b  ", (Path("w", "b", 2),)),
        ("w=0>b > out1", (Path("w", "b", 0), Path("b", "out1"))),
    ],
)
def test_a_path_is_read(line: str, paths: tuple[Path, ...]) -> None:
    assert read_paths((line,)) == paths


@pytest.mark.parametrize("line", ["", "a", "a >", "> a", "a > > b", "A > b", "a - b", "a =12> b", "a => b", "1 > b"])
def test_what_is_no_path_is_refused_with_the_form(line: str) -> None:
    with pytest.raises(BadPack, match="is no path; expected dots and lanes in order"):
        read_paths((line,))


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        pytest.param("3a", ["4a"], marks=clause("GL-M2"), id="over the edge to the same lane"),
        pytest.param("3d", ["4d"], marks=near_miss("GL-M2"), id="another lane, and no hop to the one beside it"),
        pytest.param("12c", ["1c"], marks=clause("GL-M3"), id="from place 12 to place 1, clockwise"),
        pytest.param("1c", ["2c"], marks=near_miss("GL-M3"), id="not back to place 12"),
        pytest.param("5b", ["6b", "6c", "5c2"], marks=clause("GL-M6"), id="a fork gives each of its paths"),
        pytest.param("5c2", ["6c"], marks=near_miss("GL-M6"), id="no fork behind it"),
    ],
)
def test_one_movement_follows_a_printed_path_clockwise(start: str, expected: list[str]) -> None:
    assert landings(course(p5=FORK), start) == expected


def test_a_path_without_a_dot_leads_on_to_the_next_wedge() -> None:
    dotless = wedge("dotless", "in1 > out2", *ONE_EACH[1:])
    assert landings(course(p5=dotless), "4a") == ["6b"]


def test_two_paths_that_meet_in_the_next_dot_are_one_way() -> None:
    meeting = wedge("meeting", "in1 > b", "in2 > b > out2", *ONE_EACH[2:], "b > out1")
    two = wedge("two", "in1 > a > out1", "a > out2", *ONE_EACH[1:])
    assert landings(course(p5=two, p6=meeting), "5a") == ["6b"]


def test_a_course_without_any_dot_leads_nowhere_and_ends() -> None:
    bare = wedge("bare", "in1 > out1", *ONE_EACH[1:])
    made = course(**{f"p{place}": bare for place in range(2, PLACES + 1)})
    line = wedge("starting-line", "in1 > out1", *ONE_EACH[1:], "b > out1", line="b c d")
    nowhere = Course(made.layout, made.wedges, line)
    assert landings(nowhere, "1b") == ["2b"]


# --- other ships


@pytest.mark.parametrize(
    ("start", "occupied", "expected"),
    [
        pytest.param("3a", "4a", ["5a over 4a"], marks=clause("GL-M9", "GL-M10"), id="a ship ahead is skipped"),
        pytest.param("3a", "4b", ["4a"], marks=near_miss("GL-M9", "GL-M10"), id="a ship on another path is not"),
        pytest.param("3a", "4a 5a", ["6a over 4a 5a"], marks=clause("GL-M15"), id="two in a row are both skipped"),
        pytest.param("3a", "4a 6a", ["5a over 4a"], marks=near_miss("GL-M15"), id="two with a free dot between"),
        pytest.param("3a", "3a", ["4a"], marks=clause("GL-M18"), id="the own dot is no hindrance"),
        pytest.param("4b", "5b", ["6b over 5b", "6c over 5b", "5c2 over 5b"], marks=clause("GL-M17"), id="any exit"),
        pytest.param("4b", "6b", ["5b"], marks=near_miss("GL-M17"), id="no exit of a dot that is not skipped"),
    ],
)
def test_dots_of_other_ships_are_skipped_and_cost_nothing(start: str, occupied: str, expected: list[str]) -> None:
    assert landings(course(p5=FORK), start, occupied) == expected


def test_a_fork_skips_only_where_a_ship_lies() -> None:
    assert landings(course(p5=FORK), "5b", "6c") == ["6b", "7c over 6c", "5c2"]


# --- whirlpools


@clause("GL-Y1", "GL-V1")
@near_miss("GL-Y1", "GL-V1")
def test_paths_out_of_a_whirlpool_carry_their_numbers_and_no_other_path_does() -> None:
    made = course(p5=WHIRL, p7=CHARYBDIS)
    assert landings(made, "5b") == ["6a by 0", "6b by 1", "5b3 by 2"]
    assert landings(made, "7b") == ["7a2 by 1", "8b by 2", "8c by 3"]
    assert landings(made, "5a") == ["6a"]
    assert made.dot(at("5b")).whirlpool is Mark.SCYLLA
    assert made.dot(at("7b")).whirlpool is Mark.CHARYBDIS
    assert made.dot(at("7a2")).whirlpool is None


@clause("GL-M17")
def test_a_skipped_whirlpool_shows_its_numbers_in_later_legs_only() -> None:
    ways = course(p5=WHIRL).ways(at("4b"), [at("5b")])
    assert [(way.number, way.legs[1].number) for way in ways] == [(None, 0), (None, 1), (None, 2)]


# --- stacks


@clause("GL-W10", "GL-W7")
@near_miss("GL-W10")
def test_only_the_top_wedge_is_sailed() -> None:
    made = course(p5=HYDRAS)
    assert made.dot(at("5a")).obstacle is Mark.HYDRA
    covered = Course(made.layout.with_wedge(5, "w9"), made.wedges, made.line)
    assert covered.dot(at("5a")).obstacle is None
    assert covered.layout.stack(5) == ("w5", "hydras", "w9")
    assert covered.layout.without_top(5) == made.layout


def test_the_starting_line_covers_its_wedge() -> None:
    made = course(line=5, p5=HYDRAS)
    assert made.top(5) is made.line
    assert made.dot(at("5a")).obstacle is None


def test_places_go_round() -> None:
    assert [next_place(place) for place in (1, 11, 12)] == [2, 12, 1]


@pytest.mark.parametrize("spot", ["0a", "13a", "3z", "3in1"])
def test_a_spot_that_is_none_is_not_found(spot: str) -> None:
    assert course().find(at(spot)) is None


@pytest.mark.parametrize("spot", ["1a", "12d"])
def test_a_spot_of_the_first_and_the_last_place_is_found(spot: str) -> None:
    found = course(line=6).find(at(spot))
    assert found is not None
    assert found.id == spot[-1]


def test_a_dot_that_is_none_says_which_there_are() -> None:
    with pytest.raises(LookupError, match="Wedge w3 has no dot 'z'; it has a, b, c, d"):
        course().dot(at("3z"))


# --- the race

TWO_DOTS = wedge("two-dots", "in1 > a1 > a2 > out1", "in2 > b > out2", "in3 > c > out3", "in4 > d1 > d4 > out4")

RACE = [
    # clauses, who is ahead (laps, spot), who is behind
    pytest.param((1, "3d"), (0, "12a"), marks=clause("GL-E3", "GL-G6"), id="laps before wedges"),
    pytest.param((1, "5d1"), (1, "3a"), marks=clause("GL-E3"), id="wedges before closeness to the centre"),
    pytest.param((0, "12a"), (0, "3d"), marks=near_miss("GL-E3", "GL-G6"), id="wedges when the laps are equal"),
    pytest.param((0, "5a1"), (0, "5d4"), marks=clause("GL-E7", "GL-E9", "GL-G7"), id="centre before clockwise"),
    pytest.param((0, "6d"), (0, "5a1"), marks=near_miss("GL-E7", "GL-G7"), id="the centre counts on one wedge only"),
    pytest.param((0, "5a2"), (0, "5a1"), marks=clause("GL-E8", "GL-G8"), id="one path: further clockwise is ahead"),
    pytest.param((0, "5a1"), (0, "5d4"), marks=near_miss("GL-E8", "GL-G8"), id="two paths: clockwise does not count"),
    pytest.param((0, "5d4"), (0, "5d1"), marks=near_miss("GL-E9"), id="one path again"),
]


@pytest.mark.parametrize(("ahead", "behind"), RACE)
def test_who_is_ahead(ahead: tuple[int, str], behind: tuple[int, str]) -> None:
    made = course(line=1, p5=TWO_DOTS)
    assert made.advance(ahead[0], at(ahead[1])) > made.advance(behind[0], at(behind[1]))


def test_wedges_are_counted_from_the_line_wherever_it_lies() -> None:
    made = course(line=7)
    assert [made.wedges_past_line(Spot(place, "a")) for place in (7, 8, 12, 1, 6)] == [0, 1, 5, 6, 11]


def test_a_dot_before_the_line_on_its_wedge_is_a_whole_lap_further() -> None:
    made = course(line=7)
    line = wedge("starting-line", "in1 > a1 > a2 > a3 > a4 > a5 > out1", *ONE_EACH[1:], line="a3 b c d")
    made = Course(made.layout, made.wedges, line)
    spots = [at(spot) for spot in ("7a1", "7a2", "7a3", "7a4", "7a5", "7b")]
    assert [made.wedges_past_line(spot) for spot in spots] == [12, 12, 0, 0, 0, 0]
    assert [made.on_line(spot) for spot in (*spots, at("6b"))] == [False, False, True, False, False, True, False]
    assert made.line_dots == (at("7a3"), at("7b"), at("7c"), at("7d"))


# --- whole courses of the shipped wedges, held to a second way of finding paths


def flat_graph(made: Course) -> dict[Spot, set[Spot]]:
    """Every dot with the dots that paths lead to: all ends of paths as nodes, the edges between wedges joined."""
    after: dict[tuple[int, str], set[tuple[int, str]]] = {}
    for place in range(1, PLACES + 1):
        for path in made.top(place).paths:
            after.setdefault((place, path.start), set()).add((place, path.end))
        for lane in range(1, 10):
            after.setdefault((place, f"out{lane}"), set()).add((place % PLACES + 1, f"in{lane}"))

    def dots_after(node: tuple[int, str]) -> set[Spot]:
        found: set[Spot] = set()
        for place, name in after.get(node, ()):
            edge = lane_in(name) is not None or lane_out(name) is not None
            found |= dots_after((place, name)) if edge else {Spot(place, name)}
        return found

    return {spot: dots_after((spot.place, spot.dot)) for spot in made.spots}


@pytest.mark.parametrize("seed", range(12))
def test_ways_over_whole_courses_are_those_of_the_flat_graph(seed: int) -> None:
    made = shipped_course(seed)
    graph = flat_graph(made)
    chance = random.Random(seed)
    for spot, after in graph.items():
        assert after, f"{spot} leads nowhere"
        assert {way.to for way in made.ways(spot, ())} == after
        occupied = {*chance.sample(made.spots, 2), *chance.sample(sorted(after, key=written), 1)} - {spot}
        reach, skipped = set(after), set()
        while reach & occupied:
            for taken in reach & occupied:
                skipped.add(taken)
                reach = (reach - {taken}) | (graph[taken] - skipped)
        ways = made.ways(spot, occupied)
        assert {way.to for way in ways} == reach
        assert {each for way in ways for each in way.skipped} == skipped
        assert all(
            leg.start == way.legs[number - 1].end for way in ways for number, leg in enumerate(way.legs) if number
        )


@pytest.mark.parametrize("seed", range(6))
def test_a_ship_that_sails_on_meets_the_line_once_a_circle(seed: int) -> None:
    made = shipped_course(seed)
    chance = random.Random(seed)
    for start in made.line_dots:
        spot, line, moved = start, 0, 0
        while line < 2:
            before = made.wedges_past_line(spot)
            spot = chance.choice(made.ways(spot, ())).to
            moved += 1
            assert made.wedges_past_line(spot) in (before, before + 1) or made.on_line(spot)
            line += made.on_line(spot)
            assert moved <= 2 * sum(len(made.top(place).dots) for place in range(1, PLACES + 1))
        assert spot in made.line_dots


@pytest.mark.parametrize("seed", range(6))
def test_no_two_dots_of_a_course_rank_alike(seed: int) -> None:
    made = shipped_course(seed)
    ranks = [made.advance(0, spot) for spot in made.spots]
    assert len(set(ranks)) == len(ranks) == len(made.spots)


def test_a_layout_counts_every_wedge_also_those_covered() -> None:
    made = shipped_course(3, laid=8)
    assert len(made.layout.wedges) == len(set(made.layout.wedges)) == 20
    assert isinstance(made.layout, Layout)
