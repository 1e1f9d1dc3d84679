"""Illegal acts that everybody at the table can see: each kind with the clauses that forbid it.

A kind looks at a real table, after everything that was told, and gives the acts of that kind that can be tried there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rules.thunder_and_lightning.components import Kind
from rules.thunder_and_lightning.events import (
    Challenge,
    Deal,
    Draw,
    EndTurn,
    Lay,
    Lead,
    Play,
    Shuffled,
    Stuck,
)
from tests.rules.thunder_and_lightning.cards import Real, Side
from tests.rules.thunder_and_lightning.dealer import Table

Act = tuple[Any, str]
"""An event, and the clauses of which the refusal must cite at least one, with spaces between."""
Acts = Iterator[Act]

KINDS: dict[str, Callable[[Table, Side, Side], Acts]] = {}
"""Kinds that can be tried in a turn with nothing waited for; with the side on turn and the other."""

BARRED = {
    Kind.LEADER: "TL-C10 TL-L13",
    Kind.TREASURE: "TL-C11 TL-Q4",
    Kind.SHIELD_WALL: "TL-C12 TL-Z3",
    Kind.NIGHTMARE: "TL-C13 TL-N1",
}


def kind(function: Callable[[Table, Side, Side], Acts]) -> Callable[[Table, Side, Side], Acts]:
    KINDS[function.__name__] = function
    return function


def held(side: Side, *kinds: Kind) -> list[Real]:
    """Cards of these kinds that the player really holds and that have the symbol."""
    return [real for real in side.hand if real.kind in kinds and real.card.symbol]


def lying(side: Side) -> Iterator[tuple[tuple[int, int, int], Real]]:
    for column, cards in enumerate(side.columns, start=1):
        for row, real in enumerate(cards, start=1):
            yield (side.seat, column, row), real


@kind
def out_of_turn(table: Table, side: Side, enemy: Side) -> Acts:
    seat = enemy.seat
    yield Draw(seat), "TL-T2"
    yield Lay(seat, 1), "TL-T2"
    yield Lead(seat, 1), "TL-T2"
    yield Challenge(seat, 1), "TL-T2"
    yield EndTurn(seat), "TL-T2"
    yield from ((Play(seat, real.card.id), "TL-T2") for real in held(enemy, Kind.SEER, Kind.ODIN, Kind.IDUNN))


@kind
def no_points_left(table: Table, side: Side, enemy: Side) -> Acts:
    if not table.left:
        yield Draw(side.seat), "TL-T13"
        yield Lay(side.seat, 1, 1), "TL-T13"
        yield Challenge(side.seat, 2), "TL-T13"
        yield from ((Play(side.seat, real.card.id), "TL-T13") for real in held(side, Kind.SEER, Kind.LONGSHIPS))
        if not table.options.leader_after_last_point:
            yield Lead(side.seat, 1), "TL-L18"


@kind
def turn_ended_with_points_left(table: Table, side: Side, enemy: Side) -> Acts:
    if table.left:
        yield EndTurn(side.seat), "TL-T10"


@kind
def drawn_from_an_empty_deck(table: Table, side: Side, enemy: Side) -> Acts:
    if table.left and not side.deck and len(side.hand) < 12:
        yield Draw(side.seat), "TL-D2"


@kind
def thirteenth_card(table: Table, side: Side, enemy: Side) -> Acts:
    if table.left and len(side.hand) == 12:
        yield Draw(side.seat), "TL-D3 TL-D4"


@kind
def fifth_card_in_a_column(table: Table, side: Side, enemy: Side) -> Acts:
    if table.left and side.hand and side.field < 12:
        for column in (1, 2, 3):
            if not side.room(column):
                yield Lay(side.seat, column, 4), "TL-P7 TL-B2"
                yield Lay(side.seat, column, 2), "TL-P7 TL-B2"
                yield Lead(side.seat, column), "TL-L8"


@kind
def thirteenth_on_the_field(table: Table, side: Side, enemy: Side) -> Acts:
    if table.left and side.hand and side.field == 12:
        yield Lay(side.seat, 2, 2), "TL-B3"
        yield Lead(side.seat, 2), "TL-L9"


@kind
def gap(table: Table, side: Side, enemy: Side) -> Acts:
    if table.left and side.hand:
        for column in (1, 2, 3):
            if len(side.columns[column - 1]) < 3:
                yield Lay(side.seat, column, len(side.columns[column - 1]) + 2), "TL-B7"


@kind
def no_such_place(table: Table, side: Side, enemy: Side) -> Acts:
    if table.left and side.hand:
        yield Lay(side.seat, 4), "TL-B1"
        yield Lay(side.seat, 1, 5), "TL-B2"
        yield Lead(side.seat, 0), "TL-B1"
        if not table.first:
            yield Challenge(side.seat, 4), "TL-B1"


@kind
def laid_before_the_leader(table: Table, side: Side, enemy: Side) -> Acts:
    if table.left and side.hand:
        for column in (1, 2, 3):
            if side.led(column) and side.room(column):
                yield Lay(side.seat, column, 1), "TL-P9 TL-L7"


@kind
def challenge_in_the_first_turn(table: Table, side: Side, enemy: Side) -> Acts:
    if table.left and table.first:
        seat = side.seat
        yield Challenge(seat, 1), "TL-C1"
        for real in held(side, Kind.RAVENS):
            yield Play(seat, real.card.id, "row", (enemy.seat, 1, 1)), "TL-R5"
            yield Play(seat, real.card.id, "hand"), "TL-R5"
        for real in held(side, Kind.VIDARR):
            yield Play(seat, real.card.id, "", (seat, 1, 1), (enemy.seat, 1, 1)), "TL-X8"


@kind
def diagonal(table: Table, side: Side, enemy: Side) -> Acts:
    if table.left and not table.first:
        yield Challenge(side.seat, 1, 2), "TL-C4"
        yield Challenge(side.seat, 3, 1), "TL-C4"


@kind
def not_row_one(table: Table, side: Side, enemy: Side) -> Acts:
    if table.left and not table.first:
        yield Challenge(side.seat, 1, None, 2), "TL-C7"
        yield Challenge(side.seat, 2, 2, 1, 2), "TL-C7"


@kind
def nothing_to_challenge(table: Table, side: Side, enemy: Side) -> Acts:
    if table.left and not table.first:
        for column in (1, 2, 3):
            if not side.columns[column - 1] or not enemy.columns[column - 1]:
                yield Challenge(side.seat, column), "TL-C3"


@kind
def leader_challenged(table: Table, side: Side, enemy: Side) -> Acts:
    if table.left and not table.first:
        for column in (1, 2, 3):
            mine = side.columns[column - 1]
            if enemy.led(column) and mine and not (mine[0].up and mine[0].barred):
                yield Challenge(side.seat, column), "TL-L14"
                for real in held(side, Kind.VIDARR) if column != 2 else ():
                    yield Play(side.seat, real.card.id, "", (side.seat, column, 1), (enemy.seat, column, 1)), "TL-X7"


@kind
def challenge_by_a_card_that_is_seen_to_be_barred(table: Table, side: Side, enemy: Side) -> Acts:
    if table.left and not table.first:
        for column in (1, 2, 3):
            mine = side.columns[column - 1]
            if mine and mine[0].up and mine[0].barred and enemy.columns[column - 1]:
                clauses = BARRED.get(mine[0].kind, "TL-C9 TL-P3")
                yield Challenge(side.seat, column), clauses
                for real in held(side, Kind.VIDARR) if column != 2 else ():
                    yield Play(side.seat, real.card.id, "", (side.seat, column, 1), (enemy.seat, column, 1)), clauses


@kind
def power_without_symbol(table: Table, side: Side, enemy: Side) -> Acts:
    if table.left:
        plain = [real for real in side.hand if not real.card.symbol]
        yield from ((Play(side.seat, real.card.id), "TL-M4 TL-K4 TL-M3") for real in plain)


@kind
def power_of_the_field_from_the_hand(table: Table, side: Side, enemy: Side) -> Acts:
    if table.left:
        kinds = (Kind.SHIELD_WALL, Kind.NIGHTMARE, Kind.ARCHER, Kind.TREASURE, Kind.LEADER, Kind.CHAMPION)
        clauses = "TL-K7 TL-M3 TL-T7"
        yield from ((Play(side.seat, real.card.id), clauses) for real in held(side, *kinds))


@kind
def blocked_berserker(table: Table, side: Side, enemy: Side) -> Acts:
    if table.left and table.rules(enemy.seat, Kind.BERSERKER):
        yield from ((Play(side.seat, real.card.id), "TL-W5") for real in held(side, Kind.BERSERKER))


@kind
def blocked_idunn(table: Table, side: Side, enemy: Side) -> Acts:
    if table.left and table.rules(enemy.seat, Kind.IDUNN):
        yield from ((Play(side.seat, real.card.id), "TL-I3") for real in held(side, Kind.IDUNN))


@kind
def freya_on_a_bad_top(table: Table, side: Side, enemy: Side) -> Acts:
    if table.left and not (enemy.pile and enemy.pile[-1].card.strength in range(1, 8)):
        yield from ((Play(side.seat, real.card.id), "TL-Y2") for real in held(side, Kind.FREYA))


@kind
def weapon_on_a_bad_target(table: Table, side: Side, enemy: Side) -> Acts:
    if table.left:
        for real in held(side, Kind.WEAPON):
            for spot, target in lying(enemy):
                if not target.up and table.options.weapon_target == "face up":
                    yield Play(side.seat, real.card.id, "", spot), "TL-J7"
                elif target.up and target.kind not in (Kind.SHIELD_WALL, Kind.LEADER):
                    yield Play(side.seat, real.card.id, "", spot), "TL-J2 TL-J3 TL-J4 TL-J5"
            for spot, target in lying(side):
                if target.kind is not Kind.LEADER:
                    yield Play(side.seat, real.card.id, "", spot), "TL-B9"


@kind
def ravens_on_a_bad_target(table: Table, side: Side, enemy: Side) -> Acts:
    if table.left and not table.first:
        for real in held(side, Kind.RAVENS):
            for spot, target in lying(side):
                if not (target.up and target.kind is Kind.LEADER):
                    yield Play(side.seat, real.card.id, "row", spot), "TL-R15"
            for spot, _ in lying(enemy):
                if spot[2] > 1:
                    yield Play(side.seat, real.card.id, "row", spot), "TL-R6 TL-C7"
            for column in (1, 2, 3):
                if not enemy.columns[column - 1]:
                    yield Play(side.seat, real.card.id, "row", (enemy.seat, column, 1)), "TL-R27 TL-R6"
            if not enemy.hand:
                yield Play(side.seat, real.card.id, "hand"), "TL-R27"
            yield Play(side.seat, real.card.id), "TL-R1"


@kind
def bad_move(table: Table, side: Side, enemy: Side) -> Acts:
    """By Baldr on the own side, by Valkyries on the other."""
    if not table.left:
        return
    for real in held(side, Kind.BALDR, Kind.VALKYRIES):
        baldr = real.kind is Kind.BALDR
        whose, other = (side, enemy) if baldr else (enemy, side)
        rules, leader, front = ("TL-V2", "TL-V4", "TL-V5") if baldr else ("TL-V7", "TL-V9", "TL-V10")

        def move(at: Any, to: Any, card: str = real.card.id) -> Play:
            return Play(side.seat, card, "", at, to)

        for spot, target in lying(whose):
            if target.up and target.kind is Kind.LEADER:
                yield move(spot, (whose.seat, spot[1] % 3 + 1, 1)), f"{leader} TL-L12"
                continue
            yield move(spot, spot), "TL-M7"
            for column in (1, 2, 3):
                there = [each for each in whose.columns[column - 1] if each is not target]
                if len(there) == 4:
                    yield move(spot, (whose.seat, column, 4)), f"{rules} TL-P7 TL-B3"
                elif len(there) + 2 <= 4:
                    yield move(spot, (whose.seat, column, len(there) + 2)), f"{rules} TL-B7"
                if there and there[0].up and there[0].kind is Kind.LEADER:
                    yield move(spot, (whose.seat, column, 1)), f"{front} TL-V11"
        for spot, _ in lying(other):
            yield move(spot, (other.seat, spot[1], spot[2] % 4 + 1)), "TL-V1 TL-V6"


@kind
def bad_flank(table: Table, side: Side, enemy: Side) -> Acts:
    if table.left and not table.first:
        for real in held(side, Kind.VIDARR):

            def flank(at: Any, to: Any, card: str = real.card.id) -> Play:
                return Play(side.seat, card, "", at, to)

            yield flank((side.seat, 2, 1), (enemy.seat, 2, 1)), "TL-X4"
            yield flank((side.seat, 1, 1), (enemy.seat, 3, 1)), "TL-X2 TL-X3 TL-C4"
            yield flank((side.seat, 3, 1), (enemy.seat, 2, 1)), "TL-X2 TL-X3 TL-C4"
            yield flank((side.seat, 1, 2), (enemy.seat, 1, 1)), "TL-X5"
            yield flank((enemy.seat, 1, 1), (side.seat, 1, 1)), "TL-X1"


@kind
def leader_played_wrongly(table: Table, side: Side, enemy: Side) -> Acts:
    leader = next((real for real in side.hand if real.kind is Kind.LEADER), None)
    if leader is not None and table.left and side.field < 12:
        column = next(each for each in (1, 2, 3) if side.room(each))
        yield Lead(side.seat, column, 2), "TL-L6"
        yield Lead(side.seat, column, 1, False), "TL-L5"


@kind
def leader_played_twice(table: Table, side: Side, enemy: Side) -> Acts:
    out = any(real.kind is Kind.LEADER and real.up for _, real in lying(side))
    if out and table.left and side.field < 12 and side.hand:
        yield Lead(side.seat, next(each for each in (1, 2, 3) if side.room(each))), "TL-K5"


@kind
def falsely_stuck(table: Table, side: Side, enemy: Side) -> Acts:
    if table.left:
        if (side.deck and len(side.hand) < 12) or (len(side.hand) > 1 and side.field < 12):
            yield Stuck(side.seat), "TL-E9"
        elif any(cards and cards[0].up and table.may_face(side.seat, n) for n, cards in enumerate(side.columns, 1)):
            yield Stuck(side.seat), "TL-E9 TL-C6"


@kind
def set_up_again(table: Table, side: Side, enemy: Side) -> Acts:
    yield Shuffled(side.seat), "TL-S13 TL-S12"
    yield Deal(enemy.seat, 1), "TL-S13 TL-S12"


@kind
def frigg_used_wrongly(table: Table, side: Side, enemy: Side) -> Acts:
    if table.left:
        for real in held(side, Kind.FRIGG):
            yield Play(side.seat, real.card.id), "TL-G1"
            yield Play(side.seat, real.card.id, "column", (side.seat, 1, 1)), "TL-G6"
            for column in (1, 2, 3):
                if not enemy.columns[column - 1]:
                    yield Play(side.seat, real.card.id, "column", (enemy.seat, column, 1)), "TL-G6"
