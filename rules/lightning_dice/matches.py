"""MATCH: "Got it!" calls, verified against the card; one right one is paid, several are a tie."""

from __future__ import annotations

from rules.lightning_dice.components import FALSE_CALL_POINTS, MATCH_POINTS
from rules.lightning_dice.events import Press
from rules.lightning_dice.looks import dice_facts, look, match_problem
from rules.lightning_dice.scoring import close_card, score, take_card
from rules.lightning_dice.state import LightningDiceState, Pending
from rules.records import Fact
from rules.rulings import Effect, Refusal, Ruling, accepted, penalty, refused

__all__ = ["Row", "judge_matches", "pay_match"]

State = LightningDiceState
Row = tuple[int, Press]
"""A press with its place among the rulings."""


def _not_thrown(state: State, press: Press) -> Ruling | None:
    """Faces left from the last card count for nothing (LD-S4), nor do dice that served a Bonus (LD-S38)."""
    seen = look(state, press)
    facts: dict[str, Fact] = {"call": "got-it", "contest": state.contest, "card": state.card}
    by_option: tuple[str, ...]
    if seen.owed in ("bonus", "thunder"):
        by_option = ("one_call_per_throw",)
        return refused(
            Refusal.ILLEGAL, "ld.spent", "LD-S38", "LD-S18", seat=press.seat, facts=facts, by_option=by_option
        )
    if seen.owed or seen.never:
        by_option = ("fresh_roll",) if seen.owed else ()
        return refused(Refusal.ILLEGAL, "ld.not-rolled", "LD-S4", seat=press.seat, facts=facts, by_option=by_option)
    return None


def judge_matches(state: State, rows: list[Row], seq: int, rulings: dict[int, Ruling]) -> State:
    """All "Got it!" calls of one group: each is verified; one right one is paid, several are a tie. LD-S28, LD-S40."""
    right: list[Row] = []
    wrong: list[tuple[int, Press, str]] = []
    for place, press in rows:
        void = _not_thrown(state, press)
        if void is not None:
            rulings[place] = void
            continue
        problem = match_problem(state, look(state, press), state.card)
        if problem:
            wrong.append((place, press, problem))
        else:
            right.append((place, press))
    for place, press, problem in wrong:
        state, rulings[place] = _wrong_match(state, press, problem)
    if len(right) > 1:
        right = _earlier_rest(state, right, rulings)
    if len(right) == 1:
        place, press = right[0]
        facts = dice_facts(state, look(state, press))
        state, effects = pay_match(state, press.seat)
        rulings[place] = _paid(state, press, facts, effects)
    elif right:
        state = _tie(state, right, seq, rulings)
    return state


def _wrong_match(state: State, press: Press, problem: str) -> tuple[State, Ruling]:
    """A false call costs 2 (LD-S11) and leaves the card open (LD-S12); in the quick game nothing (LD-Q12)."""
    seen = look(state, press)
    facts = dice_facts(state, seen)
    options = state.options
    if problem == "unproven":
        by_option = ("missing_evidence",)
        return state, refused(
            Refusal.UNREADABLE, "ld.unproven", "LD-S44", seat=press.seat, facts=facts, by_option=by_option
        )
    card = state.given.card(state.card or "")
    assert card is not None
    facts["missing"] = card.meaning.missing(seen.shown)
    facts["unmet"] = card.meaning.unmet(seen.shown, exact=options.surplus_dice == "none")
    if options.false_call_locks_out:
        state = state.with_seat(press.seat, locked_out=True)
    clauses = ("LD-S43", "LD-T8") if seen.idle else ()
    if not options.quick:
        state, effect = score(state, press.seat, -FALSE_CALL_POINTS, "false")
        facts |= {"before": effect.before, "after": effect.after}
        floor = ("LD-S13",) if effect.after != _int(effect.before) - FALSE_CALL_POINTS else ()
        return state, penalty(
            "ld.false",
            "LD-S11",
            *clauses,
            "LD-S12",
            *floor,
            seat=press.seat,
            facts=facts,
            effects=(effect,),
            by_option=("scores_below_start",) if floor else (),
        )
    by_option = ("quick_false_call_costs_card",)
    if options.quick_false_call_costs_card:
        held = state.seat_state(press.seat).cards_won
        left = max(0, held - 1)
        facts |= {"before": held, "after": left}
        state = state.with_seat(press.seat, cards_won=left)
        effect = Effect("cards", press.seat, held, left)
        return state, penalty(
            "ld.false-card", "LD-Q12", seat=press.seat, facts=facts, effects=(effect,), by_option=by_option
        )
    ruling = refused(
        Refusal.ILLEGAL, "ld.false-free", "LD-Q12", *clauses, seat=press.seat, facts=facts, by_option=by_option
    )
    if options.false_call_locks_out:
        # A lock-out changes the position, so it is a loss and no mere refusal. LD-S12.
        facts |= {"before": state.seat_state(press.seat).cards_won, "after": state.seat_state(press.seat).cards_won}
        ruling = penalty(
            "ld.false-card", "LD-S12", "LD-Q12", seat=press.seat, facts=facts, by_option=("false_call_locks_out",)
        )
    return state, ruling


