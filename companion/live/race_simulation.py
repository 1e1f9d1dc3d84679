"""The simulated race put before the live table: its camera, its buttons, its players."""

from __future__ import annotations

from functools import partial

from companion.live.opening import Wanted, same_again
from companion.live.race_demo import RaceManners, RacePlayers
from companion.live.table import LiveTable
from companion.live.watcher import TableWatcher
from device.cameras.simulated import SimulatedCamera
from device.clock import Clock
from device.simulated.layout import TABLE_SIZE_MM
from device.simulated.race_table import SimulatedRaceTable

__all__ = ["start_race", "watched_race"]


def watched_race(
    table: LiveTable,
    clock: Clock,
    wanted: Wanted,
    *,
    fps: float = 15.0,
    seed: int = 0,
    size_wh: tuple[int, int] = (1280, 720),
    manners: RaceManners | None = None,
) -> tuple[SimulatedRaceTable, TableWatcher, RacePlayers]:
    """Simulated board areas before `table`, with their watcher and players, neither of them started yet.

    Their buttons press those of the table from now on.
    """
    simulated = SimulatedRaceTable(clock, len(table.header.seats), seed=seed, size_wh=size_wh, fps=fps)

    simulated.buttons.start(table.press)
    table.on_close(simulated.buttons.stop)
    camera = partial(SimulatedCamera.opened, simulated)
    watcher = TableWatcher(table, camera, table_size_mm=TABLE_SIZE_MM, zones=simulated.zones)
    again = partial(same_again, wanted, table.header)
    return simulated, watcher, RacePlayers(table, simulated, new_header=again, seed=seed, manners=manners)


def start_race(
    table: LiveTable,
    clock: Clock,
    wanted: Wanted,
    *,
    fps: float = 15.0,
    seed: int = 0,
    size_wh: tuple[int, int] = (1280, 720),
    players: bool = True,
    manners: RaceManners | None = None,
) -> SimulatedRaceTable:
    """Set simulated board areas before `table`, watch them, and let players race at it."""
    simulated, watcher, racers = watched_race(
        table, clock, wanted, fps=fps, seed=seed, size_wh=size_wh, manners=manners
    )
    watcher.start()
    if players:
        racers.start()
    return simulated
