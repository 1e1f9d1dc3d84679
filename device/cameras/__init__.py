"""Cameras: one protocol, newest frame only, every wait bounded. `open_camera` makes one from a short name."""

from __future__ import annotations

from collections.abc import Mapping

from device.cameras.base import Camera
from device.clock import Clock
from device.errors import CameraSpecError

__all__ = ["CAMERA_SPECS", "Camera", "open_camera"]

CAMERA_SPECS = ("pi", "usb:N", "file:PATH", "folder:PATH", "url:U", "simulated")


def open_camera(spec: str, clock: Clock, *, pace: bool = True, controls: Mapping[str, float] | None = None) -> Camera:
    """Make the camera that `spec` names and open it.

    'pi' or 'pi:N' | 'usb:N' | 'file:PATH' | 'folder:PATH' | 'url:U' | 'simulated' (four seats; its table is the
    camera's `table`). `pace` False plays a file or folder as fast as frames are asked for. `controls` are what an
    earlier `lock` of such a camera returned; cameras that cannot be locked leave them alone.
    Raises CameraSpecError for another spec, and what the camera's own `open` raises.
    """
    camera = _made(spec, clock, pace, controls)
    camera.open()
    return camera


def _made(spec: str, clock: Clock, pace: bool, held: Mapping[str, float] | None) -> Camera:
    kind, _, rest = spec.partition(":")
    if kind in ("pi", "usb") and (rest.isdecimal() or (kind == "pi" and not rest and ":" not in spec)):
        if kind == "pi":
            from device.cameras.pi import PiCamera

            return PiCamera(clock, int(rest or 0), held=held)
        from device.cameras.usb import UsbCamera

        return UsbCamera(clock, int(rest), held=held)
    if kind == "file" and rest:
        from device.cameras.video_file import VideoFileCamera

        return VideoFileCamera(clock, rest, pace=pace)
    if kind == "folder" and rest:
        from device.cameras.folder import FolderCamera

        return FolderCamera(clock, rest, pace=pace)
    if kind == "url" and rest:
        from device.cameras.network import NetworkCamera

        return NetworkCamera(clock, rest)
    if spec == "simulated":
        from device.cameras.simulated import SimulatedCamera
        from device.simulated.table import SimulatedTable

        return SimulatedCamera(SimulatedTable(clock))
    raise CameraSpecError(f"{spec!r} names no camera; expected one of {', '.join(CAMERA_SPECS)}")
