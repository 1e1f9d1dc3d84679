"""What each deed of a Favor changes on the table, within the limits of boards, stack and deck."""

from __future__ import annotations

from typing import Any

import pytest

from rules.greece_lightning.components import FISH, FavorKind
from rules.greece_lightning.course import Layout
from rules.greece_lightning.favor_deeds import asks, choices, done
from rules.greece_lightning.favors import Deed, Favor, FavorEffect, FavorTime, Whom
from rules.greece_lightning.favors_at_work import Choice
from rules.greece_lightning.options import GreeceLightningOptions
from rules.greece_lightning.pack import favors_of, wedges_of
from rules.greece_lightning.state import Given, GreeceLightningState, SeatState, Turn
from rules.header import Seat
from rules.rulings import Effect, Refusal
from tests.rules.greece_lightning.course_parts import at, shipped, shipped_course

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss

LINE_PLACE = shipped_course(1).layout.line
COLOURS = ("red", "blue", "green", "yellow")
TOP = next(place for place in range(1, 13) if place != LINE_PLACE)
STACK_WEDGE = "hydra-1"


def table(seats: int = 3, *, turn: int | None = 1, layout: Layout | None = None, **fields: Any) -> GreeceLightningState:
    """A table in play; fields named s1_fish and so on belong to a seat."""
    given = Given(
        GreeceLightningOptions(),
        tuple(Seat(number, f"P{number}", COLOURS[number - 1]) for number in range(1, seats + 1)),
        wedges_of(shipped()),
        shipped().starting_line.graph,
        favors_of(shipped()),
    )
    own = {name: value for name, value in fields.items() if name[0] != "s" or name[1:2] not in "1234"}
    states = []
    for number in range(1, seats + 1):
        told = {name[3:]: value for name, value in fields.items() if name.startswith(f"s{number}_")}
        states.append(SeatState(number, **{"fish": 2, "navigation": 2, **told}))
    supply = FISH - sum(each.fish for each in states)
    base = shipped_course(1, laid=0).layout if layout is None else layout
    return GreeceLightningState(
        given,
        tuple(states),
        phase="turns",
        layout=base,
        supply=supply,
        turn=Turn(turn, "move") if turn else None,
        **{"deck": 20, **own},
    )


def card(do: Deed, amount: int = 1, whom: Whom = Whom.USER) -> Favor:
    return Favor("x", "X", FavorKind.BOAT, (FavorEffect(do, amount, whom),), when=FavorTime.TURN)


def changes(before: GreeceLightningState, after: GreeceLightningState) -> dict[str, Any]:
    """What is different, as field or s1_field: value after."""
    found: dict[str, Any] = {
        name: getattr(after, name)
        for name in before.__struct_fields__
        if name != "seats" and getattr(after, name) != getattr(before, name)
    }
    for old, new in zip(before.seats, after.seats, strict=True):
        found |= {
            f"s{old.number}_{name}": getattr(new, name)
            for name in old.__struct_fields__
            if getattr(new, name) != getattr(old, name)
        }
    return found


