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
    extent = max(8, round(PATCH_SIDES * side_px))
    x0, y0 = round(centre[0] - extent / 2), round(centre[1] - extent / 2)
    height, width = image.shape[:2]
    left, top = max(0, -x0), max(0, -y0)
    right, bottom = max(0, x0 + extent - width), max(0, y0 + extent - height)
    if max(left, top, right, bottom) >= extent:
        raise ValueError(f"The centre {centre} lies far outside the image of {width} x {height} px.")
    part = image[max(0, y0) : y0 + extent, max(0, x0) : x0 + extent]
    if left or top or right or bottom:
        part = cv2.copyMakeBorder(part, top, bottom, left, right, cv2.BORDER_REPLICATE)
    how = cv2.INTER_AREA if extent > patch_px else cv2.INTER_LINEAR
    patch = np.asarray(cv2.resize(part, (patch_px, patch_px), interpolation=how), np.uint8)
    return patch, np.array([x0, y0, extent / patch_px])


def cut_patches(
    pyramid: Pyramid, centres_px: NDArray[Any], sides_px: NDArray[Any], patch_px: int
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Patches (n, patch_px, patch_px, 3) around n centres and their places (n, 3) as of `cut_patch`.

    Large faces are cut from a halved image that still has more pixels than the patch: faster, and the same picture.
    """
    patches = np.empty((len(sides_px), patch_px, patch_px, 3), np.uint8)
    places = np.empty((len(sides_px), 3))
    for i, ((x, y), side) in enumerate(zip(centres_px.tolist(), sides_px.tolist(), strict=True)):
        halvings = max(0, int(np.log2(max(PATCH_SIDES * side / patch_px, 1.0))))
        zoom = 2.0**halvings
        patches[i], (x0, y0, scale) = cut_patch(
            pyramid.colour(halvings), ((x + 0.5) / zoom - 0.5, (y + 0.5) / zoom - 0.5), side / zoom, patch_px
        )
        places[i] = (x0 * zoom, y0 * zoom, scale * zoom)
    return patches, places
