"""A simulated race of Greece Lightning from pixels, one frame at a time on a clock of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.hub import Hub
from companion.live.opening import Wanted, open_match
from companion.live.race_demo import RaceManners
from companion.live.simulation import RACE, staged
from companion.live.table import LiveTable
from companion.store import Store
from device.clock import ManualClock
from rules.errors import UnknownGame
from rules.header import Seat

FRAME_NS = 66_666_667
SEATS = (Seat(1, "Ann", "red"), Seat(2, "Ben", "blue"))
BRISK = RaceManners(look_ns=(1, 150_000_000), set_up_ns=1, early=0.0, feeds=0.0)
"""Players who lose no time, and do nothing that they have to be told about."""


class RaceStage:
    """Table, rendered camera and players."""

    def __init__(
        self,
        directory: Path,
        seed: int,
        manners: RaceManners = BRISK,
        seats: tuple[Seat, ...] = SEATS,
        **options: Any,
    ) -> None:
        wanted = Wanted("greece-lightning", seats=seats, options=options, simulated=True)
        self.noticed: Counter[str] = Counter()
        """In how many frames the camera had each notice."""
        self.clock = ManualClock()
        self.store = Store(directory)
        self.hub = Hub()
        stored, _ = open_match(self.store, wanted)
        self.table = LiveTable(self.store, stored, clock=self.clock, publish=self.hub.publish, simulated=True)
        self.first = self.table.header.match
        made = staged(RACE, self.table, self.clock, wanted, seed=seed, size_wh=(960, 540), manners=manners)
        self.simulated, self.watcher, self.players = made

    def settle(self) -> None:
        """Come back once the table has dealt with all that was handed in: this match of no game it turns away last."""
        with pytest.raises(UnknownGame):
            self.table.begin(msgspec.structs.replace(self.table.header, game="none"))

    def frame(self, *, look: bool = True, play: bool = True) -> None:
        """One frame: the camera looks, then the players do what is due."""
        self.clock.advance(FRAME_NS)
        if look:
            self.noticed.update(notice.code for notice in self.watcher.step(self.simulated.frame()).notices)
        self.settle()
        if play:
            self.players.step()

    def run_until(self, holds: Callable[[Any], bool], most: int, *, look: bool = True) -> None:
        """Play until this holds of the state; an AssertionError after `most` frames."""
        for _ in range(most):
            if holds(self.table.state):
                return
            self.frame(look=look)
        raise AssertionError(f"it did not come to this within {most} frames: {self.table.state}")

    def codes(self) -> Counter[str]:
        """How often each ruling was given."""
        return Counter(ruling.code for entry in self.table.entries() for ruling in entry.rulings)

    def close(self) -> None:
        self.table.close()
        self.store.close()
