"""What comes to light, held against everything seen before. TL-K5, TL-S10, TL-C14, TL-L5.

The referee never guesses a hidden card. It only asks whether a card that is shown can be where it is shown, by the
copies that the box holds, by what was seen go into the hand and out of it, and by the looks that Frigg had. A card
that cannot be there was misread, or the box is not complete: the event is refused until people look again.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from rules.records import Fact
from rules.rulings import Refusal, Ruling, infraction, refused
from rules.thunder_and_lightning.components import Kind, Role
from rules.thunder_and_lightning.field import replaced
from rules.thunder_and_lightning.ledger import Ledger, Move, Outlook, consistent
from rules.thunder_and_lightning.pack import Card
from rules.thunder_and_lightning.state import Lying, SideState, ThunderAndLightningState

__all__ = [
    "Learnt",
    "at_place",
    "foreign",
    "from_deck",
    "hidden_moves",
    "in_hand",
    "into_hand",
    "known_card",
    "known_cards",
    "on_deck",
    "out_of_hand",
    "turned_up",
    "weighed",
]

State = ThunderAndLightningState


class Learnt(NamedTuple):
    """The table once something came to light.

    Attributes:
        state: as given when there is a problem.
        findings: what was wrong earlier and shows only now.
        problem: why it cannot be believed.
    """

    state: State
    findings: tuple[Ruling, ...] = ()
    problem: Ruling | None = None


def known_card(state: State, identity: str | None, seat: int | None = None) -> Card | Ruling:
    """The card of the pack with this id, or why there is none. TC-1."""
    if identity is None:
        return refused(Refusal.UNREADABLE, "tl.card-unreadable", "TC-1", "TL-C16", seat=seat)
    card = state.given.card(identity)
    if card is None:
        return refused(Refusal.UNREADABLE, "tl.card-unknown", "TC-1", "TL-K1", seat=seat, facts={"card": identity})
    return card


def known_cards(state: State, identities: tuple[str, ...], seat: int) -> list[Card] | Ruling:
    """The cards of the pack with these ids, or why there is none of one of them."""
    found: list[Card] = []
    for identity in identities:
        card = known_card(state, identity, seat)
        if isinstance(card, Ruling):
            return card
        found.append(card)
    return found


def foreign(side: SideState) -> int:
    """Cards of the enemy's deck in this hand; their backs show it. TL-Y5, TL-C23."""
    return sum(1 if move.into else -1 for move in side.ledger.moves if move.back is not side.role)


def _treasures(state: State) -> frozenset[str]:
    return frozenset(card.id for card in state.given.of_kind(Kind.TREASURE))


def _ledger_with(state: State, seat: int, ledger: Ledger) -> State:
    return state.with_side(seat, ledger=ledger)


def weighed(state: State, seat: int, ledger: Ledger, card: Card) -> Learnt:
    """Take the new ledger of a seat for true, or tell why it cannot be.

    A treasure that can only have been among the nine first cards is a finding of its own. TL-S10.
    """
    given = state.given
    if consistent(ledger, given.copies, barred_at_setup=_treasures(state)):
        return Learnt(_ledger_with(state, seat, ledger))
    if consistent(ledger, given.copies):
        first = next((move.seq for move in ledger.moves if move.setup), 0)
        treasure = given.treasure(state.side(seat).role)
        facts: dict[str, Fact] = {"card": treasure.id, "laid": first, "remedy": "judge"}
        finding = infraction("tl.late-treasure", "TL-S10", "TL-S7", seat=seat, about=first or None, facts=facts)
        moves = tuple(msgspec.structs.replace(move, setup=False) for move in ledger.moves)
        return Learnt(_ledger_with(state, seat, msgspec.structs.replace(ledger, moves=moves)), (finding,))
    facts = {"card": card.id, "copies": card.copies}
    return Learnt(state, (), refused(Refusal.UNREADABLE, "tl.impossible", "TL-K5", "TC-1", seat=seat, facts=facts))


def _believed(state: State, seat: int, card: Card) -> tuple[State, bool]:
    """The table with a person's word for this card used up, and whether there was one."""
    if (seat, card.id) not in state.vouched:
        return state, False
    left = list(state.vouched)
    left.remove((seat, card.id))
    return state.replace(vouched=tuple(left)), True


def _weighed_or_sworn(state: State, seat: int, card: Card, ledger: Ledger, sworn: Ledger) -> Learnt:
    """The new ledger taken for true; or, where it cannot be and people vouched for the card, the sworn one."""
    learnt = weighed(state, seat, ledger, card)
    if learnt.problem is None:
        return learnt
    after, vouched = _believed(state, seat, card)
    return Learnt(_ledger_with(after, seat, sworn)) if vouched else learnt


