"""Cards played from the hand for their power, clause by clause, each with a near miss that goes the other way."""

from __future__ import annotations

from typing import Any

import pytest

from rules.thunder_and_lightning.events import Top
from tests.rules.thunder_and_lightning.rows import hold, row
from tests.rules.thunder_and_lightning.script import LOKI, THOR, board

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss

EMPTY_HAND: dict[str, Any] = {"thor": "baldr/?/?", "hands": (0, 6)}
ABCD: dict[str, Any] = {"piles": "hall-guards viking-warriors frigg seer/"}
"""Thor's pile, its top named last."""
STRICT: dict[str, Any] = {"empty_powers": False}

PLAYED = [
    row(clause("TL-M1"), "the last point", "seer", "tl.play", "points=0; hand T=5; waits=drawn", points=1),
    row(near_miss("TL-M1"), "no point left", "seer", "tl.no-points", "hand T=6; pile T=", points=3, spent=3),
    row(near_miss("TL-M1"), "no card in hand", "seer", "tl.hand-empty", "points=3; pile T=", hands=(0, 6)),
    row(clause("TL-M2"), "on top of the own pile", "hel", "tl.play", "pile L=hel; hand L=6", turn=LOKI,
        piles="/dragon"),
    row(clause("TL-M2"), "out of the hand first", "freya", "tl.play", "hand T=12; pile T=freya", hands=(12, 6),
        piles="/dragon"),
    row(clause("TL-M2"), "covers an Idunn", "seer", "tl.play", "idunn=-; pile T=idunn seer", piles="idunn/"),
    row(clause("TL-M2"), "Hel does not take herself", "hel", "tl.play", "pile T=hel; hand T=5"),
    row(near_miss("TL-M2"), "laid on the battlefield", "lay 1", "tl.lay", "pile T=; idunn=-; T1=? ?"),
    row(near_miss("TL-M2"), "Idunn not covered", "lay 1", "tl.lay", "idunn=T; pile T=idunn", piles="idunn/"),
    row(clause("TL-M3"), "Baldr lies there", "baldr T11 T21", "tl.hand-empty", "T1=baldr; T2=?", **EMPTY_HAND),
    row(near_miss("TL-M3"), "Baldr in the hand", "baldr T11 T21", "tl.moved", "T1=; T2=frigg ?", thor="frigg/?/?",
        hands=(1, 6), knows="baldr/"),
    row(clause("TL-M3"), "a power of the battlefield", "shield-wall", "tl.no-hand-power", "hand T=6; points=3"),
    row(clause("TL-M3"), "so too Nightmare", "nightmare", "tl.no-hand-power", "hand T=6; points=3"),
    row(near_miss("TL-M3"), "in its place", "challenge 1", "tl.shield-wall", "T1=shield-wall; L1=", turn=LOKI,
        thor="shield-wall/?/?", loki="dragon/?/?"),
    row(clause("TL-M4"), "a plain 5", "hall-guards", "tl.no-power", "points=3; hand T=6; pile T="),
    row(clause("TL-M4"), "Tyr", "tyr", "tl.no-power", "points=3; hand T=6; pile T="),
    row(near_miss("TL-M4"), "a symbol", "idunn", "tl.play", "points=2; hand T=5; pile T=idunn"),
    row(clause("TL-M5"), "reads it otherwise", "conduct T reads-other-text", "tl.conduct", "points=3"),
    row(near_miss("TL-M5"), "as its entry says", "baldr T12 T21", "tl.moved", "T2=hall-guards ?",
        thor="? hall-guards/?/?"),
    row(clause("TL-M6"), "another order", "conduct T reorders-pile", "tl.conduct", **ABCD),
    row(clause("TL-M6"), "looked through for nothing", "conduct T searches-pile", "tl.conduct", **ABCD),
    row(clause("TL-M6"), "taken for nothing", "take viking-warriors", "tl.not-waited-for", "hand T=6", **ABCD),
    row(clause("TL-M6"), "stacked for nothing", "stack T seer frigg", "tl.not-waited-for", "top T=seer", **ABCD),
    row(near_miss("TL-M6"), "one taken, the rest as it lay", "longships; take viking-warriors", "tl.take",
        "pile T=hall-guards frigg seer longships; hand T=6", **ABCD),
    row(near_miss("TL-M6"), "a power to look through it", "hel", "tl.hel", "hand T=6; piled T=4; top T=hel", **ABCD),
    row(clause("TL-M7"), "Odin without ravens", "odin", "tl.nothing-to-take", "points=2; hand T=5; pile T=odin"),
    row(near_miss("TL-M7"), "Odin with ravens", "odin", "tl.play", "waits=take", piles="ravens/"),
    row(near_miss("TL-M7"), "Odin by option", "odin", "tl.no-target", "points=3; hand T=6", **STRICT),
    row(clause("TL-M7"), "Longships in vain", "longships", "tl.nothing-to-take", "points=2; pile T=longships"),
    row(clause("TL-M7"), "Hel in vain", "hel", "tl.nothing-to-take", "points=2; pile T=hel"),
    row(clause("TL-M7"), "a hand of none is spied", "frigg hand", "tl.spy", "points=2; waits=-", hands=(6, 0)),
    row(clause("TL-M7"), "ravens without a target", "ravens hand", "tl.no-target", "points=3", hands=(6, 0)),
    row(clause("TL-M7"), "a hammer without one", "mjolnir L12", "tl.nothing-there", "points=3; hand T=6"),
    row(clause("TL-M7"), "Baldr without a move", "baldr T11 T11", "tl.no-move", "points=3; hand T=6"),
    row(near_miss("TL-M7"), "Freya's own condition", "freya", "tl.freya-top", "points=3; hand T=6", piles="/seer"),
    row(near_miss("TL-M7"), "her condition met", "freya", "tl.freya", "points=2; hand T=6", piles="/dragon"),
    row(clause("TL-M8"), "on top", "seer", "tl.play", "pile T=hall-guards seer", piles="hall-guards/"),
    row(clause("TL-M8"), "and is seen there", "seer; top T seer", "tl.top", "pile T=hall-guards seer",
        piles="hall-guards/"),
    row(clause("TL-M8"), "another is seen", "seer; top T hall-guards", "tl.top-wrong", "top T=seer",
        piles="hall-guards/"),
    row(clause("TL-M8"), "an empty pile is seen", "top T -", "tl.top", "pile T="),
    row(near_miss("TL-M8"), "none is seen on a pile", "top T -", "tl.top-wrong", "top T=seer", piles="seer/"),
    row(near_miss("TL-M8"), "one is seen on no pile", "top T seer", "tl.top-wrong", "pile T="),
    row(near_miss("TL-M8"), "below the rest", "challenge 1", "tl.no-strength", "pile T=berserker hall-guards",
        turn=LOKI,
        thor="berserker/?/?", loki="dragon/?/?", piles="hall-guards/berserker"),
    row(near_miss("TL-M8"), "nothing blocks it", "challenge 1", "tl.no-strength", "pile T=hall-guards berserker",
        turn=LOKI,
        thor="berserker/?/?", loki="dragon/?/?", piles="hall-guards/seer"),
]  # fmt: skip


@pytest.mark.parametrize(("script", "code", "after", "wanted", "cited", "given"), PLAYED)
def test_clause(script: str, code: str, after: str, wanted: str | None, cited: str, given: dict[str, Any]) -> None:
    hold(script, code, after, wanted, cited, given)


@near_miss("TL-M8")
def test_a_card_that_is_in_no_deck_is_on_no_pile() -> None:
    board().rules(Top(THOR, "thor-smith"), "tl.card-unknown", "TL-K1")
