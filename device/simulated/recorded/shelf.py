"""The recorded rolls that are shipped, and when each of their dice lies at rest."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from device.simulated.play.truth import REST_MM, REST_RAD
from device.simulated.recorded.codec import RATE_HZ, Roll, read_rolls

__all__ = ["ROLLS_FILE", "Span", "rests_of", "rolls", "turn_between"]

Array = NDArray[Any]
ROLLS_FILE: Final = Path(__file__).with_name("rolls.npz")
_SHORTEST_REST: Final = 12
"""Samples that a die must lie still before another die's touch, to have been at rest: 0.1 s."""

Span = tuple[float, float]
"""From and until, in seconds since the roll began; a rest that lasts ends at infinity."""


@lru_cache(maxsize=1)
def _shelf() -> tuple[Roll, ...]:
    return read_rolls(ROLLS_FILE)


@lru_cache(maxsize=64)
def rolls(kind: str, dice: int | None = None) -> tuple[Roll, ...]:
    """The recorded rolls of a kind, of so many dice where a count is given."""
    return tuple(roll for roll in _shelf() if roll.kind == kind and dice in (None, roll.dice))


def turn_between(a: Array, b: Array) -> Array:
    """Angle in rad between turns given as unit quaternions (..., 4)."""
    return np.asarray(2 * np.arccos(np.clip(np.abs((a * b).sum(axis=-1)), 0, 1)))


def _rest_until(roll: Roll, die: int, last: int) -> float:
    """The sample (with its fraction) since which the die has stayed where it is at sample `last`."""
    places, turns = roll.centres_mm[: last + 1, die], roll.turns[: last + 1, die]
    away = np.maximum(np.linalg.norm(places - places[-1], axis=1) / REST_MM, turn_between(turns, turns[-1]) / REST_RAD)
    moved = np.flatnonzero(away > 1)
    if not len(moved):
        return 0.0
    before = int(moved[-1])
    return before + float((away[before] - 1) / (away[before] - away[before + 1]))


@lru_cache(maxsize=2048)
def rests_of(roll: Roll, die: int) -> tuple[Span, ...]:
    """When a die of a roll lies at rest, in order.

    It is at rest from the first time after which its pose stays within 0.3 mm and one degree until it is next touched;
    one that stands still for a moment without being touched afterwards, as on an edge, is not.
    """
    spans: list[Span] = []
    last = roll.samples - 1
    if roll.ends[die] != "off":
        spans.append((_rest_until(roll, die, last) / RATE_HZ, np.inf))
    until = int(spans[0][0] * RATE_HZ) if spans else last
    touches = np.flatnonzero(roll.met[:, die])[::-1]
    for touch in touches.tolist():
        if not 0 < touch <= until or touch - 1 <= roll.released[die]:
            continue
        begin = _rest_until(roll, die, touch - 1)
        lay = die < roll.lying and begin == 0
        if begin >= roll.released[die] and (touch - 1 - begin >= _SHORTEST_REST or lay):
            spans.append((-np.inf if lay else begin / RATE_HZ, (touch - 1) / RATE_HZ))
            until = int(begin)
    return tuple(reversed(spans))
