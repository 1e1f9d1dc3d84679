"""What the steps of a set-up share: the table as it is set up so far, and how to get at cameras, buttons and people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from companion.errors import BadInput
from companion.settings import TableSettings
from companion.setup.keys import Heard
from companion.setup.talk import Talk
from device.buttons.base import Buttons
from device.cameras.base import Camera
from device.clock import NS_PER_S, Clock
from device.errors import CameraEnded, CameraTimeout
from device.frames import Frame

__all__ = ["Listener", "NoCamera", "Session", "Step"]

FRAME_TIMEOUT_S: Final = 3.0
FIRST_FRAME_TIMEOUT_S: Final = 10.0

Step = Callable[["Session"], bool]
"""One step: True when it was done, False when it was left out."""


class Listener(Protocol):
    """Tells which key of which input device goes down; see device.buttons.input_device.KeyListener."""

    @property
    def devices(self) -> list[str]:
        """The names of the devices that are listened to."""
        ...

    def next(self, timeout_s: float) -> Heard | None:
        """The next key that goes down; None when none did in time."""
        ...


class NoCamera(BadInput):
    """A step needs a camera, and none was found or set up."""


@dataclass(slots=True)
class Session:
    """One run of the set-up.

    Attributes:
        settings: as it stands; a step that is done puts its part in.
        talk: with the people at the table.
        clock: that every wait is measured by.
        directory: the data directory, where colours are kept too.
        open_camera: opens a camera by its name and, where it can be locked, with these values.
        camera_specs: names of the cameras that there may be, the likeliest first.
        buttons: makes the buttons of a source (`gpio`, …); None for a source without any to try.
        listener: opens all input devices, to learn which key is which button.
        board_has_pins: whether buttons on pins can be expected.
        mains_hz: of the lamps.
        step_limit_s: how long a step waits for people who do nothing before it is left out.
    """

    settings: TableSettings
    talk: Talk
    clock: Clock
    directory: Path
    open_camera: Callable[[str, Mapping[str, float]], Camera]
    camera_specs: tuple[str, ...] = ()
    buttons: Callable[[str], Buttons | None] = lambda source: None
    listener: Callable[[], AbstractContextManager[Listener]] | None = None
    board_has_pins: bool = False
    mains_hz: int = 50
    step_limit_s: float = 120.0
    wanted_camera: str | None = None
    wanted_buttons: str | None = None
    table_size_mm: tuple[float, float] = (660.0, 380.0)
    done: list[str] = field(default_factory=list)

    def seconds(self) -> float:
        """Of the clock, for measuring how long something takes."""
        return self.clock.now_ns() / NS_PER_S

    @contextmanager
    def camera(self, *, locked: bool = True) -> Iterator[Camera]:
        """The camera that is set up, open, and locked as it was set up unless `locked` is False.

        Raises:
            NoCamera: none is set up.
            DeviceError: it cannot be opened.
        """
        kept = self.settings.camera
        if kept is None:
            raise NoCamera("No camera is set up yet; expected one. Run: companion setup camera")
        camera = self.open_camera(kept.spec, kept.locked if locked else {})
        try:
            yield camera
        finally:
            camera.close()

    def frames(self, camera: Camera) -> Iterator[Frame]:
        """Frame after frame, each newer than the one before; ends with a film or when the step has waited too long.

        Raises:
            DeviceError: the camera fails.
        """
        began_s = self.seconds()
        after_ns = 0
        first = True
        while self.seconds() - began_s < self.step_limit_s:
            try:
                frame = camera.latest(
                    exposed_after_ns=after_ns, timeout_s=FIRST_FRAME_TIMEOUT_S if first else FRAME_TIMEOUT_S
                )
            except CameraTimeout:
                if first:
                    raise
                continue
            except CameraEnded:
                return
            first = False
            after_ns = frame.exposure_start_ns + 1
            yield frame
