"""What would be accepted now."""

from __future__ import annotations

from collections.abc import Iterator

from rules.events import correctors
from rules.greece_lightning import events
from rules.greece_lightning.components import MOVEMENT_FACES, NAVIGATION_FACES, PLACES
from rules.greece_lightning.conduct import CONDUCT, OF_A_SEAT, OF_THE_TABLE, counted
from rules.greece_lightning.favors_in_play import discard, give, may_come_up, may_reveal, usable
from rules.greece_lightning.hydra import feed, fight
from rules.greece_lightning.moving import end_move, step, ways_of
from rules.greece_lightning.placing import free_places
from rules.greece_lightning.rolling import REROLLS, finish_roll, movement, navigation, reroll, total
from rules.greece_lightning.setup import launch, launch_order, shuffled, stack
from rules.greece_lightning.state import GreeceLightningState, SeatState
from rules.referee import Domain, Option

__all__ = ["offers"]

State = GreeceLightningState

_ANY = Domain()


def offers(state: State) -> tuple[Option, ...]:
    """Every kind of event that would be accepted now, with the fields that the table decides."""
    return (*_now(state), *_always(state))


def _now(state: State) -> Iterator[Option]:
    if state.phase == "setup":
        yield from _set_up(state)
    elif state.phase == "rolling":
        for seat in state.seats:
            yield from _rolling(state, seat)
    if state.phase in ("rolling", "turns"):
        for seat in state.seats:
            yield from _cards(state, seat)
    if state.turn is not None:
        yield from _turn(state, state.seat_state(state.turn.seat))


def _circle(state: State) -> events.Circle:
    """A first circle that may be laid: the quarters as the pack lists them."""
    ordered = sorted(
        (wedge for wedge in state.given.wedges.values() if wedge.symbol is not None), key=lambda each: each.symbol or ""
    )
    return events.Circle(tuple(wedge.id for wedge in ordered), 1)


def _set_up(state: State) -> Iterator[Option]:
    if not any(seat.spot for seat in state.seats):
        free = {"wedges": _ANY, "line": Domain(tuple(range(1, PLACES + 1)))}
        yield Option(_circle(state), free, ("GL-S1", "GL-S6"), "gl.option.circle", people=False)
    for what in ("wedges", "starters", "favors"):
        if not shuffled(state, events.Shuffled(what)).refused:
            yield Option(events.Shuffled(what), {}, ("GL-S8",), f"gl.option.shuffled-{what}")
        if not stack(state, events.Stack(what)).refused:
            yield Option(events.Stack(what), {"count": _ANY}, ("GL-S9", "GL-S27"), f"gl.option.stack-{what}")
    yield Option(events.LapBoard(), {}, ("GL-S19",), "gl.option.lap-board")
    cards = tuple(favor.id for favor in state.given.favors.values() if favor.starter is not None)
    yield Option(events.Starters(cards), {"cards": _ANY}, ("GL-S21",), "gl.option.starters", people=False)
    for seat in state.given.seats:
        event = events.Ready(seat.number, fish=state.options.starting_fish)
        yield Option(event, {"board": Domain((None, seat.colour))}, ("GL-S11",), "gl.option.ready")
    dealt = {card for seat in state.seats for card in seat.favors}
    if "starters shuffled" in state.declared:
        for lying in state.seats:
            for card in cards:
                if lying.starter is None and card not in dealt:
                    yield Option(events.Deal(lying.number, card), {}, ("GL-S23",), "gl.option.deal", people=False)
    yield from _launches(state)


def _launches(state: State) -> Iterator[Option]:
    order = launch_order(state)
    for dot in state.given.line.line if order else ():
        event = events.Launch(order[0].number, dot)
        if not launch(state, event).refused:
            yield Option(event, {}, ("GL-S29", "GL-S31"), "gl.option.launch")


def _rolling(state: State, seat: SeatState) -> Iterator[Option]:
    number = seat.number
    if not navigation(state, events.Navigation(number, NAVIGATION_FACES[0])).refused:
        free = {"face": Domain(NAVIGATION_FACES)}
        yield Option(events.Navigation(number, 1), free, ("GL-R3", "GL-R4"), "gl.option.navigation", people=False)
    if not movement(state, events.Movement(number, (MOVEMENT_FACES[0],))).refused:
        free = {"faces": Domain(MOVEMENT_FACES, each=True, count=1)}
        yield Option(events.Movement(number, (1,)), free, ("GL-R6", "GL-R8"), "gl.option.movement", people=False)
    for use in REROLLS:
        for paid in ("fish", "favor"):
            event = events.Reroll(number, use, paid)
            if not reroll(state, event).refused:
                yield Option(event, {}, ("GL-P3", "GL-P7"), f"gl.option.reroll-{use}-{paid}")
    if not finish_roll(state, events.FinishRoll(number)).refused:
        yield Option(events.FinishRoll(number), {}, ("GL-R8", "GL-R23"), "gl.option.finish-roll")


