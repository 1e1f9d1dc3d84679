"""What a player gains on the way: Fish, wedges and Favors, each within its limit."""

from __future__ import annotations

from rules.greece_lightning.components import FAVORS_A_TURN, FISH_LIMIT
from rules.greece_lightning.state import GreeceLightningState, Waiting
from rules.rulings import Effect

__all__ = ["Gain", "draw_favor", "draw_wedge", "gain_fish", "new_deck", "room_for_wedges"]

State = GreeceLightningState
Gain = tuple[State, tuple[Effect, ...]]
"""The table after a gain, and what of it everybody sees; no effect when a limit left nothing to gain."""


def gain_fish(state: State, seat: int, fish: int = 1) -> Gain:
    """Fish from the supply, up to 3 on the board; below 0 they go back to it. GL-B1, GL-B2, GL-B3, GL-P1."""
    before = state.seat_state(seat).fish
    after = min(FISH_LIMIT, max(0, before + min(fish, state.supply)))
    if after == before:
        return state, ()
    return state.with_fish(seat, after), (Effect("fish", seat, before, after),)


def room_for_wedges(state: State, seat: int) -> int:
    """Wedges that a seat may still draw now. GL-B9, GL-B10, GL-D2, GL-B14."""
    lying = state.seat_state(seat)
    waiting = sum(each.kind == "wedge" and each.seat == seat for each in state.waiting)
    held = len(lying.wedges) + len(lying.drawn) + waiting
    return max(0, min(state.given.wedges_a_turn - held, state.stack_left))


def draw_wedge(state: State, seat: int) -> Gain:
    """A wedge from the stack; the table waits until it is seen. GL-B7. None past the limit or from an empty stack."""
    if not room_for_wedges(state, seat):
        return state, ()
    before = state.stack_left
    state = state.wait_for(Waiting("wedge", seat))
    return state, (Effect("stack", seat, before, before - 1),)


def draw_favor(state: State, seat: int) -> Gain:
    """A Favor from the deck, face down. GL-B4, GL-B6, GL-F3.

    An empty deck is made anew of the used cards (GL-F15); when there are none either, nothing is drawn (GL-F16).
    """
    drawer = state.seat_state(seat)
    if max(drawer.favors_drawn, drawer.facedown) >= FAVORS_A_TURN:
        return state, ()
    effects: tuple[Effect, ...] = ()
    if not state.deck:
        if not state.discard:
            return state, ()
        state, effects = new_deck(state)
    before = drawer.facedown
    state = state.replace(deck=state.deck - 1)
    state = state.with_seat(seat, facedown=before + 1, favors_drawn=drawer.favors_drawn + 1)
    return state, (*effects, Effect("facedown", seat, before, before + 1))


def new_deck(state: State) -> Gain:
    """All used Favors, shuffled, are the new deck. GL-F15."""
    cards = len(state.discard)
    return state.replace(deck=cards, discard=()), (Effect("deck", None, 0, cards),)
