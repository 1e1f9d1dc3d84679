"""A real table: dice, a shuffled deck and a face-down stack, and players who roll, sail and use cards by chance."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from rules.events import Event
from rules.greece_lightning.components import FAVORS, STACK_WEDGES
from rules.greece_lightning.course import Spot
from rules.greece_lightning.events import (
    Circle,
    Deal,
    Discard,
    DrawWedge,
    EndMove,
    Feed,
    Fight,
    FinishRoll,
    Give,
    LapBoard,
    Launch,
    Movement,
    Navigation,
    PlaceWedge,
    PutShip,
    Ready,
    Reroll,
    Reveal,
    Shuffled,
    Stack,
    Starters,
    Step,
    Use,
)
from rules.greece_lightning.favors_in_play import usable
from rules.greece_lightning.moving import ways_of
from rules.greece_lightning.placing import free_places
from rules.greece_lightning.setup import launch_order
from rules.greece_lightning.state import GreeceLightningState, SeatState, Waiting

State = GreeceLightningState


class Table:
    """What lies hidden, and what happens next."""

    def __init__(self, state: State, seed: int) -> None:
        self.chance = random.Random(seed)
        self.given = state.given
        self.second = self.chance.choice((0.2, 0.6, 0.9))
        """How daring these players are: how often they roll the second Movement die."""
        self.cards = self.chance.choice((0.1, 0.5))
        """How often they use a card that they may use."""
        self.stack = [wedge.id for wedge in self.given.wedges.values() if wedge.symbol is None]
        self.chance.shuffle(self.stack)
        self._box = Counter({card.id: card.copies for card in self.given.favors.values()})
        self.deck: list[str] = []
        self.facedown: dict[int, list[str]] = {number: [] for number in self.given.numbers}
        self._set_up = self._ready_steps()

    # --- set-up

    def _ready_steps(self) -> list[Event]:
        """Set-up up to the first ship."""
        by_symbol: dict[str, list[str]] = {}
        for wedge in self.given.wedges.values():
            if wedge.symbol is not None:
                by_symbol.setdefault(wedge.symbol, []).append(wedge.id)
        quarters = list(by_symbol.values())
        for each in (quarters, *quarters):
            self.chance.shuffle(each)
        starters = [card.id for card in self.given.favors.values() if card.starter is not None]
        self.chance.shuffle(starters)
        dealt = starters[: len(self.given.seats)]
        self.deck = [card.id for card in self.given.favors.values() for _ in range(card.copies) if card.id not in dealt]
        self.chance.shuffle(self.deck)
        assert len(self.deck) == FAVORS - len(dealt)
        circle = tuple(wedge for quarter in quarters for wedge in quarter)
        return [
            Circle(circle, self.chance.randint(1, 12)),
            Shuffled("wedges"),
            Stack("wedges", count=STACK_WEDGES),
            LapBoard(),
            *(Ready(seat.number, seat.colour, fish=self.given.options.starting_fish) for seat in self.given.seats),
            Starters(tuple(sorted(starters))),
            Shuffled("starters"),
            *(Deal(seat.number, card) for seat, card in zip(self.given.seats, dealt, strict=True)),
            Shuffled("favors"),
            Stack("favors", count=len(self.deck)),
        ]

    # --- what happens next

    def next(self, state: State) -> Event:
        """An event that really happens now."""
        if state.phase == "setup":
            return self._set_up.pop(0) if self._set_up else self._launch(state)
        if state.waiting:
            return self._waited_for(state, state.waiting[0])
        if state.phase == "rolling":
            return self._roll(state)
        assert state.turn is not None
        seat = state.seat_state(state.turn.seat)
        used = self._card(state, seat)
        if used is not None:
            return used
        if state.turn.step == "place":
            place = self.chance.choice(free_places(state))
            return PlaceWedge(seat.number, self.chance.choice(seat.wedges), place)
        if state.turn.step == "reveal":
            return Reveal(seat.number, self.facedown[seat.number][-1])
        return self._step(state, seat)

    def _launch(self, state: State) -> Event:
        taken = {seat.spot.dot for seat in state.seats if seat.spot is not None}
        free = [dot for dot in state.given.line.line if dot not in taken]
        return Launch(launch_order(state)[0].number, self.chance.choice(free))

    def _waited_for(self, state: State, waiting: Waiting) -> Event:
        seat = state.seat_state(waiting.seat)
        match waiting.kind:
            case "wedge":
                return DrawWedge(seat.number, self.stack[-1])
            case "hydra":
                uses = usable(state, seat.number)
                if uses and self.chance.random() < (0.9 if not seat.fish else self.cards):
                    return self.chance.choice(uses)
                return Feed(seat.number) if seat.fish else Fight(seat.number)
            case "use":
                return self.chance.choice([use for use in usable(state, seat.number) if use.card == waiting.card])
            case "trident":
                return Give(seat.number, self.chance.choice(state.others(seat.number)).number)
            case "boat":
                return Discard(seat.number, self.chance.choice((*seat.favors, waiting.card)))
            case "room":
                return Discard(seat.number, self.chance.choice(seat.favors))

    def _roll(self, state: State) -> Event:
        """Everybody rolls at once, so whose die falls next is chance; in turn, the first who has not finished."""
        rolling = [seat for seat in state.seats if not seat.finished]
        if state.options.rolling == "in turn":
            assert state.fleece is not None
            order = (state.seat_state(state.fleece), *state.others(state.fleece))
            rolling = [seat for seat in order if not seat.finished][:1]
        seat = self.chance.choice(rolling)
        number, again = seat.number, self.chance.random() < 0.4
        if seat.navigation is None:
            return Navigation(number, self.chance.randint(1, 3))
        used = self._card(state, seat)
        if used is not None:
            return used
        lasting = {effect.do.value for effect in seat.lasting}
        free = {deed.removeprefix("reroll-") for deed in lasting}
        if seat.first is None:
            if again and not seat.rerolling and ("navigation" in free or (seat.fish and seat.navigation == 1)):
                return Reroll(number, "navigation", "favor" if "navigation" in free else "fish")
            return Movement(number, (self.chance.randint(1, 6),))
        if seat.second is not None:
            if "no-second" not in lasting and ("second" in free or seat.fish) and (seat.bust or again):
                return Reroll(number, "second", "favor" if "second" in free else "fish")
            return FinishRoll(number)
        if "first" in free and again and not seat.rerolling:
            return Reroll(number, "first", "favor")
        daring = self.chance.random() < self.second and "no-second" not in lasting
        return Movement(number, (self.chance.randint(1, 6),)) if daring or seat.rerolling else FinishRoll(number)

    def _card(self, state: State, seat: SeatState) -> Use | None:
        uses = usable(state, seat.number)
        return self.chance.choice(uses) if uses and self.chance.random() < self.cards / 3 else None

    def _step(self, state: State, seat: SeatState) -> Event:
        if not seat.movement_left:
            return EndMove(seat.number)
        way = self.chance.choice(ways_of(state, seat.number))
        return Step(seat.number, way.to, way.number, way.skipped)

    # --- what it does to what lies hidden

    def follow(self, event: Event, before: State, after: State) -> None:
        """Draw and lay aside what an accepted event drew or laid aside; then every card and wedge of the box must lie
        in just one place, and as many of them hidden as the referee counts."""
        if isinstance(event, Reveal):
            assert self.facedown[event.seat].pop() == event.card
        if isinstance(event, DrawWedge):
            assert self.stack.pop() == event.wedge
        if before.layout is not None and after.layout is not None and before.phase != "setup":
            lifted = [wedge for wedge in before.layout.wedges if wedge not in after.layout.wedges]
            self.stack = [*lifted, *self.stack]  # a card put it back: it goes under the others
        if "favors stacked" not in after.declared:
            return
        lay, lie = (sum(seat.facedown for seat in state.seats) for state in (before, after))
        drawn = lie - lay + isinstance(event, Reveal)
        if len(self.deck) - drawn != after.deck:  # the used cards were shuffled in between
            hidden = [card for cards in (self.deck, *self.facedown.values()) for card in cards]
            used = list((self._box - Counter(hidden) - Counter(face_up(after))).elements())
            self.chance.shuffle(used)
            self.deck = [*used, *self.deck]  # those that lay there were drawn first
        for seat in after.seats:
            for _ in range(seat.facedown - len(self.facedown[seat.number])):
                self.facedown[seat.number].append(self.deck.pop())
        self._look(after)

    def _look(self, state: State) -> None:
        assert len(self.deck) == state.deck
        assert [len(cards) for cards in self.facedown.values()] == [seat.facedown for seat in state.seats]
        hidden = [card for cards in (self.deck, *self.facedown.values()) for card in cards]
        assert Counter(hidden) + Counter(face_up(state)) == self._box
        held = [wedge for seat in state.seats for wedge in (*seat.wedges, *seat.drawn)]
        assert state.layout is not None
        assert sorted((*self.stack, *held, *state.layout.wedges)) == sorted(self.given.wedges)
        assert len(self.stack) - sum(waiting.kind == "wedge" for waiting in state.waiting) == state.stack_left


def face_up(state: State) -> list[str]:
    """Every Favor that lies open: on the boards, on the discard pile, in the hand of who has to say what it does."""
    boards = [card for seat in state.seats for card in seat.favors]
    in_hand = [each.card for each in state.waiting if each.card and each.kind != "use"]
    in_hand += [
        each.card
        for each in state.waiting
        if each.kind == "use" and each.card not in state.seat_state(each.seat).favors
    ]
    return [*boards, *in_hand, *state.discard]


# --- events of any kind, sensible or not


def random_event(state: State, chance: random.Random) -> Event:
    """One event of some kind with fields that may or may not fit; about as often as not one of the seat in turn."""
    numbers = (*state.given.numbers, len(state.seats) + 1)
    seat = chance.choice(numbers)
    if state.turn is not None and chance.random() < 0.7:
        seat = state.turn.seat
    make = chance.choice(_MAKERS)
    return make(state, seat, chance)


def _some(state: State, chance: random.Random, cards: Sequence[str]) -> str:
    known = [*cards, *state.given.favors]
    return chance.choice(known[: max(1, 2 * len(cards))] if cards and chance.random() < 0.7 else known)


def _wedge(state: State, seat: int, chance: random.Random) -> str:
    lying = state.find(seat)
    held = [*lying.wedges, *lying.drawn] if lying else []
    return chance.choice(held if held and chance.random() < 0.8 else list(state.given.wedges))


def _held(state: State, seat: int) -> list[str]:
    lying = state.find(seat)
    waiting = [each.card for each in state.waiting if each.card]
    return [*(lying.favors if lying else ()), *waiting]


def _spot(state: State, seat: int, chance: random.Random) -> Any:
    lying = state.find(seat)
    if state.layout is None or lying is None or lying.spot is None:
        return Spot(chance.randint(0, 13), chance.choice("ab"))
    if chance.random() < 0.7:
        return chance.choice(state.course.ways(lying.spot, state.occupied(seat))).to
    return chance.choice(state.course.spots)


_MAKERS: list[Callable[[State, int, random.Random], Event]] = [
    lambda state, seat, chance: Navigation(seat, chance.choice((1, 2, 3, 3, 4, None)), chance.random() < 0.9),
    lambda state, seat, chance: Movement(seat, tuple(chance.choices((1, 4, 6, 7), k=chance.choice((1, 1, 1, 2))))),
    lambda state, seat, chance: Reroll(
        seat, chance.choice(("navigation", "first", "second", "move")), chance.choice(("fish", "favor"))
    ),
    lambda state, seat, chance: FinishRoll(seat),
    lambda state, seat, chance: PlaceWedge(
        seat, _wedge(state, seat, chance), chance.randint(0, 13), chance.random() < 0.9, chance.choice((0, 0, 0, 1))
    ),
    lambda state, seat, chance: Step(seat, _spot(state, seat, chance), chance.choice((None, None, None, 0, 1, 2, 3))),
    lambda state, seat, chance: DrawWedge(seat, chance.choice((None, *state.given.wedges))),
    lambda state, seat, chance: Feed(seat),
    lambda state, seat, chance: Fight(seat),
    lambda state, seat, chance: EndMove(seat),
    lambda state, seat, chance: Reveal(seat, _some(state, chance, ()), chance.choice((0, 0, 0, 1))),
    lambda state, seat, chance: Give(seat, chance.randint(0, 5), chance.random() < 0.8),
    lambda state, seat, chance: Discard(seat, _some(state, chance, _held(state, seat))),
    lambda state, seat, chance: Use(
        seat,
        _some(state, chance, _held(state, seat)),
        chance.choice((None, None, 1, 2, 3)),
        chance.choice((None, None, 3, 7)),
    ),
    lambda state, seat, chance: PutShip(seat, _spot(state, seat, chance), chance.choice(("pushed", "pushed", " "))),
    lambda state, seat, chance: Shuffled(chance.choice(("favors", "favors", "wedges"))),
]
