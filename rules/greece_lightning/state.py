"""What is on the table: only what everybody can see."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from rules.greece_lightning.components import FISH, LAPS, Mark, wedges_a_turn
from rules.greece_lightning.course import Course, Layout, Spot
from rules.greece_lightning.favors import Deed, Favor, FavorEffect
from rules.greece_lightning.options import GreeceLightningOptions
from rules.greece_lightning.wedges import Wedge
from rules.header import Seat
from rules.records import Record

__all__ = ["Given", "GreeceLightningState", "SeatState", "Turn", "Waiting"]


class Given(Record, frozen=True):
    """What is fixed before the first event: options, seats, wedges, the Starting Line, cards, whether there is a judge.

    `wedges` and `favors` are by their id in the pack.
    """

    options: GreeceLightningOptions
    seats: tuple[Seat, ...]
    wedges: dict[str, Wedge]
    line: Wedge
    favors: dict[str, Favor]
    judge: bool = False

    @property
    def numbers(self) -> tuple[int, ...]:
        """The player numbers in seating order, clockwise."""
        return tuple(seat.number for seat in self.seats)

    @property
    def wedges_a_turn(self) -> int:
        """Wedges that a player draws, and places, in a turn at most. GL-D2."""
        return wedges_a_turn(len(self.seats))


class SeatState(Record, frozen=True):
    """What lies before one seat, and how it stands.

    Attributes:
        number: player number.
        spot: where its ship stands; None before it is set on the course.
        wake: where its wake token lies.
        laps: what its lap marker shows.
        fish: on its board.
        favors: ids of the Favors face up on its board.
        facedown: Favors drawn and not yet revealed.
        favors_drawn: Favors drawn in this turn.
        wedges: ids of the wedges in front of it that it drew on the turn before, to be placed.
        drawn: ids of the wedges in front of it that it drew in this turn.
        navigation, first, second: what its dice show; None before they are rolled.
        rerolling: the die picked up to be rolled again; empty when none.
        finished: it accepted its roll.
        lasting: effects of Favors that last to the end of the round.
        movement_left: movement it can still spend in this turn.
        movement_owed: what Favors add to its next move, or take from it.
        dots_moved: dots moved in this turn, those of skipped ships not among them.
        dots_skipped: dots of other ships skipped in this turn.
        boosts: Speed Boosts met in this turn.
        stopped: a Hydra ended its move and holds it for the rest of the turn. GL-H5.
        played: it has had its turn in this round.
        ready: checked at set-up.
        starter: number of its Starter card. GL-S28.
        cluttered: dice of the last round still lie on its board. GL-E1.
        astray: where its wake token was seen when it should lie elsewhere. GL-W12.
    """

    number: int
    spot: Spot | None = None
    wake: Spot | None = None
    laps: int = 0
    fish: int = 0
    favors: tuple[str, ...] = ()
    facedown: int = 0
    favors_drawn: int = 0
    wedges: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()
    navigation: int | None = None
    first: int | None = None
    second: int | None = None
    rerolling: str = ""
    finished: bool = False
    lasting: tuple[FavorEffect, ...] = ()
    movement_left: int = 0
    movement_owed: int = 0
    dots_moved: int = 0
    dots_skipped: int = 0
    boosts: int = 0
    stopped: bool = False
    played: bool = False
    ready: bool = False
    starter: int | None = None
    cluttered: bool = False
    astray: Spot | None = None

    def has_lasting(self, deed: Deed) -> bool:
        """True while a Favor has this effect on the seat."""
        return any(effect.do is deed for effect in self.lasting)

    @property
    def lower(self) -> bool:
        """True while the second Movement die shows less than the first. GL-R9, GL-R11."""
        return self.first is not None and self.second is not None and self.second < self.first

    @property
    def bust(self) -> bool:
        """True when both Movement dice are lost, unless the second is rolled again. GL-R11, GL-R12."""
        return self.lower and not self.has_lasting(Deed.SAFE_SECOND)

    @property
    def movement_dice(self) -> tuple[int, ...]:
        """Faces of the Movement dice that count: none after a bust. GL-R12, GL-R16 to GL-R18."""
        return () if self.bust else tuple(face for face in (self.first, self.second) if face is not None)


class Turn(Record, frozen=True):
    """Whose turn it is, and which of its three steps. GL-O5."""

    seat: int
    step: Literal["place", "move", "reveal"] = "place"


class Waiting(Record, frozen=True):
    """Something that has to happen before anything else.

    Attributes:
        kind: "wedge": the wedge drawn is to be seen; "hydra": it is to be fed; "use": the card has to be used, and its
            player to say on whom or where; "boat": it finds no free slot; "trident": a player is to be chosen; "room":
            a slot is to be made free for it.
        seat: who has to do it.
        card: id of the Favor.
    """

    kind: Literal["wedge", "hydra", "use", "boat", "trident", "room"]
    seat: int
    card: str = ""


class GreeceLightningState(Record, frozen=True):
    """The whole table.

    Attributes:
        given: what was fixed before the first event.
        seats: in seating order, clockwise.
        phase: "setup", "rolling", "turns" or "over".
        layout: which wedges lie where; None before the circle is laid.
        supply: Fish beside the boards.
        deck: how many Favors lie in the deck, what they are nobody knows.
        discard: ids of the used Favors, oldest first.
        fleece: who holds the Golden Fleece.
        round: number of the round, from 1.
        turn: whose turn it is; None outside of turns.
        waiting: what the table waits for, the first first.
        declared: what of set-up is done: "wedges shuffled", "wedges stacked", "starters shown", …
        winners: player numbers.
    """

    given: Given
    seats: tuple[SeatState, ...]
    phase: Literal["setup", "rolling", "turns", "over"] = "setup"
    layout: Layout | None = None
    supply: int = FISH
    deck: int = 0
    discard: tuple[str, ...] = ()
    fleece: int | None = None
    round: int = 0
    turn: Turn | None = None
    waiting: tuple[Waiting, ...] = ()
    declared: tuple[str, ...] = ()
    winners: tuple[int, ...] = ()

    @property
    def options(self) -> GreeceLightningOptions:
        """The options of the match."""
        return self.given.options

    @property
    def course(self) -> Course:
        """The course as it can be sailed now.

        Raises:
            LookupError: the circle is not laid.
        """
        if self.layout is None:
            raise LookupError("The course is not laid yet; the circle comes first.")
        return Course(self.layout, self.given.wedges, self.given.line)

    @property
    def stack(self) -> tuple[str, ...]:
        """Ids of the wedges that are neither on the course nor in front of a player, in no order."""
        gone = {wedge for seat in self.seats for wedge in (*seat.wedges, *seat.drawn)}
        gone |= set(self.layout.wedges) if self.layout else set()
        return tuple(wedge for wedge in self.given.wedges if wedge not in gone)

    @property
    def stack_left(self) -> int:
        """Wedges that can still be drawn: those of the stack without those drawn and not yet seen. GL-B14."""
        return len(self.stack) - sum(waiting.kind == "wedge" for waiting in self.waiting)

    @property
    def ending(self) -> bool:
        """True when somebody has completed the last lap: this round is the last. GL-G2, GL-G3, GL-G9."""
        return any(
            seat.laps >= LAPS and seat.spot and (self.options.landing_ends or not self.course.on_line(seat.spot))
            for seat in self.seats
        )

    def find(self, number: int | None) -> SeatState | None:
        """The seat with this number, None when there is none."""
        return next((seat for seat in self.seats if seat.number == number), None)

    def seat_state(self, number: int) -> SeatState:
        """The seat with this number.

        Raises:
            LookupError: there is none.
        """
        found = self.find(number)
        if found is None:
            raise LookupError(f"There is no seat {number}; seats are {self.given.numbers}.")
        return found

    def others(self, number: int) -> tuple[SeatState, ...]:
        """The other seats, clockwise from this one."""
        place = self.given.numbers.index(number)
        return (*self.seats[place + 1 :], *self.seats[:place])

    def occupied(self, number: int) -> tuple[Spot, ...]:
        """The dots of the ships of all others. GL-M9."""
        return tuple(seat.spot for seat in self.seats if seat.number != number and seat.spot is not None)

    def marks_at(self, spot: Spot) -> tuple[Mark, ...]:
        """What is printed on a dot, in the order in which it is met."""
        return self.course.dot(spot).marks

    def doubled(self, number: int) -> bool:
        """True while the Navigation die of a seat counts double. GL-R19, GL-H9."""
        return self.fleece == number or self.seat_state(number).has_lasting(Deed.DOUBLE_NAVIGATION)

    def protection(self, number: int) -> int:
        """Up to how many dots moved a Hydra is ignored. GL-H8, GL-H9."""
        seat = self.seat_state(number)
        return (seat.navigation or 0) * (2 if self.doubled(number) else 1)

    def total(self, number: int) -> int:
        """The movement that the dice of a seat give. GL-R16 to GL-R20."""
        return self.protection(number) + sum(self.seat_state(number).movement_dice)

    def wait_for(self, *waiting: Waiting) -> GreeceLightningState:
        """The same table, waiting for this after what it waits for already."""
        return self.replace(waiting=(*self.waiting, *waiting))

    def with_seat(self, number: int, **changes: Any) -> GreeceLightningState:
        """The same table with something changed before one seat."""
        return self.replace(
            seats=tuple(
                msgspec.structs.replace(seat, **changes) if seat.number == number else seat for seat in self.seats
            )
        )

    def with_fish(self, number: int, fish: int) -> GreeceLightningState:
        """The same table with so many Fish on a seat's board, the others in the supply. GL-P1, GL-C5."""
        before = self.seat_state(number).fish
        return self.with_seat(number, fish=fish).replace(supply=self.supply + before - fish)

    def replace(self, **changes: Any) -> GreeceLightningState:
        """The same table with something changed."""
        return msgspec.structs.replace(self, **changes)
