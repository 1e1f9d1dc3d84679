"""Who may do what over the web, and what everybody is told when they may not."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.controls import pressing
from companion.web import roles
from companion.web.app import create_app
from device.clock import ManualClock
from device.speaker import SilentSpeaker
from tests.companion.web.conftest import CODES, PIN, Played, submit

PAGES = ("/", "/judge", "/camera", "/record", "/aid", "/help", "/seat/1")


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("language", ["en", "it"])
def test_every_page_opens_for_anybody_in_every_language(client: FlaskClient, path: str, language: str) -> None:
    answer = client.get(f"{path}?lang={language}")
    assert answer.status_code == 200
    assert f'<html lang="{language}"' in answer.text
    assert re.search(r">(page|table|seat|judge|js|nav)\.[a-z.-]+<", answer.text) is None


@pytest.mark.parametrize("path", PAGES)
def test_headers_close_every_page_to_other_sites(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Cache-Control"] == "no-store"
    assert not re.search(
        r"<script(?![^>]*(src=|application/json))|\son\w+=|\sstyle=|https?://(?!www\.w3\.org)", answer.text
    )


def test_role_cookie_is_out_of_reach_of_scripts_and_other_sites(client: FlaskClient) -> None:
    cookie = client.post("/judge", data={"code": PIN}).headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie


@pytest.mark.parametrize(
    ("word", "event"),
    [
        ("adjust", {"kind": "adjust", "seat": 1, "what": "score", "value": 3, "reason": "pawn"}),
        ("undo", {"kind": "undo", "back_to": 0, "reason": "again"}),
        ("pause", {"kind": "pause"}),
        ("flip", {"kind": "flip", "card": "g01"}),
        ("a roll of another seat", {"kind": "roll", "seat": 2, "faces": [1, 1, 1, 1, 1, 1]}),
        ("a call in another's name", {"kind": "calls", "presses": [{"seat": 2, "call": "got-it"}]}),
    ],
)
def test_a_seat_may_not_do_what_is_not_its_own(client: FlaskClient, played: Played, word: str, event: Any) -> None:
    assert submit(client, event).status_code == 403, "nobody"
    client.post("/seat/1", data={"code": CODES[1]})
    answer = submit(client, event)
    assert answer.status_code == 403, word
    assert "role" in answer.json["error"]
    assert played.table.view()["seq"] == 0


def test_a_seat_types_its_own_dice(client: FlaskClient, played: Played) -> None:
    client.post("/seat/1", data={"code": CODES[1]})
    answer = submit(client, {"kind": "roll", "seat": 1, "faces": [1, 2, 3, 4, 5, 6]})
    assert answer.status_code == 200
    assert played.table.entries()[-1].filed.source == "typed"


def test_the_group_corrects_with_its_pin(group: FlaskClient, played: Played) -> None:
    answer = submit(group, {"kind": "adjust", "seat": 1, "what": "score", "value": 3, "reason": "the pawn"})
    assert answer.json["accepted"] is True
    assert played.table.view()["seats"][0]["score"] == 3
    group.post("/leave")
    assert submit(group, {"kind": "pause"}).status_code == 403


class TestWithJudge:
    @pytest.fixture
    def judge(self) -> str:
        return "Gale"

    def test_corrections_are_filed_as_the_judges(self, group: FlaskClient, played: Played) -> None:
        answer = submit(group, {"kind": "adjust", "seat": 1, "what": "score", "value": 3, "reason": "the pawn"})
        assert answer.json["accepted"] is True
        assert played.table.entries()[-1].filed.source == "judge"


def test_codes_are_checked_and_guessing_is_slowed(played: Played) -> None:
    now_ns = 0
    app = create_app(played.table, played.hub, judge_pin=PIN, seat_codes=CODES, now_ns=lambda: now_ns)
    client = app.test_client()
    for _ in range(roles.TRIES):
        assert client.post("/judge", data={"code": "000000"}).status_code == 303
    assert client.post("/judge", data={"code": PIN}).status_code == 429
    assert "Wait a minute" in client.post("/judge", data={"code": PIN}).text
    assert submit(client, {"kind": "pause"}).status_code == 403
    now_ns = roles.WINDOW_NS
    assert client.post("/judge", data={"code": PIN}).status_code == 303
    assert submit(client, {"kind": "pause"}).status_code == 200


def test_guessing_from_many_addresses_is_slowed_too() -> None:
    checked = roles.Roles(PIN, CODES, lambda: 0)
    for number in range(roles.TRIES_OF_ALL):
        assert not checked.judge("0", f"address {number}")
    with pytest.raises(roles.TooManyTries):
        checked.judge(PIN, "another")


def test_a_seat_without_a_code_lets_nobody_in() -> None:
    assert not roles.Roles(PIN, {}, lambda: 0).seat(1, "", "here")


POSTED_TO = ["/api/submit", "/api/ask", "/api/press", "/api/aid", "/api/hush", "/judge", "/seat/1", "/leave"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://localhost:9999"},
    ],
    ids=lambda headers: " ".join(headers.values()),
)
@pytest.mark.parametrize("path", POSTED_TO)
def test_posts_from_other_sites_are_refused(group: FlaskClient, headers: dict[str, str], path: str) -> None:
    answer = group.post(path, json={"event": {"kind": "pause"}}, headers=headers)
    assert answer.status_code == 403


def test_what_is_only_asked_is_ruled_on_and_leaves_no_trace(group: FlaskClient, played: Played) -> None:
    before = played.table.entries()
    said = group.post("/api/ask", json={"event": {"kind": "pause"}}).get_json()
    assert said["accepted"]
    assert said["rulings"][0]["seen"]
    assert "seq" not in said
    assert played.table.entries() == before
    assert group.post("/api/submit", json={"event": {"kind": "pause"}}).get_json()["rulings"] == [
        {**each, "label": str(len(before) + 1)} for each in said["rulings"]
    ]


def test_nobody_asks_for_another(client: FlaskClient) -> None:
    assert client.post("/api/ask", json={"event": {"kind": "pause"}}).status_code == 403


def test_own_posts_name_the_own_origin(group: FlaskClient) -> None:
    own = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
    assert group.post("/api/submit", json={"event": {"kind": "pause"}}, headers=own).status_code == 200


@pytest.mark.parametrize(
    ("word", "options"),
    [
        ("no json", {"data": "pause", "content_type": "text/plain"}),
        ("broken json", {"data": "{", "content_type": "application/json"}),
        ("a list", {"json": [1]}),
        ("deep", {"data": "[" * 5000, "content_type": "application/json"}),
        ("no event", {"json": {}}),
        ("event is a text", {"json": {"event": "pause"}}),
        ("unknown kind", {"json": {"event": {"kind": "explode"}}}),
        ("unknown field", {"json": {"event": {"kind": "pause", "why": 1}}}),
        ("wrong type", {"json": {"event": {"kind": "undo", "back_to": "x", "reason": "y"}}}),
        ("odd answers", {"json": {"event": {"kind": "pause"}, "answers": "no"}}),
        (
            "huge number",
            {"data": '{"event":{"kind":"undo","back_to":1e400,"reason":"x"}}', "content_type": "application/json"},
        ),
    ],
)
def test_bad_input_gets_a_clear_400(group: FlaskClient, played: Played, word: str, options: Any) -> None:
    answer = group.post("/api/submit", **options)
    assert answer.status_code == 400, word
    assert len(answer.json["error"]) > 15
    assert "Traceback" not in answer.text
    assert played.table.view()["seq"] == 0


@pytest.mark.parametrize("body", [{}, {"seat": "1", "button": "claim"}, {"seat": 1, "button": "flip"}, {"seat": True}])
def test_bad_presses_get_a_400(client: FlaskClient, body: Any) -> None:
    assert client.post("/api/press", json=body).status_code == 400


def test_presses_need_the_code_of_the_seat(client: FlaskClient, played: Played) -> None:
    pressed: list[Any] = []
    played.table.press = pressed.append  # type: ignore[method-assign]
    assert client.post("/api/press", json={"seat": 1, "button": "claim"}).status_code == 403
    client.post("/seat/1", data={"code": CODES[1]})
    assert client.post("/api/press", json={"seat": 1, "button": "claim"}).status_code == 200
    assert client.post("/api/press", json={"seat": 2, "button": "claim"}).status_code == 403
    (press,) = pressed
    assert (press.seat, press.button, press.source, press.kernel_timed) == (1, "claim", "dashboard", False)


@pytest.mark.parametrize(
    ("path", "status"),
    [("/nowhere", 404), ("/seat/9", 404), ("/camera.jpg", 404), ("/language/xx", 404), ("/static/../app.py", 404)],
)
def test_what_is_not_there_gets_a_clear_page(client: FlaskClient, path: str, status: int) -> None:
    answer = client.get(path)
    assert answer.status_code == status
    assert "Back to the table" in answer.text


def test_a_wrong_method_gets_json_from_the_api(client: FlaskClient) -> None:
    answer = client.get("/api/submit")
    assert answer.status_code == 405
    assert answer.json["error"]


def test_a_failing_table_never_shows_a_traceback(client: FlaskClient, played: Played) -> None:
    def fail() -> Any:
        raise ZeroDivisionError("secret detail")

    played.table.view = fail  # type: ignore[method-assign]
    answer = client.get("/")
    assert answer.status_code == 500
    assert "secret detail" not in answer.text
    assert "match itself is safe" in answer.text


def test_names_cannot_smuggle_markup_in(app: Flask, played: Played) -> None:
    client = app.test_client()
    client.post("/judge", data={"code": PIN})
    submit(client, {"kind": "note", "text": "<script>alert(1)</script>{seat}"})
    for path in ("/", "/judge", "/record"):
        page = client.get(path).text
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert(1)&lt;/script&gt;{seat}" in page


def test_language_choice_is_kept_and_never_leads_away(client: FlaskClient) -> None:
    assert client.get("/language/it?to=//evil.example").headers["Location"] == "/"
    assert '<html lang="it"' in client.get("/").text


def test_aid_speaks_at_the_table_when_asked(client: FlaskClient, played: Played, speaker: SilentSpeaker) -> None:
    played.roll(1, 3, None, 5, 6, 1, 2)
    silent = client.get("/api/aid?seat=1").json["text"]
    assert silent == (
        "Ann: die 1 shows 3, die 2 cannot be read, not readable, die 3 shows 5, die 4 shows 6, die 5 shows 1, "
        "and die 6 shows 2."
    )
    assert speaker.said == []
    aloud = client.post("/api/aid?lang=it", json={"seat": 1}).json
    assert aloud["aloud"] is True
    assert "dado 2 illeggibile" in aloud["text"]
    assert [(each.text, each.language) for each in speaker.said] == [(aloud["text"], "it")]
    assert client.get("/api/aid?seat=2").json["text"] == "Ben: no dice lie still in view."


def test_a_double_tap_on_a_phone_is_one_press(played: Played) -> None:
    pressed: list[Any] = []
    played.table.press = pressed.append  # type: ignore[method-assign]
    clock = ManualClock()
    guarded = create_app(
        played.table, played.hub, judge_pin=PIN, seat_codes=CODES, press=pressing(played.table), now_ns=clock.now_ns
    )
    phone = guarded.test_client()
    phone.post("/seat/1", data={"code": CODES[1]})
    times = []
    for wait_ms in (0, 150, 1850):
        times.append(clock.advance(wait_ms * 1_000_000))
        assert phone.post("/api/press", json={"seat": 1, "button": "claim"}).status_code == 200
    assert [each.edge_ns for each in pressed] == [times[0], times[2]]


@pytest.mark.parametrize("who", ["judge", "seat"])
def test_players_and_the_judge_may_silence_the_voice_and_nobody_else(
    app: Flask, speaker: SilentSpeaker, monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    silenced: list[bool] = []
    monkeypatch.setattr(speaker, "stop", lambda: silenced.append(True))
    browser = app.test_client()
    assert browser.post("/api/hush", json={}).status_code == 403
    assert silenced == []
    browser.post("/judge" if who == "judge" else "/seat/1", data={"code": PIN if who == "judge" else CODES[1]})
    answer = browser.post("/api/hush", json={})
    assert (answer.status_code, answer.json) == (200, {"silenced": True})
    assert silenced == [True]
