"""Turns, rounds, the Golden Fleece and the end, clause by clause, each with a near miss that goes the other way."""

from __future__ import annotations

from typing import Any

import pytest

from rules.greece_lightning.events import Step
from rules.greece_lightning.game import REFEREE
from tests.rules.greece_lightning.course_parts import written
from tests.rules.greece_lightning.script import board, hold, row, run, seen

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss

LAST: dict[str, Any] = {"left": 0, "seat": {2: {"played": True}, 3: {"played": True}}}
"""Seat 1 has the last turn of the round and no movement left."""
FIRST: dict[str, Any] = {"turn": 3, "left": 1}
"""Seat 3, the holder of the Golden Fleece, has the first turn of the round."""
GONE: dict[str, Any] = {"left": 1, "seat": {2: {"played": True}, 3: {"played": True}}}
"""As `LAST`, with one movement left."""
FOUR: dict[str, Any] = {"ships": "4b 6a 8d 12c", "turn": 4, "left": 1, "fleece": 3, "laps": "0 0 0 1"}
"""Seat 4 of four, second in the round, stands before the line on its last lap."""

ROUNDS = [
    row(clause("GL-O1"), "another turn", "end; 1: go 4b", "gl.played", "turn=2", left=0),
    row(clause("GL-O1"), "everybody had one", "end", "gl.round", "phase=rolling; round=3", cited=False, **LAST),
    row(near_miss("GL-O1"), "the first turn", "go 4b", "gl.step", "at=4b", left=1),
    row(clause("GL-O3"), "not the Fleece", "1: go 4b", "gl.not-your-turn", "turn=3", **FIRST),
    row(near_miss("GL-O3"), "the Fleece", "go 9d", "gl.step", "at3=9d", **FIRST),
    row(clause("GL-O4"), "clockwise", "go 9d; end", "gl.turn", "turn=1", **FIRST),
    row(clause("GL-O4"), "not the one after the next", "go 9d; end; 2: go 9a", "gl.not-your-turn", "turn=1", **FIRST),
    row(near_miss("GL-O4"), "the next one", "go 9d; end; 1: go 4b", "gl.step", "at=4b", **FIRST),
    row(clause("GL-O5"), "a Favor before the move", "reveal zeus", "gl.too-early", "facedown=1", cited=False,
        left=1, facedown="1"),
    row(clause("GL-O6"), "the third turn", "end", "gl.fleece", "phase=rolling; turn=-", **LAST),
    row(near_miss("GL-O6"), "the second turn", "end", "gl.turn", "phase=turns; turn=2", left=0,
        seat={3: {"played": True}}),
    row(clause("GL-O7", "GL-E2", "GL-E4"), "the rearmost", "end", "gl.fleece", "fleece=2; fact order=(1, 3, 2)",
        ships="9b 6a 8d", **LAST),
    row(near_miss("GL-O7", "GL-E2", "GL-E4"), "not the one before it", "end", "gl.fleece", "fleece=3",
        ships="9b 8a 6d", **LAST),
    row(clause("GL-O8"), "overtaken in the round", "go 9d; end; fleece", "gl.fleece-wrong", "fleece=3; turn=1",
        **FIRST),
    row(near_miss("GL-O8"), "between rounds", "end; 1: fleece", "gl.fleece-lies", "fleece=1", **LAST),
    row(clause("GL-E1"), "a die left lying", "end; 2: dice 2", "gl.clutter", "cluttered2=True", **LAST),
    row(clause("GL-E1"), "not rolled before it is gone", "end; 2: dice 2; 2: nav 1", "gl.clear-first", "nav2=None",
        **LAST),
    row(near_miss("GL-E1"), "taken off", "end; 2: dice 2; 2: dice; 2: nav 1", "gl.navigation", "nav2=1", **LAST),
    row(near_miss("GL-E1"), "another player's", "end; 2: dice 2; 3: nav 1", "gl.navigation", "nav3=1", **LAST),
    row(clause("GL-E3"), "laps, then wedges", "end", "gl.fleece", "fact order=(3, 1, 2)",
        ships="3b 12a 6d", laps="1 0 1", **LAST),
    row(near_miss("GL-E3"), "played otherwise", "end", "gl.fleece", "fact order=(2, 3, 1)",
        ships="3b 12a 6d", laps="1 0 1", options={"laps_first": False}, **LAST),
    row(clause("GL-E4"), "the token lies elsewhere", "end; 3: fleece", "gl.fleece-wrong", "fact expected=1", **LAST),
    row(near_miss("GL-E4"), "handed over", "end; 1: fleece", "gl.fleece-lies", "fleece=1", **LAST),
    row(clause("GL-E5"), "begins", "1: done", "gl.turn", "turn=1", turn=None, fleece=1, dice="2-4 2-4 2-4",
        seat={2: {"finished": True}, 3: {"finished": True}}),
    row(near_miss("GL-E5"), "another holder", "1: done", "gl.turn", "turn=2", turn=None, fleece=2,
        dice="2-4 2-4 2-4", seat={2: {"finished": True}, 3: {"finished": True}}),
    row(clause("GL-E6"), "last again", "end", "gl.fleece", "fleece=3; fact kept=True", ships="9b 8a 3d", **LAST),
    row(near_miss("GL-E6"), "last no more", "end", "gl.fleece", "fleece=2; fact kept=False", ships="9b 3a 8d", **LAST),
    row(clause("GL-E7"), "outer path", "end", "gl.fleece", "fleece=3", ships="4a 9a 4d", **LAST),
    row(near_miss("GL-E7"), "inner path", "end", "gl.fleece", "fleece=1", ships="4d 9a 4a", **LAST),
    row(near_miss("GL-E7"), "another wedge", "end", "gl.fleece", "fleece=1", ships="3a 9a 4d", **LAST),
    row(clause("GL-E8"), "the same path", "end", "gl.fleece", "fleece=3", ships="4c2 9a 4c", tops={4: "fork"}, **LAST),
    row(near_miss("GL-E8"), "the other way round", "end", "gl.fleece", "fleece=1", ships="4c 9a 4c2",
        tops={4: "fork"}, **LAST),
    row(clause("GL-E9"), "outer, further on", "end", "gl.fleece", "fleece=1", ships="4c2 9a 4b", tops={4: "fork"},
        **LAST),
    row(near_miss("GL-E9"), "played otherwise", "end", "gl.fleece", "fleece=3", ships="4c2 9a 4b", tops={4: "fork"},
        options={"same_wedge": "clockwise"}, **LAST),
    row(clause("GL-S34"), "first round", "1: done", "gl.turn", "turn=3", turn=None, round=1, dice="2-4 2-4 2-4",
        seat={2: {"finished": True}, 3: {"finished": True}}),
    row(near_miss("GL-S34"), "not another", "1: done; 1: go 4b", "gl.not-your-turn", "turn=3", turn=None, round=1,
        dice="2-4 2-4 2-4", seat={2: {"finished": True}, 3: {"finished": True}}),
    row(clause("GL-X4"), "one wedge, three movement", "1: done", "gl.turn",
        "fact movement=3; fact wedges=('fish',); step=place", turn=None, fleece=1, dice="1-1 2-4 2-4", wedges="fish",
        seat={2: {"finished": True}, 3: {"finished": True}}),
    row(near_miss("GL-X4"), "no wedge", "1: done", "gl.turn", "fact movement=3; step=move", turn=None, fleece=1,
        dice="1-1 2-4 2-4", seat={2: {"finished": True}, 3: {"finished": True}}),
    row(clause("GL-X5"), "two ahead of Ollie", "lay hydras 10", "gl.placed", "top10=hydras", step="place",
        wedges="hydras", left=3),
    row(near_miss("GL-X5"), "on Ollie", "lay hydras 8", "gl.on-ship", "top8=w8", step="place", wedges="hydras", left=3),
    row(clause("GL-X6"), "a Fish and a Favor", "go 4b 5b 6b", "gl.bonus", "fish=3; facedown=1; left=0", left=3,
        tops={4: "fish", 6: "favors"}),
    row(near_miss("GL-X6"), "another path", "go 4d 5d 6d", "gl.step", "fish=2; facedown=0; left=0", left=3,
        ships="3d 8a 8c", tops={4: "mixed", 6: "fork"}),
    row(clause("GL-X7"), "into an open slot", "reveal poseidon", "gl.boat", "favors=demeter poseidon; turn=2",
        step="reveal", facedown="1", favors="demeter"),
    row(near_miss("GL-X7"), "not in this turn", "reveal poseidon; 1: use poseidon", "gl.not-the-time",
        "favors=poseidon", step="reveal", facedown="1"),
    row(near_miss("GL-X7"), "no open slot", "reveal poseidon", "gl.boat-full", "waits=boat", step="reveal",
        facedown="1", favors="demeter+janus"),
]  # fmt: skip

