"""What would be accepted now."""

from __future__ import annotations

from rules.events import Decision, Source
from rules.lightning_dice import events
from rules.lightning_dice.calls import judge_calls
from rules.lightning_dice.components import DICE, FACES, START, SUPPLY_PLACE
from rules.lightning_dice.judging import earlier_call
from rules.lightning_dice.setup import may_reshuffle
from rules.lightning_dice.state import ALL_PLACES, LightningDiceState
from rules.lightning_dice.tournament import RULES
from rules.referee import Domain, Option

__all__ = ["offers"]

State = LightningDiceState

_ANY = Domain()
_PLACES = Domain(ALL_PLACES, each=True)


def offers(state: State) -> tuple[Option, ...]:
    """Every kind of event that would be accepted now, with the fields that the table decides.

    Rolling is always among them: there are no turns and nobody is left out. LD-I1, LD-I2.
    """
    if state.phase == "over":
        return _pawns(state)
    return (*_set_up(state), *_cards(state), *_calls(state), *_decisions(state), *_dice(state), *_pawns(state))


def _set_up(state: State) -> tuple[Option, ...]:
    if state.phase != "setup":
        return ()
    quick = state.options.quick
    found = [
        Option(events.Shuffled(), clauses=("LD-Q2" if quick else "LD-I8",), label="ld.option.shuffled"),
        Option(events.Stack(SUPPLY_PLACE[quick]), clauses=("LD-Q3" if quick else "LD-I9",), label="ld.option.stack"),
    ]
    for seat in state.given.seats:
        free = {"colours": Domain((seat.colour,), each=True)}
        if quick:
            free |= {"pawn": _ANY, "pawns": _ANY}
        clauses = ("LD-Q4",) if quick else ("LD-I6", "LD-I7", "LD-I10")
        found.append(Option(events.Ready(seat.number, DICE, (), START, 1), free, clauses, "ld.option.ready"))
    return tuple(found)


def _cards(state: State) -> tuple[Option, ...]:
    if may_reshuffle(state):
        return (Option(events.Reshuffled(), clauses=("LD-S45",), label="ld.option.reshuffled"),)
    unused = tuple(card.id for card in state.given.cards if card.id not in state.used)
    may = state.ready if state.phase == "setup" else state.phase == "between"
    if not may or not unused:
        return ()
    free = {"card": Domain(unused), "seat": Domain((None, *state.given.numbers))}
    clauses = ("LD-Q5",) if state.options.quick else ("LD-S1", "LD-S30")
    judge = (Source.JUDGE,) if state.options.tournament else ()
    return (Option(events.Flip(unused[0]), free, clauses, "ld.option.flip", people=False, sources=judge),)


_LABELS = {
    events.Call.GOT_IT: ("ld.option.got-it", ("LD-S10",)),
    events.Call.BONUS: ("ld.option.bonus", ("LD-S16",)),
    events.Call.THUNDER: ("ld.option.thunder", ("LD-S23",)),
}


def _calls(state: State) -> tuple[Option, ...]:
    """The untimed calls of single seats that would change something."""
    if state.phase == "setup" or (state.phase == "between" and not state.options.late_call_costs):
        return ()
    found: list[Option] = []
    for seat in state.given.numbers:
        presses = [events.Press(seat, events.Call.GOT_IT), events.Press(seat, events.Call.BONUS, number=seat)]
        presses += [
            events.Press(seat, events.Call.THUNDER, number=other) for other in state.given.numbers if other != seat
        ]
        for press in presses:
            event = events.Calls((press,))
            if not judge_calls(state, event, 0).refused:
                label, clauses = _LABELS[press.call]
                found.append(Option(event, clauses=clauses, label=label))
    return tuple(found)


def _decisions(state: State) -> tuple[Option, ...]:
    """Both words of the judge on whatever is first in order. LD-J4, LD-J5, LD-J6, LD-S40."""
    found: list[Option] = []
    for each in state.pending:
        if earlier_call(state, each) is not None:
            continue
        for decision in Decision:
            if decision is Decision.UPHOLD and each.kind == "thunder":
                victim = each.number
                if victim is None or victim == each.seat or state.find(victim) is None:
                    continue
            event = events.Decide(each.seq, decision, each.ruling)
            label = f"ld.option.{decision.value}"
            found.append(Option(event, {"reason": _ANY}, ("LD-J4",), label, sources=(Source.JUDGE,)))
    return tuple(found)


def _dice(state: State) -> tuple[Option, ...]:
    """LD-S3, LD-S7, LD-S8, LD-S9, LD-Q6."""
    faces = Domain((*FACES, None), each=True, count=DICE)
    found: list[Option] = []
    for seat in state.given.numbers:
        free = {"faces": faces, "settled_ns": _ANY, "off_table": _PLACES}
        example = events.Roll(seat, FACES)
        clauses = ("LD-S7", "LD-S8", "LD-S9")
        found.append(Option(example, free, clauses, "ld.option.roll", people=False))
        some = events.Roll(seat, FACES, ALL_PLACES)
        found.append(Option(some, free | {"thrown": _PLACES}, clauses, "ld.option.roll", people=False))
        moving = {"dice": _PLACES, "since_ns": _ANY}
        found.append(Option(events.Moving(seat, ALL_PLACES), moving, ("LD-I1",), "ld.option.moving", people=False))
        if state.options.tournament:
            for number, rule in RULES.items():
                report = {"dice": _PLACES, "by_accident": _ANY}
                if number != 7 or seat not in state.options.handicaps:
                    for detail in ("", *rule.forbids):
                        event = events.Breach(seat, number, (0,), detail)
                        found.append(Option(event, report, rule.clauses, "ld.option.breach"))
    return tuple(found)


def _pawns(state: State) -> tuple[Option, ...]:
    if state.options.quick:
        return ()
    return tuple(
        Option(events.Pawn(seat.number, seat.score), clauses=("LD-C4",), label="ld.option.pawn", people=False)
        for seat in state.seats
    )
