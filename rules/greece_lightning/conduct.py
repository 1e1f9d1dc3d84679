"""What was looked at or counted at the table, held against the record; and what only people can see."""

from __future__ import annotations

from rules.greece_lightning.answers import no_such_seat, over, refuse, set_up_first
from rules.greece_lightning.components import FISH_LIMIT, SLOTS
from rules.greece_lightning.events import Conduct, Count, Dice, Fleece, LapMarker, Wake
from rules.greece_lightning.state import GreeceLightningState, SeatState
from rules.records import Fact
from rules.rulings import Outcome, Refusal, Ruling, accepted, infraction

__all__ = [
    "CONDUCT",
    "OF_A_SEAT",
    "OF_THE_TABLE",
    "conduct",
    "count",
    "counted",
    "dice",
    "fleece",
    "lap_marker",
    "wake",
]

State = GreeceLightningState

CONDUCT: dict[str, tuple[bool, tuple[str, ...]]] = {
    "looks-at-favor": (False, ("GL-B5", "GL-F2")),
    "shows-favor": (False, ("GL-F2", "GL-F1")),
    "turns-die": (False, ("GL-R24",)),
    "moves-early": (False, ("GL-R22",)),
    "turns-wedge-down": (False, ("GL-B7",)),
    "looks-at-used-favors": (True, ("GL-F14",)),
}
"""What people may report: whether it is allowed, and the clauses that say so."""

OF_A_SEAT: dict[str, tuple[str, ...]] = {
    "fish": ("GL-B2", "GL-P1"),
    "favors": ("GL-F11", "GL-F13"),
    "facedown": ("GL-F3", "GL-F2"),
}
"""What is counted before a seat, with the clauses that a wrong count breaks."""

OF_THE_TABLE: dict[str, tuple[str, ...]] = {
    "supply": ("GL-C5",),
    "wedges": ("GL-C2",),
    "stack": ("GL-C7", "GL-B14"),
    "deck": ("GL-C6",),
    "discard": ("GL-F14", "GL-F13"),
}
"""What is counted on the table, with the clauses that a wrong count breaks."""


def _begun(state: State, number: int) -> SeatState | Ruling:
    if state.phase == "over":
        return over()
    seat = state.find(number)
    if seat is None:
        return no_such_seat(state, number)
    return set_up_first(state, number) if state.phase == "setup" else seat


def dice(state: State, event: Dice) -> Outcome[State]:
    """The dice on a board are those rolled in this round. GL-R12, GL-R13, GL-R24, GL-E1."""
    seat = _begun(state, event.seat)
    if isinstance(seat, Ruling):
        return Outcome(state, (seat,))
    seen = (event.navigation, tuple(sorted(event.movement)))
    facts: dict[str, Fact] = {"navigation": event.navigation, "movement": event.movement}
    if state.phase == "rolling" and seat.navigation is None and not seat.rerolling:
        clear = event.navigation is None and not event.movement
        state = state.with_seat(event.seat, cluttered=not clear)
        if clear:
            return Outcome(state, (accepted("gl.dice", "GL-E1", seat=event.seat, facts=facts),))
        return Outcome(state, (infraction("gl.clutter", "GL-E1", seat=event.seat, facts=facts),))
    rolled = tuple(sorted(face for face in (seat.first, seat.second) if face is not None))
    allowed = [(seat.navigation, tuple(sorted(seat.movement_dice)))]
    if not seat.finished:
        allowed.append((seat.navigation, rolled))
    if seen in allowed:
        return Outcome(state, (accepted("gl.dice", "GL-R24", "GL-R12", seat=event.seat, facts=facts),))
    facts |= {"expected_navigation": seat.navigation, "expected_movement": allowed[0][1]}
    if seat.bust and event.movement:
        return refuse(state, "gl.bust-dice", "GL-R12", "GL-R13", seat=event.seat, facts=facts)
    return refuse(state, "gl.dice-differ", "GL-R24", seat=event.seat, facts=facts)


def wake(state: State, event: Wake) -> Outcome[State]:
    """The wake token lies where the move began, else under its ship. GL-M21, GL-M22, GL-W12."""
    seat = _begun(state, event.seat)
    if isinstance(seat, Ruling):
        return Outcome(state, (seat,))
    seen = event.spot
    facts: dict[str, Fact] = {"place": seen.place if seen else None, "dot": seen.dot if seen else None}
    if seen is not None and state.course.find(seen) is None:
        return refuse(
            state, "gl.no-such-dot", "TC-1", "GL-W10", seat=event.seat, facts=facts, family=Refusal.UNREADABLE
        )
    if seen == seat.wake:
        state = state.with_seat(event.seat, astray=None)
        return Outcome(state, (accepted("gl.wake", "GL-M21", "GL-M22", seat=event.seat, facts=facts),))
    state = state.with_seat(event.seat, astray=seen)
    assert seat.wake is not None
    facts |= {"expected_place": seat.wake.place, "expected_dot": seat.wake.dot}
    clauses = ("GL-M22", "GL-M21", "GL-W12")
    return Outcome(state, (infraction("gl.wake-astray", *clauses, seat=event.seat, facts=facts),))


