"""The options of a match: how it is played, and how each open case of the rulebook is read."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from rules.errors import BadHeader, UnreadableInput
from rules.records import Record, from_plain

__all__ = ["OPEN_CASES", "LightningDiceOptions", "options_from", "options_plain"]


class LightningDiceOptions(Record, frozen=True):
    """Every option with its default; the default of an open case is the reading recommended in its clause.

    Attributes:
        mode: standard game, quick game, tournament play, or the tournament rules asked for on the quick game.
        target: points that win. LD-I3.
        tie_ms: calls this close to the first of a group cannot be separated. LD-S40.
        settle_ms: dice that come to rest this soon after a press lay at the press, for readings that date rest late.
            LD-S43.
        handicaps: player numbers that may use a dice tower, registered before play. LD-T13.
        surplus_dice: dice beyond an exact goal may show anything ("ignored"), or no number of the goal ("none"). LD-S6.
        fresh_roll: every card starts with a throw of all six dice. LD-S4.
        false_call_locks_out: after a false "Got it!" a seat may not claim the same card. LD-S12.
        scores_below_start: a score may fall below 0. LD-S13.
        wrong_number_forgiven: "Bonus" with a wrong number counts when the dice show the own one. LD-S16.
        exact_finish: a gain that would pass the target is not given. LD-S33.
        bonus_may_win: a Bonus may bring the last point. LD-S34.
        bonus_once_per_card: LD-S35.
        thunder_once_per_card: on each victim. LD-S36.
        thunder_on_start_counts: a Thunder on a seat with no points is valid without effect. LD-S37.
        one_call_per_throw: dice used for a Bonus or Thunder cannot be called as a match too. LD-S38.
        wrong_bonus_or_thunder_costs: points. LD-S39.
        tied_calls: without a judge nobody is paid, or each. LD-S40.
        mixed_calls: calls of different kinds count in the order made, or a match before the others. LD-S41.
        late_call_costs: a "Got it!" between cards with dice that do not match the last one costs 2. LD-S42.
        missing_evidence: a call on dice that were not read is "unproven" or "false". LD-S44.
        supply_empty: used cards are shuffled again, or the match ends and most points win. LD-S45.
        quick_tie: equal piles share the win, or play on for it. LD-Q11.
        quick_false_call_costs_card: LD-Q12.
        quick_bonus_and_thunder: they exist in the quick game, and their points add to the pile. LD-Q13.
        breach_remedy: a breach has its dice thrown again, or is only recorded. LD-J9.
        tournament_on: what the tournament rules are added to; "standard" plays a "quick-tournament" for points too,
            with a remark (see `remarks`). LD-J10.
        rule_6_beats_rule_1: the free hand may block or confine moving dice. LD-T14.
        camera_infractions: the camera lays before the judge what looks like a breach; the judge still watches. LD-J7.
    """

    mode: Literal["standard", "quick", "tournament", "quick-tournament"] = "standard"
    target: int = 20
    tie_ms: int = 10
    settle_ms: int = 0
    handicaps: tuple[int, ...] = ()
    surplus_dice: Literal["ignored", "none"] = "ignored"
    fresh_roll: bool = True
    false_call_locks_out: bool = False
    scores_below_start: bool = False
    wrong_number_forgiven: bool = True
    exact_finish: bool = False
    bonus_may_win: bool = True
    bonus_once_per_card: bool = False
    thunder_once_per_card: bool = False
    thunder_on_start_counts: bool = True
    one_call_per_throw: bool = True
    wrong_bonus_or_thunder_costs: int = 0
    tied_calls: Literal["nobody", "each"] = "nobody"
    mixed_calls: Literal["in order", "match first"] = "in order"
    late_call_costs: bool = False
    missing_evidence: Literal["unproven", "false"] = "unproven"
    supply_empty: Literal["reshuffle", "end"] = "reshuffle"
    quick_tie: Literal["shared", "sudden death"] = "shared"
    quick_false_call_costs_card: bool = False
    quick_bonus_and_thunder: bool = False
    breach_remedy: Literal["re-roll", "record"] = "re-roll"
    tournament_on: Literal["standard", "quick"] = "standard"
    rule_6_beats_rule_1: bool = True
    camera_infractions: bool = True

    @property
    def tournament(self) -> bool:
        """True when the tournament rules are in play."""
        return self.mode in ("tournament", "quick-tournament")

    @property
    def quick(self) -> bool:
        """True when cards are collected instead of points. LD-Q1, LD-J10."""
        return self.mode == "quick" or (self.tournament and self.tournament_on == "quick")

    @property
    def remarks(self) -> tuple[str, ...]:
        """Codes of what people should hear before the first event: asked for, and played otherwise. LD-J10."""
        return ("remark.ld.standard-scoring",) if self.mode == "quick-tournament" and not self.quick else ()

    @property
    def sixes(self) -> bool:
        """True when Bonus and Thunder exist. LD-Q13."""
        return not self.quick or self.quick_bonus_and_thunder

    @property
    def least(self) -> int | None:
        """The lowest possible score; None = no limit. LD-S13."""
        return None if self.scores_below_start else 0


OPEN_CASES: dict[str, str] = {
    "surplus_dice": "LD-S6",
    "fresh_roll": "LD-S4",
    "false_call_locks_out": "LD-S12",
    "scores_below_start": "LD-S13",
    "wrong_number_forgiven": "LD-S16",
    "exact_finish": "LD-S33",
    "bonus_may_win": "LD-S34",
    "bonus_once_per_card": "LD-S35",
    "thunder_once_per_card": "LD-S36",
    "thunder_on_start_counts": "LD-S37",
    "one_call_per_throw": "LD-S38",
    "wrong_bonus_or_thunder_costs": "LD-S39",
    "tie_ms": "LD-S40",
    "tied_calls": "LD-S40",
    "mixed_calls": "LD-S41",
    "late_call_costs": "LD-S42",
    "settle_ms": "LD-S43",
    "missing_evidence": "LD-S44",
    "supply_empty": "LD-S45",
    "quick_tie": "LD-Q11",
    "quick_false_call_costs_card": "LD-Q12",
    "quick_bonus_and_thunder": "LD-Q13",
    "breach_remedy": "LD-J9",
    "tournament_on": "LD-J10",
    "rule_6_beats_rule_1": "LD-T14",
}
"""Which clause each option is a reading of; the rulebook leaves it open."""

_RANGES = {"target": (1, 1000), "tie_ms": (0, 1000), "settle_ms": (0, 5000), "wrong_bonus_or_thunder_costs": (0, 2)}


def options_from(plain: dict[str, Any]) -> LightningDiceOptions:
    """Read the options of a header; those not given have their default.

    Raises:
        BadHeader: an unknown option, or a value that it cannot have.
    """
    try:
        options = from_plain(plain, LightningDiceOptions, what="a set of Lightning Dice options")
    except UnreadableInput as error:
        known = ", ".join(LightningDiceOptions.__struct_fields__)
        raise BadHeader(f"{error} Options are: {known}.") from error
    for name, (least, most) in _RANGES.items():
        value = getattr(options, name)
        if not least <= value <= most:
            raise BadHeader(f"Option {name} is {value}; expected {least} to {most}.")
    return options


def options_plain(options: LightningDiceOptions) -> dict[str, Any]:
    """Every option with its value as plain data, defaults written out."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in msgspec.structs.asdict(options).items()
    }
