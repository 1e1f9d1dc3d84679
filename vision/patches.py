"""Square cut-outs around dice, all of one size, for the networks that read faces."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images import Image
from vision.pyramid import Pyramid

__all__ = ["GLANCE_PX", "PATCH_PX", "PATCH_SIDES", "cut_patch", "cut_patches"]

PATCH_PX = 64
"""Side of a patch that is looked at closely."""
GLANCE_PX = 48
"""Side of a patch for a first glance."""
PATCH_SIDES = 2.3
"""A patch shows so many sides of the die's top face: the face, its side faces and some table."""


def cut_patch(
    image: Image, centre: tuple[float, float], side_px: float, patch_px: int = PATCH_PX
) -> tuple[Image, NDArray[np.float64]]:
    """The (patch_px, patch_px, 3) uint8 patch around `centre`, and its (x0, y0, scale).

    Image px = (x0, y0) + scale * patch px. What lies outside the image repeats its border.
    """
    patch = np.empty((patch_px, patch_px, 3), np.uint8)
    return patch, np.array(_cut(image, centre[0], centre[1], side_px, patch))


def _cut(image: Image, x: float, y: float, side_px: float, patch: NDArray[np.uint8]) -> tuple[int, int, float]:
    """Fill the square patch; gives its place."""
    patch_px = patch.shape[0]
    extent = max(8, round(PATCH_SIDES * side_px))
    x0, y0 = round(x - extent / 2), round(y - extent / 2)
    x1, y1 = x0 + extent, y0 + extent
    height, width = image.shape[:2]
    if x0 >= 0 and y0 >= 0 and x1 <= width and y1 <= height:
        part = image[y0:y1, x0:x1]
    elif x0 >= width or y0 >= height or x1 <= 0 or y1 <= 0:
        raise ValueError(f"The centre ({x}, {y}) lies far outside the image of {width} x {height} px.")
    else:
        part = cv2.copyMakeBorder(
            image[max(0, y0) : y1, max(0, x0) : x1],
            max(0, -y0), max(0, y1 - height), max(0, -x0), max(0, x1 - width), cv2.BORDER_REPLICATE,
        )  # fmt: skip
    how = cv2.INTER_AREA if extent > patch_px else cv2.INTER_LINEAR
    cv2.resize(part, (patch_px, patch_px), dst=patch, interpolation=how)
    return x0, y0, extent / patch_px


def cut_patches(
    pyramid: Pyramid, centres_px: NDArray[Any], sides_px: NDArray[Any], patch_px: int
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Patches (n, patch_px, patch_px, 3) around n centres and their places (n, 3) as of `cut_patch`.

    Large faces are cut from a halved image that still has more pixels than the patch: faster, and the same picture.
    """
    patches = np.empty((len(sides_px), patch_px, patch_px, 3), np.uint8)
    places: list[tuple[float, float, float]] = []
    halvings = np.log2(np.maximum(PATCH_SIDES * sides_px / patch_px, 1.0)).astype(int).tolist()
    for patch, (x, y), side, times in zip(patches, centres_px.tolist(), sides_px.tolist(), halvings, strict=True):
        zoom = 1 << times
        level = pyramid.colour(times)
        x0, y0, scale = _cut(level, (x + 0.5) / zoom - 0.5, (y + 0.5) / zoom - 0.5, side / zoom, patch)
        places.append((x0 * zoom, y0 * zoom, scale * zoom))
    return patches, np.array(places, np.float64).reshape(-1, 3)
