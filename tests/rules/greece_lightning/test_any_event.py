"""Whatever is sent, the referee answers: no event of any shape breaks it, and a refused one changes nothing."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.errors import RulesError
from rules.events import Adjust, Decision, Overrule, Source, Submission
from rules.greece_lightning import events
from rules.greece_lightning.conduct import CONDUCT, OF_A_SEAT, OF_THE_TABLE
from rules.greece_lightning.course import Spot
from rules.greece_lightning.game import REFEREE
from rules.match import CORE_CODES
from rules.rulings import Verdict
from tests.rules.greece_lightning.box import STACK
from tests.rules.greece_lightning.players import Table
from tests.rules.greece_lightning.script import Board, board
from tests.rules.strategies import json_values

NUMBERS = st.one_of(st.integers(-1, 5), st.sampled_from([-(10**9), 9, 12, 13, 10**9]))
MAYBE = st.none() | NUMBERS
SPOTS = st.builds(Spot, NUMBERS | st.integers(1, 12), st.sampled_from(["a", "b", "b2", "c2", "d", "z", "in1", ""]))
WEDGES = st.sampled_from([*STACK, "w1", "w12", "starting-line", ""])
CARDS = st.sampled_from([*board().state.given.favors, "", "nobody"])
WORDS = st.one_of(
    st.sampled_from(["", "navigation", "first", "second", "favor", "laps", "movement", "wedges", "starters"]),
    st.sampled_from([*CONDUCT, *OF_A_SEAT, *OF_THE_TABLE]),
    st.text(max_size=4),
)
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "wedges": st.lists(WEDGES, max_size=13).map(tuple),
    "line": MAYBE,
    "centre": st.booleans(),
    "what": WORDS,
    "use": WORDS,
    "paid": st.sampled_from(["fish", "favor", ""]),
    "face_down": st.booleans(),
    "face_up": st.booleans(),
    "count": NUMBERS,
    "board": st.none() | st.sampled_from(["red", "blue", ""]),
    "wake": st.booleans(),
    "cards": st.lists(CARDS, max_size=5).map(tuple),
    "card": CARDS,
    "dot": st.none() | st.sampled_from(["a", "b", "z"]),
    "face": MAYBE,
    "faces": st.lists(MAYBE, max_size=3).map(tuple),
    "placed": st.booleans(),
    "wedge": WEDGES,
    "aligned": st.booleans(),
    "spot": st.none() | SPOTS,
    "over": st.none() | st.lists(SPOTS, max_size=2).map(tuple),
    "declines": st.booleans(),
    "number": MAYBE,
    "other": MAYBE,
    "place": NUMBERS | st.integers(1, 12),
    "navigation": NUMBERS,
    "reason": WORDS,
}
CODES = {**CORE_CODES, **REFEREE.codes}
KINDS = [*events.GreeceLightningEvent.__args__, Adjust]


@st.composite
def any_event(draw: st.DrawFn) -> Any:
    kind = draw(st.sampled_from(KINDS))
    drawn: dict[str, Any] = {}
    for name in kind.__struct_fields__:
        strategy = FIELDS.get(name, NUMBERS)
        if name == "to":
            strategy = SPOTS if kind is events.Step else NUMBERS
        if name == "movement":
            strategy = st.lists(NUMBERS, max_size=3).map(tuple) if kind is events.Dice else NUMBERS
        if name == "spot" and kind is events.PutShip:
            strategy = SPOTS
        drawn[name] = draw(strategy)
    return kind(**drawn)


def set_up() -> Board:
    """All of set-up is done but the ships."""
    made = Board()
    table = Table(made.state, 1)
    while not all(seat.starter for seat in made.state.seats):
        made.submit(table.next(made.state))
    return made


FAR: dict[str, Any] = {"left": 5, "seat": {1: {"dots_moved": 6}}}
STAGES = [
    Board,
    set_up,
    lambda: board(turn=None),
    lambda: board(turn=None, dice="2 1-4 3-2-1", favors="athena apollo+ares -"),
    lambda: board(step="place", wedges="fish", left=6, drawn="- boosts -"),
    lambda: board("4b 5b 8a", left=5, tops={5: "fork"}, favors="hades+aphrodite zeus -"),
    lambda: board("5b 8a 8d", left=5, tops={5: "scylla", 6: "mixed"}, favors="janus+poseidon - -"),
    lambda: board("12b 1b", left=3, laps="1 1", tops={2: "wedges"}),
    lambda: board(step="reveal", facedown="2", favors="janus+poseidon demeter+apollo -"),
    lambda: board(fish="0", tops={4: "hydras"}, favors="hephaestus - -", **FAR),
]


@settings(max_examples=250, deadline=None)
@given(st.sampled_from(range(len(STAGES))), st.lists(any_event(), min_size=1, max_size=8), st.sampled_from(Source))
def test_every_event_is_answered(stage: int, sent: list[Any], source: Source) -> None:
    made = STAGES[stage]()
    for event in sent:
        before = made.state
        permitted = REFEREE.permits(before, event, source) if not isinstance(event, Adjust) else None
        entry = made.match.submit(Submission(event, source))
        assert entry.rulings
        assert REFEREE.check_state(made.state) == (), event
        refused = all(ruling.verdict is Verdict.REFUSED for ruling in entry.rulings)
        if refused:
            assert made.state == before
        if permitted is not None:
            assert permitted is not refused, (event, entry.rulings)
        for ruling in entry.rulings:
            assert ruling.seat in (None, *made.state.given.numbers)
            assert set(ruling.facts) == set(CODES[ruling.code]), ruling


@settings(max_examples=120, deadline=None)
@given(value=json_values())
def test_random_json_raises_nothing_but_the_documented_errors(value: Any) -> None:
    data = msgspec.json.encode(value)
    for read in (REFEREE.read_submission, REFEREE.read_entry, REFEREE.read_event):
        try:
            read(value if read == REFEREE.read_event else data)
        except RulesError:
            continue


@settings(max_examples=60, deadline=None)
@given(st.integers(-1, 6), st.integers(-1, 3), st.sampled_from(Decision))
def test_any_overrule_is_answered(target: int, ruling: int, decision: Decision) -> None:
    made = board(left=5)
    made.submit(events.Wake(1, Spot(5, "b")))
    made.submit(events.Conduct(2, "looks-at-favor"))
    made.submit(events.Step(1, Spot(4, "b")))
    before = made.state
    entry = made.match.submit(Submission(Overrule(target, decision, "seen", ruling)))
    assert entry.rulings
    assert REFEREE.check_state(made.state) == ()
    if all(each.verdict is Verdict.REFUSED for each in entry.rulings):
        assert made.state == before
