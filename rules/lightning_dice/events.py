"""What can happen in Lightning Dice, as data."""

from __future__ import annotations

from enum import StrEnum

from rules.events import Decision, Event
from rules.records import Record

__all__ = [
    "SUSPICIONS",
    "Breach",
    "Call",
    "Calls",
    "Decide",
    "Flip",
    "LightningDiceEvent",
    "Moving",
    "Pawn",
    "Press",
    "Ready",
    "Reshuffled",
    "Roll",
    "Shuffled",
    "Stack",
]


class Shuffled(Event, frozen=True, tag="shuffled"):
    """The goal cards were declared shuffled. LD-I8, LD-Q2."""


class Stack(Event, frozen=True, tag="stack"):
    """Where the stack of goal cards lies: "side" or "centre". LD-I9, LD-Q3."""

    where: str


class Ready(Event, frozen=True, tag="ready"):
    """What a seat has in front of it at set-up. LD-C1, LD-C2, LD-I6, LD-I7, LD-I10, LD-Q4.

    Attributes:
        seat: player number.
        dice: how many dice lie there.
        colours: the colours seen among them; empty when nobody looked.
        pawn: space of the seat's pawn on the track (0 = Start); None when it is not there.
        pawns: how many pawns of the seat's colour stand on the track.
    """

    seat: int
    dice: int = 6
    colours: tuple[str, ...] = ()
    pawn: int | None = 0
    pawns: int = 1


class Flip(Event, frozen=True, tag="flip"):
    """A goal card was turned up. LD-S1, LD-Q5, LD-J3.

    Attributes:
        card: its id in the component pack; None when it could not be read.
        seat: who turned it, when known; None for the judge or when nobody knows.
    """

    card: str | None
    seat: int | None = None


class Moving(Event, frozen=True, tag="moving"):
    """Dice of a seat left their place: in the hand, or rolling. They show nothing until the next `Roll`.

    Attributes:
        seat: player number.
        dice: the places (0 to 5) that moved.
        since_ns: when the first of them left, monotonic; None when typed.
    """

    seat: int
    dice: tuple[int, ...]
    since_ns: int | None = None


class Roll(Event, frozen=True, tag="roll"):
    """What a seat's six dice show at rest. LD-S7, LD-S8.

    Attributes:
        seat: player number.
        faces: the six top faces by place; None for a die that cannot be read or is not on the table.
        thrown: the places thrown since the last reading; None when nobody knows (then all that changed).
        settled_ns: when the last of them came to rest, monotonic; None when typed.
        off_table: places whose die left the table. LD-T4, LD-T8.
    """

    seat: int
    faces: tuple[int | None, ...]
    thrown: tuple[int, ...] | None = None
    settled_ns: int | None = None
    off_table: tuple[int, ...] = ()


class Call(StrEnum):
    """What a press or a shout means."""

    GOT_IT = "got-it"
    BONUS = "bonus"
    THUNDER = "thunder"
    NICE_OR_NASTY = "nice-or-nasty"
    """The second button: Bonus or Thunder, whichever the six equal dice show."""


class Press(Record, frozen=True):
    """One call of one seat.

    Attributes:
        seat: who called.
        call: what was called.
        edge_ns: when, on the monotonic clock of the table.
        number: the number shouted with Bonus or Thunder; None when a button says it.
        kernel_timed: True when the kernel stamped the edge; a press from a phone is not.
    """

    seat: int
    call: Call
    edge_ns: int = 0
    number: int | None = None
    kernel_timed: bool = False


class Calls(Event, frozen=True, tag="calls"):
    """The calls of one collection window, in any order: the referee sorts them by their edge.

    LD-S10, LD-S28, LD-S40, LD-S41.

    The table collects presses until no earlier edge can still arrive, so that the order in which lines are polled
    never decides a race. There is one ruling for each press, in the order of the presses by edge (equal edges by
    player number).
    """

    presses: tuple[Press, ...]


class Decide(Event, frozen=True, tag="decide"):
    """The judge's word on something that waits for it: a call, a tie, or a reported breach. LD-J4 to LD-J9, LD-S40.

    Attributes:
        target: sequence number of the `Calls` or `Breach` entry.
        ruling: which of its rulings.
        decision: uphold or refuse.
        reason: for the record; may be empty when the judge only confirms.
    """

    target: int
    decision: Decision
    ruling: int = 0
    reason: str = ""


SUSPICIONS = (
    "hand met it",
    "perhaps the free hand",
    "lay under the hand",
    "another face",
    "moved aside",
    "fell under the hand",
    "fell straight down",
    "claimed without it",
    "rolled without it",
    "hand stayed",
)
"""What a camera may say of a breach that it suspects."""


class Breach(Event, frozen=True, tag="breach"):
    """A tournament rule looks broken; an infraction for the judge to weigh. LD-T1 to LD-T14.

    Attributes:
        seat: whose dice.
        rule: tournament rule 1 to 7.
        dice: the places concerned.
        detail: what was seen, in a word: "touched", "lifted", "set back", "off table", "dropped", "view blocked",
            "rolling hand", "tower"; and what looks like a breach and is none: "slid", "rolled", "free hand stops",
            "free hand confines".
        by_accident: as far as anybody can tell. LD-J8: it makes no difference.
        suspicion: of a camera, why it looks like a breach and why it may be none, in a word (see `SUSPICIONS`).
        lasted_ms: how long it went on; 0 when it was of a moment or nobody measured it.
    """

    seat: int
    rule: int
    dice: tuple[int, ...] = ()
    detail: str = ""
    by_accident: bool = False
    suspicion: str = ""
    lasted_ms: int = 0


class Pawn(Event, frozen=True, tag="pawn"):
    """A seat's pawn was read on the score track at `space` (0 = Start). LD-C4, LD-S17, LD-S24, LD-S29."""

    seat: int
    space: int


class Reshuffled(Event, frozen=True, tag="reshuffled"):
    """The used goal cards were shuffled into a new supply. LD-S45."""


LightningDiceEvent = Shuffled | Stack | Ready | Flip | Moving | Roll | Calls | Decide | Breach | Pawn | Reshuffled
