"""Whatever is sent, the referee answers: no event of any shape breaks it, and a refused one changes nothing."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.events import Adjust, Decision, Source, Submission
from rules.rulings import Verdict
from rules.thunder_and_lightning import events
from rules.thunder_and_lightning.components import Role
from rules.thunder_and_lightning.conduct import CONDUCT
from rules.thunder_and_lightning.game import REFEREE
from tests.rules.thunder_and_lightning.script import Board, board, dealt, playing

NUMBERS = st.one_of(st.integers(-1, 5), st.sampled_from([-(10**9), 9, 10**9]))
SPOTS = st.tuples(NUMBERS, NUMBERS, NUMBERS)
CARDS = st.one_of(st.none(), st.sampled_from([*playing().state.given.cards, "", "thor-nobody"]))
WORDS = st.one_of(st.sampled_from(["", "hand", "row", "column", "deck", "pile", "thor", "points", *CONDUCT]), st.text())
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "back": st.one_of(st.none(), st.sampled_from(Role)),
    "card": CARDS,
    "cards": st.one_of(NUMBERS, st.lists(CARDS.filter(bool), max_size=4).map(tuple)),
    "at": st.one_of(st.none(), SPOTS),
    "to": st.one_of(st.none(), SPOTS),
    "spot": SPOTS,
    "deck": st.one_of(st.none(), NUMBERS),
    "target_column": st.one_of(st.none(), NUMBERS),
    "face_up": st.booleans(),
    "placed": st.booleans(),
    "decision": st.sampled_from(Decision),
    "use": WORDS,
    "what": WORDS,
    "reason": WORDS,
}
KINDS = [*(getattr(events, name) for name in events.__all__ if isinstance(getattr(events, name), type)), Adjust]
KINDS = [kind for kind in KINDS if hasattr(kind, "__struct_fields__")]
MANY = (events.ShowHand, events.Take, events.Stack)


@st.composite
def any_event(draw: st.DrawFn) -> Any:
    kind = draw(st.sampled_from(KINDS))
    given = {name: draw(FIELDS.get(name, NUMBERS)) for name in kind.__struct_fields__}
    if "cards" in given and isinstance(given["cards"], tuple) is not (kind in MANY):
        given["cards"] = ("thor-hel",) if kind in MANY else 1
    return kind(**given)


def waiting_for_a_claim() -> Board:
    made = board(thor=("?", "?", "?"), hands=(0, 6), decks=(0, None))
    made.accept(events.Stuck(1))
    return made


STAGES = [
    Board,
    dealt,
    playing,
    lambda: playing(past_first_turns=True),
    lambda: board(thor=("viking-warriors ?", "leader ?", "?"), piles=("hel ravens", "fire-giant"), hands=(6, 12)),
    waiting_for_a_claim,
]


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(range(len(STAGES))), st.lists(any_event(), min_size=1, max_size=8), st.sampled_from(Source))
def test_every_event_is_answered(stage: int, sent: list[Any], source: Source) -> None:
    made = STAGES[stage]()
    for event in sent:
        before = made.state
        entry = made.match.submit(Submission(event, source))
        assert entry.rulings
        assert REFEREE.check_state(made.state) == (), event
        if all(ruling.verdict is Verdict.REFUSED for ruling in entry.rulings):
            assert made.state == before
        for ruling in entry.rulings:
            assert ruling.seat in (None, 1, 2)
            assert ruling.code.startswith("core.") or set(ruling.facts) <= set(REFEREE.codes[ruling.code])
