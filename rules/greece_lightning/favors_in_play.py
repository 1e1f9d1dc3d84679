"""Favor cards: revealed after the move, laid in slots, given away, used, discarded."""

from __future__ import annotations

from collections import Counter

from rules.greece_lightning.answers import (
    no_such_seat,
    over,
    refuse,
    turn_problem,
    waiting_problem,
    waits,
    without,
)
from rules.greece_lightning.components import SLOTS, FavorKind
from rules.greece_lightning.events import Discard, EndMove, Give, Reveal, Use
from rules.greece_lightning.favor_deeds import asks, choices, done
from rules.greece_lightning.favors import Deed, Favor, FavorTime
from rules.greece_lightning.hydra import protected
from rules.greece_lightning.moving import end_move
from rules.greece_lightning.state import GreeceLightningState, SeatState, Waiting
from rules.records import Fact
from rules.rulings import Outcome, Refusal, Ruling, accepted, refused

__all__ = ["discard", "give", "may_come_up", "may_reveal", "reveal", "tridents", "usable", "use"]

State = GreeceLightningState


def _without_card(seat: SeatState, card: str) -> tuple[str, ...]:
    place = seat.favors.index(card)
    return (*seat.favors[:place], *seat.favors[place + 1 :])


def _thrown(state: State, card: str) -> State:
    """The card on the discard pile. GL-F13, GL-F14."""
    return state.replace(discard=(*state.discard, card))


def may_come_up(state: State, card: str) -> bool:
    """True when a copy of this card may still lie face down: not all lie face up somewhere."""
    favor = state.given.favors.get(card)
    if favor is None:
        return False
    shown = Counter(card for seat in state.seats for card in seat.favors)
    shown.update(state.discard)
    shown.update(waiting.card for waiting in state.waiting if waiting.card and not _on_board(state, waiting))
    return shown[card] < favor.copies


def _on_board(state: State, waiting: Waiting) -> bool:
    """True for a card that waits while it lies in a slot already."""
    return waiting.kind == "use" and waiting.card in state.seat_state(waiting.seat).favors


def may_reveal(state: State, number: int) -> bool:
    """True when a seat in turn has come to reveal what it drew: its movement is used up (GL-M23), a card lies face
    down, and it may be turned up in this turn. GL-F1, GL-H7."""
    seat = state.seat_state(number)
    if state.turn is None or not seat.facedown or (seat.stopped and not state.options.stopped_reveals):
        return False
    return state.turn.step == "reveal" or (state.turn.step == "move" and not seat.movement_left)


def reveal(state: State, event: Reveal) -> Outcome[State]:
    """A Favor drawn on the way is turned up: after the move (GL-F1), one at a time (GL-F4).

    Nobody need say first that the move is finished: with all movement used it is. GL-M23.
    A bolt is used at once (GL-F5), a boat goes into a slot (GL-F6, GL-X7), a trident to another player (GL-F8).
    """
    problem = turn_problem(state, event.seat)
    if problem is not None:
        return Outcome(state, (problem,))
    seat = state.seat_state(event.seat)
    if not may_reveal(state, event.seat):
        return refuse(state, "gl.too-early", "GL-F1", "GL-F2", seat=event.seat, facts={"facedown": seat.facedown})
    if event.others:
        return refuse(state, "gl.one-favor", "GL-F4", seat=event.seat, facts={"cards": 1 + event.others})
    if event.card is None:
        return refuse(state, "gl.card-unreadable", "TC-1", seat=event.seat, family=Refusal.UNREADABLE)
    facts: dict[str, Fact] = {"card": event.card}
    favor = state.given.favors.get(event.card)
    if favor is None:
        return refuse(state, "gl.card-unknown", "TC-1", seat=event.seat, facts=facts, family=Refusal.UNREADABLE)
    if not may_come_up(state, event.card):
        return refuse(
            state, "gl.card-elsewhere", "TC-1", "GL-C6", seat=event.seat, facts=facts, family=Refusal.UNREADABLE
        )
    ended: tuple[Ruling, ...] = ()
    if state.turn is not None and state.turn.step == "move":
        state, ended = end_move(state, EndMove(event.seat))
    state = state.with_seat(event.seat, facedown=seat.facedown - 1)
    turned_up = {FavorKind.BOLT: _bolt, FavorKind.BOAT: _boat, FavorKind.TRIDENT: _trident}[favor.kind]
    state, rulings = turned_up(state, event.seat, favor)
    return Outcome(state, (*ended, *rulings))


