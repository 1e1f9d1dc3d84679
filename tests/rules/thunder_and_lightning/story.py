"""What everybody saw of one hand and one pile, and whether any real cards can have done just that.

Brute force: every world that fits what was seen so far is kept, and each further sight strikes out those that it does
not fit. A world says which cards are known to be in the hand, how many of it may still be any card of the deck, and
what lies on the pile. Independent of the referee's own reckoning, and only as fast as a test needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from rules.thunder_and_lightning.components import HAND_LIMIT, RECOVERED, Kind, Role
from rules.thunder_and_lightning.pack import Card

Ids = tuple[str, ...]

MANY = 500
"""Worlds that are kept at a time."""


class Entangled(Exception):
    """More worlds fit what was seen than can be kept; nothing is said then."""


class World(NamedTuple):
    """One way in which it may be.

    Attributes:
        hand: cards in the hand that are certain in this world.
        first, drawn: cards of the hand that may be any of the deck; of the nine first ones, and later ones.
        used: cards of the deck that are accounted for, once for each.
        pile: bottom first.
    """

    hand: Ids = ()
    first: int = 0
    drawn: int = 0
    used: Ids = ()
    pile: Ids = ()


@dataclass(slots=True)
class Rules:
    """What the box says: copies and kinds by card id; and whether the nine first cards are believed to be lawful."""

    cards: Mapping[str, Card]
    lawful: bool = True

    def may_be(self, world: World, card: str, role: Role) -> bool:
        """A card of the deck that nobody knew may be this one."""
        return self.cards[card].deck is role and world.used.count(card) < self.cards[card].copies


class Story:
    """The public story of one seat, written down as it happens; faces of cards laid face down come later.

    A card laid face down is told apart by the step that laid it: the same piece may be laid more than once.
    """

    def __init__(self, role: Role) -> None:
        self.role = role
        self.steps: list[tuple[Any, ...]] = []
        self.faces: dict[int, str] = {}
        self.laid: dict[int, int] = {}
        self.known_worlds: dict[tuple[Any, ...], set[World]] = {}
        self.own = 10**6

    # --- writing it down

    def drew(self, *, first: bool = False) -> None:
        self.steps.append(("draw", first))

    def hidden(self, real: Any) -> None:
        self.laid[real.serial] = len(self.steps)
        self.steps.append(("hide", len(self.steps), real.card.deck))

    def turned(self, real: Any, card: str) -> None:
        """What lay face down has come to light."""
        self.faces[self.laid[real.serial]] = card

    def out(self, *cards: Card) -> None:
        self.steps += [("out", card.id) for card in cards]

    def known(self, card: Card) -> None:
        self.steps.append(("known", card.id))

    def put(self, card: Card, *, under: bool) -> None:
        self.steps.append(("put", card.id, under))

    def strip(self, card: Card) -> None:
        self.steps.append(("strip", card.id))

    def top(self, card: str | None) -> None:
        self.steps.append(("top", card))

    def secret(self, kinds: tuple[Kind, ...] | None, backs: tuple[Role, ...]) -> None:
        self.steps.append(("secret", kinds, backs))

    def take(self, cards: list[str], kinds: tuple[Kind, ...]) -> None:
        self.steps.append(("take", tuple(cards), kinds))

    def show(self, cards: Iterable[Card]) -> None:
        self.steps.append(("show", tuple(sorted(card.id for card in cards))))

    def drawn(self, card: Card) -> None:
        self.steps.append(("seer", card.id))

    # --- asking whether it can be true

    def supposing(self, *steps: tuple[Any, ...]) -> Story:
        """The same story with something more, or with faces yet to be supposed; what is worked out is shared."""
        other = Story(self.role)
        other.steps, other.faces, other.laid = [*self.steps, *steps], dict(self.faces), dict(self.laid)
        other.known_worlds, other.own = self.known_worlds, len(self.steps)
        return other

    def possible(self, rules: Rules) -> bool:
        """True when some real cards fit everything that was seen.

        Raises:
            Entangled: too much may be.
        """
        faces = sorted(self.faces.items())
        keys = {at: (rules.lawful, at, *(face for face in faces if face[0] < at)) for at in range(0, self.own, 8)[:99]}
        begin = max((at for at, key in keys.items() if at <= len(self.steps) and key in self.known_worlds), default=0)
        worlds = self.known_worlds.get(keys[begin], {World()})
        for at in range(begin, len(self.steps)):
            worlds = {after for world in worlds for after in self._after(world, self.steps[at], rules)}
            if not worlds:
                return False
            if len(worlds) > MANY:
                raise Entangled(len(worlds))
            if at + 1 in keys and at + 1 <= self.own:
                self.known_worlds[keys[at + 1]] = worlds
        return True

    def _after(self, world: World, step: tuple[Any, ...], rules: Rules) -> Iterator[World]:
        match step:
            case ("draw", True):
                yield world._replace(first=world.first + 1)
            case ("draw", False):
                yield world._replace(drawn=world.drawn + 1)
            case ("known", card):
                yield world._replace(hand=_with(world.hand, card))
            case ("out", card):
                yield from self._left(world, card, rules)
            case ("hide", place, back):
                if place in self.faces:
                    yield from self._left(world, self.faces[place], rules)
                else:
                    yield from self._left_unseen(world, back, rules)
            case ("show", cards):
                yield from self._shown(world, cards, rules)
            case ("seer", card):
                if rules.may_be(world, card, self.role):
                    yield world._replace(used=_with(world.used, card))
            case ("put", card, under):
                yield world._replace(pile=(card, *world.pile) if under else (*world.pile, card))
            case ("strip", card):
                if world.pile[-1:] == (card,):
                    yield world._replace(pile=world.pile[:-1])
            case ("top", card):
                if (world.pile[-1] if world.pile else None) == card:
                    yield world
            case ("take", cards, kinds):
                yield from _recovered(world, cards, kinds, rules)
            case ("secret", kinds, backs):
                if kinds is None or _most(world, kinds, rules) == len(backs):
                    worlds = {world}
                    for back in backs:
                        worlds = {after for each in worlds for after in _taken(each, kinds, back, rules)}
                    yield from worlds

    def _left(self, world: World, card: str, rules: Rules) -> Iterator[World]:
        """A known card left the hand. One known to be there will do; else one that may be any."""
        if card in world.hand:
            yield world._replace(hand=_without(world.hand, card))
        elif rules.may_be(world, card, self.role):
            used = _with(world.used, card)
            late = rules.lawful and rules.cards[card].kind is Kind.TREASURE
            if world.first and not late:
                yield world._replace(first=world.first - 1, used=used)
            elif world.drawn:
                yield world._replace(drawn=world.drawn - 1, used=used)

    def _left_unseen(self, world: World, back: Role, rules: Rules) -> Iterator[World]:
        """A card left face down: any with this back."""
        for card in set(world.hand):
            if rules.cards[card].deck is back:
                yield world._replace(hand=_without(world.hand, card))
        if back is self.role and world.first:
            yield world._replace(first=world.first - 1)
        elif back is self.role and world.drawn:
            yield world._replace(drawn=world.drawn - 1)

    def _shown(self, world: World, cards: Ids, rules: Rules) -> Iterator[World]:
        """The whole hand was seen."""
        rest = Counter(cards)
        rest.subtract(world.hand)
        if min(rest.values(), default=0) < 0 or rest.total() != world.first + world.drawn:
            return
        late = sum(count for card, count in rest.items() if rules.cards[card].kind is Kind.TREASURE)
        if rules.lawful and late > world.drawn:
            return
        used = world.used
        for card in rest.elements():
            if not rules.may_be(world._replace(used=used), card, self.role):
                return
            used = _with(used, card)
        yield world._replace(hand=cards, first=0, drawn=0, used=used)


def _with(cards: Ids, card: str) -> Ids:
    return tuple(sorted((*cards, card)))


def _without(cards: Ids, card: str) -> Ids:
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def _fits(card: str, kinds: tuple[Kind, ...] | None, rules: Rules) -> bool:
    return kinds is None or rules.cards[card].kind in kinds


def _taken(world: World, kinds: tuple[Kind, ...] | None, back: Role, rules: Rules) -> Iterator[World]:
    """A card with this back, below the top, taken unseen."""
    for place, card in enumerate(world.pile[:-1]):
        if _fits(card, kinds, rules) and rules.cards[card].deck is back:
            pile = world.pile[:place] + world.pile[place + 1 :]
            yield world._replace(hand=_with(world.hand, card), pile=pile)


def _most(world: World, kinds: tuple[Kind, ...], rules: Rules) -> int:
    there = sum(_fits(card, kinds, rules) for card in world.pile)
    held = len(world.hand) + world.first + world.drawn
    return min(there, RECOVERED, HAND_LIMIT - held)


def _recovered(world: World, cards: Ids, kinds: tuple[Kind, ...], rules: Rules) -> Iterator[World]:
    """Cards taken for all to see, as many as there are; of equal ones any may have been meant."""
    if len(cards) != _most(world, kinds, rules):
        return
    worlds = {world}
    for card in cards:
        worlds = {
            each._replace(hand=_with(each.hand, card), pile=each.pile[:place] + each.pile[place + 1 :])
            for each in worlds
            for place, there in enumerate(each.pile)
            if there == card
        }
    yield from worlds