def lap_marker(state: State, event: LapMarker) -> Outcome[State]:
    """A Lap marker shows the laps of its player, never fewer than before. GL-G1, GL-L1, GL-L7, GL-S20."""
    seat = state.find(event.seat)
    if seat is None:
        return Outcome(state, (no_such_seat(state, event.seat),))
    facts: dict[str, Fact] = {"laps": event.laps, "expected": seat.laps}
    if event.laps != seat.laps:
        clauses = ("GL-L7", "GL-G1") if event.laps < seat.laps else ("GL-G1", "GL-L1", "GL-S20")
        return refuse(state, "gl.lap-marker-wrong", *clauses, seat=event.seat, facts=facts)
    return Outcome(state, (accepted("gl.lap-marker", "GL-G1", seat=event.seat, facts={"laps": event.laps}),))


def fleece(state: State, event: Fleece) -> Outcome[State]:
    """The Golden Fleece lies before its holder: the last of set-up (GL-S33), then of the round before. GL-E4, GL-O8."""
    if state.find(event.seat) is None:
        return Outcome(state, (no_such_seat(state, event.seat),))
    if state.fleece is None:
        return Outcome(state, (set_up_first(state, event.seat),))
    clauses = ("GL-S33",) if state.round == 1 else ("GL-E4", "GL-O7")
    if state.phase == "turns":
        clauses = ("GL-O8", *clauses)
    if event.seat != state.fleece:
        return refuse(state, "gl.fleece-wrong", *clauses, seat=event.seat, facts={"expected": state.fleece})
    return Outcome(state, (accepted("gl.fleece-lies", *clauses, seat=event.seat),))


def counted(state: State, what: str, seat: int | None) -> int | None:
    """How many there are by the record; None when nothing such is counted."""
    if seat is not None:
        lying = state.find(seat)
        if lying is None or what not in OF_A_SEAT:
            return None
        return {"fish": lying.fish, "favors": len(lying.favors), "facedown": lying.facedown}[what]
    table = {
        "supply": state.supply,
        "wedges": len(state.given.wedges),
        "stack": state.stack_left,
        "deck": state.deck,
        "discard": len(state.discard),
    }
    return table.get(what)


def count(state: State, event: Count) -> Outcome[State]:
    """A count that differs from the record is told, and nothing changes. GL-C2, GL-C5, GL-C6, GL-B2, GL-F11, GL-F14."""
    if event.seat is not None and state.find(event.seat) is None:
        return Outcome(state, (no_such_seat(state, event.seat),))
    expected = counted(state, event.what, event.seat)
    if expected is None:
        facts: dict[str, Fact] = {"what": event.what}
        return refuse(state, "gl.not-counted", "TC-1", seat=event.seat, facts=facts, family=Refusal.UNREADABLE)
    clauses = OF_A_SEAT[event.what] if event.seat is not None else OF_THE_TABLE[event.what]
    facts = {"what": event.what, "count": event.count, "expected": expected}
    if event.count == expected:
        return Outcome(state, (accepted("gl.counted", *clauses, seat=event.seat, facts=facts),))
    limit = {"fish": FISH_LIMIT, "favors": SLOTS}.get(event.what)
    excess = event.count - limit if event.seat is not None and limit is not None else 0
    if excess > 0:
        facts = {"what": event.what, "count": event.count, "most": limit, "excess": excess}
        return refuse(state, "gl.too-many", *clauses, seat=event.seat, facts=facts)
    return refuse(state, "gl.count-differs", *clauses, seat=event.seat, facts=facts)


def conduct(state: State, event: Conduct) -> Outcome[State]:
    """A report of what only people can see: for the judge to weigh, or allowed. GL-B5, GL-F2, GL-R22, GL-R24."""
    if state.find(event.seat) is None:
        return Outcome(state, (no_such_seat(state, event.seat),))
    facts: dict[str, Fact] = {"what": event.what}
    if event.what not in CONDUCT:
        return refuse(state, "gl.no-such-conduct", "TC-1", seat=event.seat, facts=facts, family=Refusal.UNREADABLE)
    fine, clauses = CONDUCT[event.what]
    if fine:
        return Outcome(state, (accepted("gl.conduct-fine", *clauses, seat=event.seat, facts=facts),))
    return Outcome(state, (infraction("gl.conduct", *clauses, seat=event.seat, facts=facts),))
