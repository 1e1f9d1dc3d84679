"""The pages of Thunder & Lightning in a real browser: accessible, played by dialogs, the private aid kept short."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from companion.live.sight import PrivateLook
from companion.web.app import create_app
from companion.web.server import WebServer
from rules.thunder_and_lightning.events import Conduct, Play
from tests.companion.web.browser import WAIT_MS
from tests.companion.web.conftest import CODES, PIN
from tests.companion.web.duels import LOKI, THOR, Duel

pytestmark = pytest.mark.browser

PAGES = ("/", "/judge", "/camera", "/record", "/aid", "/help", "/seat/1", "/seat/2", "/seat/1/private")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
FAKE_VOICE = """
window.spoken = [];
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(window, "speechSynthesis", {
  value: { speak: (said) => window.spoken.push([said.text, said.lang]), cancel: () => window.spoken.push(null) },
});
"""


@pytest.fixture
def server(duel: Duel) -> Iterator[WebServer]:
    app = create_app(duel.table, duel.hub, judge_pin=PIN, seat_codes=CODES, heartbeat_s=0.5)
    with WebServer(app, duel.hub, port=0) as running:
        yield running


def open_page(page: Page, path: str) -> None:
    code = PIN if path == "/judge" else CODES[int(path.split("/")[2])] if path.startswith("/seat/") else None
    page.goto(path)
    if code is not None and page.locator("#code").count():
        page.fill("#code", code)
        page.keyboard.press("Enter")
        page.wait_for_selector("[data-region]")
        page.goto(path)


def live(page: Page) -> None:
    expect(page.locator("#link-state")).to_have_attribute("data-state", "live", timeout=WAIT_MS)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_on_any_page(page: Page, duel: Duel, theme: Any) -> None:
    duel.ravens_beaten()
    duel.file(Conduct(THOR, "peeks-field"))
    page.emulate_media(color_scheme=theme)
    found: list[str] = []
    for path in PAGES:
        open_page(page, path)
        for summary in page.locator("details:not(.settings) > summary").all():
            summary.click()
        results = Axe().run(page, options={"runOnly": {"type": "tag", "values": RULES}}).response
        for each in results["violations"]:
            found.append(f"{path} {theme}: {each['id']}: {[node['html'][:160] for node in each['nodes']]}")
    assert found == []


@pytest.mark.parametrize(("width", "height"), [(320, 640), (1280, 800), (1920, 1080)])
def test_nothing_is_cut_off_at_any_width(page: Page, duel: Duel, width: int, height: int) -> None:
    duel.ravens_beaten()
    page.set_viewport_size({"width": width, "height": height})
    for path in PAGES:
        open_page(page, path)
        over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert over <= 0, f"{path} is {over} px wider than {width}"
        cut = page.evaluate(
            """[...document.querySelectorAll('.card')].filter((e) => e.scrollWidth > e.clientWidth + 1)
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


def test_a_whole_battlefield_fits_a_television(page: Page, duel: Duel) -> None:
    duel.ravens_beaten()
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto("/")
    bottom = page.evaluate("document.querySelector('.battle').getBoundingClientRect().bottom / innerHeight")
    assert bottom <= 1
    size = page.evaluate("parseFloat(getComputedStyle(document.querySelector('.points .digits')).fontSize)")
    assert size >= 64


