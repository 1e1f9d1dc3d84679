"""Hel takes a card back that nobody needs to see."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.thunder_and_lightning.rows import hold, row, strengths
from tests.rules.thunder_and_lightning.script import LOKI

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss

NINE = "tyr hall-guards sworn-spearmen frigg seer odin baldr viking-warriors idunn"
STRIPPED: dict[str, Any] = {"turn": LOKI, "piles": "/frigg ravens", "pack": strengths(loki_hel=1)}
"""Loki's Hel takes one of two; Thor's Freya can take her, so that what is left comes to the top."""

HEL = [
    row(
        clause("TL-H1"), "a pile of nine", "hel", "tl.hel", "piled T=9; hand T=6; top T=hel; points=2", piles=NINE + "/"
    ),
    row(near_miss("TL-H1"), "an empty pile", "hel", "tl.nothing-to-take", "piled T=1; hand T=5; points=2"),
    row(
        near_miss("TL-H1"), "of two backs, which not told", "hel", "tl.which-use", "points=3", piles="tyr loki-dragon/"
    ),
    row(
        clause("TL-H1"),
        "the one with Loki's back",
        "hel loki",
        "tl.hel",
        "pile T=tyr hel; hand T=6",
        piles="tyr loki-dragon/",
    ),
    row(clause("TL-Y5"), "which back she took is seen", "hel", "tl.which-use", "points=3", piles="tyr loki-dragon/"),
    row(clause("TL-H2"), "asked to show it", "hel; conduct L asks-taken", "tl.conduct", piles=NINE + "/"),
    row(near_miss("TL-H2"), "shown freely", "hel; conduct T shows-taken", "tl.conduct-fine", piles=NINE + "/"),
    row(
        clause("TL-H3"),
        "played at once",
        "hel; seer",
        "tl.seer",
        "hand T=0; points=1",
        cited="before",
        hands=(1, 6),
        piles="seer/",
    ),
    row(
        near_miss("TL-H3"),
        "not what lay elsewhere",
        "hel; seer",
        "tl.impossible",
        "hand T=1; points=2",
        hands=(1, 6),
        piles="odin/",
    ),
    row(near_miss("TL-H3"), "nothing was taken", "hel; seer", "tl.hand-empty", "hand T=0", hands=(1, 6)),
    row(clause("TL-H4"), "put in another order", "hel; conduct T reorders-pile", "tl.conduct", piles=NINE + "/"),
    row(
        near_miss("TL-H4"),
        "as it lay",
        "hel loki",
        "tl.hel",
        "pile T=tyr idunn hel",
        piles="tyr loki-dragon idunn/",
    ),
    row(clause("TL-H5"), "twelve", "hel", "tl.hel", "hand T=12", hands=(12, 6), piles="tyr/"),
    row(near_miss("TL-H5"), "twelve and a draw", "draw", "tl.hand-full", "hand T=12", hands=(12, 6), piles="tyr/"),
    row(near_miss("TL-H1"), "a use that she does not have", "hel row", "tl.which-use", "points=3", piles=NINE + "/"),
    row(
        near_miss("TL-H1"),
        "a spot that she does not work on",
        "hel T11",
        "tl.which-target",
        "points=3",
        piles=NINE + "/",
    ),
]

SECRET = [
    row(clause("TL-H6"), "one of three", "hel", "tl.hel", "unsure T=3; gone T=1; piled T=3", piles="tyr seer frigg/"),
    row(
        clause("TL-H6"),
        "its top seen again",
        "hel; pass; freya; top L frigg",
        "tl.top-seen",
        "pile L=frigg; unsure L=0; gone L=0",
        **STRIPPED,
    ),
    row(
        clause("TL-H6"),
        "what Longships do not find",
        "hel; longships; take viking-warriors",
        "tl.take",
        "pile T=tyr hel longships; unsure T=0",
        cited="before",
        piles="female-archer viking-warriors tyr/",
    ),
    row(
        clause("TL-H6"),
        "all that Longships find",
        "hel; longships; take viking-warriors female-archer",
        "tl.take",
        "pile T=hel longships; unsure T=0",
        cited="before",
        piles="female-archer viking-warriors tyr/",
    ),
    row(
        clause("TL-H6"),
        "under a card with another back",
        "hel loki; pass; freya; top L thor-tyr",
        "tl.top-seen",
        "pile L=frigg thor-tyr; unsure L=0",
        **{**STRIPPED, "piles": "/frigg thor-tyr ravens"},
    ),
    row(
        clause("TL-H6"),
        "beneath a card that surely lies",
        "hel loki; pass; freya; top L frigg",
        "tl.top-wrong",
        "unsure L=2; waits=top",
        **{**STRIPPED, "piles": "/frigg thor-tyr ravens"},
    ),
    row(
        near_miss("TL-H6"),
        "its top is asked for",
        "hel; pass; freya; draw",
        "tl.waits",
        "unsure L=2; gone L=1",
        **STRIPPED,
    ),
    row(near_miss("TL-H6"), "the only one", "hel", "tl.hel", "unsure T=0; gone T=0; pile T=hel", piles="tyr/"),
    row(
        clause("TL-H6"),
        "the card beneath was taken",
        "hel; pass; freya; top L ravens",
        "tl.top-seen",
        "pile L=ravens; unsure L=0; gone L=0",
        **STRIPPED,
    ),
    row(
        clause("TL-H6"),
        "a card that never lay there",
        "hel; pass; freya; top L dragon",
        "tl.top-wrong",
        "unsure L=2; waits=top",
        **STRIPPED,
    ),
    row(
        clause("TL-H6"),
        "none left, though one must be",
        "hel; pass; freya; top L -",
        "tl.top-wrong",
        "unsure L=2; waits=top",
        **STRIPPED,
    ),
    row(
        clause("TL-H6"),
        "what is left works",
        "hel; pass; freya; top L berserker",
        "tl.top-seen",
        "berserker=L; pile L=berserker",
        **{**STRIPPED, "piles": "/berserker ravens"},
    ),
    row(
        near_miss("TL-H6"),
        "what was taken does not",
        "hel; pass; freya; top L ravens",
        "tl.top-seen",
        "berserker=-; pile L=ravens",
        **{**STRIPPED, "piles": "/berserker ravens"},
    ),
    row(near_miss("TL-H6"), "not asked for", "top L hel", "tl.top", "unsure L=0", piles="/dragon hel"),
    row(
        near_miss("TL-H6"),
        "not asked for, another seen",
        "top L dragon",
        "tl.top-wrong",
        "pile L=dragon hel",
        piles="/dragon hel",
    ),
]


@pytest.mark.parametrize(("script", "code", "after", "wanted", "cited", "given"), [*HEL, *SECRET])
def test_clause(script: str, code: str, after: str, wanted: str | None, cited: str, given: dict[str, Any]) -> None:
    hold(script, code, after, wanted, cited, given)
