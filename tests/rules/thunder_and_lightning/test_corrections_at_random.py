"""Corrections in any order: what answers a position that is gone, and a table that stays possible and replays."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from rules.events import Adjust, Amend, Decision, Event, Overrule, Submission, Undo
from rules.log import log_lines, replay
from rules.thunder_and_lightning.components import Role
from rules.thunder_and_lightning.corrections import FINDINGS
from rules.thunder_and_lightning.events import (
    Challenge,
    Conduct,
    Count,
    Draw,
    EndTurn,
    Lay,
    TurnUp,
    Vouch,
)
from tests.rules.thunder_and_lightning.rows import run
from tests.rules.thunder_and_lightning.script import LOKI, THOR, Board, board, playing


def plain(event: Event) -> dict[str, Any]:
    written: dict[str, Any] = msgspec.to_builtins(event)
    return written


# --- events that answer a position that is gone

STALE = [
    pytest.param(Draw(THOR), "draw", True, id="a point was used"),
    pytest.param(Draw(THOR), "conduct L looks-own", False, id="nothing of the game happened"),
    pytest.param(Draw(THOR), "challenge 1", True, id="cards are to be turned up"),
    pytest.param(TurnUp((THOR, 1, 1), "thor-tyr"), "challenge 1; up L11 hel", True, id="another challenge than seen"),
    pytest.param(Count(THOR, "hand", 6), "draw", True, id="the hand counted has grown"),
    pytest.param(Count(LOKI, "hand", 6), "conduct L looks-own", False, id="the hand counted is the same"),
    pytest.param(Conduct(LOKI, "peeks-field"), "draw", False, id="conduct answers no position"),
    pytest.param(Adjust(THOR, "hand", 7, "counted"), "draw", True, id="the count set has changed"),
]


@pytest.mark.parametrize(("event", "meanwhile", "stale"), STALE)
def test_an_event_that_answers_a_gone_position_is_stale(event: Event, meanwhile: str, stale: bool) -> None:
    made = board()
    made.accept(Conduct(THOR, "looks-own"))
    seen = made.match.seq
    run(made, meanwhile)
    entry = made.match.submit(Submission(event, answers=seen))
    assert (entry.rulings[0].code == "core.stale") is stale


def _chance(made: Board, chance: random.Random) -> Event:
    """A sensible or foolish event of the game: most are refused, some are not."""
    state, seat = made.state, chance.choice((THOR, LOKI))
    if state.turn is not None and chance.random() < 0.9:
        seat = state.turn.seat
    if state.waiting and chance.random() < 0.9:
        tokens = [*state.waiting[0].tokens, state.waiting[0].token]
        spots = [spot for token in tokens if token is not None and (spot := state.spot_of(token))]
        if spots:
            spot = chance.choice(spots)
            role = Role.THOR if spot[0] == THOR else Role.LOKI
            return TurnUp(spot, chance.choice([card.id for card in state.given.cards.values() if card.deck is role]))
    column = chance.randint(1, 3)
    return chance.choice(
        (
            Draw(seat),
            Lay(seat, column, chance.randint(1, 3)),
            Challenge(seat, column),
            Challenge(seat, column),
            EndTurn(seat),
            Conduct(seat, chance.choice(("turns-down", "looks-own"))),
            Count(seat, chance.choice(("hand", "deck", "pile")), chance.randint(0, 12)),
        )
    )


def _finding(made: Board, chance: random.Random) -> tuple[int, Decision, str, int]:
    """A finding of the record, or any other ruling."""
    found = [
        (entry.seq, number)
        for entry in made.match.entries
        for number, ruling in enumerate(entry.rulings)
        if ruling.code in FINDINGS or chance.random() < 0.01
    ]
    target, number = chance.choice(found or [(1, 0)])
    return target, chance.choice(list(Decision)), "looked again", number


@pytest.mark.parametrize("seed", range(16))
def test_corrections_at_random_leave_a_possible_table_and_replay(seed: int) -> None:
    chance = random.Random(seed)
    made = playing(past_first_turns=True, barred_challenge=("void", "beaten")[seed % 2])
    codes = set()
    for _ in range(120):
        seq, luck = made.match.seq, chance.random()
        event: Event
        if luck < 0.06:
            event = Overrule(*_finding(made, chance))
        elif luck < 0.1:
            event = Adjust(chance.choice((THOR, LOKI)), chance.choice(("hand", "points")), chance.randint(-1, 13), "so")
        elif luck < 0.13:
            event = Undo(chance.randint(max(0, seq - 4), seq), "slip")
        elif luck < 0.17:
            event = Amend(chance.randint(max(1, seq - 6), seq), plain(_chance(made, chance)), "misread")
        elif luck < 0.2:
            event = Vouch(chance.choice((THOR, LOKI)), "thor-tyr", "looked again")
        else:
            event = _chance(made, chance)
        codes |= {ruling.code for ruling in made.submit(event)}
    assert {"core.undone", "tl.adjusted"} & codes
    assert replay(list(log_lines(made.match))).match.state == made.state
