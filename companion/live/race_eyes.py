"""What a camera tells a race: Movement dice that come to rest before a seat, and cards and wedges with markers.

The Navigation die is not read: its face is told on the page. It is milky and the Movement dice are clear blue, so a
light die is left out, wherever it lies. All Movement dice look alike; whose a die is tells the board area it lies in.
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
from companion.live.race_dice import RaceDice, Thrown
from companion.live.seating import Seating
from rules.events import Event, Source, Submission
from rules.greece_lightning.components import MOVEMENT_DICE
from rules.greece_lightning.events import DrawWedge, Movement, Reveal
from rules.greece_lightning.favors_in_play import may_reveal
from rules.greece_lightning.state import GreeceLightningState
from rules.header import Seat
from vision.readings import Reading
from vision.tracking.happenings import TrackedDie, Watched

__all__ = ["NAVIGATION_COLOURS", "RaceEyes"]

NAVIGATION_COLOURS: Final = frozenset({"white", "grey"})
"""What the milky body of a Navigation die is called; such a die is nobody's Movement die."""

MARKER_FRAMES: Final = 5
MARKER_SEEN: Final = 3
"""A marker counts once it was seen in so many of the last MARKER_FRAMES frames."""

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
        self._names = {seat.number: seat.name for seat in seats}
        self._wedges = dict(wedges)
        self._favors = dict(favors)
        self._doubts = Doubts()
        self._colours: dict[int, deque[bool]] = {}
        self._marker_frames: deque[frozenset[int]] = deque(maxlen=MARKER_FRAMES)
        self._shown: frozenset[int] = frozenset()
        self._last = Seen()

    def update(self, watched: Watched, now_ns: int, state: GreeceLightningState) -> Seen:
        """See `Eyes`."""
        if watched.out_of_step is not None:
            return Seen(dice=self._last.dice, notices=(out_of_step_notice(watched.out_of_step),))
        reading = watched.reading
        at_ns = now_ns if reading.exposure_start_ns is None else reading.exposure_start_ns
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
            if len(dice.shown) > MOVEMENT_DICE:
                notices.append(self._too_many(number, len(dice.shown)))
        sightings += self._turned_up(reading, at_ns, state)
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

    def _turned_up(self, reading: Reading, at_ns: int, state: GreeceLightningState) -> list[Sighting]:
        """A wedge or Favor that came into view just when one is to be seen; only a single one names itself."""
        known = self._wedges.keys() | self._favors.keys()
        self._marker_frames.append(frozenset(marker.id for marker in reading.markers if marker.id in known))
        up = frozenset(
            marker for marker in known if sum(marker in frame for frame in self._marker_frames) >= MARKER_SEEN
        )
        new = up - self._shown
        self._shown = frozenset(marker for marker in self._shown | up if any(marker in f for f in self._marker_frames))
        event = self._meant(new, state)
        if event is None:
            return []
        return [Sighting(Submission(event, Source.CAMERA, at_ns=at_ns), at_ns, None, begins=True)]

    def _meant(self, new: frozenset[int], state: GreeceLightningState) -> Event | None:
        drawing = next((each.seat for each in state.waiting if each.kind == "wedge"), None)
        wedges = [self._wedges[marker] for marker in new if marker in self._wedges]
        favors = [self._favors[marker] for marker in new if marker in self._favors]
        if drawing is not None and len(wedges) == 1:
            return DrawWedge(drawing, wedges[0])
        if favors and state.turn is not None and not state.waiting and may_reveal(state, state.turn.seat):
            return Reveal(state.turn.seat, favors[0], len(favors) - 1)
        return None

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
