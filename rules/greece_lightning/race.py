"""Who is ahead: the order of the race at the end of a round and at the end."""

from __future__ import annotations

from rules.greece_lightning.components import LAPS
from rules.greece_lightning.state import GreeceLightningState, SeatState
from rules.referee import Result

__all__ = ["RANKED_BY", "last", "ranking", "result", "winner"]

State = GreeceLightningState

RANKED_BY = ("GL-E3", "GL-E7", "GL-E8", "GL-E9")
"""What the order of the race is made of."""


def _advance(state: State, seat: SeatState) -> tuple[int, ...]:
    """How far a seat is; the greater is ahead. GL-E3, GL-E7, GL-E8, GL-E9, GL-G6, GL-G7, GL-G8."""
    assert seat.spot is not None
    laps, wedges, centre, along = state.course.advance(seat.laps, seat.spot)
    on_wedge = (centre, along) if state.options.same_wedge == "centre" else (along, centre)
    return (laps if state.options.laps_first else 0, wedges, *on_wedge)


def ranking(state: State) -> tuple[int, ...]:
    """The seats in the order of the race, the leader first. GL-E2, GL-G6."""
    racing = [seat for seat in state.seats if seat.spot is not None]
    ordered = sorted(racing, key=lambda seat: _advance(state, seat), reverse=True)
    return tuple(seat.number for seat in ordered)


def last(state: State) -> int:
    """Who is in last place and gets the Golden Fleece. GL-E2, GL-E4, GL-O7."""
    return ranking(state)[-1]


def winner(state: State) -> int:
    """Whose ship is furthest past the line. GL-G6, GL-G7, GL-G8."""
    return ranking(state)[0]


def result(state: State) -> Result | None:
    """How the match ended, None while it goes on. GL-G4."""
    if state.phase != "over":
        return None
    laps = {seat.laps for seat in state.seats if seat.laps >= LAPS}
    clauses = ("GL-G6", "GL-G4", "GL-G7", "GL-G8") if laps else ("GL-G6",)
    return Result(state.winners, "gl.won", clauses)
