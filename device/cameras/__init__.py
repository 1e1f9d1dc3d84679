"""Cameras: one protocol, newest frame only, every wait bounded."""

from device.cameras.base import Camera

__all__ = ["Camera"]
