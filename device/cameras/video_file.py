"""A film of a table, played as if it were a camera."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from device.cameras.still import RecordedCamera, Shot
from device.clock import NS_PER_MS, NS_PER_S, Clock
from device.errors import CameraFailed, CameraMissing

__all__ = ["VideoFileCamera"]


class VideoFileCamera(RecordedCamera):
    """The film at `path`; each frame's exposure begins at its own time stamp, counted from `open`."""

    def __init__(self, clock: Clock, path: str | Path, *, pace: bool = True) -> None:
        super().__init__(clock, f"file:{path}", pace=pace)
        self._path = Path(path)
        self._capture: cv2.VideoCapture | None = None
        self._fps = 30.0
        self._number = 0
        self._last_ns = -1

    def describe(self) -> str:
        """One line for people."""
        how = "at its own pace" if self._pace else "as fast as asked"
        return f"{self._source}, {self._fps:g} frames a second, played {how}"

    def _rewind(self) -> None:
        if not self._path.is_file():
            raise CameraMissing(f"there is no film at {self._path}; check the path")
        capture = cv2.VideoCapture(str(self._path), cv2.CAP_FFMPEG)
        if not capture.isOpened():
            capture.release()
            raise CameraFailed(f"{self._path} is not a film that OpenCV can play; expected MP4, AVI, MKV or the like")
        fps = capture.get(cv2.CAP_PROP_FPS)
        self._fps = fps if 0 < fps <= 1000 else 30.0
        self._capture, self._number, self._last_ns = capture, 0, -1

    def _following(self) -> Shot | None:
        if self._capture is None:
            return None
        good, image = self._capture.read()
        if not good:
            return None
        at_ns = int(self._capture.get(cv2.CAP_PROP_POS_MSEC) * NS_PER_MS)
        if at_ns <= self._last_ns:  # some containers have no stamps, or repeat them
            at_ns = max(self._last_ns + 1, int(self._number * NS_PER_S / self._fps))
        self._last_ns = at_ns
        self._number += 1
        return Shot(np.asarray(image), at_ns)

    def _release(self) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None
