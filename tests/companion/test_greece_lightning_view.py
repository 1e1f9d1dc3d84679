"""What the screens of Greece Lightning are drawn from, and the race read aloud."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.catalogue import Catalogue, languages
from companion.live.greece_lightning_view import race_view
from companion.web.games.greece_lightning.spoken import (
    ahead_sentences,
    race_sentences,
    seat_sentences,
    state_sentence,
)
from rules.events import Submission
from rules.greece_lightning.events import Step
from rules.greece_lightning.game import GAME, REFEREE
from rules.greece_lightning.pack import default_pack
from tests.rules.greece_lightning.course_parts import at
from tests.rules.greece_lightning.players import Table
from tests.rules.greece_lightning.script import Board, board, run, seats

ENGLISH, ITALIAN = Catalogue("en"), Catalogue("it")


def told(made: Board, catalogue: Catalogue = ENGLISH) -> str:
    return state_sentence(race_view(made.state), made.match.header, catalogue)


def seat_of(made: Board, number: int) -> dict[str, Any]:
    found: dict[str, Any] = race_view(made.state)["seats"][number - 1]
    return found


# --- the view


def test_the_view_before_anything_and_after_each_event_of_a_race_is_json_with_the_same_keys() -> None:
    header = GAME.new_header("view", seats(3), {}, default_pack())
    state = REFEREE.start(header)
    table = Table(state, 5)
    keys = set(race_view(state))
    for seq in range(1, 600):
        view = race_view(state)
        assert set(view) == keys
        assert json.loads(json.dumps(view)) == view
        for language in languages() if seq % 5 == 0 else ():
            assert all(race_sentences(view, header, Catalogue(language), number) for number in (None, 1))
        event = table.next(state)
        if isinstance(event, Step):
            assert [event.to.place, event.to.dot] in [each["spot"] for each in view["next"]]
        after = REFEREE.judge(state, Submission(event), seq).state
        table.follow(event, state, after)
        state = after
        if state.phase == "over":
            break
    assert race_view(state)["winners"]


def test_dots_to_sail_to_and_places_to_lay_on_are_told_only_in_their_step() -> None:
    moving = board("5b 8a 8d", left=5, tops={5: "scylla"}, fish="1")
    assert race_view(moving.state)["next"] == [
        {"spot": [6, "a"], "number": 0, "skipped": 0},
        {"spot": [6, "b"], "number": 1, "skipped": 0},
    ]
    assert race_view(moving.state)["free_places"] == []
    placing = board(step="place", wedges="fish")
    assert race_view(placing.state)["free_places"] == [2, 4, 5, 6, 7, 9, 10, 11, 12]
    assert race_view(placing.state)["next"] == []
    waiting = board(left=5, tops={4: "wedges"})
    run(waiting, "go 4b")
    assert race_view(waiting.state)["next"] == []


def test_the_course_and_the_order_are_told() -> None:
    view = race_view(board("3b 8a 8d", line=2, tops={5: "fish/hydras"}).state)
    assert view["line"] == 2
    assert [each["wedge"] for each in view["course"]][:5] == ["w1", "starting-line", "w3", "w4", "hydras"]
    assert [each["height"] for each in view["course"]][:5] == [1, 1, 1, 1, 3]
    assert view["order"] == [2, 3, 1]


def test_a_seat_shows_its_total_before_its_turn_and_what_is_left_in_it() -> None:
    made = board(left=3, dice="2-4 3-2-1 1-5", fleece=3)
    assert [(seat_of(made, number)["total"], seat_of(made, number)["left"]) for number in (1, 2, 3)] == [
        (None, 3),
        (3, None),
        (7, None),
    ]
    assert [seat_of(made, number)["protected"] for number in (1, 2, 3)] == [2, 3, 2]
    assert seat_of(made, 2)["bust"] is True


def test_only_what_matters_lies_ahead() -> None:
    made = board("12b 8a 8d", left=5, tops={2: "hydras", 3: "mixed"})
    found = seat_of(made, 1)["ahead"]
    assert [(each["spot"], each["movement"], each["marks"], each["line"]) for each in found] == [
        ([1, "b"], 1, [], True),
        ([2, "b"], 2, ["hydra"], False),
        ([3, "b"], 3, ["hydra", "fish"], False),
    ]


# --- the words

STATES = [
    ({"turn": None}, "", "Round 2: still rolling: Ann, Ben, and Cleo.",
     "Round 2: devono ancora tirare: Ann, Ben e Cleo."),
    ({"step": "place", "wedges": "fish"}, "", "Ann places wedges: fish.", "Ann mette gli spicchi: fish."),
    ({"left": 5}, "", "Ann moves: 5 movement left.", "Ann muove: movimento rimasto 5."),
    ({"left": 1}, "go 4b", "Ann has used all movement; the move is to be finished.",
     "Ann ha usato tutto il movimento; bisogna finire il movimento."),
    ({"step": "reveal", "facedown": "1"}, "", "Ann reveals 1 Favor.", "Ann scopre 1 Favore."),
    ({"step": "reveal", "facedown": "2"}, "", "Ann reveals 2 Favors.", "Ann scopre 2 Favori."),
    ({"left": 5, "tops": {4: "wedges"}}, "go 4b", "Ann draws a wedge and shows it.",
     "Ann pesca uno spicchio e lo mostra."),
    ({"left": 5, "tops": {4: "hydras"}, "seat": {1: {"dots_moved": 6}}}, "go 4b",
     "Ann is at a Hydra: feed it with a Fish.", "Ann è a un'Idra: nutritela con un Pesce."),
    ({"step": "reveal", "facedown": "1"}, "reveal eris", "Ann gives Eris to another player.",
     "Ann dà Eris a un altro giocatore."),
    ({"step": "reveal", "facedown": "1"}, "reveal aphrodite", "Ann chooses for Aphrodite.",
     "Ann sceglie per Aphrodite."),
]  # fmt: skip


@pytest.mark.parametrize(("given", "script", "english", "italian"), STATES)
def test_what_the_race_waits_for(given: dict[str, Any], script: str, english: str, italian: str) -> None:
    made = board(**given)
    run(made, script)
    assert (told(made), told(made, ITALIAN)) == (english, italian)


def test_a_player_is_told_with_everything_there_is() -> None:
    made = board(
        left=3, fish="1", laps="1", favors="janus+poseidon", facedown="1", drawn="fork", fleece=1, dice="2-4-5"
    )
    assert list(seat_sentences(1, race_view(made.state), made.match.header, ENGLISH)) == [
        "Ann: laps 1, Fish 1.",
        "Ann has the Golden Fleece.",
        "Ship: place 3, dot b on lane 2.",
        "Favors: Janus and Poseidon.",
        "1 Favor face down.",
        "Wedges in front: fork.",
        "Navigation die 2.",
        "Movement dice 4 and 5.",
        "3 movement left; protected from Hydras up to dot 4 of the move.",
    ]
    assert list(seat_sentences(2, race_view(made.state), made.match.header, ENGLISH)) == [
        "Ben: laps 0, Fish 2.",
        "Ship: place 8, dot a on lane 1.",
        "Navigation die 2.",
        "Movement dice 4.",
        "6 movement; protected from Hydras for 2 dots.",
    ]


def test_what_lies_ahead_is_told_to_the_player_with_the_fish_there_are() -> None:
    made = board("2b 8a 8d", left=5, tops={5: "hydras", 6: "fork", 7: "fish"})
    english = list(ahead_sentences(1, race_view(made.state), made.match.header, ENGLISH))
    assert english[0] == "Hydra 3 dots ahead on your lane."
    assert english[-1] == "You have 2 Fish."
    assert "Fish 5 dots ahead on lane 3." in english
    assert next(ahead_sentences(1, race_view(made.state), made.match.header, ITALIAN)) == (
        "Idra a 3 punti sulla tua corsia."
    )


def test_the_race_read_aloud_begins_with_the_turn_and_the_leaders() -> None:
    made = board("1b 8a 8d", laps="2 0 1", left=5)
    sentences = race_sentences(race_view(made.state), made.match.header, ENGLISH)
    assert sentences[:3] == [
        "Ann moves: 5 movement left.",
        "Leader first: Ann, Cleo, and Ben.",
        "This is the last round.",
    ]
    alone = race_sentences(race_view(made.state), made.match.header, ENGLISH, 2)
    assert "Cleo: laps 1, Fish 2." not in alone
    assert alone[-1] == "You have 2 Fish."


def test_the_start_and_the_end_are_told() -> None:
    made = Board()
    assert told(made) == "The race is being set up."
    over = board("2b 8a 8d", laps="2", phase="over", turn=None, winners=(1,))
    assert told(over) == "Ann has won the race."
    assert at("2b") == over.state.seat_state(1).spot
