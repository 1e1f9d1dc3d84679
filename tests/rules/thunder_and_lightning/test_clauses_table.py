"""The battlefield, drawing and laying cards down, clause by clause, each with a near miss that goes the other way."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.thunder_and_lightning.rows import hold, row
from tests.rules.thunder_and_lightning.script import LOKI, playing

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss

TWO = {"thor": "hall-guards sworn-spearmen/?/?"}
THREE = {"thor": "hall-guards sworn-spearmen frigg/?/?"}
FULL = {"thor": "? ? ? ?/?/?"}
ALL_FULL = {"thor": "? ? ? ?/? ? ? ?/? ? ? ?"}
ONE_LEFT = {"thor": "? ? ? ?/? ? ? ?/? ? ?"}
NO_THIRD = {"thor": "?/?/"}
LED = {"thor": "?/leader/?"}
FLANK: dict[str, Any] = {"thor": "hall-guards/?/?", "loki": "dragon wolf-riders fire-giant viking-warriors/?/?"}
"""5 in front of a column of 6, 4, 5 and 3."""

BATTLEFIELD = [
    row(clause("TL-B1"), "a fourth column", "lay 4", "tl.no-such-place", "hand T=6; points=3"),
    row(near_miss("TL-B1"), "the third column", "lay 3", "tl.lay", "hand T=5; T3=? ?"),
    row(clause("TL-B1"), "a challenge to a fourth", "challenge 1 4", "tl.no-such-place", "points=3"),
    row(near_miss("TL-B1"), "a challenge to the third", "challenge 3 3", "tl.challenge", "points=2"),
    row(clause("TL-B1"), "seen lying there", "conduct L fourth-column", "tl.conduct"),
    row(near_miss("TL-B1"), "looks there", "conduct L looks-own", "tl.conduct-fine"),
    row(clause("TL-B2"), "a fifth card", "lay 1 5", "tl.no-such-place", "hand T=6", **FULL),
    row(clause("TL-B2"), "in front of four", "lay 1 1", "tl.column-full", "T1=? ? ? ?; hand T=6", **FULL),
    row(near_miss("TL-B2"), "a fourth card", "lay 1 4", "tl.lay", "T1=? ? ? ?; hand T=5", thor="? ? ?/?/?"),
    row(clause("TL-B3"), "a thirteenth", "lay 2", "tl.field-full", "hand T=6; points=3", **ALL_FULL),
    row(near_miss("TL-B3"), "the twelfth", "lay 3 4", "tl.lay", "hand T=5; T3=? ? ? ?", **ONE_LEFT),
    row(clause("TL-B4"), "behind the last", "up T14 ravens", "tl.nothing-there", thor="? ? ?//"),
    row(clause("TL-B4"), "a lone column of 3", "up T21 ravens", "tl.nothing-there", thor="? ? ?//"),
    row(clause("TL-B4"), "3 in a row are one", "end", "tl.turn", "points=1; fact columns=1", cited="nowhere",
        thor="? ? ?//", turn=LOKI, spent=3),
    row(near_miss("TL-B4"), "the last itself", "up T13 ravens", "tl.not-waited-for", thor="? ? ?//"),
    row(near_miss("TL-B4"), "side by side are three", "end", "tl.turn", "points=3; fact columns=3", turn=LOKI, spent=3),
    row(clause("TL-B5"), "row 2 without a full row 1", "lay 1 2", "tl.lay", "T1=? ?; T3=", **NO_THIRD),
    row(near_miss("TL-B5"), "row 3 without a row 2", "lay 1 3", "tl.gap", "T1=?", **NO_THIRD),
    row(clause("TL-B6"), "before column 1 is full", "lay 3", "tl.lay", "T1=? ?; T3=?", thor="? ?/?/"),
    row(near_miss("TL-B6"), "before its own row 1", "lay 3 2", "tl.gap", "T3=; fact expected=1", thor="? ?/?/"),
    row(clause("TL-B7"), "row 3 behind row 1", "lay 2 3", "tl.gap", "T2=?; hand T=6; fact expected=2"),
    row(near_miss("TL-B7"), "row 2 behind row 1", "lay 2 2", "tl.lay", "T2=? ?; hand T=5"),
    row(clause("TL-B7"), "row 2 in front of nothing", "lay 3 2", "tl.gap", "T3=; hand T=6", **NO_THIRD),
    row(clause("TL-B8"), "row 2 is lost", "vidarr T11 L12", "tl.won", "L1=dragon fire-giant viking-warriors", **FLANK),
    row(near_miss("TL-B8"), "row 4 is lost", "vidarr T11 L14", "tl.won", "L1=dragon wolf-riders fire-giant", **FLANK),
    row(near_miss("TL-B8"), "none is lost", "vidarr T11 L11", "tl.lost",
        "L1=dragon wolf-riders fire-giant viking-warriors", **FLANK),
    row(clause("TL-B9"), "takes it back", "conduct T removes-own", "tl.conduct", "T1=?"),
    row(clause("TL-B9"), "with ravens", "ravens row T11", "tl.own-side", "T1=frigg ?; points=3", thor="frigg ?/?/?"),
    row(clause("TL-B9"), "with the hammer", "mjolnir T11", "tl.wrong-side", "points=3", thor="shield-wall/?/?"),
    row(near_miss("TL-B9"), "the own leader", "ravens row T11", "tl.struck-leader", "T1=?", thor="leader ?/?/?"),
    row(clause("TL-B10"), "a card in front", "lay 1 1", "tl.lay", "T1=? hall-guards sworn-spearmen", **TWO),
    row(clause("TL-B10"), "a card between", "lay 1 2", "tl.lay", "T1=hall-guards ? sworn-spearmen", **TWO),
    row(near_miss("TL-B10"), "a card behind", "lay 1 3", "tl.lay", "T1=hall-guards sworn-spearmen ?", **TWO),
    row(near_miss("TL-B10"), "no card at all", "conduct T rearranges", "tl.conduct", **TWO),
    row(clause("TL-B11"), "swaps two", "conduct L rearranges", "tl.conduct", "L1=? ?", loki="? ?/?/?", turn=LOKI),
    row(near_miss("TL-B11"), "Baldr swaps two", "baldr T11 T12", "tl.moved", "T1=sworn-spearmen hall-guards", **TWO),
    row(clause("TL-B12"), "the own, when not on turn", "conduct L looks-own", "tl.conduct-fine", "points=3; turn=T"),
    row(near_miss("TL-B12"), "the enemy's", "conduct L peeks-field", "tl.conduct", "points=3; turn=T"),
]  # fmt: skip

FIRST_TURN: dict[str, Any] = {"start": playing}
TWELVE: dict[str, Any] = {"hands": (6, 12), "decks": (None, 10), "turn": LOKI}

DRAWING = [
    row(clause("TL-D1"), "into the hand", "draw", "tl.draw", "hand L=7; deck L=40; points=2", **FIRST_TURN),
    row(near_miss("TL-D1"), "the enemy's hand and deck stay", "draw", "tl.draw", "hand T=6; deck T=41", **FIRST_TURN),
    row(near_miss("TL-D1"), "no point for it", "draw", "tl.no-points", "hand T=6; points=0", points=3, spent=3),
    row(clause("TL-D2"), "none left", "draw", "tl.deck-empty", "hand T=6; points=3; deck T=0", decks=(0, None)),
    row(near_miss("TL-D2"), "the last", "draw", "tl.draw", "hand T=7; points=2; deck T=0", decks=(1, None)),
    row(clause("TL-D3"), "a thirteenth drawn", "draw", "tl.hand-full", "hand L=12; deck L=10", **TWELVE),
    row(near_miss("TL-D3"), "the twelfth drawn", "draw", "tl.draw", "hand T=12", hands=(11, 6)),
    row(clause("TL-D3"), "thirteen counted", "count L hand 13", "tl.count-differs", "fact expected=12", **TWELVE),
    row(near_miss("TL-D3"), "twelve counted", "count L hand 12", "tl.count", **TWELVE),
    row(clause("TL-D4"), "twelve in hand", "draw", "tl.hand-full", "hand L=12; points=3; turn=L", **TWELVE),
    row(clause("TL-D4"), "nor is it an action left", "stuck", "tl.stuck-claim", "waits=stuck", cited="nowhere",
        hands=(12, 6), thor="baldr ? ? ?/frigg ? ? ?/frigg ? ? ?", loki="//"),
    row(near_miss("TL-D4"), "with eleven it is", "stuck", "tl.not-stuck", "fact reason=draw", hands=(11, 6),
        thor="baldr ? ? ?/frigg ? ? ?/frigg ? ? ?", loki="//"),
    row(near_miss("TL-D4"), "one laid first", "lay 1; draw", "tl.draw", "hand L=12; deck L=9; points=1", **TWELVE),
    row(near_miss("TL-D4"), "one played first", "seer; stop; draw", "tl.draw", "hand L=12; points=1", **TWELVE),
    row(clause("TL-D5"), "from the middle", "conduct T draws-from-middle", "tl.conduct"),
    row(clause("TL-D5"), "searched", "conduct T searches-deck", "tl.conduct"),
    row(clause("TL-D5"), "the enemy's deck", "drawn dragon", "tl.not-waited-for", "deck L=41"),
    row(near_miss("TL-D5"), "from the top", "draw", "tl.draw"),
    row(near_miss("TL-D5"), "a power says so", "seer; drawn dragon", "tl.seer-row", "deck L=40"),
]  # fmt: skip

FOUND = "; end; challenge 1; up L11 "
"""Loki draws twice and ends his turn; Thor's 5 finds out what Loki has laid in his column 1."""
LAID: dict[str, Any] = {"thor": "hall-guards/?/?", "loki": "/?/?", "turn": LOKI}
FACING: dict[str, Any] = {"thor": "?/?/?", "loki": "dragon/?/?"}
"""A face-down card of Thor's faces a 6."""
WARRIORS: dict[str, Any] = {"thor": "viking-warriors/?/?"}
"""3 faces a face-down card."""

