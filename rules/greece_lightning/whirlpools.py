"""The paths out of a whirlpool: by the numbers on the dice, or for Fish."""

from __future__ import annotations

from rules.greece_lightning.components import CHARYBDIS_NUMBERS, Mark
from rules.greece_lightning.course import Leg, Way
from rules.greece_lightning.favors import Deed
from rules.greece_lightning.state import GreeceLightningState
from rules.records import Fact
from rules.rulings import Refusal, Ruling, refused

__all__ = ["charybdis_numbers", "toll", "toll_problem"]

State = GreeceLightningState


def charybdis_numbers(state: State, number: int) -> tuple[int, ...]:
    """The numbers of the paths that a seat may take out of a Charybdis: those on its dice.

    GL-V2, GL-V4, GL-V6, GL-V9. The dice are those of this round (GL-V6) that lie on the board (GL-V7), as they show
    (GL-V8). The Navigation die always shows one of them, so there is always a path. GL-V4.
    """
    seat = state.seat_state(number)
    dice = seat.movement_dice
    if state.options.bust_dice_open_paths:
        dice = tuple(face for face in (seat.first, seat.second) if face is not None)
    shown = seat.navigation or 0
    if state.options.fleece_at_charybdis and state.doubled(number):
        shown *= 2
    found = tuple(sorted({shown, *dice} & set(CHARYBDIS_NUMBERS)))
    return found or tuple({seat.navigation or CHARYBDIS_NUMBERS[0]})


def _pools(state: State, way: Way) -> tuple[tuple[Mark, Leg], ...]:
    """The whirlpools that a way leads out of and asks a toll at, each with the leg that leaves it. GL-M17."""
    legs = way.legs if state.options.skipped_whirlpool_tolls else way.legs[:1]
    found = ((state.course.dot(leg.start).whirlpool, leg) for leg in legs if leg.number is not None)
    return tuple((pool, leg) for pool, leg in found if pool is not None)


def toll(state: State, seat: int, way: Way) -> int:
    """Fish that a way costs. GL-Y2, GL-Y5."""
    if state.seat_state(seat).has_lasting(Deed.PASS_WHIRLPOOLS):
        return 0
    return sum(leg.number or 0 for pool, leg in _pools(state, way) if pool is Mark.SCYLLA)


def toll_problem(state: State, seat: int, way: Way) -> Ruling | None:
    """Why a seat may not leave a whirlpool by this way; None when it may.

    GL-V2, GL-V3, GL-Y3, GL-Y4, GL-Y7. A card may open every path. GL-F17.
    """
    mover = state.seat_state(seat)
    if mover.has_lasting(Deed.PASS_WHIRLPOOLS):
        return None
    numbers = charybdis_numbers(state, seat)
    for pool, leg in _pools(state, way):
        if pool is Mark.CHARYBDIS and leg.number not in numbers:
            facts: dict[str, Fact] = {"number": leg.number, "numbers": numbers}
            clauses = ("GL-V3", "GL-V2") if numbers == (mover.navigation,) else ("GL-V2",)
            option = tuple(
                name
                for name, bears in (("bust_dice_open_paths", mover.bust), ("fleece_at_charybdis", state.doubled(seat)))
                if bears
            )
            if leg is not way.legs[0]:
                clauses, option = (*clauses, "GL-M17"), (*option, "skipped_whirlpool_tolls")
            clauses = (*clauses, *(("GL-V7",) if mover.bust else ()), *(("GL-V8",) if state.doubled(seat) else ()))
            return refused(Refusal.ILLEGAL, "gl.charybdis", *clauses, seat=seat, facts=facts, by_option=option)
    cost = toll(state, seat, way)
    if cost > mover.fish:
        facts = {"number": cost, "fish": mover.fish}
        clauses = ("GL-Y3", "GL-Y7") if not mover.fish else ("GL-Y4",)
        option = ("skipped_whirlpool_tolls",) if way.skipped and state.options.skipped_whirlpool_tolls else ()
        clauses = (*clauses, *(("GL-M17",) if option else ()))
        return refused(Refusal.ILLEGAL, "gl.scylla", *clauses, seat=seat, facts=facts, by_option=option)
    return None
