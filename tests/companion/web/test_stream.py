"""The event stream on the real server: heartbeat, resume, cap, freed listeners, slow ones cut off."""

from __future__ import annotations

import json
import socket
import threading
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from companion.hub import Hub, TooManyListeners
from companion.live.interpreter import Notice
from companion.web.app import create_app
from companion.web.server import WebServer
from rules.events import Note, Source
from tests.companion.web.conftest import CODES, PIN, Played

HEARTBEAT_S = 0.05
WAIT_S = 20.0


class Listener:
    """A plain HTTP client that reads events."""

    def __init__(self, port: int, query: str = "", last_id: str | None = None) -> None:
        address = f"http://127.0.0.1:{port}/events?page=table{query}"
        headers = {} if last_id is None else {"Last-Event-ID": last_id}
        self.answer = urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=WAIT_S)

    def event(self) -> tuple[str, str | None, Any]:
        """Topic, id and data of the next event."""
        topic, event_id, data = "message", None, ""
        while True:
            line = self.answer.readline().decode().rstrip("\n")
            name, _, value = line.partition(": ")
            if name == "event":
                topic = value
            elif name == "id":
                event_id = value
            elif name == "data":
                data = value
            elif not line and data:
                return topic, event_id, json.loads(data)

    def until(self, topic: str) -> tuple[str, str | None, Any]:
        while True:
            event = self.event()
            if event[0] == topic:
                return event

    def close(self) -> None:
        self.answer.close()


@pytest.fixture
def server(played: Played) -> Iterator[WebServer]:
    app = create_app(played.table, played.hub, judge_pin=PIN, seat_codes=CODES, heartbeat_s=HEARTBEAT_S)
    with WebServer(app, played.hub, port=0) as running:
        yield running


def wait_for(condition: Any) -> bool:
    """True once the condition holds; waits on an event nobody sets, never longer than WAIT_S."""
    nobody = threading.Event()
    for _ in range(int(WAIT_S / 0.05)):
        if condition():
            return True
        nobody.wait(0.05)
    return False


def note(played: Played, text: str) -> int:
    return played.file(Note(text), Source.DECLARED).seq


def test_a_listener_gets_the_view_then_entries_then_heartbeats(played: Played, server: WebServer) -> None:
    listener = Listener(server.port)
    topic, event_id, first = listener.event()
    assert (topic, event_id) == ("view", "0")
    assert set(first["html"]) == {"marks", "waiting", "goal", "ruling", "seats", "track", "camera"}
    note(played, "hello")
    topic, event_id, entry = listener.until("entry")
    assert event_id == "1"
    assert entry["say"][0]["text"] == "Ruling 1: A note was written into the record."
    _, event_id, view = listener.until("view")
    assert event_id is None
    assert set(view["html"]) == {"ruling"}, "only what changed"
    assert listener.until("beat")[2] == {}
    listener.close()


def test_headers_keep_proxies_from_holding_events_back(server: WebServer) -> None:
    listener = Listener(server.port)
    assert listener.answer.headers["X-Accel-Buffering"] == "no"
    assert listener.answer.headers["Content-Type"].startswith("text/event-stream")
    assert listener.answer.readline().startswith(b":" + b" " * 2048)
    listener.close()


@pytest.mark.parametrize("way", ["header", "query"])
def test_missed_entries_are_sent_again(played: Played, server: WebServer, way: str) -> None:
    for text in "abcd":
        note(played, text)
    listener = Listener(server.port, "&since=2" if way == "query" else "", "2" if way == "header" else None)
    assert [listener.event()[1] for _ in range(2)] == ["3", "4"]
    assert listener.event()[0] == "view"
    note(played, "e")
    assert listener.until("entry")[1] == "5", "and none twice"
    listener.close()


@pytest.mark.parametrize("last_id", ["99", "-1", "x", "9" * 40])
def test_an_id_of_another_match_gets_the_full_view(played: Played, server: WebServer, last_id: str) -> None:
    note(played, "a")
    listener = Listener(server.port, last_id=last_id)
    assert listener.event()[0] == "view"
    note(played, "b")
    assert listener.until("entry")[1] == "2"
    listener.close()