DEEDS = [
    # the card, the user, the table, what changes
    pytest.param(card(Deed.MOVE, 2), 1, {"s1_movement_left": 3}, {"s1_movement_left": 5}, id="own move: more left"),
    pytest.param(card(Deed.MOVE, -2), 1, {"s1_movement_left": 3}, {"s1_movement_left": 1}, id="own move: less left"),
    pytest.param(card(Deed.MOVE, -2), 1, {"s1_movement_left": 1}, {"s1_movement_left": 0}, id="never below none"),
    pytest.param(card(Deed.MOVE, 2), 2, {}, {"s2_movement_owed": 2}, id="another's turn: owed to the next move"),
    pytest.param(card(Deed.MOVE, -2), 2, {}, {"s2_movement_owed": -2}, id="less of the next move"),
    pytest.param(card(Deed.MOVE, 1), 1, {"turn": None}, {"s1_movement_owed": 1}, id="nobody's turn"),
    pytest.param(card(Deed.FISH, 2), 1, {"s1_fish": 1}, {"s1_fish": 3, "supply": 9}, id="two Fish"),
    pytest.param(card(Deed.FISH, 2), 1, {"s1_fish": 2}, {"s1_fish": 3, "supply": 9}, id="no more than three"),
    pytest.param(card(Deed.FISH, 2), 1, {"s1_fish": 3}, {}, id="a full board"),
    pytest.param(card(Deed.FISH, -1), 1, {"s1_fish": 1}, {"s1_fish": 0, "supply": 12}, id="a Fish back to the supply"),
    pytest.param(card(Deed.FISH, -1), 1, {"s1_fish": 0}, {}, id="no Fish to give back"),
    pytest.param(
        card(Deed.FISH, -1, Whom.OTHERS), 1, {"s2_fish": 0}, {"s3_fish": 1, "supply": 13}, id="of the others only"
    ),
    pytest.param(card(Deed.TAKE_FISH, 1, Whom.OTHER), 1, {}, {"s1_fish": 3, "s2_fish": 1}, id="taken from another"),
    pytest.param(
        card(Deed.TAKE_FISH, 3, Whom.OTHER), 1, {"s1_fish": 0, "s2_fish": 1}, {"s1_fish": 1, "s2_fish": 0},
        id="as many as there are",
    ),
    pytest.param(
        card(Deed.TAKE_FISH, 2, Whom.OTHER), 1, {"s1_fish": 2}, {"s1_fish": 3, "s2_fish": 1}, id="as many as fit"
    ),
    pytest.param(card(Deed.TAKE_FISH, 1, Whom.OTHER), 1, {"s2_fish": 0}, {}, id="from an empty board"),
    pytest.param(
        card(Deed.TAKE_FISH, 1, Whom.OTHERS), 1, {"s1_fish": 0}, {"s1_fish": 2, "s2_fish": 1, "s3_fish": 1},
        id="taken from each",
    ),
    pytest.param(card(Deed.DRAW_FAVOR, 2), 1, {}, {"s1_facedown": 2, "s1_favors_drawn": 2, "deck": 18}, id="two cards"),
    pytest.param(
        card(Deed.DRAW_FAVOR, 2), 1, {"s1_facedown": 1, "s1_favors_drawn": 1},
        {"s1_facedown": 2, "s1_favors_drawn": 2, "deck": 19}, id="two a turn at most",
    ),
    pytest.param(card(Deed.BY_HAND), 1, {}, {}, id="done by hand"),
    pytest.param(
        card(Deed.PASS_HYDRAS), 1, {}, {"s1_lasting": (FavorEffect(Deed.PASS_HYDRAS),)}, id="what lasts stays"
    ),
    pytest.param(
        card(Deed.REROLL_SECOND, 2), 2, {"turn": None}, {"s2_lasting": (FavorEffect(Deed.REROLL_SECOND, 2),)},
        id="two free rolls",
    ),
    pytest.param(
        card(Deed.DOUBLE_NAVIGATION), 1, {"s1_movement_left": 1},
        {"s1_movement_left": 3, "s1_lasting": (FavorEffect(Deed.DOUBLE_NAVIGATION),)}, id="the die once more",
    ),
    pytest.param(
        card(Deed.DOUBLE_NAVIGATION), 1, {"s1_movement_left": 1, "fleece": 1},
        {"s1_lasting": (FavorEffect(Deed.DOUBLE_NAVIGATION),)}, id="not doubled twice",
    ),
    pytest.param(
        card(Deed.DOUBLE_NAVIGATION), 2, {}, {"s2_lasting": (FavorEffect(Deed.DOUBLE_NAVIGATION),)},
        id="before the own turn the total will count it",
    ),
]  # fmt: skip


@clause("GL-F17")
@pytest.mark.parametrize(("favor", "user", "start", "expected"), DEEDS)
def test_what_a_deed_changes(favor: Favor, user: int, start: dict[str, Any], expected: dict[str, Any]) -> None:
    before = table(**start)
    after, effects = done(before, user, favor, other=2 if favor.asks_player else None)
    assert changes(before, after) == expected
    assert bool(effects) == bool(expected)
    assert sum(seat.fish for seat in after.seats) + after.supply == FISH


@near_miss("GL-F17")
def test_effects_tell_what_everybody_sees() -> None:
    _, effects = done(table(s1_fish=0), 1, card(Deed.TAKE_FISH, 1, Whom.OTHER), other=3)
    assert effects == (Effect("fish", 3, 2, 1), Effect("fish", 1, 0, 1))
    _, effects = done(table(s1_movement_left=4), 1, card(Deed.MOVE, 2))
    assert effects == (Effect("movement", 1, 4, 6),)


