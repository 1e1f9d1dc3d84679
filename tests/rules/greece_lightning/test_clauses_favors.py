"""Favors drawn, revealed, given, used, discarded, clause by clause, each with a near miss that goes the other way."""

from __future__ import annotations

from typing import Any

import pytest

from rules.greece_lightning.events import Reveal
from rules.rulings import Verdict
from tests.rules.greece_lightning.script import board, hold, row, run, seen

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss

ONE: dict[str, Any] = {"step": "reveal", "facedown": "1"}
"""Seat 1 has moved and has a Favor to reveal."""
BOTH: dict[str, Any] = {"step": "reveal", "facedown": "2"}
TWO: dict[str, Any] = {"ships": "3b 8a", "step": "reveal", "facedown": "1"}
"""Two play."""
FULL: dict[str, Any] = {"step": "reveal", "facedown": "1", "favors": "janus+apollo demeter+hephaestus -"}
"""The boards of seats 1 and 2 are full."""
FULL_THIRD: dict[str, Any] = {"step": "reveal", "facedown": "1", "favors": "- - janus+apollo"}
HYDRA: dict[str, Any] = {"left": 5, "fish": "0", "seat": {1: {"dots_moved": 5}}, "tops": {4: "hydras"}}
"""Seat 1 has no Fish and is a dot before a Hydra that nothing protects it from."""

