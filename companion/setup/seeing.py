"""The steps that look: which camera, how it is framed, and at what it is locked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np

from companion.doctor.findings import Level
from companion.doctor.look import look_through
from companion.doctor.picture import glare_of
from companion.doctor.picture_checks import banding, exposure, focus, light
from companion.settings import CameraSettings, Corners
from companion.setup.corners import CornersByDie
from companion.setup.framing import Advice, FrameView, framing_advice
from companion.setup.session import NoCamera, Session
from device.errors import DeviceError
from device.frames import Frame
from vision.markers import CORNER_IDS, MarkerReader
from vision.readings import Reading

__all__ = ["Framing", "find_camera", "frame_table", "frame_view", "lock_camera"]

LOOK_TIMEOUT_S: Final = 10.0
LOCK_TIMEOUT_S: Final = 15.0
STEADY_S: Final = 1.5
"""The table must have been framed well for so long: a hand still on the mast would move it."""
REPEAT_S: Final = 6.0
"""The same advice is told again after this."""
CHANGE_S: Final = 1.2
"""New advice is told when it has stayed the same for so long: markers flicker while the camera moves."""
OFFER_S: Final = 20.0
"""Without a corner marker for so long, showing the corners by a die is offered."""


@dataclass(frozen=True, slots=True)
class _Found:
    spec: str
    line: str
    corners: int


def find_camera(session: Session) -> bool:
    """Find a camera that gives frames; of several, the one that sees most of the table's corners."""
    talk = session.talk
    talk.say("setup.camera.begin")
    specs = (session.wanted_camera,) if session.wanted_camera else session.camera_specs
    found: list[_Found] = []
    troubles: list[str] = []
    for spec in specs:
        try:
            found.append(_tried(session, spec))
        except DeviceError as error:
            troubles.append(f"{spec}: {error}")
    if not found:
        for trouble in troubles:
            talk.tell(trouble)
        talk.say("setup.camera.none")
        return False
    best = max(found, key=lambda each: each.corners)
    kept = session.settings.camera
    locked = kept.locked if kept is not None and kept.spec == best.spec else {}
    camera = CameraSettings(spec=best.spec, mains_hz=_mains(session.mains_hz), locked=locked)
    session.settings = _with(session, camera=camera)
    others = ", ".join(each.spec for each in found if each is not best)
    talk.say("setup.camera.found", camera=best.line)
    if others:
        talk.show("setup.camera.others", cameras=others)
    return True


def _tried(session: Session, spec: str) -> _Found:
    """A camera that gives a frame; raises a DeviceError otherwise."""
    camera = session.open_camera(spec, {})
    try:
        frame = camera.latest(timeout_s=LOOK_TIMEOUT_S)
        seen = {each.id for each in MarkerReader(CORNER_IDS).read(frame.image_bgr)}
        return _Found(spec, camera.describe(), len(seen))
    finally:
        camera.close()


def frame_view(frame: Frame, table_size_mm: tuple[float, float]) -> tuple[FrameView, tuple[Any, ...]]:
    """What a frame shows of the table's corners, and its corner markers."""
    markers = MarkerReader(CORNER_IDS).read(frame.image_bgr)
    grey = cv2.cvtColor(frame.image_bgr, cv2.COLOR_BGR2GRAY)
    glare = tuple(where for _, where in glare_of(frame.image_bgr, markers))
    corners = {each.id: each.corners_px for each in markers}
    view = FrameView(frame.size_wh, corners, float(np.percentile(grey[::4, ::4], 90)), glare, table_size_mm)
    return view, markers


class Framing:
    """Which advice is told when: not what flickers by, again after a while, and done when it has been good for long."""

    def __init__(self) -> None:
        self._advice: Advice | None = None
        self._since_s = 0.0
        self._told: Advice | None = None
        self._told_s = float("-inf")
        self.done = False

    def hear(self, advice: Advice, now_s: float) -> Advice | None:
        """Take in the advice of one frame; what is to be told now, None for nothing."""
        if self._advice is None or advice.code != self._advice.code:
            self._since_s = now_s
        self._advice = advice
        stayed_s = now_s - self._since_s
        if advice.done:
            self.done = stayed_s >= STEADY_S
            return None
        news = self._told is None or advice.code != self._told.code
        if stayed_s >= CHANGE_S and (news or now_s - self._told_s >= REPEAT_S):
            self._told, self._told_s = advice, now_s
            return advice
        return None