END = [
    row(clause("GL-G1"), "a lap", "go 1b", "gl.line", "laps=1", ships="12b 8a 8d", left=1),
    row(clause("GL-G1"), "the marker left behind", "go 1b; marker 0", "gl.lap-marker-wrong", "fact expected=1",
        ships="12b 8a 8d", left=1),
    row(near_miss("GL-G1"), "before the line", "go 12b", "gl.step", "laps=0", ships="11b 8a 8d", left=1),
    row(near_miss("GL-G1"), "the marker set on", "go 1b; marker 1", "gl.lap-marker", ships="12b 8a 8d", left=1),
    row(clause("GL-G2"), "the second lap", "go 1b", "gl.line", "ending=True; turn=1", ships="12b 8a 8d", left=1,
        laps="1 0 0"),
    row(near_miss("GL-G2"), "the first lap", "go 1b", "gl.line", "ending=False", ships="12b 8a 8d", left=1),
    row(clause("GL-G3"), "the others still play", "go 1c; drawn fish; end; reveal artemis; 4: go 2c", "gl.played",
        "turn=1; ending=True", seat={3: {"played": True}}, **FOUR),
    row(near_miss("GL-G3"), "one who has not played", "go 1c; drawn fish; end; reveal artemis; 1: go 5b", "gl.step",
        "turn=1", seat={3: {"played": True}}, **FOUR),
    row(clause("GL-G4"), "in the last turn", "go 1b; drawn fish; end; reveal artemis", "gl.finished",
        "phase=over; winners=1", ships="12b 8a 8d", laps="1 0 0", **GONE),
    row(clause("GL-G4"), "nothing after it", "go 1b; drawn fish; end; reveal artemis; 2: nav 1", "gl.over",
        "phase=over", ships="12b 8a 8d", laps="1 0 0", **GONE),
    row(near_miss("GL-G4"), "two still play", "go 1b; drawn fish; end; reveal artemis",
        "gl.turn", "phase=turns; turn=2",
        ships="12b 8a 8d", laps="1 0 0", left=1),
    row(clause("GL-G5"), "four more", "go 1b", "gl.line", "left=4", ships="12b 8a 8d", laps="1 0 0", left=5),
    row(near_miss("GL-G5"), "played otherwise", "go 1b", "gl.line", "left=0", ships="12b 8a 8d", laps="1 0 0", left=5,
        options={"stops_at_line": True}),
    row(near_miss("GL-G5"), "played otherwise, first lap", "go 1b", "gl.line", "left=4", ships="12b 8a 8d", left=5,
        options={"stops_at_line": True}),
    row(clause("GL-G6"), "not the one who ended it", "end", "gl.finished", "winners=2; fact order=(2, 1, 3)",
        ships="2b 4a 12d", laps="2 2 1", **LAST),
    row(near_miss("GL-G6"), "further in the lap before", "end", "gl.finished", "winners=1; fact order=(1, 2, 3)",
        ships="4b 2a 12d", laps="2 2 1", **LAST),
    row(clause("GL-G7"), "nearer the centre", "end", "gl.finished", "winners=2", ships="4c 4b 8d", laps="2 2 0",
        **LAST),
    row(near_miss("GL-G7"), "the wedge before", "end", "gl.finished", "winners=1", ships="4c 3b 8d", laps="2 2 0",
        **LAST),
    row(clause("GL-G8"), "further on one path", "end", "gl.finished", "winners=2", ships="4c 4c2 8d", laps="2 2 0",
        tops={4: "fork"}, **LAST),
    row(near_miss("GL-G8"), "the other way round", "end", "gl.finished", "winners=1", ships="4c2 4c 8d", laps="2 2 0",
        tops={4: "fork"}, **LAST),
    row(clause("GL-G9"), "landing", "go 1b", "gl.line", "ending=True; left=0", ships="12b 8a 8d", laps="1 0 0", left=1),
    row(near_miss("GL-G9"), "played otherwise", "go 1b", "gl.line", "ending=False; laps=2", ships="12b 8a 8d",
        laps="1 0 0", left=1, options={"landing_ends": False}),
    row(near_miss("GL-G9"), "played otherwise, and off it", "go 1b; drawn fish; go 2b", "gl.step", "ending=True",
        ships="12b 8a 8d", laps="1 0 0", left=2, options={"landing_ends": False}),
]  # fmt: skip


