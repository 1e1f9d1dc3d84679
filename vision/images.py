"""The one gate that every image passes before it is read."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import BadImage

__all__ = ["MIN_SIDE_PX", "Image", "checked_bgr", "checked_grey"]

Image = NDArray[Any]
"""A uint8 array; checked_bgr is where its shape is held."""

MIN_SIDE_PX = 16
"""No side of an image may be shorter: the smallest readable die is 18 px across."""

_EXPECTED = "expected (height, width, 3) uint8 in BGR order, or (height, width) uint8 grey"


def checked_bgr(image: Any) -> Image:
    """The image as a contiguous (H, W, 3) uint8 BGR array; a grey (H, W) one is spread over three channels.

    Raises BadImage, with the expected and the actual shape and type, for anything else: not an array,
    empty, another number type, an alpha channel, or a side shorter than 16 px.
    """
    array = _checked(image)
    if array.ndim == 2:
        return np.asarray(cv2.cvtColor(array, cv2.COLOR_GRAY2BGR), np.uint8)
    return array


def checked_grey(image: Any) -> Image:
    """The image as a contiguous (H, W) uint8 array of luminance; takes what checked_bgr takes."""
    array = _checked(image)
    if array.ndim == 3:
        return np.asarray(cv2.cvtColor(array, cv2.COLOR_BGR2GRAY), np.uint8)
    return array


def _checked(image: Any) -> Image:
    if not isinstance(image, np.ndarray):
        raise BadImage(
            f"Not an image: got {type(image).__name__}, {_EXPECTED}. "
            "cv2.imread returns None when it cannot read a file."
        )
    if image.ndim == 3 and image.shape[2] == 1:
        image = image[:, :, 0]
    if image.size == 0 or image.ndim not in (2, 3) or (image.ndim == 3 and image.shape[2] != 3):
        hint = " Drop the alpha channel first." if image.ndim == 3 and image.shape[-1] == 4 else ""
        raise BadImage(f"Wrong image shape: got {image.shape} {image.dtype}, {_EXPECTED}.{hint}")
    if image.dtype != np.uint8:
        raise BadImage(f"Wrong image type: got {image.shape} {image.dtype}, {_EXPECTED}.")
    if min(image.shape[:2]) < MIN_SIDE_PX:
        raise BadImage(
            f"Image too small: got {image.shape} {image.dtype}, expected sides of at least {MIN_SIDE_PX} px."
        )
    return np.ascontiguousarray(image)
