"""The component pack of Thunder & Lightning: what is printed on the cards of both decks, and how sure we are of it."""

from __future__ import annotations

from rules.packs import Provenance
from rules.records import Record
from rules.thunder_and_lightning.components import Kind, Role

__all__ = ["Card", "Pack", "Sure"]


class Sure(Record, frozen=True):
    """Where each printed value of a card comes from."""

    name: Provenance = Provenance.ASSUMED
    strength: Provenance = Provenance.ASSUMED
    symbol: Provenance = Provenance.ASSUMED
    copies: Provenance = Provenance.ASSUMED


class Card(Record, frozen=True):
    """One card of a deck, with all its copies. TL-K3 to TL-K5.

    Attributes:
        id: how events name it; tells the deck too ("thor-ravens").
        deck: whose deck it belongs to, which its back shows.
        name: as printed.
        kind: what it does.
        copies: how many of it the deck holds, as the card prints. TL-K5.
        strength: None for a card that prints none. TL-K3.
        symbol: it bears the mythological symbol. TL-K4.
        power: its text in own words, for people; may be empty. TL-M5.
        sure: where each value comes from.
        markers: number of the marker stuck on each copy; empty when there are none.
    """

    id: str
    deck: Role
    name: str
    kind: Kind
    copies: int
    strength: int | None = None
    symbol: bool = False
    power: str = ""
    sure: Sure = Sure()
    markers: tuple[int, ...] = ()


class Pack(Record, frozen=True):
    """The cards of both decks."""

    game: str
    title: str
    card: tuple[Card, ...]
    note: str = ""
