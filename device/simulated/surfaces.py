"""Flat pictures for the simulated table: wood, felt, paper markers, printed cards, coins. All seeded."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from device.errors import SceneError
from device.simulated.layout import CARD_MM, MARKER_MM

__all__ = ["SURFACES", "card_back", "coin", "goal_card", "marker_tile", "playing_card", "surface"]

Picture = NDArray[Any]
_DICTIONARY: Final = cv2.aruco.DICT_6X6_250
_PAPER_BGR: Final = (232, 238, 240)


def _noise(rng: np.random.Generator, shape_hw: tuple[int, int], cells_hw: tuple[int, int]) -> NDArray[Any]:
    """Smooth noise of unit spread: random values on `cells_hw` cells, enlarged."""
    cells = rng.standard_normal((max(2, cells_hw[0]), max(2, cells_hw[1]))).astype(np.float32)
    return cv2.resize(cells, (shape_hw[1], shape_hw[0]), interpolation=cv2.INTER_CUBIC)


def _wood(rng: np.random.Generator, shape_hw: tuple[int, int], px_per_mm: float) -> Picture:
    height, width = shape_hw
    plank_px = int(88 * px_per_mm)
    out = np.empty((height, width, 3), np.float32)
    for top in range(0, height, plank_px):
        rows = min(plank_px, height - top)
        shape = (rows, width)
        across = np.linspace(0, 1, rows, dtype=np.float32)[:, None] * (88 / 7.0)
        bend = _noise(rng, shape, (4, 6)) * 0.9 + _noise(rng, shape, (8, 24)) * 0.25
        rings = np.sin(2 * np.pi * (across + bend + rng.uniform(0, 9)))
        fibre = _noise(rng, shape, (rows // 3, width // 90)) * 0.7 + _noise(rng, shape, (rows // 2, width // 25)) * 0.5
        pores = np.clip(_noise(rng, shape, (rows // 2, width // 40)) - 1.3, 0, None)
        level = 1 + 0.045 * rings + 0.035 * fibre - 0.09 * pores + rng.uniform(-0.07, 0.05)
        tint = np.array([84, 118, 152], np.float32) * (1 + rng.uniform(-0.02, 0.02, 3)).astype(np.float32)
        out[top : top + rows] = level[..., None] * tint
        out[top : top + max(1, int(0.7 * px_per_mm))] *= 0.72  # the joint between two boards
    return out.clip(0, 255).astype(np.uint8)


def _cloth(tint_bgr: tuple[int, int, int]) -> Callable[[np.random.Generator, tuple[int, int], float], Picture]:
    def make(rng: np.random.Generator, shape_hw: tuple[int, int], px_per_mm: float) -> Picture:
        height, width = shape_hw
        fuzz = rng.standard_normal((height, width)).astype(np.float32)
        fuzz = np.asarray(cv2.GaussianBlur(fuzz, (0, 0), 0.35 * px_per_mm), np.float32)
        fuzz /= fuzz.std()
        wear = _noise(rng, shape_hw, (6, 9))
        level = 1 + 0.05 * fuzz + 0.03 * wear
        return (level[..., None] * np.array(tint_bgr, np.float32)).clip(0, 255).astype(np.uint8)

    return make


SURFACES: Final = {
    "wood": _wood,
    "felt": _cloth((86, 92, 58)),
    "slate": _cloth((86, 80, 74)),
    "linen": _cloth((170, 186, 196)),
}


def surface(name: str, seed: int, shape_hw: tuple[int, int], px_per_mm: float) -> Picture:
    """The table top seen from straight above, (H, W, 3) uint8 BGR. Raises SceneError for an unknown name."""
    if name not in SURFACES:
        raise SceneError(f"there is no table top {name!r}; there are {', '.join(SURFACES)}")
    return _kept_surface(name, seed, shape_hw, px_per_mm).copy()


@lru_cache(maxsize=2)
def _kept_surface(name: str, seed: int, shape_hw: tuple[int, int], px_per_mm: float) -> Picture:
    return SURFACES[name](np.random.default_rng([seed, 1]), shape_hw, px_per_mm)


def marker_tile(marker_id: int, px_per_mm: float, side_mm: float = MARKER_MM) -> Picture:
    """A paper marker: the code in black, `side_mm` wide, a white margin of more than one module. BGR, square."""
    if not 0 <= marker_id < 250:
        raise SceneError(f"there is no marker {marker_id}; markers are 0 to 249")
    side_px = round(side_mm * px_per_mm)
    code = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(_DICTIONARY), marker_id, side_px)
    margin_px = round(4 / MARKER_MM * side_mm * px_per_mm)
    tile = np.full((side_px + 2 * margin_px,) * 2 + (3,), _PAPER_BGR, np.uint8)
    ink = np.where(code[..., None] > 0, np.array(_PAPER_BGR, np.uint8), np.array((34, 32, 32), np.uint8))
    tile[margin_px : margin_px + side_px, margin_px : margin_px + side_px] = ink
    return tile


def _blank_card(px_per_mm: float) -> tuple[Picture, float]:
    width, height = (round(side * px_per_mm) for side in CARD_MM)
    return np.full((height, width, 3), (214, 228, 234), np.uint8), px_per_mm


def _text_lines(
    card: Picture, rng: np.random.Generator, k: float, x0: float, x1: float, y: float, count: int, step: float
) -> None:
    for line in range(count):
        x = x0
        end = x1 - (rng.uniform(5, 20) if line == count - 1 else 0)
        while x < end:
            word = float(rng.uniform(2.5, 7))
            top, bottom = y + line * step, y + line * step + step * 0.42
            stop = min(x + word, end)
            cv2.rectangle(card, (int(x * k), int(top * k)), (int(stop * k), int(bottom * k)), (88, 84, 82), -1)
            x += word + 1.2


def goal_card(marker_id: int, px_per_mm: float) -> Picture:
    """An open goal card with its marker: title bar, marker, a bolt, some lines of print. BGR."""
    card, k = _blank_card(px_per_mm)
    rng = np.random.default_rng([77, marker_id])
    hue = int(rng.integers(0, 180))
    band = cv2.cvtColor(np.array([[[hue, 150, 150]]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0].tolist()
    pale = cv2.cvtColor(np.array([[[hue, 50, 222]]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0].tolist()
    width, height = CARD_MM
    cv2.rectangle(card, (int(3 * k), int(3 * k)), (int((width - 3) * k), int((height - 3) * k)), pale, -1)
    cv2.rectangle(card, (int(3 * k), int(3 * k)), (int((width - 3) * k), int(13 * k)), band, -1)
    _text_lines(card, rng, k, 8, 44, 6, 1, 7)
    tile = marker_tile(marker_id, k)
    side = tile.shape[0]
    left, top = int((width * k - side) / 2), int(17 * k)
    card[top : top + side, left : left + side] = tile
    bolt = np.array([[9, 20], [13, 20], [10.5, 27], [14, 27], [7.5, 38], [9.5, 30], [6.5, 30]])
    for shift in (0, 43):
        cv2.fillPoly(card, [((bolt + np.array([shift, 0])) * k).astype(np.int32)], (60, 190, 235), cv2.LINE_AA)
    cv2.rectangle(card, (int(6 * k), int(56 * k)), (int((width - 6) * k), int((height - 6) * k)), (222, 236, 240), -1)
    _text_lines(card, rng, k, 9, width - 9, 60, 4, 5.4)
    return card


def card_back(px_per_mm: float) -> Picture:
    """The back of a card: a dark field with a lattice and a bolt. BGR."""
    card, k = _blank_card(px_per_mm)
    width, height = CARD_MM
    cv2.rectangle(card, (int(3 * k), int(3 * k)), (int((width - 3) * k), int((height - 3) * k)), (96, 52, 44), -1)
    for step in np.arange(-90, 160, 6.0):
        a, b = (int(step * k), int(3 * k)), (int((step + 82) * k), int(85 * k))
        cv2.line(card, a, b, (120, 74, 62), max(1, int(0.5 * k)), cv2.LINE_AA)
        cv2.line(card, (a[0], b[1]), (b[0], a[1]), (120, 74, 62), max(1, int(0.5 * k)), cv2.LINE_AA)
    bolt = np.array([[34, 20], [44, 20], [37, 40], [45, 40], [25, 72], [31, 48], [22, 48]])
    cv2.fillPoly(card, [(bolt * k).astype(np.int32)], (70, 180, 225), cv2.LINE_AA)
    border = np.full_like(card, (214, 228, 234))
    inner = (slice(int(3 * k), int((height - 3) * k)), slice(int(3 * k), int((width - 3) * k)))
    border[inner] = card[inner]
    return border


def playing_card(rng: np.random.Generator, px_per_mm: float) -> Picture:
    """A foreign card lying about: a coloured picture, no marker. BGR."""
    card, k = _blank_card(px_per_mm)
    width = CARD_MM[0]
    art = (_noise(rng, (int(38 * k), int(51 * k)), (5, 7))[..., None] * 34 + rng.uniform(70, 170, 3)).clip(20, 240)
    card[int(8 * k) : int(8 * k) + art.shape[0], int(6 * k) : int(6 * k) + art.shape[1]] = art.astype(np.uint8)
    _text_lines(card, rng, k, 7, width - 7, 52, 5, 5.6)
    return card


def coin(rng: np.random.Generator, diameter_mm: float, px_per_mm: float) -> tuple[Picture, NDArray[Any]]:
    """A coin and its mask (H, W) uint8 0..255."""
    side = int(diameter_mm * px_per_mm) + 2
    metal = np.array([(78, 122, 150), (150, 158, 162), (60, 84, 132)][int(rng.integers(0, 3))], np.float32)
    middle = (side // 2, side // 2)
    radius = int(diameter_mm * px_per_mm / 2)
    face = np.ones((side, side), np.float32)
    cv2.circle(face, middle, radius, 1.25, max(1, int(0.8 * px_per_mm)), cv2.LINE_AA)
    relief = cv2.GaussianBlur(rng.standard_normal((side, side)).astype(np.float32), (0, 0), 0.8 * px_per_mm)
    face += 0.16 * relief / relief.std() * (np.hypot(*np.mgrid[-1 : 1 : side * 1j, -1 : 1 : side * 1j]) < 0.7)
    mask = np.zeros((side, side), np.uint8)
    cv2.circle(mask, middle, radius, 255, -1, cv2.LINE_AA)
    return (face[..., None] * metal).clip(0, 255).astype(np.uint8), mask
