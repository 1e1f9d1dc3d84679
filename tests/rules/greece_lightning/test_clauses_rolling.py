"""Rolling and what Fish buy in it, clause by clause, each with a near miss that goes the other way."""

from __future__ import annotations

from typing import Any

import pytest

from rules.greece_lightning.components import MOVEMENT_FACES, NAVIGATION_FACES
from tests.rules.greece_lightning.script import board, hold, row, run, seen

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss

ROLL: dict[str, Any] = {"turn": None}
"""All roll, seat 3 has the Golden Fleece."""
GOLD: dict[str, Any] = {"turn": None, "fleece": 1}
"""All roll, seat 1 has the Golden Fleece."""
IN_TURN: dict[str, Any] = {"turn": None, "fleece": 2, "options": {"rolling": "in turn"}}
ROLLED: dict[str, Any] = {"turn": None, "dice": "2-4 2-4 2-4", "seat": {2: {"finished": True}, 3: {"finished": True}}}
"""Two of three have finished."""
LUCY: dict[str, Any] = {"turn": None, "dice": "1-3-2", "fish": "1"}
"""The rulebook's example: a bust, and one Fish."""
MOVING: dict[str, Any] = {"left": 3, "dice": "2-4-2"}

ROLLING = [
    row(clause("GL-C3"), "a 4", "nav 4", "gl.bad-face", "nav=None", **ROLL),
    row(clause("GL-C3"), "unreadable", "nav x", "gl.bad-face", "nav=None", **ROLL),
    row(near_miss("GL-C3"), "a 3", "nav 3", "gl.navigation", "nav=3", **ROLL),
    row(clause("GL-C4"), "a 6", "move 6", "gl.first", "first=6", dice="2", **ROLL),
    row(near_miss("GL-C4"), "a 7", "move 7", "gl.bad-face", "first=None", dice="2", **ROLL),
    row(near_miss("GL-C4"), "unreadable", "move x", "gl.bad-face", "first=None", dice="2", **ROLL),
    row(clause("GL-R1"), "all at once", "1: nav 1; 3: nav 2; 2: nav 3", "gl.navigation", "nav=1; nav2=3; nav3=2",
        **ROLL),
    row(near_miss("GL-R1"), "when turns are in turn", "1: nav 1", "gl.roll-order", "nav=None", **IN_TURN),
    row(clause("GL-R2"), "before the Fleece", "3: nav 1", "gl.roll-order", "fact first=2", **IN_TURN),
    row(clause("GL-R2"), "the next one too soon", "2: nav 1; 3: nav 1", "gl.roll-order", "nav3=None", **IN_TURN),
    row(near_miss("GL-R2"), "the Fleece first", "2: nav 1", "gl.navigation", "nav2=1", **IN_TURN),
    row(near_miss("GL-R2"), "clockwise", "2: nav 1; 2: move 3; 2: done; 3: nav 1", "gl.navigation", "nav3=1",
        **IN_TURN),
    row(clause("GL-R3"), "a Movement die first", "move 4", "gl.navigation-first", "first=None", **ROLL),
    row(clause("GL-R3"), "done without the first die", "done", "gl.not-rolled", dice="2", **ROLL),
    row(near_miss("GL-R3"), "in order", "nav 2; move 4; move 5; done", "gl.rolled", "fact total=11", **ROLL),
    row(clause("GL-R4"), "on the Hydra space", "nav 2", "gl.navigation", "nav=2", **ROLL),
    row(near_miss("GL-R4"), "beside the board", "nav 2 off", "gl.beside-board", "nav=None", **ROLL),
    row(clause("GL-R5"), "a Fish for it", "again navigation; nav 3", "gl.navigation", "nav=3; fish=1", dice="1",
        **ROLL),
    row(near_miss("GL-R5"), "no Fish for it", "nav 3", "gl.unpaid", "nav=1; fish=2", dice="1", **ROLL),
    row(clause("GL-R6"), "both at once", "both 4 2", "gl.one-die", "first=None", dice="2", **ROLL),
    row(near_miss("GL-R6"), "one", "move 4", "gl.first", "first=4", dice="2", **ROLL),
    row(near_miss("GL-R6"), "both one after the other", "move 4; move 5", "gl.success", "second=5", dice="2", **ROLL),
    row(clause("GL-R7"), "on its space", "move 5", "gl.first", "first=5", dice="2", **ROLL),
    row(near_miss("GL-R7"), "beside the board", "move 5 off", "gl.beside-board", "first=None", dice="2", **ROLL),
    row(clause("GL-R8"), "stops at one", "done", "gl.rolled", "fact total=7; finished=True", dice="3-4", **ROLL),
    row(near_miss("GL-R8"), "rolls another", "move 4; done", "gl.rolled", "fact total=11", dice="3-4", **ROLL),
    row(clause("GL-R9"), "equal", "move 4", "gl.success", "fact total=10", dice="2-4", **ROLL),
    row(clause("GL-R9"), "higher", "move 6", "gl.success", "fact total=12", dice="2-4", **ROLL),
    row(near_miss("GL-R9"), "lower by one", "move 3", "gl.bust", "fact total=2", dice="2-4", **ROLL),
    row(clause("GL-R10"), "counts", "move 3", "gl.success", "fact total=8", dice="2-3", **ROLL),
    row(near_miss("GL-R10"), "beside the board", "move 3 off", "gl.beside-board", "second=None", dice="2-3", **ROLL),
    row(clause("GL-R11"), "3 after 4", "move 3", "gl.bust", "bust=True", dice="2-4", **ROLL),
    row(near_miss("GL-R11"), "4 after 4", "move 4", "gl.success", "bust=False", dice="2-4", **ROLL),
    row(clause("GL-R12"), "still on the board", "done; dice 2 4 1", "gl.bust-dice", dice="2-4-1", **ROLL),
    row(near_miss("GL-R12"), "taken off", "done; dice 2", "gl.dice", dice="2-4-1", **ROLL),
    row(near_miss("GL-R12"), "while Fish may save it", "dice 2 4 1", "gl.dice", dice="2-4-1", **ROLL),
    row(clause("GL-R13"), "put back", "1: dice 2 4", "gl.bust-dice", left=2, dice="2-4-1"),
    row(near_miss("GL-R13"), "stay out", "1: dice 2", "gl.dice", left=2, dice="2-4-1"),
    row(clause("GL-R14"), "Navigation stays", "done", "gl.rolled", "fact total=3; nav=3", dice="3-4-1", **ROLL),
    row(clause("GL-R14"), "doubled too", "done", "gl.rolled", "fact total=6", dice="3-4-1", **GOLD),
    row(near_miss("GL-R14"), "no bust", "done", "gl.rolled", "fact total=11", dice="3-4-4", **ROLL),
    row(clause("GL-R15"), "a Fish saves it", "again second; move 5", "gl.success", "fish=0; fact total=9", **LUCY),
    row(near_miss("GL-R15"), "a Fish does not", "again second; move 2", "gl.bust", "fish=0; fact total=1", **LUCY),
    row(clause("GL-R16"), "1 and 6", "total 7", "gl.total", dice="1-6", **ROLL),
    row(near_miss("GL-R16"), "off by one", "total 8", "gl.total-wrong", "fact expected=7", dice="1-6", **ROLL),
    row(clause("GL-R17"), "3, 6 and 6", "total 15", "gl.total", dice="3-6-6", **ROLL),
    row(near_miss("GL-R17"), "one left out", "total 9", "gl.total-wrong", "fact expected=15", dice="3-6-6", **ROLL),
    row(clause("GL-R18"), "a bust", "total 1", "gl.total", dice="1-6-2", **ROLL),
    row(near_miss("GL-R18"), "a bust counted", "total 9", "gl.total-wrong", "fact expected=1", dice="1-6-2", **ROLL),
    row(clause("GL-R19"), "3 doubled, 2, 5", "done; total 13", "gl.total", dice="3-2-5", **GOLD),
    row(near_miss("GL-R19"), "without the Fleece", "done; total 13", "gl.total-wrong", "fact expected=10",
        dice="3-2-5", **ROLL),
    row(clause("GL-R20"), "the Movement die not", "done; total 8", "gl.total", dice="2-4", **GOLD),
    row(near_miss("GL-R20"), "doubled too", "done; total 12", "gl.total-wrong", "fact expected=8", dice="2-4", **GOLD),
    row(clause("GL-R21"), "16", "done; total 16", "gl.total-wrong", "fact expected=15", dice="3-6-6", **ROLL),
    row(near_miss("GL-R21"), "18 with the Fleece", "done; total 18", "gl.total", dice="3-6-6", **GOLD),
    row(clause("GL-R22"), "a ship moves", "go 4b", "gl.rolling-first", "at=3b", **ROLLED),
    row(clause("GL-R22"), "people saw it", "conduct moves-early", "gl.conduct", **ROLL),
    row(near_miss("GL-R22"), "in the own turn", "go 4b", "gl.step", "at=4b", left=1),
    row(clause("GL-R23", "GL-O2"), "one still rolls", "3: go 9d",
        "gl.rolling-first", "fact rolling=(1,); phase=rolling",
        **ROLLED),
    row(near_miss("GL-R23", "GL-O2"), "all done", "1: done; 3: go 9d", "gl.step", "phase=turns; turn=3", **ROLLED),
    row(clause("GL-R24"), "turned", "2: dice 2 3", "gl.dice-differ", "fact expected_movement=(4,)", left=2),
    row(clause("GL-R24"), "rolled in the turns", "1: move 3", "gl.rolling-closed", "first=4", left=2),
    row(clause("GL-R24"), "people saw it", "2: conduct turns-die", "gl.conduct", left=2),
    row(near_miss("GL-R24"), "as rolled", "2: dice 2 4", "gl.dice", left=2),
]  # fmt: skip

