"""Set-up, the cards and the score track: everything around the dice."""

from __future__ import annotations

from rules.events import Source, Submission
from rules.lightning_dice.components import DICE, START, SUPPLY_PLACE
from rules.lightning_dice.events import Flip, Pawn, Ready, Reshuffled, Shuffled, Stack
from rules.lightning_dice.state import ALL_PLACES, LightningDiceState
from rules.records import Fact
from rules.rulings import Effect, Outcome, Refusal, Ruling, accepted, refused

__all__ = ["flip", "no_such_seat", "over", "pawn", "ready", "reshuffled", "shuffled", "stack"]

State = LightningDiceState


def over() -> Ruling:
    """The match has been won; later calls and rolls are ignored. TC-11, LD-S32."""
    return refused(Refusal.ILLEGAL, "ld.over", "TC-11", "LD-S32")


def no_such_seat(state: State, number: int) -> Ruling:
    """Nobody has this player number. LD-I4."""
    facts: dict[str, Fact] = {"number": number, "seats": state.given.numbers}
    return refused(Refusal.ILLEGAL, "ld.no-such-seat", "LD-I4", seat=None, facts=facts)


def _done(state: State) -> Ruling:
    if state.phase == "over":
        return over()
    return refused(Refusal.ILLEGAL, "ld.set-up-done", "LD-I11")


def shuffled(state: State, event: Shuffled) -> Outcome[State]:
    """The cards were declared shuffled; nobody can check chance. LD-I8, in the quick game LD-Q2."""
    if state.phase != "setup":
        return Outcome(state, (_done(state),))
    clause = "LD-Q2" if state.options.quick else "LD-I8"
    return Outcome(state.replace(shuffled=True), (accepted("ld.shuffled", clause),))


def stack(state: State, event: Stack) -> Outcome[State]:
    """The stack lies beside the play area (LD-I9), in the quick game in its middle (LD-Q3)."""
    if state.phase != "setup":
        return Outcome(state, (_done(state),))
    quick = state.options.quick
    clause, expected = ("LD-Q3" if quick else "LD-I9"), SUPPLY_PLACE[quick]
    if event.where != expected:
        facts: dict[str, Fact] = {"where": event.where, "expected": expected}
        return Outcome(state, (refused(Refusal.ILLEGAL, "ld.stack-wrong", clause, facts=facts),))
    return Outcome(state.replace(stack=event.where), (accepted("ld.stack", clause, facts={"where": event.where}),))


def ready(state: State, event: Ready) -> Outcome[State]:
    """A seat has six dice (LD-C1, LD-Q4) and one pawn (LD-C2, LD-I7) of its colour (LD-I6), on Start (LD-I10).

    The quick game has no score board, so nothing is asked of the pawn. LD-Q1.
    """
    if state.phase != "setup":
        return Outcome(state, (_done(state),))
    seat = next((seat for seat in state.given.seats if seat.number == event.seat), None)
    if seat is None:
        return Outcome(state, (no_such_seat(state, event.seat),))
    problem = _not_ready(state, event, seat.colour)
    if problem is not None:
        return Outcome(state, (problem,))
    quick = state.options.quick
    clauses = ("LD-Q4", "LD-Q1") if quick else ("LD-C1", "LD-C2", "LD-I6", "LD-I7", "LD-I10")
    ruling = accepted("ld.ready", *clauses, seat=event.seat, facts={"dice": event.dice, "colour": seat.colour})
    return Outcome(state.with_seat(event.seat, ready=True, pawn=None if quick else event.pawn), (ruling,))


def _not_ready(state: State, event: Ready, colour: str) -> Ruling | None:
    quick = state.options.quick
    if event.dice != DICE:
        facts: dict[str, Fact] = {"dice": event.dice, "expected": DICE}
        clauses = ("LD-Q4",) if quick else ("LD-C1", "LD-I6")
        return refused(Refusal.ILLEGAL, "ld.ready-dice", *clauses, seat=event.seat, facts=facts)
    if any(seen != colour for seen in event.colours):
        seen: dict[str, Fact] = {"colours": event.colours, "colour": colour}
        clauses = ("LD-Q4",) if quick else ("LD-I6", "LD-C1")
        return refused(Refusal.ILLEGAL, "ld.ready-colours", *clauses, seat=event.seat, facts=seen)
    if quick:
        return None
    if event.pawn is None or event.pawns < 1:
        return refused(Refusal.ILLEGAL, "ld.ready-no-pawn", "LD-I7", "LD-C2", seat=event.seat, facts={"colour": colour})
    if event.pawns > 1:
        pawns: dict[str, Fact] = {"pawns": event.pawns, "colour": colour}
        return refused(Refusal.ILLEGAL, "ld.ready-pawns", "LD-C2", seat=event.seat, facts=pawns)
    if event.pawn != START:
        facts = {"space": event.pawn}
        return refused(Refusal.ILLEGAL, "ld.ready-pawn-start", "LD-I10", seat=event.seat, facts=facts)
    return None


