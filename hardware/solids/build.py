"""Makes the parts of this folder with OpenSCAD: files to print (STL) and pictures (PNG). Each solid is checked.

    .venv/bin/python hardware/solids/build.py                  everything, into hardware/solids/stl
    .venv/bin/python hardware/solids/build.py --only judge     the judge's box and its lid
    .venv/bin/python hardware/solids/build.py --pictures       the pictures of the guide

Needs OpenSCAD 2021.01 or newer (Debian: sudo apt install openscad; for pictures without a screen: xvfb). A solid that
is not closed, or does not fit the bed of a small printer, is told and the exit status is 1.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["BED_MM", "PICTURES", "SOLIDS", "Mesh", "Solid", "command_for", "mesh_of", "troubles_of"]

HERE: Final = Path(__file__).resolve().parent
BED_MM: Final = (180.0, 180.0, 180.0)
"""Of a small printer (such as a Prusa Mini or a Bambu A1 mini)."""
TOUCH_MM: Final = 1e-4
"""Corners nearer than this are one."""


@dataclass(frozen=True, slots=True)
class Solid:
    """One part to print: its name, its OpenSCAD file, and the values that make it."""

    name: str
    file: str
    values: tuple[tuple[str, str], ...]


def _box(name: str, part: str, **values: int) -> Solid:
    chosen = (("part", f'"{part}"'), *((key, str(value)) for key, value in values.items()))
    return Solid(name, "button_box.scad", chosen)


SOLIDS: Final = (
    *(_box(f"seat-{seat}-box", "box", seat=seat) for seat in range(1, 7)),
    _box("seat-lid", "lid"),
    _box("judge-box", "box", seat=0, buttons=3, lamps=2),
    _box("judge-lid", "lid", seat=0, buttons=3, lamps=2),
    *(
        Solid(f"mast-{part}", "camera_mast.scad", (("part", f'"{part}"'),))
        for part in ("clamp", "pad", "elbow", "head", "plate")
    ),
)

PICTURES: Final = {
    "button_box.png": ("button_box.scad", "0,0,0,55,0,25,500"),
    "camera_mast.png": ("camera_mast.scad", "0,0,0,74,0,28,500"),
}
"""Picture to its file and the view: a shift, three angles in degrees, and a distance that is changed until all fits."""


def command_for(solid: Solid, out: Path) -> list[str]:
    """What makes a solid (or, for another ending of `out`, whatever OpenSCAD makes of it)."""
    values = [word for name, value in solid.values for word in ("-D", f"{name}={value}")]
    return ["openscad", "-q", *values, "-o", str(out), str(HERE / solid.file)]


@dataclass(frozen=True, slots=True)
class Mesh:
    """Triangles (n, 3, 3) in mm."""

    triangles: NDArray[Any]

    @property
    def size_mm(self) -> tuple[float, float, float]:
        """Of the box around it."""
        corners = self.triangles.reshape(-1, 3)
        x, y, z = corners.max(axis=0) - corners.min(axis=0)
        return float(x), float(y), float(z)

    @property
    def volume_mm3(self) -> float:
        """Of the solid; negative when it is inside out."""
        a, b, c = self.triangles.transpose(1, 0, 2)
        return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)

    @property
    def open_edges(self) -> int:
        """Edges that no triangle runs along the other way: a closed solid has none."""
        whole = np.rint(self.triangles.reshape(-1, 3) / TOUCH_MM).astype(np.int64)
        corners = np.unique(whole, axis=0, return_inverse=True)[1].reshape(-1, 3)
        corners = corners[(corners != np.roll(corners, 1, axis=1)).all(axis=1)]
        edges = np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]])
        there = {(int(a), int(b)): 0 for a, b in edges}
        for a, b in edges:
            there[int(a), int(b)] += 1
        return sum(count != there.get((b, a), 0) for (a, b), count in there.items())


def mesh_of(stl: str) -> Mesh:
    """The mesh of a text STL file. Raises ValueError when it holds no triangles."""
    numbers = re.findall(r"^\s*vertex\s+(\S+)\s+(\S+)\s+(\S+)", stl, re.M)
    if not numbers or len(numbers) % 3:
        raise ValueError(f"no STL of triangles: {len(numbers)} corners; expected three for each triangle")
    return Mesh(np.array(numbers, np.float64).reshape(-1, 3, 3))


def troubles_of(mesh: Mesh) -> list[str]:
    """What would spoil the print of a mesh; empty when nothing would."""
    troubles = []
    if mesh.open_edges:
        troubles.append(f"{mesh.open_edges} open edges: it is not closed")
    if mesh.volume_mm3 <= 0:
        troubles.append("it is inside out")
    if any(side > bed for side, bed in zip(sorted(mesh.size_mm), sorted(BED_MM), strict=True)):
        troubles.append("it does not fit a bed of 180 mm")
    return troubles


def main() -> int:
    """Make what is asked for; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="only solids whose name has this in it")
    parser.add_argument("--out", type=Path, default=HERE / "stl", help="folder for the STL files")
    parser.add_argument("--pictures", action="store_true", help="draw the pictures instead")
    arguments = parser.parse_args()
    if shutil.which("openscad") is None:
        print("OpenSCAD is not installed; on Debian and Raspberry Pi OS: sudo apt install openscad", file=sys.stderr)
        return 2
    if arguments.pictures:
        return _draw_pictures()
    arguments.out.mkdir(parents=True, exist_ok=True)
    spoiled = 0
    for solid in SOLIDS:
        if arguments.only not in solid.name:
            continue
        out = arguments.out / f"{solid.name}.stl"
        subprocess.run(command_for(solid, out), check=True)
        mesh = mesh_of(out.read_text(encoding="ascii"))
        troubles = troubles_of(mesh)
        spoiled += bool(troubles)
        size = " x ".join(f"{side:.0f}" for side in mesh.size_mm)
        print(f"{solid.name:<12} {size:>17} mm {mesh.volume_mm3 / 1000:6.1f} cm3  {'; '.join(troubles) or 'closed'}")
    return 1 if spoiled else 0


def _draw_pictures() -> int:
    screen = [] if shutil.which("xvfb-run") is None else ["xvfb-run", "-a"]
    for name, (file, view) in PICTURES.items():
        look = ["--imgsize=900,680", "--viewall", "--autocenter", f"--camera={view}", "--colorscheme=Tomorrow"]
        command = [*screen, "openscad", "-q", *look, "-o", str(HERE / name), str(HERE / file)]
        subprocess.run(command, check=True)
        print(HERE / name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
