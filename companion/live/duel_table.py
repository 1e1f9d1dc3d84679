"""The hands of simulated players: they lay, slide and turn the cards of a simulated table, a few at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from companion.live.duel_world import Real, World
from device.simulated import card_layout
from device.simulated.card_layout import Area
from device.simulated.card_table import SimulatedCardTable
from rules.thunder_and_lightning.components import ROWS, Role
from rules.thunder_and_lightning.events import Spot
from rules.thunder_and_lightning.state import ThunderAndLightningState

__all__ = ["DuelTable"]

State = ThunderAndLightningState
Lying = tuple[Real, bool]
"""A card and whether it lies face up."""


class DuelTable:
    """What lies on the simulated table, and the moves still to be made. Used by the players' thread alone."""

    def __init__(self, table: SimulatedCardTable, roles: dict[int, Role]) -> None:
        """`roles` tells who plays whom, by seat."""
        self._table = table
        self._roles = {seat: role.value for seat, role in roles.items()}
        self._lying: dict[Area, list[Lying]] = {}
        self._moves: deque[Callable[[], None]] = deque()
        self._forward: int | None = None
        self._raised: set[int] = set()
        self._shown: list[Area] = []

    @property
    def busy(self) -> bool:
        """True while moves are still to be made."""
        return bool(self._moves)

    def step(self) -> None:
        """Make the next move."""
        self._moves.popleft()()

    def clear(self) -> None:
        """Take everything away."""
        self._table.clear()
        self._lying.clear()
        self._moves.clear()
        self.calm()
        self._shown.clear()

    def calm(self) -> None:
        """Whatever was slid forward or turned up counts only as the record has it from now on."""
        self._forward = None
        self._raised.clear()

    # --- moves that mean something

    def lay(self, spot: Spot, real: Real, *, face_up: bool, behind: int) -> None:
        """A card into a column of which so many cards lie from this row on; they are pushed back one by one."""
        seat, column, row = spot
        for each in range(min(row + behind, ROWS) - 1, row - 1, -1):
            self._then(seat, self._move, self._cell((seat, column, each)), self._cell((seat, column, each + 1)))
        self._then(seat, self._put, self._cell(spot), real, face_up)

    def slide_forward(self, spot: Spot, token: int) -> None:
        """A card of row 1 into the middle."""
        self._forward = token
        self._then(spot[0], self._move, self._cell(spot), self._middle(spot))

    def turn_up(self, spot: Spot, token: int) -> None:
        """A card that lies face down, in its place or in the middle."""
        self._raised.add(token)
        self._then(spot[0], self._flip, self._middle(spot) if token == self._forward else self._cell(spot))

    def discard(self, seat: int, real: Real) -> None:
        """A card of the hand on to the pile."""
        self._then(seat, self._put, card_layout.pile(self._roles[seat]), real, True)

    def show(self, seat: int, reals: list[Real]) -> None:
        """Cards open in the place for hands of a seat."""

        def shown() -> None:
            for place, real in zip(card_layout.hand_places(self._roles[seat]), reals, strict=False):
                self._put(place, real, True)
                self._shown.append(place)

        self._moves.append(shown)

    def take_shown_away(self) -> None:
        """What was shown goes back to where it is."""
        for place in self._shown:
            if self._lying.get(place):
                self._take(place)
        self._shown.clear()

    # --- and those that put the table in order

    def tidy(self, state: State, world: World, *, keep_shown: bool) -> bool:
        """Make one move towards what the record has; False when all lies as it should."""
        if self._shown and not keep_shown:
            self.take_shown_away()
            return True
        wanted = self._wanted(state, world)
        wrong = self._wrong(wanted)
        if not wrong:
            return False
        stacks = [place for place in wrong if place.stacks]
        if stacks:
            self._rebuild(stacks[0], wanted.get(stacks[0], []))
            return True
        flips = [place for place in wrong if self._same_card(self._lying.get(place), wanted.get(place))]
        if flips:
            self._flip(flips[0])
            return True
        lying = [place for place in wrong if self._lying.get(place)]
        if lying:  # first all that is wrong goes, then what is missing comes
            for place in lying:
                self._take(place)
            return True
        for place in wrong:
            self._put(place, *wanted[place][0])
        return True

    def in_order(self, state: State, world: World) -> bool:
        """True when all lies as the record has it."""
        return not self._shown and not self._wrong(self._wanted(state, world))

    def _wrong(self, wanted: dict[Area, list[Lying]]) -> list[Area]:
        places = [place for place in {**self._lying, **wanted} if place not in self._shown]
        return [place for place in places if self._lying.get(place, []) != wanted.get(place, [])]

    def _wanted(self, state: State, world: World) -> dict[Area, list[Lying]]:
        found: dict[Area, list[Lying]] = {}
        for side in state.sides:
            for column, cards in enumerate(side.columns, start=1):
                for row, lying in enumerate(cards, start=1):
                    spot = (side.seat, column, row)
                    place = self._middle(spot) if lying.token == self._forward else self._cell(spot)
                    up = lying.card is not None or lying.token in self._raised
                    found[place] = [(world.lying[lying.token], up)]
            role = self._roles[side.seat]
            found[card_layout.pile(role)] = [(real, True) for real in world.pile(side)]
            found[card_layout.deck(role)] = [(real, False) for real in world.deck[side.seat]]
        return {place: cards for place, cards in found.items() if cards}

    def _rebuild(self, place: Area, wanted: list[Lying]) -> None:
        lying = self._lying.get(place, [])
        same = 0
        while same < min(len(lying), len(wanted)) and lying[same] == wanted[same]:
            same += 1
        for _ in range(len(lying) - same):
            self._take(place)
        for real, up in wanted[same:]:
            self._put(place, real, up)

    @staticmethod
    def _same_card(lying: list[Lying] | None, wanted: list[Lying] | None) -> bool:
        return bool(lying and wanted and lying[0][0] == wanted[0][0])

    def _then(self, seat: int, move: Callable[..., None], place: Area, *given: object) -> None:
        """A hand of the seat comes over a place, and goes when it has done something there."""
        end = card_layout.ROLES.index(self._roles[seat]) + 1

        def done() -> None:
            move(place, *given)
            self._table.uncover(end)

        self._moves.append(lambda: self._table.cover(place, end))
        self._moves.append(done)

    def _cell(self, spot: Spot) -> Area:
        return card_layout.cell(self._roles[spot[0]], spot[1], spot[2])

    def _middle(self, spot: Spot) -> Area:
        return card_layout.middle(self._roles[spot[0]], spot[1])

    def _put(self, place: Area, real: Real, face_up: bool) -> None:
        back = card_layout.ROLES.index(real.card.deck.value)
        self._table.put(real.marker, back, place, face_up=face_up)
        self._lying.setdefault(place, []).append((real, face_up))

    def _take(self, place: Area) -> Lying:
        self._table.remove(place)
        taken = self._lying[place].pop()
        if not self._lying[place]:
            del self._lying[place]
        return taken

    def _move(self, place: Area, to: Area) -> None:
        self._table.move(place, to)
        lying = self._lying[place].pop()
        if not self._lying[place]:
            del self._lying[place]
        self._lying.setdefault(to, []).append(lying)

    def _flip(self, place: Area) -> None:
        self._table.flip(place)
        real, up = self._lying[place].pop()
        self._lying[place].append((real, not up))
