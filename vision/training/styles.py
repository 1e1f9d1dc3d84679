"""What dice look like: bodies, pips and faces, drawn at random within wide limits."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.other_dice import MARKS, SHAPES, draw_mark

__all__ = ["DieStyle", "face_texture", "pip_places", "random_style"]

Rng = np.random.Generator
Array = NDArray[np.float32]


@dataclass
class DieStyle:
    """Looks of one die. Colours are BGR 0..255, lengths in die sides.

    `mark` is what the faces bear in place of pips, `shape` the solid that is no cube; see other_dice.
    """

    body: Array
    pip: Array
    one_pip: Array
    four_pip: Array
    pip_radius: float
    one_radius: float
    pip_spread: float
    six_spread: float
    six_columns: float
    edge_radius: float
    drilled: float
    gloss: float
    translucent: float
    grain: float
    marble: float
    ring: bool
    square_pips: bool
    serial: bool
    disc: bool
    straight_two: bool
    mark: str | None
    shape: str | None
    seed: int


def _hsv(rng: Rng, hue: tuple[float, float], sat: tuple[float, float], val: tuple[float, float]) -> Array:
    pixel = np.array([[[rng.uniform(*hue) % 180, rng.uniform(*sat), rng.uniform(*val)]]], np.uint8)
    return cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)


def _body(rng: Rng) -> tuple[Array, str]:
    kind = rng.choice(["white", "cream", "black", "wood", "colour"], p=[0.25, 0.15, 0.12, 0.08, 0.40])
    if kind == "white":
        return _hsv(rng, (0, 180), (0, 22), (205, 255)), kind
    if kind == "cream":
        return _hsv(rng, (10, 28), (25, 110), (180, 250)), kind
    if kind == "black":
        return _hsv(rng, (0, 180), (0, 80), (12, 62)), kind
    if kind == "wood":
        return _hsv(rng, (8, 20), (60, 150), (110, 225)), kind
    return _hsv(rng, (0, 180), (110, 255), (60, 245)), kind


def _far_apart(a: Array, b: Array) -> float:
    pair = np.stack([a, b])[None].astype(np.uint8)
    lab = cv2.cvtColor(pair, cv2.COLOR_BGR2LAB)[0].astype(np.float32)
    return float(np.linalg.norm((lab[0] - lab[1]) * (1.0, 0.7, 0.7)))


def _pip(rng: Rng, body: Array, kind: str) -> Array:
    bright = float(body @ np.array([0.114, 0.587, 0.299], np.float32))
    for _ in range(30):
        u = rng.random()
        if bright > 140:
            pip = (
                _hsv(rng, (0, 180), (0, 90), (5, 60)) if u < 0.72
                else _hsv(rng, (0, 180), (120, 255), (40, 190)) if u < 0.92
                else _hsv(rng, (0, 180), (0, 40), (220, 255))
            )  # fmt: skip
        else:
            pip = (
                _hsv(rng, (0, 180), (0, 40), (195, 255)) if u < 0.72
                else _hsv(rng, (15, 35), (80, 220), (150, 245)) if u < 0.85
                else _hsv(rng, (0, 180), (60, 255), (150, 255)) if u < 0.93
                else _hsv(rng, (0, 180), (0, 120), (5, 45))
            )  # fmt: skip
        if _far_apart(body, pip) > (60 if kind in ("white", "cream") else 42):
            return pip
    return np.full(3, 10 if bright > 110 else 245, np.float32)


def random_style(rng: Rng, other: float = 0.0) -> DieStyle:
    """A die of any colour; now and then a red or large one, red fours, rings, wood grain, marble, clear bodies.

    `other` is the chance of a die without pips.
    """
    body, kind = _body(rng)
    pip = _pip(rng, body, kind)
    radius = float(rng.uniform(0.068, 0.118))
    spread = float(rng.uniform(0.2, 0.285))
    red = _hsv(rng, (174, 186), (190, 255), (150, 235))
    one_red = kind in ("white", "cream") and rng.random() < 0.25
    mark, shape = None, None
    if rng.random() < other:
        shape = str(rng.choice(SHAPES)) if rng.random() < 0.45 else None
        mark = "digits" if shape or rng.random() < 0.35 else str(rng.choice(MARKS))
    return DieStyle(
        body=body,
        pip=pip,
        one_pip=red if one_red else pip,
        four_pip=red if one_red and rng.random() < 0.5 else pip,
        pip_radius=min(radius, spread * 0.46),
        one_radius=radius * float(rng.choice([1.0, rng.uniform(1.1, 1.4), rng.uniform(1.4, 2.1)], p=[0.6, 0.2, 0.2])),
        pip_spread=spread,
        six_spread=min(0.31, spread * float(rng.uniform(0.92, 1.15))),
        six_columns=spread * float(rng.uniform(0.55, 1.05)),
        edge_radius=float(rng.uniform(0.02, 0.2) if rng.random() < 0.65 else rng.uniform(0.2, 0.38)),
        drilled=float(rng.uniform(-0.3, 0.45)) if rng.random() < 0.6 else 0.0,
        gloss=float(rng.uniform(0.2, 1)) if rng.random() < 0.35 else 0.0,
        translucent=float(rng.uniform(0.25, 0.7)) if kind == "colour" and rng.random() < 0.25 else 0.0,
        grain=float(rng.uniform(0.1, 0.35)) if kind == "wood" else 0.0,
        marble=float(rng.uniform(0.1, 0.4)) if rng.random() < 0.12 else 0.0,
        ring=bool(rng.random() < 0.05),
        square_pips=bool(rng.random() < 0.03),
        serial=bool(rng.random() < 0.03),
        disc=bool(rng.random() < 0.06),
        straight_two=bool(rng.random() < 0.05),
        mark=mark,
        shape=shape,
        seed=int(rng.integers(1 << 31)),
    )


def pip_places(value: int, style: DieStyle) -> NDArray[np.float64]:
    """Pip centres of a face, shape (value, 2), in sides from the face's centre; rotate by quarter turns at will.

    None, shape (0, 2), of a die without pips.
    """
    if style.mark:
        return np.zeros((0, 2))
    d, e = style.pip_spread, style.six_spread
    corner = [(-d, -d), (d, d)]
    other = [(-d, d), (d, -d)]
    places = {
        1: [(0.0, 0.0)],
        2: [(-d, 0.0), (d, 0.0)] if style.straight_two else corner,
        3: [*corner, (0.0, 0.0)],
        4: corner + other,
        5: [*corner, *other, (0.0, 0.0)],
        6: [(x, y) for x in (-style.six_columns, style.six_columns) for y in (-e, 0.0, e)],
    }
    return np.array(places[value], float)


def face_texture(value: int, turns: int, style: DieStyle, size: int, light: float, rng: Rng) -> Array:
    """One face as (size, size, 4) float32 BGR 0..255 and alpha 0..1, lit by `light`, turned by quarter turns."""
    colour = np.empty((size, size, 3), np.float32)
    colour[:] = style.body
    if style.grain or style.marble:
        fine = max(2, size // 12)
        small = (fine, 2) if style.grain else (max(2, size // 14), max(2, size // 14))
        noise = cv2.resize(rng.normal(0, 1, small).astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC)
        colour *= (1 + noise * (style.grain or style.marble) * 0.5)[:, :, None]
    slope = np.linspace(-1, 1, size, dtype=np.float32) * rng.uniform(-0.1, 0.1)
    colour *= 1 + slope[:, None, None] if rng.random() < 0.5 else 1 + slope[None, :, None]
    np.clip(colour, 0, 255, out=colour)
    if style.disc:  # the flat of a die that was turned to a ball's roundness
        reach, brighter = round(size * 0.44), rng.uniform(0.85, 1.15)
        disc = np.clip(style.body * brighter, 0, 255).tolist()
        cv2.circle(colour, (size // 2, size // 2), reach, disc, int(rng.choice([-1, 1, 2])), cv2.LINE_AA)
    pip_colour = style.one_pip if value == 1 else style.four_pip if value == 4 else style.pip
    radius = style.one_radius if value == 1 else style.pip_radius
    fixed = 1 << 4
    down = rng.uniform(0, 2 * np.pi)
    if style.mark:
        draw_mark(colour, style.mark, value, style.pip, rng)
    for x, y in pip_places(value, style):
        cx, cy, r = (x + 0.5) * size, (y + 0.5) * size, radius * size
        at = (round(cx * fixed), round(cy * fixed))
        if style.square_pips:
            half = r * 0.88
            corners = np.array(
                [(cx - half, cy - half), (cx + half, cy - half), (cx + half, cy + half), (cx - half, cy + half)]
            )
            cv2.fillConvexPoly(colour, np.round(corners * fixed).astype(np.int32), pip_colour.tolist(), cv2.LINE_AA, 4)
            continue
        if style.ring:
            cv2.circle(
                colour, at, round(r * 1.25 * fixed), ((pip_colour + style.body) / 2).tolist(), -1, cv2.LINE_AA, 4
            )
        cv2.circle(colour, at, round(r * fixed), pip_colour.tolist(), -1, cv2.LINE_AA, 4)
        if style.drilled:
            inner = np.clip(pip_colour + style.drilled * 120, 0, 255)
            off = (round((cx + np.cos(down) * r * 0.25) * fixed), round((cy + np.sin(down) * r * 0.25) * fixed))
            cv2.circle(colour, off, round(r * 0.66 * fixed), inner.tolist(), -1, cv2.LINE_AA, 4)
        if style.gloss > 0.6 and rng.random() < 0.6:
            spot = (round((cx - np.cos(down) * r * 0.4) * fixed), round((cy - np.sin(down) * r * 0.4) * fixed))
            cv2.circle(colour, spot, max(1, round(r * 0.28 * fixed)), (255, 255, 255), -1, cv2.LINE_AA, 4)
    if style.serial and size > 40 and value in (1, 2, 6):
        cv2.putText(
            colour,
            str(rng.integers(100, 999)),
            (size // 3, size - size // 16),
            0,
            size / 250,
            pip_colour.tolist(),
            1,
            cv2.LINE_AA,
        )
    if turns:
        colour = np.rot90(colour, turns).copy()
    colour *= light
    if style.gloss and rng.random() < 0.5:
        yy, xx = np.mgrid[0:size, 0:size].astype(np.float32) / size
        gx, gy = rng.uniform(-0.1, 1.1, 2)
        spread = rng.uniform(0.03, 0.25)
        blob = np.exp(-((xx - gx) ** 2 + (yy - gy) ** 2) / (2 * spread**2)) * style.gloss * rng.uniform(0.3, 1.0)
        colour += (255 - colour) * np.clip(blob, 0, 1)[:, :, None]
    alpha = np.zeros((size, size), np.float32)
    inset = min(style.edge_radius * 0.45, 0.12) * size
    corner = max(1.0, min(style.edge_radius * 1.2 * size, 0.46 * size - inset))
    lo, hi = inset + corner, size - inset - corner
    box = np.array([(lo, lo), (hi, lo), (hi, hi), (lo, hi)])
    cv2.fillConvexPoly(alpha, np.round(box * fixed).astype(np.int32), 1.0, cv2.LINE_AA, 4)
    cv2.polylines(alpha, [np.round(box).astype(np.int32)], True, 1.0, max(1, round(2 * corner)), cv2.LINE_AA)
    if inset > 1:
        alpha = cv2.GaussianBlur(alpha, (0, 0), inset * 0.5)
    for x, y in pip_places(value, style):  # pips of well rounded dice reach into the rounding
        at = (round((x + 0.5) * size * fixed), round((y + 0.5) * size * fixed))
        cv2.circle(alpha, at, round(radius * 1.1 * size * fixed), 1.0, -1, cv2.LINE_AA, 4)
    if turns:
        alpha = np.rot90(alpha, turns)
    return np.dstack([colour, alpha])
