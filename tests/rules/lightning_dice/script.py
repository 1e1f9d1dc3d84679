"""A line of text plays a match: steps between semicolons.

flip CARD            the judge (or anybody) turns a card up; set-up is done before the first
1=112233             seat 1 throws all six dice; 1=112233/45 throws only places 4 and 5; x = unreadable
1=112233@500         … and they come to rest at 500 ms
off 1 112233 5       a roll whose die in place 5 left the table
move 1 345           these dice leave their place; move 1 345@700 at 700 ms
1!  1!@600           "Got it!", at 600 ms
1+  1+3  1*3  1?     Bonus, "Bonus 3", "Thunder 3", the second button
calls 1!@100 2*3@105 several presses of one window
score 1 18           starts seat 1 from 18 points
uphold N  refuse N   the judge on the call N lines of the record back (0 = the last)
up N  down N         the same as an overrule
breach 1 3 45 lifted seat 1, rule 3, places 4 and 5, word; player 1 3 45 lifted: reported by a player
pawn 1 7 · stack side · ready 1 dice=5 · shuffled · reshuffled · begin
"""

from __future__ import annotations

import re
from typing import Any

from rules.events import Adjust, Decision, Note, Source
from rules.lightning_dice.events import Call, Calls, Flip, Moving, Pawn, Press, Ready, Reshuffled, Roll, Shuffled, Stack
from rules.rulings import Ruling
from tests.rules.lightning_dice.playing import MS, Play

_CALL = re.compile(r"(\d)([!+*?])(\d?)(?:@(\d+))?$")
_ROLL = re.compile(r"(\d)=([1-6x]{6})(?:/(\d*))?(?:@(\d+))?$")


def press(text: str) -> Press:
    """A press as text."""
    found = _CALL.match(text)
    assert found, text
    call = {"!": Call.GOT_IT, "+": Call.BONUS, "*": Call.THUNDER, "?": Call.NICE_OR_NASTY}[found[2]]
    return Press(int(found[1]), call, int(found[4] or 0) * MS, int(found[3]) if found[3] else None)


def step(play: Play, text: str) -> Ruling:
    """Play one step."""
    word, *rest = text.split()
    rolled = _ROLL.match(text)
    if rolled:
        at = {"settled_ns": int(rolled[4]) * MS} if rolled[4] else {}
        return play.roll(int(rolled[1]), rolled[2], "012345" if rolled[3] is None else rolled[3], **at)
    if _CALL.match(text):
        return play.do(Calls((press(text),)), Source.BUTTON)
    if word == "calls":
        return play.do(Calls(tuple(press(each) for each in rest)), Source.BUTTON)
    if word in ("uphold", "refuse", "up", "down"):
        decision = Decision.UPHOLD if word in ("uphold", "up") else Decision.REFUSE
        target = play.match.seq - (int(rest[0]) if rest else 0)
        which = int(rest[1]) if len(rest) > 1 else 0
        return (play.judge if word in ("uphold", "refuse") else play.overrule)(decision, target, which)
    if word in ("breach", "player"):
        source = Source.JUDGE if word == "breach" else Source.DECLARED
        return play.breach(int(rest[0]), int(rest[1]), rest[2], " ".join(rest[3:]), source)
    if word == "flip":
        at = int(rest[1]) * MS if len(rest) > 1 else None
        return play.flip(rest[0], at_ns=at)
    return play.do(*_event(word, rest))


def _event(word: str, rest: list[str]) -> tuple[Any, ...]:
    match word:
        case "turn":
            return Flip(None if rest[0] == "?" else rest[0]), Source.DECLARED
        case "off":
            places = tuple(map(int, rest[2]))
            return Roll(int(rest[0]), tuple(map(int, rest[1])), (0, 1, 2, 3, 4, 5), off_table=places), Source.CAMERA
        case "move":
            places_at = rest[1].split("@")
            since = int(places_at[1]) * MS if len(places_at) > 1 else None
            return Moving(int(rest[0]), tuple(map(int, places_at[0])), since), Source.CAMERA
        case "score":
            return Adjust(int(rest[0]), "score", int(rest[1]), "start"), Source.JUDGE
        case "cards":
            return Adjust(int(rest[0]), "cards", int(rest[1]), "start"), Source.JUDGE
        case "pawn":
            return Pawn(int(rest[0]), int(rest[1])), Source.CAMERA
        case "stack":
            return (Stack(rest[0]),)
        case "ready":
            given: dict[str, Any] = {}
            for each in rest[1:]:
                name, value = each.split("=")
                given[name] = tuple(value.split(",")) if name == "colours" else None if value == "-" else int(value)
            return (Ready(int(rest[0]), **given),)
        case "shuffled":
            return (Shuffled(),)
        case "reshuffled":
            return (Reshuffled(),)
    raise AssertionError(word)


def run(play: Play, script: str) -> Ruling:
    """Play a script; the last ruling."""
    ruling = None
    for text in script.split(";"):
        ruling = play.begin().do(Note("begun")) if text.strip() == "begin" else step(play, text.strip())
    assert ruling is not None
    return ruling