def flip(state: State, filed: Submission[Flip]) -> Outcome[State]:
    """A goal card is turned up and becomes the one requirement. LD-S1, LD-S30, in the quick game LD-Q5.

    Nobody waits for pawns or players between cards (LD-S30); every seat takes part in every card (LD-I2).
    """
    event = filed.event
    problem = _no_flip(state, filed)
    if problem is not None:
        return Outcome(state, (problem,))
    card = state.given.card(event.card or "")
    assert card is not None
    owed = ALL_PLACES if state.options.fresh_roll else ()
    seats = state.seats
    state = state.replace(
        phase="open",
        contest=state.contest + 1,
        card=card.id,
        last_card=card.id,
        opened_ns=filed.at_ns,
        used=(*state.used, card.id),
    )
    for seat in seats:
        state = state.with_seat(
            seat.number,
            must_roll=owed or seat.must_roll,
            why="new-card" if owed else seat.why,
            locked_out=False,
            bonuses=0,
            thundered=(),
        )
    clauses = ("LD-Q5",) if state.options.quick else ("LD-S1", "LD-S30")
    if state.options.tournament:
        clauses = (*clauses, "LD-J3")
    ruling = accepted(
        "ld.flip",
        *clauses,
        seat=event.seat,
        facts={"card": card.id, "goal": card.goal, "contest": state.contest, "left": state.cards_left},
        effects=(Effect("card", None, None, card.id),),
    )
    return Outcome(state, (ruling,))


def _no_flip(state: State, filed: Submission[Flip]) -> Ruling | None:
    event = filed.event
    if state.phase == "over":
        # In the quick game the stack is empty and no further card is opened. LD-Q8.
        return over()
    if event.seat is not None and state.find(event.seat) is None:
        return no_such_seat(state, event.seat)
    if state.phase == "setup" and not state.ready:
        missing = tuple(seat.number for seat in state.seats if not seat.ready)
        facts: dict[str, Fact] = {"seats": missing, "shuffled": state.shuffled}
        return refused(Refusal.ILLEGAL, "ld.not-ready", "LD-I11", facts=facts)
    if state.phase == "open":
        # Only a right "Got it!" closes a card; a Bonus or a Thunder does not. LD-S31.
        facts = {"card": state.card, "seen": event.card}
        return refused(Refusal.ILLEGAL, "ld.card-open", "LD-S2", "LD-S31", facts=facts)
    if state.options.tournament and filed.source is not Source.JUDGE:
        return refused(Refusal.ILLEGAL, "ld.judge-flips", "LD-J3", facts={"card": event.card})
    if not state.cards_left:
        return refused(Refusal.ILLEGAL, "ld.supply-empty", "LD-S45")
    if event.card is None:
        return refused(Refusal.UNREADABLE, "ld.card-unreadable", "LD-S1", "TC-1")
    if state.given.card(event.card) is None:
        return refused(Refusal.UNREADABLE, "ld.card-unknown", "LD-C3", facts={"card": event.card})
    if event.card in state.used:
        return refused(Refusal.ILLEGAL, "ld.card-used", "LD-S1", facts={"card": event.card})
    return None


def may_reshuffle(state: State) -> bool:
    """True when the used cards are due to become the supply: it ran out before the end. LD-S45, LD-Q11."""
    if state.phase != "between" or state.cards_left:
        return False
    return bool(state.contenders) if state.options.quick else state.options.supply_empty == "reshuffle"


def reshuffled(state: State, event: Reshuffled) -> Outcome[State]:
    """The used cards become a new supply, once it is empty. LD-S45; in the quick game only for sudden death. LD-Q11."""
    if state.phase == "over":
        return Outcome(state, (over(),))
    clause = "LD-Q11" if state.options.quick else "LD-S45"
    if not may_reshuffle(state):
        facts: dict[str, Fact] = {"left": state.cards_left}
        return Outcome(state, (refused(Refusal.ILLEGAL, "ld.supply-left", clause, facts=facts),))
    ruling = accepted("ld.reshuffled", clause, facts={"cards": len(state.used)})
    return Outcome(state.replace(used=()), (ruling,))


_MOVED_BY = {"bonus": "LD-S17", "thunder": "LD-S24", "match": "LD-S29", "false": "LD-S11"}


def pawn(state: State, event: Pawn) -> Outcome[State]:
    """A pawn must stand where the score is: the track is the score. LD-C4.

    The clause broken by a wrong space is the one of the last move: Bonus up 1 (LD-S17), Thunder down 1, moved by the
    victim (LD-S24), match up 2 (LD-S29), false call down 2 (LD-S11).
    """
    seat = state.find(event.seat)
    if seat is None:
        return Outcome(state, (no_such_seat(state, event.seat),))
    if state.options.quick:
        return Outcome(state, (refused(Refusal.ILLEGAL, "ld.no-track", "LD-Q1", seat=event.seat),))
    clauses = tuple(clause for clause in (_MOVED_BY.get(seat.moved_by), "LD-C4") if clause)
    if event.space != seat.score:
        ruling = refused(
            Refusal.ILLEGAL,
            "ld.pawn-wrong",
            *clauses,
            seat=event.seat,
            facts={
                "space": event.space,
                "expected": seat.score,
                "off_by": event.space - seat.score,
                "moved_by": seat.moved_by,
            },
        )
        return Outcome(state, (ruling,))
    ruling = accepted("ld.pawn", *clauses, seat=event.seat, facts={"space": event.space})
    return Outcome(state.with_seat(event.seat, pawn=event.space), (ruling,))
