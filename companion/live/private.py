"""The shielded nooks: what lies there is for one seat alone, and painted over for everybody and everything else.

A player who cannot see lays a card face up in the nook before the own seat and asks what it is. The nook is painted
over before anything public is read or shown; only a look asked for by that seat reads it, from the newest frame in
memory, and keeps nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import cv2
import numpy as np

from companion.live.areas import Rect
from companion.live.sight import PrivateLook
from vision.geometry import TableGeometry
from vision.images import Image
from vision.markers import MarkerReader
from vision.readings import Point

__all__ = ["Nooks", "covered"]

COVER_BGR: Final = (72, 72, 72)
RIM_MM: Final = 6.0
"""So much more than the nook is painted over, for the shadow and the blurred edge of what lies in it."""


CARD_SIDES: Final = 5.0
"""A square so many times as wide as a marker, about it, hides the card that the marker is on, wherever it is stuck."""


def covered(image_bgr: Image, markers_px: Iterable[tuple[Point, ...]]) -> Image:
    """A copy of the (H, W, 3) uint8 image with the cards painted over that bear markers with these corners."""
    public = image_bgr.copy()
    for corners in markers_px:
        quad = np.asarray(corners, np.float64)
        around = quad.mean(axis=0) + (quad - quad.mean(axis=0)) * CARD_SIDES
        cv2.fillConvexPoly(public, np.round(around).astype(np.int32).reshape(-1, 1, 2), COVER_BGR)
    return public


class Nooks:
    """Where the nooks are. Keeps nothing of what it is shown, so that any thread may use it."""

    def __init__(self, nooks: Mapping[int, Rect] | None = None) -> None:
        """`nooks` by seat number, in mm."""
        self._nooks = dict(nooks or {})

    def __bool__(self) -> bool:
        return bool(self._nooks)

    def has(self, seat: int) -> bool:
        """True when the seat has a nook."""
        return seat in self._nooks

    def painted(self, image_bgr: Image, geometry: TableGeometry) -> Image:
        """A copy of the (H, W, 3) uint8 image with every nook painted over, whatever lies in it."""
        public = image_bgr.copy()
        for nook in self._nooks.values():
            outline = np.round(geometry.to_px(nook.corners(RIM_MM))).astype(np.int32)
            cv2.fillConvexPoly(public, outline.reshape(-1, 1, 2), COVER_BGR)
        return public

    @staticmethod
    def blank(image_bgr: Image) -> Image:
        """A picture of the same size that shows nothing, for as long as nobody knows where the nooks are in it."""
        return np.full_like(image_bgr, COVER_BGR[0])

    def look(self, seat: int, image_bgr: Image, geometry: TableGeometry, cards: Mapping[int, str]) -> PrivateLook:
        """The card whose marker lies in the nook of this seat; `cards` are the ids by marker.

        Args:
            seat: whose nook; it must have one.
            image_bgr: (H, W, 3) uint8, as the camera gave it.
            geometry: of this very image.
            cards: by marker id.
        """
        nook = self._nooks[seat]
        outline = geometry.to_px(nook.corners(RIM_MM))
        height, width = image_bgr.shape[:2]
        x0, y0 = np.clip(np.floor(outline.min(axis=0)), 0, (width, height)).astype(int)
        x1, y1 = np.clip(np.ceil(outline.max(axis=0)), 0, (width, height)).astype(int)
        if x1 - x0 < 3 or y1 - y0 < 3:
            return PrivateLook(reason="unreadable")
        reader = MarkerReader(cards)
        markers = reader.read(np.ascontiguousarray(image_bgr[y0:y1, x0:x1]))
        here = {
            cards[marker.id]
            for marker in markers
            if nook.holds(*geometry.to_mm([(marker.centre_px[0] + x0, marker.centre_px[1] + y0)])[0])
        }
        lying = sum(1 for marker in markers if cards[marker.id] in here)
        if lying > 1:
            return PrivateLook(reason="several")
        if here:
            return PrivateLook(card=here.pop())
        return PrivateLook(reason="unreadable" if reader.refused else "nothing")
