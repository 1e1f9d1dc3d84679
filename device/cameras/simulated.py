"""The camera over the simulated table: frames at a steady rate of the injected clock, drawn when asked for."""

from __future__ import annotations

import threading
from typing import Any, Final, Protocol

from numpy.typing import NDArray

from device.cameras.base import CameraContext
from device.clock import NS_PER_S, Clock, wait_until
from device.errors import CameraClosed, CameraTimeout
from device.frames import Frame
from device.simulated.sensor import EXPOSURE_NS

__all__ = ["SeenTable", "SimulatedCamera"]

_READOUT_NS: Final = 4_000_000
"""From the end of the exposure until the frame can be had."""


class SeenTable(Protocol):
    """What the camera asks of a simulated table, of dice or of cards."""

    @property
    def clock(self) -> Clock:
        """The clock that frames are timed by."""
        ...

    @property
    def fps(self) -> float:
        """Frames a second, when the camera is not told otherwise."""
        ...

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height of the picture."""
        ...

    def render(self, exposure_start_ns: int) -> NDArray[Any]:
        """The picture of an exposure that begins then, (H, W, 3) uint8 BGR."""
        ...


class SimulatedCamera(CameraContext):
    """Gives a frame every 1/fps seconds of the table's clock; frame n begins n periods after opening."""

    def __init__(self, table: SeenTable, *, fps: float | None = None) -> None:
        self.table = table
        self._clock: Clock = table.clock
        self._period_ns = int(NS_PER_S / (fps or table.fps))
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._start_ns: int | None = None
        self._newest: Frame | None = None

    @classmethod
    def opened(cls, table: SeenTable) -> SimulatedCamera:
        """A camera over this table that gives frames already."""
        camera = cls(table)
        camera.open()
        return camera

    @property
    def ended(self) -> bool:
        """Never: a table goes on."""
        return False

    def open(self) -> None:
        """Begin to give frames."""
        with self._lock:
            if self._start_ns is None:
                self._start_ns = self._clock.now_ns()
                self._closed.clear()

    def close(self) -> None:
        """Stop giving frames; a wait of another thread ends with CameraClosed."""
        with self._lock:
            self._start_ns = self._newest = None
            self._closed.set()

    def describe(self) -> str:
        """One line for people."""
        width, height = self.table.size_wh
        return f"simulated table, {width}x{height} at {NS_PER_S / self._period_ns:g} frames a second"

    def latest(self, *, exposed_after_ns: int = 0, timeout_s: float) -> Frame:
        """The newest frame whose exposure began at `exposed_after_ns` or later; see Camera.latest."""
        start_ns = self._start_ns
        if start_ns is None:
            raise CameraClosed("the simulated camera is not open; call open() or use it in a with statement")
        ready_after_ns = EXPOSURE_NS + _READOUT_NS
        first_wanted = max(0, -(-(exposed_after_ns - start_ns) // self._period_ns))
        ready_ns = start_ns + first_wanted * self._period_ns + ready_after_ns
        if not wait_until(self._clock, ready_ns, timeout_s, self._closed):
            if self._closed.is_set():
                raise CameraClosed("the simulated camera was closed while a frame was waited for")
            late_ms = (ready_ns - self._clock.now_ns()) / 1e6
            raise CameraTimeout(
                f"simulated table: no frame exposed after the trigger within {timeout_s:g} s; the next one "
                f"is ready in {late_ms:.1f} ms; wait longer or let the clock go on"
            )
        with self._lock:
            if self._start_ns is None:
                raise CameraClosed("the simulated camera was closed while a frame was waited for")
            number = (self._clock.now_ns() - ready_after_ns - start_ns) // self._period_ns
            exposure_ns = start_ns + number * self._period_ns
            if self._newest is None or self._newest.exposure_start_ns != exposure_ns:
                image = self.table.render(exposure_ns)
                self._newest = Frame(image, exposure_ns, int(number) + 1, "simulated")
            return self._newest
