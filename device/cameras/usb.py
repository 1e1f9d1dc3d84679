"""A USB webcam, or any other V4L2 device, through OpenCV."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Mapping
from typing import Final

import cv2

from device.cameras.holders import named_holders
from device.cameras.reader import Capture, CaptureFactory, LiveCamera
from device.cameras.usb_lock import hold, lock_webcam
from device.clock import Clock
from device.errors import CameraBusy, CameraFailed, CameraMissing, CameraPermission

__all__ = ["UsbCamera"]


_ANSWER_S: Final = 3.0
"""How much longer than its own time a lock is waited for: a frame may be under way."""


def _probe(path: str) -> None:
    """Open and close the device file, for the reason that OpenCV does not tell."""
    os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK))


class UsbCamera(LiveCamera):
    """Webcam number `number` (/dev/videoN), asked for `size_wh` and `fps` once, buffer of one frame.

    `held` are the values of an earlier `lock`; they are set, and read back, each time that the webcam is opened.
    """

    def __init__(
        self,
        clock: Clock,
        number: int,
        *,
        size_wh: tuple[int, int] = (1280, 720),
        fps: float = 30,
        held: Mapping[str, float] | None = None,
        retry_s: float = 1.0,
        make_capture: CaptureFactory = cv2.VideoCapture,
        probe: Callable[[str], None] = _probe,
    ) -> None:
        super().__init__(clock, f"usb:{number}", retry_s=retry_s)
        self._number = number
        self._wanted_wh = size_wh
        self._fps = fps
        self._held = dict(held or {})
        self._kept: dict[str, float] = {}
        self._make_capture = make_capture
        self._probe = probe

    @property
    def locked(self) -> dict[str, float] | None:
        """The values that the webcam was told to hold and does hold; None when it adjusts itself."""
        return dict(self._kept) if self._kept and self._kept.keys() == self._held.keys() else None

    def lock(self, timeout_s: float, *, mains_hz: float = 50.0) -> dict[str, float]:
        """Find exposure, white balance and focus for the table as it lies, hold them from now on, and return them.

        By the names of usb_lock.NAMES, as far as the webcam has them. Raises CameraLockError, CameraClosed,
        CameraTimeout.
        """

        def run(capture: Capture) -> dict[str, float]:
            return lock_webcam(_Turned(self, capture), self._clock, timeout_s, mains_hz=mains_hz)

        self._held, self._kept = {}, {}
        self._kept = self._in_reader(run, timeout_s + _ANSWER_S)
        self._held = dict(self._kept)
        return dict(self._kept)

    def _level(self, capture: Capture) -> float:
        """Mean grey level of the next frame, which is shown too."""
        self._read_one(capture, self._stop)
        frame = self._slot.get(exposed_after_ns=0, timeout_s=0)
        return float(frame.image_bgr[::4, ::4].mean())

    def _open_capture(self) -> Capture:
        path = f"/dev/video{self._number}"
        try:
            self._probe(path)
        except OSError as error:
            raise self._named(error, path) from error
        capture = self._make_capture(self._number, cv2.CAP_V4L2)
        if not capture.isOpened():
            capture.release()
            raise CameraFailed(
                f"{path} is there but gives no pictures to OpenCV; expected a webcam; a camera on the ribbon "
                "cable of a Raspberry Pi is opened with 'pi' instead"
            )
        # Compressed pictures first: uncompressed ones at this size do not fit through USB 2 at full rate.
        capture.set(cv2.CAP_PROP_FOURCC, float(cv2.VideoWriter.fourcc(*"MJPG")))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._wanted_wh[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._wanted_wh[1])
        capture.set(cv2.CAP_PROP_FPS, self._fps)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        if self._held:
            self._kept = hold(_Turned(self, capture), self._held)
        return capture

    @staticmethod
    def _named(error: OSError, path: str) -> Exception:
        if error.errno in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
            return CameraMissing(
                f"there is no camera at {path}; plug it in, or choose another number with usb:N (ls /dev/video*)"
            )
        if error.errno in (errno.EACCES, errno.EPERM):
            return CameraPermission(
                f"{path} may not be opened by this user; add the user to the group 'video' and log in again"
            )
        if error.errno == errno.EBUSY:
            who = named_holders(path) or "another program"
            return CameraBusy(f"{path} is held by {who}; close it (fuser {path} names it) and try again")
        return CameraFailed(f"{path} could not be opened: {error}; unplug it, plug it in again, and retry")


class _Turned:
    """An open webcam for `lock_webcam`."""

    def __init__(self, camera: UsbCamera, capture: Capture) -> None:
        self._camera = camera
        self._capture = capture

    def get(self, prop: int) -> float:
        return self._capture.get(prop)

    def set(self, prop: int, value: float) -> bool:
        return self._capture.set(prop, value)

    def next_level(self) -> float:
        return self._camera._level(self._capture)
