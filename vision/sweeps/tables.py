"""Grounds: wood, felt, cloth, stone, prints, and what lies flat on them: cards with printed dice, numbers, pictures."""

from __future__ import annotations

import cv2
import numpy as np

from vision.sweeps.dice import lattice
from vision.sweeps.solids import Array

__all__ = ["GROUNDS", "ground", "laid", "linear", "print_card"]

Rng = np.random.Generator
Colour = tuple[float, float, float]


def linear(bgr: tuple[float, float, float]) -> Colour:
    """Reflectance of a colour given as it looks in a picture (BGR, 0..255)."""
    b, g, r = ((c / 255) ** 2.2 for c in bgr)
    return b, g, r


def _noise(rng: Rng, shape: tuple[int, int], grain: float) -> Array:
    """Smooth noise of mean 0 and about unit spread, `grain` pixels large."""
    small = rng.standard_normal((max(2, int(shape[0] / grain) + 2), max(2, int(shape[1] / grain) + 2)), np.float32)
    return np.asarray(cv2.resize(small, shape[::-1], interpolation=cv2.INTER_CUBIC), np.float32)


def _felt(rng: Rng, size: int, per_unit: float, colour: Colour) -> Array:
    fuzz = 0.10 * _noise(rng, (size, size), max(1.5, per_unit / 18)) + 0.05 * _noise(rng, (size, size), per_unit * 1.5)
    return np.asarray(np.array(colour, np.float32) * np.clip(1 + fuzz, 0.3, 2)[..., None], np.float32)


