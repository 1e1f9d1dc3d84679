"""From a rendered scene to a camera's picture: light, lens, sensor and compression."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["exposed"]

Rng = np.random.Generator
Array = NDArray[np.float32]


def exposed(rng: Rng, image: Array, amount: float, side_px: float) -> NDArray[np.uint8]:
    """A rendered (n, n, 3) BGR image as a camera gives it; `amount` 0 leaves it as it is, 1 is the usual."""
    if amount <= 0:
        return np.clip(image, 0, 255).astype(np.uint8)
    size = image.shape[0]
    yy, xx = np.mgrid[0:size, 0:size].astype(np.float32) / size - 0.5
    if rng.random() < 0.7:
        turn, slope = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.45) * amount
        image = image * (1 + slope * (xx * np.cos(turn) + yy * np.sin(turn)))[:, :, None]
    if rng.random() < 0.15:
        cx, cy, spread = rng.uniform(-0.6, 0.6), rng.uniform(-0.6, 0.6), rng.uniform(0.2, 0.6)
        spot = np.exp(-((xx - cx) ** 2 + (yy - cy) ** 2) / (2 * spread**2))
        image = image * (0.45 + 0.9 * spot)[:, :, None]
    if rng.random() < 0.1:  # the edge of a lamp's shadow
        turn = rng.uniform(0, 2 * np.pi)
        edge = 1 / (
            1 + np.exp(-(xx * np.cos(turn) + yy * np.sin(turn) - rng.uniform(-0.3, 0.3)) * rng.uniform(10, 120))
        )
        image = image * (1 - rng.uniform(0.2, 0.6) * edge)[:, :, None]
    strong = rng.random() < 0.12  # coloured lamps, dark rooms, blown-out pictures
    cast = np.clip(1 + rng.normal(0, 0.3 if strong else 0.09, 3) * amount, 0.25, 2.2)
    gain = np.exp((rng.uniform(-1.2, 0.9) if strong and rng.random() < 0.6 else rng.normal(0, 0.28)) * amount)
    image = np.clip(image * cast * gain, 0, 255)
    if rng.random() < 0.5:
        image = 255 * (image / 255) ** np.exp(rng.normal(0, 0.25) * amount)
    if rng.random() < 0.1:
        image = np.repeat(image.mean(axis=2, keepdims=True), 3, axis=2)
    if rng.random() < 0.1:
        image = image * rng.uniform(0.5, 0.9) + rng.uniform(0, 60)
    image = image.astype(np.float32)
    blur = rng.exponential(0.55) * amount
    if blur > 0.3:
        image = cv2.GaussianBlur(image, (0, 0), min(blur, 0.06 * side_px + 0.35))
    if rng.random() < 0.12 * amount:
        length = max(2, int(min(9, 0.16 * side_px) * rng.uniform(0.3, 1)))
        kernel = np.zeros((length, length), np.float32)
        turn = rng.uniform(0, np.pi)
        middle = (length - 1) / 2
        reach = np.array([np.cos(turn), np.sin(turn)]) * middle
        cv2.line(
            kernel, np.round(middle - reach).astype(int).tolist(), np.round(middle + reach).astype(int).tolist(), 1.0
        )
        image = cv2.filter2D(image, -1, kernel / max(kernel.sum(), 1e-6))
    if rng.random() < 0.7:
        sigma = rng.exponential(5) * amount
        if rng.random() < 0.3:
            grain = cv2.resize(rng.normal(0, sigma, (size // 2, size // 2, 3)).astype(np.float32), (size, size))
        else:
            grain = rng.standard_normal((size, size, 3), dtype=np.float32) * sigma
        image = image + grain
    if rng.random() < 0.15:  # over-sharpened by the camera
        image = image + (image - cv2.GaussianBlur(image, (0, 0), 1.2)) * rng.uniform(0.3, 1.5)
    if rng.random() < 0.04:
        rows = 1 + 0.15 * np.sin(np.arange(size) * rng.uniform(0.02, 0.3))
        image = image * rows[:, None, None]
    out = np.clip(image, 0, 255).astype(np.uint8)
    if rng.random() < 0.25:  # taken small and blown up
        k = rng.uniform(0.55, 0.95)
        if side_px * k > 11:
            out = cv2.resize(cv2.resize(out, None, fx=k, fy=k, interpolation=cv2.INTER_AREA), (size, size))
    if rng.random() < 0.8 * amount:
        _, coded = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 96))])
        out = cv2.imdecode(coded, cv2.IMREAD_COLOR)
    return np.asarray(out, np.uint8)
