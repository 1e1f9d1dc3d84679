"""A whole game from cards on a simulated table to a browser: what the page shows is what was read from pixels."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.live.duel_manners import DuelManners
from companion.web.app import create_app
from companion.web.server import WebServer
from device.simulated.card_layout import COLUMNS, ROWS, Area, cell
from rules.thunder_and_lightning.events import Challenge, Draw, EndTurn, Lay, TurnUp
from tests.companion.duel_stage import Stage
from tests.companion.web.browser import WAIT_MS, chromium

_MS = 1_000_000
BRISK = DuelManners(look_ns=(100 * _MS, 250 * _MS), move_ns=270 * _MS, say_ns=700 * _MS, over_ns=10**15)
LONGEST = 3000
"""Looks at a match, of some frames each, until somebody has to have won."""


def lying(stage: Stage) -> dict[str, str | None]:
    """By place as the page numbers them: the name of each card that lies face up; None for one that lies face down."""
    spots: dict[Area, str] = {
        cell(side.role.value, column, row): f"{side.seat}-{column}-{row}"
        for side in stage.table.state.sides
        for column in COLUMNS
        for row in ROWS
    }
    return {
        spots[card.place]: None if card.marker is None else stage.names[card.marker]
        for card in stage.simulated.visible()
        if card.place in spots
    }


def expect_shown(page: Page, truth: dict[str, str | None]) -> None:
    """The page comes to show just these cards, face up or face down."""
    expect(page.locator(".battle li[id^='card-']")).to_have_count(len(truth))
    for place, name in truth.items():
        card = page.locator(f"#card-{place} .card")
        if name is None:
            expect(card).to_have_class(re.compile(r"\bdown\b"))
            expect(card.locator(".card-name")).to_have_count(0)
        else:
            expect(card.locator(".card-name")).to_contain_text(name)


@pytest.mark.browser
@pytest.mark.timeout(1200)
def test_a_game_played_by_markers_shows_in_a_browser_as_it_lies_on_the_table(tmp_path: Path) -> None:
    stage = Stage(tmp_path, seed=8, manners=BRISK)
    header = stage.table.header
    app = create_app(stage.table, stage.hub, judge_pin="123456", seat_codes={1: "1111", 2: "2222"})
    compared = next_look = 0
    with WebServer(app, stage.hub, port=0) as server, chromium() as browser:
        page = browser.new_page(base_url=f"http://127.0.0.1:{server.port}")
        page.set_default_timeout(WAIT_MS)
        page.goto("/")
        expect(page.locator("#link-state")).to_have_attribute("data-state", "live")
        for look in range(LONGEST):
            stage.run(4)
            if stage.table.state.phase == "over":
                break
            if look >= next_look and stage.players.idle:
                expect_shown(page, lying(stage))
                compared, next_look = compared + 1, look + 15
        assert stage.table.state.phase == "over", "nobody has won after all this time"
        winner = header.seat(stage.table.state.winner)
        assert winner is not None
        expect(page.locator(".over")).to_contain_text(winner.name)
        page.close()
    assert compared >= 5
    assert not stage.begun
    events = stage.events()
    by_hand = [kind for kind, source in events if kind in (Challenge, TurnUp) and source != "camera"]
    assert by_hand == [], "challenges and cards turned up are for the camera to see"
    laid = [source for kind, source in events if kind is Lay]
    assert laid.count("camera") >= 0.7 * len(laid)
    assert {source for kind, source in events if kind in (Draw, EndTurn)} == {"button"}
    stage.close()
