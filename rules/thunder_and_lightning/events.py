"""What can happen in Thunder & Lightning, as data.

A spot is (seat, column, row): whose side, column 1 to 3 from Loki's left, row 1 nearest the enemy. Cards are named by
their id in the component pack, which tells deck and kind ("thor-ravens"); a face-down card has no name.
"""

from __future__ import annotations

from rules.events import Decision, Event
from rules.thunder_and_lightning.components import FIRST_HAND, Role

__all__ = [
    "Challenge",
    "Conduct",
    "Count",
    "Deal",
    "Decide",
    "Draw",
    "Drawn",
    "EndTurn",
    "Figure",
    "Hit",
    "Lay",
    "Lead",
    "Place",
    "Play",
    "Replace",
    "ShowHand",
    "ShuffleBack",
    "Shuffled",
    "Spot",
    "Stack",
    "Stop",
    "Stuck",
    "Take",
    "ThunderAndLightningEvent",
    "Top",
    "Treasure",
    "TurnUp",
    "Vouch",
]

Spot = tuple[int, int, int]
"""(seat, column, row)."""


# --- set-up


class Shuffled(Event, frozen=True, tag="shuffled"):
    """A seat declares its deck shuffled. TL-S3."""

    seat: int


class Deal(Event, frozen=True, tag="deal"):
    """A seat drew cards of its starting hand; the nine may come at once or one by one. TL-S4, TL-S6, TL-K1.

    `deck` is how many cards were counted in the pile afterwards; None when nobody counted.
    """

    seat: int
    cards: int = FIRST_HAND
    deck: int | None = None


class Treasure(Event, frozen=True, tag="treasure"):
    """A seat shows its Ring or Crown, found among the first nine. TL-S7."""

    seat: int
    card: str


class Replace(Event, frozen=True, tag="replace"):
    """A seat drew a card in the place of the treasure it showed. TL-S8."""

    seat: int


class ShuffleBack(Event, frozen=True, tag="shuffle-back"):
    """A seat shuffled the shown treasure back into its deck. TL-S9."""

    seat: int


# --- the four actions


class Draw(Event, frozen=True, tag="draw"):
    """A seat drew the top card of its deck. TL-D1."""

    seat: int


class Lay(Event, frozen=True, tag="lay"):
    """A seat laid a card of its hand face down on its own side; at set-up one of its first row. TL-P1, TL-S11.

    `back` is the deck that the card's back shows; None when nobody looked, taken as the seat's own.
    """

    seat: int
    column: int
    row: int = 1
    back: Role | None = None


class Lead(Event, frozen=True, tag="lead"):
    """A seat played its leader, Thor or Loki. TL-L1 to TL-L11."""

    seat: int
    column: int
    row: int = 1
    face_up: bool = True


class Challenge(Event, frozen=True, tag="challenge"):
    """A seat slid its card at (column, row) forward against the enemy's at (target_column, target_row). TL-C15.

    `target_column` None is the facing one.
    """

    seat: int
    column: int
    target_column: int | None = None
    row: int = 1
    target_row: int = 1


class Play(Event, frozen=True, tag="play"):
    """A seat laid a card of its hand on its discard pile for its power. TL-M1.

    Attributes:
        seat: who plays it.
        card: its id.
        use: which of several uses. Frigg: "hand" (spy) or "column"; Ravens: "row" or "hand". Hel: the
            back of the card taken ("thor", "loki"), where the pile holds both. Else empty.
        at: the spot it works on. Ravens "row", weapons: the target; Frigg "column": any spot of the column; Baldr,
            Valkyries: the card to move; Vidarr: the challenger.
        to: Baldr, Valkyries: where the card goes, as it is counted once the card has left its old place; Vidarr: the
            target.
    """

    seat: int
    card: str
    use: str = ""
    at: Spot | None = None
    to: Spot | None = None


# --- what an action brings to light


class TurnUp(Event, frozen=True, tag="turn-up"):
    """The card at a spot was turned face up. TL-C16, TL-G6, TL-R8, TL-N2. `card` None: it could not be read."""

    spot: Spot
    card: str | None


class ShowHand(Event, frozen=True, tag="show-hand"):
    """A seat showed its whole hand. TL-G2."""

    seat: int
    cards: tuple[str, ...]


class Hit(Event, frozen=True, tag="hit"):
    """The card that Ravens picked at random from a seat's hand. TL-R16."""

    seat: int
    card: str | None


class Drawn(Event, frozen=True, tag="drawn"):
    """The card that a Seer drew from the top of a seat's deck. TL-A2."""

    seat: int
    card: str | None


class Place(Event, frozen=True, tag="place"):
    """A seat put the card hit by Ravens or drawn by a Seer into row 1 of an enemy column. TL-R18, TL-A4."""

    seat: int
    column: int
    row: int = 1


class Stop(Event, frozen=True, tag="stop"):
    """A seat draws no more cards with its Seer. TL-A3."""

    seat: int


class Take(Event, frozen=True, tag="take"):
    """A seat took cards from its discard pile with Longships or Odin. TL-U1, TL-O1.

    `count` stands for the cards when they were not shown (an option), `strangers` of them with the enemy's back.
    TL-U6, TL-O6, TL-Y5.
    """

    seat: int
    cards: tuple[str, ...] = ()
    count: int = 0
    strangers: int = 0


class Stack(Event, frozen=True, tag="stack"):
    """A seat put the cards that Nightmare costs it on its discard pile, the first named lowest. TL-N3, TL-N5."""

    seat: int
    cards: tuple[str, ...]


# --- the turn


class EndTurn(Event, frozen=True, tag="end-turn"):
    """A seat passes the turn on. TL-T16."""

    seat: int


class Stuck(Event, frozen=True, tag="stuck"):
    """A seat says that it cannot use its action points. TL-E5, TL-E9."""

    seat: int


# --- observations and people


class Top(Event, frozen=True, tag="top"):
    """The top card of a seat's discard pile was seen; None when the pile is empty. TL-M8."""

    seat: int
    card: str | None


class Count(Event, frozen=True, tag="count"):
    """Somebody counted a seat's "hand", "deck" or "pile". TL-D3, TL-K1."""

    seat: int
    what: str
    cards: int


class Figure(Event, frozen=True, tag="figure"):
    """A seat's figure was set on its leader, or taken away. TL-L1, TL-K2."""

    seat: int
    placed: bool = True


class Conduct(Event, frozen=True, tag="conduct"):
    """Somebody did something that only people can see; an infraction for the judge, or nothing at all.

    Attributes:
        seat: who did it.
        what: which thing, a key of `conduct.CONDUCT`.
    """

    seat: int
    what: str


class Decide(Event, frozen=True, tag="decide"):
    """A person's word on a claim that waits: a player who says that no action is left. TL-E5, TL-C6."""

    target: int
    decision: Decision
    reason: str = ""


class Vouch(Event, frozen=True, tag="vouch"):
    """People looked again: the card is what it seems to be, although the record says that it cannot be. TL-K5.

    The next event that names this card of this seat is then believed.
    """

    seat: int
    card: str
    reason: str


ThunderAndLightningEvent = (
    Shuffled
    | Deal
    | Treasure
    | Replace
    | ShuffleBack
    | Draw
    | Lay
    | Lead
    | Challenge
    | Play
    | TurnUp
    | ShowHand
    | Hit
    | Drawn
    | Place
    | Stop
    | Take
    | Stack
    | EndTurn
    | Stuck
    | Top
    | Count
    | Figure
    | Conduct
    | Decide
    | Vouch
)
