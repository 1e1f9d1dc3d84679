"""Favors at work on the table: what a card asks its user to choose, and what its deeds change."""

from __future__ import annotations

from rules.greece_lightning.bonuses import Gain, draw_favor, draw_wedge, gain_fish
from rules.greece_lightning.components import FISH_LIMIT
from rules.greece_lightning.favors import Deed, Favor
from rules.greece_lightning.favors_at_work import Choice, Work, choice_fault, liftable, works
from rules.greece_lightning.state import GreeceLightningState
from rules.records import Fact
from rules.rulings import Effect, Refusal, Ruling, refused

__all__ = ["asks", "choices", "done"]

State = GreeceLightningState


def _liftable(state: State) -> tuple[int, ...]:
    if state.layout is None:
        return ()
    ships = [seat.spot for seat in state.seats if seat.spot is not None]
    wakes = [seat.wake for seat in state.seats if seat.wake is not None]
    return liftable(state.layout, ships, wakes)


def choices(state: State, user: int, favor: Favor) -> tuple[Choice, ...]:
    """Every choice with which a seat can use a card now; one without player and place when it asks for neither."""
    others: tuple[int | None, ...] = (None,)
    places: tuple[int | None, ...] = (None,)
    if favor.asks_player:
        others += tuple(seat.number for seat in state.others(user))
    if favor.asks_place:
        places += _liftable(state)
    found = (Choice(other, place) for other in others for place in places)
    return tuple(each for each in found if asks(state, user, favor, each.other, each.place) is None)


def asks(state: State, user: int, favor: Favor, other: int | None, place: int | None) -> Ruling | None:
    """Why a card cannot be used with the player and the place named; None when it can. GL-F17.

    With two players the other one need not be named (GL-D4), and no place when no wedge can be lifted.
    """
    places = _liftable(state) if favor.asks_place else ()
    fault = choice_fault(favor, user, state.given.numbers, Choice(other, place), places)
    if fault is None:
        return None
    facts: dict[str, Fact] = {"card": favor.id}
    others = tuple(seat.number for seat in state.others(user))
    match fault.what:
        case "no other" if other is None:
            facts |= {"choices": others}
            return refused(Refusal.AMBIGUOUS, "gl.use-on-whom", *fault.clauses, "TC-2", seat=user, facts=facts)
        case "no other":
            facts |= {"other": other, "choices": others}
            return refused(Refusal.ILLEGAL, "gl.use-not-on", *fault.clauses, seat=user, facts=facts)
        case "no place" if place is None:
            facts |= {"choices": places}
            return refused(Refusal.AMBIGUOUS, "gl.use-where", *fault.clauses, "TC-2", seat=user, facts=facts)
        case "no place":
            facts |= {"place": place, "choices": places}
            return refused(Refusal.ILLEGAL, "gl.use-not-there", *fault.clauses, seat=user, facts=facts)
        case "other not asked":
            facts |= {"other": other}
            return refused(Refusal.ILLEGAL, "gl.use-on-nobody", *fault.clauses, seat=user, facts=facts)
        case "place not asked":
            facts |= {"place": place}
            return refused(Refusal.ILLEGAL, "gl.use-nowhere", *fault.clauses, seat=user, facts=facts)


def done(state: State, user: int, favor: Favor, other: int | None = None, place: int | None = None) -> Gain:
    """The table after a card was used, with what everybody sees of it: its deeds one after the other, each within the
    limits of boards, stack and deck. GL-F17, GL-B2, GL-B6, GL-B9.

    The card itself stays where it is. The choice has to be one that `asks` finds nothing wrong with.
    """
    effects: tuple[Effect, ...] = ()
    for work in works(favor, user, state.given.numbers, Choice(other, place)):
        state, more = _worked(state, work)
        effects += more
    return state, effects


def _worked(state: State, work: Work) -> Gain:
    match work.do:
        case Deed.MOVE:
            return _move(state, work.seat, work.amount)
        case Deed.FISH:
            return gain_fish(state, work.seat, work.amount)
        case Deed.TAKE_FISH:
            return _take_fish(state, work)
        case Deed.DRAW_WEDGE | Deed.DRAW_FAVOR:
            return _draw(state, work)
        case Deed.LIFT_WEDGE:
            return _lift(state, work)
        case Deed.BY_HAND:
            return state, ()
    return _lasts(state, work)


def _move(state: State, seat: int, movement: int) -> Gain:
    """More movement or less: of the turn under way, else of the next move. It is never less than none.

    A ship that a Hydra holds stays for the rest of the turn, whatever movement a card gives it. GL-H5.
    """
    lying = state.seat_state(seat)
    if state.turn is None or state.turn.seat != seat:
        owed = lying.movement_owed + movement
        return state.with_seat(seat, movement_owed=owed), (Effect("movement owed", seat, lying.movement_owed, owed),)
    if lying.stopped:
        return state, ()
    left = max(0, lying.movement_left + movement)
    if left == lying.movement_left:
        return state, ()
    return state.with_seat(seat, movement_left=left), (Effect("movement", seat, lying.movement_left, left),)


def _take_fish(state: State, work: Work) -> Gain:
    """Fish from board to board, as many as there are and as there is room for. GL-B2."""
    assert work.giver is not None
    giver, taker = state.seat_state(work.giver), state.seat_state(work.seat)
    fish = min(work.amount, giver.fish, FISH_LIMIT - taker.fish)
    if fish <= 0:
        return state, ()
    state = state.with_seat(giver.number, fish=giver.fish - fish).with_seat(taker.number, fish=taker.fish + fish)
    return state, (
        Effect("fish", giver.number, giver.fish, giver.fish - fish),
        Effect("fish", taker.number, taker.fish, taker.fish + fish),
    )


def _draw(state: State, work: Work) -> Gain:
    draw = draw_wedge if work.do is Deed.DRAW_WEDGE else draw_favor
    effects: tuple[Effect, ...] = ()
    for _ in range(work.amount):
        state, more = draw(state, work.seat)
        effects += more
    return state, effects


def _lift(state: State, work: Work) -> Gain:
    """The top wedge of a stack goes back to those that nobody has; the one below is sailed again.

    The last wedge of a place stays, however many the card would lift.
    """
    if work.place is None or work.place not in _liftable(state):
        return state, ()
    assert state.layout is not None
    after = state.layout.without_top(work.place)
    before = state.layout.top(work.place)
    return state.replace(layout=after), (Effect("top wedge", None, before, after.top(work.place)),)


def _lasts(state: State, work: Work) -> Gain:
    """What stays with a seat to the end of the round.

    A Navigation die that counts double from now on gives its number once more to the move under way, but never twice.
    """
    lasting = work.lasting
    assert lasting is not None
    lying = state.seat_state(work.seat)
    effects: tuple[Effect, ...] = ()
    if work.do is Deed.DOUBLE_NAVIGATION and not state.doubled(work.seat):
        own_turn = state.turn is not None and state.turn.seat == work.seat
        if own_turn and lying.navigation is not None:
            state, effects = _move(state, work.seat, lying.navigation)
    state = state.with_seat(work.seat, lasting=(*lying.lasting, lasting))
    return state, (*effects, Effect("lasting", work.seat, None, work.do.value))
