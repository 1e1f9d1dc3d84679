"""A box for tests: every wedge has one dot on each lane, called a to d; those of the stack show one thing each."""

from __future__ import annotations

from functools import cache
from typing import Any

from rules.greece_lightning.components import BASE_WEDGES, WEDGES_OF_A_SYMBOL
from rules.greece_lightning.pack import GAME, default_pack

__all__ = ["STACK", "box"]

PLAIN = ("in1 > a > out1", "in2 > b > out2", "in3 > c > out3", "in4 > d > out4")
LANES = {"a": 10, "b": 20, "c": 30, "d": 40}

STACK: dict[str, tuple[tuple[str, ...], dict[str, list[str]]]] = {
    # wedge: its paths, what is printed on its dots
    "fish": (PLAIN, {dot: ["fish"] for dot in LANES}),
    "fish-too": (PLAIN, {dot: ["fish"] for dot in LANES}),
    "favors": (PLAIN, {dot: ["favor"] for dot in LANES}),
    "favors-too": (PLAIN, {dot: ["favor"] for dot in LANES}),
    "favors-three": (PLAIN, {dot: ["favor"] for dot in LANES}),
    "wedges": (PLAIN, {dot: ["wedge"] for dot in LANES}),
    "wedges-too": (PLAIN, {dot: ["wedge"] for dot in LANES}),
    "wedges-three": (PLAIN, {dot: ["wedge"] for dot in LANES}),
    "boosts": (PLAIN, {dot: ["boost"] for dot in LANES}),
    "boosts-too": (PLAIN, {dot: ["boost"] for dot in LANES}),
    "hydras": (PLAIN, {dot: ["hydra"] for dot in LANES}),
    "hydras-too": (PLAIN, {**{dot: ["hydra"] for dot in LANES}, "d": ["hydra", "boost"]}),
    "mixed": (PLAIN, {"a": ["fish", "hydra"], "b": ["hydra", "fish"], "c": ["fish", "favor", "wedge"], "d": []}),
    "fork": ((*PLAIN, "b > out3", "b > c2 > out3"), {}),
    "scylla": (
        (PLAIN[0], "in2 > b", "b =0> out1", "b =1> out2", "b =2> b2 > out2", *PLAIN[2:]),
        {"b": ["scylla"]},
    ),
    "charybdis": (
        (PLAIN[0], "in2 > b", "b =1> a2 > out1", "b =2> out2", "b =3> out3", *PLAIN[2:]),
        {"b": ["charybdis"]},
    ),
}


def _dots(paths: tuple[str, ...], marks: dict[str, list[str]]) -> list[dict[str, Any]]:
    names = dict.fromkeys(word for path in paths for word in path.split() if word[0] in LANES)
    return [
        {
            "id": name,
            "lane_tenths": LANES[name[0]],
            "along_percent": 70 if name[1:] else 40,
            "marks": marks.get(name, []),
        }
        for name in names
    ]


@cache
def _box() -> dict[str, Any]:
    shipped = default_pack()
    wedges: list[dict[str, Any]] = [
        {
            "id": f"w{number}",
            "symbol": f"symbol {1 + (number - 1) // WEDGES_OF_A_SYMBOL}",
            "dots": _dots(PLAIN, {}),
            "paths": list(PLAIN),
        }
        for number in range(1, BASE_WEDGES + 1)
    ]
    wedges += [
        {"id": name, "dots": _dots(paths, marks), "paths": list(paths)} for name, (paths, marks) in STACK.items()
    ]
    line = {"line": list(LANES), "dots": _dots(PLAIN, {}), "paths": list(PLAIN)}
    return {
        "game": GAME,
        "title": "A box for tests",
        "lanes": len(LANES),
        "starting_line": line,
        "wedge": wedges,
        "favor": shipped["favor"],
    }


def box() -> dict[str, Any]:
    """The component pack of the box as plain data: wedges w1 to w12 for the circle, those of `STACK`, shipped cards."""
    return {**_box()}
