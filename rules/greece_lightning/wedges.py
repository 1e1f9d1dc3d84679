"""A wedge as a graph: dots, and the paths that lead clockwise from the edge where they come in to the edge where they
leave.

Paths are written as people read them off the wedge, from dot to dot, with the lanes at the edges by number, the lane
nearest the centre being 1:

    in1 > a > b > out1      from lane 1 of the edge over dots a and b to lane 1 of the other edge
    a > out2                dot a has a second way out
    w =0> out1              a numbered way out of a whirlpool: Charybdis 1 to 3, Scylla 0 to 2 Fish
"""

from __future__ import annotations

import re

from rules.errors import BadPack
from rules.greece_lightning.components import OBSTACLES, WHIRLPOOLS, Mark
from rules.records import Record

__all__ = ["Dot", "Path", "Wedge", "lane_in", "lane_out", "read_paths"]

_EDGE = re.compile(r"(in|out)([1-9])")
_STEP = re.compile(r"\s*(?:=\s*([0-9])\s*)?>\s*")
_NAME = re.compile(r"[a-z][a-z0-9]*")


class Dot(Record, frozen=True):
    """A place for a ship.

    Attributes:
        id: its name on its wedge.
        lane_tenths: distance from the centre in tenths of a lane: 10 on lane 1, 15 halfway from lane 1 to lane 2.
            Ships on one wedge are ranked by it. GL-E7, GL-G7.
        along_percent: how far clockwise on the wedge, 0 at the edge where paths come in, 100 where they leave.
        marks: what is printed on it, in the order in which it is met.
    """

    id: str
    lane_tenths: int
    along_percent: int
    marks: tuple[Mark, ...] = ()

    @property
    def whirlpool(self) -> Mark | None:
        """Charybdis or Scylla, when the dot is one. GL-V1, GL-Y1."""
        return next((mark for mark in self.marks if mark in WHIRLPOOLS), None)

    @property
    def obstacle(self) -> Mark | None:
        """Hydra, Charybdis or Scylla, when the dot has one."""
        return next((mark for mark in self.marks if mark in OBSTACLES), None)


class Path(Record, frozen=True):
    """A printed path without a dot in between. Ships go it from start to end only. GL-M2, GL-M3.

    Attributes:
        start: a dot, or "in1" … for a lane of the edge where paths come in.
        end: a dot, or "out1" … for a lane of the edge where they leave.
        number: of a path out of a whirlpool: the number of the Charybdis (GL-V1) or the Fish of the Scylla (GL-Y1).
    """

    start: str
    end: str
    number: int | None = None


class Wedge(Record, frozen=True):
    """One wedge of the course, or the Starting Line.

    Attributes:
        id: how events name it.
        dots: its dots.
        paths: its paths; every path ends where another begins, or at the edge.
        symbol: its starting symbol, of the twelve wedges of the first circle. GL-S1.
        line: the dots on which ships start and which count the laps, of the Starting Line only. GL-S29, GL-L1.
    """

    id: str
    dots: tuple[Dot, ...]
    paths: tuple[Path, ...]
    symbol: str | None = None
    line: tuple[str, ...] = ()

    def find(self, dot: str) -> Dot | None:
        """The dot with this name, None when there is none."""
        return next((each for each in self.dots if each.id == dot), None)

    def dot(self, dot: str) -> Dot:
        """The dot with this name.

        Raises:
            LookupError: the wedge has none.
        """
        found = self.find(dot)
        if found is None:
            names = ", ".join(each.id for each in self.dots)
            raise LookupError(f"Wedge {self.id} has no dot {dot!r}; it has {names}.")
        return found

    def ways_in(self, lane: int) -> tuple[Path, ...]:
        """The paths that begin at a lane of the edge where paths come in."""
        return self.ways_from(f"in{lane}")

    def ways_from(self, start: str) -> tuple[Path, ...]:
        """The paths that begin at a dot. GL-M6."""
        return tuple([path for path in self.paths if path.start == start])


def lane_in(end: str) -> int | None:
    """The lane of a path's start at the edge, None when it starts at a dot."""
    return _lane(end, "in")


def lane_out(end: str) -> int | None:
    """The lane of a path's end at the edge, None when it ends at a dot."""
    return _lane(end, "out")


def _lane(end: str, edge: str) -> int | None:
    found = _EDGE.fullmatch(end)
    return int(found[2]) if found and found[1] == edge else None


def read_paths(written: tuple[str, ...]) -> tuple[Path, ...]:
    """Paths out of their written form.

    Raises:
        BadPack: a line is not in the form that the module tells of.
    """
    return tuple(path for line in written for path in _read_line(line))


def _read_line(line: str) -> list[Path]:
    parts = _STEP.split(line.strip())
    names, numbers = parts[::2], parts[1::2]
    if not numbers or not all(_NAME.fullmatch(name) for name in names):
        raise BadPack(
            f'{line!r} is no path; expected dots and lanes in order, as "in1 > a > b > out1", or "w =2> c" for a '
            "numbered way out of a whirlpool."
        )
    return [
        Path(start, end, None if number is None else int(number))
        for start, number, end in zip(names, numbers, names[1:], strict=False)
    ]