SPENDING = [
    row(clause("GL-P1"), "back to the supply", "again second", "gl.reroll", "fish=1; supply=11", dice="2-4-2", **ROLL),
    row(near_miss("GL-P1"), "not spent, still there", "count fish 1", "gl.count-differs", "fish=2; supply=10", **ROLL),
    row(clause("GL-P2"), "for movement", "again movement", "gl.no-such-use", "fish=2", dice="2-4-2", **ROLL),
    row(near_miss("GL-P2"), "for the second die", "again second", "gl.reroll", "fish=1", dice="2-4-2", **ROLL),
    row(clause("GL-P3"), "one Fish each", "again navigation", "gl.reroll", "fish=1", dice="1", **ROLL),
    row(near_miss("GL-P3"), "no Fish left the board", "nav 3", "gl.unpaid", "fish=2; nav=1", dice="1", **ROLL),
    row(clause("GL-P4"), "twice", "again navigation; nav 1; again navigation", "gl.reroll", "fish=0", dice="1", **ROLL),
    row(near_miss("GL-P4"), "a third time", "again navigation; nav 1; again navigation; nav 1; again navigation",
        "gl.no-fish", "fish=0; nav=1", dice="1", **ROLL),
    row(near_miss("GL-P4"), "picked up already", "again navigation; again navigation", "gl.reroll-due", "fish=1",
        dice="1", **ROLL),
    row(clause("GL-P5"), "3 is gone", "again navigation; nav 1; nav 3", "gl.unpaid", "nav=1", dice="3", **ROLL),
    row(near_miss("GL-P5"), "the new one stands", "again navigation; nav 1; move 4; done", "gl.rolled", "fact total=5",
        dice="3", **ROLL),
    row(clause("GL-P6"), "after the first die", "again navigation", "gl.navigation-stays", "nav=1; fish=2",
        dice="1-5", **ROLL),
    row(clause("GL-P6"), "rolled after it", "nav 3", "gl.navigation-stays", "nav=1", dice="1-5", **ROLL),
    row(near_miss("GL-P6"), "before the first die", "again navigation", "gl.reroll", "fish=1", dice="1", **ROLL),
    row(clause("GL-P7"), "a success again", "again second; move 1", "gl.bust", "fish=1", cited=False,
        dice="2-2-3", **ROLL),
    row(clause("GL-P7"), "without a Fish", "move 6", "gl.unpaid", "second=3", dice="2-2-3", **ROLL),
    row(near_miss("GL-P7"), "not rolled yet", "again second", "gl.not-rolled", "fish=2", dice="2-2", **ROLL),
    row(clause("GL-P8"), "three times", "again second; move 1; again second; move 4; again second; move 5",
        "gl.success",
        "fish=0", cited=False, dice="2-5-2", fish="3", **ROLL),
    row(clause("GL-P8"), "again", "again second; move 1; again second", "gl.reroll", "fish=1", fish="3",
        dice="2-5-2", **ROLL),
    row(near_miss("GL-P8"), "out of Fish", "again second; move 1; again second", "gl.no-fish", "second=1", **LUCY),
    row(clause("GL-P9"), "4 is gone", "again second; move 2; move 4", "gl.unpaid", "second=2; bust=True",
        dice="2-3-4", **ROLL),
    row(near_miss("GL-P9"), "a 4 again", "again second; move 2; again second; move 4", "gl.success", "second=4",
        dice="2-3-4", **ROLL),
    row(clause("GL-P10"), "for a Fish", "again first", "gl.first-stays", "first=1; fish=3", dice="2-1", fish="3",
        **ROLL),
    row(clause("GL-P10"), "by a Favor that gives another", "use apollo; again first favor", "gl.first-stays", "first=1",
        dice="2-1", favors="apollo", **ROLL),
    row(near_miss("GL-P10"), "by a Favor that says so", "use tyche; again first favor; move 6", "gl.first", "first=6",
        dice="2-1", favors="tyche", **ROLL),
    row(clause("GL-P10"), "by such a Favor, after the second", "use tyche; again first favor", "gl.first-stays",
        "first=1", dice="2-1-5", favors="tyche", **ROLL),
    row(clause("GL-P11"), "after done", "done; again second", "gl.roll-finished", "fish=1", **LUCY),
    row(clause("GL-P11"), "a roll after done", "done; move 5", "gl.roll-finished", "second=2", **LUCY),
    row(near_miss("GL-P11"), "before done", "again second", "gl.reroll", "fish=0", **LUCY),
    row(near_miss("GL-P11"), "played otherwise", "done; again second; move 5", "gl.success", "fish=0; finished=False",
        options={"rerolls_close": "all finished"}, **LUCY),
    row(clause("GL-P12"), "no Fish", "again navigation", "gl.no-fish", "nav=1", dice="1", fish="0", **ROLL),
    row(near_miss("GL-P12"), "one Fish", "again navigation", "gl.reroll", "fish=0", dice="1", fish="1", **ROLL),
    row(clause("GL-P14"), "a Fish of the move", "go 4b; 1: again second", "gl.rolling-closed", "fish=3",
        tops={4: "fish"}, **MOVING),
    row(near_miss("GL-P14"), "in the next round", "again second", "gl.reroll", "fish=2", fish="3", dice="2-4-2",
        **ROLL),
    row(clause("GL-P13"), "fed with it", "go 4b 5b 6b; feed", "gl.fed", "fish=0; left=1", cited=False,
        left=4, fish="0", tops={4: "fish", 6: "hydras"}),
    row(near_miss("GL-P13"), "none was gained", "go 4b 5b 6b", "gl.hydra-stops", "left=0", left=4, fish="0",
        tops={6: "hydras"}),
]  # fmt: skip

