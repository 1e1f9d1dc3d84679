"""Overruling and adjusting: people correct the machine, and only what they name changes."""

from __future__ import annotations

from rules.events import Adjust, Decision, Overrule, Source, Submission
from rules.lightning_dice.calls import presses_in_order
from rules.lightning_dice.components import FACES
from rules.lightning_dice.events import Breach, Call, Calls, Decide
from rules.lightning_dice.judging import decide, waiting_for
from rules.lightning_dice.matches import pay_match
from rules.lightning_dice.scoring import close_card, finish, reopen
from rules.lightning_dice.setup import no_such_seat
from rules.lightning_dice.sixes import give_bonus, give_thunder
from rules.lightning_dice.state import LightningDiceState
from rules.lightning_dice.tournament import order_throw
from rules.records import Fact
from rules.referee import Entry
from rules.rulings import Effect, Outcome, Refusal, Ruling, Verdict, accepted, refused

__all__ = ["adjust", "adjustable", "overrule"]

State = LightningDiceState

_COUNTS = {"score": "score", "cards": "cards_won"}


def adjustable(state: State, number: int, what: str) -> tuple[int, int] | None:
    """Lowest and highest value that a count of a seat can be set to; None when there is no such count. TC-8."""
    options = state.options
    if what == "score" and options.sixes:
        least = 0 if options.least == 0 else -options.target
        return least, options.target
    if what == "cards" and options.quick:
        others = sum(seat.cards_won for seat in state.seats if seat.number != number)
        return 0, max(0, state.contest - others)
    return None


def adjust(state: State, event: Adjust) -> Outcome[State]:
    """Set a score, or in the quick game a pile, outright. TC-8, LD-C4.

    A score set to the target ends the match; one set below it after the end lets play go on.
    """
    if state.find(event.seat) is None:
        return Outcome(state, (no_such_seat(state, event.seat),))
    limits = adjustable(state, event.seat, event.what)
    if limits is None:
        facts: dict[str, Fact] = {"what": event.what}
        ruling = refused(Refusal.ILLEGAL, "ld.no-such-count", "TC-8", seat=event.seat, facts=facts)
        return Outcome(state, (ruling,))
    least, most = limits
    if not least <= event.value <= most:
        facts = {"what": event.what, "value": event.value, "least": least, "most": most}
        ruling = refused(Refusal.ILLEGAL, "ld.out-of-range", "TC-8", "LD-S13", seat=event.seat, facts=facts)
        return Outcome(state, (ruling,))
    before = getattr(state.seat_state(event.seat), _COUNTS[event.what])
    after = state.with_seat(event.seat, **{_COUNTS[event.what]: event.value, "moved_by": ""})
    after, ends = _settle(after)
    facts = {"what": event.what, "before": before, "after": event.value, "reason": event.reason}
    ruling = accepted(
        "ld.adjusted",
        "TC-8",
        "LD-C4",
        seat=event.seat,
        facts=facts,
        effects=(Effect(event.what, event.seat, before, event.value), *ends),
    )
    return Outcome(after, (ruling,))


def _settle(state: State) -> tuple[State, tuple[Effect, ...]]:
    """End the match when it is due, or take it up again when nothing ends it any more."""
    was = state.phase
    state, ends = finish(reopen(state))
    if was == "over":
        ends = () if state.phase == "over" else (Effect("match", None, "over", state.phase),)
    return state, ends


