"""What comes out of a Raspberry Pi's camera: buffers in its pixel formats, and metadata with its time stamps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import cv2
import numpy as np

from device.clock import is_of_clock
from device.errors import CameraFormatError
from device.frames import checked_bgr

__all__ = ["PIXEL_FORMATS", "bgr_from", "exposure_start_from"]

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

PIXEL_FORMATS: Final = frozenset(_CONVERSIONS)
"""The formats that can be turned into BGR."""


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
    if not isinstance(stamp_ns, int) or not is_of_clock(stamp_ns, now_ns):
        return now_ns - 3 * period_ns
    exposure_us = metadata.get("ExposureTime")
    exposure_ns = period_ns if exposure_us is None else int(exposure_us) * 1000
    return stamp_ns - exposure_ns
