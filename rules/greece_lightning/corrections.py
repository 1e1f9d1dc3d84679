"""What people put right: counts set outright, findings upheld or withdrawn."""

from __future__ import annotations

from rules.events import Adjust, Decision, Overrule, Submission, correctors
from rules.greece_lightning.answers import no_such_seat, refuse, waits, without
from rules.greece_lightning.components import BOOST, FISH_LIMIT, LAPS
from rules.greece_lightning.events import PutShip
from rules.greece_lightning.flow import finished, next_round
from rules.greece_lightning.race import winner
from rules.greece_lightning.state import GreeceLightningState
from rules.records import Fact
from rules.referee import Entry
from rules.rulings import Effect, Outcome, Refusal, Ruling, Verdict, accepted, infraction, refused

__all__ = ["FINDINGS", "adjust", "adjustable", "overrule", "put_ship"]

State = GreeceLightningState

FINDINGS = frozenset({"gl.conduct", "gl.clutter", "gl.wake-astray", "gl.finding-stands"})
"""Codes of findings that a person may uphold or withdraw."""

_MOST_MOVEMENT = 10 * BOOST
"""No dice, cards and boosts of one turn come near it; a bound for what may be typed."""

_COUNTS = {"fish": "fish", "laps": "laps", "movement": "movement_left"}


def adjustable(state: State, seat: int, what: str) -> tuple[int, int] | None:
    """Least and most that a count of a seat can be set to; None when it is no such count. TC-8."""
    lying = state.seat_state(seat)
    if what == "fish":
        return 0, min(FISH_LIMIT, lying.fish + state.supply)
    if what == "laps" and state.phase != "setup":
        return 0, LAPS + 1
    if what == "movement" and state.turn is not None and state.turn.seat == seat and state.turn.step == "move":
        return 0, _MOST_MOVEMENT
    return None


def adjust(state: State, event: Adjust) -> Outcome[State]:
    """Set Fish, laps, or the movement left outright. TC-8, GL-C5.

    Fish come from the supply and go back to it. Laps set after the end may take the end back.
    """
    if state.find(event.seat) is None:
        return Outcome(state, (no_such_seat(state, event.seat),))
    limits = adjustable(state, event.seat, event.what)
    if limits is None:
        return refuse(state, "gl.no-such-count", "TC-8", seat=event.seat, facts={"what": event.what})
    least, most = limits
    if not least <= event.value <= most:
        facts: dict[str, Fact] = {"what": event.what, "value": event.value, "least": least, "most": most}
        return refuse(state, "gl.out-of-range", "TC-8", "GL-B2", seat=event.seat, facts=facts)
    before = getattr(state.seat_state(event.seat), _COUNTS[event.what])
    if event.what == "fish":
        state = state.with_fish(event.seat, event.value)
    else:
        state = state.with_seat(event.seat, **{_COUNTS[event.what]: event.value})
    if event.what == "movement" and event.value:
        state = state.with_seat(event.seat, stopped=False)  # people say that the ship goes on
    facts = {"what": event.what, "before": before, "after": event.value, "reason": event.reason}
    effects = (Effect(event.what, event.seat, before, event.value),)
    rulings = [accepted("gl.adjusted", "TC-8", "GL-C5", seat=event.seat, facts=facts, effects=effects)]
    if state.phase == "over":
        state, more = _after_the_end(state)
        rulings += more
    return Outcome(state, tuple(rulings))


