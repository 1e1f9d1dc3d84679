"""Headers, the quick game and tournament play, clause by clause, each with a near miss that goes the other way."""

from __future__ import annotations

from typing import Any

import pytest

from rules.errors import BadHeader
from rules.header import Seat
from rules.lightning_dice.game import GAME
from tests.rules.lightning_dice.playing import Play, pack, seats
from tests.rules.lightning_dice.script import run
from tests.rules.lightning_dice.test_clauses_standard import WON, row

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss


def head(mark: Any, word: str, accepted: bool, **given: Any) -> Any:
    """A row: what it holds, a word for it, whether the header is accepted."""
    return pytest.param(accepted, given, marks=mark, id=f"{mark.args[0]}-{word}")


HEADERS = [
    head(clause("LD-I4"), "number twice", False, seats=(Seat(1, "A", "red"), Seat(1, "B", "blue"))),
    head(clause("LD-I4"), "seven players", False, seats=(*seats(6), Seat(7, "G", "pink"))),
    head(near_miss("LD-I4"), "1 to 6", True, seats=seats(6)),
    head(clause("LD-I5"), "both green", False, seats=(Seat(1, "A", "green"), Seat(2, "B", "Green "))),
    head(near_miss("LD-I5"), "green and blue", True, seats=(Seat(1, "A", "green"), Seat(2, "B", "blue"))),
    head(clause("LD-J1"), "no judge", False, options={"mode": "tournament"}),
    head(near_miss("LD-J1"), "a judge", True, options={"mode": "tournament"}, judge="Zoe"),
    head(clause("LD-J2"), "a player as judge", False, options={"mode": "tournament"}, judge="ben"),
    head(near_miss("LD-J2"), "a spectator", True, options={"mode": "tournament"}, judge="Benno"),
]


@pytest.mark.parametrize(("accepted", "given"), HEADERS)
def test_header(accepted: bool, given: dict[str, Any], request: pytest.FixtureRequest) -> None:
    given = {"seats": seats(3), "options": {}, "judge": None, "pack": pack()} | given
    if accepted:
        assert GAME.new_header("m", **given).options["target"] == 20
        return
    with pytest.raises(BadHeader) as caught:
        GAME.new_header("m", **given)
    marks = list(request.node.iter_markers("clause"))
    assert marks[0].args[0] in caught.value.clauses


TWO = {"few": "1 1 1", "pairs": "1 1 2 2 3 3"}
QUICK: dict[str, Any] = {"mode": "quick"}
JUDGED: dict[str, Any] = {"mode": "tournament", "judge": "Zoe"}

