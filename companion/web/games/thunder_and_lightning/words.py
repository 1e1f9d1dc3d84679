"""Cards, columns and facts of Thunder & Lightning in the words that people at the table say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from companion.web.games.base import FactWords
from rules.games import game_named
from rules.header import Header

if TYPE_CHECKING:
    from companion.catalogue import Catalogue

__all__ = ["FACTS", "card_named", "cards_of", "column_words", "printed", "role_of", "spot_words", "thing_words"]

ROLES: Final = ("thor", "loki")
SIDES: Final = {"loki": {1: "left", 2: "middle", 3: "right"}, "thor": {1: "right", 2: "middle", 3: "left"}}
"""Columns are numbered from Loki's left; each player names them from the own seat."""


class _Pack:
    """The cards by id of the pack that was asked for last; a table plays one match, with one pack, at a time."""

    def __init__(self) -> None:
        self._last: tuple[Any, dict[str, Mapping[str, Any]]] | None = None

    def cards(self, header: Header) -> dict[str, Mapping[str, Any]]:
        last = self._last
        if last is None or last[0] is not header.pack:
            pack = header.pack or game_named(header.game).default_pack()
            last = self._last = (header.pack, {str(card["id"]): card for card in pack.get("card", ())})
        return last[1]


_pack = _Pack()


def cards_of(header: Header) -> dict[str, Mapping[str, Any]]:
    """What the pack of the match prints, by card id; the shipped pack's for a header without one."""
    return _pack.cards(header)


def printed(card: Mapping[str, Any]) -> str:
    """A card by the name and the strength that it prints: "Viking Warriors 3", "Nightmare"."""
    strength = card.get("strength")
    name = str(card.get("name") or card.get("id"))
    return name if strength is None else f"{name} {strength}"


def card_named(identity: Any, header: Header) -> str:
    """A card by its id as people call it; the id itself when the pack has no such card."""
    card = cards_of(header).get(str(identity))
    return str(identity) if card is None else printed(card)


def role_of(seat: Any, header: Header) -> str:
    """Whom a seat plays: "thor" or "loki"."""
    roles = header.options.get("roles") or ROLES
    return str(roles[seat - 1]) if isinstance(seat, int) and 1 <= seat <= len(roles) else ""


def column_words(column: Any, seat: Any, header: Header, catalogue: Catalogue) -> str:
    """A column as the player on whose side it is would call it: left, middle or right."""
    side = SIDES.get(role_of(seat, header), {}).get(column)
    return str(column) if side is None else catalogue.text(f"column.{side}")


def spot_words(spot: Any, header: Header, catalogue: Catalogue) -> str:
    """A place on the battlefield: whose, which column, which row."""
    seat, column, row = spot
    return catalogue.text(
        "tl.spot",
        name=catalogue.seat_name(header, seat),
        column=column_words(column, seat, header, catalogue),
        row=row,
    )


def thing_words(value: Any, header: Header, catalogue: Catalogue, *families: str) -> str:
    """A fact of any kind: a number as it is, a card by its name, a code by its words in the first family with them."""
    if value is None:
        return catalogue.text("fact.nothing")
    if isinstance(value, int):
        return str(value)
    for family in families:
        key = f"{family}.{str(value).replace(' ', '-')}"
        if catalogue.has(key):
            return catalogue.text(key)
    return card_named(value, header)


def _families(*families: str) -> Any:
    return lambda value, header, catalogue: thing_words(value, header, catalogue, *families)


def _counted(key: str) -> Any:
    """A number with what is counted; several values are cards by name."""

    def words(value: Any, header: Header, catalogue: Catalogue) -> str:
        if isinstance(value, int):
            return catalogue.text(key, count=value)
        return thing_words(value, header, catalogue)

    return words


def _strength(value: Any, header: Header, catalogue: Catalogue) -> str:
    return catalogue.text("tl.strength.none") if value is None else catalogue.text("tl.strength", strength=value)


def _more(facts: Mapping[str, Any], header: Header, catalogue: Catalogue) -> dict[str, Any]:
    """Columns, named from the seat of whoever's side they are on."""
    seat = facts.get("seat")
    owner = facts.get("owner", seat)
    enemy = 3 - seat if isinstance(seat, int) else None
    found: dict[str, Any] = {}
    for name, whose in (("column", owner), ("to_column", owner), ("target_column", enemy)):
        if name in facts:
            found[f"{name}_words"] = column_words(facts[name], whose, header, catalogue)
    for name in ("seen", "lies"):
        if name in facts and not facts[name]:
            found[f"{name}_words"] = catalogue.text("lying.nothing")
    for name in ("strength", "target_strength"):
        if name in facts:
            found[f"{name}_words"] = _strength(facts[name], header, catalogue)
    return found


FACTS: Final = FactWords(
    seats=frozenset({"seat", "owner", "turn", "winners", "missing"}),
    codes={"back": "role", "remedy": "remedy"},
    values={
        **dict.fromkeys(("card", "target", "taken", "top"), _families()),
        **dict.fromkeys(("expected", "counted"), _families("expected", "count")),
        **dict.fromkeys(("points",), _counted("tl.points")),
        **dict.fromkeys(("cards", "hand", "deck", "pile", "field"), _counted("tl.cards")),
        "kind": _families("wait", "kind", "event.tl"),
        "reason": _families("why"),
        "what": _families("conduct", "count"),
        "was": _families("advice"),
        **dict.fromkeys(("seen", "lies"), _families("lying")),
    },
    more=_more,
    more_names={
        "column": ("column_words",),
        "to_column": ("to_column_words",),
        "target_column": ("target_column_words",),
        "strength": ("strength_words",),
        "target_strength": ("target_strength_words",),
    },
)