def _cards(state: State, seat: SeatState) -> Iterator[Option]:
    """What may be done with cards, by whoever is asked or holds them."""
    number = seat.number
    for used in usable(state, number):
        yield Option(used, {}, ("GL-M19", "GL-F18"), "gl.option.use")
    asked = tuple(waiting.card for waiting in state.waiting if waiting.seat == number and waiting.card)
    for card in dict.fromkeys((*seat.favors, *asked)):
        event = events.Discard(number, card)
        if not discard(state, event).refused:
            yield Option(event, {}, ("GL-F7", "GL-F10"), "gl.option.discard")
    if any(waiting.kind == "wedge" and waiting.seat == number for waiting in state.waiting):
        free = {"wedge": Domain(state.stack)}
        yield Option(events.DrawWedge(number, state.stack[0]), free, ("GL-B7",), "gl.option.draw-wedge", people=False)


def _turn(state: State, seat: SeatState) -> Iterator[Option]:
    number = seat.number
    assert state.turn is not None
    for other in state.others(number):
        event = events.Give(number, other.number)
        if not give(state, event).refused:
            ways = Domain((True,) if state.options.tridents_face_up else (True, False))
            yield Option(event, {"face_up": ways}, ("GL-F8", "GL-F12"), "gl.option.give")
    if not feed(state, events.Feed(number)).refused:
        yield Option(events.Feed(number), {}, ("GL-H1",), "gl.option.feed")
    if not fight(state, events.Fight(number)).refused:
        yield Option(events.Fight(number), {}, ("GL-H5",), "gl.option.fight")
    if state.waiting:
        return
    if state.turn.step == "place":
        for wedge in seat.wedges:
            for place in free_places(state):
                event_placed = events.PlaceWedge(number, wedge, place)
                yield Option(event_placed, {}, ("GL-W1", "GL-W11"), "gl.option.place-wedge")
    elif state.turn.step == "move":
        yield from _moves(state, number)
    if may_reveal(state, number):
        cards = tuple(card for card in state.given.favors if may_come_up(state, card))
        if cards:
            option = events.Reveal(number, cards[0])
            yield Option(option, {"card": Domain(cards)}, ("GL-F1", "GL-F4"), "gl.option.reveal", people=False)


def _moves(state: State, number: int) -> Iterator[Option]:
    """The next dots, each with the number of its path where there is one, and with the ships skipped where it matters.

    GL-M6, GL-V9, GL-Y2.
    """
    if not end_move(state, events.EndMove(number)).refused:
        yield Option(events.EndMove(number), {}, ("GL-M5", "GL-M22"), "gl.option.end-move")
    if not state.seat_state(number).movement_left:
        return
    found: dict[events.Step, None] = {}
    for way in ways_of(state, number):
        event = events.Step(number, way.to, way.number)
        if step(state, event).refused:
            event = events.Step(number, way.to, way.number, way.skipped)
        if not step(state, event).refused:
            found[event] = None
    for event in found:
        free = {"declines": Domain((False, True))}
        yield Option(event, free, ("GL-M2", "GL-M6"), "gl.option.step")


def _always(state: State) -> Iterator[Option]:
    """What may be looked at and counted at any time."""
    begun = state.phase in ("rolling", "turns")
    if begun and not shuffled(state, events.Shuffled("favors")).refused:
        yield Option(events.Shuffled("favors"), {}, ("GL-F15",), "gl.option.shuffled-favors")
    for seat in state.seats:
        number = seat.number
        if begun:
            dice = events.Dice(number, seat.navigation, seat.movement_dice)
            free = {"navigation": _ANY, "movement": _ANY}
            yield Option(dice, free, ("GL-R24", "GL-E1"), "gl.option.dice", people=False)
            yield Option(events.Wake(number, seat.wake), {"spot": _ANY}, ("GL-M22",), "gl.option.wake", people=False)
            if seat.spot is not None:
                put = events.PutShip(number, seat.spot, "a card says so")
                free = {"spot": _ANY, "reason": _ANY}
                people = correctors(judged=state.given.judge)
                yield Option(put, free, ("GL-F17", "TC-8"), "gl.option.put-ship", sources=people)
            claim = events.Total(number, state.total(number))
            if not total(state, claim).refused:
                yield Option(claim, {}, ("GL-R16", "GL-R17", "GL-R18"), "gl.option.total")
        yield Option(events.LapMarker(number, seat.laps), {}, ("GL-G1",), "gl.option.lap-marker", people=False)
        for what in OF_A_SEAT:
            there = events.Count(what, counted(state, what, number) or 0, number)
            yield Option(there, {}, OF_A_SEAT[what], "gl.option.count")
        report = events.Conduct(number, next(iter(CONDUCT)))
        yield Option(report, {"what": Domain(tuple(CONDUCT))}, ("GL-B5",), "gl.option.conduct")
    for what in OF_THE_TABLE:
        there = events.Count(what, counted(state, what, None) or 0)
        yield Option(there, {}, OF_THE_TABLE[what], "gl.option.count")
    if state.fleece is not None:
        yield Option(events.Fleece(state.fleece), {}, ("GL-E4", "GL-O8"), "gl.option.fleece", people=False)
