"""The Seer draws from the enemy's deck."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.thunder_and_lightning.rows import hold, row, strengths
from tests.rules.thunder_and_lightning.script import LOKI

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss

FULL: dict[str, Any] = {"loki": "leader/? ? ? ?/? ? ? ?"}
"""No column takes a card in row 1."""

SEER = [
    row(
        clause("TL-A1"),
        "the enemy's deck",
        "seer; drawn hel",
        "tl.seer-hand",
        "deck L=40; deck T=41; hand L=7",
        cited="before",
    ),
    row(clause("TL-A1"), "announced", "seer", "tl.seer", "points=2; waits=drawn"),
    row(near_miss("TL-A1"), "an empty deck", "seer", "tl.seer", "points=2; waits=-", decks=(None, 0)),
    row(
        clause("TL-A2"),
        "the first not yet placed",
        "seer; drawn dragon; drawn hel",
        "tl.waits",
        "deck L=40; waits=place",
    ),
    row(clause("TL-A2"), "announced", "seer", "tl.seer", "waits=drawn"),
    row(
        near_miss("TL-A2"),
        "the first placed",
        "seer; drawn dragon; place 1; drawn hel",
        "tl.seer-hand",
        "deck L=39; waits=drawn",
    ),
    row(
        clause("TL-A3"), "stops before one is placed", "seer; drawn dragon; stop", "tl.waits", "deck L=40; waits=place"
    ),
    row(
        clause("TL-A3"),
        "a fourth",
        "seer; drawn hel; drawn seer; drawn odin; drawn baldr",
        "tl.not-waited-for",
        "deck L=38; hand L=9",
    ),
    row(clause("TL-A3"), "stops early", "seer; drawn hel; stop", "tl.seer-stops", "deck L=40; waits=-"),
    row(
        near_miss("TL-A3"),
        "a third",
        "seer; drawn hel; drawn seer; drawn odin",
        "tl.seer-hand",
        "deck L=38; hand L=9; waits=-",
    ),
    row(
        near_miss("TL-A3"),
        "the last of the deck",
        "seer; drawn hel",
        "tl.seer-hand",
        "deck L=0; waits=-",
        decks=(None, 1),
    ),
    row(
        near_miss("TL-A3"),
        "the last of the deck, placed",
        "seer; drawn dragon; place 1",
        "tl.placed",
        "deck L=0; waits=-",
        decks=(None, 1),
    ),
    row(near_miss("TL-A3"), "the enemy stops it", "seer; stop L", "tl.waits", "waits=drawn"),
    row(clause("TL-A4"), "a 4", "seer; drawn wolf-riders; place 1", "tl.placed", "L1=wolf-riders ?; waits=drawn"),
    row(clause("TL-A4"), "a 1", "seer; drawn dragon", "tl.seer-row", "waits=place", pack=strengths(loki_dragon=1)),
    row(near_miss("TL-A4"), "a 0", "seer; drawn nightmare", "tl.seer-hand", "hand L=7; waits=drawn"),
    row(near_miss("TL-A4"), "placed by its owner", "seer; drawn wolf-riders; place L 1", "tl.waits", "L1=?"),
    row(near_miss("TL-A4"), "in row 2", "seer; drawn wolf-riders; place 1 2", "tl.not-row-1", "L1=?"),
    row(
        clause("TL-A5"),
        "before Loki",
        "seer; drawn dragon; place 1",
        "tl.before-leader",
        "L1=leader; waits=place",
        loki="leader/?/?",
    ),
    row(
        clause("TL-A5"),
        "a fifth card",
        "seer; drawn dragon; place 2",
        "tl.column-full",
        "waits=place",
        loki="?/? ? ? ?/?",
    ),
    row(
        near_miss("TL-A5"),
        "pushes three back",
        "seer; drawn dragon; place 2",
        "tl.placed",
        "L2=dragon ? ? ?",
        loki="?/? ? ?/?",
    ),
    row(clause("TL-A6"), "full or led", "seer; drawn dragon", "tl.seer-no-column", "top L=dragon; waits=drawn", **FULL),
    row(
        near_miss("TL-A6"),
        "one has room",
        "seer; drawn dragon",
        "tl.seer-row",
        "pile L=; waits=place",
        loki="leader/? ? ? ?/? ? ?",
    ),
    row(near_miss("TL-A6"), "Hel needs no column", "seer; drawn hel", "tl.seer-hand", "pile L=; hand L=7", **FULL),
    row(clause("TL-A7"), "Baldr", "seer; drawn baldr", "tl.seer-hand", "hand L=7"),
    row(clause("TL-A7"), "a 0", "seer; drawn shield-wall", "tl.seer-hand", "hand L=7"),
    row(clause("TL-A7"), "kept from sight", "seer; drawn baldr; stop; conduct T hides-drawn", "tl.conduct"),
    row(
        clause("TL-A7"),
        "a Loki that prints 5",
        "seer; drawn leader",
        "tl.seer-hand",
        "hand L=7",
        pack=strengths(loki_leader=5),
    ),
    row(near_miss("TL-A7"), "a 6", "seer; drawn dragon", "tl.seer-row", "hand L=6"),
    row(clause("TL-A8"), "twelve", "seer; drawn hel", "tl.seer-hand-full", "hand L=12; top L=hel", hands=(6, 12)),
    row(near_miss("TL-A8"), "eleven", "seer; drawn hel", "tl.seer-hand", "hand L=12; pile L=", hands=(6, 11)),
    row(clause("TL-A9"), "Ravens", "seer; drawn ravens", "tl.seer-row", "hand L=6; waits=place"),
    row(
        near_miss("TL-A9"),
        "to the hand by option",
        "seer; drawn ravens",
        "tl.seer-hand",
        "hand L=7; waits=drawn",
        seer_symbol="hand",
    ),
    row(near_miss("TL-A9"), "a symbol alone", "seer; drawn hel", "tl.seer-hand", "hand L=7"),
    row(
        near_miss("TL-A9"), "no symbol, by option", "seer; drawn dragon", "tl.seer-row", "hand L=6", seer_symbol="hand"
    ),
    row(clause("TL-A10"), "first turn", "seer", "tl.seer", "points=2; waits=drawn", turn=LOKI, first=True),
    row(
        near_miss("TL-A10"), "Ravens in a first turn", "ravens hand", "tl.first-turn", "points=3", turn=LOKI, first=True
    ),
]


@pytest.mark.parametrize(("script", "code", "after", "wanted", "cited", "given"), SEER)
def test_clause(script: str, code: str, after: str, wanted: str | None, cited: str, given: dict[str, Any]) -> None:
    hold(script, code, after, wanted, cited, given)
