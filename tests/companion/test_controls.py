"""Buttons of every kind at a live table: double presses, a seat's only button, silence, and what is wrong with them."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from gpiozero.pins.mock import MockFactory

from companion.catalogue import Catalogue
from companion.cli import cli
from companion.controls import BUTTON_SOURCES, TroubleTeller, again_guard, answer, listen, pressing, trouble_words
from companion.errors import BadInput
from companion.hub import Hub
from companion.live.interpreter import interpreter_for
from device.buttons.again import AgainGuard
from device.buttons.base import MORE_BUTTONS, ButtonTrouble
from device.buttons.gpio import GpioButtons
from device.clock import NS_PER_S, ManualClock, SystemClock
from device.pins import load_pins
from device.speaker import SilentSpeaker
from rules.games import new_match
from rules.lightning_dice.events import Call, Flip, Roll
from tests.companion.helpers import MS, declared, header, press, set_up_events

ALIKE, MIXED = (4,) * 6, (4, 4, 4, 4, 4, 5)


# Double presses


def test_the_second_half_of_a_double_press_is_left_out_and_a_press_after_it_counts() -> None:
    guard = AgainGuard({"claim": 1000}, 600)
    times = [0, 80 * MS, 999 * MS, 1000 * MS, 1500 * MS, 2100 * MS]
    assert [guard.passes(press(1, at_ns)) for at_ns in times] == [True, False, False, True, False, True]
    assert guard.left_out == 3


def test_only_the_same_button_of_the_same_seat_is_held_to_it() -> None:
    guard = AgainGuard({"claim": 1000, "call": 0}, 600)
    presses = [press(1, 0), press(2, 1), press(1, 2, "call"), press(1, 3, "call"), press(0, 4, "uphold")]
    assert all(guard.passes(each) for each in presses)
    assert not guard.passes(press(0, 500 * MS, "uphold"))
    assert guard.passes(press(0, 500 * MS, "overrule"))


def test_an_earlier_edge_that_is_told_late_still_counts() -> None:
    guard = AgainGuard({"claim": 1000}, 600)
    assert guard.passes(press(1, 500 * MS))
    assert guard.passes(press(1, 490 * MS)), "it may be the one that was first"


@pytest.mark.parametrize("wrong", [({"claim": -1}, 0), ({}, 5001)])
def test_a_button_is_never_deaf_for_good(wrong: tuple[dict[str, int], int]) -> None:
    with pytest.raises(ValueError, match="give 0 to 5000"):
        AgainGuard(*wrong)


def test_a_race_is_stepped_quickly_and_calls_are_not() -> None:
    quick, slow = again_guard("greece-lightning", None), again_guard("lightning-dice", None)
    assert [quick.passes(press(1, at * 200 * MS)) for at in range(5)] == [True] * 5
    assert [slow.passes(press(1, at * 200 * MS)) for at in range(5)] == [True] + [False] * 4
    unsteady = again_guard("greece-lightning", 1500)
    assert [unsteady.passes(press(1, at * 400 * MS)) for at in range(5)] == [True] + [False] * 3 + [True]


# A seat's only button


@pytest.mark.parametrize(("faces", "call"), [(ALIKE, Call.NICE_OR_NASTY), (MIXED, Call.GOT_IT)])
def test_a_seat_s_only_button_calls_by_what_its_dice_show(faces: tuple[int, ...], call: Call) -> None:
    match = new_match(header())
    for event in (*set_up_events(), Flip("g01"), Roll(1, faces, thrown=tuple(range(6)))):
        match.submit(declared(event))
    (filed,) = interpreter_for("lightning-dice").presses((press(1, 5, "switch"), press(9, 6, "switch")), match)
    assert [(each.seat, each.call, each.edge_ns, each.kernel_timed) for each in filed.event.presses] == [
        (1, call, 5, True)
    ]


def test_before_its_dice_are_known_a_seat_s_only_button_is_the_first_one() -> None:
    match = new_match(header())
    (filed,) = interpreter_for("lightning-dice").presses((press(2, 5, "switch"),), match)
    assert [each.call for each in filed.event.presses] == [Call.GOT_IT]


def test_more_buttons_may_be_on_pins(tmp_path: Path) -> None:
    path = tmp_path / "pins.toml"
    path.write_text("[seat.1]\nswitch = 17\nhush = 27\n[judge]\nhush = 22\n")
    plan = load_pins(path)
    assert plan.buttons == {17: (1, "switch"), 27: (1, "hush"), 22: (0, "hush")}
    assert {what for _, what in plan.buttons.values()} == set(MORE_BUTTONS)


# At the table


class Table:
    """As much of a live table as buttons need."""

    def __init__(self) -> None:
        self.header = header()
        self.interpreter = interpreter_for("lightning-dice")
        self.pressed: list[Any] = []
        self.press = self.pressed.append
        self.closing: list[Any] = []
        self.on_close = self.closing.append

    def close(self) -> None:
        for each in reversed(self.closing):
            each()


@pytest.fixture
def table() -> Iterator[Any]:
    made = Table()
    yield made
    made.close()


class Hushed(SilentSpeaker):
    """Counts how often it was silenced."""

    times = 0

    def stop(self) -> None:
        self.times += 1


def test_keys_reach_the_table_double_ones_do_not_and_the_space_bar_silences(
    table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_fd, write_fd = os.pipe()
    speaker = Hushed()
    with os.fdopen(read_fd) as stream:
        monkeypatch.setattr("sys.stdin", stream)
        clock = ManualClock()
        listen(table, clock, "keyboard", pressing(table), lambda trouble: None, speaker)
        os.write(write_fd, b"112 2")
        os.close(write_fd)
        thread = table.closing[0].__self__._thread
        thread.join(10)
        assert [(each.seat, each.button) for each in table.pressed] == [(1, "claim"), (2, "claim")]
        assert speaker.times == 1
        table.close()
        table.closing.clear()


def test_pins_are_those_of_the_seats_that_play(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []

    class Made(GpioButtons):
        def __init__(self, clock: Any, pins: Any, **more: Any) -> None:
            super().__init__(clock, pins, make_factory=MockFactory, **more)
            made.append(pins)

    monkeypatch.setattr("device.buttons.gpio.GpioButtons", Made)
    listen(table, SystemClock(), "gpio", table.press, lambda trouble: None, pins=load_pins())
    assert {seat for seat, _ in made[0].values()} == {0, 1, 2}


def test_a_key_map_is_asked_for(table: Any) -> None:
    with pytest.raises(BadInput, match="companion pins --listen"):
        listen(table, SystemClock(), "input", table.press, lambda trouble: None)
    assert set(BUTTON_SOURCES) == {"gpio", "input", "keyboard", "none"}
    listen(table, SystemClock(), "none", table.press, lambda trouble: None)
    assert table.closing == []


def test_without_pins_and_loudspeaker_the_table_goes_on_and_says_why(
    table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    (note,) = answer(table, Hub(), SystemClock(), pins=load_pins(), loud=True)
    assert note.startswith("No lamps: lgpio cannot open the pins") or "lgpio cannot be imported" in note
    assert table.closing == []
    assert answer(table, Hub(), SystemClock(), pins=None, loud=False) == []


# What is wrong with buttons


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("kind", ["spike", "chatter", "stuck", "together", "clock", "gone"])
def test_every_trouble_is_told_with_whose_button_it_is(kind: Any, language: str) -> None:
    words = trouble_words(ButtonTrouble(kind, ((1, "claim"), (0, "flip")), 5), header(), Catalogue(language))
    assert "Ann" in words
    assert ("the judge" if language == "en" else "l'arbitro") in words
    assert "{" not in words
    assert len(words) > 40


@pytest.fixture
def told() -> tuple[TroubleTeller, ManualClock, list[str], SilentSpeaker]:
    clock, shown, speaker = ManualClock(), [], SilentSpeaker()
    return TroubleTeller(header, Catalogue(), clock, shown.append, speaker), clock, shown, speaker


def test_a_stuck_button_is_shown_and_said_once_a_minute(told: Any) -> None:
    teller, clock, shown, speaker = told
    stuck = ButtonTrouble("stuck", ((2, "call"),), 5)
    for _ in range(3):
        teller(stuck)
        clock.advance(10 * NS_PER_S)
    assert len(shown) == 1
    assert "Ben has been down for ten seconds" in shown[0]
    assert [(each.text, each.keep) for each in speaker.said] == [(shown[0], True)]
    clock.advance(40 * NS_PER_S)
    teller(stuck)
    teller(ButtonTrouble("stuck", ((1, "call"),), 5))
    assert len(shown) == 3


@pytest.mark.parametrize(("every_s", "times"), [(10, 1), (31, 0)])
def test_spikes_are_told_only_when_they_keep_coming(told: Any, every_s: int, times: int) -> None:
    teller, clock, shown, _ = told
    for _ in range(6):
        teller(ButtonTrouble("spike", ((1, "claim"),), 5))
        clock.advance(every_s * NS_PER_S)
    assert len(shown) == times


# companion pins --listen


def test_listening_to_keys_where_there_are_none_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.buttons.input_device.KeyListener.__init__.__defaults__", (list,))
    refused = CliRunner().invoke(cli, ["pins", "--listen", "--seconds", "0"])
    assert refused.exit_code == 2
    assert "There is no input device to listen to (none is plugged in)" in refused.output


def test_keys_are_printed_as_lines_of_a_key_map(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from device.buttons import input_device

    pressed = [
        input_device.PressedKey("Encoder", "/dev/input/event3", "BTN_TRIGGER"),
        input_device.PressedKey("Encoder", "/dev/input/event3", "BTN_THUMB"),
    ]

    class Listener:
        refused, devices = 0, ("Encoder",)

        def __enter__(self) -> Any:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def next(self, timeout_s: float) -> Any:
            if not pressed:
                raise KeyboardInterrupt
            return pressed.pop(0)

    monkeypatch.setattr(input_device, "KeyListener", Listener)
    told = CliRunner().invoke(cli, ["pins", "--listen"])
    assert told.exit_code == 130, "Ctrl-C ends it"
    (tmp_path / "keys.toml").write_text(io.StringIO(told.stdout).getvalue())
    (encoder,) = input_device.load_keys(tmp_path / "keys.toml")
    assert (encoder.device, encoder.keys) == ("Encoder", {0x120: (1, "claim"), 0x121: (1, "claim")})
