"""Turns and action points, clause by clause, each with a near miss that goes the other way."""

from __future__ import annotations

from typing import Any

import pytest

from rules.rulings import Effect
from rules.thunder_and_lightning.events import Conduct, Draw, EndTurn
from tests.rules.thunder_and_lightning.rows import hold, row
from tests.rules.thunder_and_lightning.script import LOKI, THOR, board, playing

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss

BEGUN: dict[str, Any] = {"start": playing}
"""Loki's first turn."""
NEXT: dict[str, Any] = {"turn": LOKI, "spent": 3, "points": 3}
"""Loki has used his three points; Thor is next."""
AFTER: dict[str, Any] = {"spent": 3, "points": 3}
"""Thor has used his three points; Loki is next."""
TRAP: dict[str, Any] = {"thor": "nightmare/?/?", "loki": "dragon/?/?", **AFTER}
"""Loki, who is next, has three columns; Thor's Nightmare faces the first."""
STRONG: dict[str, Any] = {"thor": "hall-guards/hall-guards/chosen-axemen", "loki": "ravens ravens/ravens/ravens"}
"""Thor wins every challenge."""
TWO_COLUMNS: dict[str, Any] = {"thor": "?/?/"}
STUCK: dict[str, Any] = {"decks": (0, None), "hands": (1, 6), "thor": "baldr/?/?", "loki": "?//"}
"""No deck, one card in hand that may be Thor, and no challenge."""

