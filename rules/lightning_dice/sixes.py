"""NICE and NASTY: Bonus and Thunder, six equal dice."""

from __future__ import annotations

from rules.lightning_dice.components import BONUS_POINTS, START, THUNDER_POINTS
from rules.lightning_dice.events import Call, Press
from rules.lightning_dice.looks import Look, look, six_facts
from rules.lightning_dice.scoring import owe_all, score
from rules.lightning_dice.state import LightningDiceState
from rules.records import Fact
from rules.rulings import Effect, Refusal, Ruling, accepted, penalty, refused

__all__ = ["bonus", "give_bonus", "give_thunder", "resolve", "thunder", "thunder_number"]

State = LightningDiceState


def resolve(state: State, press: Press) -> Call:
    """What the second button means: Bonus over six of the own number, Thunder over six of an opponent's. LD-S5."""
    if press.call is not Call.NICE_OR_NASTY:
        return press.call
    same = look(state, press).same
    if same == press.seat:
        return Call.BONUS
    if same is not None and state.find(same) is not None:
        return Call.THUNDER
    return Call.NICE_OR_NASTY


def untold(state: State, press: Press) -> Ruling:
    """The second button over dice that are neither: nothing is won or lost. LD-S5, LD-S15, LD-S21, LD-S39."""
    seen = look(state, press)
    facts = six_facts(state, seen, press.call.value, press.number)
    known = {face for face in seen.shown if face is not None}
    if seen.unreadable and not seen.idle and len(known) <= 1:
        if not known:
            return refused(Refusal.AMBIGUOUS, "ld.which-call", "LD-S44", "TC-2", seat=press.seat, facts=facts)
        return refused(Refusal.UNREADABLE, "ld.six-unproven", "LD-S44", seat=press.seat, facts=facts)
    clauses = ("LD-S5", "LD-S15", "LD-S21", "LD-S39")
    return refused(Refusal.ILLEGAL, "ld.nothing", *clauses, seat=press.seat, facts=facts)


def _owed(state: State, seen: Look, press: Press, call: str) -> Ruling | None:
    """No call on a throw that is owed: before the first throw (LD-S4), or one that served already (LD-S38)."""
    facts: dict[str, Fact] = {"call": call, "contest": state.contest, "card": state.card}
    seat = state.seat_state(press.seat)
    if seen.owed in ("bonus", "thunder") or (seat.must_roll_all and seat.why in ("bonus", "thunder")):
        # A second Bonus needs six newly thrown dice whatever the options say. LD-S35.
        return refused(Refusal.ILLEGAL, "ld.spent", "LD-S38", "LD-S35", seat=press.seat, facts=facts)
    if seen.owed or seen.never:
        by_option = ("fresh_roll",) if seen.owed else ()
        return refused(Refusal.ILLEGAL, "ld.not-rolled", "LD-S4", seat=press.seat, facts=facts, by_option=by_option)
    return None


def _short_of_six(state: State, seen: Look, press: Press, call: str, number: int) -> tuple[State, Ruling] | None:
    """Six of the number are needed; five are not enough. LD-S15, LD-S21. A wrong call costs nothing. LD-S39."""
    facts = six_facts(state, seen, call, number)
    if not seen.idle and all(face in (number, None) for face in seen.shown):
        if not seen.unreadable:
            return None
        if state.options.missing_evidence == "unproven":
            return state, refused(Refusal.UNREADABLE, "ld.six-unproven", "LD-S44", seat=press.seat, facts=facts)
    six = "LD-S15" if call == "bonus" else "LD-S21"
    cost = state.options.wrong_bonus_or_thunder_costs
    by_option = ("wrong_bonus_or_thunder_costs",)
    if not cost:
        ruling = refused(
            Refusal.ILLEGAL, f"ld.{call}-wrong", six, "LD-S39", seat=press.seat, facts=facts, by_option=by_option
        )
        return state, ruling
    state, effect = score(state, press.seat, -cost, "false")
    facts |= {"before": effect.before, "after": effect.after}
    ruling = penalty(
        f"ld.{call}-cost", six, "LD-S39", seat=press.seat, facts=facts, effects=(effect,), by_option=by_option
    )
    return state, ruling


