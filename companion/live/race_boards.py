"""The Movement dice that lie before a seat, held against the record: left there from the last round, gone, or others.

What counts are the dice on a board: Charybdis lets a ship out by them (GL-V2), lost ones have to go (GL-R12), and all
go before a new round (GL-E1). The camera does not know the board from the area around it, nor what a Navigation die
shows; so nothing is filed from here. People are told, and put right what is wrong: the dice, or the record.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from companion.live.places import LYING
from companion.live.race_dice import Thrown
from rules.greece_lightning.state import GreeceLightningState, SeatState
from vision.tracking.happenings import DieState, TrackedDie

__all__ = ["LOOKS", "LOOK_NS", "SURE_LOOKS", "BoardCheck", "BoardFinding"]

LOOK_NS: Final = 200_000_000
"""From one look at the dice to the next one that counts."""

LOOKS: Final = 15
SURE_LOOKS: Final = 12
"""What so many of the last LOOKS looks show, the newest among them, is told: who is about to put the dice right has
three seconds for it, and a die that is misread now and then is no finding."""

_AWAY: Final = frozenset({DieState.IN_HAND, DieState.OFF_TABLE})
"""States of a die that is known still and lies nowhere before the camera."""


@dataclass(frozen=True, slots=True)
class BoardFinding:
    """How the dice before a seat contradict the record.

    Attributes:
        what: "left": they were thrown in the round before; "lost": a bust took them off the board; "missing": none
            lies there; "differ": others lie there.
        seen: faces of the dice that lie there, ascending; None for one that cannot be read.
        record: faces of the dice that count by the record, ascending.
    """

    what: Literal["left", "lost", "missing", "differ"]
    seen: tuple[int | None, ...]
    record: tuple[int, ...]


class BoardCheck:
    """Watches the Movement dice before one seat; pure apart from what it remembers."""

    def __init__(self) -> None:
        self._round: int | None = None
        self._thrown: set[int] = set()
        self._left: set[int] = set()
        self._looks: deque[BoardFinding | None] = deque(maxlen=LOOKS)
        self._looked_ns: int | None = None

    def update(
        self,
        number: int,
        dice: Sequence[TrackedDie],
        thrown: Thrown | None,
        at_ns: int,
        state: GreeceLightningState,
        *,
        hands: bool,
    ) -> BoardFinding | None:
        """What is wrong before seat `number` now, for as long as it is; None when nothing is for sure.

        Args:
            number: of the seat.
            dice: its Movement dice as tracked, without the Navigation die.
            thrown: what came to rest with this frame.
            at_ns: exposure of the frame.
            state: of the race.
            hands: a hand is over the table, so that nobody knows what lies under it; such a frame does not count.
        """
        lying = {die.id for die in dice if die.state in LYING}
        if state.round != self._round:
            # Of dice that nobody was seen to throw, nobody knows to what they belong.
            self._left = lying & self._thrown
            self._round, self._thrown = state.round, set()
        self._left &= lying
        if thrown is not None:
            self._thrown.update(thrown.tracks)
            self._left.difference_update(thrown.tracks)
        there = state.find(number)
        found = None if there is None else self._found(there, dice, state)
        here = [die for die in dice if die.state not in _AWAY]
        plain = not hands and all(die.seen and die.state in (DieState.SETTLED, DieState.COCKED) for die in here)
        if plain and (self._looked_ns is None or at_ns - self._looked_ns >= LOOK_NS):
            self._looks.append(found)
            self._looked_ns = at_ns
        return found if self._looks.count(found) >= SURE_LOOKS else None

    def _found(self, seat: SeatState, dice: Sequence[TrackedDie], state: GreeceLightningState) -> BoardFinding | None:
        """What this one frame shows against the record."""
        faces = [die.value for die in dice if die.state in LYING]
        seen = tuple(sorted(faces, key=lambda face: face or 0))
        record = tuple(sorted(seat.movement_dice))
        if state.phase == "rolling" and seat.first is None and not seat.rerolling:
            return BoardFinding("left", seen, ()) if self._left else None
        settled = state.phase == "turns" or (state.phase == "rolling" and seat.finished)
        if not settled or not self._thrown:  # they are rolling, or throw where the camera does not look
            return None
        if seat.bust:
            return BoardFinding("lost", seen, ()) if seen else None
        if record and not seen:
            return BoardFinding("missing", (), record)
        # A die more may be one that was not rolled; none of the record's may lack.
        lacking = Counter(record) - Counter(face for face in faces if face is not None)
        return BoardFinding("differ", seen, record) if lacking and None not in faces else None
