"""Laws that hold in every match, tried on many random ones."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.errors import RulesError
from rules.events import Source, Submission, Undo
from rules.games import new_match, referee_for
from rules.lightning_dice.events import Call, Calls, Decide, Flip, Press, Roll
from rules.lightning_dice.game import GAME, REFEREE
from rules.log import log_lines, replay
from rules.match import Match
from rules.records import canonical
from rules.rulings import Verdict
from tests.rules.lightning_dice.naive import NaiveTable
from tests.rules.lightning_dice.playing import COLOURS, GOALS, NAMES, Play, header, random_event
from tests.rules.strategies import json_values, lightning_dice_events

MODES = ("standard", "quick", "tournament")


def new(seed: int, **options: Any) -> tuple[Match[Any], random.Random]:
    chance = random.Random(seed)
    mode = MODES[seed % 3]
    judge = "Judge" if mode == "tournament" or seed % 7 == 0 else None
    return new_match(header(2 + seed // 3 % 5, judge, mode=mode, **options)), chance


@pytest.mark.parametrize("batch", range(20))
def test_ten_thousand_random_matches_end_by_the_rules(batch: int) -> None:
    """Twenty batches of five hundred: standard, quick and tournament, 2 to 6 seats."""
    wanted, ended, by_mode = 500, 0, dict.fromkeys(MODES, 0)
    for seed in range(batch * wanted, (batch + 1) * wanted):
        chance = random.Random(seed)
        mode = MODES[seed % 3]
        head = _heads(2 + seed // 3 % 5, mode)
        state = REFEREE.start(head)
        for seq in range(1, 400):
            event, source = random_event(state, chance)
            outcome = REFEREE.judge(state, Submission(event, source), seq)
            assert outcome.rulings
            if not outcome.refused:
                state = outcome.state
                if seed % 4 == 0 or state.phase == "over":
                    assert REFEREE.check_state(state) == ()
            if state.phase == "over":
                break
        result = REFEREE.result(state)
        if result is not None:
            ended += 1
            by_mode[mode] += 1
            assert result.winners
    assert ended == wanted
    assert min(by_mode.values()) >= wanted // 3


_HEADS: dict[tuple[int, str], Any] = {}


def _heads(count: int, mode: str) -> Any:
    if (count, mode) not in _HEADS:
        judge = "Judge" if mode == "tournament" else None
        _HEADS[count, mode] = header(count, judge, mode=mode, target=3)
    return _HEADS[count, mode]


@pytest.mark.parametrize("seed", range(20))
def test_listed_is_accepted_and_unlisted_is_refused_with_the_state_equal(seed: int) -> None:
    match, chance = new(seed)
    for step in range(60):
        for option in match.options() if step % 4 == 3 else ():
            source = chance.choice(option.sources or tuple(Source))
            _, position = match.judge(Submission(option.event, source))
            assert any(r.verdict is not Verdict.REFUSED for r in position.entry.rulings), option
        event, source = random_event(match.state, chance)
        if isinstance(event, Decide | Flip) and chance.random() < 0.8:
            source = Source.JUDGE
        permitted = match.referee.permits(match.state, event, source)
        before = canonical(match.state)
        entry = match.submit(Submission(event, source))
        refused = all(r.verdict is Verdict.REFUSED for r in entry.rulings)
        assert permitted is not refused, (event, entry.rulings)
        if refused:
            assert canonical(match.state) == before


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10_000), events=st.lists(lightning_dice_events(), max_size=12))
def test_any_event_is_ruled_on_with_a_clause_and_known_facts(seed: int, events: list[Any]) -> None:
    match, chance = new(seed)
    for event in events:
        for _ in range(chance.randint(0, 8)):
            match.submit(Submission(*random_event(match.state, chance)))
        permitted = match.referee.permits(match.state, event)
        before = match.state
        entry = match.submit(Submission(event, Source.JUDGE))
        assert match.referee.check_state(match.state) == ()
        refused = all(r.verdict is Verdict.REFUSED for r in entry.rulings)
        assert permitted is not refused, (event, entry.rulings)
        if refused:
            assert match.state == before
        for ruling in entry.rulings:
            if ruling.code.startswith("ld."):
                assert set(ruling.facts) == set(REFEREE.codes[ruling.code]), ruling


@settings(max_examples=120, deadline=None)
@given(value=json_values())
def test_random_json_raises_nothing_but_the_documented_errors(value: Any) -> None:
    data = msgspec.json.encode(value)
    for read in (REFEREE.read_submission, REFEREE.read_entry, REFEREE.read_event):
        try:
            read(value if read == REFEREE.read_event else data)
        except RulesError:
            continue


@pytest.mark.parametrize("seed", range(24))
def test_undo_to_the_start_and_forward_again(seed: int) -> None:
    match, chance = new(seed)
    states = [match.state]
    for _ in range(80):
        match.submit(Submission(*random_event(match.state, chance)))
        states.append(match.state)
    for back_to in (0, 80, 40, 79, 3):
        match.submit(Submission(Undo(back_to, "again"), Source.JUDGE))
        assert match.state == states[back_to]


@pytest.mark.parametrize("seed", range(12))
def test_serialised_and_replayed_at_every_step(seed: int) -> None:
    match, chance = new(seed)
    for _ in range(40):
        entry = match.submit(Submission(*random_event(match.state, chance)))
        assert match.referee.read_entry(canonical(entry)) == entry
        assert msgspec.json.decode(canonical(match.state), type=type(match.state)) == match.state
        again = replay(list(log_lines(match))).match
        assert again.state == match.state
        assert again.entries == match.entries
    assert referee_for("lightning-dice", "1") is match.referee


def _renumber(event: Any, to: dict[int, int]) -> Any:
    """The same event with the seats, and the faces that stand for player numbers, exchanged."""

    def face(value: int | None) -> int | None:
        return to.get(value, value) if value is not None else None

    changes: dict[str, Any] = {}
    if getattr(event, "seat", None) is not None:
        changes["seat"] = to[event.seat]
    if isinstance(event, Roll):
        changes["faces"] = tuple(face(each) for each in event.faces)
    if isinstance(event, Calls):
        changes["presses"] = tuple(
            msgspec.structs.replace(each, seat=to[each.seat], number=face(each.number)) for each in event.presses
        )
    if isinstance(event, Flip):
        changes["card"] = event.card
    return msgspec.structs.replace(event, **changes)


@pytest.mark.parametrize("seed", range(90))
def test_swapping_seats_never_changes_a_verdict(seed: int) -> None:
    chance = random.Random(seed)
    mode = MODES[seed % 3]
    count = 2 + seed // 3 % 5
    numbers = list(range(1, count + 1))
    other = numbers[:]
    chance.shuffle(other)
    to = dict(zip(numbers, other, strict=True))
    judge = "Judge" if mode == "tournament" or seed % 2 else None
    goals = {name: goal for name, goal in GOALS.items() if goal[0].isdigit()}
    swapped = {
        name: " ".join(str(to.get(int(face), int(face))) for face in goal.split()) for name, goal in goals.items()
    }
    left, right = Play(count, judge, goals, mode=mode), Play(count, judge, swapped, mode=mode)
    for _ in range(150):
        event, source = random_event(left.state, chance)
        if isinstance(event, Decide):
            # Rulings stand in the order of player numbers; find the same seat's on the other side.
            waiting = next(
                each for each in left.state.pending if (each.seq, each.ruling) == (event.target, event.ruling)
            )
            twin = next(
                each
                for each in right.state.pending
                if (each.seq, each.seat, each.kind) == (waiting.seq, to[waiting.seat], waiting.kind)
            )
            left.do(event, source)
            right.do(msgspec.structs.replace(event, ruling=twin.ruling), source)
        else:
            left.do(event, source)
            right.do(_renumber(event, to), source)
        seen = sorted((to.get(r.seat, 0), r.verdict, r.code) for r in left.rulings if r.seat is not None)
        twins = sorted((r.seat, r.verdict, r.code) for r in right.rulings if r.seat is not None)
        assert seen == twins
        assert left.state.phase == right.state.phase
        for number, into in to.items():
            mine, theirs = left.state.seat_state(number), right.state.seat_state(into)
            assert (mine.score, mine.cards_won, mine.must_roll) == (theirs.score, theirs.cards_won, theirs.must_roll)


@pytest.mark.parametrize("seed", range(200))
def test_scores_agree_with_a_second_scorer(seed: int) -> None:
    chance = random.Random(seed)
    count, quick = 2 + seed % 5, seed % 4 == 0
    goals = {name: goal for name, goal in GOALS.items() if goal[0].isdigit()}
    play = Play(count, None, goals, mode="quick" if quick else "standard").begin()
    naive = NaiveTable(count, quick=quick)
    while play.state.phase != "over" and play.match.seq < 500:
        if play.state.phase == "between" and not play.state.cards_left:
            play.do(GAME.examples()[-1])
        if play.state.phase != "open":
            card = chance.choice([c for c in goals if c not in play.state.used])
            play.flip(card)
            naive.turn_up([int(face) for face in goals[card].split()])
        seat = chance.randint(1, count)
        faces = chance.choice(
            [
                [int(face) for face in (goals[play.state.card or ""] + " 5 5 5").split()][:6],
                [chance.randint(1, 6)] * 6,
                [chance.randint(1, 6) for _ in range(6)],
            ]
        )
        play.roll(seat, "".join(map(str, faces)))
        naive.throw_all(seat, faces)
        caller = chance.randint(1, count)
        number = chance.randint(1, 6)
        if chance.random() < 0.5:
            play.got_it(caller)
            naive.got_it(caller)
        else:
            play.call(caller, Call.BONUS if number == caller else Call.THUNDER, number)
            naive.shout(caller, number)
        assert play.scores() == tuple(naive.points[1:])
        assert play.piles() == tuple(naive.piles[1:])
    assert (play.state.phase == "over") is (naive.over or (quick and play.state.phase == "over"))


def test_colours_and_names_never_decide() -> None:
    assert len(COLOURS) == len(NAMES) == 6
    for edge in (0, 5):
        play = Play(3)
        play.flip()
        for seat in (1, 2, 3):
            play.roll(seat, "112233")
        play.do(Calls(tuple(Press(seat, Call.GOT_IT, edge) for seat in (3, 1, 2))))
        assert {ruling.code for ruling in play.rulings} == {"ld.tie-void"}