EXAMPLES = [
    row(clause("GL-X1"), "Ollie", "nav 3; move 4", "gl.first", "fact total=7", **ROLL),
    row(clause("GL-X1"), "Ollie stops", "nav 3; move 4; done", "gl.rolled", "fact total=7; bust=False", cited=False,
        **ROLL),
    row(near_miss("GL-X1"), "Ollie with the Fleece", "nav 3; move 4; done", "gl.rolled", "fact total=10", **GOLD),
    row(clause("GL-X2"), "Lucy", "nav 1; move 3; move 2", "gl.bust", "fact total=1; bust=True", **ROLL),
    row(near_miss("GL-X2"), "a 3 instead", "nav 1; move 3; move 3", "gl.success", "fact total=7", **ROLL),
    row(clause("GL-X3"), "Lucy's Fish", "nav 1; move 3; move 2; again second; move 5; done", "gl.rolled",
        "fish=0; fact total=9", cited=False, fish="1", **ROLL),
    row(clause("GL-X3"), "the roll itself", "again second; move 5", "gl.success", "fact total=9", **LUCY),
    row(near_miss("GL-X3"), "no Fish", "nav 1; move 3; move 2; again second", "gl.no-fish", "bust=True", fish="0",
        **ROLL),
]  # fmt: skip

