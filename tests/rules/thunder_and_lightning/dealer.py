"""A real game of Thunder & Lightning: shuffled decks, hands and face-down cards that only this table knows.

Written from the clauses and the rulebook alone, without a line of the referee: what a group sees happening at its
table, as the public events in the order in which they would be seen. A `Mind` makes every decision, by the number of
a card in the box, so that the same game can be played again with other faces on the cards that nobody saw.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Any

from rules.events import Decision
from rules.thunder_and_lightning.components import FIRST_HAND, Kind, Role
from rules.thunder_and_lightning.events import (
    Challenge,
    Deal,
    Decide,
    Draw,
    EndTurn,
    Lay,
    Lead,
    Replace,
    ShuffleBack,
    Shuffled,
    Spot,
    Stack,
    Stuck,
    Treasure,
    TurnUp,
)
from rules.thunder_and_lightning.options import ThunderAndLightningOptions
from tests.rules.thunder_and_lightning.cards import Mind, Real, Side
from tests.rules.thunder_and_lightning.powers import Powers
from tests.rules.thunder_and_lightning.story import Story

Steps = Generator[Any, None, Any]
"""Yields events; takes the event still to be told as its argument and returns the last one, not yet told."""


class Table(Powers):
    """The table, with everything that lies on it in the open or hidden."""

    def __init__(self, decks: dict[int, list[Real]], options: ThunderAndLightningOptions, mind: Mind) -> None:
        self.options = options
        self.mind = mind
        self.sides = {seat: Side(seat, options.roles[seat - 1], list(decks[seat])) for seat in (1, 2)}
        self.box = {real.serial: real for deck in decks.values() for real in deck}
        self.stories = {seat: Story(side.role) for seat, side in self.sides.items()}
        self.phase = "setup"
        self.seat = 0
        self.points = self.spent = 0
        self.active: dict[Kind, int | None] = {Kind.BERSERKER: None, Kind.IDUNN: None}
        self.winner: int | None = None
        self.how = ""
        self.limbo: list[Real] = []
        self.taking: tuple[Kind, ...] = ()
        self._laying = {1: 0, 2: 0}
        self._back: dict[int, Real] = {}
        self.asks: Callable[[str], bool] = lambda kind: True
        self.entry: Callable[[], int] = lambda: 0

    # --- looking at it

    def enemy(self, seat: int) -> Side:
        return self.sides[3 - seat]

    def at(self, spot: Spot) -> Real:
        return self.sides[spot[0]].columns[spot[1] - 1][spot[2] - 1]

    def spot(self, real: Real) -> Spot:
        for side in self.sides.values():
            for number, column in enumerate(side.columns, start=1):
                if real in column:
                    return side.seat, number, column.index(real) + 1
        raise LookupError(real)

    @property
    def first(self) -> bool:
        return self.sides[self.seat].turns == 1

    @property
    def left(self) -> int:
        return self.points - self.spent

    def shows(self, seat: int, kind: Kind) -> bool:
        """The top of the seat's pile is such a card."""
        pile = self.sides[seat].pile
        return bool(pile) and pile[-1].kind is kind

    def rules(self, seat: int, kind: Kind) -> bool:
        """The seat's Berserker or Idunn works. TL-W8: one that was uncovered beside the enemy's does not, or does."""
        if self.options.uncovered == "works":
            return self.shows(seat, kind)
        return self.active[kind] == seat

    def may_face(self, seat: int, column: int) -> bool:
        """By what lies in the open a challenge could be made in this column. TL-C3, TL-L20."""
        mine, theirs = self.sides[seat].columns[column - 1], self.enemy(seat).columns[column - 1]
        if not mine or not theirs or self.sides[seat].turns == 1:
            return False
        return not (mine[0].up and mine[0].barred) and not self.enemy(seat).led(column)

    # --- the whole game

    def play(self) -> Iterator[Any]:
        """Every public event of the game, in order."""
        yield from self._set_up()
        while self.winner is None:
            side = self.sides[self.seat]
            action = self.mind.action(self, side)
            pending = yield from getattr(self, "do_" + action[0])(side, *action[1:])
            self._settle()
            if pending is not None:
                yield pending

    def _set_up(self) -> Iterator[Any]:
        streams = {seat: self._prepare(side) for seat, side in self.sides.items()}
        held = {seat: next(stream) for seat, stream in streams.items()}
        while held:
            seat = self.mind.number("set-up", sorted(held))
            event = held.pop(seat)
            follows = None
            if isinstance(event, Lay):
                side, real = self.sides[seat], self.box[self._laying[seat]]
                side.hand.remove(real)
                self.stories[seat].hidden(real)
                side.columns[event.column - 1].append(real)
                if all(each.field == 3 for each in self.sides.values()):
                    self.phase = "play"
                    self._begin(next(each.seat for each in self.sides.values() if each.role is Role.LOKI))
            elif isinstance(event, Deal):
                self._deal(self.sides[seat], event.cards)
            elif isinstance(event, Treasure):
                self._back[seat] = next(real for real in self.sides[seat].hand if real.kind is Kind.TREASURE)
                self._back[seat].seen = True
            elif isinstance(event, Replace):
                self._deal(self.sides[seat], 1)
            elif isinstance(event, ShuffleBack):
                side = self.sides[seat]
                side.hand.remove(self._back[seat])
                self.stories[seat].steps.pop()
                side.deck.append(self._back[seat])
                order = self.mind.order("deck", [real.serial for real in side.deck])
                side.deck = [self.box[serial] for serial in order]
            yield event
            follows = next(streams[seat], None)
            if follows is not None:
                held[seat] = follows

    def _deal(self, side: Side, cards: int) -> None:
        for _ in range(cards):
            side.hand.append(side.deck.pop())
            self.stories[side.seat].drew(first=True)

    def _prepare(self, side: Side) -> Iterator[Any]:
        """What one seat does before the game; the caller makes it happen."""
        yield Shuffled(side.seat)
        left = FIRST_HAND
        while left:
            cards = self.mind.number("deal", [left, left, left, 1])
            left -= cards
            counted = self.mind.number("counted", [0, 0, 1])
            yield Deal(side.seat, cards, len(side.deck) - cards if counted else None)
        if any(real.kind is Kind.TREASURE for real in side.hand) and self.mind.number("honest", [1]):
            yield Treasure(side.seat, next(real.card.id for real in side.hand if real.kind is Kind.TREASURE))
            yield Replace(side.seat)
            yield ShuffleBack(side.seat)
        for real in side.hand:
            real.first = True
        for column, serial in zip(self.mind.order("columns", [1, 2, 3]), self.mind.first_row(self, side), strict=True):
            self._laying[side.seat] = serial
            yield Lay(side.seat, column)

    def _begin(self, seat: int) -> None:
        """A turn begins. TL-T3, TL-T5, TL-E6."""
        side = self.sides[seat]
        self.seat, self.spent = seat, 0
        if not side.field:
            self._end(3 - seat, "tl.won-empty")
            return
        side.turns += 1
        leads = any(side.led(column) for column in (1, 2, 3))
        self.points = 4 if leads else sum(1 for column in side.columns if column)

    def _end(self, winner: int, how: str) -> None:
        self.phase, self.winner, self.how = "over", winner, how

    def _settle(self) -> None:
        """What everybody can see: no card left anywhere to spend a point on. TL-E5."""
        side = self.sides[self.seat]
        idle = self.winner is None and self.left > 0 and not side.hand and not side.deck
        if idle and not any(self.may_face(self.seat, column) for column in (1, 2, 3)):
            self._end(3 - self.seat, "tl.won-stuck")

    # --- cards that go to a pile

    def put(self, seat: int, *reals: Real) -> None:
        """Cards are lost to a seat's pile, in this order; the first treasure ends the game. TL-M8, TL-W6, TL-E3."""
        side = self.sides[seat]
        for real in reals:
            real.up = real.seen = True
            self.stories[seat].put(real.card, under=real.kind in self.active and self.rules(3 - seat, real.kind))
            if real.kind in self.active and self.rules(3 - seat, real.kind):
                side.pile.insert(0, real)
            else:
                side.pile.append(real)
            self.activate()
        if any(real.kind is Kind.TREASURE for real in reals):
            self._end(3 - seat, "tl.won-treasure")

    def activate(self) -> None:
        """Whose Berserker and Idunn work: who had it first keeps it. TL-W3, TL-W8."""
        for kind, seat in self.active.items():
            if seat is None or not self.shows(seat, kind):
                self.active[kind] = next((each for each in (1, 2) if self.shows(each, kind)), None)

    def off(self, real: Real) -> int:
        """Take a card off the battlefield; the column closes up. Whose it was."""
        seat, column, _ = self.spot(real)
        self.sides[seat].columns[column - 1].remove(real)
        return seat

    def lose(self, real: Real) -> None:
        self.put(self.off(real), real)

    def turn_up(self, pending: Any, reals: list[Real]) -> Steps:
        """Those that lie face down are turned up, one event each."""
        for serial in self.mind.order("turn up", [real.serial for real in reals if not real.up]):
            yield pending
            real = self.box[serial]
            real.up = real.seen = True
            self.stories[self.spot(real)[0]].turned(real, real.card.id)
            pending = TurnUp(self.spot(real), real.card.id)
        return pending

    def wipe(self, pending: Any, column: int) -> Steps:
        """A challenged Nightmare takes both facing columns. TL-N2, TL-N3, TL-N8."""
        lost = {seat: list(self.sides[seat].columns[column - 1]) for seat in (self.seat, 3 - self.seat)}
        pending = yield from self.turn_up(pending, [real for reals in lost.values() for real in reals])
        for seat, reals in lost.items():
            self.sides[seat].columns[column - 1].clear()
            self.limbo += reals
        ends = [seat for seat, reals in lost.items() if any(real.kind is Kind.TREASURE for real in reals)]
        if ends:
            self.limbo.clear()
            for seat, reals in lost.items():
                self.put(seat, *reals)
            self._end(3 - (self.seat if len(ends) > 1 else ends[0]), "tl.won-treasure")
            if len(ends) > 1:
                self.how = "tl.won-both-treasures"
            return pending
        for seat, reals in lost.items():
            pending = yield from self.stack(pending, seat, reals)
        return pending

    def stack(self, pending: Any, seat: int, reals: list[Real]) -> Steps:
        """One player puts several lost cards on the own pile, in any order; a single one goes by itself."""
        if len(reals) > 1:
            yield pending
            reals = [self.box[serial] for serial in self.mind.order("stack", [real.serial for real in reals])]
            pending = Stack(seat, tuple(real.card.id for real in reals))
        hand = self.sides[seat].hand
        self.stories[seat].out(*(real.card for real in reals if real in hand))
        self.sides[seat].hand = [real for real in hand if real not in reals]
        self.limbo = [real for real in self.limbo if real not in reals]
        self.put(seat, *reals)
        return pending

    # --- the four actions

    def do_draw(self, side: Side) -> Steps:
        self.spent += 1
        side.hand.append(side.deck.pop())
        self.stories[side.seat].drew()
        return Draw(side.seat)
        yield

    def do_lay(self, side: Side, serial: int, column: int, row: int) -> Steps:
        self.spent += 1
        real = self.box[serial]
        side.hand.remove(real)
        self.stories[side.seat].hidden(real)
        real.up = False
        side.columns[column - 1].insert(row - 1, real)
        own = real.card.deck is side.role
        told = None if own and self.mind.number("back", [0, 1]) else real.card.deck
        return Lay(side.seat, column, row, told)
        yield

    def do_lead(self, side: Side, serial: int, column: int) -> Steps:
        real = self.box[serial]
        side.hand.remove(real)
        self.stories[side.seat].out(real.card)
        real.up = real.seen = True
        side.columns[column - 1].insert(0, real)
        self.points = 4
        return Lead(side.seat, column)
        yield

    def do_challenge(self, side: Side, column: int) -> Steps:
        self.spent += 1
        told = column if self.mind.number("told", [0, 1]) else None
        event = Challenge(side.seat, column, told)
        return (yield from self.fight(event, side, column, self.enemy(side.seat).columns[column - 1][0]))

    def do_end(self, side: Side) -> Steps:
        self._begin(3 - side.seat)
        return EndTurn(side.seat)
        yield

    def do_stuck(self, side: Side) -> Steps:
        """TL-E5: the hand shows it, and somebody says so."""
        yield Stuck(side.seat)
        self._end(3 - side.seat, "tl.won-stuck")
        return Decide(self.entry(), Decision.UPHOLD, "the hand was shown")

    def fight(self, pending: Any, side: Side, column: int, target: Real) -> Steps:
        """A challenge, once announced. TL-C16 to TL-C24."""
        mine = side.columns[column - 1][0]
        pending = yield from self.turn_up(pending, [mine, target])
        if target.kind is Kind.NIGHTMARE:
            return (yield from self.wipe(pending, column))
        for real in self.beaten(side.seat, mine, target):
            self.lose(real)
        return pending

    def beaten(self, seat: int, mine: Real, target: Real) -> tuple[Real, ...]:
        """Who is lost; the challenger's card first."""
        if target.kind is Kind.SHIELD_WALL:
            return (target,) if mine.kind is Kind.ARCHER else (mine,)
        if target.card.strength is None:
            return (target,)
        kinds = {mine.kind, target.kind}
        if kinds == {Kind.FRIGG, Kind.CHAMPION}:
            return (target,)
        attack, defence = mine.card.strength or 0, target.card.strength
        if mine.kind is Kind.WARRIORS and self.rules(seat, Kind.BERSERKER):
            attack = 6
        if target.kind is Kind.WARRIORS and self.rules(3 - seat, Kind.BERSERKER):
            defence = 3
        if attack == defence:
            own, other = self.rules(seat, Kind.IDUNN), self.rules(3 - seat, Kind.IDUNN)
            return (mine, target) if own is other else (target,) if own else (mine,)
        return (target,) if attack > defence else (mine,)
