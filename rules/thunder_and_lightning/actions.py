"""Drawing, laying a card face down, playing the leader. Sections D, P and L."""

from __future__ import annotations

from rules.records import Fact
from rules.rulings import Outcome, Ruling, accepted
from rules.thunder_and_lightning.components import COLUMNS, HAND_LIMIT, LEADER_POINTS, ROWS, Role
from rules.thunder_and_lightning.events import Draw, Lay, Lead
from rules.thunder_and_lightning.field import is_place, put
from rules.thunder_and_lightning.knowledge import foreign, out_of_hand
from rules.thunder_and_lightning.ledger import Move
from rules.thunder_and_lightning.state import Lying, SideState, ThunderAndLightningState
from rules.thunder_and_lightning.turns import guard, refuse, spent

__all__ = ["draw", "lay", "lead", "place_problem"]

State = ThunderAndLightningState


def draw(state: State, event: Draw, seq: int) -> Outcome[State]:
    """The top card of the own deck goes into the hand, for one point. TL-D1, TL-D5, TL-T7, TL-T8, TL-T9, TL-T15.

    Not from an empty deck, which is never filled again (TL-D2); not with twelve cards in the hand (TL-D3, TL-D4).
    """
    seat = event.seat
    problem = guard(state, seat)
    if problem is not None:
        return Outcome(state, (problem,))
    side = state.side(seat)
    if side.hand >= HAND_LIMIT:
        return refuse(state, "tl.hand-full", "TL-D4", "TL-D3", seat=seat, facts={"hand": side.hand})
    if not side.deck:
        return refuse(state, "tl.deck-empty", "TL-D2", seat=seat)
    ledger = side.ledger.with_moves(Move(True, side.role, seq))
    state = spent(state.with_side(seat, hand=side.hand + 1, deck=side.deck - 1, ledger=ledger))
    assert state.turn is not None
    facts: dict[str, Fact] = {"hand": side.hand + 1, "deck": side.deck - 1, "points": state.turn.left}
    return Outcome(state, (accepted("tl.draw", "TL-D1", "TL-T6", seat=seat, facts=facts),))


def place_problem(state: State, owner: int, column: int, row: int, seat: int, *extra: str) -> Outcome[State] | None:
    """Why no card may go there; None when one may. TL-B1 to TL-B3, TL-B7, TL-P7, TL-P8, TL-P9, TL-L7.

    Rows need not be complete (TL-B5), nor columns full before the next (TL-B6); any row of a column will do (TL-P5).
    `extra` are clauses of the power that puts it there.
    """
    facts: dict[str, Fact] = {"column": column, "row": row}
    if not is_place(column, row):
        return refuse(state, "tl.no-such-place", "TL-B1", "TL-B2", *extra, seat=seat, facts=facts)
    if all(not state.room(owner, each) for each in COLUMNS):
        return refuse(state, "tl.field-full", *extra, "TL-B3", "TL-B2", seat=seat)
    if not state.room(owner, column):
        facts = {"column": column, "owner": owner}
        return refuse(state, "tl.column-full", *extra, "TL-P7", "TL-B2", seat=seat, facts=facts)
    lies = len(state.side(owner).column(column))
    if row > lies + 1:
        facts["expected"] = lies + 1
        return refuse(state, "tl.gap", *extra, "TL-B7", seat=seat, facts=facts)
    if row == 1 and state.led(owner, column):
        facts = {"column": column, "owner": owner}
        return refuse(state, "tl.before-leader", *extra, "TL-P9", "TL-L7", seat=seat, facts=facts)
    return None


def _back(side: SideState, told: Role | None) -> Role | None:
    """The back of a card about to leave the hand; None when no such card can be in it."""
    strangers = foreign(side)
    if told is None:
        return side.role if side.hand > strangers else side.role.other
    there = strangers if told is not side.role else side.hand - strangers
    return told if there > 0 else None


