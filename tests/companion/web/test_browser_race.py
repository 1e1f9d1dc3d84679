"""The pages of Greece Lightning in a real browser: accessible, played by taps on the wheel and by presses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from companion.hub import Hub
from companion.store import Store
from companion.web.app import create_app
from companion.web.server import WebServer
from rules.events import Source
from rules.greece_lightning.events import Conduct, EndMove, Feed, FinishRoll, Step
from tests.companion.web.browser import WAIT_MS
from tests.companion.web.conftest import PIN
from tests.companion.web.races import Race

pytestmark = pytest.mark.browser

PAGES = ("/", "/judge", "/camera", "/seat/1")
AXE_PAGES = {"light": ("/", "/judge", "/aid", "/help", "/seat/1"), "dark": ("/", "/seat/1")}
"""Pages by theme; of colours in the dark, test_contrast measures every pair."""
INSIDE_THE_WHEEL = {"exclude": [[".wheel svg > *"]]}
"""A picture with a title and a description; what is drawn in it is looked at on the table's page alone."""
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SEAT_CODES = {1: "1111", 2: "2222", 3: "3333"}


@pytest.fixture
def race(tmp_path: Path) -> Iterator[Race]:
    with Store(tmp_path) as store:
        made = Race(store, Hub())
        yield made
        made.table.close()


@pytest.fixture
def server(race: Race) -> Iterator[WebServer]:
    app = create_app(race.table, race.hub, judge_pin=PIN, seat_codes=SEAT_CODES, heartbeat_s=0.5)
    with WebServer(app, race.hub, port=0) as running:
        yield running


def open_page(page: Page, path: str) -> None:
    code = PIN if path == "/judge" else SEAT_CODES[int(path.split("/")[2])] if path.startswith("/seat/") else None
    page.goto(path)
    if code is not None and page.locator("#code").count():
        page.fill("#code", code)
        page.keyboard.press("Enter")
        page.wait_for_selector("[data-region]")
        page.goto(path)


def live(page: Page) -> None:
    expect(page.locator("#link-state")).to_have_attribute("data-state", "live", timeout=WAIT_MS)


def mover(race: Race) -> int:
    assert race.state.turn is not None
    return race.state.turn.seat


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_on_any_page(page: Page, race: Race, theme: Any) -> None:
    race.to_a_move(least_ways=2)
    race.file(Conduct(2, "looks-at-favor"))
    page.emulate_media(color_scheme=theme)
    found: list[str] = []
    for path in AXE_PAGES[theme]:
        open_page(page, path)
        for summary in page.locator("details:not(.settings) > summary").all():
            summary.click()
        context = None if (path, theme) == ("/", "light") else INSIDE_THE_WHEEL
        results = Axe().run(page, context=context, options={"runOnly": {"type": "tag", "values": RULES}}).response
        for each in results["violations"]:
            found.append(f"{path} {theme}: {each['id']}: {[node['html'][:160] for node in each['nodes']]}")
    assert found == []


@pytest.mark.parametrize(("width", "height"), [(320, 640), (1280, 800), (1920, 1080)])
def test_nothing_is_cut_off_at_any_width(page: Page, race: Race, width: int, height: int) -> None:
    race.until(lambda state: Race.moving(state) and any(len(seat.favors) for seat in state.seats))
    page.set_viewport_size({"width": width, "height": height})
    for path in PAGES:
        open_page(page, path)
        over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert over <= 0, f"{path} is {over} px wider than {width}"
        cut = page.evaluate(
            """[...document.querySelectorAll('.favor, .tag, .hub-words span, .racer')]
            .filter((e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline')
            .map((e) => e.textContent.trim())"""
        )
        assert cut == [], path
        small = page.evaluate(
            """[...document.querySelectorAll('button, summary, select, .top nav a, a.button')]
            .filter((e) => e.checkVisibility() && !e.closest('details:not([open]) > .sheet'))
            .map((e) => [e.textContent.trim().slice(0, 30), e.getBoundingClientRect()])
            .filter(([, box]) => box.height < 43.9 || box.width < 43.9)
            .map(([text, box]) => `${text} ${box.width}x${box.height}`)"""
        )
        assert small == [], path


def test_the_whole_wheel_fits_a_television_and_says_whose_turn_it_is(page: Page, race: Race) -> None:
    race.to_a_move()
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto("/")
    bottom = page.evaluate("document.querySelector('.wheel').getBoundingClientRect().bottom / innerHeight")
    assert bottom <= 1
    seat = race.state.seat_state(mover(race))
    expect(page.locator(".hub-words .digits")).to_have_text(str(seat.movement_left))
    expect(page.locator(".racer.on-turn")).to_have_id(f"seat-{seat.number}")


