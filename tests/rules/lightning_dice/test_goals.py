"""The goal language and the pack."""

from __future__ import annotations

import tomllib
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import BadHeader, BadPack, RulesError
from rules.lightning_dice.game import GAME
from rules.lightning_dice.goals import BadGoal, chance_per_throw, parse_goal
from rules.lightning_dice.pack import check_pack, default_pack, pack_template
from rules.packs import Severity
from tests.rules.lightning_dice.playing import pack, seats

MEETINGS = [
    ("1 1 2 2 3 3", "321321", "321322"),
    ("1 1 1", "111666", "116666"),
    ("3 of a kind", "555123", "554123"),
    ("kinds 3 2", "555112", "555555"),
    ("3 pairs", "112233", "111122"),
    ("run of 5", "234566", "123556"),
    ("sum = 21", "123456", "123455"),
    ("sum >= 31", "666661", "666651"),
    ("sum <= 11", "111116", "111126"),
    ("sum < 11", "111115", "111116"),
    ("all odd", "135135", "135134"),
    ("all of 4", "444444", "444443"),
    ("at least 4 even", "246211", "241311"),
    ("at most 2 high", "112345", "112456"),
    ("exactly 2 of 6", "661234", "666123"),
    ("no of 1", "234562", "234561"),
    ("no high", "123123", "123124"),
    ("at least 5 different", "123455", "123444"),
    ("exactly 3 different", "112233", "112234"),
    ("at least 3 of 5 and all odd", "555113", "555112"),
]


@pytest.mark.parametrize(("goal", "meets", "misses"), MEETINGS)
def test_a_goal_is_met_and_nearly_met(goal: str, meets: str, misses: str) -> None:
    meaning = parse_goal(goal)
    assert meaning.met([int(face) for face in meets])
    assert not meaning.met([int(face) for face in misses])
    assert parse_goal(meaning.text()) == meaning
    assert parse_goal(f"  {goal.upper()} ") == meaning
    assert meaning.words()


WRONG = [
    ("", 0),
    ("1 1 7", 4),
    ("1 1 1 1 1 1 1", 12),
    ("7 of a kind", 0),
    ("3 of kind", 5),
    ("kinds 4 3", 8),
    ("4 pairs", 0),
    ("run of 7", 7),
    ("sum 21", 4),
    ("at 3 odd", 3),
    ("all different", 4),
    ("1 1 and", 7),
    ("1 1 or 2", 4),
    ("²", 0),
    ("sum = 99999999999999999999", 6),
]


@pytest.mark.parametrize(("goal", "position"), WRONG)
def test_a_wrong_goal_says_where(goal: str, position: int) -> None:
    with pytest.raises(BadGoal) as caught:
        parse_goal(goal)
    assert caught.value.position == position
    assert "expected" in str(caught.value)


WORDS = ["1", "6", "kinds", "run", "of", "sum", "=", "all", "odd", "and", "at", "least"]


@given(st.text(max_size=30) | st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_any_text_is_a_goal_or_a_documented_error(text: str) -> None:
    try:
        meaning = parse_goal(text)
    except RulesError:
        return
    assert parse_goal(meaning.text()) == meaning


@pytest.mark.parametrize("goal", [row[0] for row in MEETINGS])
@pytest.mark.parametrize("shown", [(1, 1, 2), (5, 5, 5, 1), (6, 6, 6, 6), (1, 2, 3, 4)])
def test_unread_dice_settle_nothing_that_depends_on_them(goal: str, shown: tuple[int, ...]) -> None:
    meaning = parse_goal(goal)
    unknown = 6 - len(shown)
    fillings = {meaning.met((*shown, *rest)) for rest in product(range(1, 7), repeat=unknown)}
    assert meaning.verdict(shown, unknown) is (None if len(fillings) == 2 else fillings.pop())
    assert meaning.could_meet(shown, unknown) is (meaning.verdict(shown, unknown) is not False)


def test_chance_counts_ordered_throws() -> None:
    for goal in ("1 1 2 2 3 3", "run of 5", "sum >= 31"):
        meaning = parse_goal(goal)
        assert chance_per_throw(meaning) == sum(map(meaning.met, product(range(1, 7), repeat=6)))
    assert chance_per_throw(parse_goal("all odd and all even")) == 0


def test_a_die_that_shows_nothing_is_no_spare_for_a_limit() -> None:
    assert parse_goal("1 1 1").met((1, 1, 1, None, None, None))
    assert not parse_goal("no high").met((1, 1, 1, 1, 1, None))
    assert parse_goal("1 1 2 2 3 3").missing((1, 1, 2, 2, 3, None)) == (3,)
    assert parse_goal("run of 5 and all odd").unmet((1, 3, 5, 1, 3, 5)) == ("run of 5",)


def test_the_shipped_pack_is_fifty_assumed_cards_and_nothing_wrong() -> None:
    found = check_pack(default_pack())
    assert len(found) == 50
    assert {finding.severity for finding in found} == {Severity.ASSUMED}
    assert [card["marker"] for card in default_pack()["card"]] == list(range(50))
    assert GAME.new_header("m", seats(2)).pack == default_pack()


FAULTS = [
    ("impossible", {"goal": "sum >= 37"}, "cannot be met"),
    ("unreadable", {"goal": "1 1 8"}, "expected"),
    ("same id", {"id": "few"}, "same id"),
    ("same marker", {"marker": 0}, "Marker 0"),
    ("marker of the table", {"marker": 240}, "no card marker"),
    ("no id", {"id": " "}, "no id"),
    ("unknown field", {"points": 3}, "points"),
]


@pytest.mark.parametrize(("fault", "words"), [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS])
def test_a_faulty_pack_is_told_and_cannot_be_played(fault: dict[str, object], words: str) -> None:
    plain = pack()
    plain["card"].append({"id": "new", "goal": "6 5 4", "marker": 9, "provenance": "published"} | fault)
    errors = [finding for finding in check_pack(plain) if finding.severity is Severity.ERROR]
    assert len(errors) == 1
    assert words in errors[0].message
    with pytest.raises(BadHeader) as caught:
        GAME.new_header("m", seats(2), {}, plain)
    assert caught.value.clauses == ("LD-C3",)


def test_two_cards_that_ask_the_same_are_remarked_and_can_be_played() -> None:
    plain = pack()
    plain["card"].append({"id": "twin", "goal": "3 3 2 2 1 1", "marker": 9, "provenance": "published"})
    before = check_pack(pack())
    remarks = [finding for finding in check_pack(plain) if finding not in before]
    assert [(finding.severity, finding.where) for finding in remarks] == [(Severity.REMARK, "card twin")]
    assert "the same as card pairs" in remarks[0].message
    assert GAME.new_header("m", seats(2), {}, plain).pack == plain
    assert not [finding for finding in before if finding.severity is Severity.REMARK]


def test_the_template_is_toml_and_asks_for_goals() -> None:
    plain = tomllib.loads(pack_template())
    assert len(plain["card"]) == 50
    assert {finding.severity for finding in check_pack(plain)} == {Severity.ERROR}
    for number, card in enumerate(plain["card"]):
        card["goal"] = default_pack()["card"][number]["goal"]
    assert check_pack(plain) == ()
    assert "run of 5" in pack_template()


def test_no_pack_at_all() -> None:
    assert check_pack({})[0].severity is Severity.ERROR
    assert issubclass(BadGoal, BadPack)
