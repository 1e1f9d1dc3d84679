"""Tables with stickers on them, drawn from a seed: any size and turn, leaning, blurred, noisy, badly lit, hidden."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.markers import MARKER_COUNT, marker_image
from vision.training.backgrounds import random_background


@dataclass
class Table:
    """How a scene is drawn; `side_px` is the range of the black square's side."""

    size: tuple[int, int] = (720, 1280)
    side_px: tuple[float, float] = (18, 60)
    count: int = 8
    tilt: float = 0.3
    blur_px: tuple[float, float] = (0.0, 0.06)
    """As a share of a marker's side: 0.06 is half a module."""
    noise: float = 6.0
    gain: tuple[float, float] = (0.6, 1.3)
    slope: float = 0.5
    white_border: bool = True
    plain: int | None = None
    hidden: float = 0.0
    """Share of each marker's area that a finger or card hides."""
    shadow: float = 0.0
    """Share of the light that a shadow takes whose edge runs across each marker."""
    penumbra: float = 0.1
    """Width of that edge, in sides of the marker."""
    glare: float = 0.0
    """Light of a lamp mirrored in each marker's lamination, 1 being as much as white paper sends back."""
    glare_sides: float = 0.5
    """Width of the mirrored lamp, in sides of the marker."""
    ids: tuple[int, ...] | None = None


@dataclass
class Drawn:
    """The picture (H, W, 3) uint8 BGR and the corners (4, 2) of each marker by id."""

    image: np.ndarray
    corners: dict[int, np.ndarray] = field(default_factory=dict)


def drawn(seed: int, table: Table) -> Drawn:
    rng = np.random.default_rng(seed)
    height, width = table.size
    if table.plain is None:
        ground = random_background(rng, min(900, max(height, width)))
        image = cv2.resize(ground, (width, height)).astype(np.float32)
    else:
        image = np.full((height, width, 3), table.plain, np.float32)
    scene = Drawn(np.zeros(0))
    ids = list(table.ids or rng.permutation(MARKER_COUNT)[: table.count])
    taken: list[tuple[float, float, float]] = []
    lit = np.random.default_rng([seed, 1])  # of its own, so that the table is the same in any light
    for marker_id in ids:
        side = float(np.exp(rng.uniform(*np.log(table.side_px))))
        reach = side * 0.95 + 3
        reach = min(reach, min(height, width) / 2 - 1)
        for _ in range(60):
            x, y = rng.uniform(reach, width - reach), rng.uniform(reach, height - reach)
            if all(np.hypot(x - a, y - b) > reach + c for a, b, c in taken):
                break
        else:
            continue
        taken.append((x, y, reach))
        scene.corners[int(marker_id)] = _paste(rng, image, int(marker_id), np.array([x, y]), side, table)
        _light(lit, image, np.array([x, y]), side, table)
    side = float(np.median([np.linalg.norm(c[0] - c[1]) for c in scene.corners.values()] or [30.0]))
    scene.image = _exposed(rng, image, side, table)
    return scene


def _paste(
    rng: np.random.Generator, image: np.ndarray, marker_id: int, at: np.ndarray, side: float, table: Table
) -> np.ndarray:
    module = 24
    sheet = marker_image(marker_id, 10 * module).astype(np.float32)
    paper, ink = rng.uniform(200, 250), rng.uniform(8, 45)
    sheet = ink + sheet / 255 * (paper - ink)
    sheet = cv2.merge([sheet] * 3)
    inner = 0 if table.white_border else module
    turn = rng.uniform(0, 2 * np.pi)
    squeeze = 1 - rng.uniform(0, table.tilt)
    lean = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(turn), np.sin(turn)
    u, v = np.cos(lean), np.sin(lean)
    flat = np.array([(u, -v), (v, u)]) @ np.diag([1, squeeze]) @ np.array([(u, v), (-v, u)])
    matrix = flat @ np.array([(c, -s), (s, c)]) * side / (8 * module)
    middle = (10 * module - 1) / 2
    full = np.column_stack([matrix, at - matrix @ np.array([middle, middle])])
    box = np.zeros(sheet.shape[:2], np.float32)
    box[inner : 10 * module - inner, inner : 10 * module - inner] = 1
    if table.hidden:
        _hide(rng, sheet, table.hidden, module)
    blurred = cv2.GaussianBlur(sheet, (0, 0), max(0.3, 0.35 * 8 * module / side))
    # Only the part of the picture that the sheet can reach is painted.
    reach = side * 10 / 8 / np.sqrt(2) + 2
    x0, y0 = np.maximum(np.floor(at - reach), 0).astype(int)
    x1, y1 = np.minimum(np.ceil(at + reach) + 1, image.shape[1::-1]).astype(int)
    there = full.copy()
    there[:, 2] -= (x0, y0)
    size = int(x1 - x0), int(y1 - y0)
    warped = cv2.warpAffine(blurred, there, size, flags=cv2.INTER_LINEAR)
    alpha = cv2.warpAffine(box, there, size, flags=cv2.INTER_LINEAR)[:, :, None]
    part = image[y0:y1, x0:x1]
    part[:] = part * (1 - alpha) + warped * alpha
    lo, hi = module - 0.5, 9 * module - 0.5
    return np.array([(lo, lo), (hi, lo), (hi, hi), (lo, hi)]) @ matrix.T + full[:, 2]


