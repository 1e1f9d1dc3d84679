"""A simulated table put before the live one: its camera, its buttons, its players."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from companion.live.card_places import nooks_for
from companion.live.demo import DemoPlayers
from companion.live.duel_demo import DuelPlayers
from companion.live.lightning_dice import marker_of_open_card
from companion.live.opening import Wanted, same_again
from companion.live.players import Players
from companion.live.race_demo import RacePlayers
from companion.live.table import LiveTable
from companion.live.watcher import TableWatcher
from device.buttons.simulated import SimulatedButtons
from device.cameras.simulated import SeenTable, SimulatedCamera
from device.clock import Clock
from device.simulated.card_table import SimulatedCardTable
from device.simulated.layout import SEAT_COLOURS
from device.simulated.race_table import SimulatedRaceTable
from device.simulated.table import SimulatedTable
from rules.errors import BadHeader

__all__ = ["DICE", "DUEL", "RACE", "STAGINGS", "Staging", "check_colours", "staged", "start_simulation"]


class PressedTable(SeenTable, Protocol):
    """A simulated table: something to look at, with buttons."""

    @property
    def buttons(self) -> SimulatedButtons:
        """Its buttons, those of the judge among them."""
        ...


T = TypeVar("T", bound=PressedTable)
P = TypeVar("P", bound=Players)


class _Lay(Protocol[T]):  # type: ignore[misc]  # a table that is made and never taken
    def __call__(self, table: LiveTable, clock: Clock, *, seed: int, size_wh: tuple[int, int], fps: float) -> T: ...


@dataclass(frozen=True, slots=True)
class Staging(Generic[T, P]):
    """How one game is put on a simulated table.

    Attributes:
        lay: makes the simulated table that belongs before a live one.
        watching: what its watcher must know of both: zones or nooks, in mm, as keywords of `TableWatcher`.
        players: makes its players from both tables, `new_header`, `seed` and `manners`.
    """

    lay: _Lay[T]
    watching: Callable[[LiveTable, T], dict[str, Any]]
    players: Callable[..., P]


def check_colours(table: LiveTable) -> None:
    """Raises BadHeader when the seats have other colours than the simulated dice."""
    for seat in table.header.seats:
        if seat.colour != SEAT_COLOURS[seat.number]:
            raise BadHeader(
                f"At the simulated table seat {seat.number} has {SEAT_COLOURS[seat.number]} dice, not {seat.colour}; "
                f"give the colours in this order: {', '.join(SEAT_COLOURS.values())}."
            )


def _dice(table: LiveTable, clock: Clock, *, seed: int, size_wh: tuple[int, int], fps: float) -> SimulatedTable:
    check_colours(table)
    simulated = SimulatedTable(clock, len(table.header.seats), seed=seed, size_wh=size_wh, fps=fps)
    card = marker_of_open_card(table.match)
    if card is not None:
        simulated.show_card(card)  # the match goes on where it was
    return simulated


def _battlefield(
    table: LiveTable, clock: Clock, *, seed: int, size_wh: tuple[int, int], fps: float
) -> SimulatedCardTable:
    names = {marker: card.name for card in table.state.given.cards.values() for marker in card.markers}
    return SimulatedCardTable(clock, seed=seed, size_wh=size_wh, fps=fps, names=names)


def _board_areas(
    table: LiveTable, clock: Clock, *, seed: int, size_wh: tuple[int, int], fps: float
) -> SimulatedRaceTable:
    return SimulatedRaceTable(clock, len(table.header.seats), seed=seed, size_wh=size_wh, fps=fps)


DICE: Staging[SimulatedTable, DemoPlayers] = Staging(
    _dice, lambda table, simulated: {"zones": simulated.zones}, DemoPlayers
)
"""Lightning Dice."""

DUEL: Staging[SimulatedCardTable, DuelPlayers] = Staging(
    _battlefield,
    lambda table, simulated: {"nooks": nooks_for({side.seat: side.role for side in table.state.sides})},
    DuelPlayers,
)
"""Thunder & Lightning."""

RACE: Staging[SimulatedRaceTable, RacePlayers] = Staging(
    _board_areas, lambda table, simulated: {"zones": simulated.zones}, RacePlayers
)
"""Greece Lightning."""

STAGINGS: dict[str, Staging[Any, Any]] = {
    "lightning-dice": DICE,
    "thunder-and-lightning": DUEL,
    "greece-lightning": RACE,
}
"""By game, how it is put on a simulated table."""


def staged(
    staging: Staging[T, P],
    table: LiveTable,
    clock: Clock,
    wanted: Wanted,
    *,
    fps: float = 15.0,
    seed: int = 0,
    size_wh: tuple[int, int] = (1280, 720),
    manners: Any = None,
) -> tuple[T, TableWatcher, P]:
    """A simulated table before `table`, with its watcher and its players, neither of them started yet.

    Its buttons press those of the table from now on.

    Args:
        staging: of the game that is played at `table`.
        table, clock: the live table and its clock.
        wanted: how the match was asked for; the next one is made like it.
        fps: frames a second.
        seed: of everything that happens by chance.
        size_wh: of the picture, in pixels.
        manners: how the players behave; their own kind of manners.

    Raises:
        BadHeader: the seats have other colours than the simulated dice.
    """
    simulated = staging.lay(table, clock, seed=seed, size_wh=size_wh, fps=fps)
    simulated.buttons.start(table.press)
    table.on_close(simulated.buttons.stop)
    watcher = TableWatcher(
        table,
        partial(SimulatedCamera.opened, simulated),
        table_size_mm=table.interpreter.table_size_mm,
        **staging.watching(table, simulated),
    )
    again = partial(same_again, wanted, table.header)
    return simulated, watcher, staging.players(table, simulated, new_header=again, seed=seed, manners=manners)


def start_simulation(
    table: LiveTable,
    clock: Clock,
    wanted: Wanted,
    *,
    fps: float = 15.0,
    seed: int = 0,
    size_wh: tuple[int, int] = (1280, 720),
    players: bool = True,
    manners: Any = None,
) -> Any:
    """Set a simulated table of its game before `table`, watch it, and let players play at it; see `staged`.

    Returns the simulated table.

    Raises:
        BadHeader: the seats have other colours than the simulated dice.
    """
    staging = STAGINGS[table.header.game]
    simulated, watcher, people = staged(
        staging, table, clock, wanted, fps=fps, seed=seed, size_wh=size_wh, manners=manners
    )
    watcher.start()
    if players:
        people.start()
    return simulated
