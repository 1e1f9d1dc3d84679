"""Two calls at once give what one after the other gives, and hide no error."""

from __future__ import annotations

import os
import threading

import pytest

from vision import beside
from vision.beside import both

_CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@pytest.mark.skipif(_CORES < 2, reason="one core: nothing runs beside anything")
def test_two_calls_run_at_the_same_time() -> None:
    met = threading.Barrier(2)  # which neither passes without the other
    assert both(lambda: met.wait(20) >= 0, lambda: met.wait(20) >= 0) == (True, True)


def test_on_one_core_one_runs_after_the_other_and_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "_cores", lambda: 1)
    order: list[tuple[str, threading.Thread]] = []
    both(
        lambda: order.append(("here", threading.current_thread())),
        lambda: order.append(("there", threading.current_thread())),
    )
    assert order == [("here", threading.current_thread()), ("there", threading.current_thread())]


def test_what_runs_beside_may_itself_run_two_things_without_waiting_for_itself() -> None:
    assert both(lambda: 1, lambda: both(lambda: 2, lambda: 3)) == (1, (2, 3))


def test_an_error_here_is_raised_only_when_the_other_has_ended() -> None:
    go, ended = threading.Event(), threading.Event()

    def fails() -> None:
        go.set()
        raise ValueError("here")

    def lasts() -> None:
        go.wait(20)
        ended.set()

    with pytest.raises(ValueError, match="here"):
        both(fails, lasts)
    assert ended.is_set()


def test_an_error_beside_is_raised_here() -> None:
    def fails() -> None:
        raise ValueError("there")

    with pytest.raises(ValueError, match="there"):
        both(lambda: 1, fails)


def test_what_the_other_thread_has_no_time_for_is_called_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "_cores", lambda: 2)
    go = threading.Event()
    busy = beside._worker().submit(go.wait, 20)
    try:
        assert both(lambda: 1, threading.current_thread) == (1, threading.current_thread())
    finally:
        go.set()
    assert busy.result()
