"""Laws that hold in every race, tried on many random ones."""

from __future__ import annotations

import os
import random
from collections import Counter
from functools import cache
from typing import Any

import msgspec
import pytest

from rules import games
from rules.events import Source, Submission
from rules.greece_lightning.events import GreeceLightningEvent
from rules.greece_lightning.game import GAME, REFEREE
from rules.greece_lightning.pack import default_pack
from rules.greece_lightning.state import GreeceLightningState
from rules.log import log_lines, replay
from rules.match import Match
from rules.records import canonical
from rules.rulings import Verdict
from tests.rules.greece_lightning.players import Table, random_event
from tests.rules.greece_lightning.script import seats
from tests.rules.greece_lightning.watch import MOST_EVENTS, Watch

GAMES = int(os.environ.get("GREECE_LIGHTNING_GAMES", "60"))
"""Random games to the end; 10,000 were played for a release."""
BATCHES = max(12, GAMES // 100)
"""Each in a test of its own, none of which may take minutes."""

READINGS: tuple[dict[str, Any], ...] = (
    {},
    {"difficult": True, "rolling": "in turn"},
    {"skipped_whirlpool_tolls": True, "fleece_at_charybdis": True, "bust_dice_open_paths": True},
    {"stops_at_line": True, "same_wedge": "clockwise", "stopped_reveals": False},
    {"landing_ends": False, "boost_on_last_dot": False, "every_boost_counts": False, "skipped_line_counts_lap": False},
    {"hydra_dot_counts": False, "skipped_dots_count": True, "boosts_protect": True, "protected_at_end": False},
    {"laps_first": False, "rerolls_close": "all finished", "bonuses_optional": True},
)
"""Options of the matches, one after the other; every second match has none."""


@cache
def start(players: int, reading: int, judge: str | None = None) -> GreeceLightningState:
    return REFEREE.start(GAME.new_header("random", seats(players), READINGS[reading], default_pack(), judge))


def begun(seed: int) -> tuple[GreeceLightningState, Table]:
    reading = seed // 2 % len(READINGS) if seed % 2 else 0
    state = start(2 + seed % 3, reading, "Eve" if seed % 4 == 3 else None)
    return state, Table(state, seed)


def played(seed: int) -> tuple[GreeceLightningState, Watch]:
    """A race to its end; after every event the whole table is looked at."""
    state, table = begun(seed)
    watch = Watch(state)
    for seq in range(1, MOST_EVENTS):
        event = table.next(state)
        outcome = REFEREE.judge(state, Submission(event), seq)
        assert all(ruling.verdict is Verdict.ACCEPTED for ruling in outcome.rulings), (
            seed,
            seq,
            event,
            outcome.rulings,
        )
        table.follow(event, state, outcome.state)
        watch.note(event, state, outcome.state, outcome.rulings)
        watch.seen[type(event).__name__] += 1
        state = outcome.state
        watch.table(state)
        if state.phase == "over":
            watch.end(state)
            return state, watch
    raise AssertionError(f"game {seed} did not end")


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_games_end_by_the_rules(batch: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(batch, GAMES, BATCHES):
        state, watch = played(seed)
        result = REFEREE.result(state)
        assert result is not None
        assert result.winners == state.winners
        seen += watch.seen
    assert seen["gl.line"] > 0


def test_everything_that_can_happen_comes_up_in_random_play() -> None:
    came: set[str] = set()
    for seed in range(30):
        came |= set(played(seed)[1].seen)
    rare = {"Fight"}  # only who has no Fish and a card that could help, and does not use it
    observed = {"Dice", "Total", "Wake", "LapMarker", "Fleece", "Count", "Conduct", "PutShip"}
    assert {each.__name__ for each in GreeceLightningEvent.__args__} - observed - rare <= came
    assert {
        "gl.bust", "gl.success", "gl.reroll", "gl.hydra", "gl.fed", "gl.hydra-protected", "gl.hydra-stops",
        "gl.whirlpool", "gl.bonus", "gl.bonus-full", "gl.line", "gl.placed", "gl.bolt", "gl.bolt-asks", "gl.boat",
        "gl.boat-full", "gl.trident", "gl.received", "gl.make-room", "gl.trident-works", "gl.used", "gl.fleece",
        "gl.finished", "gl.replaced", "gl.discarded-new", "gl.hydra-passed",
    } <= came  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_what_really_happens_is_listed_and_what_is_listed_is_accepted(seed: int) -> None:
    state, table = begun(seed)
    chance = random.Random(seed)
    tried = 0
    for seq in range(1, MOST_EVENTS):
        event = table.next(state)
        if seq % 7 == seed:
            assert REFEREE.permits(state, event), event
        if seq % 41 == 5 * seed:
            for option in REFEREE.options(state):
                source = chance.choice(option.sources or tuple(Source))
                assert REFEREE.permits(state, option.event, source), option
                outcome = REFEREE.judge(state, Submission(option.event, source), seq)
                assert not outcome.refused, (option, outcome.rulings)
                tried += 1
        outcome = REFEREE.judge(state, Submission(event), seq)
        table.follow(event, state, outcome.state)
        state = outcome.state
        if state.phase == "over":
            break
    assert tried > 100


@pytest.mark.parametrize("seed", range(6))
def test_what_is_not_listed_is_refused_and_the_state_stays(seed: int) -> None:
    state, table = begun(100 + seed)
    chance = random.Random(seed)
    refused = accepted = 0
    for seq in range(1, MOST_EVENTS):
        event = table.next(state)
        for other in [random_event(state, chance) for _ in range(3)]:
            before = canonical(state)
            source = chance.choice((Source.JUDGE, *Source))
            outcome = REFEREE.judge(state, Submission(other, source), seq)
            assert canonical(state) == before
            assert REFEREE.permits(state, other, source) is not outcome.refused, (other, source, outcome.rulings)
            if outcome.refused:
                assert outcome.state == state
                refused += 1
            else:
                assert REFEREE.check_state(outcome.state) == (), other
                accepted += 1
            for ruling in outcome.rulings:
                if ruling.code.startswith("gl."):
                    assert set(ruling.facts) == set(REFEREE.codes[ruling.code]), ruling
        outcome = REFEREE.judge(state, Submission(event), seq)
        table.follow(event, state, outcome.state)
        state = outcome.state
        if state.phase == "over":
            break
    assert refused > 100
    assert accepted > 10


@pytest.mark.parametrize("seed", range(3))
def test_serialised_and_replayed_from_the_log(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games.GAMES, GAME.name, GAME)
    state, table = begun(200 + seed)
    match: Match[GreeceLightningState] = Match(
        REFEREE, GAME.new_header("random", state.given.seats, msgspec.structs.asdict(state.options), default_pack())
    )
    while match.state.phase != "over" and match.seq < 400:
        before = match.state
        event = table.next(before)
        match.submit(Submission(event))
        table.follow(event, before, match.state)
        if match.seq % 40 == 0:
            assert msgspec.json.decode(canonical(match.state), type=GreeceLightningState) == match.state
    again = replay(list(log_lines(match))).match
    assert again.state == match.state
    assert again.entries == match.entries