def test_a_turn_is_played_from_a_phone(page: Page, duel: Duel) -> None:
    duel.to_the_second_turns()
    page.set_viewport_size({"width": 390, "height": 844})
    open_page(page, "/seat/2")
    live(page)
    page.get_by_role("button", name="Draw", exact=True).click()
    expect(page.locator(".points .digits")).to_have_text("2")
    page.get_by_role("button", name="Lay a card: left column").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Row").select_option(label="row 2")
    dialog.get_by_role("button", name="Confirm").click()
    expect(page.locator(".points .digits")).to_have_text("1")
    page.get_by_role("button", name="Challenge: middle column").click()
    expect(page.locator(".card.lit")).to_have_count(2)
    for spot, card in (("Leif, middle column, row 1", "Ravens 1"), ("Tora, middle column, row 1", "Viking Warriors 3")):
        page.get_by_role("button", name=f"Turn up: {spot}").click()
        page.get_by_role("dialog").get_by_label("Which card").select_option(label=card)
        page.get_by_role("dialog").get_by_role("button", name="Confirm").click()
        expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("#say")).to_contain_text("Leif loses: Viking Warriors 3 beats Ravens 1.")
    page.get_by_role("button", name="End turn").click()
    expect(page.locator(".whose .name")).to_have_text("Tora")
    assert [each["hand"] for each in duel.table.view()["seats"]] == [7, 7]


def test_a_power_asks_what_it_works_on_and_where_to(page: Page, duel: Duel) -> None:
    duel.to_the_second_turns()
    open_page(page, "/seat/2")
    live(page)
    page.get_by_role("button", name="Play: Baldr").click()
    dialog = page.get_by_role("dialog", name="Play: Baldr")
    dialog.get_by_label("On what").select_option(label="Leif, middle column, row 2")
    dialog.get_by_label("To where").select_option(label="Leif, left column, row 1")
    dialog.get_by_role("button", name="Confirm").click()
    expect(page.locator("#say")).to_contain_text("Leif: a card moves to the left column, row 1.")
    event = duel.table.entries()[-1].filed.event
    assert (event.card, event.at, event.to) == ("loki-baldr", (LOKI, 2, 2), (LOKI, 1, 1))


def test_a_whole_hand_is_named_card_by_card_and_none_is_guessed(page: Page, duel: Duel) -> None:
    duel.to_the_second_turns()
    duel.play(Play(LOKI, "loki-frigg", "hand"))
    open_page(page, "/seat/1")
    live(page)
    page.get_by_role("button", name="The hand is").click()
    dialog = page.get_by_role("dialog")
    boxes = dialog.get_by_role("combobox")
    expect(boxes).to_have_count(7)
    hand = ["Tyr 7", *["Hall Guards 5"] * 3, *["Viking Warriors 3"] * 2]
    for place, card in enumerate(hand):
        boxes.nth(place).select_option(label=card)
    dialog.get_by_role("button", name="Confirm").click()
    expect(dialog).to_be_visible()
    boxes.nth(6).select_option(label="Baldr")
    dialog.get_by_role("button", name="Confirm").click()
    expect(page.locator("#say")).to_contain_text("Tora discards Tyr 7.")
    assert duel.table.view()["seats"][0]["hand"] == 6


def test_the_judge_withdraws_a_finding_and_sets_a_count(page: Page, duel: Duel) -> None:
    duel.to_the_second_turns()
    duel.file(Conduct(THOR, "peeks-field"))
    seq = duel.table.view()["seq"]
    open_page(page, "/judge")
    live(page)
    page.focus(f"#find-refuse-{seq}-0")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name=f"Withdraw finding {seq}")
    dialog.get_by_label("Reason").fill("it was the own card")
    dialog.get_by_role("checkbox").check()
    dialog.get_by_role("button", name="Confirm").click()
    expect(page.locator("#say")).to_contain_text("The finding is withdrawn.")
    page.click("#adjust")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Seat").select_option(label="2 Leif")
    dialog.get_by_role("combobox").nth(1).select_option(label="action points")
    dialog.get_by_label("New value").fill("1")
    dialog.get_by_label("Reason").fill("a point was forgotten")
    dialog.get_by_role("checkbox").check()
    dialog.get_by_role("button", name="Confirm").click()
    expect(page.locator(".points .digits")).to_have_text("1")


