"""The judge's word on what waits for it."""

from __future__ import annotations

from rules.events import Decision, Source, Submission
from rules.lightning_dice.components import FALSE_CALL_POINTS
from rules.lightning_dice.events import Decide
from rules.lightning_dice.matches import pay_match
from rules.lightning_dice.scoring import close_card, finish, score
from rules.lightning_dice.setup import over
from rules.lightning_dice.sixes import give_bonus, give_thunder
from rules.lightning_dice.state import LightningDiceState, Pending
from rules.lightning_dice.tournament import order_throw
from rules.records import Fact
from rules.rulings import Effect, Outcome, Refusal, Ruling, Verdict, accepted, penalty, refused

__all__ = ["RIGHT", "decide", "earlier_call", "waiting_for"]

State = LightningDiceState

_CONFIRMS = {"got-it": "LD-J4", "bonus": "LD-J5", "thunder": "LD-J6"}
_MATCHES = ("ld.match", "ld.match-card")
RIGHT = {
    "got-it": _MATCHES,
    "bonus": ("ld.bonus", "ld.bonus-capped"),
    "thunder": ("ld.thunder", "ld.thunder-start"),
}
"""By kind of call, the advice that speaks for it."""


def waiting_for(state: State, target: int, ruling: int) -> Pending | None:
    """What waits under this entry and ruling, None when nothing does."""
    return next((each for each in state.pending if (each.seq, each.ruling) == (target, ruling)), None)


def earlier_call(state: State, waiting: Pending) -> Pending | None:
    """A call made before this one that still waits; calls are settled in the order made. LD-S41."""
    if waiting.kind == "breach":
        return None
    return next((each for each in state.pending if each.kind != "breach" and each.group < waiting.group), None)


def decide(state: State, filed: Submission[Decide]) -> Outcome[State]:
    """The judge confirms or rejects a call (LD-J4, LD-J5, LD-J6), a tie (LD-S40) or a breach (LD-J7, LD-T9)."""
    event = filed.event
    if state.phase == "over":
        return Outcome(state, (over(),))
    if filed.source is not Source.JUDGE:
        return Outcome(state, (refused(Refusal.ILLEGAL, "ld.not-the-judge", "LD-J4", "LD-J1"),))
    waiting = waiting_for(state, event.target, event.ruling)
    if waiting is None:
        facts: dict[str, Fact] = {"target": event.target, "ruling": event.ruling}
        return Outcome(state, (refused(Refusal.ILLEGAL, "ld.nothing-waits", "TC-10", "LD-J4", facts=facts),))
    first = earlier_call(state, waiting)
    if first is not None:
        facts = {"target": first.seq, "ruling": first.ruling, "call": first.kind}
        ruling = refused(Refusal.ILLEGAL, "ld.in-order", "LD-S41", seat=first.seat, facts=facts)
        return Outcome(state, (ruling,))
    upheld = event.decision is Decision.UPHOLD
    if waiting.kind == "breach":
        return _decide_breach(_without(state, waiting), waiting, upheld, event.reason)
    facts = {
        "call": waiting.kind,
        "contest": state.contest,
        "advice": waiting.advice,
        "differs": upheld != (waiting.advice in RIGHT[waiting.kind]),
        "reason": event.reason,
    }
    if upheld:
        return _uphold(state, waiting, facts)
    return _reject(_without(state, waiting), waiting, facts)


def _without(state: State, waiting: Pending) -> State:
    return state.replace(pending=tuple(each for each in state.pending if each != waiting))


def _decide_breach(state: State, waiting: Pending, upheld: bool, reason: str) -> Outcome[State]:
    facts: dict[str, Fact] = {
        "rule": waiting.number,
        "detail": waiting.detail,
        "places": waiting.places,
        "reason": reason,
    }
    if not upheld:
        ruling = accepted("ld.judge-no-breach", "LD-T9", "LD-J7", seat=waiting.seat, about=waiting.seq, facts=facts)
        return Outcome(state, (ruling,))
    effects: tuple[Effect, ...] = ()
    if state.seat_state(waiting.seat).throws == waiting.throws:
        state, effects = order_throw(state, waiting.seat, waiting.places)
    ruling = Ruling(
        Verdict.INFRACTION,
        "ld.judge-breach",
        ("LD-J9", "LD-J7", "LD-J8"),
        waiting.seat,
        about=waiting.seq,
        facts=facts,
        effects=effects,
        by_option=("breach_remedy",),
    )
    return Outcome(state, (ruling,))


