"""Drawings of wedges: they show every dot, path and mark, say the same in words, and come out the same each time."""

from __future__ import annotations

import re
import tomllib
from importlib import resources
from math import hypot
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from companion.catalogue import Catalogue
from companion.cli import cli
from companion.course.geometry import DOT, INNER, curve_of, dot_angle, outer_radius, polar, radius_of
from companion.course.icons import ICON, SHAPES
from companion.course.pack_drawings import pack_drawings
from companion.course.wedge_svg import wedge_svg
from companion.course.words import mark_words, wedge_sentences, wedge_title
from rules.greece_lightning.components import Mark
from rules.greece_lightning.pack import default_pack, wedges_of
from rules.greece_lightning.template import pack_template
from rules.greece_lightning.wedges import Wedge
from tests.rules.greece_lightning.course_parts import ONE_EACH, shipped, wedge

SVG = "{http://www.w3.org/2000/svg}"
ENGLISH, ITALIAN = Catalogue("en"), Catalogue("it")
LINE = shipped().starting_line.graph
WEDGES = [*wedges_of(shipped()).values(), LINE]


def drawn(each: Wedge, catalogue: Catalogue = ENGLISH) -> ElementTree.Element:
    return ElementTree.fromstring(wedge_svg(each, shipped().lanes, catalogue))


def of_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [each for each in root.iter() if name in each.get("class", "").split()]


def numbers(element: ElementTree.Element, *names: str) -> tuple[float, ...]:
    return tuple(float(element.get(name, "0")) for name in names)


@pytest.mark.parametrize("each", WEDGES, ids=lambda each: each.id)
def test_a_drawing_shows_every_dot_path_mark_and_number(each: Wedge) -> None:
    root = drawn(each)
    assert [text.text for text in of_class(root, "name")] == [dot.id for dot in each.dots]
    assert len(of_class(root, "dot")) == len(each.dots)
    assert len(of_class(root, "route")) == len(of_class(root, "arrow")) == len(each.paths)
    titles = [group.findtext(f"{SVG}title") for group in root.iter(f"{SVG}g")]
    marks = [mark for dot in each.dots for mark in dot.marks]
    if each.line:
        marks = [Mark.FISH, Mark.WEDGE, Mark.FAVOR]
    assert titles == [mark_words(mark, ENGLISH) for mark in marks]
    assert [text.text for text in of_class(root, "number")] == [
        str(path.number) for path in each.paths if path.number is not None
    ]
    assert len(of_class(root, "start")) == bool(each.line)


@pytest.mark.parametrize("each", WEDGES, ids=lambda each: each.id)
def test_dots_lie_on_the_wedge_and_numbers_beside_them_and_on_their_paths(each: Wedge) -> None:
    root = drawn(each)
    rim = outer_radius(shipped().lanes)
    dots = [numbers(dot, "cx", "cy") for dot in of_class(root, "dot")]
    for (x, y), dot in zip(dots, each.dots, strict=True):
        assert hypot(x, y) == pytest.approx(radius_of(dot.lane_tenths), abs=0.2)
        assert INNER < hypot(x, y) < rim
    for number, (x, y) in enumerate(dots):
        assert all(hypot(x - a, y - b) > 2 * DOT for a, b in dots[:number]), "two dots overlap"
    plates = [numbers(plate, "cx", "cy") for plate in of_class(root, "plate")]
    curves = [curve_of(path, each) for path in each.paths if path.number is not None]
    for number, ((x, y), curve) in enumerate(zip(plates, curves, strict=True)):
        assert all(hypot(x - a, y - b) > ICON + 4 for a, b in dots), "a number hides a dot"
        assert all(hypot(x - a, y - b) > 16 for a, b in plates[:number]), "a number hides another"
        assert min(hypot(x - at.x, y - at.y) for at in (curve.at(part / 200) for part in range(201))) < 0.5


