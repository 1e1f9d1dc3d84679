"""What goes wrong with a camera during a play: which frames come, when, and what they show.

A disturbance is a plan of deliveries, pure data; `watching` renders them. Shifts are of the whole picture in px, gains
are for blue, green and red.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vision.readings import Point
from vision.tracking.happenings import Trouble

__all__ = ["DISTURBANCES", "Delivery", "Disturbance", "deliveries"]

_S = 1_000_000_000
NUDGE_PX = (15.0, -9.0)
"""A knock against the mast: at 1280 px over a table of 80 cm about 1 cm."""
WARM_LAMP = (0.55, 0.72, 0.82)
"""A bright white lamp goes out and a warm one stays."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """One frame as it comes from the camera.

    Attributes:
        at_ns: start of its exposure as the camera tells it.
        picture_ns: start of the exposure of what it shows.
        sequence: number that the camera gives it.
        shift_px: by how much the picture lies elsewhere.
        gain_bgr: light in comparison with before.
    """

    at_ns: int
    picture_ns: int
    sequence: int
    shift_px: Point = (0.0, 0.0)
    gain_bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Disturbance:
    """A fault by its name, for how long it lasts, and the trouble that must be told; None where none need be."""

    name: str
    trouble: Trouble | None
    lasts_s: float


DISTURBANCES = (
    Disturbance("camera nudged", Trouble.CAMERA_MOVED, 0.1),
    Disturbance("lamp switched", Trouble.LIGHT_CHANGED, 0.0),
    Disturbance("rate halved", None, 3.0),
    Disturbance("frames dropped", Trouble.FRAMES_MISSING, 1.0),
    Disturbance("frames duplicated", None, 1.0),
    Disturbance("picture frozen", None, 1.0),
    Disturbance("frames late", Trouble.FRAMES_LATE, 1.0),
)
"""At half the rate, and with frames that come twice, all can still be followed: nothing false may be told, no more."""


def deliveries(fps: float, end_ns: int, name: str | None = None, from_ns: int = 0) -> list[Delivery]:
    """All frames of a play up to its end; from `from_ns` on with the fault of that name.

    Raises ValueError for a name that is none of DISTURBANCES.
    """
    count = int(end_ns * fps / _S)
    plain = [Delivery(at_ns, at_ns, k) for k in range(count) if (at_ns := round(k * _S / fps)) is not None]
    if name is None:
        return plain
    known = {each.name: each for each in DISTURBANCES}
    if name not in known:
        raise ValueError(f"No disturbance is called {name!r}; there are: {', '.join(known)}.")
    until_ns = from_ns + round(known[name].lasts_s * _S)
    before = [each for each in plain if each.at_ns < from_ns]
    after = [each for each in plain if each.at_ns >= from_ns]
    during = [each for each in after if each.at_ns < until_ns]
    rest = after[len(during) :]
    return before + _disturbed(name, during, rest)


def _disturbed(name: str, during: Sequence[Delivery], rest: Sequence[Delivery]) -> list[Delivery]:
    if name == "camera nudged":
        dx, dy = NUDGE_PX
        parts = [(k + 1) / (len(during) + 1) for k in range(len(during))]
        moving = [replace(each, shift_px=(dx * part, dy * part)) for each, part in zip(during, parts, strict=True)]
        return moving + [replace(each, shift_px=NUDGE_PX) for each in rest]
    if name == "lamp switched":
        return [replace(each, gain_bgr=WARM_LAMP) for each in (*during, *rest)]
    if name == "rate halved":
        return [*during[::2], *rest]
    if name == "frames dropped":
        return list(rest)
    if name == "frames duplicated":
        return [each for once in during for each in (once, once)] + list(rest)
    if name == "picture frozen":
        return [replace(each, picture_ns=during[0].picture_ns) for each in during] + list(rest)
    swapped = list(during)
    for k in range(0, len(swapped) - 1, 2):
        swapped[k], swapped[k + 1] = swapped[k + 1], swapped[k]
    return swapped + list(rest)
