"""Where a picture may hold a marker: outlines with four sides, dark within and brighter without.

A marker needs its white border, as the printed instructions say: one cut out along its black square is still found on
a table clearly brighter than ink, and seldom on a dark one, where nothing parts it from the table.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["CANDIDATES_AT_MOST", "outlines"]

CANDIDATES_AT_MOST = 300
"""So many outlines of one scale are looked at, the largest; a picture that has more is a print, not a table."""

_REACH = 7
"""Side, in px of the halved picture, of the square around a pixel whose darkest and brightest pixels set its
threshold: half-way between both."""
_AROUND = np.ones((_REACH, _REACH), np.uint8)
_LEAST_SPAN, _MOST_SPAN = 12.0, 40.0
"""Grey levels between those two; below lies noise. More is asked, up to the second, where most of a picture has it."""
_ROUGH_SPAN = 20
"""Where that is usual the picture is noisy, and smoothed a little."""
_DARK_TO_BRIGHT = 0.78
"""Ink is darker than this share of the paper beside it, in any light; the grain of wood is not."""
_SMALLEST_SIDE_PX = 7
_LONGEST = 6
"""Times as long as wide, of the upright box around an outline."""
_MANY_RUNS = 0.035
"""Bright runs along the rows, for each pixel: with more, contours are so many that another way to them is quicker."""
_EVERY_ROW = 4
_LEAST_FILLED = 0.72
"""Share of the four-sided outline that the dark shape fills."""
_PROFILES = 7
"""Places along a side at which its edge is looked for, and along each of them so many steps."""
_STEPS = 9
_SHARES = np.linspace(0.1, 0.9, _PROFILES, dtype=np.float32)
_REACHES = np.linspace(-1, 1, _STEPS, dtype=np.float32)
_STEP_NUMBERS = np.arange(_STEPS)[:, None]
_BEFORE, _NEXT = np.array([3, 0, 1, 2]), np.array([1, 2, 3, 0])
"""The corners, or sides, before and after each of the four."""


def outlines(grey: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Convex outlines (N, 4, 2) in px, clockwise, of the dark shapes with something bright within of a (H, W) picture.

    They are looked for twice: in the whole picture, which shows small markers, and in one of a quarter of its width,
    which shows the edges of large ones that are out of focus. So one thing may be outlined twice.
    """
    half = _halved(grey)
    quads = _of_one_scale(grey, half)
    quarter = _halved(half)
    if min(quarter.shape) >= 3 * _SMALLEST_SIDE_PX:
        coarse = _of_one_scale(quarter, _halved(quarter))
        # A pixel's centre is half a pixel from its edge at either scale.
        zoom = np.array(grey.shape[::-1], np.float32) / quarter.shape[::-1]
        quads = np.concatenate([quads, (coarse + 0.5) * zoom - 0.5])
    return _refined(grey, quads) if len(quads) else quads


