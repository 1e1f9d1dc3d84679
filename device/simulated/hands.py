"""A player's hand and forearm reaching over the table, drawn once as a picture and laid over each frame."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from device.simulated.optics import PinholeCamera

__all__ = ["ARM_MM", "POINT_MM", "SHAPES", "Box", "Hand", "covers", "draw_hand", "hand_box", "prepare_hand"]

Picture = NDArray[Any]
_PX_PER_MM: Final = 2.0
ARM_MM: Final = 330.0
"""From the palm to the end of the sleeve, enough for a table of dice."""
_WIDE_MM: Final = 150.0
_BEYOND_ARM_MM: Final = 130.0
"""Length of the picture of the hand beside that of the arm."""
_PALM_MM: Final = (75.0, 100.0)
"""Where the middle of the palm lies in the picture of the hand; the fingers point up, the arm goes down."""
_HEIGHT_MM: Final = {"open": 42.0, "cupped": 40.0, "pointing": 22.0}
_SKINS: Final = ((126, 160, 212), (96, 128, 182), (60, 86, 134), (150, 178, 224), (80, 108, 158), (46, 66, 106))
_SLEEVES: Final = ((104, 74, 58), (64, 62, 70), (84, 96, 80), (72, 60, 108), (120, 110, 96), (60, 70, 96))


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand whose palm is over `palm_mm`; the arm comes from the near or the far edge, turned by `lean_rad`.

    At `lean_rad` of a quarter turn, from near, it comes from the left; at minus a quarter from the right.
    `shape` is a key of SHAPES.
    """

    seat: int
    palm_mm: tuple[float, float]
    from_near: bool
    lean_rad: float = 0.0
    arm_mm: float = ARM_MM
    shape: str = "open"

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and length of its picture."""
        return _WIDE_MM, self.arm_mm + _BEYOND_ARM_MM


def _capsule(mask: Picture, a: tuple[float, float], b: tuple[float, float], wide_a: float, wide_b: float) -> None:
    k = _PX_PER_MM
    steps = max(24, int(np.ceil(np.hypot(b[0] - a[0], b[1] - a[1]) / 12)))
    for i in range(steps + 1):
        share = i / steps
        x, y = a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share
        radius = (wide_a + (wide_b - wide_a) * share) / 2
        cv2.circle(mask, (round(x * k * 8), round(y * k * 8)), round(radius * k * 8), 255, -1, cv2.LINE_AA, 3)


def _relief(mask: Picture, deepest_mm: float) -> NDArray[Any]:
    """Height in mm of a body with round edges over its mask."""
    inside = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 5) / _PX_PER_MM
    reach = np.minimum(inside, deepest_mm) / deepest_mm
    return np.asarray(deepest_mm * np.sqrt(np.clip(1 - (1 - reach) ** 2, 0, 1)), np.float32)


_SOFT_PX: Final = 7.0
_COARSE: Final = 4
Box = tuple[int, int, int, int]
"""x0, y0, x1, y1 in pixels; the last ones are outside."""
Finger = tuple[float, float, float]
"""Where it begins across the hand, its length and its width, in mm."""

SHAPES: Final[dict[str, tuple[tuple[Finger, ...], float]]] = {
    "open": (((-28, 48, 18), (-9.5, 62, 19), (9.5, 58, 19), (27, 40, 17)), 1.0),
    "cupped": (((-25, 20, 20), (-8.5, 25, 21), (8.5, 24, 21), (24, 16, 19)), 0.55),
    "pointing": (((-26, 54, 18), (-8.5, 6, 20), (8.5, 6, 20), (24, 4, 18)), 0.6),
}
"""The four fingers from the thumb's side, and how far the thumb sticks out: flat; hollow over dice; one finger out."""

POINT_MM: Final = (-28.0, 76.0)
"""From the middle of the palm of a pointing hand to its finger tip: across, towards the thumb; and ahead."""


