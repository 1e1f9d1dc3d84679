"""The wiring diagram and the labels: drawn from the pin map, nothing forgotten, nothing that could do harm."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from companion.catalogue import Catalogue, languages
from companion.cli import cli
from companion.errors import BadInput
from companion.labels import LABEL_MM, label_pages, labels_of_game
from companion.markers import PAPERS
from companion.wiring import wires_of, wiring_svg
from device.buttons.base import MORE_BUTTONS
from device.pins import DEFAULT_PIN_FILE, GROUND_PINS, HEADER, PinPlan, load_pins
from rules.games import GAMES

REPOSITORY = Path(__file__).resolve().parents[2]
PLAN = load_pins()
KINDS = {pin.place: pin.kind for pin in HEADER}


def texts_of(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    return [each.text or "" for each in root.iter("{http://www.w3.org/2000/svg}text")]


def small_plan() -> PinPlan:
    return PLAN.of_seats({2})


@pytest.mark.parametrize("plan", [PLAN, small_plan()], ids=["whole", "one seat"])
def test_no_wire_can_feed_five_volts_into_a_pin(plan: PinPlan) -> None:
    wires = wires_of(plan)
    assert {KINDS[wire.place] for wire in wires} <= {"gpio", "ground", "3V3"}
    for wire in wires:
        expected = {"ground": "ground", "3V3": "3V3"}.get(wire.contact, "gpio")
        assert KINDS[wire.place] == expected, wire


def test_every_use_has_its_wire_and_every_box_its_ground() -> None:
    wires = wires_of(PLAN)
    assert {(w.place, w.box, w.contact) for w in wires if KINDS[w.place] == "gpio"} == {
        (use.place, use.seat, use.what) for use in PLAN.uses
    }
    grounds = [wire for wire in wires if wire.contact == "ground"]
    assert {wire.box for wire in grounds} == {use.seat for use in PLAN.uses}
    assert len({wire.place for wire in grounds}) == len(grounds) == len(GROUND_PINS)
    assert wires_of(PinPlan((), {}, "empty")) == ()
    buttons_only = PinPlan(tuple(use for use in PLAN.uses if use.kind == "button"), {}, "buttons")
    assert not [wire for wire in wires_of(buttons_only) if wire.contact == "3V3"]


@pytest.mark.parametrize("language", languages())
def test_the_diagram_says_of_every_place_what_goes_there(language: str) -> None:
    catalogue = Catalogue(language)
    told = texts_of(wiring_svg(PLAN, catalogue))
    for place in range(1, 41):
        assert told.count(str(place)) == 1
    for use in PLAN.uses:
        box = "all" if use.seat is None else "seat" if use.seat else "judge"
        name = catalogue.text(f"wiring.box.{box}", seat=use.seat)
        words = f"{name}: {catalogue.text(f'wiring.use.{use.what}')}"
        assert told.count(words) == 1
        at = told.index(words)
        assert told[at - 1] == f"GPIO{use.bcm}"
        assert str(use.place) in told[at - 3 : at - 1], "beside its own place"
    assert told.count(catalogue.text("wiring.never")) == 2
    assert not [text for text in told if text.startswith("wiring.")]


def test_another_map_gives_another_diagram(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(
        DEFAULT_PIN_FILE.read_text().replace("claim = 17", "claim = 2").replace('2 = "an I2C', '17 = "an I2C')
    )
    told = CliRunner().invoke(
        cli, ["print", "wiring", str(tmp_path / "w.svg"), "--pins", str(mine), "--language", "it"]
    )
    assert told.exit_code == 0, told.output
    texts = texts_of((tmp_path / "w.svg").read_text())
    assert texts[texts.index("posto 1: primo pulsante (rivendica)") - 1] == "GPIO2"
    assert CliRunner().invoke(cli, ["print", "wiring", str(tmp_path / "w.pdf")]).exit_code == 2
    assert CliRunner().invoke(cli, ["print", "wiring", str(tmp_path / "no" / "w.svg")]).exit_code == 2
    assert CliRunner().invoke(cli, ["print", "wiring", "--language", "xx"]).exit_code == 2


def test_the_diagram_of_the_guide_is_the_one_of_the_map() -> None:
    kept = (REPOSITORY / "hardware/wiring.svg").read_text(encoding="utf-8")
    assert kept == wiring_svg(PLAN, Catalogue()), "run: companion print wiring hardware/wiring.svg"


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("language", languages())
def test_every_button_of_every_game_has_a_label(game: str, language: str) -> None:
    labels = labels_of_game(game, 3, Catalogue(language))
    assert [seat for seat, _, _ in labels] == [1, 1, 2, 2, 3, 3, *[0] * (len(labels) - 6)]
    assert len(labels) >= 8
    assert all(word and not word.startswith("label.") for _, _, word in labels)
    assert labels[0][2] != labels[1][2]


@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_labels_lie_apart_on_the_paper(paper: str) -> None:
    (page,) = label_pages("lightning-dice", 6, paper, Catalogue())
    width, height = page.size_mm
    words = [label for label in page.labels if label.text in ("Got it!", "Bonus / Thunder")]
    assert len(words) == 12
    assert len({label.at_mm for label in words}) == 12
    for stroke in page.strokes:
        for x, y in (stroke.from_mm, stroke.to_mm):
            assert 8 <= x <= width - 8
            assert 8 <= y <= height - 8
    for label in page.labels[2:]:
        assert 0.55 * label.size_mm * len(label.text) <= LABEL_MM[0] - 5


@pytest.mark.parametrize(("game", "seats"), [("hellas", 2), ("lightning-dice", 0), ("lightning-dice", 7)])
def test_labels_that_there_are_not(game: str, seats: int) -> None:
    with pytest.raises(BadInput, match=r"expected 1 to 6|there are for"):
        labels_of_game(game, seats, Catalogue())


def test_the_command_writes_labels(tmp_path: Path) -> None:
    out = tmp_path / "labels.pdf"
    told = CliRunner().invoke(
        cli, ["print", "labels", "greece-lightning", str(out), "--seats", "4", "--language", "it"]
    )
    assert told.exit_code == 0, told.output
    assert out.read_bytes().startswith(b"%PDF")
    assert b"Nutri l" in out.read_bytes()


@pytest.mark.parametrize("language", languages())
def test_no_word_is_there_for_nothing(language: str) -> None:
    sources = "".join((REPOSITORY / f"companion/{name}.py").read_text() for name in ("wiring", "labels"))
    used = set(re.findall(r'"((?:wiring|label)\.[\w.-]+)"', sources))
    whats = {use.what for use in PLAN.uses} | set(MORE_BUTTONS)
    used |= {f"wiring.use.{what}" for what in whats} | {f"wiring.rule.{number}" for number in range(1, 7)}
    known = Catalogue(language).keys()
    there = {key for key in known if key.startswith(("wiring.", "label."))}
    games = {key for key in there if key.startswith(tuple(f"label.{game}." for game in GAMES))}
    assert sorted(used - there) == []
    assert sorted(there - used - games) == []
    labels = {word for game in GAMES for _, _, word in labels_of_game(game, 2, Catalogue(language))}
    assert {Catalogue(language).text(key) for key in games} == labels