@pytest.mark.parametrize(("script", "code", "after", "wanted", "given"), [*ROUNDS, *END])
def test_rounds_and_end(script: str, code: str, after: str, wanted: tuple[str, ...], given: dict[str, Any]) -> None:
    hold(script, code, after, wanted, given)


@clause("GL-G4", "GL-G6")
def test_the_result_names_the_winner_and_the_rules_that_end_it() -> None:
    made = board(ships="2b 4a 12d", laps="2 2 1", **LAST)
    assert REFEREE.result(made.state) is None
    run(made, "end")
    result = REFEREE.result(made.state)
    assert result is not None
    assert (result.winners, result.code) == ((2,), "gl.won")
    assert {"GL-G4", "GL-G6"} <= set(result.clauses)


@clause("GL-X4", "GL-X5", "GL-X6", "GL-X7")
def test_perrys_turn() -> None:
    """The rulebook's example: a Hydra for Ollie, three dots, a Fish, a Favor that goes into an open slot."""
    made = board("3b 8a", turn=1, step="place", left=3, wedges="hydras", fish="1", tops={4: "fish", 6: "favors"},
                 favors="demeter")  # fmt: skip
    run(made, "lay hydras 10; go 4b 5b 6b")
    assert (seen(made, "fish"), seen(made, "facedown"), seen(made, "left")) == ("2", "1", "0")
    rulings = run(made, "end; reveal poseidon")
    assert [ruling.code for ruling in rulings] == ["gl.boat", "gl.turn"]
    assert (seen(made, "favors"), seen(made, "turn")) == ("demeter poseidon", "2")
    assert run(made, "1: use poseidon")[0].code == "gl.not-the-time"