def _uphold(state: State, waiting: Pending, facts: dict[str, Fact]) -> Outcome[State]:
    number = waiting.seat
    clauses: tuple[str, ...]
    if waiting.kind == "got-it":
        facts["card"] = state.card
        state, effects = pay_match(_without(state, waiting), number)
        code, clauses = "ld.judge-match", ("LD-J4", "LD-S6", "LD-S28")
        if waiting.tied:
            clauses = ("LD-S40", *clauses)
    elif waiting.kind == "bonus":
        facts["number"] = number
        thrown = state.seat_state(number).throws != waiting.throws
        owed = state.seat_state(number)
        state, effects, _ = give_bonus(_without(state, waiting), number)
        if thrown:
            state = state.with_seat(number, must_roll=owed.must_roll, why=owed.why)
            effects = effects[:1]
        code, clauses = "ld.judge-bonus", ("LD-J5", "LD-S14", "LD-S18")
    else:
        victim = waiting.number
        if victim is None or victim == number or state.find(victim) is None:
            told: dict[str, Fact] = {"number": victim}
            ruling = refused(
                Refusal.AMBIGUOUS, "ld.which-victim", "LD-S22", "TC-2", seat=number, about=waiting.seq, facts=told
            )
            return Outcome(state, (ruling,))
        facts["victim"] = victim
        thrown = state.seat_state(number).throws != waiting.throws
        owed = state.seat_state(number)
        state, effects = give_thunder(_without(state, waiting), number, victim)
        if thrown:
            state = state.with_seat(number, must_roll=owed.must_roll, why=owed.why)
            effects = effects[:1]
        code, clauses = "ld.judge-thunder", ("LD-J6", "LD-S20", "LD-S26")
    facts |= {"before": effects[0].before, "after": effects[0].after}
    state, ends = finish(state)
    ruling = accepted(code, *clauses, seat=number, about=waiting.seq, facts=facts, effects=(*effects, *ends))
    return Outcome(state, (ruling,))


def _reject(state: State, waiting: Pending, facts: dict[str, Fact]) -> Outcome[State]:
    """A rejected call brings nothing; 2 points are lost only where the dice were read not to match. LD-J4, LD-S11.

    An unproven call (LD-S44, LD-T10), a void one, and one rejected against the reading cost nothing.
    """
    facts["card"] = state.card
    if waiting.kind == "got-it" and waiting.advice == "ld.false":
        state, effect = score(state, waiting.seat, -FALSE_CALL_POINTS, "false")
        if state.options.false_call_locks_out:
            state = state.with_seat(waiting.seat, locked_out=True)
        facts |= {"before": effect.before, "after": effect.after}
        ruling = penalty(
            "ld.judge-false",
            "LD-J4",
            "LD-S11",
            "LD-S12",
            seat=waiting.seat,
            about=waiting.seq,
            facts=facts,
            effects=(effect,),
        )
        return Outcome(state, (ruling,))
    last_of_tie = waiting.tied and not any(each.tied and each.group == waiting.group for each in state.pending)
    if last_of_tie and state.phase == "open":
        tie: dict[str, Fact] = {"contest": state.contest, "card": state.card, "reason": facts["reason"]}
        tie["tied"] = (waiting.seat,)
        state, effects = close_card(state)
        state, ends = finish(state)
        ruling = accepted(
            "ld.judge-tie",
            "LD-S40",
            seat=waiting.seat,
            about=waiting.seq,
            facts=tie,
            effects=(*effects, *ends),
            by_option=("tie_ms",),
        )
        return Outcome(state, (ruling,))
    clause = _CONFIRMS[waiting.kind]
    ruling = accepted("ld.judge-refused", clause, seat=waiting.seat, about=waiting.seq, facts=facts)
    return Outcome(state, (ruling,))
