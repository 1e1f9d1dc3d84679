"""What only the players of a simulated match know: which card each face-down one is, their hands, the order of decks.

It follows the record: each entry moves the real cards as it says. The record never hears of it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass

from rules.events import Undo
from rules.referee import Entry
from rules.rulings import Verdict
from rules.thunder_and_lightning.components import Kind
from rules.thunder_and_lightning.events import Deal, Draw, Drawn, Hit, Lay, Lead, Play, Replace, ShuffleBack, Take
from rules.thunder_and_lightning.pack import Card
from rules.thunder_and_lightning.state import SideState, ThunderAndLightningState

__all__ = ["Real", "World", "WorldLost"]

State = ThunderAndLightningState


class WorldLost(Exception):
    """The record says what cannot be at this table, as after a correction that took no card along."""


@dataclass(frozen=True, slots=True)
class Real:
    """One piece of cardboard: what is printed on it, and the marker on its face."""

    card: Card
    marker: int


class World:
    """The real cards of both players.

    Attributes:
        deck: by seat, the top last.
        hand: by seat.
        lying: on the battlefield, by the token of the record.
        piled: by seat and the record's number; None for one that Hel took away unseen.
        held: cards between two places, such as those still to be stacked or placed.
    """

    def __init__(self, state: State, chance: random.Random) -> None:
        """Two shuffled decks.

        Raises:
            WorldLost: the cards have no markers to tell them by, or play has begun.
        """
        self._chance = chance
        self.deck: dict[int, list[Real]] = {}
        self.hand: dict[int, list[Real]] = {1: [], 2: []}
        self.lying: dict[int, Real] = {}
        self.piled: dict[int, dict[int, Real | None]] = {1: {}, 2: {}}
        self.held: list[Real] = []
        for side in state.sides:
            cards = [card for card in state.given.cards.values() if card.deck is side.role]
            deck = [Real(card, marker) for card in cards for marker in card.markers]
            if side.dealt or len(deck) != sum(card.copies for card in cards):
                raise WorldLost("the cards of the pack have no markers, or the match has begun")
            chance.shuffle(deck)
            self.deck[side.seat] = deck

    def copy(self) -> World:
        """The same cards in the same places, to come back to."""
        made = object.__new__(World)
        made._chance = self._chance
        made.deck = {seat: list(cards) for seat, cards in self.deck.items()}
        made.hand = {seat: list(cards) for seat, cards in self.hand.items()}
        made.lying = dict(self.lying)
        made.piled = {seat: dict(cards) for seat, cards in self.piled.items()}
        made.held = list(self.held)
        return made

    def pile(self, side: SideState) -> list[Real]:
        """What really lies on a pile, bottom first."""
        there = [self.piled[side.seat].get(piled.uid) for piled in side.pile]
        return [real for real in there if real is not None]

    def follow(self, entry: Entry, before: State, after: State, laid: Real | None) -> None:
        """Move the cards as an entry says; `laid` is the card that its player laid face down.

        Raises:
            WorldLost: the entry says what cannot be.
        """
        event = entry.filed.event
        if all(ruling.verdict is Verdict.REFUSED for ruling in entry.rulings):
            return
        if isinstance(event, Undo):
            raise WorldLost("an undo goes back to a copy")
        if isinstance(event, Deal | Draw | Replace):
            for _ in range(event.cards if isinstance(event, Deal) else 1):
                self.hand[event.seat].append(self.deck[event.seat].pop())
        elif isinstance(event, ShuffleBack):
            treasure = _find(self.hand[event.seat], after.given.treasure(after.side(event.seat).role).id)
            self.hand[event.seat].remove(treasure)
            self.deck[event.seat].append(treasure)
            self._chance.shuffle(self.deck[event.seat])
        elif isinstance(event, Lay):
            if laid is None or laid not in self.hand[event.seat]:
                raise WorldLost("a card was laid that nobody here laid")
            self._let_go(event.seat, laid)
        elif isinstance(event, Lead):
            self._let_go(event.seat, _find(self.hand[event.seat], after.given.leader(after.side(event.seat).role).id))
        elif isinstance(event, Play | Hit):
            self._let_go(event.seat, _find(self.hand[event.seat], event.card))
        elif isinstance(event, Drawn):
            self.held.append(self.deck[event.seat].pop())
        self._battlefield(before, after, laid)
        self._piles(after)
        if isinstance(event, Play) and after.given.cards[event.card].kind is Kind.HEL:
            self._take_secretly(after.side(event.seat), event.use)
        elif isinstance(event, Take):
            for card in event.cards:
                self._take_back(after.side(event.seat), card)
        self._put_back(after)
        for side in after.sides:
            hand = self.hand[side.seat]
            while len(hand) < side.hand and self.held:
                hand.append(self.held.pop())
            if len(hand) != side.hand:
                raise WorldLost(
                    f"{type(event).__name__}: {len(hand)} cards in a hand that has {side.hand} by the record"
                )

    def _let_go(self, seat: int, real: Real) -> None:
        self.hand[seat].remove(real)
        self.held.append(real)

    def _battlefield(self, before: State, after: State, laid: Real | None) -> None:
        was = {lying.token: lying for side in before.sides for column in side.columns for lying in column}
        now = {lying.token: lying for side in after.sides for column in side.columns for lying in column}
        for token in was.keys() - now.keys():
            if token not in self.lying:
                raise WorldLost("a card left that never lay here")
            self.held.append(self.lying.pop(token))
        for token in now.keys() - was.keys():
            card = now[token].card
            real = laid if card is None else _find(self.held, card)
            if real is None:
                raise WorldLost("a card lies face down that nobody laid")
            self.held.remove(real)
            self.lying[token] = real

    def _piles(self, after: State) -> None:
        for side in after.sides:
            there = self.piled[side.seat]
            for uid in there.keys() - {piled.uid for piled in side.pile}:
                real = there.pop(uid)
                if real is not None:
                    self.held.append(real)
        for side in after.sides:
            there = self.piled[side.seat]
            for piled in side.pile:
                if piled.uid in there:
                    continue
                if not any(real.card.id == piled.card for real in self.held):
                    self._let_go(side.seat, _find(self.hand[side.seat], piled.card))
                there[piled.uid] = _find(self.held, piled.card)
                self.held.remove(_find(self.held, piled.card))

    def _take_secretly(self, side: SideState, back: str) -> None:
        """A card goes from the pile into the hand, and only its player knows which. TL-H1, TL-H2."""
        there, hand = self.piled[side.seat], self.hand[side.seat]
        found = [(piled.uid, real) for piled in side.pile if not piled.sure and (real := there[piled.uid]) is not None]
        own = back or (side.role if any(real.card.deck is side.role for _, real in found) else side.role.other)
        found = [(uid, real) for uid, real in found if real.card.deck == own]
        if len(hand) == side.hand - 1 and not self.held and found:
            uid, real = self._chance.choice(found)
            there[uid] = None
            hand.append(real)

    def _take_back(self, side: SideState, card: str) -> None:
        """A card goes from the pile into the hand for all to see; which of equal ones, the record may leave open."""
        there = self.piled[side.seat]
        real = next((real for real in self.held if real.card.id == card), None)
        if real is None:
            uid = next((uid for uid, real in there.items() if real is not None and real.card.id == card), None)
            if uid is None:
                raise WorldLost(f"{card} is not on the pile")
            real, there[uid] = there[uid], None
        else:
            self.held.remove(real)
        assert real is not None
        self.hand[side.seat].append(real)

    def _put_back(self, after: State) -> None:
        """A card that the record took off a pile in the place of its equal, gone before, lies where that one lay."""
        for side in after.sides:
            short = side.hand - len(self.hand[side.seat])
            gone = {piled.uid: piled.card for piled in side.pile if self.piled[side.seat].get(piled.uid, 0) is None}
            for uid, card in gone.items():
                equal = next((real for real in self.held if real.card.id == card), None)
                if equal is not None and not short and not after.waiting:
                    self.piled[side.seat][uid] = equal
                    self.held.remove(equal)


def _find(reals: Iterable[Real], card: str | None) -> Real:
    """The first of these with this id."""
    for real in reals:
        if real.card.id == card:
            return real
    raise WorldLost(f"{card} is not where it should be")
