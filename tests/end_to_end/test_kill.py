"""`kill -9` at random moments: nothing that was acknowledged is missing after the restart, and the log is whole."""

from __future__ import annotations

import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import pytest

from rules.log import replay

KILLS = 100
CLIENTS = 2
START_LIMIT_S = 60.0
LONGEST_LIFE_S = 0.15

# Imports are done while the server before is still being killed; from "go" on it is the program as anybody starts it.
WARM = (
    "import sys, companion.commands.table, companion.hub, companion.live.codes, companion.live.lightning_dice, "
    "companion.live.opening, companion.live.table, companion.speech, companion.store, companion.web.api, "
    "companion.web.app, companion.web.pages, companion.web.server; from companion.cli import main; "
    "sys.stdin.readline(); sys.argv[0] = 'companion'; main()"
)


class Server:
    """One process of the real server."""

    def __init__(self, data: Path, port: int) -> None:
        command = ["table", "--camera", "none", "--seats", "Ann:red,Ben:blue", "--silent", "--host", "127.0.0.1"]
        self._process = subprocess.Popen(
            [sys.executable, "-c", WARM, *command, "--port", str(port), "--data", str(data)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.port = port

    def go(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("go\n")
        self._process.stdin.flush()

    def wait_until_it_answers(self) -> None:
        """The address is printed once the port is bound and the match is loaded."""
        assert self._process.stdout is not None
        killer = threading.Timer(START_LIMIT_S, self._process.kill)
        killer.start()
        try:
            said = []
            for line in self._process.stdout:
                said.append(line)
                if line.startswith("Open http"):
                    return
            raise AssertionError("the server did not start:\n" + "".join(said))
        finally:
            killer.cancel()

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(10)
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()


class Client(threading.Thread):
    """Submits notes as fast as it gets answers, and remembers which were acknowledged as which entry."""

    def __init__(self, port: int, cookie: str, name: str) -> None:
        super().__init__(name=name, daemon=True)
        self._port, self._cookie = port, cookie
        self.acknowledged: dict[int, str] = {}
        self.trouble: list[str] = []

    def run(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=20)
        number = 0
        try:
            while True:
                number += 1
                text = f"{self.name}, {number}"
                body = json.dumps({"event": {"kind": "note", "text": text}})
                headers = {"Content-Type": "application/json", "Cookie": self._cookie}
                connection.request("POST", "/api/submit", body, headers)
                answer = connection.getresponse()
                told = json.loads(answer.read())
                if answer.status != 200:
                    self.trouble.append(f"{answer.status}: {told}")
                    return
                self.acknowledged[told["seq"]] = text
        except (OSError, http.client.HTTPException, ValueError):
            return  # the server is dead: what was not answered was not acknowledged
        finally:
            connection.close()


def log_in(port: int, pin: str) -> str:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", "/judge", urlencode({"code": pin}), headers)
    answer = connection.getresponse()
    answer.read()
    cookie = answer.getheader("Set-Cookie")
    connection.close()
    assert answer.status == 303
    assert cookie is not None
    return cookie.split(";")[0]


def get(port: int, path: str) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    assert answer.status == 200
    return body


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running(data: Path, port: int) -> Iterator[list[Server]]:
    """Servers that are killed at the end, whatever happens. The last one is the standby."""
    servers = [Server(data, port)]
    try:
        yield servers
    finally:
        for server in servers:
            if server._process.poll() is None:
                server.kill()


@pytest.mark.timeout(900)
def test_no_acknowledged_event_is_missing_after_a_hundred_kills(tmp_path: Path) -> None:
    chance = random.Random(20261128)
    port = free_port()
    acknowledged: dict[int, str] = {}
    cookie = ""
    with running(tmp_path, port) as servers:
        for kill in range(KILLS):
            server = servers[-1]
            servers.append(Server(tmp_path, port))
            server.go()
            if kill % 5 == 4:  # in the middle of starting
                threading.Event().wait(chance.uniform(0, 0.3))
                server.kill()
                continue
            server.wait_until_it_answers()
            if not cookie:
                codes = json.loads((tmp_path / "codes.json").read_bytes())
                cookie = log_in(port, codes["pin"])
            seq = json.loads(get(port, "/api/view"))["seq"]
            assert seq >= max(acknowledged, default=0), f"entries were lost by kill {kill}"
            clients = [Client(port, cookie, f"round {kill} client {number}") for number in range(CLIENTS)]
            for client in clients:
                client.start()
            began_ns = time.monotonic_ns()
            while not any(client.acknowledged for client in clients) and time.monotonic_ns() - began_ns < 10**10:
                clients[0].join(0.002)
            threading.Event().wait(chance.uniform(0, LONGEST_LIFE_S))
            server.kill()
            for client in clients:
                client.join(20)
                assert not client.trouble
                assert not client.acknowledged.keys() & acknowledged.keys()
                acknowledged.update(client.acknowledged)
        last = servers[-1]
        last.go()
        last.wait_until_it_answers()
        lines = get(port, "/record.jsonl").splitlines()
    match = replay(lines).match  # the chain fits, and everything is ruled the same
    recorded = {entry.seq: entry.filed.event.text for entry in match.entries}
    missing = {seq: text for seq, text in acknowledged.items() if recorded.get(seq) != text}
    assert not missing
    assert len(acknowledged) >= KILLS
    assert len(recorded) - len(acknowledged) <= CLIENTS * KILLS  # written, and killed before it could be told
    assert not (tmp_path / "broken").exists()
    assert os.path.getsize(tmp_path / "matches.sqlite3") > 0
