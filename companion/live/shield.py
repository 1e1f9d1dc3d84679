"""What of the camera's picture all may see in a game with hidden cards: where cards lie open, and no more.

A camera overhead looks where no player may: at a card that its owner lifts to look at, at a hand held too low. The
referee reads the whole picture; shared pages are shown only the parts of the table whose cards are open by the record.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from companion.live.areas import Rect
from companion.live.private import COVER_BGR
from vision.geometry import TableGeometry
from vision.images import Image

__all__ = ["only_open"]

RIM_MM: Final = 4.0
"""So much around an open place is shown too, for no card lies exactly in its place."""


def only_open(image_bgr: Image, geometry: TableGeometry | None, open_areas: Sequence[Rect]) -> Image:
    """A copy of the (H, W, 3) uint8 image with everything but these parts of the table painted over.

    Nothing is shown while nobody knows where the table is in the picture.
    """
    shown = np.full_like(image_bgr, COVER_BGR[0])
    if geometry is None:
        return shown
    mask = np.zeros(image_bgr.shape[:2], np.uint8)
    for area in open_areas:
        outline = np.round(geometry.to_px(area.corners(RIM_MM))).astype(np.int32)
        cv2.fillConvexPoly(mask, outline.reshape(-1, 1, 2), 255)
    cv2.copyTo(image_bgr, mask, shown)
    return shown
