"""What a camera tells a race: Movement dice that come to rest before a seat, and cards and wedges with markers.

The Navigation die is not read, for there are no pictures of its numerals to prove a reader on: its face is told on the
page. It is milky and the Movement dice are clear blue, so a light die is left out, wherever it lies. All Movement dice
look alike; whose a die is tells the board area it lies in.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, Final

from companion.live.collector import Sighting
from companion.live.deeds import Doubts
from companion.live.interpreter import Notice, Seen, SeenDie
from companion.live.out_of_step import out_of_step_notice
from companion.live.places import LYING
from companion.live.race_boards import BoardCheck, BoardFinding
from companion.live.race_dice import RaceDice, Thrown
from companion.live.race_markers import RaceMarkers
from companion.live.seating import Seating
from rules.events import Source, Submission
from rules.greece_lightning.components import MOVEMENT_DICE
from rules.greece_lightning.events import Movement
from rules.greece_lightning.state import GreeceLightningState
from rules.header import Seat
from vision.tracking.happenings import TrackedDie, Trouble, Watched

__all__ = ["NAVIGATION_COLOURS", "RaceEyes"]

NAVIGATION_COLOURS: Final = frozenset({"white", "grey"})
"""What the milky body of a Navigation die is called; such a die is nobody's Movement die."""

COLOUR_FRAMES: Final = 5
"""The colour of a die at rest is what most of its last readings say, so many of them."""


class RaceEyes:
    """Follows dice and markers from frame to frame; pure apart from what it remembers."""

    def __init__(
        self, seats: Sequence[Seat], zones: Mapping[int, Any], wedges: Mapping[int, str], favors: Mapping[int, str]
    ) -> None:
        """`zones` is each seat's board area in mm; `wedges` and `favors` map marker ids to ids of the pack."""
        self._seating = Seating(seats, zones)
        self._seats = {seat.number: RaceDice() for seat in seats}
        self._boards = {seat.number: BoardCheck() for seat in seats}
        self._names = {seat.number: seat.name for seat in seats}
        self._markers = RaceMarkers(wedges, favors)
        self._doubts = Doubts()
        self._colours: dict[int, deque[bool]] = {}
        self._last = Seen()

    def update(self, watched: Watched, now_ns: int, state: GreeceLightningState) -> Seen:
        """See `Eyes`."""
        if watched.out_of_step is not None:
            if watched.out_of_step.trouble is Trouble.CAMERA_MOVED:
                self._markers.forget_places()
            return Seen(dice=self._last.dice, notices=(out_of_step_notice(watched.out_of_step),))
        exposed_ns = watched.reading.exposure_start_ns
        at_ns = now_ns if exposed_ns is None else exposed_ns
        happenings = self._doubts.happenings(watched, at_ns)
        by_seat, strangers = self._by_seat(watched.dice)
        sightings: list[Sighting] = []
        notices: list[Notice] = []
        for number, dice in self._seats.items():
            there = state.find(number)
            due = there is not None and bool(there.rerolling)
            thrown = dice.update(by_seat[number], happenings, at_ns, due=due)
            if thrown is not None and state.phase in ("rolling", "turns"):
                sightings.append(_rolled(number, thrown))
            board = self._boards[number].update(
                number, by_seat[number], thrown, at_ns, state, hands=bool(watched.hands)
            )
            if board is not None:
                notices.append(self._on_board(number, board))
            if len(dice.shown) > MOVEMENT_DICE:
                notices.append(self._too_many(number, len(dice.shown)))
        sightings += self._markers.update(watched, at_ns, state)
        self._last = Seen(
            sightings=tuple(sightings),
            still_seats=frozenset(number for number, dice in self._seats.items() if dice.still),
            dice=self._dice_now(strangers),
            notices=tuple(notices),
            whose={die.id: (number, None) for number, dice in by_seat.items() for die in dice},
        )
        return self._last

    def _by_seat(self, dice: Sequence[TrackedDie]) -> tuple[dict[int, list[TrackedDie]], list[TrackedDie]]:
        """The Movement dice by the board area that they lie in, and those that lie in none."""
        by_seat: dict[int, list[TrackedDie]] = {number: [] for number in self._seats}
        strangers = []
        tracks = {die.id for die in dice}
        self._colours = {track: seen for track, seen in self._colours.items() if track in tracks}
        for die in dice:
            if self._is_navigation(die):
                continue
            seat = self._seating.seat_at(die.position_mm)
            if seat is None:
                strangers.append(die)
            else:
                by_seat[seat].append(die)
        return by_seat, strangers

    def _is_navigation(self, die: TrackedDie) -> bool:
        """True for a light die: by its latest readings at rest, for a track may pass from one die to another."""
        light = self._colours.setdefault(die.id, deque(maxlen=COLOUR_FRAMES))
        if die.seen and die.state in LYING:
            light.append(die.reading.colour in NAVIGATION_COLOURS)
        return 2 * sum(light) > len(light) if light else die.colour in NAVIGATION_COLOURS

    def _too_many(self, number: int, count: int) -> Notice:
        facts = (("seat", number), ("dice", count), ("most", MOVEMENT_DICE))
        text = f"{count} Movement dice lie before {self._names[number]}; each player has {MOVEMENT_DICE}."
        return Notice("notice.too-many-movement-dice", facts, text)

    def _on_board(self, number: int, found: BoardFinding) -> Notice:
        facts = (("seat", number), ("dice", len(found.seen)), ("faces", _faces(found.seen)))
        name = self._names[number]
        record = ("expected", _faces(found.record))
        match found.what:
            case "left":
                text = f"Movement dice of the last round lie before {name}. All dice go off the board first. GL-E1"
                return Notice("notice.movement-dice-left", facts, text)
            case "lost":
                text = (
                    f"Movement dice lie before {name}, who lost them: a bust takes both off the board. GL-R12, GL-R13"
                )
                return Notice("notice.movement-dice-lost", facts, text)
            case "missing":
                text = f"No Movement die lies before {name}; by the record {record[1]} stay there. GL-R24"
                return Notice("notice.movement-dice-missing", (*facts, record), text)
        text = f"Before {name} lie Movement dice with {facts[2][1]}; the record has {record[1]}. GL-R24"
        return Notice("notice.movement-dice-differ", (*facts, record), text)

    def _dice_now(self, strangers: Sequence[TrackedDie]) -> tuple[SeenDie, ...]:
        found = [
            SeenDie(number, place, value, reason)
            for number, dice in self._seats.items()
            for place, (value, reason) in enumerate(dice.shown)
        ]
        found.extend(
            SeenDie(None, rank, die.value, None if die.reason is None else str(die.reason))
            for rank, die in enumerate(sorted(strangers, key=lambda die: die.centre_px))
            if die.seen
        )
        return tuple(found)


def _rolled(number: int, thrown: Thrown) -> Sighting:
    filed = Submission(
        Movement(number, thrown.faces),
        Source.CAMERA,
        confidence=round(thrown.confidence, 3),
        at_ns=thrown.settled_ns,
    )
    return Sighting(filed, thrown.settled_ns, number, begins=False)


def _faces(faces: Sequence[int | None]) -> str:
    """Faces for people to read; "?" for one that cannot be read."""
    return ", ".join("?" if face is None else str(face) for face in faces)