def _hide(rng: np.random.Generator, sheet: np.ndarray, share: float, module: int) -> None:
    """Cover the black square from one of its sides or corners by something of one colour."""
    side = 8 * module
    colour = rng.uniform(30, 230, 3)
    if rng.random() < 0.5:
        deep = round(side * share)
        cover = [slice(0, module + deep), slice(None)]
    else:
        deep = round(side * np.sqrt(share))
        cover = [slice(0, module + deep), slice(0, module + deep)]
    part = np.rot90(sheet, int(rng.integers(4)))
    part[cover[0], cover[1]] = colour


def _light(rng: np.random.Generator, image: np.ndarray, at: np.ndarray, side: float, table: Table) -> None:
    """A shadow's edge and a mirrored lamp within half a side of the marker's middle, in linear light."""
    towards, lamp = rng.uniform(0, 2 * np.pi, 2)
    edge, gap = rng.uniform(-0.4, 0.4), rng.uniform(0.0, 0.5)
    if not table.shadow and not table.glare:
        return
    reach = side * 0.95 + 3
    x0, y0 = np.maximum(np.floor(at - reach), 0).astype(int)
    x1, y1 = np.minimum(np.ceil(at + reach) + 1, image.shape[1::-1]).astype(int)
    part = image[y0:y1, x0:x1]
    yy, xx = np.mgrid[y0:y1, x0:x1].astype(np.float32)
    right, down = (xx - at[0]) / side, (yy - at[1]) / side
    light = (np.clip(part, 0, 255) / 255) ** 2.2
    across = right * np.cos(towards) + down * np.sin(towards) - edge
    # A shadow ends within the reach of its marker: one that goes on would darken its neighbours' too.
    ends = np.clip((0.95 - np.hypot(right, down)) / 0.05, 0, 1)
    taken = np.clip(across / max(table.penumbra, 1e-3) + 0.5, 0, 1) * ends
    light = light * (1 - table.shadow * taken)[:, :, None]
    away = np.hypot(right - gap * np.cos(lamp), down - gap * np.sin(lamp)) / (table.glare_sides / 2)
    light = light + table.glare * np.exp(-(away**2) * np.log(2))[:, :, None]
    part[:] = 255 * light ** (1 / 2.2)


def _exposed(rng: np.random.Generator, image: np.ndarray, side: float, table: Table) -> np.ndarray:
    height, width = image.shape[:2]
    turn = rng.uniform(0, 2 * np.pi)
    yy, xx = np.mgrid[0:height, 0:width].astype(np.float32)
    image = (
        image
        * (1 + table.slope * rng.random() * ((xx / width - 0.5) * np.cos(turn) + (yy / height - 0.5) * np.sin(turn)))[
            :, :, None
        ]
    )
    image = image * rng.uniform(*table.gain)
    blur = rng.uniform(*table.blur_px) * side
    if blur > 0.25:
        image = cv2.GaussianBlur(image, (0, 0), blur)
    image = np.clip(image + rng.standard_normal(image.shape, np.float32) * table.noise, 0, 255)
    return np.asarray(image, np.uint8)
