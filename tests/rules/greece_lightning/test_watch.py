"""The second bookkeeper notices a referee that cheats, so that the laws of random races mean something."""

from __future__ import annotations

from typing import Any

import pytest

from rules.greece_lightning import bonuses, favors_in_play, flow, moving
from rules.greece_lightning.course import Layout
from rules.greece_lightning.race import ranking
from rules.greece_lightning.state import GreeceLightningState
from tests.rules.greece_lightning.test_random_play import played

RACES = range(0, 12, 2)
"""All by the readings of the clauses."""


def race() -> None:
    for seed in RACES:
        played(seed)


def _fish_from_nowhere(state: GreeceLightningState, seat: int, fish: int = 1) -> Any:
    before = state.seat_state(seat).fish
    return state.with_seat(seat, fish=min(3, before + fish)), ()


def _fish_untold(state: GreeceLightningState, seat: int, fish: int = 1) -> Any:
    return bonuses.gain_fish(state, seat, fish)[0], ()


def _boost_untold(state: GreeceLightningState, number: int) -> Any:
    return state.with_seat(number, movement_left=state.seat_state(number).movement_left + 3), ()


def _any_favor(state: GreeceLightningState, seat: int) -> Any:
    drawer = state.seat_state(seat)
    return state.replace(deck=state.deck - 1).with_seat(seat, facedown=drawer.facedown + 1), ()


CHEATS = [
    pytest.param(moving, "gain_fish", _fish_from_nowhere, id="Fish out of nowhere"),
    pytest.param(moving, "gain_fish", _fish_untold, id="Fish that nobody is told of"),
    pytest.param(moving, "_boost", _boost_untold, id="movement that nobody is told of"),
    pytest.param(moving, "draw_favor", _any_favor, id="Favors without a limit"),
    pytest.param(favors_in_play, "_thrown", lambda state, card: state, id="a used card vanishes"),
    pytest.param(favors_in_play, "_without_card", lambda seat, card: seat.favors, id="a used card stays"),
    pytest.param(Layout, "with_wedge", lambda layout, place, wedge: layout, id="a wedge vanishes"),
    pytest.param(flow, "last", lambda state: ranking(state)[0], id="the Fleece for the first"),
    pytest.param(flow, "winner", lambda state: ranking(state)[-1], id="the last one wins"),
]


@pytest.mark.parametrize(("where", "name", "cheat"), CHEATS)
def test_a_referee_that_cheats_is_found_out(where: Any, name: str, cheat: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(where, name, cheat)
    with pytest.raises((AssertionError, ValueError)):
        race()


def test_an_honest_referee_is_not() -> None:
    race()
