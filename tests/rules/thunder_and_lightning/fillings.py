"""Fillings of the free fields of options that a real deal allows, and random events of any kind."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import msgspec

from rules.referee import Option
from rules.thunder_and_lightning.components import HAND_LIMIT, Kind, Role
from rules.thunder_and_lightning.events import (
    Challenge,
    Count,
    Deal,
    Draw,
    Drawn,
    EndTurn,
    Figure,
    Hit,
    Lay,
    Lead,
    Place,
    Play,
    Replace,
    ShowHand,
    ShuffleBack,
    Shuffled,
    Spot,
    Stack,
    Stop,
    Stuck,
    Take,
    Top,
    Treasure,
    TurnUp,
)
from tests.rules.thunder_and_lightning.dealer import Table


def possible(table: Table, event: Any) -> bool:
    """False when what an event tells of hidden cards is not so at this table; nobody must believe it then."""
    match event:
        case TurnUp(spot, card):
            return card == table.at(spot).card.id
        case Play(seat, card) | Hit(seat, card):
            return card in {real.card.id for real in table.sides[seat].hand}
        case Lead(seat):
            return any(real.kind is Kind.LEADER for real in table.sides[seat].hand)
        case ShowHand(seat, cards):
            return sorted(cards) == sorted(real.card.id for real in table.sides[seat].hand)
        case Drawn(seat, card):
            return card == table.sides[seat].deck[-1].card.id
        case Top(seat, card):
            pile = table.sides[seat].pile
            return card == (pile[-1].card.id if pile else None)
        case Take(seat, cards, count):
            kinds = table.taking
            there = [real.card.id for real in table.sides[seat].pile if real.kind in kinds]
            most = min(3, HAND_LIMIT - len(table.sides[seat].hand), len(there))
            number = len(cards) or count
            return number == most and all(cards.count(card) <= there.count(card) for card in cards)
        case Stack(seat, cards):
            hand = [real.card.id for real in table.sides[seat].hand]
            lost = [real.card.id for real in table.limbo]
            return sorted(cards) in (sorted(lost), sorted(lost + hand))
        case Lay(seat, _, _, back) if back is not None:
            return any(real.card.deck is back for real in table.sides[seat].hand)
        case Stuck(seat):
            return True
        case Treasure(seat, card):
            return card in {real.card.id for real in table.sides[seat].hand}
    return True


def truths(table: Table, event: Any, name: str, values: tuple[Any, ...] | None) -> list[Any]:
    """What a free field of this event may truly hold now."""
    seat = getattr(event, "seat", 0)
    match event, name:
        case TurnUp(spot), "card":
            return [table.at(spot).card.id]
        case Drawn(), "card":
            return [table.sides[seat].deck[-1].card.id]
        case ((Hit() | Play()), "card"):
            return sorted({real.card.id for real in table.sides[seat].hand})
        case Top(), "card":
            pile = table.sides[seat].pile
            return [pile[-1].card.id if pile else None]
        case ShowHand(), "cards":
            return [tuple(real.card.id for real in table.sides[seat].hand)]
        case Stack(), "cards":
            lost = tuple(real.card.id for real in table.limbo)
            hand = tuple(real.card.id for real in table.sides[seat].hand)
            return [lost, lost + hand]
        case Take(), "cards":
            there = [real.card.id for real in table.sides[seat].pile if real.kind in table.taking]
            most = min(3, HAND_LIMIT - len(table.sides[seat].hand), len(there))
            return [tuple(there[:most]), tuple(there[-most:] if most else ()), ()]
        case Take(), "count":
            return [0, 1, 2, 3]
        case Lay(), "back":
            return [None, *{real.card.deck for real in table.sides[seat].hand}]
        case Count(_, what), "cards":
            return [len(getattr(table.sides[seat], what))]
        case Deal(), "deck":
            return [None]
    return list(values) if values is not None else [getattr(event, name)]


def filled(table: Table, option: Option, chance: random.Random) -> Iterator[Any]:
    """Up to six fillings of an option that are true at this table."""
    names = list(option.free)
    spaces = [truths(table, option.event, name, option.free[name].values) for name in names]
    every = [dict(zip(names, values, strict=True)) for values in product(*spaces)]
    found = [msgspec.structs.replace(option.event, **values) for values in every]
    found = [event for event in found if option.permits(event) and possible(table, event)]
    yield from chance.sample(found, min(6, len(found)))


USED: dict[Kind, str] = {Kind.BALDR: "at to", Kind.VALKYRIES: "at to", Kind.VIDARR: "at to", Kind.WEAPON: "at"}
USED |= {Kind.FRIGG: "use at", Kind.RAVENS: "use at", Kind.HEL: "use"}


def trimmed(state: Any, event: Play) -> Play:
    """A play that says nothing that its power has no use for."""
    used = USED.get(state.given.cards[event.card].kind, "").split()
    if event.use == "hand":
        used = ["use"]
    blank = {name: value for name, value in (("use", ""), ("at", None), ("to", None)) if name not in used}
    return msgspec.structs.replace(event, **blank)


def random_event(state: Any, chance: random.Random) -> Any:
    """Any event of the game, sensible or not."""
    seat = chance.choice((1, 2, state.turn.seat if state.turn else 1))
    column, other = chance.choice((1, 2, 3)), chance.choice((1, 2, 3, 3, 0, 4))
    row = chance.choice((1, 1, 1, 2, 3, 4, 5, 0))
    ids = list(state.given.cards)
    card = chance.choice(ids)
    hidden: list[Spot] = [
        (side.seat, number, place)
        for side in state.sides
        for number, cards in enumerate(side.columns, start=1)
        for place, lying in enumerate(cards, start=1)
        if lying.card is None
    ]
    spot: Spot = (chance.choice((1, 2)), column, row)
    at, to = (
        chance.choice(((chance.choice((1, 2)), each, chance.choice((1, 1, 2, 3))), None)) for each in (column, other)
    )
    some = tuple(chance.choices(ids, k=chance.choice((0, 1, 2, 3))))
    makers: list[Any] = [
        lambda: Shuffled(seat),
        lambda: Deal(seat, chance.choice((1, 9, 10)), chance.choice((None, 41, 40))),
        lambda: Treasure(seat, chance.choice((card, "thor-odins-ring", "loki-treasure"))),
        lambda: Replace(seat),
        lambda: ShuffleBack(seat),
        lambda: Draw(seat),
        lambda: Lay(seat, chance.choice((column, other)), row, chance.choice((None, *Role))),
        lambda: Lead(seat, chance.choice((column, other)), row, chance.random() < 0.8),
        lambda: Challenge(seat, column, chance.choice((None, column, other)), chance.choice((1, row)), 1),
        lambda: Challenge(seat, column),
        lambda: trimmed(state, Play(seat, card, chance.choice(("", "hand", "row", "column", "loki")), at, to)),
        lambda: Play(seat, card, chance.choice(("", "hand", "row", "column", "thor")), at, to),
        lambda: TurnUp(chance.choice(hidden) if hidden else spot, chance.choice((card, card, None))),
        lambda: TurnUp(spot, card),
        lambda: ShowHand(seat, tuple(chance.choices(ids, k=state.side(seat).hand))),
        lambda: Hit(seat, card),
        lambda: Drawn(seat, card),
        lambda: Place(seat, column, chance.choice((1, 1, 1, row))),
        lambda: Stop(seat),
        lambda: Take(seat, some, chance.choice((0, 0, 1))),
        lambda: Stack(seat, some),
        lambda: EndTurn(seat),
        lambda: Stuck(seat),
        lambda: Top(seat, chance.choice((card, None, *(each.card for each in state.side(seat).pile[-2:])))),
        lambda: Count(seat, chance.choice(("hand", "deck", "pile", "sleeve")), chance.choice((6, 9, 41))),
        lambda: Figure(seat, chance.random() < 0.5),
    ]
    return chance.choice(makers)()
