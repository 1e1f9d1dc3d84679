"""Ravens, the Seer and Frigg's looks: cards struck, drawn or shown. Sections R, A, G and J."""

from __future__ import annotations

import msgspec

from rules.records import Fact
from rules.rulings import Outcome, Refusal, Ruling, accepted, infraction
from rules.thunder_and_lightning.actions import place_problem
from rules.thunder_and_lightning.components import COLUMNS, Kind
from rules.thunder_and_lightning.events import Drawn, Hit, Place, ShowHand, Stop
from rules.thunder_and_lightning.field import put
from rules.thunder_and_lightning.knowledge import from_deck, into_hand, known_card, known_cards, out_of_hand, weighed
from rules.thunder_and_lightning.ledger import Move
from rules.thunder_and_lightning.nightmare import hand_lost, wipe
from rules.thunder_and_lightning.pack import Card
from rules.thunder_and_lightning.piles import beaten, discard, loss_clauses, taken_back
from rules.thunder_and_lightning.state import Lying, ThunderAndLightningState, Waiting
from rules.thunder_and_lightning.turns import lost_treasure, next_waiting, not_waited_for, refuse, waits_for

__all__ = ["drawn", "hit", "open_to", "place", "resolve_strike", "show_hand", "stop", "weak"]

State = ThunderAndLightningState

_APART = (Kind.LEADER, Kind.TREASURE)
"""Kinds that are treated alike whatever strength a pack may give them."""


def weak(card: Card) -> bool:
    """True for what Ravens bring down: strength 0, 1 or none, leaders and treasures. TL-R9, TL-R10, TL-Q3."""
    return card.strength is None or card.strength <= 1 or card.kind in _APART


def resolve_strike(state: State) -> tuple[State, tuple[Ruling, ...]]:
    """The card struck by Ravens or a guessed weapon is face up: rule on it. TL-R9 to TL-R14, TL-R23, TL-J7."""
    waiting = state.waiting[0]
    state = next_waiting(state)
    owner, by = waiting.seat, waiting.by
    found = state.side(owner).find(waiting.tokens[0])
    assert found is not None
    column, _, lying = found
    card = state.card_of(lying)
    assert card is not None
    if waiting.why == "weapon":
        return _guessed(state, waiting, lying, card)
    facts: dict[str, Fact] = {"card": card.id}
    losing = loss_clauses(state, owner, lying, card)
    if state.leads(lying):
        clauses = ("TL-R13", "TL-L15", "TL-R14", "TL-L16") if owner == by else ("TL-R13", "TL-L15", "TL-R7")
        ruling = accepted("tl.struck-leader", *clauses, *losing, seat=by, facts=facts)
        return beaten(state, owner, lying.token), (ruling,)
    if card.kind is Kind.SHIELD_WALL:
        return state, (accepted("tl.struck-wall", "TL-R23", "TL-R11", seat=by, facts=facts),)
    if card.kind is Kind.NIGHTMARE:
        return wipe(state, column, card, by, waiting.seq, "TL-N9", "TL-R11")
    facts["strength"] = card.strength
    if weak(card):
        clause = "TL-R10" if card.strength is None else "TL-R9"
        ruling = accepted("tl.struck", clause, "TL-R11", "TL-Q3", *losing, seat=by, facts=facts)
        return lost_treasure(beaten(state, owner, lying.token), {owner: (card,)}, by, "TL-Q2", "TL-Q3"), (ruling,)
    return state, (accepted("tl.withstood", "TL-R12", seat=by, facts=facts),)


def _guessed(state: State, waiting: Waiting, lying: Lying, card: Card) -> tuple[State, tuple[Ruling, ...]]:
    """By option a weapon may name a face-down card; a wrong guess is taken back, the card stays face up. TL-J7."""
    weapon = state.given.cards[waiting.card or ""]
    owner, by = waiting.seat, waiting.by
    facts: dict[str, Fact] = {"card": weapon.id, "target": card.id}
    option = ("weapon_target",)
    if card.kind is Kind.SHIELD_WALL:
        facts["owner"] = owner
        losing = loss_clauses(state, owner, lying, card)
        ruling = accepted("tl.weapon", "TL-J7", "TL-J3", "TL-J5", *losing, seat=by, facts=facts, by_option=option)
        return beaten(state, owner, lying.token), (ruling,)
    state = taken_back(state, by, waiting.ruled)
    state = into_hand(state, by, weapon, waiting.seq)
    turn = state.turn
    assert turn is not None
    state = state.replace(turn=msgspec.structs.replace(turn, spent=turn.spent - 1))
    return state, (infraction("tl.weapon-missed", "TL-J7", seat=by, about=waiting.seq, facts=facts, by_option=option),)


# --- Ravens on the hand


def open_to(state: State, owner: int) -> tuple[int, ...]:
    """Columns of a side that take a card in row 1. TL-R19, TL-R20, TL-A5."""
    return tuple(each for each in COLUMNS if state.room(owner, each) and not state.led(owner, each))


