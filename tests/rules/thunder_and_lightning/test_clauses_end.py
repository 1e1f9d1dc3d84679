"""Who wins, and when, clause by clause, each with a near miss that goes the other way."""

from __future__ import annotations

from typing import Any

import pytest

from rules.rulings import Effect
from rules.thunder_and_lightning.events import Challenge, TurnUp
from tests.rules.thunder_and_lightning.rows import hold, row
from tests.rules.thunder_and_lightning.script import LOKI, THOR, board, dealt

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss

THORS: dict[str, Any] = {"thor": "hall-guards/?/?"}
"""Thor's 5 faces a face-down card."""
LOKIS: dict[str, Any] = {"loki": "fire-giant/?/?", "turn": LOKI}
"""Loki's 5 faces a face-down card."""
HELD: dict[str, Any] = {"hands": (6, 1), "knows": "/crown"}
"""The Crown is the one card of Loki's hand."""
NO_MORE: dict[str, Any] = {"decks": (0, None), "hands": (0, 6), "turn": LOKI, "spent": 3}
"""Thor has no deck and no hand, and is next."""
CLAIM: dict[str, Any] = {"decks": (0, None), "hands": (1, 6), "thor": "baldr/?/?", "loki": "?//"}
"""No deck, one card in hand that may be Thor, and no challenge."""
SHOWN: dict[str, Any] = {**CLAIM, "piles": "leader/"}
"""So it stands, but Thor has been seen to be elsewhere."""
LAST_LAY: dict[str, Any] = {"decks": (0, None), "hands": (1, 6), "thor": "leader//", "points": 4}
WIPED: dict[str, Any] = {"thor": "hall-guards/?/?", "loki": "nightmare//"}
"""Thor has a challenge that costs Loki his last column."""
LOSING: dict[str, Any] = {"thor": "viking-warriors//", "loki": "dragon/?/?", "points": 2}
"""Thor has two points and one card, which faces a 6."""
BOTH: dict[str, Any] = {"thor": "hall-guards ring/?/?", "loki": "nightmare crown/?/?"}
CROWN = "challenge 1; up L11 crown"

