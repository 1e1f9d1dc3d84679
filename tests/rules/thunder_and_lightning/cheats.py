"""Illegal acts that nobody sees at first: what is told of hidden cards is false, or the cards are not what they should.

`Supposed` asks what the referee would say, and what it should say, if another card came to light than really does.
The cheats are players that break a rule with their hidden cards, and a hand at work under the table.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from rules.thunder_and_lightning.components import Kind
from rules.thunder_and_lightning.events import Drawn, Hit, Play, ShowHand, TurnUp
from rules.thunder_and_lightning.pack import Card
from tests.rules.thunder_and_lightning.cards import Real, Side
from tests.rules.thunder_and_lightning.dealer import Table
from tests.rules.thunder_and_lightning.players import Action, Chance
from tests.rules.thunder_and_lightning.story import Rules, Story


class Supposed(NamedTuple):
    """An event that might come next, and the story that the table would then have seen of a seat."""

    event: Any
    seat: int
    story: Story


def supposed(table: Table, waiting: Any, cards: dict[str, Card], chance: random.Random) -> Iterator[Supposed]:
    """Cards that might come to light now instead of the real ones, with the right back and the right number."""
    seat = waiting.seat
    story = table.stories[seat]
    match waiting.kind:
        case "challenge" | "column" | "strike":
            for side in table.sides.values():
                for spot, real in face_down(side):
                    for card in _some(cards, real, chance):
                        changed = table.stories[side.seat].supposing()
                        changed.turned(real, card)
                        yield Supposed(TurnUp(spot, card), side.seat, changed)
        case "hit":
            for card in _some(cards, None, chance):
                yield Supposed(Hit(seat, card), seat, story.supposing(("out", card)))
        case "drawn":
            for card in _some(cards, table.sides[seat].deck[-1], chance):
                yield Supposed(Drawn(seat, card), seat, story.supposing(("seer", card)))
        case "show-hand":
            for shown in _hands(table, seat, cards, chance):
                step = ("show", tuple(sorted(shown)))
                yield Supposed(ShowHand(seat, shown), seat, story.supposing(step))


def played(table: Table, cards: dict[str, Card], chance: random.Random) -> Iterator[Supposed]:
    """Powers that need no target, played with cards that may not be in the hand."""
    free = (Kind.SEER, Kind.IDUNN, Kind.BERSERKER, Kind.ODIN, Kind.LONGSHIPS)
    ids = [card.id for card in cards.values() if card.kind in free and card.symbol]
    for card in chance.sample(ids, 3):
        yield Supposed(Play(table.seat, card), table.seat, table.stories[table.seat].supposing(("out", card)))


def face_down(side: Side) -> Iterator[tuple[tuple[int, int, int], Real]]:
    for column, there in enumerate(side.columns, start=1):
        for row, real in enumerate(there, start=1):
            if not real.up:
                yield (side.seat, column, row), real


def _some(cards: dict[str, Card], real: Real | None, chance: random.Random) -> list[str]:
    """A few cards, rare ones first: of those there are soon too many."""
    ids = [card.id for card in cards.values() if real is None or card.deck is real.card.deck]
    rare = [card for card in ids if cards[card].copies <= 2]
    return [*chance.sample(rare, 3), *chance.sample(ids, 2), *([real.card.id] if real else [])]


def _hands(table: Table, seat: int, cards: dict[str, Card], chance: random.Random) -> Iterator[tuple[str, ...]]:
    """The hand with one or two cards exchanged for others, of which some lie elsewhere."""
    hand = [real.card.id for real in table.sides[seat].hand]
    ids = list(cards)
    for number in (1, 1, 1, 1, 2):
        shown = list(hand)
        for place in chance.sample(range(len(shown)), min(number, len(shown))):
            alike = [card for card in ids if cards[card].deck is cards[shown[place]].deck]
            shown[place] = chance.choice(alike)
        yield tuple(shown)


# --- players who cheat


class Cheat(Chance):
    """Plays by chance, and once in the game does what is forbidden. `done` tells where it was done."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.done: Any = None
        self.patience = self.chance.randint(0, 25)


