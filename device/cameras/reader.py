"""A live camera read by a thread of its own: newest frame kept, opened again by itself after a failure."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Any, Final, Protocol, TypeVar

import cv2
import numpy as np

from device.cameras.base import CameraContext
from device.cameras.newest import NewestFrame
from device.clock import NS_PER_MS, NS_PER_S, Clock
from device.errors import CameraClosed, CameraFailed, CameraTimeout, DeviceError
from device.frames import Frame, checked_bgr

__all__ = ["Capture", "LiveCamera", "exposure_start_ns"]

Made = TypeVar("Made")

_JOIN_S: Final = 5.0
_OLDEST_STAMP_NS: Final = NS_PER_S
"""A driver's time stamp older than this is of another clock."""


class Capture(Protocol):
    """The part of cv2.VideoCapture that is used; tests put a stand-in in its place."""

    def isOpened(self) -> bool: ...  # noqa: N802
    def read(self) -> tuple[bool, Any]: ...
    def get(self, prop: int) -> float: ...
    def set(self, prop: int, value: float) -> bool: ...
    def release(self) -> None: ...


def exposure_start_ns(stamp_ms: float, read_began_ns: int, read_ended_ns: int, period_ns: int) -> int:
    """When a frame's exposure began at the latest certain moment before it did.

    A V4L2 driver stamps a buffer in CLOCK_MONOTONIC at the first byte that reaches the computer; the exposure
    began at most one frame period before. Without a usable stamp (0, of another clock, in the future) only the
    read itself is known: the frame may have been under way for one period when it began.
    Erring to the early side keeps the promise that a frame exposed before a trigger is never used for it.
    """
    stamp_ns = int(stamp_ms * NS_PER_MS)
    usable = 0 < stamp_ns <= read_ended_ns and read_ended_ns - stamp_ns < _OLDEST_STAMP_NS
    return (min(stamp_ns, read_ended_ns) if usable else read_began_ns) - period_ns


class LiveCamera(CameraContext):
    """Reads a Capture in a thread. Subclasses say how to open it and what to say when that fails.

    A failed read, or a device that cannot be opened again, is retried every `retry_s` seconds for as long as
    the camera is open; meanwhile `latest` times out and tells the reason. Only the first `open` raises.
    """

    def __init__(self, clock: Clock, source: str, *, retry_s: float = 1.0) -> None:
        self._clock = clock
        self._source = source
        self._retry_s = retry_s
        self._slot = NewestFrame(source)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._sequence = 0
        self._period_ns = NS_PER_S // 30
        self._size_wh: tuple[int, int] | None = None
        self.times_opened = 0
        self._jobs: queue.SimpleQueue[Callable[[Any], None]] = queue.SimpleQueue()

    @property
    def ended(self) -> bool:
        """Never: a live camera goes on."""
        return False

    def open(self) -> None:
        """Open the device and start to read it. Raises a DeviceError when it cannot be opened now."""
        if self._thread is not None:
            return
        self._slot.clear()
        capture = self._opened()
        self._stop = threading.Event()
        self._thread = threading.Thread(
            target=self._read_on, args=(capture, self._stop), name=f"camera {self._source}", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Stop reading and let go of the device."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._stop.set()
        self._slot.end(CameraClosed(f"{self._source} was closed while a frame was waited for"))
        thread.join(_JOIN_S)

    def latest(self, *, exposed_after_ns: int = 0, timeout_s: float) -> Frame:
        """The newest frame whose exposure began at `exposed_after_ns` or later; see Camera.latest."""
        if self._thread is None:
            raise CameraClosed(f"{self._source} is not open; call open() or use it in a with statement")
        return self._slot.get(exposed_after_ns=exposed_after_ns, timeout_s=timeout_s)

    def describe(self) -> str:
        """One line for people."""
        if self._size_wh is None:
            return f"{self._source}, not read yet"
        width, height = self._size_wh
        return f"{self._source}, {width}x{height}"

    def _open_capture(self) -> Capture:
        """Open the device, or raise a DeviceError."""
        raise NotImplementedError

    def _opened(self) -> Capture:
        capture = self._open_capture()
        self.times_opened += 1
        fps = capture.get(cv2.CAP_PROP_FPS)
        self._period_ns = int(NS_PER_S / fps) if 1 <= fps <= 1000 else NS_PER_S // 30
        return capture

    def _read_on(self, capture: Capture | None, stop: threading.Event) -> None:
        while not stop.is_set():
            try:
                if capture is None:
                    capture = self._opened()
                while not self._jobs.empty():
                    self._jobs.get()(capture)
                self._read_one(capture, stop)
            except DeviceError as trouble:
                self._slot.note_trouble(trouble)
                if capture is not None:
                    capture.release()
                    capture = None
                stop.wait(self._retry_s)
        if capture is not None:
            capture.release()

    def _in_reader(self, step: Callable[[Any], Made], timeout_s: float) -> Made:
        """Run a step with the open device between two frames, in the reader's thread; what it returns or raises.

        Raises CameraClosed when the camera is not open, CameraTimeout when the reader did not come to it in time.
        """
        if self._thread is None:
            raise CameraClosed(f"{self._source} is not open; call open() or use it in a with statement")
        answer: Future[Made] = Future()

        def run(capture: Any) -> None:
            if not answer.set_running_or_notify_cancel():
                return
            try:
                answer.set_result(step(capture))
            except Exception as error:
                answer.set_exception(error)

        self._jobs.put(run)
        try:
            return answer.result(timeout_s)
        except FutureTimeout as error:
            answer.cancel()
            raise CameraTimeout(f"{self._source} did not answer within {timeout_s:g} s; check its cable") from error

    def _read_one(self, capture: Capture, stop: threading.Event) -> None:
        began_ns = self._clock.now_ns()
        try:
            good, image = capture.read()
        except Exception as error:
            raise CameraFailed(f"{self._source}: reading a frame failed ({error}); it is opened again") from error
        ended_ns = self._clock.now_ns()
        if stop.is_set():
            return
        if not good or image is None:
            raise CameraFailed(f"{self._source} gives no frames any more; check its cable; it is opened again")
        image = checked_bgr(np.asarray(image), self._source)
        self._size_wh = (image.shape[1], image.shape[0])
        stamp_ms = capture.get(cv2.CAP_PROP_POS_MSEC)
        exposed_ns = exposure_start_ns(stamp_ms, began_ns, ended_ns, self._period_ns)
        self._sequence += 1
        self._slot.put(Frame(image, exposed_ns, self._sequence, self._source))


CaptureFactory = Callable[..., Capture]
