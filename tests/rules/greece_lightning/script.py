"""A line of text plays Greece Lightning: a position, steps between semicolons, and what stands after them.

The box is that of `box`: wedge w5 lies at place 5, a dot is written as place and name ("5b"). Steps, of the seat in
turn unless another number is named first ("2: nav 3"):

nav 3 · move 4 · both 4 2       the Navigation die; one Movement die; both at once; x unreadable, "off" beside the board
again second [favor]            picks up a die to roll it again, for a Fish or by a Favor
done · total 7                  accepts the roll; says how far it goes
lay fish 5 [crooked] [with 1]   lays a wedge; askew; with another at the same moment
go 4a 5a [over 4b] [by 2]       one step for each dot; over a dot skipped, by the path with a number; "no" declines
drawn fish · feed · fight · end
reveal zeus [with 1] · give 2 [down] · discard zeus · use zeus [on 2] [at 5]
dice 2 4 5 · wake 5a · marker 1 · fleece · count fish 2 · conduct peeked · shuffle favors
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from functools import cache
from typing import Any

import msgspec
import pytest

from rules.events import Adjust, Event, Source, Submission
from rules.greece_lightning.components import FAVORS, FISH
from rules.greece_lightning.course import Layout, Spot
from rules.greece_lightning.events import (
    Conduct,
    Count,
    Dice,
    Discard,
    DrawWedge,
    EndMove,
    Feed,
    Fight,
    FinishRoll,
    Fleece,
    Give,
    LapMarker,
    Movement,
    Navigation,
    PlaceWedge,
    Reroll,
    Reveal,
    Shuffled,
    Step,
    Total,
    Use,
    Wake,
)
from rules.greece_lightning.game import GAME, REFEREE
from rules.greece_lightning.state import GreeceLightningState, SeatState, Turn
from rules.header import Seat
from rules.match import Match
from rules.rulings import Ruling, Verdict
from tests.rules.greece_lightning.box import box
from tests.rules.greece_lightning.course_parts import at, written

__all__ = ["Board", "board", "hold", "row", "run", "seats"]

_NAMES = (("Ann", "red"), ("Ben", "blue"), ("Cleo", "green"), ("Dan", "yellow"))


def seats(number: int) -> tuple[Seat, ...]:
    return tuple(Seat(seat, *_NAMES[seat - 1]) for seat in range(1, number + 1))


@cache
def _begun(players: int, judge: str | None, options: tuple[tuple[str, Any], ...]) -> Match[GreeceLightningState]:
    """A match before its first event; the pack is checked once for all of them."""
    return Match(REFEREE, GAME.new_header("script", seats(players), dict(options), box(), judge))


class Board:
    """A match that can be put into any position, with its rulings at hand."""

    def __init__(self, players: int = 3, *, judge: str | None = None, **options: Any) -> None:
        self.match: Match[GreeceLightningState] = copy(_begun(players, judge, tuple(options.items())))
        self.match.entries, self.match._positions = [], self.match._positions[:1]

    @property
    def state(self) -> GreeceLightningState:
        return self.match.state

    def put(self, state: GreeceLightningState) -> None:
        """Set the position; it must be a possible one."""
        assert REFEREE.check_state(state) == (), REFEREE.check_state(state)
        self.match._positions[-1] = type(self.match.position)(state)

    def submit(self, event: Event, source: Source = Source.DECLARED) -> tuple[Ruling, ...]:
        """File an event; the state afterwards must be possible, and untouched when it was refused."""
        before = self.state
        entry = self.match.submit(Submission(event, source))
        assert REFEREE.check_state(self.state) == (), REFEREE.check_state(self.state)
        if all(ruling.verdict is Verdict.REFUSED for ruling in entry.rulings):
            assert self.state == before
        return entry.rulings


def _value(text: str) -> int | None:
    return None if text == "x" else int(text)


def board(
    ships: str = "3b 8a 8d",
    *,
    turn: int | None = 1,
    step: str = "move",
    left: int = 0,
    tops: Mapping[int, str] | None = None,
    line: int = 1,
    options: Mapping[str, Any] | None = None,
    judge: str | None = None,
    dice: str = "",
    fish: str = "",
    laps: str = "",
    favors: str = "",
    facedown: str = "",
    wedges: str = "",
    drawn: str = "",
    seat: Mapping[int, Mapping[str, Any]] | None = None,
    **state: Any,
) -> Board:
    """A position in play.

    What belongs to seats is written seat by seat, seat 1 first; seats that are not named have 2 Fish, a roll of
    Navigation 2 and Movement 4 (nothing while they roll), and nothing else.

    Args:
        ships: where the ships stand; also tells how many play.
        turn: whose turn it is; None while all roll.
        step: which step of the turn.
        left: movement left to the seat in turn.
        tops: wedges of the stack laid on places; several one above the other with "/" between them.
        line: where the Starting Line lies.
        options: of the match.
        judge: name of the judge.
        dice: Navigation, first and second Movement die: "2-4 1-3-5 -".
        fish, laps, facedown: numbers: "2 0 3".
        favors, wedges, drawn: ids with "+" between them: "zeus+janus - ares". Wedges are those to be placed.
        seat: any other fields of single seats.
        state: fields of the state.
    """
    spots = [at(each) for each in ships.split()]
    made = Board(len(spots), judge=judge, **(options or {}))
    layout = Layout(tuple((f"w{place}",) for place in range(1, 13)), line)
    for place, laid in (tops or {}).items():
        for wedge in laid.split("/"):
            layout = layout.with_wedge(place, wedge)
    told: list[tuple[str, Callable[[str], dict[str, Any]]]] = [
        (dice, _dice),
        (fish, lambda word: {"fish": int(word)}),
        (laps, lambda word: {"laps": int(word)}),
        (facedown, lambda word: {"facedown": int(word), "favors_drawn": int(word)}),
        (favors, lambda word: {"favors": _ids(word)}),
        (wedges, lambda word: {"wedges": _ids(word)}),
        (drawn, lambda word: {"drawn": _ids(word)}),
    ]
    lying = []
    for number, spot in enumerate(spots, start=1):
        fields: dict[str, Any] = {"spot": spot, "wake": spot, "fish": 2, "ready": True, "starter": number}
        if turn:
            fields |= {"navigation": 2, "first": 4, "finished": True}
        for text, read in told:
            words = text.split()
            if number <= len(words):
                fields |= read(words[number - 1])
        if number == turn:
            fields["movement_left"] = left
        lying.append(SeatState(number, **{**fields, **(seat or {}).get(number, {})}))
    gone = sum(each.facedown + len(each.favors) for each in lying) + len(state.get("discard", ()))
    fixed = {
        "phase": "turns" if turn else "rolling",
        "supply": FISH - sum(each.fish for each in lying),
        "turn": Turn(turn, step) if turn else None,  # type: ignore[arg-type]
        "fleece": len(spots),
        "round": 2,
        "deck": FAVORS - gone,
    }
    made.put(GreeceLightningState(made.state.given, tuple(lying), layout=layout, **{**fixed, **state}))
    return made


def _ids(word: str) -> tuple[str, ...]:
    return () if word == "-" else tuple(word.split("+"))


def _dice(word: str) -> dict[str, Any]:
    faces = [int(each) for each in word.split("-") if each] + [None] * 3
    return {"navigation": faces[0], "first": faces[1], "second": faces[2]}


def _options(words: list[str], *names: str) -> tuple[list[str], dict[str, str]]:
    """Words, and the values that follow these names among them."""
    plain, found = [], {}
    rest = iter(words)
    for word in rest:
        if word in names:
            found[word] = next(rest)
        else:
            plain.append(word)
    return plain, found


def _events(state: GreeceLightningState, text: str) -> list[Event]:
    """The events of one step."""
    head, colon, tail = text.partition(":")
    seat = int(head) if colon else state.turn.seat if state.turn else 1
    verb, *rest = (tail if colon else text).split()
    words, named = _options(rest, "over", "by", "on", "at", "with")
    match verb:
        case "nav":
            return [Navigation(seat, _value(words[0]), placed="off" not in words)]
        case "move" | "both":
            faces = tuple(_value(each) for each in words if each != "off")
            return [Movement(seat, faces, placed="off" not in words)]
        case "again":
            return [Reroll(seat, *words)]
        case "done":
            return [FinishRoll(seat)]
        case "total":
            return [Total(seat, int(words[0]))]
        case "lay":
            others = int(named.get("with", "0"))
            return [PlaceWedge(seat, words[0], int(words[1]), aligned="crooked" not in words, others=others)]
        case "go":
            dots = [word for word in words if word != "no"]
            over = (at(named["over"]),) if "over" in named else None
            number = int(named["by"]) if "by" in named else None
            return [Step(seat, at(dot), number, over, "no" in words) for dot in dots]
        case "drawn":
            return [DrawWedge(seat, None if words[0] == "x" else words[0])]
        case "reveal":
            card = None if words[0] == "x" else words[0]
            return [Reveal(seat, card, int(named.get("with", "0")))]
        case "discard":
            return [Discard(seat, words[0])]
        case "give":
            return [Give(seat, int(words[0]), "down" not in words)]
        case "use":
            on, place = (int(named[name]) if name in named else None for name in ("on", "at"))
            return [Use(seat, words[0], on, place)]
    return [_seen(seat, verb, words)]


def _seen(seat: int, verb: str, words: list[str]) -> Event:
    """What is seen or said beside the play itself."""
    match verb:
        case "feed":
            return Feed(seat)
        case "fight":
            return Fight(seat)
        case "end":
            return EndMove(seat)
        case "dice":
            return Dice(seat, int(words[0]) if words else None, tuple(int(each) for each in words[1:]))
        case "wake":
            return Wake(seat, None if words[0] == "off" else at(words[0]))
        case "marker":
            return LapMarker(seat, int(words[0]))
        case "fleece":
            return Fleece(seat)
        case "count":
            return Count(words[0], int(words[1]), seat if words[0] in ("fish", "favors", "facedown") else None)
        case "conduct":
            return Conduct(seat, words[0])
        case "shuffle":
            return Shuffled(words[0])
        case "adjust":
            return Adjust(seat, words[0], int(words[1]), "as people counted")
    raise AssertionError(verb)


def run(made: Board, script: str) -> tuple[Ruling, ...]:
    """Play the steps, each accepted; the rulings of the last, however it is ruled."""
    rulings: tuple[Ruling, ...] = ()
    events: list[Event] = []
    steps = [step.strip() for step in script.split(";") if step.strip()]
    for number, text in enumerate(steps, start=1):
        events = _events(made.state, text)
        for count, event in enumerate(events, start=1):
            rulings = made.submit(event)
            if number < len(steps) or count < len(events):
                assert all(ruling.verdict is not Verdict.REFUSED for ruling in rulings), (text, rulings)
    return rulings


_OF_SEAT = {"left": "movement_left", "owed": "movement_owed", "moved": "dots_moved", "nav": "navigation"}


def seen(made: Board, what: str) -> str:
    """What stands now: "at", "fish", "laps", "left", "facedown", "favors", "wedges", "drawn", "stopped" … of the seat
    that the script is about (seat 1), of another with its number behind ("fish2"); "turn", "step", "phase", "waits",
    "supply", "deck", "discard", "stack", "round", "ending", "winners" of the table; "top5" a wedge; "fact total"
    of the last rulings.
    """
    state = made.state
    if what.startswith("fact "):
        last = made.match.entries[-1].rulings
        return str(next(each.facts[what[5:]] for each in last if what[5:] in each.facts))
    if what.startswith("top"):
        assert state.layout is not None
        return state.layout.top(int(what[3:]))
    table = {
        "turn": state.turn.seat if state.turn else "-",
        "step": state.turn.step if state.turn else "-",
        "waits": " ".join(each.kind for each in state.waiting) or "-",
        "stack": state.stack_left,
        "ending": state.ending,
    }
    if what in table:
        return str(table[what])
    if what in GreeceLightningState.__struct_fields__:
        return _shown(getattr(state, what))
    name, number = (what[:-1], int(what[-1])) if what[-1].isdigit() else (what, 1)
    lying = state.seat_state(number)
    if name == "at":
        return "-" if lying.spot is None else written(lying.spot)
    return _shown(getattr(lying, _OF_SEAT.get(name, name)))


def _shown(value: Any) -> str:
    if isinstance(value, Spot):
        return written(value)
    if isinstance(value, tuple):
        return " ".join(str(each) for each in value) or "-"
    return str(value)


def row(mark: Any, word: str, script: str, code: str, after: str = "", *, cited: bool = True, **given: Any) -> Any:
    """A test in a line: what it holds, a word for it, the steps, the code of the last, what stands after it.

    Args:
        mark: `clause("GL-M1")` or `near_miss("GL-M1")`.
        cited: the ruling with the code must cite the clause; near misses need not.
        given: what `board` is given.
    """
    wanted = mark.args if mark.name == "clause" and cited else ()
    return pytest.param(script, code, after, wanted, given, marks=mark, id=f"{mark.args[0]}-{word}")


def hold(script: str, code: str, after: str, wanted: tuple[str, ...], given: dict[str, Any]) -> Board:
    """Play a row and hold it to what it says."""
    made = board(**given)
    rulings = run(made, script)
    found = [ruling for ruling in rulings if ruling.code == code]
    assert found, [ruling.code for ruling in rulings]
    assert set(wanted) <= {each for ruling in found for each in ruling.clauses}, found
    for part in filter(None, map(str.strip, after.split(";"))):
        what, _, expected = part.partition("=")
        assert (what, seen(made, what)) == (what, expected)
    assert msgspec.json.encode(made.state)
    return made
