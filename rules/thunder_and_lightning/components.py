"""What is in the box: two decks of fifty cards, one for Thor and one for Loki, and a figure for each."""

from __future__ import annotations

from enum import StrEnum

__all__ = [
    "BARRED",
    "CENTRE",
    "COLUMNS",
    "DECK",
    "FIRST_HAND",
    "FIRST_ROW",
    "HAND_LIMIT",
    "LEADER_POINTS",
    "RECOVERED",
    "ROWS",
    "SEATS",
    "SEER_CARDS",
    "STRENGTHS",
    "WARRIORS_ATTACK",
    "WARRIORS_DEFEND",
    "Kind",
    "Role",
]

SEATS = (2, 2)
"""Two players, face to face. TL-S1, TL-S2."""

DECK = 50
"""Cards of each deck. TL-K1."""

FIRST_HAND = 9
"""Cards of the starting hand, three of which become the first row. TL-S4, TL-S12."""

FIRST_ROW = 3
"""TL-S11."""

HAND_LIMIT = 12
"""TL-D3."""

COLUMNS = (1, 2, 3)
"""Columns of each side, counted from Loki's left; columns of the same number face each other. TL-B1."""

CENTRE = 2
"""The column without a flank. TL-X4."""

ROWS = 4
"""Rows of a column; row 1 is nearest the enemy. TL-B2, TL-B3."""

LEADER_POINTS = 4
"""Action points of a turn with the own leader in play. TL-T5."""

RECOVERED = 3
"""Cards that Longships and Odin take back at most. TL-U1, TL-O1."""

SEER_CARDS = 3
"""Cards that a Seer draws at most. TL-A3."""

STRENGTHS = range(8)
"""Strengths that a card may print; some cards print none. TL-K3."""

WARRIORS_ATTACK = 6
"""Viking Warriors that challenge under Berserker. TL-W1."""

WARRIORS_DEFEND = 3
"""Viking Warriors that are challenged under Berserker. TL-W2."""


class Role(StrEnum):
    """Whom a player plays; also the back of a card, which tells the deck that it comes from. TL-S1, TL-Y5."""

    THOR = "thor"
    LOKI = "loki"

    @property
    def other(self) -> Role:
        """The enemy."""
        return Role.LOKI if self is Role.THOR else Role.THOR


class Kind(StrEnum):
    """What a card does. Cards of one kind may have another name in each deck."""

    FIGHTER = "fighter"
    """A plain card with a strength and no power."""
    LEADER = "leader"
    """Thor in Thor's deck, Loki in Loki's. TL-L1 to TL-L20."""
    TREASURE = "treasure"
    """Odin's Ring in Thor's deck, Odin's Crown in Loki's. TL-Q1 to TL-Q7."""
    CHAMPION = "champion"
    """Angrboda or Tyr: beaten only by Frigg. TL-G12."""
    BALDR = "baldr"
    BERSERKER = "berserker"
    WARRIORS = "viking-warriors"
    IDUNN = "idunn"
    ARCHER = "female-archer"
    FREYA = "freya"
    FRIGG = "frigg"
    WEAPON = "weapon"
    """Mjölnir in Thor's deck, Gungnir in Loki's. TL-J1 to TL-J8."""
    HEL = "hel"
    LONGSHIPS = "longships"
    NIGHTMARE = "nightmare"
    ODIN = "odin"
    RAVENS = "ravens"
    SEER = "seer"
    SHIELD_WALL = "shield-wall"
    VALKYRIES = "valkyries"
    VIDARR = "vidarr"


BARRED: dict[Kind, tuple[str, ...]] = {
    Kind.LEADER: ("TL-C10", "TL-L13"),
    Kind.TREASURE: ("TL-C11", "TL-Q4"),
    Kind.SHIELD_WALL: ("TL-C12", "TL-Z3"),
    Kind.NIGHTMARE: ("TL-C13", "TL-N1"),
}
"""Kinds that never begin a challenge whatever their strength, with the clauses that say so."""
