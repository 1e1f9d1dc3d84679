"""Who plays at the dealer's table: chance with a temper, and a script of what was decided before."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

from rules.thunder_and_lightning.components import HAND_LIMIT, Kind, Role
from rules.thunder_and_lightning.events import Spot
from tests.rules.thunder_and_lightning.cards import Real, Side
from tests.rules.thunder_and_lightning.dealer import Table

Action = tuple[Any, ...]

TEMPERS: tuple[dict[str, float], ...] = (
    {},
    {"draw": 4, "lay": 1, "challenge": 0.2},
    {"draw": 6, "lay": 0.3, "challenge": 0.05, "play": 0.2},
    {"draw": 0.3, "lay": 2, "challenge": 3},
    {"play": 4, "draw": 3},
    {"lay": 4, "draw": 4, "challenge": 0.02, "play": 0.5},
    {"challenge": 0.05, "play": 2, "draw": 4, "lay": 0.5},
)
"""What a player likes; 1 for what is not named."""


def moves(table: Table, owner: int) -> list[tuple[Spot, Spot]]:
    """Every move of one card of a side to another place. TL-V1 to TL-V11."""
    side = table.sides[owner]
    found: list[tuple[Spot, Spot]] = []
    for column, cards in enumerate(side.columns, start=1):
        for row, real in enumerate(cards, start=1):
            if real.up and real.kind is Kind.LEADER:
                continue
            for to in (1, 2, 3):
                rest = [each for each in side.columns[to - 1] if each is not real]
                for place in range(1, len(rest) + 2):
                    blocked = place == 1 and rest and rest[0].up and rest[0].kind is Kind.LEADER
                    if len(rest) < 4 and not blocked and (to, place) != (column, row):
                        found.append(((owner, column, row), (owner, to, place)))
    return found


def facing(table: Table, side: Side, column: int) -> bool:
    """A challenge is legal here, by what the cards really are."""
    mine, theirs = side.columns[column - 1], table.enemy(side.seat).columns[column - 1]
    return bool(mine and theirs) and side.turns > 1 and not mine[0].barred and not table.enemy(side.seat).led(column)


def weapon_targets(table: Table, side: Side, weapon: Real) -> list[Spot]:
    """TL-J2 to TL-J7; by option Gungnir takes Loki, whoever throws it."""
    found: list[Spot] = []
    printed = weapon.card.deck is Role.LOKI and table.options.gungnir_removes == "loki"
    prey = Role.LOKI if printed else side.role.other
    for owner, whole in table.sides.items():
        for column, cards in enumerate(whole.columns, start=1):
            for row, real in enumerate(cards, start=1):
                leader = real.kind is Kind.LEADER and whole.role is prey and real.up
                wall = real.kind is Kind.SHIELD_WALL and owner != side.seat
                if (leader or wall) and (real.up or table.options.weapon_target == "guess"):
                    found.append((owner, column, row))
    return found


def uses(table: Table, side: Side, real: Real) -> list[Action]:
    """Every legal way to play this card from the hand: (use, at, to)."""
    seat, enemy = side.seat, table.enemy(side.seat)
    idle = table.options.empty_powers
    fields = [(enemy.seat, column, 1) for column in (1, 2, 3) if enemy.columns[column - 1]]
    match real.kind:
        case Kind.BALDR:
            return [("", at, to) for at, to in moves(table, seat)]
        case Kind.VALKYRIES:
            return [("", at, to) for at, to in moves(table, enemy.seat)]
        case Kind.BERSERKER | Kind.IDUNN:
            return [] if table.rules(enemy.seat, real.kind) else [("", None, None)]
        case Kind.FREYA:
            fit = enemy.pile and enemy.pile[-1].card.strength in range(1, 8)
            return [("", None, None)] if fit else []
        case Kind.FRIGG:
            columns = [at for at in fields if idle or any(not each.up for each in enemy.columns[at[1] - 1])]
            return [("column", at, None) for at in columns] + ([("hand", None, None)] if enemy.hand or idle else [])
        case Kind.WEAPON:
            return [("", at, None) for at in weapon_targets(table, side, real)]
        case Kind.HEL:
            return [("", None, None)] if side.pile or idle else []
        case Kind.LONGSHIPS:
            fit = any(each.kind in (Kind.WARRIORS, Kind.ARCHER) for each in side.pile)
            return [("", None, None)] if fit or idle else []
        case Kind.ODIN:
            return [("", None, None)] if idle or any(each.kind is Kind.RAVENS for each in side.pile) else []
        case Kind.SEER:
            return [("", None, None)] if idle or enemy.deck else []
        case Kind.RAVENS if side.turns > 1:
            own = [(seat, column, 1) for column in (1, 2, 3) if side.led(column)]
            return [("row", at, None) for at in fields + own] + ([("hand", None, None)] if enemy.hand else [])
        case Kind.VIDARR if side.turns > 1:
            flanks = [
                column for column in (1, 3) if side.columns[column - 1] and not side.columns[column - 1][0].barred
            ]
            return [
                ("", (seat, column, 1), (enemy.seat, column, row))
                for column in flanks
                for row, target in enumerate(enemy.columns[column - 1], start=1)
                if not (target.up and target.kind is Kind.LEADER)
            ]
    return []


def legal(table: Table, side: Side) -> dict[str, list[Action]]:
    """Everything that the player on turn may do, by what it is."""
    found: dict[str, list[Action]] = {}
    open_columns = [column for column in (1, 2, 3) if side.room(column)]
    leader = next((real for real in side.hand if real.kind is Kind.LEADER), None)
    if leader is not None and open_columns and (table.left or table.options.leader_after_last_point):
        found["lead"] = [("lead", leader.serial, column) for column in open_columns]
    if not table.left:
        return found | {"end": [("end",)]}
    if side.deck and len(side.hand) < HAND_LIMIT:
        found["draw"] = [("draw",)]
    found["lay"] = [
        ("lay", real.serial, column, row)
        for real in side.hand
        if real.kind is not Kind.LEADER
        for column in open_columns
        for row in range(1 + side.led(column), len(side.columns[column - 1]) + 2)
    ]
    found["challenge"] = [("challenge", column) for column in (1, 2, 3) if facing(table, side, column)]
    for real in side.hand:
        if real.card.symbol:
            for use in uses(table, side, real):
                found.setdefault(f"play {real.kind} {use[0]}", []).append(("play", real.serial, *use))
    return {what: actions for what, actions in found.items() if actions}


class Chance:
    """Random legal play. Everything decided is kept in `script`, so that the same can be decided again."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.tempers = [self.chance.choice(TEMPERS) for _ in range(2)]
        self.script: list[Any] = []

    def _kept(self, decision: Any) -> Any:
        self.script.append(decision)
        return decision

    def first_row(self, table: Table, side: Side) -> list[int]:
        fit = [real.serial for real in side.hand if real.kind is not Kind.LEADER]
        return list(self._kept(tuple(self.chance.sample(fit, 3))))

    def action(self, table: Table, side: Side) -> Action:
        return self._kept(self.pick(legal(table, side), side))  # type: ignore[no-any-return]

    def pick(self, choices: dict[str, list[Action]], side: Side) -> Action:
        """One of the choices; none at all means stuck, but a leader is played before that is said."""
        if not choices:
            return ("stuck",)
        temper = self.tempers[side.seat - 1]
        names = sorted(choices)
        weights = [temper.get(name.split()[0], 1) * (0.25 if name == "lead" else 1) for name in names]
        return self.chance.choice(choices[self.chance.choices(names, weights)[0]])

    def order(self, what: str, serials: list[int]) -> list[int]:
        return list(self._kept(tuple(self.chance.sample(serials, len(serials)))))

    def number(self, what: str, choices: list[int]) -> int:
        return self._kept(self.chance.choice(choices))  # type: ignore[no-any-return]


