"""What the doctor makes of the camera and of what it sees: pure functions, one a check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Final

from companion.doctor.findings import Finding, Level, found
from companion.doctor.picture import PictureFacts
from vision.markers import CORNER_IDS

__all__ = ["CameraFacts", "banding", "camera", "dice", "exposure", "focus", "light", "markers"]

SLOW_FPS: Final = 8.0
"""Fewer frames a second, and the picture kept of a call shows dice as they were a tenth of a second before or after."""
SOFT_EDGE_PX: Final = 2.8
BLURRED_EDGE_PX: Final = 3.7
"""Measured on rendered tables with dice 26 px wide: 2.0 px sharp; from 3.8 px on, dice become unreadable."""
BLURRED_EDGE_SHARE: Final = BLURRED_EDGE_PX / 26
"""Of the width of a die: larger dice stand more blur."""
DIM_PAPER: Final = 90.0
DARK_PAPER: Final = 45.0
"""Level of white paper, 0..255. On rendered tables dice become unreadable under 36; real sensors are noisier."""
BLOWN_PAPER: Final = 249.0
DIM_LEVEL: Final = 70.0
DARK_LEVEL: Final = 30.0
"""The same for what nine tenths of a picture without markers are darker than."""
UNEVEN_LIGHT: Final = 4.0
"""The brightest corner against the darkest, as light: a lamp that stands at one side and low."""
WEAK_BANDS, STRONG_BANDS = 0.02, 0.05
DRIFT_SHARE: Final = 0.04
SMALL_MODULE_PX: Final = 4.0
TINY_MODULE_PX: Final = 3.0
"""A module is an eighth of a corner marker's side; a card's marker is a third to half as wide, so its modules are."""
SMALL_DIE_PX: Final = 22.0
TINY_DIE_PX: Final = 16.0
"""Width of a die: the reader was measured from 18 px on, and refuses what is under 8 px."""
HALF_MAINS_US: Final = {50: 10_000, 60: 8_333}
"""From one flash of a lamp on mains of so many hertz to the next, in microseconds."""


@dataclass(frozen=True, slots=True)
class CameraFacts:
    """How the camera gave frames.

    `spec` as on the command line; `problem` in the words of its error (None: it works); `describe` its own line;
    `locked` the values it was locked to (ExposureTime in µs, AnalogueGain, LensPosition in dioptres, …), None where
    they are left to the camera; `lockable` says whether it can be locked at all; `mains_hz` of the lamps (None: not
    told); `stamped` is "unknown" when its frames are stamped by a clock that presses cannot be compared with.
    """

    spec: str
    problem: str | None = None
    describe: str = ""
    frames: int = 0
    fps: float | None = None
    lockable: bool = False
    locked: Mapping[str, float] | None = None
    mains_hz: int | None = None
    stamped: str | None = None


def camera(facts: CameraFacts) -> Finding:
    """Whether frames come, and often enough."""
    if facts.problem is not None:
        return found("camera", Level.FAULT, "failed", camera=facts.spec, problem=facts.problem)
    if facts.stamped == "unknown":
        return found("camera", Level.FAULT, "other-clock", camera=facts.describe)
    if facts.fps is not None and facts.fps < SLOW_FPS:
        return found("camera", Level.NOTE, "slow", camera=facts.describe, fps=f"{facts.fps:.1f}")
    fps = "?" if facts.fps is None else f"{facts.fps:.0f}"
    return found("camera", Level.OK, "ok", camera=facts.describe, fps=fps)


def focus(facts: PictureFacts, camera: CameraFacts) -> Finding:
    """Whether edges are sharp, and stay so."""
    if facts.edge_px is None:
        return found("focus", Level.UNKNOWN, "unknown")
    width = f"{facts.edge_px:.1f}"
    blurred_px = max(BLURRED_EDGE_PX, BLURRED_EDGE_SHARE * median(facts.dice_px)) if facts.dice_px else BLURRED_EDGE_PX
    if facts.edge_px > blurred_px:
        return found("focus", Level.FAULT, "blurred", width=width)
    if facts.edge_px > SOFT_EDGE_PX:
        return found("focus", Level.NOTE, "soft", width=width)
    if camera.lockable and camera.locked is None:
        return found("focus", Level.NOTE, "unlocked", width=width)
    return found("focus", Level.OK, "ok", width=width)


def exposure(facts: PictureFacts, camera: CameraFacts) -> Finding:
    """Whether the exposure stays what it is and suits the mains."""
    if facts.drift_share > DRIFT_SHARE:
        return found("exposure", Level.FAULT, "drifting", percent=round(100 * facts.drift_share))
    if not camera.lockable:
        return found("exposure", Level.OK, "steady")
    exposure_us = (camera.locked or {}).get("ExposureTime")
    if exposure_us is None:
        return found("exposure", Level.NOTE, "unlocked")
    milliseconds = f"{exposure_us / 1000:.1f}"
    flash_us = HALF_MAINS_US.get(camera.mains_hz or 0)
    if flash_us is not None:
        flashes = exposure_us / flash_us
        if abs(flashes - max(1, round(flashes))) * flash_us > 300:
            return found("exposure", Level.NOTE, "mains", milliseconds=milliseconds, flash=f"{flash_us / 1000:.1f}")
    return found("exposure", Level.OK, "ok", milliseconds=milliseconds)


def banding(facts: PictureFacts) -> Finding:
    """Whether lamps on the mains draw bands."""
    percent = f"{100 * facts.band_share:.1f}"
    if facts.band_share > STRONG_BANDS:
        return found("banding", Level.FAULT, "strong", percent=percent)
    if facts.band_share > WEAK_BANDS:
        return found("banding", Level.NOTE, "weak", percent=percent)
    return found("banding", Level.OK, "ok", percent=percent)


def markers(facts: PictureFacts, *, drawn: bool = False) -> Finding:
    """Whether the corners are found and large enough; `drawn` says that the corners were given by hand."""
    seen = facts.corners_seen
    lacking = [str(each) for each in CORNER_IDS if each not in seen]
    if drawn and lacking:
        return found("markers", Level.OK, "drawn")
    if lacking:
        return found("markers", Level.FAULT, "missing", ids=", ".join(lacking))
    smallest_px = min(facts.markers_px[each] for each in seen)
    size = f"{smallest_px:.0f}"
    module_px = smallest_px / 8
    if module_px < TINY_MODULE_PX:
        return found("markers", Level.FAULT, "tiny", size=size)
    if module_px < SMALL_MODULE_PX:
        return found("markers", Level.NOTE, "small", size=size)
    return found("markers", Level.OK, "ok", size=size)


def dice(facts: PictureFacts) -> Finding:
    """Whether dice are large enough and can be read."""
    if not facts.dice_px:
        return found("dice", Level.NOTE, "none")
    size = f"{median(facts.dice_px):.0f}"
    count = len(facts.dice_px)
    if median(facts.dice_px) < TINY_DIE_PX:
        return found("dice", Level.FAULT, "tiny", size=size, count=count)
    unread = sum(facts.unread.values())
    if 4 * unread > count:
        reason = max(sorted(facts.unread), key=facts.unread.__getitem__)
        return found("dice", Level.FAULT, "unread", unread=unread, count=count, reason=reason)
    if median(facts.dice_px) < SMALL_DIE_PX:
        return found("dice", Level.NOTE, "small", size=size, count=count)
    return found("dice", Level.OK, "ok", size=size, count=count)


def light(facts: PictureFacts) -> Finding:
    """Whether there is enough light, from all sides, mirrored nowhere."""
    levels = tuple(facts.paper_levels.values())
    level = min(levels) if levels else facts.level
    dark, dim = (DARK_PAPER, DIM_PAPER) if levels else (DARK_LEVEL, DIM_LEVEL)
    if level < dark:
        return found("light", Level.FAULT, "dark", level=round(level))
    if levels and max(levels) >= BLOWN_PAPER:
        return found("light", Level.FAULT, "bright", where=_corner(facts, max(levels)))
    if facts.glare:
        share, where = facts.glare[0]
        return found("light", Level.FAULT, "glare", where=where, percent=f"{100 * share:.2f}")
    if facts.unread.get("glare", 0):
        return found("light", Level.FAULT, "glare-on-dice", count=facts.unread["glare"])
    if levels and (max(levels) / min(levels)) ** 2.2 > UNEVEN_LIGHT:
        return found("light", Level.NOTE, "uneven", where=_corner(facts, min(levels)))
    if level < dim:
        return found("light", Level.NOTE, "dim", level=round(level))
    return found("light", Level.OK, "ok", level=round(level))


def _corner(facts: PictureFacts, level: float) -> str:
    """The name of the corner whose paper has this level."""
    number = next(each for each, its in facts.paper_levels.items() if its == level)
    return ("far-left", "far-right", "near-right", "near-left")[CORNER_IDS.index(number)]