def bonus(state: State, press: Press) -> tuple[State, Ruling]:
    """Six of the own number, called "Bonus" and the number, bring 1 point. LD-S14, LD-S16.

    A slip of the tongue over the right dice is forgiven unless an option says otherwise. LD-S16.
    """
    seen = look(state, press)
    number = press.seat
    facts = six_facts(state, seen, "bonus", number)
    problem = _owed(state, seen, press, "bonus")
    if problem is not None:
        return state, problem
    wrong = _short_of_six(state, seen, press, "bonus", number)
    if wrong is not None:
        return wrong
    if press.number not in (None, number) and not state.options.wrong_number_forgiven:
        facts["said"] = press.number
        by_option: tuple[str, ...] = ("wrong_number_forgiven",)
        return state, refused(
            Refusal.ILLEGAL, "ld.bonus-number", "LD-S16", seat=press.seat, facts=facts, by_option=by_option
        )
    if state.options.bonus_once_per_card and state.seat_state(number).bonuses:
        again: dict[str, Fact] = {"contest": state.contest}
        by_option = ("bonus_once_per_card",)
        return state, refused(
            Refusal.ILLEGAL, "ld.bonus-again", "LD-S35", seat=press.seat, facts=again, by_option=by_option
        )
    state, effects, capped = give_bonus(state, number)
    facts |= {"before": effects[0].before, "after": effects[0].after}
    by_option = ()
    if capped or (not state.options.quick and state.seat_state(number).score >= state.options.target):
        by_option = ("bonus_may_win",)
    clauses = ("LD-S34", "LD-S14") if by_option else ("LD-S14", "LD-S15", "LD-S16", "LD-S17", "LD-S18", "LD-S19")
    code = "ld.bonus-capped" if capped else "ld.bonus"
    return state, accepted(code, *clauses, seat=press.seat, facts=facts, effects=effects, by_option=by_option)


def give_bonus(state: State, number: int) -> tuple[State, tuple[Effect, ...], bool]:
    """Up 1 space (LD-S17), take up all six (LD-S18); the card stays open for 2 more (LD-S19, LD-S31, LD-X1).

    The last element is True when an option keeps the Bonus from bringing the last point. LD-S34.
    """
    seat = state.seat_state(number)
    options = state.options
    capped = not options.quick and not options.bonus_may_win and seat.score + BONUS_POINTS >= options.target
    state, moved = score(state, number, 0 if capped else BONUS_POINTS, "bonus")
    state, owed = owe_all(state, number, "bonus")
    state = state.with_seat(number, bonuses=seat.bonuses + 1)
    return state, (moved, owed), capped


def thunder_number(state: State, press: Press) -> int | None:
    """Whose number was thundered: the one shouted, else the one that the dice show."""
    return press.number if press.number is not None else look(state, press).same


def thunder(state: State, press: Press) -> tuple[State, Ruling]:
    """Six of an opponent's number, called "Thunder" and that number, cost the opponent 1 point. LD-S20, LD-S23.

    A number nobody has hits nobody, and the own number is a Bonus; such a call is void and may be corrected while the
    dice still lie. LD-S22.
    """
    seen = look(state, press)
    number = thunder_number(state, press)
    facts = six_facts(state, seen, "thunder", number)
    problem = _owed(state, seen, press, "thunder")
    if problem is not None:
        return state, problem
    if number is None:
        return state, untold(state, press)
    if number == press.seat:
        return state, refused(Refusal.ILLEGAL, "ld.thunder-self", "LD-S22", seat=press.seat, facts=facts)
    if state.find(number) is None:
        facts["seats"] = state.given.numbers
        return state, refused(Refusal.ILLEGAL, "ld.thunder-nobody", "LD-S22", seat=press.seat, facts=facts)
    if seen.same is not None and seen.same != number:
        facts["shown"] = seen.same
        return state, refused(Refusal.ILLEGAL, "ld.thunder-number", "LD-S23", seat=press.seat, facts=facts)
    wrong = _short_of_six(state, seen, press, "thunder", number)
    if wrong is not None:
        return wrong
    caller = state.seat_state(press.seat)
    if state.options.thunder_once_per_card and number in caller.thundered:
        again: dict[str, Fact] = {"contest": state.contest, "victim": number}
        by_option = ("thunder_once_per_card",)
        return state, refused(
            Refusal.ILLEGAL, "ld.thunder-again", "LD-S36", seat=press.seat, facts=again, by_option=by_option
        )
    facts["victim"] = number
    on_start = state.options.least == START and state.seat_state(number).score <= START
    if on_start and not state.options.thunder_on_start_counts:
        by_option = ("thunder_on_start_counts",)
        return state, refused(
            Refusal.ILLEGAL, "ld.thunder-start-void", "LD-S37", seat=press.seat, facts=facts, by_option=by_option
        )
    state, effects = give_thunder(state, press.seat, number)
    if on_start:
        by_option = ("thunder_on_start_counts",)
        return state, accepted(
            "ld.thunder-start", "LD-S37", "LD-S26", seat=press.seat, facts=facts, effects=effects, by_option=by_option
        )
    facts |= {"before": effects[0].before, "after": effects[0].after}
    clauses = ("LD-S20", "LD-S21", "LD-S23", "LD-S24", "LD-S25", "LD-S26", "LD-S27")
    return state, accepted("ld.thunder", *clauses, seat=press.seat, facts=facts, effects=effects)


def give_thunder(state: State, caller: int, victim: int) -> tuple[State, tuple[Effect, ...]]:
    """The victim goes down 1 (LD-S24), as often as it is hit (LD-S36); the caller gains nothing (LD-S25).

    The caller takes up all six (LD-S26) and may still win the open card (LD-S27, LD-S31, LD-X2).
    """
    state, moved = score(state, victim, -THUNDER_POINTS, "thunder")
    state, owed = owe_all(state, caller, "thunder")
    seat = state.seat_state(caller)
    return state.with_seat(caller, thundered=tuple(sorted({*seat.thundered, victim}))), (moved, owed)
