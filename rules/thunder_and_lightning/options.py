"""The options of a match: who plays whom, and how each open case of the rulebook is read."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from rules.errors import BadHeader, UnreadableInput
from rules.records import Record, from_plain
from rules.thunder_and_lightning.components import Role

__all__ = ["OPEN_CASES", "ThunderAndLightningOptions", "options_from", "options_plain"]


class ThunderAndLightningOptions(Record, frozen=True):
    """Every option with its default; the default of an open case is the reading recommended in its clause.

    Attributes:
        roles: whom seats 1 and 2 play. TL-S1.
        barred_challenge: a challenge by a card that may not challenge is "void" (both cards stay, face up), or the
            challenger counts as "beaten". TL-C24.
        empty_powers: a power may be played though it achieves nothing. TL-M7.
        leader_after_last_point: the leader may be played with no point left, until the turn is passed on. TL-L18.
        uncovered: a Berserker or Idunn that comes to light while the enemy shows one is "inert", or "works". TL-W8.
        gungnir_removes: the "enemy" leader, or the own one as the rulebook prints it ("loki"). TL-J4.
        weapon_target: a Shield Wall named by Mjölnir or Gungnir must lie "face up", or may be a "guess". TL-J7.
        recovered_shown: what Longships and Odin take back is shown. TL-U6, TL-O6.
        plain_hand_card: a hand card of strength 0 or 1 without symbol that Ravens hit: "discarded" or "kept". TL-R22.
        seer_symbol: a card with symbol and strength drawn by a Seer goes to the "row", or to the "hand". TL-A9.
        moved_cards_seen: who moves a face-down card with Baldr or Valkyries may look at it. TL-V12.
    """

    roles: tuple[Role, Role] = (Role.THOR, Role.LOKI)
    barred_challenge: Literal["void", "beaten"] = "void"
    empty_powers: bool = True
    leader_after_last_point: bool = True
    uncovered: Literal["inert", "works"] = "inert"
    gungnir_removes: Literal["enemy", "loki"] = "enemy"
    weapon_target: Literal["face up", "guess"] = "face up"
    recovered_shown: bool = True
    plain_hand_card: Literal["discarded", "kept"] = "discarded"
    seer_symbol: Literal["row", "hand"] = "row"
    moved_cards_seen: bool = False


OPEN_CASES: dict[str, str] = {
    "barred_challenge": "TL-C24",
    "empty_powers": "TL-M7",
    "leader_after_last_point": "TL-L18",
    "uncovered": "TL-W8",
    "gungnir_removes": "TL-J4",
    "weapon_target": "TL-J7",
    "recovered_shown": "TL-U6",
    "plain_hand_card": "TL-R22",
    "seer_symbol": "TL-A9",
    "moved_cards_seen": "TL-V12",
}
"""Which clause each option is a reading of; the rulebook leaves it open."""


def options_from(plain: dict[str, Any]) -> ThunderAndLightningOptions:
    """Read the options of a header; those not given have their default.

    Raises:
        BadHeader: an unknown option, a value that it cannot have, or two players in one role.
    """
    try:
        options = from_plain(plain, ThunderAndLightningOptions, what="a set of Thunder & Lightning options")
    except UnreadableInput as error:
        known = ", ".join(ThunderAndLightningOptions.__struct_fields__)
        raise BadHeader(f"{error} Options are: {known}.") from error
    if options.roles[0] is options.roles[1]:
        raise BadHeader(
            f"Both players are {options.roles[0].value}; one must be thor and one loki.", clauses=("TL-S1",)
        )
    return options


def options_plain(options: ThunderAndLightningOptions) -> dict[str, Any]:
    """Every option with its value as plain data, defaults written out."""
    plain: dict[str, Any] = msgspec.to_builtins(options)
    return {name: plain.get(name, msgspec.to_builtins(getattr(options, name))) for name in options.__struct_fields__}