def _int(value: Fact) -> int:
    assert isinstance(value, int)
    return value


def pay_match(state: State, number: int, *, close: bool = True) -> tuple[State, tuple[Effect, ...]]:
    """The winner goes up 2 (LD-S6, LD-S29) or takes the card (LD-Q7), and the card is closed (LD-S30)."""
    if state.options.quick:
        state, gain = take_card(state, number)
    else:
        state, gain = score(state, number, MATCH_POINTS, "match")
    effects: tuple[Effect, ...] = ()
    if close:
        state, effects = close_card(state)
    return state, (gain, *effects)


def _paid(state: State, press: Press, facts: dict[str, Fact], effects: tuple[Effect, ...]) -> Ruling:
    facts |= {"before": effects[0].before, "after": effects[0].after}
    if state.options.quick:
        return accepted("ld.match-card", "LD-Q7", seat=press.seat, facts=facts, effects=effects)
    past = _int(facts["after"]) != _int(facts["before"]) + MATCH_POINTS
    clauses = ("LD-S6", "LD-S10", "LD-S28", "LD-S29", *(("LD-S33",) if past else ()))
    by_option = ("exact_finish",) if past else ()
    return accepted("ld.match", *clauses, seat=press.seat, facts=facts, effects=effects, by_option=by_option)


def _earlier_rest(state: State, right: list[Row], rulings: dict[int, Ruling]) -> list[Row]:
    """Quick game: of tied calls the one whose dice came to rest first was first to match. LD-Q7."""
    rests = [state.seat_state(press.seat).settled_ns for _, press in right]
    known = [rest for rest in rests if rest is not None]
    if not state.options.quick or len(known) < len(right) or known.count(min(known)) > 1:
        return right
    first = known.index(min(known))
    for row, (place, press) in enumerate(right):
        if row != first:
            facts: dict[str, Fact] = {"call": "got-it", "contest": state.contest}
            rulings[place] = refused(Refusal.ILLEGAL, "ld.late", "LD-Q7", "LD-S28", seat=press.seat, facts=facts)
    return [right[first]]


def _tie(state: State, right: list[Row], seq: int, rulings: dict[int, Ruling]) -> State:
    """Right calls that cannot be separated: the judge decides; without one nobody scores. LD-S40."""
    tied = tuple(sorted(press.seat for _, press in right))
    faces = {place: dice_facts(state, look(state, press)) | {"tied": tied} for place, press in right}
    if state.given.judge:
        group = max((each.group for each in state.pending), default=0) + 1
        for place, press in right:
            throws = state.seat_state(press.seat).throws
            waiting = Pending(
                seq, place, press.seat, "got-it", press.edge_ns, group, tied=True, advice="ld.match", throws=throws
            )
            state = state.replace(pending=(*state.pending, waiting))
            effect = Effect("pending", press.seat, None, "got-it")
            rulings[place] = accepted(
                "ld.tie-judge", "LD-S40", seat=press.seat, facts=faces[place], effects=(effect,), by_option=("tie_ms",)
            )
        return state
    each = state.options.tied_calls == "each"
    gains: dict[int, tuple[Effect, ...]] = {}
    if each:
        for place, press in right:
            state, gains[place] = pay_match(state, press.seat, close=False)
    state, closing = close_card(state)
    for place, press in right:
        effects = (*gains.get(place, ()), *closing)
        facts = faces[place]
        if each:
            facts = facts | {"before": effects[0].before, "after": effects[0].after}
        rulings[place] = accepted(
            "ld.tie-shared" if each else "ld.tie-void",
            "LD-S40",
            seat=press.seat,
            facts=facts,
            effects=effects,
            by_option=("tie_ms", "tied_calls"),
        )
    return state
