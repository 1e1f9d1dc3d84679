"""The referee of Greece Lightning: which part of the rules an event belongs to."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, ClassVar

from rules.errors import BadHeader
from rules.events import Adjust, Event, Overrule, Source, Submission
from rules.greece_lightning import conduct, corrections, events, favors_in_play, hydra, moving, placing, rolling, setup
from rules.greece_lightning.check import check_pack
from rules.greece_lightning.codes import CODES
from rules.greece_lightning.components import SEATS
from rules.greece_lightning.flow import settle
from rules.greece_lightning.offers import offers
from rules.greece_lightning.options import options_from
from rules.greece_lightning.pack import Pack, favors_of, wedges_of
from rules.greece_lightning.race import result
from rules.greece_lightning.state import Given, GreeceLightningState, SeatState
from rules.greece_lightning.validity import problems
from rules.header import Header
from rules.packs import playable
from rules.referee import Entry, Option, Referee, Result
from rules.rulings import Outcome, Ruling

__all__ = ["GreeceLightningReferee", "check_header"]

State = GreeceLightningState

_HANG_TOGETHER = (
    events.Circle,
    events.Stack,
    events.Ready,
    events.Starters,
    events.Dice,
    events.Wake,
    events.Step,
    events.PutShip,
)
"""Events whose fields no list of options can hold."""


class GreeceLightningReferee(Referee[GreeceLightningState]):
    """The race of two laps, 2 to 4 players; knows only what everybody can see."""

    game: ClassVar[str] = "greece-lightning"
    rules_version: ClassVar[str] = "1"
    event_type: ClassVar[Any] = events.GreeceLightningEvent
    codes: ClassVar[dict[str, tuple[str, ...]]] = CODES

    def start(self, header: Header) -> State:
        """The table before set-up.

        Raises:
            BadHeader: the header breaks a rule of set-up, or its pack cannot be played with.
        """
        options = options_from(header.options)
        check_header(header)
        pack = playable(header.pack, Pack, check_pack(header.pack), what="a Greece Lightning pack", clause="GL-C2")
        given = Given(
            options,
            header.seats,
            wedges_of(pack),
            pack.starting_line.graph,
            favors_of(pack),
            header.judge is not None,
        )
        return State(given, tuple(SeatState(seat.number) for seat in header.seats))

    def judge(self, state: State, filed: Submission[Any], seq: int) -> Outcome[State]:
        """Rule on one event; then on what follows by itself: the next step, turn, round, the end."""
        outcome = _judge(state, filed)
        if outcome.refused:
            return Outcome(state, outcome.rulings)
        after, more = settle(outcome.state)
        return Outcome(after, (*outcome.rulings, *more))

    def overrule(
        self, state: State, filed: Submission[Overrule], seq: int, original: Entry, standing: Ruling
    ) -> Outcome[State]:
        """Put a person's decision in the place of a finding. TC-7."""
        return corrections.overrule(state, filed, original, standing)

    def options(self, state: State) -> tuple[Option, ...]:
        """What would be accepted now."""
        return offers(state)

    def permits(self, state: State, event: Event, source: Source = Source.JUDGE) -> bool:
        """True when an option covers the event from this source.

        Whether a circle, a count or a set of dice fits hangs on all of it together, and a step may name the ships it
        skips or not, which no list can hold. Such events are permitted when accepted.
        """
        if isinstance(event, _HANG_TOGETHER):
            return not _judge(state, Submission(event, source)).refused
        return super().permits(state, event, source)

    def context(self, state: State, event: Event) -> Hashable:
        """What an event answers: a roll the own dice, a move the ship and what is waited for, a count the thing.

        At set-up and while all roll, nobody waits for anybody: what one does makes nothing of another stale. GL-R1.
        """
        match event:
            case (
                events.Navigation()
                | events.Movement()
                | events.Reroll()
                | events.FinishRoll()
                | events.Total()
                | events.Dice()
            ):
                seat = state.find(event.seat)
                return state.round, seat and (seat.navigation, seat.first, seat.second, seat.rerolling, seat.finished)
            case events.Deal() | events.Ready():
                seat = state.find(event.seat)
                return state.phase, seat and (seat.ready, seat.favors)
            case events.Use() | events.Discard() if state.phase == "rolling":
                seat = state.find(event.seat)
                asked = tuple(each for each in state.waiting if each.seat == event.seat)
                return state.round, asked, seat and (seat.favors, seat.finished)
            case events.Count():
                return conduct.counted(state, event.what, event.seat)
            case events.Fleece() | events.Conduct():
                return state.round
            case events.LapMarker() | Adjust():
                seat = state.find(event.seat)
                return seat and (seat.laps, seat.fish, seat.movement_left)
        seats = tuple((seat.spot, seat.movement_left, seat.favors, seat.facedown, seat.wedges) for seat in state.seats)
        return state.phase, state.turn, state.waiting, seats

    def result(self, state: State) -> Result | None:
        """How the match ended, None while it goes on."""
        return result(state)

    def check_state(self, state: State) -> tuple[str, ...]:
        """What is impossible about a state, in words for a developer."""
        return problems(state)


