"""Cards played from the hand for their power, and what they do. Section M and those of the powers."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from rules.records import Fact
from rules.rulings import Outcome, Ruling, accepted
from rules.thunder_and_lightning.challenge import announce
from rules.thunder_and_lightning.components import SEER_CARDS, Kind, Role
from rules.thunder_and_lightning.events import Play
from rules.thunder_and_lightning.field import face_down, put, taken
from rules.thunder_and_lightning.knowledge import into_hand, known_card, out_of_hand
from rules.thunder_and_lightning.legality import power_problem
from rules.thunder_and_lightning.pack import Card
from rules.thunder_and_lightning.piles import beaten, discard, loss_clauses, top_taken
from rules.thunder_and_lightning.recovery import IN_VAIN, hel, recover
from rules.thunder_and_lightning.state import ThunderAndLightningState, Waiting
from rules.thunder_and_lightning.strikes import resolve_strike
from rules.thunder_and_lightning.turns import cited, guard, spent

__all__ = ["play"]

State = ThunderAndLightningState
Step = tuple[State, tuple[Ruling, ...]]


def play(state: State, event: Play, seq: int) -> Outcome[State]:
    """A card of the hand goes on its player's pile for its power, for one point. TL-K6, TL-M1, TL-M2, TL-M3.

    It lies on the pile before its power works (TL-M2): so it no longer counts as held and covers what lay on top.
    """
    seat = event.seat
    problem = guard(state, seat)
    if problem is not None:
        return Outcome(state, (problem,))
    card = known_card(state, event.card, seat)
    if isinstance(card, Ruling):
        return Outcome(state, (card,))
    wrong = power_problem(state, event, card)
    if wrong is not None:
        return wrong
    learnt = out_of_hand(state, seat, card, seq)
    if learnt.problem is not None:
        return Outcome(state, (learnt.problem,))
    ruled = (state.berserker, state.idunn)
    state = spent(learnt.state.with_side(seat, hand=state.side(seat).hand - 1))
    state = discard(state, seat, card)
    assert state.turn is not None
    facts: dict[str, Fact] = {"card": card.id, "points": state.turn.left}
    ruling = accepted("tl.play", "TL-M1", "TL-M2", "TL-M8", "TL-K6", "TL-T6", seat=seat, facts=facts)
    state, more = _WORKS[card.kind](state, event, card, seq)
    if state.waiting and state.waiting[0].why == "weapon":
        state = state.replace(waiting=(msgspec.structs.replace(state.waiting[0], ruled=ruled), *state.waiting[1:]))
    return Outcome(state, (ruling, *more, *learnt.findings))


def _moved(state: State, event: Play, card: Card, seq: int) -> Step:
    """TL-V1 to TL-V3, TL-V6 to TL-V8, TL-V12: a face-down card stays face down."""
    assert event.at is not None
    assert event.to is not None
    owner, column, row = event.at
    _, to_column, to_row = event.to
    lying = state.at(event.at)
    assert lying is not None
    closes = row < len(state.side(owner).column(column))
    state = put(taken(state, owner, lying.token), owner, to_column, to_row, lying)
    facts: dict[str, Fact] = {
        "card": card.id,
        "owner": owner,
        "column": column,
        "row": row,
        "to_column": to_column,
        "to_row": to_row,
    }
    baldr = card.kind is Kind.BALDR
    clauses = ("TL-V1", "TL-V2", "TL-V3") if baldr else ("TL-V6", "TL-V7", "TL-V8")
    gap = ("TL-B8",) if closes else ()
    option = ("moved_cards_seen",) if lying.card is None else ()
    return state, (accepted("tl.moved", *clauses, "TL-V12", *gap, seat=event.seat, facts=facts, by_option=option),)


def _rules_now(state: State, event: Play, card: Card, seq: int) -> Step:
    clauses = ("TL-W9", "TL-W1") if card.kind is Kind.BERSERKER else ("TL-I7", "TL-I1")
    return state, (accepted("tl.active", *clauses, seat=event.seat, facts={"card": card.id}),)


def _freya(state: State, event: Play, card: Card, seq: int) -> Step:
    """The enemy's top card goes into the own hand, to be played like any other. TL-Y1, TL-Y3, TL-Y4, TL-Y6."""
    seat, enemy = event.seat, state.enemy(event.seat).seat
    top = state.side(enemy).top
    assert top is not None
    won = state.given.cards[top.card]
    state = top_taken(state, enemy, seq)
    state = into_hand(state, seat, won, seq)
    facts: dict[str, Fact] = {"card": card.id, "taken": won.id, "hand": state.side(seat).hand}
    return state, (
        accepted("tl.freya", "TL-Y1", "TL-Y3", "TL-Y6", *(("TL-Y7",) if won.symbol else ()), seat=seat, facts=facts),
    )


