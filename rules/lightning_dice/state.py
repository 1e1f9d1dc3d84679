"""What is on the table."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from rules.header import Seat
from rules.lightning_dice.components import DICE
from rules.lightning_dice.options import LightningDiceOptions
from rules.lightning_dice.pack import GoalCard
from rules.records import Record

__all__ = ["ALL_PLACES", "Given", "Lay", "LightningDiceState", "Pending", "SeatState"]

Faces = tuple[int | None, ...]

ALL_PLACES = tuple(range(DICE))


class Given(Record, frozen=True):
    """What is fixed before the first event: options, seats, cards, whether there is a judge."""

    options: LightningDiceOptions
    seats: tuple[Seat, ...]
    cards: tuple[GoalCard, ...]
    judge: bool = False

    @property
    def numbers(self) -> tuple[int, ...]:
        """The player numbers in seating order."""
        return tuple(seat.number for seat in self.seats)

    def card(self, identity: str) -> GoalCard | None:
        """The card with this id, None when the pack has none."""
        return next((card for card in self.cards if card.id == identity), None)


class Lay(Record, frozen=True):
    """How six dice of a seat lay, kept while a press from before they left may still arrive. LD-S43.

    Attributes:
        faces: by place; None = not readable.
        idle: places that showed nothing.
        must_roll: places that were owed to be thrown.
        why: for what they were owed.
        settled_ns, left_ns: from when to when they lay so, monotonic; None when not timed.
    """

    faces: Faces
    idle: tuple[int, ...] = ()
    must_roll: tuple[int, ...] = ()
    why: str = ""
    settled_ns: int | None = None
    left_ns: int | None = None


class SeatState(Record, frozen=True):
    """What lies before one seat, and how it stands.

    Attributes:
        number: player number.
        score: points; in the quick game those of Bonus and Thunder where an option brings them.
        cards_won: cards taken in the quick game.
        faces: the last reading of the six dice, None = unreadable; None before the first.
        moving: places that left since that reading.
        off_table: places whose die lies beside the table.
        must_roll: places owed to be thrown before they count for anything.
        why: for what they are owed: "new-card", "bonus", "thunder", "breach", "turned" or "off table".
        throws: how often all six were thrown together.
        thrown: places of the last throw.
        settled_ns: when the last reading came to rest; None when not timed.
        since_ns: when the moving dice left; None when nothing moves or not timed.
        unread_ns: dice that moved, rested and moved again unread, rested no later than this.
        lay: how they lay before the reading at hand.
        locked_out: a false "Got it!" shut the seat out of the open card. LD-S12.
        bonuses: Bonuses called on the open card. LD-S35.
        thundered: victims this seat has thundered on the open card. LD-S36.
        ready: checked at set-up.
        pawn: space at which the pawn was last rightly read; None when never.
        moved_by: what last moved the score: "match", "bonus", "thunder", "false" or "".
    """

    number: int
    score: int = 0
    cards_won: int = 0
    faces: Faces | None = None
    moving: tuple[int, ...] = ()
    off_table: tuple[int, ...] = ()
    must_roll: tuple[int, ...] = ()
    why: str = ""
    throws: int = 0
    thrown: tuple[int, ...] = ()
    settled_ns: int | None = None
    since_ns: int | None = None
    unread_ns: int | None = None
    lay: Lay | None = None
    locked_out: bool = False
    bonuses: int = 0
    thundered: tuple[int, ...] = ()
    ready: bool = False
    pawn: int | None = None
    moved_by: str = ""

    @property
    def must_roll_all(self) -> bool:
        """True when all six dice must be thrown together before a call counts. LD-S4, LD-S18, LD-S26."""
        return len(self.must_roll) == DICE

    @property
    def rolled(self) -> bool:
        """True when there is a fresh throw to call on."""
        return self.faces is not None and not self.must_roll_all

    @property
    def total(self) -> int:
        """Cards and points together: what counts in the quick game. LD-Q10."""
        return self.cards_won + self.score


class Pending(Record, frozen=True):
    """Something that waits for the judge.

    Attributes:
        seq, ruling: the entry and which of its rulings.
        seat: whose call or dice.
        kind: "got-it", "bonus", "thunder" or "breach".
        edge_ns: when it was called; 0 when not timed.
        group: presses with the same group cannot be separated in time; groups count up in the order made.
        tied: the referee found several right calls in the group and asks which came first. LD-S40.
        advice: the code the referee would have given.
        number: the number called (Bonus, Thunder), the tournament rule (breach).
        throws: of the seat when it called.
        places, detail, suspicion, lasted_ms: of a breach.
    """

    seq: int
    ruling: int
    seat: int
    kind: Literal["got-it", "bonus", "thunder", "breach"]
    edge_ns: int = 0
    group: int = 0
    tied: bool = False
    advice: str = ""
    number: int | None = None
    throws: int = 0
    places: tuple[int, ...] = ()
    detail: str = ""
    suspicion: str = ""
    lasted_ms: int = 0


class LightningDiceState(Record, frozen=True):
    """The whole table.

    Attributes:
        given: what was fixed before the first event.
        phase: "setup" before the first card, "open" while a card lies open, "between" after it, "over" at the end.
        contest: number of the card being raced for, or of the last one; 0 before the first.
        card: id of the open card; None when none is open.
        last_card: id of the card turned last.
        opened_ns: when it was turned up; None when not timed.
        used: ids turned since the last shuffle, oldest first.
        shuffled, stack: declared at set-up.
        seats: in seating order.
        pending: what waits for the judge, in the order made.
        contenders: in a sudden death of the quick game, the seats it is between. LD-Q11.
        open_at_end: the match ended while a card lay open, so taking the end back opens it again.
    """

    given: Given
    seats: tuple[SeatState, ...]
    phase: Literal["setup", "between", "open", "over"] = "setup"
    contest: int = 0
    card: str | None = None
    last_card: str | None = None
    opened_ns: int | None = None
    used: tuple[str, ...] = ()
    shuffled: bool = False
    stack: str | None = None
    pending: tuple[Pending, ...] = ()
    contenders: tuple[int, ...] = ()
    open_at_end: bool = False

    @property
    def options(self) -> LightningDiceOptions:
        """The options of the match."""
        return self.given.options

    @property
    def cards_left(self) -> int:
        """How many cards the supply still holds. LD-S45, LD-Q8."""
        return len(self.given.cards) - len(self.used)

    @property
    def ready(self) -> bool:
        """True when everything is in place for the first card. LD-I11."""
        return self.shuffled and all(seat.ready for seat in self.seats)

    @property
    def scores(self) -> dict[int, int]:
        """What counts towards winning, by player number: points, in the quick game cards. LD-Q9."""
        return {seat.number: seat.total if self.options.quick else seat.score for seat in self.seats}

    def find(self, number: int) -> SeatState | None:
        """The seat with this number, None when there is none."""
        return next((seat for seat in self.seats if seat.number == number), None)

    def seat_state(self, number: int) -> SeatState:
        """The seat with this number.

        Raises:
            LookupError: nobody has it.
        """
        found = self.find(number)
        if found is None:
            raise LookupError(f"No seat has number {number}; seats are {self.given.numbers}.")
        return found

    def with_seat(self, number: int, **changes: Any) -> LightningDiceState:
        """The same table with something changed before one seat."""
        return self.replace(
            seats=tuple(
                msgspec.structs.replace(seat, **changes) if seat.number == number else seat for seat in self.seats
            )
        )

    def replace(self, **changes: Any) -> LightningDiceState:
        """The same table with something changed."""
        return msgspec.structs.replace(self, **changes)
