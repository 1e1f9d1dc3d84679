"""What a few frames of the table tell of light, focus, exposure, markers and dice: measured here, judged elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import dist
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images import Image
from vision.light import linear, paper_white
from vision.markers import CORNER_IDS
from vision.readings import MarkerReading, Reading

__all__ = ["REGIONS", "PictureFacts", "band_share", "edge_width_px", "glare_of", "measured", "region_of"]

REGIONS: Final = (
    ("far-left", "far", "far-right"),
    ("left", "middle", "right"),
    ("near-left", "near", "near-right"),
)
"""Names of the ninths of a picture, from its top; the camera stands at the near side."""

_MODULES: Final = 8
BLOWN: Final = 250
"""A pixel whose darkest channel is so bright tells nothing any more."""
_SMALLEST_GLARE_SHARE: Final = 0.0004
"""Of the picture: glints on the edges of dice are smaller than a fiftieth of this each."""
_PAPER_REACH: Final = 1.6
"""Half the paper of a marker against half its black square, with what a cut leaves over."""
_BAND_COLUMNS: Final = 4
_SLOWEST_BANDS, _FASTEST_BANDS = 1, 60
"""Periods of mains flicker in a picture: a sensor reads its rows in 10 to 33 ms or, at worst, ten times that."""


@dataclass(frozen=True, slots=True)
class PictureFacts:
    """What was measured.

    Attributes:
        size_wh: of the picture, in px.
        markers_px: side of the black square of each marker in view, by id, in px.
        dice_px: side of the top face of each die in view, in px.
        unread: how many dice cannot be read, by reason.
        paper_levels: mean level, 0..255, of the white paper around each corner marker in view.
        level: what nine tenths of the picture are darker than, 0..255.
        dark_level: its median, 0..255.
        glare: for each patch that is blown out, its share of the picture and the ninth it lies in; largest first.
        edge_px: over how many px the edge of a corner marker goes from black to white; None where none is in view.
        band_share: amplitude of bands that wander over the picture, as a share of its light.
        drift_share: by how much the light of the frames differs, as a share.
    """

    size_wh: tuple[int, int]
    markers_px: dict[int, float] = field(default_factory=dict)
    dice_px: tuple[float, ...] = ()
    unread: dict[str, int] = field(default_factory=dict)
    paper_levels: dict[int, float] = field(default_factory=dict)
    level: float = 0.0
    dark_level: float = 0.0
    glare: tuple[tuple[float, str], ...] = ()
    edge_px: float | None = None
    band_share: float = 0.0
    drift_share: float = 0.0

    @property
    def corners_seen(self) -> tuple[int, ...]:
        """The corner markers in view."""
        return tuple(each for each in CORNER_IDS if each in self.markers_px)


def measured(images: Sequence[Image], reading: Reading) -> PictureFacts:
    """Measure frames of a still table, (H, W, 3) uint8 BGR each; `reading` is that of the last.

    Raises ValueError without a frame.
    """
    if not images:
        raise ValueError("no frame to measure: give at least one")
    image = images[-1]
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    corners = [marker for marker in reading.markers if marker.id in CORNER_IDS]
    widths = [width for marker in corners if (width := edge_width_px(grey, marker)) is not None]
    papers = {marker.id: white for marker in corners if (white := paper_white(image, [marker])) is not None}
    return PictureFacts(
        size_wh=(image.shape[1], image.shape[0]),
        markers_px={marker.id: _side_px(marker) for marker in reading.markers},
        dice_px=tuple(die.side_px for die in reading.dice),
        unread=dict(Counter(str(die.reason) for die in reading.dice if die.reason is not None)),
        paper_levels={number: float(np.mean(white)) for number, white in papers.items()},
        level=float(np.percentile(grey, 90)),
        dark_level=float(np.median(grey)),
        glare=glare_of(image, reading.markers),
        edge_px=float(np.median(widths)) if widths else None,
        band_share=band_share(images),
        drift_share=_drift_share(images),
    )


def _side_px(marker: MarkerReading) -> float:
    corners = marker.corners_px
    return sum(dist(a, b) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)) / 4


def region_of(point_px: tuple[float, float], size_wh: tuple[int, int]) -> str:
    """The name of the ninth of the picture that a point lies in."""
    column = min(2, max(0, int(3 * point_px[0] / size_wh[0])))
    row = min(2, max(0, int(3 * point_px[1] / size_wh[1])))
    return REGIONS[row][column]


def glare_of(image_bgr: Image, markers: Sequence[MarkerReading] = ()) -> tuple[tuple[float, str], ...]:
    """The patches of a (H, W, 3) uint8 BGR picture that are blown out: share of the picture and ninth, largest first.

    The paper of `markers` is left out: what it tells of the light is told by its own level.
    """
    height, width = image_bgr.shape[:2]
    blown = (image_bgr.min(axis=2) >= BLOWN).astype(np.uint8)
    for marker in markers:
        corners = np.asarray(marker.corners_px)
        middle = corners.mean(axis=0)
        cv2.fillConvexPoly(blown, np.rint(middle + (corners - middle) * _PAPER_REACH).astype(np.int32), 0)
    _, _, stats, centres = cv2.connectedComponentsWithStats(blown, connectivity=8)
    found = [
        (float(stat[cv2.CC_STAT_AREA]) / (height * width), region_of((centre[0], centre[1]), (width, height)))
        for stat, centre in zip(stats[1:], centres[1:], strict=True)
    ]
    return tuple(sorted((each for each in found if each[0] >= _SMALLEST_GLARE_SHARE), reverse=True))


def edge_width_px(grey: NDArray[Any], marker: MarkerReading) -> float | None:
    """Over how many px the four edges of a marker's black square go from a tenth to nine tenths of their contrast.

    A sharp camera spreads an edge over one to two px. None where an edge has no contrast or lies at the border.
    """
    corners = np.asarray(marker.corners_px, np.float64)
    side = _side_px(marker)
    reach = side / _MODULES * 0.8  # stays in the white border and in the black frame
    steps = np.arange(-reach, reach, 0.25)
    along = np.linspace(0.15, 0.85, max(8, int(side)))
    profiles = []
    middle = corners.mean(axis=0)
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        line = (end - start) / np.linalg.norm(end - start)
        outward = np.array([line[1], -line[0]])
        if np.dot((start + end) / 2 - middle, outward) < 0:
            outward = -outward
        points = start + np.outer(along, end - start)
        at = points[:, None] + steps[None, :, None] * outward
        if at.min() < 0 or at[..., 0].max() > grey.shape[1] - 1 or at[..., 1].max() > grey.shape[0] - 1:
            continue
        maps = at.astype(np.float32)
        sampled = cv2.remap(grey, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR)
        profiles.append(np.median(sampled.astype(np.float64), axis=0))
    widths = [width for profile in profiles if (width := _rise_px(profile)) is not None]
    return float(np.median(widths)) if widths else None


def _rise_px(profile: NDArray[np.float64]) -> float | None:
    """From a tenth to nine tenths, in px, of a profile sampled every quarter of one; from dark to bright."""
    low, high = profile[:3].mean(), profile[-3:].mean()
    if high - low < 20:
        return None
    share = np.maximum.accumulate((profile - low) / (high - low))
    return float((np.argmax(share >= 0.9) - np.argmax(share >= 0.1)) * 0.25)


def band_share(images: Sequence[Image]) -> float:
    """Amplitude, as a share of the light, of level bands that lie elsewhere in each frame of a still table.

    Lamps on the mains flicker a hundred or 120 times a second, and a sensor reads its rows one after another. Bands
    that stand still from frame to frame (a frame rate that divides the mains) are not seen, nor do they disturb.
    """
    rows = [_row_light(image) for image in images]
    strongest = 0.0
    for one, other in pairwise(rows):
        ratio = np.nanmedian(np.log(one / other), axis=1)
        ratio = np.nan_to_num(ratio)
        n = len(ratio)
        line = np.polynomial.polynomial.polyfit(np.arange(n), ratio, 1)
        flat = (ratio - np.polynomial.polynomial.polyval(np.arange(n), line)) * np.hanning(n)
        spectrum = np.abs(np.fft.rfft(flat)) * 4 / n  # of a windowed sine its amplitude
        strongest = max(strongest, float(spectrum[_SLOWEST_BANDS + 1 : _FASTEST_BANDS].max(initial=0.0)))
    return strongest / 2  # the difference of two sines of any phase is at most twice as strong as one


def _row_light(image: Image) -> NDArray[np.float64]:
    """Light (H, W / 4) of columns that are neither black nor blown out, those as not a number."""
    grey = cv2.resize(
        cv2.cvtColor(image, cv2.COLOR_BGR2GRAY),
        (max(1, image.shape[1] // _BAND_COLUMNS), image.shape[0]),
        interpolation=cv2.INTER_AREA,
    )
    light = linear(grey)
    return np.asarray(np.where((grey > 8) & (grey < BLOWN), light, np.nan))


def _drift_share(images: Sequence[Image]) -> float:
    """How far the median light of the frames is apart, as a share of the brightest."""
    medians = [float(linear(np.median(image[::4, ::4].mean(axis=2)))) for image in images]
    return 0.0 if max(medians) <= 0 else (max(medians) - min(medians)) / max(medians)
