"""The seven tournament rules: what looks like a breach is laid before the judge."""

from __future__ import annotations

from typing import NamedTuple

from rules.events import Source, Submission
from rules.lightning_dice.events import Breach
from rules.lightning_dice.setup import no_such_seat, over
from rules.lightning_dice.state import ALL_PLACES, LightningDiceState, Pending
from rules.records import Fact
from rules.rulings import Effect, Outcome, Refusal, infraction, refused

__all__ = ["RULES", "TournamentRule", "breach", "order_throw"]

State = LightningDiceState


class TournamentRule(NamedTuple):
    """One of the seven rules: its clauses, and what it allows, by the word used for it."""

    clauses: tuple[str, ...]
    allows: dict[str, tuple[str, ...]]
    forbids: dict[str, tuple[str, ...]]


RULES: dict[int, TournamentRule] = {
    # Rule 1 forbids touching moving dice; the free hand that blocks or confines them is the exception of rule 6.
    1: TournamentRule(
        ("LD-T1",),
        {"free hand stops": ("LD-T14", "LD-T6"), "free hand confines": ("LD-T14", "LD-T12")},
        {"rolling hand": ("LD-T1", "LD-T11")},
    ),
    # Rule 2 allows sliding saved dice aside and nothing else; lifting one falls under rule 3.
    2: TournamentRule(("LD-T2",), {"slid": ("LD-T2",)}, {"lifted": ("LD-T2", "LD-T3")}),
    3: TournamentRule(("LD-T3",), {"slid": ("LD-T2",)}, {}),
    4: TournamentRule(("LD-T4", "LD-T8"), {"free hand stops": ("LD-T6",)}, {}),
    # Whether a throw was a roll or a drop is for the judge alone.
    5: TournamentRule(("LD-T5", "LD-T9"), {"rolled": ("LD-T9", "LD-T5")}, {}),
    6: TournamentRule(
        ("LD-T10",),
        {"free hand stops": ("LD-T6",), "free hand confines": ("LD-T12",)},
        {"rolling hand": ("LD-T11",), "view blocked": ("LD-T10",)},
    ),
    # A handicap registered before play allows a dice tower or another device. LD-T13.
    7: TournamentRule(("LD-T7",), {}, {}),
}
"""Rule 1 LD-T1; rule 2 LD-T2; rule 3 LD-T3; rule 4 LD-T4, LD-T8; rule 5 LD-T5, LD-T9; rule 6 LD-T6, LD-T10, LD-T11,
LD-T12, LD-T14; rule 7 LD-T7, LD-T13."""


def breach(state: State, filed: Submission[Breach], seq: int) -> Outcome[State]:
    """A tournament rule looks broken: an infraction for the judge to weigh. LD-J7.

    Accident or intention makes no difference (LD-J8). Reported by the judge it is decided already (LD-T9); by anybody
    else it waits. What follows is a new throw of the dice concerned, never a loss of points (LD-J9).
    """
    event = filed.event
    seat = state.find(event.seat)
    if state.phase == "over":
        return Outcome(state, (over(),))
    if seat is None:
        return Outcome(state, (no_such_seat(state, event.seat),))
    if not state.options.tournament:
        facts: dict[str, Fact] = {"rule": event.rule}
        return Outcome(state, (refused(Refusal.ILLEGAL, "ld.no-tournament", "LD-J10", "LD-J1", facts=facts),))
    rule = RULES.get(event.rule)
    if rule is None:
        return Outcome(state, (refused(Refusal.ILLEGAL, "ld.no-such-rule", "LD-J7", facts={"rule": event.rule}),))
    if any(place not in ALL_PLACES for place in event.dice):
        problem = refused(Refusal.UNREADABLE, "ld.bad-dice", "TC-1", "LD-C1", facts={"problem": "places"})
        return Outcome(state, (problem,))
    permitted = rule.allows.get(event.detail, ())
    by_option: tuple[str, ...] = ()
    if event.rule == 1 and permitted:
        by_option = ("rule_6_beats_rule_1",)
        permitted = permitted if state.options.rule_6_beats_rule_1 else ()
    if event.rule == 7 and event.seat in state.options.handicaps:
        permitted = ("LD-T13", "LD-T7")
    if permitted:
        facts = {"rule": event.rule, "detail": event.detail}
        ruling = refused(Refusal.ILLEGAL, "ld.permitted", *permitted, seat=event.seat, facts=facts, by_option=by_option)
        return Outcome(state, (ruling,))
    clauses = rule.forbids.get(event.detail, rule.clauses)
    if by_option:
        clauses = (*clauses, "LD-T14")
    places = tuple(sorted(set(event.dice)))
    told: dict[str, Fact] = {
        "rule": event.rule,
        "detail": event.detail,
        "places": places,
        "by_accident": event.by_accident,
    }
    if filed.source is Source.JUDGE:
        state, effects = order_throw(state, event.seat, places)
        ruling = infraction(
            "ld.breach-ruled", *clauses, "LD-J7", "LD-J8", "LD-J9", seat=event.seat, facts=told, effects=effects
        )
        return Outcome(state, (ruling,))
    told |= {"suspicion": event.suspicion, "lasted_ms": event.lasted_ms}
    waiting = Pending(
        seq,
        0,
        event.seat,
        "breach",
        number=event.rule,
        throws=seat.throws,
        places=places,
        detail=event.detail,
        suspicion=event.suspicion,
        lasted_ms=event.lasted_ms,
    )
    effect = Effect("pending", event.seat, None, "breach")
    ruling = infraction(
        "ld.breach", *clauses, "LD-J7", "LD-J8", seat=event.seat, facts=told, effects=(effect,), by_option=by_option
    )
    return Outcome(state.replace(pending=(*state.pending, waiting)), (ruling,))


def order_throw(state: State, number: int, places: tuple[int, ...]) -> tuple[State, tuple[Effect, ...]]:
    """These dice count for nothing until they are thrown again; no point is touched. LD-J9, LD-T3, LD-T8."""
    if state.options.breach_remedy == "record" or not places:
        return state, ()
    seat = state.seat_state(number)
    must = tuple(sorted({*seat.must_roll, *places}))
    why = seat.why if seat.must_roll_all else "breach"
    state = state.with_seat(number, must_roll=must, why=why)
    return state, (Effect("must-roll", number, None, places),)
