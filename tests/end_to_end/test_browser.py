"""A whole match in a browser against the real server: rendered frames in, rulings on the page, to the final score.

Two players at the simulated table throw, call rightly and wrongly, make a Bonus and a Thunder; somebody corrects over
the judge's page. Nothing tells the program what the dice or cards are: it reads them from the frames.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.hub import Hub
from companion.live.opening import Wanted, open_match
from companion.live.simulation import start_simulation
from companion.live.table import LiveTable
from companion.store import Store
from companion.web.app import create_app
from companion.web.server import WebServer
from device.clock import SystemClock
from device.simulated.table import SimulatedTable
from rules.events import Source, Submission
from rules.header import Seat
from rules.lightning_dice.events import Calls, Ready, Shuffled, Stack
from rules.log import replay
from tests.companion.web.browser import chromium, spoken

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

WAIT_MS = 120_000
TRY_MS, TRIES = 15_000, 12
"""How long a throw may take to be read, and how often dice that cannot be read are thrown again."""

PIN = "314159"
CODES = {1: "1111", 2: "2222"}
SEATS = (Seat(1, "Ann", "red"), Seat(2, "Ben", "blue"))
WANTED = Wanted("lightning-dice", seats=SEATS, options={"target": 6}, simulated=True)

MARKERS = {"g01": 0, "g02": 1, "g03": 2, "g04": 3}
KEEP_ALL_SAID = """() => {
    const region = document.getElementById('say');
    window.said = [];
    new MutationObserver(() => region.textContent && window.said.push(region.textContent))
        .observe(region, { childList: true, characterData: true, subtree: true });
}"""


@dataclass
class Evening:
    """The table, its stand-in and the page that watches it."""

    table: LiveTable
    simulated: SimulatedTable
    page: Page

    def card(self, name: str) -> None:
        """Turn a card up and wait for the page to show it."""
        self.simulated.show_card(None)
        self.simulated.show_card(MARKERS[name])
        expect(self.page.locator(".ruling .seen")).to_contain_text(f"Card {name} is up", timeout=WAIT_MS)

    def throw(self, seat: int, *faces: int) -> None:
        """Throw all six dice until they can all be read, as people would, and wait for the page to show them."""
        for _ in range(TRIES):
            before = self.table.view()["seq"]
            self.simulated.throw(seat, range(6), faces)
            read = self._read(seat, before, sorted(faces))
            if read is not None:
                dice = self.page.locator(f"#seat-{seat} .dice .hidden")
                expect(dice).to_have_text(list(map(str, read)), timeout=WAIT_MS)
                return
        raise AssertionError(f"{TRIES} throws of {faces} were not read: {self.table.view()['seats'][seat - 1]}")

    def _read(self, seat: int, before: int, wanted: list[int]) -> tuple[int, ...] | None:
        """The faces by place once the camera has read them all; None when some stay unreadable."""
        for _ in range(TRY_MS // 100):
            for entry in self.table.entries(before):
                event = entry.filed.event
                if entry.rulings[0].code == "ld.roll" and event.seat == seat and sorted(event.faces) == wanted:
                    assert entry.filed.source is Source.CAMERA
                    return event.faces
            self.page.wait_for_timeout(100)
        return None

    def press(self, seat: int, button: str, said: str) -> None:
        """Press a button; the page announces the ruling, and the accessibility tree holds it."""
        self.simulated.press(seat, button)
        self.hears(said)

    def hears(self, said: str) -> None:
        """The page announces this, and its accessibility tree holds the numbered sentence."""
        heard: list[str] = []
        for _ in range(WAIT_MS // 60):
            heard.append(spoken(self.page))
            if said in heard[-1]:
                assert heard[-1].startswith("Ruling "), "numbered, so that no two sentences are alike"
                return
            self.page.wait_for_timeout(60)
        raise AssertionError(f"Never announced: {said!r}; the accessibility tree held {sorted(set(heard))}")

    def scores(self, ann: int, ben: int) -> None:
        expect(self.page.locator(".seat .digits")).to_have_text([str(ann), str(ben)], timeout=WAIT_MS)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture
def evening(tmp_path: Path, browser: Browser) -> Iterator[Evening]:
    clock, hub = SystemClock(), Hub()
    with Store(tmp_path) as store:
        stored, _ = open_match(store, WANTED)
        with LiveTable(store, stored, clock=clock, publish=hub.publish, simulated=True) as table:
            app = create_app(table, hub, judge_pin=PIN, seat_codes=CODES, now_ns=clock.now_ns)
            with WebServer(app, hub, port=0) as server:
                simulated = start_simulation(table, clock, WANTED, seed=5, players=False)
                context = browser.new_context(base_url=f"http://127.0.0.1:{server.port}")
                context.set_default_timeout(WAIT_MS)
                page = context.new_page()
                page.goto("/")
                page.evaluate(KEEP_ALL_SAID)
                expect(page.locator("#link-state")).to_have_attribute("data-state", "live", timeout=WAIT_MS)
                yield Evening(table, simulated, page)
                context.close()


def confirm(page: Page, button: str, reason: str) -> None:
    """Correct something on the judge's page, in its two steps."""
    page.click(button)
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Reason").fill(reason)
    dialog.get_by_role("checkbox").check()
    dialog.get_by_role("button", name="Confirm").click()
    expect(dialog).to_have_count(0)


