"""What the program must know of a game beside its referee."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rules.header import Header
from rules.packs import Finding
from rules.referee import Referee

__all__ = ["Game"]


@dataclass(frozen=True, slots=True)
class Game:
    """One of the games.

    Attributes:
        name: on the command line and in headers ("lightning-dice").
        title: as printed on the box.
        package: where its clauses and packs lie ("rules.lightning_dice").
        referees: every version of its rules that still replays, newest last.
        default_pack: the shipped pack as plain data.
        check_pack: findings about a pack given as plain data.
        pack_template: text of a pack file to fill in.
        new_header: a complete header from (match identity, seats, options given, pack, judge, wall label).
        examples: one example of each event, as records, for the printed schema.
        seats: smallest and largest number of players.
        remarks: codes of what people should hear about the options of a header before the first event.
    """

    name: str
    title: str
    package: str
    referees: tuple[Referee[Any], ...]
    default_pack: Callable[[], dict[str, Any]]
    check_pack: Callable[[dict[str, Any]], tuple[Finding, ...]]
    pack_template: Callable[[], str]
    new_header: Callable[..., Header]
    examples: Callable[[], tuple[Any, ...]]
    seats: tuple[int, int]
    remarks: Callable[[Header], tuple[str, ...]]
