"""A camera on the network: a phone or another computer that streams (MJPEG over HTTP, RTSP)."""

from __future__ import annotations

import cv2

from device.cameras.reader import Capture, CaptureFactory, LiveCamera
from device.clock import Clock
from device.errors import CameraFailed, CameraSpecError

__all__ = ["NetworkCamera"]

_SCHEMES = ("http://", "https://", "rtsp://", "rtmp://", "udp://", "tcp://")


class NetworkCamera(LiveCamera):
    """A stream at `url`; opening and every read end within `timeout_s`, after which it is opened again."""

    def __init__(
        self,
        clock: Clock,
        url: str,
        *,
        timeout_s: float = 5.0,
        retry_s: float = 1.0,
        make_capture: CaptureFactory = cv2.VideoCapture,
    ) -> None:
        if not url.startswith(_SCHEMES):
            raise CameraSpecError(
                f"{url!r} is not the address of a stream; expected one beginning with {', '.join(_SCHEMES)}"
            )
        super().__init__(clock, f"url:{url}", retry_s=retry_s)
        self._url = url
        self._timeout_ms = round(timeout_s * 1000)
        self._make_capture = make_capture

    def _open_capture(self) -> Capture:
        limits = [
            cv2.CAP_PROP_OPEN_TIMEOUT_MSEC,
            self._timeout_ms,
            cv2.CAP_PROP_READ_TIMEOUT_MSEC,
            self._timeout_ms,
        ]
        capture = self._make_capture(self._url, cv2.CAP_FFMPEG, limits)
        if not capture.isOpened():
            capture.release()
            raise CameraFailed(
                f"nothing that can be watched at {self._url} within {self._timeout_ms / 1000:g} s; expected a "
                "stream; open the address in a browser on this computer, and start the camera's server"
            )
        return capture
