"""Small wedges and whole courses for tests."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from rules.greece_lightning.components import PLACES, Mark
from rules.greece_lightning.course import Course, Layout, Spot
from rules.greece_lightning.pack import Pack, default_pack, wedges_of
from rules.greece_lightning.wedges import Dot, Wedge, lane_in, lane_out, read_paths
from rules.packs import parse

Plain = dict[str, Any]

ONE_EACH = ("in1 > a > out1", "in2 > b > out2", "in3 > c > out3", "in4 > d > out4")


@cache
def shipped() -> Pack:
    return parse(default_pack(), Pack, what="the shipped pack")


def wedge(identity: str, *paths: str, symbol: str | None = None, line: str = "", **marks: str) -> Wedge:
    """A wedge whose dots are those that its paths name.

    A dot lies on the lane of its first letter (a to d), its digit tells how far clockwise; `marks` by dot are words.
    """
    read = read_paths(paths or ONE_EACH)
    names = dict.fromkeys(
        end for path in read for end in (path.start, path.end) if lane_in(end) is None and lane_out(end) is None
    )
    dots = tuple(
        Dot(
            name,
            10 * (1 + "abcd".index(name[0])),
            20 * int(name[1:] or 1),
            tuple(Mark(mark) for mark in marks.get(name, "").split()),
        )
        for name in names
    )
    return Wedge(identity, dots, read, symbol, tuple(line.split()))


PLAIN_LINE = wedge("starting-line", line="a b c d")


def course(line: int = 1, **tops: Wedge) -> Course:
    """A course of wedges with one dot on each lane, but for the places named as p1, p2 …; the line at one place."""
    plain = {f"w{place}": wedge(f"w{place}") for place in range(1, PLACES + 1)}
    stacks = [(f"w{place}",) for place in range(1, PLACES + 1)]
    for name, top in tops.items():
        place = int(name[1:])
        plain[top.id] = top
        stacks[place - 1] = (*stacks[place - 1], top.id)
    return Course(Layout(tuple(stacks), line), plain, PLAIN_LINE)


def shipped_course(seed: int, laid: int = 8) -> Course:
    """The shipped wedges in a circle as the rulebook wants it, some of the stack laid on top; chance by seed."""
    chance = random.Random(seed)
    wedges = wedges_of(shipped())
    line = shipped().starting_line.graph
    symbols = list(dict.fromkeys(each.symbol for each in wedges.values() if each.symbol))
    chance.shuffle(symbols)
    circle: list[str] = []
    for symbol in symbols:
        quarter = [each.id for each in wedges.values() if each.symbol == symbol]
        chance.shuffle(quarter)
        circle += quarter
    layout = Layout(tuple((each,) for each in circle), chance.randint(1, PLACES))
    stack = [each.id for each in wedges.values() if each.symbol is None]
    for each in chance.sample(stack, laid):
        layout = layout.with_wedge(chance.choice([p for p in range(1, PLACES + 1) if p != layout.line]), each)
    return Course(layout, wedges, line)


def at(spot: str) -> Spot:
    """A spot written as place and dot: "3a"."""
    digits = len(spot) - len(spot.lstrip("0123456789"))
    return Spot(int(spot[:digits]), spot[digits:])


def written(spot: Spot) -> str:
    return f"{spot.place}{spot.dot}"
