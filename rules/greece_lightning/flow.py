"""What follows by itself: from rolling to turns, from step to step, from turn to turn, from round to round, the end."""

from __future__ import annotations

import msgspec

from rules.greece_lightning.favors import FavorTime
from rules.greece_lightning.favors_in_play import tridents
from rules.greece_lightning.race import RANKED_BY, last, ranking, winner
from rules.greece_lightning.setup import launch_order
from rules.greece_lightning.state import GreeceLightningState, SeatState, Turn
from rules.records import Fact
from rules.rulings import Effect, Ruling, accepted

__all__ = ["finished", "next_round", "settle"]

State = GreeceLightningState
_Flow = tuple[State, tuple[Ruling, ...]]

_FRESH = SeatState(0)


def settle(state: State) -> _Flow:
    """Go on as far as nobody has to do anything."""
    rulings: list[Ruling] = []
    while True:
        further = _next(state)
        if further is None:
            return state, tuple(rulings)
        state, more = further
        rulings += more


def _next(state: State) -> _Flow | None:
    """The next thing that follows by itself; None when somebody has to act first."""
    if state.waiting:
        return None
    if state.phase == "setup":
        placed = all(seat.spot is not None for seat in state.seats) and not launch_order(state)
        return _open_round(state) if placed and state.fleece is not None else None
    if state.phase == "rolling":
        # Turns begin when all have finished. GL-R23, GL-O2.
        return _first_turn(state) if all(seat.finished for seat in state.seats) else None
    if state.phase != "turns" or state.turn is None:
        return None
    seat = state.seat_state(state.turn.seat)
    if state.turn.step == "place" and not seat.wedges:
        return _to_move(state, seat.number)
    if state.turn.step != "reveal":
        return None
    if seat.movement_left:
        # A card revealed gave movement: the ship sails on. GL-F17.
        return state.replace(turn=Turn(seat.number, "move")), ()
    kept = seat.stopped and not state.options.stopped_reveals
    return _end_turn(state) if kept or not seat.facedown else None


def _open_round(state: State) -> _Flow:
    """All dice are off the boards (GL-E1) and all roll (GL-R1); tridents for rolling take effect. GL-O1, GL-O2."""
    cleared = tuple(
        msgspec.structs.replace(
            seat,
            navigation=None,
            first=None,
            second=None,
            rerolling="",
            finished=False,
            lasting=(),
            played=False,
        )
        for seat in state.seats
    )
    state = state.replace(phase="rolling", round=state.round + 1, turn=None, seats=cleared)
    facts: dict[str, Fact] = {"round": state.round, "fleece": state.fleece}
    in_turn = state.options.rolling == "in turn"
    clauses = ("GL-O2", "GL-R2" if in_turn else "GL-R1", "GL-E1")
    rulings = [accepted("gl.round", *clauses, seat=state.fleece, facts=facts)]
    for seat in state.seats:
        state, more = tridents(state, seat.number, FavorTime.ROLLING)
        rulings += more
    return state, tuple(rulings)


def _first_turn(state: State) -> _Flow:
    """The holder of the Golden Fleece begins. GL-O3, GL-S34, GL-E5."""
    first = state.fleece
    assert first is not None
    state = state.replace(phase="turns")
    begins = "GL-S34" if state.round == 1 else "GL-E5"
    return _begin_turn(state, first, "GL-O3", "GL-R23", begins)


def _begin_turn(state: State, number: int, *clauses: str) -> _Flow:
    """A turn: the wedges of the turn before are to be placed (GL-W1, GL-X4), the total is to be moved. GL-O5."""
    seat = state.seat_state(number)
    # A card may have had it draw in another's turn; that wedge too is placed now.
    wedges = (*seat.wedges, *seat.drawn)
    movement = max(0, state.total(number) + seat.movement_owed)
    state = state.with_seat(
        number,
        movement_left=movement,
        movement_owed=0,
        dots_moved=0,
        dots_skipped=0,
        boosts=0,
        stopped=False,
        favors_drawn=0,
        wedges=wedges,
        drawn=(),
    )
    state = state.replace(turn=Turn(number, "place"))
    facts: dict[str, Fact] = {"movement": movement, "wedges": wedges, "owed": seat.movement_owed}
    ruling = accepted("gl.turn", *clauses, "GL-O5", "GL-W1", "GL-X4", seat=number, facts=facts)
    state, more = tridents(state, number, FavorTime.TURN)
    return state, (ruling, *more)


def _to_move(state: State, number: int) -> _Flow:
    """No wedge is left to place, so the ship moves; tridents for moving take effect. GL-O5, GL-W2."""
    state = state.replace(turn=Turn(number, "move"))
    return tridents(state, number, FavorTime.MOVING)


def _end_turn(state: State) -> _Flow:
    """The turn passes on clockwise (GL-O4); after everybody's turn the round is over (GL-O6)."""
    assert state.turn is not None
    number = state.turn.seat
    seat = state.seat_state(number)
    # What was drawn in this turn is placed at the start of the next. GL-B8, GL-W1.
    state = state.with_seat(
        number, played=True, wedges=(*seat.wedges, *seat.drawn), drawn=(), movement_left=0, favors_drawn=0
    )
    following = next((each for each in state.others(number) if not each.played), None)
    if following is not None:
        clauses = ("GL-O4", "GL-G3") if state.ending else ("GL-O4", "GL-O1")
        return _begin_turn(state, following.number, *clauses)
    return finished(state) if state.ending else next_round(state)


def next_round(state: State) -> _Flow:
    """The Golden Fleece goes to the last in the race, between rounds only (GL-E2 to GL-E9, GL-O7, GL-O8); all roll."""
    before, rearmost = state.fleece, last(state)
    state = state.replace(fleece=rearmost, turn=None)
    facts: dict[str, Fact] = {"order": ranking(state), "kept": before == rearmost}
    effects = () if before == rearmost else (Effect("fleece", None, before, rearmost),)
    kept = ("GL-E6",) if before == rearmost else ("GL-E4",)
    clauses = ("GL-O7", "GL-E2", *kept, *RANKED_BY, "GL-O6", "GL-O8", "GL-E5")
    option = ("laps_first", "same_wedge")
    ruling = accepted("gl.fleece", *clauses, seat=rearmost, facts=facts, effects=effects, by_option=option)
    state, more = _open_round(state)
    return state, (ruling, *more)


def finished(state: State) -> _Flow:
    """The last round is complete: whoever is furthest past the line wins. GL-G3, GL-G4, GL-G6 to GL-G8."""
    first = winner(state)
    effects = (Effect("match", first, state.phase, "over"),)
    state = state.replace(phase="over", turn=None, winners=(first,))
    facts: dict[str, Fact] = {"order": ranking(state), "laps": tuple(seat.laps for seat in state.seats)}
    clauses = ("GL-G4", "GL-G3", "GL-G6", "GL-G7", "GL-G8")
    option = ("laps_first", "same_wedge")
    return state, (accepted("gl.finished", *clauses, seat=first, facts=facts, effects=effects, by_option=option),)
