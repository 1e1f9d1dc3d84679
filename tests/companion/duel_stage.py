"""A simulated match of Thunder & Lightning from pixels, one frame at a time on a clock of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.hub import Hub
from companion.live.duel_manners import DuelManners
from companion.live.opening import Wanted, open_match
from companion.live.simulation import DUEL, staged
from companion.live.table import LiveTable
from companion.store import Store
from device.clock import ManualClock
from rules.errors import UnknownGame

FRAME_NS = 66_666_667


class Stage:
    """Table, rendered camera and players."""

    def __init__(self, directory: Path, seed: int, manners: DuelManners | None = None) -> None:
        wanted = Wanted("thunder-and-lightning", simulated=True)
        self.clock = ManualClock()
        self.store = Store(directory)
        self.hub = Hub()
        stored, _ = open_match(self.store, wanted)
        self.table = LiveTable(self.store, stored, clock=self.clock, publish=self.hub.publish, simulated=True)
        cards = self.table.state.given.cards.values()
        self.names = {marker: card.name for card in cards for marker in card.markers}
        self.first = self.table.header.match
        made = staged(DUEL, self.table, self.clock, wanted, seed=seed, manners=manners)
        self.simulated, self.watcher, self.players = made

    @property
    def begun(self) -> bool:
        """True once the players have begun another match than the first."""
        return self.table.header.match != self.first

    def settle(self) -> None:
        """Come back once the table has dealt with all that was handed in: this match of no game it turns away last."""
        with pytest.raises(UnknownGame):
            self.table.begin(msgspec.structs.replace(self.table.header, game="none"))

    def run(self, frames: int) -> None:
        for _ in range(frames):
            self.clock.advance(FRAME_NS)
            self.watcher.step(self.simulated.frame())
            self.settle()
            self.players.step()

    def events(self) -> list[tuple[type[Any], str]]:
        """Kind and source of every event of the record."""
        return [(type(entry.filed.event), entry.filed.source.value) for entry in self.table.entries()]

    def close(self) -> None:
        self.table.close()
        self.store.close()
