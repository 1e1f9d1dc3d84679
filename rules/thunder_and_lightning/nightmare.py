"""Nightmare: a column on both sides is lost, or a whole hand; and the order in which cards go on a pile. Section N."""

from __future__ import annotations

from collections import Counter

from rules.records import Fact
from rules.rulings import Outcome, Ruling, accepted
from rules.thunder_and_lightning.components import Kind
from rules.thunder_and_lightning.events import Stack
from rules.thunder_and_lightning.field import face_down, lifted
from rules.thunder_and_lightning.knowledge import known_cards, out_of_hand
from rules.thunder_and_lightning.pack import Card
from rules.thunder_and_lightning.piles import discard, pile_clauses
from rules.thunder_and_lightning.state import ThunderAndLightningState, Waiting
from rules.thunder_and_lightning.turns import lost_treasure, next_waiting, not_waited_for, refuse, waits_for

__all__ = ["hand_lost", "settle_stacks", "stack", "wipe", "wiped"]

State = ThunderAndLightningState


def wipe(state: State, column: int, nightmare: Card, by: int, seq: int, *how: str) -> tuple[State, tuple[Ruling, ...]]:
    """A challenged Nightmare takes both facing columns, itself and a leader among them. TL-N2, TL-N7.

    All their cards are turned up first: what they are decides the match. `how` are the clauses of a challenge of
    another kind than that of the front cards.
    """
    spots = [(side.seat, column, row) for side in state.sides for row in range(1, len(side.column(column)) + 1)]
    facts: dict[str, Fact] = {"card": nightmare.id, "column": column, "cards": len(spots)}
    ruling = accepted("tl.nightmare", "TL-N2", *how, seat=by, facts=facts)
    hidden = face_down(state, spots)
    if hidden:
        waiting = Waiting("column", by, by, seq, "nightmare", tokens=hidden, column=column)
        return state.wait_for(waiting), (ruling,)
    state, more = wiped(state, column, by, seq)
    return state, (ruling, *more)


def wiped(state: State, column: int, by: int, seq: int) -> tuple[State, tuple[Ruling, ...]]:
    """All cards of both columns are lost; the player on turn stacks first. TL-N2, TL-N3, TL-N6, TL-N8."""
    losses: dict[int, tuple[Card, ...]] = {}
    for seat in (by, state.enemy(by).seat):
        cards = [state.card_of(lying) for lying in state.side(seat).column(column)]
        losses[seat] = tuple(card for card in cards if card is not None)
        state = lifted(state, seat, column)
    rulings = tuple(
        accepted(
            "tl.wiped",
            "TL-N2",
            *(("TL-N7",) if any(card.kind is Kind.LEADER for card in cards) else ()),
            seat=seat,
            facts={"column": column, "cards": tuple(card.id for card in cards)},
        )
        for seat, cards in losses.items()
        if cards
    )
    stacks = tuple(
        Waiting("stack", seat, by, seq, "nightmare", cards=tuple(card.id for card in cards))
        for seat, cards in losses.items()
        if cards
    )
    state = settle_stacks(state.wait_for(*stacks))
    return _ended(state, losses, by), rulings


def _ended(state: State, losses: dict[int, tuple[Card, ...]], by: int) -> State:
    """The match ends at once when a treasure is among the losses; the cards then go on the piles as they come."""
    after = lost_treasure(state, losses, by, "TL-N6", "TL-Q2")
    if after.phase != "over":
        return state
    for waiting in state.waiting:
        if waiting.kind == "stack":
            for card in waiting.cards:
                state = discard(state, waiting.seat, state.given.cards[card])
    return lost_treasure(state, losses, by, "TL-N6", "TL-Q2")


def settle_stacks(state: State) -> State:
    """A single card has no order: it goes on its pile by itself."""
    while (first := waits_for(state, "stack")) is not None and len(first.cards) == 1 and not first.left:
        state = discard(next_waiting(state), first.seat, state.given.cards[first.cards[0]])
    return state


def hand_lost(state: State, seat: int, nightmare: Card, by: int, seq: int) -> tuple[State, tuple[Ruling, ...]]:
    """Ravens hit a Nightmare in a hand: the whole hand is lost, in an order of its owner's. TL-N4, TL-N5."""
    left = state.side(seat).hand
    facts: dict[str, Fact] = {"card": nightmare.id, "cards": left + 1}
    ruling = accepted("tl.hit-nightmare", "TL-N4", "TL-N5", seat=seat, facts=facts)
    waiting = Waiting("stack", seat, by, seq, "nightmare-hand", cards=(nightmare.id,), left=left)
    return settle_stacks(state.wait_for(waiting)), (ruling,)


def stack(state: State, event: Stack, seq: int) -> Outcome[State]:
    """The lost cards of a seat went on its pile in this order, the first named lowest. TL-N3, TL-N5, TL-N6."""
    waiting = waits_for(state, "stack")
    if waiting is None or waiting.seat != event.seat:
        return not_waited_for(state, "stack", "TL-N3", "TL-M6", seat=event.seat)
    seat = event.seat
    cards = known_cards(state, event.cards, seat)
    if isinstance(cards, Ruling):
        return Outcome(state, (cards,))
    expected = Counter(waiting.cards)
    from_hand = Counter(event.cards) - expected
    short = len(event.cards) != len(waiting.cards) + waiting.left or expected - Counter(event.cards)
    if short or (from_hand and not waiting.left):
        facts: dict[str, Fact] = {"cards": event.cards, "expected": waiting.cards}
        clause = "TL-N5" if waiting.left else "TL-N3"
        return refuse(state, "tl.stack-wrong", clause, seat=seat, facts=facts)
    before = state
    findings: tuple[Ruling, ...] = ()
    for identity in from_hand.elements():
        learnt = out_of_hand(state, seat, state.given.cards[identity], seq)
        if learnt.problem is not None:
            return Outcome(before, (learnt.problem,))
        state, findings = learnt.state, (*findings, *learnt.findings)
    state = state.with_side(seat, hand=state.side(seat).hand - waiting.left)
    state = next_waiting(state)
    clauses = ["TL-N5" if waiting.left else "TL-N3", "TL-M8"]
    for card in cards:
        clauses += pile_clauses(state, seat, card)
        state = discard(state, seat, card)
    facts = {"cards": event.cards, "top": state.side(seat).pile[-1].card}
    ruling = accepted("tl.stacked", *dict.fromkeys(clauses), seat=seat, facts=facts)
    state = lost_treasure(settle_stacks(state), {seat: tuple(cards)}, waiting.by, "TL-N6", "TL-Q1")
    return Outcome(state, (ruling, *findings))
