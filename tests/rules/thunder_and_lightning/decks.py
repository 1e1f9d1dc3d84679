"""Boxes to play with: packs whose cards differ where the rulebook prints nothing, so that every power comes up."""

from __future__ import annotations

import random
from typing import Any

from rules.header import Header, Seat
from rules.thunder_and_lightning.components import DECK, Kind, Role
from rules.thunder_and_lightning.game import GAME
from rules.thunder_and_lightning.options import ThunderAndLightningOptions
from rules.thunder_and_lightning.pack import Card
from tests.rules.thunder_and_lightning.cards import Real

SEATS = (Seat(1, "Ada", "red"), Seat(2, "Ben", "blue"))

# kind: (name, strength, symbol, copies). Fighters fill the deck up to fifty.
USUAL: dict[Kind, tuple[str, int | None, bool, int]] = {
    Kind.LEADER: ("Leader", None, True, 1),
    Kind.TREASURE: ("Treasure", None, True, 1),
    Kind.CHAMPION: ("Champion", 7, True, 1),
    Kind.BALDR: ("Baldr", None, True, 2),
    Kind.BERSERKER: ("Berserker", 2, True, 2),
    Kind.WARRIORS: ("Warriors", 3, False, 4),
    Kind.IDUNN: ("Idunn", 1, True, 2),
    Kind.ARCHER: ("Archer", 2, True, 2),
    Kind.FREYA: ("Freya", None, True, 2),
    Kind.FRIGG: ("Frigg", 1, True, 2),
    Kind.WEAPON: ("Weapon", None, True, 2),
    Kind.HEL: ("Hel", None, True, 2),
    Kind.LONGSHIPS: ("Longships", None, True, 2),
    Kind.NIGHTMARE: ("Nightmare", None, True, 2),
    Kind.ODIN: ("Odin", None, True, 2),
    Kind.RAVENS: ("Ravens", 2, True, 4),
    Kind.SEER: ("Seer", None, True, 2),
    Kind.SHIELD_WALL: ("Wall", None, True, 2),
    Kind.VALKYRIES: ("Valkyries", None, True, 2),
    Kind.VIDARR: ("Vidarr", None, True, 2),
}
"""Much as the shipped pack."""

ODD: dict[Kind, tuple[str, int | None, bool, int]] = {
    **USUAL,
    Kind.BALDR: ("Baldr", 0, True, 1),
    Kind.BERSERKER: ("Berserker", 4, True, 4),
    Kind.WARRIORS: ("Warriors", 5, False, 4),
    Kind.IDUNN: ("Idunn", 4, True, 4),
    Kind.FREYA: ("Freya", 3, True, 4),
    Kind.FRIGG: ("Frigg", 1, True, 2),
    Kind.HEL: ("Hel", 3, True, 4),
    Kind.LONGSHIPS: ("Longships", 1, True, 2),
    Kind.NIGHTMARE: ("Nightmare", 0, True, 2),
    Kind.ODIN: ("Odin", None, True, 1),
    Kind.SEER: ("Seer", None, True, 2),
    Kind.SHIELD_WALL: ("Wall", 0, True, 2),
    Kind.VALKYRIES: ("Valkyries", None, True, 1),
    Kind.WEAPON: ("Weapon", 5, True, 1),
}
"""Powers with strengths, so that Freya may take them and Hel may be taken off a pile; walls and Nightmares with 0."""

PLAIN = {"usual": (4, 5, 5, 6), "odd": (0, 1, 4, 4)}
"""Strengths of the fighters that fill a deck."""


def cards(which: str) -> list[dict[str, Any]]:
    """A pack's cards as plain data."""
    table = USUAL if which == "usual" else ODD
    found: list[dict[str, Any]] = []
    for role in Role:
        left = DECK
        for kind, (name, strength, symbol, copies) in table.items():
            card: dict[str, Any] = {
                "id": f"{role.value}-{kind.value}",
                "deck": role.value,
                "name": f"{role.value} {name}",
            }
            card |= {"kind": kind.value, "copies": copies, "symbol": symbol}
            if strength is not None:
                card["strength"] = strength
            found.append(card)
            left -= copies
        plain = PLAIN[which]
        for number, strength in enumerate(plain):
            copies = left // len(plain) + (number < left % len(plain))
            card = {
                "id": f"{role.value}-fighter-{number}",
                "deck": role.value,
                "name": f"{role.value} fighter {number}",
            }
            found.append(card | {"kind": "fighter", "copies": copies, "strength": strength})
    return found


def pack(which: str) -> dict[str, Any] | None:
    """A pack as plain data; None for the shipped one."""
    if which == "shipped":
        return None
    return {"game": "thunder-and-lightning", "title": f"A box for trials: {which}", "card": cards(which)}


PACKS = ("shipped", "usual", "odd")


def header(which: str = "usual", **options: Any) -> Header:
    """The header of a game with one of these boxes."""
    return GAME.new_header("trial", SEATS, options, pack(which))


def random_options(chance: random.Random) -> dict[str, Any]:
    """Now and then another reading of the open cases, and now and then the other seat for Thor."""
    options: dict[str, Any] = {}
    others: dict[str, Any] = {
        "roles": ["loki", "thor"],
        "barred_challenge": "beaten",
        "empty_powers": False,
        "leader_after_last_point": False,
        "gungnir_removes": "loki",
        "weapon_target": "guess",
        "recovered_shown": False,
        "plain_hand_card": "kept",
        "seer_symbol": "hand",
        "moved_cards_seen": True,
        "uncovered": "works",
    }
    for name, value in others.items():
        if chance.random() < (0.4 if name == "roles" else 0.12):
            options[name] = value
    return options


def shuffled_decks(
    cards: tuple[Card, ...], options: ThunderAndLightningOptions, chance: random.Random
) -> dict[int, list[Real]]:
    """Both decks of the box, shuffled; numbers 101 to 150 are Thor's."""
    decks: dict[int, list[Real]] = {}
    for number, role in enumerate((Role.THOR, Role.LOKI)):
        faces = [card for card in cards if card.deck is role for _ in range(card.copies)]
        deck = [Real(number * DECK + n, card) for n, card in enumerate(faces, start=101)]
        assert len(deck) == DECK
        chance.shuffle(deck)
        decks[options.roles.index(role) + 1] = deck
    return decks
