"""Thunder & Lightning as one of the games."""

from __future__ import annotations

from typing import Any

from rules.events import Decision
from rules.game import Game, HeaderMaker
from rules.thunder_and_lightning.components import SEATS, Role
from rules.thunder_and_lightning.events import (
    Challenge,
    Conduct,
    Count,
    Deal,
    Decide,
    Draw,
    Drawn,
    EndTurn,
    Figure,
    Hit,
    Lay,
    Lead,
    Place,
    Play,
    Replace,
    ShowHand,
    ShuffleBack,
    Shuffled,
    Stack,
    Stop,
    Stuck,
    Take,
    Top,
    Treasure,
    TurnUp,
    Vouch,
)
from rules.thunder_and_lightning.options import options_from, options_plain
from rules.thunder_and_lightning.pack import check_pack, default_pack, pack_template
from rules.thunder_and_lightning.referee import ThunderAndLightningReferee

__all__ = ["GAME", "REFEREE"]

REFEREE = ThunderAndLightningReferee()


def examples() -> tuple[Any, ...]:
    """One example of each event."""
    return (
        Shuffled(1),
        Deal(1, 9, deck=41),
        Treasure(1, "thor-ring"),
        Replace(1),
        ShuffleBack(1),
        Draw(2),
        Lay(2, 1, 2, back=Role.LOKI),
        Lead(1, 3),
        Challenge(1, 2),
        Play(1, "thor-valkyries", at=(2, 1, 2), to=(2, 3, 1)),
        TurnUp((2, 2, 1), "loki-viking-warriors"),
        ShowHand(2, ("loki-frigg", "loki-hel")),
        Hit(2, "loki-seer"),
        Drawn(2, "loki-ravens"),
        Place(1, 3),
        Stop(1),
        Take(1, ("thor-viking-warriors", "thor-female-archer")),
        Stack(2, ("loki-nightmare", "loki-idunn")),
        EndTurn(1),
        Stuck(2),
        Top(1, "thor-hel"),
        Count(2, "hand", 6),
        Figure(1),
        Conduct(2, "looks-own"),
        Decide(57, Decision.UPHOLD, reason="hand seen"),
        Vouch(2, "loki-ravens", reason="a replacement card"),
    )


GAME = Game(
    name=REFEREE.game,
    title="Thunder & Lightning",
    package="rules.thunder_and_lightning",
    referees=(REFEREE,),
    default_pack=default_pack,
    check_pack=check_pack,
    pack_template=pack_template,
    new_header=HeaderMaker(REFEREE, lambda given: options_plain(options_from(given)), default_pack),
    examples=examples,
    seats=SEATS,
    remarks=lambda header: (),
)
"""Thunder & Lightning."""