@lru_cache(maxsize=24)
def _picture(seat: int, arm_mm: float, shape: str) -> Picture:
    """The hand as blue, green, red and cover, (H, W, 4) uint8."""
    k = _PX_PER_MM
    width, height = int(_WIDE_MM * k), int((arm_mm + _BEYOND_ARM_MM) * k)
    cx, cy = _PALM_MM
    parts: list[tuple[Picture, float]] = []

    def part(a: tuple[float, float], b: tuple[float, float], wide_a: float, wide_b: float, deep: float) -> None:
        mask = np.zeros((height, width), np.uint8)
        _capsule(mask, a, b, wide_a, wide_b)
        parts.append((mask, deep))

    part((cx, cy + 46), (cx + 4, cy + arm_mm), 54, 82, 24)
    part((cx, cy + 22), (cx, cy - 12), 66, 74, 20)
    fingers, thumb = SHAPES[shape]
    for dx, length, wide in fingers:
        part((cx + dx * 0.86, cy - 20), (cx + dx * 1.12, cy - 26 - length), wide + 2, wide - 3, 8)
    part((cx - 30, cy + 18), (cx - 30 - 26 * thumb, cy + 18 - 40 * thumb), 24, 18, 9)
    relief: NDArray[Any] = np.zeros((height, width), np.float32)
    cover = np.zeros((height, width), np.uint8)
    for mask, deep in parts:
        relief = np.maximum(relief, _relief(mask, deep))
        cover = np.maximum(cover, mask)
    relief = np.asarray(cv2.GaussianBlur(relief, (0, 0), 1.6 * k))
    slope_x = cv2.Sobel(relief, cv2.CV_32F, 1, 0, ksize=3) / 8 * k
    slope_y = cv2.Sobel(relief, cv2.CV_32F, 0, 1, ksize=3) / 8 * k
    normal = np.dstack([-slope_x, -slope_y, np.ones_like(relief)])
    normal /= np.linalg.norm(normal, axis=2, keepdims=True)
    light = np.clip(normal @ np.array([-0.35, -0.4, 0.85], np.float32), 0, None) * 0.72 + 0.3
    skin = np.array(_SKINS[(seat - 1) % len(_SKINS)], np.float32)
    sleeve = np.array(_SLEEVES[(seat - 1) % len(_SLEEVES)], np.float32)
    rows = np.arange(height, dtype=np.float32)[:, None, None] / k
    cloth = np.clip((rows - (cy + 135)) / 0.8, 0, 1)
    blotch = cv2.resize(np.random.default_rng([9, seat]).standard_normal((40, 14)).astype(np.float32), (width, height))
    colour = (skin * (1 - cloth) + sleeve * cloth) * (1 + 0.025 * blotch[..., None])
    picture = (colour * light[..., None]).clip(0, 255).astype(np.uint8)
    return np.dstack([picture, cover])


def prepare_hand(seat: int, arm_mm: float = ARM_MM) -> None:
    """Draw the hand of a seat ahead of its first use, which takes some 30 ms."""
    _picture(seat, arm_mm, "open")


def draw_hand(
    picture: Picture, hand: Hand, camera: PinholeCamera, lamp_mm: NDArray[Any], light_at: NDArray[Any]
) -> None:
    """Lay a hand and its shadow over `picture` (H, W, 3) uint8 BGR."""
    sprite = _picture(hand.seat, hand.arm_mm, hand.shape)
    height_mm = _HEIGHT_MM[hand.shape]
    palm = np.array([*hand.palm_mm, height_mm])
    reach = palm - lamp_mm
    shadow_at = palm - reach * (height_mm / reach[2])
    _shade(picture, sprite, hand, camera, shadow_at)
    _lay(picture, sprite, hand, camera, palm, light_at)


def hand_box(hand: Hand, camera: PinholeCamera, lamp_mm: NDArray[Any]) -> Box:
    """All that a hand and its shadow can change in the picture: x0, y0, x1, y1, clipped to it."""
    height_mm = _HEIGHT_MM[hand.shape]
    palm = np.array([*hand.palm_mm, height_mm])
    reach = palm - lamp_mm
    shadow_at = palm - reach * (height_mm / reach[2])
    body, shadow = (_rim_px(hand, camera, at_mm) for at_mm in (palm, shadow_at))
    a, b = _box(body, 0.0, camera.size_wh), _box(shadow, 3 * _SOFT_PX, camera.size_wh)
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def _box(points_px: NDArray[Any], margin_px: float, size_wh: tuple[int, int]) -> Box:
    x0, y0 = np.maximum(np.floor(points_px.min(axis=0) - margin_px).astype(int), 0)
    x1, y1 = np.minimum(np.ceil(points_px.max(axis=0) + margin_px).astype(int), size_wh)
    return int(x0), int(y0), int(x1), int(y1)