@clause("GL-O8")
def test_the_fleece_stays_while_the_order_of_the_race_changes() -> None:
    made = board("3b 4a 2d", turn=3, fleece=3, left=4)
    assert seen(made, "fleece") == "3"
    run(made, "go 3d 4d 5d 6d; end")
    assert (seen(made, "fleece"), seen(made, "turn")) == ("3", "1")


@pytest.mark.parametrize(("owed", "movement"), [(3, 9), (-2, 4), (-9, 0)])
def test_what_cards_owe_a_move_is_added_to_it_once(owed: int, movement: int) -> None:
    given = {1: {"movement_owed": owed}, 2: {"finished": True}, 3: {"finished": True}}
    made = board(turn=None, fleece=3, dice="2-4 2-4 2-4", seat=given)
    run(made, "1: done")
    made.put(made.state.with_seat(3, movement_left=0))
    (*_, ruling) = run(made, "3: end")
    assert (ruling.facts["movement"], ruling.facts["owed"]) == (movement, owed)
    assert (seen(made, "left"), seen(made, "owed")) == (str(movement), "0")


def test_every_dot_that_can_be_reached_is_offered_with_or_without_its_bonus() -> None:
    made = board("5b 8a 8d", left=5, tops={5: "fork"})
    steps = [option for option in made.match.options() if isinstance(option.event, Step)]
    assert {written(option.event.to) for option in steps} == {"6b", "6c", "5c2"}
    assert all(option.free["declines"].values == (False, True) for option in steps)
