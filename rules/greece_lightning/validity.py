"""What no real table can look like; tests hold every state to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rules.greece_lightning.components import (
    FAVORS_A_TURN,
    FISH,
    FISH_LIMIT,
    LAPS,
    MOVEMENT_FACES,
    NAVIGATION_FACES,
    SLOTS,
)
from rules.greece_lightning.state import GreeceLightningState, SeatState

__all__ = ["favors_of_table", "problems"]

State = GreeceLightningState


def favors_of_table(state: State) -> int:
    """Favor cards on the whole table, wherever they are."""
    boards = sum(len(seat.favors) + seat.facedown for seat in state.seats)
    waiting = sum(
        bool(each.card) and not (each.kind == "use" and each.card in state.seat_state(each.seat).favors)
        for each in state.waiting
    )
    return boards + waiting + state.deck + len(state.discard)


def problems(state: State) -> tuple[str, ...]:
    """What is impossible about a state, in words for a developer; empty for every state of a real match."""
    return (*_table(state), *(f"seat {seat.number}: {each}" for seat in state.seats for each in _seat(state, seat)))


def _table(state: State) -> Iterator[str]:
    fish = state.supply + sum(seat.fish for seat in state.seats)
    if fish != FISH or state.supply < 0:
        yield f"{fish} Fish, {state.supply} of them in the supply (GL-C5)"
    wedges = [wedge for seat in state.seats for wedge in (*seat.wedges, *seat.drawn)]
    wedges += state.layout.wedges if state.layout else ()
    if len(wedges) != len(set(wedges)) or not set(wedges) <= set(state.given.wedges):
        yield "a wedge lies in two places, or is none of the box (GL-C2)"
    if state.stack_left < 0:
        yield "more wedges were drawn than there are (GL-B14)"
    cards = favors_of_table(state)
    expected = sum(favor.copies for favor in state.given.favors.values())
    if "favors stacked" in state.declared and cards != expected:
        yield f"{cards} Favors instead of {expected} (GL-C6)"
    shown = Counter(card for seat in state.seats for card in seat.favors) + Counter(state.discard)
    if any(number > state.given.favors[card].copies for card, number in shown.items()):
        yield "more copies of a Favor lie face up than there are (GL-C6)"
    spots = [seat.spot for seat in state.seats if seat.spot is not None]
    if len(spots) != len(set(spots)):
        yield "two ships share a dot (GL-M16)"
    if any(state.course.find(spot) is None for spot in spots):
        yield "a ship stands on no dot"
    if state.phase in ("rolling", "turns") and state.find(state.fleece) is None:
        yield "nobody has the Golden Fleece (GL-O3)"
    if (state.turn is not None) != (state.phase == "turns"):
        yield f"a turn in phase {state.phase}"
    if (state.phase == "over") != bool(state.winners):
        yield "over without a winner, or a winner before the end"
    if state.phase == "over" and not any(seat.laps >= LAPS for seat in state.seats):
        yield "over though nobody completed the race (GL-G2)"
    if state.phase in ("setup", "over") and state.waiting:
        yield "something is waited for outside of play"


def _seat(state: State, seat: SeatState) -> Iterator[str]:
    if not 0 <= seat.fish <= FISH_LIMIT:
        yield f"{seat.fish} Fish (GL-B2)"
    if len(seat.favors) > SLOTS:
        yield f"{len(seat.favors)} face-up Favors (GL-F11)"
    if not 0 <= seat.facedown <= FAVORS_A_TURN:
        yield f"{seat.facedown} face-down Favors (GL-F3)"
    if len(seat.wedges) + len(seat.drawn) > state.given.wedges_a_turn:
        yield f"{len(seat.wedges) + len(seat.drawn)} wedges (GL-D2)"
    if seat.navigation is not None and seat.navigation not in NAVIGATION_FACES:
        yield f"Navigation die shows {seat.navigation} (GL-C3)"
    if any(face not in MOVEMENT_FACES for face in (seat.first, seat.second) if face is not None):
        yield "a Movement die shows what it cannot (GL-C4)"
    if seat.first is not None and seat.navigation is None:
        yield "a Movement die without the Navigation die (GL-R3)"
    if seat.second is not None and seat.first is None:
        yield "a second Movement die without the first (GL-R3)"
    if seat.movement_left < 0:
        yield f"{seat.movement_left} movement left"
    if seat.movement_left and (state.turn is None or state.turn.seat != seat.number) and state.phase != "over":
        yield "movement left outside the own turn (GL-M5)"
    if state.phase == "turns" and not seat.finished:
        yield "turns began before its roll was finished (GL-R23)"
