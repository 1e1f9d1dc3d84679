"""Errors of the device layer: one root, and each leaf is also the builtin a stranger would catch.

Every message says what happened, what was expected and what to do.
"""

from __future__ import annotations

__all__ = [
    "ButtonBackendError",
    "ButtonBackendMissing",
    "ButtonDirectoryError",
    "ButtonPinError",
    "CameraBusy",
    "CameraClosed",
    "CameraEnded",
    "CameraFailed",
    "CameraFormatError",
    "CameraLibraryMissing",
    "CameraLockError",
    "CameraMissing",
    "CameraOutOfMemory",
    "CameraPermission",
    "CameraSpecError",
    "CameraTimeout",
    "DeviceError",
    "FrameShapeError",
    "SceneError",
    "SpeakerFailed",
    "SpeakerMissing",
    "SpeakerTimeout",
]


class DeviceError(Exception):
    """Root of every error that the device layer raises."""


class FrameShapeError(DeviceError, ValueError):
    """An image is not (H, W, 3) uint8 BGR."""


class CameraTimeout(DeviceError, TimeoutError):
    """No frame that is new enough came within the time allowed; asking again later is fine."""


class CameraMissing(DeviceError, FileNotFoundError):
    """There is no such camera, file, folder or address."""


class CameraBusy(DeviceError, BlockingIOError):
    """Another program holds the camera."""


class CameraPermission(DeviceError, PermissionError):
    """The camera is there and this user may not use it."""


class CameraOutOfMemory(DeviceError, MemoryError):
    """The camera's buffers did not fit into memory."""


class CameraLibraryMissing(DeviceError, ImportError):
    """The library that drives this kind of camera cannot be imported."""


class CameraLockError(DeviceError, RuntimeError):
    """Exposure, white balance or focus did not settle, or the camera does not keep what it was told."""


class CameraFormatError(DeviceError, ValueError):
    """The camera delivers another pixel format or size than the one that was asked for."""


class CameraFailed(DeviceError, OSError):
    """The camera could not be opened or broke for a reason without a name of its own."""


class CameraEnded(DeviceError, EOFError):
    """A file or folder has no further frame."""


class CameraClosed(DeviceError, ValueError):
    """A frame was asked of a camera that is not open."""


class CameraSpecError(DeviceError, ValueError):
    """A camera was named in a way that is not understood."""


class ButtonBackendMissing(DeviceError, ImportError):
    """The named pin library cannot be imported; no other is used in its place."""


class ButtonBackendError(DeviceError, OSError):
    """The named pin library is there and cannot drive the pins."""


class ButtonDirectoryError(DeviceError, PermissionError):
    """The working directory is not writable, which the pin library needs."""


class ButtonPinError(DeviceError, ValueError):
    """A pin or key is unknown, or used twice."""


class SpeakerMissing(DeviceError, FileNotFoundError):
    """The speech program is not installed."""


class SpeakerTimeout(DeviceError, TimeoutError):
    """The speech program did not end in time and was stopped."""


class SpeakerFailed(DeviceError, OSError):
    """The speech program ended with an error."""


class SceneError(DeviceError, ValueError):
    """The simulated table was asked for something it does not have: a seat, a die, a face, a marker."""