TABLE = [
    row(clause("LD-Q1"), "no pawn needed", "ready 1 pawn=-", "ld.ready", **QUICK),
    row(near_miss("LD-Q1"), "no pawn to read", "pawn 1 0", "ld.no-track", **QUICK),
    row(clause("LD-Q2"), "declared", "shuffled", "ld.shuffled", **QUICK),
    row(near_miss("LD-Q2"), "not declared", "ready 1; ready 2; ready 3; ready 4; turn few", "ld.not-ready", **QUICK),
    row(clause("LD-Q3"), "in the middle", "stack centre", "ld.stack", **QUICK),
    row(near_miss("LD-Q3"), "at one side", "stack side", "ld.stack-wrong", **QUICK),
    row(clause("LD-Q4"), "six dice", "ready 3 colours=green", "ld.ready", **QUICK),
    row(near_miss("LD-Q4"), "seven dice", "ready 3 dice=7", "ld.ready-dice", **QUICK),
    row(clause("LD-Q5"), "top card", "begin; turn few", "ld.flip", **QUICK),
    row(near_miss("LD-Q5"), "a card turned before", "flip few; 1=111222; 1!; turn few", "ld.card-used", **QUICK),
    row(clause("LD-Q6"), "both roll", "flip few; move 1 012345; 2=123456; 1=123456", "ld.roll", **QUICK),
    row(near_miss("LD-Q6"), "no card", "begin; 2=123456", "ld.roll-idle", **QUICK),
    row(clause("LD-Q7"), "takes the card", "flip few; 2=111222; 2!", "ld.match-card", "0 0 0 0", **QUICK),
    row(near_miss("LD-Q7"), "too late", "flip few; 2=111222; 1=111222; 2!; 1!", "ld.late", **QUICK),
    row(
        clause("LD-Q8"),
        "stack empty",
        "flip few; 1=111222; 1!; flip pairs; 2=112233; 2!; turn few",
        "ld.over",
        cards=TWO,
        **QUICK,
    ),
    row(near_miss("LD-Q8"), "one left", "flip few; 1=111222; 1!; turn pairs", "ld.flip", cards=TWO, **QUICK),
    row(
        clause("LD-Q9"), "points play no role", WON + "; flip few; 1=111222; 1!; turn odd", "ld.flip", target=1, **QUICK
    ),
    row(near_miss("LD-Q9"), "in the standard game they do", WON + "; turn few", "ld.over", target=1),
    row(clause("LD-Q12"), "no loss", "flip few; 1=111222; 1!; flip pairs; 1=123456; 1!", "ld.false-free", **QUICK),
    row(
        near_miss("LD-Q12"),
        "a card by option",
        "flip few; 1=111222; 1!; flip pairs; 1=123456; 1!",
        "ld.false-card",
        quick_false_call_costs_card=True,
        **QUICK,
    ),
    row(clause("LD-Q13"), "no Bonus", "flip few; 2=222222; 2+", "ld.no-bonus", **QUICK),
    row(
        near_miss("LD-Q13"),
        "by option",
        "flip few; 2=222222; 2+",
        "ld.bonus",
        "0 1 0 0",
        quick_bonus_and_thunder=True,
        **QUICK,
    ),
    row(clause("LD-J3"), "a player turns", "begin; turn few", "ld.judge-flips", **JUDGED),
    row(near_miss("LD-J3"), "the judge turns", "flip few", "ld.flip", **JUDGED),
    row(clause("LD-J4"), "confirmed", "flip few; 1=111222; 1!; uphold", "ld.judge-match", "2 0 0 0", **JUDGED),
    row(near_miss("LD-J4"), "rejected", "flip few; 1=111222; 1!; refuse", "ld.judge-refused", "0 0 0 0", **JUDGED),
    row(near_miss("LD-J4"), "only called", "flip few; 1=111222; 1!", "ld.waits", "0 0 0 0", **JUDGED),
    row(clause("LD-J5"), "confirmed", "flip few; 4=444444; 4+; uphold", "ld.judge-bonus", "0 0 0 1", **JUDGED),
    row(near_miss("LD-J5"), "rejected", "flip few; 4=444444; 4+; refuse", "ld.judge-refused", "0 0 0 0", **JUDGED),
    row(
        clause("LD-J6"),
        "confirmed",
        "score 3 5; flip few; 4=333333; 4*3; uphold",
        "ld.judge-thunder",
        "0 0 4 0",
        **JUDGED,
    ),
    row(
        near_miss("LD-J6"),
        "rejected",
        "score 3 5; flip few; 4=333333; 4*3; refuse",
        "ld.judge-refused",
        "0 0 5 0",
        **JUDGED,
    ),
    row(clause("LD-J7"), "judge reports", "flip few; 2=123456; breach 2 3 4 set back", "ld.breach-ruled", **JUDGED),
    row(near_miss("LD-J7"), "no tournament", "flip few; 2=123456; breach 2 3 4 set back", "ld.no-tournament"),
    row(
        clause("LD-J9"),
        "no points lost",
        "score 2 9; flip few; 2=123456; player 2 3 4 set back; uphold",
        "ld.judge-breach",
        "0 9 0 0",
        **JUDGED,
    ),
    row(
        near_miss("LD-J9"),
        "that die is dead",
        "flip pairs; 2=112233; breach 2 3 4 set back; 2!; refuse",
        "ld.judge-false",
        **JUDGED,
    ),
    row(
        near_miss("LD-J9"),
        "recorded only by option",
        "flip pairs; 2=112233; breach 2 3 4 set back; 2!; uphold",
        "ld.judge-match",
        breach_remedy="record",
        **JUDGED,
    ),
    row(clause("LD-J10"), "standard scoring", "flip few; 1=111222; 1!; uphold", "ld.judge-match", "2 0 0 0", **JUDGED),
    row(
        clause("LD-J10"),
        "standard scoring though the quick game was asked for",
        "flip few; 1=111222; 1!; uphold",
        "ld.judge-match",
        "2 0 0 0",
        **{**JUDGED, "mode": "quick-tournament"},
    ),
    row(
        near_miss("LD-J10"),
        "asked for and quick by option",
        "flip few; 1=111222; 1!; uphold",
        "ld.judge-match",
        "0 0 0 0",
        tournament_on="quick",
        **{**JUDGED, "mode": "quick-tournament"},
    ),
    row(
        near_miss("LD-J10"),
        "quick by option",
        "flip few; 1=111222; 1!; uphold",
        "ld.judge-match",
        "0 0 0 0",
        tournament_on="quick",
        **JUDGED,
    ),
    row(clause("LD-T1"), "touched", "flip few; player 1 1 0 touched", "ld.breach", **JUDGED),
    row(
        near_miss("LD-T1"),
        "at rest: judge sees none",
        "flip few; player 1 1 0 touched; refuse",
        "ld.judge-no-breach",
        **JUDGED,
    ),
    row(clause("LD-T2"), "slid", "flip few; player 2 2 0 slid", "ld.permitted", **JUDGED),
    row(near_miss("LD-T2"), "lifted", "flip few; player 2 2 0 lifted", "ld.breach", **JUDGED),
    row(
        clause("LD-T3"),
        "set back counts for nothing",
        "flip few; 2=111456; breach 2 3 0 set back; 2!; refuse",
        "ld.judge-false",
        **JUDGED,
    ),
    row(
        near_miss("LD-T3"),
        "rolled again",
        "flip few; 2=111456; breach 2 3 0 set back; 2=111456/0; 2!; uphold",
        "ld.judge-match",
        **JUDGED,
    ),
    row(clause("LD-T4"), "five on the table", "flip few; off 3 123456 5", "ld.roll-off-table", **JUDGED),
    row(near_miss("LD-T4"), "six on the table", "flip few; 3=123456", "ld.roll", **JUDGED),
    row(clause("LD-T5"), "dropped", "flip few; player 1 5 01 dropped", "ld.breach", **JUDGED),
    row(near_miss("LD-T5"), "rolled", "flip few; player 1 5 01 rolled", "ld.permitted", **JUDGED),
    row(clause("LD-T6"), "kept on the table", "flip few; player 4 6 0 free hand stops", "ld.permitted", **JUDGED),
    row(near_miss("LD-T6"), "rolling hand", "flip few; player 4 6 0 rolling hand", "ld.breach", **JUDGED),
    row(clause("LD-T7"), "dice cup", "flip few; player 2 7 012345 cup", "ld.breach", **JUDGED),
    row(
        near_miss("LD-T7"),
        "by hand: judge sees none",
        "flip few; player 2 7 012345 cup; refuse",
        "ld.judge-no-breach",
        **JUDGED,
    ),
    row(
        clause("LD-T8"),
        "fallen die does not count",
        "flip street; off 3 123456 5; 3!; refuse",
        "ld.judge-false",
        **JUDGED,
    ),
    row(
        near_miss("LD-T8"),
        "rolled again, the rest kept",
        "flip street; off 3 123456 5; 3=123456/5; 3!; uphold",
        "ld.judge-match",
        **JUDGED,
    ),
    row(
        clause("LD-T9"),
        "the judge says roll",
        "flip few; player 1 5 01 dropped; refuse",
        "ld.judge-no-breach",
        **JUDGED,
    ),
    row(
        near_miss("LD-T9"),
        "the judge says drop",
        "flip few; player 1 5 01 dropped; uphold",
        "ld.judge-breach",
        **JUDGED,
    ),
    row(clause("LD-T10"), "view blocked", "flip few; player 4 6 012345 view blocked", "ld.breach", **JUDGED),
    row(
        near_miss("LD-T10"),
        "hidden at the call: no loss",
        "score 4 5; flip few; 4=11xxxx; 4!; refuse",
        "ld.judge-refused",
        "0 0 0 5",
        **JUDGED,
    ),
    row(clause("LD-T11"), "rolling hand", "flip few; player 4 1 0 rolling hand", "ld.breach", **JUDGED),
    row(near_miss("LD-T11"), "free hand", "flip few; player 4 6 0 free hand confines", "ld.permitted", **JUDGED),
    row(clause("LD-T12"), "a barrier", "flip few; player 4 6 0 free hand confines", "ld.permitted", **JUDGED),
    row(near_miss("LD-T12"), "a lid", "flip few; player 4 6 0 view blocked", "ld.breach", **JUDGED),
    row(clause("LD-T13"), "registered", "flip few; player 2 7 0 tower", "ld.permitted", handicaps=[2], **JUDGED),
    row(near_miss("LD-T13"), "another seat", "flip few; player 1 7 0 tower", "ld.breach", handicaps=[2], **JUDGED),
    row(clause("LD-T14"), "bounces off the hand", "flip few; player 4 1 0 free hand stops", "ld.permitted", **JUDGED),
    row(near_miss("LD-T14"), "grabbed", "flip few; player 4 1 0 grabbed", "ld.breach", **JUDGED),
    row(
        near_miss("LD-T14"),
        "by option",
        "flip few; player 4 1 0 free hand stops",
        "ld.breach",
        rule_6_beats_rule_1=False,
        **JUDGED,
    ),
]


