"""Lightning Dice as one of the games."""

from __future__ import annotations

from typing import Any

from rules.events import Decision
from rules.game import Game, HeaderMaker
from rules.lightning_dice import events
from rules.lightning_dice.components import SEATS
from rules.lightning_dice.options import options_from, options_plain
from rules.lightning_dice.pack import check_pack, default_pack, pack_template
from rules.lightning_dice.referee import LightningDiceReferee

__all__ = ["GAME", "REFEREE"]

REFEREE = LightningDiceReferee()


def examples() -> tuple[Any, ...]:
    """One example of each event."""
    return (
        events.Shuffled(),
        events.Stack("side"),
        events.Ready(1, colours=("red",)),
        events.Flip("g01", seat=1),
        events.Moving(1, (0, 1, 2, 3, 4, 5), since_ns=1_000_000_000),
        events.Roll(1, (1, 1, 2, 2, 3, 3), thrown=(0, 1, 2, 3, 4, 5), settled_ns=2_000_000_000),
        events.Calls((events.Press(1, events.Call.GOT_IT, edge_ns=2_500_000_000, kernel_timed=True),)),
        events.Decide(7, Decision.UPHOLD, reason="six dice seen"),
        events.Breach(2, 3, dice=(4,), detail="set back"),
        events.Pawn(1, 2),
        events.Reshuffled(),
    )


GAME = Game(
    name=REFEREE.game,
    title="Lightning Dice",
    package="rules.lightning_dice",
    referees=(REFEREE,),
    default_pack=default_pack,
    check_pack=check_pack,
    pack_template=pack_template,
    new_header=HeaderMaker(REFEREE, lambda given: options_plain(options_from(given)), default_pack),
    examples=examples,
    seats=SEATS,
    remarks=lambda header: options_from(header.options).remarks,
)