FAVORS = [
    row(clause("GL-F1"), "before the move", "reveal zeus", "gl.too-early", "facedown=1", left=2, facedown="1"),
    row(near_miss("GL-F1"), "after the move", "reveal zeus", "gl.bolt", "facedown=0", **ONE),
    row(near_miss("GL-F1"), "all movement used, and nobody said that the move is finished", "go 4b; reveal poseidon",
        "gl.boat", "facedown=0; favors=poseidon; wake=4b; turn=2", left=1, facedown="1"),
    row(clause("GL-F1"), "all movement used, and a Hydra to be fed", "go 4b; reveal poseidon", "gl.waits", "facedown=1",
        cited=False, left=1, facedown="1", seat={1: {"dots_moved": 5}}, tops={4: "hydras"}),
    row(clause("GL-F1"), "stopped, by a reading that keeps what was drawn", "go 4b; reveal poseidon", "gl.too-early",
        "facedown=1", left=3, fish="0", facedown="1", seat={1: {"dots_moved": 5}}, tops={4: "hydras"},
        options={"stopped_reveals": False}),
    row(clause("GL-F2"), "shown", "conduct shows-favor", "gl.conduct", **ONE),
    row(clause("GL-F2"), "drawn unseen", "go 4b", "gl.bonus", "facedown=1; favors=-", left=2, tops={4: "favors"}),
    row(near_miss("GL-F2"), "revealed in time", "reveal poseidon", "gl.boat", "favors=poseidon", **ONE),
    row(clause("GL-F3"), "a third", "go 4b 5b 6b", "gl.bonus-full", "facedown=2", left=5,
        tops={4: "favors", 5: "favors-too", 6: "favors-three"}),
    row(near_miss("GL-F3"), "a second", "go 4b 5b", "gl.bonus", "facedown=2", left=5,
        tops={4: "favors", 5: "favors-too"}),
    row(clause("GL-F4"), "both at once", "reveal zeus with 1", "gl.one-favor", "facedown=2", **BOTH),
    row(clause("GL-F4"), "before the first is done", "reveal aphrodite; reveal zeus", "gl.waits", "facedown=1", **BOTH),
    row(near_miss("GL-F4"), "one after the other", "reveal zeus; reveal artemis", "gl.bolt", "fish=3; facedown=0",
        **BOTH),
    row(clause("GL-F5"), "at once", "reveal artemis", "gl.bolt", "fish=3; discard=artemis; favors=-", **ONE),
    row(clause("GL-F5"), "not kept", "reveal aphrodite; discard aphrodite", "gl.must-use", "waits=use", **ONE),
    row(near_miss("GL-F5"), "a boat is kept", "reveal poseidon", "gl.boat", "favors=poseidon; discard=-", **ONE),
    row(clause("GL-F6"), "one slot left", "reveal poseidon", "gl.boat", "favors=janus poseidon", favors="janus", **ONE),
    row(near_miss("GL-F6"), "no slot left", "reveal poseidon", "gl.boat-full", "favors=janus apollo; waits=boat",
        **FULL),
    row(clause("GL-F7"), "an old one goes", "reveal poseidon; discard apollo", "gl.replaced",
        "favors=janus poseidon; discard=apollo", **FULL),
    row(clause("GL-F7"), "the new one goes", "reveal poseidon; discard poseidon", "gl.discarded-new",
        "favors=janus apollo; discard=poseidon", **FULL),
    row(near_miss("GL-F7"), "one that is not there", "reveal poseidon; discard zeus", "gl.not-held", "waits=boat",
        **FULL),
    row(near_miss("GL-F7"), "without need", "discard janus", "gl.nothing-to-discard", "favors=janus", left=2,
        favors="janus"),
    row(clause("GL-F8"), "to seat 3", "reveal eris; give 3", "gl.received", "favors3=eris; favors=-", **ONE),
    row(clause("GL-F8"), "to oneself", "reveal eris; give 1", "gl.not-yourself", "waits=trident", **ONE),
    row(clause("GL-F8"), "to nobody", "reveal eris; end", "gl.waits", "waits=trident", **ONE),
    row(near_miss("GL-F8"), "no trident", "give 3", "gl.no-trident", "favors3=-", **ONE),
    row(clause("GL-F9"), "face down", "reveal eris; give 3 down", "gl.face-up", "favors3=-", **ONE),
    row(near_miss("GL-F9"), "face up", "reveal eris; give 3", "gl.received", "favors3=eris", **ONE),
    row(near_miss("GL-F9"), "played otherwise", "reveal eris; give 3 down", "gl.received", "favors3=eris",
        options={"tridents_face_up": False}, **ONE),
    row(clause("GL-F10"), "makes room", "reveal eris; give 3; 3: discard janus", "gl.replaced",
        "favors3=apollo eris; discard=janus", **FULL_THIRD),
    row(clause("GL-F10"), "not the new one", "reveal eris; give 3; 3: discard eris", "gl.not-the-new-one",
        "favors3=janus apollo; waits=room", **FULL_THIRD),
    row(near_miss("GL-F10"), "not the giver's choice", "reveal eris; give 3; 1: discard janus",
        "gl.nothing-to-discard", "favors3=janus apollo", **FULL_THIRD),
    row(clause("GL-F11"), "three on the board", "count favors 3", "gl.too-many", "fact excess=1", favors="janus+apollo",
        left=2),
    row(near_miss("GL-F11"), "two", "count favors 2", "gl.counted", favors="janus+apollo", left=2),
    row(clause("GL-F12"), "a full board", "reveal eris; give 3", "gl.make-room", "waits=room", **FULL_THIRD),
    row(near_miss("GL-F12"), "a board with room", "reveal eris; give 2", "gl.received", "discard=eris; waits=-",
        **FULL_THIRD),
    row(clause("GL-F13"), "off the board", "use poseidon", "gl.used", "favors=-; discard=poseidon", left=2,
        favors="poseidon"),
    row(clause("GL-F13"), "still there", "use poseidon; count favors 1", "gl.count-differs", "fact expected=0", left=2,
        favors="poseidon"),
    row(near_miss("GL-F13"), "used twice", "use poseidon; use poseidon", "gl.not-held", "left=4", left=2,
        favors="poseidon"),
    row(near_miss("GL-F13"), "not used", "count favors 1", "gl.counted", "favors=poseidon", left=2, favors="poseidon"),
    row(clause("GL-F14"), "on the pile", "use poseidon; count discard 1", "gl.counted", "discard=poseidon", left=2,
        favors="poseidon"),
    row(near_miss("GL-F14"), "under the deck", "use poseidon; count discard 0", "gl.count-differs", "discard=poseidon",
        left=2, favors="poseidon"),
    row(clause("GL-F15"), "made anew", "go 4b", "gl.bonus", "facedown=1; deck=2; discard=-", left=2,
        tops={4: "favors"}, discard=("zeus", "nike", "gaia"), deck=0),
    row(clause("GL-F15"), "made anew before a draw", "shuffle favors", "gl.new-deck", "deck=3; discard=-", left=2,
        discard=("zeus", "nike", "gaia"), deck=0),
    row(clause("GL-F15"), "while all roll", "shuffle favors", "gl.new-deck", "deck=1; discard=-", turn=None,
        discard=("zeus",), deck=0),
    row(near_miss("GL-F15"), "shuffled with a card in the deck", "shuffle favors", "gl.deck-not-empty",
        "deck=1; discard=zeus nike gaia", left=2, discard=("zeus", "nike", "gaia"), deck=1),
    row(near_miss("GL-F15"), "nothing to shuffle", "shuffle favors", "gl.deck-not-empty", "deck=0", left=2, deck=0),
    row(near_miss("GL-F15"), "one left", "go 4b", "gl.bonus", "facedown=1; deck=0; discard=zeus nike gaia", left=2,
        tops={4: "favors"}, discard=("zeus", "nike", "gaia"), deck=1),
    row(clause("GL-F16"), "neither deck nor pile", "go 4b", "gl.bonus-full", "facedown=0; deck=0", left=2,
        tops={4: "favors"}, deck=0),
    row(near_miss("GL-F16"), "a card of the pile", "go 4b", "gl.bonus", "facedown=1; deck=0", left=2,
        tops={4: "favors"}, deck=0, discard=("zeus",)),
    row(clause("GL-F17"), "sails on after the move", "reveal nike; 1: go 4b 5b 6b", "gl.step", "at=6b; left=0",
        cited=False, **ONE),
    row(clause("GL-F17"), "ignores Hydras", "use hephaestus; go 4b", "gl.hydra-passed", "left=4", favors="hephaestus",
        **HYDRA),
    row(clause("GL-F17"), "at the Hydra", "go 4b; use hephaestus; go 5b", "gl.step", "at=5b", cited=False,
        favors="hephaestus", **HYDRA),
    row(clause("GL-F17"), "Fish at the Hydra", "go 4b; use demeter; feed", "gl.fed", "fish=1; left=4", cited=False,
        favors="demeter", **HYDRA),
    row(near_miss("GL-F17"), "the help is not wanted", "go 4b; fight", "gl.hydra-stops", "left=0; favors=demeter",
        favors="demeter", **HYDRA),
    row(near_miss("GL-F17"), "a card that does not help", "go 4b", "gl.hydra-stops", "left=0", favors="poseidon",
        **HYDRA),
    row(clause("GL-F17"), "any path out of a whirlpool", "use janus; go 4b2", "gl.step", "at=4b2; fish=0",
             cited=False, left=3, ships="4b 8a 8d", fish="0", favors="janus", tops={4: "scylla"}),
    row(clause("GL-F18"), "a card for rolling, in the turn", "use apollo", "gl.not-the-time", "favors=apollo", left=2,
        favors="apollo"),
    row(clause("GL-F18"), "a card of the turn, before the move", "use demeter", "gl.used", "fish=3", step="place",
        wedges="fish", left=2, favors="demeter"),
    row(near_miss("GL-F18"), "a card of the turn, in another's", "2: use demeter", "gl.not-the-time", "fish2=2",
        left=2, favors="- demeter"),
    row(clause("GL-D4"), "no choice", "reveal eris", "gl.received", "discard=eris; waits=-", **TWO),
    row(near_miss("GL-D4"), "three play", "reveal eris", "gl.trident", "favors2=-; waits=trident", **ONE),
    row(clause("GL-B5"), "looked at", "conduct looks-at-favor", "gl.conduct", **ONE),
    row(near_miss("GL-B5"), "looks at used ones", "conduct looks-at-used-favors", "gl.conduct-fine", **ONE),
]  # fmt: skip