def last_call(table: LiveTable) -> int:
    """Sequence number of the last call; readings of the camera may have come after it."""
    return max(entry.seq for entry in table.entries() if isinstance(entry.filed.event, Calls))


def test_a_whole_match_from_frames_to_the_final_score(evening: Evening) -> None:
    table, page = evening.table, evening.page
    for event in (Shuffled(), Stack("side"), Ready(1), Ready(2)):
        table.submit(Submission(event, Source.DECLARED))
    expect(page.locator(".camera-state")).to_have_attribute("data-state", "watching", timeout=WAIT_MS)
    address = page.url
    judge, aid = page.context.new_page(), page.context.new_page()
    judge.goto("/judge")
    judge.fill("#code", PIN)
    judge.keyboard.press("Enter")
    judge.wait_for_selector("[data-region]")
    aid.goto("/aid")

    evening.card("g01")
    expect(page.locator(".goal-words")).to_have_text("1, 1, 2, 2, 3, 3")
    evening.throw(1, 1, 1, 2, 2, 3, 3)
    aid.keyboard.press("Space")
    expect(aid.locator("#aid-text")).to_contain_text("Ann: die 1 shows", timeout=WAIT_MS)
    heard = aid.locator("#aid-text").inner_text().split("Ben:")[0]
    assert sorted(part.split(" shows ")[1][0] for part in heard.split("die ") if " shows " in part) == list("112233")
    assert "Reading 1:" in spoken(aid)
    evening.press(1, "claim", "Ann: “Got it!” is right, now 2.")
    evening.scores(2, 0)

    evening.card("g02")
    evening.throw(2, 1, 1, 1, 1, 1, 2)
    evening.press(2, "claim", "Ben: “Got it!” is wrong, now 0.")
    expect(page.locator(".ruling .verdict-tag")).to_have_text("Penalty")
    wrong = last_call(table)
    confirm(judge, f"#uphold-{wrong}-0", "the card was read upside down")
    evening.hears("Overruled: “Got it!” of Ben stands.")
    evening.scores(2, 2)

    evening.card("g03")
    evening.throw(1, 1, 1, 1, 1, 1, 1)
    evening.press(1, "call", "Ann: Bonus 1, now 3.")
    evening.throw(1, 2, 2, 2, 2, 2, 2)
    evening.press(1, "call", "Thunder! Ben falls to 1.")
    evening.scores(3, 1)
    thunder = last_call(table)
    confirm(judge, f"#undo-{thunder}", "Ann had not called it")
    evening.hears(f"Undone: back to entry {thunder - 1}.")
    evening.scores(3, 2)
    evening.press(1, "call", "Thunder! Ben falls to 1.")
    evening.scores(3, 1)

    evening.throw(1, 1, 2, 3, 4, 5, 6)
    evening.press(1, "claim", "Ann: “Got it!” is right, now 5.")
    evening.card("g04")
    evening.throw(2, 4, 4, 5, 5, 6, 1)
    evening.press(2, "claim", "Ben: “Got it!” is wrong, now 0.")
    evening.throw(1, 4, 4, 5, 5, 6, 6)
    evening.press(1, "claim", "Ann: “Got it!” is right, now 6.")
    evening.scores(6, 0)
    expect(page.locator(".over")).to_contain_text("Ann wins", timeout=WAIT_MS)
    expect(page.locator("[data-region=goal]")).to_contain_text("The match is over.")

    assert page.url == address, "the page followed by itself"
    result = table.view()["result"]
    assert list(result["winners"]) == [1]
    everything = " ".join(page.evaluate("window.said"))
    for entry in table.entries():
        if entry.seq > 4 and type(entry.filed.event).__name__ in ("Calls", "Flip", "Overrule", "Undo"):
            assert f"Ruling {entry.seq}:" in everything, f"entry {entry.seq} was not announced"
    assert replay(table.log_lines()).match.result() is not None, "and the record replays to the same end"
