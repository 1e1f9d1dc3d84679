"""Challenges and cards played for their power, clause by clause, each with a near miss that goes the other way."""

from __future__ import annotations

from typing import Any

import pytest

from rules.rulings import Refusal
from rules.thunder_and_lightning.events import Challenge, TurnUp
from tests.rules.thunder_and_lightning.rows import hold, row
from tests.rules.thunder_and_lightning.script import LOKI, THOR, board, playing

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss

FIRST: dict[str, Any] = {"turn": LOKI, "first": True}
FIGHT: dict[str, Any] = {"thor": "hall-guards/?/?", "loki": "wolf-riders/?/?"}
"""5 against 4."""
BEHIND: dict[str, Any] = {"thor": "hall-guards frigg/?/?", "loki": "wolf-riders dragon seer/?/?"}
"""5 against 4, with cards behind both."""
TIE: dict[str, Any] = {"thor": "sworn-spearmen/?/?", "loki": "wolf-riders/?/?"}
"""4 against 4."""
UNSEEN: dict[str, Any] = {"thor": "? ?/?/?", "loki": "fire-giant ?/?/?"}
"""Thor's face-down cards against a 5."""
LAST_HOPE: dict[str, Any] = {"decks": (0, None), "hands": (0, 6), "points": 1}
"""Thor has no deck, no hand and one point."""
FLANK: dict[str, Any] = {"thor": "hall-guards/?/?", "loki": "dragon dragon ravens/?/?"}
DRAGON: dict[str, Any] = {"thor": "hall-guards chosen-axemen/?/?", "loki": "dragon/?/?", "turn": LOKI}
"""Loki's 6 faces a 5 with a 6 behind it."""

