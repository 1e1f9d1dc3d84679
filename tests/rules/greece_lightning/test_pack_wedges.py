"""What makes a wedge of a component pack unplayable is found, and its near miss is not."""

from __future__ import annotations

import pytest

from tests.rules.greece_lightning.pack_changes import (
    EXTRA,
    MORE_DOTS,
    Change,
    both,
    change,
    dot,
    dots,
    hold_error,
    paths,
)

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss


ERRORS: dict[str, tuple[Change, str, Change]] = {
    # dots
    "no dots": (change("current-1", dots=[], paths=[]), "It has no dots", change("current-1", marker=199)),
    "a dot named as a lane": (
        both(dots("current-1", {**EXTRA, "id": "out7"}), paths("current-1", "b1 > z", "z > out2")),
        "wedge current-1: 'out7' is no name for a dot",
        both(dots("current-1", {**EXTRA, "id": "outer"}), paths("current-1", "b1 > outer", "outer > out2")),
    ),
    "a dot in capitals": (
        both(dots("current-1", {**EXTRA, "id": "Z"}), paths("current-1", "b1 > z > out2")),
        "'Z' is no name for a dot",
        both(dots("current-1", EXTRA), paths("current-1", "b1 > z > out2")),
    ),
    "two dots of one name": (
        dots("current-1", {**EXTRA, "id": "a1"}),
        "wedge current-1: Two dots are called a1",
        both(dots("current-1", EXTRA), paths("current-1", "b1 > z > out2")),
    ),
    "a dot in the centre": (
        dot("current-1", "a1", lane_tenths=9),
        "Dot a1 has lane_tenths = 9; expected 10 (lane 1, nearest the centre) to 40 (lane 4)",
        dot("current-1", "a1", lane_tenths=11),
    ),
    "a dot beyond the rim": (
        dot("current-1", "d1", lane_tenths=41),
        "Dot d1 has lane_tenths = 41",
        dot("current-1", "d1", lane_tenths=39),
    ),
    "a dot beyond the edge": (
        dot("current-1", "a3", along_percent=101),
        "Dot a3 has along_percent = 101; expected 0 to 100",
        dot("current-1", "a3", along_percent=100),
    ),
    "a dot before the edge": (
        dot("current-1", "a1", along_percent=-1),
        "Dot a1 has along_percent = -1; expected 0 to 100",
        dot("current-1", "a1", along_percent=0),
    ),
    "two dots on one spot": (
        dot("current-1", "b1", lane_tenths=10, along_percent=25),
        "Dots a1 and b1 lie on the same spot",
        dot("current-1", "b1", lane_tenths=11, along_percent=25),
    ),
    "two obstacles on a dot": (
        dot("current-1", "a1", marks=["hydra", "scylla"]),
        "Dot a1 has hydra and scylla; a dot has one obstacle at most",
        dot("current-1", "a1", marks=["fish", "hydra"]),
    ),
    # paths
    "no path": (paths("current-1", "a1 - b1"), "wedge current-1: 'a1 - b1' is no path", paths("current-1", " a1>c2 ")),
    "a path out of the far edge": (
        paths("current-1", "out1 > a1"),
        "Path out1 > a1 runs the wrong way",
        paths("current-1", "in1 > a2"),
    ),
    "a path into the near edge": (
        paths("current-1", "a1 > in1"),
        "Path a1 > in1 runs the wrong way",
        paths("current-1", "a1 > out1"),
    ),
    "a fifth lane": (
        paths("current-1", "a1 > out5"),
        "Path a1 > out5 uses lane 5; the pack has 4 lanes",
        paths("current-1", "a1 > out4"),
    ),
    "an unknown dot": (
        paths("current-1", "a1 > q"),
        "Path a1 > q names the dot q, and there is none",
        paths("current-1", "a1 > a3"),
    ),
    "a path back": (
        paths("current-1", "a2 > a1"),
        "Path a2 > a1 does not lead clockwise: along_percent goes from 50 to 25",
        paths("current-1", "a1 > a3"),
    ),
    "a path straight outwards": (
        paths("current-1", "a2 > c1"),
        "Path a2 > c1 does not lead clockwise: along_percent goes from 50 to 33",
        paths("current-1", "a1 > c2"),
    ),
    "a path to a dot beside": (
        dot("current-1", "b2", along_percent=25),
        "Path a1 > b2 does not lead clockwise: along_percent goes from 25 to 25",
        dot("current-1", "b2", along_percent=35),
    ),
    "a path twice": (
        paths("current-1", "in1 > a1"),
        "Path in1 > a1 is written down twice",
        paths("current-1", "in1 > b1"),
    ),
    # connections
    "a lane that is shut": (
        paths("current-4", "a1 > out1", without="in1 > a1 > out1"),
        "wedge current-4: No path begins at in1; a ship that comes in there could not go on",
        paths("current-4", "in1 > b1", "a1 > out1", "in2 > a1", without="in1 > a1 > out1"),
    ),
    "the outermost lane is shut": (
        paths("current-4", "d1 > d2 > d3 > d4 > out4", "in3 > d1", without="in4 > d1 > d2 > d3 > d4 > out4"),
        "wedge current-4: No path begins at in4",
        paths(
            "current-4", "in4 > d2", "d1 > d2 > d3 > d4 > out4", "in3 > d1", without="in4 > d1 > d2 > d3 > d4 > out4"
        ),
    ),
    "a way out by the outermost lane only": (
        both(dots("current-1", EXTRA), paths("current-1", "in4 > z")),
        "No path leads from dot z to the edge",
        both(dots("current-1", EXTRA), paths("current-1", "in4 > z > out4")),
    ),
    "a dot that nobody reaches": (
        both(dots("current-1", EXTRA), paths("current-1", "z > out2")),
        "No path leads to dot z; a ship could not come there",
        both(dots("current-1", EXTRA), paths("current-1", "in2 > z > out2")),
    ),
    "a dead end": (
        both(dots("current-1", EXTRA), paths("current-1", "in2 > z")),
        "No path leads from dot z to the edge; a ship there could not go on",
        both(dots("current-1", EXTRA), paths("current-1", "in2 > z > b2")),
    ),
    # whirlpools
    "a Charybdis without 3": (
        paths("charybdis-1", without="w =3> c3"),
        "No path out of the charybdis w has the number 3",
        paths("charybdis-1", "w =3> d2", without="w =3> c3"),
    ),
    "a Charybdis with 0": (
        paths("charybdis-1", "w =0> out1"),
        "A path out of the charybdis w has the number 0; expected 1, 2, 3",
        paths("charybdis-1", "w =1> b2", "w =2> a2", without="w =1> a2"),
    ),
    "a Scylla with 3": (
        paths("scylla-1", "w =3> out1"),
        "A path out of the scylla w has the number 3; expected 0, 1, 2",
        paths("scylla-1", "w =2> out1", without="w =2> a2"),
    ),
    "a path without a number": (
        paths("scylla-1", "w > out1"),
        "A path out of the scylla w has no number",
        paths("scylla-1", "w =0> out1"),
    ),
    "a number without a whirlpool": (
        paths("scylla-1", "a2 =1> out2"),
        "Dot a2 is no whirlpool, and a path out of it has a number",
        paths("scylla-1", "a2 > out2"),
    ),
    "a number at the edge": (
        paths("scylla-1", "in1 =1> b1"),
        "Path in1 > b1 has a number",
        paths("scylla-1", "in1 > b1"),
    ),
    # the Starting Line
    "three starting dots": (
        change("line", line=["a1", "b1", "c1"]),
        "starting-line: Ships start on 3 dots; expected 4 or more",
        both(MORE_DOTS, change("line", line=["a1", "b1", "c1", "d1", "e"])),
    ),
    "a starting dot that is none": (
        change("line", line=["a1", "b1", "c1", "d1", "e"]),
        "The line names the dot e, and there is none",
        both(MORE_DOTS, change("line", line=["a1", "b1", "c1", "d1", "e"])),
    ),
    "a starting dot twice": (
        change("line", line=["a1", "b1", "c1", "d1", "d1"]),
        "The line names a dot twice",
        change("line", line=["d1", "c1", "b1", "a1"]),
    ),
    "a way past the line": (
        MORE_DOTS,
        "A path crosses the wedge without a dot of the line",
        both(dots("line", {**EXTRA, "id": "e", "along_percent": 20}), paths("line", "in2 > e > b1")),
    ),
    "two dots of the line on one way": (
        both(
            dots("line", {**EXTRA, "id": "e", "along_percent": 80}),
            paths("line", "b1 > e > out2"),
            change("line", line=["a1", "b1", "c1", "d1", "e"]),
        ),
        "A path leads from dot b1 of the line to dot e of the line; a ship would win two laps",
        both(dots("line", {**EXTRA, "id": "e", "along_percent": 80}), paths("line", "b1 > e > out2")),
    ),
    "a mark on the line": (
        dot("line", "a1", marks=["fish"]),
        "Dot a1 has the mark fish; the Starting Line's icons",
        dot("line", "a1", lane_tenths=11),
    ),
}


@clause("GL-V1", "GL-Y1")
@near_miss("GL-V1", "GL-Y1")
@pytest.mark.parametrize(("spoil", "words", "near"), ERRORS.values(), ids=ERRORS)
def test_what_makes_a_wedge_unplayable_is_found_and_its_near_miss_is_not(
    spoil: Change, words: str, near: Change
) -> None:
    hold_error(spoil, words, near)
