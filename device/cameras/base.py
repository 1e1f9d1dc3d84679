"""The one camera protocol that every source of frames keeps."""

from __future__ import annotations

from types import TracebackType
from typing import Protocol, Self, runtime_checkable

from device.frames import Frame

__all__ = ["Camera", "CameraContext"]


@runtime_checkable
class Camera(Protocol):
    """A source of frames.

    One configuration for its life, newest frame only, every wait bounded, reopening by itself where the
    device can come back.
    """

    @property
    def ended(self) -> bool:
        """True once the last frame of a file or folder was given; never for a live camera."""
        ...

    def open(self) -> None:
        """Take hold of the device. Opening twice is harmless. Raises a DeviceError saying what to do."""
        ...

    def latest(self, *, exposed_after_ns: int = 0, timeout_s: float) -> Frame:
        """The newest frame whose exposure began at `exposed_after_ns` or later.

        Waits at most `timeout_s` seconds. Raises CameraTimeout when none came, CameraEnded when a file
        is over, CameraClosed before `open` or after `close`.
        """
        ...

    def close(self) -> None:
        """Let go of the device. Closing twice is harmless."""
        ...

    def describe(self) -> str:
        """One line for people: which camera, what size, how fast."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class CameraContext:
    """`with camera:` opens and closes."""

    def open(self) -> None:
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