CHALLENGES = [
    row(clause("TL-C1"), "Loki's first turn", "challenge 1", "tl.first-turn", "points=3; waits=-", **FIRST),
    row(clause("TL-C1"), "Thor's first turn", "pass; challenge 1", "tl.first-turn", "turn=T; points=3", start=playing),
    row(near_miss("TL-C1"), "Loki's second turn", "challenge 1", "tl.challenge", "turn=L; points=2", start=playing,
        past_first_turns=True),
    row(near_miss("TL-C1"), "draws in the first turn", "draw", "tl.draw", "points=2", **FIRST),
    row(clause("TL-C2"), "ravens on the hand", "pass; ravens hand", "tl.first-turn", "hand T=6; turn=T", start=playing),
    row(clause("TL-C2"), "ravens on a card", "ravens row T11", "tl.first-turn", "hand L=6; waits=-", **FIRST),
    row(clause("TL-C2"), "a flank challenge", "vidarr L11 T11", "tl.first-turn", "hand L=6; waits=-", **FIRST),
    row(near_miss("TL-C2"), "a look with Frigg", "frigg hand", "tl.spy", "hand L=5; waits=show-hand", **FIRST),
    row(near_miss("TL-C2"), "in a later turn", "vidarr L11 T11", "tl.challenge", "hand L=5; waits=challenge",
        turn=LOKI),
    row(clause("TL-C3"), "none faces it", "challenge 1", "tl.no-facing", "points=3", thor="/?/?", turn=LOKI),
    row(clause("TL-C3"), "none to do it", "challenge 1", "tl.nothing-there", "points=2", loki="/?/?", turn=LOKI),
    row(near_miss("TL-C3"), "both are there", "challenge 2", "tl.challenge", "points=2", thor="/?/?", turn=LOKI),
    row(clause("TL-C4"), "to the column beside", "challenge 1 2", "tl.diagonal", "points=3; waits=-", turn=LOKI),
    row(near_miss("TL-C4"), "straight on", "challenge 1 1", "tl.challenge", "points=2; waits=challenge", turn=LOKI),
    row(clause("TL-C5"), "draws instead", "draw; end", "tl.turn-ended", "turn=L; hand T=7", points=1, **FIGHT),
    row(near_miss("TL-C5"), "no other action", "stuck", "tl.not-stuck", "fact reason=challenge; turn=T", **LAST_HOPE,
        **FIGHT),
    row(clause("TL-C6"), "a 5 in row 1", "stuck", "tl.not-stuck", "fact reason=challenge; winner=-", **LAST_HOPE,
        **FIGHT),
    row(near_miss("TL-C6"), "only its owner knows it", "stuck", "tl.stuck-claim", "waits=stuck; winner=-", **LAST_HOPE),
    row(clause("TL-C6"), "seen to be possible", "stuck; refuse", "tl.stuck-refused", "waits=-; winner=-", **LAST_HOPE),
    row(near_miss("TL-C6"), "seen to be none", "stuck; uphold", "tl.stuck-upheld", "winner=L", **LAST_HOPE),
    row(clause("TL-C7"), "against row 2", "challenge 1 1 1 2", "tl.not-row-1", "points=3", **BEHIND),
    row(clause("TL-C7"), "from row 2", "challenge 1 1 2", "tl.not-row-1", "points=3", **BEHIND),
    row(near_miss("TL-C7"), "row 1 against row 1", "challenge 1 1 1 1", "tl.won", "pile L=wolf-riders", **BEHIND),
    row(clause("TL-C8"), "Vidarr against row 3", "vidarr T11 L13", "tl.challenge", "L1=dragon dragon; points=2",
        **FLANK),
    row(near_miss("TL-C8"), "row 3 without him", "challenge 1 1 1 3", "tl.not-row-1", "points=3", **FLANK),
    row(clause("TL-C9"), "turned up", "challenge 1; up T11 baldr", "tl.late-barred", "T1=baldr ?", **UNSEEN),
    row(clause("TL-C9"), "open already", "challenge 1", "tl.may-not-challenge", "points=3", thor="baldr/?/?"),
    row(near_miss("TL-C9"), "strength 1", "challenge 1; up T11 ravens", "tl.lost", "T1=?; pile T=ravens", **UNSEEN),
    row(near_miss("TL-C9"), "strength 0 of a fighter", "challenge 1; up T11 frigg", "tl.lost", "pile T=frigg",
        **UNSEEN),
    row(clause("TL-C10"), "Loki", "challenge 1", "tl.may-not-challenge", "points=4", loki="leader/?/?", turn=LOKI),
    row(clause("TL-C10"), "Loki face down", "challenge 1; up L11 leader; up T11 tyr", "tl.late-barred",
        "L1=leader; T1=tyr",
        start=playing, past_first_turns=True),
    row(near_miss("TL-C10"), "the card beside him", "challenge 2", "tl.challenge", "points=3", loki="leader/?/?",
        turn=LOKI),
    row(clause("TL-C11"), "the Ring", "challenge 1; up T11 ring", "tl.late-barred", "T1=ring ?; winner=-", **UNSEEN),
    row(near_miss("TL-C11"), "the Ring challenged", "challenge 1; up T11 ring", "tl.no-strength", "winner=L", turn=LOKI,
        **UNSEEN),
    row(clause("TL-C12"), "turned up", "challenge 1; up T11 shield-wall", "tl.late-barred", "L1=fire-giant ?",
        **UNSEEN),
    row(near_miss("TL-C12"), "challenged", "challenge 1; up T11 shield-wall", "tl.shield-wall",
        "L1=?; T1=shield-wall ?",
        turn=LOKI, **UNSEEN),
    row(clause("TL-C13"), "turned up", "challenge 1; up T11 nightmare", "tl.late-barred",
        "T1=nightmare ?; L1=fire-giant ?; waits=-", **UNSEEN),
    row(near_miss("TL-C13"), "challenged", "challenge 1; up T11 nightmare; up T12 frigg; up L12 hel", "tl.wiped",
        "T1=; L1=; waits=stack", turn=LOKI, **UNSEEN),
    row(clause("TL-C14"), "it shows late", "challenge 1; up T11 nightmare", "tl.late-barred", "points=2", **UNSEEN),
    row(near_miss("TL-C14"), "it shows at once", "challenge 1", "tl.may-not-challenge", "points=3",
        thor="nightmare/?/?"),
    row(near_miss("TL-C14"), "it may", "challenge 1; up T11 chosen-axemen", "tl.won", "T1=chosen-axemen ?", **UNSEEN),
    row(clause("TL-C15"), "slid forward", "challenge 2", "tl.challenge",
        "fact column=2; fact target_column=2; fact target_row=1; waits=challenge", turn=LOKI),
    row(near_miss("TL-C15"), "slid aside", "challenge 2 3", "tl.diagonal", "waits=-", turn=LOKI),
    row(clause("TL-C16"), "both face down", "challenge 2; up L21 dragon", "tl.turned-up",
        "fact left=1; waits=challenge"),
    row(clause("TL-C16"), "one face down", "challenge 1; up L11 ravens", "tl.turned-up",
        "fact left=0; waits=-; pile L=ravens",
        thor="hall-guards/?/?"),
    row(clause("TL-C16"), "first they are turned up", "challenge 1; draw", "tl.waits", "hand T=6; points=2"),
    row(clause("TL-C16"), "not the one beside", "challenge 1; up T21 ravens", "tl.waits", "T2=?"),
    row(clause("TL-C16"), "open already", "challenge 1; up T11 tyr", "tl.already-up", "waits=challenge",
        thor="tyr/?/?"),
    row(near_miss("TL-C16"), "both face up", "challenge 1", "tl.won", "waits=-; pile L=wolf-riders", **FIGHT),
    row(clause("TL-C17"), "5 challenges 4", "challenge 1", "tl.won", "T1=hall-guards; L1=", **FIGHT),
    row(clause("TL-C17"), "4 challenges 5", "challenge 1", "tl.lost", "T1=hall-guards; L1=", turn=LOKI, **FIGHT),
    row(near_miss("TL-C17"), "4 challenges 4", "challenge 1", "tl.tie", "T1=; L1=", **TIE),
    row(near_miss("TL-C17"), "a power applies", "challenge 1", "tl.shield-wall", "pile T=hall-guards; pile L=",
        thor="hall-guards/?/?", loki="shield-wall/?/?"),
    row(clause("TL-C18"), "Thor's 5 beats Loki's 4", "challenge 1", "tl.won", "pile L=seer wolf-riders; pile T=",
        piles="/seer", **FIGHT),
    row(clause("TL-C18"), "Loki's 4 loses to Thor's 5", "challenge 1", "tl.lost", "pile L=wolf-riders", turn=LOKI,
        **FIGHT),
    row(near_miss("TL-C18"), "the winner", "challenge 1", "tl.won", "top T=; T1=hall-guards", **FIGHT),
    row(clause("TL-C19"), "was face down", "challenge 1; up T11 tyr", "tl.won", "T1=tyr ?; L1=?", **UNSEEN),
    row(clause("TL-C19"), "was challenged", "challenge 1; up T11 frigg", "tl.lost", "L1=fire-giant ?", **UNSEEN),
    row(near_miss("TL-C19"), "nobody won", "challenge 1; up T11 hall-guards", "tl.tie", "T1=?; L1=?", **UNSEEN),
    row(clause("TL-C20"), "no Idunn", "challenge 1", "tl.tie", "pile T=sworn-spearmen; pile L=wolf-riders", **TIE),
    row(clause("TL-C20"), "Idunn is covered", "challenge 1", "tl.tie", "T1=; L1=", piles="idunn hel/", **TIE),
    row(near_miss("TL-C20"), "Idunn decides", "challenge 1", "tl.tie-idunn", "T1=sworn-spearmen; L1=", piles="idunn/",
        **TIE),
    row(near_miss("TL-C20"), "Loki's Idunn decides", "challenge 1", "tl.tie-idunn", "T1=; L1=wolf-riders",
        piles="/idunn",
        **TIE),
    row(clause("TL-C21"), "2 of 3 are left", "challenge 1", "tl.won", "L1=dragon seer", **BEHIND),
    row(near_miss("TL-C21"), "the winner's stay", "challenge 1", "tl.won", "T1=hall-guards frigg", **BEHIND),
    row(near_miss("TL-C21"), "challenger lost", "challenge 1", "tl.lost", "L1=dragon seer; T1=hall-guards frigg",
        turn=LOKI,
        **BEHIND),
    row(clause("TL-C22"), "once more", "challenge 1; challenge 1", "tl.challenge", "L1=; T1=; points=1", **DRAGON),
    row(clause("TL-C22"), "and is challenged", "challenge 1; pass; challenge 1", "tl.challenge", "L1=; T1=; turn=T",
        **DRAGON),
    row(near_miss("TL-C22"), "a face-down card", "challenge 2", "tl.challenge", "waits=challenge; L2=?", **DRAGON),
    row(near_miss("TL-C22"), "the lost one", "challenge 1; challenge 1; challenge 1", "tl.nothing-there", "points=1",
        **DRAGON),
    row(clause("TL-C23"), "Loki's card of Thor's", "challenge 1", "tl.won", "pile T=loki-frigg; pile L=", turn=LOKI,
        thor="loki-frigg/?/?", loki="dragon/?/?"),
    row(near_miss("TL-C23"), "the other on its own pile", "challenge 1", "tl.lost", "pile T=; pile L=dragon", turn=LOKI,
        thor="loki-angrboda/?/?", loki="dragon/?/?"),
    row(clause("TL-C24"), "a Nightmare, 2 points", "challenge 1; up T11 nightmare", "tl.late-barred",
        "T1=nightmare ?; L1=fire-giant ?; points=1; fact remedy=void; pile T=", points=2, **UNSEEN),
    row(near_miss("TL-C24"), "beaten by option", "challenge 1; up T11 nightmare", "tl.late-barred",
        "T1=?; L1=fire-giant ?; points=1; fact remedy=beaten; pile T=nightmare", points=2,
        barred_challenge="beaten", **UNSEEN),
    row(near_miss("TL-C24"), "refused at once", "challenge 1", "tl.may-not-challenge", "points=2", points=2,
        thor="nightmare/?/?"),
]  # fmt: skip


@pytest.mark.parametrize(("script", "code", "after", "wanted", "cited", "given"), CHALLENGES)
def test_clause(script: str, code: str, after: str, wanted: str | None, cited: str, given: dict[str, Any]) -> None:
    hold(script, code, after, wanted, cited, given)


@clause("TL-C16")
@pytest.mark.parametrize(("card", "code"), [(None, "tl.card-unreadable"), ("thor-smith", "tl.card-unknown")])
def test_a_challenge_waits_until_both_cards_can_be_read(card: str | None, code: str) -> None:
    made = board()
    made.accept(Challenge(THOR, 1))
    ruling = made.rules(TurnUp((THOR, 1, 1), card), code, "TC-1")
    assert ruling.refusal is Refusal.UNREADABLE
    assert made.column(THOR, 1) == ["?"]
    made.rules(TurnUp((THOR, 1, 1), "thor-tyr"), "tl.turned-up", "TL-C16")
