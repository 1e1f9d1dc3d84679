"""The page on which dice are shown: who may ask for them, what it answers, what it shows."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.live.view import CameraHealth
from tests.companion.test_colours import BLUE, FRAME_NS, MS, PAPER, RED, dice
from tests.companion.web.conftest import CODES, Played


def ask(client: FlaskClient, **what: Any) -> Any:
    return client.post("/api/colours", json=what)


@pytest.fixture
def watched(played: Played) -> Played:
    """The table with a camera that watches."""
    played.table.show_dice((), (), CameraHealth("watching", None, 15.0, 12.0, "test"))
    return played


def show(played: Played, shown: Any, start_ns: int) -> int:
    for _ in range(40):
        start_ns += FRAME_NS
        played.table.colours.look(shown, PAPER, start_ns)
    return start_ns


def test_the_page_asks_counts_and_tells_what_was_learned(group: FlaskClient, watched: Played) -> None:
    assert ask(group, do="begin").get_json()["asked"] == 1
    page = group.get("/colours").get_data(as_text=True)
    assert "Ann, show me your six dice." in page
    assert 'id="colours-stop"' in page
    now_ns = show(watched, dice(RED, 0), 1_000 * MS)
    now_ns = show(watched, dice(BLUE, 10, 4), now_ns)
    watched.table.show_dice((), tuple(watched.table.colours.notices(now_ns)), CameraHealth("watching"))
    page = group.get("/colours?lang=it").get_data(as_text=True)
    assert "Noti: rosso, con pallini in bianco." in page
    assert "4 dadi in vista" in page
    show(watched, dice(BLUE, 20), now_ns)
    assert "The dice of every seat are known." in group.get("/colours").get_data(as_text=True)


def test_without_a_code_one_may_look_and_not_ask(client: FlaskClient, watched: Played) -> None:
    page = client.get("/colours").get_data(as_text=True)
    assert "let this device in" in page
    assert "data-colours" not in page
    assert ask(client, do="begin").status_code == 403
    assert not watched.table.colours.showing
    client.post("/seat/2", data={"code": CODES[2]})
    assert ask(client, do="begin", seats=[2]).get_json()["asked"] == 2


def test_stopping_and_forgetting(group: FlaskClient, watched: Played) -> None:
    ask(group, do="begin")
    show(watched, dice(RED, 0), 1_000 * MS)
    assert not ask(group, do="stop").get_json()["showing"]
    assert [each["state"] for each in ask(group, do="stop").get_json()["seats"]] == ["learned", "unknown"]
    assert [each["state"] for each in ask(group, do="forget").get_json()["seats"]] == ["unknown", "unknown"]


def test_without_a_camera_nothing_can_be_shown(group: FlaskClient, played: Played) -> None:
    answer = ask(group, do="begin")
    assert answer.status_code == 409
    assert "camera" in answer.get_json()["error"]
    assert not played.table.colours.showing


@pytest.mark.parametrize("what", [{}, {"do": "dance"}, {"do": "begin", "seats": [9]}, {"do": "begin", "seats": "1"},
                                  {"do": "begin", "seats": [[1]]}, {"do": "begin", "seats": [True]}])  # fmt: skip
def test_what_makes_no_sense_is_refused(group: FlaskClient, watched: Played, what: dict[str, Any]) -> None:
    assert ask(group, **what).status_code == 400
    assert not watched.table.colours.showing


def test_a_game_without_dice_has_no_such_page(duel_client: FlaskClient) -> None:
    assert duel_client.get("/colours").status_code == 404
    assert ask(duel_client, do="begin").status_code == 404
