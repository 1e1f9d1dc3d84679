"""What every test has: the shared shelf when it is there, no leaked threads, and skips that cannot be overlooked."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from vision import beside

REPOSITORY = Path(__file__).resolve().parent.parent
_NO_SHELF = "the shared shelf is missing"
_THREAD_GRACE_S = 5.0
"""How long a thread that was told to stop may take to end."""


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The shelf of photographs and rulebooks beside the repository; the test is skipped, loudly, without it."""
    place = Path(os.environ.get("TABLETOP_SHARED") or REPOSITORY.parent / "shared")
    if not place.is_dir():
        pytest.skip(f"{_NO_SHELF}: no {os.environ.get('TABLETOP_SHARED') or '../shared'} (set TABLETOP_SHARED to it)")
    return place


def leaked_threads(before: set[threading.Thread], grace_s: float) -> list[threading.Thread]:
    """The non-daemon threads that are alive now and are not in `before`, after waiting for them to end.

    All readers share the one thread of vision.beside, which lives as long as the process.
    """
    new = [thread for thread in threading.enumerate() if thread not in before and not thread.daemon]
    new = [thread for thread in new if not thread.name.startswith(beside.THREAD)]
    for thread in new:
        if thread is not threading.current_thread():
            thread.join(grace_s)
    return [thread for thread in new if thread.is_alive() and thread is not threading.current_thread()]


@pytest.fixture(autouse=True)
def leak_detector() -> Iterator[None]:
    """Fail a test that leaves a non-daemon thread alive."""
    before = set(threading.enumerate())
    yield
    left = leaked_threads(before, _THREAD_GRACE_S)
    if left:
        pytest.fail(f"the test left threads running: {', '.join(sorted(t.name for t in left))}", pytrace=False)


def skip_lines(reasons: Counter[str]) -> list[str]:
    """What the summary says of skipped tests: the sum for lack of the shared shelf, then each reason."""
    if not reasons:
        return []
    lines = []
    shelf = sum(count for reason, count in reasons.items() if _NO_SHELF in reason)
    if shelf:
        lines.append(f"NOT TESTED: {shelf} tests were skipped for lack of the shared shelf")
    lines += [f"NOT TESTED: {count} x {reason}" for reason, count in sorted(reasons.items())]
    return lines


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say loudly what was not tested, and why."""
    reasons: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", []):
        longrepr = report.longrepr
        reason = str(longrepr[2]) if isinstance(longrepr, tuple) else str(longrepr)
        reasons[reason.removeprefix("Skipped: ")] += 1
    lines = skip_lines(reasons)
    if lines:
        terminalreporter.section("not tested", sep="!", red=True, bold=True)
        for line in lines:
            terminalreporter.write_line(line, red=True)
