"""Rolling: the Navigation die, the first Movement die, perhaps the second; what Fish may roll again."""

from __future__ import annotations

import msgspec

from rules.greece_lightning.answers import no_such_seat, over, refuse, set_up_first, waiting_problem
from rules.greece_lightning.components import MOVEMENT_FACES, NAVIGATION_FACES
from rules.greece_lightning.events import FinishRoll, Movement, Navigation, Reroll, Total
from rules.greece_lightning.favors import Deed, FavorEffect
from rules.greece_lightning.state import GreeceLightningState, SeatState
from rules.records import Fact
from rules.rulings import Effect, Outcome, Refusal, Ruling, accepted, refused

__all__ = ["REROLLS", "finish_roll", "free_rolls", "movement", "navigation", "reroll", "roll_problem", "total"]

State = GreeceLightningState

REROLLS = {
    "navigation": Deed.REROLL_NAVIGATION,
    "first": Deed.REROLL_FIRST,
    "second": Deed.REROLL_SECOND,
}
"""The dice, and the effect of a Favor that lets each be rolled again without a Fish."""


def roll_problem(state: State, seat: int, *, reopening: bool = False) -> Ruling | None:
    """Why this seat may not roll now; None when it may. GL-R1, GL-R2, GL-R23, GL-R24, GL-P11, GL-P14, GL-E1.

    `reopening`: the seat wants its second die again, which an option allows after its roll is finished.
    """
    if state.phase == "over":
        return over()
    if state.find(seat) is None:
        return no_such_seat(state, seat)
    if state.phase == "setup":
        return set_up_first(state, seat)
    if state.phase == "turns":
        return refused(Refusal.ILLEGAL, "gl.rolling-closed", "GL-P14", "GL-R24", "GL-P11", seat=seat)
    problem = waiting_problem(state, seat)
    if problem is not None:
        return problem
    roller = state.seat_state(seat)
    if roller.cluttered:
        return refused(Refusal.ILLEGAL, "gl.clear-first", "GL-E1", seat=seat)
    if roller.finished and not (reopening and state.options.rerolls_close == "all finished"):
        return refused(Refusal.ILLEGAL, "gl.roll-finished", "GL-P11", seat=seat, by_option=("rerolls_close",))
    if state.options.rolling == "in turn":
        assert state.fleece is not None
        before = (state.seat_state(state.fleece), *state.others(state.fleece))
        first = next((each for each in before if not each.finished), None)
        if first is not None and first.number != seat and not roller.finished:
            return refused(Refusal.ILLEGAL, "gl.roll-order", "GL-R2", seat=seat, facts={"first": first.number})
    return None


def navigation(state: State, event: Navigation) -> Outcome[State]:
    """The Navigation die comes first (GL-R3) and lies on the Hydra space (GL-R4).

    Again it is rolled only for a Fish that left the board before (GL-P3, GL-R5); then the old result is gone (GL-P5).
    """
    problem = roll_problem(state, event.seat)
    if problem is not None:
        return Outcome(state, (problem,))
    seat = state.seat_state(event.seat)
    if event.face not in NAVIGATION_FACES:
        facts: dict[str, Fact] = {"face": event.face, "highest": NAVIGATION_FACES[-1]}
        return refuse(state, "gl.bad-face", "GL-C3", "TC-1", seat=event.seat, facts=facts, family=Refusal.UNREADABLE)
    if not event.placed:
        return refuse(state, "gl.beside-board", "GL-R4", seat=event.seat, facts={"die": "navigation"})
    if seat.navigation is not None:
        facts = {"die": "navigation", "face": seat.navigation}
        if seat.first is not None or seat.rerolling:
            return refuse(state, "gl.navigation-stays", "GL-P6", "GL-R3", seat=event.seat, facts=facts)
        return refuse(state, "gl.unpaid", "GL-P3", "GL-P5", "GL-R5", seat=event.seat, facts=facts)
    state = state.with_seat(event.seat, navigation=event.face, rerolling="")
    clauses = ("GL-R5", "GL-P5") if seat.rerolling else ("GL-R3", "GL-R4", "GL-C3")
    facts = {"face": event.face, "again": bool(seat.rerolling)}
    return Outcome(state, (accepted("gl.navigation", *clauses, "GL-R1", seat=event.seat, facts=facts),))


