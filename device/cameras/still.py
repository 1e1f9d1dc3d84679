"""Frames that exist already (a film, a folder of pictures), shown at their own pace or as fast as asked."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

from device.cameras.base import CameraContext
from device.clock import NS_PER_MS, NS_PER_S, Clock, wait_until
from device.errors import CameraClosed, CameraEnded, CameraTimeout
from device.frames import Frame

__all__ = ["RecordedCamera", "Shot"]


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """An image and its time since the beginning of the recording."""

    image_bgr: Any
    at_ns: int


class RecordedCamera(CameraContext):
    """Plays shots in order. Subclasses give them one by one.

    Paced, a shot is shown from its own time on the clock (counted from `open`) and shots whose time has
    passed are skipped, as with a live camera. With `pace=False` every call of `latest` gives the next shot
    that is exposed late enough, at once; its times are those of the recording.
    """

    def __init__(self, clock: Clock, source: str, *, pace: bool = True) -> None:
        self._clock = clock
        self._source = source
        self._pace = pace
        self._lock = threading.RLock()
        self._closed = threading.Event()
        self._start_ns: int | None = None
        self._shown: Shot | None = None
        self._next: Shot | None = None
        self._sequence = 0
        self._next_sequence = 1
        self._was_given = False

    @property
    def ended(self) -> bool:
        """True once the last shot was given."""
        with self._lock:
            return self._start_ns is not None and self._next is None and self._was_given

    def open(self) -> None:
        """Open the recording at its beginning. Raises CameraMissing or CameraFailed."""
        with self._lock:
            if self._start_ns is not None:
                return
            self._rewind()
            self._closed.clear()
            self._shown, self._was_given = None, False
            self._sequence, self._next_sequence = 0, 1
            self._next = self._following()
            self._start_ns = self._clock.now_ns()

    def close(self) -> None:
        """Close the recording; a wait of another thread ends with CameraClosed."""
        self._closed.set()
        with self._lock:
            self._start_ns = self._shown = self._next = None
            self._release()

    def latest(self, *, exposed_after_ns: int = 0, timeout_s: float) -> Frame:
        """The newest shot (unpaced: the next) exposed at `exposed_after_ns` or later; see Camera.latest."""
        if not self._pace:
            return self._next_late_enough(exposed_after_ns)
        began_ns = self._clock.now_ns()
        while True:
            with self._lock:
                start_ns = self._must_be_open()
                while self._next is not None and start_ns + self._next.at_ns <= self._clock.now_ns():
                    self._step()
                if self._shown is not None and start_ns + self._shown.at_ns >= exposed_after_ns:
                    return self._given(self._shown, start_ns)
                if self._next is None:
                    raise self._over()
                due_ns = max(start_ns + self._next.at_ns, exposed_after_ns)
            left_s = timeout_s - (self._clock.now_ns() - began_ns) / NS_PER_S
            if wait_until(self._clock, due_ns, left_s, self._closed):
                continue
            if self._closed.is_set():
                raise CameraClosed(f"{self._source} was closed while a frame was waited for")
            late_ms = (due_ns - self._clock.now_ns()) / NS_PER_MS
            raise CameraTimeout(
                f"{self._source}: no frame exposed after the trigger within {timeout_s:g} s; the next one is "
                f"due in {late_ms:.1f} ms; wait longer"
            )

    def _next_late_enough(self, exposed_after_ns: int) -> Frame:
        with self._lock:
            start_ns = self._must_be_open()
            while self._next is not None:
                self._step()
                if self._shown is not None and start_ns + self._shown.at_ns >= exposed_after_ns:
                    return self._given(self._shown, start_ns)
            raise self._over()

    def _rewind(self) -> None:
        raise NotImplementedError

    def _following(self) -> Shot | None:
        """The next shot, None at the end."""
        raise NotImplementedError

    def _release(self) -> None:
        """Let go of the file."""

    def _must_be_open(self) -> int:
        if self._start_ns is None:
            raise CameraClosed(f"{self._source} is not open; call open() or use it in a with statement")
        return self._start_ns

    def _step(self) -> None:
        if self._next is not None:
            self._shown, self._sequence = self._next, self._next_sequence
            self._was_given = False
            self._next = self._following()
            self._next_sequence += 1

    def _given(self, shot: Shot, start_ns: int) -> Frame:
        self._was_given = True
        return Frame(shot.image_bgr, start_ns + shot.at_ns, self._sequence, self._source)

    def _over(self) -> CameraEnded:
        self._was_given = True
        return CameraEnded(f"{self._source} is over; there is no later frame; open it again to replay it")
