"""What must hold before a card is played for its power. Sections M, V, W, I, Y, G, J, R, A and X."""

from __future__ import annotations

from collections.abc import Callable

from rules.records import Fact
from rules.rulings import Outcome, Refusal
from rules.thunder_and_lightning.actions import place_problem
from rules.thunder_and_lightning.challenge import target_problem
from rules.thunder_and_lightning.components import CENTRE, Kind, Role
from rules.thunder_and_lightning.events import Play, Spot
from rules.thunder_and_lightning.field import is_place, taken
from rules.thunder_and_lightning.pack import Card
from rules.thunder_and_lightning.piles import backs_below, blocked
from rules.thunder_and_lightning.recovery import matching_for
from rules.thunder_and_lightning.state import ThunderAndLightningState
from rules.thunder_and_lightning.turns import refuse

__all__ = ["FIELD_POWERS", "power_problem"]

State = ThunderAndLightningState

FIELD_POWERS: dict[Kind, tuple[str, ...]] = {
    Kind.LEADER: ("TL-L6", "TL-T7"),
    Kind.TREASURE: ("TL-T7", "TL-Q5"),
    Kind.SHIELD_WALL: ("TL-K7", "TL-M3"),
    Kind.NIGHTMARE: ("TL-K7", "TL-M3"),
    Kind.ARCHER: ("TL-K7", "TL-M3"),
    Kind.CHAMPION: ("TL-M3", "TL-T7"),
    Kind.WARRIORS: ("TL-M3", "TL-T7"),
    Kind.FIGHTER: ("TL-M4", "TL-K4"),
}
"""Kinds whose power, if any, is none of the hand's, with the clauses that say so."""


def power_problem(state: State, event: Play, card: Card) -> Outcome[State] | None:
    """Why this card may not be played so; None when it may, as far as everybody sees.

    Only a card of the hand has these powers, never one on the battlefield. TL-M3, TL-G15, TL-R4.
    """
    facts: dict[str, Fact] = {"card": card.id}
    if card.kind in FIELD_POWERS:
        if card.symbol:
            return refuse(state, "tl.no-hand-power", *FIELD_POWERS[card.kind], seat=event.seat, facts=facts)
        clauses = dict.fromkeys((*FIELD_POWERS[card.kind], "TL-M4", "TL-K4"))
        return refuse(state, "tl.no-power", *clauses, seat=event.seat, facts=facts)
    if not card.symbol:
        return refuse(state, "tl.no-power", "TL-M4", "TL-K4", seat=event.seat, facts=facts)
    if not state.side(event.seat).hand:
        lying = {Kind.FRIGG: ("TL-G15",), Kind.RAVENS: ("TL-R4",)}.get(card.kind, ())
        return refuse(state, "tl.hand-empty", "TL-M3", "TL-M1", *lying, seat=event.seat)
    wrong = _CHECKS[card.kind](state, event, card)
    if wrong is None and not _told_only_what_it_needs(event, card):
        return _which(state, event, card, "tl.which-target", "TL-M5")
    return wrong


_SPOTS: dict[Kind, tuple[str, ...]] = {
    Kind.BALDR: ("at", "to"),
    Kind.VALKYRIES: ("at", "to"),
    Kind.VIDARR: ("at", "to"),
    Kind.WEAPON: ("at",),
}
_SPOTS_BY_USE = {(Kind.FRIGG, "column"): ("at",), (Kind.RAVENS, "row"): ("at",)}
_USES = (Kind.FRIGG, Kind.RAVENS, Kind.HEL)


def _told_only_what_it_needs(event: Play, card: Card) -> bool:
    """False when a use or spot is named that this power does not have: something else may be meant. TC-2."""
    wanted = {*_SPOTS.get(card.kind, ()), *_SPOTS_BY_USE.get((card.kind, event.use), ())}
    named = {name for name in ("at", "to") if getattr(event, name) is not None}
    return named <= wanted and (event.use == "" or card.kind in _USES)


def _which(state: State, event: Play, card: Card, code: str, *clauses: str) -> Outcome[State]:
    """Several things could be meant: say which. TC-2."""
    facts: dict[str, Fact] = {"card": card.id}
    return refuse(state, code, *clauses, "TC-2", seat=event.seat, facts=facts, family=Refusal.AMBIGUOUS)


