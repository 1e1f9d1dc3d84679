"""Exposure, white balance and focus: found once by the camera itself, then held, and read back.

A camera that goes on adjusting itself changes the colour of dice when a hand comes in, hunts for focus on a sleeve,
and draws bands under a lamp. So it adjusts itself while it is set up, and from then on keeps what it found.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from device.cameras.banding import (
    BANDS_SHOW,
    FREE_OF_BANDS_US,
    band_amplitude,
    flicker_period_us,
    whole_periods,
)
from device.clock import NS_PER_S, Clock
from device.errors import CameraLockError, CameraTimeout

__all__ = ["Adjustable", "LockReport", "Shown", "camera_controls", "lock", "read_back"]

log = logging.getLogger(__name__)

# Values of libcamera's enumerations (control_ids_core.yaml): AfMode, AfTrigger, AfState, AeFlickerMode.
AF_MANUAL, AF_AUTO = 0, 1
AF_START: Final = 0
AF_FOCUSED, AF_FAILED = 2, 3
FLICKER_MANUAL: Final = 1

STEADY_FRAMES: Final = 6
"""The camera's own choice counts once it stayed the same for so many frames."""
AGREE_FRAMES: Final = 2
"""A value counts as kept once so many frames in a row have it; the first frames after a change often still lag."""
DARK_LEVEL, BRIGHT_LEVEL = 25.0, 235.0
"""Mean grey levels below and above which nothing can be read from a picture."""

# Kept values differ a little from what was asked: exposures are whole sensor lines, gains and lens have steps.
_TOLERANCES: Final[Mapping[str, tuple[float, float]]] = {
    "ExposureTime": (0.02, 60.0),
    "AnalogueGain": (0.04, 0.02),
    "ColourGainRed": (0.03, 0.02),
    "ColourGainBlue": (0.03, 0.02),
    "LensPosition": (0.02, 0.06),
}
"""By name, relative and absolute; the wider of the two counts."""
_WORDS: Final = {
    "ExposureTime": "exposure in microseconds",
    "AnalogueGain": "gain",
    "ColourGainRed": "white balance (red)",
    "ColourGainBlue": "white balance (blue)",
    "LensPosition": "focus in dioptres",
}


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A frame with what the camera says of it: its number, (H, W, 3) uint8 BGR, and libcamera's metadata by name."""

    number: int
    image_bgr: NDArray[Any]
    metadata: Mapping[str, Any]


class Adjustable(Protocol):
    """A camera as far as it can be adjusted, in libcamera's names."""

    def advertised(self) -> Mapping[str, tuple[Any, Any, Any]]:
        """By name, least, most and default value of what can be set."""
        ...

    def adjust(self, controls: Mapping[str, object]) -> None:
        """Set controls; they show in the metadata some frames later."""
        ...

    def shown_after(self, number: int, timeout_s: float) -> Shown:
        """The newest frame whose number is higher. Raises CameraTimeout."""
        ...


@dataclass(frozen=True, slots=True)
class LockReport:
    """What was locked, and how well.

    Attributes:
        values: ExposureTime (µs), AnalogueGain, ColourGainRed, ColourGainBlue, LensPosition (dioptres, 0 is far away);
            only what this camera has.
        mains_hz: the mains whose flicker the exposure avoids; None when the light is too bright to avoid any.
        bands: what is left of bands, as a share of the brightness; None when it could not be measured.
        level: mean grey level of the picture, 0 to 255.
    """

    values: Mapping[str, float]
    mains_hz: float | None
    bands: float | None
    level: float


def camera_controls(values: Mapping[str, float]) -> dict[str, object]:
    """The controls in libcamera's names that hold locked values, with everything automatic switched off."""
    controls: dict[str, object] = {}
    if "ExposureTime" in values:
        controls |= {"AeEnable": False, "ExposureTime": round(values["ExposureTime"])}
        controls["AnalogueGain"] = float(values.get("AnalogueGain", 1.0))
    if "ColourGainRed" in values and "ColourGainBlue" in values:
        controls |= {"AwbEnable": False, "ColourGains": (values["ColourGainRed"], values["ColourGainBlue"])}
    if "LensPosition" in values:
        controls |= {"AfMode": AF_MANUAL, "LensPosition": float(values["LensPosition"])}
    return controls


