"""Components, set-up and the standard game, clause by clause, each with a near miss that goes the other way."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.lightning_dice.playing import Play
from tests.rules.lightning_dice.script import run

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss


def row(mark: Any, word: str, script: str, code: str, scores: str | None = None, **given: Any) -> Any:
    """A row: what it holds, a word for it, the script, the code of the last ruling, the scores after it."""
    return pytest.param(script, code, scores, given, marks=mark, id=f"{mark.args[0]}-{word}")


WON = "flip pairs; 1=112233; 1!"

SET_UP = [
    row(clause("LD-C1"), "five dice", "ready 2 dice=5", "ld.ready-dice"),
    row(near_miss("LD-C1"), "six dice", "ready 2 dice=6", "ld.ready"),
    row(clause("LD-C2"), "two red pawns", "ready 1 pawns=2", "ld.ready-pawns"),
    row(near_miss("LD-C2"), "one red pawn", "ready 1 pawns=1", "ld.ready"),
    row(
        clause("LD-C3"),
        "the open card counts",
        "flip few; 1=111456; 1!; flip pairs; 3=112233; 3!",
        "ld.match",
        "2 0 2 0",
    ),
    row(near_miss("LD-C3"), "the last card does not", "flip few; 1=111456; 1!; flip pairs; 3=111456; 3!", "ld.false"),
    row(clause("LD-C4"), "pawn on the score", "score 4 7; pawn 4 7", "ld.pawn"),
    row(near_miss("LD-C4"), "pawn beside the score", "score 4 7; pawn 4 6", "ld.pawn-wrong"),
    row(clause("LD-I1"), "two roll at once", "flip pairs; move 1 012345; move 2 012345; 2=112233; 1=112233", "ld.roll"),
    row(near_miss("LD-I1"), "not after the end", "score 1 18; " + WON + "; 2=112233", "ld.over"),
    row(clause("LD-I2"), "the last may call", "score 1 18; flip pairs; 3=112233; 3!", "ld.match", "18 0 2 0"),
    row(near_miss("LD-I2"), "a stranger may not", "flip pairs; 5!", "ld.no-such-seat"),
    row(clause("LD-I3"), "first to 20", "score 1 19; score 2 18; flip pairs; 2=112233; 2!; 1!", "ld.over", "19 20 0 0"),
    row(near_miss("LD-I3"), "19 is not 20", "score 1 17; " + WON + "; flip few; 2=111456", "ld.roll", "19 0 0 0"),
    row(clause("LD-I6"), "own colour", "ready 3 colours=green", "ld.ready"),
    row(near_miss("LD-I6"), "one white die", "ready 3 colours=green,white", "ld.ready-colours"),
    row(clause("LD-I7"), "pawn there", "ready 3 pawn=0", "ld.ready"),
    row(near_miss("LD-I7"), "pawn absent", "ready 3 pawn=-", "ld.ready-no-pawn"),
    row(clause("LD-I8"), "declared shuffled", "shuffled", "ld.shuffled"),
    row(near_miss("LD-I8"), "not declared", "ready 1; ready 2; ready 3; ready 4; turn pairs", "ld.not-ready"),
    row(clause("LD-I9"), "at the side", "stack side", "ld.stack"),
    row(near_miss("LD-I9"), "in the middle", "stack centre", "ld.stack-wrong"),
    row(clause("LD-I10"), "on Start", "ready 1 pawn=0", "ld.ready"),
    row(near_miss("LD-I10"), "past Start", "ready 1 pawn=1", "ld.ready-pawn-start"),
    row(clause("LD-I11"), "one seat short", "shuffled; ready 1; ready 2; ready 3; turn pairs", "ld.not-ready"),
    row(near_miss("LD-I11"), "all in place", "shuffled; ready 1; ready 2; ready 3; ready 4; turn pairs", "ld.flip"),
]

STANDARD = [
    row(clause("LD-S1"), "a card opens", "begin; turn pairs", "ld.flip"),
    row(near_miss("LD-S1"), "unreadable card", "begin; turn ?", "ld.card-unreadable"),
    row(clause("LD-S2"), "second card", "flip pairs; turn few", "ld.card-open"),
    row(near_miss("LD-S2"), "after the first is won", WON + "; turn few", "ld.flip"),
    row(clause("LD-S3"), "roll with a card", "flip pairs; 1=123456", "ld.roll"),
    row(near_miss("LD-S3"), "roll before a card", "begin; 1=123456", "ld.roll-idle"),
    row(
        clause("LD-S4"), "leftover dice", "flip pairs; 1=111234; 2=112233; 2!; flip few; 1!", "ld.not-rolled", "0 2 0 0"
    ),
    row(near_miss("LD-S4"), "thrown anew", "flip pairs; 1=111234; 2=112233; 2!; flip few; 1=111234; 1!", "ld.match"),
    row(clause("LD-S4"), "part of them", "flip pairs; 1=111234; 2=112233; 2!; flip few; 1=111666/345", "ld.roll-short"),
    row(
        near_miss("LD-S4"),
        "by option they stay",
        "flip pairs; 1=111234; 2=112233; 2!; flip few; 1!",
        "ld.match",
        fresh_roll=False,
    ),
    row(clause("LD-S5"), "nobody's number", "flip pairs; 2=555555; 2?", "ld.nothing", "0 0 0 0"),
    row(near_miss("LD-S5"), "somebody's number", "flip pairs; score 4 3; 2=444444; 2?", "ld.thunder", "0 0 0 2"),
    row(clause("LD-S6"), "any order", "score 1 5; flip evens; 1=624426; 1!", "ld.match", "7 0 0 0"),
    row(near_miss("LD-S6"), "one die off", "score 1 5; flip evens; 1=624425; 1!", "ld.false", "3 0 0 0"),
    row(clause("LD-S6"), "spare dice", "flip few; 1=111126; 1!", "ld.match"),
    row(near_miss("LD-S6"), "spare dice by option", "flip few; 1=111126; 1!", "ld.false", surplus_dice="none"),
    row(clause("LD-S7"), "keeps four", "flip pairs; 1=113556; 1=112552/25", "ld.roll"),
    row(near_miss("LD-S7"), "a kept die turned", "flip pairs; 1=113556; 1=212552/25", "ld.roll-turned"),
    row(clause("LD-S8"), "throws kept ones", "flip pairs; 1=113556; 1=112552/25; 1=332552/01", "ld.roll"),
    row(near_miss("LD-S8"), "a seventh place", "flip pairs; 1=113556; 1=112552/6", "ld.bad-dice"),
    row(clause("LD-S9"), "thirty rolls", "flip pairs" + "; 1=113556" * 30, "ld.roll"),
    row(near_miss("LD-S9"), "not after the win", "score 1 18; " + WON + "; 1=113556", "ld.over"),
    row(clause("LD-S10"), "who calls is paid", "flip pairs; 3=112233; 1=112233; 1!", "ld.match", "2 0 0 0"),
    row(near_miss("LD-S10"), "who does not is not", "flip pairs; 3=112233; 1=112233", "ld.roll", "0 0 0 0"),
    row(clause("LD-S11"), "false", "score 2 9; flip street; 2=123455; 2!", "ld.false", "0 7 0 0"),
    row(near_miss("LD-S11"), "true", "score 2 9; flip street; 2=123456; 2!", "ld.match", "0 11 0 0"),
    row(clause("LD-S12"), "calls again", "score 2 9; flip street; 2=123455; 2!; 2=123456/5; 2!", "ld.match", "0 9 0 0"),
    row(
        near_miss("LD-S12"),
        "locked out by option",
        "score 2 9; flip street; 2=123455; 2!; 2=123456/5; 2!",
        "ld.locked-out",
        "0 7 0 0",
        false_call_locks_out=True,
    ),
    row(clause("LD-S13"), "floor", "score 1 1; flip street; 1=123455; 1!; 1=123456/5; 1!", "ld.match", "2 0 0 0"),
    row(
        near_miss("LD-S13"),
        "below by option",
        "score 1 1; flip street; 1=123455; 1!; 1=123456/5; 1!",
        "ld.match",
        "1 0 0 0",
        scores_below_start=True,
    ),
    row(clause("LD-S14"), "six own", "score 2 3; flip pairs; 2=222222; 2+2", "ld.bonus", "0 4 0 0"),
    row(near_miss("LD-S14"), "six of another", "score 2 3; flip pairs; 2=111111; 2+2", "ld.bonus-wrong", "0 3 0 0"),
    row(clause("LD-S15"), "five own", "flip pairs; 2=222226; 2+2", "ld.bonus-wrong", "0 0 0 0"),
    row(near_miss("LD-S15"), "six own", "flip pairs; 2=222222; 2+2", "ld.bonus", "0 1 0 0"),
    row(clause("LD-S16"), "slip of the tongue", "flip pairs; 4=444444; 4+3", "ld.bonus", "0 0 0 1"),
    row(near_miss("LD-S16"), "called too late", "flip pairs; 4=444444; 4=123123; 4+4", "ld.bonus-wrong", "0 0 0 0"),
    row(
        near_miss("LD-S16"),
        "strict by option",
        "flip pairs; 4=444444; 4+3",
        "ld.bonus-number",
        "0 0 0 0",
        wrong_number_forgiven=False,
    ),
    row(clause("LD-S17"), "pawn up one", "score 4 6; flip pairs; 4=444444; 4+; pawn 4 7", "ld.pawn"),
    row(near_miss("LD-S17"), "pawn up two", "score 4 6; flip pairs; 4=444444; 4+; pawn 4 8", "ld.pawn-wrong"),
    row(clause("LD-S18"), "keeps three", "flip pairs; 4=444444; 4+; 4=444112/345", "ld.roll-short"),
    row(near_miss("LD-S18"), "throws six", "flip pairs; 4=444444; 4+; 4=444112", "ld.roll"),
    row(clause("LD-S19"), "2 more", "score 4 6; flip pairs; 4=444444; 4+; 4=112233; 4!", "ld.match", "0 0 0 9"),
    row(
        near_miss("LD-S19"),
        "not first",
        "score 4 6; flip pairs; 4=444444; 4+; 4=112233; 1=112233; 1!; 4!",
        "ld.late",
        "2 0 0 7",
    ),
    row(clause("LD-S20"), "hits player 3", "score 3 8; flip pairs; 4=333333; 4*3", "ld.thunder", "0 0 7 0"),
    row(near_miss("LD-S20"), "not called", "score 3 8; flip pairs; 4=333333", "ld.roll", "0 0 8 0"),
    row(clause("LD-S21"), "five", "score 3 8; flip pairs; 4=333331; 4*3", "ld.thunder-wrong", "0 0 8 0"),
    row(near_miss("LD-S21"), "six", "score 3 8; flip pairs; 4=333333; 4*3", "ld.thunder", "0 0 7 0"),
    row(clause("LD-S22"), "no player 6", "flip pairs; 4=666666; 4*6", "ld.thunder-nobody"),
    row(clause("LD-S22"), "own number", "flip pairs; 4=444444; 4*4", "ld.thunder-self"),
    row(near_miss("LD-S22"), "own number as Bonus after it", "flip pairs; 4=444444; 4*4; 4+4", "ld.bonus"),
    row(clause("LD-S23"), "wrong victim", "score 2 5; flip pairs; 4=333333; 4*2", "ld.thunder-number", "0 5 0 0"),
    row(near_miss("LD-S23"), "corrected", "score 3 5; flip pairs; 4=333333; 4*2; 4*3", "ld.thunder", "0 0 4 0"),
    row(clause("LD-S24"), "pawn down one", "score 3 8; flip pairs; 4=333333; 4*3; pawn 3 7", "ld.pawn"),
    row(near_miss("LD-S24"), "pawn left", "score 3 8; flip pairs; 4=333333; 4*3; pawn 3 8", "ld.pawn-wrong"),
    row(
        clause("LD-S25"),
        "caller gains nothing",
        "score 4 6; score 3 8; flip pairs; 4=333333; 4*3",
        "ld.thunder",
        "0 0 7 6",
    ),
    row(near_miss("LD-S25"), "a Bonus does", "score 4 6; score 3 8; flip pairs; 4=444444; 4+", "ld.bonus", "0 0 8 7"),
    row(clause("LD-S26"), "fewer than six", "flip pairs; score 3 2; 4=333333; 4*3; 4=112333/012", "ld.roll-short"),
    row(near_miss("LD-S26"), "six", "flip pairs; score 3 2; 4=333333; 4*3; 4=112333", "ld.roll"),
    row(
        clause("LD-S27"),
        "2 more",
        "score 4 6; score 3 8; flip pairs; 4=333333; 4*3; 4=112233; 4!",
        "ld.match",
        "0 0 7 8",
    ),
    row(
        near_miss("LD-S27"),
        "falsely",
        "score 4 6; score 3 8; flip pairs; 4=333333; 4*3; 4=112234; 4!",
        "ld.false",
        "0 0 7 4",
    ),
    row(clause("LD-S28"), "first press", "flip pairs; 1=112233; 3=112233; calls 1!@320 3!@200", "ld.match", "0 0 2 0"),
    row(
        near_miss("LD-S28"),
        "first but false",
        "flip pairs; 1=112233; 3=112234; calls 1!@320 3!@200",
        "ld.false",
        "2 0 0 0",
    ),
    row(clause("LD-S29"), "pawn up two", "score 3 11; flip pairs; 3=112233; 3!; pawn 3 13", "ld.pawn"),
    row(near_miss("LD-S29"), "pawn up one", "score 3 11; flip pairs; 3=112233; 3!; pawn 3 12", "ld.pawn-wrong"),
    row(clause("LD-S30"), "at once", WON + "; turn few", "ld.flip"),
    row(near_miss("LD-S30"), "not after a false call", "flip pairs; 1=123456; 1!; turn few", "ld.card-open"),
    row(clause("LD-S31"), "Bonus keeps it open", "flip pairs; 4=444444; 4+; turn few", "ld.card-open"),
    row(near_miss("LD-S31"), "a match closes it", "flip pairs; 4=112233; 4!; turn few", "ld.flip"),
    row(clause("LD-S32"), "over at 20", "score 1 18; " + WON + "; turn few", "ld.over"),
    row(near_miss("LD-S32"), "on at 19", "score 1 17; " + WON + "; turn few", "ld.flip"),
    row(clause("LD-S33"), "past 20", "score 1 19; " + WON + "; 1!", "ld.over", "20 0 0 0"),
    row(near_miss("LD-S33"), "exact by option", "score 1 19; " + WON, "ld.match", "19 0 0 0", exact_finish=True),
    row(clause("LD-S34"), "Bonus wins", "score 2 19; flip pairs; 2=222222; 2+; 2!", "ld.over", "0 20 0 0"),
    row(
        near_miss("LD-S34"),
        "not by option",
        "score 2 19; flip pairs; 2=222222; 2+",
        "ld.bonus-capped",
        "0 19 0 0",
        bonus_may_win=False,
    ),
    row(clause("LD-S35"), "twice", "score 2 4; flip pairs; 2=222222; 2+; 2=222222; 2+", "ld.bonus", "0 6 0 0"),
    row(near_miss("LD-S35"), "same dice", "score 2 4; flip pairs; 2=222222; 2+; 2+", "ld.spent", "0 5 0 0"),
    row(
        near_miss("LD-S35"),
        "once by option",
        "flip pairs; 2=222222; 2+; 2=222222; 2+",
        "ld.bonus-again",
        "0 1 0 0",
        bonus_once_per_card=True,
    ),
    row(clause("LD-S36"), "two hit", "score 3 5; flip pairs; 4=333333; 4*3; 1=333333; 1*3", "ld.thunder", "0 0 3 0"),
    row(
        near_miss("LD-S36"),
        "once by option",
        "score 3 5; flip pairs; 4=333333; 4*3; 4=333333; 4*3",
        "ld.thunder-again",
        "0 0 4 0",
        thunder_once_per_card=True,
    ),
    row(clause("LD-S37"), "on Start", "flip pairs; 4=333333; 4*3", "ld.thunder-start", "0 0 0 0"),
    row(near_miss("LD-S37"), "one above", "score 3 1; flip pairs; 4=333333; 4*3", "ld.thunder", "0 0 0 0"),
    row(
        near_miss("LD-S37"),
        "void by option",
        "flip pairs; 4=333333; 4*3",
        "ld.thunder-start-void",
        thunder_on_start_counts=False,
    ),
    row(clause("LD-S38"), "one set, one call", "flip fours; 4=444444; 4+; 4!", "ld.spent", "0 0 0 1"),
    row(near_miss("LD-S38"), "thrown between", "flip fours; 4=444444; 4+; 4=444444; 4!", "ld.match", "0 0 0 3"),
    row(
        near_miss("LD-S38"),
        "both by option",
        "flip fours; 4=444444; 4+; 4!",
        "ld.match",
        "0 0 0 3",
        one_call_per_throw=False,
    ),
    row(clause("LD-S39"), "costs nothing", "score 2 9; flip pairs; 2=222225; 2+", "ld.bonus-wrong", "0 9 0 0"),
    row(
        near_miss("LD-S39"),
        "costs by option",
        "score 2 9; flip pairs; 2=222225; 2+",
        "ld.bonus-cost",
        "0 8 0 0",
        wrong_bonus_or_thunder_costs=1,
    ),
    row(clause("LD-S40"), "nobody", "flip pairs; 1=112233; 3=112233; calls 1!@100 3!@110", "ld.tie-void", "0 0 0 0"),
    row(
        near_miss("LD-S40"), "11 ms apart", "flip pairs; 1=112233; 3=112233; calls 1!@100 3!@111", "ld.match", "2 0 0 0"
    ),
    row(
        near_miss("LD-S40"),
        "only one right",
        "score 1 5; flip pairs; 1=112234; 3=112233; calls 1!@100 3!@100",
        "ld.false",
        "3 0 2 0",
    ),
    row(
        clause("LD-S40"),
        "to the judge",
        "flip pairs; 1=112233; 3=112233; calls 1!@100 3!@100; uphold 0 1",
        "ld.judge-match",
        "0 0 2 0",
        judge="Zoe",
    ),
    row(
        clause("LD-S40"),
        "judge sees neither first",
        "flip pairs; 1=112233; 3=112233; calls 1!@100 3!@100; refuse 0 0; refuse 1 1",
        "ld.judge-tie",
        "0 0 0 0",
        judge="Zoe",
    ),
    row(
        near_miss("LD-S40"),
        "each by option",
        "flip pairs; 1=112233; 3=112233; calls 1!@100 3!@100",
        "ld.tie-shared",
        "2 0 2 0",
        tied_calls="each",
    ),
    row(
        clause("LD-S41"),
        "Thunder first",
        "score 3 18; flip pairs; 4=333333; 3=112233; calls 3!@4200 4*3@4000",
        "ld.thunder",
        "0 0 19 0",
    ),
    row(
        near_miss("LD-S41"),
        "match first",
        "score 3 18; flip pairs; 4=333333; 3=112233; calls 3!@4000 4*3@4200",
        "ld.match",
        "0 0 20 0",
    ),
    row(
        near_miss("LD-S41"),
        "match before by option",
        "score 3 18; flip pairs; 4=333333; 3=112233; calls 3!@4200 4*3@4000",
        "ld.over",
        "0 0 20 0",
        mixed_calls="match first",
    ),
    row(
        clause("LD-S42"),
        "between cards",
        "score 2 5; flip pairs; 1=112233; 2=123456; 1!@5000; 2!@5300",
        "ld.late",
        "2 5 0 0",
    ),
    row(
        near_miss("LD-S42"),
        "next card up",
        "score 2 5; flip pairs; 1=112233; 1!@5000; flip few 6200; 2=123456@6300; 2!@6500",
        "ld.false",
        "2 3 0 0",
    ),
    row(
        clause("LD-S42"),
        "pressed before the next card",
        "score 2 5; flip pairs; 1=112233; 2=123456; 1!@5000; flip few 6200; 2!@6100",
        "ld.late",
        "2 5 0 0",
    ),
    row(
        near_miss("LD-S42"),
        "costs by option",
        "score 2 5; flip pairs; 1=112233; 2=123456; 1!; 2!",
        "ld.late-cost",
        "2 3 0 0",
        late_call_costs=True,
    ),
    row(
        clause("LD-S43"),
        "still tumbling",
        "score 1 5; flip pairs; 1=112234@1000; move 1 5@2000; 1=112233/5@3000; 1!@2600",
        "ld.false",
        "3 0 0 0",
    ),
    row(
        near_miss("LD-S43"),
        "at rest in the tolerance",
        "score 1 5; flip pairs; 1=112234@1000; move 1 5@2000; 1=112233/5@3000; 1!@2750",
        "ld.match",
        "7 0 0 0",
        settle_ms=300,
    ),
    row(
        clause("LD-S43"),
        "at rest just after the press",
        "score 1 5; flip pairs; 1=112234@1000; move 1 5@2000; 1=112233/5@3000; 1!@2999",
        "ld.false",
        "3 0 0 0",
    ),
    row(
        near_miss("LD-S43"),
        "at rest just before the press",
        "score 1 5; flip pairs; 1=112234@1000; move 1 5@2000; 1=112233/5@3000; 1!@3001",
        "ld.match",
        "7 0 0 0",
    ),
    row(
        near_miss("LD-S43"),
        "lay at the press",
        "flip pairs; 1=112233@1000; move 1 5@2000; 1=112235/5@3000; 1!@1900",
        "ld.match",
    ),
    row(clause("LD-S44"), "unread", "score 1 5; flip pairs; 1=11223x; 1!", "ld.unproven", "5 0 0 0"),
    row(near_miss("LD-S44"), "settled by the rest", "score 1 5; flip pairs; 1=11445x; 1!", "ld.false", "3 0 0 0"),
    row(near_miss("LD-S44"), "spare die unread", "score 1 5; flip few; 1=11144x; 1!", "ld.match", "7 0 0 0"),
    row(
        clause("LD-S44"),
        "pulled in unread",
        "score 1 5; flip pairs; 1=112234@1000; move 1 5@1500; move 1 5@2500; 1!@2000",
        "ld.unproven",
        "5 0 0 0",
    ),
    row(
        clause("LD-S44"),
        "first throw pulled in unread",
        "score 1 5; flip pairs; move 1 012345@500; move 1 012345@5200; 1!@5000",
        "ld.unproven",
        "5 0 0 0",
    ),
    row(
        clause("LD-S44"),
        "first throw on the next card pulled in unread",
        "flip few; 1=111222@100; 1!@200; flip pairs; move 1 012345@500; move 1 012345@5200; 1!@5000",
        "ld.unproven",
        "2 0 0 0",
    ),
    row(
        near_miss("LD-S44"),
        "called before anything was thrown",
        "score 1 5; flip pairs; move 1 012345@500; move 1 012345@5200; 1!@400",
        "ld.not-rolled",
        "5 0 0 0",
    ),
    row(
        near_miss("LD-S44"),
        "only some of the six owed were thrown",
        "flip few; 1=111222@100; 1!@200; flip pairs; move 1 01234@500; move 1 01234@5200; 1!@5000",
        "ld.not-rolled",
        "2 0 0 0",
    ),
    row(
        clause("LD-S45"), "supply empty", "flip few; 1=111222; 1!; turn few", "ld.supply-empty", cards={"few": "1 1 1"}
    ),
    row(
        near_miss("LD-S45"),
        "used ones shuffled",
        "flip few; 1=111222; 1!; reshuffled; turn few",
        "ld.flip",
        cards={"few": "1 1 1"},
    ),
    row(near_miss("LD-S45"), "not while cards are left", WON + "; reshuffled", "ld.supply-left"),
    row(clause("LD-X1"), "NICE", "score 4 10; flip pairs; 4=444444; 4+4; 4=112233; 4!", "ld.match", "0 0 0 13"),
    row(near_miss("LD-X1"), "NICE, not taken up", "score 4 10; flip fours; 4=444444; 4+4; 4!", "ld.spent", "0 0 0 11"),
    row(
        clause("LD-X2"),
        "NASTY",
        "score 4 10; score 3 8; flip pairs; 4=333333; 4*3; 4=112233; 4!",
        "ld.match",
        "0 0 7 12",
    ),
    row(
        near_miss("LD-X2"),
        "NASTY, five",
        "score 4 10; score 3 8; flip pairs; 4=333332; 4*3",
        "ld.thunder-wrong",
        "0 0 8 10",
    ),
]


@pytest.mark.parametrize(("script", "code", "scores", "given"), [*SET_UP, *STANDARD])
def test_clause(script: str, code: str, scores: str | None, given: dict[str, Any]) -> None:
    play = Play(**given)
    assert run(play, script).code == code
    if scores is not None:
        assert " ".join(map(str, play.scores())) == scores


def test_refusals_of_a_late_supply_end_by_option() -> None:
    play = Play(cards={"few": "1 1 1"}, supply_empty="end")
    run(play, "flip few; 1=111222; 1!")
    result = play.match.result()
    assert result is not None
    assert (result.winners, result.code) == ((1,), "ld.won-supply")