CARDS = [
    row(clause("GL-F18"), "a card for rolling", "use apollo; again second favor", "gl.reroll", "fish=2; favors=-",
        dice="2-4-2", favors="apollo", **ROLL),
    row(clause("GL-F18"), "a card that gives nothing of the kind", "again second favor", "gl.no-free-roll", "second=2",
        dice="2-4-2", **ROLL),
    row(near_miss("GL-F18"), "used up", "use apollo; again second favor; move 1; again second favor", "gl.no-free-roll",
        "second=1", dice="2-4-2", favors="apollo", **ROLL),
    row(near_miss("GL-F18"), "after the own roll is finished", "done; use apollo", "gl.not-the-time", "favors=apollo",
        dice="2-4-2", favors="apollo", **ROLL),
    row(clause("GL-F17"), "no bust", "use athena; move 2", "gl.bust-spared", "fact total=8", dice="2-4",
        favors="athena", **ROLL),
    row(near_miss("GL-F17"), "not used", "move 2", "gl.bust", "fact total=2", dice="2-4", favors="athena", **ROLL),
]  # fmt: skip


@pytest.mark.parametrize(("script", "code", "after", "wanted", "given"), [*ROLLING, *SPENDING, *EXAMPLES, *CARDS])
def test_rolling(script: str, code: str, after: str, wanted: tuple[str, ...], given: dict[str, Any]) -> None:
    hold(script, code, after, wanted, given)


