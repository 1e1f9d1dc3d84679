"""A short way to play Lightning Dice in tests, and seeded random play that throws towards the goals."""

from __future__ import annotations

import random
from typing import Any

from rules.events import Adjust, Decision, Overrule, Source, Submission
from rules.games import new_match
from rules.header import Header, Seat
from rules.lightning_dice.events import (
    Breach,
    Call,
    Calls,
    Decide,
    Flip,
    Moving,
    Press,
    Ready,
    Reshuffled,
    Roll,
    Shuffled,
)
from rules.lightning_dice.game import GAME
from rules.lightning_dice.goals import Faces, parse_goal
from rules.lightning_dice.state import LightningDiceState
from rules.rulings import Ruling

COLOURS = ("red", "blue", "green", "yellow", "white", "black")
NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay")
MS = 1_000_000

GOALS = {
    "pairs": "1 1 2 2 3 3",
    "street": "1 2 3 4 5 6",
    "evens": "2 2 4 4 6 6",
    "sixes": "6 6 6 6 6 6",
    "fours": "4 4 4 4 4 4",
    "few": "1 1 1",
    "odd": "all odd",
}


def pack(goals: dict[str, str] | None = None) -> dict[str, Any]:
    """A small pack as plain data."""
    cards = [
        {"id": name, "goal": goal, "provenance": "published", "marker": marker}
        for marker, (name, goal) in enumerate((goals or GOALS).items())
    ]
    return {"game": "lightning-dice", "title": "Test cards", "card": cards}


def seats(count: int) -> tuple[Seat, ...]:
    """So many seats."""
    return tuple(Seat(n + 1, NAMES[n], COLOURS[n]) for n in range(count))


def header(count: int = 4, judge: str | None = None, cards: dict[str, str] | None = None, **options: Any) -> Header:
    """A header with the small pack."""
    return GAME.new_header("test", seats(count), options, pack(cards), judge)


class Play:
    """A match with short names for what happens; every step is checked for an impossible state and known facts."""

    def __init__(
        self, count: int = 4, judge: str | None = None, cards: dict[str, str] | None = None, **options: Any
    ) -> None:
        self.match = new_match(header(count, judge, cards, **options))
        self.clock = 1_000 * MS

    @property
    def state(self) -> LightningDiceState:
        return self.match.state

    def do(self, event: Any, source: Source = Source.DECLARED, at_ns: int | None = None) -> Ruling:
        before = self.match.state
        entry = self.match.submit(Submission(event, source, at_ns=at_ns))
        assert self.match.referee.check_state(self.match.state) == ()
        for ruling in entry.rulings:
            assert not ruling.code.startswith("ld.") or set(ruling.facts) == set(self.match.referee.codes[ruling.code])
        if all(ruling.refusal is not None for ruling in entry.rulings):
            assert self.match.state == before
        self.rulings = entry.rulings
        return entry.rulings[0]

    def begin(self) -> Play:
        self.do(Shuffled())
        for seat in self.state.seats:
            self.do(Ready(seat.number))
        return self

    def flip(self, card: str = "pairs", **more: Any) -> Ruling:
        if self.state.phase == "setup":
            self.begin()
        return self.do(Flip(card), Source.JUDGE, **more)

    def roll(self, seat: int, faces: str, thrown: str | None = "012345", **more: Any) -> Ruling:
        """Faces as text: "112233", "x" = unreadable; `thrown` as text of places, None when nobody knows."""
        shown = tuple(None if each == "x" else int(each) for each in faces)
        places = None if thrown is None else tuple(map(int, thrown))
        return self.do(Roll(seat, shown, places, **more), Source.CAMERA)

    def moving(self, seat: int, dice: str = "012345", since_ns: int | None = None) -> Ruling:
        return self.do(Moving(seat, tuple(map(int, dice)), since_ns), Source.CAMERA)

    def call(self, seat: int, call: Call = Call.GOT_IT, number: int | None = None, edge_ns: int = 0) -> Ruling:
        return self.do(Calls((Press(seat, call, edge_ns, number),)), Source.BUTTON)

    def got_it(self, seat: int, edge_ns: int = 0) -> Ruling:
        return self.call(seat, edge_ns=edge_ns)

    def bonus(self, seat: int, number: int | None = None) -> Ruling:
        return self.call(seat, Call.BONUS, number or seat)

    def thunder(self, seat: int, number: int | None) -> Ruling:
        return self.call(seat, Call.THUNDER, number)

    def calls(self, *rows: tuple[int, Call, int]) -> list[str]:
        """Several presses (seat, call, edge in ms) of one window; the codes in the order of the presses."""
        self.do(Calls(tuple(Press(seat, call, ms * MS) for seat, call, ms in rows)), Source.BUTTON)
        return [ruling.code for ruling in self.rulings]

    def judge(self, decision: Decision = Decision.UPHOLD, target: int | None = None, ruling: int = 0) -> Ruling:
        """The judge's word; by default on the last entry."""
        return self.do(Decide(self.match.seq if target is None else target, decision, ruling, "seen"), Source.JUDGE)

    def breach(self, seat: int, rule: int, dice: str = "0", detail: str = "", source: Source = Source.JUDGE) -> Ruling:
        return self.do(Breach(seat, rule, tuple(map(int, dice)), detail), source)

    def overrule(self, decision: Decision, target: int | None = None, ruling: int = 0) -> Ruling:
        where = self.match.seq if target is None else target
        return self.do(Overrule(where, decision, "looked again", ruling), Source.JUDGE)

    def score(self, seat: int, points: int) -> Play:
        """Start a seat from so many points."""
        self.do(Adjust(seat, "score", points, "start of a test"), Source.JUDGE)
        return self

    def scores(self) -> tuple[int, ...]:
        return tuple(seat.score for seat in self.state.seats)

    def piles(self) -> tuple[int, ...]:
        return tuple(seat.cards_won for seat in self.state.seats)


