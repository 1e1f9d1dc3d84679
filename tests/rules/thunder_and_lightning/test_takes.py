"""Which cards of a pile may be gone, against trying every way to hand them out."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rules.thunder_and_lightning.components import Role
from rules.thunder_and_lightning.knowledge import weighed
from rules.thunder_and_lightning.ledger import Ledger, Move
from rules.thunder_and_lightning.takes import Takes
from tests.rules.thunder_and_lightning.script import board

UIDS = st.integers(1, 6)
SETS = st.lists(st.frozensets(UIDS, min_size=1, max_size=4), max_size=4)


def ways(takes: list[frozenset[int]], gone: frozenset[int]) -> list[frozenset[int]]:
    """Every set of cards that the takes can have taken, with those gone for sure among them."""
    every = sorted({uid for take in takes for uid in take})
    return [
        frozenset(cards)
        for cards in permutations(every, len(takes))
        if all(card in take for card, take in zip(cards, takes, strict=True)) and gone <= set(cards)
    ]


@given(SETS, st.frozensets(UIDS, max_size=2))
def test_takes_fit_exactly_when_each_can_have_a_card_of_its_own(
    takes: list[frozenset[int]], gone: frozenset[int]
) -> None:
    assert Takes(takes, gone).fit is bool(ways(takes, gone))


@given(SETS, st.frozensets(UIDS, max_size=2), st.frozensets(UIDS, max_size=4))
def test_most_and_least_are_those_of_all_ways(
    takes: list[frozenset[int]], gone: frozenset[int], asked: frozenset[int]
) -> None:
    every = ways(takes, gone)
    assume(every)
    beside = asked - gone
    counts = {len(way & beside) for way in every}
    assert Takes(takes, gone).most(beside) == max(counts)
    assert Takes(takes, gone).least(beside | gone) == min(counts)


@pytest.mark.parametrize(
    ("takes", "uid", "may_be", "must_be"),
    [
        pytest.param([{1, 2}], 1, True, False, id="one of two"),
        pytest.param([{1}], 1, True, True, id="the only one"),
        pytest.param([{1, 2}, {1, 2}], 1, True, True, id="two takes of two cards"),
        pytest.param([{1, 2}, {2}], 2, True, True, id="the second can only be it"),
        pytest.param([{1, 2}, {2}], 1, True, True, id="and so the first was the other"),
        pytest.param([{1, 2}, {2}, {3, 1}], 3, True, True, id="and the third the third"),
        pytest.param([{1, 2}], 3, False, False, id="a card that nobody took"),
    ],
)
def test_a_card_of_the_pile(takes: list[set[int]], uid: int, may_be: bool, must_be: bool) -> None:
    assert bool(Takes(takes).most([uid])) is may_be
    assert bool(Takes(takes).least({uid})) is must_be


def test_what_is_known_of_the_pile_outlives_the_finding_of_a_late_treasure() -> None:
    """A Ring that can only have been among the nine: told, and the takes from the pile still count."""
    state = board().state
    moves = (Move(True, Role.THOR, setup=True), Move(False, Role.THOR, card="thor-ring"))
    story = Ledger(moves, ("thor-hel",), ((1, 2),), (1,))
    learnt = weighed(state, 1, story, state.given.cards["thor-ring"])
    assert [ruling.code for ruling in learnt.findings] == ["tl.late-treasure"]
    kept = learnt.state.side(1).ledger
    assert (kept.shown, kept.equals, kept.gone) == (story.shown, story.equals, story.gone)
    assert not any(move.setup for move in kept.moves)
