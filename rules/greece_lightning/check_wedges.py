"""What is wrong or unusual in the print of one wedge: dots, paths, whirlpools, and whether every lane leads on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from rules.greece_lightning.components import CHARYBDIS_NUMBERS, OBSTACLES, SCYLLA_FISH, Mark
from rules.greece_lightning.wedges import Path, Wedge, lane_in, lane_out

__all__ = ["WedgeFault", "wedge_errors", "wedge_remarks"]

_DOT = re.compile(r"(?!(?:in|out)[0-9]+$)[a-z][a-z0-9]*")
_NUMBERS = {Mark.CHARYBDIS: CHARYBDIS_NUMBERS, Mark.SCYLLA: SCYLLA_FISH}


class WedgeFault(NamedTuple):
    """What is wrong or unusual in a wedge.

    Attributes:
        message: in words.
        dot: number of the dot that it is about, from 0 in the order in which they are written; None when it is none.
        path: number of the path that it is about, counted alike; None when it is none.
    """

    message: str
    dot: int | None = None
    path: int | None = None


def wedge_errors(wedge: Wedge, lanes: int) -> list[WedgeFault]:
    """What makes a wedge or the Starting Line unplayable; nothing when it can be sailed.

    Args:
        wedge: the wedge.
        lanes: how many lanes every wedge of the box has.
    """
    found = [*_dots(wedge, lanes), *_paths(wedge, lanes)]
    if not found:  # only a graph whose names are right can be followed
        found = [*_connections(wedge, lanes), *_whirlpools(wedge), *_line(wedge)]
    return found


def wedge_remarks(wedge: Wedge, lanes: int) -> list[WedgeFault]:
    """What is unusual in a wedge that can be sailed."""
    return list(_unusual(wedge, lanes))


def _dots(wedge: Wedge, lanes: int) -> Iterator[WedgeFault]:
    if not wedge.dots:
        yield WedgeFault("It has no dots; ships stand on dots.")
    named: set[str] = set()
    lies: dict[tuple[int, int], str] = {}
    for at, dot in enumerate(wedge.dots):
        if not _DOT.fullmatch(dot.id):
            yield WedgeFault(
                f"{dot.id!r} is no name for a dot; use small letters and digits such as a1, and none of in1, out1 …",
                dot=at,
            )
        elif dot.id in named:
            yield WedgeFault(f"Two dots are called {dot.id}; give each its own name.", dot=at)
        named.add(dot.id)
        if not 10 <= dot.lane_tenths <= 10 * lanes:
            yield WedgeFault(
                f"Dot {dot.id} has lane_tenths = {dot.lane_tenths}; expected 10 (lane 1, nearest the centre) to "
                f"{10 * lanes} (lane {lanes}).",
                dot=at,
            )
        if not 0 <= dot.along_percent <= 100:
            yield WedgeFault(
                f"Dot {dot.id} has along_percent = {dot.along_percent}; expected 0 to 100, clockwise.", dot=at
            )
        place = dot.lane_tenths, dot.along_percent
        if place in lies and lies[place] != dot.id:
            yield WedgeFault(
                f"Dots {lies[place]} and {dot.id} lie on the same spot; ships on them could not be ranked.", dot=at
            )
        lies.setdefault(place, dot.id)
        obstacles = [mark.value for mark in dot.marks if mark in OBSTACLES]
        if len(obstacles) > 1:
            yield WedgeFault(f"Dot {dot.id} has {' and '.join(obstacles)}; a dot has one obstacle at most.", dot=at)
        if wedge.line and dot.marks:
            yield WedgeFault(
                f"Dot {dot.id} has the mark {dot.marks[0].value}; the Starting Line's icons are those of the whole "
                "line and are not written down.",
                dot=at,
            )


def _paths(wedge: Wedge, lanes: int) -> Iterator[WedgeFault]:
    names = {dot.id: dot for dot in wedge.dots}
    for at, path in enumerate(wedge.paths):
        told = f"{path.start} > {path.end}"
        if lane_out(path.start) is not None or lane_in(path.end) is not None:
            yield WedgeFault(
                f"Path {told} runs the wrong way; paths begin at in1 … or a dot and end at a dot or out1 …", path=at
            )
            continue
        known = True
        for end, lane in ((path.start, lane_in(path.start)), (path.end, lane_out(path.end))):
            if lane is not None and lane > lanes:
                yield WedgeFault(f"Path {told} uses lane {lane}; the pack has {lanes} lanes.", path=at)
                known = False
            elif lane is None and end not in names:
                yield WedgeFault(f"Path {told} names the dot {end}, and there is none.", path=at)
                known = False
        if not known or path.start not in names or path.end not in names:
            continue
        begin, end_ = names[path.start].along_percent, names[path.end].along_percent
        if end_ <= begin:
            yield WedgeFault(
                f"Path {told} does not lead clockwise: along_percent goes from {begin} to {end_}. Turn it round, or "
                "correct the dots.",
                path=at,
            )
    first: dict[Path, int] = {}
    for at, path in enumerate(wedge.paths):
        if first.setdefault(path, at) != at:
            yield WedgeFault(f"Path {path.start} > {path.end} is written down twice.", path=at)


def _connections(wedge: Wedge, lanes: int) -> Iterator[WedgeFault]:
    """Every lane that comes in leads out again, and every dot lies on such a way. GL-M2."""
    for lane in range(1, lanes + 1):
        if not wedge.ways_in(lane):
            yield WedgeFault(f"No path begins at in{lane}; a ship that comes in there could not go on.")
    reached = _reached(wedge.paths, {f"in{lane}" for lane in range(1, lanes + 1)})
    back = tuple(Path(path.end, path.start) for path in wedge.paths)
    leads_out = _reached(back, {f"out{lane}" for lane in range(1, lanes + 1)})
    for at, dot in enumerate(wedge.dots):
        if dot.id not in reached:
            yield WedgeFault(f"No path leads to dot {dot.id}; a ship could not come there.", dot=at)
        if dot.id not in leads_out:
            yield WedgeFault(f"No path leads from dot {dot.id} to the edge; a ship there could not go on.", dot=at)


def _reached(paths: tuple[Path, ...], starts: set[str]) -> set[str]:
    """Everything that paths lead to from some starts, these among them."""
    reached, fresh = set(starts), set(starts)
    while fresh:
        fresh = {path.end for path in paths if path.start in fresh} - reached
        reached |= fresh
    return reached


def _whirlpools(wedge: Wedge) -> Iterator[WedgeFault]:
    """Whirlpools have all their numbers, and nothing else has one. GL-V1, GL-Y1."""
    for at, dot in enumerate(wedge.dots):
        numbers = {path.number for path in wedge.ways_from(dot.id)}
        if dot.whirlpool is None:
            if numbers - {None}:
                yield WedgeFault(f"Dot {dot.id} is no whirlpool, and a path out of it has a number.", dot=at)
            continue
        expected = _NUMBERS[dot.whirlpool]
        if None in numbers:
            yield WedgeFault(
                f'A path out of the {dot.whirlpool.value} {dot.id} has no number; write it as "{dot.id} =1> …".', dot=at
            )
        for number in expected:
            if number not in numbers:
                yield WedgeFault(f"No path out of the {dot.whirlpool.value} {dot.id} has the number {number}.", dot=at)
        for wrong in sorted(number for number in numbers if number is not None and number not in expected):
            told = ", ".join(str(number) for number in expected)
            yield WedgeFault(
                f"A path out of the {dot.whirlpool.value} {dot.id} has the number {wrong}; expected {told}.", dot=at
            )
    for at, path in enumerate(wedge.paths):
        if path.number is not None and lane_in(path.start) is not None:
            yield WedgeFault(
                f"Path {path.start} > {path.end} has a number; only paths out of whirlpools have one.", path=at
            )


def _line(wedge: Wedge) -> Iterator[WedgeFault]:
    """Every way over the Starting Line meets one dot of the line, so that it counts one lap. GL-L1, GL-L4."""
    if not wedge.line:
        return
    for dot in wedge.line:
        if wedge.find(dot) is None:
            yield WedgeFault(f"The line names the dot {dot}, and there is none.")
    if len(set(wedge.line)) < len(wedge.line):
        yield WedgeFault("The line names a dot twice.")
    starts = {path.start for path in wedge.paths if lane_in(path.start) is not None}
    around = tuple(path for path in wedge.paths if path.start not in wedge.line)
    if any(lane_out(end) is not None for end in _reached(around, starts) - set(wedge.line)):
        yield WedgeFault("A path crosses the wedge without a dot of the line; a ship there would win no lap.")
    for dot in wedge.line:
        ends = {path.end for path in wedge.ways_from(dot)}
        again = _reached(wedge.paths, ends) & set(wedge.line)
        for other in sorted(again):
            yield WedgeFault(
                f"A path leads from dot {dot} of the line to dot {other} of the line; a ship would win two laps."
            )


def _unusual(wedge: Wedge, lanes: int) -> Iterator[WedgeFault]:
    for lane in range(1, lanes + 1):
        if not any(lane_out(path.end) == lane for path in wedge.paths):
            yield WedgeFault(f"No path leads to out{lane}; look at the edge again.")
    for at, path in enumerate(wedge.paths):
        if lane_in(path.start) is not None and lane_out(path.end) is not None:
            yield WedgeFault(f"Path {path.start} > {path.end} has no dot; look again.", path=at)
    for at, dot in enumerate(wedge.dots):
        for number, times in Counter(path.number for path in wedge.ways_from(dot.id)).items():
            if number is not None and times > 1:
                yield WedgeFault(f"{times} paths out of dot {dot.id} have the number {number}; look again.", dot=at)
        if len(set(dot.marks)) < len(dot.marks):
            yield WedgeFault(f"Dot {dot.id} has the same mark twice; look again.", dot=at)
