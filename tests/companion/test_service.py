"""The table as a service: what it tells the service manager, and that a stuck table gives no sign of life."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest

from companion.errors import TableClosed
from companion.live.opening import Wanted
from companion.service import Pulse, Service, sender_to
from device.clock import ManualClock
from tests.companion.helpers import SEATS, open_table

WATCHED = {"NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": "30000000"}


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """A service manager's end of the line."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(60)
        yield listening


def test_a_service_manager_is_told(manager: socket.socket, tmp_path: Path) -> None:
    service = Service({"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "1000"})
    service.ready("lightning-dice,\nport 8080")
    assert manager.recv(999) == b"READY=1\nSTATUS=lightning-dice, port 8080"
    service.alive()
    assert manager.recv(999) == b"WATCHDOG=1"
    service.ending()
    assert manager.recv(999) == b"STOPPING=1"


def test_an_abstract_address_is_understood() -> None:
    name = f"tabletop-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind("\0" + name)
        listening.settimeout(5)
        sender_to("@" + name)(b"READY=1")
        assert listening.recv(99) == b"READY=1"


@pytest.mark.parametrize(
    ("environment", "watched"),
    [
        ({}, False),
        ({"WATCHDOG_USEC": "1000"}, False),  # nobody listens
        ({"NOTIFY_SOCKET": "/run/x"}, False),
        (WATCHED, True),
        ({**WATCHED, "WATCHDOG_PID": "7"}, True),
        ({**WATCHED, "WATCHDOG_PID": "8"}, False),  # meant for another process
    ],
)
def test_signs_of_life_are_given_where_they_are_waited_for(environment: dict[str, str], watched: bool) -> None:
    sent: list[bytes] = []
    service = Service(environment, process=7, send=sent.append)
    assert service.watched is watched
    service.alive()
    assert sent == ([b"WATCHDOG=1"] if watched else [])


def test_a_service_manager_that_is_gone_stops_nothing(tmp_path: Path) -> None:
    Service({"NOTIFY_SOCKET": str(tmp_path / "gone")}).ready("here")


class Stuck:
    """Answers when it is told to."""

    def __init__(self) -> None:
        self.asked: list[Future[None]] = []

    def ask(self, answer: Future[None]) -> None:
        self.asked.append(answer)


def test_a_stuck_table_has_no_pulse_and_is_asked_only_once() -> None:
    table = Stuck()
    pulse = Pulse(table)
    assert [pulse.beats(), pulse.beats(), pulse.beats()] == [False, False, False]
    assert len(table.asked) == 1
    table.asked[0].set_result(None)
    assert pulse.beats()
    assert len(table.asked) == 2
    assert not pulse.beats()


def test_the_live_table_answers_until_it_is_closed(tmp_path: Path) -> None:
    store, table = open_table(tmp_path, clock=ManualClock(), wanted=Wanted("lightning-dice", seats=SEATS))
    with store:
        with table:
            answer: Future[None] = Future()
            table.ask(answer)
            answer.result(timeout=10)
            assert not Pulse(table).beats()
        with pytest.raises(TableClosed):
            table.ask(Future())
        assert not Pulse(table).beats()


def test_companion_table_is_a_good_service(manager: socket.socket, tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "NOTIFY_SOCKET": str(tmp_path / "notify"),
        "WATCHDOG_USEC": "30000000",
        "TABLETOP_DATA": str(tmp_path / "data"),
    }
    environment.pop("WATCHDOG_PID", None)
    arguments = ["table", "--camera", "none", "--port", "0", "--host", "127.0.0.1", "--silent"]
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "companion", *arguments],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert manager.recv(999).startswith(b"READY=1\nSTATUS=lightning-dice, http://localhost:")
        assert manager.recv(999) == b"WATCHDOG=1"
        process.send_signal(signal.SIGTERM)
        told = manager.recv(999)
        while told == b"WATCHDOG=1":
            told = manager.recv(999)
        assert told == b"STOPPING=1"
        assert process.wait(timeout=30) == 0
    finally:
        process.kill()
        process.wait()
