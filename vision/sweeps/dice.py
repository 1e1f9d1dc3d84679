"""Dice of all makes as solids: pips, numerals, braille, and the five other shapes of a player's bag."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sweeps.solids import Array, Distance, Facets, Material, Pips, Solid, Tile, box, dot, turned

__all__ = ["CUBE_MARKS", "SHAPES", "DieLook", "die", "lattice", "polyhedron", "text_mask", "top_outline"]

SIDES = {1: 0, 6: 1, 2: 2, 5: 3, 3: 4, 4: 5}
_NORMALS = np.array([(0, 0, 1), (0, 0, -1), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)], float)
_UPS = np.array([(0, 1, 0), (0, 1, 0), (0, 0, 1), (0, 0, 1), (0, 0, 1), (0, 0, 1)], float)
# With value v on top, what the bottom and the four sides show: opposite faces make seven.
_AROUND = {1: (2, 3), 2: (3, 1), 3: (1, 2), 4: (2, 1), 5: (1, 3), 6: (3, 2)}
CUBE_MARKS = ("digits", "roman", "letters", "braille", "tactile")
SHAPES = ("d4", "d8", "d10", "d12", "d20")


@dataclass(frozen=True, slots=True)
class DieLook:
    """The make of a die; lengths in sides, colours linear BGR (0..1)."""

    body: tuple[float, float, float] = (0.75, 0.78, 0.78)
    ink: tuple[float, float, float] = (0.012, 0.012, 0.012)
    rounding: float = 0.1
    pip_radius: float = 0.09
    spread: float = 0.25
    one_radius: float | None = None
    one_ink: tuple[float, float, float] | None = None
    depth: float = 0.35
    gloss: float = 0.3
    shininess: float = 150.0
    translucent: float = 0.0
    side: float = 1.0
    marks: str = "pips"
    """"pips", or one of CUBE_MARKS."""

    @property
    def material(self) -> Material:
        """Of what it is made."""
        return Material(self.body, self.gloss, self.shininess, self.translucent)


def lattice(value: int, spread: float) -> Array:
    """Places (value, 2) of the pips of a face, in sides from its middle, as most makers drill them."""
    s = spread
    corners = [(-s, s), (s, -s), (s, s), (-s, -s)]
    rows = [(-s, 0), (s, 0)]
    places = {
        1: [(0, 0)],
        2: corners[:2],
        3: [*corners[:2], (0, 0)],
        4: corners,
        5: [*corners, (0, 0)],
        6: corners + rows,
    }
    return np.array(places[value], np.float32)


def text_mask(text: str, pixels: int = 96, *, underline: bool = False, share: float = 0.6) -> Array:
    """A drawing (pixels, pixels) of a short text, 0..1."""
    mask = np.zeros((pixels, pixels), np.uint8)
    font, thick = cv2.FONT_HERSHEY_DUPLEX, max(2, round(pixels * 0.045))
    (width, height), _ = cv2.getTextSize(text, font, 1.0, thick)
    scale = share * pixels / max(height, 0.75 * width)
    (width, height), _ = cv2.getTextSize(text, font, scale, thick)
    place = ((pixels - width) // 2, (pixels + height) // 2)
    cv2.putText(mask, text, place, font, scale, 255, thick, cv2.LINE_AA)
    if underline:
        y = min(pixels - thick, place[1] + 2 * thick)
        cv2.line(mask, (place[0], y), (place[0] + width, y), 255, thick, cv2.LINE_AA)
    return (mask / 255).astype(np.float32)


def _marks(look: DieLook, value: int, upside: int) -> list[Pips | Tile]:
    if look.marks == "pips":
        places = lattice(value, look.spread) * look.side
        if upside % 2:
            places = np.ascontiguousarray(places[:, ::-1] * np.array([1, -1], np.float32))
        radius, ink = look.pip_radius, look.ink
        if value == 1:
            radius, ink = look.one_radius or radius * 1.1, look.one_ink or ink
        radii = np.full(value, radius * look.side, np.float32)
        return [Pips(places, radii, np.tile(np.array(ink, np.float32), (value, 1)), look.depth)]
    if look.marks in ("braille", "tactile"):
        s = 0.13 * look.side
        cells = {1: [0], 2: [0, 1], 3: [0, 3], 4: [0, 3, 4], 5: [0, 4], 6: [0, 1, 3]}[value]
        grid = [(-s, 2 * s), (-s, 0), (-s, -2 * s), (s, 2 * s), (s, 0), (s, -2 * s)]
        if look.marks == "tactile":
            # A raised bar a count, of the body's own colour.
            grid = [(0.0, (k - (value - 1) / 2) * 0.13 * look.side) for k in range(value)]
            mask = np.zeros((96, 96), np.float32)
            for _, y in grid:
                cv2.line(mask, (22, round(48 - y * 96)), (74, round(48 - y * 96)), 1.0, 4, cv2.LINE_AA)
            return [Tile(mask, look.side, look.body, 0.25)]
        places = np.array([grid[c] for c in cells], np.float32)
        inks = np.tile(np.array(look.body, np.float32), (len(cells), 1))
        return [Pips(places, np.full(len(cells), 0.075 * look.side, np.float32), inks, -0.8)]
    romans = ["I", "II", "III", "IV", "V", "VI"]
    text = {"digits": str(value), "roman": romans[value - 1], "letters": "AKQJTN"[value - 1]}[look.marks]
    return [Tile(text_mask(text, underline=text == "6"), 0.9 * look.side, look.ink, -0.1)]


def die(
    look: DieLook,
    value: int,
    at: tuple[float, float],
    yaw: float,
    *,
    lean: float = 0.0,
    towards: float = 0.0,
    over: float = 0.0,
    mirrored: bool = False,
    upsides: int = 0,
) -> Solid:
    """A die with this value up at (x, y), its lowest point `over` units above the table; angles in radians.

    `mirrored` swaps two sides (Eastern and Western dice), the bits of `upsides` turn pips of sides by a quarter.
    """
    a, b = _AROUND[value]
    if mirrored:
        a, b = b, a
    shown = [value, 7 - value, a, 7 - a, b, 7 - b]
    marks = [_marks(look, v, upsides >> k) for k, v in enumerate(shown)]
    half = look.side / 2
    axes = turned(yaw, lean, towards)
    lowest = float(np.abs(axes[2]).sum() * (half - look.rounding * look.side) + look.rounding * look.side)
    return Solid(
        distance=box((half, half, half), look.rounding * look.side),
        radius=half * 1.7321,
        centre=(at[0], at[1], lowest + over),
        axes=axes,
        material=look.material,
        facets=Facets.of(_NORMALS, _UPS, half, marks),
        half=(half, half, half),
    )


def top_outline(solid: Solid, side: float) -> tuple[NDArray[np.float64], int]:
    """The four corners (4, 3) of a cube's face that points up most, in the world, and the number of that face."""
    up = _NORMALS @ solid.axes.T[:, 2]
    face = int(up.argmax())
    n, h = _NORMALS[face], side / 2
    u = np.roll(n, 1)
    v = np.cross(n, u)
    return solid.world(np.array([n * h + h * (a * u + b * v) for a, b in ((-1, -1), (-1, 1), (1, 1), (1, -1))])), face


