"""What the pages about the hardware say is so: commands, checks, steps, pictures, words."""

from __future__ import annotations

import math
import re
import shlex

import click
import pytest

from companion.catalogue import Catalogue
from companion.cli import COMMANDS, cli
from companion.doctor.examination import CHECKS, PICTURE_CHECKS
from companion.setup.steps import STEPS
from companion.wiring import wires_of
from device.pins import HEADER, load_pins
from tests.hardware.scripts import HARDWARE, script

PAGES = {path.relative_to(HARDWARE).as_posix(): path.read_text(encoding="utf-8") for path in HARDWARE.rglob("*.md")}
COMMAND = re.compile(r"`companion ([^`]+)`|^ *(?:sudo [^\n`]*/run|\./run) ((?:doctor|setup|table|print)[^\n#]*)$", re.M)


def commands_of(text: str) -> list[list[str]]:
    """The words of every command of ours in a page; a line end inside backticks is a space."""
    found = ["".join(each) for each in COMMAND.findall(re.sub(r"(?<=`)([^`\n]*)\n +([^`\n]*)(?=`)", r"\1 \2", text))]
    return [shlex.split(each.partition(">")[0].rstrip("|")) for each in found]


def test_the_pages_are_found_and_their_commands() -> None:
    assert set(PAGES) == {
        "README.md",
        "assembly.md",
        "lighting/README.md",
        "pi/README.md",
        "pi/on-a-pi.md",
        "solids/README.md",
    }
    assert ["print", "labels", "lightning-dice"] in commands_of(PAGES["assembly.md"])
    assert len(commands_of(PAGES["assembly.md"])) > 12


@pytest.mark.parametrize("page", sorted(PAGES))
def test_every_command_is_understood(page: str) -> None:
    """Parsed as if it were typed, but not run."""
    for words in commands_of(PAGES[page]):
        assert words[0] in COMMANDS, words
        command: click.Command | None = cli.get_command(click.Context(cli), words[0])
        rest = words[1:]
        while isinstance(command, click.Group) and rest:
            command = command.get_command(click.Context(command), rest.pop(0))
            assert command is not None, words
        assert command is not None
        try:
            context = command.make_context(words[0], rest)
        except click.MissingParameter:
            assert not rest, words  # a command that is only named, as one of a group
            continue
        if words[0] == "doctor" and context.params["names"]:
            assert set(context.params["names"].split(",")) <= set(CHECKS), words
        if words[0] == "setup":
            assert set(context.params["steps"]) <= set(STEPS), words


def test_the_guide_has_every_check_of_the_doctor_and_every_step_of_the_set_up() -> None:
    named: set[str] = set()
    steps: set[str] = set()
    for words in commands_of(PAGES["assembly.md"]):
        if words[0] == "doctor" and "--only" in words:
            named |= set(words[words.index("--only") + 1].split(","))
        if words[0] == "setup":
            steps |= {word for word in words[1:] if word in STEPS}
    assert named == set(CHECKS) - {"settings"}
    assert steps == set(STEPS)


@pytest.mark.parametrize("page", sorted(PAGES))
def test_links_and_pictures_are_there(page: str) -> None:
    here = (HARDWARE / page).parent
    for target in re.findall(r"\]\(([^)]+)\)", PAGES[page]):
        path, _, part = target.partition("#")
        assert (here / path).exists(), target
        if part:
            text = PAGES[page] if not path else (here / path).read_text(encoding="utf-8")
            headings = {
                re.sub(r"[^\w -]", "", each).strip().lower().replace(" ", "-")
                for each in re.findall(r"^#+ (.+)$", text, re.M)
            }
            assert part in headings, target


def test_every_kind_of_light_has_its_picture_and_what_the_doctor_says_of_it() -> None:
    page = PAGES["lighting/README.md"]
    scenes = script("lighting/make_pictures.py").SCENES
    assert set(re.findall(r"\]\(([\w-]+)\.jpg\)", page)) == set(scenes)
    catalogue = Catalogue()
    told = [catalogue.form(f"doctor.{check}.{code}") for check, code in (("light", "ok"), ("light", "dark"))]
    told += [catalogue.form(f"doctor.light.{code}") for code in ("bright", "uneven", "glare")]
    told.append(catalogue.form("doctor.banding.strong"))
    quoted = re.findall(r'\*"([^"]+)[."]+\*', page)
    assert len(quoted) == len(scenes)
    for quote, sentence in zip(quoted, told, strict=True):
        plain = re.sub(r"\{\w+\}", "", sentence)
        words = quote.removesuffix(".").replace("Glare far right", "Glare")
        assert plain.startswith(words), (quote, sentence)


