"""Cards that rule from the top of a pile: Berserker and Idunn."""

from __future__ import annotations

from typing import Any

import pytest

from rules.thunder_and_lightning.pack import default_pack
from tests.rules.thunder_and_lightning.script import LOKI, hold, row

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss


def strengths(**cards: int | None) -> dict[str, Any]:
    """The shipped pack with other strengths printed; ids with "_" for "-"."""
    pack = default_pack()
    for card in pack["card"]:
        name = card["id"].replace("-", "_")
        if name in cards:
            card["strength"] = cards[name]
    return pack


WARRIORS = {"thor": "viking-warriors/?/?", "loki": "fire-giant/?/?"}
"""3 against 5, as printed."""
DEFENDERS = {"thor": "viking-warriors/?/?", "loki": "wolf-riders/?/?", "turn": LOKI}
"""4 challenges 3."""
STRONG = strengths(thor_viking_warriors=5)
"""Viking Warriors that print more than Berserker leaves them."""
TIE = {"thor": "sworn-spearmen/?/?", "loki": "wolf-riders/?/?"}
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

IDUNN = [
    row(
        clause("TL-I1"),
        "4 meets 4",
        "challenge 1",
        "tl.tie-idunn",
        "L1=wolf-riders; T1=; top T=sworn-spearmen",
        **TIE,
        piles="/idunn",
    ),
    row(near_miss("TL-I1"), "nobody's", "challenge 1", "tl.tie", "L1=; T1=", **TIE),
    row(
        clause("TL-I2"),
        "5 challenges her side's 5",
        "challenge 1",
        "tl.tie-idunn",
        "L1=; T1=hall-guards",
        thor="hall-guards/?/?",
        loki="fire-giant/?/?",
        turn=LOKI,
        piles="idunn/",
    ),
    row(
        clause("TL-I2"),
        "her side's 5 challenges 5",
        "challenge 1",
        "tl.tie-idunn",
        "L1=; T1=hall-guards",
        thor="hall-guards/?/?",
        loki="fire-giant/?/?",
        piles="idunn/",
    ),
    row(
        near_miss("TL-I2"),
        "6 challenges 5",
        "challenge 1",
        "tl.won",
        "L1=dragon; T1=",
        thor="hall-guards/?/?",
        loki="dragon/?/?",
        turn=LOKI,
        piles="idunn/",
    ),
    row(clause("TL-I3"), "a second one", "idunn", "tl.blocked", "points=3; idunn=L", piles="/idunn"),
    row(near_miss("TL-I3"), "a covered one", "idunn", "tl.active", "idunn=T", piles="/idunn dragon"),
    row(near_miss("TL-I3"), "under Berserker", "idunn", "tl.active", "idunn=T; berserker=L", piles="/berserker"),
    row(
        clause("TL-I4"),
        "goes below",
        "challenge 1",
        "tl.no-strength",
        "pile T=idunn tyr; idunn=L",
        thor="idunn/?/?",
        loki="dragon/?/?",
        turn=LOKI,
        piles="tyr/idunn",
    ),
    row(
        near_miss("TL-I4"),
        "goes on top",
        "challenge 1",
        "tl.no-strength",
        "pile T=tyr idunn; idunn=T",
        thor="idunn/?/?",
        loki="dragon/?/?",
        turn=LOKI,
        piles="tyr/idunn seer",
    ),
    row(
        clause("TL-I5"),
        "covered by a Seer",
        "seer; stop; challenge 1",
        "tl.tie",
        "T1=; L1=; idunn=-",
        cited="nowhere",
        **TIE,
        piles="idunn/",
    ),
    row(
        near_miss("TL-I5"),
        "still on top",
        "draw; challenge 1",
        "tl.tie-idunn",
        "T1=sworn-spearmen; idunn=T",
        **TIE,
        piles="idunn/",
    ),
    row(
        clause("TL-I6"),
        "covered by Vidarr",
        "vidarr T11 L12",
        "tl.tie",
        "T1=; L1=?",
        cited="nowhere",
        thor="sworn-spearmen/?/?",
        loki="? wolf-riders/?/?",
        piles="idunn/",
    ),
    row(clause("TL-I6"), "on top now", "challenge 1", "tl.tie-idunn", "T1=sworn-spearmen", **TIE, piles="idunn/"),
    row(
        near_miss("TL-I6"),
        "the enemy's is not covered",
        "vidarr T11 L12",
        "tl.tie-idunn",
        "T1=; L1=? wolf-riders",
        thor="sworn-spearmen/?/?",
        loki="? wolf-riders/?/?",
        piles="/idunn",
    ),
    row(clause("TL-I7"), "for a point", "idunn", "tl.active", "points=2; top T=idunn; idunn=T"),
    row(
        clause("TL-I7"),
        "lost to the top",
        "challenge 1",
        "tl.no-strength",
        "top T=idunn; idunn=T",
        thor="idunn/?/?",
        loki="dragon/?/?",
        turn=LOKI,
    ),
    row(
        clause("TL-I7"),
        "works from then on",
        "challenge 1; challenge 2",
        "tl.tie-idunn",
        "T2=hall-guards; L2=",
        cited="nowhere",
        thor="idunn/hall-guards/?",
        loki="dragon/fire-giant/?",
        turn=LOKI,
    ),
    row(
        near_miss("TL-I7"),
        "on the battlefield",
        "challenge 1",
        "tl.tie",
        "T1=idunn; L1=",
        thor="hall-guards idunn/?/?",
        loki="fire-giant/?/?",
    ),
]


@pytest.mark.parametrize(("script", "code", "after", "wanted", "cited", "given"), [*BERSERKER, *IDUNN])
def test_clause(script: str, code: str, after: str, wanted: str | None, cited: str, given: dict[str, Any]) -> None:
    hold(script, code, after, wanted, cited, given)
