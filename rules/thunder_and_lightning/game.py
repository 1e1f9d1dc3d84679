"""Thunder & Lightning as one of the games."""

from __future__ import annotations

from typing import Any

from rules.events import Decision
from rules.game import Game, HeaderMaker
from rules.thunder_and_lightning import events
from rules.thunder_and_lightning.components import SEATS, Role
from rules.thunder_and_lightning.options import options_from, options_plain
from rules.thunder_and_lightning.pack import check_pack, default_pack, pack_template
from rules.thunder_and_lightning.referee import ThunderAndLightningReferee

__all__ = ["GAME", "REFEREE"]

REFEREE = ThunderAndLightningReferee()


def examples() -> tuple[Any, ...]:
    """One example of each event."""
    return (
        events.Shuffled(1),
        events.Deal(1, 9, deck=41),
        events.Treasure(1, "thor-ring"),
        events.Replace(1),
        events.ShuffleBack(1),
        events.Draw(2),
        events.Lay(2, 1, 2, back=Role.LOKI),
        events.Lead(1, 3),
        events.Challenge(1, 2),
        events.Play(1, "thor-valkyries", at=(2, 1, 2), to=(2, 3, 1)),
        events.TurnUp((2, 2, 1), "loki-viking-warriors"),
        events.ShowHand(2, ("loki-frigg", "loki-hel")),
        events.Hit(2, "loki-seer"),
        events.Drawn(2, "loki-ravens"),
        events.Place(1, 3),
        events.Stop(1),
        events.Take(1, ("thor-viking-warriors", "thor-female-archer")),
        events.Stack(2, ("loki-nightmare", "loki-idunn")),
        events.EndTurn(1),
        events.Stuck(2),
        events.Top(1, "thor-hel"),
        events.Count(2, "hand", 6),
        events.Figure(1),
        events.Conduct(2, "looks-own"),
        events.Decide(57, Decision.UPHOLD, reason="hand seen"),
        events.Vouch(2, "loki-ravens", reason="a replacement card"),
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