def test_paths_run_from_edge_to_edge_on_their_lanes() -> None:
    each = wedge("plain", *ONE_EACH)
    curves = [curve_of(path, each) for path in each.paths]
    first, last = curves[0], curves[-1]
    assert first.start == polar(radius_of(10), -15)
    assert last.end == polar(radius_of(40), 15)
    assert dot_angle(50) == 0
    assert dot_angle(100, middle=90) == 105


@pytest.mark.parametrize("catalogue", [ENGLISH, ITALIAN], ids=["en", "it"])
@pytest.mark.parametrize("each", WEDGES[:13:4] + WEDGES[-1:], ids=lambda each: each.id)
def test_title_and_description_are_its_text_alternative_in_its_language(each: Wedge, catalogue: Catalogue) -> None:
    root = drawn(each, catalogue)
    assert (root.get("role"), root.get("aria-labelledby"), root.get("lang")) == (
        "img",
        "title desc",
        catalogue.language,
    )
    assert root.findtext(f"{SVG}title") == wedge_title(each, catalogue)
    told = root.findtext(f"{SVG}desc")
    assert told == " ".join(wedge_sentences(each, 4, catalogue))
    assert all(f"{dot.id}, " in told for dot in each.dots)


def test_a_wedge_is_told_in_words() -> None:
    each = wedge(
        "w&1", *ONE_EACH[:1], "in2 > b", "b =0> out1", "b =1> c3", "b =2> out2", "in3 > c > c3 > out3", ONE_EACH[3],
        symbol="owl", b="scylla", c3="fish favor",
    )  # fmt: skip
    first, second = "lane 1 of the next wedge", "lane 2 of the next wedge"
    assert wedge_sentences(each, 4, ENGLISH) == (
        "Starting symbol: owl.",
        "5 dots.",
        "Lane 1 comes in to a.",
        "Lane 2 comes in to b.",
        "Lane 3 comes in to c.",
        "Lane 4 comes in to d.",
        "a, on lane 1: on to lane 1 of the next wedge.",
        f"b, on lane 2, with Scylla: on to {first} for 0 Fish, c3 for 1 Fish, or {second} for 2 Fish.",
        "c3, on lane 3, with Fish and Favor of the Gods: on to lane 3 of the next wedge.",
        "c, on lane 3: on to c3.",
        "d, on lane 4: on to lane 4 of the next wedge.",
    )
    assert "c3 per 1 Pesce o la corsia 2 dello spicchio seguente per 2 Pesci" in wedge_sentences(each, 4, ITALIAN)[7]
    assert drawn(each).findtext(f"{SVG}title") == "Wedge w&1"


def test_what_lies_between_lanes_and_a_charybdis_are_told() -> None:
    (told,) = [each for each in wedge_sentences(wedges_of(shipped())["charybdis-3"], 4, ENGLISH) if each[:2] == "w,"]
    assert told == "w, between lanes 1 and 2, with Charybdis: on to a2 with a 1, b2 with a 2, or c3 with a 3."


def test_every_mark_has_a_shape_of_its_own() -> None:
    assert set(SHAPES) == set(Mark)
    assert len(set(SHAPES.values())) == len(Mark)


def test_a_wedge_with_two_marks_on_a_dot_shows_both_beside_each_other() -> None:
    root = drawn(wedge("two", *ONE_EACH, b="fish hydra"))
    places = [re.findall(r"-?[\d.]+", group.get("transform", "")) for group in root.iter(f"{SVG}g")]
    (x1, y1), (x2, y2) = ([float(value) for value in place] for place in places)
    assert hypot(x1 - x2, y1 - y2) >= 2 * ICON - 0.2


# --- the drawings of a pack, and the command


def run(*arguments: object) -> Any:
    return CliRunner().invoke(cli, [str(each) for each in arguments], prog_name="companion")


def test_the_same_pack_gives_the_same_drawings() -> None:
    once, again = (dict(pack_drawings(default_pack(), (), Catalogue("en"))) for _ in range(2))
    assert once == again
    assert len(once) == 29
    assert len(set(once.values())) == 29