def hit(state: State, event: Hit, seq: int) -> Outcome[State]:
    """The card picked from the enemy's hand. TL-R16 to TL-R18, TL-R21, TL-R22, TL-R24, TL-R25."""
    waiting = waits_for(state, "hit")
    if waiting is None or waiting.seat != event.seat:
        return not_waited_for(state, "hit", "TL-R16", seat=event.seat)
    owner, by = waiting.seat, waiting.by
    card = known_card(state, event.card, owner)
    if isinstance(card, Ruling):
        return Outcome(state, (card,))
    learnt = out_of_hand(state, owner, card, seq)
    if learnt.problem is not None:
        return Outcome(state, (learnt.problem,))
    state = next_waiting(learnt.state)
    state = state.with_side(owner, hand=state.side(owner).hand - 1)
    state, rulings = _hit(state, owner, by, card, waiting.seq)
    return Outcome(state, (*rulings, *learnt.findings))


def _hit(state: State, owner: int, by: int, card: Card, seq: int) -> tuple[State, tuple[Ruling, ...]]:
    facts: dict[str, Fact] = {"card": card.id}
    if card.kind is Kind.NIGHTMARE:
        return hand_lost(state, owner, card, by, seq)
    if weak(card) and not card.symbol and card.strength is not None and card.kind not in _APART:
        kept = state.options.plain_hand_card == "kept"
        option = ("plain_hand_card",)
        if kept:
            state = into_hand(state, owner, card, seq)
            return state, (accepted("tl.hit-kept", "TL-R22", seat=owner, facts=facts, by_option=option),)
        ruling = accepted("tl.hit-discarded", "TL-R22", seat=owner, facts=facts, by_option=option)
        return discard(state, owner, card), (ruling,)
    if weak(card):
        special = {Kind.SHIELD_WALL: ("TL-R24", "TL-K7"), Kind.TREASURE: ("TL-R25", "TL-Q1")}
        clauses = (*special.get(card.kind, ()), "TL-R17")
        ruling = accepted("tl.hit-discarded", *clauses, seat=owner, facts=facts)
        return lost_treasure(discard(state, owner, card), {owner: (card,)}, by, "TL-Q1", "TL-R25"), (ruling,)
    if not open_to(state, owner):
        ruling = accepted("tl.hit-no-column", "TL-R21", "TL-R19", "TL-R20", seat=owner, facts=facts)
        return discard(state, owner, card), (ruling,)
    waiting = Waiting("place", owner, by, seq, "ravens", card=card.id, source="hand")
    state = state.wait_for(waiting)
    return state, (accepted("tl.hit-placed", "TL-R18", seat=owner, facts=facts),)


def place(state: State, event: Place, seq: int) -> Outcome[State]:
    """The card hit by Ravens or drawn by a Seer goes face up into row 1 of an enemy column. TL-R18 to TL-R20, TL-R26,
    TL-A4, TL-A5."""
    waiting = waits_for(state, "place")
    if waiting is None or waiting.by != event.seat:
        return not_waited_for(state, "place", "TL-B11", seat=event.seat)
    owner = waiting.seat
    ravens = waiting.source == "hand"
    clauses = ("TL-R18", "TL-R19", "TL-R20") if ravens else ("TL-A4", "TL-A5")
    if event.row != 1:
        facts: dict[str, Fact] = {"row": 1, "target_row": event.row}
        return refuse(state, "tl.not-row-1", clauses[0], seat=event.seat, facts=facts)
    wrong = place_problem(state, owner, event.column, 1, event.seat, *clauses[1:])
    if wrong is not None:
        return wrong
    card = state.given.cards[waiting.card or ""]
    token = state.tokens + 1
    state = put(next_waiting(state), owner, event.column, 1, Lying(token, card.deck, card.id, seq))
    facts = {"card": card.id, "owner": owner, "column": event.column}
    more = ("TL-R26",) if ravens else ()
    ruling = accepted("tl.placed", clauses[0], *more, seat=event.seat, facts=facts)
    return Outcome(state.replace(tokens=token), (ruling,))


# --- the Seer


def drawn(state: State, event: Drawn, seq: int) -> Outcome[State]:
    """A Seer's card from the enemy's deck: into his row 1, his hand, or onto his pile. TL-A1 to TL-A9, TL-Q7.

    One after the other, each dealt with before the next. TL-A2
    """
    waiting = waits_for(state, "drawn")
    if waiting is None or waiting.seat != event.seat:
        clauses = ("TL-A2",) if state.waiting else ("TL-A3", "TL-D5")
        return not_waited_for(state, "drawn", *clauses, seat=event.seat)
    owner, by = waiting.seat, waiting.by
    card = known_card(state, event.card, owner)
    if isinstance(card, Ruling):
        return Outcome(state, (card,))
    learnt = from_deck(state, owner, card)
    if learnt.problem is not None:
        return Outcome(state, (learnt.problem,))
    state = learnt.state.with_side(owner, deck=state.side(owner).deck - 1)
    rest = state.waiting[1:]
    if waiting.left > 1 and state.side(owner).deck:
        rest = (msgspec.structs.replace(waiting, left=waiting.left - 1), *rest)
    state = state.replace(waiting=rest)
    state, ruling = _fate(state, owner, by, card, seq)
    return Outcome(state, (ruling, *learnt.findings))


