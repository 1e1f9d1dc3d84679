"""Favor cards: when they may be used, what must be chosen, and whom each deed befalls."""

from __future__ import annotations

import pytest

from rules.greece_lightning.components import FavorKind
from rules.greece_lightning.favors import LASTING, Deed, Favor, FavorEffect, FavorTime, Whom
from rules.greece_lightning.favors_at_work import (
    Choice,
    Work,
    choice_fault,
    in_time,
    lasting_amount,
    liftable,
    works,
)
from rules.greece_lightning.pack import favors_of
from tests.rules.greece_lightning.course_parts import at, course, shipped

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss

ROLLING, MOVING, TURN = FavorTime
SEATS = (1, 2, 3, 4)
OWN_MOVE, OTHER_STEP, OWN_ROLL, NOT_OWN = (MOVING, TURN), (TURN,), (ROLLING,), ()


def card(*effects: tuple[Deed, int, Whom], when: FavorTime | None = TURN) -> Favor:
    kind = FavorKind.BOLT if when is None else FavorKind.BOAT
    return Favor("x", "X", kind, tuple(FavorEffect(*effect) for effect in effects), when=when)


LIFT = card((Deed.LIFT_WEDGE, 1, Whom.USER))
TAKE = card((Deed.TAKE_FISH, 1, Whom.OTHER))
PLAIN = card((Deed.FISH, 2, Whom.USER))


@pytest.mark.parametrize(
    ("when", "now", "expected"),
    [
        pytest.param(MOVING, OWN_MOVE, True, marks=clause("GL-M19", "GL-M20"), id="movement card in the own move"),
        pytest.param(MOVING, NOT_OWN, False, marks=near_miss("GL-M20"), id="movement card while another moves"),
        pytest.param(MOVING, OTHER_STEP, False, marks=near_miss("GL-M19"), id="movement card before the own move"),
        pytest.param(ROLLING, OWN_ROLL, True, marks=clause("GL-F18"), id="dice card in the roll"),
        pytest.param(ROLLING, OWN_MOVE, False, marks=near_miss("GL-F18"), id="dice card in the move"),
        pytest.param(TURN, OWN_MOVE, True, id="turn card in the move"),
        pytest.param(TURN, OTHER_STEP, True, id="turn card in another step"),
        pytest.param(TURN, OWN_ROLL, False, id="turn card in the roll"),
        pytest.param(None, (*OWN_MOVE, *OWN_ROLL), False, id="a bolt never lies face up"),
    ],
)
def test_when_a_card_may_be_used(when: FavorTime | None, now: tuple[FavorTime, ...], expected: bool) -> None:
    assert in_time(card((Deed.MOVE, 1, Whom.USER), when=when), now) is expected


@pytest.mark.parametrize(
    ("favor", "choice", "seats", "places", "expected"),
    [
        pytest.param(TAKE, Choice(2), SEATS, (), None, id="another player"),
        pytest.param(TAKE, Choice(1), SEATS, (), "no other", id="oneself"),
        pytest.param(TAKE, Choice(5), SEATS, (), "no other", id="nobody"),
        pytest.param(TAKE, Choice(), SEATS, (), "no other", id="none named"),
        pytest.param(TAKE, Choice(), (1, 4), (), None, id="none named, and there is one only"),
        pytest.param(TAKE, Choice(1), (1, 4), (), "no other", id="oneself, and there is one only"),
        pytest.param(PLAIN, Choice(), SEATS, (), None, id="nothing to choose"),
        pytest.param(PLAIN, Choice(2), SEATS, (), "other not asked", id="a player that is not asked for"),
        pytest.param(PLAIN, Choice(None, 3), SEATS, (3,), "place not asked", id="a place that is not asked for"),
        pytest.param(LIFT, Choice(None, 3), SEATS, (3, 5), None, id="a place"),
        pytest.param(LIFT, Choice(None, 4), SEATS, (3, 5), "no place", id="a place without a wedge to lift"),
        pytest.param(LIFT, Choice(), SEATS, (3, 5), "no place", id="no place named"),
        pytest.param(LIFT, Choice(), SEATS, (), None, id="no wedge can be lifted"),
        pytest.param(LIFT, Choice(None, 3), SEATS, (), "place not asked", id="no wedge can be lifted, a place named"),
    ],
)
def test_what_must_be_chosen(
    favor: Favor, choice: Choice, seats: tuple[int, ...], places: tuple[int, ...], expected: str | None
) -> None:
    fault = choice_fault(favor, 1, seats, choice, places)
    assert (fault.what if fault else None) == expected
    assert fault is None or fault.clauses


