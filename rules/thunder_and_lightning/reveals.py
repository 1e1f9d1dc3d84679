"""Cards turned up on the battlefield, and what follows once all that was asked for lie open."""

from __future__ import annotations

from rules.records import Fact
from rules.rulings import Outcome, Refusal, Ruling, accepted
from rules.thunder_and_lightning.challenge import resolve
from rules.thunder_and_lightning.events import TurnUp
from rules.thunder_and_lightning.knowledge import known_card, turned_up
from rules.thunder_and_lightning.nightmare import wiped
from rules.thunder_and_lightning.state import ThunderAndLightningState, Waiting
from rules.thunder_and_lightning.strikes import resolve_strike
from rules.thunder_and_lightning.turns import next_waiting, not_waited_for, refuse, waits_for

__all__ = ["asked_for", "turn_up"]

State = ThunderAndLightningState

_WHY = {"challenge": ("TL-C16",), "column": ("TL-G6", "TL-G8"), "strike": ("TL-R8",)}


def asked_for(waiting: Waiting) -> tuple[int, ...]:
    """Tokens of the cards that have to lie face up."""
    return waiting.tokens if waiting.token is None else (waiting.token, *waiting.tokens)


def turn_up(state: State, event: TurnUp) -> Outcome[State]:
    """A card asked for is turned up; any other stays as it lies. TL-C16, TL-P11, TL-G6, TL-G8, TL-R8."""
    seat, column, row = event.spot
    waiting = waits_for(state, "challenge", "column", "strike")
    lying = state.at(event.spot)
    facts: dict[str, Fact] = {"owner": seat, "column": column, "row": row}
    if state.phase != "over" and lying is None:
        told = seat if state.has_seat(seat) else None
        return refuse(state, "tl.nothing-there", "TL-B4", "TL-B7", seat=told, facts=facts)
    if waiting is None or lying is None or lying.token not in asked_for(waiting):
        return not_waited_for(state, "turn-up", "TL-P11", "TL-B12", seat=seat)
    card = known_card(state, event.card, seat)
    if isinstance(card, Ruling):
        return Outcome(state, (card,))
    if lying.card is not None:
        if lying.card == card.id:
            return refuse(state, "tl.already-up", "TL-C16", seat=seat, facts={**facts, "card": lying.card})
        family = Refusal.UNREADABLE
        return refuse(
            state, "tl.already-up", "TC-1", "TL-G8", seat=seat, facts={**facts, "card": lying.card}, family=family
        )
    learnt = turned_up(state, seat, lying, card)
    if learnt.problem is not None:
        return Outcome(state, (learnt.problem,))
    state = learnt.state
    left = sum(1 for token in asked_for(waiting) if _hidden(state, token))
    ruling = accepted("tl.turned-up", *_WHY[waiting.kind], seat=seat, facts={**facts, "card": card.id, "left": left})
    rulings = (ruling, *learnt.findings)
    if left:
        return Outcome(state, rulings)
    state, more = _all_up(state, waiting)
    return Outcome(state, (*rulings, *more))


def _hidden(state: State, token: int) -> bool:
    spot = state.spot_of(token)
    lying = None if spot is None else state.at(spot)
    return lying is not None and lying.card is None


def _all_up(state: State, waiting: Waiting) -> tuple[State, tuple[Ruling, ...]]:
    """What follows when the last card asked for lies open."""
    if waiting.kind == "challenge":
        return resolve(state)
    if waiting.kind == "strike":
        return resolve_strike(state)
    state = next_waiting(state)
    if waiting.why == "nightmare":
        return wiped(state, waiting.column, waiting.by, waiting.seq)
    facts: dict[str, Fact] = {
        "owner": waiting.seat,
        "column": waiting.column,
        "cards": tuple(lying.card or "" for lying in state.side(waiting.seat).column(waiting.column)),
    }
    led = ("TL-G7",) if state.led(waiting.seat, waiting.column) else ()
    early = ("TL-G16",) if state.turn is not None and state.turn.first else ()
    return state, (
        accepted("tl.column-turned", "TL-G6", "TL-G10", "TL-N11", *led, *early, seat=waiting.by, facts=facts),
    )