def read_back(metadata: Mapping[str, Any]) -> dict[str, float]:
    """What metadata say of the lockable values; a value that they do not tell is left out."""
    found = {
        name: float(metadata[name])
        for name in ("ExposureTime", "AnalogueGain", "LensPosition")
        if isinstance(metadata.get(name), int | float)
    }
    gains = metadata.get("ColourGains")
    if isinstance(gains, tuple | list) and len(gains) == 2:
        found |= {"ColourGainRed": float(gains[0]), "ColourGainBlue": float(gains[1])}
    return found


def disagreement(wanted: Mapping[str, float], metadata: Mapping[str, Any]) -> str | None:
    """In words, the first value that is not kept or not told; None when all are."""
    given = read_back(metadata)
    for name, value in wanted.items():
        if name not in given:
            return f"the camera does not tell its {_WORDS[name]}"
        relative, absolute = _TOLERANCES[name]
        if abs(given[name] - value) > max(relative * abs(value), absolute):
            return f"{_WORDS[name]}: {value:g} asked for, {given[name]:g} given"
    return None


class _Run:
    """One locking: the camera, how much time is left, and the newest frame."""

    def __init__(self, camera: Adjustable, clock: Clock, timeout_s: float) -> None:
        self.camera = camera
        self._clock = clock
        self._end_ns = clock.now_ns() + int(timeout_s * NS_PER_S)
        self._number = 0
        self._timeout_s = timeout_s
        self.can = camera.advertised()

    def next(self, waiting_for: str) -> Shown:
        left_s = (self._end_ns - self._clock.now_ns()) / NS_PER_S
        try:
            if left_s <= 0:
                raise CameraTimeout("no time left")
            shown = self.camera.shown_after(self._number, left_s)
        except CameraTimeout as error:
            raise CameraLockError(
                f"{waiting_for} within {self._timeout_s:g} s; expected a still table in steady light with something "
                "to focus on; take hands away, switch on the lamp that you will play under, and try again"
            ) from error
        self._number = shown.number
        return shown

    def longest_us(self, frame_metadata: Mapping[str, Any]) -> float:
        """The longest exposure that fits between two frames."""
        limits = [float(self.can["ExposureTime"][1] or np.inf)] if "ExposureTime" in self.can else []
        duration_us = frame_metadata.get("FrameDuration")
        if isinstance(duration_us, int | float) and duration_us > 0:
            limits.append(float(duration_us))
        return min(limits, default=0.0)

    def kept(self, values: Mapping[str, float]) -> Shown:
        """Set values and wait until the camera keeps them."""
        advertised = camera_controls(values)
        self.camera.adjust({name: value for name, value in advertised.items() if name in self.can})
        agreeing, why = 0, ""
        while True:
            shown = self.next(f"the camera did not keep what it was told ({why})" if why else "no frame came")
            wrong = disagreement(values, shown.metadata)
            agreeing = 0 if wrong else agreeing + 1
            why = wrong or why
            if agreeing >= AGREE_FRAMES:
                return shown


def lock(camera: Adjustable, clock: Clock, timeout_s: float, *, mains_hz: float = 50.0) -> LockReport:
    """Let the camera find exposure, white balance and focus, hold them, and check that it does.

    The exposure becomes one of whole flicker periods of the mains, with the gain to match. Where the frame rate
    allows it the picture is compared with one that cannot have bands; if there are bands all the same, the other
    frequency (50 or 60 Hz) is tried, and the better one is taken.
    Raises CameraLockError: the light or the focus does not settle, the picture is too dark or too bright, or the
    camera does not keep what it was told; what to do is in the message.
    """
    run = _Run(camera, clock, timeout_s)
    found = _settled(run, mains_hz)
    values = read_back(found.metadata)
    if "ExposureTime" not in values or "ExposureTime" not in run.can:
        raise CameraLockError(
            "this camera does not let its exposure be set; expected a Camera Module or an HQ camera; it can be "
            "played with as it is, in light that does not change"
        )
    values = {name: value for name, value in values.items() if name != "LensPosition" or "LensPosition" in run.can}
    longest_us = run.longest_us(found.metadata)
    reference = _free_of_bands(run, values, longest_us)
    best: LockReport | None = None
    for hz in dict.fromkeys((mains_hz, 60.0 if mains_hz < 55 else 50.0)):
        wanted, avoided_hz = _without_flicker(values, hz, longest_us, run)
        shown = run.kept(wanted)
        bands = None if reference is None else band_amplitude(shown.image_bgr, reference)
        kept = {name: given for name, given in read_back(shown.metadata).items() if name in wanted}
        report = LockReport(kept, avoided_hz, bands, float(shown.image_bgr.mean()))
        if best is None or (bands is not None and best.bands is not None and bands < best.bands):
            best = report
        if best.bands is None or best.bands <= BANDS_SHOW:
            break
    assert best is not None
    if best.values != report.values:
        run.kept(best.values)
    if best.bands is not None and best.bands > BANDS_SHOW:
        log.warning("bands of %.1f %% stay in the picture: a lamp flickers with another frequency", 100 * best.bands)
    return _usable(best)


