"""Laws that hold in every honest game, tried on many random ones dealt from real shuffled decks."""

from __future__ import annotations

import os
import random
from typing import Any

import msgspec
import pytest

from rules.events import Source, Submission
from rules.log import log_lines, replay
from rules.records import canonical
from rules.rulings import Verdict
from rules.thunder_and_lightning.components import Kind
from rules.thunder_and_lightning.events import Play
from tests.rules.thunder_and_lightning.fillings import filled, possible, random_event
from tests.rules.thunder_and_lightning.watching import Watched, compared, ids_in, public_ids

GAMES = int(os.environ.get("THUNDER_AND_LIGHTNING_GAMES", "240"))
"""How many games are played; set to 10000 for the whole trial."""
BATCHES = 20


def played(seed: int, every: int = 1) -> tuple[Watched, set[str]]:
    """A whole game, checked after each event (or every few); with what came up in it."""
    watched = Watched(seed)
    came: set[str] = set()
    for number, event in enumerate(watched.events()):
        watched.honest(event)
        if number % every == 0 or watched.table.winner is not None or watched.state.waiting:
            compared(watched)
            assert public_ids(watched.state) <= watched.shown
        came.add(type(event).__name__)
        if isinstance(event, Play):
            came.add(watched.state.given.cards[event.card].kind + event.use)
    assert watched.table.winner is not None
    assert watched.state.phase == "over"
    return watched, came


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_games_from_real_decks_end_by_the_rules_and_no_legal_play_is_refused(batch: int) -> None:
    games = GAMES // BATCHES
    how: dict[str, int] = {}
    for seed in range(batch * games, (batch + 1) * games):
        watched, _ = played(seed)
        how[watched.table.how] = how.get(watched.table.how, 0) + 1
    assert sum(how.values()) == games
    assert set(how) <= {"tl.won-treasure", "tl.won-both-treasures", "tl.won-stuck", "tl.won-empty"}
    assert len(how) > 1


def test_everything_that_can_happen_comes_up_in_random_play() -> None:
    came: set[str] = set()
    for seed in range(90):
        came |= played(seed, every=50)[1]
    events = (
        "Shuffled Deal Treasure Replace ShuffleBack Lay Draw Lead Challenge Play TurnUp ShowHand Hit Drawn Place Stop"
    )
    events += " Take Stack EndTurn Stuck Decide Top Count Figure"
    assert set(events.split()) <= came
    powers = {Kind.BALDR, Kind.VALKYRIES, Kind.BERSERKER, Kind.IDUNN, Kind.FREYA, Kind.WEAPON, Kind.HEL, Kind.LONGSHIPS}
    powers |= {Kind.ODIN, Kind.SEER, Kind.VIDARR}
    uses = {"friggcolumn", "frigghand", "ravensrow", "ravenshand"}
    assert powers | uses <= came


@pytest.mark.parametrize("seed", range(8))
def test_listed_is_accepted_and_what_really_happens_is_listed(seed: int) -> None:
    """Every option, its free fields filled as the real deal allows."""
    watched = Watched(1000 + seed)
    tried = 0
    for number, event in enumerate(watched.events()):
        if number % 5 == 0:
            assert watched.referee.permits(watched.state, event), event
        watched.honest(event)
        if number % 17 != seed % 17:
            continue
        for option in watched.match.options():
            for filling in filled(watched.table, option, watched.chance):
                source = watched.chance.choice(option.sources or tuple(Source))
                assert watched.referee.permits(watched.state, filling, source), filling
                _, position = watched.match.judge(Submission(filling, source))
                assert any(each.verdict is not Verdict.REFUSED for each in position.entry.rulings), filling
                tried += 1
    assert tried > 30


@pytest.mark.parametrize("seed", range(12))
def test_what_is_not_listed_is_refused_and_the_state_stays(seed: int) -> None:
    """Random events of every kind. A listed one is refused only when it tells of hidden cards what is not so."""
    watched = Watched(2000 + seed)
    chance = random.Random(seed)
    refused = accepted = 0
    for event in watched.events():
        watched.honest(event)
        other = random_event(watched.state, chance)
        source = chance.choice((Source.JUDGE, *Source))
        before = canonical(watched.state)
        entry, position = watched.match.judge(Submission(other, source))
        assert canonical(watched.state) == before
        listed = watched.referee.permits(watched.state, other, source)
        if all(each.verdict is Verdict.REFUSED for each in entry.rulings):
            assert position.state == watched.state
            assert not listed or not possible(watched.table, other), (other, entry.rulings)
            refused += 1
        else:
            assert listed, (other, entry.rulings)
            accepted += 1
        for ruling in entry.rulings:
            if ruling.code.startswith("tl."):
                assert set(ruling.facts) == set(watched.referee.codes[ruling.code]), ruling
    assert refused > 20
    assert accepted > 2


@pytest.mark.parametrize("seed", range(6))
def test_serialised_and_replayed_from_the_log(seed: int) -> None:
    watched = Watched(3000 + seed)
    for number, event in enumerate(watched.events()):
        watched.honest(event)
        if number % 25 == 0:
            state: Any = watched.state
            assert msgspec.json.decode(canonical(state), type=type(state)) == state
    again = replay(list(log_lines(watched.match))).match
    assert again.state == watched.state
    assert again.entries == watched.match.entries


def test_the_check_for_hidden_cards_would_see_one() -> None:
    watched = Watched(4000)
    for event in watched.events():
        watched.honest(event)
        if watched.state.phase == "play":
            break
    hidden = watched.table.sides[1].columns[0][0]
    assert hidden.card.id not in watched.shown
    lying = msgspec.structs.replace(watched.state.side(1).column(1)[0], card=hidden.card.id)
    columns = ((lying,), *watched.state.side(1).columns[1:])
    told = watched.state.with_side(1, columns=columns)
    assert not public_ids(told) <= watched.shown
    assert hidden.card.id in ids_in(told.sides)