TURNS = [
    row(clause("TL-T1"), "Thor first", "draw T", "tl.not-your-turn", "turn=L; hand T=6; points=3", **BEGUN),
    row(near_miss("TL-T1"), "Loki first", "draw L", "tl.draw", "turn=L; hand L=7; points=2", **BEGUN),
    row(clause("TL-T2"), "Loki again", "pass; draw L", "tl.not-your-turn", "turn=T; hand L=9; points=3", **BEGUN),
    row(clause("TL-T2"), "a claim out of turn", "stuck T", "tl.not-your-turn", "turn=L; waits=-", **BEGUN),
    row(near_miss("TL-T2"), "Thor after Loki", "pass; draw T", "tl.draw", "turn=T; hand T=7; points=2", **BEGUN),
    row(near_miss("TL-T2"), "Loki after Thor", "pass; pass; draw L", "tl.draw", "turn=L; hand L=10", **BEGUN),
    row(clause("TL-T3"), "4 + 1 + 0 cards", "end", "tl.turn", "points=2; turn=T", thor="? ? ? ?/?/", **NEXT),
    row(clause("TL-T3"), "0 + 0 + 1 cards", "end", "tl.turn", "points=1; turn=T", thor="//?", **NEXT),
    row(near_miss("TL-T3"), "3 + 1 + 1 cards", "end", "tl.turn", "points=3; turn=T", thor="? ? ?/?/?", **NEXT),
    row(clause("TL-T4"), "a column lost", "end; challenge 1", "tl.nightmare", "L1=; points=2", cited="before", **TRAP),
    row(clause("TL-T4"), "the rest is used", "end; challenge 1; draw; draw", "tl.draw",
        "points=0", cited="before", **TRAP),
    row(near_miss("TL-T4"), "the next turn", "end; challenge 1; pass; pass", "tl.turn", "points=2; turn=L", **TRAP),
    row(clause("TL-T5"), "one column", "end", "tl.turn", "points=4; turn=L", loki="leader//", **AFTER),
    row(clause("TL-T5"), "three columns", "end", "tl.turn", "points=4; turn=L", loki="?/leader/?", **AFTER),
    row(near_miss("TL-T5"), "no leader", "end", "tl.turn", "points=1; turn=L", loki="dragon//", **AFTER),
    row(near_miss("TL-T5"), "the enemy's leader", "end", "tl.turn", "points=1", loki="?//", thor="leader/?/?", **AFTER),
    row(clause("TL-T6"), "a draw", "draw", "tl.draw", "points=2"),
    row(clause("TL-T6"), "a card laid", "lay 1", "tl.lay", "points=2"),
    row(clause("TL-T6"), "a challenge", "challenge 1", "tl.challenge", "points=2"),
    row(clause("TL-T6"), "a power", "berserker", "tl.play", "points=2"),
    row(clause("TL-T6"), "two of them", "draw; challenge 1", "tl.challenge", "points=1"),
    row(near_miss("TL-T6"), "the leader", "lead 1", "tl.lead", "points=4"),
    row(near_miss("TL-T6"), "a refused draw", "draw", "tl.deck-empty", "points=3", decks=(0, None)),
    row(clause("TL-T7"), "discards a card", "conduct T discards-as-action", "tl.conduct", "points=3"),
    row(clause("TL-T7"), "takes a card back", "take ravens", "tl.not-waited-for", "points=3", piles="ravens/"),
    row(clause("TL-T7"), "plays the Ring", "ring", "tl.no-hand-power", "points=3; hand T=6"),
    row(near_miss("TL-T7"), "lays a card down", "lay 1", "tl.lay", "points=2; hand T=5"),
    row(clause("TL-T8"), "three challenges", "challenge 1; challenge 2; challenge 3; end", "tl.turn-ended", "turn=L",
        **STRONG),
    row(near_miss("TL-T8"), "a fourth", "challenge 1; challenge 2; challenge 3; challenge 1", "tl.no-points",
        "points=0; L1=ravens", **STRONG),
    row(clause("TL-T9"), "challenge, draw, lay", "challenge 1; draw; lay 1; end", "tl.turn-ended", "turn=L", **STRONG),
    row(clause("TL-T9"), "lay, draw, challenge", "lay 2; draw; challenge 1; end", "tl.turn-ended", "turn=L", **STRONG),
    row(near_miss("TL-T9"), "the end before the rest", "challenge 1; end", "tl.points-left",
        "points=2; turn=T", **STRONG),
    row(clause("TL-T10"), "1 of 3 left", "draw; draw; end", "tl.points-left", "fact points=1; points=1; turn=T"),
    row(near_miss("TL-T10"), "none left", "draw; draw; draw; end", "tl.turn-ended", "turn=L"),
    row(clause("TL-T11"), "1 of 2 kept", "draw; end", "tl.points-left", "points=1; turn=T", **TWO_COLUMNS),
    row(clause("TL-T11"), "1 of 2 forgotten", "draw; points 0; end; pass", "tl.turn",
        "points=2; turn=T", cited="nowhere",
        **TWO_COLUMNS),
    row(near_miss("TL-T11"), "none kept", "draw; draw; end", "tl.turn-ended", "turn=L", **TWO_COLUMNS),
    row(clause("TL-T12"), "pass", "draw; draw; end", "tl.points-left", "points=1; turn=T"),
    row(clause("TL-T12"), "wants no draw", "stuck", "tl.not-stuck", "fact reason=draw; points=3", hands=(5, 6)),
    row(clause("TL-T12"), "wants to lay none", "stuck", "tl.not-stuck", "fact reason=lay", decks=(0, None)),
    row(near_miss("TL-T12"), "nothing is seen to do", "stuck", "tl.stuck-claim", "waits=stuck; winner=-", **STUCK),
    row(clause("TL-T13"), "a third of 2", "draw; draw; draw", "tl.no-points", "points=0; hand T=8", **TWO_COLUMNS),
    row(near_miss("TL-T13"), "the second of 2", "draw; draw", "tl.draw", "points=0; hand T=8", **TWO_COLUMNS),
    row(near_miss("TL-T13"), "a third of 3", "draw; draw; draw", "tl.draw", "points=0; hand T=9"),
    row(clause("TL-T14"), "2 columns", "end", "tl.turn", "points=2; fact columns=2; turn=T", thor="?/?/", **NEXT),
    row(near_miss("TL-T14"), "2 columns and Thor", "end", "tl.turn",
        "points=4; fact columns=2", thor="leader/?/", **NEXT),
    row(clause("TL-T15"), "all is legal", "draw; challenge 1; draw; end", "tl.turn-ended",
        "hand T=8; deck T=39; pile L=ravens; turn=L", **STRONG),
    row(clause("TL-T15"), "three points", "draw; challenge 1; draw", "tl.draw", "points=0", cited="nowhere", **STRONG),
    row(near_miss("TL-T15"), "in a first turn", "draw; challenge 1", "tl.first-turn", "points=2; hand T=7", first=True,
        **STRONG),
    row(near_miss("TL-T15"), "eleven in hand", "draw; challenge 1; draw", "tl.hand-full", "points=1", hands=(11, 6),
        **STRONG),
    row(near_miss("TL-T15"), "one card in the deck", "draw; challenge 1; draw", "tl.deck-empty", "points=1",
        decks=(1, None), **STRONG),
    row(clause("TL-T16"), "3 of 3 used", "draw; draw; draw; end", "tl.turn-ended", "turn=L; points=3"),
    row(near_miss("TL-T16"), "2 of 3 used", "draw; draw; end", "tl.points-left", "turn=T; points=1"),
    row(near_miss("TL-T16"), "Thor comes free", "draw; draw; draw; lead 1; end", "tl.points-left", "turn=T; points=1"),
    row(clause("TL-T16"), "an action more", "draw; draw; draw; lay 1", "tl.no-points", "turn=T; hand T=9"),
]  # fmt: skip


@pytest.mark.parametrize(("script", "code", "after", "wanted", "cited", "given"), TURNS)
def test_clause(script: str, code: str, after: str, wanted: str | None, cited: str, given: dict[str, Any]) -> None:
    hold(script, code, after, wanted, cited, given)


@clause("TL-T6")
def test_a_ruling_tells_the_point_that_was_spent_and_the_cards_that_moved() -> None:
    effects = board().accept(Draw(THOR)).effects
    assert effects == (Effect("hand", THOR, 6, 7), Effect("deck", THOR, 41, 40), Effect("points", THOR, 3, 2))


@near_miss("TL-T6")
def test_a_ruling_that_spends_no_point_tells_of_none() -> None:
    made = board(points=2, spent=2)
    assert made.accept(Conduct(THOR, "looks-own")).effects == ()
    assert made.rules(EndTurn(THOR), "tl.turn-ended", "TL-T16").effects == ()  # another's points now
