"""A match of Thunder & Lightning under cards that a test lays by hand, marker by marker."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.live.card_places import Place, places_for
from companion.live.interpreter import Seen, interpreter_for
from companion.live.opening import Wanted, new_header
from rules.events import Event, Submission
from rules.games import new_match
from rules.header import Header, Seat
from rules.match import Match
from rules.thunder_and_lightning.components import Role
from rules.thunder_and_lightning.events import Deal, EndTurn, Lay, Shuffled
from vision.readings import MarkerReading, Reading
from vision.tracking.happenings import Watched

MS = 1_000_000
FRAME_NS = 66 * MS
SEATS = (Seat(1, "Tora", "red"), Seat(2, "Leif", "blue"))
THOR, LOKI = 1, 2
BACK = {THOR: 200, LOKI: 201}
CORNER = 240


def duel_header(**changes: Any) -> Header:
    """The header of a match with the shipped cards; seat 1 plays Thor."""
    return new_header(Wanted("thunder-and-lightning", seats=SEATS, **changes))


def cell(seat: int, column: int, row: int = 1) -> Place:
    return Place("cell", seat, column, row)


def strip(column: int) -> Place:
    return Place("strip", column=column)


def pile(seat: int) -> Place:
    return Place("pile", seat)


def hand(seat: int) -> Place:
    return Place("hand", seat)


def face_down_match(**changes: Any) -> Match[Any]:
    """A match whose first rows lie: Loki's turn begins."""
    match = new_match(duel_header(**changes))
    for seat in (THOR, LOKI):
        file(match, Shuffled(seat), Deal(seat))
        file(match, *(Lay(seat, column) for column in (1, 2, 3)))
    return match


def file(match: Match[Any], *events: Event) -> None:
    """File events that must be accepted."""
    for event in events:
        entry = match.submit(Submission(event))
        assert all(ruling.verdict != "refused" for ruling in entry.rulings), (event, entry.rulings)


def pass_turns(match: Match[Any], turns: int = 2) -> None:
    """Both players draw for all their points."""
    from rules.thunder_and_lightning.events import Draw

    for _ in range(turns):
        seat = match.state.turn.seat
        file(match, *(Draw(seat) for _ in range(match.state.turn.left)), EndTurn(seat))


class CardBench:
    """Shows frames to the eyes; what they tell is filed in the match, as the table does it."""

    def __init__(self, match: Match[Any], *, files: bool = True) -> None:
        self.match = match
        self.files = files
        self.eyes = interpreter_for("thunder-and-lightning").eyes(match.header)
        self.areas = places_for({THOR: Role.THOR, LOKI: Role.LOKI}).areas
        self.lying: dict[Place, tuple[int, ...]] = {}
        self.off_mm: dict[Place, float] = {}
        self.laid = 0
        self.loose: tuple[int, ...] = ()
        self.now_ns = 1_000 * MS
        self.told: list[Any] = []
        self.last = Seen()
        self.codes: list[str] = []
        self.as_recorded()

    def as_recorded(self) -> None:
        """Lay the battlefield as the record has it."""
        self.lying = {place: m for place, m in self.lying.items() if place.kind not in ("cell", "strip")}
        for side in self.match.state.sides:
            for number, column in enumerate(side.columns, start=1):
                for row, lying in enumerate(column, start=1):
                    role = THOR if lying.back is Role.THOR else LOKI
                    marker = BACK[role] if lying.card is None else self.face(lying.card)
                    self.lying[cell(side.seat, number, row)] = (marker,)

    def face(self, card: str, copy: int = 0) -> int:
        """The marker on a copy of a card."""
        return int(self.match.state.given.cards[card].markers[copy])

    def lay(self, place: Place, *markers: int) -> None:
        """Never just where another card lay: no hand is so exact."""
        self.laid += 1
        self.off_mm[place] = self.laid % 7 - 3.0
        self.lying[place] = markers

    def take(self, *places: Place) -> None:
        for place in places:
            self.lying.pop(place, None)

    def show(self, frames: int = 6, *, hidden: Iterable[Place] = ()) -> list[Any]:
        """Show so many frames; gives the events told meanwhile."""
        told: list[Any] = []
        covered = set(hidden)
        for _ in range(frames):
            self.now_ns += FRAME_NS
            markers = [_marker(CORNER, 0.0, 0.0)]
            for place, ids in self.lying.items():
                if place not in covered:
                    x, y = self.areas[place].centre_mm
                    y += self.off_mm.get(place, 0.0) + 0.1 * (self.now_ns // FRAME_NS % 2)  # and no reading either
                    markers += [_marker(each, x + 8 * n, y) for n, each in enumerate(ids)]
            markers += [_marker(each, self.areas[strip(3)].x0 - 3, -40.0) for each in self.loose]
            reading = Reading((1280, 720), (), tuple(markers), exposure_start_ns=self.now_ns)
            self.last = self.eyes.update(Watched(reading, ()), self.now_ns, self.match.state)
            for sighting in self.last.sightings:
                told.append(sighting.submission.event)
                if self.files:
                    entry = self.match.submit(sighting.submission)
                    self.codes += [ruling.code for ruling in entry.rulings]
        self.told += told
        return told

    @property
    def notices(self) -> list[str]:
        return [notice.code for notice in self.last.notices]


def _marker(identity: int, x: float, y: float) -> MarkerReading:
    corners = ((x - 4, y - 4), (x + 4, y - 4), (x + 4, y + 4), (x - 4, y + 4))
    return MarkerReading(identity, corners, (x, y))
