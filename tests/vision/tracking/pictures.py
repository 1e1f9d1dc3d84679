"""Small pictures of a table for the parts of the tracker that look at pixels."""

from __future__ import annotations

import cv2
import numpy as np

WIDTH, HEIGHT = 640, 360
FRAME_NS = 33_333_333


def table(seed: int = 0) -> np.ndarray:
    """A mottled table, (360, 640, 3) uint8 BGR."""
    rng = np.random.default_rng(seed)
    coarse = rng.normal(0, 22, (45, 80, 3)).astype(np.float32)
    grain = cv2.resize(coarse, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    return np.clip(np.array([80, 110, 140]) + grain, 0, 255).astype(np.uint8)


def noisy(image: np.ndarray, number: int) -> np.ndarray:
    """The image as frame `number` of a camera gives it."""
    noise = np.random.default_rng([number, 7]).normal(0, 1.5, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def shifted(image: np.ndarray, dx: float, dy: float, turn_deg: float = 0.0) -> np.ndarray:
    """The image as seen by a camera that was pushed."""
    move = cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), turn_deg, 1.0)
    move[:, 2] += (dx, dy)
    return cv2.warpAffine(image, move, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REFLECT)


def with_arm(image: np.ndarray, reach_px: int, colour: tuple[int, int, int] = (120, 150, 215)) -> np.ndarray:
    """The image with an arm that comes in from below, `reach_px` far."""
    arm = image.copy()
    top = HEIGHT - reach_px
    cv2.rectangle(arm, (280, top + 40), (350, HEIGHT), colour, -1)
    cv2.ellipse(arm, (315, top + 40), (50, 40), 0, 0, 360, colour, -1)
    return arm
