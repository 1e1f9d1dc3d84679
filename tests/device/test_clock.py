from __future__ import annotations

import threading

import pytest

from device.clock import NS_PER_MS, NS_PER_S, Clock, ManualClock, SystemClock, wait_until


@pytest.mark.parametrize("clock", [SystemClock(), ManualClock()], ids=["system", "manual"])
def test_clocks_keep_the_protocol_and_never_go_back(clock):
    assert isinstance(clock, Clock)
    times = [clock.now_ns() for _ in range(100)]
    assert times == sorted(times)


def test_manual_clock_moves_only_when_told():
    clock = ManualClock(5)
    assert clock.now_ns() == 5
    assert clock.advance(10) == 15
    assert clock.advance_to(12) == 15
    with pytest.raises(ValueError, match="cannot go back"):
        clock.advance(-1)


def test_a_wait_on_an_advancing_clock_takes_no_time_and_moves_it_on():
    clock = ManualClock(0, waits_advance=True)
    assert wait_until(clock, 3600 * NS_PER_S, 4000)
    assert clock.now_ns() == 3600 * NS_PER_S
    assert not wait_until(clock, clock.now_ns() + NS_PER_S, 0.5)
    assert clock.now_ns() == 3600 * NS_PER_S + NS_PER_S // 2


def test_a_wait_on_a_standing_clock_ends_when_another_thread_moves_it():
    clock = ManualClock(0)
    reached = []
    waiter = threading.Thread(target=lambda: reached.append(wait_until(clock, 100, 10)))
    waiter.start()
    clock.advance(99)
    clock.advance(1)
    waiter.join(10)
    assert reached == [True]


def test_a_wait_is_bounded_and_can_be_stopped():
    assert not wait_until(ManualClock(0), 1, 0.01)
    stop = threading.Event()
    stop.set()
    clock = SystemClock()
    assert not wait_until(clock, clock.now_ns() + 3600 * NS_PER_S, 3600, stop)
    assert not wait_until(clock, clock.now_ns() + 3600 * NS_PER_S, 0.01)
    assert wait_until(clock, clock.now_ns() + 2 * NS_PER_MS, 5)
