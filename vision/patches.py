"""Square cut-outs around dice, all of one size, for the networks that read faces."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images import Image

__all__ = ["GLANCE_PX", "PATCH_PX", "PATCH_SIDES", "cut_patch"]

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
