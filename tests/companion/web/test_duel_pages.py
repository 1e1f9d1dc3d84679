"""The pages of Thunder & Lightning: what everybody sees, what a seat and the judge may do, and what stays secret."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.catalogue import Catalogue
from companion.live.sight import PrivateLook
from companion.web.app import create_app
from companion.web.games import SCREENS, screens_of
from companion.web.games.thunder_and_lightning.words import cards_of
from companion.web.roles import Role, may_submit
from device.speaker import SilentSpeaker
from rules.events import Source
from rules.header import Header, Seat
from rules.thunder_and_lightning.events import Conduct, Draw, Lay, TurnUp
from tests.companion.web.conftest import CODES, PIN, Played, submit
from tests.companion.web.duels import LOKI, SEATS, THOR, Duel

HEADER = Header("thunder-and-lightning", "1", "m", SEATS)
DICE = Header("lightning-dice", "1", "m", (Seat(1, "Ann", "red"), Seat(2, "Ben", "blue")))


def enter(client: FlaskClient, seat: int) -> None:
    assert client.post(f"/seat/{seat}", data={"code": CODES[seat]}).status_code == 303


def judge(client: FlaskClient) -> None:
    assert client.post("/judge", data={"code": PIN}).status_code == 303


# --- what everybody sees


def test_both_sides_lie_face_to_face_with_backs_and_words(duel_client: FlaskClient, duel: Duel) -> None:
    duel.to_the_second_turns()
    page = duel_client.get("/").text
    assert page.count('class="card down back-thor') == 4
    assert page.count('class="card down back-loki') == 4
    order = re.findall(r'id="card-(\d)-(\d)-1"', page)
    assert order == [("1", "1"), ("1", "2"), ("1", "3"), ("2", "1"), ("2", "2"), ("2", "3")], "equal columns face"
    for wanted in ("Tora", "Leif", "in hand", "in the deck", "action points left of 3", "Some printed values"):
        assert wanted in page, wanted
    assert page.count('<circle cx="10" cy="10" r="7"/>') == 3, "a dot for each action point"


def test_a_seat_sees_its_own_side_nearest(duel_client: FlaskClient, duel: Duel) -> None:
    duel.to_the_second_turns()
    for seat, nearest_row in ((THOR, ["3", "2", "1"]), (LOKI, ["1", "2", "3"])):
        enter(duel_client, seat)
        page = duel_client.get(f"/seat/{seat}").text
        near = page.split("side-near", 1)[1]
        assert re.findall(rf'id="card-{seat}-(\d)-1"', near) == nearest_row, "from the own left to the own right"


def test_a_card_turned_up_shows_name_strength_and_symbol(duel_client: FlaskClient, duel: Duel) -> None:
    duel.ravens_beaten()
    page = duel_client.get("/").text
    assert re.search(r'card up[^>]*>\s*<span class="card-name">Viking Warriors', page)
    assert '<span class="strength">3</span>' in page
    assert '<span class="hidden">with the symbol</span>' in page, "in the last challenge: the Ravens bear it"
    assert "on top:" in page
    assert "The last challenge" in page


def test_the_challenge_in_question_is_marked_and_told(duel_client: FlaskClient, duel: Duel) -> None:
    duel.challenge()
    page = duel_client.get("/").text
    assert page.count(" lit") == 2, "both cards of the challenge"
    assert "In question" in page
    assert "Leif challenges: a face-down card (Leif, middle column, row 1) against a face-down card" in page
    assert "Turn up the cards of the challenge" in page


def test_the_last_ruling_stands_there_with_its_clause(duel_client: FlaskClient, duel: Duel) -> None:
    duel.ravens_beaten()
    page = duel_client.get("/?lang=it").text
    assert "Vince la forza maggiore." in page
    assert "TL-C17" in page


def test_face_down_cards_and_hands_are_nowhere_named(duel_client: FlaskClient, duel: Duel) -> None:
    duel.to_the_second_turns()
    names = {str(card["name"]) for card in cards_of(duel.table.header).values()} - {"Thor", "Loki"}
    for path in ("/", "/camera", "/record", "/aid", "/record.csv", "/api/aid"):
        text = duel_client.get(path).text
        if path == "/":
            start, end = text.index('data-region="waiting"'), text.index('data-region="actions"')
            text = text[start:end] + text.split('data-region="words"')[1]  # options and choices name every card
        assert not [name for name in names if re.search(rf"\b{re.escape(name)}\b", text)], path


def test_what_may_be_done_is_told_to_all_and_done_by_those_who_may(duel_client: FlaskClient, duel: Duel) -> None:
    duel.to_the_second_turns()
    watching = duel_client.get("/").text
    assert "Draw a card: Leif" in watching
    assert "data-event" not in watching, "a watcher has no buttons"
    judge(duel_client)
    assert "data-event" in duel_client.get("/").text, "the group at the table has"


def test_the_table_is_read_aloud_for_each_side(duel_client: FlaskClient, duel: Duel, speaker: SilentSpeaker) -> None:
    duel.ravens_beaten()
    both = duel_client.get("/api/aid").json["text"]
    assert both.startswith("It is the turn of Leif: 2 action points left. Thor (Tora):")
    assert (
        "Thor's middle column: two cards, the first face up, Viking Warriors 3; behind it one face-down card." in both
    )
    one = duel_client.get("/api/aid?seat=2").json["text"]
    assert "Loki's left column" in one
    assert "Thor's" not in one
    aloud = duel_client.post("/api/aid?lang=it", json={"seat": THOR}).json
    assert "La colonna centrale di Thor: due carte" in aloud["text"]
    assert [each.text for each in speaker.said] == [aloud["text"]]


def test_the_camera_page_names_the_faces_that_it_sees(duel_client: FlaskClient, duel: Duel) -> None:
    markers = next(card["markers"] for card in cards_of(duel.table.header).values() if card["id"] == "thor-tyr")
    seen = SimpleNamespace(sequence=7, markers=[SimpleNamespace(id=each) for each in (markers[0], 200, 240)], dice=[])
    duel.table.picture = lambda: (b"jpeg", seen)  # type: ignore[method-assign]
    answer = duel_client.get("/api/camera").json
    assert answer["markers"] == ["Tyr 7"]
    assert answer["text"] == "1 face seen, 2 backs and corners"


# --- what a seat may do


@pytest.mark.parametrize(
    ("event", "own", "other"),
    [
        ({"kind": "draw", "seat": 1}, True, False),
        ({"kind": "lay", "seat": 1, "column": 1}, True, False),
        ({"kind": "end-turn", "seat": 1}, True, False),
        ({"kind": "turn-up", "spot": [1, 1, 1], "card": "x"}, True, True),
        ({"kind": "hit", "seat": 1, "card": "x"}, True, True),
        ({"kind": "drawn", "seat": 1, "card": "x"}, True, True),
        ({"kind": "show-hand", "seat": 1, "cards": []}, True, False),
        ({"kind": "decide", "target": 1, "decision": "uphold"}, False, False),
        ({"kind": "vouch", "seat": 1, "card": "x", "reason": "y"}, False, False),
        ({"kind": "conduct", "seat": 1, "what": "peeks-hand"}, False, False),
        ({"kind": "adjust", "seat": 1, "what": "hand", "value": 1, "reason": "y"}, False, False),
        ({"kind": "note", "text": "hello"}, True, True),
        ({"kind": "roll", "seat": 1, "faces": []}, False, False),
    ],
    ids=lambda value: str(value["kind"]) if isinstance(value, dict) else "",
)
def test_a_seat_declares_what_it_does_and_what_all_see(event: dict[str, Any], own: bool, other: bool) -> None:
    assert may_submit(Role(False, frozenset({THOR})), HEADER, event) is own
    assert may_submit(Role(False, frozenset({LOKI})), HEADER, event) is other
    assert may_submit(Role(False, frozenset()), HEADER, event) is False
    assert may_submit(Role(True, frozenset()), HEADER, event) is True


def test_a_seat_of_dice_declares_no_cards() -> None:
    assert not may_submit(Role(False, frozenset({1})), DICE, {"kind": "draw", "seat": 1})
    assert may_submit(Role(False, frozenset({1})), DICE, {"kind": "roll", "seat": 1})


def test_a_seat_page_offers_its_turn(duel_client: FlaskClient, duel: Duel) -> None:
    duel.to_the_second_turns()
    enter(duel_client, LOKI)
    page = duel_client.get(f"/seat/{LOKI}").text
    assert 'data-press="claim">Draw<' in page
    assert 'data-press="call">End turn<' in page
    assert "Your turn: 3 action points left." in page
    assert "Got it!" not in page
    events = [json.loads(each) for each in re.findall(r"data-event='([^']*)'", page)]
    assert {"kind": "draw", "seat": LOKI} in events
    assert {each.get("seat") for each in events} <= {LOKI, THOR}
    answer = submit(duel_client, {"kind": "draw", "seat": LOKI})
    assert answer.json["accepted"] is True
    assert submit(duel_client, {"kind": "draw", "seat": THOR}).status_code == 403
    assert duel.table.entries()[-1].filed.source is Source.DECLARED


def test_a_card_named_by_hand_is_known_as_typed(duel_client: FlaskClient, duel: Duel) -> None:
    duel.challenge()
    enter(duel_client, LOKI)
    assert submit(duel_client, {"kind": "turn-up", "spot": [LOKI, 2, 1], "card": "loki-ravens"}).json["accepted"]
    assert duel.table.entries()[-1].filed.source is Source.TYPED


# --- what the judge may do


def test_a_finding_stands_there_with_clause_entry_and_both_answers(duel_client: FlaskClient, duel: Duel) -> None:
    duel.challenge()
    duel.file(TurnUp((LOKI, 2, 1), "loki-leader"))
    laid = next(e.seq for e in duel.table.entries() if e.filed.event == Lay(LOKI, 2))
    judge(duel_client)
    page = duel_client.get("/judge").text
    found = page.split('data-region="findings"')[1].split('data-region="tools"')[0]
    assert f"It goes back to entry {laid}." in found
    assert "Recommended:" in found
    assert "TL-L5" in found
    number = re.search(r'id="find-refuse-(\d+)-(\d+)"', found)
    assert number
    event = {"kind": "overrule", "target": int(number[1]), "ruling": int(number[2]), "decision": "refuse"}
    answer = submit(duel_client, {**event, "reason": "a wrong card was read"}).json
    assert answer["accepted"], answer
    assert answer["rulings"][0]["code"] == "tl.finding-withdrawn"
    page = duel_client.get("/judge").text
    found = page.split('data-region="findings"')[1].split('data-region="tools"')[0]
    assert "Decided: it is withdrawn." in found
    assert number[0].replace("refuse", "uphold") in found
    assert number[0] not in found, "only the other word is left"


def test_conduct_is_laid_before_the_judge_in_words(duel_client: FlaskClient, duel: Duel) -> None:
    duel.set_up()
    judge(duel_client)
    assert submit(duel_client, {"kind": "conduct", "seat": THOR, "what": "peeks-hand"}).json["accepted"]
    page = duel_client.get("/judge").text
    assert "Tora: looked at the enemy&#39;s hand." in page
    for wanted in ("vouch", "conduct", "adjust", "pause", "note"):
        assert f'id="{wanted}"' in page, wanted
    assert "TL-S5" in page


def test_a_claim_that_waits_has_both_answers(duel_client: FlaskClient, duel: Duel) -> None:
    duel.to_the_second_turns()
    view = duel.table.view()
    claim = {"kind": "stuck", "seat": LOKI, "by": LOKI, "why": "", "card": None, "left": 0, "spots": []}
    choice = {"event": {"kind": "decide", "target": 25, "decision": "uphold"}, "free": {"decision": {}, "reason": {}}}
    waiting = {**view, "waiting": [{**claim, "challenger": None}], "choices": [{**choice, "people": True}]}
    duel.table.view = lambda: waiting  # type: ignore[method-assign]
    judge(duel_client)
    page = duel_client.get("/judge").text
    assert "Leif claims that no action is left. Look at the hand." in page
    pending = page.split('data-region="pending"')[1].split('data-region="findings"')[0]
    given = [json.loads(each) for each in re.findall(r"data-event='([^']*)'", pending)]
    assert [(each["target"], each["decision"]) for each in given] == [(25, "uphold"), (25, "refuse")]


def test_dialogs_of_the_judge_file_events_that_are_understood(duel_client: FlaskClient, duel: Duel) -> None:
    duel.to_the_second_turns()
    judge(duel_client)
    page = duel_client.get("/judge").text
    tools = page.split('data-region="tools"')[1].split('data-region="actions"')[0]
    for name, filled in {
        "vouch": {"card": "thor-warriors", "reason": "we looked"},
        "conduct": {"what": "turns-down"},
        "adjust": {"seat": LOKI, "what": "points", "value": 1, "reason": "forgotten"},
    }.items():
        given = re.search(rf'id="{name}"[^>]*data-event=\'([^\']*)\'', tools, re.S)
        assert given, name
        answer = submit(duel_client, {**json.loads(given[1]), **filled})
        assert answer.status_code == 200, answer.text
    assert duel.table.view()["turn"]["left"] == 1


def test_an_entry_is_corrected_with_the_fields_that_it_has(duel_client: FlaskClient, duel: Duel) -> None:
    duel.challenge()
    duel.play(TurnUp((LOKI, 2, 1), "loki-ravens"))
    seq = duel.table.view()["seq"]
    judge(duel_client)
    page = duel_client.get("/judge").text
    given = re.search(rf'id="amend-{seq}"[^>]*data-event=\'([^\']*)\'\s*data-fields=\'([^\']*)\'', page, re.S)
    assert given
    assert [each["path"] for each in json.loads(given[2])] == ["event.card", "reason"]
    event = json.loads(given[1])
    event["event"]["card"], event["reason"] = "loki-seer", "the marker was half hidden"
    assert submit(duel_client, event).json["accepted"]
    assert duel.table.view()["question"]["challenger"]["card"]["id"] == "loki-seer"


# --- the private aid


def look(client: FlaskClient, seat: int, language: str = "en") -> Any:
    return client.post(f"/api/private/{seat}?lang={language}", json={})


def test_a_private_look_needs_the_code_of_that_seat(duel_client: FlaskClient, duel: Duel) -> None:
    assert look(duel_client, THOR).status_code == 403
    judge(duel_client)
    assert look(duel_client, THOR).status_code == 403, "the judge's PIN opens no hand"
    enter(duel_client, LOKI)
    assert look(duel_client, THOR).status_code == 403, "nor does the other seat's code"
    assert duel.looks == [], "and nothing was looked at"
    assert look(duel_client, LOKI).status_code == 200
    assert duel.looks == [LOKI]


def test_a_private_look_answers_with_the_card_and_leaves_no_trace(
    duel_client: FlaskClient, duel: Duel, speaker: SilentSpeaker, caplog: pytest.LogCaptureFixture
) -> None:
    duel.set_up()
    enter(duel_client, THOR)
    pages = ("/", "/record", "/record.jsonl", "/api/aid", f"/seat/{THOR}", "/api/view?page=table", "/camera")
    boot = re.compile(r'"boot":"\w+"')
    before = [boot.sub("", duel_client.get(path).text) for path in pages]
    listener = duel.hub.subscribe()
    duel.look = PrivateLook(card="thor-ravens")
    with caplog.at_level(0):
        answer = look(duel_client, THOR)
    assert answer.json["card"]["name"] == "Ravens"
    assert answer.json["words"].startswith("Ravens 1. With the symbol.")
    assert answer.headers["Cache-Control"] == "no-store"
    assert speaker.said == []
    assert listener.next(timeout_s=0) is None, "nothing was published"
    assert "ravens" not in caplog.text.lower()
    assert [boot.sub("", duel_client.get(path).text) for path in pages] == before
    assert "Set-Cookie" not in answer.headers or "ravens" not in answer.headers["Set-Cookie"].lower()


@pytest.mark.parametrize("reason", ["no-camera", "no-nook", "nothing", "unreadable", "several"])
def test_a_private_look_without_a_card_says_why(duel_client: FlaskClient, duel: Duel, reason: Any) -> None:
    enter(duel_client, THOR)
    duel.look = PrivateLook(reason=reason)
    answer = look(duel_client, THOR, "it").json
    assert answer["card"] is None
    assert answer["words"] == Catalogue("it").text(f"private.reason.{reason}")


@pytest.mark.parametrize("headers", [{"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}])
def test_another_site_cannot_have_a_card_read(duel_client: FlaskClient, duel: Duel, headers: dict[str, str]) -> None:
    enter(duel_client, THOR)
    assert duel_client.post(f"/api/private/{THOR}", json={}, headers=headers).status_code == 403
    assert duel.looks == []


def test_the_private_page_asks_for_the_code_and_warns(duel_client: FlaskClient, duel: Duel) -> None:
    assert duel_client.get(f"/seat/{THOR}/private").headers["Location"] == f"/seat/{THOR}"
    enter(duel_client, THOR)
    page = duel_client.get(f"/seat/{THOR}/private").text
    assert "Use an earphone" in page
    assert "Read my card" in page
    assert "nook" in page
    assert duel_client.get("/seat/9/private").status_code == 404


def test_dice_have_nothing_private(client: FlaskClient, played: Played) -> None:
    client.post("/seat/1", data={"code": CODES[1]})
    assert client.post("/api/private/1", json={}).status_code == 404
    assert client.get("/seat/1/private").status_code == 404


# --- the shape


def test_every_game_has_pages_for_the_same_names(app: Flask) -> None:
    for name, screens in SCREENS.items():
        assert {"table", "judge", "camera", "record", "aid", "seat", "help"} <= set(screens.regions), name
        for regions in screens.regions.values():
            for each in regions:
                assert app.jinja_env.select_template(screens.templates(f"regions/{each}.html"))
    with pytest.raises(LookupError, match="lightning-dice"):
        screens_of("chess")


@pytest.mark.parametrize("language", ["en", "it"])
def test_every_page_renders_at_every_stage(duel: Duel, language: str) -> None:
    app = create_app(duel.table, duel.hub, judge_pin=PIN, seat_codes=CODES, language=language)
    client = app.test_client()
    enter(client, THOR)
    judge(client)

    def all_pages() -> None:
        for path in ("/", "/judge", "/camera", "/record", "/aid", "/help", "/seat/1", "/seat/1/private", "/nowhere"):
            page = client.get(path)
            assert page.status_code in (200, 404)
            assert f'<html lang="{language}"' in page.text
            assert not re.search(r">\s*[a-z]+\.[a-z.-]+\s*<", page.text), "a key without words"

    all_pages()
    duel.set_up()
    all_pages()
    duel.play(Draw(LOKI))
    duel.file(Conduct(THOR, "peeks-hand"))
    all_pages()
