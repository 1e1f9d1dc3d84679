"""Wedges on the course and the move, clause by clause, each with a near miss that goes the other way."""

from __future__ import annotations

from typing import Any

import pytest

from rules.greece_lightning.events import Step
from rules.rulings import Verdict
from tests.rules.greece_lightning.box import STACK
from tests.rules.greece_lightning.course_parts import at
from tests.rules.greece_lightning.script import board, hold, row, run, seen

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss

BUSY: dict[str, Any] = {"ships": "3b 4b 8d", "left": 5}
"""Seat 2 stands on the next dot of seat 1."""
FREE: dict[str, Any] = {"ships": "3b 4c 8d", "left": 5}
"""Seat 2 stands beside it."""
PLACE: dict[str, Any] = {"step": "place", "wedges": "fish", "left": 6}
"""Seat 1 has a wedge to lay."""
TWO: dict[str, Any] = {"ships": "3b 8a", "step": "place", "wedges": "fish+hydras"}
"""Two play, and seat 1 has two wedges to lay."""
LINE: dict[str, Any] = {"ships": "12b 1b 8d", "left": 5}
"""Seat 2 stands on the Starting Line, on the next dot of seat 1."""

WEDGES = [
    row(clause("GL-W1"), "the one it drew", "lay fish 5", "gl.placed", "top5=fish; wedges=-", **PLACE),
    row(clause("GL-W1"), "one that it did not draw", "lay hydras 5", "gl.other-wedge", "top5=w5", **PLACE),
    row(near_miss("GL-W1"), "the other of two", "lay hydras 5", "gl.placed", "top5=hydras; wedges=fish", **TWO),
    row(clause("GL-W2", "GL-O5"), "kept back", "go 4b", "gl.place-first", "at=3b; wedges=fish", **PLACE),
    row(near_miss("GL-W2", "GL-O5"), "laid", "lay fish 5; go 4b", "gl.step", "at=4b; wedges=-", **PLACE),
    row(clause("GL-W3"), "two at once", "lay fish 5 with 1", "gl.one-wedge", "top5=w5; wedges=fish hydras", **TWO),
    row(near_miss("GL-W3"), "one on the other", "lay fish 5; lay hydras 5", "gl.placed", "top5=hydras", **TWO),
    row(clause("GL-W4"), "askew", "lay fish 5 crooked", "gl.not-aligned", "top5=w5", **PLACE),
    row(near_miss("GL-W4"), "straight", "lay fish 5", "gl.placed", "top5=fish", **PLACE),
    row(clause("GL-W5"), "on the line", "lay fish 1", "gl.on-line", "top1=w1", **PLACE),
    row(near_miss("GL-W5"), "beside the line", "lay fish 2", "gl.placed", "top2=fish", **PLACE),
    row(near_miss("GL-W5"), "where the line is not", "lay fish 1", "gl.placed", "top1=fish", line=7, **PLACE),
    row(clause("GL-W6"), "under another's ship", "lay fish 8", "gl.on-ship", "top8=w8", **PLACE),
    row(clause("GL-W6"), "under the own ship", "lay fish 3", "gl.on-ship", "top3=w3", **PLACE),
    row(near_miss("GL-W6"), "before a ship", "lay fish 9", "gl.placed", "top9=fish", **PLACE),
    row(clause("GL-W7"), "the fifth", "lay fish 5", "gl.placed", "fact height=6",
        tops={5: "wedges/wedges-too/boosts/boosts-too"}, **PLACE),
    row(near_miss("GL-W7"), "a stack with a ship", "lay fish 3", "gl.on-ship", "top3=boosts-too",
        tops={3: "wedges/boosts-too"}, **PLACE),
    row(clause("GL-W8"), "a second of three players", "lay fish 5; lay hydras 6", "gl.no-wedge-due",
        "top5=fish; top6=w6", **PLACE),
    row(near_miss("GL-W8"), "the first", "lay fish 5", "gl.placed", "step=move", **PLACE),
    row(clause("GL-W9"), "a third of two players", "lay fish 5; lay hydras 6; lay scylla 7", "gl.no-wedge-due",
        "top7=w7", **TWO),
    row(near_miss("GL-W9"), "two", "lay fish 5; lay hydras 6", "gl.placed", "top6=hydras; step=move", **TWO),
    row(clause("GL-W10"), "covered", "lay fish 4", "gl.placed", "top4=fish", tops={4: "hydras"}, **PLACE),
    row(near_miss("GL-W10"), "a dot that is covered", "go 5c2", "gl.no-such-dot", "at=4b",
        ships="4b 8a 8d", left=5, tops={5: "fork/fish"}),
    row(clause("GL-W11"), "a Hydra two ahead of another", "lay hydras 10", "gl.placed", "top10=hydras", **TWO),
    row(clause("GL-W11"), "behind the own ship", "lay fish 2", "gl.placed", "top2=fish", **PLACE),
    row(near_miss("GL-W11"), "ahead, and a ship there", "lay fish 8", "gl.on-ship", "top8=w8", **PLACE),
    row(clause("GL-W12"), "a stray wake token", "lay fish 5", "gl.on-wake", "top5=w5",
        seat={2: {"astray": at("5a")}}, **PLACE),
    row(clause("GL-W12"), "one seen astray, put back", "2: wake 5a; 2: wake 8a; 1: lay fish 5", "gl.placed",
        "top5=fish", cited=False, **PLACE),
    row(near_miss("GL-W12"), "one seen astray, still there", "2: wake 5a; 1: lay fish 5", "gl.on-wake", "top5=w5",
        **PLACE),
    row(near_miss("GL-W12"), "beside it", "lay fish 6", "gl.placed", "top6=fish",
        seat={2: {"astray": at("5a")}}, **PLACE),
    row(near_miss("GL-W12"), "played otherwise", "lay fish 5", "gl.placed", "top5=fish",
        seat={2: {"astray": at("5a")}}, options={"stray_wake_bars": False}, **PLACE),
]  # fmt: skip