class BarredChallenger(Cheat):
    """Challenges with a card that may not, which lies face down."""

    def action(self, table: Table, side: Side) -> Action:
        found: list[Action] = []
        for column in (1, 2, 3):
            mine = side.columns[column - 1]
            fits = table.may_face(side.seat, column) and not mine[0].up and mine[0].barred
            if fits and mine[0].kind is not Kind.LEADER and table.left:
                found.append(("challenge", column))
                target = (3 - side.seat, column, len(table.enemy(side.seat).columns[column - 1]))
                found += [
                    ("play", real.serial, "", (side.seat, column, 1), target)
                    for real in side.hand
                    if real.kind is Kind.VIDARR and column != 2
                ]
        self.patience -= bool(found)
        if found and self.patience < 0 and self.done is None:
            action = self.chance.choice(found)
            column = action[1] if action[0] == "challenge" else action[3][1]
            self.done = side.columns[column - 1][0]
            return action
        return super().action(table, side)


class LeaderDown(Cheat):
    """Lays the leader face down; `early` among the first three, as soon as it can."""

    def first_row(self, table: Table, side: Side) -> list[int]:
        leader = next((real for real in side.hand if real.kind is Kind.LEADER), None)
        if leader is None or self.done is not None:
            return super().first_row(table, side)
        self.done = leader
        others = [real.serial for real in side.hand if real is not leader]
        return self.chance.sample([leader.serial, *self.chance.sample(others, 2)], 3)

    def action(self, table: Table, side: Side) -> Action:
        leader = next((real for real in side.hand if real.kind is Kind.LEADER), None)
        fit = [
            (column, row)
            for column in (1, 2, 3)
            if side.room(column)
            for row in range(1 + side.led(column), len(side.columns[column - 1]) + 2)
        ]
        if leader is not None and fit and table.left and self.done is None:
            self.done = leader
            return ("lay", leader.serial, *self.chance.choice(fit))
        return super().action(table, side)


class TreasureKept(Cheat):
    """Does not show the treasure that is among the first nine."""

    def number(self, what: str, choices: list[int]) -> int:
        if what == "honest":
            self.done = True
            return 0
        return super().number(what, choices)


# --- a hand under the table; True when something could be exchanged


def known_in_hand(table: Table, chance: random.Random) -> tuple[Side, list[Real]]:
    """Cards of a hand that everybody has seen, other than the leader."""
    side = table.sides[chance.choice((1, 2))]
    return side, [
        real for real in side.hand if real.seen and real.card.deck is side.role and real.kind is not Kind.LEADER
    ]


def swap_with_deck(table: Table, chance: random.Random) -> bool:
    """A card of the hand that was seen there for one of the own deck."""
    side, own = known_in_hand(table, chance)
    return bool(own and side.deck) and exchanged(chance.choice(own), chance.choice(side.deck))


def swap_with_field(table: Table, chance: random.Random) -> bool:
    """A card of the hand that was seen there for one that lies face down on the own side."""
    side, own = known_in_hand(table, chance)
    down = [real for _, real in face_down(side) if real.card.deck is side.role]
    return bool(own and down) and exchanged(chance.choice(down), chance.choice(own))


def exchanged(one: Real, two: Real) -> bool:
    one.card, two.card = two.card, one.card
    return True


def extra_copy(table: Table, chance: random.Random) -> bool:
    """A card of the hand becomes one more of a card that the box holds once or twice."""
    side = table.sides[chance.choice((1, 2))]
    own = [real for real in side.hand if real.card.deck is side.role]
    rare = [real.card for real in table.box.values() if real.card.deck is side.role and real.card.copies <= 2]
    rare = [card for card in rare if card.kind is not Kind.LEADER]
    if own:
        chance.choice(own).card = chance.choice(rare)
    return bool(own)


UNDER_THE_TABLE = (swap_with_deck, extra_copy, swap_with_field)


def believable(story: Story, rules: Rules) -> tuple[bool, bool]:
    """Whether the cards can have done what was seen; and whether the first nine were then lawful."""
    physical = story.possible(Rules(rules.cards, lawful=False))
    return physical, physical and story.possible(rules)
