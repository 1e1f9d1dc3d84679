"""A folder of pictures, shown one after another as if they were frames."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from device.cameras.still import RecordedCamera, Shot
from device.clock import NS_PER_MS, Clock
from device.errors import CameraFailed, CameraMissing

__all__ = ["FolderCamera"]

_ENDINGS: Final = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})


def _by_number(path: Path) -> list[tuple[int, int, str]]:
    """Sorts picture2 before picture10."""
    pieces = re.split(r"(\d+)", path.name.lower())
    return [(0, int(piece), "") if piece.isdigit() else (1, 0, piece) for piece in pieces if piece]


class FolderCamera(RecordedCamera):
    """The pictures in `path`, in the order of their names and numbers, one every `every_ms` milliseconds.

    Pictures that a phone stored lying on their side are set upright (EXIF orientation).
    """

    def __init__(self, clock: Clock, path: str | Path, *, every_ms: float = 1000.0, pace: bool = True) -> None:
        super().__init__(clock, f"folder:{path}", pace=pace)
        if every_ms <= 0:
            raise ValueError(f"one picture every {every_ms} ms asked for; give more than 0")
        self._path = Path(path)
        self._every_ns = int(every_ms * NS_PER_MS)
        self._files: list[Path] = []
        self._number = 0

    def describe(self) -> str:
        """One line for people."""
        return f"{self._source}, {len(self._files)} pictures, one every {self._every_ns / NS_PER_MS:g} ms"

    def _rewind(self) -> None:
        if not self._path.is_dir():
            raise CameraMissing(f"there is no folder {self._path}; check the path")
        files = [p for p in self._path.iterdir() if p.suffix.lower() in _ENDINGS and p.is_file()]
        if not files:
            raise CameraMissing(f"there are no pictures in {self._path}; expected {', '.join(sorted(_ENDINGS))}")
        self._files = sorted(files, key=_by_number)
        self._number = 0

    def _following(self) -> Shot | None:
        if self._number >= len(self._files):
            return None
        path = self._files[self._number]
        # IMREAD_COLOR turns the picture as its EXIF orientation says.
        image = cv2.imdecode(np.frombuffer(path.read_bytes() or b"\0", np.uint8), cv2.IMREAD_COLOR)
        if image is None:
            raise CameraFailed(f"{path} is not a picture that can be read; take it out of the folder")
        shot = Shot(image, self._number * self._every_ns)
        self._number += 1
        return shot