MOVES = [
    row(clause("GL-M1"), "seven dots", "go 4b 5b 6b 7b 8b 9b 10b", "gl.step", "at=10b; left=0", left=7),
    row(near_miss("GL-M1"), "an eighth", "go 4b 5b 6b 7b 8b 9b 10b 11b", "gl.no-movement", "at=10b", left=7),
    row(clause("GL-M2"), "sideways", "go 3c", "gl.no-path", "at=3b; left=5", left=5),
    row(clause("GL-M2"), "two dots at once", "go 5b", "gl.no-path", "at=3b; left=5", left=5),
    row(near_miss("GL-M2"), "the next dot", "go 4b", "gl.step", "at=4b; left=4", left=5),
    row(clause("GL-M3"), "back", "go 2b", "gl.backwards", "at=3b", left=5),
    row(clause("GL-M3"), "back over the line", "go 12b", "gl.backwards", "at=1b", ships="1b 8a 8d", left=5),
    row(near_miss("GL-M3"), "on over the line", "go 1b", "gl.step", "at=1b", ships="12b 8a 8d", left=5),
    row(clause("GL-M4"), "three dots", "go 4b 5b 6b", "gl.step", "left=2", left=5),
    row(near_miss("GL-M4"), "a skipped one", "go 5b", "gl.step", "left=4; at=5b", **BUSY),
    row(clause("GL-M5"), "one movement left", "go 4b; end", "gl.use-all", "left=1; step=move", left=2),
    row(near_miss("GL-M5"), "none left", "go 4b 5b; end", "gl.move-finished", "turn=2", left=2),
    row(clause("GL-M6"), "straight on", "go 6b", "gl.step", "at=6b", ships="5b 8a 8d", left=5, tops={5: "fork"}),
    row(clause("GL-M6"), "outwards", "go 6c", "gl.step", "at=6c", ships="5b 8a 8d", left=5, tops={5: "fork"}),
    row(clause("GL-M6"), "by a dot more", "go 5c2", "gl.step", "at=5c2", ships="5b 8a 8d", left=5, tops={5: "fork"}),
    row(near_miss("GL-M6"), "no fork here", "go 6b", "gl.no-path", "at=5a", ships="5a 8a 8d", left=5, tops={5: "fork"}),
    row(clause("GL-M7"), "a Fish at once", "go 4b", "gl.bonus", "fish=3; left=4", left=5, tops={4: "fish"}),
    row(clause("GL-M7"), "a wedge not yet seen", "go 4b 5b", "gl.waits", "at=4b", left=5, tops={4: "wedges"}),
    row(near_miss("GL-M7"), "seen", "go 4b; drawn fish; go 5b", "gl.step", "at=5b; drawn=fish",
        left=5, tops={4: "wedges"}),
    row(clause("GL-M8"), "a Favor passed", "go 4b 5b", "gl.bonus", "facedown=1; left=1", left=3, tops={5: "favors"}),
    row(near_miss("GL-M8"), "a Favor on another path", "go 4d 5d 6d", "gl.step", "facedown=0; fish=2",
        ships="3d 8a 8c", left=3, tops={5: "mixed"}),
    row(clause("GL-M9"), "a ship ahead", "go 5b", "gl.step", "at=5b", **BUSY),
    row(near_miss("GL-M9"), "a ship beside", "go 5b", "gl.no-path", "at=3b", **FREE),
    row(clause("GL-M10"), "three movement, second dot taken", "go 4b 6b 7b", "gl.step", "at=7b; left=0",
        ships="3b 5b 8d", left=3, cited=False),
    row(near_miss("GL-M10"), "no dot taken", "go 4b 5b 6b", "gl.step", "at=6b; left=0", ships="3b 5c 8d", left=3),
    row(clause("GL-M11"), "a Fish under a ship", "go 5b", "gl.step", "fish=2", tops={4: "fish"}, **BUSY),
    row(near_miss("GL-M11"), "a Fish beside a ship", "go 4b", "gl.bonus", "fish=3", tops={4: "fish"}, **FREE),
    row(clause("GL-M12"), "a Hydra under a ship", "go 5b", "gl.step", "waits=-; left=4",
        fish="0", seat={1: {"dots_moved": 5}}, tops={4: "hydras"}, **BUSY),
    row(near_miss("GL-M12"), "a Hydra beside a ship", "go 4b", "gl.hydra-stops", "left=0",
        fish="0", seat={1: {"dots_moved": 5}}, tops={4: "hydras"}, **FREE),
    row(clause("GL-M13"), "a ship on the line", "go 2b", "gl.line", "fish=2; facedown=1; waits=wedge",
        fish="1", **LINE),
    row(near_miss("GL-M13"), "a ship elsewhere", "go 5b", "gl.step", "fish=2; facedown=0; waits=-", **BUSY),
    row(clause("GL-M14"), "a lap for it", "go 2b", "gl.line", "laps=1", **LINE),
    row(near_miss("GL-M14"), "played otherwise", "go 2b", "gl.line", "laps=0; facedown=1",
        options={"skipped_line_counts_lap": False}, **LINE),
    row(clause("GL-M15"), "two in a row", "go 6b", "gl.step", "at=6b; left=4", ships="3b 4b 5b", left=5),
    row(near_miss("GL-M15"), "a gap between", "go 6b", "gl.no-path", "at=3b", ships="3b 4b 7b", left=5),
    row(near_miss("GL-M15"), "one, then the gap", "go 5b", "gl.step", "at=5b", ships="3b 4b 6b", left=5),
    row(clause("GL-M16"), "onto a ship", "go 4b", "gl.occupied", "at=3b", **BUSY),
    row(near_miss("GL-M16"), "beside a ship", "go 4b", "gl.step", "at=4b", **FREE),
    row(clause("GL-M17"), "any way out of a skipped Scylla", "go 4b2", "gl.step", "at=4b2; fish=0",
        fish="0", tops={4: "scylla"}, **BUSY),
    row(clause("GL-M17"), "any way out of a skipped Charybdis", "go 5c", "gl.step", "at=5c",
        dice="1-1", tops={4: "charybdis"}, **BUSY),
    row(near_miss("GL-M17"), "of one that is not skipped", "go 4b2", "gl.scylla", "at=4b",
        ships="4b 8a 8d", left=5, fish="0", tops={4: "scylla"}),
    row(near_miss("GL-M17"), "played otherwise", "go 4b2", "gl.scylla", "at=3b",
        fish="0", tops={4: "scylla"}, options={"skipped_whirlpool_tolls": True}, **BUSY),
    row(clause("GL-M18"), "the own wake token", "go 4b", "gl.step", "at=4b; left=4",
        left=5, seat={1: {"wake": at("4b")}}, cited=False),
    row(near_miss("GL-M18"), "another's ship", "go 4b", "gl.occupied", "at=3b", **BUSY),
    row(clause("GL-M19"), "after the third of seven", "go 4b 5b 6b; use poseidon", "gl.used", "left=6; favors=-",
        left=7, favors="poseidon"),
    row(near_miss("GL-M19"), "before the move", "use poseidon", "gl.not-the-time", "favors=poseidon",
        favors="poseidon", **PLACE),
    row(clause("GL-M20"), "in another's move", "2: use poseidon", "gl.not-the-time", "favors2=poseidon",
        left=5, favors="- poseidon"),
    row(near_miss("GL-M20"), "in the own move", "use poseidon", "gl.used", "left=7; favors=-",
        left=5, favors="poseidon", cited=False),
    row(clause("GL-M21"), "on the way", "go 4b 5b", "gl.step", "wake=3b; at=5b", left=5),
    row(clause("GL-M21"), "seen where the move began", "go 4b 5b; wake 3b", "gl.wake", "at=5b", left=5),
    row(near_miss("GL-M21"), "seen on the way", "go 4b 5b; wake 4b", "gl.wake-astray", "astray=4b", left=5),
    row(near_miss("GL-M21"), "at the end", "go 4b 5b; end", "gl.move-finished", "wake=5b", left=2),
    row(clause("GL-M22"), "at the end", "go 4b; end", "gl.move-finished", "wake=4b", left=1),
    row(clause("GL-M22"), "seen on the old dot", "go 4b; end; 1: wake 3b", "gl.wake-astray", "astray=3b", left=1),
    row(near_miss("GL-M22"), "seen under its ship", "go 4b; end; 1: wake 4b", "gl.wake", "astray=None", left=1),
    row(near_miss("GL-M22"), "before", "go 4b", "gl.step", "wake=3b", left=1),
    row(clause("GL-M23"), "none left", "go 4b 5b", "gl.no-movement", "at=4b", left=1),
    row(clause("GL-M23"), "stopped by a Hydra", "go 4b 5b", "gl.no-movement", "at=4b",
        left=5, fish="0", seat={1: {"dots_moved": 5}}, tops={4: "hydras"}),
    row(clause("GL-M23"), "after the move", "go 4b; end; 1: go 5b", "gl.move-ended", "step=reveal",
        left=1, tops={4: "favors"}),
    row(near_miss("GL-M23"), "one left", "go 4b 5b", "gl.step", "at=5b", left=2),
]  # fmt: skip


