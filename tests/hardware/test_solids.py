"""The parts to print: closed, small enough, and agreeing with the program and with each other."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.labels import LABEL_MM
from companion.live.opening import COLOURS
from device.pins import load_pins
from tests.hardware.scripts import HARDWARE, script

BUILD = script("solids/build.py")
NO_OPENSCAD = shutil.which("openscad") is None
needs_openscad = pytest.mark.skipif(
    NO_OPENSCAD, reason="NOT TESTED for lack of openscad (sudo apt install openscad): the parts to print"
)


def cube(side: float = 10.0) -> Any:
    """A closed cube of twelve triangles, seen from outside counter-clockwise."""
    corners = np.array([(x, y, z) for x in (0, side) for y in (0, side) for z in (0, side)], float)
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = [each for a, b, c, d in faces for each in ((a, b, c), (a, c, d))]
    return BUILD.Mesh(corners[np.array(triangles)])


def as_stl(mesh: Any) -> str:
    lines = ["solid x"]
    for triangle in mesh.triangles:
        lines += ["facet normal 0 0 0", "outer loop", *("vertex {} {} {}".format(*corner) for corner in triangle)]
        lines += ["endloop", "endfacet"]
    return "\n".join([*lines, "endsolid x"])


def test_a_good_solid_and_bad_ones_are_told_apart() -> None:
    good = BUILD.mesh_of(as_stl(cube()))
    assert good.size_mm == (10.0, 10.0, 10.0)
    assert good.volume_mm3 == pytest.approx(1000)
    assert BUILD.troubles_of(good) == []
    assert BUILD.troubles_of(BUILD.Mesh(good.triangles[1:])) == ["3 open edges: it is not closed"]
    assert "inside out" in BUILD.troubles_of(BUILD.Mesh(good.triangles[:, ::-1]))[-1]
    assert "does not fit" in BUILD.troubles_of(cube(181))[0]
    with pytest.raises(ValueError, match="no STL"):
        BUILD.mesh_of("solid nothing")


def value(file: str, name: str) -> str:
    """What a parameter of an OpenSCAD file is set to at its head."""
    found = re.search(rf"^{name} = (.+?);", (HARDWARE / "solids" / file).read_text(), re.M)
    assert found is not None, name
    return found[1]


def test_the_box_fits_what_is_printed_and_wired() -> None:
    assert value("button_box.scad", "label") == "[{:g}, {:g}]".format(*LABEL_MM)
    plan = load_pins()
    of_seat = {use.what for use in plan.uses if use.seat == 1}
    assert int(value("button_box.scad", "buttons")) == len(of_seat & {"claim", "call"})
    assert int(value("button_box.scad", "lamps")) == len(of_seat & {"lamp"})
    judge = [dict(solid.values) for solid in BUILD.SOLIDS if solid.name == "judge-box"]
    kinds = [use.kind for use in plan.uses if use.seat == 0]
    assert judge == [
        {"part": '"box"', "seat": "0", "buttons": str(kinds.count("button")), "lamps": str(kinds.count("lamp"))}
    ]
    assert len([solid for solid in BUILD.SOLIDS if solid.name.endswith("-box")]) == len(COLOURS) + 1


def test_neighbouring_buttons_leave_room_for_fingers_and_labels() -> None:
    pitch, rim = float(value("button_box.scad", "button_pitch")), float(value("button_box.scad", "button_rim"))
    assert pitch - rim >= 10
    assert pitch >= LABEL_MM[0] + 2


@needs_openscad
@pytest.mark.parametrize("solid", BUILD.SOLIDS, ids=lambda solid: solid.name)
def test_openscad_understands_every_part(solid: Any, tmp_path: Path) -> None:
    """As a tree of shapes, which takes no time; what comes of it is looked at below."""
    out = tmp_path / "part.csg"
    done = subprocess.run(BUILD.command_for(solid, out), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    assert "cylinder" in out.read_text() or "polygon" in out.read_text()


def made(solid: Any, folder: Path) -> Any:
    out = folder / f"{solid.name}.stl"
    subprocess.run(BUILD.command_for(solid, out), check=True, capture_output=True)
    return BUILD.mesh_of(out.read_text(encoding="ascii"))


@needs_openscad
def test_a_small_part_is_closed(tmp_path: Path) -> None:
    (pad,) = (solid for solid in BUILD.SOLIDS if solid.name == "mast-pad")
    mesh = made(pad, tmp_path)
    assert BUILD.troubles_of(mesh) == []
    assert mesh.size_mm == pytest.approx((34, 34, 9), abs=0.2)


@needs_openscad
@pytest.mark.skipif(not os.environ.get("TABLETOP_ALL_SOLIDS"), reason="slow: makes every part, three minutes")
@pytest.mark.timeout(900)
def test_every_part_is_closed_fits_the_bed_and_its_lid(tmp_path: Path) -> None:
    meshes = {solid.name: made(solid, tmp_path) for solid in BUILD.SOLIDS}
    assert {name: BUILD.troubles_of(mesh) for name, mesh in meshes.items() if BUILD.troubles_of(mesh)} == {}
    play_mm = 2 * (float(value("button_box.scad", "wall")) + float(value("button_box.scad", "gap")))
    for box, lid in (("seat-1-box", "seat-lid"), ("judge-box", "judge-lid")):
        for side in (0, 1):
            assert meshes[box].size_mm[side] - meshes[lid].size_mm[side] == pytest.approx(play_mm, abs=0.05)
    more_dots = [meshes[f"seat-{seat}-box"].volume_mm3 for seat in range(1, 7)]
    assert more_dots == sorted(more_dots)
    assert len(set(more_dots)) == 6
