"""Set-up: shuffling, nine cards, the treasure that may not be among them, the first row. Section S."""

from __future__ import annotations

import msgspec

from rules.records import Fact
from rules.rulings import Outcome, Refusal, Ruling, accepted, refused
from rules.thunder_and_lightning.components import DECK, FIRST_HAND, FIRST_ROW, Kind, Role
from rules.thunder_and_lightning.events import Deal, Lay, Replace, ShuffleBack, Shuffled, Treasure
from rules.thunder_and_lightning.field import is_place, put
from rules.thunder_and_lightning.knowledge import hidden_moves, known_card
from rules.thunder_and_lightning.ledger import Move
from rules.thunder_and_lightning.state import Lying, ThunderAndLightningState
from rules.thunder_and_lightning.turns import begin, refuse

__all__ = ["deal", "first_row", "replace", "shuffle_back", "shuffled", "treasure"]

State = ThunderAndLightningState


def _guard(state: State, seat: int) -> Ruling | None:
    if state.phase == "over":
        return refused(Refusal.ILLEGAL, "tl.over", "TC-11", "TL-E3")
    if not state.has_seat(seat):
        return refused(Refusal.ILLEGAL, "tl.no-such-seat", "TL-S1", facts={"number": seat})
    if state.phase != "setup":
        return refused(Refusal.ILLEGAL, "tl.not-set-up", "TL-S13", "TL-S12", seat=seat)
    return None


def shuffled(state: State, event: Shuffled) -> Outcome[State]:
    """A deck was declared shuffled; nobody can check chance. TL-S3."""
    problem = _guard(state, event.seat)
    if problem is not None:
        return Outcome(state, (problem,))
    return Outcome(state.with_side(event.seat, shuffled=True), (accepted("tl.shuffled", "TL-S3", seat=event.seat),))


def deal(state: State, event: Deal, seq: int) -> Outcome[State]:
    """Cards of the starting hand: nine (TL-S4) of the shuffled deck (TL-S3), 41 left (TL-S6), fifty in all (TL-K1)."""
    seat = event.seat
    problem = _guard(state, seat)
    if problem is not None:
        return Outcome(state, (problem,))
    side = state.side(seat)
    if not side.shuffled:
        return refuse(state, "tl.not-shuffled", "TL-S3", seat=seat)
    if event.cards < 1 or side.dealt + event.cards > FIRST_HAND:
        facts: dict[str, Fact] = {"cards": side.dealt + event.cards, "expected": FIRST_HAND}
        return refuse(state, "tl.too-many-dealt", "TL-S4", seat=seat, facts=facts)
    dealt = side.dealt + event.cards
    left = DECK - dealt
    if event.deck is not None and event.deck != left:
        facts = {"counted": dealt + event.deck, "expected": DECK}
        return refuse(state, "tl.deck-short", "TL-K1", "TL-S6", seat=seat, facts=facts)
    moves = hidden_moves(event.cards, side.role, seq, into=True, setup=True)
    ledger = side.ledger.with_moves(*moves)
    state = state.with_side(seat, dealt=dealt, hand=dealt, deck=left, ledger=ledger)
    facts = {"cards": event.cards, "hand": dealt, "deck": left}
    return Outcome(state, (accepted("tl.dealt", "TL-S4", "TL-S6", seat=seat, facts=facts),))


def treasure(state: State, event: Treasure) -> Outcome[State]:
    """The own Ring or Crown among the nine is shown. TL-S7."""
    seat = event.seat
    problem = _guard(state, seat)
    if problem is not None:
        return Outcome(state, (problem,))
    side = state.side(seat)
    card = known_card(state, event.card, seat)
    if isinstance(card, Ruling):
        return Outcome(state, (card,))
    if card.kind is not Kind.TREASURE or card.deck is not side.role:
        return refuse(state, "tl.no-treasure", "TL-S7", "TL-Q6", seat=seat, facts={"card": card.id})
    if side.dealt < FIRST_HAND:
        facts: dict[str, Fact] = {"dealt": side.dealt, "expected": FIRST_HAND}
        return refuse(state, "tl.deal-first", "TL-S4", "TL-S7", seat=seat, facts=facts)
    if side.treasure or side.field:
        return refuse(state, "tl.treasure-order", "TL-S7", "TL-S9", seat=seat, facts={"expected": "once"})
    state = state.with_side(seat, treasure="shown")
    ruling = accepted("tl.treasure-shown", "TL-S7", "TL-S8", seat=seat, facts={"card": card.id})
    return Outcome(state, (ruling,))


