"""The still part of the picture: the table top with everything flat on it, seen through the camera."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from device.simulated.layout import CARD_MM, GOAL_CARD_MM, corner_marker_positions_mm
from device.simulated.optics import PinholeCamera
from device.simulated.surfaces import Picture, card_back, coin, goal_card, marker_tile, playing_card, surface

__all__ = ["Clutter", "Tabletop", "light_map", "rounded"]

_TEXTURE_PX_PER_MM: Final = 3.6
"""For a picture 1280 px wide, twice as fine as the picture; in proportion for others."""
_SUPERSAMPLE: Final = 2
_GRID_STEP_PX: Final = 16


@dataclass(frozen=True, slots=True)
class Clutter:
    """A thing lying about: 'coin', 'card' or 'cup', its centre in mm, its turn, its radius in mm."""

    kind: str
    x_mm: float
    y_mm: float
    turn_rad: float
    radius_mm: float
    seed: int


def light_map(camera: PinholeCamera, lamp_mm: NDArray[Any]) -> NDArray[Any]:
    """How bright a white sheet would be at each pixel, (H, W) float32 about 1: lamp fall-off and vignetting."""
    width, height = camera.size_wh
    xs, ys = np.meshgrid(np.arange(0, width + 16, 16.0), np.arange(0, height + 16, 16.0))
    flat = camera.on_plane(np.column_stack([xs.ravel(), ys.ravel()]))
    reach = np.column_stack([flat, np.zeros(len(flat))]) - lamp_mm
    distance = np.linalg.norm(reach, axis=1)
    lamp = (-reach[:, 2] / distance) * (lamp_mm[2] / distance) ** 2
    offset = np.hypot(xs.ravel() - width / 2, ys.ravel() - height / 2) / camera.focal_px
    vignette = 1 / (1 + offset**2) ** 2
    light = (0.42 + 0.66 * lamp / lamp.max()) * vignette
    grid = (light / light.max()).reshape(xs.shape).astype(np.float32)
    wide = cv2.resize(grid, (grid.shape[1] * 16, grid.shape[0] * 16), interpolation=cv2.INTER_LINEAR)
    return np.asarray(wide[:height, :width])


class Tabletop:
    """Draws the table top once and gives the picture of it again at once while nothing on it changes.

    `corners_mm` are the centres of the corner markers by id, those of the table of dice when None;
    `px_per_mm` is how fine the texture is for a picture 1280 px wide.
    """

    def __init__(
        self,
        camera: PinholeCamera,
        *,
        seed: int,
        surface_name: str,
        light: NDArray[Any],
        corners_mm: Mapping[int, tuple[float, float]] | None = None,
        px_per_mm: float = _TEXTURE_PX_PER_MM,
    ) -> None:
        self._camera = camera
        width, height = camera.size_wh
        self._k = max(px_per_mm / 2, px_per_mm * width / 1280)
        rim = camera.on_plane(np.array([[0, 0], [width, 0], [width, height], [0, height]], float))
        self._origin_mm = rim.min(axis=0) - 4
        span_mm = rim.max(axis=0) + 4 - self._origin_mm
        self._shape_hw = (int(span_mm[1] * self._k), int(span_mm[0] * self._k))
        self._rng_seed = seed
        self._bare = surface(surface_name, seed, self._shape_hw, self._k)
        corners = corner_marker_positions_mm() if corners_mm is None else corners_mm
        for marker_id, (x, y) in corners.items():
            self._lay(self._bare, marker_tile(marker_id, self._k), x, y, 0.0, thick_mm=0.25)
        self._maps = self._sampling_maps()
        self._shade = (light ** (1 / 2.2))[..., None]

    def picture(self, *, goal_marker: int | None, clutter: tuple[Clutter, ...]) -> Picture:
        """The table top as the camera sees it, (H, W, 3) uint8 BGR, without blur and noise."""
        texture = self._bare.copy()
        for thing in clutter:
            rng = np.random.default_rng([self._rng_seed, 5, thing.seed])
            if thing.kind == "card":
                picture = playing_card(rng, self._k)
                self._lay(texture, picture, thing.x_mm, thing.y_mm, thing.turn_rad, thick_mm=0.3)
            elif thing.kind == "coin":
                face, mask = coin(rng, thing.radius_mm * 2, self._k)
                self._lay(texture, face, thing.x_mm, thing.y_mm, thing.turn_rad, thick_mm=1.6, mask=mask)
        if goal_marker is not None:
            turn = float(np.random.default_rng([self._rng_seed, 6, goal_marker]).uniform(-0.06, 0.06))
            self._lay(texture, goal_card(goal_marker, self._k), *GOAL_CARD_MM, turn, thick_mm=0.3)
        return self._seen(texture)

    @staticmethod
    def back_of_card(px_per_mm: float) -> Picture:
        """The picture on the top of the stack."""
        return card_back(px_per_mm)

    def _lay(
        self,
        texture: Picture,
        picture: Picture,
        x_mm: float,
        y_mm: float,
        turn_rad: float,
        *,
        thick_mm: float,
        mask: NDArray[Any] | None = None,
    ) -> None:
        """Paint a flat thing with its thin shadow on to the texture; the shadow falls to the near right."""
        height, width = picture.shape[:2]
        x, y = (np.array([x_mm, y_mm]) - self._origin_mm) * self._k
        c, s = np.cos(turn_rad), np.sin(turn_rad)
        move = np.array([[c, -s, x - c * width / 2 + s * height / 2], [s, c, y - s * width / 2 - c * height / 2]])
        reach = int(np.hypot(width, height) / 2 + 6 * self._k)
        x0, y0 = max(0, int(x) - reach), max(0, int(y) - reach)
        x1, y1 = min(texture.shape[1], int(x) + reach), min(texture.shape[0], int(y) + reach)
        if x1 <= x0 or y1 <= y0:
            return
        move[:, 2] -= (x0, y0)
        size = (x1 - x0, y1 - y0)
        cover = mask if mask is not None else rounded(width, height, 3.0 * self._k if thick_mm == 0.3 else 1)
        alpha = cv2.warpAffine(cover, move, size, flags=cv2.INTER_LINEAR)[..., None].astype(np.float32) / 255
        moved = cv2.warpAffine(picture, move, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        drop = np.array([[1, 0, 0.6 * thick_mm * self._k], [0, 1, 0.5 * thick_mm * self._k]])
        shadow = cv2.warpAffine(alpha[..., 0], drop, size)
        shadow = cv2.GaussianBlur(shadow, (0, 0), 0.6 * self._k)[..., None] * 0.4
        under = texture[y0:y1, x0:x1].astype(np.float32) * (1 - shadow)
        texture[y0:y1, x0:x1] = (under * (1 - alpha) + moved * alpha).astype(np.uint8)

    def _sampling_maps(self) -> tuple[NDArray[Any], NDArray[Any]]:
        width, height = self._camera.size_wh
        n, step = _SUPERSAMPLE, _GRID_STEP_PX
        # Fine pixel i lies at (i + 0.5) / n - 0.5 of the picture; a coarse grid of them is enlarged linearly.
        columns = np.arange(0, width * n + step, step)
        rows = np.arange(0, height * n + step, step)
        xs, ys = np.meshgrid((columns + 0.5) / n - 0.5, (rows + 0.5) / n - 0.5)
        mm = self._camera.on_plane(np.column_stack([xs.ravel(), ys.ravel()]))
        at = ((mm - self._origin_mm) * self._k - 0.5).astype(np.float32).reshape(*xs.shape, 2)
        fine_x, fine_y = np.meshgrid(
            np.arange(width * n, dtype=np.float32) / step, np.arange(height * n, dtype=np.float32) / step
        )
        fine = cv2.remap(at, fine_x, fine_y, cv2.INTER_LINEAR)
        whole, part = cv2.convertMaps(fine[..., 0], fine[..., 1], cv2.CV_16SC2)
        return np.asarray(whole), np.asarray(part)

    def _seen(self, texture: Picture) -> Picture:
        fine = cv2.remap(texture, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        plain = cv2.resize(fine, self._camera.size_wh, interpolation=cv2.INTER_AREA)
        return (plain * self._shade).clip(0, 255).astype(np.uint8)


def rounded(width: int, height: int, radius: float) -> NDArray[Any]:
    """A rectangle with round corners as a mask, (height, width) uint8 0..255."""
    mask = np.zeros((height, width), np.uint8)
    r = int(radius)
    cv2.rectangle(mask, (r, 0), (width - 1 - r, height - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (width - 1, height - 1 - r), 255, -1)
    for x in (r, width - 1 - r):
        for y in (r, height - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1, cv2.LINE_AA)
    return mask


CARD_HALF_MM: Final = (CARD_MM[0] / 2, CARD_MM[1] / 2)
