"""The component pack of Thunder & Lightning: what is printed on the cards of both decks, and how sure we are of it.

The rulebook tells the names, powers and one strength; how many copies a deck holds of each card it leaves to the cards.
The shipped pack is a guess in these, marked `assumed`, so that the game can be played before a group has typed in its
own hundred.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from importlib import resources
from typing import Any

from rules.errors import BadPack
from rules.packs import Finding, Provenance, Severity, parse, unfit
from rules.records import Record
from rules.thunder_and_lightning.components import DECK, RECOVERED, STRENGTHS, WARRIORS_DEFEND, Kind, Role

__all__ = [
    "GAME",
    "LAST_CARD_MARKER",
    "PRINTED_CARDS",
    "Card",
    "Pack",
    "Sure",
    "check_pack",
    "default_pack",
    "pack_template",
]

GAME = "thunder-and-lightning"
"""How a pack file names the game."""

PRINTED_CARDS = 2 * DECK
"""Cards in the box. TL-K1."""

LAST_CARD_MARKER = 199
"""Markers 0 to 199 belong to the cards in play."""

ONE_OF_EACH = (Kind.LEADER, Kind.TREASURE)
"""One card in each deck: there is one figure for it, and one thing to lose. TL-K2, TL-Q6."""

FIGHTS = (Kind.FIGHTER, Kind.CHAMPION, Kind.WARRIORS, Kind.ARCHER)
"""Kinds that are nothing without a strength. TL-K3, TL-F3, TL-W2."""

PLAYED = (
    Kind.BALDR,
    Kind.BERSERKER,
    Kind.IDUNN,
    Kind.FREYA,
    Kind.FRIGG,
    Kind.WEAPON,
    Kind.HEL,
    Kind.LONGSHIPS,
    Kind.ODIN,
    Kind.RAVENS,
    Kind.SEER,
    Kind.VALKYRIES,
    Kind.VIDARR,
)
"""Kinds with a power that is played from the hand, and so with the symbol. TL-K4, TL-M4."""


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


def default_pack() -> dict[str, Any]:
    """The shipped pack as plain data: two playable decks, with what is guessed marked so."""
    text = resources.files("rules.thunder_and_lightning").joinpath("assumed_pack.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def check_pack(plain: dict[str, Any]) -> tuple[Finding, ...]:
    """Findings about a pack: what makes it unplayable, what is unusual, and which values people should read from
    their cards."""
    unknown = tuple(_unknown_kinds(plain))
    if unknown:
        return unknown
    try:
        pack = parse(plain, Pack, what="a Thunder & Lightning pack")
    except BadPack as error:
        return unfit(plain, Pack, error)
    return (*_errors(pack), *_remarks(pack), *_assumed(pack))


def _unknown_kinds(plain: dict[str, Any]) -> Iterator[Finding]:
    cards = plain.get("card")
    for place, card in enumerate(cards if isinstance(cards, list) else (), start=1):
        kind = card.get("kind") if isinstance(card, dict) else None
        if isinstance(kind, str) and kind not in list(Kind):
            message = f"Kind {kind!r} is unknown; a card is one of: {', '.join(Kind)}."
            yield Finding(Severity.ERROR, f"card {card.get('id') or place}", message, ("card", place - 1, "kind"))


def _errors(pack: Pack) -> Iterator[Finding]:
    def wrong(where: str, message: str, *at: str | int) -> Finding:
        return Finding(Severity.ERROR, where, message, at)

    if pack.game != GAME:
        yield wrong("game", f"The pack says game = {pack.game!r}; expected {GAME!r}.", "game")
    if not pack.card:
        yield wrong("card", "There is no card; write one [[card]] for each card of both decks that reads differently.")
        return
    ids: dict[str, int] = {}
    markers: dict[int, str] = {}
    for place, card in enumerate(pack.card, start=1):
        where = _where(card, place)
        at = ("card", place - 1)
        if not card.id.strip():
            yield wrong(where, f"Card number {place} has no id; give each card its own.", *at, "id")
        elif card.id in ids:
            yield wrong(
                where, f"Cards number {ids[card.id]} and {place} have the same id; give each its own.", *at, "id"
            )
        ids.setdefault(card.id, place)
        if not card.name.strip():
            yield wrong(where, "It has no name; type in the one that the card prints.", *at, "name")
        if card.copies < 1:
            message = f"{card.copies} copies; type in how many the card says that its deck holds, at least 1."
            yield wrong(where, message, *at, "copies")
        for message in _wrong_values(card):
            yield wrong(where, message, *at)
        for number, marker in enumerate(card.markers):
            if not 0 <= marker <= LAST_CARD_MARKER:
                yield wrong(
                    where, f"Marker {marker} is no card marker; expected 0 to {LAST_CARD_MARKER}.", *at, "markers"
                )
            elif marker in card.markers[:number]:
                yield wrong(where, f"Marker {marker} is listed twice; each copy has its own.", *at, "markers")
            elif marker in markers:
                message = f"Marker {marker} is on card {markers[marker]} too; stick another on one."
                yield wrong(where, message, *at, "markers")
        markers |= {marker: card.id for marker in card.markers if marker not in markers}
        if card.markers and len(card.markers) != card.copies:
            message = f"{len(card.markers)} markers for {card.copies} copies; list one for each copy, or none."
            yield wrong(where, message, *at, "markers")
    for role in Role:
        for message in _wrong_deck(pack, role):
            yield wrong(f"deck {role.value}", message)


def _wrong_values(card: Card) -> Iterator[str]:
    if card.strength is not None and card.strength not in STRENGTHS:
        yield (
            f"Strength {card.strength} is none; expected {STRENGTHS[0]} to {STRENGTHS[-1]}, or no such line for a card "
            "that prints none."
        )
    if card.strength is None and card.kind in FIGHTS:
        yield f"It has no strength, and a card of kind {card.kind.value} fights with one; read it from the card."
    if card.kind in PLAYED and not card.symbol:
        yield f"It has no symbol, and the power of {card.kind.value} is played for one; write symbol = true."


def _wrong_deck(pack: Pack, role: Role) -> Iterator[str]:
    deck = _deck(pack, role)
    cards = sum(card.copies for card in deck)
    if cards != DECK:
        yield f"It has {cards} cards; expected {DECK}. Count the copies of each card again."
    for kind in (*ONE_OF_EACH, Kind.WEAPON):
        if not any(card.kind is kind for card in deck):
            yield f"It has no {_plain_name(kind, role)}; write a [[card]] with kind = {kind.value!r}."
    for kind in ONE_OF_EACH:
        number = sum(card.copies for card in deck if card.kind is kind)
        if number > 1:
            yield f"It has {number} cards of kind {kind.value}; there is one {_plain_name(kind, role)}."


def _remarks(pack: Pack) -> Iterator[Finding]:
    for role in Role:
        deck = _deck(pack, role)
        where = f"deck {role.value}"
        if not any(card.copies > 0 for card in deck):
            continue
        for kind in Kind:
            if kind not in (*ONE_OF_EACH, Kind.WEAPON, Kind.FIGHTER) and not any(card.kind is kind for card in deck):
                yield _odd(
                    where, f"It has no card of kind {kind.value}, which the rulebook names; look through the deck."
                )
        best = max((card.strength or 0 for card in deck if card.kind is not Kind.CHAMPION), default=0)
        for card in deck:
            if card.kind is Kind.CHAMPION and card.strength is not None and card.strength <= best:
                message = (
                    f"Strength {card.strength}, and another card has {best}; only Frigg should beat it. Look again."
                )
                yield _odd(_where(card), message)
            if card.kind is Kind.WARRIORS and card.strength not in (None, WARRIORS_DEFEND):
                message = f"Strength {card.strength}; by the entry of Berserker it is {WARRIORS_DEFEND}. Look again."
                yield _odd(_where(card), message)
        for kinds, names, power in (
            ((Kind.RAVENS,), "Ravens", "Odin"),
            ((Kind.WARRIORS, Kind.ARCHER), "Viking Warriors and Female Archers", "Longships"),
        ):
            number = sum(card.copies for card in deck if card.kind in kinds)
            if number < RECOVERED:
                yield _odd(where, f"It has {number} {names}, and {power} can take {RECOVERED} back; count them again.")
    thor, loki = (_functions(pack, role) for role in (Role.THOR, Role.LOKI))
    for key in dict.fromkeys((*thor, *loki)):
        if thor[key] != loki[key]:
            kind, strength, symbol = key
            printed = "no strength" if strength is None else f"strength {strength}"
            yield _odd(
                "decks",
                f"Thor's deck has {thor[key]} and Loki's {loki[key]} of kind {kind.value} with {printed} and "
                f"{'the' if symbol else 'no'} symbol; both decks should do the same. Look again.",
            )


def _functions(pack: Pack, role: Role) -> Counter[tuple[Kind, int | None, bool]]:
    """How many cards of a deck do the same, whatever they are called."""
    count: Counter[tuple[Kind, int | None, bool]] = Counter()
    for card in _deck(pack, role):
        count[card.kind, card.strength, card.symbol] += card.copies
    return count


def _odd(where: str, message: str) -> Finding:
    return Finding(Severity.REMARK, where, message)


def _assumed(pack: Pack) -> Iterator[Finding]:
    for place, card in enumerate(pack.card):
        owner = f"the card {card.name!r} of {card.deck.value.capitalize()}'s deck"
        strength = "no strength" if card.strength is None else f"strength {card.strength}"
        for field, value, question in (
            ("name", f"the name {card.name!r}", "what it is called"),
            ("strength", strength, "its strength, if it prints one,"),
            ("symbol", "the symbol" if card.symbol else "no symbol", "whether it bears the symbol"),
            ("copies", f"{card.copies} copies" if card.copies != 1 else "1 copy", "how many its deck holds"),
        ):
            if getattr(card.sure, field) is Provenance.ASSUMED:
                message = f"Assumed: {value}. Read {question} from {owner} and mark it published."
                yield Finding(Severity.ASSUMED, f"{_where(card)} {field}", message, ("card", place, field))


def _where(card: Card, place: int = 0) -> str:
    return f"card {card.id or place}"


def _deck(pack: Pack, role: Role) -> tuple[Card, ...]:
    return tuple(card for card in pack.card if card.deck is role)


def _plain_name(kind: Kind, role: Role) -> str:
    names = {
        Kind.LEADER: ("Thor", "Loki"),
        Kind.TREASURE: ("Odin's Ring", "Odin's Crown"),
        Kind.WEAPON: ("Mjölnir", "Gungnir"),
    }
    return names[kind][role is Role.LOKI]


TEMPLATE = """\
# The cards of one box of Thunder & Lightning. One [[card]] for each card that reads differently, with all its copies.
# Check it with: companion pack check thunder-and-lightning FILE
#
# copies     how many of it the deck holds, as the card itself tells; each deck has 50 cards in all
# strength   the number printed on it, 0 to 7; leave the line out when it prints none
# symbol     true when it bears the knot of three triangles, which stands for a power
# power      its text in your own words, for people; may stay empty
# kind       what it does, by which the referee goes; leave it as it is. A card without a power is a fighter
# markers    the numbers of the markers stuck on its copies, one each, 0 to 199; leave the line out when there are none
# sure       "published" for what you read from the card, "assumed" for a guess
#
# A copies = 0 stands where only the card knows: the check asks for each. Write as many fighters as your deck has.

game = "thunder-and-lightning"
title = "My cards"
"""

READ = 'sure = { name = "published", strength = "published", symbol = "published", copies = "published" }'


def pack_template() -> str:
    """A pack file to fill in, both decks card by card, with what the rulebook tells filled in already."""
    pack = parse(default_pack(), Pack, what="the shipped pack")
    parts = [TEMPLATE]
    for role in Role:
        parts.append(f"# --- {role.value.capitalize()}'s deck\n")
        fighters = 0
        for card in _deck(pack, role):
            named = card.sure.name is not Provenance.ASSUMED
            fighters += not named
            lines = [
                "[[card]]",
                f'id = "{card.id if named else f"{role.value}-fighter-{fighters}"}"',
                f'deck = "{role.value}"',
                f'name = "{card.name if named else ""}"',
                f'kind = "{card.kind.value}"',
                "copies = 0",
                f"strength = {card.strength}" if card.sure.strength is not Provenance.ASSUMED else "# strength =",
                f"symbol = {'true' if card.symbol else 'false'}",
                f'power = "{card.power}"',
                READ,
                "# markers = []",
            ]
            parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)
