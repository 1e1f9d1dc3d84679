"""What a player of the simulated race does next: everything that can happen at a table, chosen by chance with sense.

Nothing is remembered: what lies face down is drawn from what the table does not show. So a race goes on where it was,
whoever played it before.
"""

from __future__ import annotations

import random
from collections import Counter

from rules.events import Event
from rules.greece_lightning.components import BONUSES, STACK_WEDGES, Mark
from rules.greece_lightning.course import Way
from rules.greece_lightning.events import (
    Circle,
    Deal,
    Discard,
    DrawWedge,
    EndMove,
    Feed,
    Fight,
    FinishRoll,
    Fleece,
    Give,
    LapBoard,
    Launch,
    Movement,
    Navigation,
    PlaceWedge,
    Ready,
    Reroll,
    Reveal,
    Shuffled,
    Stack,
    Starters,
    Step,
    Use,
)
from rules.greece_lightning.favors import Deed
from rules.greece_lightning.favors_in_play import may_come_up, usable
from rules.greece_lightning.moving import ways_of
from rules.greece_lightning.placing import free_places
from rules.greece_lightning.setup import launch_order
from rules.greece_lightning.state import GreeceLightningState, SeatState, Waiting

__all__ = ["RaceChoices"]

State = GreeceLightningState

_FREE_ROLLS = {Deed.REROLL_NAVIGATION: "navigation", Deed.REROLL_FIRST: "first", Deed.REROLL_SECOND: "second"}


