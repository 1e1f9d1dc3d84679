"""The flank challenge of Vidarr."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.thunder_and_lightning.rows import hold, row
from tests.rules.thunder_and_lightning.script import LOKI

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss

FLANKS = [
    row(
        clause("TL-X1"),
        "row 4",
        "vidarr L11 T14; up L11 dragon; up T14 hel",
        "tl.no-strength",
        "T1=? ? ?; points=2",
        cited="before",
        turn=LOKI,
        thor="? ? ? ?/?/?",
    ),
    row(
        clause("TL-X1"),
        "announced",
        "vidarr L11 T14",
        "tl.challenge",
        "points=2; waits=challenge",
        turn=LOKI,
        thor="? ? ? ?/?/?",
    ),
    row(clause("TL-X1"), "row 1 too", "vidarr T11 L11", "tl.challenge", "points=2; waits=challenge"),
    row(near_miss("TL-X1"), "no cards named", "vidarr", "tl.which-target", "points=3"),
    row(near_miss("TL-X1"), "no card there", "vidarr T11 L13", "tl.nothing-there", "points=3", loki="? ?/?/?"),
    row(near_miss("TL-X1"), "with an enemy's card", "vidarr L11 L12", "tl.wrong-side", "points=3", loki="? ?/?/?"),
    row(near_miss("TL-X1"), "against an own card", "vidarr T11 T12", "tl.wrong-side", "points=3", thor="? ?/?/?"),
    row(
        near_miss("TL-X1"),
        "without Vidarr",
        "challenge 1 1 1 4",
        "tl.not-row-1",
        "points=3",
        turn=LOKI,
        thor="? ? ? ?/?/?",
    ),
    row(clause("TL-X2"), "Thor's right", "vidarr T11 L12", "tl.challenge", "waits=challenge", loki="? ?/?/?"),
    row(
        clause("TL-X2"), "Loki's right", "vidarr L31 T32", "tl.challenge", "waits=challenge", turn=LOKI, thor="?/?/? ?"
    ),
    row(clause("TL-X2"), "Thor's right goes nowhere else", "vidarr T11 L31", "tl.diagonal", "points=3"),
    row(clause("TL-X2"), "Loki's right goes nowhere else", "vidarr L31 T11", "tl.diagonal", "points=3", turn=LOKI),
    row(near_miss("TL-X2"), "across the table", "vidarr T11 L31", "tl.diagonal", "points=3; hand T=6"),
    row(clause("TL-X3"), "Thor's left", "vidarr T31 L32", "tl.challenge", "waits=challenge", loki="?/?/? ?"),
    row(clause("TL-X3"), "Loki's left", "vidarr L11 T12", "tl.challenge", "waits=challenge", turn=LOKI, thor="? ?/?/?"),
    row(clause("TL-X3"), "Thor's left goes nowhere else", "vidarr T31 L11", "tl.diagonal", "points=3"),
    row(clause("TL-X3"), "Loki's left goes nowhere else", "vidarr L11 T21", "tl.diagonal", "points=3", turn=LOKI),
    row(near_miss("TL-X3"), "across the table", "vidarr T31 L12", "tl.diagonal", "points=3; hand T=6", loki="? ?/?/?"),
    row(clause("TL-X4"), "the centre", "vidarr T21 L22", "tl.diagonal", "points=3", loki="?/? ?/?"),
    row(near_miss("TL-X4"), "beside the centre", "vidarr T31 L32", "tl.challenge", "points=2", loki="?/?/? ?"),
    row(clause("TL-X5"), "from row 2", "vidarr T12 L12", "tl.not-row-1", "points=3", thor="? ?/?/?", loki="? ?/?/?"),
    row(near_miss("TL-X5"), "from row 1", "vidarr T11 L12", "tl.challenge", "points=2", thor="? ?/?/?", loki="? ?/?/?"),
    row(clause("TL-X6"), "behind Loki", "vidarr T11 L12", "tl.challenge", "points=2", loki="leader ?/?/?"),
    row(
        near_miss("TL-X6"),
        "behind Thor the own",
        "vidarr T12 L12",
        "tl.not-row-1",
        "points=4",
        thor="leader tyr/?/?",
        loki="? ?/?/?",
    ),
    row(clause("TL-X7"), "Loki himself", "vidarr T11 L11", "tl.leader-unchallenged", "points=3", loki="leader ?/?/?"),
    row(
        near_miss("TL-X7"),
        "who stands behind",
        "vidarr T11 L12; up T11 tyr; up L12 dragon",
        "tl.won",
        "L1=leader",
        loki="leader ?/?/?",
    ),
    row(
        clause("TL-X8"),
        "first turn",
        "vidarr L11 T12",
        "tl.first-turn",
        "hand L=6",
        turn=LOKI,
        first=True,
        thor="? ?/?/?",
    ),
    row(near_miss("TL-X8"), "second turn", "vidarr L11 T12", "tl.challenge", "hand L=5", turn=LOKI, thor="? ?/?/?"),
    row(
        clause("TL-X9"),
        "a wall turned up",
        "vidarr T11 L12; up L12 hel; up T11 shield-wall",
        "tl.late-barred",
        "T1=shield-wall; L1=? hel",
        loki="? ?/?/?",
    ),
    row(
        clause("TL-X9"),
        "a wall known",
        "vidarr T11 L12",
        "tl.may-not-challenge",
        "points=3",
        thor="shield-wall/?/?",
        loki="? ?/?/?",
    ),
    row(
        clause("TL-X9"),
        "by option beaten",
        "vidarr T11 L12; up L12 hel; up T11 shield-wall",
        "tl.late-barred",
        "T1=; top T=shield-wall",
        loki="? ?/?/?",
        barred_challenge="beaten",
    ),
    row(
        near_miss("TL-X9"),
        "a 2",
        "vidarr T11 L12; up L12 hel; up T11 female-archer",
        "tl.no-strength",
        "L1=?",
        loki="? ?/?/?",
    ),
    row(
        clause("TL-X10"),
        "row 3 of 4",
        "vidarr T11 L13",
        "tl.challenge",
        "L1=? ? angrboda; top L=dragon",
        thor="tyr/?/?",
        loki="? ? dragon angrboda/?/?",
    ),
    row(
        near_miss("TL-X10"),
        "the challenger loses",
        "vidarr T11 L14",
        "tl.tie",
        "L1=? ? dragon; T1=hel",
        thor="tyr hel/?/?",
        loki="? ? dragon angrboda/?/?",
    ),
    row(
        near_miss("TL-X10"),
        "Vidarr spent on a wall",
        "vidarr T11 L13",
        "tl.shield-wall",
        "L1=? ? shield-wall ?; T1=hel",
        thor="tyr hel/?/?",
        loki="? ? shield-wall ?/?/?",
    ),
]


@pytest.mark.parametrize(("script", "code", "after", "wanted", "cited", "given"), FLANKS)
def test_clause(script: str, code: str, after: str, wanted: str | None, cited: str, given: dict[str, Any]) -> None:
    hold(script, code, after, wanted, cited, given)
