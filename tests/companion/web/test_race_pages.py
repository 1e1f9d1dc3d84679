"""The pages of Greece Lightning: what they offer, whom they let do it, and what they say."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.catalogue import Catalogue, languages
from companion.course.wheel_svg import WHEEL_STYLE
from companion.hub import Hub
from companion.store import Store
from companion.web.app import create_app
from companion.web.games import screens_of
from companion.web.games.greece_lightning.forms import GROUPS, SEPARATE, Forms
from rules.events import Adjust, Source
from rules.greece_lightning.events import Conduct, GreeceLightningEvent
from rules.greece_lightning.game import REFEREE
from rules.rulings import Verdict
from tests.companion.web.conftest import PIN, submit
from tests.companion.web.races import SEATS, Race

SEAT_CODES = {1: "1111", 2: "2222", 3: "3333"}
ENGLISH = Catalogue("en")
PAGES = ("/", "/seat/1", "/judge", "/camera", "/aid", "/help", "/record")


@pytest.fixture
def race(tmp_path: Path) -> Iterator[Race]:
    with Store(tmp_path) as store:
        made = Race(store, Hub())
        yield made
        made.table.close()


@pytest.fixture
def client(race: Race) -> FlaskClient:
    app = create_app(race.table, race.hub, judge_pin=PIN, seat_codes=SEAT_CODES)
    app.testing = False
    return app.test_client()


def as_seat(client: FlaskClient, number: int) -> FlaskClient:
    assert client.post(f"/seat/{number}", data={"code": SEAT_CODES[number]}).status_code == 303
    return client


def text(client: FlaskClient, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def buttons(html: str) -> list[dict[str, Any]]:
    """The event of each button."""
    return [json.loads(unescape(each)) for each in re.findall(r"data-event='([^']*)'", html)]


def forms(race: Race) -> Forms:
    return Forms(race.table.view(), race.table.header, ENGLISH)


def test_every_kind_of_event_has_its_place_on_the_pages_exactly_once() -> None:
    placed = [kind for kinds in GROUPS.values() for kind in kinds]
    assert len(set(placed)) == len(placed)
    kinds = {each.__struct_config__.tag for each in GreeceLightningEvent.__args__}
    assert kinds == set(placed) | {"conduct"}
    assert not set(placed) & SEPARATE


@pytest.mark.parametrize("language", languages())
def test_every_page_shows_each_moment_of_a_race_with_nothing_left_out(
    race: Race, client: FlaskClient, language: str
) -> None:
    """Set-up, rolls, wedges, moves, cards: no missing word, no missing fact, and every button is a choice offered."""
    moments = (
        lambda state: state.phase == "setup",
        lambda state: state.layout is not None,
        lambda state: state.phase == "rolling",
        Race.moving,
        lambda state: bool(state.waiting),
        lambda state: state.turn is not None and state.turn.step == "reveal",
        lambda state: any(seat.favors for seat in state.seats),
        lambda state: state.turn is not None and state.turn.step == "place",
        lambda state: any(seat.bust for seat in state.seats),
        lambda state: state.phase == "over",
    )
    as_seat(client, 1)
    client.post("/judge", data={"code": PIN})
    for number, moment in enumerate(moments):
        race.until(moment)
        for path in PAGES[number % 3 :: 3] if language != "en" else PAGES[:3] if number else PAGES:
            html = text(client, f"{path}?lang={language}")
            assert not re.findall(r">\s*(?:race|gl|tl|mark|wheel|ahead|spot)\.[a-z.-]+", html), path
            assert "–</" not in re.sub(r"<svg.*?</svg>", "", html, flags=re.DOTALL) or path != "/", path
            assert "style=" not in html, path
            assert "<style" not in html, path


def test_the_wheel_has_the_dots_to_sail_to_lit_and_each_is_a_button_too(race: Race, client: FlaskClient) -> None:
    race.to_a_move(least_ways=2)
    mover = race.state.turn.seat if race.state.turn else 0
    html = text(as_seat(client, mover), f"/seat/{mover}")
    lit = set(re.findall(r'class="spot open" data-spot="([^"]*)"', html))
    expected = {f"{place}:{dot}" for place, dot in (each["spot"] for each in race.table.view()["next"])}
    assert lit == expected
    assert len(lit) >= 2
    assert set(re.findall(r'data-dot="([^"]*)"', html)) == lit
    assert f'data-mover="{mover}"' in html
    other = mover % len(SEATS) + 1
    watching = text(as_seat(client, other), f"/seat/{other}")
    assert "data-dot" not in watching
    assert 'class="spot open"' in watching


def test_who_only_watches_reads_what_may_be_done_and_has_no_buttons(race: Race, client: FlaskClient) -> None:
    race.to_a_move()
    html = text(client, "/")
    assert buttons(html) == []
    assert "data-mover" not in html
    assert "Sails on: place" in html


def test_every_button_of_a_move_is_accepted_as_it_stands(race: Race) -> None:
    race.to_a_move(least_ways=2)
    turn = race.state.turn
    assert turn is not None
    (sail,) = (group for group in forms(race).groups(turn.seat) if group["name"] == "sail")
    steps = [each for each in sail["buttons"] if each["event"]["kind"] == "step"]
    assert len(steps) >= 2
    for each in steps:
        event = REFEREE.read_submission(json.dumps({"event": each["event"], "source": "declared"}).encode())
        assert not any(ruling.verdict is Verdict.REFUSED for ruling in REFEREE.judge(race.state, event, 1).rulings)
        assert not each["fields"]


def test_a_dot_that_cannot_be_sailed_to_is_refused_with_the_clause(race: Race, client: FlaskClient) -> None:
    race.to_a_move()
    turn = race.state.turn
    assert turn is not None
    spot = race.state.seat_state(turn.seat).spot
    assert spot is not None
    as_seat(client, turn.seat)
    event = {"kind": "step", "seat": turn.seat, "to": [(spot.place + 4) % 12 + 1, "a1"]}
    answer = submit(client, event).get_json()
    assert not answer["accepted"]
    assert [each["id"] for each in answer["rulings"][0]["clauses"]]
    assert answer["rulings"][0]["expected"]
    html = text(client, "/")
    assert answer["rulings"][0]["seen"] in unescape(html)


def test_a_seat_declares_for_itself_and_what_lies_before_everybody(race: Race, client: FlaskClient) -> None:
    race.to_a_move()
    as_seat(client, 1)
    for event, status in (
        ({"kind": "feed", "seat": 1}, 200),
        ({"kind": "feed", "seat": 2}, 403),
        ({"kind": "step", "seat": 2, "to": [1, "a1"]}, 403),
        ({"kind": "count", "what": "supply", "count": 1}, 200),
        ({"kind": "count", "what": "fish", "count": 1, "seat": 2}, 200),
        ({"kind": "put-ship", "seat": 1, "spot": [1, "a1"], "reason": "pushed"}, 403),
        ({"kind": "conduct", "seat": 2, "what": "looks-at-favor"}, 403),
        ({"kind": "adjust", "seat": 1, "what": "fish", "value": 3, "reason": "x"}, 403),
    ):
        assert submit(client, event).status_code == status, event


def test_the_seats_page_leaves_out_what_only_others_do(race: Race, client: FlaskClient) -> None:
    race.until(lambda state: state.phase == "rolling" and any(each.navigation is None for each in state.seats))
    mine = [event for event in buttons(text(as_seat(client, 1), "/seat/1")) if isinstance(event.get("seat"), int)]
    assert {event["seat"] for event in mine if event["kind"] not in ("count", "fleece")} <= {1}
    kinds = {event["kind"] for group in forms(race).groups(1) for event in [each["event"] for each in group["buttons"]]}
    assert "put-ship" not in kinds
    assert kinds & {"navigation", "movement", "finish-roll"}


def test_what_is_seen_is_named_by_a_person_and_never_chosen_beforehand(race: Race) -> None:
    race.until(lambda state: state.phase == "rolling" and any(each.navigation is None for each in state.seats))
    asked = {}
    for group in forms(race).groups(None):
        for each in group["buttons"]:
            asked[each["event"]["kind"]] = each["fields"]
    (face,) = asked["navigation"]
    assert face["must"]
    assert [value for value, _ in face["options"]] == [1, 2, 3]
    race.until(lambda state: bool(state.waiting) and state.waiting[0].kind == "wedge")
    drawn = [
        each["fields"][0]
        for group in forms(race).groups(None)
        for each in group["buttons"]
        if each["event"]["kind"] == "draw-wedge"
    ]
    assert drawn[0]["must"]
    assert {value for value, _ in drawn[0]["options"]} == set(race.state.stack)


def test_used_favors_are_shuffled_among_the_favors_and_what_set_up_shuffles_with_set_up(race: Race) -> None:
    def shuffles(phase: str) -> list[tuple[str, str]]:
        told = [{"event": {"kind": "shuffled", "what": "favors"}, "label": "gl.option.shuffled-favors"}]
        view = {**race.table.view(), "phase": phase, "choices": told}
        groups = Forms(view, race.table.header, ENGLISH).groups(1)
        return [(group["name"], each["event"]["what"]) for group in groups for each in group["buttons"]]

    assert shuffles("turns") == shuffles("rolling") == [("favors", "favors")]
    assert shuffles("setup") == [("setup", "favors")]


def test_a_wedge_has_one_button_that_asks_for_its_place(race: Race) -> None:
    race.until(lambda state: state.turn is not None and state.turn.step == "place")
    turn = race.state.turn
    assert turn is not None
    (group,) = (each for each in forms(race).groups(turn.seat) if each["name"] == "wedges")
    assert len(group["buttons"]) == len(race.state.seat_state(turn.seat).wedges)
    (place,) = group["buttons"][0]["fields"]
    assert [value for value, _ in place["options"]] == race.table.view()["free_places"]


def test_findings_are_upheld_or_withdrawn_on_the_desk(race: Race, client: FlaskClient) -> None:
    race.to_a_move()
    entry = race.file(Conduct(2, "looks-at-favor"))
    assert entry.rulings[0].verdict is Verdict.INFRACTION
    client.post("/judge", data={"code": PIN})
    html = text(client, "/judge")
    wanted = {"kind": "overrule", "target": entry.seq, "ruling": 0, "decision": "uphold", "reason": ""}
    assert wanted in buttons(html)
    assert submit(client, {**wanted, "reason": "seen by all"}).get_json()["accepted"]
    assert "Decided: it stands." in text(client, "/judge")


def test_the_desk_can_put_right_what_was_read_and_where_a_ship_stands(race: Race, client: FlaskClient) -> None:
    race.to_a_move()
    client.post("/judge", data={"code": PIN})
    kinds = [event["kind"] for event in buttons(text(client, "/judge"))]
    assert {"amend", "undo", "adjust", "pause", "conduct", "note", "put-ship"} <= set(kinds)
    step = {"kind": "step", "seat": 1, "to": [3, "a1"], "number": None, "over": None, "declines": False}
    (to,) = forms(race).amend_fields(step)
    assert to["path"] == "event.to"
    assert [3, "a1"] in [value for value, _ in to["options"]]
    race.file(Adjust(1, "fish", 0, "miscounted"), Source.DECLARED)
    assert "0</span> Fish" in text(client, "/")


def test_the_reading_aid_tells_the_race_and_what_lies_ahead_of_one(race: Race, client: FlaskClient) -> None:
    race.to_a_move()
    everybody = client.get("/api/aid").get_json()["text"]
    assert all(seat.name in everybody for seat in SEATS)
    assert "You have" not in everybody
    one = client.get("/api/aid?seat=1").get_json()["text"]
    assert re.search(r"ahead on (your lane|lane \d)", one)
    assert re.search(r"You have \d Fish\.", one)


def test_the_style_of_the_wheel_has_every_class_of_the_drawing() -> None:
    sheet = (Path(screens_of.__code__.co_filename).parent.parent / "static" / "course.css").read_text()
    drawn = set(re.findall(r"^\.([\w.-]+) \{", WHEEL_STYLE, re.MULTILINE)) - {"title"}
    assert len(drawn) > 15
    assert {name for name in drawn if f".wheel .{name}" not in sheet} == set()


def test_what_a_button_says_is_why_the_move_is_legal(race: Race) -> None:
    """Over a ship, for Fish, by the number of a whirlpool, and what is met there."""
    wanted = ("over one ship", "for 1 Fish", "by path", "Hydra", "Starting Line", "Favor of the Gods")
    told: set[str] = set()
    while race.state.phase != "over" and not all(any(words in each for each in told) for words in wanted):
        for group in forms(race).groups(None) if Race.moving(race.state) else ():
            told |= {each["title"] for each in group["buttons"] if each["event"]["kind"] == "step"}
        race.play(race.next())
    assert [words for words in wanted if not any(words in each for each in told)] == []
