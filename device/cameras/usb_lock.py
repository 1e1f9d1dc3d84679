"""Exposure, white balance and focus of a webcam: found once by the webcam itself, then held.

Webcams differ in what they let be set, and while they adjust themselves many do not tell what they chose. So the
picture itself is the measure: with the automatic switched off, the exposure is turned until the picture is as bright
as it was, in steps of whole flicker periods of the mains, and every value is read back.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Final, Protocol

import cv2

from device.cameras.banding import whole_periods
from device.cameras.locking import BRIGHT_LEVEL, DARK_LEVEL
from device.clock import NS_PER_S, Clock
from device.errors import CameraLockError

__all__ = ["NAMES", "Dials", "hold", "lock_webcam"]

log = logging.getLogger(__name__)

EXPOSURE_STEP_US: Final = 100.0
"""V4L2_CID_EXPOSURE_ABSOLUTE counts in these."""
AUTO_EXPOSURE_ON, AUTO_EXPOSURE_OFF = 3.0, 1.0
"""V4L2_EXPOSURE_APERTURE_PRIORITY and V4L2_EXPOSURE_MANUAL."""

NAMES: Final[Mapping[str, tuple[int, float]]] = {
    "ExposureTime": (cv2.CAP_PROP_EXPOSURE, EXPOSURE_STEP_US),
    "Gain": (cv2.CAP_PROP_GAIN, 1.0),
    "ColourTemperature": (cv2.CAP_PROP_WB_TEMPERATURE, 1.0),
    "Focus": (cv2.CAP_PROP_FOCUS, 1.0),
}
"""Name of a value to OpenCV's property and how much one step of it is: microseconds, the camera's own gain, kelvin, and
the camera's own focus."""

_AUTOMATICS: Final = (
    (cv2.CAP_PROP_AUTO_EXPOSURE, AUTO_EXPOSURE_ON, AUTO_EXPOSURE_OFF),
    (cv2.CAP_PROP_AUTO_WB, 1.0, 0.0),
    (cv2.CAP_PROP_AUTOFOCUS, 1.0, 0.0),
)
_STEADY_FRAMES: Final = 8
_SHOWN_AFTER_FRAMES: Final = 4
"""A change is in the picture after so many frames at the latest."""
_AS_BRIGHT: Final = 0.15
_MOST_TURNS: Final = 8
_LONGEST_US: Final = 66_000.0


class Dials(Protocol):
    """A webcam as far as it can be turned; `get` gives -1 and `set` False for what it does not have."""

    def get(self, prop: int) -> float: ...

    def set(self, prop: int, value: float) -> bool: ...

    def next_level(self) -> float:
        """Mean grey level, 0 to 255, of the next frame. Raises a DeviceError when none comes."""
        ...


def hold(dials: Dials, values: Mapping[str, float]) -> dict[str, float]:
    """Switch everything automatic off, set values by the names of NAMES, and give those that are kept, as read back."""
    for prop, _, off in _AUTOMATICS:
        dials.set(prop, off)
    kept: dict[str, float] = {}
    for name, value in values.items():
        if name not in NAMES:
            continue
        prop, step = NAMES[name]
        accepted = dials.set(prop, value / step)
        given = dials.get(prop) * step
        if accepted and abs(given - value) <= max(step, 0.03 * abs(value)):
            kept[name] = given
        else:
            log.warning("the webcam does not keep %s: %g asked for, %g given", name, value, given)
    return kept


def lock_webcam(dials: Dials, clock: Clock, timeout_s: float, *, mains_hz: float = 50.0) -> dict[str, float]:
    """Let the webcam find its values, hold them, and return them by the names of NAMES.

    Raises CameraLockError: the light does not settle, the picture is too dark or too bright, or the exposure cannot be
    held so that the picture stays as bright.
    """
    end_ns = clock.now_ns() + int(timeout_s * NS_PER_S)
    for prop, on, _ in _AUTOMATICS:
        dials.set(prop, on)
    level = _settled(dials, clock, end_ns, timeout_s)
    if not DARK_LEVEL <= level <= BRIGHT_LEVEL:
        dark = level < DARK_LEVEL
        raise CameraLockError(
            f"the picture is too {'dark' if dark else 'bright'} (mean level {level:.0f} of 255); "
            f"{'put a lamp nearer' if dark else 'shade the window or the lamp'}, and try again"
        )
    found = {name: dials.get(prop) * step for name, (prop, step) in NAMES.items() if dials.get(prop) >= 0}
    others = {name: value for name, value in found.items() if name != "ExposureTime"}
    exposure_us = max(EXPOSURE_STEP_US, found.get("ExposureTime", 0.0))
    for _ in range(_MOST_TURNS):
        kept = hold(dials, {"ExposureTime": exposure_us, **others})
        if "ExposureTime" not in kept:
            raise CameraLockError(
                "this webcam does not let its exposure be set; expected one with manual exposure (v4l2-ctl "
                "--list-ctrls tells); it can be played with as it is, in light that does not change"
            )
        now = _level_after_change(dials, clock, end_ns)
        if abs(now / level - 1) <= _AS_BRIGHT:
            return _without_flicker(dials, clock, end_ns, kept, now, mains_hz)
        # Levels are not light: the camera's curve lifts the dark, so a step is taken a little further than it looks.
        ratio = (level / max(now, 1.0)) ** 1.6
        exposure_us = min(_LONGEST_US, max(EXPOSURE_STEP_US, exposure_us * min(4.0, max(0.25, ratio))))
        exposure_us = round(exposure_us / EXPOSURE_STEP_US) * EXPOSURE_STEP_US
    raise CameraLockError(
        f"the webcam's exposure could not be held: the picture stays at level {now:.0f} where {level:.0f} is wanted; "
        "put more light on the table and try again, or play with the webcam as it is"
    )


def _settled(dials: Dials, clock: Clock, end_ns: int, timeout_s: float) -> float:
    levels: list[float] = []
    while clock.now_ns() < end_ns:
        levels.append(dials.next_level())
        last = levels[-_STEADY_FRAMES:]
        if len(last) == _STEADY_FRAMES and max(last) - min(last) <= max(2.0, 0.02 * max(last)):
            return sum(last) / len(last)
    raise CameraLockError(
        f"the light did not settle within {timeout_s:g} s; expected a still table in steady light; take hands away, "
        "switch on the lamp that you will play under, and try again"
    )


def _level_after_change(dials: Dials, clock: Clock, end_ns: int) -> float:
    level = 0.0
    for _ in range(_SHOWN_AFTER_FRAMES):
        level = dials.next_level()
        if clock.now_ns() > end_ns:
            raise CameraLockError("the webcam took too long to obey; try again, nearer to the lamp")
    return level


def _without_flicker(
    dials: Dials, clock: Clock, end_ns: int, kept: dict[str, float], level: float, mains_hz: float
) -> dict[str, float]:
    """The values with an exposure of whole flicker periods, where that is about as bright; else as they are."""
    whole_us = whole_periods(kept["ExposureTime"], mains_hz, _LONGEST_US)
    if whole_us is None:
        return kept
    steps_us = round(whole_us / EXPOSURE_STEP_US) * EXPOSURE_STEP_US
    if steps_us == kept["ExposureTime"]:
        return kept
    tried = hold(dials, {**kept, "ExposureTime": steps_us})
    now = _level_after_change(dials, clock, end_ns)
    if tried.keys() == kept.keys() and DARK_LEVEL <= now <= BRIGHT_LEVEL and abs(now / level - 1) <= 0.5:
        return tried
    return hold(dials, kept)
