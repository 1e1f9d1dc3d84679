"""What the table knows of cards that went into a hand and out of it again, and whether that can be true.

A hand is a bag: face-down cards that leave it could be any that were in it. The ledger keeps the whole public story of
a bag as moves; `consistent` answers whether some real hand can have made these very moves.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from rules.records import Record
from rules.thunder_and_lightning.components import Role

__all__ = ["Ledger", "Move", "consistent"]


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
    """

    moves: tuple[Move, ...] = ()
    shown: tuple[str, ...] = ()

    def with_moves(self, *moves: Move) -> Ledger:
        """The story with these moves at its end."""
        return Ledger((*self.moves, *moves), self.shown)

    def with_shown(self, card: str) -> Ledger:
        """The story with one more card turned up from the deck."""
        return Ledger(self.moves, (*self.shown, card))

    def revealed(self, token: int, card: str, *, vouched: bool = False) -> Ledger:
        """The story once the card laid face down as `token` has come to light."""
        return Ledger(
            tuple(
                msgspec.structs.replace(move, card=card, vouched=vouched)
                if move.token == token and not move.into
                else move
                for move in self.moves
            ),
            self.shown,
        )


def consistent(
    ledger: Ledger, copies: Mapping[str, int], *, barred_at_setup: frozenset[str] = frozenset()
) -> bool:
    """True when some real hand can have made these moves.

    Args:
        ledger: the public story of one hand.
        copies: how many of each card id the box holds. TL-K5.
        barred_at_setup: ids that cannot be among the nine first cards (the treasure). TL-S10.
    """
    raise NotImplementedError
