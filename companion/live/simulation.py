"""The simulated table put before the live one: its camera, its buttons, its players."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from companion.live.demo import DemoPlayers, Manners
from companion.live.duel_simulation import start_duel
from companion.live.lightning_dice import marker_of_open_card
from companion.live.opening import Wanted, same_again
from companion.live.race_simulation import start_race
from companion.live.table import LiveTable
from companion.live.watcher import TableWatcher
from device.cameras.simulated import SimulatedCamera
from device.clock import Clock
from device.simulated.layout import SEAT_COLOURS, TABLE_SIZE_MM
from device.simulated.table import SimulatedTable
from rules.errors import BadHeader

__all__ = ["SIMULATIONS", "check_colours", "start_simulation"]


def check_colours(table: LiveTable) -> None:
    """Raises BadHeader when the seats have other colours than the simulated dice."""
    for seat in table.header.seats:
        if seat.colour != SEAT_COLOURS[seat.number]:
            raise BadHeader(
                f"At the simulated table seat {seat.number} has {SEAT_COLOURS[seat.number]} dice, not {seat.colour}; "
                f"give the colours in this order: {', '.join(SEAT_COLOURS.values())}."
            )


def start_simulation(
    table: LiveTable,
    clock: Clock,
    wanted: Wanted,
    *,
    fps: float = 15.0,
    seed: int = 0,
    size_wh: tuple[int, int] = (1280, 720),
    players: bool = True,
    manners: Manners | None = None,
) -> SimulatedTable:
    """Set a simulated table before `table`, watch it, and let players play at it.

    Raises:
        BadHeader: the seats have other colours than the simulated dice.
    """
    check_colours(table)
    simulated = SimulatedTable(clock, len(table.header.seats), seed=seed, size_wh=size_wh, fps=fps)

    simulated.buttons.start(table.press)
    table.on_close(simulated.buttons.stop)
    card = marker_of_open_card(table.match)
    if card is not None:
        simulated.show_card(card)  # the match goes on where it was
    camera = partial(SimulatedCamera.opened, simulated)
    TableWatcher(table, camera, table_size_mm=TABLE_SIZE_MM, zones=simulated.zones).start()
    if players:
        again = partial(same_again, wanted, table.header)
        DemoPlayers(table, simulated, new_header=again, seed=seed, manners=manners).start()
    return simulated


SIMULATIONS: dict[str, Callable[..., Any]] = {
    "lightning-dice": start_simulation,
    "thunder-and-lightning": start_duel,
    "greece-lightning": start_race,
}
"""By game, what sets its simulated table before the live one."""