def meeting(goal: str, chance: random.Random) -> tuple[int, ...]:
    """Six faces that meet a goal, the spare ones by chance."""
    meaning = parse_goal(goal)
    exact = [c for c in meaning.conditions if isinstance(c, Faces)]
    if exact:
        faces = [int(each) for each in exact[0].text().split()]
        faces += [chance.randint(1, 6) for _ in range(6 - len(faces))]
        chance.shuffle(faces)
        if meaning.met(faces):
            return tuple(faces)
    while True:
        faces = [chance.randint(1, 6) for _ in range(6)]
        if meaning.met(faces):
            return tuple(faces)


def random_event(state: LightningDiceState, chance: random.Random) -> tuple[Any, Source]:
    """What a lively table might do next, mostly sensible."""
    numbers = state.given.numbers
    seat = chance.choice(numbers)
    luck = chance.random()
    if state.phase == "setup":
        unready = [each.number for each in state.seats if not each.ready]
        if not state.shuffled:
            return Shuffled(), Source.DECLARED
        if unready:
            return Ready(unready[0]), Source.DECLARED
    if state.pending and luck < 0.6:
        first = state.pending[0]
        right = first.advice in ("ld.match", "ld.match-card", "ld.bonus", "ld.thunder")
        word = Decision.UPHOLD if right == (chance.random() < 0.9) else Decision.REFUSE
        return Decide(first.seq, word, first.ruling), Source.JUDGE
    if state.phase != "open" and luck < 0.9:
        unused = [card.id for card in state.given.cards if card.id not in state.used]
        if not unused:
            return Reshuffled(), Source.DECLARED
        return Flip(chance.choice(unused)), Source.JUDGE
    lively = chance.random()
    card = state.given.card(state.card or "")
    if lively < 0.02:
        return Moving(seat, tuple(chance.sample(range(6), chance.randint(1, 6)))), Source.CAMERA
    if lively < 0.04 and state.options.tournament:
        return Breach(seat, chance.randint(1, 7), (chance.randint(0, 5),)), chance.choice((Source.JUDGE, Source.CAMERA))
    who = state.seat_state(seat)
    if lively < 0.45 or not who.rolled:
        what = chance.random()
        if card and what < 0.55:
            faces: tuple[int | None, ...] = meeting(card.goal, chance)
        elif what < 0.75:
            faces = (chance.choice((seat, chance.choice(numbers))),) * 6
        else:
            faces = tuple(chance.randint(1, 6) for _ in range(6))
        if chance.random() < 0.04:
            faces = (None, *faces[1:])
        thrown = chance.choice((None, (0, 1, 2, 3, 4, 5), (0, 1, 2, 3, 4, 5), (0, 2)))
        return Roll(seat, faces, thrown), Source.CAMERA
    same = who.faces[0] if who.faces and len(set(who.faces)) == 1 else None
    call = Call.GOT_IT
    if same in numbers and chance.random() < 0.8:
        call = chance.choice((Call.NICE_OR_NASTY, Call.BONUS if same == seat else Call.THUNDER))
    elif chance.random() < 0.1:
        call = chance.choice(list(Call))
    presses = [Press(seat, call, 1000 * MS, same if call is Call.THUNDER else None)]
    if chance.random() < 0.25:
        presses.append(Press(chance.choice(numbers), Call.GOT_IT, (1000 + chance.choice((0, 5, 10, 40))) * MS))
    elif chance.random() < 0.5:
        presses = [Press(seat, call, 0, same if call is Call.THUNDER else None)]
    chance.shuffle(presses)
    return Calls(tuple(presses)), Source.BUTTON