def test_a_wedge_is_lifted_from_stacks_of_two_without_ships_and_not_from_under_the_line() -> None:
    layout = course(line=1).layout
    for place in (1, 3, 4, 5):
        layout = layout.with_wedge(place, f"w{place}")
    assert liftable(layout, [at("4a")]) == (3, 5)
    assert liftable(layout, [at("4a")], [at("5b")]) == (3,)
    assert liftable(course(line=1).layout, ()) == ()
    edges = course(line=6).layout.with_wedge(1, "w3").with_wedge(12, "w4").with_wedge(6, "w5")
    assert liftable(edges, ()) == (1, 12)


@pytest.mark.parametrize(
    ("effects", "user", "choice", "expected"),
    [
        pytest.param([(Deed.FISH, 2, Whom.USER)], 3, Choice(), [Work(Deed.FISH, 3, 2)], id="the user"),
        pytest.param([(Deed.FISH, -1, Whom.OTHER)], 3, Choice(1), [Work(Deed.FISH, 1, -1)], id="another"),
        pytest.param(
            [(Deed.FISH, -1, Whom.OTHERS)],
            3,
            Choice(),
            [Work(Deed.FISH, 4, -1), Work(Deed.FISH, 1, -1), Work(Deed.FISH, 2, -1)],
            id="the others, clockwise from the user",
        ),
        pytest.param(
            [(Deed.MOVE, 1, Whom.ALL)],
            4,
            Choice(),
            [Work(Deed.MOVE, seat, 1) for seat in (4, 1, 2, 3)],
            id="all, the user first",
        ),
        pytest.param(
            [(Deed.TAKE_FISH, 2, Whom.OTHER)], 2, Choice(4), [Work(Deed.TAKE_FISH, 2, 2, giver=4)], id="taken from one"
        ),
        pytest.param(
            [(Deed.TAKE_FISH, 1, Whom.OTHERS)],
            2,
            Choice(),
            [Work(Deed.TAKE_FISH, 2, 1, giver=seat) for seat in (3, 4, 1)],
            id="taken from each",
        ),
        pytest.param(
            [(Deed.LIFT_WEDGE, 1, Whom.USER)], 2, Choice(None, 7), [Work(Deed.LIFT_WEDGE, 2, place=7)], id="lifted"
        ),
        pytest.param(
            [(Deed.MOVE, 1, Whom.USER), (Deed.FISH, 1, Whom.USER)],
            1,
            Choice(),
            [Work(Deed.MOVE, 1, 1), Work(Deed.FISH, 1, 1)],
            id="two deeds in the order of the card",
        ),
    ],
)
def test_whom_each_deed_befalls(
    effects: list[tuple[Deed, int, Whom]], user: int, choice: Choice, expected: list[Work]
) -> None:
    assert list(works(card(*effects), user, SEATS, choice)) == expected


def test_with_two_players_the_other_one_need_not_be_named() -> None:
    assert works(TAKE, 4, (1, 4), Choice()) == (Work(Deed.TAKE_FISH, 4, 1, giver=1),)


@pytest.mark.parametrize("deed", Deed)
def test_what_lasts_and_what_is_done_at_once(deed: Deed) -> None:
    lasting = Work(deed, 1, 2).lasting
    assert lasting == (FavorEffect(deed, 2) if deed in LASTING else None)


def test_what_lasts_adds_up() -> None:
    kept = (FavorEffect(Deed.REROLL_SECOND, 2), FavorEffect(Deed.PASS_HYDRAS), FavorEffect(Deed.REROLL_SECOND))
    assert lasting_amount(kept, Deed.REROLL_SECOND) == 3
    assert lasting_amount(kept, Deed.PASS_HYDRAS) == 1
    assert lasting_amount(kept, Deed.NO_SECOND) == 0


@clause("GL-F17")
@near_miss("GL-F17")
def test_every_shipped_card_can_be_used_with_some_choice_and_not_with_a_wrong_one() -> None:
    for favor in favors_of(shipped()).values():
        right = Choice(2 if favor.asks_player else None, 3 if favor.asks_place else None)
        wrong = Choice(None if favor.asks_player else 2, None if favor.asks_place else 3)
        assert choice_fault(favor, 1, SEATS, right, (3,)) is None
        assert choice_fault(favor, 1, SEATS, wrong, (3,)) is not None
        assert works(favor, 1, SEATS, right)
