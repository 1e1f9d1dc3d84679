"""The pages of evidence: in words for whoever sees no picture, for downloads, and for the judge alone to delete."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask.testing import FlaskClient
from playwright.sync_api import Page

from companion.evidence.archive import Archive
from companion.evidence.export import checked_export
from companion.evidence.keeper import EvidenceKeeper
from companion.hub import Hub
from companion.live.interpreter import Seen
from companion.live.opening import Wanted
from companion.store import Store
from companion.web.app import create_app
from companion.web.server import WebServer
from device.clock import ManualClock
from rules.events import Source, Submission
from rules.lightning_dice.events import Call, Calls, Press
from tests.companion.evidence.made import MS, START_NS, frame, tracked, watched
from tests.companion.helpers import press
from tests.companion.web.conftest import CODES, PIN, SEATS, Played
from tests.companion.web.test_browser_pages import RULES


class Kept:
    """A table with a claim whose evidence is kept, and one whose evidence is still being frozen."""

    def __init__(self, store: Store) -> None:
        self.played = Played(store, Hub(), Wanted("lightning-dice", SEATS))
        self.clock = ManualClock(START_NS)
        self.keeper = EvidenceKeeper(Archive(store), self.clock)
        self.keeper.watch(self.played.table)
        self.played.set_up()
        self.played.open_card()
        self.played.roll(1, 1, 1, 2, 2, 3, 3)
        for number, at_ns in enumerate(range(START_NS - 400 * MS, START_NS + 700 * MS, 100 * MS)):
            seen = Seen(whose={1: (1, 0), 2: (2, 0)})
            dice = (tracked(1, 3), tracked(2, None))
            self.played.table.sight.frame(frame(number, at_ns), watched(number, at_ns, *dice), seen)
        for seat, edge_ns in ((1, START_NS + 10 * MS), (2, START_NS + 11 * MS)):
            self.keeper.pressed(press(seat, edge_ns))
        calls = Calls((Press(1, Call.GOT_IT, START_NS + 10 * MS),))
        self.seq = self.played.table.submit(Submission(calls, Source.BUTTON)).seq
        self.keeper.work()
        self.waiting = self.played.table.submit(
            Submission(Calls((Press(2, Call.GOT_IT, START_NS + 690 * MS),)), Source.BUTTON)
        ).seq
        self.match = self.played.table.header.match
        self.at = f"/evidence/{self.match}/{self.seq}"


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Kept]:
    with Store(tmp_path) as store:
        made = Kept(store)
        yield made
        made.played.table.close()
        made.keeper.close()


@pytest.fixture
def client(kept: Kept) -> FlaskClient:
    app = create_app(kept.played.table, kept.played.hub, judge_pin=PIN, seat_codes=CODES, evidence=kept.keeper)
    return app.test_client()


def test_the_page_says_in_words_what_the_picture_shows(client: FlaskClient, kept: Kept) -> None:
    html = client.get(kept.at).get_data(as_text=True)
    assert "Call of Ann, entry" in html
    assert 'alt="The table 90.0 ms after. Ann: 3. Ben: unreadable."' in html
    assert "<strong>Ann</strong>, Got it!: first" in html
    assert "<strong>Ben</strong>, Got it!: 1.0 ms after (1.0 ms after the one before) – not part of this ruling" in html
    assert "Die 1 shows 3." in html
    assert "The picture was exposed 90.0 ms after the press." in html
    assert "Ann called “Got it!”" in html  # the ruling itself
    assert html.count("<figcaption>") == 1 + 10
    assert html.count("this one answers for the press") == 1
    assert html.count(' alt=""') == 0


def test_in_italian_too(client: FlaskClient, kept: Kept) -> None:
    html = client.get(kept.at + "?lang=it").get_data(as_text=True)
    assert 'alt="Il tavolo 90,0 ms dopo. Ann: 3. Ben: illeggibile."' in html
    assert "Chi ha premuto, in ordine" in html


def test_every_ruling_of_a_call_links_to_its_evidence(client: FlaskClient, kept: Kept) -> None:
    assert f'href="/evidence/{kept.match}/{kept.waiting}"' in client.get("/").get_data(as_text=True)
    record = client.get("/record").get_data(as_text=True)
    assert f'href="{kept.at}"' in record
    client.post("/judge", data={"code": PIN})
    assert f'href="{kept.at}"' in client.get("/judge").get_data(as_text=True)


def test_what_is_still_being_frozen_says_so_and_what_was_never_kept_too(client: FlaskClient, kept: Kept) -> None:
    waits = client.get(f"/evidence/{kept.match}/{kept.waiting}")
    assert waits.status_code == 200
    assert "still being kept" in waits.get_data(as_text=True)
    for where in (f"/evidence/{kept.match}/1", "/evidence/no-such-match/4"):
        missing = client.get(where)
        assert missing.status_code == 404
        assert "evidence" in missing.get_data(as_text=True)


@pytest.mark.parametrize(
    ("path", "mimetype", "start"),
    [
        ("/4.jpg", "image/jpeg", b"\xff\xd8"),
        ("/4.jpg?plain", "image/jpeg", b"\xff\xd8"),
        ("/4.jpg?small", "image/jpeg", b"\xff\xd8"),
        (".png", "image/png", b"\x89PNG"),
        (".mp4", "video/mp4", b"\x00\x00\x00"),
        (".zip", "application/zip", b"PK"),
    ],
)
def test_everything_can_be_taken_away(client: FlaskClient, kept: Kept, path: str, mimetype: str, start: bytes) -> None:
    answer = client.get(kept.at + path)
    assert (answer.status_code, answer.mimetype) == (200, mimetype)
    assert answer.data.startswith(start)


def test_the_plain_picture_is_the_kept_one_and_the_other_is_drawn_on(client: FlaskClient, kept: Kept) -> None:
    plain = client.get(kept.at + "/4.jpg?plain").data
    assert plain == kept.keeper.archive.picture(kept.match, kept.seq, 4)
    assert client.get(kept.at + "/4.jpg").data != plain
    assert client.get(kept.at + "/99.jpg").status_code == 404


def test_the_match_goes_out_as_one_checked_zip(client: FlaskClient, kept: Kept) -> None:
    data = client.get("/record.zip").data
    manifest = checked_export(data)
    assert [each.get("entry") for each in manifest["files"]] == [None, kept.seq]
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        assert file.read("match.jsonl") == client.get("/record.jsonl").data


def test_only_the_judge_deletes(client: FlaskClient, kept: Kept) -> None:
    assert client.post(kept.at + "/delete").status_code == 403
    assert "Delete" not in client.get(kept.at).get_data(as_text=True)
    client.post("/judge", data={"code": PIN})
    assert "Delete for good" in client.get(kept.at).get_data(as_text=True)
    assert client.post(kept.at + "/delete", headers={"Origin": "http://elsewhere"}).status_code == 403
    assert client.post(kept.at + "/delete").status_code == 303
    assert client.get(kept.at).status_code == 404
    assert client.post(kept.at + "/delete").status_code == 404


def test_the_list_tells_the_policy(client: FlaskClient, kept: Kept) -> None:
    html = client.get("/evidence").get_data(as_text=True)
    assert "may take 1000 MB" in html
    assert f'href="{kept.at}"' in html


@pytest.fixture
def server(kept: Kept) -> Iterator[WebServer]:
    app = create_app(kept.played.table, kept.played.hub, judge_pin=PIN, seat_codes=CODES, evidence=kept.keeper)
    with WebServer(app, kept.played.hub, port=0) as running:
        yield running


@pytest.mark.browser
def test_axe_finds_nothing_nothing_is_cut_off_and_the_strip_begins_at_the_press(page: Page, kept: Kept) -> None:
    page.goto("/judge")
    page.fill("#code", PIN)
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-region]")
    found: list[str] = []
    for theme, width in (("light", 1280), ("dark", 320)):
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        page.set_viewport_size({"width": width, "height": 800})
        for path in (kept.at, f"/evidence/{kept.match}/{kept.waiting}", "/evidence"):
            page.goto(path)
            results = Axe().run(page, options={"runOnly": {"type": "tag", "values": RULES}}).response
            found += [f"{path} {theme}: {each['id']} {each['nodes'][0]['html'][:90]}" for each in results["violations"]]
            over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert over <= 0, f"{path} is {over} px wider than {width}"
    assert found == []
    page.goto(kept.at)
    page.wait_for_selector("#link-state[data-state=live]")
    assert page.evaluate("document.querySelector('.strip').scrollLeft") > 100


def test_a_table_that_keeps_nothing_has_no_such_pages(played: Played) -> None:
    app = create_app(played.table, played.hub, judge_pin=PIN, seat_codes=CODES)
    assert app.test_client().get("/evidence").status_code == 404
