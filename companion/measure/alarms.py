"""What a judge would be shown of a play: the breaches that the table of a tournament finds in what was told."""

from __future__ import annotations

from dataclasses import dataclass

from companion.live.interpreter import interpreter_for
from companion.live.opening import Wanted, new_header
from device.simulated.layout import SEAT_COLOURS
from rules.games import new_match
from rules.header import Seat
from rules.lightning_dice.events import Breach
from vision.tracking.happenings import Watched

__all__ = ["CLEAN", "Alarm", "Alarms"]

CLEAN = "clean"
"""The kind of play in which everybody plays by the rules: whatever the judge is shown of it is false."""
_GAME = "lightning-dice"


@dataclass(frozen=True, slots=True)
class Alarm:
    """A breach that was laid before the judge in the frame exposed at `at_ns`: of which rule, and what was seen."""

    at_ns: int
    seat: int
    rule: int
    detail: str


class Alarms:
    """Watches a play of so many seats as the live table does in a tournament, with a judge and the camera's eyes."""

    def __init__(self, seats: int) -> None:
        named = tuple(Seat(number, f"Player {number}", SEAT_COLOURS[number]) for number in range(1, seats + 1))
        header = new_header(Wanted(_GAME, named, {"mode": "tournament"}, judge="Judge"))
        self._state = new_match(header).state
        self._eyes = interpreter_for(_GAME).eyes(header)

    def update(self, watched: Watched, at_ns: int) -> list[Alarm]:
        """The breaches that are laid before the judge with one more frame."""
        seen = self._eyes.update(watched, at_ns, self._state)
        events = [sighting.submission.event for sighting in seen.sightings]
        return [Alarm(at_ns, each.seat, each.rule, each.detail) for each in events if isinstance(each, Breach)]
