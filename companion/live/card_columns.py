"""One column as it is seen against the same column of the record: the same, turned up, one card more, or otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from rules.thunder_and_lightning.components import Role
from rules.thunder_and_lightning.pack import Card
from rules.thunder_and_lightning.state import Lying

__all__ = ["CardMarkers", "ColumnSeen", "compared"]

CROWDED = -1
"""Stands for several markers in one row."""


class CardMarkers:
    """What each marker is: the face of one card, or the back of a deck."""

    def __init__(self, cards: Sequence[Card], backs: Mapping[int, Role]) -> None:
        """`backs` by marker id; the faces are those that the cards name."""
        self._faces = {marker: card for card in cards for marker in card.markers}
        self._names = {card.id: card.name for card in cards}
        self._backs = dict(backs)

    def back(self, marker: int | None) -> Role | None:
        """The deck whose back this is; None for anything else."""
        return None if marker is None else self._backs.get(marker)

    def face(self, marker: int | None) -> Card | None:
        """The card whose face this is; None for anything else."""
        return None if marker is None else self._faces.get(marker)

    def fits(self, marker: int | None, lying: Lying) -> bool:
        """True when the card of the record looks like this."""
        if lying.card is None:
            return self.back(marker) is lying.back
        face = self.face(marker)
        return face is not None and face.id == lying.card

    def words(self, marker: int | None) -> str:
        """What people see there."""
        face = self.face(marker)
        if face is not None:
            return face.name
        if marker is None:
            return "nothing"
        return "several cards" if marker == CROWDED else "face down"

    def recorded(self, lying: Lying) -> str:
        """What the record has there."""
        return "face down" if lying.card is None else self.name(lying.card)

    def name(self, card: str) -> str:
        """What is printed on a card of the pack."""
        return self._names.get(card, card)


@dataclass(frozen=True, slots=True)
class ColumnSeen:
    """What a column shows.

    Attributes:
        rows: the marker of each row, row 1 first, without the empty rows at its end.
        kind: "same" as recorded; "turned": the same cards, some face up that were face down; "more": one card more;
            "less": cards of the record are not in view; "other".
        forward: the card of row 1 lies in the strip in the middle.
        turned: rows of the cards that are face up and recorded face down.
        added: every row in which the one card more may lie; several when it looks like its neighbours.
    """

    rows: tuple[int | None, ...]
    kind: Literal["same", "turned", "more", "less", "other"]
    forward: bool = False
    turned: tuple[int, ...] = ()
    added: tuple[int, ...] = ()


def compared(
    cells: Sequence[tuple[int, ...]], strip: int | None, recorded: Sequence[Lying], markers: CardMarkers
) -> ColumnSeen:
    """How the markers of a column's cells, row 1 first, differ from the record.

    Args:
        cells: the markers of each row.
        strip: the marker in the strip that may be the card of row 1; it counts only while row 1 is empty.
        recorded: the column of the record.
        markers: of the decks in play.
    """
    rows: list[int | None] = [None if not cell else cell[0] if len(cell) == 1 else CROWDED for cell in cells]
    forward = bool(recorded) and rows[0] is None and strip is not None
    if forward:
        rows[0] = strip
    while rows and rows[-1] is None:
        rows.pop()
    seen = tuple(rows)
    if len(seen) == len(recorded):
        wrong = [
            row for row, (m, lying) in enumerate(zip(seen, recorded, strict=True), 1) if not markers.fits(m, lying)
        ]
        if not wrong:
            return ColumnSeen(seen, "same", forward)
        if all(recorded[row - 1].card is None and markers.face(seen[row - 1]) is not None for row in wrong):
            return ColumnSeen(seen, "turned", forward, turned=tuple(wrong))
    if len(seen) == len(recorded) + 1 and None not in seen:
        added = tuple(row for row in range(1, len(seen) + 1) if _without(seen, row, recorded, markers))
        if added:
            return ColumnSeen(seen, "more", forward, added=added)
    lying = sum(marker is not None for marker in seen)
    return ColumnSeen(seen, "less" if lying < len(recorded) else "other", forward)


def _without(seen: tuple[int | None, ...], row: int, recorded: Sequence[Lying], markers: CardMarkers) -> bool:
    rest = seen[: row - 1] + seen[row:]
    return all(markers.fits(marker, lying) for marker, lying in zip(rest, recorded, strict=True))
