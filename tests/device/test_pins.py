"""The pin map: the one that comes along fits a header, and a wrong one is refused by what is wrong with it."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from companion.cli import cli
from device.buttons.base import BUTTONS
from device.errors import ButtonPinError
from device.pins import DEFAULT_PIN_FILE, GROUND_PINS, HEADER, HEADER_PLACES, load_pins

SEATS = range(1, 7)


def test_the_map_serves_six_seats_a_judge_and_a_buzzer_within_one_header():
    plan = load_pins()
    wanted = {(seat, button) for seat in SEATS for button in ("claim", "call")}
    wanted |= {(0, button) for button in ("flip", "uphold", "overrule")}
    assert set(plan.buttons.values()) == wanted
    assert set(plan.lamps) == {(seat, "lamp") for seat in SEATS} | {(0, "good"), (0, "bad")}
    assert plan.buzzer is not None
    numbers = [use.bcm for use in plan.uses]
    assert len(numbers) == len(set(numbers)) == 24
    kinds = {pin.bcm: pin.kind for pin in HEADER}
    assert all(kinds[number] == "gpio" for number in numbers)
    assert not set(numbers) & set(plan.free)
    assert 3 in plan.free, "only GPIO3 can wake a Pi that is shut down"
    assert plan.seats == tuple(SEATS)


def test_the_header_is_that_of_the_raspberry_pi():
    """A few places that everybody who has wired one knows, and the counts."""
    by_place = {pin.place: pin for pin in HEADER}
    assert sorted(by_place) == list(range(1, 41))
    assert GROUND_PINS == (6, 9, 14, 20, 25, 30, 34, 39)
    assert [place for place, pin in by_place.items() if pin.kind == "3V3"] == [1, 17]
    assert [place for place, pin in by_place.items() if pin.kind == "5V"] == [2, 4]
    assert {2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 21: 40, 26: 37}.items() <= HEADER_PLACES.items()
    assert sorted(HEADER_PLACES) == list(range(28))


def test_the_header_agrees_with_the_pin_library():
    from gpiozero.pins.mock import MockFactory

    headers = MockFactory().board_info.headers
    theirs = {pin.number: pin.name for pin in headers["J8"].pins.values()}
    assert len(theirs) == 40
    for pin in HEADER:
        if pin.bcm is not None:
            assert theirs[pin.place] == f"GPIO{pin.bcm}"
        else:
            assert theirs[pin.place] == {"ground": "GND"}.get(pin.kind, pin.kind)


def test_a_plan_can_be_cut_to_the_seats_that_play():
    plan = load_pins().of_seats({0, 2})
    assert {seat for seat, _ in plan.buttons.values()} == {0, 2}
    assert set(plan.lamps) == {(2, "lamp"), (0, "good"), (0, "bad")}
    assert plan.buzzer == load_pins().buzzer


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[seat.1]\nclaim = 17\ncall = 17\n", r"pin 17 is both claim of seat 1 and call of seat 1"),
        ("[seat.1]\nclaim = 17\n[judge]\ngood = 17\n", r"both claim of seat 1 and good of the judge"),
        ("[seat.1]\nclaim = 3\n[free]\n3 = 'shutdown'\n", r"pin 3 is kept free for shutdown"),
        ("[seat.1]\nclaim = 28\n", r"expected a BCM number from 2 to 27"),
        ("[seat.1]\nclaim = 0\n", r"expected a BCM number from 2 to 27"),
        ("[seat.1]\nclaim = 'GPIO17'\n", r"expected a BCM number"),
        ("[seat.1]\nclaim = true\n", r"expected a BCM number"),
        ("[seat.1]\nshout = 17\n", r"'shout' under \[seat.1\] is not known; expected claim, call, switch, hush, lamp"),
        ("[judge]\nclaim = 17\n", r"'claim' under \[judge\] is not known"),
        ("[seat.one]\nclaim = 17\n", r"\[seat.one\] is no seat"),
        ("[seat.0]\nclaim = 17\n", r"\[seat.0\] is no seat"),
        ("seat = 3\n", r"'seat' is not a section"),
        ("[seat]\n1 = 17\n", r"'1' is not a section"),
        ("[lamps]\n1 = 17\n", r"\[lamps\] is not known"),
        ("[free]\n99 = 'x'\n", r"99 under \[free\]"),
        ("[seat.1\n", r"is not TOML"),
    ],
)
def test_a_wrong_map_is_refused_with_what_is_wrong(tmp_path, text, words):
    path = tmp_path / "pins.toml"
    path.write_text(text)
    with pytest.raises(ButtonPinError, match=words) as caught:
        load_pins(path)
    assert str(path) in str(caught.value)


def test_a_map_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ButtonPinError, match="cannot be read"):
        load_pins(tmp_path / "none.toml")


def run(*args):
    return CliRunner().invoke(cli, ["pins", *args])


def test_pins_prints_the_map_as_it_is_read():
    plan = load_pins()
    shown = run()
    assert shown.exit_code == 0
    for use in plan.uses:
        assert f"{use.what} GPIO{use.bcm} (place {use.place})" in shown.output
    rows = [json.loads(line) for line in run("--json").output.splitlines()]
    assert {(row["bcm"], row["seat"], row["what"]) for row in rows} == {
        (use.bcm, use.seat, use.what) for use in plan.uses
    }
    assert {row["what"] for row in rows if row["kind"] == "button"} == set(BUTTONS)
    assert run("--toml").output == DEFAULT_PIN_FILE.read_text()


def test_pins_prints_the_header_with_each_pin_in_its_place():
    header = run().output.split("\n\n")[1].splitlines()
    assert len(header) == 20
    assert header[5].split("|")[0].split() == ["seat", "1", "claim", "GPIO17"]
    assert header[5].split("|")[1].split() == ["11", "12"]
    assert header[5].split("|")[2].split() == ["GPIO18", "buzzer"]
    assert header[0].split("|")[2].split() == ["5", "V", "(never)"]


def test_pins_reads_a_map_of_one_s_own_and_says_what_is_wrong_with_it(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("[seat.1]\nclaim = 21\n")
    assert "seat 1:    claim GPIO21 (place 40)" in run("--pins", str(path)).output
    path.write_text("[seat.1]\nclaim = 99\n")
    refused = run("--pins", str(path))
    assert refused.exit_code == 2
    assert "expected a BCM number" in refused.output
