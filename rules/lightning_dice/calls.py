"""Calls: who pressed first, what the dice showed at that instant, and what follows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from rules.lightning_dice.components import FALSE_CALL_POINTS
from rules.lightning_dice.events import Call, Calls, Press
from rules.lightning_dice.looks import dice_facts, look, match_problem
from rules.lightning_dice.matches import Row, judge_matches
from rules.lightning_dice.scoring import finish, score
from rules.lightning_dice.setup import no_such_seat, over
from rules.lightning_dice.sixes import bonus, resolve, thunder, thunder_number, untold
from rules.lightning_dice.state import LightningDiceState, Pending
from rules.records import Fact
from rules.rulings import Effect, Outcome, Refusal, Ruling, Verdict, penalty, refused

__all__ = ["judge_calls", "presses_in_order"]

State = LightningDiceState

_ORDER = {Call.THUNDER: 0, Call.BONUS: 1, Call.NICE_OR_NASTY: 2, Call.GOT_IT: 3}


def presses_in_order(event: Calls) -> list[Press]:
    """The presses by edge; equal edges by player number, only to give their rulings an order."""
    return sorted(event.presses, key=lambda p: (p.edge_ns, p.seat, p.call.value, p.number is not None, p.number or 0))


def _groups(rows: list[Row], tie_ms: int) -> Iterator[list[Row]]:
    """Presses that cannot be separated: those within `tie_ms` of the first of their group. LD-S40."""
    group: list[Row] = []
    for row in rows:
        if group and row[1].edge_ns - group[0][1].edge_ns > tie_ms * 1_000_000:
            yield group
            group = []
        group.append(row)
    if group:
        yield group


def judge_calls(state: State, event: Calls, seq: int) -> Outcome[State]:
    """Rule on the calls of one collection window, strictly in the order they were made. LD-S10, LD-S41.

    Within a group that cannot be separated no player number decides: losses come first, then Bonuses, then the
    matches together, then the end of the match, so nobody wins by an order that nobody can prove.
    """
    if not event.presses:
        problem = refused(Refusal.UNREADABLE, "ld.bad-dice", "TC-1", "LD-S10", facts={"problem": "presses"})
        return Outcome(state, (problem,))
    rows = list(enumerate(presses_in_order(event)))
    groups = list(_groups(rows, state.options.tie_ms))
    if state.options.mixed_calls == "match first":
        matches = [[row for row in group if row[1].call is Call.GOT_IT] for group in groups]
        others = [[row for row in group if row[1].call is not Call.GOT_IT] for group in groups]
        groups = [group for group in (*matches, *others) if group]
    rulings: dict[int, Ruling] = {}
    for group in groups:
        state = _judge_group(state, group, seq, rulings)
    return Outcome(state, tuple(rulings[place] for place, _ in rows))


def _judge_group(state: State, group: list[Row], seq: int, rulings: dict[int, Ruling]) -> State:
    live: list[tuple[int, Press, Call]] = []
    called: set[tuple[int, Call]] = set()
    for place, press in group:
        state, ruling = _no_contest(state, press)
        if ruling is None and (press.seat, press.call) in called:
            ruling = _already(press)
        if ruling is not None:
            rulings[place] = ruling
        else:
            called.add((press.seat, press.call))
            live.append((place, press, resolve(state, press)))
    if not live:
        return state
    if state.options.tournament:
        return _wait(state, live, seq, rulings)
    live.sort(key=lambda row: _ORDER[row[2]])
    matches: list[Row] = []
    for place, press, call in live:
        if call is Call.GOT_IT:
            matches.append((place, press))
        elif call is Call.BONUS:
            state, rulings[place] = bonus(state, press)
        elif call is Call.THUNDER:
            state, rulings[place] = thunder(state, press)
        else:
            rulings[place] = untold(state, press)
    state = judge_matches(state, matches, seq, rulings)
    state, ends = finish(state)
    if ends:
        winners = {effect.seat for effect in ends}
        place = next((n for n, p, _ in live[::-1] if rulings[n].effects and p.seat in winners), live[-1][0])
        rulings[place] = msgspec.structs.replace(rulings[place], effects=(*rulings[place].effects, *ends))
    return state


def _already(press: Press) -> Ruling:
    """One set of resting dice serves one call. LD-S38."""
    return refused(Refusal.ILLEGAL, "ld.already-called", "LD-S38", seat=press.seat, facts={"call": press.call.value})


def _no_contest(state: State, press: Press) -> tuple[State, Ruling | None]:
    """Calls that answer no open card, and calls that the seat has no right to."""
    call = press.call.value
    refusal: Ruling | None = None
    if state.find(press.seat) is None:
        refusal = no_such_seat(state, press.seat)
    elif state.phase == "over":
        refusal = over()
    elif press.call is not Call.GOT_IT and not state.options.sixes:
        # The quick game knows only matching. LD-Q13.
        refusal = refused(
            Refusal.ILLEGAL,
            "ld.no-bonus",
            "LD-Q13",
            seat=press.seat,
            facts={"call": call},
            by_option=("quick_bonus_and_thunder",),
        )
    elif state.phase == "setup":
        refusal = refused(Refusal.ILLEGAL, "ld.no-card", "LD-S1", "LD-S3", seat=press.seat, facts={"call": call})
    elif state.phase == "between" or _before_the_card(state, press):
        return _late(state, press)
    elif any(each.tied for each in state.pending) and not state.options.tournament:
        facts: dict[str, Fact] = {"call": call, "contest": state.contest}
        refusal = refused(Refusal.ILLEGAL, "ld.contested", "LD-S40", seat=press.seat, facts=facts)
    elif any(each.seat == press.seat and each.kind != "breach" for each in state.pending):
        refusal = _already(press)
    elif press.call is Call.GOT_IT:
        refusal = _no_claim(state, press)
    return state, refusal


def _before_the_card(state: State, press: Press) -> bool:
    return bool(press.edge_ns) and state.opened_ns is not None and press.edge_ns < state.opened_ns


def _late(state: State, press: Press) -> tuple[State, Ruling]:
    """The card is won and the next not up: nothing is paid (LD-S28) and nothing lost (LD-S42)."""
    facts: dict[str, Fact] = {"call": press.call.value, "contest": state.contest}
    clauses = ("LD-S42", "LD-S28") if press.call is Call.GOT_IT else ("LD-S5", "LD-S41")
    costs = state.options.late_call_costs and press.call is Call.GOT_IT and not state.options.quick
    if costs and state.phase == "between" and match_problem(state, look(state, press), state.last_card) == "false":
        state, effect = score(state, press.seat, -FALSE_CALL_POINTS, "false")
        facts |= {"before": effect.before, "after": effect.after}
        return state, penalty(
            "ld.late-cost",
            "LD-S42",
            "LD-S11",
            seat=press.seat,
            facts=facts,
            effects=(effect,),
            by_option=("late_call_costs",),
        )
    by_option = ("late_call_costs",) if press.call is Call.GOT_IT else ()
    return state, refused(Refusal.ILLEGAL, "ld.late", *clauses, seat=press.seat, facts=facts, by_option=by_option)


def _no_claim(state: State, press: Press) -> Ruling | None:
    facts: dict[str, Fact] = {"contest": state.contest, "card": state.card}
    if state.contenders and press.seat not in state.contenders:
        contenders: dict[str, Fact] = {"contenders": state.contenders}
        return refused(
            Refusal.ILLEGAL,
            "ld.not-contender",
            "LD-Q11",
            seat=press.seat,
            facts=contenders,
            by_option=("quick_tie",),
        )
    if state.seat_state(press.seat).locked_out:
        by_option = ("false_call_locks_out",)
        return refused(Refusal.ILLEGAL, "ld.locked-out", "LD-S12", seat=press.seat, facts=facts, by_option=by_option)
    return None


_KINDS: dict[Call, Literal["got-it", "bonus", "thunder"]] = {
    Call.GOT_IT: "got-it",
    Call.BONUS: "bonus",
    Call.THUNDER: "thunder",
}
_CONFIRMS = {Call.GOT_IT: "LD-J4", Call.BONUS: "LD-J5", Call.THUNDER: "LD-J6"}


def _wait(state: State, live: list[tuple[int, Press, Call]], seq: int, rulings: dict[int, Ruling]) -> State:
    """In tournament play the judge confirms every match (LD-J4), Bonus (LD-J5) and Thunder (LD-J6).

    What the referee reads is advice; the judge prevails.
    """
    alone = state.replace(given=msgspec.structs.replace(state.given, judge=False))
    advice: dict[int, str] = {}
    for place, press, call in live:
        if call is Call.GOT_IT:
            alone_rulings: dict[int, Ruling] = {}
            judge_matches(alone, [(place, press)], seq, alone_rulings)
            advice[place] = alone_rulings[place].code
        elif call is Call.NICE_OR_NASTY:
            rulings[place] = untold(state, press)
        else:
            advice[place] = (bonus if call is Call.BONUS else thunder)(alone, press)[1].code
    right = [place for place, _, call in live if advice.get(place) in ("ld.match", "ld.match-card")]
    group = max((each.group for each in state.pending), default=0) + 1
    waiting_seats: set[int] = set()
    for place, press, call in live:
        if call is Call.NICE_OR_NASTY:
            continue
        if press.seat in waiting_seats:
            rulings[place] = _already(press)
            continue
        waiting_seats.add(press.seat)
        number = press.seat if call is Call.BONUS else thunder_number(state, press) if call is Call.THUNDER else None
        kind = _KINDS[call]
        waiting = Pending(
            seq,
            place,
            press.seat,
            kind,
            press.edge_ns,
            group,
            tied=len(right) > 1 and place in right,
            advice=advice[place],
            number=number,
            throws=state.seat_state(press.seat).throws,
        )
        state = state.replace(pending=(*state.pending, waiting))
        facts = dice_facts(state, look(state, press), kind) | {"number": number, "advice": advice[place]}
        rulings[place] = Ruling(
            Verdict.ACCEPTED,
            "ld.waits",
            (_CONFIRMS[call], *(("LD-S40",) if waiting.tied else ())),
            press.seat,
            facts=facts,
            effects=(Effect("pending", press.seat, None, kind),),
        )
    return state