def _frigg(state: State, event: Play, card: Card, seq: int) -> Step:
    """TL-G2, TL-G6."""
    seat, enemy = event.seat, state.enemy(event.seat)
    if event.use == "hand":
        facts: dict[str, Fact] = {"owner": enemy.seat, "hand": enemy.hand}
        if not enemy.hand:
            return state, (accepted("tl.spy", "TL-G2", "TL-M7", seat=seat, facts=facts, by_option=IN_VAIN),)
        waiting = Waiting("show-hand", enemy.seat, seat, seq, "frigg", card=card.id)
        ruling = accepted("tl.spy", "TL-G2", "TL-G5", seat=seat, facts=facts)
        return state.wait_for(waiting), (ruling,)
    assert event.at is not None
    column = event.at[1]
    hidden = tuple(lying.token for lying in enemy.column(column) if lying.card is None)
    if not hidden:
        facts = {"column": column}
        ruling = accepted("tl.nothing-face-down", "TL-G6", "TL-M7", seat=seat, facts=facts, by_option=IN_VAIN)
        return state, (ruling,)
    waiting = Waiting("column", enemy.seat, seat, seq, "frigg", tokens=hidden, card=card.id, column=column)
    return state.wait_for(waiting), ()


def _strike(state: State, event: Play, card: Card, seq: int, *, why: str) -> Step:
    """A card is struck; it is turned up first when it lies face down. TL-R8."""
    assert event.at is not None
    lying = state.at(event.at)
    assert lying is not None
    waiting = Waiting("strike", event.at[0], event.seat, seq, why, tokens=(lying.token,), card=card.id)
    waiting_state = state.wait_for(waiting)
    facts: dict[str, Fact] = {"card": card.id, "owner": event.at[0], "column": event.at[1], "row": event.at[2]}
    ruling = accepted("tl.strike", "TL-R6" if why == "ravens" else "TL-J7", "TL-R8", seat=event.seat, facts=facts)
    if face_down(waiting_state, [event.at]):
        return waiting_state, (ruling,)
    after, more = resolve_strike(waiting_state)
    return after, (ruling, *more)


def _ravens(state: State, event: Play, card: Card, seq: int) -> Step:
    """TL-R6, TL-R16."""
    if event.use == "row":
        return _strike(state, event, card, seq, why="ravens")
    enemy = state.enemy(event.seat)
    waiting = Waiting("hit", enemy.seat, event.seat, seq, "ravens", card=card.id)
    facts: dict[str, Fact] = {"owner": enemy.seat, "hand": enemy.hand}
    ruling = accepted("tl.pick", "TL-R16", seat=event.seat, facts=facts)
    return state.wait_for(waiting), (ruling,)


def _weapon(state: State, event: Play, card: Card, seq: int) -> Step:
    """TL-J2 to TL-J6, TL-J8: off the battlefield, onto its owner's pile; no challenge."""
    assert event.at is not None
    lying = state.at(event.at)
    assert lying is not None
    if lying.card is None:
        return _strike(state, event, card, seq, why="weapon")
    thor = card.deck is Role.THOR
    owner = event.at[0]
    facts: dict[str, Fact] = {"card": card.id, "target": lying.card, "owner": owner}
    option: tuple[str, ...] = ()
    if state.leads(lying):
        clauses: tuple[str, ...] = ("TL-J2", "TL-J6") if thor else ("TL-J4", "TL-J6")
        option = () if thor else ("gungnir_removes",)
    else:
        clauses = ("TL-J3" if thor else "TL-J5", "TL-Z4", "TL-J7")
    losing = loss_clauses(state, owner, lying, state.given.cards[lying.card])
    ruling = accepted("tl.weapon", *clauses, "TL-J1", "TL-J8", *losing, seat=event.seat, facts=facts, by_option=option)
    return beaten(state, owner, lying.token), (ruling,)


def _seer(state: State, event: Play, card: Card, seq: int) -> Step:
    """TL-A1, TL-A3."""
    enemy = state.enemy(event.seat)
    early = ("TL-A10",) if state.turn is not None and state.turn.first else ()
    ruling = accepted("tl.seer", "TL-A1", "TL-A2", "TL-A3", *early, seat=event.seat, facts={"deck": enemy.deck})
    if not enemy.deck:
        return state, (cited(ruling, ("TL-M7",), IN_VAIN),)
    waiting = Waiting("drawn", enemy.seat, event.seat, seq, "seer", card=card.id, left=SEER_CARDS)
    return state.wait_for(waiting), (ruling,)


def _vidarr(state: State, event: Play, card: Card, seq: int) -> Step:
    """The flank challenge that comes with the card. TL-X1, TL-X6, TL-X10."""
    assert event.at is not None
    assert event.to is not None
    assert state.turn is not None
    column, row = event.at[1], event.to[2]
    facts: dict[str, Fact] = {
        "column": column,
        "target_column": event.to[1],
        "target_row": row,
        "points": state.turn.left,
    }
    side = "TL-X2" if (column == 1) is (state.side(event.seat).role is Role.THOR) else "TL-X3"
    ruling = accepted("tl.challenge", "TL-X1", side, "TL-X6", "TL-X10", "TL-C8", seat=event.seat, facts=facts)
    state, more = announce(state, event.seat, column, row, seq, "flank")
    return state, (ruling, *more)


_WORKS: dict[Kind, Callable[[State, Play, Card, int], Step]] = {
    Kind.BALDR: _moved,
    Kind.VALKYRIES: _moved,
    Kind.BERSERKER: _rules_now,
    Kind.IDUNN: _rules_now,
    Kind.FREYA: _freya,
    Kind.FRIGG: _frigg,
    Kind.WEAPON: _weapon,
    Kind.HEL: hel,
    Kind.LONGSHIPS: recover,
    Kind.ODIN: recover,
    Kind.RAVENS: _ravens,
    Kind.SEER: _seer,
    Kind.VIDARR: _vidarr,
}
