"""The discard piles: what goes on top, what goes below, and what rules from the top. TL-M8, sections W and I."""

from __future__ import annotations

import msgspec

from rules.thunder_and_lightning.components import Kind, Role
from rules.thunder_and_lightning.field import taken
from rules.thunder_and_lightning.ledger import Move
from rules.thunder_and_lightning.pack import Card
from rules.thunder_and_lightning.state import Lying, Piled, ThunderAndLightningState, Waiting

__all__ = [
    "active",
    "backs_below",
    "beaten",
    "blocked",
    "discard",
    "inert",
    "loss_clauses",
    "matching",
    "none_left",
    "pile_clauses",
    "seen_top",
    "take_secretly",
    "take_shown",
    "taken_back",
    "top_taken",
]

State = ThunderAndLightningState

_RULING = {Kind.BERSERKER: "berserker", Kind.IDUNN: "idunn"}


def _top_kind(state: State, seat: int) -> Kind | None:
    top = state.side(seat).top
    card = state.given.card(top.card) if top is not None and top.sure else None
    return None if card is None else card.kind


def active(state: State, kind: Kind, seat: int) -> bool:
    """True while the seat's Berserker or Idunn works: on top of its pile, and first on top of the two. TL-W1, TL-W3,
    TL-I1, TL-I5, TL-W8."""
    if state.options.uncovered == "works":
        return _top_kind(state, seat) is kind
    return bool(getattr(state, _RULING[kind]) == seat)


def _refreshed(state: State) -> State:
    """Who rules now: whoever did while still on top, else whose card came to the top. TL-W7, TL-W8, TL-I7."""
    for kind, name in _RULING.items():
        holder = getattr(state, name)
        if holder is not None and _top_kind(state, holder) is kind:
            continue
        on_top = [side.seat for side in state.sides if _top_kind(state, side.seat) is kind]
        state = state.replace(**{name: on_top[0] if on_top else None})
    return state


def blocked(state: State, seat: int, card: Card) -> bool:
    """True when the enemy's Berserker or Idunn rules, so that another may not come to the top. TL-W5, TL-I3."""
    return card.kind in _RULING and active(state, card.kind, state.enemy(seat).seat)


def discard(state: State, seat: int, card: Card) -> State:
    """A card put face up on a seat's own pile, whichever deck it comes from. TL-C18, TL-C23, TL-Y4, TL-M2.

    It goes on top; a Berserker or Idunn that the enemy's blocks goes to the bottom. TL-W6, TL-I4.
    """
    side = state.side(seat)
    number = state.tokens + 1
    piled = Piled(card.id, number)
    pile = (piled, *side.pile) if blocked(state, seat, card) else (*side.pile, piled)
    return _refreshed(state.with_side(seat, pile=pile).replace(tokens=number))


def beaten(state: State, seat: int, token: int) -> State:
    """A card of a side is lost: off the battlefield, onto its holder's pile, the column closed up. TL-C18, TL-C21."""
    found = state.side(seat).find(token)
    assert found is not None
    card = state.card_of(found[2])
    assert card is not None
    return discard(taken(state, seat, token), seat, card)


def loss_clauses(state: State, seat: int, lying: Lying, card: Card) -> tuple[str, ...]:
    """What has a part in losing a card: cards that close up behind it, a pile that is not its deck's, a Berserker or
    Idunn that goes below or works from the top. TL-B8, TL-C21, TL-C23, TL-Y4, TL-W6, TL-W7, TL-I4, TL-I7."""
    side = state.side(seat)
    found = side.find(lying.token)
    assert found is not None
    column, row, _ = found
    behind = ("TL-C21", "TL-B8") if row < len(side.column(column)) else ()
    return (*behind, *pile_clauses(state, seat, card))


def pile_clauses(state: State, seat: int, card: Card) -> tuple[str, ...]:
    """What has a part in putting a lost card on this pile. TL-C23, TL-Y4, TL-W6, TL-W7, TL-I4, TL-I7."""
    stranger = ("TL-C23", "TL-Y4") if card.deck is not state.side(seat).role else ()
    if card.kind not in _RULING:
        return stranger
    below, above = ("TL-W6", "TL-W7") if card.kind is Kind.BERSERKER else ("TL-I4", "TL-I7")
    return (*stranger, below if blocked(state, seat, card) else above)


def inert(state: State, kind: Kind, seat: int) -> bool:
    """True when a seat's Berserker or Idunn lies on top and only a reading of ours tells whether it works. TL-W8."""
    on_top = _top_kind(state, seat) is kind
    return on_top and _top_kind(state, state.enemy(seat).seat) is kind and getattr(state, _RULING[kind]) != seat


def _tidied(state: State, seat: int) -> State:
    """A pile without cards that are surely gone, and without doubts about those surely there. TL-H6."""
    side = state.side(seat)
    takes = side.ledger.takes()
    gone = [piled.uid for piled in side.pile if not piled.sure and takes.least({piled.uid})]
    pile = tuple(
        Piled(piled.card, piled.uid, piled.sure or not takes.most([piled.uid]))
        for piled in side.pile
        if piled.uid not in gone
    )
    ledger = side.ledger.pile_seen({piled.uid for piled in pile if piled.sure}, gone)
    return _refreshed(state.with_side(seat, pile=pile, gone=side.gone - len(gone), ledger=ledger))