def _bolt(state: State, seat: int, favor: Favor) -> Outcome[State]:
    """Used at once; only when it asks for a player or place does the table wait. GL-F5, GL-F13."""
    facts: dict[str, Fact] = {"card": favor.id}
    if asks(state, seat, favor, None, None) is not None:
        state = state.wait_for(Waiting("use", seat, favor.id))
        return Outcome(state, (accepted("gl.bolt-asks", "GL-F5", seat=seat, facts=facts),))
    state, effects = done(state, seat, favor)
    facts["by_hand"] = _by_hand(favor)
    clauses = ("GL-F5", "GL-F13", "GL-F14", "GL-F17")
    return Outcome(_thrown(state, favor.id), (accepted("gl.bolt", *clauses, seat=seat, facts=facts, effects=effects),))


def _boat(state: State, seat: int, favor: Favor) -> Outcome[State]:
    """Into a free slot (GL-F6); without one the player chooses what goes (GL-F7)."""
    favors = state.seat_state(seat).favors
    facts: dict[str, Fact] = {"card": favor.id, "slots": len(favors)}
    if len(favors) >= SLOTS:
        state = state.wait_for(Waiting("boat", seat, favor.id))
        return Outcome(state, (accepted("gl.boat-full", "GL-F7", "GL-F11", seat=seat, facts=facts),))
    state = state.with_seat(seat, favors=(*favors, favor.id))
    facts = {"card": favor.id, "slots": len(favors) + 1}
    return Outcome(state, (accepted("gl.boat", "GL-F6", "GL-X7", seat=seat, facts=facts),))


def _trident(state: State, seat: int, favor: Favor) -> Outcome[State]:
    """To a player of the revealer's choice (GL-F8); with two players there is no choice (GL-D4)."""
    others = state.others(seat)
    facts: dict[str, Fact] = {"card": favor.id}
    if len(others) > 1:
        state = state.wait_for(Waiting("trident", seat, favor.id))
        return Outcome(state, (accepted("gl.trident", "GL-F8", seat=seat, facts=facts),))
    return _received(state, seat, others[0].number, favor.id, "GL-D4", "GL-F8")


def _received(state: State, giver: int, to: int, card: str, *clauses: str) -> Outcome[State]:
    """A trident on somebody's board, face up (GL-F9); full boards may be chosen too (GL-F12) and make room (GL-F10)."""
    favors = state.seat_state(to).favors
    facts: dict[str, Fact] = {"card": card, "giver": giver, "slots": len(favors)}
    option = ("tridents_face_up",)
    if len(favors) >= SLOTS:
        state = state.wait_for(Waiting("room", to, card))
        clauses = (*clauses, "GL-F10", "GL-F11", "GL-F12")
        return Outcome(state, (accepted("gl.make-room", *clauses, seat=to, facts=facts, by_option=option),))
    state = state.with_seat(to, favors=(*favors, card))
    facts["slots"] = len(favors) + 1
    clauses = (*clauses, "GL-F9", "GL-F12")
    return Outcome(state, (accepted("gl.received", *clauses, seat=to, facts=facts, by_option=option),))


