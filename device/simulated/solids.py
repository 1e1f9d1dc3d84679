"""Things that stand up from the table and stay where they are: the stack of cards and cups."""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from device.simulated.layout import CARD_MM, STACK_MM
from device.simulated.optics import PinholeCamera
from device.simulated.surfaces import card_back
from device.simulated.tabletop import Clutter

__all__ = ["draw_cup", "draw_stack"]

Picture = NDArray[Any]
_STACK_HEIGHT_MM: Final = 12.0
_CUP_HEIGHT_MM: Final = 85.0
_FINE: Final = 3


def _fixed(pixels: NDArray[Any]) -> NDArray[Any]:
    return np.round(pixels * 16).astype(np.int32)


def _shadow(
    picture: Picture,
    outline_mm: NDArray[Any],
    camera: PinholeCamera,
    lamp_mm: NDArray[Any],
    soft_px: float,
) -> None:
    ray = outline_mm - lamp_mm
    cast = outline_mm - ray * (outline_mm[:, 2:] / ray[:, 2:])
    dark: NDArray[Any] = np.zeros(picture.shape[:2], np.uint8)
    hull = cv2.convexHull(camera.project(cast).astype(np.float32)).reshape(-1, 2)
    cv2.fillConvexPoly(dark, _fixed(hull), 115, cv2.LINE_AA, 4)
    dark = np.asarray(cv2.GaussianBlur(dark, (0, 0), soft_px))
    picture[...] = (picture * (255 - dark.astype(np.uint16))[..., None] // 255).astype(np.uint8)


def draw_stack(picture: Picture, camera: PinholeCamera, lamp_mm: NDArray[Any], exposure: float) -> None:
    """The stack of face-down cards, with its cut edges."""
    (x, y), (wide, deep), turn = STACK_MM, CARD_MM, 0.04
    c, s = np.cos(turn), np.sin(turn)
    rim = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array([wide, deep]) / 2
    foot = rim @ np.array([[c, s], [-s, c]]) + np.array([x, y])
    low = np.column_stack([foot, np.zeros(4)])
    high = np.column_stack([foot, np.full(4, _STACK_HEIGHT_MM)])
    _shadow(picture, np.vstack([low, high]), camera, lamp_mm, 2.5)
    layers = 22
    for i in range(layers + 1):
        edge = low + (high - low) * (i / layers)
        tone = (196 if i % 2 else 150) * exposure
        shade = (tone * 0.94, tone, tone)
        cv2.fillConvexPoly(picture, _fixed(camera.project(edge)), shade, cv2.LINE_AA, 4)
    top = card_back(4.0)
    goal = camera.project(high).astype(np.float32)
    origin = np.floor(goal.min(axis=0)).astype(int)
    size = np.ceil(goal.max(axis=0)).astype(int) + 1 - origin
    source = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * np.array(top.shape[1::-1], np.float32)
    move = cv2.getPerspectiveTransform(source, (goal - origin.astype(np.float32)) * _FINE)
    fine = tuple(int(v) * _FINE for v in size)
    seen = cv2.resize(cv2.warpPerspective(top, move, fine), tuple(map(int, size)), interpolation=cv2.INTER_AREA)
    cover = cv2.warpPerspective(np.full(top.shape[:2], 255, np.uint8), move, fine)
    alpha = cv2.resize(cover, tuple(map(int, size)), interpolation=cv2.INTER_AREA)[..., None] / 255.0
    view = picture[origin[1] : origin[1] + size[1], origin[0] : origin[0] + size[0]]
    view[...] = (view * (1 - alpha) + seen * exposure * alpha).astype(np.uint8)


def draw_cup(picture: Picture, cup: Clutter, camera: PinholeCamera, lamp_mm: NDArray[Any], exposure: float) -> None:
    """A mug seen from above: body, rim, drink."""
    angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])

    def ring(radius: float, z: float) -> NDArray[Any]:
        return np.column_stack([circle * radius + [cup.x_mm, cup.y_mm], np.full(len(circle), z)])

    rng = np.random.default_rng([31, cup.seed])
    glaze = np.array([(176, 150, 96), (72, 84, 176), (206, 214, 220), (90, 120, 96)][int(rng.integers(0, 4))], float)
    radius = cup.radius_mm
    low, high = ring(radius * 0.82, 0.0), ring(radius, _CUP_HEIGHT_MM)
    _shadow(picture, np.vstack([low, high]), camera, lamp_mm, 6.0)
    hull = cv2.convexHull(camera.project(np.vstack([low, high])).astype(np.float32)).reshape(-1, 2)
    cv2.fillConvexPoly(picture, _fixed(hull), (glaze * 0.62 * exposure).tolist(), cv2.LINE_AA, 4)
    for grow, z, colour in (
        (1.0, _CUP_HEIGHT_MM, glaze * 1.08),
        (0.9, _CUP_HEIGHT_MM, glaze * 0.5),
        (0.86, _CUP_HEIGHT_MM - 22, np.array([28, 44, 70.0])),
    ):
        points = _fixed(camera.project(ring(radius * grow, z)))
        cv2.fillConvexPoly(picture, points, (colour * exposure).clip(0, 255).tolist(), cv2.LINE_AA, 4)