@clause("GL-R21")
def test_every_roll_sums_to_1_to_15_or_with_the_fleece_2_to_18() -> None:
    for fleece, least, most in ((3, 1, 15), (1, 2, 18)):
        totals = set()
        for navigation in NAVIGATION_FACES:
            for first in MOVEMENT_FACES:
                for second in (None, *MOVEMENT_FACES):
                    dice = f"{navigation}-{first}" + (f"-{second}" if second else "")
                    state = board(turn=None, fleece=fleece, dice=dice).state
                    totals.add(state.total(1))
                    times = 2 if fleece == 1 else 1
                    if second is not None and second < first:
                        assert state.total(1) == navigation * times
                    else:
                        assert state.total(1) == navigation * times + first + (second or 0)
        assert (min(totals), max(totals)) == (least, most)


def test_a_trident_forbids_the_second_die() -> None:
    made = board(turn=1, left=0, favors="- ares -", dice="2-4 2-4 2-4", seat={3: {"played": True}, 2: {"played": True}})
    run(made, "end")
    assert (seen(made, "phase"), seen(made, "favors2"), seen(made, "discard")) == ("rolling", "-", "ares")
    run(made, "2: nav 2; 2: move 4")
    (ruling,) = run(made, "2: move 5")
    assert ruling.code == "gl.no-second"
    assert ruling.clauses[0] == "GL-F17"
    (ruling,) = run(made, "2: done")
    assert ruling.facts["total"] == 6