class RaceChoices:
    """How a player decides.

    Attributes:
        daring: chance to roll the second Movement die.
        card: chance, each time they may, to use a Favor.
        again: chance to pay for another roll that they do not need.
    """

    def __init__(self, chance: random.Random, *, daring: float = 0.6, card: float = 0.15, again: float = 0.3) -> None:
        self._chance = chance
        self.daring, self.card, self.again = daring, card, again

    # --- set-up

    def set_up(self, state: State) -> tuple[Event, ...]:
        """All of set-up up to the first ship, in order."""
        by_symbol: dict[str, list[str]] = {}
        for wedge in state.given.wedges.values():
            if wedge.symbol is not None:
                by_symbol.setdefault(wedge.symbol, []).append(wedge.id)
        quarters = list(by_symbol.values())
        self._chance.shuffle(quarters)
        for quarter in quarters:
            self._chance.shuffle(quarter)
        starters = [card.id for card in state.given.favors.values() if card.starter is not None]
        shown = tuple(sorted(starters))
        self._chance.shuffle(starters)
        seats = state.given.seats
        copies = sum(card.copies for card in state.given.favors.values())
        return (
            Circle(tuple(wedge for quarter in quarters for wedge in quarter), self._chance.randint(1, 12)),
            Shuffled("wedges"),
            Stack("wedges", count=STACK_WEDGES),
            LapBoard(),
            *(Ready(seat.number, seat.colour, fish=state.options.starting_fish) for seat in seats),
            Starters(shown),
            Shuffled("starters"),
            *(Deal(seat.number, card) for seat, card in zip(seats, starters, strict=False)),
            Shuffled("favors"),
            Stack("favors", count=copies - len(seats)),
        )

    def launch(self, state: State) -> Event | None:
        """The next ship set on the line; who gets the Golden Fleece once all stand there."""
        order = launch_order(state)
        if not order:
            return None if state.fleece is not None else Fleece(state.seats[0].number)
        taken = {seat.spot.dot for seat in state.seats if seat.spot is not None}
        return Launch(order[0].number, self._chance.choice([dot for dot in state.given.line.line if dot not in taken]))

    # --- rolling

    def face(self) -> int:
        """What the next Movement die of this player will show."""
        return self._chance.randint(1, 6)

    def slips(self, chance: float) -> bool:
        """True with this chance."""
        return self._chance.random() < chance

    def roll(self, seat: SeatState) -> Event:
        """What a seat does that has not finished its roll; of a Movement only that a die is thrown counts."""
        number, again = seat.number, self._chance.random() < self.again
        if seat.navigation is None:
            return Navigation(number, self._chance.randint(1, 3))
        free = {_FREE_ROLLS[effect.do] for effect in seat.lasting if effect.do in _FREE_ROLLS}
        if seat.first is None:
            wants = again and not seat.rerolling and seat.navigation == 1
            if wants and ("navigation" in free or seat.fish):
                return Reroll(number, "navigation", "favor" if "navigation" in free else "fish")
            return Movement(number, (None,))
        if seat.second is not None:
            if seat.bust and ("second" in free or seat.fish) and again:
                return Reroll(number, "second", "favor" if "second" in free else "fish")
            return FinishRoll(number)
        if seat.rerolling:
            return Movement(number, (None,))
        if "first" in free and seat.first <= 2:
            return Reroll(number, "first", "favor")
        # The lower the first die, the safer the second. GL-R9.
        daring = self._chance.random() < self.daring * (7 - seat.first) / 4
        allowed = not seat.has_lasting(Deed.NO_SECOND)
        return Movement(number, (None,)) if daring and allowed else FinishRoll(number)

    # --- the turn

    def act(self, state: State) -> Event | None:
        """What is done next in the turns of a round; None when nothing can be."""
        if state.waiting:
            return self._waited_for(state, state.waiting[0])
        if state.turn is None:
            return None
        seat = state.seat_state(state.turn.seat)
        used = self.favor(state, seat.number)
        if used is not None:
            return used
        if state.turn.step == "place":
            return PlaceWedge(
                seat.number, self._chance.choice(seat.wedges), self._chance.choice(tuple(free_places(state)))
            )
        if state.turn.step == "reveal":
            return Reveal(seat.number, self._from_the_deck(state))
        if not seat.movement_left:
            return EndMove(seat.number)
        ways = ways_of(state, seat.number)
        if not ways:
            return None
        way = self._chance.choices(ways, [self._liking(state, seat, each) for each in ways])[0]
        return Step(seat.number, way.to, way.number, way.skipped)

    def favor(self, state: State, number: int) -> Use | None:
        """A Favor that a seat uses now, now and then."""
        uses = usable(state, number)
        return self._chance.choice(uses) if uses and self._chance.random() < self.card else None

    def _waited_for(self, state: State, waiting: Waiting) -> Event:
        seat = state.seat_state(waiting.seat)
        match waiting.kind:
            case "wedge":
                return DrawWedge(seat.number, self._chance.choice(state.stack))
            case "hydra":
                uses = usable(state, seat.number)
                if uses and not seat.fish:
                    return self._chance.choice(uses)
                return Feed(seat.number) if seat.fish else Fight(seat.number)
            case "use":
                return self._chance.choice([use for use in usable(state, seat.number) if use.card == waiting.card])
            case "trident":
                return Give(seat.number, self._chance.choice(state.others(seat.number)).number)
            case "boat":
                return Discard(seat.number, self._chance.choice((*seat.favors, waiting.card)))
            case "room":
                return Discard(seat.number, self._chance.choice(seat.favors))

    def _from_the_deck(self, state: State) -> str:
        """A card that lies face down, each copy as likely as any other."""
        shown = Counter(card for seat in state.seats for card in seat.favors) + Counter(state.discard)
        favors = [favor for favor in state.given.favors.values() if may_come_up(state, favor.id)]
        return self._chance.choices([each.id for each in favors], [each.copies - shown[each.id] for each in favors])[0]

    @staticmethod
    def _liking(state: State, seat: SeatState, way: Way) -> float:
        marks = state.marks_at(way.to)
        liking = 1.0 + 2.0 * sum(mark in BONUSES for mark in marks)
        return liking / 3 if Mark.HYDRA in marks and not seat.fish else liking
