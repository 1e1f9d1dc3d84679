"""A component pack of Greece Lightning to fill in from a box, with the way of writing it explained."""

from __future__ import annotations

from rules.greece_lightning.check_favors import STARTER_NAMES
from rules.greece_lightning.components import FAVORS, STACK_WEDGES, STARTERS, SYMBOLS, WEDGES_OF_A_SYMBOL
from rules.greece_lightning.pack import GAME

__all__ = ["pack_template"]

HEAD = f"""\
# The print of one box of Greece Lightning. Check it with: companion pack check {GAME} FILE
# See each wedge as it was understood, to hold beside the printed one: companion pack draw {GAME} FILE -o FOLDER
#
# WEDGES. Hold a wedge so that the centre of the course is below you: ships come in at the left edge and leave at the
# right one. Number the paths that cross an edge ("lanes") from the centre outwards: 1, 2, 3, 4.
#
#   dots   one line for each dot: a name of your own (small letters and digits; a1, a2 … on lane 1, b1 … on lane 2 is
#          easy to follow); lane_tenths, how far from the centre it lies: 10 on lane 1, 20 on lane 2, 25 halfway from
#          lane 2 to lane 3; along_percent, how far from the left edge to the right one, 0 to 100; and marks, what is
#          printed on it, in the order in which it is met:
#            "fish"  "favor"  "wedge"  "boost" (+3)  "hydra"  "charybdis"  "scylla"
#   paths  "in1 > a1 > a2 > out1"  from lane 1 of the left edge over two dots to lane 1 of the right edge
#          "a1 > b2"               a second way out of a1
#          "w =2> b2"              a path with a number out of the whirlpool w: 1 to 3 of a Charybdis, 0 to 2 Fish of a
#                                  Scylla; every number has a path
#   symbol the starting symbol on the edge of twelve of the wedges; call the four symbols what you like
#   marker the number of the marker stuck on it; leave the line out when it has none
#
# The Starting Line is written down in the same way; `line` names the dots on which ships start. Its icons are known.
#
# FAVOR CARDS. One [[favor]] for each card that reads differently, with the number of its copies.
#
#   kind     "bolt" (lightning bolt), "boat", "trident"
#   when     when it may be used: "rolling", "moving" or "turn" (any time of the own turn); leave it out for a bolt.
#            A trident takes effect by itself at the first such moment of the player who got it.
#   starter  its number, of the four cards that say Starter; leave the line out for all others
#   effects  what it does, in order: {{ do = "…", amount = 2, whom = "others" }}; amount is 1 and whom is the user when
#            left out. whom: "user" (for a trident the player who got it), "other" (one of the user's choice), "others",
#            "all". do:
#            "move"               so much more movement (or less: amount = -2)
#            "fish"               so many Fish from the supply (or back to it: amount = -1)
#            "take-fish"          so many Fish from another player (whom = "other" or "others")
#            "draw-wedge", "draw-favor"
#            "lift-wedge"         the top wedge of one stack of two or more goes under the face-down stack
#            "double-navigation"  the Navigation die counts double this turn
#            "pass-hydras"        Hydras are ignored this turn
#            "pass-whirlpools"    any path out of a whirlpool may be taken this turn, without Fish
#            "safe-second"        a lower second Movement die is no bust
#            "no-second"          the second Movement die may not be rolled
#            "reroll-navigation", "reroll-first", "reroll-second"   so many rolls again without Fish
#            "by-hand"            anything else: you do what the card says, and the record is corrected
#   text     its wording, for people
#   markers  the numbers of the markers stuck on its copies; leave the line out when there are none
#
# sure: "published" for what you read from your box, "assumed" for a guess.

game = "{GAME}"
title = "My box"
lanes = 4
sure = "published"

[starting_line]
line = []
dots = [
    # {{ id = "a1", lane_tenths = 10, along_percent = 50 }},
]
paths = [
    # "in1 > a1 > out1",
]
sure = "published"
# marker =
"""

WEDGE = """\
[[wedge]]
id = "{id}"
{symbol}dots = [
    # {{ id = "a1", lane_tenths = 10, along_percent = 25, marks = ["fish"] }},
]
paths = [
    # "in1 > a1 > out1",
]
sure = {{ symbol = "published", print = "published" }}
# marker =
"""

STARTER = """\
[[favor]]
id = "{id}"
name = "{name}"
kind = "boat"
when = "moving"
starter = 0  # {numbers}
effects = []
text = ""
sure = {{ name = "rulebook", kind = "published", effects = "published", copies = "rulebook", starter = "published" }}
# markers = []
"""

FAVOR = """\
[[favor]]
id = "favor-1"
name = ""
kind = "bolt"
copies = {copies}
effects = []
text = ""
sure = { name = "published", kind = "published", effects = "published", copies = "published", starter = "rulebook" }
# markers = []
"""


def pack_template() -> str:
    """A pack file to fill in, with every wedge and the Starters in it, and one card to copy for the others."""
    parts = [HEAD, "# --- twelve wedges with a starting symbol\n"]
    for symbol in range(1, SYMBOLS + 1):
        for number in range(1, WEDGES_OF_A_SYMBOL + 1):
            parts.append(WEDGE.format(id=f"symbol{symbol}-{number}", symbol=f'symbol = "symbol{symbol}"\n'))
    parts.append("# --- sixteen wedges without one\n")
    parts += [WEDGE.format(id=f"stack-{number}", symbol="") for number in range(1, STACK_WEDGES + 1)]
    parts.append("# --- the Starters\n")
    numbers = f"{STARTERS[0]} to {STARTERS[-1]}"
    parts += [STARTER.format(id=name.lower(), name=name, numbers=numbers) for name in STARTER_NAMES]
    parts.append(f"# --- the other {FAVORS - len(STARTERS)} cards: copy this one for each that reads differently\n")
    parts.append(FAVOR.replace("{copies}", str(FAVORS - len(STARTERS))))
    return "\n".join(parts)
