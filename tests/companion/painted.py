"""A table painted in plain colours: the tracker's own work on pixels, with readings that are given and not read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from vision.readings import DieReading, MarkerReading, Reading
from vision.tracking.happenings import Watched
from vision.tracking.tracker import TableTracker

WIDTH, HEIGHT = 1280, 720
BGR = {"red": (40, 34, 186), "blue": (168, 78, 28), "green": (62, 126, 24), "white": (230, 235, 235)}
SKIN_BGR = (120, 150, 215)
Box = tuple[int, int, int, int]


def _backgrounds() -> list[np.ndarray]:
    """The bare table in the noise of four frames."""
    rng = np.random.default_rng(5)
    coarse = rng.normal(0, 20, (HEIGHT // 8, WIDTH // 8, 3)).astype(np.float32)
    table = np.array([80, 110, 140]) + cv2.resize(coarse, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    return [np.clip(table + rng.normal(0, 1.5, table.shape), 0, 255).astype(np.uint8) for _ in range(4)]


_TABLES: list[np.ndarray] = []


class _Given:
    """In place of the reader of what has changed: tells what the test says."""

    reading: Reading

    def read(self, image: Any, glimpse: Any, *, sequence: int) -> Reading:
        return self.reading

    def forget(self) -> None:
        pass


class GivenTracker:
    """A tracker that looks at pictures itself, and is told what to read in them."""

    def __init__(self) -> None:
        self._tracker = TableTracker()
        self._given = _Given()
        self._tracker._changes = self._given  # type: ignore[assignment]

    def watch(self, image: Any, reading: Reading) -> Watched:
        self._given.reading = reading
        return self._tracker.update(
            image, exposure_start_ns=reading.exposure_start_ns or 0, sequence=reading.sequence or 0
        )


@dataclass
class PaintedTable:
    """Gives dice, hands and cards to a tracker frame by frame."""

    tracker: GivenTracker = field(default_factory=GivenTracker)
    frames: int = 0

    def __post_init__(self) -> None:
        _TABLES.extend(_backgrounds() if not _TABLES else [])

    def show(
        self,
        dice: Sequence[DieReading],
        at_ns: int,
        *,
        markers: Sequence[MarkerReading] = (),
        hands: Sequence[Box] = (),
        white: tuple[float, float, float] | None = None,
    ) -> Watched:
        """One frame. `hands` are boxes (x0, y0, x1, y1) in px; what lies under them must be left out of `dice`."""
        image = _TABLES[self.frames % len(_TABLES)].copy()
        for die in dice:
            x0, y0, x1, y1 = (round(v) for v in die.box_xyxy)
            image[y0:y1, x0:x1] = BGR.get(die.colour, die.colour_bgr)
            image[y0 + 6 : y1 - 6, x0 + 6 : x1 - 6] = 35 * (die.value or 0)
        for x0, y0, x1, y1 in hands:
            image[y0:y1, x0:x1] = SKIN_BGR
        self.frames += 1
        reading = Reading((WIDTH, HEIGHT), tuple(dice), tuple(markers), at_ns, self.frames, white_bgr=white)
        return self.tracker.watch(image, reading)
