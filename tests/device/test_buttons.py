"""Every kind of button keeps the same promises; then what is special to pins and keys."""

from __future__ import annotations

import contextlib
import gc
import itertools
import os
import pty
import queue
import random
import sys
import threading

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from device.buttons import Buttons, ButtonTrouble, Press
from device.buttons.base import BUTTONS
from device.buttons.dashboard import DashboardButtons
from device.buttons.gpio import GpioButtons, lgpio_factory
from device.buttons.keyboard import DEFAULT_KEYS, KeyboardButtons
from device.buttons.simulated import SimulatedButtons
from device.clock import ManualClock
from device.errors import ButtonBackendError, ButtonBackendMissing, ButtonDirectoryError, ButtonPinError

MS = 1_000_000
PINS = {17: (1, "claim"), 27: (1, "call"), 22: (2, "claim"), 23: (2, "call"), 24: (0, "overrule")}


class TickPin(MockPin):
    """A mock pin whose edges carry the kernel time that the test gives, as those of lgpio do."""

    def drive(self, high, at_ns):
        self._state = bool(high)
        self._last_change = at_ns / 1e9
        self._call_when_changed()


@pytest.fixture
def factory():
    made = MockFactory(pin_class=TickPin)
    yield made
    made.reset()


class Driver:
    """Presses a button of some kind in the way that kind is pressed, and collects what comes out."""

    def __init__(self, buttons, clock, press, *, kernel_timed, source):
        self.buttons, self.clock, self._press = buttons, clock, press
        self.kernel_timed, self.source = kernel_timed, source
        self.out = queue.SimpleQueue()

    def start(self, on_press=None):
        self.buttons.start(on_press or self.out.put)

    def press(self, seat, button):
        """Press, and return the time of the press."""
        at_ns = self.clock.now_ns()
        self._press(seat, button, at_ns)
        return at_ns

    def next(self):
        return self.out.get(timeout=10)


@contextlib.contextmanager
def driver(kind, factory):
    clock = ManualClock(1_000 * MS)
    if kind == "simulated":
        buttons = SimulatedButtons(clock)
        yield Driver(buttons, clock, lambda s, b, at: buttons.press(s, b), kernel_timed=True, source="simulated")
    elif kind == "dashboard":
        buttons = DashboardButtons()
        yield Driver(buttons, clock, buttons.press, kernel_timed=False, source="dashboard")
    elif kind == "gpio":
        buttons = GpioButtons(clock, PINS, make_factory=lambda: factory)
        number_of = {what: number for number, what in PINS.items()}

        def press(seat, button, at_ns):
            pin = factory.pin(number_of[seat, button])
            pin.drive(False, at_ns)
            clock.advance(40 * MS)
            pin.drive(True, at_ns + 40 * MS)

        yield Driver(buttons, clock, press, kernel_timed=True, source="gpio")
        buttons.stop()
    else:
        read_fd, write_fd = os.pipe()
        with os.fdopen(read_fd) as stream:
            buttons = KeyboardButtons(clock, stream=stream)
            key_of = {what: key for key, what in DEFAULT_KEYS.items()}
            yield Driver(
                buttons, clock, lambda s, b, at: os.write(write_fd, key_of[s, b].encode()),
                kernel_timed=False, source="keyboard",
            )  # fmt: skip
            buttons.stop()
        os.close(write_fd)


@pytest.fixture(params=["simulated", "dashboard", "gpio", "keyboard"])
def pressed(request, factory):
    before = threading.active_count()
    with driver(request.param, factory) as made:
        yield made
        made.buttons.stop()
    assert threading.active_count() == before, "a thread was left over"


def test_a_press_comes_out_whole(pressed):
    assert isinstance(pressed.buttons, Buttons)
    pressed.start()
    for seat, button in ((1, "claim"), (2, "call"), (0, "overrule")):
        at_ns = pressed.press(seat, button)
        assert pressed.next() == Press(seat, button, at_ns, pressed.source, pressed.kernel_timed)
        pressed.clock.advance(100 * MS)


