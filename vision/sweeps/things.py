"""What lies about on game tables and is no die: coins, buttons, dominoes, stones, bricks, pawns, fingers."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sweeps.dice import lattice, text_mask
from vision.sweeps.solids import Array, Facets, Material, Pips, Solid, Tile, box, capsules, cylinder, ellipsoid, turned
from vision.sweeps.tables import linear

__all__ = ["THINGS", "hand", "thing"]

Rng = np.random.Generator
_UP_DOWN = np.array([(0, 0, 1), (0, 0, -1)], float)
_UP_DOWN_TOPS = np.array([(0, 1, 0), (0, 1, 0)], float)
_DARK = (0.01, 0.01, 0.01)


def _flat(half_height: float, marks: list[Pips | Tile]) -> Facets:
    return Facets.of(_UP_DOWN, _UP_DOWN_TOPS, half_height, [marks, marks])


def _holes(places: list[tuple[float, float]], radius: float, ink: tuple[float, float, float] = _DARK) -> Pips:
    count = len(places)
    return Pips(
        np.array(places, np.float32).reshape(-1, 2),
        np.full(count, radius, np.float32),
        np.tile(np.array(ink, np.float32), (count, 1)),
        0.6,
    )


def _colour(rng: Rng) -> tuple[float, float, float]:
    return linear(tuple(rng.uniform(25, 235, 3)))


def _coin(rng: Rng, at: tuple[float, float]) -> Solid:
    radius, metal = (
        float(rng.uniform(0.55, 0.85)),
        [(70, 110, 170), (95, 165, 190), (165, 170, 172)][int(rng.integers(3))],
    )
    body = linear(metal)
    rim = np.zeros((96, 96), np.float32)
    cv2.circle(rim, (48, 48), 43, 1.0, 3, cv2.LINE_AA)
    dark = (body[0] * 0.75, body[1] * 0.75, body[2] * 0.75)
    text = Tile(text_mask(str(int(rng.choice([1, 2, 5, 10, 20, 50]))), share=0.45), 2 * radius, dark, 0.35)
    marks: list[Pips | Tile] = [Tile(rim, 2 * radius, dark, 0.35), text]
    half = 0.05
    return Solid(
        cylinder(radius, half, 0.02), radius + half, (*at, half), turned(float(rng.uniform(0, 6.3))),
        Material(body, 0.8, 60), _flat(half, marks),
    )  # fmt: skip


def _button(rng: Rng, at: tuple[float, float], holes: int, square: bool = False) -> Solid:
    radius, half, body = float(rng.uniform(0.38, 0.6)), 0.08, _colour(rng)
    a = 0.2 * radius
    places = {0: [], 1: [(0.0, 0.0)], 2: [(-a, 0.0), (a, 0.0)], 4: [(-a, a), (a, a), (-a, -a), (a, -a)]}[holes]
    shape = box((radius, radius, half), 0.05) if square else cylinder(radius, half, 0.05)
    return Solid(
        shape, radius * (1.42 if square else 1.05) + half, (*at, half), turned(float(rng.uniform(0, 6.3))),
        Material(body, 0.5), _flat(half, [_holes(places, 0.13 * radius)] if holes else []),
    )  # fmt: skip


def _domino(rng: Rng, at: tuple[float, float], side: float = 1.1) -> Solid:
    dark = rng.random() < 0.4
    body, ink = linear((225, 232, 235)), _DARK
    if dark:
        body, ink = linear((28, 26, 26)), linear((225, 225, 225))
    places = []
    for middle, value in zip((-side / 2, side / 2), rng.integers(0, 7, 2), strict=True):
        if value:
            places += [(middle + x * side, y * side) for x, y in lattice(int(value), 0.26).tolist()]
    line = np.zeros((96, 96), np.float32)
    cv2.line(line, (48, 27), (48, 69), 1.0, 2, cv2.LINE_AA)
    half = (side, side / 2, 0.2)
    marks: list[Pips | Tile] = [Tile(line, 2 * side, ink, -0.3)]
    if places:
        marks.append(_holes(places, 0.085 * side, ink))
    return Solid(
        box(half, 0.06), side * 1.2, (*at, half[2]), turned(float(rng.uniform(0, 6.3))),
        Material(body, 0.45), _flat(half[2], marks), half,
    )  # fmt: skip


def _go_stone(rng: Rng, at: tuple[float, float]) -> Solid:
    half = (0.6, 0.6, 0.24)
    body = linear((230, 232, 232)) if rng.random() < 0.5 else linear((30, 28, 28))
    return Solid(ellipsoid(half), 0.62, (*at, half[2]), turned(0), Material(body, 0.35, 60))


def _brick(rng: Rng, at: tuple[float, float]) -> Solid:
    """A building brick with 2 x 1 to 2 x 4 studs."""
    count, pitch = int(rng.integers(1, 5)), 0.5
    half = (count * pitch / 2, pitch, 0.3)
    core = box(half, 0.02)
    studs = [((k - (count - 1) / 2) * pitch, y) for k in range(count) for y in (-pitch / 2, pitch / 2)]
    disc = cylinder(0.155, 0.06, 0.02)

    def distance(p: Array) -> Array:
        total = core(p)
        for x, y in studs:
            total = np.minimum(total, disc(p - np.array([x, y, half[2] + 0.06], np.float32)))
        return np.asarray(total, np.float32)

    radius = float(np.hypot(np.hypot(*half[:2]), half[2] + 0.12))
    return Solid(
        distance, radius, (*at, half[2]), turned(float(rng.uniform(0, 6.3))), Material(_colour(rng), 0.5), half=half
    )


def _pawn(rng: Rng, at: tuple[float, float]) -> Solid:
    """A wooden figure that lies on its back."""
    parts = [
        ((0.0, 0.45, 0.0), (0.0, 0.5, 0.0), 0.2), ((-0.42, 0.12, 0.0), (0.42, 0.12, 0.0), 0.15),
        ((-0.05, 0.1, 0.0), (-0.28, -0.45, 0.0), 0.17), ((0.05, 0.1, 0.0), (0.28, -0.45, 0.0), 0.17),
    ]  # fmt: skip
    shape = capsules([(np.array(a), np.array(b), r) for a, b, r in parts])
    return Solid(shape, 0.85, (*at, 0.17), turned(float(rng.uniform(0, 6.3))), Material(_colour(rng), 0.15, 40))


def _blank(rng: Rng, at: tuple[float, float]) -> Solid:
    """A wooden cube without marks: a resource of many games."""
    half = float(rng.uniform(0.35, 0.5))
    return Solid(
        box((half,) * 3, 0.05),
        half * 1.74,
        (*at, half),
        turned(float(rng.uniform(0, 6.3))),
        Material(_colour(rng), 0.1, 30),
    )


THINGS = (
    "coin", "button without holes", "button, 1 hole", "button, 2 holes", "button, 4 holes", "square button, 1 hole",
    "square button, 4 holes", "domino", "go stone", "brick", "pawn", "blank cube",
)  # fmt: skip


def thing(kind: str, rng: Rng, at: tuple[float, float]) -> Solid:
    """One of THINGS at (x, y) on the table, its colour and turn by chance."""
    if "button" in kind:
        holes = int(kind.split(", ")[1][0]) if ", " in kind else 0
        return _button(rng, at, holes, kind.startswith("square"))
    makers = {
        "coin": _coin,
        "domino": _domino,
        "go stone": _go_stone,
        "brick": _brick,
        "pawn": _pawn,
        "blank cube": _blank,
    }
    return makers[kind](rng, at)


def hand(rng: Rng, tip: tuple[float, float], towards: float, height: float = 1.35) -> Solid:
    """Four fingers whose tips lie about (x, y), coming from a direction (radians), above dice."""
    way = np.array([np.cos(towards), np.sin(towards), 0.0])
    side = np.array([-way[1], way[0], 0.0])
    skin = linear([(140, 165, 215), (120, 150, 205), (70, 100, 150), (45, 65, 105)][int(rng.integers(4))])
    ends: list[tuple[NDArray[np.float64], NDArray[np.float64], float]] = []
    for k, back in enumerate((0.25, 0.0, 0.08, 0.5)):
        start = side * (k - 1.5) * 0.78 + way * back
        knuckle = start + way * 2.2 + np.array([0, 0, 0.5])
        ends += [(start, knuckle, 0.36), (knuckle, knuckle + way * 3.5 + np.array([0, 0, 0.2]), 0.42)]
    return Solid(capsules(ends), 7.5, (*tip, height), turned(0), Material(skin, 0.08, 20))