def give(state: State, event: Give) -> Outcome[State]:
    """The trident just revealed goes to another player. GL-F8, GL-F9, GL-F12."""
    problem = turn_problem(state, event.seat, "trident")
    if problem is not None:
        return Outcome(state, (problem,))
    waiting = waits(state, event.seat, "trident")
    if waiting is None:
        return refuse(state, "gl.no-trident", "GL-F8", seat=event.seat)
    facts: dict[str, Fact] = {"card": waiting.card, "to": event.to}
    if event.to == event.seat:
        return refuse(state, "gl.not-yourself", "GL-F8", seat=event.seat, facts=facts)
    if state.find(event.to) is None:
        return Outcome(state, (no_such_seat(state, event.to),))
    if not event.face_up and state.options.tridents_face_up:
        option = ("tridents_face_up",)
        return refuse(state, "gl.face-up", "GL-F9", seat=event.seat, facts={"card": waiting.card}, by_option=option)
    return _received(without(state, waiting), event.seat, event.to, waiting.card, "GL-F8")


def discard(state: State, event: Discard) -> Outcome[State]:
    """A Favor goes to make room, or the new one because there is none. GL-F7, GL-F10, GL-F14."""
    if state.phase == "over":
        return Outcome(state, (over(),))
    seat = state.find(event.seat)
    if seat is None:
        return Outcome(state, (no_such_seat(state, event.seat),))
    facts: dict[str, Fact] = {"card": event.card}
    bolt = waits(state, event.seat, "use")
    if bolt is not None and bolt.card == event.card:
        return refuse(state, "gl.must-use", "GL-F5", seat=event.seat, facts=facts)
    waiting = waits(state, event.seat, "boat", "room")
    if waiting is None:
        return refuse(state, "gl.nothing-to-discard", "GL-F7", "GL-F10", seat=event.seat, facts=facts)
    if event.card not in seat.favors:
        if waiting.kind == "room" and event.card == waiting.card:
            return refuse(state, "gl.not-the-new-one", "GL-F10", seat=event.seat, facts=facts)
        if event.card != waiting.card:
            return refuse(state, "gl.not-held", "GL-F7", "GL-F10", seat=event.seat, facts=facts)
        state = _thrown(without(state, waiting), event.card)
        return Outcome(state, (accepted("gl.discarded-new", "GL-F7", "GL-F14", seat=event.seat, facts=facts),))
    favors = (*_without_card(seat, event.card), waiting.card)
    state = _thrown(without(state, waiting).with_seat(event.seat, favors=favors), event.card)
    facts = {"card": event.card, "by": waiting.card}
    clauses = ("GL-F7", "GL-F14") if waiting.kind == "boat" else ("GL-F10", "GL-F14")
    return Outcome(state, (accepted("gl.replaced", *clauses, seat=event.seat, facts=facts),))


# --- using


def _times(state: State, seat: SeatState) -> tuple[FavorTime, ...]:
    """Which times of cards are now, for this seat; a ship that a Hydra stopped moves no more. GL-M19, GL-M20, GL-F18,
    GL-M23."""
    if state.phase == "rolling" and not seat.finished:
        return (FavorTime.ROLLING,)
    if state.turn is None or state.turn.seat != seat.number:
        return ()
    moving = state.turn.step == "move" and not seat.stopped
    return (FavorTime.TURN, FavorTime.MOVING) if moving else (FavorTime.TURN,)


def _not_now(state: State, number: int, card: str) -> Ruling | None:
    """Why a seat may not use this card now, whomever or wherever it is meant for; None when it may."""
    if state.phase == "over":
        return over()
    seat = state.find(number)
    if seat is None:
        return no_such_seat(state, number)
    facts: dict[str, Fact] = {"card": card}
    asked = waits(state, number, "use")
    if asked is not None and asked.card == card:
        return None
    if card not in seat.favors:
        return refused(Refusal.ILLEGAL, "gl.not-held", "GL-F13", "GL-M19", seat=number, facts=facts)
    favor = state.given.favors[card]
    if favor.kind is not FavorKind.BOAT:
        return refused(Refusal.ILLEGAL, "gl.by-itself", "GL-F8", "GL-F18", seat=number, facts=facts)
    problem = waiting_problem(state, number, "hydra", "wedge")
    if problem is not None:
        return problem
    if favor.when not in _times(state, seat):
        moving = favor.when is FavorTime.MOVING
        clauses = ("GL-M20", "GL-M19") if moving else ("GL-F18",)
        facts["when"] = None if favor.when is None else favor.when.value
        return refused(Refusal.ILLEGAL, "gl.not-the-time", *clauses, seat=number, facts=facts)
    return None


