"""Greece Lightning as its screens show it: the course, the ships, what each player has, what may be sailed to.

Plain data, ready for JSON; only what the table shows in public. A spot is [place, dot].
"""

from __future__ import annotations

from typing import Any

from rules.greece_lightning.ahead import ahead
from rules.greece_lightning.components import PLACES
from rules.greece_lightning.course import Spot
from rules.greece_lightning.moving import ways_of
from rules.greece_lightning.placing import free_places
from rules.greece_lightning.race import ranking
from rules.greece_lightning.state import GreeceLightningState, SeatState
from rules.header import Seat

__all__ = ["FAR", "race_view"]

FAR = 6
"""Movement that one looks ahead at least, also when less is left."""


def race_view(state: GreeceLightningState) -> dict[str, Any]:
    """The race as it stands.

    Keys: `phase`, `round`, `ending`; `turn` (whose, which step) or None; `fleece`, seat number or None; `order`, seat
    numbers, the leader first; `line`, its place or None; `course`, one entry a place; `seats`; `waiting`; `next`, the
    dots that the ship in turn may sail to now; `free_places`, where its wedge may be laid now; `supply`, `deck`,
    `discard`, `stack`, how many lie there; `winners`.
    """
    number = state.turn.seat if state.turn is not None else None
    moves = state.turn is not None and state.turn.step == "move" and not state.waiting
    places = state.turn is not None and state.turn.step == "place" and not state.waiting
    mover = state.find(number)
    return {
        "phase": state.phase,
        "round": state.round,
        "ending": state.layout is not None and state.ending,
        "turn": None if state.turn is None else {"seat": state.turn.seat, "step": state.turn.step},
        "fleece": state.fleece,
        "order": list(ranking(state)) if all(seat.spot for seat in state.seats) else [],
        "line": None if state.layout is None else state.layout.line,
        "course": _course(state),
        "seats": [_seat(state, seat, lying) for seat, lying in zip(state.given.seats, state.seats, strict=True)],
        "waiting": [{"kind": each.kind, "seat": each.seat, "card": each.card or None} for each in state.waiting],
        "next": _next(state, mover) if moves and mover is not None else [],
        "free_places": list(free_places(state)) if places else [],
        "supply": state.supply,
        "deck": state.deck,
        "discard": list(state.discard),
        "stack": state.stack_left,
        "winners": list(state.winners),
    }


def _course(state: GreeceLightningState) -> list[dict[str, Any]]:
    """By place clockwise: the wedge on top ("starting-line" where the line lies), and how many lie there."""
    if state.layout is None:
        return []
    return [
        {"place": place, "wedge": state.course.top(place).id, "height": len(state.layout.stack(place))}
        for place in range(1, PLACES + 1)
    ]


def _seat(state: GreeceLightningState, seat: Seat, lying: SeatState) -> dict[str, Any]:
    on_turn = state.turn is not None and state.turn.seat == lying.number
    rolled = lying.navigation is not None
    return {
        "number": seat.number,
        "name": seat.name,
        "colour": seat.colour,
        "on_turn": on_turn,
        "fleece": state.fleece == lying.number,
        "laps": lying.laps,
        "fish": lying.fish,
        "favors": list(lying.favors),
        "facedown": lying.facedown,
        "wedges": list(lying.wedges),
        "drawn": list(lying.drawn),
        "navigation": lying.navigation,
        "first": lying.first,
        "second": lying.second,
        "rerolling": lying.rerolling,
        "bust": lying.bust,
        "finished": lying.finished,
        "played": lying.played,
        "total": max(0, state.total(lying.number) + lying.movement_owed) if rolled and not on_turn else None,
        "left": lying.movement_left if on_turn else None,
        "moved": lying.dots_moved if on_turn else None,
        "protected": state.protection(lying.number) if rolled else None,
        "stopped": lying.stopped,
        "lasting": [effect.do.value for effect in lying.lasting],
        "spot": _spot(lying.spot),
        "wake": _spot(lying.wake),
        "ahead": _ahead(state, lying),
    }


def _spot(spot: Spot | None) -> list[Any] | None:
    return None if spot is None else [spot.place, spot.dot]


def _ahead(state: GreeceLightningState, lying: SeatState) -> list[dict[str, Any]]:
    """The dots with marks and those of the line that lie before a ship, nearest first."""
    if lying.spot is None or state.layout is None:
        return []
    far = max(FAR, lying.movement_left)
    found = ahead(state.course, lying.spot, state.occupied(lying.number), far)
    return [
        {
            "spot": _spot(each.spot),
            "movement": each.movement,
            "same_lane": each.same_lane,
            "marks": [mark.value for mark in each.marks],
            "line": each.line,
        }
        for each in found
        if each.marks or each.line
    ]


def _next(state: GreeceLightningState, mover: SeatState) -> list[dict[str, Any]]:
    """The dots that one movement can lead to now, with the number of the path where it has one."""
    if not mover.movement_left:
        return []
    found = {(way.to, way.number): way for way in ways_of(state, mover.number)}
    return [{"spot": _spot(to), "number": number, "skipped": len(way.skipped)} for (to, number), way in found.items()]
