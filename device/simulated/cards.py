"""The cards of the simulated battlefield as flat pictures: faces with a name and a marker of their own, and backs.

A back is the same for every card of a deck; nothing here gives the back of one card and not of another.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Any, Final
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray

from device.simulated.card_layout import BACK_MARKER_IDS, ROLES
from device.simulated.layout import CARD_MM
from device.simulated.surfaces import marker_tile

__all__ = ["CARD_MARKER_MM", "CARD_PX_PER_MM", "FACE_MARKER_DOWN_MM", "back_picture", "face_picture"]

Picture = NDArray[Any]

CARD_MARKER_MM: Final = 30.0
"""Side of the black square of a card's marker."""
FACE_MARKER_DOWN_MM: Final = 19.0
"""From the middle of the face down to the middle of its marker; the marker of a back lies in its middle."""
CARD_PX_PER_MM: Final = 4.0

_FRAME_MM: Final = 3.0
_INK: Final = (52, 44, 40)
_PAPER: Final = (216, 230, 236)
_BACKS: Final = (((112, 62, 34), (150, 96, 62), (96, 190, 226)), ((44, 40, 92), (70, 62, 132), (86, 176, 120)))
"""Of each deck the ground, the lattice and the emblem, BGR."""


@lru_cache(maxsize=256)
def face_picture(marker_id: int, name: str) -> Picture:
    """The face of a card, upright, (352, 252, 3) uint8 BGR: light frame, name, a picture, marker in the lower half.

    Raises SceneError for a marker that does not exist.
    """
    k = CARD_PX_PER_MM
    width, height = CARD_MM
    card = _blank()
    rng = np.random.default_rng([78, crc32(name.encode())])  # copies of one card have one picture
    hue = int(rng.integers(0, 180))
    inner = (slice(int(_FRAME_MM * k), int((height - _FRAME_MM) * k)), slice(int(_FRAME_MM * k), int(60 * k)))
    card[inner] = _tone(hue, 36, 226)
    art = cv2.resize(rng.standard_normal((6, 9)).astype(np.float32), (int(53 * k), int(26 * k)))
    tinted = np.array(_tone(hue, 120, 168), np.float32) + 26 * art[..., None]
    card[int(14 * k) : int(14 * k) + art.shape[0], int(5 * k) : int(5 * k) + art.shape[1]] = tinted.clip(0, 255)
    cv2.rectangle(card, (int(3 * k), int(3 * k)), (int(60 * k), int(13 * k)), _tone(hue, 70, 240), -1)
    _write(card, name or f"{marker_id}", (5.0, 10.4), width - 10)
    _stick(card, marker_id, height / 2 + FACE_MARKER_DOWN_MM)
    return card


@lru_cache(maxsize=2)
def back_picture(deck_back: int) -> Picture:
    """The back of every card of a deck (0 or 1), upright, (352, 252, 3) uint8 BGR: dark, with the deck's marker."""
    k = CARD_PX_PER_MM
    width, height = CARD_MM
    card = _blank()
    ground, lattice, emblem = _BACKS[deck_back]
    inner = np.zeros(card.shape, np.uint8)
    inner[:] = ground
    for step in np.arange(-90, 160, 7.0):
        a, b = (int(step * k), 0), (int((step + height) * k), int(height * k))
        cv2.line(inner, a, b, lattice, max(1, int(0.6 * k)), cv2.LINE_AA)
        cv2.line(inner, (a[0], b[1]), (b[0], a[1]), lattice, max(1, int(0.6 * k)), cv2.LINE_AA)
    for y in (12.0, height - 12.0):
        centre = (int(width / 2 * k), int(y * k))
        cv2.circle(inner, centre, int(6 * k), emblem, int(1.2 * k), cv2.LINE_AA)
        size = cv2.getTextSize(ROLES[deck_back][0].upper(), cv2.FONT_HERSHEY_DUPLEX, 1.0, 2)[0]
        at = (centre[0] - size[0] // 2, centre[1] + size[1] // 2)
        cv2.putText(inner, ROLES[deck_back][0].upper(), at, cv2.FONT_HERSHEY_DUPLEX, 1.0, emblem, 2, cv2.LINE_AA)
    rim = int(_FRAME_MM * k)
    card[rim:-rim, rim:-rim] = inner[rim:-rim, rim:-rim]
    _stick(card, BACK_MARKER_IDS[deck_back], height / 2)
    return card


def _blank() -> Picture:
    width, height = (round(side * CARD_PX_PER_MM) for side in CARD_MM)
    card = np.empty((height, width, 3), np.uint8)
    card[:] = _PAPER
    return card


def _tone(hue: int, saturation: int, value: int) -> tuple[int, int, int]:
    b, g, r = cv2.cvtColor(np.array([[[hue, saturation, value]]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0].tolist()
    return b, g, r


def _write(card: Picture, text: str, at_mm: tuple[float, float], room_mm: float) -> None:
    """A line of text, as large as fits up to a limit; accents are dropped, for the drawing font has none."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode() or "?"
    (wide, _), _ = cv2.getTextSize(plain, cv2.FONT_HERSHEY_SIMPLEX, 1.0, 2)
    scale = min(0.95, room_mm * CARD_PX_PER_MM / wide)
    at = (int(at_mm[0] * CARD_PX_PER_MM), int(at_mm[1] * CARD_PX_PER_MM))
    cv2.putText(card, plain, at, cv2.FONT_HERSHEY_SIMPLEX, scale, _INK, 2, cv2.LINE_AA)


def _stick(card: Picture, marker_id: int, y_mm: float) -> None:
    """A paper marker on the middle line of the card, centred at `y_mm` from its upper edge."""
    tile = marker_tile(marker_id, CARD_PX_PER_MM, CARD_MARKER_MM)
    side = tile.shape[0]
    left = round(CARD_MM[0] / 2 * CARD_PX_PER_MM - side / 2)
    top = min(round(y_mm * CARD_PX_PER_MM - side / 2), card.shape[0] - side)
    card[top : top + side, left : left + side] = tile
