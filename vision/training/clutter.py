"""What lies beside dice and must not be read: coins, buttons, dominoes, cards, pens, markers; and hands over dice."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.styles import face_texture, pip_places, random_style

__all__ = ["draw_hand", "random_clutter"]

Rng = np.random.Generator
Array = NDArray[np.float32]


def _tone(rng: Rng, saturation: float = 200, value: tuple[float, float] = (30, 250)) -> Array:
    pixel = np.array([[[rng.integers(180), rng.uniform(0, saturation), rng.uniform(*value)]]], np.uint8)
    return cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)


def _coin(rng: Rng, n: int) -> Array:
    tile = np.zeros((n, n, 4), np.float32)
    metal = cv2.cvtColor(
        np.array([[[rng.uniform(8, 28), rng.uniform(10, 140), rng.uniform(90, 220)]]], np.uint8), cv2.COLOR_HSV2BGR
    )[0, 0].astype(np.float32)
    tile[:, :, :3] = metal * (1 + cv2.resize(rng.normal(0, 0.25, (5, 5)).astype(np.float32), (n, n))[:, :, None])
    c = n // 2
    cv2.circle(tile, (c, c), int(n * 0.4), [*(metal * 0.7).tolist(), 0], max(1, n // 40), cv2.LINE_AA)
    cv2.putText(
        tile,
        str(rng.choice(["1", "2", "5", "10", "20", "50"])),
        (n // 4, 2 * n // 3),
        0,
        n / 50,
        [*(metal * 0.6).tolist(), 0],
        max(1, n // 25),
        cv2.LINE_AA,
    )
    alpha = np.zeros((n, n), np.float32)
    cv2.circle(alpha, (c, c), int(n * 0.48), 1, -1, cv2.LINE_AA)
    tile[:, :, 3] = alpha
    return tile


def _button(rng: Rng, n: int) -> Array:
    tile = np.zeros((n, n, 4), np.float32)
    colour = _tone(rng)
    tile[:, :, :3] = colour
    c = n / 2
    cv2.circle(tile, (n // 2, n // 2), int(n * 0.38), [*(colour * 0.75).tolist(), 0], max(1, n // 20), cv2.LINE_AA)
    holes = int(rng.choice([1, 2, 4]))
    for k in range(holes):
        angle = 2 * np.pi * k / holes + 0.6
        reach = 0 if holes == 1 else n * 0.12
        cv2.circle(
            tile,
            (int(c + reach * np.cos(angle)), int(c + reach * np.sin(angle))),
            max(1, n // 14),
            [*(colour * 0.2).tolist(), 0],
            -1,
            cv2.LINE_AA,
        )
    alpha = np.zeros((n, n), np.float32)
    cv2.circle(alpha, (n // 2, n // 2), int(n * 0.48), 1, -1, cv2.LINE_AA)
    tile[:, :, 3] = alpha
    return tile


def _glints(rng: Rng, tile: Array, places: NDArray[np.float64], radius: float) -> None:
    """Lamps mirrored in round things: the same one to three small white spots in each, as (x, y) in px of the tile."""
    spots = rng.uniform(-0.6, 0.6, (int(rng.integers(1, 4)), 2)) * radius
    size, shine = max(1, round(radius * rng.uniform(0.12, 0.4))), rng.uniform(120, 255)
    for centre in places:
        for spot in spots:
            at = np.round((centre + spot + rng.normal(0, 0.05, 2) * radius) * 16).astype(int)
            cv2.circle(tile, at.tolist(), size * 16, [shine, shine, shine, 1], -1, cv2.LINE_AA, 4)


def _domino(rng: Rng, n: int) -> Array:
    style = random_style(rng)
    style.edge_radius, style.gloss, style.translucent = 0.0, 0.0, 0.0
    if rng.random() < 0.5:  # ivory or black, as most are sold
        ivory, black = np.array([200, 225, 235], np.float32), np.array([25, 25, 28], np.float32)
        style.body, style.pip = (ivory, black) if rng.random() < 0.75 else (black, ivory)
        style.one_pip, style.four_pip, style.pip_radius = style.pip, style.pip, float(rng.uniform(0.07, 0.11))
    glossy = rng.random() < 0.5
    halves = []
    for _ in range(2):
        value = int(rng.integers(0, 7))
        half = face_texture(max(value, 1), 0, style, n, 1.0, rng)
        if value == 0:
            half[:, :, :3] = style.body
        elif glossy:
            _glints(rng, half, (pip_places(value, style) + 0.5) * n, style.pip_radius * n)
        half[:, :, 3] = 1
        halves.append(np.rot90(half, int(rng.integers(4))))
    tile = np.ascontiguousarray(np.vstack(halves))
    if rng.random() < 0.8:
        thick = max(1, round(n * rng.uniform(0.015, 0.12)))
        inset = round(n * rng.uniform(0.0, 0.25))
        cv2.line(tile, (inset, n), (n - inset, n), [*(style.pip).tolist(), 1], thick)
    if rng.random() < 0.25:  # the pivot
        cv2.circle(tile, (n // 2, n), max(1, n // 14), [*_tone(rng).tolist(), 1], -1, cv2.LINE_AA)
    if rng.random() < 0.5:
        edge = (style.body * rng.uniform(0.4, 0.9)).tolist()
        cv2.rectangle(tile, (0, 0), (n - 1, 2 * n - 1), [*edge, 1], max(1, n // 30))
    corner = round(n * rng.uniform(0, 0.16))
    if corner > 1:
        alpha = np.zeros((2 * n, n), np.float32)
        cv2.rectangle(alpha, (corner, corner), (n - 1 - corner, 2 * n - 1 - corner), 1.0, -1)
        tile[:, :, 3] = cv2.dilate(
            alpha, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * corner + 1, 2 * corner + 1))
        )
    return tile


def _stone(rng: Rng, n: int) -> Array:
    """Go stones, glass beads, draughtsmen, studs: round, shaded, with a lamp or two mirrored in them."""
    tile = np.zeros((n, n, 4), np.float32)
    yy, xx = (np.mgrid[0:n, 0:n].astype(np.float32) + 0.5) / n - 0.5
    light = rng.uniform(-1, 1, 2)
    shade = 1 + rng.uniform(0, 0.9) * (xx * light[0] + yy * light[1]) * 2
    tile[:, :, :3] = np.clip(_tone(rng, rng.choice([20, 255])) * shade[:, :, None], 0, 255)
    middle = np.array([[n / 2, n / 2]])
    if rng.random() < 0.4:  # a rim or a stud
        ring = (tile[n // 2, n // 2, :3] * rng.uniform(0.5, 1.3)).clip(0, 255).tolist()
        at = round(n * rng.uniform(0.2, 0.4))
        cv2.circle(tile, (n // 2, n // 2), at, [*ring, 0], int(rng.choice([-1, max(1, n // 20)])), cv2.LINE_AA)
    if rng.random() < 0.7:
        _glints(rng, tile, middle, n * 0.4)
    alpha = np.zeros((n, n), np.float32)
    cv2.circle(alpha, (n // 2, n // 2), int(n * 0.48), 1, -1, cv2.LINE_AA)
    tile[:, :, 3] = alpha
    return tile


def _card(rng: Rng, n: int) -> Array:
    """A card with text, ornaments and sometimes dice printed on it."""
    height = int(n * 1.45)
    tile = np.zeros((height, n, 4), np.float32)
    tile[:, :, 3] = 1
    paper = _tone(rng, rng.choice([30, 160]), (150, 255))
    tile[:, :, :3] = paper
    cv2.rectangle(tile, (n // 16, n // 16), (n - n // 16, height - n // 16), [*_tone(rng).tolist(), 1], max(1, n // 30))
    for _ in range(rng.integers(1, 5)):
        y = int(rng.integers(n // 6, height - n // 8))
        text = "".join(rng.choice(list("abcdefghilmnoprstuv  "), 10))
        cv2.putText(tile, text, (n // 8, y), 0, n / 170, [20, 20, 20, 1], max(1, n // 60), cv2.LINE_AA)
    kind = rng.integers(3)
    if kind == 0:  # printed dice: flat squares with pips
        side = max(8, n // 5)
        style = random_style(rng)
        style.edge_radius, style.gloss, style.translucent, style.drilled = 0.0, 0.0, 0.0, 0.0
        row = int(rng.integers(n // 8, height - side - n // 8))
        for k in range(int(rng.integers(1, 4))):
            x = n // 8 + int(k * side * 1.25)
            if x + side < n - n // 10:
                face = face_texture(int(rng.integers(1, 7)), int(rng.integers(4)), style, side, 1.0, rng)
                tile[row : row + side, x : x + side, :3] = face[:, :, :3]
                cv2.rectangle(tile, (x, row), (x + side, row + side), [20, 20, 20, 1], 1)
    elif kind == 1:  # suit signs in the places of a playing card
        colour = [*_tone(rng, 255, (10, 200)).tolist(), 1]
        count = int(rng.integers(1, 10))
        for k in range(count):
            at = (int(n * (0.3 + 0.4 * (k % 2))), int(height * (0.15 + 0.7 * (k // 2) / max(1, (count - 1) // 2))))
            cv2.circle(tile, at, max(2, n // 12), colour, -1, cv2.LINE_AA)
    else:
        for _ in range(rng.integers(2, 8)):
            cv2.circle(
                tile,
                (int(rng.integers(n)), int(rng.integers(height))),
                int(rng.integers(2, n // 6 + 3)),
                [*_tone(rng).tolist(), 1],
                -1,
                cv2.LINE_AA,
            )
    return tile


def _marker(rng: Rng, n: int) -> Array:
    tile = np.ones((n, n, 4), np.float32) * 255
    bits = np.zeros((8, 8), np.float32)
    bits[1:-1, 1:-1] = (rng.random((6, 6)) < 0.5) * 255
    m = max(1, n // 10)
    big = cv2.resize(bits, (n - 2 * m, n - 2 * m), interpolation=cv2.INTER_NEAREST)
    tile[m : n - m, m : n - m, :3] = big[:, :, None]
    tile[:, :, 3] = 1
    return tile


def _stick(rng: Rng, n: int) -> Array:
    width = max(3, n // 12)
    tile = np.zeros((n * 2, width, 4), np.float32)
    tile[:, :, 3] = 1
    shade = 1 - 0.6 * np.abs(np.linspace(-1, 1, width, dtype=np.float32)) ** 2
    tile[:, :, :3] = _tone(rng) * shade[None, :, None]
    return tile


def _pawn(rng: Rng, n: int) -> Array:
    """A meeple or cube without pips, or with one odd mark."""
    tile = np.zeros((n, n, 4), np.float32)
    colour = _tone(rng, 255)
    tile[:, :, :3] = colour
    corners = np.array([(n * 0.1, n * 0.25), (n * 0.7, n * 0.05), (n * 0.95, n * 0.6), (n * 0.35, n * 0.95)], np.int32)
    alpha = np.zeros((n, n), np.float32)
    cv2.fillConvexPoly(
        alpha,
        corners if rng.random() < 0.6 else np.array([(2, 2), (n - 3, 2), (n - 3, n - 3), (2, n - 3)]),
        1,
        cv2.LINE_AA,
    )
    if rng.random() < 0.4:
        cv2.putText(
            tile,
            str(rng.choice(list("0123456789ABX?"))),
            (n // 3, 2 * n // 3),
            0,
            n / 40,
            [*_tone(rng).tolist(), 1],
            max(1, n // 14),
            cv2.LINE_AA,
        )
    tile[:, :, 3] = alpha
    return tile


_KINDS = (_coin, _button, _domino, _card, _marker, _stick, _pawn, _stone)
_CHANCES = (0.14, 0.11, 0.18, 0.2, 0.07, 0.09, 0.11, 0.1)
_COLLECTED = (0.1, 0.12, 0.38, 0.22, 0.02, 0.02, 0.06, 0.08)


def random_clutter(rng: Rng, side_px: float, only: str | None = None) -> list[Array]:
    """Flat things, each (h, w, 4) float32 BGR 0..255 and alpha 0..1, about as large as dice of `side_px`.

    Mostly a few of any kinds; now and then many of one kind, such as a game of dominoes or a heap of coins. `only`
    names one kind: coin, button, domino, card, marker, stick, pawn or stone.
    """
    if only is not None:
        kinds = [next(kind for kind in _KINDS if kind.__name__ == f"_{only}")] * int(rng.integers(2, 9))
    elif rng.random() < 0.3:
        kinds = [_KINDS[rng.choice(len(_KINDS), p=_COLLECTED)]] * int(rng.integers(3, 13))
    else:
        kinds = [_KINDS[rng.choice(len(_KINDS), p=_CHANCES)] for _ in range(int(rng.integers(1, 7)))]
    larger = rng.uniform(1, 2.5) if rng.random() < 0.3 else 1.0
    tiles = []
    for kind in kinds:
        scale = rng.uniform(3, 5) if kind is _card else rng.uniform(0.7, 1.5) * larger
        tiles.append(kind(rng, int(np.clip(side_px * scale, 10, 300))))
    return tiles


def draw_hand(rng: Rng, image: Array, side_px: float) -> NDArray[np.bool_]:
    """Draw fingers into the image from its edge; gives the mask of what they cover."""
    size = image.shape[0]
    mask = np.zeros((size, size), np.float32)
    skin = cv2.cvtColor(
        np.array([[[rng.uniform(4, 16), rng.uniform(60, 160), rng.uniform(60, 240)]]], np.uint8), cv2.COLOR_HSV2BGR
    )[0, 0].astype(np.float32)
    edge = rng.uniform(0, 2 * np.pi)
    root = size / 2 + size * 0.75 * np.array([np.cos(edge), np.sin(edge)])
    aim = rng.uniform(0.15, 0.85, 2) * size
    thick = int(side_px * rng.uniform(0.8, 1.8)) + 2
    across = np.array([-np.sin(edge), np.cos(edge)])
    for k in range(int(rng.integers(1, 5))):
        tip = aim + across * thick * 1.1 * k + rng.normal(0, thick * 0.3, 2)
        cv2.line(
            mask, (root + across * thick * k).astype(int).tolist(), tip.astype(int).tolist(), 1.0, thick, cv2.LINE_AA
        )
    soft = cv2.GaussianBlur(mask, (0, 0), max(1.0, thick / 5))
    shade = skin * (0.55 + 0.55 * soft[:, :, None])
    image[:] = image * (1 - mask[:, :, None]) + np.clip(shade, 0, 255) * mask[:, :, None]
    return mask > 0.5
