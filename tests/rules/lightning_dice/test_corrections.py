"""Overruling, adjusting, staleness: what people correct, and only that."""

from __future__ import annotations

import random

import pytest

from rules.events import Adjust, Amend, Decision, Overrule, Source, Submission, Undo
from rules.games import new_match
from rules.lightning_dice.events import Call, Calls, Press, Roll
from rules.log import log_lines, replay
from rules.records import canonical
from tests.rules.lightning_dice.playing import Play, header, random_event
from tests.rules.lightning_dice.script import run

MODES = ("standard", "quick", "tournament")


@pytest.mark.parametrize("seed", range(24))
def test_corrections_at_random_leave_a_possible_table_and_replay(seed: int) -> None:
    chance = random.Random(seed)
    mode = MODES[seed % 3]
    play = Play(2 + seed % 5, "Zoe" if mode == "tournament" or seed % 2 else None, mode=mode, target=8)
    for _ in range(150):
        seq = play.match.seq
        luck = chance.random()
        if seq and luck < 0.15:
            target, which = chance.randint(max(1, seq - 12), seq), chance.choice((0, 0, 0, 1))
            play.do(Overrule(target, chance.choice(list(Decision)), "looked again", which), Source.JUDGE)
        elif luck < 0.18:
            what = chance.choice(("score", "cards", "luck"))
            play.do(Adjust(chance.randint(0, 7), what, chance.randint(-2, 9), "pawn"), Source.JUDGE)
        elif seq and luck < 0.2:
            play.do(Undo(chance.randint(max(0, seq - 4), seq), "slip"), Source.JUDGE)
        elif seq and luck < 0.24:
            faces = tuple(chance.randint(1, 6) for _ in range(6))
            play.do(Amend(chance.randint(max(1, seq - 6), seq), _plain(Roll(1, faces)), "misread"), Source.JUDGE)
        else:
            play.do(*random_event(play.state, chance))
    assert replay(list(log_lines(play.match))).match.state == play.state


def _plain(event: object) -> dict[str, object]:
    import msgspec

    plain = msgspec.to_builtins(event)
    assert isinstance(plain, dict)
    return plain


@pytest.mark.parametrize("seed", range(40))
def test_overruling_twice_gives_the_points_back(seed: int) -> None:
    chance = random.Random(seed)
    play = Play(3)
    run(play, "score 1 5; score 2 5; score 3 5; flip pairs")
    faces = chance.choice(["112233", "112234", "111111", "222222"])
    run(play, f"1={faces}; {chance.choice(['1!', '1+', '1*2'])}")
    target, scores, phase = play.match.seq, play.scores(), play.state.phase
    first = play.overrule(Decision.UPHOLD, target)
    turn = Decision.REFUSE
    if first.code == "ld.already-so":
        assert play.overrule(Decision.REFUSE, target).code == "ld.overturned"
        turn = Decision.UPHOLD
    assert play.scores() != scores
    play.overrule(turn, target)
    assert play.scores() == scores
    assert play.state.phase == phase


def test_an_amended_roll_is_judged_again() -> None:
    play = Play()
    run(play, "score 2 9; flip street; 2=123455")
    roll = play.match.seq
    assert run(play, "2!").code == "ld.false"
    ruling = play.do(Amend(roll, _plain(Roll(2, (1, 2, 3, 4, 5, 6), (0, 1, 2, 3, 4, 5))), "die 6 is a 6"))
    assert ruling.code == "core.amended"
    assert play.scores() == (0, 11, 0, 0)


def test_the_judge_may_overrule_what_waits() -> None:
    play = Play(judge="Zoe", mode="tournament")
    assert run(play, "flip few; 1=111222; 1!; up").code == "ld.judge-match"
    assert run(play, "down 1").code == "ld.overturned"
    assert play.scores() == (0, 0, 0, 0)
    assert play.state.phase == "open"


def test_only_the_judge_decides_and_in_the_order_made() -> None:
    play = Play(judge="Zoe", mode="tournament")
    run(play, "flip few; 1=111222; 2=111222; 1!; 2!")
    assert run(play, "uphold").code == "ld.in-order"
    assert run(play, "uphold 2").code == "ld.judge-match"
    assert run(play, "uphold 2").code == "ld.nothing-waits"


STALE = [
    pytest.param(Calls((Press(2, Call.GOT_IT),)), "1=112233; 1!", True, id="the card was won"),
    pytest.param(Calls((Press(2, Call.GOT_IT),)), "1=112234", False, id="another seat rolled"),
    pytest.param(Roll(2, (1, 1, 1, 1, 1, 1)), "2=112233", True, id="the dice were read since"),
    pytest.param(Roll(2, (1, 1, 1, 1, 1, 1)), "1=112233", False, id="the dice of another seat"),
    pytest.param(Adjust(2, "score", 3, "pawn"), "2=222222; 2+", True, id="the score moved"),
    pytest.param(Adjust(2, "score", 3, "pawn"), "1=111111; 1+", False, id="another score moved"),
]


@pytest.mark.parametrize(("event", "meanwhile", "stale"), STALE)
def test_an_event_that_answers_a_gone_position_is_stale(event: object, meanwhile: str, stale: bool) -> None:
    play = Play()
    run(play, "flip pairs; 2=123456")
    seen = play.match.seq
    run(play, meanwhile)
    entry = play.match.submit(Submission(event, answers=seen))
    assert (entry.rulings[0].code == "core.stale") is stale


def test_limits_of_counts() -> None:
    play = Play()
    assert run(play, "score 1 21").code == "ld.out-of-range"
    assert run(play, "score 1 20").code == "ld.adjusted"
    assert play.state.phase == "over"
    assert run(play, "score 1 19").code == "ld.adjusted"
    assert play.state.phase == "setup"
    assert run(play, "cards 1 1").code == "ld.no-such-count"


def test_the_order_of_the_presses_in_the_event_decides_nothing() -> None:
    rows = [Press(1, Call.GOT_IT, 3), Press(2, Call.BONUS, 2), Press(3, Call.GOT_IT, 1), Press(1, Call.THUNDER, 0, 2)]
    seen = set()
    for turn in range(24):
        chance = random.Random(turn)
        chance.shuffle(rows)
        match = new_match(header(3))
        play = Play(3)
        run(play, "score 2 5; flip pairs; 1=222222; 2=222222; 3=112233")
        play.do(Calls(tuple(rows)))
        seen.add((canonical(play.rulings), play.scores(), match.seq))
    assert len(seen) == 1


def test_taking_back_the_end_opens_the_card_that_lay_open() -> None:
    play = Play()
    run(play, "score 2 19; flip pairs; 2=222222; 2+")
    assert play.state.phase == "over"
    assert run(play, "down").code == "ld.overturned"
    assert (play.state.phase, play.state.card, play.scores()) == ("open", "pairs", (0, 19, 0, 0))
