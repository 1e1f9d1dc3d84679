"""What is true in a play: where every die is and what it does at any time, and everything that happens to it.

The words are those of `vision.tracking`: `TrueDie.state` is the text of a `DieState`, `TrueHappening.kind` that of a
`Kind`. They are kept as text here, because the simulated table knows nothing of what looks at it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["KINDS", "REST_MM", "REST_RAD", "STATES", "TrueDie", "TrueHappening"]

REST_MM: Final = 0.3
"""A die is at rest from the first time after which it stays within this distance until it is next touched."""
REST_RAD: Final = 0.017453292519943295
"""The same for its turn: one degree."""

STATES: Final = ("rolling", "settled", "cocked", "covered", "in hand", "off table")
"""The words of `vision.tracking.happenings.DieState`."""
KINDS: Final = (
    "settled",
    "cocked",
    "rolled",
    "slid",
    "lifted",
    "set back",
    "touched",
    "nudged",
    "dropped",
    "left the table",
    "came back",
)
"""The words of `vision.tracking.happenings.Kind`."""


@dataclass(frozen=True, slots=True)
class TrueDie:
    """One die as it is at one time.

    Attributes:
        seat: whose die it is, from 1.
        index: which of the seat's dice, 0 to 5.
        state: one of STATES.
        value: the top face, 1 to 6, when it lies flat and still (or is covered and does so); else None.
        position_mm: its centre on the table, x to the right and y towards the near edge.
        centre_px: the middle of its upper face in the picture.
        top_px: the four corners of that face in the picture, in order around it.
        visible: share of that face which the camera sees, 0..1; hands, other dice and the picture's edge hide it.
    """

    seat: int
    index: int
    state: str
    value: int | None
    position_mm: tuple[float, float]
    centre_px: tuple[float, float]
    top_px: tuple[tuple[float, float], ...]
    visible: float


@dataclass(frozen=True, slots=True)
class TrueHappening:
    """One thing that happens to one die.

    Attributes:
        kind: one of KINDS.
        seat: whose die it is, from 1.
        index: which of the seat's dice, 0 to 5.
        began_ns: when it began: the end of the rest before a motion.
        ended_ns: when it was over: of a motion, the beginning of the rest after it.
        before: the value at rest before; None when there was none.
        value: the value after; None when there is none.
        why: for a breach or a mishap, what it was, in a few fixed words; else empty.
    """

    kind: str
    seat: int
    index: int
    began_ns: int
    ended_ns: int
    before: int | None
    value: int | None
    why: str = ""
