"""Seats, cards, wedges and dice of Greece Lightning in the words that people at the table say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.web.games.base import FactWords
from rules.header import Header

if TYPE_CHECKING:
    from companion.catalogue import Catalogue

__all__ = ["FACTS", "card_named"]


def card_named(identity: Any, header: Header) -> str:
    """A Favor by its id as people call it; the id itself when the pack has no such card."""
    cards = header.pack.get("favor", ()) if header.pack else ()
    return next((str(card["name"]) for card in cards if card.get("id") == identity), str(identity))


def _card(value: Any, header: Header, catalogue: Catalogue) -> str:
    return card_named(value, header)


def _wedge(value: Any, header: Header, catalogue: Catalogue) -> str:
    """Wedges print no name; people call them as the pack does."""
    return str(value)


def _families(*families: str) -> Any:
    """The words of a code in the first family that has it; a card by its name for lack of one."""

    def words(value: Any, header: Header, catalogue: Catalogue) -> str:
        for family in families:
            key = f"{family}.{str(value).replace(' ', '-')}"
            if catalogue.has(key):
                return catalogue.text(key)
        return card_named(value, header)

    return words


FACTS: Final = FactWords(
    seats=frozenset(
        {"seat", "owner", "turn", "winners", "seats", "first", "rolling", "giver", "other", "order", "fleece"}
        | {"choices", "expected"}
    ),
    codes={
        "mark": "mark",
        "kind": "gl-wait",
        "die": "gl-die",
        "use": "gl-die",
        "when": "gl-time",
        "colour": "colour",
        "seen": "colour",
    },
    values={
        **dict.fromkeys(("card", "cards", "held", "wrong", "by"), _card),
        **dict.fromkeys(("wedges", "due"), _wedge),
        "missing": _families("gl-set-up"),
        "what": _families("gl-thing", "gl-conduct"),
    },
)
"""How the facts of its rulings become words."""