def top_taken(state: State, seat: int, seq: int) -> State:
    """The top card of a seat's pile taken away; the new top is asked for where nobody can know it. TL-Y1, TL-M8."""
    state = _refreshed(state.with_side(seat, pile=state.side(seat).pile[:-1]))
    top = state.side(seat).top
    if top is not None and not top.sure:
        state = state.wait_for(Waiting("top", seat, seat, seq))
    return state


def backs_below(state: State, seat: int, *, played: bool = False) -> tuple[str, ...]:
    """The backs of the cards that may lie in a pile, below the card just `played`. TL-Y5."""
    pile = state.side(seat).pile
    below = pile[:-1] if played else pile
    found = {state.given.cards[piled.card].deck.value for piled in below}
    return tuple(sorted(found))


def taken_back(state: State, seat: int, ruled: tuple[int | None, int | None]) -> State:
    """The top card of a pile goes back to the hand, and rules what ruled before it was laid. TL-J7."""
    state = state.with_side(seat, pile=state.side(seat).pile[:-1])
    return state.replace(berserker=ruled[0], idunn=ruled[1])


def take_secretly(state: State, seat: int, back: Role, kinds: tuple[Kind, ...] | None, seq: int) -> State:
    """One card with this back, below the top, goes from the pile into the hand unseen. TL-H1, TL-H6, TL-U6, TL-O6."""
    side = state.side(seat)
    maybe = tuple(
        (piled.uid, piled.card)
        for piled in side.pile[:-1]
        if state.given.cards[piled.card].deck is back and (kinds is None or state.given.cards[piled.card].kind in kinds)
    )
    ledger = side.ledger.with_moves(Move(True, back, seq, maybe=maybe))
    pile = _doubted(side.pile, {uid for uid, _ in maybe})
    return _tidied(state.with_side(seat, hand=side.hand + 1, ledger=ledger, pile=pile, gone=side.gone + 1), seat)


def _doubted(pile: tuple[Piled, ...], uids: set[int]) -> tuple[Piled, ...]:
    """The pile, each of these cards perhaps gone."""
    return tuple(Piled(piled.card, piled.uid, piled.sure and piled.uid not in uids) for piled in pile)


def matching(state: State, seat: int, kinds: tuple[Kind, ...]) -> tuple[int, int]:
    """How many cards of these kinds lie in a pile: at least, at most. They differ only after Hel. TL-H6."""
    side = state.side(seat)
    there = [piled.uid for piled in side.pile if state.given.cards[piled.card].kind in kinds]
    takes = side.ledger.takes()
    return len(there) - takes.most(there), len(there) - takes.least(there)


def take_shown(state: State, seat: int, card: str) -> State | None:
    """A card taken from the pile for all to see; the order of the rest stays. TL-M6. None when it is not there.

    Which of several equal cards it was is not seen; where that matters for the order, each of them may be gone.
    """
    side = state.side(seat)
    places = [place for place, piled in enumerate(side.pile) if piled.card == card]
    uids = {side.pile[place].uid for place in places}
    if len(places) == side.ledger.takes().least(uids):
        return None
    together = places[-1] - places[0] == len(places) - 1 and all(side.pile[place].sure for place in places)
    if together or len(places) == 1:
        taken_uid = side.pile[places[-1]].uid
        pile = side.pile[: places[-1]] + side.pile[places[-1] + 1 :]
        return _tidied(state.with_side(seat, pile=pile, ledger=side.ledger.pile_seen({taken_uid})), seat)
    ledger = msgspec.structs.replace(side.ledger, equals=(*side.ledger.equals, tuple(sorted(uids))))
    return _tidied(state.with_side(seat, pile=_doubted(side.pile, uids), ledger=ledger, gone=side.gone + 1), seat)


def none_left(state: State, seat: int, kinds: tuple[Kind, ...]) -> State | None:
    """Fewer cards of these kinds were taken than could have been: the others are gone already. TL-H6.

    None when they cannot be.
    """
    side = state.side(seat)
    gone = [piled.uid for piled in side.pile if state.given.cards[piled.card].kind in kinds]
    if not side.ledger.takes(gone=gone).fit:
        return None
    kept = tuple(piled for piled in side.pile if piled.uid not in gone)
    ledger = side.ledger.pile_seen((), gone)
    return _tidied(state.with_side(seat, pile=kept, gone=side.gone - len(gone), ledger=ledger), seat)


def seen_top(state: State, seat: int, card: str | None) -> State | None:
    """The pile once its top was seen: what lay above it in the record is gone. TL-H6. None when it cannot be."""
    side = state.side(seat)
    for above in range(min(side.gone, len(side.pile)) + 1):
        left = side.pile[: len(side.pile) - above]
        gone = [piled.uid for piled in side.pile[len(left) :]]
        top = left[-1] if left else None
        there = () if top is None else (top.uid,)
        if (None if top is None else top.card) != card or not side.ledger.takes(there, gone).fit:
            continue
        ledger = side.ledger.pile_seen(there, gone)
        return _tidied(state.with_side(seat, pile=left, gone=side.gone - above, ledger=ledger), seat)
    return None
