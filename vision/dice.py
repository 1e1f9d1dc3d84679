"""Reads the top faces of pip dice."""

from __future__ import annotations

from time import perf_counter_ns

import cv2
import numpy as np

from vision.colours import colour_name
from vision.images import Image, checked_bgr
from vision.readings import DieReading

__all__ = ["DEFAULT_THRESHOLD", "DiceReader"]

DEFAULT_THRESHOLD = 0.5


class DiceReader:
    """Reads the dice of an image; `stage_ms` tells the time of each stage of the last read."""

    def __init__(self, *, threshold: float = DEFAULT_THRESHOLD) -> None:
        if not 0 <= threshold <= 1:
            raise ValueError(f"The threshold is a confidence from 0 to 1: got {threshold}.")
        self.threshold = threshold
        self.stage_ms: dict[str, float] = {}

    def read(self, image_bgr: Image) -> tuple[DieReading, ...]:
        """The dice in a (H, W, 3) BGR or (H, W) grey uint8 image, from left to right."""
        image = checked_bgr(image_bgr)
        start = perf_counter_ns()
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        dice = []
        for sign in (cv2.THRESH_BINARY_INV, cv2.THRESH_BINARY):
            mask = cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, sign, 31, 12)
            contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
            pips = []
            for contour in contours:
                area = cv2.contourArea(contour)
                if area < 6 or len(contour) < 5:
                    continue
                (x, y), (a, b), _ = cv2.fitEllipse(contour)
                if min(a, b) > 0.55 * max(a, b) and area > 0.8 * np.pi * a * b / 4:
                    pips.append((x, y, (a + b) / 2))
            while pips:
                group, rest = [pips.pop(0)], pips
                grown = True
                while grown:
                    grown = False
                    for p in list(rest):
                        if any(
                            np.hypot(p[0] - q[0], p[1] - q[1]) < 3.2 * q[2] and 0.6 < p[2] / q[2] < 1.6
                            for q in group
                        ):
                            group.append(p)
                            rest.remove(p)
                            grown = True
                if 2 <= len(group) <= 6:
                    dice.append(self._die(image, group))
        self.stage_ms = {"dice.proposals": (perf_counter_ns() - start) / 1e6}
        return tuple(sorted(dice, key=lambda d: d.box_xyxy))

    def _die(self, image: Image, group: list[tuple[float, float, float]]) -> DieReading:
        points = np.array([(x, y) for x, y, _ in group], np.float32)
        size = float(np.mean([d for _, _, d in group]))
        (cx, cy), (w, h), angle = cv2.minAreaRect(points)
        side = max(w, h, 2 * size) + 2 * size
        outline = cv2.boxPoints(((cx, cy), (side, side), angle))
        x0, y0 = outline.min(axis=0)
        x1, y1 = outline.max(axis=0)
        px, py = round(cx + size * 0.9), round(cy + size * 0.9)
        py, px = min(max(py, 0), image.shape[0] - 1), min(max(px, 0), image.shape[1] - 1)
        b, g, r = (int(v) for v in image[py, px])
        return DieReading(
            value=len(group), reason=None, confidence=0.5,
            box_xyxy=(float(x0), float(y0), float(x1), float(y1)),
            outline_px=tuple((float(x), float(y)) for x, y in outline),
            pips_px=tuple((float(x), float(y)) for x, y in points),
            colour=colour_name((b, g, r)), pip_colour="black", colour_bgr=(b, g, r),
        )  # fmt: skip
