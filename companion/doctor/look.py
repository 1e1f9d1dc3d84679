"""A look at the table through its camera: a few frames, how they came, and what they measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from companion.doctor.picture import PictureFacts, measured
from companion.doctor.picture_checks import CameraFacts
from device.cameras.base import Camera
from device.clock import NS_PER_S, Clock
from device.errors import CameraEnded, DeviceError
from vision.reader import TableReader

__all__ = ["FRAMES", "Look", "NotAsked", "look_through"]

FRAMES: Final = 8
"""Enough for bands of lamps to wander, at any frame rate that they do not divide."""
FRAME_TIMEOUT_S: Final = 3.0
FIRST_FRAME_TIMEOUT_S: Final = 10.0
"""A camera on the ribbon cable takes 2 to 3 s to start, a webcam up to 5."""


class NotAsked(LookupError):
    """There is no camera to look through, or none gave a frame."""


@dataclass(frozen=True, slots=True)
class Look:
    """What came of it. Asking for the picture of a camera that gave none raises NotAsked."""

    camera: CameraFacts
    measured_picture: PictureFacts | None
    corners_drawn: bool = False

    @property
    def picture(self) -> PictureFacts:
        """What the frames measure."""
        if self.measured_picture is None:
            raise NotAsked
        return self.measured_picture


def look_through(
    spec: str,
    open_camera: Callable[[], Camera],
    clock: Clock,
    *,
    frames: int = FRAMES,
    mains_hz: int | None = None,
    corners_drawn: bool = False,
    reader: Callable[[], TableReader] = TableReader,
) -> Look:
    """Take frames and measure them; a camera that fails is told in `Look.camera`, and nothing is raised.

    `open_camera` gives an open camera, which is closed here.
    """
    facts = CameraFacts(spec, mains_hz=mains_hz)
    images: list[Any] = []
    first_ns = last_ns = 0
    try:
        camera = open_camera()
        try:
            after_ns = 0
            while len(images) < frames:
                timeout_s = FRAME_TIMEOUT_S if images else FIRST_FRAME_TIMEOUT_S
                frame = camera.latest(exposed_after_ns=after_ns, timeout_s=timeout_s)
                first_ns, last_ns = first_ns or frame.exposure_start_ns, frame.exposure_start_ns
                after_ns = frame.exposure_start_ns + 1
                images.append(frame.image_bgr)
            facts = _told_by(camera, facts)
        except CameraEnded:
            facts = _told_by(camera, facts)
        finally:
            camera.close()
    except DeviceError as error:
        facts = replace(facts, problem=str(error))
    if not images:
        return Look(replace(facts, problem=facts.problem or "it gave no frame"), None, corners_drawn)
    fps = (len(images) - 1) * NS_PER_S / (last_ns - first_ns) if last_ns > first_ns else None
    facts = replace(facts, frames=len(images), fps=fps)
    return Look(facts, measured(images, reader().read(images[-1])), corners_drawn)


def _told_by(camera: Camera, facts: CameraFacts) -> CameraFacts:
    """What an open camera says of itself; those that cannot be locked say nothing of locks."""
    return replace(
        facts,
        describe=camera.describe(),
        lockable=hasattr(camera, "lock"),
        locked=getattr(camera, "locked", None),
        stamped=getattr(camera, "stamped", None),
    )
