"""A reading drawn over its picture, for people: outlines, pips, values and reasons."""

from __future__ import annotations

import cv2
import numpy as np

from vision.images import Image, checked_bgr
from vision.readings import DieReading, Reading, Unreadable

__all__ = ["draw"]

_READ = (40, 220, 40)
_REFUSED = (0, 140, 255)
_NO_PIPS = (190, 190, 190)
_PIP = (255, 0, 255)
_MARKER = (255, 160, 0)


def draw(image_bgr: Image, reading: Reading) -> Image:
    """A copy of the (H, W, 3) BGR uint8 image with every die and marker of the reading drawn on it.

    Green outlines carry a value, orange ones the reason why there is none, grey ones are of dice that are not pip
    dice; magenta dots are the pips used.
    Raises BadImage for a wrong image and ValueError when the reading is of another size.
    """
    canvas = checked_bgr(image_bgr).copy()
    if (canvas.shape[1], canvas.shape[0]) != tuple(reading.size_wh):
        raise ValueError(
            f"The reading is of an image of {reading.size_wh} px, this one has "
            f"{(canvas.shape[1], canvas.shape[0])} px (width, height)."
        )
    unit = max(1, round(max(canvas.shape[:2]) / 900))
    for marker in reading.markers:
        cv2.polylines(canvas, [_int(marker.corners_px)], True, _MARKER, unit, cv2.LINE_AA)
        _label(canvas, f"#{marker.id}", marker.corners_px[0], 0.45 * unit, _MARKER)
    for die in reading.dice:
        _die(canvas, die, unit)
    return canvas


def _die(canvas: Image, die: DieReading, unit: int) -> None:
    without_pips = die.reason is Unreadable.NOT_A_PIP_DIE
    colour = _READ if die.value is not None else _NO_PIPS if without_pips else _REFUSED
    cv2.polylines(canvas, [_int(die.outline_px)], True, (0, 0, 0), unit + 2, cv2.LINE_AA)
    cv2.polylines(canvas, [_int(die.outline_px)], True, colour, unit, cv2.LINE_AA)
    radius = max(1, round(die.side_px / 18))
    for x, y in die.pips_px:
        cv2.circle(canvas, (round(x), round(y)), radius, _PIP, -1, cv2.LINE_AA)
    doubt = "" if without_pips else "? "
    text = f"{die.value} {die.confidence:.2f}" if die.value is not None else f"{doubt}{die.reason}"
    scale = min(max(die.side_px / 70, 0.4 * unit), 1.2 * unit)
    _label(canvas, text, (die.box_xyxy[0], die.box_xyxy[1] - 3), scale, colour)


def _label(canvas: Image, text: str, at: tuple[float, float], scale: float, colour: tuple[int, int, int]) -> None:
    thick = max(1, round(scale * 1.8))
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
    x = int(min(max(at[0], 0), max(0, canvas.shape[1] - width)))
    y = int(min(max(at[1], height + 1), canvas.shape[0] - 2))
    cv2.putText(canvas, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, scale, (0, 0, 0), thick + 2, cv2.LINE_AA)
    cv2.putText(canvas, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, scale, colour, thick, cv2.LINE_AA)


def _int(points: tuple[tuple[float, float], ...]) -> np.ndarray:
    return np.round(np.asarray(points)).astype(np.int32).reshape(-1, 1, 2)
