"""Two things at once on two cores: OpenCV and ONNX Runtime do not hold Python's lock while they compute."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

import cv2

__all__ = ["THREAD", "both", "share_cores", "threads_each"]

Here = TypeVar("Here")
There = TypeVar("There")

THREAD = "vision-beside"
"""How the name of the other thread begins."""


def share_cores() -> None:
    """Give OpenCV's own threads half of the cores, as `both` keeps two busy; see `threads_each`."""
    cv2.setNumThreads(threads_each())


def threads_each() -> int:
    """How many threads a library may use for one thing that is asked of it, as `both` asks for two at once.

    Threads that wait for each other after every layer of a small network are slower than one: a table of 36 dice takes
    26 ms a frame on two cores with two threads for each network, and 23 ms with one (November 2026, x86-64).
    """
    return max(1, _cores() // 2)


def both(here: Callable[[], Here], there: Callable[[], There]) -> tuple[Here, There]:
    """What two calls give that know nothing of each other, the second in another thread where there are two cores.

    What that thread has not begun by the time that `here` has ended is called here too, rather than waited for. Ends
    when both have ended; raises what `here` raises, or else what `there` raises.
    """
    if _cores() < 2 or threading.current_thread().name.startswith(THREAD):
        return here(), there()
    later = _worker().submit(there)
    try:
        mine = here()
    except BaseException:
        later.exception()
        raise
    return mine, there() if later.cancel() else later.result()


def _cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def _worker() -> ThreadPoolExecutor:
    """One thread for all readers of a process, made when it is first wanted."""
    return ThreadPoolExecutor(1, THREAD)
