"""The camera on the ribbon cable of a Raspberry Pi, through picamera2.

One configuration for its life: switching modes leaks camera memory until the next boot. Array and metadata come
from one request, which is given back at once: a held request starves the camera of buffers.
"""

from __future__ import annotations

import errno
import importlib
import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import Any, Final

import cv2
import numpy as np

from device.cameras.reader import LiveCamera
from device.clock import NS_PER_S, Clock
from device.errors import (
    CameraBusy,
    CameraFailed,
    CameraFormatError,
    CameraLibraryMissing,
    CameraMissing,
    CameraOutOfMemory,
    CameraPermission,
    CameraTimeout,
    DeviceError,
)
from device.frames import Frame, checked_bgr

__all__ = ["PiCamera", "bgr_from", "exposure_start_from"]

log = logging.getLogger(__name__)

_OTHER_CLOCK_NS: Final = 10 * NS_PER_S
_CLOSE_LIMIT_S: Final = 3.0
_SLICE_S: Final = 0.1
"""How long a wait for a frame goes on after the camera was closed."""
_BUFFER_COUNTS: Final = (4, 3, 2)

# libcamera names formats by their bits in a little-endian word, so its RGB888 lies in memory as B, G, R.
_CONVERSIONS: Final[Mapping[str, int | None]] = {
    "RGB888": None,
    "BGR888": cv2.COLOR_RGB2BGR,
    "XRGB8888": cv2.COLOR_BGRA2BGR,
    "XBGR8888": cv2.COLOR_RGBA2BGR,
    "NV12": cv2.COLOR_YUV2BGR_NV12,
    "NV21": cv2.COLOR_YUV2BGR_NV21,
    "YUV420": cv2.COLOR_YUV2BGR_I420,
}


def bgr_from(array: np.ndarray, pixel_format: str, size_wh: tuple[int, int]) -> np.ndarray:
    """The picture in BGR, (H, W, 3) uint8, from a buffer in one of the camera's formats.

    Planar formats come as (H * 3 / 2, stride); what a wider stride adds on the right is cut off.
    Raises CameraFormatError for another format or a buffer that does not fit `size_wh`.
    """
    if pixel_format not in _CONVERSIONS:
        raise CameraFormatError(
            f"the camera gives pixels as {pixel_format}; expected one of {', '.join(_CONVERSIONS)}; ask for RGB888"
        )
    width, height = size_wh
    conversion = _CONVERSIONS[pixel_format]
    planar = array.ndim == 2
    rows = height * 3 // 2 if planar else height
    if array.shape[0] != rows or array.shape[1] < width or array.dtype != np.uint8:
        raise CameraFormatError(
            f"a {pixel_format} buffer of shape {array.shape} came; expected {rows} rows and at least {width} "
            f"columns of uint8 for {width}x{height}; restart the camera"
        )
    converted = array if conversion is None else cv2.cvtColor(array, conversion)
    return np.ascontiguousarray(checked_bgr(np.asarray(converted)[:, :width], "pi"))


def exposure_start_from(metadata: Mapping[str, Any], now_ns: int, period_ns: int) -> int:
    """When the exposure of a request began, in ns of the monotonic clock.

    SensorTimestamp marks the first row's read-out, the end of its exposure, so the exposure began ExposureTime
    microseconds earlier. A missing ExposureTime counts as a whole frame period; without a stamp of this clock the
    exposure is taken to lie three periods back (exposure, read-out, queue). Too early is harmless, too late would
    pass an old frame off as new.
    """
    stamp_ns = metadata.get("SensorTimestamp")
    if not isinstance(stamp_ns, int) or not 0 <= now_ns - stamp_ns <= _OTHER_CLOCK_NS:
        return now_ns - 3 * period_ns
    exposure_us = metadata.get("ExposureTime")
    exposure_ns = period_ns if exposure_us is None else int(exposure_us) * 1000
    return stamp_ns - exposure_ns


def _import_picamera2() -> Callable[..., Any]:
    try:
        module = importlib.import_module("picamera2")
    except Exception as error:  # a clash of numpy versions raises ValueError here, not ImportError
        raise CameraLibraryMissing(
            f"picamera2 cannot be imported ({error}); it drives the Raspberry Pi's own camera; install it with "
            "'sudo apt install python3-picamera2' and use an environment with system site packages, or take a "
            "webcam with usb:0"
        ) from error
    factory: Callable[..., Any] = module.Picamera2
    return factory


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__ or seen.__context__


def _named(error: Exception, number: int) -> DeviceError:
    """The error of ours that tells what a failure of picamera2 means."""
    causes = list(_causes(error))
    text = "; ".join(str(cause) for cause in causes)
    numbers = {cause.errno for cause in causes if isinstance(cause, OSError)}
    lower = text.lower()
    if errno.ENOMEM in numbers or "cannot allocate memory" in lower or "enomem" in lower:
        return CameraOutOfMemory(
            f"the camera's buffers do not fit into memory ({text}); choose a smaller picture, or give the camera "
            "more contiguous memory (dtoverlay=vc4-kms-v3d,cma-256) and restart"
        )
    if errno.EBUSY in numbers or "busy" in lower or "in use" in lower:
        return CameraBusy(
            f"camera {number} is held by another program ({text}); close it (a second copy of this program, "
            "rpicam-hello, a browser) and try again"
        )
    if errno.EACCES in numbers or errno.EPERM in numbers or "permission" in lower:
        return CameraPermission(
            f"camera {number} may not be opened by this user ({text}); add the user to the group 'video' and log "
            "in again"
        )
    if any(isinstance(cause, IndexError) for cause in causes) or "not found" in lower or "no camera" in lower:
        return CameraMissing(
            f"there is no camera {number} on this computer ({text}); check the ribbon cable at both ends, then "
            "'rpicam-hello --list-cameras'"
        )
    return CameraFailed(f"camera {number} failed ({text}); it is opened again; see 'rpicam-hello' if it stays so")


