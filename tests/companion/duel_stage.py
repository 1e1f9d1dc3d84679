"""A simulated match of Thunder & Lightning from pixels, one frame at a time on a clock of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.hub import Hub
from companion.live.card_places import nooks_for
from companion.live.duel_demo import DuelPlayers
from companion.live.duel_manners import DuelManners
from companion.live.opening import Wanted, new_header, open_match
from companion.live.table import LiveTable
from companion.live.watcher import TableWatcher
from companion.store import Store
from device.clock import ManualClock
from device.simulated.card_layout import CARD_TABLE_SIZE_MM
from device.simulated.card_table import SimulatedCardTable
from rules.errors import UnknownGame
from rules.header import Header

FRAME_NS = 66_666_667


class Stage:
    """Table, rendered camera and players; `begun` counts the matches that the players began themselves."""

    def __init__(self, directory: Path, seed: int, manners: DuelManners | None = None) -> None:
        wanted = Wanted("thunder-and-lightning", simulated=True)
        self.clock = ManualClock()
        self.store = Store(directory)
        self.hub = Hub()
        stored, _ = open_match(self.store, wanted)
        self.table = LiveTable(self.store, stored, clock=self.clock, publish=self.hub.publish, simulated=True)
        state = self.table.state
        self.names = {marker: card.name for card in state.given.cards.values() for marker in card.markers}
        self.simulated = SimulatedCardTable(self.clock, seed=seed, names=self.names)
        self.simulated.buttons.start(self.table.press)
        self.watcher = TableWatcher(
            self.table,
            lambda: pytest.fail("not started"),
            table_size_mm=CARD_TABLE_SIZE_MM,
            nooks=nooks_for({side.seat: side.role for side in state.sides}),
        )
        self.begun = 0
        self.players = DuelPlayers(
            self.table, self.simulated, new_header=lambda: self._again(wanted), seed=seed, manners=manners
        )

    def _again(self, wanted: Wanted) -> Header:
        self.begun += 1
        return new_header(wanted)

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
