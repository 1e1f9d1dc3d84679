"""The course as a wheel, and what lies ahead in words."""

from __future__ import annotations

from math import atan2, degrees, hypot
from xml.etree import ElementTree

import pytest

from companion.catalogue import Catalogue
from companion.course.wheel_svg import WHEEL_STYLE, Ship, chart_svg, traffic_svg
from companion.course.words import ahead_sentences, wheel_sentences
from rules.greece_lightning.ahead import ahead
from rules.greece_lightning.components import PLACES
from rules.greece_lightning.course import Course
from tests.rules.greece_lightning.course_parts import ONE_EACH, at, course, shipped_course, wedge

SVG = "{http://www.w3.org/2000/svg}"
ENGLISH, ITALIAN = Catalogue("en"), Catalogue("it")
HYDRA = wedge("h", *ONE_EACH, "b > c2 > out3", b="hydra", c2="fish favor")


def chart(made: Course) -> ElementTree.Element:
    return ElementTree.fromstring(chart_svg(made, 4, ENGLISH))


def traffic(made: Course, ships: tuple[Ship, ...] = (), lit: str = "") -> ElementTree.Element:
    return ElementTree.fromstring(traffic_svg(made, 4, ships, [at(each) for each in lit.split()], ENGLISH))


def moved(element: ElementTree.Element) -> tuple[float, float]:
    x, y = element.get("transform", "").removeprefix("translate(").removesuffix(")").split()
    return float(x), float(y)


def spots(root: ElementTree.Element) -> dict[str, ElementTree.Element]:
    return {each.get("data-spot", ""): each for each in root.iter(f"{SVG}g") if each.get("data-spot")}


@pytest.mark.parametrize("seed", range(3))
def test_every_dot_can_be_tapped_where_it_lies_and_no_two_lie_on_each_other(seed: int) -> None:
    made = shipped_course(seed)
    found = spots(chart(made))
    assert set(found) == {f"{spot.place}:{spot.dot}" for spot in made.spots}
    places = []
    for name, element in found.items():
        x, y = moved(element)
        angle = degrees(atan2(x, -y)) % 360
        place = int(name.partition(":")[0])
        assert abs((angle - 30 * (place - 1) + 180) % 360 - 180) <= 15
        places.append((x, y))
    assert all(hypot(x - a, y - b) > 16 for number, (x, y) in enumerate(places) for a, b in places[:number])


def test_only_the_dots_that_may_be_sailed_to_are_lit() -> None:
    made = course(p5=HYDRA)
    found = spots(traffic(made, lit="6b 5c2"))
    lit = {name for name, each in found.items() if any(child.get("class") == "lit" for child in each)}
    assert lit == {"6:b", "5:c2"} == {name for name, each in found.items() if each.get("class") == "spot open"}
    below = spots(chart(made))
    assert {name: moved(each) for name, each in found.items()} == {name: moved(below[name]) for name in lit}


def test_ships_and_wakes_are_drawn_where_they_lie_with_the_letter_of_their_seat() -> None:
    made = course(p5=HYDRA)
    root = traffic(made, (Ship("A", "Ann & Co", "red", at("5b"), wake=at("3b")), Ship("B", "Ben", "blue", at("7d"))))
    found = spots(chart(made))
    ships = [each for each in root.iter(f"{SVG}g") if each.get("class", "").startswith("ship ")]
    assert [each.findtext(f"{SVG}title") for each in ships] == ["Ann & Co", "Ben"]
    assert [moved(each) for each in ships] == [moved(found["5:b"]), moved(found["7:d"])]
    assert [each.findtext(f"{SVG}text") for each in ships] == ["A", "B"]
    wakes = [each for each in root.iter(f"{SVG}g") if any("wake" in child.get("class", "") for child in each)]
    assert [moved(each) for each in wakes] == [moved(found["3:b"])]


def test_a_wake_under_its_ship_or_on_a_dot_that_was_covered_is_not_drawn() -> None:
    made = course(p5=HYDRA)
    ships = (Ship("A", "Ann", "red", at("5b"), wake=at("5b")), Ship("B", "Ben", "blue", at("7d"), wake=at("7z")))
    assert "wake seat" not in traffic_svg(made, 4, ships, (), ENGLISH)


def test_the_style_is_left_out_for_a_page_that_has_its_own_and_nothing_else_changes() -> None:
    for draw in (
        (chart_svg(course(), 4, ENGLISH, style=each) for each in (True, False)),
        (traffic_svg(course(), 4, (), (), ENGLISH, style=each) for each in (True, False)),
    ):
        styled, plain = draw
        assert styled.replace(f"<style>{WHEEL_STYLE}</style>\n", "") == plain != styled


def test_the_two_drawings_lie_on_each_other_and_only_the_small_one_changes_in_a_move() -> None:
    made = course(p5=HYDRA)
    below, above = chart(made), traffic(made, (Ship("A", "Ann", "red", at("5b")),), "6b 5c2")
    assert below.get("viewBox") == above.get("viewBox")
    assert (below.get("aria-hidden"), above.get("role")) == ("true", "img"), "it is told once"
    moving, fixed = traffic_svg(made, 4, (), [at("6b")], ENGLISH, style=False), chart_svg(made, 4, ENGLISH, style=False)
    assert 10 * len(moving) < len(fixed)


def test_all_places_are_numbered_clockwise() -> None:
    root = chart(course())
    numbers = [each for each in root.iter(f"{SVG}text") if each.get("class") == "place"]
    assert [each.text for each in numbers] == [str(place) for place in range(1, PLACES + 1)]
    angles = [degrees(atan2(float(each.get("x", 0)), 8 - float(each.get("y", 0)))) % 360 for each in numbers]
    assert angles == pytest.approx([30 * place for place in range(PLACES)], abs=0.1)


def test_the_wheel_in_words_is_its_description() -> None:
    made = course(p5=HYDRA)
    told = wheel_sentences(made, [("Ann", at("5b")), ("Ben", at("1d"))], [at("6b"), at("5c2")], ENGLISH)
    assert told[:5] == (
        "Place 1: Starting Line.",
        "Place 2: Wedge w2.",
        "Place 3: Wedge w3.",
        "Place 4: Wedge w4.",
        "Place 5: Wedge h.",
    )
    assert told[12:] == (
        "Ann is on place 5, dot b on lane 2.",
        "Ben is on the Starting Line at place 1, dot d on lane 4.",
        "Next: place 6, dot b on lane 2 or place 5, dot c2 on lane 3.",
    )
    root = traffic(made, (Ship("A", "Ann", "red", at("5b")), Ship("B", "Ben", "blue", at("1d"))), "6b 5c2")
    assert root.findtext(f"{SVG}desc") == " ".join(told)


def test_nothing_is_said_of_next_dots_when_nobody_may_sail() -> None:
    assert len(wheel_sentences(course(), (), (), ENGLISH)) == PLACES


def test_what_lies_ahead_is_told_nearest_first() -> None:
    made = course(line=1, p11=HYDRA)
    found = ahead(made, at("9b"), (), 4)
    assert list(ahead_sentences(made, found, ENGLISH)) == [
        "Hydra 2 dots ahead on your lane.",
        "Fish and Favor of the Gods 3 dots ahead on lane 3.",
        "Starting Line 4 dots ahead on your lane.",
    ]
    assert next(ahead_sentences(made, found, ITALIAN)) == "Idra a 2 punti sulla tua corsia."
    assert list(ahead_sentences(made, ahead(made, at("10b"), (), 1), ENGLISH)) == ["Hydra 1 dot ahead on your lane."]
