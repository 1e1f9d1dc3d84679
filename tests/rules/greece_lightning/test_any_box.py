"""Races with boxes that nobody printed, and people who now and then do something else than what comes next."""

from __future__ import annotations

import os
import random
from typing import Any

import msgspec
import pytest

from rules.events import Event, Source, Submission
from rules.greece_lightning import events
from rules.greece_lightning.game import GAME, REFEREE
from rules.greece_lightning.options import OPEN_CASES, GreeceLightningOptions
from rules.greece_lightning.state import GreeceLightningState
from rules.referee import Option
from rules.rulings import Verdict
from tests.rules.greece_lightning.any_box import any_box
from tests.rules.greece_lightning.players import Table
from tests.rules.greece_lightning.script import seats
from tests.rules.greece_lightning.watch import MOST_EVENTS, Watch

BOXES = int(os.environ.get("GREECE_LIGHTNING_BOXES", "16"))
"""Boxes to race with; 2,000 were raced with for a release."""
BATCHES = max(4, BOXES // 50)
"""Each in a test of its own, none of which may take minutes."""
ASIDE = 0.1
"""How often somebody does anything that is offered instead of what comes next, in every second race."""

LOOKS = (events.Dice, events.Total, events.Wake, events.LapMarker, events.Fleece, events.Count, events.Conduct)
"""What brings nobody further."""


def any_options(chance: random.Random) -> dict[str, Any]:
    """Open cases read by chance, those with more than two readings or an endless race as they are."""
    plain = GreeceLightningOptions()
    turned = (name for name in OPEN_CASES if isinstance(getattr(plain, name), bool) and name != "laps_first")
    return {name: not getattr(plain, name) for name in turned if chance.random() < 0.3}


def filled(state: GreeceLightningState, option: Option, chance: random.Random) -> Event:
    """An option with its free fields filled by chance."""
    fields: dict[str, Any] = {}
    for name, domain in option.free.items():
        if domain.values and domain.each:
            fields[name] = tuple(chance.choice(domain.values) for _ in range(domain.count or 1))
        elif domain.values:
            fields[name] = chance.choice(domain.values)
        elif isinstance(option.event, events.PutShip) and name == "spot":
            taken = state.occupied(option.event.seat)
            fields[name] = chance.choice([spot for spot in state.course.spots if spot not in taken])
    event: Event = msgspec.structs.replace(option.event, **fields)
    return event


def raced(seed: int) -> None:
    chance = random.Random(seed)
    header = GAME.new_header("any", seats(2 + seed % 3), any_options(chance), any_box(chance))
    state = REFEREE.start(header)
    table, watch = Table(state, seed), Watch(state)
    aside = ASIDE if seed % 2 else 0
    for seq in range(1, MOST_EVENTS):
        event = table.next(state)
        if state.phase != "setup" and chance.random() < aside:
            offered = REFEREE.options(state)
            assert any(not isinstance(option.event, (*LOOKS, events.PutShip)) for option in offered), "nobody can go on"
            other = filled(state, chance.choice(offered), chance)
            if not isinstance(other, events.Reveal | events.DrawWedge):  # what lies hidden is not chosen
                event = other
        assert REFEREE.permits(state, event), (seed, event)
        outcome = REFEREE.judge(state, Submission(event, Source.JUDGE), seq)
        told = {ruling.verdict for ruling in outcome.rulings}
        assert told <= {Verdict.ACCEPTED, Verdict.INFRACTION}, (seed, event, outcome.rulings)
        table.follow(event, state, outcome.state)
        if not aside:
            watch.note(event, state, outcome.state, outcome.rulings)
        watch.table(outcome.state)
        state = outcome.state
        if state.phase == "over":
            return
    raise AssertionError(f"race {seed} did not end")


@pytest.mark.parametrize("batch", range(BATCHES))
def test_races_with_any_box_end_and_nobody_is_ever_stuck(batch: int) -> None:
    for seed in range(batch, BOXES, BATCHES):
        raced(seed)