def _judge(state: State, filed: Submission[Any]) -> Outcome[State]:
    event = filed.event
    match event:
        case events.Circle():
            return setup.circle(state, event)
        case events.Shuffled():
            return setup.shuffled(state, event)
        case events.Stack():
            return setup.stack(state, event)
        case events.Ready():
            return setup.ready(state, event)
        case events.LapBoard():
            return setup.lap_board(state, event)
        case events.Starters():
            return setup.starters(state, event)
        case events.Deal():
            return setup.deal(state, event)
        case events.Launch():
            return setup.launch(state, event)
        case events.Navigation():
            return rolling.navigation(state, event)
        case events.Movement():
            return rolling.movement(state, event)
        case events.Reroll():
            return rolling.reroll(state, event)
        case events.FinishRoll():
            return rolling.finish_roll(state, event)
        case events.Total():
            return rolling.total(state, event)
    return _judge_turn(state, filed)


def _judge_turn(state: State, filed: Submission[Any]) -> Outcome[State]:
    event = filed.event
    match event:
        case events.PlaceWedge():
            return placing.place_wedge(state, event)
        case events.DrawWedge():
            return placing.draw_wedge_seen(state, event)
        case events.Step():
            return moving.step(state, event)
        case events.EndMove():
            return moving.end_move(state, event)
        case events.Feed():
            return hydra.feed(state, event)
        case events.Fight():
            return hydra.fight(state, event)
        case events.Reveal():
            return favors_in_play.reveal(state, event)
        case events.Give():
            return favors_in_play.give(state, event)
        case events.Discard():
            return favors_in_play.discard(state, event)
        case events.Use():
            return favors_in_play.use(state, event)
    return _judge_rest(state, filed)


def _judge_rest(state: State, filed: Submission[Any]) -> Outcome[State]:
    """Observations, and people's words."""
    event = filed.event
    match event:
        case events.Dice():
            return conduct.dice(state, event)
        case events.Wake():
            return conduct.wake(state, event)
        case events.LapMarker():
            return conduct.lap_marker(state, event)
        case events.Fleece():
            return conduct.fleece(state, event)
        case events.Count():
            return conduct.count(state, event)
        case events.Conduct():
            return conduct.conduct(state, event)
        case events.PutShip():
            return corrections.put_ship(state, filed)
        case Adjust():
            return corrections.adjust(state, event)
    raise TypeError(f"{type(event).__name__} is no event of Greece Lightning.")


def check_header(header: Header) -> None:
    """Hold a header to the rules of set-up: 2 to 4 players (GL-C1), each of another colour (GL-S10), no player judges.

    Raises:
        BadHeader: one of these is broken.
    """
    least, most = SEATS
    numbers = [seat.number for seat in header.seats]
    if not least <= len(numbers) <= most:
        raise BadHeader(f"There are {len(numbers)} seats; expected {least} to {most}.", clauses=("GL-C1",))
    if numbers != list(range(1, len(numbers) + 1)):
        raise BadHeader(
            f"Seats are numbered {numbers}; expected 1 to {len(numbers)} clockwise, none twice.", clauses=("GL-C1",)
        )
    colours = [seat.colour.strip().casefold() for seat in header.seats]
    if "" in colours or len(set(colours)) < len(colours):
        raise BadHeader(f"Colours are {colours}; expected another one for each seat.", clauses=("GL-S10",))
    names = [seat.name.strip().casefold() for seat in header.seats]
    if "" in names or len(set(names)) < len(names):
        raise BadHeader(f"Players are called {names}; expected another name for each seat.", clauses=("GL-C1",))
    if header.judge is not None and (not header.judge.strip() or header.judge.strip().casefold() in names):
        raise BadHeader(
            f"The judge {header.judge!r} must be somebody who is not a player; name another.", clauses=("GL-C1",)
        )
