"""Cards taken back from the own pile and shown: Longships and Odin."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.thunder_and_lightning.rows import hold, row

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss

SHIPS = "viking-warriors viking-warriors female-archer female-archer/"
TWO = "longships; take viking-warriors viking-warriors"
TEN = "viking-warriors viking-warriors viking-warriors female-archer/"

LONGSHIPS = [
    row(
        clause("TL-U1"),
        "three of four",
        "longships; take viking-warriors female-archer female-archer",
        "tl.take",
        "hand T=8; pile T=viking-warriors longships; points=2",
        piles=SHIPS,
    ),
    row(
        near_miss("TL-U1"),
        "all four",
        "longships; take viking-warriors viking-warriors female-archer female-archer",
        "tl.take-number",
        "hand T=5",
        piles=SHIPS,
    ),
    row(
        near_miss("TL-U1"),
        "another kind",
        "longships; take tyr female-archer female-archer",
        "tl.take-kind",
        "hand T=5",
        piles="tyr " + SHIPS,
    ),
    row(
        near_miss("TL-U1"),
        "not there",
        "longships; take viking-warriors",
        "tl.take-not-there",
        "hand T=5",
        piles="female-archer/",
    ),
    row(
        clause("TL-U1"),
        "of the enemy's deck",
        "longships; take loki-viking-warriors; lay 1 2 loki",
        "tl.lay",
        "T1=? ?; hand T=5",
        cited="before",
        piles="loki-viking-warriors/",
    ),
    row(
        clause("TL-U2"),
        "the only one",
        "longships; take female-archer",
        "tl.take",
        "hand T=6; pile T=tyr longships",
        cited="nowhere",
        piles="female-archer tyr/",
    ),
    row(
        clause("TL-U2"),
        "the only one left",
        "longships; take",
        "tl.take-number",
        "hand T=5; waits=take",
        piles="female-archer tyr/",
    ),
    row(
        near_miss("TL-U2"),
        "one of three",
        "longships; take female-archer",
        "tl.take-number",
        "hand T=5; waits=take",
        piles="female-archer female-archer viking-warriors/",
    ),
    row(near_miss("TL-U2"), "none", "longships", "tl.nothing-to-take", "hand T=5; waits=-", piles="tyr/"),
    row(
        clause("TL-U3"),
        "two laid at once",
        TWO + "; lay 1 2; lay 2 2",
        "tl.lay",
        "T1=? ?; T2=? ?; hand T=0; points=0",
        cited="before",
        hands=(1, 6),
        piles="viking-warriors viking-warriors/",
    ),
    row(
        near_miss("TL-U3"),
        "nothing taken",
        "longships; lay 1 2",
        "tl.hand-empty",
        "T1=?; points=2",
        hands=(1, 6),
        piles="tyr/",
    ),
    row(
        clause("TL-U4"),
        "twelve, one more",
        "longships; take female-archer",
        "tl.take",
        "hand T=12",
        hands=(12, 6),
        piles=TEN,
    ),
    row(
        clause("TL-U4"),
        "twelve, two more",
        "longships; take female-archer viking-warriors",
        "tl.take-number",
        "hand T=11",
        hands=(12, 6),
        piles=TEN,
    ),
    row(
        near_miss("TL-U4"),
        "ten, three more",
        "longships; take female-archer viking-warriors viking-warriors",
        "tl.take",
        "hand T=12",
        hands=(10, 6),
        piles=TEN,
    ),
    row(
        clause("TL-U5"),
        "put in another order",
        "longships; take female-archer; conduct T reorders-pile",
        "tl.conduct",
        piles="female-archer/",
    ),
    row(
        near_miss("TL-U5"),
        "as it lay",
        "longships; take viking-warriors",
        "tl.take",
        "pile T=tyr frigg longships",
        piles="tyr viking-warriors frigg/",
    ),
    row(clause("TL-U6"), "shown", "longships; take female-archer", "tl.take", "hand T=6", piles="female-archer/"),
    row(
        clause("TL-U6"),
        "not shown",
        "longships; take 1",
        "tl.take-number",
        "hand T=5; waits=take",
        piles="female-archer/",
    ),
    row(
        clause("TL-U6"),
        "hidden in the hand",
        "longships; take female-archer; conduct T hides-drawn",
        "tl.conduct",
        piles="female-archer/",
    ),
    row(
        near_miss("TL-U6"),
        "hidden by option",
        "longships; take 1",
        "tl.take-hidden",
        "hand T=6; waits=-",
        piles="female-archer/",
        recovered_shown=False,
    ),
]

ODIN = [
    row(
        clause("TL-O1"),
        "three",
        "odin; take ravens ravens ravens",
        "tl.take",
        "hand T=8; pile T=tyr odin; points=2",
        piles="ravens ravens ravens tyr/",
    ),
    row(
        near_miss("TL-O1"),
        "four",
        "odin; take ravens ravens ravens ravens",
        "tl.take-number",
        "hand T=5",
        piles="ravens ravens ravens ravens/",
    ),
    row(
        near_miss("TL-O1"),
        "another card",
        "odin; take ravens ravens seer",
        "tl.take-kind",
        "hand T=5",
        piles="ravens ravens ravens seer/",
    ),
    row(
        clause("TL-O2"),
        "the only one",
        "odin; take ravens",
        "tl.take",
        "hand T=6; pile T=odin",
        cited="nowhere",
        piles="ravens/",
    ),
    row(clause("TL-O2"), "the only one left", "odin; take", "tl.take-number", "hand T=5; waits=take", piles="ravens/"),
    row(near_miss("TL-O2"), "none", "odin", "tl.nothing-to-take", "hand T=5; waits=-", piles="tyr/"),
    row(
        clause("TL-O3"),
        "struck with at once",
        "odin; take ravens; ravens hand",
        "tl.pick",
        "hand T=0; points=1; waits=hit",
        cited="before",
        hands=(1, 6),
        piles="ravens/",
    ),
    row(
        near_miss("TL-O3"),
        "not in a first turn",
        "odin; take ravens; ravens hand",
        "tl.first-turn",
        "hand T=1; points=2",
        hands=(1, 6),
        piles="ravens/",
        first=True,
    ),
    row(
        clause("TL-O4"),
        "eleven, two more",
        "odin; take ravens ravens",
        "tl.take",
        "hand T=12",
        hands=(11, 6),
        piles="ravens ravens ravens/",
    ),
    row(
        clause("TL-O4"),
        "eleven, three more",
        "odin; take ravens ravens ravens",
        "tl.take-number",
        "hand T=10",
        hands=(11, 6),
        piles="ravens ravens ravens/",
    ),
    row(
        near_miss("TL-O4"),
        "ten, three more",
        "odin; take ravens ravens ravens",
        "tl.take",
        "hand T=12",
        hands=(10, 6),
        piles="ravens ravens ravens/",
    ),
    row(
        clause("TL-O5"),
        "put in another order",
        "odin; take ravens; conduct T reorders-pile",
        "tl.conduct",
        piles="ravens/",
    ),
    row(
        near_miss("TL-O5"),
        "as it lay",
        "odin; take ravens",
        "tl.take",
        "pile T=tyr frigg odin",
        piles="tyr ravens frigg/",
    ),
    row(clause("TL-O6"), "shown", "odin; take ravens", "tl.take", "hand T=6", piles="ravens/"),
    row(clause("TL-O6"), "not shown", "odin; take 1", "tl.take-number", "hand T=5; waits=take", piles="ravens/"),
    row(
        near_miss("TL-O6"),
        "hidden by option",
        "odin; take 1",
        "tl.take-hidden",
        "hand T=6; waits=-",
        piles="ravens/",
        recovered_shown=False,
    ),
]


@pytest.mark.parametrize(("script", "code", "after", "wanted", "cited", "given"), [*LONGSHIPS, *ODIN])
def test_clause(script: str, code: str, after: str, wanted: str | None, cited: str, given: dict[str, Any]) -> None:
    hold(script, code, after, wanted, cited, given)