def _regular(shape: str) -> NDArray[np.float64]:
    """Outward normals of the facets of a solid."""
    golden = (1 + 5**0.5) / 2
    if shape == "d4":
        return np.array([(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)], float)
    if shape == "d8":
        return np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    if shape == "d10":
        turns = np.arange(5) * 2 * np.pi / 5
        upper = np.column_stack([np.cos(turns), np.sin(turns), np.full(5, 0.9)])
        return np.vstack([upper, -upper])
    if shape == "d12":
        return np.array(
            [p for a in (-1, 1) for b in (-golden, golden) for p in ((0, a, b), (a, b, 0), (b, 0, a))], float
        )
    small = 1 / golden
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    rest = [p for a in (-small, small) for b in (-golden, golden) for p in ((0, a, b), (a, b, 0), (b, 0, a))]
    return np.array([*corners, *rest], float)


def polyhedron(shape: str, look: DieLook, at: tuple[float, float], yaw: float, first: int) -> Solid:
    """A die of one of SHAPES about as wide as a cube, lying on a facet, numbered from `first` on."""
    normals = _regular(shape)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    inner = {"d4": 0.36, "d8": 0.46, "d10": 0.46, "d12": 0.55, "d20": 0.58}[shape] * look.side
    round_by = 0.03 * look.side
    width = {"d4": 0.75, "d8": 0.6, "d10": 0.5, "d12": 0.55, "d20": 0.42}[shape] * look.side
    down = normals[0]
    across = np.cross(down, (0.3, 0.8, -0.52))
    across /= np.linalg.norm(across)
    lying = np.stack([across, np.cross(-down, across), -down])
    normals = normals @ lying.T
    ups = np.roll(normals, 1, axis=1) + 0.01
    plain = normals.astype(np.float32)

    def distance(p: Array) -> Array:
        return np.asarray((p @ plain.T).max(1) - np.float32(inner - round_by) - np.float32(round_by), np.float32)

    marks: list[list[Pips | Tile]] = []
    for k in range(len(normals)):
        text = str((first + k) % len(normals) + (shape != "d10"))
        marks.append([Tile(text_mask(text, underline=text in "69"), width, look.ink, -0.1)])
    reach = {"d4": 3.1, "d8": 1.75, "d10": 1.9, "d12": 1.28, "d20": 1.28}[shape] * inner
    bounded: Distance = _within(distance, reach) if shape in ("d4", "d10") else distance
    half = (inner, inner, inner)
    facets = Facets.of(normals, ups, inner, marks)
    return Solid(bounded, reach, (at[0], at[1], inner), turned(yaw), look.material, facets, half)


def _within(distance: Distance, reach: float) -> Distance:
    """The body cut by a ball: blunt corners."""
    edge = np.float32(reach * 0.86)

    def cut(p: Array) -> Array:
        return np.asarray(np.maximum(distance(p), np.sqrt(dot(p, p)) - edge), np.float32)

    return cut
