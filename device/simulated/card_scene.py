"""The camera's picture of the simulated battlefield: table top, hoods and cards, hands over them, then the sensor.

What is drawn of a face-down card follows from its deck and its place alone: `LaidCard` holds nothing else of it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from device.simulated.card_layout import ROLES, card_corner_positions_mm, nook
from device.simulated.cards import CARD_PX_PER_MM, back_picture, face_picture
from device.simulated.hands import Hand, draw_hand
from device.simulated.layout import CARD_MM
from device.simulated.optics import PinholeCamera
from device.simulated.sensor import Sensor
from device.simulated.tabletop import Tabletop, light_map, rounded

__all__ = ["CARD_THICK_MM", "CardRenderer", "LaidCard", "card_corners_mm"]

Picture = NDArray[Any]
CARD_THICK_MM: Final = 0.5
"""Of a card in its sleeve."""
_LAMP_MM: Final = (150.0, -190.0, 1150.0)
_TEXTURE_PX_PER_MM: Final = 64 / 26
"""Twice as fine as the picture, and whole pixels for each module of a corner marker."""
_FINE: Final = 3
_SHADOW: Final = 0.42
_KEPT_SPRITES: Final = 256
_WALL_MM: Final = 25.0
_WALL_INSET_MM: Final = 12.0
_FELT_BGR: Final = (58, 44, 40)
_WALL_BGR: Final = (70, 92, 120)


@dataclass(frozen=True, slots=True)
class LaidCard:
    """The uppermost card of a place as it can be seen.

    `marker` is that of the face, None for a card that lies face down; `below` is how many lie under it, and
    `block_turn_rad`, `block_mm` how those lie.
    """

    marker: int | None
    deck_back: int
    x_mm: float
    y_mm: float
    turn_rad: float
    below: int = 0
    block_mm: tuple[float, float] = (0.0, 0.0)
    block_turn_rad: float = 0.0

    @property
    def height_mm(self) -> float:
        """Of its upper side above the table."""
        return (self.below + 1) * CARD_THICK_MM


def card_corners_mm(x_mm: float, y_mm: float, turn_rad: float) -> NDArray[Any]:
    """Corners of a card on the table, shape (4, 2), clockwise from the upper left one of its picture."""
    c, s = np.cos(turn_rad), np.sin(turn_rad)
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(CARD_MM) / 2
    return np.asarray(half @ np.array([[c, s], [-s, c]]) + np.array([x_mm, y_mm]))


Box = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class _Sprite:
    """A card ready to be laid over the picture in `box` (x0, y0, x1, y1): its pixels with its shadow among them, and
    how much of what lies below is left (0..1, float32)."""

    box: Box
    pixels: Picture
    left: NDArray[Any]
    taken: NDArray[Any]


class CardRenderer:
    """Draws the cards as one camera sees them. The same cards, hands and noise seed give the same picture."""

    def __init__(
        self,
        camera: PinholeCamera,
        *,
        seed: int,
        surface_name: str,
        noise: float = 1.0,
        names: Mapping[int, str] | None = None,
    ) -> None:
        self.camera = camera
        self._names = dict(names or {})
        self._lamp_mm = np.array(_LAMP_MM)
        self._light_at = light_map(camera, self._lamp_mm)
        self._shade = (self._light_at ** (1 / 2.2)).astype(np.float32)
        self._sensor = Sensor(camera.size_wh, seed=seed, noise=noise)
        top = Tabletop(
            camera,
            seed=seed,
            surface_name=surface_name,
            light=self._light_at,
            corners_mm=card_corner_positions_mm(),
            px_per_mm=_TEXTURE_PX_PER_MM,
        )
        self._bare = top.picture(goal_marker=None, clutter=())
        for role in ROLES:
            self._draw_hood(role)
        self._sprites: OrderedDict[LaidCard, _Sprite] = OrderedDict()
        self._still: tuple[tuple[LaidCard, ...], Picture] | None = None

    def picture(self, cards: tuple[LaidCard, ...], hands: Sequence[Hand], *, noise_seed: int) -> Picture:
        """The picture, (H, W, 3) uint8 BGR; cards are laid in their order, the last uppermost."""
        frame = self._still_picture(cards)
        if hands:
            frame = frame.copy()
            for hand in hands:
                draw_hand(frame, hand, self.camera, self._lamp_mm, self._light_at)
        return self._sensor.exposed(frame, noise_seed)

    def _still_picture(self, cards: tuple[LaidCard, ...]) -> Picture:
        if self._still is not None and self._still[0] == cards:
            return self._still[1]
        if self._still is None:
            frame, boxes = self._bare.copy(), [(0, 0, *self.camera.size_wh)]
        else:
            before, frame = self._still[0], self._still[1].copy()
            # Pixels away from the cards that came or went are those of before, for each is drawn on its own.
            boxes = [self._sprite(card).box for card in {*before} ^ {*cards}]
        for x0, y0, x1, y1 in boxes:
            frame[y0:y1, x0:x1] = self._bare[y0:y1, x0:x1]
            for card in cards:
                _lay(frame, self._sprite(card), (x0, y0, x1, y1))
        self._still = (cards, frame)
        return frame

    def _sprite(self, card: LaidCard) -> _Sprite:
        kept = self._sprites.get(card)
        if kept is None:
            kept = self._sprites[card] = self._drawn(card)
            if len(self._sprites) > _KEPT_SPRITES:
                self._sprites.popitem(last=False)
        else:
            self._sprites.move_to_end(card)
        return kept

    def _drawn(self, card: LaidCard) -> _Sprite:
        if card.marker is None:
            flat = back_picture(card.deck_back)
        else:
            flat = face_picture(card.marker, self._names.get(card.marker, ""))
        rim = card_corners_mm(card.x_mm, card.y_mm, card.turn_rad)
        top = np.column_stack([rim, np.full(4, card.height_mm)])
        block = np.column_stack([card_corners_mm(*card.block_mm, card.block_turn_rad), np.zeros(4)])
        up = np.array([0, 0, CARD_THICK_MM])
        layers = [block + level * up for level in range(card.below + 1)] if card.below else []
        cast = self._cast(top if not layers else np.vstack([top, layers[-1]]))
        solid = np.vstack([top, *layers])
        around = np.vstack([self.camera.project(solid), self.camera.project(cast)])
        width, height = self.camera.size_wh
        x0, y0 = (int(v) for v in np.maximum(np.floor(around.min(axis=0)) - 6, 0))
        x1, y1 = (int(v) for v in np.minimum(np.ceil(around.max(axis=0)) + 7, [width, height]))
        if x1 <= x0 or y1 <= y0:
            nothing = np.zeros((0, 0), np.float32)
            return _Sprite((0, 0, 0, 0), np.zeros((0, 0, 3), np.uint8), nothing, nothing)
        size = ((x1 - x0) * _FINE, (y1 - y0) * _FINE)

        def fine(points_mm: NDArray[Any]) -> NDArray[Any]:
            # Picture pixel i covers the fine pixels from i * _FINE on: their centres differ by half of what is left.
            return (self.camera.project(points_mm) - (x0, y0)) * _FINE + (_FINE - 1) / 2

        pixels: Picture = np.zeros((size[1], size[0], 3), np.uint8)
        cover: Picture = np.zeros((size[1], size[0]), np.uint8)
        for level, layer in enumerate(layers):
            tone = 205 if level % 2 else 150
            cv2.fillConvexPoly(pixels, _fixed(fine(layer)), (tone * 0.93, tone, tone), cv2.LINE_AA, 4)
            cv2.fillConvexPoly(cover, _fixed(fine(layer)), 255, cv2.LINE_AA, 4)
        source = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * np.array(flat.shape[1::-1], np.float32) - 0.5
        move = cv2.getPerspectiveTransform(source.astype(np.float32), fine(top).astype(np.float32))
        seen = cv2.warpPerspective(flat, move, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        mine = cv2.warpPerspective(_outline(), move, size, flags=cv2.INTER_LINEAR)
        alpha = mine[..., None].astype(np.float32) / 255
        pixels = (pixels * (1 - alpha) + seen * alpha).astype(np.uint8) if layers else seen
        cover = np.maximum(cover, mine)
        small = (x1 - x0, y1 - y0)
        lit = cv2.resize(pixels, small, interpolation=cv2.INTER_AREA) * self._shade[y0:y1, x0:x1, None]
        dark = np.zeros((size[1], size[0]), np.uint8)
        for part in (cast[:4], cast[4:]):
            if len(part):
                cv2.fillConvexPoly(dark, _fixed(fine(part)), 255, cv2.LINE_AA, 4)
        soft = cv2.GaussianBlur(cv2.resize(dark, small, interpolation=cv2.INTER_AREA), (0, 0), 1.3)
        opaque = cv2.resize(cover, small, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
        left = (1 - opaque) * (1 - soft.astype(np.float32) / 255 * _SHADOW)
        share = opaque / np.maximum(1 - left, 1e-6)  # of the card itself in what it and its black shadow take
        return _Sprite((x0, y0, x1, y1), (lit * share[..., None]).clip(0, 255).astype(np.uint8), left, 1 - left)

    def _cast(self, points_mm: NDArray[Any]) -> NDArray[Any]:
        """Where the lamp throws the shadow of points on the table top, a little wider than from a point of light."""
        ray = points_mm - self._lamp_mm
        return np.asarray(points_mm - ray * (points_mm[:, 2:] / ray[:, 2:]))

    def _draw_hood(self, role: str) -> None:
        """Felt to lay the card on, and low walls on three sides; the player looks in from the table's end."""
        area = nook(role)
        inset = _WALL_INSET_MM
        x0, y0, x1, y1 = area.x0 + inset, area.y0 + inset, area.x1 - inset, area.y1 - inset
        middle = float(self._shade[self._shade.shape[0] // 2, self._shade.shape[1] // 2])
        floor = np.array([[x0, y0, 0], [x1, y0, 0], [x1, y1, 0], [x0, y1, 0]], float)
        cv2.fillConvexPoly(self._bare, _fixed(self.camera.project(floor)), _lit(_FELT_BGR, middle), cv2.LINE_AA, 4)
        inner = x1 if role == ROLES[0] else x0
        for (ax, ay), (bx, by), tone in (
            ((x0, y0), (x1, y0), 1.0),
            ((inner, y0), (inner, y1), 0.85),
            ((x0, y1), (x1, y1), 0.7),
        ):
            wall = np.array([[ax, ay, 0], [bx, by, 0], [bx, by, _WALL_MM], [ax, ay, _WALL_MM]], float)
            cv2.fillConvexPoly(
                self._bare, _fixed(self.camera.project(wall)), _lit(_WALL_BGR, middle * tone), cv2.LINE_AA, 4
            )
            ends = _fixed(self.camera.project(wall[2:]))
            cv2.line(self._bare, ends[0].tolist(), ends[1].tolist(), _lit(_WALL_BGR, 1.5), 2, cv2.LINE_AA, 4)


def _lay(frame: Picture, sprite: _Sprite, within: Box) -> None:
    """Lay a card over the picture, as far as it reaches into a box."""
    left, top = sprite.box[:2]
    x0, y0 = max(left, within[0]), max(top, within[1])
    x1, y1 = min(sprite.box[2], within[2]), min(sprite.box[3], within[3])
    if x1 <= x0 or y1 <= y0:
        return
    part = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
    view = frame[y0:y1, x0:x1]
    view[...] = cv2.blendLinear(view, sprite.pixels[part], sprite.left[part], sprite.taken[part])


@cache
def _outline() -> Picture:
    """Cover of a card with its round corners, (H, W) uint8 as its picture."""
    width, height = (round(side * CARD_PX_PER_MM) for side in CARD_MM)
    return rounded(width, height, 3.0 * CARD_PX_PER_MM)


def _lit(colour: tuple[int, int, int], light: float) -> tuple[float, ...]:
    return tuple(min(255.0, channel * light) for channel in colour)


def _fixed(pixels: NDArray[Any]) -> NDArray[Any]:
    return np.round(pixels * 16).astype(np.int32)
