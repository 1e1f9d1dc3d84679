"""The referee of Thunder & Lightning: which part of the rules an event belongs to."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, ClassVar

import msgspec

from rules.errors import BadHeader
from rules.events import Adjust, Decision, Event, Overrule, Source, Submission
from rules.header import Header
from rules.packs import playable
from rules.referee import Entry, Option, Referee, Result
from rules.rulings import Outcome, Ruling
from rules.thunder_and_lightning import (
    actions,
    conduct,
    corrections,
    events,
    nightmare,
    powers,
    recovery,
    setup,
    strikes,
    turns,
)
from rules.thunder_and_lightning.challenge import challenge
from rules.thunder_and_lightning.codes import CODES
from rules.thunder_and_lightning.components import DECK, SEATS
from rules.thunder_and_lightning.ledger import Ledger
from rules.thunder_and_lightning.offers import offers
from rules.thunder_and_lightning.options import options_from
from rules.thunder_and_lightning.pack import Pack, check_pack
from rules.thunder_and_lightning.reveals import turn_up
from rules.thunder_and_lightning.state import Given, SideState, ThunderAndLightningState
from rules.thunder_and_lightning.validity import problems

__all__ = ["ThunderAndLightningReferee", "check_header"]

State = ThunderAndLightningState


class ThunderAndLightningReferee(Referee[ThunderAndLightningState]):
    """Two players, Thor and Loki; knows only what both of them can see."""

    game: ClassVar[str] = "thunder-and-lightning"
    rules_version: ClassVar[str] = "1"
    event_type: ClassVar[Any] = events.ThunderAndLightningEvent
    codes: ClassVar[dict[str, tuple[str, ...]]] = CODES

    def start(self, header: Header) -> State:
        """The table before set-up.

        Raises:
            BadHeader: the header breaks a rule of set-up, or its pack cannot be played with.
        """
        options = options_from(header.options)
        check_header(header)
        pack = playable(header.pack, Pack, check_pack(header.pack), what="a Thunder & Lightning pack", clause="TL-K1")
        cards = {card.id: card for card in pack.card}
        copies = {card.id: card.copies for card in pack.card}
        given = Given(options, header.seats, cards, copies, header.judge is not None)
        one, two = (SideState(seat, role, Ledger(), deck=DECK) for seat, role in enumerate(options.roles, start=1))
        return State(given, (one, two))

    def judge(self, state: State, filed: Submission[Any], seq: int) -> Outcome[State]:
        """Rule on one event; then on what everybody can see to follow from it. TL-E5."""
        outcome = _judge(state, filed, seq)
        if outcome.refused:
            return Outcome(state, outcome.rulings)
        after, more = turns.finish(outcome.state)
        effects = turns.effects_between(state, after)
        rulings = (*outcome.rulings, *more)
        if effects:
            first = msgspec.structs.replace(rulings[0], effects=(*rulings[0].effects, *effects))
            rulings = (first, *rulings[1:])
        return Outcome(after, rulings)

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

        Whether a whole hand, a stack or a set of recovered cards fits hangs on all its cards together, which no list
        can hold; nor can a counted deck, which hangs on the cards dealt. Such events are permitted when accepted.
        """
        if isinstance(event, events.ShowHand | events.Stack | events.Take | events.Deal | events.Top | events.Vouch):
            return not _judge(state, Submission(event, source), 0).refused
        if isinstance(event, events.Decide):
            return super().permits(state, events.Decide(event.target, Decision(event.decision), event.reason), source)
        return super().permits(state, event, source)

    def context(self, state: State, event: Event) -> Hashable:
        """What an event answers: the turn and what is waited for; a count or top the thing itself."""
        match event:
            case events.Count() | events.Top() | Adjust() if state.has_seat(event.seat):
                side = state.side(event.seat)
                return side.hand, side.deck, side.pile, side.gone, state.turn
            case events.Figure() | events.Conduct() | events.Vouch():
                return None
        return state.phase, state.turn, state.waiting, tuple((side.dealt, side.field) for side in state.sides)

    def result(self, state: State) -> Result | None:
        """How the match ended, None while it goes on."""
        return turns.result(state)

    def check_state(self, state: State) -> tuple[str, ...]:
        """What is impossible about a state, in words for a developer."""
        return problems(state)


def _judge(state: State, filed: Submission[Any], seq: int) -> Outcome[State]:
    event = filed.event
    match event:
        case events.Shuffled():
            return setup.shuffled(state, event)
        case events.Deal():
            return setup.deal(state, event, seq)
        case events.Treasure():
            return setup.treasure(state, event)
        case events.Replace():
            return setup.replace(state, event, seq)
        case events.ShuffleBack():
            return setup.shuffle_back(state, event)
        case events.Lay():
            return setup.first_row(state, event, seq) if state.phase == "setup" else actions.lay(state, event, seq)
        case events.Draw():
            return actions.draw(state, event, seq)
        case events.Lead():
            return actions.lead(state, event, seq)
        case events.Challenge():
            return challenge(state, event, seq)
        case events.Play():
            return powers.play(state, event, seq)
        case events.TurnUp():
            return turn_up(state, event)
        case events.ShowHand():
            return strikes.show_hand(state, event, seq)
        case events.Hit():
            return strikes.hit(state, event, seq)
        case events.Drawn():
            return strikes.drawn(state, event, seq)
        case events.Place():
            return strikes.place(state, event, seq)
        case events.Stop():
            return strikes.stop(state, event)
        case events.Take():
            return recovery.take(state, event, seq)
        case events.Stack():
            return nightmare.stack(state, event, seq)
    return _judge_rest(state, filed, seq)


def _judge_rest(state: State, filed: Submission[Any], seq: int) -> Outcome[State]:
    """The turn itself, observations, and people's words."""
    event = filed.event
    match event:
        case events.EndTurn():
            return turns.end_turn(state, event)
        case events.Stuck():
            return turns.stuck(state, event, seq)
        case events.Top():
            return conduct.top(state, event)
        case events.Count():
            return conduct.count(state, event)
        case events.Figure():
            return conduct.figure(state, event)
        case events.Conduct():
            return conduct.conduct(state, event)
        case events.Decide():
            return corrections.decide(state, filed)
        case events.Vouch():
            return conduct.vouch(state, filed)
        case Adjust():
            return corrections.adjust(state, event, seq)
    raise TypeError(f"{type(event).__name__} is no event of Thunder & Lightning.")


def check_header(header: Header) -> None:
    """Hold a header to the rules of set-up: two players face to face (TL-S1, TL-S2), told apart, and no player judges.

    Raises:
        BadHeader: one of these is broken.
    """
    numbers = [seat.number for seat in header.seats]
    if numbers != list(range(1, SEATS[1] + 1)):
        raise BadHeader(f"Seats are numbered {numbers}; expected 1 and 2: one Thor, one Loki.", clauses=("TL-S1",))
    names = [seat.name.strip().casefold() for seat in header.seats]
    colours = [seat.colour.strip().casefold() for seat in header.seats]
    if "" in names or len(set(names)) < len(names):
        raise BadHeader(f"Players are called {names}; expected another name for each seat.", clauses=("TL-S1",))
    if "" in colours or len(set(colours)) < len(colours):
        raise BadHeader(f"Colours are {colours}; expected another one for each seat.", clauses=("TL-S1",))
    if header.judge is not None and (not header.judge.strip() or header.judge.strip().casefold() in names):
        raise BadHeader(
            f"The judge {header.judge!r} must be somebody who is not a player; name another.", clauses=("TL-S2",)
        )
