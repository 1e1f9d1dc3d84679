"""What is refused whatever it says: too early, too late, by nobody, of things that nobody can read or has."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules.events import Event, Source
from rules.greece_lightning.course import Spot
from rules.greece_lightning.events import (
    Circle,
    Conduct,
    Count,
    Deal,
    Dice,
    Discard,
    DrawWedge,
    Fleece,
    LapBoard,
    LapMarker,
    Launch,
    Navigation,
    PutShip,
    Ready,
    Reroll,
    Reveal,
    Shuffled,
    Stack,
    Starters,
    Step,
    Total,
    Wake,
)
from rules.greece_lightning.game import GAME
from rules.greece_lightning.state import Waiting
from rules.rulings import Refusal, Ruling
from tests.rules.greece_lightning.course_parts import at
from tests.rules.greece_lightning.script import Board, board

SET_UP = (Circle, Shuffled, Stack, Ready, LapBoard, Starters, Deal, Launch)
LOOKS = (LapMarker, Fleece, Count, Conduct)
"""What may still be looked at and told when the race is over."""
EXAMPLES = [pytest.param(event, id=type(event).__name__) for event in GAME.examples()]
OF_SEATS = [each for each in EXAMPLES if hasattr(each.values[0], "seat")]


def over() -> Board:
    made = board(ships="2b 4a 12d", laps="2 2 1")
    made.put(made.state.replace(phase="over", turn=None, winners=(2,)))
    return made


def first(made: Board, event: Event) -> Ruling:
    return made.submit(event, Source.JUDGE)[0]


@pytest.mark.parametrize("event", EXAMPLES)
def test_after_the_end_nothing_is_played(event: Event) -> None:
    ruling = first(over(), event)
    if isinstance(event, LOOKS):
        assert ruling.code != "gl.over"
    elif isinstance(event, PutShip):
        assert ruling.code == "gl.not-begun"
    else:
        assert (ruling.code, ruling.clauses[0]) == ("gl.over", "TC-11")


@pytest.mark.parametrize("event", OF_SEATS)
def test_nobody_is_no_player(event: Any) -> None:
    made = Board() if isinstance(event, SET_UP) else board(left=2)
    if isinstance(event, Deal | Launch):
        made.put(made.state.replace(declared=("starters shuffled",)))
    ruling = first(made, msgspec.structs.replace(event, seat=9))
    assert (ruling.code, ruling.facts) == ("gl.no-such-seat", {"number": 9, "seats": (1, 2, 3)})


@pytest.mark.parametrize("event", EXAMPLES)
def test_nothing_is_played_before_set_up_and_set_up_is_not_repeated_after_it(event: Event) -> None:
    before, after = first(Board(), event).code, first(board(turn=None), event).code
    if isinstance(event, SET_UP):
        assert after == "gl.set-up-done"
        return
    before_play = {
        "gl.set-up-first", "gl.no-wedge-drawn", "gl.nothing-to-discard", "gl.not-held", "gl.not-begun",
    }  # fmt: skip
    assert before in before_play or isinstance(event, LOOKS)
    assert after != "gl.set-up-done"


UNREADABLE = [
    (Navigation(1, 0), "gl.bad-face", {"turn": None}),
    (Reroll(1, "second", "money"), "gl.no-such-pay", {"turn": None, "dice": "2-4-2"}),
    (Reveal(1, None), "gl.card-unreadable", {"step": "reveal", "facedown": "1"}),
    (Reveal(1, "nobody"), "gl.card-unknown", {"step": "reveal", "facedown": "1"}),
    (DrawWedge(1, None), "gl.wedge-unreadable", {"left": 2, "waiting": (Waiting("wedge", 1),)}),
    (DrawWedge(1, "nothing"), "gl.wedge-unknown", {"left": 2, "waiting": (Waiting("wedge", 1),)}),
    (DrawWedge(1, "w5"), "gl.wedge-elsewhere", {"left": 2, "waiting": (Waiting("wedge", 1),)}),
    (Wake(1, at("5z")), "gl.no-such-dot", {"left": 2}),
    (Step(1, at("4z")), "gl.no-such-dot", {"left": 2}),
    (Step(1, Spot(13, "a")), "gl.no-such-dot", {"left": 2}),
    (Count("ships", 2), "gl.not-counted", {"left": 2}),
    (Count("supply", 2, 1), "gl.not-counted", {"left": 2}),
    (Conduct(1, "sneezes"), "gl.no-such-conduct", {"left": 2}),
]


@pytest.mark.parametrize(("event", "code", "given"), [pytest.param(*case, id=case[1]) for case in UNREADABLE])
def test_what_cannot_be_read_is_refused_as_unreadable(event: Event, code: str, given: dict[str, Any]) -> None:
    ruling = first(board(**given), event)
    assert (ruling.code, ruling.refusal) == (code, Refusal.UNREADABLE)


@pytest.mark.parametrize(
    ("event", "code", "refusal"),
    [
        pytest.param(Deal(1, None), "gl.card-unreadable", Refusal.UNREADABLE, id="unreadable"),
        pytest.param(Deal(1, "nobody"), "gl.card-unknown", Refusal.UNREADABLE, id="unknown"),
        pytest.param(Deal(1, "zeus"), "gl.no-starter", Refusal.ILLEGAL, id="no Starter"),
        pytest.param(Shuffled("fish"), "gl.no-such-stack", Refusal.UNREADABLE, id="Fish are not shuffled"),
        pytest.param(Stack("fish"), "gl.no-such-stack", Refusal.UNREADABLE, id="nor stacked"),
        pytest.param(Circle(("moon",) * 12, 1), "gl.circle-unknown", Refusal.UNREADABLE, id="unknown wedges"),
    ],
)
def test_what_cannot_be_in_set_up(event: Event, code: str, refusal: Refusal) -> None:
    made = Board()
    made.put(made.state.replace(declared=("starters shuffled",)))
    ruling = first(made, event)
    assert (ruling.code, ruling.refusal) == (code, refusal)


def test_two_ways_that_cost_different_fish_must_be_told_apart() -> None:
    """Over the ship on the dear path the same dot is reached as by the cheap one."""
    made = board("5b 5b2 8d", left=3, fish="3", tops={5: "scylla"})
    ruling = first(made, Step(1, at("6b")))
    assert (ruling.code, ruling.refusal) == ("gl.which-path", Refusal.AMBIGUOUS)
    assert first(made, Step(1, at("6b"), number=1)).facts["paid"] == 1
    made = board("5b 5b2 8d", left=3, fish="3", tops={5: "scylla"})
    assert first(made, Step(1, at("6b"), over=(at("5b2"),))).facts["paid"] == 2


def test_what_was_not_rolled_sums_to_nothing() -> None:
    made = board(turn=None)
    assert first(made, Total(1, 0)).code == "gl.not-rolled"
    assert first(made, Dice(1)).code == "gl.dice"


def test_nothing_is_discarded_by_somebody_else() -> None:
    made = board(step="reveal", facedown="1", favors="janus+apollo demeter -")
    made.submit(Reveal(1, "poseidon"))
    assert first(made, Discard(2, "demeter")).code == "gl.nothing-to-discard"


@pytest.mark.parametrize(("ships", "limit"), [("3b 8a", "GL-B10"), ("3b 8a 8d", "GL-B9")])
def test_a_wedge_that_nobody_drew_is_told_with_the_limit_of_the_table(ships: str, limit: str) -> None:
    ruling = first(board(ships, left=2, drawn="fish"), DrawWedge(1, "hydras"))
    assert (ruling.code, ruling.clauses) == ("gl.no-wedge-drawn", ("GL-B7", limit))
