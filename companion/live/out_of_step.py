"""What people should do when the camera has lost step with the table."""

from __future__ import annotations

from typing import Final

from companion.live.interpreter import Notice
from vision.tracking.happenings import OutOfStep, Trouble

__all__ = ["out_of_step_notice"]

_WORDS: Final[dict[Trouble, str]] = {
    Trouble.CAMERA_MOVED: "The camera was moved. Let it stand still for a second; dice and cards are read again then.",
    Trouble.LIGHT_CHANGED: "The light has changed. Leave it as it is for a second; the dice are read again then.",
    Trouble.FRAMES_MISSING: "The camera sent no picture for a moment. Nothing was seen meanwhile; wait a second.",
    Trouble.FRAMES_LATE: "Pictures of the camera come late and out of order. If this goes on, unplug the camera.",
    Trouble.VIEW_BLOCKED: "Something hides most of the table from the camera. Take it away; then play goes on.",
}


def out_of_step_notice(trouble: OutOfStep) -> Notice:
    """The notice for as long as nothing is counted."""
    code = "notice.out-of-step." + trouble.trouble.value.replace(" ", "-")
    return Notice(code, (), _WORDS[trouble.trouble])