def _wood(rng: Rng, size: int, per_unit: float, colour: Colour, knots: int = 0) -> Array:
    y, x = np.mgrid[0:size, 0:size].astype(np.float32) / per_unit
    board = np.floor(y / 3.2)
    shift = (np.sin(board * 91.7) * 43.0).astype(np.float32)
    pull = np.zeros_like(x)
    dark = np.zeros_like(x)
    for _ in range(knots):
        cx, cy = rng.uniform(0.1, 0.9, 2) * size / per_unit
        radius = rng.uniform(0.10, 0.28)
        far = np.hypot((x - cx) / 1.25, y - cy)
        pull += np.sign(y - cy) * 1.1 * radius * np.exp(-far / (2.5 * radius))
        rings = 0.5 + 0.5 * np.cos(far / radius * 9)
        dark += np.clip((radius - far) / (0.25 * radius) + 0.5, 0, 1) * (0.62 + 0.22 * rings)
    waves = 0.35 * _noise(rng, (size, size), per_unit * 3) + 0.1 * _noise(rng, (size, size), per_unit * 0.6)
    grain = np.sin((y + pull + waves + shift) * 14) * 0.12 + np.sin((y + pull + 0.6 * waves + shift) * 41) * 0.07
    streaks = (
        cv2.resize(_noise(rng, (size, max(4, size // 24)), 1.0), (size, size), interpolation=cv2.INTER_LINEAR) * 0.06
    )
    tone = 1 + grain + streaks + 0.12 * np.sin(board * 17.3)
    tone *= 1 - 0.6 * (np.abs(y / 3.2 - board) < 0.012)
    tone *= 1 - np.clip(dark, 0, 0.85)
    return np.asarray(np.array(colour, np.float32) * np.clip(tone, 0.08, 2)[..., None], np.float32)


def _print(rng: Rng, size: int, per_unit: float, colour: Colour) -> Array:
    """A printed mat: fields, frames, words, round emblems."""
    mat = np.broadcast_to(np.array(colour, np.float32), (size, size, 3)).copy()
    inks = [linear(tuple(rng.uniform(20, 235, 3))) for _ in range(5)]
    for _ in range(int(10 + (size / per_unit) ** 2 / 14)):
        ink = inks[int(rng.integers(len(inks)))]
        x, y = (int(v) for v in rng.integers(0, size, 2))
        wide, high = (int(v) for v in rng.uniform(0.8, 4, 2) * per_unit)
        thick = -1 if rng.random() < 0.35 else max(1, int(per_unit * 0.06))
        kind = int(rng.integers(4))
        if kind == 0:
            cv2.rectangle(mat, (x, y), (x + wide, y + high), ink, thick, cv2.LINE_AA)
        elif kind == 1:
            cv2.ellipse(
                mat, (x, y), (wide // 2, high // 2), float(rng.uniform(0, 180)), 0, 360, ink, thick, cv2.LINE_AA
            )
        elif kind == 2:
            word = "".join(chr(int(c)) for c in rng.integers(65, 91, 6))
            cv2.putText(
                mat, word, (x, y), cv2.FONT_HERSHEY_DUPLEX, per_unit / 28, ink, max(1, int(per_unit / 22)), cv2.LINE_AA
            )
        else:
            points = (np.array([x, y]) + rng.uniform(-1.5, 1.5, (5, 2)) * per_unit).astype(np.int32)
            cv2.polylines(mat, [points], True, ink, max(1, int(per_unit * 0.05)), cv2.LINE_AA)
    return np.asarray(mat * (1 + 0.02 * _noise(rng, (size, size), 1.5))[..., None], np.float32)


def _checks(rng: Rng, size: int, per_unit: float, colour: Colour) -> Array:
    y, x = np.mgrid[0:size, 0:size] / (per_unit * rng.uniform(0.6, 1.4))
    odd = ((np.floor(x) + np.floor(y)) % 2)[..., None]
    both = np.array(colour, np.float32) * odd + np.array(linear((225, 228, 230)), np.float32) * (1 - odd)
    return np.asarray(both * (1 + 0.04 * _noise(rng, (size, size), 2.0))[..., None], np.float32)


def _stone(rng: Rng, size: int, per_unit: float, colour: Colour) -> Array:
    specks = 0.35 * _noise(rng, (size, size), max(1.2, per_unit / 14)) + 0.2 * _noise(rng, (size, size), per_unit / 4)
    return np.asarray(np.array(colour, np.float32) * np.clip(1 + specks, 0.15, 2.2)[..., None], np.float32)


GROUNDS = ("felt", "wood", "print", "checks", "stone", "plain")


def ground(kind: str, rng: Rng, size: int, per_unit: float, colour: Colour, knots: int = 0) -> Array:
    """A table (size, size, 3) linear BGR of one of GROUNDS, of about this colour."""
    if kind == "wood":
        return _wood(rng, size, per_unit, colour, knots)
    if kind == "plain":
        plain = np.broadcast_to(np.array(colour, np.float32), (size, size, 3))
        return np.asarray(plain * (1 + 0.02 * _noise(rng, (size, size), per_unit * 2))[..., None], np.float32)
    made = {"felt": _felt, "print": _print, "checks": _checks, "stone": _stone}[kind]
    return np.asarray(made(rng, size, per_unit, colour), np.float32)


def print_card(rng: Rng, kind: str, pixels_per_unit: float) -> Array:
    """A card 3.6 x 5 units, linear BGR: "dice" (goals in printed dice), "words", or "playing"."""
    fine = pixels_per_unit
    width, height = int(3.6 * fine), int(5.0 * fine)
    card = np.full((height, width, 3), linear((228, 236, 240)), np.float32)
    dark = linear(tuple(rng.uniform(10, 90, 3)))
    cv2.rectangle(
        card,
        (int(0.12 * fine),) * 2,
        (width - int(0.12 * fine), height - int(0.12 * fine)),
        dark,
        max(1, int(0.05 * fine)),
    )
    if kind == "dice":
        for row in range(3):
            for column in range(2 + int(rng.integers(2))):
                _printed_die(card, rng, (0.75 + 1.05 * column) * fine, (0.9 + 1.2 * row) * fine, 0.8 * fine)
        _words(card, rng, 0.4 * fine, 4.5 * fine, fine, dark)
    elif kind == "words":
        cv2.rectangle(
            card,
            (int(0.4 * fine), int(0.9 * fine)),
            (int(3.2 * fine), int(2.6 * fine)),
            linear(tuple(rng.uniform(40, 220, 3))),
            -1,
        )
        for row in range(4):
            _words(card, rng, 0.4 * fine, (3.1 + 0.45 * row) * fine, fine, dark)
    else:
        ink = linear((30, 25, 190)) if rng.random() < 0.5 else dark
        count = int(rng.integers(1, 7))
        for x, y in lattice(count, 1.0) * np.array([1.0, 1.5], np.float32):
            at = (int((1.8 + x) * fine), int((2.5 + y) * fine))
            cv2.circle(card, (at[0] - int(0.13 * fine), at[1]), int(0.17 * fine), ink, -1, cv2.LINE_AA)
            cv2.circle(card, (at[0] + int(0.13 * fine), at[1]), int(0.17 * fine), ink, -1, cv2.LINE_AA)
            tip = np.array(
                [
                    (at[0] - int(0.28 * fine), at[1] + 2),
                    (at[0] + int(0.28 * fine), at[1] + 2),
                    (at[0], at[1] + int(0.45 * fine)),
                ]
            )
            cv2.fillPoly(card, [tip.astype(np.int32)], ink, cv2.LINE_AA)
        cv2.putText(
            card,
            str(count),
            (int(0.2 * fine), int(0.7 * fine)),
            cv2.FONT_HERSHEY_DUPLEX,
            fine / 45,
            ink,
            max(1, int(fine / 22)),
            cv2.LINE_AA,
        )
    return card


def _words(card: Array, rng: Rng, x: float, y: float, fine: float, ink: Colour) -> None:
    text = " ".join("".join(chr(int(c)) for c in rng.integers(97, 123, int(n))) for n in rng.integers(2, 7, 3))
    cv2.putText(
        card, text, (int(x), int(y)), cv2.FONT_HERSHEY_SIMPLEX, fine / 90, ink, max(1, int(fine / 40)), cv2.LINE_AA
    )


def _printed_die(card: Array, rng: Rng, x: float, y: float, side: float) -> None:
    h = side / 2
    body, ink = linear(tuple(rng.uniform(150, 250, 3))), linear(tuple(rng.uniform(5, 60, 3)))
    if rng.random() < 0.3:
        body, ink = ink, body
    corners = ((int(x - h), int(y - h)), (int(x + h), int(y + h)))
    cv2.rectangle(card, *corners, body, -1, cv2.LINE_AA)
    cv2.rectangle(card, *corners, linear((20, 20, 20)), max(1, int(side / 20)), cv2.LINE_AA)
    for u, v in lattice(int(rng.integers(1, 7)), 0.26) * side:
        cv2.circle(card, (int(x + u), int(y + v)), max(1, int(0.09 * side)), ink, -1, cv2.LINE_AA)


def laid(table: Array, card: Array, at: tuple[float, float], yaw: float, per_unit: float, card_per_unit: float) -> None:
    """Paint a card on a table, its middle at (x, y) units, turned by `yaw` radians; changes the table."""
    size = table.shape[0]
    high, wide = card.shape[:2]
    scale = per_unit / card_per_unit
    turn = cv2.getRotationMatrix2D((wide / 2, high / 2), float(np.degrees(yaw)), scale)
    turn[:, 2] += np.array([size / 2 + at[0] * per_unit - wide / 2, size / 2 - at[1] * per_unit - high / 2])
    flags = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    cover = cv2.warpAffine(np.ones((high, wide), np.float32), turn, (size, size), flags=cv2.INTER_LINEAR)[..., None]
    over = cv2.warpAffine(card, turn, (size, size), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    table[:] = table * (1 - cover) + over * cover
