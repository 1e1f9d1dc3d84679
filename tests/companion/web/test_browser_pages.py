"""The pages in a real browser: accessible, operable by key, readable from a phone to a television, live."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from companion.hub import Hub
from companion.live.interpreter import Notice
from companion.web.app import create_app
from companion.web.server import WebServer
from rules.events import Note, Pause, Resume, Source
from tests.companion.web.browser import WAIT_MS, spoken
from tests.companion.web.conftest import CODES, PIN, Played

pytestmark = pytest.mark.browser

PAGES = ("/", "/judge", "/camera", "/record", "/aid", "/help", "/seat/1", "/nowhere")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest.fixture
def server(played: Played) -> Iterator[WebServer]:
    app = create_app(played.table, played.hub, judge_pin=PIN, seat_codes=CODES, heartbeat_s=0.5)
    with WebServer(app, played.hub, port=0) as running:
        yield running


def enter(page: Page, path: str, code: str) -> None:
    page.goto(path)
    page.fill("#code", code)
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-region]")


def live(page: Page) -> None:
    expect(page.locator("#link-state")).to_have_attribute("data-state", "live", timeout=WAIT_MS)


def open_page(page: Page, path: str) -> None:
    if path in ("/judge", "/seat/1"):
        enter(page, path, PIN if path == "/judge" else CODES[1])
    else:
        page.goto(path)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_on_any_page(page: Page, played: Played, theme: Any) -> None:
    played.won_card()
    played.roll(2, 1, None, 3, 4, 5, 6)
    played.open_card("g02")
    page.emulate_media(color_scheme=theme)
    found: list[str] = []
    for path in ("/", "/judge", "/judge login", "/camera", "/record", "/aid", "/help", "/seat/1", "/nowhere"):
        if path == "/judge login":
            page.context.clear_cookies()
            page.goto("/judge")
        else:
            open_page(page, path)
        results = Axe().run(page, options={"runOnly": {"type": "tag", "values": RULES}}).response
        for each in results["violations"]:
            found.append(f"{path} {theme}: {each['id']}: {[node['html'][:120] for node in each['nodes']]}")
        for each in results["incomplete"]:
            # One-character texts get no verdict from axe (test_contrast computes those); all else must be decided.
            nodes = [node for node in each["nodes"] if each["id"] == "color-contrast" and not _short_text(node)]
            found.extend(
                f"{path} {theme}: incomplete {node['html'][:160]} {node['any'][0]['message']}" for node in nodes
            )
    assert found == []


def _short_text(node: dict[str, Any]) -> bool:
    return bool(node["any"]) and (node["any"][0].get("data") or {}).get("messageKey") == "shortTextContent"


@pytest.mark.parametrize(("width", "height"), [(320, 640), (1280, 800), (1920, 1080)])
def test_nothing_is_cut_off_at_any_width(page: Page, played: Played, width: int, height: int) -> None:
    played.won_card()
    played.open_card("g02")
    page.set_viewport_size({"width": width, "height": height})
    for path in PAGES:
        open_page(page, path)
        over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert over <= 0, f"{path} is {over} px wider than {width}"
        small = page.evaluate(
            """[...document.querySelectorAll('button, summary, select, .top nav a, a.button')]
            .filter((e) => e.checkVisibility() && !e.closest('details:not([open]) > .sheet'))
            .map((e) => [e.textContent.trim().slice(0, 30), e.getBoundingClientRect()])
            .filter(([, box]) => box.height < 43.9 || box.width < 43.9)
            .map(([text, box]) => `${text} ${box.width}x${box.height}`)"""
        )
        assert small == [], path


def test_scores_are_readable_across_a_room(page: Page, played: Played) -> None:
    page.set_viewport_size({"width": 1920, "height": 1080})
    played.won_card()
    page.goto("/")
    size = page.evaluate("parseFloat(getComputedStyle(document.querySelector('.digits')).fontSize) / innerHeight")
    assert size >= 0.149
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "without scrolling"


def test_a_die_without_pips_is_announced_and_shown_while_it_lies_there(page: Page, played: Played) -> None:
    played.set_up()
    page.goto("/")
    live(page)
    strange = Notice("notice.no-pips", (("count", 1), ("colours", ("green",))), "")
    played.hub.publish("dice", {"seats": [], "notices": [strange.plain()]})
    words = "A die has no pips (green) and cannot be read: take it off the table, or use dice with pips."
    expect(page.locator("#say")).to_have_text(words)
    assert spoken(page) == words
    expect(page.locator(".notices")).to_contain_text(words)
    played.hub.publish("dice", {"seats": [], "notices": []})
    expect(page.locator(".notices li", has_text=words)).to_have_count(0)


def test_every_ruling_is_announced_once_numbered_without_moving_the_focus(page: Page, played: Played) -> None:
    played.set_up()
    page.goto("/")
    live(page)
    assert spoken(page) == "", "present and empty at load"
    assert spoken(page, "stop") == ""
    page.focus("a[href='/help']")
    say = page.locator("#say")
    played.open_card()
    expect(say).to_have_text("Ruling 4: Card 1: 1, 1, 2, 2, 3, 3.")
    assert spoken(page) == "Ruling 4: Card 1: 1, 1, 2, 2, 3, 3."
    played.roll(1, 1, 1, 2, 2, 3, 4)
    expect(say).to_contain_text("Ruling 5: Ann: 1, 1, 2, 2, 3, 4.")
    assert "Ruling 5" in spoken(page)
    played.claim(1)
    expect(say).to_contain_text("Ruling 6: Ann: “Got it!” is wrong, now 0.")
    assert "Ruling 6" in spoken(page)
    expect(page.locator(".ruling .verdict-tag")).to_have_text("Penalty")
    played.file(Pause("lunch"), Source.DECLARED)
    expect(page.locator("#stop")).to_have_text("Ruling 7: Stop: the match is paused.")
    assert spoken(page, "stop") == "Ruling 7: Stop: the match is paused."
    played.file(Resume(), Source.DECLARED)
    expect(page.locator("#stop")).to_be_empty()
    assert page.evaluate("document.activeElement.getAttribute('href')") == "/help"


def test_a_burst_is_merged_and_no_refusal_is_dropped(page: Page, played: Played) -> None:
    played.set_up()
    played.open_card()
    page.goto("/")
    live(page)
    page.evaluate(
        """() => { window.said = [];
        new MutationObserver(() => window.said.push(document.getElementById('say').textContent))
        .observe(document.getElementById('say'), { childList: true, characterData: true, subtree: true }); }"""
    )
    for _ in range(4):
        played.claim(1)  # without a throw: refused
    for face in (1, 2, 3, 4, 5, 6):
        played.roll(2, face, face, face, face, face, face)
    expect(page.locator("#say")).to_contain_text("Ruling 14:")
    said = page.evaluate("window.said.filter(Boolean)")
    everything = " ".join(said)
    for number in (5, 6, 7, 8):
        assert everything.count(f"Ruling {number}:") == 1, "refusals are never dropped"
    assert len(said) < 10, "and what comes together is said together"
    assert len(said) == len(set(said)), "never the same twice"


def test_freeze_holds_the_page_and_shortcuts_can_be_turned_off(page: Page, played: Played) -> None:
    played.set_up()
    page.goto("/")
    live(page)
    page.keyboard.press("f")
    expect(page.locator("#freeze")).to_have_attribute("aria-pressed", "true")
    played.open_card()
    played.file(Note("wait"), Source.DECLARED)
    page.wait_for_timeout(600)
    assert "being set up" in page.inner_text("[data-region=goal]")
    page.keyboard.press("f")
    expect(page.locator("[data-region=goal]")).to_contain_text("1, 1, 2, 2, 3, 3")
    page.click("details.settings summary")
    page.uncheck("#shortcuts")
    page.keyboard.press("Escape")
    page.focus("#main")
    page.keyboard.press("f")
    page.keyboard.press("2")
    expect(page.locator("#freeze")).to_have_attribute("aria-pressed", "false")
    assert page.url.endswith("/")


def test_the_letter_x_silences_the_voice_at_the_table(page: Page, played: Played) -> None:
    enter(page, "/judge", PIN)
    live(page)
    with page.expect_response("**/api/hush") as answered:
        page.keyboard.press("x")
    assert answered.value.status == 200


def test_a_keyboard_reaches_everything_and_shows_where_it_is(page: Page, played: Played) -> None:
    played.won_card()
    enter(page, "/judge", PIN)
    live(page)
    page.evaluate("document.activeElement.blur()")
    seen: list[str] = []
    for _ in range(80):
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
    assert seen[0] == "#main"
    for wanted in ("/record", "freeze", "pause", "adjust", "breach", "refuse-6-0", "amend-5", "undo-6"):
        assert wanted in seen, wanted


def test_the_judge_overrules_by_keyboard_in_two_steps(page: Page, played: Played) -> None:
    played.won_card()
    enter(page, "/judge", PIN)
    live(page)
    page.focus("#refuse-6-0")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Overrule 6: the call falls")
    expect(dialog).to_be_visible()
    page.keyboard.type("the judge saw a nudge")
    dialog.get_by_role("button", name="Confirm").click()
    assert played.table.view()["seq"] == 6, "the second step is missing"
    dialog.get_by_role("checkbox").check()
    dialog.get_by_role("button", name="Confirm").click()
    expect(page.locator("#say")).to_contain_text("Ruling 7: Overruled: “Got it!” of Ann falls.")
    assert played.table.view()["seats"][0]["score"] == 0
    assert page.evaluate("document.activeElement.id") == "refuse-6-0", "focus returns"


def test_dice_are_corrected_and_typed(page: Page, played: Played) -> None:
    played.set_up()
    played.open_card()
    played.roll(1, 1, 1, 2, 2, 3, 4)
    enter(page, "/judge", PIN)
    live(page)
    page.click("#amend-5")
    page.get_by_label("Die 6").fill("3")
    page.get_by_label("Reason").fill("it was a three")
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator("#notice")).to_be_hidden()
    expect(page.locator("#say")).to_contain_text("Entry 5 corrected")
    assert played.table.view()["seats"][0]["faces"] == [1, 1, 2, 2, 3, 3]
    page.click("#type-dice")
    page.get_by_role("dialog").get_by_role("combobox").select_option("2")
    for place, face in enumerate((6, 5, 4, 3, 2), start=1):
        page.get_by_label(f"Die {place}").fill(str(face))
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator("#say")).to_contain_text("Ben: 6, 5, 4, 3, 2, unread")


def test_a_phone_presses_got_it(page: Page, played: Played) -> None:
    played.set_up()
    played.open_card()
    played.roll(1, 1, 1, 2, 2, 3, 3)
    page.set_viewport_size({"width": 320, "height": 640})
    enter(page, "/seat/1", CODES[1])
    live(page)
    page.get_by_role("button", name="Got it!").click()
    expect(page.locator("#own .digits")).to_have_text("2", timeout=WAIT_MS)
    (entry,) = [each for each in played.table.entries() if each.filed.event.__struct_config__.tag == "calls"]
    assert entry.filed.event.presses[0].kernel_timed is False


def test_the_aid_reads_on_the_space_bar(page: Page, played: Played) -> None:
    played.roll(1, 3, 1, 5, 6, None, 2)
    page.goto("/aid")
    expect(page.locator("#link-state")).to_have_attribute("data-state", "live")
    page.keyboard.press("Space")
    expect(page.locator("#aid-text")).to_contain_text("Ann: die 1 shows 3")
    assert "Reading 1: Ann: die 1 shows 3" in spoken(page)
    assert "die 5 cannot be read" in spoken(page)
    page.keyboard.press("Space")
    expect(page.locator("#say")).to_contain_text("Reading 2: Ann")


def test_the_page_comes_back_by_itself_after_a_restart(browser: Browser, played: Played) -> None:
    def serve(port: int) -> tuple[WebServer, Hub]:
        hub = Hub()
        played.table._publish = hub.publish  # the table of the next start
        app = create_app(played.table, hub, judge_pin=PIN, seat_codes=CODES, heartbeat_s=0.5)
        server = WebServer(app, hub, port=port)
        server.start()
        return server, hub

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]  # chosen beforehand: only a named port is bound so that it can be taken again
    server, _ = serve(port)
    page = browser.new_page(base_url=f"http://127.0.0.1:{port}")
    page.goto("/")
    live(page)
    server.stop()
    expect(page.locator("#link-state")).to_have_attribute("data-state", "lost", timeout=WAIT_MS)
    played.file(Note("while away"), Source.DECLARED)
    server, _ = serve(port)
    try:
        live(page)
        expect(page.locator("#say")).to_contain_text("Ruling 1: A note", timeout=WAIT_MS)
    finally:
        page.close()
        server.stop()


def test_one_page_too_many_polls_and_says_so(browser: Browser, played: Played) -> None:
    hub = Hub(listeners=1)
    app = create_app(played.table, hub, judge_pin=PIN, seat_codes=CODES, heartbeat_s=0.2)
    with WebServer(app, hub, port=0) as server:
        first, second = (browser.new_page(base_url=f"http://127.0.0.1:{server.port}") for _ in range(2))
        first.goto("/")
        live(first)
        second.goto("/")
        expect(second.locator("#link-state")).to_have_attribute("data-state", "polling", timeout=WAIT_MS)
        expect(second.locator("#notice")).to_contain_text("Too many pages")
        played.file(Note("hello"), Source.DECLARED)
        expect(second.locator("#say")).to_contain_text("Ruling 1", timeout=WAIT_MS)
        first.close()
        expect(second.locator("#link-state")).to_have_attribute("data-state", "live", timeout=WAIT_MS)
        expect(second.locator("#notice")).to_be_hidden()
        second.close()


def test_seats_differ_without_colour(page: Page, played: Played) -> None:
    page.goto("/")
    shapes = page.eval_on_selector_all(".seat h3 .badge use", "uses => uses.map((use) => use.getAttribute('href'))")
    numbers = page.locator(".seat h3 .badge-number").all_inner_texts()
    assert len(set(shapes)) == len(shapes) == 2
    assert numbers == ["1", "2"]


def test_reduced_motion_stops_what_moves(page: Page, played: Played) -> None:
    from rules.lightning_dice.events import Moving

    played.set_up()
    played.open_card()
    played.file(Moving(1, (0, 1, 2, 3, 4, 5)))
    page.goto("/")
    still = "document.getAnimations().length"
    assert page.evaluate(still) > 0
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(still) == 0
