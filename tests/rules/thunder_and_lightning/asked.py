"""Illegal acts about what a table waits for, or does not wait for; in set-up, and after the end."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from rules.thunder_and_lightning.components import Kind
from rules.thunder_and_lightning.events import (
    Challenge,
    Deal,
    Draw,
    Drawn,
    EndTurn,
    Hit,
    Lay,
    Lead,
    Place,
    Play,
    Replace,
    ShowHand,
    ShuffleBack,
    Stack,
    Stop,
    Take,
    Treasure,
    TurnUp,
)
from tests.rules.thunder_and_lightning.acts import KINDS, Act, Acts, lying
from tests.rules.thunder_and_lightning.watching import Watched

WAITS = {
    "challenge": "TL-C16",
    "column": "TL-G6 TL-N2",
    "strike": "TL-R8",
    "show-hand": "TL-G2",
    "hit": "TL-R16",
    "drawn": "TL-A2",
    "place": "TL-R18 TL-A4",
    "take": "TL-U1 TL-O1",
    "stack": "TL-N3 TL-N5",
    "top": "TL-M8",
    "stuck": "TL-E5",
}
"""What forbids anything else while the table waits for this."""


def try_out(watched: Watched, recent: list[Any], chance: random.Random) -> Iterator[tuple[str, Act]]:
    """Illegal acts that can be tried now, by kind: one of every kind."""
    for name, acts in _kinds(watched, recent):
        found = list(acts)
        if found:
            yield name, chance.choice(found)


def _kinds(watched: Watched, recent: list[Any]) -> Iterator[tuple[str, Acts]]:
    state, table = watched.state, watched.table
    if state.phase == "setup":
        for name, function in SET_UP.items():
            yield name, function(watched)
    elif state.phase == "over":
        yield "after the end", iter([(Draw(1), "TL-E3"), (Lay(2, 1), "TL-E3"), (EndTurn(1), "TL-E3")])
    elif state.waiting:
        kind = state.waiting[0].kind
        yield f"anything else while it waits for {kind}", _anything(watched, kind)
        if kind in ANSWERS:
            yield f"wrong answer: {kind}", ANSWERS[kind](watched)
    else:
        side, enemy = table.sides[table.seat], table.enemy(table.seat)
        yield "unasked", _unasked(watched)
        if sum(isinstance(event, Drawn) for event in recent) == 3:
            yield "fourth card of a Seer", iter([(Drawn(enemy.seat, _top(enemy)), "TL-A3")] if enemy.deck else [])
        for name, function in KINDS.items():
            yield name, function(table, side, enemy)


def _top(side: Any) -> str:
    return side.deck[-1].card.id  # type: ignore[no-any-return]


def _anything(watched: Watched, kind: str) -> Acts:
    seat, clauses = watched.table.seat, WAITS[kind]
    yield Draw(seat), clauses
    yield Lay(seat, 1), clauses
    yield Lead(seat, 2), clauses
    yield EndTurn(seat), clauses
    yield Challenge(seat, 3), clauses
    yield from (
        (Play(seat, real.card.id), clauses) for real in watched.table.sides[seat].hand if real.kind is Kind.SEER
    )
    if kind == "place":
        yield (
            Drawn(
                3 - seat, watched.table.sides[3 - seat].hand[0].card.id if watched.table.sides[3 - seat].hand else ""
            ),
            clauses,
        )


def _unasked(watched: Watched) -> Acts:
    table = watched.table
    for side in table.sides.values():
        for spot, real in lying(side):
            if not real.up:
                yield TurnUp(spot, real.card.id), "TL-P11 TL-B12"
        yield ShowHand(side.seat, tuple(real.card.id for real in side.hand)), "TL-S5"
        if side.hand:
            yield Hit(side.seat, side.hand[0].card.id), "TL-R16"
            yield Stack(side.seat, (side.hand[0].card.id,)), "TL-N3 TL-M6"
        if side.deck:
            yield Drawn(side.seat, _top(side)), "TL-A3 TL-D5"
        if side.pile:
            yield Take(side.seat, (side.pile[0].card.id,)), "TL-M6 TL-T7"
        yield Place(side.seat, 1), "TL-B11"
        yield Stop(side.seat), "TL-A3"


# --- wrong answers to what is asked


def _place(watched: Watched) -> Acts:
    waiting, table = watched.state.waiting[0], watched.table
    owner = table.sides[waiting.seat]
    yield Place(waiting.seat, 1), "TL-B11 TL-R18 TL-A4"
    yield Place(waiting.by, 1, 2), "TL-R18 TL-A4"
    for column in (1, 2, 3):
        if not owner.room(column):
            yield Place(waiting.by, column), "TL-R19" if waiting.source == "hand" else "TL-A5"
        elif owner.led(column):
            yield Place(waiting.by, column), "TL-R20" if waiting.source == "hand" else "TL-A5"


def _take(watched: Watched) -> Acts:
    waiting, table = watched.state.waiting[0], watched.table
    side = table.sides[waiting.seat]
    ships = waiting.why == "longships"
    there = [real.card.id for real in side.pile if real.kind in table.taking]
    sure = [card for card in there if all(piled.sure for piled in watched.state.side(side.seat).pile)]
    most = min(3, 12 - len(side.hand), len(there))
    number = "TL-U1 TL-U2 TL-U4" if ships else "TL-O1 TL-O2 TL-O4"
    if watched.state.options.recovered_shown:
        if sure and most:
            yield Take(side.seat, tuple(sure[: most - 1])), number
        yield Take(side.seat, tuple((there * 4)[:4] or ["thor-ravens"] * 4)), number
        other = next((real.card.id for real in side.pile if real.kind not in table.taking), None)
        if most and other is not None:
            yield Take(side.seat, (*there[: most - 1], other)), "TL-U1" if ships else "TL-O1"
    else:
        yield Take(side.seat, (), 4), number
        if there:
            yield Take(side.seat, tuple(there[:1])), number
    yield Take(3 - side.seat, tuple(there[:most])), WAITS["take"]


def _stack(watched: Watched) -> Acts:
    waiting = watched.state.waiting[0]
    cards = tuple(waiting.cards)
    if waiting.left:
        yield Stack(waiting.seat, cards), "TL-N5"
    else:
        yield Stack(waiting.seat, cards[1:]), "TL-N3"
        yield Stack(waiting.seat, (*cards, cards[0])), "TL-N3"
        strange = next(card for card in watched.state.given.cards if card not in cards)
        yield Stack(waiting.seat, (strange, *cards[1:])), "TL-N3"
    yield Stack(3 - waiting.seat, cards), WAITS["stack"]


def _show_hand(watched: Watched) -> Acts:
    seat = watched.state.waiting[0].seat
    cards = tuple(real.card.id for real in watched.table.sides[seat].hand)
    yield ShowHand(seat, cards[1:]), "TL-G2"
    yield ShowHand(seat, (*cards, cards[0])), "TL-G2"
    yield ShowHand(3 - seat, cards), WAITS["show-hand"]


def _turn_up(watched: Watched) -> Acts:
    state, table = watched.state, watched.table
    asked = {*state.waiting[0].tokens, state.waiting[0].token}
    for side in table.sides.values():
        for spot, real in lying(side):
            there = state.at(spot)
            if there.token not in asked and not real.up:
                yield TurnUp(spot, real.card.id), "TL-P11 TL-B12 " + WAITS[state.waiting[0].kind]
            elif there.token in asked and real.up:
                yield TurnUp(spot, real.card.id), "TL-C16"
            elif there.token in asked:
                other = next(card.id for card in state.given.cards.values() if card.deck is not real.card.deck)
                yield TurnUp(spot, other), "TL-Y5 TL-J1 TL-Q6"


def _drawn(watched: Watched) -> Acts:
    waiting, table = watched.state.waiting[0], watched.table
    by = table.sides[waiting.by]
    if by.deck:
        yield Drawn(by.seat, _top(by)), WAITS["drawn"]
    strange = next(card.id for card in watched.state.given.cards.values() if card.deck is by.role)
    yield Drawn(waiting.seat, strange), "TL-J1 TL-Q6"
    yield Stop(waiting.seat), WAITS["drawn"]


def _hit(watched: Watched) -> Acts:
    waiting, table = watched.state.waiting[0], watched.table
    by = table.sides[waiting.by]
    if by.hand:
        yield Hit(by.seat, by.hand[0].card.id), WAITS["hit"]


ANSWERS: dict[str, Callable[[Watched], Acts]] = {
    "place": _place,
    "take": _take,
    "stack": _stack,
    "show-hand": _show_hand,
    "challenge": _turn_up,
    "column": _turn_up,
    "strike": _turn_up,
    "drawn": _drawn,
    "hit": _hit,
}


# --- set-up


def _early(watched: Watched) -> Acts:
    for seat in (1, 2):
        yield Draw(seat), "TL-S12 TL-S11"
        yield EndTurn(seat), "TL-S12 TL-S11"
        yield Challenge(seat, 1), "TL-S12 TL-S11"


def _not_shuffled(watched: Watched) -> Acts:
    yield from ((Deal(each.seat), "TL-S3") for each in watched.state.sides if not each.shuffled)


def _ten_cards(watched: Watched) -> Acts:
    yield from ((Deal(each.seat, 10 - each.dealt), "TL-S4") for each in watched.state.sides if each.shuffled)


def _short_deck(watched: Watched) -> Acts:
    for each in watched.state.sides:
        if each.shuffled and not each.dealt:
            yield Deal(each.seat, 9, 40), "TL-K1"


def _laid_before_nine(watched: Watched) -> Acts:
    yield from ((Lay(each.seat, 1), "TL-S4 TL-S11") for each in watched.state.sides if each.dealt < 9)


def _first_row_wrong(watched: Watched) -> Acts:
    for each in watched.state.sides:
        if each.dealt == 9 and each.treasure in ("", "back") and each.field < 3:
            yield Lay(each.seat, 1, 2), "TL-S11"
            yield from ((Lay(each.seat, column), "TL-S11") for column in (1, 2, 3) if each.column(column))


def _fourth_of_the_first_row(watched: Watched) -> Acts:
    yield from ((Lay(each.seat, 2), "TL-S11") for each in watched.state.sides if each.field == 3)


def _treasure_order(watched: Watched) -> Acts:
    for each in watched.state.sides:
        if each.treasure != "shown":
            yield Replace(each.seat), "TL-S8 TL-S7"
        if each.treasure != "replaced":
            yield ShuffleBack(each.seat), "TL-S9 TL-S8"
        if each.treasure in ("shown", "replaced"):
            yield Lay(each.seat, 1), "TL-S9 TL-S8"


def _false_treasure(watched: Watched) -> Acts:
    for each in watched.state.sides:
        if each.dealt == 9:
            yield Treasure(each.seat, watched.state.given.treasure(each.role.other).id), "TL-S7 TL-Q6"
            yield Treasure(each.seat, watched.state.given.leader(each.role).id), "TL-S7 TL-Q6"


SET_UP: dict[str, Callable[[Watched], Acts]] = {
    "played before set-up is done": _early,
    "not shuffled": _not_shuffled,
    "ten cards": _ten_cards,
    "deck one card short": _short_deck,
    "laid before nine are dealt": _laid_before_nine,
    "first row laid wrongly": _first_row_wrong,
    "fourth card of the first row": _fourth_of_the_first_row,
    "treasure out of order": _treasure_order,
    "false treasure": _false_treasure,
}