def movement(state: State, event: Movement) -> Outcome[State]:
    """A Movement die: after the Navigation die (GL-R3), one at a time (GL-R6).

    The first lies on its space (GL-R7). The second is a choice (GL-R8): equal or higher is a success (GL-R9, GL-R10),
    lower is a bust (GL-R11), which Fish may still turn (GL-R15).
    """
    problem = roll_problem(state, event.seat)
    if problem is not None:
        return Outcome(state, (problem,))
    seat = state.seat_state(event.seat)
    if seat.navigation is None:
        return refuse(state, "gl.navigation-first", "GL-R3", seat=event.seat, facts={"again": bool(seat.rerolling)})
    if len(event.faces) != 1:
        return refuse(state, "gl.one-die", "GL-R6", seat=event.seat, facts={"dice": len(event.faces)})
    face = event.faces[0]
    if face not in MOVEMENT_FACES:
        facts: dict[str, Fact] = {"face": face, "highest": MOVEMENT_FACES[-1]}
        return refuse(state, "gl.bad-face", "GL-C4", "TC-1", seat=event.seat, facts=facts, family=Refusal.UNREADABLE)
    if not event.placed:
        return refuse(state, "gl.beside-board", "GL-R7", "GL-R10", seat=event.seat, facts={"die": "movement"})
    if seat.first is None:
        state = state.with_seat(event.seat, first=face, rerolling="")
        facts = {"face": face, "again": bool(seat.rerolling), "total": state.total(event.seat)}
        clauses = ("GL-F17",) if seat.rerolling else ("GL-R6", "GL-R7", "GL-C4", "GL-R3", "GL-X1")
        return Outcome(state, (accepted("gl.first", *clauses, seat=event.seat, facts=facts),))
    if seat.second is not None:
        facts = {"die": "second", "face": seat.second}
        return refuse(state, "gl.unpaid", "GL-P7", "GL-P9", "GL-P10", seat=event.seat, facts=facts)
    if seat.has_lasting(Deed.NO_SECOND) and not seat.rerolling:
        return refuse(state, "gl.no-second", "GL-F17", seat=event.seat)
    state = state.with_seat(event.seat, second=face, rerolling="")
    return Outcome(state, (_second(state, state.seat_state(event.seat), again=bool(seat.rerolling)),))


def _second(state: State, seat: SeatState, *, again: bool) -> Ruling:
    facts: dict[str, Fact] = {
        "face": seat.second,
        "first": seat.first,
        "again": again,
        "total": state.total(seat.number),
        "fish": seat.fish,
    }
    paid = ("GL-R15", "GL-P9") if again else ()
    if seat.bust:
        clauses = ("GL-R11", "GL-R12", "GL-R14", "GL-R18", *paid, "GL-X2")
        return accepted("gl.bust", *clauses, seat=seat.number, facts=facts)
    if seat.lower:
        return accepted("gl.bust-spared", "GL-F17", "GL-R17", seat=seat.number, facts=facts)
    clauses = ("GL-R9", "GL-R10", "GL-R17", "GL-R8", *paid, "GL-X3")
    return accepted("gl.success", *clauses, seat=seat.number, facts=facts)


def free_rolls(seat: SeatState, use: str) -> int:
    """How often Favors let this die be rolled again without a Fish."""
    return sum(effect.amount for effect in seat.lasting if effect.do is REROLLS[use])


def _without_free_roll(seat: SeatState, use: str) -> tuple[FavorEffect, ...]:
    kept: list[FavorEffect] = []
    spent = False
    for effect in seat.lasting:
        if spent or effect.do is not REROLLS[use]:
            kept.append(effect)
            continue
        spent = True
        if effect.amount > 1:
            kept.append(msgspec.structs.replace(effect, amount=effect.amount - 1))
    return tuple(kept)


def reroll(state: State, event: Reroll) -> Outcome[State]:
    """A Fish buys another roll of the Navigation die or of the second Movement die, again and again.

    GL-P1 to GL-P12, GL-R5, GL-R15. Of the Navigation die until the first Movement die is rolled (GL-P6); of the first
    Movement die never (GL-P10), unless a card says so (GL-F17).
    """
    facts: dict[str, Fact] = {"use": event.use}
    if event.use not in REROLLS:
        return refuse(state, "gl.no-such-use", "GL-P2", seat=_known(state, event.seat), facts=facts)
    if event.paid not in ("fish", "favor"):
        unknown: dict[str, Fact] = {"paid": event.paid}
        seat_number = _known(state, event.seat)
        return refuse(state, "gl.no-such-pay", "TC-1", seat=seat_number, facts=unknown, family=Refusal.UNREADABLE)
    problem = roll_problem(state, event.seat, reopening=event.use == "second") or _no_reroll(state, event)
    if problem is not None:
        return Outcome(state, (problem,))
    seat = state.seat_state(event.seat)
    effects: tuple[Effect, ...] = ()
    if event.paid == "fish":
        state = state.with_fish(event.seat, seat.fish - 1)
        effects = (Effect("fish", event.seat, seat.fish, seat.fish - 1),)
        clauses: tuple[str, ...] = ("GL-P1", "GL-P3", "GL-P4", "GL-P5", "GL-R5")
        if event.use == "second":
            clauses = ("GL-P1", "GL-P7", "GL-P8", "GL-P9", "GL-R15")
    else:
        state = state.with_seat(event.seat, lasting=_without_free_roll(seat, event.use))
        clauses = ("GL-F18", "GL-F17")
    state = state.with_seat(event.seat, **{event.use: None}, rerolling=event.use, finished=False)
    facts = {"use": event.use, "paid": event.paid, "fish": state.seat_state(event.seat).fish}
    return Outcome(state, (accepted("gl.reroll", *clauses, seat=event.seat, facts=facts, effects=effects),))


