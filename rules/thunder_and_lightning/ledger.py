"""What the table knows of cards that went into a hand and out of it again, and whether that can be true.

A hand is a bag: face-down cards that leave it could be any that were in it. The ledger keeps the whole public story of
a bag as moves; `consistent` answers whether some real hand can have made these very moves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping

import msgspec

from rules.records import Record
from rules.thunder_and_lightning.components import Role
from rules.thunder_and_lightning.search import Pile
from rules.thunder_and_lightning.search import Search as _Search
from rules.thunder_and_lightning.takes import Takes

__all__ = ["LIMIT", "Ledger", "Move", "Outlook", "consistent"]

SOON = 500
"""Steps of a search after which another way is tried first."""

LIMIT = 20_000
"""Steps of a search after which a story is believed; one without ambiguity takes one step for each card that left."""


class Move(Record, frozen=True):
    """One card going into the hand, or out of it.

    Attributes:
        into: True for in, False for out.
        back: the deck that its back shows.
        seq: entry of the record.
        card: its id when everybody saw it; None when it is hidden.
        maybe: for a card taken secretly from the discard pile: what it may be, as (uid on the pile, id). TL-H6.
        token: for a card laid face down: its token on the battlefield.
        setup: it is one of the nine first cards. TL-S10.
        vouched: people vouched for it against the record.
    """

    into: bool
    back: Role
    seq: int = 0
    card: str | None = None
    maybe: tuple[tuple[int, str], ...] = ()
    token: int | None = None
    setup: bool = False
    vouched: bool = False


class Ledger(Record, frozen=True):
    """The story of one hand, and which cards of the own deck came to light without passing through it.

    Attributes:
        moves: in the order in which they happened.
        shown: ids that a Seer turned up from the deck itself, one for each card.
        equals: for each card taken from the pile in the open of which only its name was seen, which of several equal
            ones it may have been, by uid.
        gone: uids that are gone from the pile for sure, by one of these takes or a secret one.
    """

    moves: tuple[Move, ...] = ()
    shown: tuple[str, ...] = ()
    equals: tuple[tuple[int, ...], ...] = ()
    gone: tuple[int, ...] = ()

    def with_moves(self, *moves: Move) -> Ledger:
        """The story with these moves at its end."""
        return msgspec.structs.replace(self, moves=(*self.moves, *moves))

    def with_shown(self, card: str) -> Ledger:
        """The story with one more card turned up from the deck."""
        return msgspec.structs.replace(self, shown=(*self.shown, card))

    def takes(self, there: Collection[int] = (), gone: Iterable[int] = ()) -> Takes:
        """What was taken from the pile without being told apart; as if these cards were seen there, and those gone."""
        secret = [[uid for uid, _ in move.maybe] for move in self.moves if move.maybe]
        return Takes([{*each}.difference(there) for each in (*secret, *self.equals)], (*self.gone, *gone))

    def pile_seen(self, there: Collection[int], gone: Iterable[int] = ()) -> Ledger:
        """The story once it is seen that these cards of the pile were not taken so, and that others were.

        Only for what fits: see `takes`.
        """
        moves = []
        for move in self.moves:
            left = tuple(pair for pair in move.maybe if pair[0] not in there)
            moves.append(msgspec.structs.replace(move, maybe=left) if left and left != move.maybe else move)
        equals = tuple(tuple(uid for uid in each if uid not in there) or each for each in self.equals)
        return msgspec.structs.replace(self, moves=tuple(moves), equals=equals, gone=(*self.gone, *gone))

    def revealed(self, token: int, card: str, *, vouched: bool = False) -> Ledger:
        """The story once the card laid face down as `token` has come to light."""
        return msgspec.structs.replace(
            self,
            moves=tuple(
                msgspec.structs.replace(move, card=card, vouched=vouched)
                if move.token == token and not move.into
                else move
                for move in self.moves
            ),
        )


def consistent(ledger: Ledger, copies: Mapping[str, int], *, barred_at_setup: frozenset[str] = frozenset()) -> bool:
    """True when some real hand can have made these moves.

    Every card that left must have come in earlier, with the same back. A known one came in known, or hidden, or is one
    of the cards that a secret take from the pile may have brought; each take took a card of its own. Hidden and vouched
    ones may be any. What came in hidden and left as a known card was drawn from the deck, which holds no more than
    `copies` of it, those in `ledger.shown` among them; what came in known was counted before and needs no such place.

    The answer is exact, except that a story so entangled that `LIMIT` steps do not settle it is believed: nobody is
    accused for want of time.

    Args:
        ledger: the public story of one hand.
        copies: how many of each card id the box holds; those missing count none. TL-K5.
        barred_at_setup: ids that cannot be among the nine first cards (the treasure). TL-S10.
    """
    places = {card: copies.get(card, 0) for move in ledger.moves if (card := move.card) is not None}
    for card in ledger.shown:
        places[card] = places.get(card, copies.get(card, 0)) - 1
        if places[card] < 0:
            return False
    if _too_many(ledger.moves, places):
        return False
    pile = (ledger.equals, ledger.gone)
    parts = [[move for move in ledger.moves if move.back is role] for role in Role]
    names = [set(_named(part)) for part in parts]
    both = names[0] & names[1] or any(names[0] & {*each} and names[1] & {*each} for each in ledger.equals)
    if both:  # no real box: the same id, or the same card of a pile, with both backs
        parts = [list(ledger.moves)]
    return all(_told(part, places, barred_at_setup, pile) for part in parts if part)


def _too_many(moves: tuple[Move, ...], places: Mapping[str, int]) -> bool:
    """True when at some moment more of a card left than can have come in until then: most false stories show so."""
    hidden: Counter[Role] = Counter()
    came: Counter[str] = Counter()
    left: Counter[str] = Counter()
    backs: dict[str, set[Role]] = {}
    for move in moves:
        if move.into and move.card is None and not move.maybe:
            hidden[move.back] += 1
        elif move.into:
            came.update({move.card} if move.card is not None else {card for _, card in move.maybe})
        elif not move.vouched and move.card is not None:
            left[move.card] += 1
            backs.setdefault(move.card, set()).add(move.back)
            drawn = min(places[move.card], sum(hidden[back] for back in backs[move.card]))
            if left[move.card] > came[move.card] + drawn:
                return True
    return False


def _told(moves: list[Move], places: Mapping[str, int], barred: frozenset[str], pile: Pile) -> bool:
    """True when these moves can be explained.

    Where that does not show soon, less is asked first, which shows much sooner what cannot be: the story with nothing
    barred from the nine first cards; the story from one moment at which the hand was empty to the next (as it is in the
    middle of a whole look at it); each card alone, with all other exits hidden. What cannot be told even so, cannot.
    """
    answer = _Search(moves, places, barred, pile).solve(SOON)
    if answer is not None:
        return answer
    if barred and _Search(moves, places, frozenset(), pile).solve(SOON) is False:
        return False
    if any(_Search(part, places, barred, (pile[0], ())).solve(SOON) is False for part in _chapters(moves)):
        return False
    for card in dict.fromkeys(move.card for move in moves if not move.into and not move.vouched and move.card):
        alone = [move if move.into or move.card == card else msgspec.structs.replace(move, card=None) for move in moves]
        if _Search(alone, places, barred, pile).solve(SOON) is False:
            return False
    return _Search(moves, places, barred, pile).solve(LIMIT) is not False


def _chapters(moves: list[Move]) -> list[list[Move]]:
    """The story cut wherever the hand was empty; none when it never was."""
    chapters: list[list[Move]] = [[]]
    inside = 0
    for move in moves:
        if not inside and chapters[-1]:
            chapters.append([])
        inside += 1 if move.into else -1
        chapters[-1].append(move)
    return chapters if len(chapters) > 1 else []


def _named(moves: list[Move]) -> Iterator[str | int]:
    for move in moves:
        if not move.into and not move.vouched and move.card is not None:
            yield move.card
        for uid, _ in move.maybe:
            yield uid


class Outlook:
    """What the story of a hand leaves open: which cards may leave the hand next, what a face-down card may be.

    Exact like `consistent`. One way to tell the story is found first; most answers follow from it.
    """

    def __init__(self, ledger: Ledger, copies: Mapping[str, int], barred_at_setup: frozenset[str]) -> None:
        """See `consistent`; a card in `barred_at_setup` may be among the nine first cards all the same."""
        self._ledger = ledger
        self._copies = copies
        self._barred = barred_at_setup
        self._told: dict[Role, _Search | None] = {}

    def may_leave(self, card: str, back: Role) -> bool:
        """True when this card can be the next that leaves the hand."""
        told = self._way(back)
        if told is not None and card not in self._barred and told.has_another(card):
            return True
        return consistent(self._ledger.with_moves(Move(False, back, card=card)), self._copies)

    def may_be_drawn(self, card: str, back: Role) -> bool:
        """True when the deck may hold one more of this card."""
        told = self._way(back)
        if told is not None and told.places.get(card, 0) > 0:
            return True
        return consistent(self._ledger.with_shown(card), self._copies)

    def may_be(self, token: int, card: str, back: Role) -> bool:
        """True when the card laid face down as `token` can be this one."""
        told = self._way(back)
        if told is not None and card not in self._barred and told.has_before(self._place(token, back), card):
            return True
        return consistent(self._ledger.revealed(token, card), self._copies)

    def _way(self, back: Role) -> _Search | None:
        """The story of the cards with this back, told to its end; None when that takes too long."""
        if back not in self._told:
            pile = (self._ledger.equals, self._ledger.gone)
            search = _Search(self._moves(back), self._places(), frozenset(), pile)
            self._told[back] = search if search.solve(SOON) else None
        return self._told[back]

    def _moves(self, back: Role) -> list[Move]:
        return [move for move in self._ledger.moves if move.back is back]

    def _places(self) -> dict[str, int]:
        shown = Counter(self._ledger.shown)
        return {card: count - shown[card] for card, count in self._copies.items()}

    def _place(self, token: int, back: Role) -> int:
        """Which of the exits that fit anything the card is, counted from 0."""
        free = [move.token for move in self._moves(back) if not move.into and (move.card is None or move.vouched)]
        return free.index(token)