LAYING = [
    row(clause("TL-P1"), "face down", "lay 2 2", "tl.lay", "hand T=5; T2=? ?; points=2"),
    row(near_miss("TL-P1"), "no card in hand", "lay 2 2", "tl.hand-empty", "T2=?; points=3", hands=(0, 6)),
    row(clause("TL-P2"), "in row 3", "lay 1 3", "tl.lay", "L1=? ? ?", loki="? ?/?/?", turn=LOKI),
    row(clause("TL-P2"), "the Crown", "lay 1; draw" + FOUND + "crown", "tl.no-strength", "winner=T",
        cited="before", **LAID),
    row(clause("TL-P2"), "Odin", "lay 1; draw" + FOUND + "odin", "tl.no-strength", "ruled tl.late-leader=no",
        cited="before", **LAID),
    row(near_miss("TL-P2"), "Loki himself", "lay 1; draw" + FOUND + "leader", "tl.late-leader",
        "pile L=leader", **LAID),
    row(clause("TL-P3"), "no strength", "challenge 1; up T11 baldr", "tl.late-barred", "T1=baldr; L1=dragon", **FACING),
    row(near_miss("TL-P3"), "strength 1", "challenge 1; up T11 ravens", "tl.lost", "T1=; L1=dragon", **FACING),
    row(clause("TL-P4"), "no strength", "challenge 1; up L11 baldr", "tl.no-strength", "pile L=baldr", **WARRIORS),
    row(near_miss("TL-P4"), "strength 4", "challenge 1; up L11 wolf-riders", "tl.lost", "pile L=", **WARRIORS),
    row(near_miss("TL-P4"), "its own entry", "challenge 1; up L11 shield-wall", "tl.shield-wall",
        "pile L=", **WARRIORS),
    row(clause("TL-P5"), "between", "lay 1 2", "tl.lay", "T1=hall-guards ? sworn-spearmen", **TWO),
    row(clause("TL-P5"), "in front", "lay 1 1", "tl.lay", "T1=? hall-guards sworn-spearmen", **TWO),
    row(clause("TL-P5"), "behind", "lay 1 3", "tl.lay", "T1=hall-guards sworn-spearmen ?", **TWO),
    row(near_miss("TL-P5"), "far behind", "lay 1 4", "tl.gap", "T1=hall-guards sworn-spearmen", **TWO),
    row(near_miss("TL-P5"), "the enemy's column", "lay L 1 2", "tl.not-your-turn", "L1=?; T1=?"),
    row(clause("TL-P6"), "A-X-B-C", "lay 1 2", "tl.lay", "T1=hall-guards ? sworn-spearmen frigg", **THREE),
    row(near_miss("TL-P6"), "A-B-C-X", "lay 1 4", "tl.lay", "T1=hall-guards sworn-spearmen frigg ?", **THREE),
    row(clause("TL-P7"), "in front of four", "lay 1 1", "tl.column-full", "hand T=6", **FULL),
    row(clause("TL-P7"), "between four", "lay 1 3", "tl.column-full", "hand T=6", **FULL),
    row(near_miss("TL-P7"), "in front of three", "lay 1 1", "tl.lay", "T1=? hall-guards sworn-spearmen frigg", **THREE),
    row(clause("TL-P8"), "row 1 of a new column", "lay 3", "tl.lay", "T3=?; fact row=1", **NO_THIRD),
    row(near_miss("TL-P8"), "row 2 of it", "lay 3 2", "tl.gap", "T3=", **NO_THIRD),
    row(clause("TL-P9"), "in front", "lay 2 1", "tl.before-leader", "T2=leader; hand T=6", **LED),
    row(near_miss("TL-P9"), "behind", "lay 2 2", "tl.lay", "T2=leader ?; hand T=5", **LED),
    row(near_miss("TL-P9"), "in another column", "lay 1 1", "tl.lay", "T1=? ?; hand T=5", **LED),
    row(near_miss("TL-P9"), "facing the enemy's", "lay 2 1", "tl.lay", "T2=? ?", loki="?/leader/?"),
    row(clause("TL-P10"), "3 points next turn", "lay 3; draw; end; pass", "tl.turn", "points=3; turn=T", **NO_THIRD),
    row(near_miss("TL-P10"), "1 point now", "lay 3", "tl.lay", "points=1; turn=T", **NO_THIRD),
    row(near_miss("TL-P10"), "and then none", "lay 3; draw; draw", "tl.no-points", "points=0", **NO_THIRD),
    row(clause("TL-P11"), "in front of a winner", "lay 1 1", "tl.lay", "T1=? hall-guards sworn-spearmen", **TWO),
    row(clause("TL-P11"), "turned up for nothing", "up T11 ravens", "tl.not-waited-for", "T1=?"),
    row(clause("TL-P11"), "turned down again", "conduct T turns-down", "tl.conduct"),
    row(near_miss("TL-P11"), "turned up in a challenge", "challenge 1; up T11 ravens", "tl.turned-up", "T1=ravens"),
]  # fmt: skip


@pytest.mark.parametrize(("script", "code", "after", "wanted", "cited", "given"), [*BATTLEFIELD, *DRAWING, *LAYING])
def test_clause(script: str, code: str, after: str, wanted: str | None, cited: str, given: dict[str, Any]) -> None:
    hold(script, code, after, wanted, cited, given)
