"""Dice that are not read as pips: marks for the faces of cubes, and the shapes of polyhedra."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["MARKS", "SHAPES", "Facet", "draw_mark", "facets", "label_tile"]

Rng = np.random.Generator
Array = NDArray[np.float32]
MARKS = ("digits", "words", "signs", "blank", "braille", "tactile", "disc", "doubling", "many pips")
"""What the faces of a cube without pips may bear."""

_FONTS = (0, 1, 2, 3, 4, 6, 7)
_WORDS = ("YES", "NO", "GO", "UP", "HIT", "A", "K", "Q", "J", "10", "9", "X", "?", "!", "START", "+1", "-1")
_BRAILLE = {1: "1", 2: "12", 3: "14", 4: "145", 5: "15", 6: "124"}
"""Dots of the digits 1 to 6 (as the letters a to f): 1, 2, 3 down the left, 4, 5, 6 down the right."""


def _text(colour: Array, text: str, ink: list[float], rng: Rng, share: float) -> None:
    """Text in the middle of a square, `share` of it high or wide, however the font runs."""
    size = colour.shape[0]
    font = int(rng.choice(_FONTS)) | (cv2.FONT_ITALIC if rng.random() < 0.1 else 0)
    thick = max(1, round(size * rng.uniform(0.02, 0.09)))
    (wide, high), _ = cv2.getTextSize(text, font, 1.0, 1)
    scale = share * size / max(wide, high)
    wide, high = round(wide * scale), round(high * scale)
    at = ((size - wide) // 2, (size + high) // 2)
    cv2.putText(colour, text, at, font, scale, ink, thick, cv2.LINE_AA)


def _dots(colour: Array, places: list[tuple[float, float]], radius: float, ink: list[float]) -> None:
    size = colour.shape[0]
    for x, y in places:
        at = (round((x + 0.5) * size * 16), round((y + 0.5) * size * 16))
        cv2.circle(colour, at, max(8, round(radius * size * 16)), ink, -1, cv2.LINE_AA, 4)


def draw_mark(colour: Array, mark: str, value: int, ink_bgr: Array, rng: Rng) -> None:
    """Draw the mark of one face into `colour` (n, n, 3) float32 BGR; `mark` is one of MARKS, `value` 1 to 6."""
    size, ink = colour.shape[0], ink_bgr.tolist()
    thick = max(1, round(size * rng.uniform(0.03, 0.1)))
    middle = (size // 2, size // 2)
    if mark == "digits":
        _text(colour, str(value), ink, rng, rng.uniform(0.35, 0.75))
        if value == 6 and rng.random() < 0.5:
            _dots(colour, [(0.2, 0.36)], 0.03, ink)
    elif mark == "doubling":
        _text(colour, str(2**value), ink, rng, rng.uniform(0.4, 0.75))
    elif mark == "words":
        _text(colour, str(rng.choice(_WORDS)), ink, rng, rng.uniform(0.4, 0.8))
    elif mark == "signs":
        _sign(colour, ink, thick, rng)
    elif mark == "braille":
        pitch, radius = rng.uniform(0.1, 0.17), rng.uniform(0.025, 0.05)
        corner = rng.uniform(-0.25, 0.1, 2) if rng.random() < 0.5 else -np.array([pitch / 2, pitch])
        cells = [(int(d) - 1) for d in _BRAILLE[value]]
        _dots(colour, [(corner[0] + pitch * (d // 3), corner[1] + pitch * (d % 3)) for d in cells], radius, ink)
    elif mark == "tactile":
        for k in range(value):
            at = round(size * (0.5 + (k - (value - 1) / 2) * 0.13))
            if rng.random() < 0.5:
                cv2.line(colour, (at, size // 5), (at, size - size // 5), ink, thick, cv2.LINE_AA)
            else:
                cv2.rectangle(colour, (at - thick, size // 3), (at + thick, size - size // 3), ink, thick)
    elif mark == "disc":
        cv2.circle(colour, middle, round(size * rng.uniform(0.3, 0.45)), ink, -1, cv2.LINE_AA)
    elif mark == "many pips":
        step = rng.uniform(0.2, 0.27)
        places = [(x * step, y * step) for x in (-1, 0, 1) for y in (-1, 0, 1)]
        chosen = places if value % 3 == 0 else [p for p in places if p != (0, 0)][: 7 + value % 3 - 1]
        _dots(colour, chosen, rng.uniform(0.05, 0.085), ink)


def _sign(colour: Array, ink: list[float], thick: int, rng: Rng) -> None:
    size = colour.shape[0]
    kind, reach = int(rng.integers(5)), size * rng.uniform(0.2, 0.36)
    middle = np.array([size / 2, size / 2])

    def ring(count: int, radii: tuple[float, ...], start: float = -np.pi / 2) -> NDArray[np.int32]:
        angles = start + np.arange(count) * 2 * np.pi / count
        points = [
            middle + reach * radii[k % len(radii)] * np.array([np.cos(t), np.sin(t)]) for k, t in enumerate(angles)
        ]
        return np.round(points).astype(np.int32)

    def line(a: tuple[float, float], b: tuple[float, float]) -> None:
        ends = [np.round(middle + reach * np.array(p)).astype(int).tolist() for p in (a, b)]
        cv2.line(colour, ends[0], ends[1], ink, thick, cv2.LINE_AA)

    if kind == 0:  # star
        cv2.fillPoly(colour, [ring(10, (1.0, 0.42))], ink, cv2.LINE_AA)
    elif kind == 1:  # triangle, square, hexagon
        cv2.fillPoly(colour, [ring(int(rng.choice([3, 4, 6])), (1.0,))], ink, cv2.LINE_AA)
    elif kind == 2:  # plus or minus, as on fate dice
        line((-1, 0), (1, 0))
        if rng.random() < 0.5:
            line((0, -1), (0, 1))
    elif kind == 3:  # arrow
        line((-1, 0), (1, 0))
        line((0.4, -0.6), (1, 0))
        line((0.4, 0.6), (1, 0))
    else:  # heart
        for x in (-0.45, 0.45):
            at = np.round(middle + reach * np.array([x, -0.3])).astype(int).tolist()
            cv2.circle(colour, at, round(reach * 0.52), ink, -1, cv2.LINE_AA)
        wedge = np.array([(-0.93, -0.1), (0.93, -0.1), (0, 1)]) * reach + middle
        cv2.fillPoly(colour, [np.round(wedge).astype(np.int32)], ink, cv2.LINE_AA)


def label_tile(text: str, ink_bgr: Array, rng: Rng) -> Array:
    """A numeral for a facet: (64, 64, 4) float32 BGR and alpha."""
    shape = np.zeros((64, 64, 3), np.float32)
    _text(shape, text, [1.0, 1.0, 1.0], rng, rng.uniform(0.6, 0.95))
    if text in ("6", "9"):
        cv2.line(shape, (20, 62), (44, 62), [1.0, 1.0, 1.0], 3)
    return np.dstack([np.ones((64, 64, 3), np.float32) * ink_bgr, shape[:, :, 0]])


@dataclass
class Facet:
    """One facet of a convex solid: its corners (n, 3) in order around its outward `normal` (3,)."""

    corners: NDArray[np.float64]
    normal: NDArray[np.float64]


def _solid(name: str) -> NDArray[np.float64]:
    """Corners of a solid around the origin, the farthest at a distance of 1."""
    golden = (1 + np.sqrt(5)) / 2
    signs = (-1.0, 1.0)
    if name == "d4":
        points = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]
    elif name == "d8":
        points = [(s, 0, 0) for s in signs] + [(0, s, 0) for s in signs] + [(0, 0, s) for s in signs]
    elif name == "d12":
        points = [(x, y, z) for x in signs for y in signs for z in signs]
        for a in signs:
            for b in signs:
                points += [(0, a / golden, b * golden), (a / golden, b * golden, 0), (a * golden, 0, b / golden)]
    elif name == "d20":
        points = [p for a in signs for b in signs for p in ((0, a, b * golden), (a, b * golden, 0), (a * golden, 0, b))]
    else:  # d10: two pyramids of five kites, their belt zigzagging
        tip, belt = 1.0, 0.1056
        points = [(0, 0, s * tip) for s in signs]
        points += [(np.cos(k * np.pi / 5), np.sin(k * np.pi / 5), belt * (-1) ** k) for k in range(10)]
    array = np.array(points, float)
    return array / np.linalg.norm(array, axis=1).max()


def facets(name: str) -> list[Facet]:
    """The facets of one of SHAPES, found as the planes that have all corners on one side."""
    points = _solid(name)
    found: dict[tuple[int, ...], Facet] = {}
    for triple in combinations(range(len(points)), 3):
        a, b, c = points[list(triple)]
        normal = np.cross(b - a, c - a)
        if np.linalg.norm(normal) < 1e-9:
            continue
        normal /= np.linalg.norm(normal)
        heights = (points - a) @ normal
        if heights.min() < -1e-3 and heights.max() > 1e-3:
            continue
        if heights.max() > 1e-3:
            normal, heights = -normal, -heights
        members = tuple(int(i) for i in np.nonzero(heights > -1e-3)[0])
        corners = points[list(members)]
        middle = corners.mean(axis=0)
        u = corners[0] - middle
        v = np.cross(normal, u)
        angles = np.arctan2((corners - middle) @ v, (corners - middle) @ u)
        found[members] = Facet(corners[np.argsort(angles)], normal)
    return list(found.values())


SHAPES = ("d4", "d8", "d10", "d12", "d20")
"""Polyhedra that are rolled as dice, by their number of facets."""
