"""Bonuses and the Starting Line, clause by clause, each with a near miss that goes the other way."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.greece_lightning.script import board, hold, row, run

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss

ICON: dict[str, Any] = {"left": 5}
FISH: dict[str, Any] = {"left": 5, "tops": {4: "fish"}}
FAVOR: dict[str, Any] = {"left": 5, "tops": {4: "favors"}}
WEDGE: dict[str, Any] = {"left": 5, "tops": {4: "wedges", 5: "wedges-too", 6: "wedges-three"}}
BOOST: dict[str, Any] = {"left": 2, "tops": {4: "boosts"}}
BEFORE: dict[str, Any] = {"ships": "12b 8a 8d", "left": 5}
"""The next dot is on the Starting Line."""
ON: dict[str, Any] = {"ships": "1b 8a 8d", "left": 5}
"""Seat 1 stands on the Starting Line."""

BONUSES = [
    row(clause("GL-B1"), "a Fish", "go 4b", "gl.bonus", "fish=2; supply=10", fish="1", **FISH),
    row(near_miss("GL-B1"), "no icon", "go 4b", "gl.step", "fish=1", fish="1", **ICON),
    row(clause("GL-B2"), "never a fourth", "go 4b", "gl.bonus-full", "fish=3", fish="3", **FISH),
    row(clause("GL-B2"), "a fourth counted", "count fish 4", "gl.too-many", "fish=3", fish="3", **ICON),
    row(near_miss("GL-B2"), "three counted", "count fish 3", "gl.counted", "fish=3", fish="3", **ICON),
    row(near_miss("GL-B2"), "a third", "go 4b", "gl.bonus", "fish=3", fish="2", **FISH),
    row(clause("GL-B3"), "three already", "go 4b", "gl.bonus-full", "fish=3; supply=9", fish="3", **FISH),
    row(near_miss("GL-B3"), "two", "go 4b", "gl.bonus", "fish=3; supply=9", fish="2", **FISH),
    row(clause("GL-B4"), "a Favor", "go 4b", "gl.bonus", "facedown=1; deck=35", **FAVOR),
    row(near_miss("GL-B4"), "no icon", "go 4b", "gl.step", "facedown=0; deck=36", **ICON),
    row(clause("GL-B5"), "somebody saw it", "conduct looks-at-favor", "gl.conduct", "facedown=1", facedown="1", **ICON),
    row(near_miss("GL-B5"), "the used ones", "conduct looks-at-used-favors", "gl.conduct-fine", "facedown=1",
        facedown="1", **ICON),
    row(clause("GL-B6"), "a third", "go 4b", "gl.bonus-full", "facedown=2; deck=34", facedown="2", **FAVOR),
    row(clause("GL-B6"), "a third on the line", "go 1b", "gl.line", "facedown=2; fish=3; waits=wedge",
        cited=False, facedown="2", **BEFORE),
    row(near_miss("GL-B6"), "a second", "go 4b", "gl.bonus", "facedown=2; deck=34", facedown="1", **FAVOR),
    row(clause("GL-B7"), "a wedge", "go 4b; drawn fish", "gl.wedge-drawn", "drawn=fish; stack=12", **WEDGE),
    row(near_miss("GL-B7"), "no icon", "go 4b; drawn fish", "gl.no-wedge-drawn", "drawn=-", **ICON),
    row(clause("GL-B8"), "laid in the same turn", "go 4b; drawn fish; lay fish 7", "gl.drawn-now", "top7=w7", **WEDGE),
    row(near_miss("GL-B8"), "laid in the next", "lay fish 7", "gl.placed", "top7=fish", step="place", wedges="fish"),
    row(clause("GL-B9"), "a second of three players", "go 4b; drawn fish; go 5b", "gl.bonus-full", "drawn=fish",
        **WEDGE),
    row(near_miss("GL-B9"), "the first", "go 4b", "gl.bonus", "waits=wedge", **WEDGE),
    row(clause("GL-B10"), "a third of two players", "go 4b; drawn fish; go 5b; drawn fork; go 6b", "gl.bonus-full",
        "drawn=fish fork", ships="3b 8a", **WEDGE),
    row(near_miss("GL-B10"), "a second", "go 4b; drawn fish; go 5b", "gl.bonus", "waits=wedge", ships="3b 8a", **WEDGE),
    row(clause("GL-B11"), "three more", "go 4b", "gl.bonus", "left=5", **{**BOOST, "left": 3}),
    row(near_miss("GL-B11"), "no icon", "go 4b", "gl.step", "left=2", left=3),
    row(clause("GL-B12"), "on the last dot", "go 4b", "gl.bonus", "left=3", **{**BOOST, "left": 1}),
    row(near_miss("GL-B12"), "played otherwise", "go 4b", "gl.bonus-full", "left=0",
        options={"boost_on_last_dot": False}, **{**BOOST, "left": 1}),
    row(near_miss("GL-B12"), "played otherwise, not the last", "go 4b", "gl.bonus", "left=4",
        options={"boost_on_last_dot": False}, **BOOST),
    row(clause("GL-B13"), "two of them: ten dots in all", "go 4b 5b 6b 7b 8b 9b 10b 11b 12b 1b", "gl.step", "left=0",
        cited=False, ships="3b 8a 8d", left=4, tops={5: "boosts", 8: "boosts-too"}),
    row(clause("GL-B13"), "the second of two", "go 4b 5b", "gl.bonus", "left=6",
        left=2, tops={4: "boosts", 5: "boosts-too"}),
    row(near_miss("GL-B13"), "played otherwise", "go 4b 5b", "gl.bonus-full", "left=3",
        left=2, tops={4: "boosts", 5: "boosts-too"}, options={"every_boost_counts": False}),
    row(clause("GL-B15"), "declined", "go 4b no", "gl.bonus", "fish=3", **FISH),
    row(near_miss("GL-B15"), "played otherwise", "go 4b no", "gl.declined", "fish=2",
        options={"bonuses_optional": True}, **FISH),
    row(near_miss("GL-B15"), "played otherwise, not declined", "go 4b", "gl.bonus", "fish=3",
        options={"bonuses_optional": True}, **FISH),
]  # fmt: skip

LINE = [
    row(clause("GL-L1"), "landing", "go 1b", "gl.line", "laps=1", **BEFORE),
    row(clause("GL-L1"), "crossing", "go 1b; drawn fish; go 2b", "gl.step", "laps=1; at=2b", cited=False, **BEFORE),
    row(near_miss("GL-L1"), "just before it", "go 12b", "gl.step", "laps=0", ships="11b 8a 8d", left=5),
    row(clause("GL-L2"), "one of each", "go 1b", "gl.line", "fish=2; facedown=1; waits=wedge", fish="1", **BEFORE),
    row(near_miss("GL-L2"), "off the line", "go 2b", "gl.step", "fish=1; facedown=0; waits=-", fish="1", **ON),
    row(clause("GL-L3"), "all full", "go 1b", "gl.line", "laps=1; fish=3; facedown=2; drawn=fish; waits=-",
        fish="3", facedown="2", drawn="fish", **BEFORE),
    row(near_miss("GL-L3"), "one below each limit", "go 1b", "gl.line", "fish=3; facedown=2; waits=wedge",
        fish="2", facedown="1", **BEFORE),
    row(near_miss("GL-L3"), "one wedge of two with two players", "go 1b", "gl.line", "drawn=fish; waits=wedge",
        drawn="fish", **{**BEFORE, "ships": "12b 8a"}),
    row(clause("GL-L4"), "sailing off", "go 2b", "gl.step", "laps=1; facedown=0", laps="1", cited=False, **ON),
    row(near_miss("GL-L4"), "sailing on", "go 1b", "gl.line", "laps=2", laps="1", **BEFORE),
    row(near_miss("GL-L4"), "played otherwise", "go 2b", "gl.line", "laps=2; facedown=1", laps="1",
        options={"leaving_line_counts": True}, **ON),
    row(clause("GL-L5"), "the start", "go 2b", "gl.step", "laps=0; facedown=0", cited=False, **ON),
    row(near_miss("GL-L5"), "a circle later", "go 1b", "gl.line", "laps=1", **BEFORE),
    row(near_miss("GL-L5"), "played otherwise", "go 2b", "gl.line", "laps=1; facedown=1",
        options={"start_counts": True}, **ON),
    row(clause("GL-L7"), "sailing on", "go 2b 3b", "gl.step", "laps=1", laps="1", cited=False, **ON),
    row(clause("GL-L7"), "the marker set back", "marker 0", "gl.lap-marker-wrong", "laps=1", laps="1", **ON),
    row(near_miss("GL-L7"), "the marker where it was", "marker 1", "gl.lap-marker", "laps=1", laps="1", **ON),
    row(near_miss("GL-L7"), "the next lap", "go 1b", "gl.line", "laps=2", laps="1", **BEFORE),
]  # fmt: skip


@pytest.mark.parametrize(("script", "code", "after", "wanted", "given"), [*BONUSES, *LINE])
def test_bonuses_and_line(script: str, code: str, after: str, wanted: tuple[str, ...], given: dict[str, Any]) -> None:
    hold(script, code, after, wanted, given)


@clause("GL-L6")
@near_miss("GL-L6")
def test_the_lap_comes_before_the_gains_and_ends_the_race_before_they_are_taken() -> None:
    for laps, ends in ((1, True), (0, False)):
        made = board(laps=str(laps), fish="1", **BEFORE)
        (_, line) = run(made, "go 1b")
        assert [effect.what for effect in line.effects] == ["laps", "fish", "stack", "facedown"]
        assert "GL-L6" in line.clauses
        assert (line.facts["ends"], made.state.ending) == (ends, ends)
        assert made.state.waiting, "the wedge is drawn all the same"


@clause("GL-B1", "GL-B4", "GL-B7", "GL-M7")
def test_several_icons_on_one_dot_are_taken_in_their_order() -> None:
    made = board(ships="3c 8a 8d", left=5, fish="1", tops={4: "mixed"})
    rulings = run(made, "go 4c")
    assert [ruling.facts.get("mark") for ruling in rulings] == [None, "fish", "favor", "wedge"]
    assert [effect.what for ruling in rulings for effect in ruling.effects] == ["fish", "facedown", "stack"]


@clause("GL-P13")
@near_miss("GL-P13")
def test_a_fish_before_a_hydra_feeds_it_and_one_behind_it_comes_too_late() -> None:
    far = {1: {"dots_moved": 6}}
    made = board(ships="3a 8a 8d", left=5, fish="0", tops={4: "mixed"}, seat=far)
    assert [ruling.code for ruling in run(made, "go 4a")] == ["gl.step", "gl.bonus", "gl.hydra"]
    assert run(made, "feed")[0].code == "gl.fed"
    made = board(ships="3b 8a 8d", left=5, fish="0", tops={4: "mixed"}, seat=far)
    assert [ruling.code for ruling in run(made, "go 4b")] == ["gl.step", "gl.hydra-stops", "gl.bonus"]
    assert made.state.seat_state(1).movement_left == 0
