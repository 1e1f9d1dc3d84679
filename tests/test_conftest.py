"""The test set-up itself: leaks are seen, skips are told."""

from __future__ import annotations

import threading
from collections import Counter

from tests.conftest import leaked_threads, skip_lines


def test_a_thread_that_goes_on_is_a_leak() -> None:
    stop = threading.Event()
    before = set(threading.enumerate())
    thread = threading.Thread(target=stop.wait, name="stays")
    thread.start()
    try:
        assert [t.name for t in leaked_threads(before, grace_s=0.0)] == ["stays"]
    finally:
        stop.set()
        thread.join()
    assert leaked_threads(before, grace_s=0.0) == []


def test_daemon_threads_and_earlier_threads_are_no_leak() -> None:
    stop = threading.Event()
    earlier = threading.Thread(target=stop.wait)
    earlier.start()
    before = set(threading.enumerate())
    daemon = threading.Thread(target=stop.wait, daemon=True)
    daemon.start()
    try:
        assert leaked_threads(before, grace_s=0.0) == []
    finally:
        stop.set()
        earlier.join()
        daemon.join()


def test_skips_are_summed_by_reason() -> None:
    lines = skip_lines(Counter({"the shared shelf is missing: no ../shared": 3, "no Chromium": 1}))
    assert lines[0] == "NOT TESTED: 3 tests were skipped for lack of the shared shelf"
    assert "NOT TESTED: 1 x no Chromium" in lines
    assert skip_lines(Counter()) == []
