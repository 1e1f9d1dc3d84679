"""Thor and Loki themselves, clause by clause, each with a near miss that goes the other way."""

from __future__ import annotations

from typing import Any

import pytest

from rules.thunder_and_lightning.events import Challenge
from tests.rules.thunder_and_lightning.rows import hold, row, run
from tests.rules.thunder_and_lightning.script import LOKI, THOR, Board, board, playing

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss

NEXT: dict[str, Any] = {"turn": LOKI, "spent": 3, "points": 3}
"""Loki has used his three points; Thor is next."""
TWO_COLUMNS: dict[str, Any] = {"thor": "?/?/"}
FULL: dict[str, Any] = {"thor": "? ? ? ?/? ?/?"}
ALL_FULL: dict[str, Any] = {"thor": "? ? ? ?/? ? ? ?/? ? ? ?"}
ONE_LEFT: dict[str, Any] = {"thor": "? ? ? ?/? ? ?/? ? ? ?"}
A_B: dict[str, Any] = {"thor": "frigg tyr/?/?"}
LED: dict[str, Any] = {"thor": "leader ?/?/?"}
"""Thor in front of a card."""
FACED: dict[str, Any] = {"thor": "leader ?/?/?", "turn": LOKI}
"""Loki's first column faces Thor."""
REMOVED: dict[str, Any] = {"loki": "leader ?/?/"}
LAID: dict[str, Any] = {"loki": "/?/?", "turn": LOKI}
SEEN = "lay 1; draw; end; frigg column L11; up L11 "
"""Loki laid a card into his empty column 1, and Frigg turned it up as this one."""

