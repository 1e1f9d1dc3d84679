"""What cannot be on any table, whatever was played."""

from __future__ import annotations

from collections.abc import Iterator

from rules.lightning_dice.components import DICE, FACES
from rules.lightning_dice.state import ALL_PLACES, LightningDiceState, SeatState

__all__ = ["problems"]


def problems(state: LightningDiceState) -> tuple[str, ...]:
    """Everything impossible about a state, in words for a developer; empty for every state of a real match."""
    return (*_table(state), *(problem for seat in state.seats for problem in _seat(state, seat)))


def _table(state: LightningDiceState) -> Iterator[str]:
    options = state.options
    if (state.card is not None) != (state.phase == "open"):
        yield f"phase {state.phase} with card {state.card}: a card is open exactly while it is raced for (LD-S2)"
    if len(set(state.used)) != len(state.used) or state.cards_left < 0:
        yield "a card was turned twice since the last shuffle"
    if state.card is not None and state.card != state.last_card:
        yield "the open card is not the last one turned"
    if state.phase == "setup" and (state.contest or state.used):
        yield "a card was turned during set-up (LD-I11)"
    if any(each.kind != "breach" for each in state.pending) and state.phase != "open":
        yield "a call waits though no card is open"
    if state.pending and not state.given.judge:
        yield "something waits for a judge, and there is none"
    reached = any(seat.score >= options.target for seat in state.seats)
    if not options.quick and reached and state.phase != "over":
        yield "somebody has the points to win and the match goes on (LD-S32)"
    if state.phase == "over" and not reached and not options.quick and options.supply_empty == "reshuffle":
        yield "the match is over and nobody has the points"
    groups = [each.group for each in state.pending if each.kind != "breach"]
    if groups != sorted(groups):
        yield "what waits is not in the order made (LD-S41)"


def _seat(state: LightningDiceState, seat: SeatState) -> Iterator[str]:
    options, who = state.options, f"seat {seat.number}"
    if options.least is not None and seat.score < options.least:
        yield f"{who} has {seat.score} points, below Start (LD-S13)"
    if not options.quick and seat.score > options.target:
        yield f"{who} has {seat.score} points, past {options.target} (LD-S33)"
    if not 0 <= seat.cards_won <= state.contest or (seat.cards_won and not options.quick):
        yield f"{who} holds {seat.cards_won} cards of {state.contest}"
    if seat.score and not options.sixes:
        yield f"{who} has points in a quick game (LD-Q13)"
    if seat.faces is not None:
        if len(seat.faces) != DICE or any(face is not None and face not in FACES for face in seat.faces):
            yield f"{who} shows {seat.faces}"
        if any(seat.faces[place] is not None for place in seat.off_table):
            yield f"{who} has a face for a die off the table (LD-T8)"
    for places in (seat.moving, seat.off_table, seat.must_roll):
        if list(places) != sorted(set(places)) or not set(places) <= set(ALL_PLACES):
            yield f"{who} has places {places}"
