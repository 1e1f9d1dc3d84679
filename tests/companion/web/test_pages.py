"""What the pages show of a match."""

from __future__ import annotations

import csv
import io
import re

from flask.testing import FlaskClient

from companion.catalogue import Catalogue
from companion.live.interpreter import Notice, SeenDie
from companion.live.view import CameraHealth
from companion.web.record import COLUMNS
from rules.log import replay
from tests.companion.web.conftest import Played, submit
from vision.readings import DieReading, Reading, Unreadable


def test_table_shows_goal_dice_scores_ruling_and_clause(client: FlaskClient, played: Played) -> None:
    played.won_card()
    page = client.get("/").text
    assert "Ann called “Got it!” with 1, 1, 2, 2, 3, 3." in page
    assert "score 0 → 2" in page
    assert "LD-S6" in page
    assert "whose dice meet the card" in page
    assert '<span class="digits">2</span>' in page
    assert "Assumed cards" in page
    assert "No judge" in page
    played.open_card("g02")
    page = client.get("/").text
    assert "2, 2, 4, 4, 6, 6" in page
    assert page.count('class="die "') == 6 + 6, "the goal as faces, and Ann's dice"


def test_unreadable_and_moving_dice_say_so(client: FlaskClient, played: Played) -> None:
    played.set_up()
    played.open_card()
    played.roll(1, 1, None, 2, 2, None, 3)
    page = client.get("/").text
    assert "Dice 2, 5 unreadable: not readable" in page
    assert page.count('class="die unreadable"') == 2
    assert page.count('class="die absent"') == 6, "Ben's dice were never seen"


def test_a_die_without_pips_is_named_with_what_to_do(client: FlaskClient, played: Played) -> None:
    played.set_up()
    played.open_card()
    played.roll(1, 1, 2, 2, 3, 3, None)
    dice = tuple(SeenDie(1, place, 2, None) for place in range(5))
    notice = Notice("notice.no-pips-of-seat", (("seat", 1), ("count", 1), ("colours", ("red",))), "")
    played.table.show_dice((*dice, SeenDie(1, 5, None, "not a pip die")), (notice,), CameraHealth("watching"))
    page = client.get("/").text
    assert "Die 6 is not a pip die: take it off the table, or use dice with pips" in page
    assert "In front of Ann a die has no pips (red)" in page
    assert "unreadable:" not in page, "nobody is told to look again"
    outline = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    die = DieReading(None, Unreadable.NOT_A_PIP_DIE, 0.9, (0, 0, 9, 9), outline, (), "red", "white", (0, 0, 200))
    played.table.show_pictures_of(lambda: (b"", Reading((20, 20), (die,), ())))
    (listed,) = client.get("/api/camera").json["dice"]
    assert listed == "red: not a pip die; take it off the table, or use dice with pips"
    assert "Dado 6: non è un dado con pallini" in client.get("/?lang=it").text


def test_clauses_are_translated_or_marked_as_english(client: FlaskClient, played: Played) -> None:
    played.won_card()
    page = client.get("/record?lang=it").text
    assert "chi ha dadi che soddisfano la carta" in page
    translated = Catalogue("it").keys()
    for clause, mark in re.findall(r'clause-id">([\w-]+)</span>.*?<dd([^>]*)>', page, flags=re.DOTALL):
        assert ('lang="en"' in mark) != (f"clause.{clause}" in translated), clause


def test_judge_page_offers_what_a_judge_needs(group: FlaskClient, played: Played) -> None:
    played.won_card()
    page = group.get("/judge").text
    for wanted in (
        "refuse-6-0",
        "uphold-6-0",
        "amend-5",
        "amend-4",
        "undo-6",
        "adjust",
        "pause",
        "breach",
        "type-dice",
    ):
        assert f'id="{wanted}"' in page, wanted
    assert submit(group, {"kind": "overrule", "target": 6, "decision": "refuse", "reason": "saw it"}).json["accepted"]
    assert played.table.view()["seats"][0]["score"] == 0
    assert submit(group, {"kind": "undo", "back_to": 6, "reason": "no"}).json["accepted"]
    assert played.table.view()["seats"][0]["score"] == 2
    assert submit(group, {"kind": "pause"}).json["accepted"]
    assert 'id="resume"' in group.get("/judge").text


def test_a_refusal_is_an_answer_not_an_error(group: FlaskClient) -> None:
    answer = submit(group, {"kind": "undo", "back_to": 0, "reason": " "})
    assert answer.status_code == 200
    assert answer.json["accepted"] is False
    assert answer.json["rulings"][0]["code"] == "core.no-reason"


def test_record_filters_and_exports(client: FlaskClient, played: Played) -> None:
    played.won_card()
    everything = client.get("/record").text
    assert "6 entries" in everything
    assert "1 entry" in client.get("/record?kind=calls").text
    assert "0 entries" in client.get("/record?verdict=penalty").text
    assert "3 entries" in client.get("/record?seat=1").text, "ready, roll, call"
    log = client.get("/record.jsonl")
    assert log.data.splitlines() == list(played.table.log_lines())
    assert replay(log.data.splitlines()).match.seq == 6
    rows = list(csv.DictReader(io.StringIO(client.get("/record.csv").text)))
    assert tuple(rows[0]) == COLUMNS
    assert [row["code"] for row in rows][-1] == "ld.match"


def test_csv_cannot_carry_formulas(group: FlaskClient, played: Played) -> None:
    submit(group, {"kind": "pause", "reason": "x"})
    submit(group, {"kind": "note", "text": "=1+1"})
    text = group.get("/record.csv").text
    assert ",=" not in text


def test_long_record_is_paged(client: FlaskClient, played: Played, group: FlaskClient) -> None:
    for number in range(105):
        submit(group, {"kind": "note", "text": f"note {number}"})
    first = client.get("/record").text
    assert "note 104<" in first or "note 104 " in first
    assert "?before=6" in first
    older = client.get("/record?before=6").text
    assert "note 4" in older
    assert "note 104" not in older
