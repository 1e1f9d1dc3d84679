"""Colours, contrast, glare and sharpness of a die, from the pixels inside its outline."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colours import colour_name
from vision.images import Image

__all__ = ["Appearance", "appearance"]

_FACE_PX = 48


@dataclass(frozen=True, slots=True)
class Appearance:
    """Looks of one top face. `contrast` is the distance of pip and body in Lab units, `glare` the share of
    blown-out pixels that are not the body's own white, `sharpness` the steepest edges against the contrast, 0..1.
    """

    colour: str
    pip_colour: str
    colour_bgr: tuple[int, int, int]
    contrast: float
    glare: float
    sharpness: float


def appearance(image: Image, outline_px: NDArray[np.float64], pips_px: NDArray[np.float64]) -> Appearance:
    """Looks of the face with these corners (4, 2) and pip centres (N, 2) in px of a BGR uint8 image."""
    n = _FACE_PX
    frame = np.array([(0, 0), (n, 0), (n, n), (0, n)], np.float32)
    homography = cv2.getPerspectiveTransform(np.asarray(outline_px, np.float32), frame)
    face = cv2.warpPerspective(image, homography, (n, n), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    body_mask = np.zeros((n, n), np.uint8)
    body_mask[n // 8 : n - n // 8, n // 8 : n - n // 8] = 1
    pip_mask = np.zeros((n, n), np.uint8)
    if len(pips_px):
        places = cv2.perspectiveTransform(np.asarray(pips_px, np.float64).reshape(-1, 1, 2), homography).reshape(-1, 2)
        for x, y in places:
            if -n < x < 2 * n and -n < y < 2 * n:
                cv2.circle(body_mask, (round(x), round(y)), round(n * 0.15), 0, -1)
                cv2.circle(pip_mask, (round(x), round(y)), max(1, round(n * 0.05)), 1, -1)
    pixels = face.reshape(-1, 3)
    chosen = pixels[body_mask.ravel() > 0]
    body = np.median(chosen if len(chosen) > 20 else pixels, axis=0)
    dots = pixels[pip_mask.ravel() > 0]
    pip = np.median(dots, axis=0) if len(dots) else body
    lab = cv2.cvtColor(np.array([[body, pip]], np.uint8), cv2.COLOR_BGR2LAB)[0].astype(np.float32)
    contrast = float(np.linalg.norm(lab[0] - lab[1]))
    grey = cv2.cvtColor(face, cv2.COLOR_BGR2GRAY).astype(np.float32)
    glare = float((grey > 250).mean()) if body.max() < 235 else 0.0
    steep = float(
        np.percentile(np.abs(cv2.Sobel(grey, cv2.CV_32F, 1, 0)) + np.abs(cv2.Sobel(grey, cv2.CV_32F, 0, 1)), 97)
    )
    span = float(np.percentile(grey, 98) - np.percentile(grey, 2))
    b, g, r = (int(v) for v in body)
    return Appearance(
        colour=colour_name((b, g, r)),
        pip_colour=colour_name(tuple(float(v) for v in pip)),  # type: ignore[arg-type]
        colour_bgr=(b, g, r),
        contrast=contrast,
        glare=glare,
        sharpness=steep / (4 * span) if span > 8 else 0.0,
    )
