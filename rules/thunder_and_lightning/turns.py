"""Whose turn it is, what may be done in it, what it costs, and how the match ends. Sections T and E."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from rules.records import Fact
from rules.referee import Result
from rules.rulings import Effect, Outcome, Refusal, Ruling, accepted, penalty, refused
from rules.thunder_and_lightning.components import BARRED, COLUMNS, FIRST_HAND, FIRST_ROW, HAND_LIMIT, Kind, Role
from rules.thunder_and_lightning.events import EndTurn, Stuck
from rules.thunder_and_lightning.pack import Card
from rules.thunder_and_lightning.state import ThunderAndLightningState, Turn, Waiting

__all__ = [
    "WAITS",
    "barred",
    "begin",
    "cited",
    "effects_between",
    "end_turn",
    "finish",
    "guard",
    "lost_treasure",
    "may_challenge",
    "next_waiting",
    "not_waited_for",
    "refuse",
    "result",
    "spent",
    "stuck",
    "waits_for",
    "won_by",
]

State = ThunderAndLightningState

WAITS: dict[str, tuple[str, ...]] = {
    "challenge": ("TL-C16",),
    "column": ("TL-G6", "TL-N2"),
    "strike": ("TL-R8",),
    "show-hand": ("TL-G2",),
    "hit": ("TL-R16",),
    "drawn": ("TL-A2",),
    "place": ("TL-R18", "TL-A4"),
    "take": ("TL-U1", "TL-O1"),
    "stack": ("TL-N3", "TL-N5"),
    "top": ("TL-M8",),
    "stuck": ("TL-E5",),
}
"""Why each kind of thing that is waited for comes first."""


def refuse(
    state: State,
    code: str,
    *clauses: str,
    seat: int | None = None,
    facts: Mapping[str, Fact] | None = None,
    family: Refusal = Refusal.ILLEGAL,
    by_option: tuple[str, ...] = (),
) -> Outcome[State]:
    """The state as it is, and why."""
    return Outcome(state, (refused(family, code, *clauses, seat=seat, facts=facts, by_option=by_option),))


def cited(ruling: Ruling, clauses: Iterable[str], by_option: tuple[str, ...] = ()) -> Ruling:
    """The ruling with further clauses that had a part in it, none named twice."""
    all_clauses = tuple(dict.fromkeys((*ruling.clauses, *clauses)))
    options = tuple(dict.fromkeys((*ruling.by_option, *by_option)))
    return msgspec.structs.replace(ruling, clauses=all_clauses, by_option=options)


def waits_for(state: State, *kinds: str) -> Waiting | None:
    """What the table waits for, when it is one of these kinds."""
    first = state.waiting[0] if state.waiting else None
    return first if first is not None and first.kind in kinds else None


def not_waited_for(state: State, kind: str, *clauses: str, seat: int | None = None) -> Outcome[State]:
    """Nothing asks for this now: it is refused, and if something else is waited for that is told."""
    seat = seat if seat is not None and state.has_seat(seat) else None
    if state.phase == "over":
        return refuse(state, "tl.over", "TC-11", "TL-E3", seat=seat)
    if state.waiting:
        first = state.waiting[0]
        facts: dict[str, Fact] = {"kind": first.kind, "owner": first.seat}
        return refuse(state, "tl.waits", *dict.fromkeys((*WAITS[first.kind], *clauses)), seat=seat, facts=facts)
    return refuse(state, "tl.not-waited-for", *clauses, seat=seat, facts={"kind": kind})


def next_waiting(state: State) -> State:
    """The first thing waited for is done."""
    return state.replace(waiting=state.waiting[1:])


def guard(state: State, seat: int, *, points: int = 1) -> Ruling | None:
    """Why this seat may not act at all now; None when it may.

    Loki begins (TL-T1), turns alternate (TL-T2), no more points are spent than there are (TL-T13).
    """
    if state.phase == "over":
        return refused(Refusal.ILLEGAL, "tl.over", "TC-11", "TL-E3", seat=None)
    if not state.has_seat(seat):
        return refused(Refusal.ILLEGAL, "tl.no-such-seat", "TL-S1", facts={"number": seat})
    turn = state.turn
    if state.phase == "setup" or turn is None:
        facts: dict[str, Fact] = {"missing": tuple(side.seat for side in state.sides if not _laid(state, side.seat))}
        return refused(Refusal.ILLEGAL, "tl.set-up-first", "TL-S12", "TL-S11", seat=seat, facts=facts)
    if state.waiting:
        first = state.waiting[0]
        facts = {"kind": first.kind, "owner": first.seat}
        return refused(Refusal.ILLEGAL, "tl.waits", *WAITS[first.kind], seat=seat, facts=facts)
    if turn.seat != seat:
        clauses = ("TL-T1", "TL-T2") if not state.side(seat).turns else ("TL-T2",)
        return refused(Refusal.ILLEGAL, "tl.not-your-turn", *clauses, seat=seat, facts={"turn": turn.seat})
    if turn.left < points:
        clauses = ("TL-T13", "TL-T16")
        return refused(Refusal.ILLEGAL, "tl.no-points", *clauses, seat=seat, facts={"points": turn.points})
    return None


def _laid(state: State, seat: int) -> bool:
    side = state.side(seat)
    return side.dealt == FIRST_HAND and side.field == FIRST_ROW


def spent(state: State) -> State:
    """One action point used. TL-T6."""
    assert state.turn is not None
    return state.replace(turn=msgspec.structs.replace(state.turn, spent=state.turn.spent + 1))


def begin(state: State, seat: int) -> tuple[State, Ruling]:
    """A turn begins: points by columns, four with the own leader. TL-T3, TL-T5, TL-L3, TL-L17, TL-P10, TL-R26.

    Two columns give two points (TL-T14). They are fixed now (TL-T4), none are kept from an earlier turn (TL-T11). A
    seat without a card on its side has lost (TL-E6, TL-E7); having none during a turn is not yet a loss (TL-E8).
    """
    side = state.side(seat)
    if not side.field:
        state = won_by(state, state.enemy(seat).seat, "tl.won-empty", "TL-E6", "TL-E7")
        return state, penalty("tl.empty-field", "TL-E6", "TL-E7", seat=seat)
    leader = state.leader_in_play(seat)
    points = state.points_of(seat)
    state = state.with_side(seat, turns=side.turns + 1)
    state = state.replace(turn=Turn(seat, points, first=side.turns == 0))
    facts: dict[str, Fact] = {"points": points, "columns": side.open_columns, "leader": leader}
    clauses = ["TL-T5", "TL-L3"] if leader else ["TL-T3", "TL-T4", "TL-P10"]
    if not leader and points == len(COLUMNS) - 1:
        clauses.append("TL-T14")
    if not leader and side.turns:
        clauses.append("TL-L17")
    return state, accepted("tl.turn", *clauses, "TL-E8", seat=seat, facts=facts)


def end_turn(state: State, event: EndTurn) -> Outcome[State]:
    """A turn ends once all its points are spent, however: nobody has to challenge. TL-T10 to TL-T12, TL-T16, TL-C5."""
    problem = guard(state, event.seat, points=0)
    if problem is not None:
        return Outcome(state, (problem,))
    assert state.turn is not None
    if state.turn.left:
        clauses = ("TL-T10", "TL-T12", "TL-T11")
        return refuse(state, "tl.points-left", *clauses, seat=event.seat, facts={"points": state.turn.left})
    example = ("TL-T15",) if state.turn.points == len(COLUMNS) else ()
    ended = accepted("tl.turn-ended", "TL-T16", "TL-T2", "TL-T8", "TL-T9", "TL-C5", *example, seat=event.seat)
    state, ruling = begin(state, state.enemy(event.seat).seat)
    return Outcome(state, (ended, ruling))


# --- challenges that are possible


def barred(card: Card) -> tuple[str, ...]:
    """The clauses that forbid this card to begin a challenge; empty when it may. TL-C9 to TL-C13."""
    if card.kind in BARRED:
        return BARRED[card.kind]
    return ("TL-C9", "TL-P3") if card.strength is None else ()


def may_challenge(state: State, seat: int, column: int) -> bool | None:
    """Whether the front card of a column may challenge the facing one: yes, no, or None while it lies face down."""
    own = state.side(seat).at(column, 1)
    facing = state.enemy(seat).at(column, 1)
    if own is None or facing is None or state.leads(facing) or state.turn is None or state.turn.first:
        return False
    card = state.card_of(own)
    if card is None:
        return None
    return not own.unlawful and not barred(card)


# --- being stuck


def _action_left(state: State, seat: int) -> str:
    """An action that this seat has by what everybody sees: "draw", "lay", "challenge"; else "". TL-E9.

    A single hand card may be the leader, which is not laid face down; so one unknown card proves nothing.
    """
    side = state.side(seat)
    if side.deck and side.hand < HAND_LIMIT:
        return "draw"
    leader = state.given.leader(side.role).id
    shown = {lying.card for column in side.columns for lying in column}
    shown |= {piled.card for piled in side.pile if piled.sure}
    hidden = 0 if leader in shown else 1
    if side.hand > hidden and any(state.room(seat, column) for column in COLUMNS):
        return "lay"
    if any(may_challenge(state, seat, column) for column in COLUMNS):
        return "challenge"
    return ""


def _proven_stuck(state: State, seat: int) -> bool:
    """No hand, no deck, no card that could challenge: nobody needs to look. TL-E5."""
    side = state.side(seat)
    return not side.hand and not side.deck and all(may_challenge(state, seat, each) is False for each in COLUMNS)


def stuck(state: State, event: Stuck, seq: int) -> Outcome[State]:
    """A seat says that it cannot use its points. TL-E5, TL-C6, TL-E9.

    Refused while everybody sees an action; what only the hand can show waits for somebody's word.
    """
    problem = guard(state, event.seat)
    if problem is not None:
        return Outcome(state, (problem,))
    assert state.turn is not None
    left = _action_left(state, event.seat)
    if left:
        clauses = ("TL-E9", "TL-C6", "TL-T12") if left == "challenge" else ("TL-E9", "TL-T12")
        return refuse(state, "tl.not-stuck", *clauses, seat=event.seat, facts={"reason": left})
    waiting = Waiting("stuck", event.seat, event.seat, seq)
    facts: dict[str, Fact] = {"points": state.turn.left, "hand": state.side(event.seat).hand}
    ruling = accepted("tl.stuck-claim", "TL-E5", "TL-E9", "TL-C6", seat=event.seat, facts=facts)
    return Outcome(state.replace(waiting=(waiting,)), (ruling,))


# --- the end


def won_by(state: State, seat: int, how: str, *clauses: str) -> State:
    """The match is over, whatever points or steps are left. TL-E3, TL-E10."""
    return state.replace(phase="over", winner=seat, how=how, by_clauses=clauses, waiting=(), turn=None)


def lost_treasure(state: State, losses: Mapping[int, tuple[Card, ...]], challenger: int, *why: str) -> State:
    """End the match when these losses cost a seat its Ring or Crown; `why` says by which rules. TL-E1, TL-E2, TL-E3.

    Both at once: whoever made the challenge loses. TL-N8, TL-E10.
    """
    losers = [seat for seat, cards in losses.items() if any(card.kind is Kind.TREASURE for card in cards)]
    if len(losers) > 1:
        return won_by(state, state.enemy(challenger).seat, "tl.won-both-treasures", "TL-N8", "TL-E10", *why)
    if losers:
        winner = state.enemy(losers[0])
        goal = "TL-E1" if winner.role is Role.THOR else "TL-E2"
        return won_by(state, winner.seat, "tl.won-treasure", goal, "TL-E3", *why)
    return state


def result(state: State) -> Result | None:
    """How the match ended, None while it goes on."""
    return None if state.winner is None else Result((state.winner,), state.how, state.by_clauses)


def finish(state: State) -> tuple[State, tuple[Ruling, ...]]:
    """End the match for a seat that provably cannot use its points. TL-E5."""
    turn = state.turn
    if state.phase != "play" or turn is None or state.waiting or not turn.left or not _proven_stuck(state, turn.seat):
        return state, ()
    ruling = penalty("tl.stuck", "TL-E5", seat=turn.seat, facts={"points": turn.left})
    return won_by(state, state.enemy(turn.seat).seat, "tl.won-stuck", "TL-E5"), (ruling,)


_COUNTS = {"hand": "hand", "deck": "deck", "field": "field", "pile": "pile_size"}


def effects_between(before: State, after: State) -> tuple[Effect, ...]:
    """What changed for everybody to see: counts of both sides, points left, the end."""
    effects: list[Any] = [
        Effect(what, old.seat, getattr(old, name), getattr(new, name))
        for old, new in zip(before.sides, after.sides, strict=True)
        for what, name in _COUNTS.items()
        if getattr(old, name) != getattr(new, name)
    ]
    was, now = before.turn, after.turn
    if now is not None and was is not None and was.seat == now.seat and was.left != now.left:
        effects.append(Effect("points", now.seat, was.left, now.left))
    if before.phase != after.phase:
        effects.append(Effect("match", after.winner, before.phase, after.phase))
    return tuple(effects)