def test_a_ship_sails_by_a_tap_on_a_lit_dot_and_of_another_the_referee_says_why_not(page: Page, race: Race) -> None:
    race.to_a_move()
    seat = mover(race)
    place, dot = race.table.view()["next"][0]["spot"]
    open_page(page, f"/seat/{seat}")
    live(page)
    spot = race.state.seat_state(seat).spot
    assert spot is not None
    across = next(each for each in race.state.course.spots if each.place == (spot.place + 5) % 12 + 1)
    before = len(race.table.entries())
    page.locator(f"[data-spot='{across.place}:{across.dot}']").click()
    expect(page.locator("#notice")).to_contain_text("path")
    expect(page.locator("#notice")).to_contain_text("GL-M")
    assert len(race.table.entries()) == before, "a slip of the finger is not on the record"
    page.locator(f".spot.open[data-spot='{place}:{dot}']").click()
    expect(page.locator("#say")).to_contain_text(f"{place}")
    entry = race.table.entries()[-1]
    assert isinstance(entry.filed.event, Step)
    assert [entry.filed.event.to.place, entry.filed.event.to.dot] == [place, dot]
    assert entry.filed.source is Source.DECLARED


def test_two_ways_to_one_dot_are_told_apart_by_buttons(page: Page, race: Race) -> None:
    """A tap chooses nothing for the player where the path matters."""
    race.to_a_move()
    seat = mover(race)
    open_page(page, f"/seat/{seat}")
    live(page)
    page.get_by_role("button", name="Freeze").click()
    page.evaluate(
        """() => {
        const button = document.querySelector('button[data-dot]');
        button.after(button.cloneNode(true));
        }"""
    )
    place, dot = race.table.view()["next"][0]["spot"]
    before = len(race.table.entries())
    page.locator(f".spot.open[data-spot='{place}:{dot}']").click()
    expect(page.locator("#notice")).to_contain_text("Several ways")
    assert len(race.table.entries()) == before


def test_the_second_button_feeds_the_hydra_and_is_refused_where_there_is_none(page: Page, race: Race) -> None:
    race.to_a_move()
    seat = mover(race)
    open_page(page, f"/seat/{seat}")
    live(page)
    page.get_by_role("button", name="Feed the Hydra").click()
    expect(page.locator(".verdict-refused").first).to_contain_text("GL-H")
    assert isinstance(race.table.entries()[-1].filed.event, Feed)
    page.goto("about:blank")
    race.until(lambda state: state.waiting and state.waiting[0].kind == "hydra" and _fish(race) > 0)
    fed = race.state.waiting[0].seat
    fish = _fish(race)
    open_page(page, f"/seat/{fed}")
    live(page)
    expect(page.locator(".waits").first).to_contain_text("at a Hydra")
    page.get_by_role("button", name="Feed the Hydra").first.click()
    expect(page.locator("#own .count-number").nth(1)).to_have_text(str(fish - 1))
    entry = race.table.entries()[-1]
    assert isinstance(entry.filed.event, Feed)
    assert entry.filed.source is Source.BUTTON


def _fish(race: Race) -> int:
    return race.state.seat_state(race.state.waiting[0].seat).fish if race.state.waiting else 0


def test_a_roll_is_named_die_by_die_on_a_phone(page: Page, race: Race) -> None:
    race.until(lambda state: state.phase == "rolling" and all(each.navigation is None for each in state.seats))
    page.set_viewport_size({"width": 390, "height": 844})
    open_page(page, "/seat/1")
    live(page)
    for die, shown in (("Navigation die", "3"), ("Movement die", "4")):
        page.get_by_role("button", name=f"{die}…").click()
        page.get_by_role("dialog").get_by_label("What it shows").select_option(label=shown)
        page.get_by_role("dialog").get_by_role("button", name="Confirm").click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.locator("#own .race-dice")).to_contain_text(f"{die} {shown}")
    page.get_by_role("button", name="Go on").click()
    expect(page.locator("#own .tags")).to_contain_text("has rolled")
    entry = race.table.entries()[-1]
    assert isinstance(entry.filed.event, FinishRoll)
    assert entry.filed.source is Source.BUTTON


def test_a_race_runs_to_its_end_before_an_open_page(page: Page, race: Race) -> None:
    """The page follows the last turns to the winner."""
    race.until(lambda state: state.ending and state.phase == "turns")
    page.goto("/")
    live(page)
    expect(page.locator("#turn-title")).to_contain_text("last round")
    ended = False
    while race.state.phase != "over":
        event = race.next()
        ended = ended or isinstance(event, EndMove)
        race.play(event)
    assert ended
    winner = race.table.header.seat(race.state.winners[0])
    assert winner is not None
    expect(page.locator(".over")).to_contain_text(winner.name)
    expect(page.locator(f"#seat-{winner.number} .tags")).to_contain_text("has won")
    expect(page.locator(f"#seat-{winner.number} .count-number").first).to_have_text(
        str(race.state.seat_state(winner.number).laps)
    )