def test_a_hidden_card_is_spoken_shown_and_forgotten(page: Page, duel: Duel) -> None:
    duel.set_up()
    page.add_init_script(FAKE_VOICE)
    page.clock.install()
    duel.look = PrivateLook(card="thor-viking-warriors")
    open_page(page, "/seat/1/private")
    page.get_by_role("button", name="Read my card").click()
    words = page.locator("#card-words")
    expect(words).to_contain_text("Viking Warriors 3.")
    assert next(each for each in page.evaluate("window.spoken") if each)[1] == "en"
    assert page.locator("#say").inner_text() == "", "not in the region that other pages announce in"
    page.clock.run_for(19_000)
    expect(words).to_contain_text("Viking Warriors 3.")
    page.clock.run_for(2_000)
    expect(words).to_be_empty()
    assert page.evaluate("window.spoken.at(-1)") is None, "and the voice is stopped"
    page.keyboard.press("Tab")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")
    expect(words).to_contain_text("Viking Warriors 3.")
    page.get_by_role("button", name="Clear and be silent").click()
    expect(words).to_be_empty()
    assert duel.looks == [THOR, THOR]


def test_without_the_own_voice_a_screen_reader_is_given_the_words(page: Page, duel: Duel) -> None:
    duel.set_up()
    page.add_init_script(FAKE_VOICE)
    open_page(page, "/seat/1/private")
    page.get_by_label("Speak with this phone's own voice").uncheck()
    page.get_by_role("button", name="Read my card").click()
    expect(page.locator("#card-words")).to_have_text("No card lies in your nook.")
    expect(page.locator("#card-words")).to_have_attribute("aria-live", "assertive")
    assert [each for each in page.evaluate("window.spoken") if each] == []


def test_the_table_is_read_on_the_space_bar(page: Page, duel: Duel) -> None:
    duel.ravens_beaten()
    page.goto("/aid")
    expect(page.locator("#link-state")).to_have_attribute("data-state", "live")
    page.get_by_label("Which side").select_option("1")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")
    expect(page.locator("#aid-text")).to_contain_text(
        "Thor's middle column: two cards, the first face up, Viking Warriors 3; behind it one face-down card."
    )


def test_sides_decks_and_marks_differ_without_colour(page: Page, duel: Duel) -> None:
    duel.challenge()
    page.goto("/")
    shapes = page.eval_on_selector_all(".side-bar h3 .badge use", "uses => uses.map((use) => use.getAttribute('href'))")
    assert len(set(shapes)) == 2
    backs = set(page.locator(".battle .card.down .back-word").all_inner_texts())
    assert backs == {"Thor", "Loki"}
    patterns = page.eval_on_selector_all(
        ".battle .card.down", "cards => [...new Set(cards.map((card) => getComputedStyle(card).backgroundImage))]"
    )
    assert len(patterns) == 2
    styles = page.eval_on_selector_all(
        ".card.lit", "cards => cards.map((card) => getComputedStyle(card).borderTopStyle)"
    )
    assert styles == ["double", "double"]


def test_a_keyboard_reaches_everything_and_shows_where_it_is(page: Page, duel: Duel) -> None:
    duel.challenge()
    duel.file(Conduct(THOR, "peeks-field"))
    seq = duel.table.view()["seq"]
    open_page(page, "/judge")
    live(page)
    page.evaluate("document.activeElement.blur()")
    seen: list[str] = []
    for _ in range(120):
        page.keyboard.press("Tab")
        name, outline = page.evaluate(
            """() => { const e = document.activeElement;
            const name = e.id || e.getAttribute('href') || e.textContent.trim();
            return [e === document.body ? '' : name, getComputedStyle(e).outlineStyle]; }"""
        )
        if name == "" or name in seen:
            break
        assert outline != "none", name
        seen.append(name)
    wanted = ("vouch", "conduct", "adjust", "act-light-1", f"find-uphold-{seq}-0", f"undo-{seq}", f"amend-{seq - 1}")
    assert [each for each in wanted if each not in seen] == []
    assert seen.index(f"find-uphold-{seq}-0") < seen.index("vouch") < seen.index(f"undo-{seq}")