def _rim_px(hand: Hand, camera: PinholeCamera, at_mm: NDArray[Any]) -> NDArray[Any]:
    """Where the corners of the hand's picture lie, (4, 2) float32, when its palm is at `at_mm` (3,)."""
    turn = hand.lean_rad + (0.0 if hand.from_near else np.pi)
    c, s = np.cos(turn), np.sin(turn)
    wide, long = hand.size_mm
    rim = np.array([[0, 0], [wide, 0], [wide, long], [0, long]]) - _PALM_MM
    world = np.column_stack([rim @ np.array([[c, s], [-s, c]]) + at_mm[:2], np.full(4, at_mm[2])])
    return np.asarray(camera.project(world), np.float32)


def _sprite_corners(hand: Hand) -> NDArray[Any]:
    return (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * (np.array(hand.size_mm) * _PX_PER_MM)).astype(np.float32)


def covers(hand: Hand, camera: PinholeCamera, points_px: NDArray[Any]) -> NDArray[np.bool_]:
    """For each pixel position (N, 2): True where the hand is in front of the table."""
    cover = _picture(hand.seat, hand.arm_mm, hand.shape)[..., 3]
    rim = _rim_px(hand, camera, np.array([*hand.palm_mm, _HEIGHT_MM[hand.shape]]))
    move = cv2.getPerspectiveTransform(rim, _sprite_corners(hand))
    at = np.round(cv2.perspectiveTransform(points_px[None].astype(np.float32), move)[0]).astype(int)
    inside = (at >= 0).all(axis=1) & (at[:, 0] < cover.shape[1]) & (at[:, 1] < cover.shape[0])
    found: NDArray[np.bool_] = np.zeros(len(points_px), bool)
    found[inside] = cover[at[inside, 1], at[inside, 0]] > 127
    return found


def _shade(picture: Picture, sprite: Picture, hand: Hand, camera: PinholeCamera, at_mm: NDArray[Any]) -> None:
    """Darken the table softly where the hand keeps the lamp's light away; worked out on a coarse grid."""
    goal = _rim_px(hand, camera, at_mm)
    x0, y0, x1, y1 = _box(goal, 3 * _SOFT_PX, camera.size_wh)
    if x1 <= x0 or y1 <= y0:
        return
    n = _COARSE
    size = (-(-(x1 - x0) // n), -(-(y1 - y0) // n))
    move = cv2.getPerspectiveTransform(_sprite_corners(hand) / n, (goal - np.array([x0, y0], np.float32)) / n)
    dark = cv2.warpPerspective(_coarse_cover(hand.seat, hand.arm_mm, hand.shape), move, size)
    dark = cv2.GaussianBlur(dark, (0, 0), _SOFT_PX / n)
    keep = 255 - cv2.resize(dark, (size[0] * n, size[1] * n), interpolation=cv2.INTER_LINEAR)[: y1 - y0, : x1 - x0]
    view = picture[y0:y1, x0:x1]
    view[...] = cv2.multiply(view, cv2.merge([keep, keep, keep]), scale=1 / 255)


@lru_cache(maxsize=24)
def _coarse_cover(seat: int, arm_mm: float, shape: str) -> Picture:
    """How dark the shadow of the hand is, small, 0..255."""
    cover = _picture(seat, arm_mm, shape)[..., 3]
    small = cv2.resize(cover, None, fx=1 / _COARSE, fy=1 / _COARSE, interpolation=cv2.INTER_AREA)
    return np.asarray(small * np.float32(0.45), np.uint8)


def _lay(
    picture: Picture,
    sprite: Picture,
    hand: Hand,
    camera: PinholeCamera,
    at_mm: NDArray[Any],
    light_at: NDArray[Any],
) -> None:
    goal = _rim_px(hand, camera, at_mm)
    x0, y0, x1, y1 = _box(goal, 0.0, camera.size_wh)
    if x1 <= x0 or y1 <= y0:
        return
    height, width = picture.shape[:2]
    move = cv2.getPerspectiveTransform(_sprite_corners(hand), goal - np.array([x0, y0], np.float32))
    warped = cv2.warpPerspective(sprite, move, (x1 - x0, y1 - y0))
    view = picture[y0:y1, x0:x1]
    exposure = float(light_at[min(height - 1, (y0 + y1) // 2), min(width - 1, (x0 + x1) // 2)]) ** (1 / 2.2)
    shown = cv2.convertScaleAbs(warped[..., :3], alpha=exposure)
    alpha = np.multiply(warped[..., 3], np.float32(1 / 255), dtype=np.float32)
    view[...] = cv2.blendLinear(view, shown, 1 - alpha, alpha)
