"""Idunn on top of a pile decides ties."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.thunder_and_lightning.rows import hold, row
from tests.rules.thunder_and_lightning.script import LOKI

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss

TIE: dict[str, Any] = {"thor": "sworn-spearmen/?/?", "loki": "wolf-riders/?/?"}
"""4 against 4."""

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


@pytest.mark.parametrize(("script", "code", "after", "wanted", "cited", "given"), IDUNN)
def test_clause(script: str, code: str, after: str, wanted: str | None, cited: str, given: dict[str, Any]) -> None:
    hold(script, code, after, wanted, cited, given)
