"""The simulated battlefield put before the live table: its camera, its buttons, its players."""

from __future__ import annotations

from functools import partial

from companion.live.card_places import nooks_for
from companion.live.duel_demo import DuelPlayers
from companion.live.duel_manners import DuelManners
from companion.live.opening import Wanted, same_again
from companion.live.table import LiveTable
from companion.live.watcher import TableWatcher
from device.cameras.simulated import SimulatedCamera
from device.clock import Clock
from device.simulated.card_table import SimulatedCardTable

__all__ = ["start_duel", "watched_duel"]


def watched_duel(
    table: LiveTable,
    clock: Clock,
    wanted: Wanted,
    *,
    fps: float = 15.0,
    seed: int = 0,
    size_wh: tuple[int, int] = (1280, 720),
    manners: DuelManners | None = None,
) -> tuple[SimulatedCardTable, TableWatcher, DuelPlayers]:
    """A simulated battlefield before `table`, with its watcher and its players, neither of them started yet.

    Its buttons press those of the table from now on.
    """
    state = table.state
    names = {marker: card.name for card in state.given.cards.values() for marker in card.markers}
    simulated = SimulatedCardTable(clock, seed=seed, size_wh=size_wh, fps=fps, names=names)

    simulated.buttons.start(table.press)
    table.on_close(simulated.buttons.stop)
    nooks = nooks_for({side.seat: side.role for side in state.sides})
    watcher = TableWatcher(
        table, partial(SimulatedCamera.opened, simulated), table_size_mm=table.interpreter.table_size_mm, nooks=nooks
    )
    again = partial(same_again, wanted, table.header)
    players = DuelPlayers(table, simulated, new_header=again, seed=seed, manners=manners)
    return simulated, watcher, players


def start_duel(
    table: LiveTable,
    clock: Clock,
    wanted: Wanted,
    *,
    fps: float = 15.0,
    seed: int = 0,
    size_wh: tuple[int, int] = (1280, 720),
    players: bool = True,
    manners: DuelManners | None = None,
) -> SimulatedCardTable:
    """Set a simulated battlefield before `table`, watch it, and let players play at it."""
    simulated, watcher, both = watched_duel(table, clock, wanted, fps=fps, seed=seed, size_wh=size_wh, manners=manners)
    watcher.start()
    if players:
        both.start()
    return simulated
