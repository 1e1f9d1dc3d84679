"""Ravens: in the first row, in the hand, and as a card like any other."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.thunder_and_lightning.rows import hold, row, strengths
from tests.rules.thunder_and_lightning.script import LOKI

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss

FULL = {"loki": "leader/? ? ? ?/? ? ? ?", "points": 3}
"""No column takes a card in row 1."""
PLAIN = {"pack": strengths(loki_dragon=1)}
"""A plain card of strength 1."""
HIT = "ravens hand; hit dragon"

RAVENS = [
    row(clause("TL-R1"), "no use named", "ravens", "tl.which-use", "points=3; hand T=6"),
    row(clause("TL-R1"), "no target named", "ravens row", "tl.which-target", "points=3; hand T=6"),
    row(near_miss("TL-R1"), "row and target named", "ravens row L11", "tl.strike", "points=2; hand T=5"),
    row(near_miss("TL-R1"), "hand named", "ravens hand", "tl.pick", "points=2; hand T=5"),
    row(
        clause("TL-R2"),
        "face down",
        "lay 1 2",
        "tl.lay",
        "T1=? ?; points=2; pile T=",
        cited="nowhere",
        hands=(1, 6),
        knows="ravens/",
    ),
    row(
        clause("TL-R2"),
        "laid and fights",
        "lay 1 1; challenge 1; up T11 ravens",
        "tl.lost",
        "T1=?; top T=ravens",
        cited="nowhere",
        hands=(1, 6),
        knows="ravens/",
        loki="dragon/?/?",
    ),
    row(
        near_miss("TL-R2"),
        "from the hand",
        "ravens row L11; up L11 dragon",
        "tl.withstood",
        "T1=?; pile T=ravens",
        hands=(1, 6),
        knows="ravens/",
    ),
    row(
        clause("TL-R3"), "1 against 6", "challenge 1", "tl.lost", "T1=; L1=dragon", thor="ravens/?/?", loki="dragon/?/?"
    ),
    row(clause("TL-R3"), "1 against 1", "challenge 1", "tl.tie", "T1=; L1=", thor="ravens/?/?", loki="frigg/?/?"),
    row(
        near_miss("TL-R3"),
        "from the hand against 6",
        "ravens row L11",
        "tl.withstood",
        "T1=?; L1=dragon",
        loki="dragon/?/?",
    ),
    row(
        clause("TL-R4"),
        "lie in row 1",
        "ravens hand",
        "tl.hand-empty",
        "points=3; T1=ravens",
        thor="ravens/?/?",
        hands=(0, 6),
    ),
    row(
        near_miss("TL-R4"),
        "in the hand",
        "ravens hand",
        "tl.pick",
        "points=2",
        thor="ravens/?/?",
        hands=(1, 6),
        knows="ravens/",
    ),
    row(clause("TL-R5"), "row, first turn", "ravens row L11", "tl.first-turn", "hand T=6", first=True),
    row(clause("TL-R5"), "hand, first turn", "ravens hand", "tl.first-turn", "hand T=6", first=True),
    row(near_miss("TL-R5"), "second turn", "ravens hand", "tl.pick", "hand T=5"),
    row(
        clause("TL-R6"),
        "where nothing faces it",
        "ravens row L31; up L31 hel",
        "tl.struck",
        "L3=",
        cited="before",
        thor="?//",
    ),
    row(clause("TL-R6"), "announced", "ravens row L31", "tl.strike", "waits=strike", thor="?//"),
    row(near_miss("TL-R6"), "row 2", "ravens row L32", "tl.not-row-1", "hand T=6", loki="?/?/? ?"),
    row(
        near_miss("TL-R6"),
        "a challenge where nothing faces it",
        "challenge 3",
        "tl.nothing-there",
        "points=1",
        thor="?//",
    ),
    row(clause("TL-R7"), "Loki", "ravens row L11", "tl.struck-leader", "L1=?; top L=leader", loki="leader ?/?/?"),
    row(
        near_miss("TL-R7"),
        "a challenge",
        "challenge 1",
        "tl.leader-unchallenged",
        "L1=leader",
        thor="tyr/?/?",
        loki="leader/?/?",
    ),
    row(clause("TL-R8"), "face down", "ravens row L11; up L11 dragon", "tl.turned-up", "L1=dragon", loki="?/?/?"),
    row(near_miss("TL-R8"), "who stands behind", "ravens row L11; up L12 dragon", "tl.waits", "L1=? ?", loki="? ?/?/?"),
    row(near_miss("TL-R8"), "face up", "ravens row L11", "tl.withstood", "waits=-", loki="dragon/?/?"),
    row(
        clause("TL-R9"),
        "a 1",
        "ravens row L11; up L11 frigg",
        "tl.struck",
        "L1=dragon; top L=frigg",
        loki="? dragon/?/?",
    ),
    row(clause("TL-R9"), "a 0", "ravens row L11; up L11 hel", "tl.struck", "L1=", pack=strengths(loki_hel=0)),
    row(near_miss("TL-R9"), "a 2", "ravens row L11; up L11 female-archer", "tl.withstood", "L1=female-archer; pile L="),
    row(clause("TL-R10"), "Baldr", "ravens row L11; up L11 baldr", "tl.struck", "L1=; top L=baldr"),
    row(
        near_miss("TL-R10"),
        "a Baldr that prints 2",
        "ravens row L11; up L11 baldr",
        "tl.withstood",
        "L1=baldr",
        pack=strengths(loki_baldr=2),
    ),
    row(clause("TL-R11"), "Shield Wall", "ravens row L11; up L11 shield-wall", "tl.struck-wall", "L1=shield-wall"),
    row(clause("TL-R11"), "Crown", "ravens row L11; up L11 crown", "tl.struck", "winner=T"),
    row(
        clause("TL-R11"),
        "Nightmare",
        "ravens row L11; up L11 nightmare; up T11 hel",
        "tl.wiped",
        "T1=; L1=",
        cited="before",
    ),
    row(near_miss("TL-R11"), "Hel", "ravens row L11; up L11 hel", "tl.struck", "L1=; T1=?; winner=-"),
    row(clause("TL-R12"), "a 5", "ravens row L11; up L11 fire-giant", "tl.withstood", "L1=fire-giant; pile T=ravens"),
    row(clause("TL-R12"), "a 2", "ravens row L11; up L11 female-archer", "tl.withstood", "L1=female-archer"),
    row(near_miss("TL-R12"), "a 1", "ravens row L11; up L11 ravens", "tl.struck", "L1="),
    row(clause("TL-R13"), "Loki", "ravens row L11", "tl.struck-leader", "L1=; waits=-", loki="leader/?/?"),
    row(near_miss("TL-R13"), "a 7", "ravens row L11", "tl.withstood", "L1=angrboda", loki="angrboda/?/?"),
    row(
        clause("TL-R14"),
        "second of four",
        "ravens row T11",
        "tl.struck-leader",
        "T1=?; points=2",
        thor="leader ?/?/?",
        spent=1,
    ),
    row(near_miss("TL-R14"), "a later turn", "ravens row L11; pass", "tl.turn", "points=3", loki="leader ?/?/?"),
    row(clause("TL-R15"), "the own wall", "ravens row T11", "tl.own-side", "hand T=6", thor="shield-wall/?/?"),
    row(near_miss("TL-R15"), "the own Thor", "ravens row T11", "tl.struck-leader", "T1=; hand T=5", thor="leader/?/?"),
    row(clause("TL-R16"), "one of six", "ravens hand", "tl.pick", "waits=hit; hand L=6; pile T=ravens"),
    row(clause("TL-R16"), "picked by its face", "ravens hand; conduct T picks-not-random", "tl.conduct"),
    row(near_miss("TL-R16"), "picked blindly", HIT, "tl.hit-placed", "hand L=5; waits=place"),
    row(near_miss("TL-R16"), "a card out of turn", "draw; conduct T looks-own", "tl.conduct-fine", "waits=-"),
    row(clause("TL-R17"), "Hel", "ravens hand; hit hel", "tl.hit-discarded", "hand L=5; top L=hel; waits=-"),
    row(clause("TL-R17"), "a 1", "ravens hand; hit frigg", "tl.hit-discarded", "hand L=5; top L=frigg"),
    row(near_miss("TL-R17"), "a 2", "ravens hand; hit female-archer", "tl.hit-placed", "pile L=; waits=place"),
    row(clause("TL-R18"), "a 6", HIT + "; place 2", "tl.placed", "L2=dragon ?; hand L=5; waits=-"),
    row(clause("TL-R18"), "a 2 with symbol", "ravens hand; hit female-archer", "tl.hit-placed", "waits=place"),
    row(near_miss("TL-R18"), "placed by its owner", HIT + "; place L 2", "tl.waits", "L2=?; waits=place"),
    row(near_miss("TL-R18"), "in row 2", HIT + "; place 2 2", "tl.not-row-1", "L2=?"),
    row(near_miss("TL-R18"), "a 1", "ravens hand; hit ravens", "tl.hit-discarded", "waits=-"),
    row(clause("TL-R19"), "a fifth card", HIT + "; place 2", "tl.column-full", "waits=place", loki="?/? ? ? ?/?"),
    row(near_miss("TL-R19"), "a fourth card", HIT + "; place 2", "tl.placed", "L2=dragon ? ? ?", loki="?/? ? ?/?"),
    row(
        clause("TL-R20"),
        "before Loki",
        HIT + "; place 1",
        "tl.before-leader",
        "L1=leader; waits=place",
        loki="leader/?/?",
    ),
    row(near_miss("TL-R20"), "beside Loki", HIT + "; place 2", "tl.placed", "L2=dragon ?", loki="leader/?/?"),
    row(clause("TL-R21"), "full or led", HIT, "tl.hit-no-column", "top L=dragon; hand L=5; waits=-", **FULL),
    row(near_miss("TL-R21"), "one has room", HIT, "tl.hit-placed", "pile L=; waits=place", loki="leader/? ? ? ?/? ? ?"),
    row(clause("TL-R22"), "a plain 1", HIT, "tl.hit-discarded", "hand L=5; top L=dragon", **PLAIN),
    row(
        near_miss("TL-R22"),
        "kept by option",
        HIT,
        "tl.hit-kept",
        "hand L=6; pile L=; waits=-",
        **PLAIN,
        plain_hand_card="kept",
    ),
    row(near_miss("TL-R22"), "a plain 2", HIT, "tl.hit-placed", "pile L=", pack=strengths(loki_dragon=2)),
    row(
        clause("TL-R23"),
        "in row 1",
        "ravens row L11; up L11 shield-wall",
        "tl.struck-wall",
        "L1=shield-wall; pile T=ravens; pile L=",
    ),
    row(near_miss("TL-R23"), "in the hand", "ravens hand; hit shield-wall", "tl.hit-discarded", "pile L=shield-wall"),
    row(
        clause("TL-R24"),
        "in the hand",
        "ravens hand; hit shield-wall",
        "tl.hit-discarded",
        "top L=shield-wall; hand L=5",
    ),
    row(near_miss("TL-R24"), "in row 1", "ravens row L11", "tl.struck-wall", "L1=shield-wall", loki="shield-wall/?/?"),
    row(clause("TL-R25"), "Ring", "ravens hand; hit ring", "tl.hit-discarded", "winner=L", turn=LOKI),
    row(near_miss("TL-R25"), "Hel", "ravens hand; hit hel", "tl.hit-discarded", "winner=-", turn=LOKI),
    row(clause("TL-R26"), "an empty column", HIT + "; place 3", "tl.placed", "L3=dragon", loki="?/?/"),
    row(clause("TL-R26"), "a point more", HIT + "; place 3; pass", "tl.turn", "points=3", cited="before", loki="?/?/"),
    row(near_miss("TL-R26"), "a column in use", HIT + "; place 2; pass", "tl.turn", "points=2", loki="?/?/"),
    row(clause("TL-R27"), "an empty hand", "ravens hand", "tl.no-target", "hand T=6; points=3", hands=(6, 0)),
    row(clause("TL-R27"), "an empty column", "ravens row L31", "tl.nothing-there", "hand T=6; points=3", loki="?/?/"),
    row(near_miss("TL-R27"), "one card", "ravens hand", "tl.pick", "points=2", hands=(6, 1)),
]


@pytest.mark.parametrize(("script", "code", "after", "wanted", "cited", "given"), RAVENS)
def test_clause(script: str, code: str, after: str, wanted: str | None, cited: str, given: dict[str, Any]) -> None:
    hold(script, code, after, wanted, cited, given)