def test_what_was_never_tried_is_said_of_every_part() -> None:
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \|$", PAGES["README.md"].partition("## What was tried")[2], re.M)
    assert len(rows) > 10
    assert all(part and tried and never for part, tried, never in rows)


def test_pictures_of_the_table_are_checked_by_picture() -> None:
    assert set(PICTURE_CHECKS) < set(CHECKS)


PLACES_OF_THE_GUIDE = {
    (1, "claim"): r"the orange wire goes to place (\d+)",
    (1, "call"): r"the green one to place (\d+)",
    (1, "lamp"): r"pin at the Pi \(seat 1: place (\d+)\)",
    (1, "ground"): r"both white wires together to place (\d+)",
    (0, "flip"): r"Orange: flip, place (\d+)",
    (0, "uphold"): r"Green: uphold, place (\d+)",
    (0, "overrule"): r"Blue: overrule, place (\d+)",
    (0, "ground"): r"The whites of orange and green go to place (\d+)",
    (0, "good"): r"\*good\* \(its transistor at place (\d+)\)",
    (0, "bad"): r"that of \*bad\* \(place (\d+)\)",
    (None, "buzzer"): r"to C, the 1 kΩ to place (\d+)",
    (None, "ground"): r"place (\d+) \(ground\) to its blue rail",
}


def test_the_guide_names_the_places_of_the_pin_map() -> None:
    guide = re.sub(r"\s+", " ", PAGES["assembly.md"])
    drawn = {(wire.box, wire.contact): wire.place for wire in wires_of(load_pins())}
    told = {key: [int(place) for place in re.findall(words, guide)] for key, words in PLACES_OF_THE_GUIDE.items()}
    assert told == {key: [drawn[key]] for key in PLACES_OF_THE_GUIDE}
    kinds = {pin.place: pin.kind for pin in HEADER}
    positive = re.search(r"Lead place (\d+) \(3\.3 V\) to the red rail", guide)
    assert positive is not None
    assert kinds[int(positive[1])] == "3V3"
    forbidden = re.search(r"Stick tape over places (\d+) and (\d+): they are 5 V", guide)
    assert forbidden is not None
    assert {int(place) for place in forbidden.groups()} == {place for place, kind in kinds.items() if kind == "5V"}


def test_what_to_buy_is_enough_for_the_mast_and_its_height() -> None:
    """Two screws pinch each socket and one is the hinge; the tubes follow from the parts between table and lens."""
    drawing = (HARDWARE / "solids/camera_mast.scad").read_text(encoding="utf-8")
    sockets = len(re.findall(r"tube_socket\(\);", drawing))
    page = PAGES["README.md"]
    screws = {7: "seven", 9: "nine", 11: "eleven"}[2 * sockets + 1]
    assert f"{screws} M5 x 30 with nuts" in page
    assert f"{screws} in all" in PAGES["assembly.md"]
    value = {name: float(each) for name, each in re.findall(r"^(\w+) = ([\d.]+);", drawing, re.M)}
    around = value["tube"] + value["tube_gap"] + 2 * value["wall"]  # across a socket
    hinge_below, board_and_lens = 14, 12  # the plate under its hinge; pillars, board and lens under the plate
    above_tube = 3 * value["wall"] + value["wall"] + around / 2 - hinge_below - board_and_lens
    assert above_tube == pytest.approx(20, abs=5)  # "less 2 cm"
    beyond_tube = value["jaw"] / 2 + around / 2 + 2 * value["wall"] + 25
    assert beyond_tube == pytest.approx(90, abs=5)  # "less 9 cm"
    assert "the height of the lens less 2 cm" in re.sub(r"\s+", " ", page)
    assert "edge to the middle of the playing area less 9 cm" in re.sub(r"\s+", " ", page)
    seen_mm = 2 * 620 * math.tan(math.radians(66 / 2))
    found = re.search(
        r"about (\d+) px wide in a picture of 1280 x 720, and a module of an 18 mm marker ([\d.]+) px", page
    )
    assert found is not None
    assert float(found[1]) == pytest.approx(16 * 1280 / seen_mm, abs=1)
    assert float(found[2]) == pytest.approx(18 / 8 * 1280 / seen_mm, abs=0.1)
