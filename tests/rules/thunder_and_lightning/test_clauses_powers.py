"""Baldr and Valkyries move cards, the Female Archer fells walls, Freya wins a card over."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.thunder_and_lightning.rows import hold, row
from tests.rules.thunder_and_lightning.script import LOKI

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss

MOVES = [
    row(
        clause("TL-V1"), "an own card", "baldr T12 T31", "tl.moved", "T1=?; T3=hall-guards ?", thor="? hall-guards/?/?"
    ),
    row(clause("TL-V1"), "only an own card", "baldr L12 L31", "tl.wrong-side", "points=3", loki="? dragon/?/?"),
    row(clause("TL-V1"), "only a card", "baldr T12 T31", "tl.nothing-there", "points=3"),
    row(near_miss("TL-V1"), "an enemy's card", "baldr L12 L31", "tl.wrong-side", "points=3", loki="? dragon/?/?"),
    row(near_miss("TL-V1"), "to the enemy's side", "baldr T11 L21", "tl.wrong-side", "points=3"),
    row(near_miss("TL-V1"), "no card there", "baldr T12 T31", "tl.nothing-there", "points=3"),
    row(near_miss("TL-V1"), "stays where it lies", "baldr T12 T12", "tl.no-move", "points=3", thor="? tyr/?/?"),
    row(near_miss("TL-V1"), "no card named", "baldr", "tl.which-target", "points=3"),
    row(clause("TL-V2"), "beyond its own old place", "baldr T11 T13", "tl.gap", "T1=tyr ?", thor="tyr ?/?/?"),
    row(clause("TL-V2"), "between two", "baldr T11 T32", "tl.moved", "T1=; T3=? tyr ?", thor="tyr/?/? ?"),
    row(near_miss("TL-V2"), "no such row", "baldr T11 T25", "tl.no-such-place", "points=3"),
    row(near_miss("TL-V2"), "to the end of its column", "baldr T11 T12", "tl.moved", "T1=? tyr", thor="tyr ?/?/?"),
    row(clause("TL-V2"), "a fifth card", "baldr T11 T31", "tl.column-full", "hand T=6", thor="?/?/? ? ? ?"),
    row(clause("TL-V2"), "a row left out", "baldr T11 T33", "tl.gap", "hand T=6", thor="? ?/?/?"),
    row(near_miss("TL-V2"), "a fourth card", "baldr T11 T31", "tl.moved", "T3=? ? ? ?; hand T=5", thor="?/?/? ? ?"),
    row(near_miss("TL-V2"), "within a full column", "baldr T14 T11", "tl.moved", "T1=tyr ? ? ?", thor="? ? ? tyr/?/?"),
    row(clause("TL-V3"), "from the front", "baldr T11 T21", "tl.moved", "T1=tyr frigg; T2=? ?", thor="? tyr frigg/?/?"),
    row(
        near_miss("TL-V3"), "from the end", "baldr T13 T21", "tl.moved", "T1=? tyr; T2=frigg ?", thor="? tyr frigg/?/?"
    ),
    row(clause("TL-V4"), "Thor himself", "baldr T11 T21", "tl.move-leader", "T1=leader ?", thor="leader ?/?/?"),
    row(near_miss("TL-V4"), "who stands behind him", "baldr T12 T21", "tl.moved", "T1=leader", thor="leader ?/?/?"),
    row(clause("TL-V5"), "in front of Thor", "baldr T11 T21", "tl.before-leader", "T2=leader", thor="?/leader/?"),
    row(near_miss("TL-V5"), "behind Thor", "baldr T11 T22", "tl.moved", "T1=; T2=leader ?", thor="?/leader/?"),
    row(clause("TL-V6"), "row 3 to row 1", "valkyries L13 L11", "tl.moved", "L1=dragon ? ?", loki="? ? dragon/?/?"),
    row(clause("TL-V6"), "only an enemy's card", "valkyries T12 T11", "tl.wrong-side", "points=3", thor="? tyr/?/?"),
    row(clause("TL-V6"), "only a card", "valkyries L12 L11", "tl.nothing-there", "points=3"),
    row(near_miss("TL-V6"), "no card named", "valkyries L12", "tl.which-target", "points=3", loki="? ?/?/?"),
    row(near_miss("TL-V6"), "an own card", "valkyries T12 T11", "tl.wrong-side", "points=3", thor="? tyr/?/?"),
    row(clause("TL-V7"), "a fifth card", "valkyries L31 L11", "tl.column-full", "L3=?", loki="? ? ? ?/?/?"),
    row(clause("TL-V7"), "a row left out", "valkyries L11 L23", "tl.gap", "L1=? ?", loki="? ?/?/?"),
    row(clause("TL-V7"), "between two", "valkyries L11 L32", "tl.moved", "L1=; L3=? dragon ?", loki="dragon/?/? ?"),
    row(near_miss("TL-V7"), "a fourth card", "valkyries L31 L11", "tl.moved", "L1=? ? ? ?; L3=", loki="? ? ?/?/?"),
    row(clause("TL-V8"), "front of two", "valkyries L11 L21", "tl.moved", "L1=dragon; L2=? ?", loki="? dragon/?/?"),
    row(near_miss("TL-V8"), "rear of two", "valkyries L12 L21", "tl.moved", "L1=?; L2=dragon ?", loki="? dragon/?/?"),
    row(clause("TL-V9"), "Loki himself", "valkyries L11 L31", "tl.move-leader", "L1=leader", loki="leader/?/?"),
    row(near_miss("TL-V9"), "who stands behind", "valkyries L12 L31", "tl.moved", "L1=leader", loki="leader ?/?/?"),
    row(clause("TL-V10"), "in front of Loki", "valkyries L31 L11", "tl.before-leader", "L1=leader", loki="leader/?/?"),
    row(near_miss("TL-V10"), "behind Loki", "valkyries L31 L12", "tl.moved", "L1=leader ?", loki="leader/?/?"),
    row(clause("TL-V11"), "within his column", "valkyries L12 L11", "tl.before-leader", loki="leader dragon/?/?"),
    row(
        clause("TL-V11"),
        "found in row 2",
        "frigg column L11; up L12 leader",
        "tl.late-leader",
        "L1=dragon leader",
        loki="dragon ?/?/?",
    ),
    row(near_miss("TL-V11"), "comes to the front", "lead 1", "tl.lead", "T1=leader ? ?", thor="? ?/?/?"),
    row(clause("TL-V12"), "looks at it", "valkyries L12 L31; conduct T looks-at-moved", "tl.conduct", loki="? ?/?/?"),
    row(clause("TL-V12"), "face down it stays", "valkyries L11 L21", "tl.moved", "L1=; L2=? ?"),
    row(near_miss("TL-V12"), "the owner looks", "valkyries L11 L21; conduct L looks-own", "tl.conduct-fine"),
]

ARCHER = [
    row(
        clause("TL-F1"),
        "turns up a wall",
        "challenge 1; up L11 shield-wall",
        "tl.archer",
        "L1=; top L=shield-wall",
        thor="female-archer/?/?",
    ),
    row(
        near_miss("TL-F1"),
        "a stronger card turns it up",
        "challenge 1; up L11 shield-wall",
        "tl.shield-wall",
        "L1=shield-wall",
        thor="tyr/?/?",
    ),
    row(
        near_miss("TL-F1"),
        "the wall faces no challenge of hers",
        "ravens row L11",
        "tl.struck-wall",
        "L1=shield-wall",
        thor="female-archer/?/?",
        loki="shield-wall/?/?",
    ),
    row(
        clause("TL-F2"),
        "face up",
        "challenge 1; up T11 female-archer; up L11 shield-wall",
        "tl.archer",
        "T1=female-archer",
    ),
    row(
        near_miss("TL-F2"), "against 6", "challenge 1; up T11 female-archer; up L11 dragon", "tl.lost", "T1=; L1=dragon"
    ),
    row(
        clause("TL-F3"),
        "2 against 3",
        "challenge 1",
        "tl.lost",
        "T1=; L1=viking-warriors",
        thor="female-archer/?/?",
        loki="viking-warriors/?/?",
    ),
    row(
        clause("TL-F3"),
        "2 against 1",
        "challenge 1",
        "tl.won",
        "T1=female-archer; L1=",
        thor="female-archer/?/?",
        loki="ravens/?/?",
    ),
    row(
        near_miss("TL-F3"),
        "a wall",
        "challenge 1",
        "tl.archer",
        "L1=",
        thor="female-archer/?/?",
        loki="shield-wall/?/?",
    ),
    row(
        near_miss("TL-F3"),
        "without strength",
        "challenge 1",
        "tl.no-strength",
        "L1=",
        thor="female-archer/?/?",
        loki="hel/?/?",
    ),
]

FREYA = [
    row(
        clause("TL-Y1"),
        "the top",
        "freya",
        "tl.freya",
        "pile L=hel; hand T=6; hand L=6; pile T=freya",
        piles="/hel dragon",
    ),
    row(
        near_miss("TL-Y1"),
        "not what lies below",
        "freya",
        "tl.freya-top",
        "pile L=dragon hel; hand T=6",
        piles="/dragon hel",
    ),
    row(clause("TL-Y2"), "without strength", "freya", "tl.freya-top", "points=3", piles="/hel"),
    row(clause("TL-Y2"), "strength 0", "freya", "tl.freya-top", "points=3", piles="/nightmare"),
    row(clause("TL-Y2"), "no card", "freya", "tl.freya-top", "points=3"),
    row(near_miss("TL-Y2"), "strength 1", "freya", "tl.freya", "pile L=", piles="/frigg"),
    row(near_miss("TL-Y2"), "strength 7", "freya", "tl.freya", "pile L=", piles="/angrboda"),
    row(
        clause("TL-Y3"),
        "laid at once",
        "freya; lay 2 2 loki",
        "tl.lay",
        "T2=? ?; points=1; hand T=0",
        cited="before",
        hands=(1, 6),
        piles="/dragon",
    ),
    row(
        clause("TL-Y3"),
        "played at once",
        "freya; loki-ravens row L11",
        "tl.play",
        "points=1",
        cited="before",
        hands=(1, 6),
        piles="/ravens",
    ),
    row(near_miss("TL-Y3"), "not won", "draw; lay 2 2 loki", "tl.no-such-back", "T2=?; points=2", piles="/dragon"),
    row(
        clause("TL-Y4"),
        "won by Thor",
        "challenge 1",
        "tl.won",
        "pile T=loki-dragon; pile L=",
        thor="loki-dragon/?/?",
        loki="angrboda/?/?",
        turn=LOKI,
    ),
    row(
        near_miss("TL-Y4"),
        "never won",
        "challenge 1",
        "tl.won",
        "pile T=; pile L=dragon",
        thor="tyr/?/?",
        loki="dragon/?/?",
    ),
    row(
        clause("TL-Y5"),
        "turned up as Thor's",
        "freya; lay 2 2 loki; draw; end; frigg column T21; up T22 hall-guards",
        "tl.wrong-back",
        "T2=tyr ?",
        thor="?/tyr/?",
        piles="/dragon",
    ),
    row(
        near_miss("TL-Y5"),
        "turned up as Loki's",
        "freya; lay 2 2 loki; draw; end; frigg column T21; up T22 loki-dragon",
        "tl.column-turned",
        "T2=tyr loki-dragon",
        thor="?/tyr/?",
        piles="/dragon",
    ),
    row(clause("TL-Y5"), "no such back in the hand", "lay 2 2 loki", "tl.no-such-back", "T2=?"),
    row(clause("TL-Y6"), "twelve", "freya", "tl.freya", "hand T=12", hands=(12, 6), piles="/dragon"),
    row(near_miss("TL-Y6"), "a draw", "draw", "tl.hand-full", "hand T=12", hands=(12, 6), piles="/dragon"),
    row(clause("TL-Y7"), "with a symbol", "freya", "tl.freya", "pile L=; hand T=6", piles="/ravens"),
    row(near_miss("TL-Y7"), "symbol alone", "freya", "tl.freya-top", "pile L=baldr", piles="/baldr"),
]


@pytest.mark.parametrize(("script", "code", "after", "wanted", "cited", "given"), [*MOVES, *ARCHER, *FREYA])
def test_clause(script: str, code: str, after: str, wanted: str | None, cited: str, given: dict[str, Any]) -> None:
    hold(script, code, after, wanted, cited, given)