@pytest.mark.parametrize(("script", "code", "after", "wanted", "given"), [*WEDGES, *MOVES])
def test_wedges_and_moves(script: str, code: str, after: str, wanted: tuple[str, ...], given: dict[str, Any]) -> None:
    hold(script, code, after, wanted, given)


@clause("GL-W10", "GL-B14")
@near_miss("GL-B14")
def test_sixteen_wedges_on_one_stack_and_only_the_top_one_counts() -> None:
    """The highest stack that there can be; then nothing is left to draw."""
    others = [name for name in STACK if name not in ("wedges", "hydras")]
    made = board(left=5, tops={4: "/".join([*others, "hydras", "wedges"])})
    (_, bonus) = run(made, "go 4b")
    assert (bonus.code, seen(made, "stack"), seen(made, "waits")) == ("gl.bonus-full", "0", "-")
    assert "GL-B14" in bonus.clauses
    made = board(left=5, tops={4: "/".join([*others, "wedges"])})
    (_, bonus) = run(made, "go 4b")
    assert (bonus.code, seen(made, "waits")) == ("gl.bonus", "wedge")


def test_two_ways_to_one_dot_that_cost_the_same_need_not_be_told_apart() -> None:
    """Over a skipped fork the dot beyond is reached by two paths; neither costs anything."""
    made = board("4b 5b 8d", left=5, tops={5: "fork"})
    (ruling,) = run(made, "go 6c")
    assert (ruling.code, seen(made, "at")) == ("gl.step", "6c")


def test_a_step_may_name_what_it_skipped_and_is_refused_when_it_skipped_nothing() -> None:
    made = board("3b 4b 8d", left=5)
    assert made.submit(Step(1, at("5b"), over=()))[0].verdict is Verdict.REFUSED
    assert made.submit(Step(1, at("5b"), over=(at("4b"),)))[0].verdict is Verdict.ACCEPTED