def lay(state: State, event: Lay, seq: int) -> Outcome[State]:
    """A card of the hand goes face down into an own column, for one point. TL-P1, TL-P2, TL-P10, TL-P11, TL-W10, TL-Q5,
    TL-R2, TL-G9.

    What it is shows later; then it is judged whether it may lie there.
    """
    seat = event.seat
    problem = guard(state, seat)
    if problem is not None:
        return Outcome(state, (problem,))
    side = state.side(seat)
    if not side.hand:
        return refuse(state, "tl.hand-empty", "TL-P1", seat=seat)
    wrong = place_problem(state, seat, event.column, event.row, seat)
    if wrong is not None:
        return wrong
    back = _back(side, event.back)
    if back is None:
        assert event.back is not None
        return refuse(state, "tl.no-such-back", "TL-Y5", seat=seat, facts={"back": event.back.value})
    token = state.tokens + 1
    state = put(state, seat, event.column, event.row, Lying(token, back, None, seq))
    ledger = side.ledger.with_moves(Move(False, back, seq, token=token))
    state = spent(state.with_side(seat, hand=side.hand - 1, ledger=ledger).replace(tokens=token))
    assert state.turn is not None
    facts: dict[str, Fact] = {
        "column": event.column,
        "row": event.row,
        "back": back.value,
        "points": state.turn.left,
    }
    clauses = ("TL-P1", "TL-P2", "TL-P5", "TL-P6", "TL-P11", "TL-T6", *_shape_clauses(side, event.column, event.row))
    return Outcome(state, (accepted("tl.lay", *clauses, seat=seat, facts=facts),))


def _shape_clauses(side: SideState, column: int, row: int) -> tuple[str, ...]:
    """What a card laid there shows to be allowed. TL-P8, TL-B5, TL-B6, TL-B10."""
    others = [len(side.column(each)) for each in COLUMNS if each != column]
    lies = len(side.column(column))
    clauses = {
        "TL-P8": not lies,
        "TL-B6": any(0 < each < ROWS for each in others),
        "TL-B5": any(each < row - 1 for each in others),
        "TL-B10": row <= lies,
    }
    return tuple(clause for clause, applies in clauses.items() if applies)


def lead(state: State, event: Lead, seq: int) -> Outcome[State]:
    """The own leader is played face up into row 1, for no point; the turn then has four. TL-L2 to TL-L9, TL-L19.

    Also into an empty column (TL-L10); what lies in the column moves back (TL-L11).

    Also when all points are used, until the turn is passed on. TL-L18.
    """
    seat = event.seat
    late = state.options.leader_after_last_point
    problem = guard(state, seat, points=0)
    if problem is not None:
        return Outcome(state, (problem,))
    turn, side = state.turn, state.side(seat)
    assert turn is not None
    if not turn.left and not late:
        by_option = ("leader_after_last_point",)
        facts: dict[str, Fact] = {"points": turn.points}
        return refuse(state, "tl.no-points", "TL-L18", "TL-T16", seat=seat, facts=facts, by_option=by_option)
    card = state.given.leader(side.role)
    if not side.hand:
        return refuse(state, "tl.hand-empty", "TL-L5", seat=seat)
    if not event.face_up:
        return refuse(state, "tl.lead-face-down", "TL-L5", seat=seat, facts={"card": card.id})
    facts = {"column": event.column, "row": event.row}
    if not is_place(event.column, event.row):
        return refuse(state, "tl.no-such-place", "TL-B1", "TL-B2", seat=seat, facts=facts)
    if event.row != 1:
        return refuse(state, "tl.lead-row", "TL-L6", seat=seat, facts={"card": card.id, "row": event.row})
    if all(not state.room(seat, each) for each in COLUMNS):
        return refuse(state, "tl.field-full", "TL-L9", "TL-B3", seat=seat)
    if not state.room(seat, event.column):
        facts = {"column": event.column, "owner": seat}
        return refuse(state, "tl.column-full", "TL-L8", "TL-B2", seat=seat, facts=facts)
    learnt = out_of_hand(state, seat, card, seq)
    if learnt.problem is not None:
        return Outcome(state, (learnt.problem,))
    token = state.tokens + 1
    state = put(learnt.state, seat, event.column, 1, Lying(token, card.deck, card.id, seq))
    state = state.with_side(seat, hand=side.hand - 1, figure=False)
    points = max(LEADER_POINTS, turn.points)
    state = state.replace(tokens=token, turn=type(turn)(turn.seat, points, turn.spent, turn.first))
    facts = {"card": card.id, "column": event.column, "points": points - turn.spent}
    option: tuple[str, ...] = ("leader_after_last_point",) if not turn.left else ()
    clauses = ("TL-L18", "TL-L4") if not turn.left else ("TL-L4", "TL-L2", "TL-L3")
    clauses = (*clauses, "TL-L11" if side.column(event.column) else "TL-L10", *(("TL-L19",) if turn.first else ()))
    rulings: tuple[Ruling, ...] = (
        accepted("tl.lead", *clauses, "TL-L1", seat=seat, facts=facts, by_option=option),
        *learnt.findings,
    )
    return Outcome(state, rulings)
