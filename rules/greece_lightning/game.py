"""Greece Lightning as one of the games."""

from __future__ import annotations

from typing import Any

from rules.game import Game, HeaderMaker
from rules.greece_lightning.check import check_pack
from rules.greece_lightning.components import SEATS
from rules.greece_lightning.course import Spot
from rules.greece_lightning.events import (
    Circle,
    Conduct,
    Count,
    Deal,
    Dice,
    Discard,
    DrawWedge,
    EndMove,
    Feed,
    Fight,
    FinishRoll,
    Fleece,
    Give,
    LapBoard,
    LapMarker,
    Launch,
    Movement,
    Navigation,
    PlaceWedge,
    PutShip,
    Ready,
    Reroll,
    Reveal,
    Shuffled,
    Stack,
    Starters,
    Step,
    Total,
    Use,
    Wake,
)
from rules.greece_lightning.options import options_from, options_plain
from rules.greece_lightning.pack import default_pack
from rules.greece_lightning.referee import GreeceLightningReferee
from rules.greece_lightning.template import pack_template

__all__ = ["GAME", "REFEREE"]

REFEREE = GreeceLightningReferee()


def examples() -> tuple[Any, ...]:
    """One example of each event."""
    return (
        Circle(("owl-1", "owl-2", "owl-3"), 7),
        Shuffled("wedges"),
        Stack("wedges", count=16),
        Ready(1, board="red"),
        LapBoard(),
        Starters(("demeter", "apollo", "hephaestus", "janus")),
        Deal(1, "janus"),
        Launch(1, "a1"),
        Navigation(1, 3),
        Movement(1, (4,)),
        Reroll(1, "second"),
        FinishRoll(1),
        Total(1, 7),
        PlaceWedge(1, "current-1", 4),
        Step(1, Spot(8, "a1")),
        DrawWedge(1, "current-2"),
        Feed(1),
        Fight(1),
        EndMove(1),
        Reveal(1, "zeus"),
        Give(1, 2),
        Discard(2, "apollo"),
        Use(1, "poseidon"),
        Dice(1, 3, (4,)),
        Wake(1, Spot(8, "a1")),
        LapMarker(1, 1),
        Fleece(2),
        Count("fish", 2, 1),
        PutShip(1, Spot(9, "a1"), "a card says so"),
        Conduct(1, "looks-at-favor"),
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
