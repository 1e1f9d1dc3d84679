"""What lamps and buzzer show at every moment, and that no broken one stops the table."""

from __future__ import annotations

import threading

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from device import lamps as named
from device.clock import ManualClock
from device.errors import ButtonBackendError
from device.lamps import BAD, FIRST, GOOD, TURN, GpioLamps, LampBoard, Lamps, Pattern, RememberedLamps
from device.pins import load_pins

MS = 1_000_000
PLAN = load_pins()
SEAT_2, SEAT_5 = PLAN.lamps[2, "lamp"], PLAN.lamps[5, "lamp"]
PATTERNS = {name: value for name, value in vars(named).items() if isinstance(value, Pattern)}


def lit(board, at_ms):
    levels, _ = board.at(at_ms * MS)
    return sorted(number for number, level in levels.items() if level)


def test_a_pattern_is_lit_and_dark_in_turn_and_ends():
    pattern = Pattern((100, 50, 100))
    levels = {at_ms: pattern.at(at_ms * MS)[0] for at_ms in (0, 99, 100, 149, 150, 249, 250, 10_000)}
    assert levels == {0: True, 99: True, 100: False, 149: False, 150: True, 249: True, 250: False, 10_000: False}
    assert pattern.at(40 * MS) == (True, 60 * MS)
    assert pattern.at(250 * MS) == (False, None)
    again = Pattern((100, 50), again=True)
    assert again.at(1_500 * MS) == (True, 100 * MS)
    assert again.at(1_640 * MS) == (False, 10 * MS)


@pytest.mark.parametrize("wrong", [((),), ((100, 0),), ((100, -5),), ((100,), True)])
def test_patterns_that_are_none_are_refused(wrong):
    with pytest.raises(ValueError, match="pattern"):
        Pattern(*wrong)


@pytest.mark.parametrize("name", [name for name in PATTERNS if not name.startswith("BUZZ")])
def test_no_lamp_flashes_more_than_three_times_in_any_second(name):
    """Web Content Accessibility Guidelines 2.2, 2.3.1."""
    pattern = PATTERNS[name]
    starts, before = [], False
    for at_ms in range(0, 6000, 10):
        now, _ = pattern.at(at_ms * MS)
        if now and not before:
            starts.append(at_ms)
        before = now
    assert all(sum(begin <= other < begin + 1000 for other in starts) <= 3 for begin in starts)


def test_what_is_shown_differs_in_rhythm_and_not_in_colour_alone():
    lamp_patterns = [GOOD, BAD, FIRST, TURN]
    assert len({pattern.steps_ms for pattern in lamp_patterns}) == 4
    buzzes = [value.steps_ms for name, value in PATTERNS.items() if name.startswith("BUZZ")]
    assert len({len(steps) for steps in buzzes} | {steps[0] > 400 for steps in buzzes}) >= 4
    assert len(set(buzzes)) == 4


def test_first_shows_over_the_turn_and_the_turn_goes_on_beneath():
    board = LampBoard(PLAN)
    board.light(2, "lamp", TURN, 0)
    assert lit(board, 100) == [SEAT_2]
    assert lit(board, 1000) == []
    board.light(2, "lamp", FIRST, 1000 * MS)
    assert lit(board, 1000) == [SEAT_2]
    assert lit(board, 4900) == [SEAT_2]
    assert lit(board, 1500 * 4 + 1000) == [], "the rhythm of the turn, as if nothing had been"
    assert lit(board, 1500 * 5) == [SEAT_2]
    board.light(2, "lamp", TURN, 7600 * MS)
    assert lit(board, 1500 * 5 + 1000) == [], "told again, it keeps its rhythm"
    board.light(2, "lamp", None, 9000 * MS)
    assert lit(board, 9000) == []
    assert board.at(9000 * MS)[1] is None


def test_each_lamp_is_its_own_and_one_that_the_map_does_not_have_is_left_out():
    board = LampBoard(PLAN)
    board.light(5, "lamp", FIRST, 0)
    board.light(0, "good", GOOD, 0)
    board.light(9, "lamp", FIRST, 0)
    assert lit(board, 10) == sorted([SEAT_5, PLAN.lamps[0, "good"]])
    board.buzz(Pattern((50,)), 100 * MS)
    assert PLAN.buzzer in lit(board, 120)
    assert PLAN.buzzer not in lit(board, 151)
    nothing = LampBoard(PLAN.of_seats(set()))
    nothing.light(1, "lamp", FIRST, 0)
    assert nothing.pins == (PLAN.buzzer,)


def test_the_next_change_is_told():
    board = LampBoard(PLAN)
    assert board.at(0)[1] is None
    board.light(5, "lamp", Pattern((500,)), 0)
    board.buzz(Pattern((60,)), 10 * MS)
    assert board.at(10 * MS)[1] == 70 * MS
    assert board.at(70 * MS)[1] == 500 * MS


# On pins


class Watched(MockPin):
    """Tells every change of its level."""

    changes: list
    came: threading.Condition

    def _set_state(self, value):
        if self.info.name == "GPIO10" and value:  # the lamp of seat 5
            raise OSError("burnt out")
        super()._set_state(value)
        with self.came:
            self.changes.append((self.info.name, bool(value)))
            self.came.notify_all()


@pytest.fixture
def factory():
    Watched.changes, Watched.came = [], threading.Condition()
    made = MockFactory(pin_class=Watched)
    yield made
    made.reset()


def wait_for(change):
    with Watched.came:
        assert Watched.came.wait_for(lambda: change in Watched.changes, 10)


def test_pins_follow_and_end_dark(factory):
    assert isinstance(RememberedLamps(), Lamps)
    before = threading.active_count()
    lamps = GpioLamps(ManualClock(), PLAN, make_factory=lambda: factory)
    assert isinstance(lamps, Lamps)
    assert {level for _, level in Watched.changes} == {False}
    lamps.light(2, "lamp", FIRST)
    wait_for((f"GPIO{SEAT_2}", True))
    lamps.close()
    assert Watched.changes[-1] == (f"GPIO{SEAT_2}", False)
    lamps.close()
    assert threading.active_count() == before


def test_a_broken_lamp_is_left_out_and_told_once(factory, caplog):
    assert SEAT_5 == 10
    lamps = GpioLamps(ManualClock(), PLAN, make_factory=lambda: factory)
    lamps.light(5, "lamp", FIRST)
    lamps.light(2, "lamp", FIRST)
    wait_for((f"GPIO{SEAT_2}", True))
    lamps.light(5, "lamp", TURN)
    lamps.close()
    assert caplog.text.count("burnt out") == 1


def test_a_pin_that_is_taken_is_told(factory):
    class Busy(Watched):
        def _set_function(self, value):
            raise OSError("GPIO busy")

    busy = MockFactory(pin_class=Busy)
    with pytest.raises(ButtonBackendError, match=r"GPIO busy.*serial console"):
        GpioLamps(ManualClock(), PLAN, make_factory=lambda: busy)


def test_the_stand_in_remembers():
    lamps = RememberedLamps()
    lamps.light(1, "lamp", None)
    lamps.buzz(GOOD)
    lamps.close()
    assert (lamps.lit, lamps.buzzed) == ([(1, "lamp", None)], [GOOD])
