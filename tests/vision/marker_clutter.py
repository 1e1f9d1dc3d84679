"""Pictures without a single marker of ours, full of what could be taken for one."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from vision.training.backgrounds import random_background
from vision.training.clutter import draw_hand, random_clutter
from vision.training.styles import face_texture, random_style

Rng = np.random.Generator

SIZE_PX = 384
FOREIGN = {
    "4x4": (cv2.aruco.DICT_4X4_1000, 0),
    "5x5": (cv2.aruco.DICT_5X5_1000, 0),
    "6x6, ids that are not ours": (cv2.aruco.DICT_6X6_1000, 250),
    "7x7": (cv2.aruco.DICT_7X7_1000, 0),
    "36h11": (cv2.aruco.DICT_APRILTAG_36h11, 0),
    "25h9": (cv2.aruco.DICT_APRILTAG_25h9, 0),
    "original": (cv2.aruco.DICT_ARUCO_ORIGINAL, 0),
}
"""Other dictionaries, and the first id of each that no marker of ours looks like."""


def foreign_marker(rng: Rng, side_px: int) -> np.ndarray:
    number, first = FOREIGN[str(rng.choice(list(FOREIGN)))]
    dictionary = cv2.aruco.getPredefinedDictionary(number)
    tile = np.full((side_px, side_px), 255, np.uint8)
    rim = max(2, side_px // 9)
    marker_id = int(rng.integers(first, len(dictionary.bytesList)))
    tile[rim:-rim, rim:-rim] = cv2.aruco.generateImageMarker(dictionary, marker_id, max(side_px - 2 * rim, 12))
    return tile


def framed_noise(rng: Rng, side_px: int) -> np.ndarray:
    """Our frame around chance modules, some of them grey."""
    levels = (0, 255) if rng.random() < 0.6 else (0, 255, 128)
    bits = np.zeros((8, 8), np.uint8)
    bits[1:-1, 1:-1] = rng.choice(levels, (6, 6))
    whole = np.full((10, 10), 255, np.uint8)
    whole[1:-1, 1:-1] = bits
    return cv2.resize(whole, (side_px, side_px), interpolation=cv2.INTER_NEAREST)


def quick_response_code(rng: Rng, side_px: int) -> np.ndarray:
    encoder = cv2.QRCodeEncoder.create()
    code = np.asarray(encoder.encode(str(rng.integers(10**9))), np.uint8)
    return cv2.resize(code, (side_px, side_px), interpolation=cv2.INTER_NEAREST)


def checkers(rng: Rng, side_px: int) -> np.ndarray:
    n = int(rng.integers(4, 14))
    board = (np.indices((n, n)).sum(axis=0) % 2 * 255).astype(np.uint8)
    return cv2.resize(board, (side_px, side_px), interpolation=cv2.INTER_NEAREST)


def writing(rng: Rng, side_px: int) -> np.ndarray:
    page = np.full((side_px, side_px), 240, np.uint8)
    step = int(rng.integers(9, 30))
    for y in range(step, side_px, step):
        text = "".join(rng.choice(list("ABEHIMabdegmnopqHE#08 "), 40))
        cv2.putText(page, text, (3, y), int(rng.integers(0, 4)), step / 35, 20, int(rng.integers(1, 3)), cv2.LINE_AA)
    return page


def die_face(rng: Rng, side_px: int) -> np.ndarray:
    face = face_texture(int(rng.integers(1, 7)), int(rng.integers(4)), random_style(rng), side_px, 1.0, rng)
    return np.clip(face[:, :, :3], 0, 255).astype(np.uint8)


def crossword(rng: Rng, side_px: int) -> np.ndarray:
    n = int(rng.integers(6, 16))
    grid = cv2.resize(
        (rng.random((n, n)) < 0.6).astype(np.uint8) * 255, (side_px, side_px), interpolation=cv2.INTER_NEAREST
    )
    for k in range(n + 1):
        at = min(side_px - 1, k * side_px // n)
        grid[at], grid[:, at] = 0, 0
    return grid


KINDS: tuple[Callable[[Rng, int], np.ndarray], ...] = (
    foreign_marker, foreign_marker, framed_noise, framed_noise, quick_response_code, checkers, writing, die_face,
    crossword,
)  # fmt: skip


def cluttered(seed: int) -> np.ndarray:
    """A picture (SIZE_PX, SIZE_PX, 3) uint8 BGR that holds no marker of ours."""
    rng = np.random.default_rng(seed)
    image = random_background(rng, SIZE_PX) if rng.random() < 0.8 else rng.uniform(0, 255, (SIZE_PX, SIZE_PX, 3))
    image = np.asarray(image, np.float32)
    for _ in range(int(rng.integers(1, 6))):
        tile = KINDS[rng.integers(len(KINDS))](rng, int(rng.integers(24, 160)))
        tile = tile if tile.ndim == 3 else cv2.merge([tile] * 3)
        _lay(rng, image, np.dstack([tile.astype(np.float32), np.ones(tile.shape[:2], np.float32)]))
    for thing in random_clutter(rng, rng.uniform(24, 70)):
        _lay(rng, image, thing)
    if rng.random() < 0.3:
        draw_hand(rng, image, 50)
    image = image * rng.uniform(0.3, 1.6)
    if rng.random() < 0.5:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 2))
    return np.clip(image + rng.standard_normal(image.shape, np.float32) * rng.uniform(1, 16), 0, 255).astype(np.uint8)


def _lay(rng: Rng, image: np.ndarray, thing: np.ndarray) -> None:
    """Paint a thing (h, w, 4) somewhere on to the picture, turned and seen from aside."""
    height, width = thing.shape[:2]
    side = np.array([(0, 0), (width, 0), (width, height), (0, height)], float) - (width / 2, height / 2)
    turn = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(turn), np.sin(turn)
    corners = side @ np.array([(c, s), (-s, c)]) * (1, rng.uniform(0.7, 1)) * rng.uniform(0.7, 1.6)
    corners += rng.normal(0, 0.03 * width, (4, 2)) + rng.uniform(0.1, 0.9, 2) * SIZE_PX
    flat = (side + np.array([width / 2, height / 2])).astype(np.float32)
    view = cv2.getPerspectiveTransform(flat, corners.astype(np.float32))
    # Only the part of the picture that the thing can reach is painted.
    x0, y0 = np.maximum(np.floor(corners.min(axis=0)) - 1, 0).astype(int)
    x1, y1 = np.minimum(np.ceil(corners.max(axis=0)) + 2, SIZE_PX).astype(int)
    if x1 <= x0 or y1 <= y0:
        return
    there = np.array([(1, 0, -x0), (0, 1, -y0), (0, 0, 1)], float) @ view
    moved = cv2.warpPerspective(thing, there, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR)
    alpha = moved[:, :, 3:]
    part = image[y0:y1, x0:x1]
    part[:] = part * (1 - alpha) + moved[:, :, :3] * alpha
