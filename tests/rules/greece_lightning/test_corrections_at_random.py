"""Corrections in any order leave a possible table, and the record played again gives the same."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from rules.events import Adjust, Amend, Decision, Event, Overrule, Source, Submission, Undo
from rules.greece_lightning.corrections import FINDINGS
from rules.greece_lightning.course import Spot
from rules.greece_lightning.events import PutShip
from rules.greece_lightning.game import REFEREE
from rules.match import Match
from rules.records import canonical
from tests.rules.greece_lightning.players import Table
from tests.rules.greece_lightning.script import Board


def _correction(made: Board, chance: random.Random) -> Event:
    seq, seat = made.match.seq, chance.choice(made.state.given.numbers)
    luck = chance.random()
    if luck < 0.25:
        return Undo(chance.randint(max(0, seq - 4), seq), "slip")
    if luck < 0.5:
        target = chance.randint(max(1, seq - 8), seq)
        event = made.match.entries[target - 1].filed.event
        return Amend(target, _changed(event, chance), "misread")
    if luck < 0.75:
        what = chance.choice(("fish", "laps", "movement"))
        return Adjust(seat, what, chance.randint(-1, 4), "counted")
    if luck < 0.85:
        return PutShip(seat, Spot(chance.randint(1, 12), chance.choice("abcd")), "pushed")
    found = [
        (entry.seq, number)
        for entry in made.match.entries
        for number, ruling in enumerate(entry.rulings)
        if ruling.code in FINDINGS
    ]
    target, number = chance.choice(found or [(max(1, seq), 0)])
    return Overrule(target, chance.choice(list(Decision)), "looked again", number)


def _changed(event: Event, chance: random.Random) -> dict[str, Any]:
    """The same event with one number in it changed."""
    plain: dict[str, Any] = msgspec.to_builtins(event)
    numbers = [name for name, value in plain.items() if isinstance(value, int) and not isinstance(value, bool)]
    if numbers:
        plain[chance.choice(numbers)] = chance.randint(1, 3)
    elif "faces" in plain:
        plain["faces"] = [chance.randint(1, 6)]
    return plain


def _next(made: Board, chance: random.Random) -> Event:
    """Anything that may be done now, sensible or not."""
    offered = [option for option in made.match.options() if option.people or chance.random() < 0.5]
    option = chance.choice(offered or list(made.match.options()))
    filled: dict[str, Any] = {}
    for name, domain in option.free.items():
        if domain.values:
            filled[name] = (
                tuple(chance.choice(domain.values) for _ in range(domain.count or 1))
                if domain.each
                else chance.choice(domain.values)
            )
    event: Event = msgspec.structs.replace(option.event, **filled)
    return event


@pytest.mark.parametrize("seed", range(10))
def test_corrections_at_random_leave_a_possible_table_and_replay(seed: int) -> None:
    chance = random.Random(seed)
    made = Board(2 + seed % 3, landing_ends=bool(seed % 2), stops_at_line=seed % 4 == 0)
    table = Table(made.state, seed)
    while made.state.phase == "setup":
        made.submit(table.next(made.state))
    codes = set()
    for _ in range(110):
        event = _correction(made, chance) if chance.random() < 0.2 else _next(made, chance)
        codes |= {ruling.code for ruling in made.submit(event)}
    assert {"core.undone", "gl.adjusted"} <= codes
    again = Match(REFEREE, made.match.header)
    for entry in made.match.entries:
        read = REFEREE.read_entry(canonical(entry))
        assert canonical(read) == canonical(entry)
        assert canonical(again.submit(read.filed)) == canonical(entry)
    assert again.state == made.state


@pytest.mark.parametrize("seed", range(4))
def test_undo_to_the_start_and_forward_again(seed: int) -> None:
    chance = random.Random(seed)
    made = Board(3)
    table = Table(made.state, seed)
    states = [made.state]
    for _ in range(120):
        event = table.next(made.state)
        before = made.state
        made.submit(event)
        table.follow(event, before, made.state)
        states.append(made.state)
    for back_to in (0, len(states) - 1, chance.randrange(len(states)), 3):
        made.match.submit(Submission(Undo(back_to, "again"), Source.JUDGE))
        assert made.state == states[back_to]