ENDS = [
    row(clause("TL-E1"), "the Crown challenged", CROWN, "tl.no-strength",
        "winner=T; how=tl.won-treasure; pile L=crown", **THORS),
    row(clause("TL-E1"), "the Crown in the hand", "ravens hand; hit crown", "tl.hit-discarded", "winner=T", **HELD),
    row(near_miss("TL-E1"), "another card", "challenge 1; up L11 odin", "tl.no-strength", "winner=-; pile L=odin",
        **THORS),
    row(near_miss("TL-E1"), "the Crown stays", "frigg column L11; up L11 crown", "tl.column-turned",
        "winner=-; L1=crown"),
    row(clause("TL-E2"), "the Ring challenged", "challenge 1; up T11 ring", "tl.no-strength",
        "winner=L; how=tl.won-treasure; pile T=ring",
        **LOKIS),
    row(clause("TL-E2"), "the Ring in the hand", "ravens hand; hit ring", "tl.hit-discarded", "winner=L", turn=LOKI),
    row(near_miss("TL-E2"), "another card", "challenge 1; up T11 odin", "tl.no-strength", "winner=-", **LOKIS),
    row(near_miss("TL-E2"), "the Ring not struck", "ravens row T21; up T21 tyr", "tl.withstood", "winner=-", **LOKIS),
    row(clause("TL-E3"), "2 points left", CROWN, "tl.no-strength", "winner=T; turn=-; waits=-", **THORS),
    row(clause("TL-E3"), "no more actions", CROWN + "; draw T", "tl.over", "hand T=6; winner=T", **THORS),
    row(clause("TL-E3"), "no more turns", CROWN + "; draw L", "tl.over", "hand L=6; winner=T", **THORS),
    row(clause("TL-E3"), "from the deck", "seer; drawn crown", "tl.seer-hand-full", "winner=T", hands=(6, 12)),
    row(near_miss("TL-E3"), "another card, and on", "challenge 1; up L11 odin; draw", "tl.draw", "points=1", **THORS),
    row(near_miss("TL-E3"), "into the hand, and on", "seer; drawn crown", "tl.seer-hand", "winner=-; hand L=12",
        hands=(6, 11)),
    row(clause("TL-E4"), "seen in the hand", "frigg hand; show L crown", "tl.hand-shown", "winner=-; hand L=1", **HELD),
    row(clause("TL-E4"), "and on", "frigg hand; show L crown; draw; draw; end", "tl.turn", "winner=-; turn=L",
        cited="before", **HELD),
    row(near_miss("TL-E4"), "discarded from the hand", "ravens hand; hit crown", "tl.hit-discarded", "winner=T",
        **HELD),
    row(clause("TL-E5"), "when the turn begins", "end", "tl.stuck", "winner=L; how=tl.won-stuck", thor="baldr//",
        **NO_MORE),
    row(near_miss("TL-E5"), "a challenge", "end", "tl.turn", "winner=-; turn=T; points=1", thor="tyr//", **NO_MORE),
    row(near_miss("TL-E5"), "no card to turn up", "end", "tl.turn", "winner=-; turn=T", thor="?//", **NO_MORE),
    row(clause("TL-E5"), "in the midst of it", "lay 2", "tl.stuck", "winner=L; T2=?", loki="?//", **LAST_LAY),
    row(near_miss("TL-E5"), "with a challenge left", "lay 2", "tl.lay", "winner=-; points=3", **LAST_LAY),
    row(near_miss("TL-E5"), "with the last point", "lay 2", "tl.lay", "winner=-; points=0", loki="?//",
        **{**LAST_LAY, "points": 1}),
    row(clause("TL-E5"), "the hand is seen", "stuck; uphold", "tl.stuck-upheld", "winner=L; how=tl.won-stuck", **CLAIM),
    row(near_miss("TL-E5"), "something is found", "stuck; refuse", "tl.stuck-refused", "winner=-; waits=-", **CLAIM),
    row(clause("TL-E6"), "wiped", "challenge 1; pass", "tl.empty-field", "winner=T; how=tl.won-empty; turn=-", **WIPED),
    row(near_miss("TL-E6"), "one column is left", "challenge 1; pass", "tl.turn", "winner=-; points=1",
        thor="hall-guards/?/?", loki="nightmare//?"),
    row(near_miss("TL-E6"), "the enemy's side", "challenge 1; pass; pass", "tl.empty-field", "winner=L",
        thor="hall-guards//", loki="nightmare/?/?", points=3),
    row(clause("TL-E7"), "long after the beginning", "pass; pass; challenge 1; pass", "tl.empty-field", "winner=T",
        **WIPED),
    row(near_miss("TL-E7"), "3 cards at the beginning", "lay T 1; lay T 2; lay T 3; lay L 1; lay L 2; lay L 3",
        "tl.turn",
        "ruled tl.empty-field=no; winner=-; turn=L", start=dealt),
    row(near_miss("TL-E7"), "emptied and filled since", "challenge 1; lay 1; end; pass", "tl.turn", "winner=-; turn=T",
        **LOSING),
    row(clause("TL-E8"), "a card is laid in time", "challenge 1; lay 1; end; pass", "tl.turn", "winner=-; points=1",
        **LOSING),
    row(clause("TL-E8"), "none lies there now", "challenge 1", "tl.lost", "winner=-; T1=; points=1", cited="nowhere",
        **LOSING),
    row(near_miss("TL-E8"), "none is laid in time", "challenge 1; draw; end; pass", "tl.empty-field", "winner=L",
        **LOSING),
    row(clause("TL-E9"), "one card and a row", "stuck", "tl.not-stuck", "fact reason=lay; winner=-", **SHOWN),
    row(clause("TL-E9"), "a card in the deck", "stuck", "tl.not-stuck", "fact reason=draw", hands=(0, 6),
        decks=(1, None)),
    row(clause("TL-E9"), "a challenge", "stuck", "tl.not-stuck", "fact reason=challenge", hands=(0, 6), decks=(0, None),
        thor="tyr/?/?"),
    row(near_miss("TL-E9"), "the card may be Thor", "stuck", "tl.stuck-claim", "waits=stuck; winner=-", **CLAIM),
    row(clause("TL-E9"), "a power is found", "stuck; refuse", "tl.stuck-refused", "winner=-; points=3", **CLAIM),
    row(near_miss("TL-E9"), "nothing is found", "stuck; uphold", "tl.stuck-upheld", "winner=L", **CLAIM),
    row(near_miss("TL-E9"), "no row for the card", "stuck", "tl.stuck-claim", "waits=stuck", decks=(0, None),
        hands=(2, 6),
        thor="baldr ? ? ?/frigg ? ? ?/frigg ? ? ?", loki="//"),
    row(clause("TL-E10"), "Thor's challenge", "challenge 1", "tl.nightmare",
        "winner=L; how=tl.won-both-treasures; waits=-", **BOTH),
    row(clause("TL-E10"), "Loki's challenge", "challenge 1", "tl.nightmare", "winner=T", turn=LOKI,
        thor="nightmare ring/?/?", loki="dragon crown/?/?"),
    row(near_miss("TL-E10"), "one treasure", "challenge 1", "tl.nightmare", "winner=T; how=tl.won-treasure",
        thor="hall-guards frigg/?/?",
        loki="nightmare crown/?/?"),
    row(near_miss("TL-E10"), "first in time", CROWN + "; up T12 ring", "tl.over", "winner=T; how=tl.won-treasure",
        thor="hall-guards ?/?/?"),
]  # fmt: skip


@pytest.mark.parametrize(("script", "code", "after", "wanted", "cited", "given"), ENDS)
def test_clause(script: str, code: str, after: str, wanted: str | None, cited: str, given: dict[str, Any]) -> None:
    hold(script, code, after, wanted, cited, given)


@clause("TL-E3")
def test_the_ruling_that_ends_the_match_tells_who_won_and_so_does_the_result() -> None:
    made = board(thor=("hall-guards", "?", "?"))
    made.accept(Challenge(THOR, 1))
    first, *_ = made.submit(TurnUp((LOKI, 1, 1), "loki-crown"))
    assert Effect("match", THOR, "play", "over") in first.effects
    result = made.match.result()
    assert result is not None
    assert (result.winners, result.code) == ((THOR,), "tl.won-treasure")
    assert {"TL-E1", "TL-E3"} <= set(result.clauses)


@near_miss("TL-E3")
def test_no_ruling_before_it_tells_of_an_end_and_there_is_no_result() -> None:
    made = board(thor=("hall-guards", "?", "?"))
    made.accept(Challenge(THOR, 1))
    first, *_ = made.submit(TurnUp((LOKI, 1, 1), "loki-odin"))
    assert [effect.what for effect in first.effects] == ["field", "pile"]
    assert made.match.result() is None
