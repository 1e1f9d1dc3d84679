"""How the players of the simulated battlefield play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from device.clock import NS_PER_S
from rules.events import Event
from rules.thunder_and_lightning.events import Challenge, Draw, Lay, Lead, Play

__all__ = ["DuelManners"]

_MS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class DuelManners:
    """How the players play.

    Attributes:
        look_ns: from one thing done to the next, shortest and longest.
        move_ns: how long a hand takes to come, and to go.
        say_ns: from a movement whose meaning no camera sees to the word on the page.
        unread_ns: longest wait for the table to read what it can read; then they say it on the page.
        over_ns: from the end of a match to the next.
        stop: chance that a Seer draws no further card.
        weights: how much they like each thing to do.
    """

    look_ns: tuple[int, int] = (700 * _MS, 1600 * _MS)
    move_ns: int = 300 * _MS
    say_ns: int = 900 * _MS
    unread_ns: int = 4 * NS_PER_S
    over_ns: int = 8 * NS_PER_S
    stop: float = 0.3
    weights: tuple[tuple[type[Event], int], ...] = ((Draw, 2), (Lay, 3), (Challenge, 4), (Play, 3), (Lead, 8))
