"""A whole race from dice on a simulated table and presses to a browser: the page shows what was rolled and sailed."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.web.app import create_app
from companion.web.server import WebServer
from rules.events import Source
from rules.greece_lightning.events import Feed, Movement, Step
from tests.companion.race_stage import RaceStage
from tests.companion.web.browser import WAIT_MS, chromium

STOPPED_SEED = 12
"""Of a race with a bust, a Hydra fed by button, and one that stops a ship."""

LONGEST = 1200
"""Frames until somebody has to have won."""


def expect_shown(page: Page, stage: RaceStage) -> None:
    """The page comes to show each player's laps, Fish and dice, and the dots that may be sailed to."""
    view = stage.table.view()
    for seat in view["seats"]:
        counts = page.locator(f"#seat-{seat['number']} .count-number")
        expect(counts.nth(0)).to_have_text(str(seat["laps"]))
        expect(counts.nth(1)).to_have_text(str(seat["fish"]))
        rolled = [face for face in (seat["first"], seat["second"]) if face is not None]
        dice = page.locator(f"#seat-{seat['number']} .race-dice li")
        expect(dice).to_have_count(1 + len(rolled))
        for place, face in enumerate(rolled, start=1):
            expect(dice.nth(place)).to_contain_text(f"Movement die {face}")
    lit = {f"{place}:{dot}" for place, dot in (each["spot"] for each in view["next"])}
    expect(page.locator(".wheel .spot.open")).to_have_count(len(lit))
    for spot in lit:
        expect(page.locator(f".wheel .spot.open[data-spot='{spot}']")).to_have_count(1)


@pytest.mark.browser
@pytest.mark.timeout(1200)
def test_a_race_of_two_laps_shows_in_a_browser_as_it_is_rolled_and_sailed(tmp_path: Path) -> None:
    stage = RaceStage(tmp_path, STOPPED_SEED, difficult=True)
    app = create_app(stage.table, stage.hub, judge_pin="123456", seat_codes={1: "1111", 2: "2222"})
    compared = 0
    told: set[str] = set()
    with WebServer(app, stage.hub, port=0) as server, chromium() as browser:
        page = browser.new_page(base_url=f"http://127.0.0.1:{server.port}")
        page.set_default_timeout(WAIT_MS)
        page.goto("/")
        expect(page.locator("#link-state")).to_have_attribute("data-state", "live")
        for frame in range(LONGEST):
            state = stage.table.state
            if state.phase == "over":
                break
            news = {
                word
                for word, there in (
                    ("bust", any(seat.bust for seat in state.seats)),
                    ("stopped by the Hydra", any(seat.stopped for seat in state.seats)),
                    ("last round", state.ending),
                )
                if there
            } - told
            for word in news:
                expect(page.locator(".race")).to_contain_text(word)
            told |= news
            if news or frame % 60 == 30:
                expect_shown(page, stage)
                compared += 1
            stage.frame()
        assert stage.table.state.phase == "over", "nobody has won after all this time"
        winner = stage.table.header.seat(stage.table.state.winners[0])
        assert winner is not None
        expect(page.locator(".over")).to_contain_text(winner.name)
        expect(page.locator(f"#seat-{winner.number} .tags")).to_contain_text("has won")
        expect(page.locator(f"#seat-{winner.number} .count-number").first).to_have_text("2")
        page.close()
    assert compared >= 5
    assert told == {"bust", "stopped by the Hydra", "last round"}
    filed = [(type(entry.filed.event), entry.filed.source) for entry in stage.table.entries()]
    assert {source for kind, source in filed if kind is Movement} == {Source.CAMERA}
    assert (Feed, Source.BUTTON) in filed
    assert (Step, Source.BUTTON) in filed
    stage.close()