def test_a_wedge_drawn_is_waited_for_and_the_limit_of_a_turn_holds() -> None:
    before = table()
    after, _ = done(before, 1, card(Deed.DRAW_WEDGE, 2))
    assert [(each.kind, each.seat) for each in after.waiting] == [("wedge", 1)]
    assert after.stack_left == before.stack_left - 1 == 15
    two, _ = done(table(seats=2), 1, card(Deed.DRAW_WEDGE, 3))
    assert [(each.kind, each.seat) for each in two.waiting] == [("wedge", 1)] * 2


def test_a_lifted_wedge_leaves_the_one_below_to_be_sailed_and_can_be_drawn_again() -> None:
    base = shipped_course(1, laid=0).layout
    before = table(layout=base.with_wedge(TOP, STACK_WEDGE))
    after, effects = done(before, 1, card(Deed.LIFT_WEDGE), place=TOP)
    assert after.layout == base
    assert effects == (Effect("top wedge", None, STACK_WEDGE, base.top(TOP)),)
    assert STACK_WEDGE in after.stack
    assert STACK_WEDGE not in before.stack


def test_with_nothing_to_lift_nothing_changes() -> None:
    before = table()
    assert done(before, 1, card(Deed.LIFT_WEDGE)) == (before, ())


@pytest.mark.parametrize(
    ("favor", "other", "place", "code", "family", "facts"),
    [
        ("aphrodite", 2, None, None, None, {}),
        ("aphrodite", None, None, "gl.use-on-whom", Refusal.AMBIGUOUS, {"choices": (2, 3)}),
        ("aphrodite", 1, None, "gl.use-not-on", Refusal.ILLEGAL, {"other": 1, "choices": (2, 3)}),
        ("aphrodite", 4, None, "gl.use-not-on", Refusal.ILLEGAL, {"other": 4, "choices": (2, 3)}),
        ("artemis", None, None, None, None, {}),
        ("artemis", 2, None, "gl.use-on-nobody", Refusal.ILLEGAL, {"other": 2}),
        ("artemis", None, TOP, "gl.use-nowhere", Refusal.ILLEGAL, {"place": TOP}),
        ("hades", None, TOP, None, None, {}),
        ("hades", None, None, "gl.use-where", Refusal.AMBIGUOUS, {"choices": (TOP,)}),
        ("hades", None, LINE_PLACE, "gl.use-not-there", Refusal.ILLEGAL, {"place": LINE_PLACE, "choices": (TOP,)}),
    ],
)
def test_why_a_choice_will_not_do(
    favor: str, other: int | None, place: int | None, code: str | None, family: Refusal | None, facts: dict[str, Any]
) -> None:
    state = table(layout=shipped_course(1, laid=0).layout.with_wedge(TOP, STACK_WEDGE))
    ruling = asks(state, 1, state.given.favors[favor], other, place)
    assert (ruling.code if ruling else None) == code
    if ruling is not None:
        assert ruling.refusal is family
        assert ruling.facts == {"card": favor, **facts}


def test_no_wedge_is_lifted_from_under_a_ship_or_a_wake_token() -> None:
    layout = shipped_course(1, laid=0).layout.with_wedge(TOP, STACK_WEDGE)
    for field in ("s2_spot", "s1_wake"):
        state = table(layout=layout, **{field: at(f"{TOP}a1")})
        assert asks(state, 1, state.given.favors["hades"], None, TOP) is not None
        assert asks(state, 1, state.given.favors["hades"], None, None) is None


@clause("GL-D4")
@near_miss("GL-D4")
def test_choices_are_those_that_nothing_speaks_against() -> None:
    state = table(layout=shipped_course(1, laid=0).layout.with_wedge(TOP, STACK_WEDGE))
    told = {favor: choices(state, 1, state.given.favors[favor]) for favor in ("artemis", "aphrodite", "hades")}
    assert told == {
        "artemis": (Choice(),),
        "aphrodite": (Choice(2), Choice(3)),
        "hades": (Choice(None, TOP),),
    }
    two = table(seats=2)
    assert choices(two, 1, two.given.favors["aphrodite"]) == (Choice(), Choice(2))
