"""What a camera tells a Thunder & Lightning match: cards laid, slid forward, turned up, shown and discarded.

The record as it stands says what is new. An event is told only when the table was seen just as the record has it, and
one thing has changed since; whatever else differs is for people to put right, and is told in words after a while.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.live.card_columns import CardMarkers, ColumnSeen, compared
from companion.live.card_faces import TURNED_UP, OpenFaces
from companion.live.card_looks import CardLooks, Spot
from companion.live.card_notices import CardNotices
from companion.live.card_open import OpenCards
from companion.live.card_places import CardPlaces, Place
from companion.live.collector import Sighting
from companion.live.interpreter import NO_CORNERS, Seen
from rules.events import Event, Source, Submission
from rules.header import Seat
from rules.thunder_and_lightning.components import COLUMNS, FIRST_HAND, ROWS, Kind, Role
from rules.thunder_and_lightning.events import Challenge, Lay, Lead, TurnUp
from rules.thunder_and_lightning.events import Place as PlaceCard
from rules.thunder_and_lightning.pack import Card
from rules.thunder_and_lightning.reveals import asked_for
from rules.thunder_and_lightning.state import Lying, ThunderAndLightningState
from vision.tracking.happenings import Watched

__all__ = ["CardEyes"]

Column = tuple[int, int]
"""Seat and column."""


class CardEyes:
    """Follows the cards from reading to reading; pure apart from what it remembers."""

    def __init__(
        self, seats: Sequence[Seat], cards: Sequence[Card], backs: Mapping[int, Role], places: CardPlaces
    ) -> None:
        """`cards` are those of the pack, `backs` the deck by the marker on its backs."""
        self._markers = CardMarkers(cards, backs)
        self._looks = CardLooks(places)
        self._notices = CardNotices(seats, self._markers)
        self._open = OpenCards(self._looks, self._markers, self._notices)
        self._faces = OpenFaces(self._looks, self._markers)
        self._agreed: dict[Column, tuple[int, ...]] = {}
        self._unbroken: dict[Column, set[int]] = {}
        self._lain: dict[Column, dict[int, Spot]] = {}
        self._told: dict[Column, tuple[tuple[int, ...], Event]] = {}
        self._turned: dict[int, tuple[int | None, object]] = {}

    def update(self, watched: Watched, now_ns: int, state: ThunderAndLightningState) -> Seen:
        """See `Eyes`. Cards are told by their markers alone, so that nothing here asks whether dice are in step."""
        reading = watched.reading
        at_ns = now_ns if reading.exposure_start_ns is None else reading.exposure_start_ns
        if all(marker.position_mm is None for marker in reading.markers):
            faces = frozenset(marker.id for marker in reading.markers if self._markers.face(marker.id) is not None)
            return Seen(notices=(NO_CORNERS,), secret=faces)
        self._looks.update(reading, at_ns)
        secret = self._faces.secret(reading, state)
        if not self._looks.ready:
            return Seen(secret=secret)
        self._notices.begin(at_ns)
        columns = {
            (side.seat, column): self._column(side.seat, column, state) for side in state.sides for column in COLUMNS
        }
        whole = all(seen.kind != "less" for seen in columns.values())
        sightings: list[Sighting] = []
        for (seat, column), seen in columns.items():
            sightings += self._follow(seat, column, seen, state, whole)
        sightings += self._open.sightings(state, whole)
        return Seen(
            sightings=tuple(sorted(sightings, key=lambda sighting: sighting.at_ns)),
            still_seats=frozenset(side.seat for side in state.sides) if self._looks.still else frozenset(),
            notices=self._notices.due(),
            secret=secret,
        )

    def _column(self, seat: int, column: int, state: ThunderAndLightningState) -> ColumnSeen:
        """The column as it lies. A single card in the strip is that of the only side whose row 1 is empty."""
        cells = [self._looks.at(Place("cell", seat, column, row)) for row in range(1, ROWS + 1)]
        strip = self._looks.at(Place("strip", column=column))
        faced = Place("cell", state.enemy(seat).seat, column, 1)
        alone = len(strip) == 1 and self._looks.bare(Place("cell", seat, column, 1))
        mine = alone and (not self._looks.bare(faced) or not state.enemy(seat).column(column))
        return compared(cells, strip[0] if mine else None, state.side(seat).column(column), self._markers)

    def _follow(
        self, seat: int, column: int, seen: ColumnSeen, state: ThunderAndLightningState, whole: bool
    ) -> list[Sighting]:
        """The events of one column; `whole` when no card of the record is out of view anywhere."""
        recorded = state.side(seat).column(column)
        tokens = tuple(lying.token for lying in recorded)
        key = (seat, column)
        self._forget_turned(seen, recorded)
        if seen.kind == "same" and not seen.forward:
            self._agreed[key] = tokens
            self._unbroken[key] = set(range(1, len(tokens) + 1))
            spots = {row: self._looks.spot(Place("cell", seat, column, row)) for row in self._unbroken[key]}
            self._lain[key] = {row: spot for row, spot in spots.items() if spot is not None}
            self._told.pop(key, None)
            return []
        unmoved = self._unmoved(seat, column, recorded)
        told: list[Sighting] = []
        if seen.forward and seen.kind in ("same", "turned") and self._may_act(seat, state):
            if self._agreed.pop(key, None) == tokens:  # once: it has to go back before it challenges again
                told.append(self._sighting(Challenge(seat, column), Place("strip", column=column), seen.rows[0]))
        elif seen.kind == "more":
            event = (
                self._added(seat, column, seen, state, unmoved) if self._agreed.get(key) == tokens and whole else None
            )
            if event is not None and self._told.get(key) == (tokens, event):
                event = None
            if event is not None:
                self._told[key] = (tokens, event)
                row = getattr(event, "row", 1)
                told.append(self._sighting(event, Place("cell", seat, column, row), seen.rows[row - 1]))
        told += self._turned_up(seat, column, seen, state, recorded)
        asked = seen.forward and any(tokens[0] == waiting.token for waiting in state.waiting)
        if not told and not (asked and seen.kind == "same"):
            self._notices.column(seat, column, seen, recorded)
        return told

    def _unmoved(self, seat: int, column: int, recorded: Sequence[Lying]) -> set[int]:
        """Rows whose card was in view all the time since the column was as recorded, or lies exactly as it lay then."""
        unbroken, lain = self._unbroken.setdefault((seat, column), set()), self._lain.get((seat, column), {})
        found: set[int] = set()
        for row, lying in enumerate(recorded, 1):
            place = Place("cell", seat, column, row)
            spot, before = self._looks.spot(place), lain.get(row)
            if not any(self._markers.fits(marker, lying) for marker in self._looks.at(place)):
                unbroken.discard(row)
            elif row in unbroken or (spot is not None and before is not None and spot.same(before)):
                found.add(row)
        return found

    def _may_act(self, seat: int, state: ThunderAndLightningState) -> bool:
        return state.phase == "play" and state.turn is not None and state.turn.seat == seat and not state.waiting

    def _added(
        self, seat: int, column: int, seen: ColumnSeen, state: ThunderAndLightningState, unmoved: set[int]
    ) -> Event | None:
        """What one card more in a column means; None when it means nothing for sure."""
        marker = seen.rows[seen.added[0] - 1]
        face, back = self._markers.face(marker), self._markers.back(marker)
        side = state.side(seat)
        if face is not None:
            first = seen.added[0] == 1
            waiting = state.waiting[0] if state.waiting else None
            if first and waiting is not None and waiting.kind == "place" and waiting.card == face.id:
                return PlaceCard(waiting.by, column) if waiting.by != seat else None
            leads = face.kind is Kind.LEADER and face.deck is side.role
            return Lead(seat, column) if first and leads and self._may_act(seat, state) else None
        if back is None:
            return None
        if state.phase == "setup":
            dealt = side.dealt >= FIRST_HAND and side.treasure in ("", "back")
            return Lay(seat, column, 1, back) if dealt and not side.column(column) else None
        if not self._may_act(seat, state):
            return None
        # A card that has not moved lies before the new one: all behind that one were pushed back.
        rows = [row for row in seen.added if row > max(unmoved, default=0)]
        if len(rows) != 1:
            self._notices.say_where(seat, column)
            return None
        return Lay(seat, column, rows[0], back)

    def _turned_up(
        self, seat: int, column: int, seen: ColumnSeen, state: ThunderAndLightningState, recorded: Sequence[Lying]
    ) -> list[Sighting]:
        """Cards that the table waits for, now face up. TL-C16."""
        first = state.waiting[0] if state.waiting else None
        asked = asked_for(first) if first is not None and first.kind in TURNED_UP else ()
        told: list[Sighting] = []
        for row in seen.turned:
            token, marker = recorded[row - 1].token, seen.rows[row - 1]
            face = self._markers.face(marker)
            if token not in asked or face is None or self._turned.get(token) == (marker, state.vouched):
                continue
            self._turned[token] = (marker, state.vouched)
            in_strip = seen.forward and row == 1
            place = Place("strip", column=column) if in_strip else Place("cell", seat, column, row)
            told.append(self._sighting(TurnUp((seat, column, row), face.id), place, marker))
        return told

    def _forget_turned(self, seen: ColumnSeen, recorded: Sequence[Lying]) -> None:
        """A card that lies face down again may be turned up anew."""
        if seen.kind in ("same", "turned"):
            for row, lying in enumerate(recorded, 1):
                if lying.card is None and row not in seen.turned:
                    self._turned.pop(lying.token, None)

    def _sighting(self, event: Event, place: Place, marker: int | None) -> Sighting:
        assert marker is not None
        at_ns = self._looks.since_ns(place, marker)
        return Sighting(Submission(event, Source.CAMERA, at_ns=at_ns), at_ns, None, begins=True)
