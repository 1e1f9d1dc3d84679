"""A frame: one image with the moment its exposure began."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from device.errors import FrameShapeError

__all__ = ["Frame", "checked_bgr"]


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One image of the table.

    `image_bgr` is (H, W, 3) uint8 in the order blue, green, red; `exposure_start_ns` is monotonic, the
    same clock as a press's `edge_ns`; `sequence` grows by one or more from frame to frame of a camera;
    `source` names the camera.
    """

    image_bgr: np.ndarray
    exposure_start_ns: int
    sequence: int
    source: str

    def __post_init__(self) -> None:
        checked_bgr(self.image_bgr, self.source)

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.image_bgr.shape[1], self.image_bgr.shape[0]


def checked_bgr(image: np.ndarray, source: str) -> np.ndarray:
    """Give `image` back when it is (H, W, 3) uint8; raise FrameShapeError otherwise."""
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8 or 0 in image.shape:
        raise FrameShapeError(
            f"{source} gave an image of shape {image.shape} and type {image.dtype}; "
            "expected (H, W, 3) uint8 in the order blue, green, red; convert it before making a frame"
        )
    return image
