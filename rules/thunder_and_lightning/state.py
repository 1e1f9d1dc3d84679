"""What is on the table: only what both players can see."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from rules.header import Seat
from rules.records import Record
from rules.thunder_and_lightning.components import COLUMNS, HAND_LIMIT, LEADER_POINTS, ROWS, Kind, Role
from rules.thunder_and_lightning.events import Spot
from rules.thunder_and_lightning.ledger import Ledger
from rules.thunder_and_lightning.options import ThunderAndLightningOptions
from rules.thunder_and_lightning.pack import Card

__all__ = [
    "Given",
    "Lying",
    "Piled",
    "SideState",
    "ThunderAndLightningState",
    "Turn",
    "Waiting",
]


class Given(Record, frozen=True):
    """What is fixed before the first event: options, seats, cards and copies by card id, whether there is a judge."""

    options: ThunderAndLightningOptions
    seats: tuple[Seat, ...]
    cards: dict[str, Card]
    copies: dict[str, int]
    judge: bool = False

    def card(self, identity: str | None) -> Card | None:
        """The card with this id, None when the pack has none."""
        return None if identity is None else self.cards.get(identity)

    def of_kind(self, *kinds: Kind) -> tuple[Card, ...]:
        """The cards of these kinds in both decks, in the order of the pack."""
        return tuple(card for card in self.cards.values() if card.kind in kinds)

    def treasure(self, role: Role) -> Card:
        """The Ring of Thor's deck or the Crown of Loki's. TL-Q6."""
        return next(card for card in self.of_kind(Kind.TREASURE) if card.deck is role)

    def leader(self, role: Role) -> Card:
        """Thor or Loki."""
        return next(card for card in self.of_kind(Kind.LEADER) if card.deck is role)


class Lying(Record, frozen=True):
    """A card on the battlefield.

    Attributes:
        token: number that the card keeps while it lies there, however it is shifted.
        back: the deck it comes from, which its back tells. TL-Y5.
        card: its id once it lies face up; None while it lies face down, a place without an identity.
        laid: entry that laid it.
        first_row: it is one of the three of set-up.
        unlawful: a leader that was laid face down; it counts as a card without strength. TL-L5.
    """

    token: int
    back: Role
    card: str | None = None
    laid: int = 0
    first_row: bool = False
    unlawful: bool = False


class Piled(Record, frozen=True):
    """A card on a discard pile, face up; all were seen when they went there.

    Attributes:
        card: its id.
        uid: number of this card in this pile.
        sure: False while Hel may have taken just this card and nobody has seen it since. TL-H6.
    """

    card: str
    uid: int
    sure: bool = True


class SideState(Record, frozen=True):
    """One player's side of the table.

    Attributes:
        seat: seat number.
        role: whom the player plays.
        columns: three columns, each from row 1 backwards; without gaps by its form. TL-B7, TL-B8.
        hand, deck: how many cards; both are public, what they are is not.
        pile: the discard pile, bottom first, with the cards that Hel took still among those not sure.
        gone: how many cards of `pile` are no longer there, which of the unsure ones nobody knows.
        ledger: what is known of cards that went into the hand and out of it.
        turns: turns begun.
        shuffled, dealt: of set-up; `dealt` is how many cards of the starting hand were drawn.
        treasure: of set-up: "" nothing shown, then "shown", "replaced", "back". TL-S7 to TL-S9.
        figure: the figure stands on the leader.
    """

    seat: int
    role: Role
    ledger: Ledger
    columns: tuple[tuple[Lying, ...], ...] = ((), (), ())
    hand: int = 0
    deck: int = 0
    pile: tuple[Piled, ...] = ()
    gone: int = 0
    turns: int = 0
    shuffled: bool = False
    dealt: int = 0
    treasure: Literal["", "shown", "replaced", "back"] = ""
    figure: bool = False

    @property
    def open_columns(self) -> int:
        """Columns with at least one card: what a turn's action points are counted by. TL-T3."""
        return sum(1 for column in self.columns if column)

    @property
    def field(self) -> int:
        """Cards on the battlefield."""
        return sum(len(column) for column in self.columns)

    @property
    def pile_size(self) -> int:
        """Cards on the discard pile."""
        return len(self.pile) - self.gone

    @property
    def top(self) -> Piled | None:
        """The top of the discard pile; not `sure` while it has not been seen again since Hel. TL-M8."""
        return self.pile[-1] if self.pile else None

    def column(self, number: int) -> tuple[Lying, ...]:
        """Column 1 to 3, row 1 first."""
        return self.columns[number - 1]

    def at(self, column: int, row: int) -> Lying | None:
        """The card there; None when there is no such place or no card on it."""
        if column not in COLUMNS or not 1 <= row <= len(self.columns[column - 1]):
            return None
        return self.columns[column - 1][row - 1]

    def find(self, token: int) -> tuple[int, int, Lying] | None:
        """(column, row, card) of a card by its token; None when it does not lie here."""
        for number, column in enumerate(self.columns, start=1):
            for row, lying in enumerate(column, start=1):
                if lying.token == token:
                    return number, row, lying
        return None


class Turn(Record, frozen=True):
    """Whose turn it is.

    Attributes:
        seat: who is on turn.
        points: action points of the whole turn. TL-T4.
        spent: how many of them are used.
        first: it is the seat's first turn. TL-C1.
    """

    seat: int
    points: int
    spent: int = 0
    first: bool = False

    @property
    def left(self) -> int:
        """Action points still to be spent. TL-T10, TL-T13."""
        return self.points - self.spent