def frame_table(session: Session) -> bool:
    """Help to point the camera until all four corners are in view; without markers, the corners are shown by a die."""
    talk = session.talk
    talk.say("setup.frame.begin")
    framing = Framing()
    unmarked_since_s: float | None = None
    offered = False
    with session.camera() as camera:
        for frame in session.frames(camera):
            view, markers = frame_view(frame, session.table_size_mm)
            now_s = session.seconds()
            advice = framing_advice(view)
            told = framing.hear(advice, now_s)
            if told is not None:
                talk.say(f"setup.frame.{told.code}", urgent=True, **dict(told.facts))
            if framing.done:
                session.settings = _with(session, corners=None)
                talk.say("setup.frame.good")
                return True
            if markers:
                unmarked_since_s = None
            elif unmarked_since_s is None:
                unmarked_since_s = now_s
            elif not offered and now_s - unmarked_since_s >= OFFER_S:
                offered = True
                talk.say("setup.frame.offer")
            answer = talk.line()
            if answer is not None and (answer.lower() == "d" or (offered and not answer)):
                return _corners_by_die(session, camera)
            if answer is not None and answer.lower() == "s":
                break
    talk.say("setup.frame.left")
    return False


def _corners_by_die(session: Session, camera: Any) -> bool:
    """The four corners, each shown by a die that lies there alone."""
    from vision.reader import TableReader

    talk = session.talk
    reader = TableReader()
    shown = CornersByDie()
    talk.say(shown.request.code, **dict(shown.request.facts))
    for frame in session.frames(camera):
        reading: Reading = reader.read(frame.image_bgr)
        for each in shown.look([die.centre_px for die in reading.dice], frame.size_wh, session.seconds()):
            talk.say(each.code, **dict(each.facts))
        if shown.corners is not None:
            session.settings = _with(session, corners=Corners(at_px=shown.corners, picture_wh=frame.size_wh))
            return True
        if talk.line() is not None:
            break
    talk.say("setup.frame.left")
    return False


def lock_camera(session: Session) -> bool:
    """Lock focus, exposure and white balance where the camera can, then look whether the picture is fit to be read."""
    talk = session.talk
    kept = session.settings.camera
    if kept is None:
        raise NoCamera("No camera is set up yet; expected one. Run: companion setup camera")
    talk.say("setup.lock.begin")
    with session.camera(locked=False) as camera:
        lock = getattr(camera, "lock", None)
        locked: dict[str, float] = {}
        if lock is None:
            talk.say("setup.lock.cannot")
        else:
            try:
                held = lock(LOCK_TIMEOUT_S, mains_hz=float(session.mains_hz))
                locked = {name: float(value) for name, value in held.items()}
            except DeviceError as error:
                talk.tell(str(error))
                talk.say("setup.lock.failed")
                return False
            talk.say("setup.lock.locked")
    mains_hz = _mains(session.mains_hz)
    session.settings = _with(session, camera=CameraSettings(spec=kept.spec, mains_hz=mains_hz, locked=locked))
    look = look_through(
        kept.spec,
        lambda: session.open_camera(kept.spec, locked),
        session.clock,
        mains_hz=mains_hz,
        corners_drawn=session.settings.corners is not None,
    )
    if look.measured_picture is None:
        talk.tell(look.camera.problem or "")
        return False
    picture = look.measured_picture
    found = (light(picture), focus(picture, look.camera), exposure(picture, look.camera), banding(picture))
    troubles = [each for each in found if each.level is Level.FAULT]
    for each in troubles:
        talk.tell(each.told(talk.catalogue))
        fix = each.fix(talk.catalogue)
        if fix is not None:
            talk.tell(fix)
    talk.say("setup.lock.troubles" if troubles else "setup.lock.good")
    return not troubles


def _mains(mains_hz: int) -> Any:
    return 60 if mains_hz == 60 else 50


def _with(session: Session, **parts: Any) -> Any:
    import msgspec

    return msgspec.structs.replace(session.settings, **parts)