def overrule(state: State, filed: Submission[Overrule], original: Entry, standing: Ruling) -> Outcome[State]:
    """Put a person's decision in the place of a ruling. TC-7; the judge prevails over the reading, LD-J4.

    Points that the standing ruling moved are moved back; what an upheld call earns is given. The card follows only
    while it is still the contest at hand: upholding a claim closes it, refusing the claim that closed it opens it
    again. Once the next card is up, only points move. Overruling an overrule takes it back.
    """
    event = filed.event
    entry = original.filed.event
    if isinstance(entry, Calls) and waiting_for(state, event.target, event.ruling) is not None:
        word = Decide(event.target, event.decision, event.ruling, event.reason)
        return decide(state, Submission(word, Source.JUDGE))
    if standing.code in ("ld.waits", "ld.tie-judge", "ld.breach") or not _weighs(standing):
        facts: dict[str, Fact] = {"target": event.target}
        return Outcome(state, (refused(Refusal.ILLEGAL, "ld.no-overrule", "TC-10", facts=facts),))
    upheld = event.decision is Decision.UPHOLD
    if "rule" in standing.facts:
        return _overrule_breach(state, event, original, standing, upheld)
    if upheld == _stands(standing):
        facts = {"target": event.target}
        ruling = refused(Refusal.ILLEGAL, "ld.already-so", "TC-7", seat=standing.seat, about=event.target, facts=facts)
        return Outcome(state, (ruling,))
    return _overrule_call(state, event, original, standing, upheld)


def _weighs(ruling: Ruling) -> bool:
    """True for rulings on calls and breaches: those that a decision can turn round."""
    if ruling.seat is None:
        return False
    if "rule" in ruling.facts:
        return ruling.code not in ("ld.no-tournament", "ld.no-such-rule")
    return "contest" in ruling.facts and ruling.code != "ld.flip"


_GOOD = (
    "ld.match",
    "ld.match-card",
    "ld.tie-shared",
    "ld.bonus",
    "ld.bonus-capped",
    "ld.thunder",
    "ld.thunder-start",
    "ld.judge-match",
    "ld.judge-bonus",
    "ld.judge-thunder",
    "ld.upheld",
)


def _stands(ruling: Ruling) -> bool:
    return ruling.code in _GOOD


def _shift(state: State, effects: tuple[Effect, ...]) -> State:
    """Move back what these effects moved, as far as the track goes."""
    options = state.options
    for effect in reversed(effects):
        if effect.seat is None or effect.what not in _COUNTS:
            continue
        assert isinstance(effect.before, int)
        assert isinstance(effect.after, int)
        seat = state.seat_state(effect.seat)
        value = getattr(seat, _COUNTS[effect.what]) + effect.before - effect.after
        if effect.what == "cards" or options.least is not None:
            value = max(0, value)
        if effect.what == "score" and not options.quick:
            value = min(options.target, value)
        state = state.with_seat(effect.seat, **{_COUNTS[effect.what]: value, "moved_by": ""})
    return state


def _overrule_call(state: State, event: Overrule, original: Entry, standing: Ruling, upheld: bool) -> Outcome[State]:
    call, number = _call_of(original, event.ruling, standing)
    assert standing.seat is not None
    contest = standing.facts["contest"]
    current = contest == state.contest
    was_open = state.phase == "open"
    start = state
    state = _shift(state, standing.effects)
    closing: tuple[Effect, ...] = ()
    again = standing.code == "ld.overturned"
    if upheld and not again:
        granted = _grant(state, standing.seat, call, number, current and was_open)
        if granted is None:
            facts: dict[str, Fact] = {"number": number}
            ruling = refused(Refusal.AMBIGUOUS, "ld.which-victim", "LD-S22", "TC-2", seat=standing.seat, facts=facts)
            return Outcome(start, (ruling,))
        state, closing = granted
    elif current and call is Call.GOT_IT:
        if upheld and was_open:
            state, closing = close_card(state)
        elif not upheld and not was_open and state.last_card is not None and _was_closed_by(standing):
            state = state.replace(phase="open", card=state.last_card)
            closing = (Effect("card", None, None, state.last_card),)
    state, _ = finish(reopen(state))
    effects = [*_moves(start, state), *(each for each in closing if each.what in ("card", "must-roll", "pending"))]
    if (start.phase == "over") != (state.phase == "over"):
        effects.append(Effect("match", None, start.phase, state.phase))
    ruling = accepted(
        "ld.upheld" if upheld else "ld.overturned",
        "TC-7",
        *(clause for clause in standing.clauses if clause != "TC-7"),
        seat=standing.seat,
        about=event.target,
        facts={"call": call.value, "contest": contest, "was": standing.code, "reason": event.reason},
        effects=tuple(effects),
    )
    return Outcome(state, (ruling,))


