"""Berserker on top of a pile, and the Viking Warriors of whoever shows him."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.thunder_and_lightning.rows import hold, row, strengths
from tests.rules.thunder_and_lightning.script import LOKI

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss

WARRIORS: dict[str, Any] = {"thor": "viking-warriors/?/?", "loki": "fire-giant/?/?"}
"""3 against 5, as printed."""
DEFENDERS: dict[str, Any] = {"thor": "viking-warriors/?/?", "loki": "wolf-riders/?/?", "turn": LOKI}
"""4 challenges 3."""
STRONG = strengths(thor_viking_warriors=5)
"""Viking Warriors that print more than Berserker leaves them."""
TIE: dict[str, Any] = {"thor": "sworn-spearmen/?/?", "loki": "wolf-riders/?/?"}
"""4 against 4."""

BERSERKER = [
    row(
        clause("TL-W1"), "6 beats 5", "challenge 1", "tl.won", "L1=; T1=viking-warriors", **WARRIORS, piles="berserker/"
    ),
    row(near_miss("TL-W1"), "nobody's", "challenge 1", "tl.lost", "T1=; L1=fire-giant", **WARRIORS),
    row(near_miss("TL-W1"), "the enemy's", "challenge 1", "tl.lost", "T1=", **WARRIORS, piles="/berserker"),
    row(near_miss("TL-W1"), "not other cards", "challenge 1", "tl.tie", "T1=; L1=", **TIE, piles="berserker/"),
    row(clause("TL-W2"), "3 loses to 4", "challenge 1", "tl.won", "T1=", **DEFENDERS, piles="berserker/", pack=STRONG),
    row(near_miss("TL-W2"), "5 as printed", "challenge 1", "tl.lost", "L1=", **DEFENDERS, pack=STRONG),
    row(
        clause("TL-W3"),
        "covered by a Seer",
        "seer; stop; challenge 1",
        "tl.lost",
        **WARRIORS,
        piles="berserker/",
        cited="nowhere",
    ),
    row(
        clause("TL-W3"),
        "covered by a loss",
        "challenge 2; challenge 1",
        "tl.lost",
        "berserker=-",
        cited="nowhere",
        thor="viking-warriors/viking-warriors/?",
        loki="fire-giant/shield-wall/?",
        piles="berserker/",
    ),
    row(
        near_miss("TL-W3"),
        "the other pile covered",
        "challenge 2; challenge 1",
        "tl.won",
        "berserker=T",
        thor="viking-warriors/viking-warriors/?",
        loki="fire-giant/fire-giant/?",
        piles="berserker/",
    ),
    row(
        clause("TL-W4"),
        "taken with Freya",
        "challenge 1",
        "tl.won",
        "L1=",
        thor="loki-viking-warriors/?/?",
        loki="fire-giant/?/?",
        piles="berserker/",
    ),
    row(
        near_miss("TL-W4"),
        "of Loki's deck, not under Loki",
        "challenge 1",
        "tl.lost",
        thor="loki-viking-warriors/?/?",
        loki="fire-giant/?/?",
        piles="/berserker",
    ),
    row(
        clause("TL-W5"),
        "a second one",
        "berserker",
        "tl.blocked",
        "points=3; pile L=dragon",
        turn=LOKI,
        piles="berserker/dragon",
    ),
    row(
        near_miss("TL-W5"), "a covered one", "berserker", "tl.active", "berserker=L", turn=LOKI, piles="berserker seer/"
    ),
    row(near_miss("TL-W5"), "on the own one", "berserker", "tl.active", "berserker=T", piles="berserker/"),
    row(near_miss("TL-W5"), "under Idunn", "berserker", "tl.active", "berserker=L; idunn=T", turn=LOKI, piles="idunn/"),
    row(
        clause("TL-W6"),
        "goes below",
        "challenge 1",
        "tl.no-strength",
        "pile L=berserker dragon; berserker=T",
        thor="tyr/?/?",
        loki="berserker/?/?",
        piles="berserker/dragon",
    ),
    row(
        clause("TL-W6"),
        "alone below",
        "challenge 1",
        "tl.no-strength",
        "pile L=berserker; berserker=T",
        thor="tyr/?/?",
        loki="berserker/?/?",
        piles="berserker/",
    ),
    row(
        clause("TL-W6"),
        "lost to Nightmare",
        "challenge 1; stack L dragon berserker",
        "tl.stacked",
        "pile L=berserker dragon; top T=nightmare; berserker=-",
        turn=LOKI,
        loki="dragon berserker/?/?",
        thor="nightmare/?/?",
        piles="hel berserker/",
    ),
    row(
        near_miss("TL-W6"),
        "goes on top",
        "challenge 1",
        "tl.no-strength",
        "pile L=dragon berserker; berserker=L",
        thor="tyr/?/?",
        loki="berserker/?/?",
        piles="berserker seer/dragon",
    ),
    row(
        near_miss("TL-W6"),
        "another card",
        "challenge 1",
        "tl.won",
        "pile L=dragon female-archer",
        thor="tyr/?/?",
        loki="female-archer/?/?",
        piles="berserker/dragon",
    ),
    row(
        clause("TL-W7"),
        "lost to the top",
        "challenge 1",
        "tl.no-strength",
        "top L=berserker; berserker=L",
        thor="tyr/?/?",
        loki="berserker/?/?",
    ),
    row(
        clause("TL-W7"),
        "works from then on",
        "challenge 1; pass; challenge 2",
        "tl.won",
        "T2=",
        cited="nowhere",
        thor="tyr/hall-guards/?",
        loki="berserker/viking-warriors/?",
    ),
    row(
        near_miss("TL-W7"),
        "lost below",
        "challenge 1; pass; challenge 2",
        "tl.lost",
        "L2=",
        thor="tyr/hall-guards/?",
        loki="berserker/viking-warriors/?",
        piles="berserker/dragon",
    ),
    row(
        clause("TL-W8"),
        "inert",
        "challenge 1",
        "tl.lost",
        "berserker=T",
        thor="hall-guards/?/?",
        loki="viking-warriors/?/?",
        turn=LOKI,
        piles="berserker/berserker",
    ),
    row(
        clause("TL-W8"),
        "until the other is covered",
        "seer; stop; pass; challenge 1",
        "tl.won",
        "berserker=L",
        cited="nowhere",
        thor="hall-guards/?/?",
        loki="viking-warriors/?/?",
        piles="berserker/berserker",
    ),
    row(
        near_miss("TL-W8"),
        "no other",
        "freya; pass; challenge 1",
        "tl.won",
        "berserker=L",
        thor="hall-guards/?/?",
        loki="viking-warriors/?/?",
        piles="/berserker dragon",
    ),
    row(
        near_miss("TL-W8"),
        "works by option",
        "challenge 1",
        "tl.won",
        thor="hall-guards/?/?",
        loki="viking-warriors/?/?",
        turn=LOKI,
        piles="berserker/berserker",
        uncovered="works",
    ),
    row(clause("TL-W9"), "for a point", "berserker", "tl.active", "points=2; top L=berserker; hand L=5", turn=LOKI),
    row(
        clause("TL-W9"),
        "for all challenges",
        "berserker; challenge 1; challenge 2",
        "tl.won",
        "T1=; T2=",
        cited="before",
        turn=LOKI,
        loki="viking-warriors/viking-warriors/?",
        thor="hall-guards/hall-guards/?",
    ),
    row(
        near_miss("TL-W9"),
        "used on a card",
        "berserker T11",
        "tl.which-target",
        "berserker=-",
        thor="viking-warriors/?/?",
    ),
    row(
        near_miss("TL-W9"),
        "on the battlefield",
        "challenge 1",
        "tl.lost",
        turn=LOKI,
        loki="viking-warriors berserker/?/?",
        thor="hall-guards/?/?",
    ),
    row(near_miss("TL-W9"), "with a full turn used", "berserker", "tl.no-points", spent=3),
    row(
        clause("TL-W10"),
        "face down",
        "lay 2 2",
        "tl.lay",
        "L2=? ?; hand L=0",
        cited="nowhere",
        turn=LOKI,
        hands=(6, 1),
        knows="/berserker",
        piles="berserker/",
    ),
    row(
        near_miss("TL-W10"),
        "to the pile",
        "berserker",
        "tl.blocked",
        "hand L=1",
        turn=LOKI,
        hands=(6, 1),
        knows="/berserker",
        piles="berserker/",
    ),
]


@pytest.mark.parametrize(("script", "code", "after", "wanted", "cited", "given"), BERSERKER)
def test_clause(script: str, code: str, after: str, wanted: str | None, cited: str, given: dict[str, Any]) -> None:
    hold(script, code, after, wanted, cited, given)