def _useless(state: State, event: Play, card: Card, *clauses: str) -> Outcome[State] | None:
    """A power that achieves nothing: allowed, as points must be spent, unless an option forbids it. TL-M7."""
    if state.options.empty_powers:
        return None
    facts: dict[str, Fact] = {"card": card.id}
    return refuse(state, "tl.no-target", "TL-M7", *clauses, seat=event.seat, facts=facts, by_option=("empty_powers",))


def _no_target(state: State, event: Play, card: Card, *clauses: str) -> Outcome[State]:
    return refuse(state, "tl.no-target", *clauses, "TL-M7", seat=event.seat, facts={"card": card.id})


def _bad_spot(state: State, event: Play, spot: Spot) -> Outcome[State] | None:
    seat, column, row = spot
    if state.has_seat(seat) and is_place(column, row):
        return None
    facts: dict[str, Fact] = {"column": column, "row": row}
    return refuse(state, "tl.no-such-place", "TL-B1", "TL-B2", seat=event.seat, facts=facts)


def _nothing_there(state: State, event: Play, spot: Spot, *clauses: str) -> Outcome[State]:
    facts: dict[str, Fact] = {"owner": spot[0], "column": spot[1], "row": spot[2]}
    return refuse(state, "tl.nothing-there", *clauses, seat=event.seat, facts=facts)


def _check_active(state: State, event: Play, card: Card) -> Outcome[State] | None:
    """TL-W5, TL-I3."""
    if not blocked(state, event.seat, card):
        return None
    facts: dict[str, Fact] = {"card": card.id, "owner": state.enemy(event.seat).seat}
    clause = "TL-W5" if card.kind is Kind.BERSERKER else "TL-I3"
    return refuse(state, "tl.blocked", clause, seat=event.seat, facts=facts)


def _check_move(state: State, event: Play, card: Card) -> Outcome[State] | None:
    """Baldr moves an own card, Valkyries an enemy's, by the rules of placing; never a leader, never in front of one.
    TL-V1, TL-V2, TL-V4 to TL-V7, TL-V9 to TL-V11, TL-L12."""
    baldr = card.kind is Kind.BALDR
    placing, leader, front = ("TL-V2", "TL-V4", "TL-V5") if baldr else ("TL-V7", "TL-V9", "TL-V10")
    if event.at is None or event.to is None:
        return _which(state, event, card, "tl.which-target", "TL-V1" if baldr else "TL-V6")
    for spot in (event.at, event.to):
        bad = _bad_spot(state, event, spot)
        if bad is not None:
            return bad
    owner = event.seat if baldr else state.enemy(event.seat).seat
    stranger = next((spot[0] for spot in (event.at, event.to) if spot[0] != owner), None)
    if stranger is not None:
        facts: dict[str, Fact] = {"card": card.id, "owner": stranger}
        return refuse(state, "tl.wrong-side", "TL-V1" if baldr else "TL-V6", seat=event.seat, facts=facts)
    lying = state.at(event.at)
    if lying is None:
        return _nothing_there(state, event, event.at, "TL-M7", "TL-V1" if baldr else "TL-V6")
    if state.leads(lying):
        return refuse(state, "tl.move-leader", leader, "TL-L12", seat=event.seat, facts={"card": lying.card})
    if event.at == event.to:
        return refuse(state, "tl.no-move", "TL-M7", placing, seat=event.seat, facts={"card": card.id})
    lifted = taken(state, owner, lying.token)
    _, column, row = event.to
    if row == 1 and lifted.led(owner, column):
        facts = {"column": column, "owner": owner}
        return refuse(state, "tl.before-leader", front, "TL-V11", seat=event.seat, facts=facts)
    wrong = place_problem(lifted, owner, column, row, event.seat, placing)
    return None if wrong is None else Outcome(state, wrong.rulings)


def _check_freya(state: State, event: Play, card: Card) -> Outcome[State] | None:
    """Only with an enemy card of strength 1 to 7 on top, whatever its symbol. TL-Y2, TL-Y6, TL-Y7."""
    top = state.enemy(event.seat).top
    wanted = state.given.card(top.card) if top is not None else None
    if wanted is not None and wanted.strength:
        return None
    facts: dict[str, Fact] = {"top": None if wanted is None else wanted.id}
    return refuse(state, "tl.freya-top", "TL-Y2", seat=event.seat, facts=facts)


