"""What is in the box: wedges that make a course, boats, dice, Fish, cards with the favor of the gods, one Fleece."""

from __future__ import annotations

from enum import StrEnum

__all__ = [
    "BASE_WEDGES",
    "BONUSES",
    "BOOST",
    "CHARYBDIS_NUMBERS",
    "DIFFICULT_FISH",
    "FAVORS",
    "FAVORS_A_TURN",
    "FISH",
    "FISH_LIMIT",
    "LANES",
    "LAPS",
    "MOVEMENT_DICE",
    "MOVEMENT_FACES",
    "NAVIGATION_FACES",
    "OBSTACLES",
    "PLACES",
    "SCYLLA_FISH",
    "SEATS",
    "SLOTS",
    "STACK_WEDGES",
    "STARTERS",
    "STARTING_FISH",
    "SYMBOLS",
    "WEDGES",
    "WEDGES_OF_A_SYMBOL",
    "WHIRLPOOLS",
    "FavorKind",
    "Mark",
    "wedges_a_turn",
]

SEATS = (2, 4)
"""Smallest and largest number of players. GL-C1."""

PLACES = 12
"""Places of the circle, numbered 1 to 12 clockwise; each holds a stack of wedges. GL-S1, GL-S6."""

LANES = 4
"""Paths that cross the edge between two wedges; lane 1 is nearest the centre. Published by reviewers, not printed in
the rulebook; a pack says how many its wedges have."""

WEDGES = 28
"""Racecourse wedges, the Starting Line not among them. GL-C2."""

SYMBOLS = 4
"""Starting symbols. GL-S1."""

WEDGES_OF_A_SYMBOL = 3
"""Wedges that carry the same starting symbol. GL-S2."""

BASE_WEDGES = SYMBOLS * WEDGES_OF_A_SYMBOL
"""Wedges of the circle at set-up. GL-S1, GL-S2."""

STACK_WEDGES = WEDGES - BASE_WEDGES
"""Wedges of the face-down stack at set-up. GL-C7."""

NAVIGATION_FACES = (1, 2, 3)
"""What a Navigation die shows. GL-C3."""

MOVEMENT_FACES = (1, 2, 3, 4, 5, 6)
"""What a Movement die shows. GL-C4."""

MOVEMENT_DICE = 2
"""Movement dice of each player. GL-S15."""

FISH = 16
"""Fish in the box. GL-C5."""

FISH_LIMIT = 3
"""Fish on one board at most. GL-B2."""

STARTING_FISH = 2
"""GL-S16."""

DIFFICULT_FISH = 1
"""Fish of each player at the start of the difficult game. GL-S17."""

FAVORS = 36
"""Favor of the Gods cards. GL-C6."""

STARTERS = (1, 2, 3, 4)
"""Numbers on the Starter cards. GL-S21, GL-S28."""

SLOTS = 2
"""Face-up Favors on one board at most. GL-F11."""

FAVORS_A_TURN = 2
"""Favors that a player draws in one turn at most. GL-F3, GL-B6."""

BOOST = 3
"""Movement that a Speed Boost adds. GL-B11."""

LAPS = 2
"""Laps of the race. GL-G2."""

CHARYBDIS_NUMBERS = (1, 2, 3)
"""Numbers of the paths out of a Charybdis. GL-V1."""

SCYLLA_FISH = (0, 1, 2)
"""Fish that the paths out of a Scylla cost. GL-Y1."""


def wedges_a_turn(seats: int) -> int:
    """Wedges that a player draws, and places, in one turn at most. GL-D2, GL-B9, GL-B10, GL-W8, GL-W9."""
    return 2 if seats == 2 else 1


class Mark(StrEnum):
    """What is printed on a dot of the course."""

    FISH = "fish"
    """GL-B1."""
    FAVOR = "favor"
    """GL-B4."""
    WEDGE = "wedge"
    """GL-B7."""
    BOOST = "boost"
    """+3. GL-B11."""
    HYDRA = "hydra"
    """GL-H1."""
    CHARYBDIS = "charybdis"
    """The paths out of this dot are numbered 1 to 3. GL-V1."""
    SCYLLA = "scylla"
    """The paths out of this dot cost 0, 1 or 2 Fish. GL-Y1."""


BONUSES = (Mark.FISH, Mark.FAVOR, Mark.WEDGE, Mark.BOOST)
"""Marks that give something."""

OBSTACLES = (Mark.HYDRA, Mark.CHARYBDIS, Mark.SCYLLA)
"""Marks that cost something."""

WHIRLPOOLS = (Mark.CHARYBDIS, Mark.SCYLLA)
"""Marks that choose among the paths out of their dot."""


class FavorKind(StrEnum):
    """What a revealed Favor does with itself, as its icon says."""

    BOLT = "bolt"
    """Lightning bolt: used at once. GL-F5."""
    BOAT = "boat"
    """Boat: kept face up in a slot of the own board. GL-F6."""
    TRIDENT = "trident"
    """Trident: given to another player's board. GL-F8."""