@pytest.mark.parametrize(("script", "code", "after", "wanted", "given"), FAVORS)
def test_favors(script: str, code: str, after: str, wanted: tuple[str, ...], given: dict[str, Any]) -> None:
    hold(script, code, after, wanted, given)


@pytest.mark.parametrize("card", ["zeus", "poseidon", "eris"])
def test_a_card_of_which_all_copies_lie_elsewhere_was_misread(card: str) -> None:
    made = board(**ONE)
    copies = made.state.given.favors[card].copies
    made = board(discard=(card,) * (copies - 1), **ONE)
    assert made.submit(Reveal(1, card))[0].verdict is Verdict.ACCEPTED
    made = board(discard=(card,) * copies, **ONE)
    ruling = made.submit(Reveal(1, card))[0]
    assert (ruling.code, ruling.refusal) == ("gl.card-elsewhere", "unreadable")


@pytest.mark.parametrize(
    ("script", "code", "clause_id"),
    [
        ("reveal aphrodite; 1: use aphrodite", "gl.use-on-whom", "TC-2"),
        ("reveal aphrodite; 1: use aphrodite on 1", "gl.use-not-on", "GL-F17"),
        ("reveal aphrodite; 1: use aphrodite on 2", "gl.used", "GL-F5"),
        ("reveal hades; 1: use hades", "gl.use-where", "TC-2"),
        ("reveal hades; 1: use hades at 6", "gl.use-not-there", "GL-F17"),
        ("reveal hades; 1: use hades at 5", "gl.used", "GL-F5"),
    ],
)
def test_a_bolt_that_asks_waits_for_whom_or_where(script: str, code: str, clause_id: str) -> None:
    made = board(tops={5: "fish"}, **ONE)
    ruling = run(made, script)[0]
    assert ruling.code == code
    assert clause_id in ruling.clauses
    assert seen(made, "waits") == ("-" if code == "gl.used" else "use")


