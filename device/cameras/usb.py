"""A USB webcam, or any other V4L2 device, through OpenCV."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable

import cv2

from device.cameras.holders import named_holders
from device.cameras.reader import Capture, CaptureFactory, LiveCamera
from device.clock import Clock
from device.errors import CameraBusy, CameraFailed, CameraMissing, CameraPermission

__all__ = ["UsbCamera"]


def _probe(path: str) -> None:
    """Open and close the device file, for the reason that OpenCV does not tell."""
    os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK))


class UsbCamera(LiveCamera):
    """Webcam number `number` (/dev/videoN), asked for `size_wh` and `fps` once, buffer of one frame."""

    def __init__(
        self,
        clock: Clock,
        number: int,
        *,
        size_wh: tuple[int, int] = (1280, 720),
        fps: float = 30,
        retry_s: float = 1.0,
        make_capture: CaptureFactory = cv2.VideoCapture,
        probe: Callable[[str], None] = _probe,
    ) -> None:
        super().__init__(clock, f"usb:{number}", retry_s=retry_s)
        self._number = number
        self._wanted_wh = size_wh
        self._fps = fps
        self._make_capture = make_capture
        self._probe = probe

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
