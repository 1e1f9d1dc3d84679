"""Every impossible table is seen to be one, so that the trials of many tables mean something."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules.greece_lightning.game import REFEREE
from rules.greece_lightning.state import GreeceLightningState, Turn, Waiting
from tests.rules.greece_lightning.course_parts import at
from tests.rules.greece_lightning.script import board


def changed(**table: Any) -> GreeceLightningState:
    return board(left=2).state.replace(**table)


def seat(**fields: Any) -> GreeceLightningState:
    return board(left=2).state.with_seat(1, **fields)


CASES = [
    ("Fish", lambda: changed(supply=11)),
    ("Fish", lambda: seat(fish=4)),
    ("a wedge lies in two places", lambda: seat(drawn=("w3",))),
    ("a wedge lies in two places", lambda: seat(drawn=("moon",))),
    ("more wedges were drawn", lambda: changed(waiting=(Waiting("wedge", 1),) * 17)),
    ("Favors instead of", lambda: changed(deck=5, declared=("favors stacked",))),
    ("more copies", lambda: changed(discard=("janus", "janus"))),
    ("two ships share", lambda: seat(spot=at("8a"))),
    ("stands on no dot", lambda: seat(spot=at("8z"))),
    ("nobody has the Golden Fleece", lambda: changed(fleece=None)),
    ("a turn in phase", lambda: changed(phase="rolling")),
    ("a turn in phase", lambda: changed(turn=None)),
    ("over without a winner", lambda: changed(phase="over", turn=None)),
    ("over without a winner", lambda: changed(winners=(1,))),
    ("nobody completed the race", lambda: changed(phase="over", turn=None, winners=(1,))),
    ("outside of play", lambda: changed(phase="over", turn=None, winners=(1,), waiting=(Waiting("hydra", 1),))),
    ("face-up Favors", lambda: seat(favors=("zeus", "nike", "gaia"))),
    ("face-down Favors", lambda: seat(facedown=3)),
    ("wedges (GL-D2)", lambda: seat(wedges=("fish",), drawn=("hydras",))),
    ("Navigation die shows", lambda: seat(navigation=4)),
    ("a Movement die shows", lambda: seat(first=7)),
    ("without the Navigation die", lambda: seat(navigation=None)),
    ("without the first", lambda: seat(first=None, second=3)),
    ("movement left", lambda: seat(movement_left=-1)),
    ("outside the own turn", lambda: changed(turn=Turn(2, "move"))),
    ("before its roll was finished", lambda: seat(finished=False)),
]


@pytest.mark.parametrize(("words", "make"), [pytest.param(*case, id=f"{n} {case[0]}") for n, case in enumerate(CASES)])
def test_an_impossible_table_is_seen(words: str, make: Any) -> None:
    state = make()
    assert any(words in problem for problem in REFEREE.check_state(state)), REFEREE.check_state(state)


def test_a_possible_table_has_no_problem() -> None:
    assert REFEREE.check_state(board(left=2).state) == ()
    assert msgspec.json.decode(msgspec.json.encode(board().state), type=GreeceLightningState) == board().state
