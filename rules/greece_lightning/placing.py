"""Wedges: seen as they are drawn, laid on the course at the start of the next turn."""

from __future__ import annotations

from rules.greece_lightning.answers import no_such_seat, over, refuse, turn_problem, waits, without
from rules.greece_lightning.circle import barred
from rules.greece_lightning.components import PLACES
from rules.greece_lightning.course import Spot
from rules.greece_lightning.events import DrawWedge, PlaceWedge
from rules.greece_lightning.state import GreeceLightningState
from rules.records import Fact
from rules.rulings import Effect, Outcome, Refusal, Ruling, accepted, refused

__all__ = ["draw_wedge_seen", "free_places", "place_wedge", "wakes_astray"]

State = GreeceLightningState


def draw_wedge_seen(state: State, event: DrawWedge) -> Outcome[State]:
    """The wedge drawn lies face up; now it is known. GL-B7, GL-C2."""
    if state.phase == "over":
        return Outcome(state, (over(),))
    if state.find(event.seat) is None:
        return Outcome(state, (no_such_seat(state, event.seat),))
    waiting = waits(state, event.seat, "wedge")
    if waiting is None:
        limit = "GL-B9" if state.given.wedges_a_turn == 1 else "GL-B10"
        return refuse(state, "gl.no-wedge-drawn", "GL-B7", limit, seat=event.seat, facts={"wedge": event.wedge})
    if event.wedge is None:
        return refuse(state, "gl.wedge-unreadable", "TC-1", "GL-B7", seat=event.seat, family=Refusal.UNREADABLE)
    facts: dict[str, Fact] = {"wedge": event.wedge}
    if event.wedge not in state.given.wedges:
        return refuse(state, "gl.wedge-unknown", "TC-1", seat=event.seat, facts=facts, family=Refusal.UNREADABLE)
    if event.wedge not in state.stack:
        return refuse(
            state, "gl.wedge-elsewhere", "GL-C2", "TC-1", seat=event.seat, facts=facts, family=Refusal.UNREADABLE
        )
    drawn = state.seat_state(event.seat).drawn
    state = without(state, waiting).with_seat(event.seat, drawn=(*drawn, event.wedge))
    return Outcome(state, (accepted("gl.wedge-drawn", "GL-B7", "GL-B8", seat=event.seat, facts=facts),))


def wakes_astray(state: State) -> tuple[Spot, ...]:
    """The dots of wake tokens that lie where they should not. GL-W12."""
    if not state.options.stray_wake_bars:
        return ()
    return tuple(seat.astray for seat in state.seats if seat.astray is not None)


def free_places(state: State) -> tuple[int, ...]:
    """Where a wedge may be laid now. GL-W5, GL-W6, GL-W11, GL-W12."""
    assert state.layout is not None
    ships = [seat.spot for seat in state.seats if seat.spot is not None]
    not_free = barred(state.layout, ships, wakes_astray(state))
    return tuple(place for place in range(1, PLACES + 1) if place not in not_free)


def place_wedge(state: State, event: PlaceWedge) -> Outcome[State]:
    """A wedge of the turn before is laid on the course. GL-W1 to GL-W12, GL-O5, GL-X4, GL-X5."""
    problem = turn_problem(state, event.seat) or _not_placed(state, event)
    if problem is not None:
        return Outcome(state, (problem,))
    seat = state.seat_state(event.seat)
    assert state.layout is not None
    below = state.layout.top(event.place)
    wedges = tuple(wedge for wedge in seat.wedges if wedge != event.wedge)
    state = state.replace(layout=state.layout.with_wedge(event.place, event.wedge))
    state = state.with_seat(event.seat, wedges=wedges)
    assert state.layout is not None
    height = len(state.layout.stack(event.place))
    facts: dict[str, Fact] = {
        "wedge": event.wedge,
        "place": event.place,
        "height": height,
        "left": len(wedges),
    }
    limit = "GL-W8" if state.given.wedges_a_turn == 1 else "GL-W9"
    clauses = ("GL-W1", "GL-W11", "GL-W7", "GL-W10", "GL-W4", limit, "GL-X4", "GL-X5")
    effects = (Effect("place", None, below, event.wedge),)
    return Outcome(state, (accepted("gl.placed", *clauses, seat=event.seat, facts=facts, effects=effects),))


def _not_placed(state: State, event: PlaceWedge) -> Ruling | None:
    seat = state.seat_state(event.seat)
    facts: dict[str, Fact] = {"wedge": event.wedge, "place": event.place}
    if event.wedge in seat.drawn:
        return refused(Refusal.ILLEGAL, "gl.drawn-now", "GL-B8", "GL-W1", seat=event.seat, facts=facts)
    if not seat.wedges:
        limit = "GL-W8" if state.given.wedges_a_turn == 1 else "GL-W9"
        return refused(Refusal.ILLEGAL, "gl.no-wedge-due", limit, "GL-W1", "GL-D2", seat=event.seat, facts=facts)
    if event.others:
        several: dict[str, Fact] = {"wedges": 1 + event.others}
        return refused(Refusal.ILLEGAL, "gl.one-wedge", "GL-W3", seat=event.seat, facts=several)
    if event.wedge not in seat.wedges:
        due: dict[str, Fact] = {"wedge": event.wedge, "due": seat.wedges}
        return refused(Refusal.ILLEGAL, "gl.other-wedge", "GL-W1", seat=event.seat, facts=due)
    if not 1 <= event.place <= PLACES:
        return refused(Refusal.UNREADABLE, "gl.no-such-place", "TC-1", seat=event.seat, facts={"place": event.place})
    if not event.aligned:
        return refused(Refusal.ILLEGAL, "gl.not-aligned", "GL-W4", seat=event.seat, facts=facts)
    assert state.layout is not None
    ships = [each.spot for each in state.seats if each.spot is not None]
    clause = barred(state.layout, ships, wakes_astray(state)).get(event.place)
    if clause is not None:
        codes = {"GL-W5": "gl.on-line", "GL-W6": "gl.on-ship", "GL-W12": "gl.on-wake"}
        option = ("stray_wake_bars",) if clause == "GL-W12" else ()
        return refused(Refusal.ILLEGAL, codes[clause], clause, seat=event.seat, facts=facts, by_option=option)
    return None