def _check_hel(state: State, event: Play, card: Card) -> Outcome[State] | None:
    """Hel cannot take herself; with nothing below she achieves nothing. TL-H1, TL-M2, TL-M7.

    The back of the card taken is seen in the hand, so it is told where the pile holds both. TL-Y5.
    """
    backs = backs_below(state, event.seat)
    if not backs:
        return _useless(state, event, card, "TL-H1")
    if (event.use == "" and len(backs) == 1) or event.use in backs:
        return None
    return _which(state, event, card, "tl.which-use", "TL-H1", "TL-Y5")


def _check_recovery(state: State, event: Play, card: Card) -> Outcome[State] | None:
    if matching_for(state, event.seat, card)[1]:
        return None
    return _useless(state, event, card, "TL-U2" if card.kind is Kind.LONGSHIPS else "TL-O2")


def _check_frigg(state: State, event: Play, card: Card) -> Outcome[State] | None:
    """Say which use; a look is no challenge and may be had in a first turn. TL-G1, TL-G5, TL-G7, TL-G16."""
    enemy = state.enemy(event.seat)
    if event.use == "hand":
        return None if enemy.hand else _useless(state, event, card, "TL-G2")
    if event.use != "column":
        return _which(state, event, card, "tl.which-use", "TL-G1")
    if event.at is None:
        return _which(state, event, card, "tl.which-target", "TL-G6")
    bad = _bad_spot(state, event, event.at)
    if bad is not None:
        return bad
    if event.at[0] != enemy.seat:
        facts: dict[str, Fact] = {"card": card.id, "owner": event.at[0]}
        return refuse(state, "tl.wrong-side", "TL-G6", seat=event.seat, facts=facts)
    column = enemy.column(event.at[1])
    if not column:
        return _no_target(state, event, card, "TL-G6")
    if all(lying.card is not None for lying in column):
        return _useless(state, event, card, "TL-G6")
    return None


def _check_weapon(state: State, event: Play, card: Card) -> Outcome[State] | None:
    """The enemy leader, or an enemy Shield Wall that is known as such. TL-J1 to TL-J7; never an own card. TL-B9."""
    leader, wall = ("TL-J2", "TL-J3") if card.deck is Role.THOR else ("TL-J4", "TL-J5")
    if event.at is None:
        return _which(state, event, card, "tl.which-target", leader)
    bad = _bad_spot(state, event, event.at)
    if bad is not None:
        return bad
    lying = state.at(event.at)
    if lying is None:
        return _nothing_there(state, event, event.at, "TL-M7", leader, wall)
    owner = event.at[0]
    prey = _leader_prey(state, event.seat, card)
    facts: dict[str, Fact] = {"card": card.id, "target": lying.card}
    if state.leads(lying):
        if owner == prey:
            return None
        option = ("gungnir_removes",) if card.deck is Role.LOKI else ()
        return refuse(state, "tl.weapon-target", leader, seat=event.seat, facts=facts, by_option=option)
    if owner == event.seat:
        facts = {"card": card.id, "owner": owner}
        return refuse(state, "tl.wrong-side", "TL-B9", wall, seat=event.seat, facts=facts)
    if lying.card is None:
        if state.options.weapon_target == "guess":
            return None
        option = ("weapon_target",)
        return refuse(state, "tl.weapon-face-down", "TL-J7", seat=event.seat, facts={"card": card.id}, by_option=option)
    target = state.given.cards[lying.card]
    if target.kind is not Kind.SHIELD_WALL:
        return refuse(state, "tl.weapon-target", wall, leader, seat=event.seat, facts=facts)
    return None


def _leader_prey(state: State, seat: int, card: Card) -> int:
    """Whose leader a weapon takes: the enemy's; by option Gungnir takes Loki, as printed. TL-J2, TL-J4."""
    if card.deck is Role.LOKI and state.options.gungnir_removes == "loki":
        return state.side_of(Role.LOKI).seat
    return state.enemy(seat).seat


