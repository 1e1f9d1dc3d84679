"""One image at several sizes, each half of the one before: grey to look for faces, in colour to cut them out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images import Image, checked_bgr

__all__ = ["Pyramid"]

_WHOLE_UP_TO_PX = 800
_HALF_UP_TO_PX = 4400
"""The finest level at which faces are looked for is the whole image up to the first longest side, half of it up to the
second, a quarter beyond: a face of 18 px is 9 px wide in half of a 12-megapixel image."""
_SMALLEST_SIDE_PX = 40
"""A coarser level would hold no whole face with some table around it."""


class Pyramid:
    """Halved versions of a (H, W, 3) BGR uint8 image, made as they are asked for."""

    def __init__(self, image: Image) -> None:
        self._colour: list[Image] = [image]

    @classmethod
    def of(cls, picture: Image | Pyramid) -> Pyramid:
        """That of an image, as `checked_bgr` takes them, which raises BadImage; a pyramid is its own."""
        return picture if isinstance(picture, Pyramid) else cls(checked_bgr(picture))

    def part(self, box: tuple[int, int, int, int]) -> Pyramid:
        """The pyramid of a part (x0, y0, x1, y1) of the image; what is halved already is not halved again."""
        x0, y0, x1, y1 = box
        whole = self._colour[0]
        if (x0, y0, y1, x1) == (0, 0, *whole.shape[:2]):
            return self
        part = Pyramid(np.ascontiguousarray(whole[y0:y1, x0:x1]))
        for level in self._colour[1:]:
            if x0 % 2 or y0 % 2:
                break
            x0, y0, width, height = x0 // 2, y0 // 2, part._colour[-1].shape[1] // 2, part._colour[-1].shape[0] // 2
            part._colour.append(level[y0 : y0 + height, x0 : x0 + width])
        return part

    def colour(self, halvings: int) -> Image:
        """The image halved so many times, or as often as it has pixels to halve."""
        while len(self._colour) <= halvings and min(self._colour[-1].shape[:2]) >= 2:
            self._colour.append(_halved(self._colour[-1]))
        return self._colour[min(halvings, len(self._colour) - 1)]

    def grey_levels(self) -> Iterator[tuple[NDArray[np.uint8], float]]:
        """(h, w) grey levels from fine to coarse, each with the image's px to one of its own."""
        longest = max(self._colour[0].shape[:2])
        halvings = 0 if longest <= _WHOLE_UP_TO_PX else 1 if longest <= _HALF_UP_TO_PX else 2
        level = np.asarray(cv2.cvtColor(self.colour(halvings), cv2.COLOR_BGR2GRAY), np.uint8)
        factor = float(2**halvings)
        yield level, factor
        while min(level.shape) >= 2 * _SMALLEST_SIDE_PX:
            level, factor = _halved(level), factor * 2
            yield level, factor


def _halved(image: Any) -> Any:
    """Half as large, an odd last row or column left out, so that every pixel is the mean of exactly four."""
    height, width = image.shape[0] // 2, image.shape[1] // 2
    return cv2.resize(image[: 2 * height, : 2 * width], (width, height), interpolation=cv2.INTER_AREA)
