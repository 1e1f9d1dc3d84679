"""What is in the box: six dice and a pawn of one colour for each seat, the score track, the goal cards."""

from __future__ import annotations

__all__ = [
    "BONUS_POINTS",
    "DICE",
    "FACES",
    "FALSE_CALL_POINTS",
    "MATCH_POINTS",
    "SEATS",
    "START",
    "SUPPLY_PLACE",
    "THUNDER_POINTS",
]

DICE = 6
"""Dice of each seat, all of its colour. LD-C1."""

FACES = (1, 2, 3, 4, 5, 6)
"""What a die shows; Bonus and Thunder speak of six equal ones, so no player number above 6 can be hit. LD-I4."""

SEATS = (2, 6)
"""Smallest and largest number of players. LD-I4."""

START = 0
"""Space of the score track where every pawn begins, one pawn of each colour. LD-C2, LD-C4, LD-I10."""

MATCH_POINTS = 2
"""Gain of the first right "Got it!" on a card. LD-S6, LD-S29."""

FALSE_CALL_POINTS = 2
"""Loss for a "Got it!" over dice that do not match. LD-S11."""

BONUS_POINTS = 1
"""Gain of a Bonus. LD-S17."""

THUNDER_POINTS = 1
"""Loss of a Thunder's victim. LD-S24."""

SUPPLY_PLACE = {False: "side", True: "centre"}
"""Where the stack of goal cards lies: beside the play area; in the quick game (True) in the middle. LD-I9, LD-Q3."""
