"""Greece Lightning as one of the games."""

from __future__ import annotations

from typing import Any

from rules.game import Game, HeaderMaker
from rules.greece_lightning import events
from rules.greece_lightning.check import check_pack
from rules.greece_lightning.components import SEATS
from rules.greece_lightning.course import Spot
from rules.greece_lightning.options import options_from, options_plain
from rules.greece_lightning.pack import default_pack
from rules.greece_lightning.referee import GreeceLightningReferee
from rules.greece_lightning.template import pack_template

__all__ = ["GAME", "REFEREE"]

REFEREE = GreeceLightningReferee()


def examples() -> tuple[Any, ...]:
    """One example of each event."""
    return (
        events.Circle(("owl-1", "owl-2", "owl-3"), 7),
        events.Shuffled("wedges"),
        events.Stack("wedges", count=16),
        events.Ready(1, board="red"),
        events.LapBoard(),
        events.Starters(("demeter", "apollo", "hephaestus", "janus")),
        events.Deal(1, "janus"),
        events.Launch(1, "a1"),
        events.Navigation(1, 3),
        events.Movement(1, (4,)),
        events.Reroll(1, "second"),
        events.FinishRoll(1),
        events.Total(1, 7),
        events.PlaceWedge(1, "current-1", 4),
        events.Step(1, Spot(8, "a1")),
        events.DrawWedge(1, "current-2"),
        events.Feed(1),
        events.Fight(1),
        events.EndMove(1),
        events.Reveal(1, "zeus"),
        events.Give(1, 2),
        events.Discard(2, "apollo"),
        events.Use(1, "poseidon"),
        events.Dice(1, 3, (4,)),
        events.Wake(1, Spot(8, "a1")),
        events.LapMarker(1, 1),
        events.Fleece(2),
        events.Count("fish", 2, 1),
        events.PutShip(1, Spot(9, "a1"), "a card says so"),
        events.Conduct(1, "looks-at-favor"),
    )


GAME = Game(
    name=REFEREE.game,
    title="Greece Lightning",
    package="rules.greece_lightning",
    referees=(REFEREE,),
    default_pack=default_pack,
    check_pack=check_pack,
    pack_template=pack_template,
    new_header=HeaderMaker(REFEREE, lambda given: options_plain(options_from(given)), default_pack),
    examples=examples,
    seats=SEATS,
    remarks=lambda header: (),
)
"""Greece Lightning."""
