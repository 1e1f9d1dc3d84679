"""The options of a match: how it is played, and how each open case of the rulebook is read."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from rules.errors import BadHeader, UnreadableInput
from rules.greece_lightning.components import DIFFICULT_FISH, STARTING_FISH
from rules.records import Record, from_plain

__all__ = ["ONLY_READING", "OPEN_CASES", "GreeceLightningOptions", "options_from", "options_plain"]


class GreeceLightningOptions(Record, frozen=True):
    """Every option with its default; the default of an open case is the reading recommended in its clause.

    Attributes:
        difficult: everybody starts with 1 Fish. GL-S17.
        rolling: all at once, or one after the other from the holder of the Golden Fleece on. GL-R1, GL-R2.
        stray_wake_bars: no wedge is laid on a wake token that lies apart from its ship. GL-W12.
        skipped_line_counts_lap: skipping a ship on the Starting Line advances the lap marker. GL-M14.
        skipped_whirlpool_tolls: leaving a skipped whirlpool asks for the number or the Fish of the path. GL-M17.
        tridents_face_up: a trident lies face up on the receiver's board. GL-F9.
        laps_first: the race order compares laps before anything else. GL-E3.
        same_wedge: two ships on one wedge are ranked by the centre first, or by the clockwise way first. GL-E9.
        stops_at_line: who completes the last lap stops on or behind the line. GL-G5.
        landing_ends: landing on the line completes the last lap; otherwise only leaving it does. GL-G9.
        boost_on_last_dot: a Speed Boost reached with the last movement counts. GL-B12.
        every_boost_counts: all Speed Boosts of a move count, or the first only. GL-B13.
        bonuses_optional: a bonus may be declined. GL-B15.
        leaving_line_counts: sailing off the line counts a lap and brings its bonus once more. GL-L4.
        start_counts: sailing off the line at the start is the first lap. GL-L5.
        bust_dice_open_paths: dice lost by a bust still open the paths of a Charybdis. GL-V7.
        fleece_at_charybdis: the Golden Fleece doubles the number that opens the paths of a Charybdis. GL-V8.
        stopped_reveals: who was stopped by a Hydra reveals the Favors drawn before; otherwise on the next turn. GL-H7.
        hydra_dot_counts: the dots moved include that of the Hydra. GL-H11.
        skipped_dots_count: they include the dots of skipped ships. GL-H12.
        boosts_protect: each Speed Boost widens the protection by 3. GL-H13.
        protected_at_end: protection holds when the move ends on the Hydra. GL-H14.
        rerolls_close: the second die can be rolled again until the own roll is finished, or until all are. GL-P11.
    """

    difficult: bool = False
    rolling: Literal["together", "in turn"] = "together"
    stray_wake_bars: bool = True
    skipped_line_counts_lap: bool = True
    skipped_whirlpool_tolls: bool = False
    tridents_face_up: bool = True
    laps_first: bool = True
    same_wedge: Literal["centre", "clockwise"] = "centre"
    stops_at_line: bool = False
    landing_ends: bool = True
    boost_on_last_dot: bool = True
    every_boost_counts: bool = True
    bonuses_optional: bool = False
    leaving_line_counts: bool = False
    start_counts: bool = False
    bust_dice_open_paths: bool = False
    fleece_at_charybdis: bool = False
    stopped_reveals: bool = True
    hydra_dot_counts: bool = True
    skipped_dots_count: bool = False
    boosts_protect: bool = False
    protected_at_end: bool = True
    rerolls_close: Literal["finished", "all finished"] = "finished"

    @property
    def starting_fish(self) -> int:
        """Fish of each player at the start. GL-S16, GL-S17."""
        return DIFFICULT_FISH if self.difficult else STARTING_FISH


OPEN_CASES: dict[str, str] = {
    "stray_wake_bars": "GL-W12",
    "skipped_line_counts_lap": "GL-M14",
    "skipped_whirlpool_tolls": "GL-M17",
    "tridents_face_up": "GL-F9",
    "laps_first": "GL-E3",
    "same_wedge": "GL-E9",
    "stops_at_line": "GL-G5",
    "landing_ends": "GL-G9",
    "boost_on_last_dot": "GL-B12",
    "every_boost_counts": "GL-B13",
    "bonuses_optional": "GL-B15",
    "leaving_line_counts": "GL-L4",
    "start_counts": "GL-L5",
    "bust_dice_open_paths": "GL-V7",
    "fleece_at_charybdis": "GL-V8",
    "stopped_reveals": "GL-H7",
    "hydra_dot_counts": "GL-H11",
    "skipped_dots_count": "GL-H12",
    "boosts_protect": "GL-H13",
    "protected_at_end": "GL-H14",
    "rerolls_close": "GL-P11",
}
"""Which clause each option is a reading of; the rulebook leaves it open."""

ONLY_READING: dict[str, str] = {
    "GL-W10": "what a wedge covers cannot be seen, so it cannot be played",
    "GL-M15": "two ships would share a dot",
    "GL-M16": "ships on one dot could not be ranked",
    "GL-M18": "only another player's ship is printed as skipped",
    "GL-F16": "there is no card to draw",
    "GL-F17": "a card that could not break a rule would do nothing",
    "GL-F18": "the pack says when a card is used",
    "GL-E8": "ships on one path could not be ranked",
    "GL-G8": "ships on one path could not be ranked",
    "GL-B14": "there is no wedge to draw",
    "GL-Y7": "rolling comes before moving",
    "GL-H15": "declining protection gains nothing",
    "GL-D4": "there is only one other player",
}
"""Open cases that can only be played in one way, each with the reason why it has no option."""


def options_from(plain: dict[str, Any]) -> GreeceLightningOptions:
    """Read the options of a header; those not given have their default.

    Raises:
        BadHeader: an unknown option, or a value that it cannot have.
    """
    try:
        return from_plain(plain, GreeceLightningOptions, what="a set of Greece Lightning options")
    except UnreadableInput as error:
        known = ", ".join(GreeceLightningOptions.__struct_fields__)
        raise BadHeader(f"{error} Options are: {known}.") from error


def options_plain(options: GreeceLightningOptions) -> dict[str, Any]:
    """Every option with its value as plain data, defaults written out."""
    return dict(msgspec.structs.asdict(options))
