"""Cards that lie open beside the rows: on the discard piles, and in the places where hands are shown."""

from __future__ import annotations

from companion.live.card_columns import CardMarkers
from companion.live.card_looks import CardLooks
from companion.live.card_notices import CardNotices
from companion.live.card_places import Place
from companion.live.collector import Sighting
from device.clock import NS_PER_S
from rules.events import Event, Source, Submission
from rules.thunder_and_lightning.components import Kind
from rules.thunder_and_lightning.events import Drawn, Hit, Play, ShowHand, Take, Top
from rules.thunder_and_lightning.state import SideState, ThunderAndLightningState, Waiting

__all__ = ["PLAIN_POWERS", "OpenCards"]

PLAIN_POWERS = frozenset({Kind.BERSERKER, Kind.IDUNN, Kind.FREYA, Kind.HEL, Kind.LONGSHIPS, Kind.ODIN, Kind.SEER})
"""Powers that need no choice when the card is laid on the pile; Hel does where the backs in the pile differ."""

TAKEN_NS = 3 * NS_PER_S // 2
"""Fewer cards than could be taken back count once they have lain shown for so long."""

PileKey = tuple[int, int, int]


class OpenCards:
    """Follows piles and shown hands of a match."""

    def __init__(self, looks: CardLooks, markers: CardMarkers, notices: CardNotices) -> None:
        self._looks = looks
        self._markers = markers
        self._notices = notices
        self._agreed: dict[int, PileKey] = {}
        self._known: dict[int, set[int]] = {}
        self._played: dict[int, tuple[PileKey, int]] = {}
        self._wait: tuple[object, ...] = ()
        self._stale: set[int] = set()
        self._tops: dict[int, tuple[int, ...]] = {}
        self._told: Event | None = None

    def sightings(self, state: ThunderAndLightningState, whole: bool) -> list[Sighting]:
        """What the piles and the shown cards tell; `whole` when every card of the rows is in its place."""
        waiting = state.waiting[0] if state.waiting else None
        wait = () if waiting is None else (waiting.kind, waiting.seat, waiting.seq, waiting.left)
        if wait != self._wait:
            self._wait, self._told = wait, None
            self._stale = {marker for side in state.sides for marker in self._looks.at(Place("hand", side.seat))}
            self._tops = {side.seat: self._looks.at(Place("pile", side.seat)) for side in state.sides}
        told: list[Sighting] = []
        for side in state.sides:
            told += self._pile(side, state, whole)
        if waiting is not None:
            told += self._shown(waiting, state)
        return told

    def _pile(self, side: SideState, state: ThunderAndLightningState, whole: bool) -> list[Sighting]:
        place = Place("pile", side.seat)
        markers = self._looks.at(place)
        known = self._known.setdefault(side.seat, set())
        known -= {marker for marker in known if self._looks.places_of(marker) - {place}}
        if len(markers) > 1:
            return []  # slid apart: nobody can say which is on top
        marker = markers[0] if markers else None
        face, top = self._markers.face(marker), side.top
        key = (len(side.pile), side.gone, 0 if top is None else top.uid)
        waiting = state.waiting[0] if state.waiting else None
        if waiting is not None and waiting.kind == "top" and waiting.seat == side.seat:
            if face is not None and markers != self._tops.get(side.seat):
                return self._once(Top(side.seat, face.id), place, marker)
            return []
        moved_on = self._agreed.get(side.seat) != key
        fits = (face is not None and top is not None and face.id == top.card) or (
            top is None and self._looks.bare(place)
        )
        if fits:
            self._agreed[side.seat] = key
            self._played.pop(side.seat, None)
            if marker is not None:
                known.add(marker)
            return []
        on_turn = state.phase == "play" and state.turn is not None and state.turn.seat == side.seat
        new = face is not None and marker is not None and marker not in known and not moved_on
        if new and on_turn and not state.waiting and whole and self._played.get(side.seat) != (key, marker):
            assert face is not None
            assert marker is not None
            backs = {state.given.cards[piled.card].deck for piled in side.pile}
            plain = face.kind in PLAIN_POWERS and not (face.kind is Kind.HEL and len(backs) > 1)
            if plain or not face.symbol:
                self._played[side.seat] = (key, marker)
                return [self._sighting(Play(side.seat, face.id), place, marker)]
            self._notices.say_what(side.seat, face)
            return []
        if marker is not None or self._looks.bare(place):
            self._notices.pile(side.seat, marker, top)
        return []

    def _shown(self, waiting: Waiting, state: ThunderAndLightningState) -> list[Sighting]:
        """What lies open in the place for hands, while something is waited for that shows there."""
        place = Place("hand", waiting.seat)
        here = self._looks.at(place)
        self._stale &= {marker for side in state.sides for marker in self._looks.at(Place("hand", side.seat))}
        faces = {marker: face for marker in here if (face := self._markers.face(marker)) is not None}
        fresh = {marker: face for marker, face in faces.items() if marker not in self._stale}
        if waiting.kind == "drawn" and not fresh:  # who draws may lay the card on either side
            place = Place("hand", waiting.by)
            found = {marker: self._markers.face(marker) for marker in self._looks.at(place)}
            fresh = {m: face for m, face in found.items() if face is not None and m not in self._stale}
        first = next(iter(fresh), None)
        if waiting.kind in ("hit", "drawn") and first is not None and len(fresh) == 1:
            event = (Hit if waiting.kind == "hit" else Drawn)(waiting.seat, fresh[first].id)
            return self._once(event, place, first)
        cards = tuple(face.id for face in faces.values())
        if waiting.kind == "show-hand" and cards and len(cards) == len(here) == state.side(waiting.seat).hand:
            return self._once(ShowHand(waiting.seat, cards), place, here[0])
        shown = state.options.recovered_shown
        if waiting.kind == "take" and shown and first is not None and self._looks.still:
            taken = tuple(face.id for face in fresh.values())
            since_ns = max(self._looks.since_ns(place, marker) for marker in fresh)
            if len(taken) >= waiting.left or self._looks.at_ns - since_ns >= TAKEN_NS:
                return self._once(Take(waiting.seat, taken), place, first)
        return []

    def _once(self, event: Event, place: Place, marker: int | None) -> list[Sighting]:
        """The event, unless it was told of this very wait."""
        if event == self._told:
            return []
        self._told = event
        return [self._sighting(event, place, marker)]

    def _sighting(self, event: Event, place: Place, marker: int | None) -> Sighting:
        assert marker is not None
        at_ns = self._looks.since_ns(place, marker)
        return Sighting(Submission(event, Source.CAMERA, at_ns=at_ns), at_ns, None, begins=True)