def usable(state: State, number: int) -> tuple[Use, ...]:
    """Every use of a card that a seat may make now."""
    seat = state.seat_state(number)
    asked = waits(state, number, "use")
    cards = dict.fromkeys((*seat.favors, *((asked.card,) if asked else ())))
    return tuple(
        Use(number, card, choice.other, choice.place)
        for card in cards
        if _not_now(state, number, card) is None
        for choice in choices(state, number, state.given.favors[card])
    )


def use(state: State, event: Use) -> Outcome[State]:
    """A card does what it says and is discarded. GL-M19, GL-F5, GL-F13, GL-F17, GL-F18.

    A Hydra that waits to be fed is passed when the card makes it harmless.
    """
    problem = _not_now(state, event.seat, event.card)
    if problem is None:
        favor = state.given.favors[event.card]
        problem = asks(state, event.seat, favor, event.other, event.place)
    if problem is not None:
        return Outcome(state, (problem,))
    seat = state.seat_state(event.seat)
    asked = waits(state, event.seat, "use")
    if asked is not None and asked.card == event.card:
        state = without(state, asked)
        if favor.kind is not FavorKind.BOLT:
            state = state.with_seat(event.seat, favors=_without_card(seat, event.card))
    else:
        state = state.with_seat(event.seat, favors=_without_card(seat, event.card))
    state, effects = done(state, event.seat, favor, event.other, event.place)
    state = _hydra_passed(_thrown(state, event.card), event.seat)
    facts: dict[str, Fact] = {"card": event.card, "other": event.other, "place": event.place}
    facts["by_hand"] = _by_hand(favor)
    timed = "GL-F5" if favor.kind is FavorKind.BOLT else "GL-M19" if favor.when is FavorTime.MOVING else "GL-F18"
    clauses = (timed, "GL-F13", "GL-F14", "GL-F17")
    ruling = accepted("gl.used", *clauses, seat=event.seat, facts=facts, effects=effects)
    if favor.kind is not FavorKind.TRIDENT or favor.when is None:
        return Outcome(state, (ruling,))
    # It was its time; another one on the same board may have waited behind it.
    state, more = tridents(state, event.seat, favor.when)
    return Outcome(state, (ruling, *more))


def _by_hand(favor: Favor) -> bool:
    """True when people carry out what the card says and correct the record. GL-F17."""
    return any(effect.do is Deed.BY_HAND for effect in favor.effects)


def _hydra_passed(state: State, number: int) -> State:
    waiting = waits(state, number, "hydra")
    if waiting is None:
        return state
    harmless = state.seat_state(number).has_lasting(Deed.PASS_HYDRAS) or protected(state, number)
    return without(state, waiting) if harmless else state


def tridents(state: State, number: int, *times: FavorTime) -> tuple[State, tuple[Ruling, ...]]:
    """The tridents on a board whose time it is take effect by themselves and are discarded. GL-F8, GL-F13, GL-F18.

    One that leaves its holder a choice waits for it.
    """
    rulings: list[Ruling] = []
    for card in state.seat_state(number).favors:
        favor = state.given.favors[card]
        if favor.kind is not FavorKind.TRIDENT or favor.when not in times:
            continue
        facts: dict[str, Fact] = {"card": card}
        if asks(state, number, favor, None, None) is not None:
            if waits(state, number, "use") is None:
                state = state.wait_for(Waiting("use", number, card))
                rulings.append(accepted("gl.trident-asks", "GL-F18", seat=number, facts=facts))
            continue
        state = state.with_seat(number, favors=_without_card(state.seat_state(number), card))
        state, effects = done(state, number, favor)
        state = _thrown(state, card)
        facts["by_hand"] = _by_hand(favor)
        clauses = ("GL-F18", "GL-F13", "GL-F17")
        rulings.append(accepted("gl.trident-works", *clauses, seat=number, facts=facts, effects=effects))
    return state, tuple(rulings)
