"""Charybdis, Scylla and Hydra, clause by clause, each with a near miss that goes the other way."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.greece_lightning.script import board, hold, row, run, seen

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss

POOL: dict[str, Any] = {"ships": "5b 8a 8d", "left": 5, "tops": {5: "charybdis"}}
"""Seat 1 stands on a Charybdis; 1 leads to 5a2, 2 to 6b, 3 to 6c."""
ROCK: dict[str, Any] = {"ships": "5b 8a 8d", "left": 5, "tops": {5: "scylla"}}
"""Seat 1 stands on a Scylla; 0 Fish lead to 6a, 1 to 6b, 2 to 5b2."""
FAR: dict[str, Any] = {"left": 5, "seat": {1: {"dots_moved": 6}}}
"""Seat 1 has moved beyond any protection."""
HYDRA: dict[str, Any] = {"tops": {4: "hydras"}, **FAR}
"""… and the next dot is a Hydra."""

CHARYBDIS = [
    row(clause("GL-V1"), "a number that this path has not", "go 6b by 3", "gl.no-such-path", "at=5b", dice="2-3",
        **POOL),
    row(near_miss("GL-V1"), "the number that it has", "go 6b by 2", "gl.step", "at=6b", dice="2-3", **POOL),
    row(clause("GL-V2"), "on no die", "go 5a2", "gl.charybdis", "at=5b", dice="2-3-5", **POOL),
    row(clause("GL-V2"), "on the Navigation die", "go 6b", "gl.step", "at=6b", dice="2-3-5", **POOL),
    row(near_miss("GL-V2"), "on a Movement die", "go 6c", "gl.step", "at=6c", dice="2-3-5", **POOL),
    row(clause("GL-V3"), "another", "go 6b", "gl.charybdis", "fact numbers=(1,)", dice="1-4-6", **POOL),
    row(near_miss("GL-V3"), "the forced one", "go 5a2", "gl.step", "at=5a2", dice="1-4-6", **POOL),
    row(clause("GL-V4"), "after a bust", "go 6c", "gl.step", "at=6c", dice="3-2-1", cited=False, **POOL),
    row(near_miss("GL-V4"), "a die lost", "go 5a2", "gl.charybdis", "at=5b", dice="3-2-1", **POOL),
    row(clause("GL-V5"), "landing", "go 5b", "gl.whirlpool", "at=5b; left=0", left=1,
        ships="4b 8a 8d", tops={5: "charybdis"}),
    row(near_miss("GL-V5"), "going on", "go 5b 6b", "gl.step", "at=6b", left=2,
        ships="4b 8a 8d", tops={5: "charybdis"}),
    row(clause("GL-V6"), "the dice of this round", "go 5a2", "gl.step", "at=5a2", dice="1-6", **POOL),
    row(near_miss("GL-V6"), "the dice of the last one", "go 6b", "gl.charybdis", "at=5b", dice="1-6", **POOL),
    row(clause("GL-V7"), "a bust die", "go 6b", "gl.charybdis", "at=5b", dice="1-3-2", **POOL),
    row(near_miss("GL-V7"), "played otherwise", "go 6b", "gl.step", "at=6b", dice="1-3-2",
        options={"bust_dice_open_paths": True}, **POOL),
    row(near_miss("GL-V7"), "the Navigation die after a bust", "go 5a2", "gl.step", "at=5a2", dice="1-3-2", **POOL),
    row(clause("GL-V8"), "1 doubled", "go 6b", "gl.charybdis", "at=5b", dice="1-5", fleece=1, **POOL),
    row(near_miss("GL-V8"), "1 as it shows", "go 5a2", "gl.step", "at=5a2", dice="1-5", fleece=1, **POOL),
    row(near_miss("GL-V8"), "played otherwise", "go 6b", "gl.step", "at=6b", dice="1-5", fleece=1,
        options={"fleece_at_charybdis": True}, **POOL),
    row(clause("GL-V9"), "first of three", "go 5a2", "gl.step", "at=5a2", dice="1-2-3", **POOL),
    row(clause("GL-V9"), "second of three", "go 6b", "gl.step", "at=6b", dice="1-2-3", **POOL),
    row(clause("GL-V9"), "third of three", "go 6c", "gl.step", "at=6c", dice="1-2-3", **POOL),
    row(near_miss("GL-V9"), "not among two", "go 6c", "gl.charybdis", "at=5b", dice="1-2-4", **POOL),
]  # fmt: skip

SCYLLA = [
    row(clause("GL-Y1"), "a number that this path has not", "go 6b by 2", "gl.no-such-path", "at=5b", **ROCK),
    row(near_miss("GL-Y1"), "the number that it has", "go 6b by 1", "gl.step", "at=6b", **ROCK),
    row(clause("GL-Y2"), "two Fish", "go 5b2", "gl.step", "fish=1; at=5b2; supply=11", fish="3", **ROCK),
    row(near_miss("GL-Y2"), "one Fish", "go 6b", "gl.step", "fish=2; at=6b; supply=10", fish="3", **ROCK),
    row(clause("GL-Y3"), "no Fish", "go 6b", "gl.scylla", "at=5b; fish=0", fish="0", **ROCK),
    row(near_miss("GL-Y3"), "no Fish, the 0 path", "go 6a", "gl.step", "at=6a; fish=0", fish="0", **ROCK),
    row(clause("GL-Y4"), "one Fish for two", "go 5b2", "gl.scylla", "at=5b; fish=1", fish="1", **ROCK),
    row(near_miss("GL-Y4"), "one Fish for one", "go 6b", "gl.step", "at=6b; fish=0", fish="1", **ROCK),
    row(clause("GL-Y5"), "the 0 path with Fish", "go 6a", "gl.step", "at=6a; fish=2", fish="2", **ROCK),
    row(near_miss("GL-Y5"), "the 1 path", "go 6b", "gl.step", "at=6b; fish=1", fish="2", **ROCK),
    row(clause("GL-Y6"), "landing", "go 5b", "gl.whirlpool", "at=5b; fish=2", left=1,
        ships="4b 8a 8d", tops={5: "scylla"}),
    row(near_miss("GL-Y6"), "going on", "go 5b 6b", "gl.step", "at=6b; fish=1", left=2,
        ships="4b 8a 8d", tops={5: "scylla"}),
    row(clause("GL-Y7"), "all spent", "go 6b", "gl.scylla", "fish=0", fish="0", **ROCK),
    row(near_miss("GL-Y7"), "one kept", "go 6b", "gl.step", "fish=0; at=6b", fish="1", **ROCK),
]  # fmt: skip

FEEDING = [
    row(clause("GL-H1"), "sailing on unpaid", "go 4b 5b", "gl.waits", "at=4b; fish=2", **HYDRA),
    row(clause("GL-H1"), "fed", "go 4b; feed", "gl.fed", "fish=1; supply=11; waits=-", **HYDRA),
    row(near_miss("GL-H1"), "no Hydra", "go 4b; feed", "gl.no-hydra", "fish=2", **FAR),
    row(clause("GL-H2"), "fighting with Fish", "go 4b; fight", "gl.must-feed", "fish=2; waits=hydra", **HYDRA),
    row(near_miss("GL-H2"), "fighting without", "go 4b; fight", "gl.hydra-stops", "left=0; waits=-",
        fish="0", favors="hephaestus", **HYDRA),
    row(clause("GL-H3"), "four left", "go 4b; feed", "gl.fed", "left=4", **HYDRA),
    row(near_miss("GL-H3"), "four left, four dots", "go 4b; feed; go 5b 6b 7b 8b", "gl.step", "at=8b; left=0",
        ships="3b 9a 9d", **HYDRA),
    row(clause("GL-H4"), "the last dot", "go 4b; feed", "gl.fed", "fish=1; left=0", **{**HYDRA, "left": 1}),
    row(clause("GL-H4"), "the last dot unpaid", "go 4b; end", "gl.waits", "fish=2; step=move",
        cited=False, **{**HYDRA, "left": 1}),
    row(near_miss("GL-H4"), "past it before", "go 4b; feed; go 5b; end", "gl.move-finished", "fish=1",
        **{**HYDRA, "left": 2}),
    row(clause("GL-H5"), "no Fish", "go 4b", "gl.hydra-stops", "left=0; stopped=True; at=4b", fish="0", **HYDRA),
    row(clause("GL-H5"), "more movement comes too late", "go 4b; use poseidon", "gl.not-the-time",
        "left=0; favors=poseidon", cited=False, fish="0", favors="poseidon", **HYDRA),
    row(clause("GL-H5"), "a boost on its dot comes too late", "go 4d", "gl.bonus-full", "left=0; at=4d", cited=False,
        ships="3d 8a 8c", fish="0", tops={4: "hydras-too"}, **FAR),
    row(near_miss("GL-H5"), "a boost on its dot, and a Fish", "go 4d; feed", "gl.fed", "left=7; at=4d", cited=False,
        ships="3d 8a 8c", fish="1", tops={4: "hydras-too"}, **FAR),
    row(near_miss("GL-H5"), "more movement before", "use poseidon; go 4b", "gl.hydra-stops", "left=0; favors=-",
        fish="0", favors="poseidon", **HYDRA),
    row(near_miss("GL-H5"), "one Fish", "go 4b", "gl.hydra", "left=4; stopped=False", fish="1", **HYDRA),
    row(clause("GL-H6"), "leaving one", "go 5b", "gl.step", "fish=2; at=5b; waits=-", cited=False,
        ships="4b 8a 8d", left=5, tops={4: "hydras"}),
    row(clause("GL-H6"), "feeding the one it leaves", "feed", "gl.hydra-left-free", "fish=2",
        ships="4b 8a 8d", left=5, tops={4: "hydras"}),
    row(near_miss("GL-H6"), "coming to the next one", "go 5b", "gl.hydra", "waits=hydra",
        ships="4b 8a 8d", tops={4: "hydras", 5: "hydras-too"}, **FAR),
    row(clause("GL-H7"), "still to reveal", "go 4b 5b; end", "gl.move-finished", "step=reveal; facedown=1; turn=1",
        fish="0", tops={4: "favors", 5: "hydras"}, cited=False, **FAR),
    row(near_miss("GL-H7"), "played otherwise", "go 4b 5b; end", "gl.move-finished", "facedown=1; turn=2",
        fish="0", tops={4: "favors", 5: "hydras"}, options={"stopped_reveals": False}, **FAR),
    row(clause("GL-H16"), "each for itself", "go 4b; feed; go 5b; feed", "gl.fed", "fish=0",
        cited=False, tops={4: "hydras", 5: "hydras-too"}, **FAR),
    row(clause("GL-H16"), "a second stops it", "go 4b; feed; go 5b", "gl.hydra-stops", "fish=0; at=5b",
        fish="1", tops={4: "hydras", 5: "hydras-too"}, **FAR),
    row(near_miss("GL-H16"), "one only", "go 4b; feed; go 5b", "gl.step", "fish=1", **HYDRA),
]  # fmt: skip

PROTECTION = [
    row(clause("GL-H8"), "second dot of Navigation 2", "go 4b 5b", "gl.hydra-protected", "fish=2; waits=-",
        dice="2-4", left=5, tops={5: "hydras"}),
    row(near_miss("GL-H8"), "third dot of Navigation 2", "go 4b 5b 6b", "gl.hydra", "waits=hydra",
        dice="2-4", left=5, tops={6: "hydras"}),
    row(clause("GL-H9"), "fourth dot with the Fleece", "go 4b 5b 6b 7b", "gl.hydra-protected", "waits=-",
        dice="2-4", fleece=1, left=6, tops={7: "hydras"}),
    row(near_miss("GL-H9"), "fifth dot with the Fleece", "go 4b 5b 6b 7b 8b", "gl.hydra", "waits=hydra",
        ships="3b 9a 9d", dice="2-4", fleece=1, left=6, tops={8: "hydras"}),
    row(near_miss("GL-H9"), "fourth dot without", "go 4b 5b 6b 7b", "gl.hydra", "waits=hydra",
        dice="2-4", fleece=2, left=6, tops={7: "hydras"}),
    row(clause("GL-H10"), "no Fish, third dot of 3", "go 4b 5b 6b", "gl.hydra-protected", "left=5; fish=0",
        dice="3-5", fish="0", left=8, tops={6: "hydras"}),
    row(clause("GL-H10"), "feeding it all the same", "go 4b 5b; feed", "gl.feed-protected", "fish=2",
        dice="2-4", left=5, tops={5: "hydras"}),
    row(near_miss("GL-H10"), "no Fish, fourth dot of 3", "go 4b 5b 6b 7b", "gl.hydra-stops", "left=0",
        dice="3-5", fish="0", left=8, tops={7: "hydras"}),
    row(near_miss("GL-H11"), "first dot of 1", "go 4b", "gl.hydra-protected", dice="1-4", left=5, tops={4: "hydras"}),
    row(clause("GL-H11"), "second dot of 1", "go 4b 5b", "gl.hydra", dice="1-4", left=5, tops={5: "hydras"}),
    row(near_miss("GL-H11"), "second dot of 1, played otherwise", "go 4b 5b", "gl.hydra-protected", dice="1-4", left=5,
        tops={5: "hydras"}, options={"hydra_dot_counts": False}),
    row(clause("GL-H12"), "third dot, one skipped", "go 5b 6b", "gl.hydra-protected", "moved=2; dots_skipped=1",
        ships="3b 4b 8d", dice="2-4", left=5, tops={6: "hydras"}),
    row(near_miss("GL-H12"), "third dot, none skipped", "go 4b 5b 6b", "gl.hydra", "moved=3",
        dice="2-4", left=5, tops={6: "hydras"}),
    row(near_miss("GL-H12"), "played otherwise", "go 5b 6b", "gl.hydra", "waits=hydra",
        ships="3b 4b 8d", dice="2-4", left=5, tops={6: "hydras"}, options={"skipped_dots_count": True}),
    row(clause("GL-H13"), "a boost before it", "go 4b 5b", "gl.hydra", "waits=hydra; left=6",
        cited=False, dice="1-4", left=5, tops={4: "boosts", 5: "hydras"}),
    row(near_miss("GL-H13"), "played otherwise", "go 4b 5b", "gl.hydra-protected", "waits=-; left=6",
        dice="1-4", left=5, tops={4: "boosts", 5: "hydras"}, options={"boosts_protect": True}),
    row(clause("GL-H14"), "a bust that ends on it", "go 4b 5b", "gl.hydra-protected", "fish=2; left=0",
        dice="2-4-1", left=2, tops={5: "hydras"}),
    row(near_miss("GL-H14"), "played otherwise", "go 4b 5b", "gl.hydra", "waits=hydra; left=0",
        dice="2-4-1", left=2, tops={5: "hydras"}, options={"protected_at_end": False}),
    row(near_miss("GL-H14"), "played otherwise, not at the end", "go 4b 5b", "gl.hydra-protected", "left=1",
        dice="2-4", left=3, tops={5: "hydras"}, options={"protected_at_end": False}),
    row(clause("GL-H15"), "nothing is said", "go 4b", "gl.hydra-protected", "fish=2; waits=-",
        dice="2-4", left=5, tops={4: "hydras"}),
    row(near_miss("GL-H15"), "not protected", "go 4b", "gl.hydra", "waits=hydra", **HYDRA),
]  # fmt: skip


@pytest.mark.parametrize(("script", "code", "after", "wanted", "given"), [*CHARYBDIS, *SCYLLA, *FEEDING, *PROTECTION])
def test_obstacles(script: str, code: str, after: str, wanted: tuple[str, ...], given: dict[str, Any]) -> None:
    hold(script, code, after, wanted, given)


ROLLS = "; ".join(f"{seat}: nav 2; {seat}: move 4; {seat}: done" for seat in (2, 3))
"""Seats 2 and 3 roll."""


def to_the_next_round(tops: dict[int, str], dice: str) -> Any:
    """Seat 1 has come to place 5 with its last movement, and all have rolled again, seat 1 as `dice` tells."""
    made = board("4b 8a 8d", left=1, tops=tops, seat={2: {"played": True}, 3: {"played": True}}, fleece=1)
    run(made, f"go 5b; end; {dice}; 1: done; {ROLLS}")
    assert seen(made, "turn") == "1"
    return made


@clause("GL-V5", "GL-V6")
@near_miss("GL-V5", "GL-V6")
@pytest.mark.parametrize(("to", "code"), [("5a2", "gl.step"), ("6b", "gl.charybdis")])
def test_a_charybdis_is_left_in_the_next_round_by_the_dice_of_that_round(to: str, code: str) -> None:
    """Its Navigation die showed 2 when the ship came there."""
    made = to_the_next_round({5: "charybdis"}, "1: nav 1; 1: move 6")
    assert run(made, f"go {to}")[0].code == code


@clause("GL-Y6", "GL-Y7")
@near_miss("GL-Y6", "GL-Y7")
@pytest.mark.parametrize(
    ("rerolls", "to", "code", "fish"),
    [(2, "6b", "gl.scylla", "0"), (1, "6b", "gl.step", "0"), (2, "6a", "gl.step", "0"), (0, "5b2", "gl.step", "0")],
)
def test_fish_spent_on_rolls_are_gone_when_a_scylla_is_left(rerolls: int, to: str, code: str, fish: str) -> None:
    again = "; 1: again navigation; 1: nav 2" * rerolls
    made = to_the_next_round({5: "scylla"}, f"1: nav 1{again}; 1: move 6")
    assert run(made, f"go {to}")[0].code == code
    assert seen(made, "fish") == fish


@clause("GL-H6")
@near_miss("GL-H6")
def test_a_ship_that_a_hydra_stopped_leaves_in_its_next_turn_and_pays_nothing() -> None:
    far = {1: {"dots_moved": 6, "fish": 0}, 2: {"played": True}, 3: {"played": True}}
    made = board("3b 8a 8d", left=5, tops={4: "hydras"}, seat=far, fleece=1)
    assert run(made, "go 4b")[-1].code == "gl.hydra-stops"
    run(made, f"end; 1: nav 1; 1: move 6; 1: done; {ROLLS}")
    assert run(made, "feed")[0].code == "gl.hydra-left-free"
    assert run(made, "go 5b")[0].code == "gl.step"
    assert (seen(made, "at"), seen(made, "waits"), seen(made, "stopped")) == ("5b", "-", "False")
