"""One monotonic clock for frames and presses, injected everywhere so that tests never sleep."""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from typing import Protocol, runtime_checkable

__all__ = [
    "NS_PER_MS",
    "NS_PER_S",
    "Clock",
    "ManualClock",
    "SystemClock",
    "is_of_clock",
    "wait_until",
    "wall_is_synchronised",
]

NS_PER_MS = 1_000_000
NS_PER_S = 1_000_000_000
_OTHER_CLOCK_NS = 10 * NS_PER_S
_STA_UNSYNC = 0x0040
"""Bit of the status that adjtimex(2) tells: nothing keeps the wall clock right."""


@runtime_checkable
class Clock(Protocol):
    """What tells the time in nanoseconds since some fixed moment; it never goes back."""

    def now_ns(self) -> int:
        """Nanoseconds since a fixed moment of this clock, never decreasing."""
        ...


class SystemClock:
    """CLOCK_MONOTONIC, the clock that the kernel stamps button edges and camera buffers with."""

    def now_ns(self) -> int:
        """Nanoseconds of CLOCK_MONOTONIC."""
        return time.monotonic_ns()


class ManualClock:
    """A clock that stands still until it is told to move on.

    With `waits_advance` a wait on this clock moves it on instead of blocking, so that a program of one
    thread can be tested without any waiting. Without it a wait blocks until another thread advances
    the clock, and never longer than the wait's own limit in real time.
    """

    def __init__(self, start_ns: int = NS_PER_S, *, waits_advance: bool = False) -> None:
        self.waits_advance = waits_advance
        self._now_ns = start_ns
        self._moved = threading.Condition()

    def now_ns(self) -> int:
        """The time it was last set to."""
        with self._moved:
            return self._now_ns

    def advance(self, ns: int) -> int:
        """Move on by `ns` nanoseconds, wake whoever waits, and return the new time.

        Raises ValueError for a negative step: a monotonic clock never goes back.
        """
        if ns < 0:
            raise ValueError(f"a monotonic clock cannot go back by {-ns} ns; give a step of 0 or more")
        with self._moved:
            self._now_ns += ns
            self._moved.notify_all()
            return self._now_ns

    def advance_to(self, target_ns: int) -> int:
        """Move on to `target_ns` unless the clock is past it already, and return the time."""
        with self._moved:
            self._now_ns = max(self._now_ns, target_ns)
            self._moved.notify_all()
            return self._now_ns

    def wait_until_ns(self, target_ns: int, limit_s: float) -> bool:
        """Wait for the clock to reach `target_ns`; False when `limit_s` passed first."""
        with self._moved:
            if self.waits_advance:
                reachable = target_ns - self._now_ns <= limit_s * NS_PER_S
                step_ns = target_ns - self._now_ns if reachable else int(limit_s * NS_PER_S)
                self._now_ns += max(0, step_ns)
                self._moved.notify_all()
                return reachable
            return self._moved.wait_for(lambda: self._now_ns >= target_ns, timeout=limit_s)


def wait_until(clock: Clock, target_ns: int, limit_s: float, stop: threading.Event | None = None) -> bool:
    """Wait until `clock` shows `target_ns`, at most `limit_s` seconds; True when it got there.

    A set `stop` ends the wait at once (with a clock that has a wait of its own: before it begins).
    """
    stop = stop or threading.Event()
    if stop.is_set():
        return False
    own_wait = getattr(clock, "wait_until_ns", None)
    if own_wait is not None:
        return bool(own_wait(target_ns, limit_s))
    needed_s = (target_ns - clock.now_ns()) / NS_PER_S
    if needed_s > limit_s:
        stop.wait(max(0.0, limit_s))
        return clock.now_ns() >= target_ns
    while (needed_s := (target_ns - clock.now_ns()) / NS_PER_S) > 0:
        if stop.wait(needed_s):
            return False
    return True


def is_of_clock(stamp_ns: object, now_ns: int) -> bool:
    """Whether a driver's time stamp can be one of the clock that shows `now_ns`: at most 10 s old, not of the future.

    Kernels stamp by one of several clocks. The wall clock is decades away; CLOCK_BOOTTIME, which libcamera's
    documents speak of, is ahead of CLOCK_MONOTONIC by the time that the machine slept, which a Raspberry Pi never does.
    """
    return isinstance(stamp_ns, int) and 0 <= now_ns - stamp_ns <= _OTHER_CLOCK_NS


class _Timex(ctypes.Structure):
    """The head of struct timex of adjtimex(2), with room for the rest of it."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("rest", ctypes.c_byte * 256),
    )


def wall_is_synchronised() -> bool | None:
    """Whether a time server keeps the wall clock right; None where that cannot be told.

    A Raspberry Pi 4 has no clock that runs while it is off: without a network it starts with the time at which it was
    switched off, so wall time without this is a label and nothing more.
    """
    if not sys.platform.startswith("linux"):
        return None
    timex = _Timex(modes=0)  # only asks
    try:
        state = ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.byref(timex))
    except (OSError, AttributeError):
        return None
    return None if state < 0 else not timex.status & _STA_UNSYNC