class Script:
    """Decides what was decided before, by the numbers of the cards; the faces may be others.

    Raises:
        Otherwise: what was decided cannot be done, or not legally, with these cards.
    """

    def __init__(self, script: Iterable[Any]) -> None:
        self.script = iter(script)

    def _next(self, what: str, fits: Callable[[Any], bool]) -> Any:
        decided = next(self.script, None)
        try:
            fine = decided is not None and fits(decided)
        except (TypeError, ValueError):
            fine = False
        if not fine:
            raise Otherwise(what)
        return decided

    def first_row(self, table: Table, side: Side) -> list[int]:
        fit = {real.serial for real in side.hand if real.kind is not Kind.LEADER}
        return list(self._next("first row", lambda serials: set(serials) <= fit))

    def action(self, table: Table, side: Side) -> Action:
        choices = legal(table, side) or {"stuck": [("stuck",)]}
        legally = [action for actions in choices.values() for action in actions]
        return self._next("action", lambda action: action in legally)  # type: ignore[no-any-return]

    def order(self, what: str, serials: list[int]) -> list[int]:
        return list(self._next(what, lambda decided: sorted(decided) == sorted(serials)))

    def number(self, what: str, choices: list[int]) -> int:
        return self._next(what, lambda decided: decided in choices)  # type: ignore[no-any-return]


class Otherwise(Exception):
    """These cards do not allow what was decided."""