def out_of_hand(state: State, seat: int, card: Card, seq: int) -> Learnt:
    """A card left a hand for everybody to see; the counts are up to the caller."""
    move, ledger = Move(False, card.deck, seq, card.id), state.side(seat).ledger
    sworn = ledger.with_moves(msgspec.structs.replace(move, vouched=True))
    return _weighed_or_sworn(state, seat, card, ledger.with_moves(move), sworn)


def into_hand(state: State, seat: int, card: Card, seq: int) -> State:
    """A card that everybody saw goes into a hand."""
    side = state.side(seat)
    ledger = side.ledger.with_moves(Move(True, card.deck, seq, card.id))
    return state.with_side(seat, hand=side.hand + 1, ledger=ledger)


def _outlook(state: State, seat: int) -> Outlook:
    """What the story of a seat's hand leaves open."""
    return Outlook(state.side(seat).ledger, state.given.copies, _treasures(state))


def in_hand(state: State, seat: int) -> tuple[Card, ...]:
    """The cards that nothing seen so far speaks against being in the hand."""
    side = state.side(seat)
    strangers = foreign(side)
    there = {side.role: side.hand - strangers, side.role.other: strangers}
    outlook = _outlook(state, seat)
    return tuple(
        card
        for card in state.given.cards.values()
        if there[card.deck] > 0 and (outlook.may_leave(card.id, card.deck) or (seat, card.id) in state.vouched)
    )


def from_deck(state: State, seat: int, card: Card) -> Learnt:
    """A card came to light from the deck of a seat itself. TL-A2."""
    side = state.side(seat)
    if card.deck is not side.role:
        facts: dict[str, Fact] = {"card": card.id, "back": side.role.value}
        return Learnt(state, (), refused(Refusal.UNREADABLE, "tl.wrong-back", "TL-J1", "TL-Q6", seat=seat, facts=facts))
    return _weighed_or_sworn(state, seat, card, side.ledger.with_shown(card.id), side.ledger)


def on_deck(state: State, seat: int) -> tuple[Card, ...]:
    """The cards that nothing seen so far speaks against being the next of a seat's deck."""
    role, outlook = state.side(seat).role, _outlook(state, seat)
    return tuple(
        card
        for card in state.given.cards.values()
        if card.deck is role and (outlook.may_be_drawn(card.id, role) or (seat, card.id) in state.vouched)
    )


def at_place(state: State, seat: int, lying: Lying) -> tuple[Card, ...]:
    """The cards that a face-down card of a side may be by all that was seen."""
    outlook = _outlook(state, seat)
    return tuple(
        card
        for card in state.given.cards.values()
        if card.deck is lying.back
        and (outlook.may_be(lying.token, card.id, lying.back) or (seat, card.id) in state.vouched)
    )


def turned_up(state: State, seat: int, lying: Lying, card: Card) -> Learnt:
    """A card of a side that lay face down is face up; what it was made to do before is judged now.

    A leader must be played face up into row 1 (TL-L5, TL-L6) and cannot be one of the first three (TL-S11). Found
    lying face down it counts as a card without strength, gives no action points, and is for people to weigh.
    """
    if card.deck is not lying.back:
        facts: dict[str, Fact] = {"card": card.id, "back": lying.back.value}
        clauses = ("TL-Y5", "TL-J1", "TL-Q6")
        return Learnt(state, (), refused(Refusal.UNREADABLE, "tl.wrong-back", *clauses, seat=seat, facts=facts))
    ledger = state.side(seat).ledger
    sworn = ledger.revealed(lying.token, card.id, vouched=True)
    learnt = _weighed_or_sworn(state, seat, card, ledger.revealed(lying.token, card.id), sworn)
    if learnt.problem is not None:
        return learnt
    unlawful = card.kind is Kind.LEADER
    up = msgspec.structs.replace(lying, card=card.id, unlawful=unlawful)
    after = replaced(learnt.state, seat, up)
    findings = learnt.findings
    if unlawful:
        findings = (*findings, _late_leader(state, seat, lying, card))
    return Learnt(after, findings)


def _late_leader(state: State, seat: int, lying: Lying, card: Card) -> Ruling:
    found = state.side(seat).find(lying.token)
    assert found is not None
    column, row, _ = found
    facts: dict[str, Fact] = {"card": card.id, "column": column, "laid": lying.laid, "remedy": "as weak"}
    if lying.first_row:
        clauses = ("TL-S11", "TL-L5")
        return infraction("tl.late-leader-first-row", *clauses, seat=seat, about=lying.laid, facts=facts)
    facts["row"] = row
    return infraction("tl.late-leader", "TL-L5", "TL-L6", "TL-V11", seat=seat, about=lying.laid, facts=facts)


def hidden_moves(count: int, back: Role, seq: int, *, into: bool, setup: bool = False) -> tuple[Move, ...]:
    """So many hidden cards going the same way."""
    return tuple(Move(into, back, seq, setup=setup) for _ in range(count))