@pytest.mark.parametrize(("script", "code", "scores", "given"), TABLE)
def test_clause(script: str, code: str, scores: str | None, given: dict[str, Any]) -> None:
    play = Play(**given)
    assert run(play, script).code == code
    if scores is not None:
        assert " ".join(map(str, play.scores())) == scores


def _race(*winners: int, **options: Any) -> Play:
    goals = {f"c{n}": f"{n} {n}" for n in range(1, len(winners) + 1)}
    play = Play(3, cards=goals, mode="quick", **options)
    for number, seat in enumerate(winners, start=1):
        run(play, f"flip c{number}; {seat}={number}{number}{number}{number}{number}{number}; {seat}!")
    return play


@pytest.mark.clause("LD-Q10")
@pytest.mark.near_miss("LD-Q11")
def test_the_largest_pile_wins_alone() -> None:
    result = _race(1, 2, 2).match.result()
    assert result is not None
    assert (result.winners, result.code) == ((2,), "ld.won-cards")


@pytest.mark.clause("LD-Q11")
@pytest.mark.near_miss("LD-Q10")
def test_equal_largest_piles_share() -> None:
    result = _race(1, 2).match.result()
    assert result is not None
    assert (result.winners, result.code) == ((1, 2), "ld.won-cards-shared")


