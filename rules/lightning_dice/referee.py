"""The referee of Lightning Dice: which part of the rules an event belongs to."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, ClassVar

from rules.errors import BadHeader
from rules.events import Adjust, Event, Overrule, Source, Submission
from rules.header import Header
from rules.lightning_dice import events, setup, throws
from rules.lightning_dice.calls import judge_calls
from rules.lightning_dice.codes import CODES
from rules.lightning_dice.components import SEATS
from rules.lightning_dice.corrections import adjust, overrule
from rules.lightning_dice.judging import decide
from rules.lightning_dice.offers import offers
from rules.lightning_dice.options import LightningDiceOptions, options_from
from rules.lightning_dice.pack import Pack, check_pack
from rules.lightning_dice.scoring import result
from rules.lightning_dice.state import Given, LightningDiceState, SeatState
from rules.lightning_dice.tournament import breach
from rules.lightning_dice.validity import problems
from rules.packs import playable
from rules.referee import Entry, Option, Referee, Result
from rules.rulings import Outcome, Ruling

__all__ = ["LightningDiceReferee"]

State = LightningDiceState


class LightningDiceReferee(Referee[LightningDiceState]):
    """Standard game, quick game and tournament play, 2 to 6 seats."""

    game: ClassVar[str] = "lightning-dice"
    rules_version: ClassVar[str] = "1"
    event_type: ClassVar[Any] = events.LightningDiceEvent
    codes: ClassVar[dict[str, tuple[str, ...]]] = CODES

    def start(self, header: Header) -> State:
        """The table before set-up.

        Raises:
            BadHeader: the header breaks a rule of set-up, or its pack cannot be played with.
        """
        options = options_from(header.options)
        check_header(header, options)
        pack = playable(header.pack, Pack, check_pack(header.pack), what="a Lightning Dice pack", clause="LD-C3")
        given = Given(options, header.seats, pack.card, header.judge is not None)
        return State(given, tuple(SeatState(seat.number) for seat in header.seats))

    def judge(self, state: State, filed: Submission[Any], seq: int) -> Outcome[State]:
        """Rule on one event."""
        event = filed.event
        match event:
            case events.Shuffled():
                return setup.shuffled(state, event)
            case events.Stack():
                return setup.stack(state, event)
            case events.Ready():
                return setup.ready(state, event)
            case events.Flip():
                return setup.flip(state, filed)
            case events.Pawn():
                return setup.pawn(state, event)
            case events.Reshuffled():
                return setup.reshuffled(state, event)
            case events.Moving():
                return throws.moving(state, event)
            case events.Roll():
                return throws.roll(state, event)
            case events.Calls():
                return judge_calls(state, event, seq)
            case events.Decide():
                return decide(state, filed)
            case events.Breach():
                return breach(state, filed, seq)
            case Adjust():
                return adjust(state, event)
        raise TypeError(f"{type(event).__name__} is no event of Lightning Dice.")

    def overrule(
        self, state: State, filed: Submission[Overrule], seq: int, original: Entry, standing: Ruling
    ) -> Outcome[State]:
        """Put a person's decision in the place of a ruling. TC-7."""
        return overrule(state, filed, original, standing)

    def options(self, state: State) -> tuple[Option, ...]:
        """What would be accepted now."""
        return offers(state)

    def permits(self, state: State, event: Event, source: Source = Source.JUDGE) -> bool:
        """True when an option covers the event from this source.

        What a call is worth hangs on its edge and on the other presses of its window, which no list can hold: the
        options list the untimed calls of single seats, and any other call is permitted when its ruling changes
        something.
        """
        if isinstance(event, events.Calls):
            return not judge_calls(state, event, 0).refused
        if isinstance(event, events.Breach):
            return not breach(state, Submission(event, source), 0).refused
        return super().permits(state, event, source)

    def context(self, state: State, event: Event) -> Hashable:
        """What an event answers: a call the card, a decision what waits, a reading the dice it replaces."""
        contest = (state.contest, state.phase)
        match event:
            case events.Calls() | events.Flip() | events.Reshuffled():
                return contest
            case events.Shuffled() | events.Stack() | events.Ready():
                return state.phase == "setup"
            case events.Decide():
                return any((each.seq, each.ruling) == (event.target, event.ruling) for each in state.pending)
            case events.Roll() | events.Moving():
                seat = state.find(event.seat)
                return seat and (state.contest, seat.faces, seat.moving)
            case events.Pawn() | Adjust():
                seat = state.find(event.seat)
                return seat and (seat.score, seat.cards_won)
        return state.contest

    def result(self, state: State) -> Result | None:
        """How the match ended, None while it goes on."""
        return result(state)

    def check_state(self, state: State) -> tuple[str, ...]:
        """What is impossible about a state, in words for a developer."""
        return problems(state)


def check_header(header: Header, options: LightningDiceOptions) -> None:
    """Hold a header to the rules of set-up.

    Player numbers 1, 2, 3 … in seating order (LD-I4); each seat its own colour (LD-I5); in tournament play a judge
    (LD-J1), who is never one of the players (LD-J2).

    Raises:
        BadHeader: one of these is broken.
    """
    least, most = SEATS
    numbers = [seat.number for seat in header.seats]
    if not least <= len(numbers) <= most:
        raise BadHeader(f"There are {len(numbers)} seats; expected {least} to {most}.", clauses=("LD-I4",))
    if numbers != list(range(1, len(numbers) + 1)):
        raise BadHeader(
            f"Player numbers are {numbers}; expected 1 to {len(numbers)} in seating order, none twice.",
            clauses=("LD-I4",),
        )
    colours = [seat.colour.strip().casefold() for seat in header.seats]
    if "" in colours or len(set(colours)) < len(colours):
        raise BadHeader(f"Colours are {colours}; expected another one for each seat.", clauses=("LD-I5",))
    names = [seat.name.strip().casefold() for seat in header.seats]
    if "" in names or len(set(names)) < len(names):
        raise BadHeader(f"Players are called {names}; expected another name for each seat.", clauses=("LD-I4",))
    if options.tournament and not (header.judge or "").strip():
        raise BadHeader("Tournament play needs a judge; name one who is not a player.", clauses=("LD-J1",))
    if header.judge is not None and (not header.judge.strip() or header.judge.strip().casefold() in names):
        raise BadHeader(
            f"The judge {header.judge!r} must be somebody who is not a player; name another.", clauses=("LD-J2",)
        )
    strangers = [number for number in options.handicaps if number not in numbers]
    if strangers:
        raise BadHeader(f"Handicaps are registered for {strangers}; seats are {numbers}.", clauses=("LD-T13",))