def test_the_command_draws_each_wedge_and_the_starting_line(tmp_path: Path) -> None:
    done = run("pack", "draw", "greece-lightning", "-o", tmp_path / "new" / "drawings", "--language", "it")
    assert done.exit_code == 0, done.output
    files = sorted((tmp_path / "new" / "drawings").glob("*"))
    assert sorted(done.output.split()) == [str(file) for file in files]
    assert {file.stem for file in files} == {each.id for each in WEDGES}
    assert '<title id="title">Linea di partenza</title>' in (files[0].parent / "starting-line.svg").read_text()


def test_a_wedge_that_is_wrong_is_told_and_the_others_are_drawn(tmp_path: Path) -> None:
    shipped_text = resources.files("rules.greece_lightning").joinpath("assumed_pack.toml").read_text(encoding="utf-8")
    line = '    "w =3> c3",\n'
    path = tmp_path / "pack.toml"
    path.write_text(shipped_text.replace(line, "", 1), encoding="utf-8")
    done = run("pack", "draw", "greece-lightning", path, "-o", tmp_path / "out")
    assert done.exit_code == 1
    lines = path.read_text(encoding="utf-8").split("\n")
    wedge = lines.index('id = "charybdis-1"')
    dot = next(number for number, text in enumerate(lines) if number > wedge and text.strip().startswith('{ id = "w"'))
    told = f"error: line {dot + 1}: wedge charybdis-1: No path out of the charybdis w has the number 3."
    assert told in done.output
    names = {file.stem for file in (tmp_path / "out").iterdir()}
    assert names == {each.id for each in WEDGES} - {"charybdis-1"}


def test_an_untouched_template_draws_nothing_and_says_why(tmp_path: Path) -> None:
    path = tmp_path / "pack.toml"
    path.write_text(pack_template(), encoding="utf-8")
    done = run("pack", "draw", "greece-lightning", path, "-o", tmp_path / "out")
    assert done.exit_code == 1
    assert ": wedge stack-1: It has no dots" in done.output
    assert list((tmp_path / "out").iterdir()) == []


def test_names_that_are_no_file_names_and_names_that_meet_are_told_apart() -> None:
    plain = default_pack()
    plain["wedge"][0]["id"], plain["wedge"][1]["id"] = "../Owl 1", "owl/1"
    names = [name for name, _ in pack_drawings(plain, (), ENGLISH)]
    assert len(set(names)) == 29
    assert {"owl-1", "owl-1-2", "owl-1-3"} <= set(names)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["lightning-dice", "-o", "x"], "The packs of lightning-dice have nothing to draw"),
        (["chess", "-o", "x"], "No game is called 'chess'"),
        (["greece-lightning", "nowhere.toml", "-o", "x"], "nowhere.toml cannot be opened"),
        (["greece-lightning", "-o", "/proc/nowhere"], "/proc/nowhere cannot be written to"),
        (["greece-lightning", "-o", "x", "--language", "xx"], "There is no catalogue for the language 'xx'"),
        (["greece-lightning"], "Missing option '-o'"),
    ],
)
def test_what_cannot_be_drawn_is_told_in_a_line(
    arguments: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("pack", "draw", *arguments)
    assert done.exit_code == 2
    assert words in done.output
    assert "Traceback" not in done.output
    assert list(tmp_path.iterdir()) == []


def test_check_and_template_know_the_game_too(tmp_path: Path) -> None:
    checked = run("pack", "check", "greece-lightning")
    assert checked.exit_code == 0
    assert "The shipped pack can be played with: 0 errors, 113 values assumed, 0 remarks." in checked.output
    template = run("pack", "template", "greece-lightning")
    assert tomllib.loads(template.output) == tomllib.loads(pack_template())


def test_what_is_no_pack_draws_nothing(tmp_path: Path) -> None:
    path = tmp_path / "pack.toml"
    path.write_text('game = "greece-lightning"\n', encoding="utf-8")
    done = run("pack", "draw", "greece-lightning", path, "-o", tmp_path / "out")
    assert done.exit_code == 1
    assert "error: pack: The field starting_line is missing." in done.output
    assert list((tmp_path / "out").iterdir()) == []