@pytest.mark.near_miss("LD-Q11")
def test_sudden_death_by_option_is_between_the_leaders() -> None:
    play = _race(1, 2, quick_tie="sudden death")
    assert play.match.result() is None
    assert run(play, "reshuffled; flip c1; 3=111111; 3!").code == "ld.not-contender"
    assert run(play, "2=111111; 2!").code == "ld.match-card"
    result = play.match.result()
    assert result is not None
    assert result.winners == (2,)


@pytest.mark.clause("LD-J8")
def test_an_accident_counts_like_intention() -> None:
    assert _touch(by_accident=True) == _touch(by_accident=False)


@pytest.mark.near_miss("LD-J8")
def test_what_is_no_breach_stays_none_by_intention() -> None:
    play = Play(judge="Zoe", mode="tournament")
    assert run(play, "flip few; player 1 2 0 slid").code == "ld.permitted"


def _touch(*, by_accident: bool) -> tuple[Any, ...]:
    from rules.events import Source
    from rules.lightning_dice.events import Breach

    play = Play(judge="Zoe", mode="tournament")
    run(play, "flip few; 1=123456")
    ruling = play.do(Breach(1, 1, (0,), "touched", by_accident), Source.JUDGE)
    return ruling.verdict, ruling.code, ruling.clauses, play.state.seat_state(1).must_roll


CORRECTIONS = [
    pytest.param(
        "score 2 9; flip street; 2=123455; 2!; up",
        "ld.upheld",
        "0 11 0 0",
        "between",
        id="false call upheld closes the card",
    ),
    pytest.param(
        "score 2 9; flip street; 2=123455; 2!; up; down 1",
        "ld.overturned",
        "0 7 0 0",
        "open",
        id="and taken back again",
    ),
    pytest.param(
        "flip pairs; 1=112233; 1!; down", "ld.overturned", "0 0 0 0", "open", id="match refused opens the card"
    ),
    pytest.param(
        "flip pairs; 1=112233; 1!; turn few; down 1", "ld.overturned", "0 0 0 0", "open", id="next card stays"
    ),
    pytest.param(
        "score 1 18; flip pairs; 1=112233; 1!; down", "ld.overturned", "18 0 0 0", "open", id="end taken back"
    ),
    pytest.param("score 3 5; flip pairs; 4=333331; 4*3; up", "ld.upheld", "0 0 4 0", "open", id="Thunder upheld"),
    pytest.param("flip pairs; 4=444444; 4+; down", "ld.overturned", "0 0 0 0", "open", id="Bonus refused"),
    pytest.param("flip pairs; 4=444444; 4+; up", "ld.already-so", "0 0 0 1", "open", id="already so"),
    pytest.param("flip pairs; 4=444444; up", "ld.no-overrule", "0 0 0 0", "open", id="a roll"),
]


@pytest.mark.parametrize(("script", "code", "scores", "phase"), CORRECTIONS)
def test_overrule(script: str, code: str, scores: str, phase: str) -> None:
    play = Play()
    assert run(play, script).code == code
    assert " ".join(map(str, play.scores())) == scores
    assert play.state.phase == phase


@pytest.mark.parametrize(
    ("options", "remarks"),
    [
        pytest.param({"mode": "quick-tournament"}, ("remark.ld.standard-scoring",), marks=clause("LD-J10")),
        pytest.param({"mode": "quick-tournament", "tournament_on": "quick"}, (), marks=near_miss("LD-J10")),
        pytest.param({"mode": "tournament"}, (), marks=near_miss("LD-J10")),
        pytest.param({"mode": "quick"}, (), marks=near_miss("LD-J10")),
    ],
    ids=["warned", "by option", "tournament", "quick"],
)
def test_a_quick_tournament_is_warned_of(options: dict[str, Any], remarks: tuple[str, ...]) -> None:
    assert GAME.remarks(GAME.new_header("m", seats(2), options, pack(), "Zoe")) == remarks