def _halved(grey: NDArray[Any]) -> NDArray[np.uint8]:
    height, width = grey.shape
    size = (max(1, width // 2), max(1, height // 2))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)


def _of_one_scale(grey: NDArray[Any], half: NDArray[Any]) -> NDArray[np.float32]:
    bright, span = _bright(grey, half)
    runs = np.count_nonzero(bright[::_EVERY_ROW, 1:] > bright[::_EVERY_ROW, :-1]) * _EVERY_ROW
    many = runs > _MANY_RUNS * bright.size
    contours = _islands_of_many(bright, span) if many else _islands(bright)
    found = [quad for contour in contours if (quad := _quad(contour)) is not None]
    quads = np.array(found, np.float32).reshape(-1, 4, 2)
    return quads if many else _as_high_as_wide(quads)


def _as_high_as_wide(quads: NDArray[np.float32]) -> NDArray[np.float32]:
    """Outlines (N, 4, 2) that run through the bright pixels beside what is dark, above and below it as well."""
    y = np.ascontiguousarray(quads[:, :, 1].T)
    low, high = y.min(axis=0), y.max(axis=0)
    middle = (low + high) / 2
    stretched = quads.copy()
    stretched[:, :, 1] = (middle + (y - middle) * (high - low + 2) / np.maximum(high - low, 1)).T
    return stretched


def _islands(bright: NDArray[np.uint8]) -> list[NDArray[Any]]:
    """The contours of all that is enclosed by something bright and holds something bright in its middle."""
    contours, _ = cv2.findContoursLinkRuns(bright)  # two points for each row; half the time of findContours
    least = 2 * _SMALLEST_SIDE_PX
    holes = [each for each in contours if len(each) >= least and cv2.contourArea(each, oriented=True) < 0]
    holes.sort(key=len, reverse=True)
    return list(islice((each for each in holes if _may_be_one(bright, each)), CANDIDATES_AT_MOST))


def _may_be_one(bright: NDArray[np.uint8], contour: NDArray[Any]) -> bool:
    """Whether the upright box around it has a possible size, and anything is bright in its middle: in as much of it as
    lies within a turned square."""
    x, y, across, down = cv2.boundingRect(contour)
    if min(across, down) < _SMALLEST_SIDE_PX or max(across, down) > _LONGEST * min(across, down):
        return False
    left, top = 2 * across // 7, 2 * down // 7
    return cv2.countNonZero(bright[y + top : y + down - top, x + left : x + across - left]) > 0


def _islands_of_many(bright: NDArray[np.uint8], span: NDArray[np.uint8]) -> list[NDArray[Any]]:
    """The same where there is so much in the picture that nesting all of it takes too long: what stands out alone."""
    _, labels, stats, centres = cv2.connectedComponentsWithStats(cv2.bitwise_not(bright), connectivity=4)
    x, y, across, down, area = stats.T
    short, long = np.minimum(across, down), np.maximum(across, down)
    filled = area / (across * down)
    # The middle of a square is that of the upright box around it, however it is turned.
    off = np.hypot(centres[:, 0] - x - (across - 1) / 2, centres[:, 1] - y - (down - 1) / 2) / long
    likely = (short >= _SMALLEST_SIDE_PX) & (long <= _LONGEST * short) & (filled > 0.15) & (filled < 0.97) & (off < 0.2)
    likely[0] = False
    chosen = np.flatnonzero(likely)
    if len(chosen) > CANDIDATES_AT_MOST:
        columns, rows = np.minimum(centres[chosen] // 2, np.array(span.shape[::-1]) - 1).astype(int).T
        chosen = chosen[np.argsort(-span[rows, columns].astype(int), kind="stable")[:CANDIDATES_AT_MOST]]
    found = []
    for k in chosen.tolist():
        x0, y0, across_px, down_px = stats[k, :4].tolist()
        part = (labels[y0 : y0 + down_px, x0 : x0 + across_px] == k).view(np.uint8)
        outer, _ = cv2.findContours(part, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE, offset=(x0, y0))
        found.append(max(outer, key=len))
    return found


def _bright(grey: NDArray[Any], half: NDArray[Any]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """255 where a pixel is brighter than half-way between the darkest and the brightest around it, and those differ.

    And, for each pixel of the halved picture, by how much.
    """
    brightest, darkest = cv2.dilate(half, _AROUND), cv2.erode(half, _AROUND)
    span = cv2.subtract(brightest, darkest)
    usual = _median(span[::8, ::8])
    if usual > _ROUGH_SPAN:
        grey = cv2.GaussianBlur(grey, (3, 3), 0)
    middle = cv2.addWeighted(brightest, 0.5, darkest, 0.5, 0)
    least_span = min(max(_LEAST_SPAN, 1.3 * usual), _MOST_SPAN)
    _, alike = cv2.threshold(span, least_span - 1, 255, cv2.THRESH_BINARY_INV)
    cv2.convertScaleAbs(brightest, dst=brightest, alpha=_DARK_TO_BRIGHT)
    as_bright = cv2.compare(darkest, brightest, cv2.CMP_GT, dst=darkest)
    cv2.bitwise_or(middle, cv2.bitwise_or(alike, as_bright, dst=alike), dst=middle)
    return _brighter(grey, middle), np.asarray(span, np.uint8)


def _median(levels: NDArray[Any]) -> float:
    """As np.median gives it, which takes several times as long between other things."""
    ordered = levels.flatten()
    middle = (ordered.size - 1) // 2, ordered.size // 2
    ordered.partition(middle)
    low, high = ordered.take(middle).tolist()
    return float(low + high) / 2


def _brighter(grey: NDArray[Any], half: NDArray[Any]) -> NDArray[np.uint8]:
    """255 where a pixel is brighter than that of the halved picture which lies over it; an odd last row or column goes
    with the one before it."""
    wide = cv2.merge([half, half]).reshape(len(half), -1)
    down, across = len(grey) - 2 * len(half), grey.shape[1] - wide.shape[1]
    if down or across:
        wide = cv2.copyMakeBorder(wide, 0, down, 0, across, cv2.BORDER_REPLICATE)
    bright = np.empty(grey.shape, np.uint8)
    for first in (0, 1):
        rows = grey[first::2]
        cv2.compare(rows, wide[: len(rows)], cv2.CMP_GT, dst=bright[first::2])
    return bright


def _quad(contour: NDArray[Any]) -> NDArray[np.float32] | None:
    hull = cv2.convexHull(contour, clockwise=True)
    if len(hull) < 4:
        return None
    area = cv2.contourArea(contour)
    if area < _LEAST_FILLED * cv2.contourArea(hull):
        return None
    quad = cv2.approxPolyDP(hull, 0.035 * cv2.arcLength(hull, True), True)
    if len(quad) != 4:
        quad = cv2.approxPolyN(hull, 4).reshape(-1, 1, 2)
    if len(quad) != 4 or area < _LEAST_FILLED * cv2.contourArea(quad):
        return None
    corners = quad.reshape(4, 2).astype(np.float32)
    (ax, ay), (bx, by), (cx, cy), _ = corners.tolist()
    return corners if (bx - ax) * (cy - by) - (by - ay) * (cx - bx) > 0 else corners[::-1]


def _refined(grey: NDArray[np.uint8], quads: NDArray[np.float32]) -> NDArray[np.float32]:
    """The outlines moved on to the edges between dark and bright, to a part of a pixel."""
    # x and y, steps and places come before sides (N, 4): numpy is quick along axes that are long.
    start = np.ascontiguousarray(quads.transpose(2, 0, 1))
    along = start[:, :, _NEXT] - start
    length = np.maximum(np.sqrt(np.square(along).sum(axis=0)), 1e-6)
    outward = np.array((along[1], -along[0])) / length
    module = length.mean(axis=1, keepdims=True) / 8
    reach = np.maximum(0.7 * module, 1.5)  # (N, 1)
    at = start[:, None] + along[:, None] * _SHARES[:, None, None]  # (2, P, N, 4)
    points = at[:, None] + (outward * reach)[:, None, None] * _REACHES[:, None, None, None]
    x, y = points.reshape(2, _STEPS, -1).astype(np.float32, copy=False)
    values = cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    grey_at = values.astype(np.float32)  # (S, P N 4)
    middle = _STEPS // 2
    dark, bright = grey_at[: middle + 1].min(axis=0), grey_at[middle:].max(axis=0)
    level = (dark + bright) / 2
    # The last step that is dark before the first bright one, from the darkest outward.
    over = (grey_at > level) & (grey_at[: middle + 1].argmin(axis=0) < _STEP_NUMBERS)
    first = over.argmax(axis=0)
    before = np.maximum(first - 1, 0)
    each = np.arange(len(first))
    low, high = grey_at[before, each], grey_at[first, each]
    part = np.where(high > low, (level - low) / np.maximum(high - low, 1e-6), 0.5)
    offset = ((before + part) / middle - 1).reshape(_PROFILES, -1, 4) * reach  # (P, N, 4) px outward
    weight = (over.any(axis=0) & (bright - dark > 8)).reshape(offset.shape).astype(np.float32)
    share = (_SHARES - 0.5)[:, None, None]
    lift, tip = _lines(share, offset, weight)
    tolerance = np.maximum(0.5, 0.2 * module)
    off = np.abs(offset - lift - tip * share)
    kept = weight * (off < np.maximum(tolerance, np.sort(off, axis=0)[_PROFILES // 2] * 1.01))
    lift, tip = _lines(share, offset, kept)
    a, b = start + outward * (lift - tip / 2), start[:, :, _NEXT] + outward * (lift + tip / 2)
    return _crossings(a, b, start)


def _lines(
    x: NDArray[Any], y: NDArray[np.float32], weight: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Height at 0 and slope of the weighted straight lines through (P, ...) values; 0 where too few have weight."""
    count = weight.sum(axis=0)
    enough = count >= 4
    n = np.maximum(count, 1)
    weighted = weight * x
    mean_x, mean_y = weighted.sum(axis=0) / n, (weight * y).sum(axis=0) / n
    from_x = x - mean_x
    weighted = weight * from_x
    spread = (weighted * from_x).sum(axis=0)
    tip = (weighted * (y - mean_y)).sum(axis=0) / np.maximum(spread, 1e-6)
    tip = np.where(enough & (spread > 0.05), tip, 0)
    return np.where(enough, mean_y - tip * mean_x, 0), tip


def _crossings(a: NDArray[Any], b: NDArray[Any], otherwise: NDArray[np.float32]) -> NDArray[np.float32]:
    """Outlines (N, 4, 2) where each side, from a to b (2, N, 4), meets the one before it; where that is far from the
    corners `otherwise` (2, N, 4), those."""
    q, s = a, b - a
    p, r = q[:, :, _BEFORE], s[:, :, _BEFORE]
    cross = r[0] * s[1] - r[1] * s[0]
    safe = np.where(np.abs(cross) > 1e-6, cross, 1)
    gap = q - p
    corners = p + r * ((gap[0] * s[1] - gap[1] * s[0]) / safe)
    side = np.sqrt(np.square(s).sum(axis=0)).mean(axis=1)
    moved = np.sqrt(np.square(corners - otherwise).sum(axis=0)).max(axis=1)
    keep = (np.abs(cross) > 1e-6).all(axis=1) & (moved < 2 + 0.25 * side)  # never of what is not a number
    kept = np.where(keep[:, None], corners, otherwise)
    return np.ascontiguousarray(kept.transpose(1, 2, 0), np.float32)
