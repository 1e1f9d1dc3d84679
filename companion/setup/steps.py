"""The steps of a set-up, in order, and how they are gone through."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from companion.errors import BadInput
from companion.settings import TableSettings
from companion.setup.hearing import try_buttons, try_sound
from companion.setup.seeing import find_camera, frame_table, lock_camera
from companion.setup.session import NoCamera, Session, Step
from companion.setup.showing import learn_colours
from device.errors import DeviceError

__all__ = ["STEPS", "go_through"]

STEPS: Final[dict[str, Step]] = {
    "sound": try_sound,
    "camera": find_camera,
    "frame": frame_table,
    "lock": lock_camera,
    "colours": learn_colours,
    "buttons": try_buttons,
}
"""Name to step, in their order: sound first, so that everything after it can be done by ear."""


def go_through(session: Session, names: Sequence[str], keep: Callable[[TableSettings], object]) -> list[str]:
    """Go through steps, all when none is named; what is set up is kept after each. The names of those left out.

    A step that fails is told and left out; the others go on.

    Raises:
        BadInput: a step is named that there is not.
        StoreFailed: the settings cannot be kept.
    """
    unknown = [each for each in names if each not in STEPS]
    if unknown:
        raise BadInput(f"There is no step {unknown[0]!r}; expected some of: {', '.join(STEPS)}.")
    left_out = []
    chosen = [name for name in STEPS if name in names] if names else list(STEPS)
    for number, name in enumerate(chosen, start=1):
        title = session.talk.catalogue.text(f"setup.name.{name}")
        session.talk.show("setup.step", number=number, of=len(chosen), name=title)
        while session.talk.line() is not None:
            pass  # what was typed before is no answer to this step
        try:
            done = STEPS[name](session)
        except NoCamera:
            session.talk.say("setup.no-camera")
            done = False
        except DeviceError as error:
            session.talk.tell(str(error))
            done = False
        session.talk.listen_out()
        if done:
            session.done.append(name)
        else:
            left_out.append(name)
        keep(session.settings)
    return left_out