LEADERS = [
    row(clause("TL-L1"), "set on the card", "lead 1; figure T", "tl.figure", "points=4; T1=leader ?"),
    row(clause("TL-L1"), "without the figure", "lead 1; figure L off", "tl.figure-missing", "points=4; L1=leader ?",
        turn=LOKI),
    row(near_miss("TL-L1"), "without the card", "figure T", "tl.figure-alone", "points=3"),
    row(near_miss("TL-L1"), "taken off with the card", "ravens row T11; figure T off", "tl.figure", "T1=?", **LED),
    row(clause("TL-L2"), "no point", "lead 1", "tl.lead", "points=4; hand T=5", points=2),
    row(near_miss("TL-L2"), "a card laid", "lay 1", "tl.lay", "points=1; hand T=5", points=2),
    row(clause("TL-L3"), "one column", "end", "tl.turn", "points=4; turn=T", thor="leader//", **NEXT),
    row(clause("TL-L3"), "the turn it is played", "lead 1; draw", "tl.draw", "points=3", cited="before", **TWO_COLUMNS),
    row(near_miss("TL-L3"), "struck down since", "end; ravens row T11; draw; draw; draw; end; pass", "tl.turn",
        "points=1; turn=T", thor="leader ?//", **NEXT),
    row(near_miss("TL-L3"), "never played", "end", "tl.turn", "points=1; turn=T", thor="?//", **NEXT),
    row(clause("TL-L4"), "1 of 2 used", "draw; lead 1", "tl.lead", "points=3; fact points=3", **TWO_COLUMNS),
    row(clause("TL-L4"), "2 of 3 used", "draw; draw; lead 1", "tl.lead", "points=2"),
    row(near_miss("TL-L4"), "none used", "lead 1", "tl.lead", "points=4", **TWO_COLUMNS),
    row(near_miss("TL-L4"), "not played", "draw", "tl.draw", "points=1", **TWO_COLUMNS),
    row(clause("TL-L5"), "face down", "lead 1 1 down", "tl.lead-face-down", "points=3; hand T=6; T1=?"),
    row(near_miss("TL-L5"), "face up", "lead 1 1", "tl.lead", "points=4; hand T=5; T1=leader ?"),
    row(clause("TL-L5"), "found face down", SEEN + "leader", "tl.late-leader", "L1=leader; fact remedy=as weak",
        **LAID),
    row(clause("TL-L5"), "no 4 points then", SEEN + "leader; pass", "tl.turn", "points=3; turn=L", cited="before",
        **LAID),
    row(near_miss("TL-L5"), "another found", SEEN + "baldr", "tl.column-turned", "ruled tl.late-leader=no", **LAID),
    row(clause("TL-L6"), "row 2", "lead 1 2", "tl.lead-row", "T1=?; hand T=6; points=3"),
    row(near_miss("TL-L6"), "row 1", "lead 1", "tl.lead", "T1=leader ?; hand T=5; points=4"),
    row(clause("TL-L6"), "found in row 2", "frigg column L11; up L12 leader", "tl.late-leader", "fact row=2; winner=-",
        loki="dragon ?/?/?"),
    row(clause("TL-L7"), "in front", "lay 1 1", "tl.before-leader", "T1=leader ?; hand T=6", **LED),
    row(near_miss("TL-L7"), "right behind", "lay 1 2", "tl.lay", "T1=leader ? ?; hand T=5", **LED),
    row(clause("TL-L7"), "hit by ravens", "ravens hand; hit dragon; place 1", "tl.before-leader",
        "L1=leader; waits=place",
        loki="leader/?/?"),
    row(near_miss("TL-L7"), "hit, beside it", "ravens hand; hit dragon; place 2", "tl.placed", "L2=dragon ?",
        loki="leader/?/?"),
    row(clause("TL-L8"), "column of 4", "lead 1", "tl.column-full", "T1=? ? ? ?; hand T=6; points=3", **FULL),
    row(near_miss("TL-L8"), "column of 2", "lead 2", "tl.lead", "T2=leader ? ?; hand T=5", **FULL),
    row(clause("TL-L9"), "12 cards", "lead 2", "tl.field-full", "hand T=6; points=3", **ALL_FULL),
    row(near_miss("TL-L9"), "11 cards", "lead 2", "tl.lead", "T2=leader ? ? ?; points=4", **ONE_LEFT),
    row(clause("TL-L10"), "empty column", "lead 3", "tl.lead", "T3=leader; points=4", **TWO_COLUMNS),
    row(near_miss("TL-L10"), "row 2 of it", "lead 3 2", "tl.lead-row", "T3=; points=2", **TWO_COLUMNS),
    row(clause("TL-L11"), "two move back", "lead 1", "tl.lead", "T1=leader frigg tyr", **A_B),
    row(near_miss("TL-L11"), "those beside do not", "lead 2", "tl.lead", "T1=frigg tyr; T2=leader ?", **A_B),
    row(near_miss("TL-L11"), "four cannot", "lead 1", "tl.column-full", "T1=? ? ? ?", **FULL),
    row(clause("TL-L12"), "by Baldr", "baldr T11 T21", "tl.move-leader", "T1=leader ?; hand T=6", **LED),
    row(clause("TL-L12"), "by Valkyries", "valkyries T11 T21", "tl.move-leader", "T1=leader ?; hand L=6", **FACED),
    row(near_miss("TL-L12"), "who stands behind", "baldr T12 T21", "tl.moved", "T1=leader; T2=? ?", **LED),
    row(clause("TL-L13"), "Thor", "challenge 1", "tl.may-not-challenge", "points=4; waits=-", **LED),
    row(near_miss("TL-L13"), "a card beside Thor", "challenge 2", "tl.challenge", "points=3; waits=challenge", **LED),
    row(clause("TL-L13"), "Loki on the flank", "vidarr L11 T11", "tl.may-not-challenge", "hand L=6", loki="leader/?/?",
        turn=LOKI),
    row(clause("TL-L14"), "the facing card", "challenge 1", "tl.leader-unchallenged", "points=3; T1=leader ?", **FACED),
    row(near_miss("TL-L14"), "the facing card beside", "challenge 2", "tl.challenge", "points=2", **FACED),
    row(clause("TL-L15"), "ravens", "ravens row T11", "tl.struck-leader", "T1=?; pile T=leader", **FACED),
    row(near_miss("TL-L15"), "a 6", "challenge 1", "tl.leader-unchallenged", "T1=leader ?", loki="dragon/?/?", **FACED),
    row(clause("TL-L15"), "Vidarr", "vidarr L11 T11", "tl.leader-unchallenged", "T1=leader ?; hand L=6", **FACED),
    row(near_miss("TL-L15"), "ravens in the first turn", "ravens row T11", "tl.first-turn", "T1=leader ?", first=True,
        **FACED),
    row(near_miss("TL-L15"), "ravens on the battlefield", "challenge 1", "tl.leader-unchallenged", "T1=leader ?",
        loki="ravens/?/?", **FACED),
    row(clause("TL-L16"), "the own one", "ravens row T11", "tl.struck-leader", "T1=?; pile T=ravens leader", **LED),
    row(near_miss("TL-L16"), "another own card", "ravens row T12", "tl.own-side", "T1=leader ?; hand T=6", **LED),
    row(clause("TL-L17"), "2 columns", "ravens row L11; pass", "tl.turn", "points=2; turn=L", **REMOVED),
    row(near_miss("TL-L17"), "still there", "ravens row L21; up L21 dragon; pass", "tl.turn", "points=4; turn=L",
        **REMOVED),
    row(near_miss("TL-L17"), "in the own turn the 4 stay", "ravens row T11; draw", "tl.draw", "points=2", **LED),
    row(clause("TL-L18"), "2 of 2 used", "draw; draw; lead 1", "tl.lead", "points=2; turn=T", **TWO_COLUMNS),
    row(near_miss("TL-L18"), "passed on", "draw; draw; end; lead T 1", "tl.not-your-turn", "turn=L", **TWO_COLUMNS),
    row(near_miss("TL-L18"), "by option", "draw; draw; lead 1", "tl.no-points", "points=0; hand T=8",
        leader_after_last_point=False, **TWO_COLUMNS),
    row(near_miss("TL-L18"), "one left, by option", "draw; lead 1", "tl.lead", "points=3",
        leader_after_last_point=False,
        **TWO_COLUMNS),
    row(near_miss("TL-L18"), "any other card", "draw; draw; lay 1", "tl.no-points", "points=0", **TWO_COLUMNS),
    row(clause("TL-L19"), "Loki in the first turn", "lead 1", "tl.lead", "points=4; L1=leader ?", start=playing),
    row(near_miss("TL-L19"), "a challenge in it", "challenge 1", "tl.first-turn", "points=3", start=playing),
    row(near_miss("TL-L19"), "before set-up is done", "lead T 1", "tl.set-up-first", start=Board),
    row(clause("TL-L20"), "by the facing card", "challenge 1", "tl.leader-unchallenged", "points=3", **FACED),
    row(near_miss("TL-L20"), "once he is struck", "ravens row T11; challenge 1", "tl.challenge", "T1=?; points=1",
        **FACED),
]  # fmt: skip


@pytest.mark.parametrize(("script", "code", "after", "wanted", "cited", "given"), LEADERS)
def test_clause(script: str, code: str, after: str, wanted: str | None, cited: str, given: dict[str, Any]) -> None:
    hold(script, code, after, wanted, cited, given)


def challenges_offered(made: Board) -> list[int]:
    """Columns that the player on turn is offered a challenge in."""
    return [option.event.column for option in made.match.options() if isinstance(option.event, Challenge)]


@clause("TL-L20")
@pytest.mark.parametrize("turn", [THOR, LOKI])
def test_the_column_of_a_leader_is_offered_to_nobody_for_a_challenge(turn: int) -> None:
    assert challenges_offered(board(thor=("leader ?", "?", "?"), turn=turn)) == [2, 3]


@near_miss("TL-L20")
@pytest.mark.parametrize("turn", [THOR, LOKI])
def test_the_column_is_offered_again_once_the_leader_is_gone(turn: int) -> None:
    made = board(thor=("leader ?", "?", "?"), turn=turn)
    run(made, "ravens row T11")
    assert challenges_offered(made) == [1, 2, 3]
