"""The buttons of a race: one press a dot, and the second button feeds the Hydra."""

from __future__ import annotations

from typing import Any

import pytest

from companion.live.greece_lightning_presses import race_presses
from rules.events import Decision, Overrule, Source
from rules.greece_lightning.events import Conduct, EndMove, Feed, FinishRoll, Step, Wake
from rules.rulings import Verdict
from tests.companion.helpers import press
from tests.rules.greece_lightning.course_parts import at
from tests.rules.greece_lightning.script import Board, board, run

clause = pytest.mark.clause
FAR: dict[str, Any] = {"left": 5, "seat": {1: {"dots_moved": 6}}}


def pressed(made: Board, *presses: Any) -> list[str]:
    """File what the presses mean; the codes of the first ruling on each."""
    codes = []
    for each in race_presses(presses, made.match):
        codes.append(made.match.submit(each).rulings[0].code)
    return codes


FEEDING = [
    ({"tops": {4: "hydras"}, **FAR}, "go 4b", ["gl.fed"], 1),
    ({"left": 5}, "go 4b", ["gl.no-hydra"], 2),
    ({"left": 5, "tops": {4: "hydras"}}, "go 4b", ["gl.feed-protected"], 2),
    ({"tops": {4: "hydras"}, "fish": "0", "favors": "hephaestus", **FAR}, "go 4b", ["gl.no-fish"], 0),
    ({"ships": "4b 8a 8d", "left": 5, "tops": {4: "hydras"}}, "", ["gl.hydra-left-free"], 2),
    ({"turn": None}, "", ["gl.rolling-first"], 2),
    ({"turn": 2, "left": 5}, "", ["gl.not-your-turn"], 2),
]


@pytest.mark.parametrize(("given", "script", "codes", "fish"), FEEDING)
def test_the_second_button_feeds_or_is_refused_with_the_reason(
    given: dict[str, Any], script: str, codes: list[str], fish: int
) -> None:
    made = board(**given)
    run(made, script)
    (filed,) = race_presses((press(1, 5, "call"),), made.match)
    assert (filed.event, filed.source, filed.at_ns) == (Feed(1), Source.BUTTON, 5)
    assert pressed(made, press(1, 5, "call")) == codes
    assert made.state.seat_state(1).fish == fish


@pytest.mark.parametrize(
    ("given", "meant"),
    [({"left": 5}, Step(1, at("4b"))), ({"turn": 2, "left": 5}, Feed(1)), ({"turn": None}, FinishRoll(1))],
    ids=["its own turn", "another's turn", "while all roll"],
)
def test_a_seat_s_only_button_goes_on_in_its_own_turn_and_else_feeds(given: dict[str, Any], meant: Any) -> None:
    (filed,) = race_presses((press(1, 5, "switch"),), board(**given).match)
    assert filed.event == meant


GOING_ON = [
    # what the first button of seat 1 means
    ({"left": 5}, "", Step(1, at("4b"))),
    ({"ships": "3b 4b 8d", "left": 5}, "", Step(1, at("5b"))),
    ({"ships": "5b 8a 8d", "left": 5, "tops": {5: "fork"}}, "", None),
    ({"ships": "5b 8a 8d", "left": 5, "tops": {5: "scylla"}, "fish": "0"}, "", Step(1, at("6a"), 0)),
    ({"ships": "5b 8a 8d", "left": 5, "tops": {5: "scylla"}, "fish": "1"}, "", None),
    ({"left": 1}, "go 4b", EndMove(1)),
    ({"left": 5, "tops": {4: "wedges"}}, "go 4b", EndMove(1)),
    ({"turn": 2}, "", EndMove(1)),
    ({"turn": None, "dice": "2-4 - -"}, "", FinishRoll(1)),
    ({"step": "place", "wedges": "fish", "left": 6}, "", EndMove(1)),
]


@pytest.mark.parametrize(("given", "script", "event"), GOING_ON)
def test_the_first_button_goes_on_where_there_is_one_way_only(given: dict[str, Any], script: str, event: Any) -> None:
    made = board(**given)
    run(made, script)
    assert [each.event for each in race_presses((press(1, 5),), made.match)] == ([] if event is None else [event])


def test_one_press_a_dot_to_the_end_of_the_move() -> None:
    made = board(left=3)
    assert [pressed(made, press(1, number)) for number in range(4)] == [["gl.step"]] * 3 + [["gl.move-finished"]]
    assert made.state.seat_state(1).spot == at("6b")
    assert made.state.turn is not None
    assert made.state.turn.seat == 2


def test_presses_before_the_race_and_of_nobody_mean_nothing() -> None:
    assert race_presses((press(1, 5),), Board().match) == []
    assert race_presses((press(9, 5), press(9, 6, "call")), board(left=5).match) == []


def test_the_judge_speaks_on_the_oldest_finding_and_on_each_once() -> None:
    made = board(left=5, judge="Judge")
    made.submit(Conduct(2, "looks-at-favor"))
    made.submit(Wake(3, at("5b")))
    filed = race_presses((press(0, 5, "uphold"), press(0, 6, "overrule"), press(0, 7, "uphold")), made.match)
    assert [(each.event, each.source) for each in filed] == [
        (Overrule(1, Decision.UPHOLD, "button", 0), Source.JUDGE),
        (Overrule(2, Decision.REFUSE, "button", 0), Source.JUDGE),
    ]
    for each in filed[:1]:
        assert made.match.submit(each).rulings[0].verdict is Verdict.INFRACTION
    assert [each.event.target for each in race_presses((press(0, 8, "uphold"),), made.match)] == [2]
