"""How the camera must be moved until it frames the table: one piece of advice at a time, from the corner markers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import dist, hypot
from typing import Any, Final

import numpy as np

from vision.markers import CORNER_IDS
from vision.readings import Point

__all__ = ["Advice", "FrameView", "framing_advice"]

MARGIN_SHARE: Final = 0.01
"""Of the picture's width: corner markers nearer to its edge are lost with the next nudge of the mast."""
LEAST_AREA_SHARE: Final = 0.40
"""Of the picture that the table must fill. Straight above, a table of 66 x 38 cm with all its markers fills 80 %."""
STEEPEST_RATIO: Final = 1.75
"""Of the table's near side to its far one, in px; more means that the camera looks from the side."""
DARK_LEVEL: Final = 30.0
"""Level, 0..255, that nine tenths of the picture are darker than: nothing can be found in it."""
TURNED_COS: Final = 0.82
"""A table turned by more than 35 degrees in the picture."""

STEPS_CM: Final = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40)
"""So far the camera is asked to be moved: what people can judge by hand."""

_CORNER_NAMES: Final = ("far-left", "far-right", "near-right", "near-left")
_SIDES: Final = {
    frozenset({0, 3}): "left",
    frozenset({1, 2}): "right",
    frozenset({0, 1}): "far",
    frozenset({2, 3}): "near",
}