def _settled(run: _Run, mains_hz: float) -> Shown:
    """Let the camera adjust itself until it stands still, and focus once."""
    wanted: dict[str, object] = {
        "AeEnable": True,
        "AwbEnable": True,
        "AeFlickerMode": FLICKER_MANUAL,
        "AeFlickerPeriod": round(flicker_period_us(mains_hz)),
        "AfMode": AF_AUTO,
        "AfTrigger": AF_START,
    }
    run.camera.adjust({name: value for name, value in wanted.items() if name in run.can})
    focusing = "AfMode" in run.can
    steady: list[tuple[float, ...]] = []
    began_scan = False
    while True:
        shown = run.next(
            "the light did not settle" if not focusing or len(steady) < STEADY_FRAMES else "the focus did not settle"
        )
        now = _light(shown.metadata)
        if steady and not np.allclose(steady[-1], now, rtol=0.02):
            steady.clear()
        steady.append(now)
        state = shown.metadata.get("AfState")
        began_scan = began_scan or (state is not None and state not in (AF_FOCUSED, AF_FAILED)) or not focusing
        in_focus = not focusing or (state == AF_FOCUSED and (began_scan or len(steady) > 2 * STEADY_FRAMES))
        if focusing and state == AF_FAILED and began_scan:
            raise CameraLockError(
                "the camera cannot focus; expected dice, a card or printed paper in the middle of the picture, at "
                "least 10 cm away; put one there, see that the lens is clean, and try again"
            )
        if len(steady) >= STEADY_FRAMES and in_focus:
            return shown


def _light(metadata: Mapping[str, Any]) -> tuple[float, ...]:
    """What the automatics have chosen: light taken in, and the two colour gains."""
    given = read_back(metadata)
    taken_in = given.get("ExposureTime", 0.0) * given.get("AnalogueGain", 1.0)
    return (taken_in, given.get("ColourGainRed", 0.0), given.get("ColourGainBlue", 0.0))


def _without_flicker(
    values: Mapping[str, float], mains_hz: float, longest_us: float, run: _Run
) -> tuple[dict[str, float], float | None]:
    """The values with an exposure of whole flicker periods and the gain to match, and the mains it fits."""
    taken_in = values["ExposureTime"] * values.get("AnalogueGain", 1.0)
    exposure_us = whole_periods(values["ExposureTime"], mains_hz, longest_us)
    avoided = None if exposure_us is None else mains_hz
    exposure_us = exposure_us or min(values["ExposureTime"], longest_us or values["ExposureTime"])
    return {**values, **_exposed(taken_in, exposure_us, run)}, avoided


def _exposed(taken_in: float, exposure_us: float, run: _Run) -> dict[str, float]:
    """Exposure and the gain that takes in as much light with it, within what the camera has."""
    least, most, _ = run.can.get("AnalogueGain", (1.0, 1.0, 1.0))
    gain = min(max(taken_in / exposure_us, float(least or 1.0)), float(most or 1.0))
    return {"ExposureTime": exposure_us, "AnalogueGain": gain}


def _free_of_bands(run: _Run, values: Mapping[str, float], longest_us: float) -> NDArray[Any] | None:
    """A picture that cannot have bands; None where the frame rate does not leave the time for one."""
    if longest_us < FREE_OF_BANDS_US:
        return None
    taken_in = values["ExposureTime"] * values.get("AnalogueGain", 1.0)
    return run.kept({**values, **_exposed(taken_in, FREE_OF_BANDS_US, run)}).image_bgr


def _usable(report: LockReport) -> LockReport:
    if not DARK_LEVEL <= report.level <= BRIGHT_LEVEL:
        dark = report.level < DARK_LEVEL
        remedy = "put a lamp nearer, take the cap off the lens" if dark else "shade the window or the lamp"
        raise CameraLockError(
            f"the picture is too {'dark' if dark else 'bright'} (mean level {report.level:.0f} of 255, expected "
            f"{DARK_LEVEL:.0f} to {BRIGHT_LEVEL:.0f}); {remedy}, and try again"
        )
    return report