class Waiting(Record, frozen=True):
    """What the table waits for before anything else can be done.

    Attributes:
        kind: "challenge": both cards to be turned up; "column": every card of a column to be turned up (Frigg, or a
            column that Nightmare takes); "strike": the card that Ravens or a weapon strikes; "show-hand"; "hit": the
            card picked from a hand; "drawn": the next card of a Seer; "place": a column for `card`; "take"; "stack";
            "top": the top of a pile to be seen; "stuck": somebody's word on a claim.
        seat: whose cards it is about.
        by: whose action brought it about.
        seq: the entry of that action.
        why: the kind of the card played, or "challenge", "flank", "nightmare".
        token: the challenger.
        tokens: the cards that are challenged, struck, to be turned up or to be stacked.
        card: the card to be placed, or the id of the card played.
        source: where `card` comes from: "hand" or "deck".
        left: how many more (a Seer's draws, the rest of a hand to be stacked).
        column: the column that Nightmare takes or Frigg turns up.
        cards: ids of cards that are off the battlefield and not yet on the pile.
        ruled: whose Berserker and whose Idunn ruled before a guessing weapon was laid. TL-J7.
    """

    kind: Literal[
        "challenge", "column", "strike", "show-hand", "hit", "drawn", "place", "take", "stack", "top", "stuck"
    ]
    seat: int
    by: int
    seq: int
    why: str = ""
    token: int | None = None
    tokens: tuple[int, ...] = ()
    card: str | None = None
    source: str = ""
    left: int = 0
    column: int = 0
    cards: tuple[str, ...] = ()
    ruled: tuple[int | None, int | None] = (None, None)


class ThunderAndLightningState(Record, frozen=True):
    """The whole table.

    Attributes:
        given: what was fixed before the first event.
        sides: by seat number, seat 1 first.
        phase: "setup" until both sides are dealt and have laid their first row, "play", "over".
        turn: whose turn it is; None before the first and after the end.
        waiting: what the table waits for, the first first.
        berserker, idunn: seat whose Berserker or Idunn rules the table from the top of its pile. TL-W8.
        vouched: (seat, card) pairs that people vouched for. TL-K5.
        tokens: the last number given to a card on the battlefield or a pile.
        winner: seat; None while nobody has won.
        how: result code.
        by_clauses: what ended it.
    """

    given: Given
    sides: tuple[SideState, SideState]
    phase: Literal["setup", "play", "over"] = "setup"
    turn: Turn | None = None
    waiting: tuple[Waiting, ...] = ()
    berserker: int | None = None
    idunn: int | None = None
    vouched: tuple[tuple[int, str], ...] = ()
    tokens: int = 0
    winner: int | None = None
    how: str = ""
    by_clauses: tuple[str, ...] = ()

    @property
    def options(self) -> ThunderAndLightningOptions:
        """The options of the match."""
        return self.given.options

    def has_seat(self, number: int) -> bool:
        """True for a seat of this match."""
        return number in (1, 2)

    def side(self, seat: int) -> SideState:
        """The side of a seat, 1 or 2."""
        return self.sides[seat - 1]

    def enemy(self, seat: int) -> SideState:
        """The side that faces a seat."""
        return self.sides[2 - seat]

    def side_of(self, role: Role) -> SideState:
        """The side of Thor or Loki."""
        return self.sides[0] if self.sides[0].role is role else self.sides[1]

    def at(self, spot: Spot) -> Lying | None:
        """The card at a spot; None when there is no such spot or no card on it."""
        seat, column, row = spot
        return self.side(seat).at(column, row) if self.has_seat(seat) else None

    def spot_of(self, token: int) -> Spot | None:
        """Where a card lies now."""
        for side in self.sides:
            found = side.find(token)
            if found is not None:
                return side.seat, found[0], found[1]
        return None

    def card_of(self, lying: Lying | None) -> Card | None:
        """What is printed on a card that lies face up; None while it lies face down."""
        return None if lying is None else self.given.card(lying.card)

    def leader_in_play(self, seat: int) -> bool:
        """True while the seat's own Thor or Loki stands face up in a first row. TL-T5, TL-L3."""
        return any(column and self.leads(column[0]) for column in self.side(seat).columns)

    def leads(self, lying: Lying) -> bool:
        """True for a leader that was lawfully played."""
        card = self.card_of(lying)
        return card is not None and card.kind is Kind.LEADER and not lying.unlawful

    def led(self, seat: int, column: int) -> bool:
        """True for a column that a leader stands at the head of: nothing goes in front of it. TL-L7."""
        cards = self.side(seat).column(column)
        return bool(cards) and self.leads(cards[0])

    def room(self, seat: int, column: int) -> bool:
        """True when the column has a row left. TL-P7."""
        return len(self.side(seat).column(column)) < ROWS

    def points_of(self, seat: int) -> int:
        """Action points that a turn of this seat would begin with now. TL-T3, TL-T5."""
        return LEADER_POINTS if self.leader_in_play(seat) else self.side(seat).open_columns

    def hand_room(self, seat: int) -> int:
        """How many cards the hand can still take in. TL-D3."""
        return HAND_LIMIT - self.side(seat).hand

    def wait_for(self, *waiting: Waiting) -> ThunderAndLightningState:
        """The same table, waiting for this before anything else."""
        return self.replace(waiting=(*waiting, *self.waiting))

    def with_side(self, seat: int, **changes: Any) -> ThunderAndLightningState:
        """The same table with something changed on one side."""
        return self.replace(
            sides=tuple(msgspec.structs.replace(side, **changes) if side.seat == seat else side for side in self.sides)
        )

    def replace(self, **changes: Any) -> ThunderAndLightningState:
        """The same table with something changed."""
        return msgspec.structs.replace(self, **changes)
