"""Whether a die lies flat: by the shape that its upper face has when it is looked at straight from above."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.errors import GeometryError
from vision.geometry import TableGeometry
from vision.readings import Unreadable
from vision.tracking.track import Sample

__all__ = ["leans"]

_ASPECT = 1.17
"""Longer against shorter sides of a face, seen from above: within 1.07 for dice lying flat on rendered tables, above
1.2 for dice that lean by 30 degrees, whichever way; 1.17 is the foreshortening by 31 degrees."""
_SKEW_RAD = 0.19
_SAMPLES = 5


def leans(samples: Sequence[Sample], geometry: TableGeometry | None) -> bool:
    """True when the last of these samples show a face that is no square on the table, or that is called tilted.

    Where the table's geometry is not known only the reader's own word counts.
    """
    recent = samples[-_SAMPLES:]
    if not recent:
        return False
    called = sum(sample.reading.reason is Unreadable.TILTED for sample in recent)
    if called > len(recent) / 2:
        return True
    if geometry is None:
        return False
    try:
        shapes = [_shape(geometry.to_mm(list(sample.reading.outline_px))) for sample in recent]
    except GeometryError:
        return False
    aspect, skew_rad = np.median(shapes, axis=0)
    return bool(aspect > _ASPECT or skew_rad > _SKEW_RAD)


def _shape(corners_mm: NDArray[Any]) -> tuple[float, float]:
    """Longer against shorter side of a quadrilateral (4, 2), and by how much its angles miss the right one."""
    sides = np.roll(corners_mm, -1, axis=0) - corners_mm
    along, across = (sides[0] - sides[2]) / 2, (sides[1] - sides[3]) / 2
    a, b = float(np.linalg.norm(along)), float(np.linalg.norm(across))
    if min(a, b) < 1e-6:
        return 99.0, 0.0
    return max(a, b) / min(a, b), float(abs(np.arcsin(np.clip(along @ across / (a * b), -1, 1))))