def test_nothing_comes_after_stop_and_all_works_after_a_new_start(pressed):
    pressed.start()
    pressed.press(1, "claim")
    pressed.next()
    pressed.clock.advance(100 * MS)
    pressed.buttons.stop()
    pressed.buttons.stop()
    if pressed.source != "gpio":  # the pins are given back
        pressed.press(2, "claim")
        if pressed.source == "keyboard":
            os.read(pressed.buttons._stream.fileno(), 8)  # the key waits in the pipe; take it out
    pressed.start()
    pressed.clock.advance(100 * MS)
    pressed.press(1, "call")
    assert pressed.next().button == "call"
    assert pressed.out.empty()


def test_a_failing_callback_is_logged_and_stops_nothing(pressed, caplog):
    calls = []

    def on_press(press):
        calls.append(press)
        if len(calls) == 1:
            raise RuntimeError("the callback is broken")
        pressed.out.put(press)

    pressed.start(on_press)
    pressed.press(1, "claim")
    pressed.clock.advance(100 * MS)
    pressed.press(2, "claim")
    assert pressed.next().seat == 2
    assert "the callback is broken" in caplog.text


def test_a_second_start_replaces_the_callback(pressed):
    old, new = [], queue.SimpleQueue()
    pressed.start(old.append)
    pressed.start(new.put)
    pressed.press(1, "claim")
    assert new.get(timeout=10).seat == 1
    assert old == []


@pytest.mark.parametrize(("seat", "button"), [(1, "shout"), (-1, "claim")])
def test_unknown_buttons_are_refused_by_name(seat, button, factory):
    for act in (
        lambda: SimulatedButtons(ManualClock()).press(seat, button),
        lambda: DashboardButtons().press(seat, button, 0),
        lambda: GpioButtons(ManualClock(), {17: (seat, button)}, make_factory=lambda: factory),
        lambda: KeyboardButtons(ManualClock(), {"a": (seat, button)}),
    ):
        with pytest.raises(ButtonPinError):
            act()


# Pins


def started(factory, clock, pins=PINS):
    out = queue.SimpleQueue()
    buttons = GpioButtons(clock, pins, make_factory=lambda: factory)
    buttons.start(out.put)
    return buttons, out


def test_a_bouncing_press_on_a_pin_counts_once_with_its_first_kernel_edge(factory):
    clock = ManualClock(0)
    buttons, out = started(factory, clock)
    gc.collect()  # gpiozero holds the callback weakly
    pin = factory.pin(17)
    for at_ns, high in ((5_000_000, 0), (5_400_000, 1), (6_100_000, 0), (7_900_000, 1), (8_123_456, 0)):
        pin.drive(high, at_ns)
    clock.advance_to(30 * MS)
    assert out.get(timeout=10) == Press(1, "claim", 5_000_000, "gpio", True)
    pin.drive(True, 90 * MS)
    pin.drive(False, 91 * MS)
    pin.drive(True, 92 * MS)
    factory.pin(22).drive(False, 120 * MS)
    clock.advance_to(200 * MS)
    assert out.get(timeout=10) == Press(2, "claim", 120 * MS, "gpio", True)
    assert out.empty()
    buttons.stop()


def test_the_nanosecond_survives_the_library_s_seconds(factory):
    """A double holds seconds of up to 100 days of running to better than 2 ns; races are judged in ms."""
    at_ns = 8_640_000 * 1_000_000_000 + 123_456_789
    clock = ManualClock(at_ns - 50 * MS)
    buttons, out = started(factory, clock)
    factory.pin(17).drive(False, at_ns)
    clock.advance_to(at_ns + 50 * MS)
    assert abs(out.get(timeout=10).edge_ns - at_ns) <= 2
    buttons.stop()