def put_ship(state: State, filed: Submission[PutShip]) -> Outcome[State]:
    """A ship is set on a dot outright, with its wake token, without anything that lies there. TC-8, TC-9, GL-F17.

    So a group carries out what a card says that the program does not know, and puts back a ship that was pushed.
    """
    event = filed.event
    if state.find(event.seat) is None:
        return Outcome(state, (no_such_seat(state, event.seat),))
    if filed.source not in correctors(judged=state.given.judge):
        return refuse(state, "core.not-judge", "TC-9", seat=event.seat)
    if not event.reason.strip():
        return refuse(state, "core.no-reason", "TC-9", seat=event.seat)
    if state.phase not in ("rolling", "turns"):
        return refuse(state, "gl.not-begun", "TC-8", seat=event.seat)
    facts: dict[str, Fact] = {"place": event.spot.place, "dot": event.spot.dot}
    if state.course.find(event.spot) is None:
        return refuse(state, "gl.no-such-dot", "TC-1", seat=event.seat, facts=facts, family=Refusal.UNREADABLE)
    owner = next((each for each in state.seats if each.spot == event.spot and each.number != event.seat), None)
    if owner is not None:
        return refuse(state, "gl.occupied", "GL-M16", seat=event.seat, facts={**facts, "owner": owner.number})
    before = state.seat_state(event.seat).spot
    assert before is not None
    moving = state.turn is not None and state.turn.seat == event.seat and state.turn.step == "move"
    if moving:
        # The wake token stays where the move began; a Hydra where the ship is not does not hold it.
        state = state.with_seat(event.seat, spot=event.spot, stopped=False)
    else:
        state = state.with_seat(event.seat, spot=event.spot, wake=event.spot)
    met = waits(state, event.seat, "hydra")
    if met is not None:
        state = without(state, met)
    effects = (Effect("ship", event.seat, (before.place, before.dot), (event.spot.place, event.spot.dot)),)
    facts["reason"] = event.reason
    ruling = accepted("gl.ship-put", "TC-8", "GL-F17", seat=event.seat, facts=facts, effects=effects)
    return Outcome(state, (ruling,))


def _after_the_end(state: State) -> tuple[State, tuple[Ruling, ...]]:
    """Whoever is ahead by the corrected laps has won; when nobody has ended the race, it goes on. GL-G2, GL-G6.

    The round that was to be the last one is over then as any other: the Golden Fleece passes on. GL-E4.
    """
    if not state.ending:
        return next_round(state.replace(winners=()))
    return (state, ()) if state.winners == (winner(state),) else finished(state)


def overrule(state: State, filed: Submission[Overrule], original: Entry, standing: Ruling) -> Outcome[State]:
    """Uphold or withdraw a finding; what was played stands. TC-7. Anything else is amended. TC-6."""
    event = filed.event
    facts: dict[str, Fact] = {"target": event.target}
    if standing.code not in FINDINGS and standing.code != "gl.finding-withdrawn":
        return Outcome(state, (refused(Refusal.ILLEGAL, "gl.no-overrule", "TC-10", "TC-6", facts=facts),))
    upheld = event.decision is Decision.UPHOLD
    stood = standing.verdict is Verdict.INFRACTION
    if upheld == stood and standing.code != original.rulings[event.ruling].code:
        ruling = refused(Refusal.ILLEGAL, "gl.already-so", "TC-7", seat=standing.seat, about=event.target, facts=facts)
        return Outcome(state, (ruling,))
    facts = {"was": original.rulings[event.ruling].code, "reason": event.reason}
    clauses = ("TC-7", *(each for each in standing.clauses if each != "TC-7"))
    effects = (Effect("finding", standing.seat, "open" if stood else "withdrawn", "upheld" if upheld else "withdrawn"),)
    if not upheld and standing.seat is not None:
        state = state.with_seat(standing.seat, **_cleared(original.rulings[event.ruling].code))
    say, code = (infraction, "gl.finding-stands") if upheld else (accepted, "gl.finding-withdrawn")
    ruling = say(code, *clauses, seat=standing.seat, about=event.target, facts=facts, effects=effects)
    return Outcome(state, (ruling,))


def _cleared(code: str) -> dict[str, object]:
    """What a withdrawn finding no longer bars."""
    cleared: dict[str, dict[str, object]] = {"gl.clutter": {"cluttered": False}, "gl.wake-astray": {"astray": None}}
    return cleared.get(code, {})
