"""A real table without a camera, its dashboard, and ways to play a few events on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page

from companion.hub import Hub
from companion.live.opening import Wanted, open_match
from companion.live.table import LiveTable
from companion.store import Store
from companion.web.app import create_app
from companion.web.server import WebServer
from device.speaker import SilentSpeaker
from rules.events import Event, Source, Submission
from rules.header import Seat
from rules.lightning_dice.events import Call, Calls, Flip, Press, Ready, Roll, Shuffled
from rules.referee import Entry
from tests.companion.web.browser import WAIT_MS, chromium
from tests.companion.web.duels import Duel

PIN = "123456"
CODES = {1: "1111", 2: "2222"}
SEATS = (Seat(1, "Ann", "red"), Seat(2, "Ben", "blue"))


class Played:
    """A live table with two seats and shorthands for what happens on it."""

    def __init__(self, store: Store, hub: Hub, wanted: Wanted) -> None:
        stored, _ = open_match(store, wanted)
        self.hub = hub
        self.table = LiveTable(store, stored, publish=hub.publish)

    def file(self, event: Event, source: Source = Source.CAMERA) -> Entry:
        return self.table.submit(Submission(event, source))

    def set_up(self) -> None:
        self.file(Shuffled(), Source.DECLARED)
        for seat in self.table.header.seats:
            self.file(Ready(seat.number), Source.DECLARED)

    def open_card(self, card: str = "g01") -> Entry:
        return self.file(Flip(card))

    def roll(self, seat: int, *faces: int | None) -> Entry:
        return self.file(Roll(seat, faces, thrown=(0, 1, 2, 3, 4, 5)))

    def claim(self, seat: int) -> Entry:
        return self.file(Calls((Press(seat, Call.GOT_IT),)), Source.BUTTON)

    def won_card(self) -> Entry:
        """Ann shows what the first card asks for and calls it."""
        self.set_up()
        self.open_card()
        self.roll(1, 1, 1, 2, 2, 3, 3)
        return self.claim(1)


@pytest.fixture
def judge() -> str | None:
    """Name of the judge; a test overrides it."""
    return None


@pytest.fixture
def played(tmp_path: Path, judge: str | None) -> Iterator[Played]:
    with Store(tmp_path) as store:
        made = Played(store, Hub(), Wanted("lightning-dice", SEATS, judge=judge))
        yield made
        made.table.close()


@pytest.fixture
def speaker() -> SilentSpeaker:
    return SilentSpeaker()


@pytest.fixture
def app(played: Played, speaker: SilentSpeaker) -> Flask:
    made = create_app(played.table, played.hub, judge_pin=PIN, seat_codes=CODES, speaker=speaker)
    made.testing = False
    return made


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def group(client: FlaskClient) -> FlaskClient:
    """A browser that gave the PIN."""
    assert client.post("/judge", data={"code": PIN}).status_code == 303
    return client


def submit(client: FlaskClient, event: dict[str, Any], **more: Any) -> Any:
    """File an event over the web."""
    return client.post("/api/submit", json={"event": event, **more})


@pytest.fixture
def duel(tmp_path: Path, judge: str | None) -> Iterator[Duel]:
    with Store(tmp_path / "duel") as store:
        made = Duel(store, Hub(), judge=judge)
        yield made
        made.table.close()


@pytest.fixture
def duel_client(duel: Duel, speaker: SilentSpeaker) -> FlaskClient:
    app = create_app(duel.table, duel.hub, judge_pin=PIN, seat_codes=CODES, speaker=speaker)
    app.testing = False
    return app.test_client()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture
def page(browser: Browser, server: WebServer) -> Iterator[Page]:
    """A page of the module's own `server`; nothing may go wrong in its scripts."""
    context = browser.new_context(base_url=f"http://127.0.0.1:{server.port}", viewport={"width": 1280, "height": 800})
    context.set_default_timeout(WAIT_MS)
    made = context.new_page()
    problems: list[str] = []
    made.on("pageerror", lambda error: problems.append(str(error)))
    made.on("console", lambda said: problems.append(said.text) if "Content Security Policy" in said.text else None)
    yield made
    context.close()
    assert problems == []