def test_over_the_cap_the_answer_says_so_and_pages_still_open(played: Played) -> None:
    hub = Hub(listeners=2)
    app = create_app(played.table, hub, judge_pin=PIN, seat_codes=CODES, heartbeat_s=HEARTBEAT_S)
    with WebServer(app, hub, port=0) as server:
        listeners = [Listener(server.port) for _ in range(2)]
        with pytest.raises(urllib.error.HTTPError) as caught:
            Listener(server.port)
        assert caught.value.code == 503
        assert "2 pages follow this table already" in json.loads(caught.value.read())["error"]
        with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/api/view?since=0", timeout=WAIT_S) as answer:
            assert json.loads(answer.read())["seq"] == 0
        listeners[0].close()
        assert wait_for(lambda: hub.listeners < 2)
        Listener(server.port).close()
        listeners[1].close()


def test_twenty_closed_listeners_are_freed(played: Played, server: WebServer) -> None:
    listeners = [Listener(server.port) for _ in range(20)]
    for each in listeners:
        each.event()
    assert played.hub.listeners == 20
    for each in listeners:
        each.close()
    assert wait_for(lambda: played.hub.listeners == 0)


def test_a_listener_that_never_reads_is_cut_off(played: Played) -> None:
    hub = Hub(queue_length=5)
    app = create_app(played.table, hub, judge_pin=PIN, seat_codes=CODES, heartbeat_s=HEARTBEAT_S)
    with WebServer(app, hub, port=0) as server:
        deaf = socket.socket()
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(("127.0.0.1", server.port))
        deaf.sendall(b"GET /events?page=help HTTP/1.1\r\nHost: x\r\n\r\n")
        assert wait_for(lambda: hub.listeners == 1)
        good = Listener(server.port, "&page=help")
        entry = {"filed": {"event": {"kind": "note", "text": "x" * 400_000}}, "rulings": []}
        seq = 0

        def flood() -> bool:
            nonlocal seq
            seq += 1
            hub.publish("entry", {**entry, "seq": seq}, seq)
            while good.until("entry")[1] != str(seq):
                pass
            return hub.listeners == 1

        assert wait_for(flood), "the deaf one goes, the good one stays"
        deaf.close()
        good.close()


def test_stopping_the_server_ends_every_stream(played: Played, server: WebServer) -> None:
    listener = Listener(server.port)
    listener.event()
    server.stop()
    while listener.answer.readline():
        pass
    assert played.hub.listeners == 0
    with pytest.raises(TooManyListeners):
        played.hub.subscribe()


def test_a_stream_that_was_never_read_unsubscribes(played: Played) -> None:
    app = create_app(played.table, played.hub, judge_pin=PIN, seat_codes=CODES)
    answer = app.test_client().get("/events?page=table", buffered=False)
    assert played.hub.listeners == 1
    answer.close()
    assert played.hub.listeners == 0


def test_an_unknown_page_cannot_be_followed(played: Played) -> None:
    app = create_app(played.table, played.hub, judge_pin=PIN, seat_codes=CODES)
    assert app.test_client().get("/events?page=../secret").status_code == 400
    assert played.hub.listeners == 0


def test_a_die_without_pips_is_announced_once_to_each_listener(played: Played, server: WebServer) -> None:
    listeners = [Listener(server.port), Listener(server.port, "&lang=it")]
    for listener in listeners:
        listener.until("view")
    strange = Notice("notice.no-pips", (("count", 1), ("colours", ("green",))), "")
    played.hub.publish("dice", {"seats": [], "notices": [strange.plain()]})
    said = [listener.until("dice")[2]["say"] for listener in listeners]
    assert [each["text"].split(" (")[0] for (each,) in said] == ["A die has no pips", "Un dado è senza pallini"]
    played.hub.publish("dice", {"seats": [], "notices": [strange.plain()]})
    played.hub.publish("dice", {"seats": [], "notices": []})
    for listener in listeners:
        data = listener.until("dice")[2]
        assert data["say"] == []
        assert "A die" not in data["html"]["waiting"], "the notice went, and with it what the page shows"
        listener.close()
