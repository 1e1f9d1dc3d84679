"""What the program must know of a game beside its referee."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.header import Header, Seat
from rules.packs import Finding
from rules.referee import Referee

__all__ = ["Game", "HeaderMaker"]


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


@dataclass(frozen=True, slots=True)
class HeaderMaker:
    """Makes complete headers of a game: every option written out, the shipped pack when none is given.

    Attributes:
        referee: the newest version of its rules.
        complete_options: the options given, checked, with every other one at its default.
        default_pack: the shipped pack.
    """

    referee: Referee[Any]
    complete_options: Callable[[dict[str, Any]], dict[str, Any]]
    default_pack: Callable[[], dict[str, Any]]

    def __call__(
        self,
        match: str,
        seats: Sequence[Seat],
        options: Mapping[str, Any] | None = None,
        pack: Mapping[str, Any] | None = None,
        judge: str | None = None,
        wall: str | None = None,
    ) -> Header:
        """A header that a match can begin with.

        Raises:
            BadHeader: seats, options, judge or pack break a rule of set-up.
        """
        header = Header(
            game=self.referee.game,
            rules_version=self.referee.rules_version,
            match=match,
            seats=tuple(seats),
            options=self.complete_options(dict(options or {})),
            pack=dict(pack) if pack is not None else self.default_pack(),
            judge=judge,
            wall=wall,
        )
        self.referee.start(header)
        return header