def _bounded(step: Callable[[], object], limit_s: float) -> None:
    """Run a clean-up that may hang: errors are logged, and after `limit_s` it is left to itself."""

    def run() -> None:
        try:
            step()
        except Exception as error:
            log.warning("closing the camera: %s", error)

    helper = threading.Thread(target=run, name="camera clean-up", daemon=True)
    helper.start()
    helper.join(limit_s)
    if helper.is_alive():
        log.warning("closing the camera takes longer than %g s; it is left alone", limit_s)


class PiCamera(LiveCamera):
    """Camera `number` of a Raspberry Pi.

    `controls` are set with the one configuration (ExposureTime, AnalogueGain, AwbEnable, LensPosition, …).
    A frame that does not come within `hang_s` means that the camera hangs: it is closed and opened again.
    """

    def __init__(
        self,
        clock: Clock,
        number: int = 0,
        *,
        size_wh: tuple[int, int] = (1280, 720),
        fps: float = 15,
        controls: Mapping[str, object] | None = None,
        hang_s: float = 3.0,
        retry_s: float = 1.0,
        import_picamera2: Callable[[], Callable[..., Any]] = _import_picamera2,
    ) -> None:
        super().__init__(clock, f"pi:{number}", retry_s=retry_s)
        self._number = number
        self._wanted_wh = size_wh
        self._controls = {"FrameRate": fps, **(controls or {})}
        self._hang_s = hang_s
        self._import = import_picamera2
        self._format = ""
        self._period_ns = int(NS_PER_S / fps)

    def describe(self) -> str:
        """One line for people."""
        width, height = self._wanted_wh
        return f"Raspberry Pi camera {self._number}, {width}x{height} {self._format or 'not opened yet'}"

    def _opened(self) -> Any:
        factory = self._import()
        for buffers in _BUFFER_COUNTS:
            try:
                device = self._configured(factory, buffers)
            except CameraOutOfMemory:
                if buffers == _BUFFER_COUNTS[-1]:
                    raise
                log.warning("no memory for %d camera buffers; trying fewer", buffers)
            else:
                self.times_opened += 1
                return _Device(device)
        raise AssertionError("unreachable")

    def _configured(self, factory: Callable[..., Any], buffers: int) -> Any:
        try:
            device = factory(self._number)
        except Exception as error:
            raise _named(error, self._number) from error
        try:
            wanted = device.create_video_configuration(
                main={"size": self._wanted_wh, "format": "RGB888"},
                buffer_count=buffers,
                controls=self._controls,
                display=None,
                encode=None,
            )
            device.configure(wanted)
            given = device.camera_configuration()["main"]
            if tuple(given["size"]) != self._wanted_wh or given["format"] not in _CONVERSIONS:
                raise CameraFormatError(
                    f"camera {self._number} gives {given['format']} at {tuple(given['size'])}; asked for RGB888 at "
                    f"{self._wanted_wh}; choose a size that the sensor offers"
                )
            self._format = given["format"]
            device.start()
        except DeviceError:
            _bounded(device.close, _CLOSE_LIMIT_S)
            raise
        except Exception as error:
            _bounded(device.close, _CLOSE_LIMIT_S)
            raise _named(error, self._number) from error
        return device

    def _read_one(self, capture: Any, stop: threading.Event) -> None:
        request = self._request(capture.device, stop)
        if request is None:
            return
        try:
            metadata = request.get_metadata()
            array = request.make_array("main")
        except Exception as error:
            raise _named(error, self._number) from error
        finally:
            request.release()
        if stop.is_set():
            return
        image = bgr_from(array, self._format, self._wanted_wh)
        self._size_wh = self._wanted_wh
        self._sequence += 1
        exposed_ns = exposure_start_from(metadata, self._clock.now_ns(), self._period_ns)
        self._slot.put(Frame(image, exposed_ns, self._sequence, self._source))

    def _request(self, device: Any, stop: threading.Event) -> Any:
        """The next request; None when the camera was closed meanwhile. Raises CameraTimeout when it hangs."""
        left_s = self._hang_s
        try:
            job = device.capture_request(wait=False)
            while not stop.is_set():
                slice_s = min(left_s, _SLICE_S)
                left_s -= slice_s
                try:
                    return device.wait(job, timeout=slice_s)
                except (TimeoutError, FutureTimeoutError):
                    if left_s <= 0:
                        raise
        except (TimeoutError, FutureTimeoutError) as error:
            raise CameraTimeout(
                f"{self._source} gave no frame for {self._hang_s:g} s; check the ribbon cable; it is opened again"
            ) from error
        except Exception as error:
            raise _named(error, self._number) from error
        return None


class _Device:
    """Lets the reader thread release a Picamera2 as it does a Capture."""

    def __init__(self, device: Any) -> None:
        self.device = device

    def release(self) -> None:
        def shut() -> None:
            self.device.stop()
            self.device.close()

        _bounded(shut, _CLOSE_LIMIT_S)