def _check_ravens(state: State, event: Play, card: Card) -> Outcome[State] | None:
    """Not in a first turn; a target is needed. TL-R1, TL-R5 to TL-R7, TL-R15, TL-R16, TL-R27, TL-C2."""
    enemy = state.enemy(event.seat)
    assert state.turn is not None
    if event.use not in ("row", "hand"):
        return _which(state, event, card, "tl.which-use", "TL-R1")
    if state.turn.first:
        facts: dict[str, Fact] = {"kind": "ravens"}
        return refuse(state, "tl.first-turn", "TL-R5", "TL-C2", seat=event.seat, facts=facts)
    if event.use == "hand":
        return None if enemy.hand else _no_target(state, event, card, "TL-R27")
    if event.at is None:
        return _which(state, event, card, "tl.which-target", "TL-R1", "TL-R6")
    bad = _bad_spot(state, event, event.at)
    if bad is not None:
        return bad
    owner, _, row = event.at
    lying = state.at(event.at)
    if lying is None:
        return _nothing_there(state, event, event.at, "TL-R27", "TL-R6")
    if owner == event.seat:
        return (
            None
            if state.leads(lying)
            else refuse(state, "tl.own-side", "TL-R15", "TL-B9", seat=event.seat, facts={"card": card.id})
        )
    if row != 1:
        facts = {"row": 1, "target_row": row}
        return refuse(state, "tl.not-row-1", "TL-R6", "TL-C7", seat=event.seat, facts=facts)
    return None


def _check_seer(state: State, event: Play, card: Card) -> Outcome[State] | None:
    """No challenge, so also in a first turn. TL-A10."""
    return None if state.enemy(event.seat).deck else _useless(state, event, card, "TL-A1", "TL-A3")


def _check_vidarr(state: State, event: Play, card: Card) -> Outcome[State] | None:
    """A flank challenge: from an outer column's row 1 to any row of the facing column. TL-X1 to TL-X8, TL-C8."""
    assert state.turn is not None
    if event.at is None or event.to is None:
        return _which(state, event, card, "tl.which-target", "TL-X1")
    for spot in (event.at, event.to):
        bad = _bad_spot(state, event, spot)
        if bad is not None:
            return bad
    if state.turn.first:
        return refuse(state, "tl.first-turn", "TL-X8", "TL-C2", seat=event.seat, facts={"kind": "vidarr"})
    enemy = state.enemy(event.seat)
    (whose, column, row), (target, target_column, target_row) = event.at, event.to
    facts: dict[str, Fact]
    if whose != event.seat or target != enemy.seat:
        facts = {"card": card.id, "owner": whose if whose != event.seat else target}
        return refuse(state, "tl.wrong-side", "TL-X1", seat=event.seat, facts=facts)
    if column == CENTRE:
        facts = {"column": column, "target_column": target_column}
        return refuse(state, "tl.diagonal", "TL-X4", seat=event.seat, facts=facts)
    if column != target_column:
        facts = {"column": column, "target_column": target_column}
        side = "TL-X2" if (column == 1) is (state.side(event.seat).role is Role.THOR) else "TL-X3"
        return refuse(state, "tl.diagonal", side, "TL-C4", seat=event.seat, facts=facts)
    if row != 1:
        facts = {"row": row, "target_row": target_row}
        return refuse(state, "tl.not-row-1", "TL-X5", seat=event.seat, facts=facts)
    return target_problem(state, event.seat, column, target_row, "TL-X7", "TL-X9")


_CHECKS: dict[Kind, Callable[[State, Play, Card], Outcome[State] | None]] = {
    Kind.BALDR: _check_move,
    Kind.VALKYRIES: _check_move,
    Kind.BERSERKER: _check_active,
    Kind.IDUNN: _check_active,
    Kind.FREYA: _check_freya,
    Kind.FRIGG: _check_frigg,
    Kind.WEAPON: _check_weapon,
    Kind.HEL: _check_hel,
    Kind.LONGSHIPS: _check_recovery,
    Kind.ODIN: _check_recovery,
    Kind.RAVENS: _check_ravens,
    Kind.SEER: _check_seer,
    Kind.VIDARR: _check_vidarr,
}
