"""A slot for one frame: a new one replaces the old, so a slow reader never reads the past."""

from __future__ import annotations

import threading

from device.errors import CameraTimeout, DeviceError
from device.frames import Frame

__all__ = ["NewestFrame"]


class NewestFrame:
    """Holds the newest frame of a reader thread, or the error that ended it."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._changed = threading.Condition()
        self._frame: Frame | None = None
        self._trouble: DeviceError | None = None
        self._final: DeviceError | None = None
        self.replaced_unread = 0
        self._read = True

    def put(self, frame: Frame) -> None:
        """Replace the frame; a frame clears any trouble noted before."""
        with self._changed:
            if not self._read:
                self.replaced_unread += 1
            self._frame, self._read, self._trouble = frame, False, None
            self._changed.notify_all()

    def note_trouble(self, trouble: DeviceError) -> None:
        """Remember why no frames come just now, to be told by the next time-out."""
        with self._changed:
            self._trouble = trouble

    def end(self, error: DeviceError) -> None:
        """No further frame will come: every wait ends with `error`."""
        with self._changed:
            self._final = error
            self._changed.notify_all()

    def clear(self) -> None:
        """Forget the frame and every error, as before the first `put`."""
        with self._changed:
            self._frame, self._read, self._trouble, self._final = None, True, None, None

    def get(self, *, exposed_after_ns: int, timeout_s: float) -> Frame:
        """The frame in the slot once its exposure began at `exposed_after_ns` or later.

        Raises CameraTimeout after `timeout_s` seconds, with the trouble last noted as its cause, and
        whatever `end` was given.
        """

        def usable() -> bool:
            fresh = self._frame is not None and self._frame.exposure_start_ns >= exposed_after_ns
            return fresh or self._final is not None

        with self._changed:
            self._changed.wait_for(usable, timeout=max(0.0, timeout_s))
            if self._frame is not None and self._frame.exposure_start_ns >= exposed_after_ns:
                self._read = True
                return self._frame
            if self._final is not None:
                raise self._final
            because = f" ({self._trouble})" if self._trouble else ""
            if self._frame is None:
                seen = "no frame has come yet"
            else:
                late_ms = (exposed_after_ns - self._frame.exposure_start_ns) / 1e6
                seen = f"the newest frame was exposed {late_ms:.1f} ms too early"
            raise CameraTimeout(
                f"{self._source}: {seen} after waiting {timeout_s:g} s{because}; expected a frame exposed "
                "after the trigger; check the cable and the light, the camera is tried again by itself"
            ) from self._trouble
