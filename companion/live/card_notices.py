"""What differs between the table and the record, in words, once it has lasted: people put it right."""

from __future__ import annotations

from collections.abc import Sequence

from companion.live.card_columns import CardMarkers, ColumnSeen
from companion.live.interpreter import Notice
from device.clock import NS_PER_S
from rules.header import Seat
from rules.thunder_and_lightning.pack import Card
from rules.thunder_and_lightning.state import Lying, Piled

__all__ = ["ASK_NS", "LASTS_NS", "CardNotices"]

LASTS_NS = 2 * NS_PER_S
"""A difference is told after so long; till then hands are at work."""

ASK_NS = NS_PER_S // 2
"""What only a person can say is asked for after so long."""


class CardNotices:
    """Collects what is odd in each frame and tells what has been so for long enough."""

    def __init__(self, seats: Sequence[Seat], markers: CardMarkers) -> None:
        self._names = {seat.number: seat.name for seat in seats}
        self._markers = markers
        self._since_ns: dict[tuple[str, int, int], int] = {}
        self._now: dict[tuple[str, int, int], tuple[Notice, int]] = {}
        self._at_ns = 0

    def begin(self, at_ns: int) -> None:
        """A new frame; what is not named again is in order."""
        self._at_ns = at_ns
        self._now = {}

    def due(self) -> tuple[Notice, ...]:
        """What has lasted."""
        self._since_ns = {key: self._since_ns.get(key, self._at_ns) for key in self._now}
        return tuple(
            notice for key, (notice, after_ns) in self._now.items() if self._at_ns - self._since_ns[key] >= after_ns
        )

    def column(self, seat: int, column: int, seen: ColumnSeen, recorded: Sequence[Lying]) -> None:
        """A column looks otherwise than it should; not told beside the question where a card of it lies."""
        if ("where", seat, column) in self._now:
            return
        known = {lying.card for lying in recorded}
        seen_codes = tuple(self._code(marker, known) for marker in seen.rows)
        sees = ", ".join(self._open_words(marker, known) for marker in seen.rows) or "nothing"
        if seen.forward:
            sees += " (the first one in the middle)"
        has = ", ".join(self._markers.recorded(lying) for lying in recorded) or "nothing"
        self._now["column", seat, column] = (
            Notice(
                "notice.column-differs",
                (
                    ("seat", seat),
                    ("column", column),
                    ("sees", sees),
                    ("recorded", has),
                    ("seen", seen_codes),
                    ("lies", tuple(lying.card or "down" for lying in recorded)),
                ),
                f"{self._names[seat]}, column {column}: the camera sees {sees}; the record has {has}.",
            ),
            LASTS_NS,
        )

    def _open_words(self, marker: int | None, known: set[str | None]) -> str:
        """A face that the record does not know is not named: its player may have meant it for the own eyes. TL-P11."""
        face = self._markers.face(marker)
        return self._markers.words(marker) if face is None or face.id in known else "a card face up"

    def _code(self, marker: int | None, known: set[str | None]) -> str:
        """The same for a catalogue: the id of a card, or "down", "open", "several", "nothing"."""
        face = self._markers.face(marker)
        if face is not None:
            return face.id if face.id in known else "open"
        return "down" if self._markers.back(marker) is not None else "nothing" if marker is None else "several"

    def pile(self, seat: int, marker: int | None, top: Piled | None) -> None:
        """A discard pile shows another card than it should."""
        sees = self._markers.words(marker)
        has = "nothing" if top is None else self._markers.name(top.card)
        self._now["pile", seat, 0] = (
            Notice(
                "notice.pile-differs",
                (
                    ("seat", seat),
                    ("sees", sees),
                    ("recorded", has),
                    ("seen", (self._pile_code(marker),)),
                    ("lies", ("nothing" if top is None else top.card,)),
                ),
                f"{self._names[seat]}'s discard pile: the camera sees {sees} on top; the record has {has}.",
            ),
            LASTS_NS,
        )

    def _pile_code(self, marker: int | None) -> str:
        face = self._markers.face(marker)
        return self._code(marker, {None if face is None else face.id})

    def say_where(self, seat: int, column: int) -> None:
        """A face-down card more, among others that look the same."""
        self._now["where", seat, column] = (
            Notice(
                "notice.say-where",
                (("seat", seat), ("column", column)),
                f"{self._names[seat]} laid a card in column {column}; say on the page which row it lies in.",
            ),
            ASK_NS,
        )

    def say_what(self, seat: int, card: Card) -> None:
        """A card played whose power needs a choice."""
        self._now["what", seat, 0] = (
            Notice(
                "notice.say-what",
                (("seat", seat), ("card", card.id), ("name", card.name)),
                f"{self._names[seat]} plays {card.name}; say on the page what it works on.",
            ),
            ASK_NS,
        )