def replace(state: State, event: Replace, seq: int) -> Outcome[State]:
    """Another card is drawn before the treasure goes back, so that it cannot be the same. TL-S8, TL-S9."""
    seat = event.seat
    problem = _guard(state, seat)
    if problem is not None:
        return Outcome(state, (problem,))
    side = state.side(seat)
    if side.treasure != "shown":
        return refuse(state, "tl.treasure-order", "TL-S8", "TL-S7", seat=seat, facts={"expected": "shown"})
    ledger = side.ledger.with_moves(*hidden_moves(1, side.role, seq, into=True, setup=True))
    state = state.with_side(seat, treasure="replaced", hand=side.hand + 1, deck=side.deck - 1, ledger=ledger)
    return Outcome(state, (accepted("tl.replaced", "TL-S8", seat=seat),))


def shuffle_back(state: State, event: ShuffleBack) -> Outcome[State]:
    """The shown treasure is shuffled back into the deck: nine in the hand, 41 in the deck again. TL-S9, TL-S10."""
    seat = event.seat
    problem = _guard(state, seat)
    if problem is not None:
        return Outcome(state, (problem,))
    side = state.side(seat)
    if side.treasure != "replaced":
        expected = "replaced" if side.treasure == "shown" else "shown"
        return refuse(state, "tl.treasure-order", "TL-S9", "TL-S8", seat=seat, facts={"expected": expected})
    ledger = msgspec.structs.replace(side.ledger, moves=side.ledger.moves[1:])
    state = state.with_side(seat, treasure="back", hand=side.hand - 1, deck=side.deck + 1, ledger=ledger)
    ruling = accepted("tl.shuffled-back", "TL-S9", "TL-S10", seat=seat, facts={"deck": side.deck + 1})
    return Outcome(state, (ruling,))


def first_row(state: State, event: Lay, seq: int) -> Outcome[State]:
    """Three of the nine cards face down side by side, for no points; then Loki begins. TL-S11 to TL-S13, TL-T1."""
    seat = event.seat
    problem = _guard(state, seat)
    if problem is not None:
        return Outcome(state, (problem,))
    side = state.side(seat)
    if side.dealt < FIRST_HAND:
        facts: dict[str, Fact] = {"dealt": side.dealt, "expected": FIRST_HAND}
        return refuse(state, "tl.deal-first", "TL-S4", "TL-S11", seat=seat, facts=facts)
    if side.treasure in ("shown", "replaced"):
        expected = "replaced" if side.treasure == "shown" else "back"
        return refuse(state, "tl.treasure-order", "TL-S9", "TL-S8", seat=seat, facts={"expected": expected})
    facts = {"column": event.column, "row": event.row}
    if not is_place(event.column, event.row):
        return refuse(state, "tl.no-such-place", "TL-B1", "TL-B2", seat=seat, facts=facts)
    if event.row != 1 or side.column(event.column):
        return refuse(state, "tl.first-row-only", "TL-S11", seat=seat, facts=facts)
    if event.back is not None and event.back is not side.role:
        return refuse(state, "tl.no-such-back", "TL-Y5", "TL-S1", seat=seat, facts={"back": event.back.value})
    token = state.tokens + 1
    state = put(state, seat, event.column, 1, Lying(token, side.role, None, seq, first_row=True))
    ledger = side.ledger.with_moves(Move(False, side.role, seq, token=token))
    state = state.with_side(seat, hand=side.hand - 1, ledger=ledger).replace(tokens=token)
    left = FIRST_ROW - state.side(seat).field
    laid = accepted("tl.first-row", "TL-S11", "TL-S13", seat=seat, facts={"column": event.column, "left": left})
    if any(each.field < FIRST_ROW for each in state.sides):
        return Outcome(state, (laid,))
    first = state.side_of(Role.LOKI)
    facts = {"hand": first.hand, "field": first.field, "deck": first.deck}
    begins = accepted("tl.begins", "TL-T1", "TL-S12", seat=first.seat, facts=facts)
    state, turn = begin(state.replace(phase="play"), first.seat)
    return Outcome(state, (laid, begins, turn))