def _known(state: State, seat: int) -> int | None:
    return seat if state.find(seat) else None


def _no_reroll(state: State, event: Reroll) -> Ruling | None:
    seat = state.seat_state(event.seat)
    facts: dict[str, Fact] = {"use": event.use}
    free = free_rolls(seat, event.use)
    if event.use == "first" and not free:
        # Nor can Fish: only a card that says so breaks this rule.
        return refused(Refusal.ILLEGAL, "gl.first-stays", "GL-P10", seat=event.seat, facts={"face": seat.first})
    if seat.rerolling:
        return refused(
            Refusal.ILLEGAL, "gl.reroll-due", "GL-P3", "GL-P7", seat=event.seat, facts={"use": seat.rerolling}
        )
    if getattr(seat, event.use) is None:
        return refused(Refusal.ILLEGAL, "gl.not-rolled", "GL-R3", seat=event.seat, facts=facts)
    if event.use == "navigation" and seat.first is not None:
        return refused(
            Refusal.ILLEGAL,
            "gl.navigation-stays",
            "GL-P6",
            seat=event.seat,
            facts={"die": "navigation", "face": seat.navigation},
        )
    if event.use == "first" and (seat.second is not None or event.paid == "fish"):
        return refused(Refusal.ILLEGAL, "gl.first-stays", "GL-P10", seat=event.seat, facts={"face": seat.first})
    if event.use == "second" and seat.has_lasting(Deed.NO_SECOND):
        return refused(Refusal.ILLEGAL, "gl.no-second", "GL-F17", seat=event.seat)
    if event.paid == "favor" and not free:
        return refused(Refusal.ILLEGAL, "gl.no-free-roll", "GL-F18", seat=event.seat, facts=facts)
    if event.paid == "fish" and not seat.fish:
        return refused(Refusal.ILLEGAL, "gl.no-fish", "GL-P12", "GL-P3", seat=event.seat, facts={"what": "re-roll"})
    return None


def finish_roll(state: State, event: FinishRoll) -> Outcome[State]:
    """A seat accepts its roll, with one Movement die (GL-R8, GL-R16), with both (GL-R17) or bust (GL-R13, GL-R18)."""
    problem = roll_problem(state, event.seat)
    if problem is not None:
        return Outcome(state, (problem,))
    seat = state.seat_state(event.seat)
    if seat.rerolling:
        facts: dict[str, Fact] = {"use": seat.rerolling}
        return refuse(state, "gl.reroll-due", "GL-P3", "GL-P7", seat=event.seat, facts=facts)
    if seat.navigation is None or seat.first is None:
        facts = {"use": "navigation" if seat.navigation is None else "first"}
        return refuse(state, "gl.not-rolled", "GL-R3", "GL-R6", seat=event.seat, facts=facts)
    state = state.with_seat(event.seat, finished=True)
    facts = {
        "total": state.total(event.seat),
        "navigation": seat.navigation,
        "dice": seat.movement_dice,
        "doubled": state.doubled(event.seat),
        "bust": seat.bust,
    }
    ruling = accepted("gl.rolled", *_total_clauses(state, seat), "GL-R23", "GL-P11", seat=event.seat, facts=facts)
    return Outcome(state, (ruling,))


def _total_clauses(state: State, seat: SeatState) -> tuple[str, ...]:
    if seat.bust:
        clauses: tuple[str, ...] = ("GL-R18", "GL-R13", "GL-R14")
    else:
        clauses = ("GL-R16", "GL-R8") if seat.second is None else ("GL-R17",)
    return (*clauses, "GL-R19", "GL-R20") if state.doubled(seat.number) else clauses


def total(state: State, event: Total) -> Outcome[State]:
    """Somebody's sum, held against the dice. GL-R16 to GL-R21."""
    if state.phase == "over":
        return Outcome(state, (over(),))
    seat = state.find(event.seat)
    if seat is None:
        return Outcome(state, (no_such_seat(state, event.seat),))
    if state.phase == "setup":
        return Outcome(state, (set_up_first(state, event.seat),))
    if seat.navigation is None or seat.first is None or seat.rerolling:
        return refuse(state, "gl.not-rolled", "GL-R3", seat=event.seat, facts={"use": seat.rerolling or "first"})
    expected = state.total(event.seat)
    facts: dict[str, Fact] = {"total": event.movement, "expected": expected}
    clauses = (*_total_clauses(state, seat), "GL-R21")
    if event.movement != expected:
        return refuse(state, "gl.total-wrong", *clauses, seat=event.seat, facts=facts)
    return Outcome(state, (accepted("gl.total", *clauses, seat=event.seat, facts={"total": expected}),))