def _fate(state: State, owner: int, by: int, card: Card, seq: int) -> tuple[State, Ruling]:
    facts: dict[str, Fact] = {"card": card.id}
    option = ("seer_symbol",) if card.symbol and card.strength and card.kind not in _APART else ()
    clauses = ("TL-A9",) if option else ()
    if card.strength and card.kind not in _APART and not (option and state.options.seer_symbol == "hand"):
        if not open_to(state, owner):
            ruling = accepted("tl.seer-no-column", "TL-A6", *clauses, seat=owner, facts=facts, by_option=option)
            return discard(state, owner, card), ruling
        waiting = Waiting("place", owner, by, seq, "seer", card=card.id, source="deck")
        state = state.wait_for(waiting)
        return state, accepted("tl.seer-row", "TL-A4", *clauses, seat=owner, facts=facts, by_option=option)
    if not state.hand_room(owner):
        ruling = accepted("tl.seer-hand-full", "TL-A8", "TL-Q7", *clauses, seat=owner, facts=facts, by_option=option)
        return lost_treasure(discard(state, owner, card), {owner: (card,)}, by, "TL-Q7"), ruling
    state = into_hand(state, owner, card, seq)
    facts["hand"] = state.side(owner).hand
    return state, accepted("tl.seer-hand", "TL-A7", *clauses, seat=owner, facts=facts, by_option=option)


def stop(state: State, event: Stop) -> Outcome[State]:
    """The player of a Seer draws no more. TL-A3."""
    waiting = waits_for(state, "drawn")
    if waiting is None or waiting.by != event.seat:
        return not_waited_for(state, "drawn", "TL-A3", seat=event.seat)
    ruling = accepted("tl.seer-stops", "TL-A3", seat=event.seat, facts={"left": waiting.left})
    return Outcome(next_waiting(state), (ruling,))


# --- Frigg looks at a hand


def show_hand(state: State, event: ShowHand, seq: int) -> Outcome[State]:
    """The whole hand is shown; Angrboda or Tyr in it is discarded, nothing else follows. TL-G2 to TL-G4, TL-N11, TL-E4.

    It must be all of the hand (TL-G2), and cards that were seen going into it must be there.
    """
    waiting = waits_for(state, "show-hand")
    seat = event.seat
    if waiting is None or waiting.seat != seat:
        return not_waited_for(state, "show-hand", "TL-S5", seat=seat)
    side = state.side(seat)
    if len(event.cards) != side.hand:
        facts: dict[str, Fact] = {"shown": len(event.cards), "hand": side.hand}
        return refuse(state, "tl.hand-incomplete", "TL-G2", seat=seat, facts=facts)
    cards = known_cards(state, event.cards, seat)
    if isinstance(cards, Ruling):
        return Outcome(state, (cards,))
    out = tuple(Move(False, card.deck, seq, card.id) for card in cards)
    again = tuple(Move(True, card.deck, seq, card.id) for card in cards)
    learnt = weighed(state, seat, side.ledger.with_moves(*out, *again), cards[0])
    if learnt.problem is not None:
        vouched = [card.id for card in cards if (seat, card.id) in state.vouched]
        if not vouched:
            facts = {"cards": event.cards}
            family = Refusal.UNREADABLE
            return refuse(state, "tl.hand-impossible", "TL-G2", "TL-K5", "TC-1", seat=seat, facts=facts, family=family)
        sworn = tuple(msgspec.structs.replace(move, vouched=True) for move in out)
        left = tuple(pair for pair in state.vouched if pair[0] != seat)
        told = state.replace(vouched=left).with_side(seat, ledger=side.ledger.with_moves(*sworn, *again))
        learnt = type(learnt)(told)
    state = next_waiting(learnt.state)
    facts = {"cards": event.cards}
    champions = [card for card in cards if card.kind is Kind.CHAMPION]
    if not champions:
        ruling = accepted("tl.hand-shown", "TL-G2", "TL-G4", "TL-N11", "TL-E4", seat=seat, facts=facts)
        return Outcome(state, (ruling, *learnt.findings))
    for card in champions:
        gone = state.side(seat).ledger.with_moves(Move(False, card.deck, seq, card.id))
        state = discard(state.with_side(seat, hand=state.side(seat).hand - 1, ledger=gone), seat, card)
    facts["card"] = champions[0].id
    ruling = accepted("tl.hand-shown-champion", "TL-G3", "TL-G2", seat=seat, facts=facts)
    return Outcome(state, (ruling, *learnt.findings))
