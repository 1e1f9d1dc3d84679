"""The real pin library and our own reading of keys, on a stand-in for the kernel under them.

Nothing above the kernel is replaced: gpiozero, its LGPIOFactory and lgpio run as they are on a Raspberry Pi.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from device.pins import load_pins

HERE = Path(__file__).parent
MS = 1_000_000
# linux/gpio.h, GPIO_V2_LINE_FLAG_…
INPUT, EDGES, PULLED_UP, WALL_CLOCK = 1 << 2, 1 << 4 | 1 << 5, 1 << 8, 1 << 11

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the pins of a Pi on a stand-in kernel need Linux"),
    pytest.mark.skipif(shutil.which("gcc") is None, reason="the pins of a Pi on a stand-in kernel need gcc"),
]
needs_lgpio = pytest.mark.skipif(
    importlib.util.find_spec("lgpio") is None, reason="the pins of a Pi on a stand-in kernel need lgpio"
)


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory):
    """The stand-in, compiled."""
    library = tmp_path_factory.mktemp("kernel") / "stand_in.so"
    flags = ["-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-O2"]
    subprocess.run(["gcc", *flags, "-o", str(library), str(HERE / "kernel/stand_in.c")], check=True)
    return library


@pytest.fixture
def scene(stand_in, tmp_path):
    """Plays one scene in a process of its own, in a folder of its own, and returns what it tells."""

    def play(name):
        environment = {**os.environ, "LD_PRELOAD": str(stand_in), "PYTHONPATH": str(HERE.parent.parent)}
        told = subprocess.run(
            [sys.executable, "-m", "tests.device.kernel.scenes", name],
            capture_output=True, text=True, env=environment, cwd=tmp_path, timeout=60, check=False,
        )  # fmt: skip
        assert told.returncode == 0, told.stderr
        return json.loads(told.stdout)

    return play


@needs_lgpio
def test_every_button_is_asked_of_the_kernel_as_an_input_pulled_up_with_both_edges_and_given_back(scene):
    told = scene("lines")
    assert set(told["asked"]) == {str(number) for number in load_pins().buttons}
    for number, (flags, attributes, level) in told["asked"].items():
        assert flags & (INPUT | EDGES | PULLED_UP) == INPUT | EDGES | PULLED_UP, number
        assert not flags & WALL_CLOCK, "edges are to be stamped by the monotonic clock"
        assert attributes == 0, "the kernel's own debounce would stamp an edge late"
        assert level == 1
    assert set(told["left"]) == {-1}, "afterwards no line is held"


@needs_lgpio
def test_presses_a_microsecond_apart_come_out_in_order_with_the_kernel_s_stamp_of_their_first_edge(scene):
    told = scene("order")
    assert [[press["seat"], press["button"]] for press in told["presses"]] == told["wanted"]
    for place, press in enumerate(told["presses"]):
        assert abs(press["after_ns"] - 1000 * place) <= 2, "a double holds seconds to better than 2 ns"
        assert press["timed"]
    assert told["more"] == 0


@needs_lgpio
def test_a_button_that_is_down_at_the_start_is_no_press_until_it_was_let_go(scene):
    press = scene("held")
    assert abs(press["after_ns"] - 40 * MS) <= 2


@needs_lgpio
def test_the_library_s_bounce_time_would_decide_a_race(scene):
    """Why ours is used: the library's stamps a press only once the contact was quiet, here 23 ms late."""
    told = scene("library_bounce")
    assert told["late_ns"] == pytest.approx(23 * MS, abs=MS)


@needs_lgpio
def test_lamps_and_buzzer_drive_their_pins_beside_the_buttons_and_end_dark(scene):
    told = scene("lamps")
    assert told["rest"] == [0] * 9, "dark from the first moment"
    assert all(told["output"])
    assert sorted(told["on"]) == [[0, "bad"], [3, "lamp"]]
    assert set(told["after"]) == {-1}, "given back"
    assert told["press"]["seat"] == 1


def test_the_keys_of_an_encoder_are_presses_with_the_kernel_s_stamp_and_type_nowhere(scene):
    told = scene("keys")
    assert [(press["seat"], press["after_ns"], press["timed"]) for press in told["presses"]] == [
        (2, 0, True),
        (1, 50_000, True),
    ], "the stamps are in whole microseconds, so they are exact"
    assert (told["last"]["seat"], told["last"]["button"]) == (0, "flip")
    assert told["more"] == 0, "repeats of a held key are no presses"
    assert told["grabbed"] == 1


def test_an_encoder_that_is_unplugged_is_told_and_taken_up_again(scene):
    told = scene("unplugged")
    assert told["first"] == 1
    assert told["gone"] == ["gone", [[1, "claim"], [2, "claim"], [0, "flip"]]]
    assert told["again"] == 2


def test_a_foot_switch_that_is_down_at_the_start_is_no_press_until_it_was_let_go(scene):
    assert scene("down_at_start") == {"seat": 1, "button": "claim", "after_ns": 40 * MS, "timed": True}


def test_a_key_tells_what_it_is_called(scene):
    assert scene("learned") == {
        "pressed": ["Stand-in encoder", "/dev/input/event90", "BTN_TRIGGER"],
        "devices": ["Stand-in encoder"],
        "refused": 1,
        "nothing": None,
    }