def test_tridents_take_effect_by_themselves_at_their_moment() -> None:
    made = board(turn=3, left=0, favors="eris", dice="3-4 2-4 2-4")
    assert run(made, "1: use eris")[0].code == "gl.by-itself"
    rulings = run(made, "3: end")
    assert [ruling.code for ruling in rulings] == ["gl.move-finished", "gl.turn", "gl.trident-works"]
    assert (seen(made, "left"), seen(made, "favors"), seen(made, "discard")) == ("5", "-", "eris")
    made = board(left=0, favors="medusa", seat={2: {"played": True}, 3: {"played": True}})
    run(made, "end")
    assert (seen(made, "phase"), seen(made, "fish"), seen(made, "supply")) == ("rolling", "1", "11")


def test_a_navigation_die_that_counts_double_widens_protection_and_moves_further() -> None:
    made = board(left=6, favors="hermes", tops={7: "hydras"})
    run(made, "use hermes; go 4b 5b 6b")
    assert seen(made, "left") == "5"
    assert run(made, "go 7b")[1].code == "gl.hydra-protected"
    assert run(board(left=6, tops={6: "hydras"}), "go 4b 5b 6b")[1].code == "gl.hydra"


def test_doubling_at_the_hydra_passes_it_when_protection_then_reaches() -> None:
    made = board(left=6, favors="hermes", fish="0", tops={6: "hydras"})
    assert run(made, "go 4b 5b 6b")[1].code == "gl.hydra"
    assert seen(made, "waits") == "hydra"
    run(made, "use hermes; go 7b")
    assert (seen(made, "at"), seen(made, "left")) == ("7b", "4")
