"""What is odd in a component pack but playable is remarked, and its near miss is not."""

from __future__ import annotations

import pytest

from rules.greece_lightning.pack import default_pack
from rules.packs import Severity
from tests.rules.greece_lightning.pack_changes import (
    Change,
    Plain,
    both,
    change,
    dot,
    messages,
    paths,
)

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss


FISHLESS = "No wedge shows fish, which the rulebook tells of"


def no_fish(plain: Plain) -> None:
    for each in plain["wedge"]:
        for lies in each["dots"]:
            lies["marks"] = [mark for mark in lies.get("marks", []) if mark != "fish"]


ODD: dict[str, tuple[Change, str, Change]] = {
    "nothing leads to a lane": (
        paths("current-4", "in1 > a1 > out2", without="in1 > a1 > out1"),
        "wedge current-4: No path leads to out1",
        paths("current-4", "a1 > out2"),
    ),
    "nothing leads to the outermost lane": (
        paths("current-4", "in4 > d1 > d2 > d3 > d4 > out3", without="in4 > d1 > d2 > d3 > d4 > out4"),
        "wedge current-4: No path leads to out4",
        paths("current-4", "d3 > out3"),
    ),
    "a path without a dot": (
        paths("current-4", "in1 > out1"),
        "wedge current-4: Path in1 > out1 has no dot",
        paths("current-4", "a1 > out3"),
    ),
    "a number twice": (
        paths("scylla-1", "w =1> out1"),
        "wedge scylla-1: 2 paths out of dot w have the number 1",
        paths("scylla-1", "w =1> out1", "b1 > b2", without="w =1> b2"),
    ),
    "a mark twice": (
        dot("current-4", "a1", marks=["fish", "fish"]),
        "wedge current-4: Dot a1 has the same mark twice",
        dot("current-4", "a1", marks=["fish", "favor"]),
    ),
    "no Fish on any wedge": (no_fish, FISHLESS, both(no_fish, dot("current-4", "a1", marks=["fish"]))),
    "a Starter that is no boat": (
        change("demeter", kind="trident"),
        "favor demeter: A Starter lies face up on its player's board from set-up",
        change("demeter", when="moving"),
    ),
    "a second roll after the roll": (
        change("athena", when="moving"),
        "favor athena: The effect safe-second comes after the roll",
        change("poseidon", when="rolling"),
    ),
    "no trident": (
        both(*(change(each, kind="boat") for each in ("ares", "eris", "medusa"))),
        "favor: No card has the icon trident",
        both(*(change(each, kind="boat") for each in ("ares", "eris"))),
    ),
}


@pytest.mark.parametrize(("spoil", "words", "near"), ODD.values(), ids=ODD)
def test_what_is_odd_but_playable_is_remarked_and_its_near_miss_is_not(spoil: Change, words: str, near: Change) -> None:
    plain = default_pack()
    spoil(plain)
    assert messages(plain, Severity.ERROR) == []
    told = messages(plain, Severity.REMARK)
    assert [each for each in told if words in each], told
    plain = default_pack()
    near(plain)
    assert messages(plain, Severity.ERROR) == []
    assert [each for each in messages(plain, Severity.REMARK) if words in each] == []
