"""A card of Thunder & Lightning as the screens get it."""

from __future__ import annotations

from typing import Any

from rules.thunder_and_lightning.state import Given

__all__ = ["card_view"]


def card_view(given: Given, identity: str | None) -> dict[str, Any] | None:
    """What is printed on a card and how sure each value is; None for a card that nobody has seen."""
    card = given.card(identity)
    if card is None:
        return None
    return {
        "id": card.id,
        "name": card.name,
        "deck": card.deck.value,
        "kind": card.kind.value,
        "strength": card.strength,
        "symbol": card.symbol,
        "copies": card.copies,
        "power": card.power,
        "sure": {
            "name": card.sure.name.value,
            "strength": card.sure.strength.value,
            "symbol": card.sure.symbol.value,
            "copies": card.sure.copies.value,
        },
    }
