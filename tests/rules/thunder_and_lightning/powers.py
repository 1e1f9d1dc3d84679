"""What the powers do at a real table: the second half of the dealer's book of rules."""

from __future__ import annotations

from typing import Any

from rules.thunder_and_lightning.components import HAND_LIMIT, RECOVERED, SEER_CARDS, Kind
from rules.thunder_and_lightning.events import Drawn, Hit, Place, Play, ShowHand, Spot, Stop, Take, Top

Steps = Any
"""A generator that yields events; it takes the event still to be told and returns the last one, not yet told."""

CRUSHED = (None, 0, 1)
"""Strengths that Ravens take off the table."""


class Powers:
    """The powers of a `Table`."""

    box: Any
    stories: Any
    limbo: Any
    taking: Any
    sides: Any
    mind: Any
    options: Any
    asks: Any
    winner: int | None
    spent: int
    at: Any
    off: Any
    put: Any
    lose: Any
    enemy: Any
    fight: Any
    wipe: Any
    stack: Any
    turn_up: Any
    activate: Any

    def do_play(self, side: Any, serial: int, use: str = "", at: Spot | None = None, to: Spot | None = None) -> Steps:
        """A card is laid on the own pile, then its power works. TL-M1, TL-M2."""
        self.spent += 1
        real = self.box[serial]
        side.hand.remove(real)
        self.stories[side.seat].out(real.card)
        self.put(side.seat, real)
        pending = Play(side.seat, real.card.id, use, at, to)
        work: Any = getattr(self, "power_" + real.kind.replace("-", "_"))
        return (yield from work(pending, side, use, at, to))

    def power_berserker(self, pending: Any, *_: Any) -> Steps:
        return pending
        yield

    power_idunn = power_berserker

    def power_baldr(self, pending: Any, _side: Any, _use: str, at: Spot, to: Spot) -> Steps:
        real = self.at(at)
        self.off(real)
        self.sides[to[0]].columns[to[1] - 1].insert(to[2] - 1, real)
        return pending
        yield

    power_valkyries = power_baldr

    def power_weapon(self, pending: Any, _side: Any, _use: str, at: Spot, _to: Any) -> Steps:
        target = self.at(at)
        pending = yield from self.turn_up(pending, [target])
        self.lose(target)
        return pending

    def power_vidarr(self, pending: Any, side: Any, _use: str, at: Spot, to: Spot) -> Steps:
        return (yield from self.fight(pending, side, at[1], self.at(to)))

    def power_freya(self, pending: Any, side: Any, *_: Any) -> Steps:
        enemy = self.enemy(side.seat)
        side.hand.append(enemy.pile.pop())
        self.stories[enemy.seat].strip(side.hand[-1].card)
        self.stories[side.seat].known(side.hand[-1].card)
        self.activate()
        if enemy.ghosts:
            yield pending
            top = enemy.pile[-1] if enemy.pile else None
            asked = self.asks("top")
            if asked:
                self.stories[enemy.seat].top(top and top.card.id)
            pending = Top(enemy.seat, top and top.card.id) if asked else None
        self.activate()
        return pending

    def power_hel(self, pending: Any, side: Any, *_: Any) -> Steps:
        beneath = side.pile[:-1]
        if not beneath:
            return pending
        taken = self.box[self.mind.number("hel", [real.serial for real in beneath])]
        back = taken.card.deck
        strangers = any(real.card.deck is not side.role for real in (*beneath, *side.ghosts))
        side.pile.remove(taken)
        side.hand.append(taken)
        side.ghosts.append(taken)
        side.ghost_kinds.add(taken.kind)
        self.stories[side.seat].secret(None, (back,))
        tell = strangers or self.mind.number("back told", [0, 1])
        return Play(side.seat, pending.card, back.value) if tell else pending
        yield

    def power_longships(self, pending: Any, side: Any, *_: Any) -> Steps:
        return (yield from self.recover(pending, side, (Kind.WARRIORS, Kind.ARCHER)))

    def power_odin(self, pending: Any, side: Any, *_: Any) -> Steps:
        return (yield from self.recover(pending, side, (Kind.RAVENS,)))

    def recover(self, pending: Any, side: Any, kinds: tuple[Kind, ...]) -> Steps:
        """As many as there are and the hand can hold. TL-U1, TL-U4."""
        self.taking = kinds
        there = [real for real in side.pile if real.kind in kinds]
        if not there and side.ghost_kinds.isdisjoint(kinds):
            return pending
        yield pending
        if not there and not self.asks("take"):
            return None
        serials = self.mind.order("take", [real.serial for real in there])
        taken = [self.box[serial] for serial in serials[: min(RECOVERED, HAND_LIMIT - len(side.hand))]]
        for real in taken:
            side.pile.remove(real)
            side.hand.append(real)
        self.activate()
        side.ghosts += taken
        side.ghost_kinds.update(real.kind for real in taken)
        story = self.stories[side.seat]
        if self.options.recovered_shown:
            story.take([real.card.id for real in taken], kinds)
            return Take(side.seat, tuple(real.card.id for real in taken))
        backs = tuple(sorted((real.card.deck for real in taken), key=lambda back: back is side.role))
        story.secret(kinds, backs)
        return Take(side.seat, (), len(taken), sum(back is not side.role for back in backs))

    def power_frigg(self, pending: Any, side: Any, use: str, at: Spot | None, _to: Any) -> Steps:
        enemy = self.enemy(side.seat)
        if at is not None:
            return (yield from self.turn_up(pending, list(enemy.columns[at[1] - 1])))
        if not enemy.hand:
            return pending
        yield pending
        shown = [self.box[serial] for serial in self.mind.order("hand", [real.serial for real in enemy.hand])]
        pending = ShowHand(enemy.seat, tuple(real.card.id for real in shown))
        self.stories[enemy.seat].show([real.card for real in shown])
        for real in shown:
            real.seen = True
            if real.kind is Kind.CHAMPION:
                enemy.hand.remove(real)
                self.stories[enemy.seat].out(real.card)
                self.put(enemy.seat, real)
        return pending

    def power_ravens(self, pending: Any, side: Any, use: str, at: Spot | None, _to: Any) -> Steps:
        if use == "hand":
            return (yield from self.pick(pending, side))
        assert at is not None
        target = self.at(at)
        pending = yield from self.turn_up(pending, [target])
        if target.kind is Kind.NIGHTMARE:
            return (yield from self.wipe(pending, at[1]))
        if target.kind is not Kind.SHIELD_WALL and target.card.strength in CRUSHED:
            self.lose(target)
        return pending

    def pick(self, pending: Any, side: Any) -> Steps:
        """A card picked from the enemy's hand. TL-R16 to TL-R25, TL-N4."""
        yield pending
        enemy = self.enemy(side.seat)
        real = self.box[self.mind.number("pick", [each.serial for each in enemy.hand])]
        real.seen = True
        pending = Hit(enemy.seat, real.card.id)
        self.stories[enemy.seat].out(real.card)
        if real.kind is Kind.NIGHTMARE:
            enemy.hand.remove(real)
            self.limbo.append(real)
            return (yield from self.stack(pending, enemy.seat, [real, *enemy.hand]))
        plain = real.card.strength in (0, 1) and not real.card.symbol
        if plain and self.options.plain_hand_card == "kept":
            self.stories[enemy.seat].known(real.card)
            return pending
        enemy.hand.remove(real)
        if real.card.strength in CRUSHED:
            self.put(enemy.seat, real)
            return pending
        return (yield from self.place(pending, side, real))

    def place(self, pending: Any, side: Any, real: Any) -> Steps:
        """A card goes face up into an enemy row 1 of the player's choice. TL-R18 to TL-R21, TL-A4 to TL-A6."""
        enemy = self.enemy(side.seat)
        fit = [column for column in (1, 2, 3) if enemy.room(column) and not enemy.led(column)]
        if not fit:
            self.put(enemy.seat, real)
            return pending
        self.limbo.append(real)
        yield pending
        self.limbo.remove(real)
        column = self.mind.number("place", fit)
        real.up = True
        enemy.columns[column - 1].insert(0, real)
        return Place(side.seat, column)

    def power_seer(self, pending: Any, side: Any, *_: Any) -> Steps:
        """TL-A1 to TL-A9."""
        enemy = self.enemy(side.seat)
        for drawn in range(SEER_CARDS):
            if not enemy.deck or self.winner is not None:
                return pending
            yield pending
            if drawn and not self.mind.number("more", [0, 1, 1, 1]):
                return Stop(side.seat)
            real = enemy.deck.pop()
            real.seen = True
            pending = Drawn(enemy.seat, real.card.id)
            self.stories[enemy.seat].drawn(real.card)
            if (real.card.strength or 0) >= 1 and not (real.card.symbol and self.options.seer_symbol == "hand"):
                pending = yield from self.place(pending, side, real)
            elif len(enemy.hand) < HAND_LIMIT:
                enemy.hand.append(real)
                self.stories[enemy.seat].known(real.card)
            else:
                self.put(enemy.seat, real)
        return pending