def _was_closed_by(standing: Ruling) -> bool:
    return any(effect.what == "card" and effect.after is None for effect in standing.effects)


def _grant(
    state: State, seat: int, call: Call, number: int | None, live: bool
) -> tuple[State, tuple[Effect, ...]] | None:
    """What the upheld call earns; `live` when its card is still open. None when the victim cannot be told."""
    owed = state.seat_state(seat)
    if call is Call.GOT_IT:
        return pay_match(state, seat, close=live)
    effects: tuple[Effect, ...]
    if call is Call.BONUS:
        state, effects, _ = give_bonus(state, seat)
    else:
        if number is None or number == seat or state.find(number) is None:
            return None
        state, effects = give_thunder(state, seat, number)
    if not live:
        state = state.with_seat(
            seat, must_roll=owed.must_roll, why=owed.why, bonuses=owed.bonuses, thundered=owed.thundered
        )
        effects = effects[:1]
    return state, effects


def _call_of(original: Entry, place: int, standing: Ruling) -> tuple[Call, int | None]:
    """Which call was ruled on, and whose number it named."""
    told = standing.facts.get("call", original.rulings[place].facts.get("call"))
    number = original.rulings[place].facts.get("victim", original.rulings[place].facts.get("number"))
    event = original.filed.event
    if isinstance(event, Calls):
        press = presses_in_order(event)[place]
        number = press.number if number is None else number
        told = told or press.call.value
    call = Call(str(told))
    if call is Call.NICE_OR_NASTY:
        call = Call.BONUS if number in (None, standing.seat) else Call.THUNDER
    return call, number if isinstance(number, int) and number in FACES else None


def _moves(before: State, after: State) -> list[Effect]:
    """The counts that differ, one effect for each."""
    return [
        Effect(what, old.number, getattr(old, field), getattr(new, field))
        for old, new in zip(before.seats, after.seats, strict=True)
        for what, field in _COUNTS.items()
        if getattr(old, field) != getattr(new, field)
    ]


def _overrule_breach(state: State, event: Overrule, original: Entry, standing: Ruling, upheld: bool) -> Outcome[State]:
    """A breach that was none needs no new throw; one that was overlooked does. LD-J7, LD-J9, LD-T9."""
    facts: dict[str, Fact] = {"target": event.target}
    assert standing.seat is not None
    was = standing.verdict is Verdict.INFRACTION or standing.code == "ld.breach-upheld"
    if upheld == was:
        ruling = refused(Refusal.ILLEGAL, "ld.already-so", "TC-7", seat=standing.seat, about=event.target, facts=facts)
        return Outcome(state, (ruling,))
    entry = original.filed.event
    told = original.rulings[0].facts.get("places", ())
    places = entry.dice if isinstance(entry, Breach) else told if isinstance(told, tuple) else ()
    ordered = tuple(sorted({place for place in places if isinstance(place, int)}))
    effects: tuple[Effect, ...]
    if upheld:
        state, effects = order_throw(state, standing.seat, ordered)
    else:
        seat = state.seat_state(standing.seat)
        left = seat.must_roll
        if seat.why == "breach":
            left = tuple(place for place in left if place not in ordered)
        state = state.with_seat(standing.seat, must_roll=left, why=seat.why if left else "")
        effects = (Effect("must-roll", standing.seat, ordered, None),)
    ruling = accepted(
        "ld.breach-upheld" if upheld else "ld.breach-overturned",
        "TC-7",
        "LD-J7",
        seat=standing.seat,
        about=event.target,
        facts={"rule": standing.facts["rule"], "was": standing.code, "reason": event.reason},
        effects=effects,
    )
    return Outcome(state, (ruling,))