@pytest.mark.parametrize("order", list(itertools.permutations((17, 22, 24))))
def test_who_was_first_follows_the_edges_and_not_the_wiring(order, factory):
    clock = ManualClock(0)
    buttons, out = started(factory, clock)
    rng = random.Random(str(order))
    edges = []
    for place, number in enumerate(order):
        start_ns = 10 * MS + place * 1000  # one microsecond apart
        bounce_ns = rng.randrange(300_000, 6 * MS)
        edges += [
            (start_ns, number, False),
            (start_ns + bounce_ns // 2, number, True),
            (start_ns + bounce_ns, number, False),
        ]
    for at_ns, number, high in sorted(edges):
        factory.pin(number).drive(high, at_ns)
    clock.advance_to(100 * MS)
    assert [PINS[number] for number in order] == [
        (press.seat, press.button) for press in (out.get(timeout=10) for _ in order)
    ]
    buttons.stop()


def test_presses_of_the_same_nanosecond_are_told_as_equal(factory):
    clock = ManualClock(0)
    buttons, out = started(factory, clock)
    for number in (22, 17):
        factory.pin(number).drive(False, 10 * MS)
    clock.advance_to(100 * MS)
    presses = {out.get(timeout=10) for _ in range(2)}
    assert {press.edge_ns for press in presses} == {10 * MS}
    assert {press.seat for press in presses} == {1, 2}
    buttons.stop()


def test_the_pin_callback_only_queues_while_the_consumer_blocks(factory):
    clock = ManualClock(0)
    gate, out = threading.Event(), queue.SimpleQueue()

    def slow(press):
        assert gate.wait(10)
        out.put(press)

    buttons = GpioButtons(clock, PINS, make_factory=lambda: factory)
    buttons.start(slow)
    for turn in range(5):
        factory.pin(17).drive(False, (10 + 100 * turn) * MS)
        factory.pin(17).drive(True, (50 + 100 * turn) * MS)
        clock.advance_to((60 + 100 * turn) * MS)
    gate.set()
    assert [out.get(timeout=10).edge_ns for _ in range(5)] == [(10 + 100 * turn) * MS for turn in range(5)]
    buttons.stop()


def test_a_button_held_at_the_start_is_no_press(factory):
    factory.pin(17)._state = False
    clock = ManualClock(0)

    class HeldPin(TickPin):
        def _set_pull(self, value):
            self._pull = value
            self._state = self.info.name != "GPIO17"

    held = MockFactory(pin_class=HeldPin)
    buttons, out = started(held, clock)
    held.pin(17).drive(True, 20 * MS)
    held.pin(17).drive(False, 60 * MS)
    clock.advance_to(100 * MS)
    assert out.get(timeout=10).edge_ns == 60 * MS
    buttons.stop()
    held.reset()


def test_bounce_time_stays_off(factory):
    buttons, _ = started(factory, ManualClock(0))
    assert all(factory.pin(number).bounce is None for number in PINS)
    buttons.stop()


@pytest.mark.parametrize(
    ("pins", "words"),
    [
        ({40: (1, "claim")}, "pin 40"),
        ({0: (1, "claim")}, "pin 0"),
        ({17: (1, "claim"), 27: (1, "claim")}, "17 and 27 are both claim of seat 1"),
    ],
)
def test_wrong_pin_maps_are_refused(pins, words):
    with pytest.raises(ButtonPinError, match=words):
        GpioButtons(ManualClock(), pins)


def test_a_missing_pin_library_is_named_and_nothing_else_is_taken(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    with pytest.raises(ButtonBackendMissing, match="lgpio"):
        lgpio_factory()
    assert list(tmp_path.iterdir()) == []


def test_a_working_directory_that_cannot_be_written_is_named(monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(ButtonDirectoryError, match="working directory"):
        lgpio_factory()


def test_a_pin_that_is_taken_is_told_and_all_pins_are_given_back(factory):
    class BusyPin(TickPin):
        def _set_function(self, value):
            if self.info.name == "GPIO22":
                raise OSError("GPIO busy")
            super()._set_function(value)

    busy = MockFactory(pin_class=BusyPin)
    buttons = GpioButtons(ManualClock(), PINS, make_factory=lambda: busy)
    with pytest.raises(ButtonBackendError, match="GPIO busy"):
        buttons.start(lambda press: None)
    assert buttons._held_pins == []


# What is wrong with a switch or a wire


def troubled(factory, clock):
    """Started buttons whose presses and troubles come out of two queues."""
    out, troubles = queue.SimpleQueue(), queue.SimpleQueue()
    buttons = GpioButtons(clock, PINS, make_factory=lambda: factory, on_trouble=troubles.put)
    buttons.start(out.put)
    return buttons, out, troubles


def test_a_spike_on_two_wires_at_once_is_told_as_crosstalk_and_is_no_press(factory):
    clock = ManualClock(0)
    buttons, out, troubles = troubled(factory, clock)
    for number, at_ns, high in ((17, 5 * MS, 0), (22, 5_050_000, 0), (17, 5_200_000, 1), (22, 5_300_000, 1)):
        factory.pin(number).drive(high, at_ns)
    clock.advance_to(60 * MS)
    told = [troubles.get(timeout=10) for _ in range(3)]
    assert ButtonTrouble("together", ((1, "claim"), (2, "claim")), 5 * MS) in told
    assert {(t.kind, t.buttons) for t in told if t.kind == "spike"} == {
        ("spike", ((1, "claim"),)),
        ("spike", ((2, "claim"),)),
    }
    assert out.empty()
    buttons.stop()


def test_two_people_within_a_fifth_of_a_millisecond_both_count_and_are_told(factory):
    clock = ManualClock(0)
    buttons, out, troubles = troubled(factory, clock)
    factory.pin(22).drive(False, 5 * MS)
    factory.pin(17).drive(False, 5 * MS + 150_000)
    clock.advance_to(60 * MS)
    assert [out.get(timeout=10).seat for _ in range(2)] == [2, 1]
    assert troubles.get(timeout=10).kind == "together"
    buttons.stop()


def test_a_button_that_stays_down_is_told_once_and_holds_nobody_up(factory):
    clock = ManualClock(0)
    buttons, out, troubles = troubled(factory, clock)
    factory.pin(17).drive(False, 5 * MS)
    clock.advance_to(60 * MS)
    assert out.get(timeout=10).seat == 1
    clock.advance_to(10_100 * MS)
    assert troubles.get(timeout=10) == ButtonTrouble("stuck", ((1, "claim"),), 5 * MS)
    factory.pin(22).drive(False, 10_150 * MS)
    clock.advance_to(10_200 * MS)
    assert out.get(timeout=10).seat == 2
    assert out.empty()
    assert troubles.empty()
    buttons.stop()


def test_edges_of_another_clock_still_give_presses_but_none_that_decides_a_race(factory):
    clock = ManualClock(1_000_000 * MS)
    buttons, out, troubles = troubled(factory, clock)
    epoch_ns = 1_795_000_000 * 10**9
    factory.pin(17).drive(False, epoch_ns)
    assert troubles.get(timeout=10).kind == "clock"
    clock.advance(60 * MS)
    press = out.get(timeout=10)
    assert (press.seat, press.kernel_timed) == (1, False)
    assert abs(press.edge_ns - clock.now_ns()) <= 100 * MS
    factory.pin(22).drive(False, clock.now_ns())
    clock.advance(60 * MS)
    assert out.get(timeout=10).kernel_timed, "another line is judged by its own stamps"
    buttons.stop()


def test_a_listener_for_troubles_that_fails_is_logged_and_stops_nothing(factory, caplog):
    clock = ManualClock(0)
    out = queue.SimpleQueue()

    def broken(trouble):
        raise RuntimeError("the listener is broken")

    buttons = GpioButtons(clock, PINS, make_factory=lambda: factory, on_trouble=broken)
    buttons.start(out.put)
    for number in (17, 22):
        factory.pin(number).drive(False, 5 * MS)
    clock.advance_to(60 * MS)
    assert {out.get(timeout=10).seat for _ in range(2)} == {1, 2}
    factory.pin(24).drive(False, 70 * MS)
    clock.advance_to(200 * MS)
    assert out.get(timeout=10).seat == 0
    assert "the listener is broken" in caplog.text
    buttons.stop()


# Keys


def test_a_real_terminal_gives_single_keys_and_is_put_back():
    import termios

    parent_fd, child_fd = pty.openpty()
    before = termios.tcgetattr(child_fd)
    out = queue.SimpleQueue()
    with os.fdopen(child_fd, "rb", buffering=0) as stream:
        buttons = KeyboardButtons(ManualClock(7), stream=stream)
        buttons.start(out.put)
        os.write(parent_fd, b"x")  # unknown
        os.write(parent_fd, b"2")
        assert out.get(timeout=10) == Press(2, "claim", 7, "keyboard", False)
        os.write(parent_fd, b"wo")
        assert [out.get(timeout=10).button for _ in range(2)] == ["call", "overrule"]
        buttons.stop()
        assert termios.tcgetattr(stream.fileno()) == before
    os.close(parent_fd)


def test_the_default_keys_cover_six_seats_and_the_judge_once_each():
    assert len(set(DEFAULT_KEYS.values())) == len(DEFAULT_KEYS) == 16
    assert {button for _, button in DEFAULT_KEYS.values()} == {*BUTTONS, "hush"}
    with pytest.raises(ButtonPinError, match="not one key"):
        KeyboardButtons(ManualClock(), {"ab": (1, "claim")})