@dataclass(frozen=True, slots=True)
class FrameView:
    """What one frame shows of the table's corners.

    `corners_px` the outlines (four corners) of the corner markers in view, by id; `level` see DARK_LEVEL; `glare` the
    ninths of the picture that are blown out, the worst first; `table_size_mm` between the markers' centres.
    """

    size_wh: tuple[int, int]
    corners_px: Mapping[int, tuple[Point, ...]]
    level: float
    glare: tuple[str, ...] = ()
    table_size_mm: tuple[float, float] = (660.0, 380.0)


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do next: the sentence is `setup.frame.<code>`; `facts` fill it (`where` a place, `cm` how far)."""

    code: str
    facts: tuple[tuple[str, Any], ...] = ()

    @property
    def done(self) -> bool:
        """True when nothing is to be done."""
        return self.code == "good"


def framing_advice(view: FrameView) -> Advice:
    """The one thing to do next; `good` when the whole table is in view and nothing is in the way of reading it."""
    if view.level < DARK_LEVEL:
        return Advice("dark")
    centres = {
        CORNER_IDS.index(each): (sum(x for x, _ in outline) / 4, sum(y for _, y in outline) / 4)
        for each, outline in view.corners_px.items()
        if each in CORNER_IDS
    }
    if not centres:
        return Advice("nothing")
    turned = _turned(centres)
    if turned is not None:
        return Advice(turned)
    return _some_missing(view, centres) if len(centres) < 4 else _all_seen(view, centres)


def _some_missing(view: FrameView, centres: Mapping[int, Point]) -> Advice:
    missing = frozenset(range(4)).difference(centres)
    if len(missing) == 1:
        (corner,) = missing
        name = _CORNER_NAMES[corner]
        beyond = _beyond(view, _expected_corner(view, centres, corner))
        if beyond is None:
            return Advice("glare" if name in view.glare else "covered", (("where", name),))
        return _moved(view, *beyond)
    side = _SIDES.get(missing)
    if side is None:  # three, or two across from each other
        return Advice("higher")
    beyond = _beyond(view, _expected_side(view, centres, side))
    return _moved(view, side, 0.0) if beyond is None or beyond[0] != side else _moved(view, *beyond)


def _expected_corner(view: FrameView, centres: Mapping[int, Point], corner: int) -> Point:
    """About where the one corner lies that is not seen: as far along its row as the other row is long, in the scale
    that the widths of the markers tell."""
    beside = corner ^ 1  # 0 and 1 are the far row, 2 and 3 the near one
    end, start = 3 - corner, 3 - beside
    along = (centres[end][0] - centres[start][0], centres[end][1] - centres[start][1])
    there_px = (_width_px(view, start, along) + _width_px(view, end, along)) / 2
    scale = _width_px(view, beside, along) / there_px
    return centres[beside][0] + scale * along[0], centres[beside][1] + scale * along[1]


def _width_px(view: FrameView, corner: int, along: Point) -> float:
    """How wide a corner marker is along a direction, in px."""
    length = hypot(*along) or 1.0
    reach = [(x * along[0] + y * along[1]) / length for x, y in view.corners_px[CORNER_IDS[corner]]]
    return max(1.0, max(reach) - min(reach))


def _expected_side(view: FrameView, centres: Mapping[int, Point], side: str) -> Point:
    """About where the middle of a side lies whose two corners are not seen: as far off as the table is wide or deep."""
    a, b = centres.values()
    width, depth = view.table_size_mm
    across_px = dist(a, b) * (width / depth if side in ("left", "right") else depth / width)
    away = {"left": (-1, 0), "right": (1, 0), "far": (0, -1), "near": (0, 1)}[side]
    return ((a[0] + b[0]) / 2 + away[0] * across_px, (a[1] + b[1]) / 2 + away[1] * across_px)


def _beyond(view: FrameView, point: Point) -> tuple[str, float] | None:
    """Over which edge of the picture a point lies, and by how many px; None when it lies well within."""
    width, height = view.size_wh
    room = _marker_reach_px(view) + 2
    over = {
        "left": room - point[0],
        "right": point[0] - (width - 1 - room),
        "far": room - point[1],
        "near": point[1] - (height - 1 - room),
    }
    side = max(over, key=lambda name: over[name])
    return (side, over[side]) if over[side] > 0 else None


def _marker_reach_px(view: FrameView) -> float:
    """From the centre of a corner marker to its own corner, in px."""
    return max((dist(outline[0], outline[2]) / 2 for outline in view.corners_px.values()), default=0.0)


def _moved(view: FrameView, side: str, over_px: float) -> Advice:
    """Advice to move the camera towards a side, with how far when that is known."""
    px_per_cm = _px_per_cm(view)
    if over_px <= 0 or px_per_cm is None:
        return Advice(f"move-{side}", (("cm", 3),))
    wanted_cm = over_px / px_per_cm
    return Advice(f"move-{side}", (("cm", min(STEPS_CM, key=lambda each: abs(each - wanted_cm))),))


def _px_per_cm(view: FrameView) -> float | None:
    """The scale, from two corners that are seen on one side of the table."""
    centres = {
        CORNER_IDS.index(each): np.mean(np.asarray(outline), axis=0) for each, outline in view.corners_px.items()
    }
    width, depth = view.table_size_mm
    scales = [
        float(hypot(*(centres[a] - centres[b]))) / (length / 10)
        for a, b, length in ((0, 1, width), (3, 2, width), (0, 3, depth), (1, 2, depth))
        if a in centres and b in centres
    ]
    return sum(scales) / len(scales) if scales else None


def _turned(centres: Mapping[int, Point]) -> str | None:
    """How the table lies askew in the picture: mirrored, upside down, sideways; None when it does not, as far as the
    corners in view tell."""
    rightward, nearward = (
        [_direction(centres[a], centres[b]) for a, b in pairs if a in centres and b in centres]
        for pairs in (((0, 1), (3, 2)), ((0, 3), (1, 2)))
    )
    if rightward and nearward:
        x, y = np.mean(rightward, axis=0), np.mean(nearward, axis=0)
        if x[0] * y[1] - x[1] * y[0] <= 0:
            return "mirrored"
    cosines = [each[0] for each in rightward] + [each[1] for each in nearward]
    if not cosines:
        return None
    cosine = sum(cosines) / len(cosines)
    if cosine <= -TURNED_COS:
        return "upside-down"
    return None if cosine >= TURNED_COS else "turned"


def _direction(a: Point, b: Point) -> tuple[float, float]:
    """From one point to another, of length 1."""
    length = dist(a, b) or 1.0
    return ((b[0] - a[0]) / length, (b[1] - a[1]) / length)


def _all_seen(view: FrameView, centres: Mapping[int, Point]) -> Advice:
    width, height = view.size_wh
    margin = MARGIN_SHARE * width
    points = [point for outline in view.corners_px.values() for point in outline]
    over = {
        "left": margin - min(x for x, _ in points),
        "right": max(x for x, _ in points) - (width - 1 - margin),
        "far": margin - min(y for _, y in points),
        "near": max(y for _, y in points) - (height - 1 - margin),
    }
    tight = [side for side, by in over.items() if by > 0]
    if {"left", "right"} <= set(tight) or {"far", "near"} <= set(tight):
        return Advice("higher")
    if tight:
        worst = max(tight, key=lambda name: over[name])
        return _moved(view, worst, over[worst])
    near_px, far_px = dist(centres[2], centres[3]), dist(centres[0], centres[1])
    if near_px > STEEPEST_RATIO * far_px or far_px > STEEPEST_RATIO * near_px:
        return Advice("steeper")
    if _area(centres) < LEAST_AREA_SHARE * width * height:
        return Advice("lower")
    if view.glare:
        return Advice("glare", (("where", view.glare[0]),))
    return Advice("good")


def _area(centres: Mapping[int, Point]) -> float:
    corners = [centres[each] for each in range(4)]
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(corners, [*corners[1:], corners[0]], strict=True))) / 2
