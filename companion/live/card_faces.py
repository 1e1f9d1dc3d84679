"""Which faces that the camera sees are open to all; the others nobody is told of and no public picture shows.

A camera overhead sees what a player lifts for the own eyes alone, or holds in the hand. People at the table do not.
"""

from __future__ import annotations

from collections import Counter

from companion.live.card_columns import CardMarkers
from companion.live.card_looks import CardLooks
from companion.live.card_places import Place
from rules.thunder_and_lightning.reveals import asked_for
from rules.thunder_and_lightning.state import ThunderAndLightningState
from vision.readings import MarkerReading, Reading

__all__ = ["TURNED_UP", "OpenFaces"]

TURNED_UP = ("challenge", "column", "strike")
"""Kinds of waiting that ask for cards to be turned up."""


class OpenFaces:
    """Fed with every reading, after the looks."""

    def __init__(self, looks: CardLooks, markers: CardMarkers) -> None:
        self._looks = looks
        self._markers = markers
        self._open: set[int] = set()

    def secret(self, reading: Reading, state: ThunderAndLightningState) -> frozenset[int]:
        """Markers of the faces that are not open to all.

        Open are those that lie face up by the record or are asked for, and those where cards lie open (piles, shown
        hands); and what was open stays so for as long as it stays in view, wherever it is laid. TL-P11.
        """
        faces = [marker for marker in reading.markers if self._markers.face(marker.id) is not None]
        rows = [m for m in faces if (place := self._looks.place_of(m)) is not None and place.kind in ("cell", "strip")]
        seen = Counter(self._card(marker) for marker in rows)
        up = Counter(each.card for side in state.sides for column in side.columns for each in column if each.card)
        known = {marker.id for marker in rows if seen[self._card(marker)] <= up[self._card(marker)]}
        now = {marker.id for marker in faces if marker.id in known or self._open_here(marker, state)}
        self._open = now | {marker for marker in self._open if self._looks.lately(marker)}
        return frozenset(marker.id for marker in faces) - self._open

    def _card(self, marker: MarkerReading) -> str:
        face = self._markers.face(marker.id)
        return "" if face is None else face.id

    def _open_here(self, marker: MarkerReading, state: ThunderAndLightningState) -> bool:
        place = self._looks.place_of(marker)
        if place is None or place.kind in ("pile", "hand"):
            return place is not None
        first = state.waiting[0] if state.waiting else None
        if first is not None and first.kind == "place" and first.card == self._card(marker):
            return True
        asked = asked_for(first) if first is not None and first.kind in TURNED_UP else ()
        return self._recorded(place, self._card(marker), state, asked)

    @staticmethod
    def _recorded(place: Place, card: str, state: ThunderAndLightningState, asked: tuple[int, ...]) -> bool:
        """The record has this card face up there, or one there that is asked for."""
        if place.kind == "cell":
            lying = state.at((place.seat, place.column, place.row))
            return lying is not None and (lying.card == card or lying.token in asked)
        fronts = [column[0] for side in state.sides if (column := side.column(place.column))]
        return any(lying.card == card or lying.token in asked for lying in fronts)
