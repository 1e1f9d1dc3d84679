"""Every option changes what its clause says, and the ruling names it; nothing else of a header is taken on trust."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from rules.clauses import clauses_of
from rules.errors import BadHeader
from rules.header import Seat
from rules.rulings import Ruling
from rules.thunder_and_lightning.components import Role
from rules.thunder_and_lightning.events import Lay, Take, Treasure
from rules.thunder_and_lightning.game import GAME
from rules.thunder_and_lightning.options import (
    OPEN_CASES,
    ThunderAndLightningOptions,
    options_from,
    options_plain,
)
from tests.rules.thunder_and_lightning.rows import run, seen, strengths
from tests.rules.thunder_and_lightning.script import LOKI, SEATS, THOR, Board, board, dealt, playing, ruled

CLAUSES = clauses_of("rules.thunder_and_lightning")
LATE = "challenge 1; up T11 nightmare"
FACING: dict[str, Any] = {"loki": ("dragon ?", "?", "?")}
SHOWS: dict[str, Any] = {"thor": ("hall-guards", "?", "?"), "loki": ("viking-warriors", "?", "?"), "turn": LOKI}
BOTH = ("berserker", "berserker")
PLAIN: dict[str, Any] = {"pack": strengths(loki_dragon=0)}
WALL = "mjolnir L11; up L11 shield-wall"
SHIPS: dict[str, Any] = {"piles": ("female-archer", "")}
RAVENS: dict[str, Any] = {"piles": ("ravens", "")}

CASES = [
    ("barred_challenge", "void", "TL-C24", LATE, "tl.late-barred", "T1=nightmare; pile T=; points=2", FACING),
    ("barred_challenge", "beaten", "TL-C24", LATE, "tl.late-barred", "T1=; pile T=nightmare; points=2", FACING),
    ("empty_powers", True, "TL-M7", "hel", "tl.nothing-to-take", "points=2; pile T=hel", {}),
    ("empty_powers", False, "TL-M7", "hel", "tl.no-target", "points=3; pile T=", {}),
    ("leader_after_last_point", True, "TL-L18", "draw; draw; draw; lead 1", "tl.lead", "points=1; T1=leader ?", {}),
    ("leader_after_last_point", False, "TL-L18", "draw; draw; draw; lead 1", "tl.no-points", "points=0; T1=?", {}),
    ("uncovered", "inert", "TL-W8", "challenge 1", "tl.lost", "L1=", {**SHOWS, "piles": BOTH}),
    ("uncovered", "works", "TL-W8", "challenge 1", "tl.won", "T1=", {**SHOWS, "piles": BOTH}),
    (
        "gungnir_removes",
        "enemy",
        "TL-J4",
        "gungnir T11",
        "tl.weapon",
        "T1=",
        {"turn": LOKI, "thor": ("leader", "", "")},
    ),
    ("gungnir_removes", "loki", "TL-J4", "gungnir L11", "tl.weapon", "L1=", {"turn": LOKI, "loki": ("leader", "", "")}),
    ("weapon_target", "face up", "TL-J7", "mjolnir L11", "tl.weapon-face-down", "points=3; L1=?", {}),
    ("weapon_target", "guess", "TL-J7", WALL, "tl.weapon", "points=2; L1=", {}),
    ("recovered_shown", True, "TL-U6", "longships; take female-archer", "tl.take", "pile T=longships", SHIPS),
    ("recovered_shown", False, "TL-U6", "longships; take 1", "tl.take-hidden", "pile T=longships", SHIPS),
    ("recovered_shown", True, "TL-O6", "odin; take ravens", "tl.take", "pile T=odin", RAVENS),
    ("recovered_shown", False, "TL-O6", "odin; take 1", "tl.take-hidden", "pile T=odin", RAVENS),
    ("plain_hand_card", "discarded", "TL-R22", "ravens hand; hit dragon", "tl.hit-discarded", "hand L=5", PLAIN),
    ("plain_hand_card", "kept", "TL-R22", "ravens hand; hit dragon", "tl.hit-kept", "hand L=6; pile L=", PLAIN),
    ("seer_symbol", "row", "TL-A9", "seer; drawn frigg", "tl.seer-row", "waits=place; hand L=6", {}),
    ("seer_symbol", "hand", "TL-A9", "seer; drawn frigg", "tl.seer-hand", "waits=drawn; hand L=7", {}),
    ("moved_cards_seen", False, "TL-V12", "valkyries L11 L21; conduct T looks-at-moved", "tl.conduct", "L2=? ?", {}),
    (
        "moved_cards_seen",
        True,
        "TL-V12",
        "valkyries L11 L21; conduct T looks-at-moved",
        "tl.conduct-fine",
        "L2=? ?",
        {},
    ),
]


def held(made: Board, after: str) -> None:
    for part in after.split(";"):
        what, _, expected = part.strip().partition("=")
        assert (what, seen(made, what)) == (what, expected)


def by_option(made: Board, script: str, code: str, clause: str) -> Ruling:
    return ruled(run(made, script), code, clause)


@pytest.mark.parametrize(
    ("option", "value", "clause", "script", "code", "after", "given"),
    [pytest.param(*case, id=f"{case[0]}={case[1]}-{case[2]}") for case in CASES],
)
def test_the_ruling_follows_the_option_and_names_it(
    option: str, value: Any, clause: str, script: str, code: str, after: str, given: dict[str, Any]
) -> None:
    made = board(**given, **{option: value})
    ruling = by_option(made, script, code, clause)
    held(made, after)
    assert option in ruling.by_option


def test_every_value_of_every_option_is_tried() -> None:
    hints = get_type_hints(ThunderAndLightningOptions)
    wanted = {
        (name, value)
        for name in OPEN_CASES
        for value in (get_args(hints[name]) if get_origin(hints[name]) is Literal else (True, False))
    }
    assert {(case[0], case[1]) for case in CASES} == wanted
    assert set(OPEN_CASES) | {"roles"} == set(ThunderAndLightningOptions.__struct_fields__)


def test_every_open_case_is_read_by_an_option() -> None:
    open_cases = {each.id for each in CLAUSES.values() if each.open_case}
    assert {case[2] for case in CASES} == open_cases
    assert set(OPEN_CASES.values()) <= open_cases
    assert all(case[2] == OPEN_CASES[case[0]] or case[2] == "TL-O6" for case in CASES)


def test_the_defaults_are_the_readings_of_the_clauses() -> None:
    plain = options_plain(ThunderAndLightningOptions())
    assert plain == {
        "roles": ("thor", "loki"),
        "barred_challenge": "void",
        "empty_powers": True,
        "leader_after_last_point": True,
        "uncovered": "inert",
        "gungnir_removes": "enemy",
        "weapon_target": "face up",
        "recovered_shown": True,
        "plain_hand_card": "discarded",
        "seer_symbol": "row",
        "moved_cards_seen": False,
    }
    assert options_from({**plain, "roles": ["thor", "loki"]}) == ThunderAndLightningOptions()


VAIN = [
    pytest.param("hel", {}, "tl.nothing-to-take", id="Hel, empty pile"),
    pytest.param("longships", {"piles": ("tyr", "")}, "tl.nothing-to-take", id="Longships, none there"),
    pytest.param("odin", {"piles": ("tyr", "")}, "tl.nothing-to-take", id="Odin, none there"),
    pytest.param("frigg hand", {"hands": (6, 0)}, "tl.spy", id="Frigg, empty hand"),
    pytest.param("frigg column L11", {"loki": ("dragon", "?", "?")}, "tl.nothing-face-down", id="Frigg, all face up"),
    pytest.param("seer", {"decks": (None, 0)}, "tl.seer", id="Seer, empty deck"),
]


@pytest.mark.parametrize(("script", "given", "code"), VAIN)
def test_a_power_in_vain_costs_its_point_or_is_refused(script: str, given: dict[str, Any], code: str) -> None:
    made = board(**given)
    assert code in [ruling.code for ruling in run(made, script)]
    assert (made.left, made.state.side(THOR).hand, made.state.waiting) == (2, 5, ())
    strict = board(**given, empty_powers=False)
    ruling = by_option(strict, script, "tl.no-target", "TL-M7")
    assert ruling.by_option == ("empty_powers",)
    assert (strict.left, strict.state.side(THOR).hand) == (3, 6)


@pytest.mark.parametrize(("script", "given", "code"), VAIN)
def test_the_option_names_itself_where_a_power_is_played_in_vain(script: str, given: dict[str, Any], code: str) -> None:
    (found,) = [ruling for ruling in run(board(**given), script) if ruling.code == code]
    assert found.by_option == ("empty_powers",)


FULL = [
    pytest.param("hel", {"piles": ("tyr", "")}, id="Hel, a card to take"),
    pytest.param("frigg hand", {"hands": (6, 1)}, id="Frigg, a card to see"),
    pytest.param("frigg column L11", {}, id="Frigg, a card to turn up"),
    pytest.param("seer", {"decks": (None, 1)}, id="Seer, a card to draw"),
    pytest.param("odin", RAVENS, id="Odin, Ravens to take"),
    pytest.param("longships", SHIPS, id="Longships, an Archer to take"),
]


@pytest.mark.parametrize(("script", "given"), FULL)
def test_a_power_with_something_to_do_is_played_under_the_strict_option(script: str, given: dict[str, Any]) -> None:
    made = board(**given, empty_powers=False)
    assert run(made, script)[0].code == "tl.play"
    assert made.left == 2


def test_an_uncovered_idunn_is_inert_or_cancels_the_other() -> None:
    given: dict[str, Any] = {"thor": ("hall-guards", "?", "?"), "loki": ("fire-giant", "?", "?")}
    made = board(**given, piles=("idunn", "idunn"))
    assert by_option(made, "challenge 1", "tl.tie-idunn", "TL-W8").by_option == ("uncovered",)
    held(made, "T1=hall-guards; L1=")
    made = board(**given, piles=("idunn", "idunn"), uncovered="works")
    assert by_option(made, "challenge 1", "tl.tie", "TL-W8").by_option == ("uncovered",)
    held(made, "T1=; L1=")


HIDDEN = [
    pytest.param(Take(THOR, count=2, strangers=1), "tl.take-hidden", id="one of each back"),
    pytest.param(Take(THOR, count=2), "tl.take-not-there", id="two with the own back"),
    pytest.param(Take(THOR, count=2, strangers=2), "tl.take-not-there", id="two with the enemy's back"),
    pytest.param(Take(THOR, count=1), "tl.take-number", id="one left lying"),
    pytest.param(Take(THOR, count=3, strangers=1), "tl.take-number", id="more than lie there"),
    pytest.param(Take(THOR, ("thor-female-archer",), 2, 1), "tl.take-number", id="one shown as well"),
]


@pytest.mark.parametrize(("event", "code"), HIDDEN)
def test_what_is_taken_hidden_shows_its_backs(event: Take, code: str) -> None:
    made = board(piles=("female-archer loki-viking-warriors tyr", ""), recovered_shown=False)
    run(made, "longships")
    assert made.submit(event)[0].code == code
    if code == "tl.take-hidden":
        held(made, "hand T=7; pile T=tyr longships; waits=-")
        made.accept(Lay(THOR, 1, 2, Role.LOKI))
        made.refuse(Lay(THOR, 2, 2, Role.LOKI), "tl.no-such-back", "TL-Y5")


def test_gungnir_as_printed_spares_thor_and_mjolnir_is_never_bound_by_it() -> None:
    printed: dict[str, Any] = {"gungnir_removes": "loki", "thor": ("leader", "?", "?")}
    made = board(**printed, turn=LOKI)
    assert by_option(made, "gungnir T11", "tl.weapon-target", "TL-J4").by_option == ("gungnir_removes",)
    made = board(gungnir_removes="loki", loki=("leader", "?", "?"))
    assert by_option(made, "mjolnir L11", "tl.weapon", "TL-J2").by_option == ()


def test_a_leader_played_with_points_left_hangs_on_no_option() -> None:
    for late in (True, False):
        made = board(leader_after_last_point=late)
        assert by_option(made, "draw; draw; lead 1", "tl.lead", "TL-L4").by_option == ()
        assert made.left == 2


@pytest.mark.parametrize(("card", "code"), [("hel", "tl.seer-hand"), ("dragon", "tl.seer-row")])
def test_what_no_option_decides_names_none(card: str, code: str) -> None:
    for value in ("row", "hand"):
        found = [ruling for ruling in run(board(seer_symbol=value), f"seer; drawn {card}") if ruling.code == code]
        assert found[0].by_option == ()


PLAINLY = [
    pytest.param("valkyries L12 L31", {"loki": ("? dragon", "?", "?")}, "tl.moved", (), id="a card face up is moved"),
    pytest.param("valkyries L11 L31", {}, "tl.moved", ("moved_cards_seen",), id="a card face down is moved"),
    pytest.param("challenge 1", {**SHOWS, "piles": ("", "berserker")}, "tl.won", (), id="the only Berserker"),
    pytest.param("challenge 1", {**SHOWS, "piles": ("berserker", "")}, "tl.lost", (), id="only the enemy's Berserker"),
    pytest.param("challenge 1", SHOWS, "tl.lost", (), id="no Berserker"),
    pytest.param("ravens hand; hit hel", {}, "tl.hit-discarded", (), id="a card with symbol is hit"),
    pytest.param("mjolnir L11", {"loki": ("shield-wall", "?", "?")}, "tl.weapon", (), id="a wall that lies open"),
    pytest.param("hel", {"piles": ("tyr", "")}, "tl.hel", (), id="a card is taken"),
    pytest.param("seer", {}, "tl.seer", (), id="a deck to draw from"),
    pytest.param("frigg hand", {}, "tl.spy", (), id="a hand to look at"),
]


@pytest.mark.parametrize(("script", "given", "code", "options"), PLAINLY)
def test_an_option_is_named_where_it_decides_and_nowhere_else(
    script: str, given: dict[str, Any], code: str, options: tuple[str, ...]
) -> None:
    (found,) = [ruling for ruling in run(board(**given), script) if ruling.code == code]
    assert found.by_option == options


def test_roles_say_who_begins_and_whose_back_is_whose() -> None:
    turned = playing(roles=("loki", "thor"))
    assert turned.state.turn is not None
    assert turned.state.turn.seat == 1
    assert [side.role for side in turned.state.sides] == [Role.LOKI, Role.THOR]
    usual = playing()
    assert usual.state.turn is not None
    assert usual.state.turn.seat == 2


def test_roles_say_whose_treasure_must_be_shown() -> None:
    usual, turned = dealt(), dealt(roles=("loki", "thor"))
    usual.accept(Treasure(1, "thor-ring"))
    turned.refuse(Treasure(1, "thor-ring"), "tl.no-treasure", "TL-Q6")
    turned.accept(Treasure(1, "loki-crown"))


BAD = [
    pytest.param({"roles": ["thor", "thor"]}, "one must be thor and one loki", id="both Thor"),
    pytest.param({"roles": ["thor"]}, "Options are", id="one role"),
    pytest.param({"roles": ["thor", "odin"]}, "Options are", id="no such role"),
    pytest.param({"uncovered": "maybe"}, "Options are", id="no such value"),
    pytest.param({"empty_powers": "yes"}, "Options are", id="no truth value"),
    pytest.param({"thunder": True}, "Options are", id="no such option"),
]


@pytest.mark.parametrize(("options", "words"), BAD)
def test_an_option_that_cannot_be_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(BadHeader, match=words):
        options_from(options)


def test_a_header_writes_every_option_out() -> None:
    header = GAME.new_header("m", SEATS, {"uncovered": "works"})
    assert set(header.options) == set(ThunderAndLightningOptions.__struct_fields__)
    assert options_from(header.options) == ThunderAndLightningOptions(uncovered="works")


ANN, BEN = SEATS
HEADERS = [
    pytest.param((ANN,), None, "TL-S1", id="one player"),
    pytest.param((ANN, BEN, Seat(3, "Cas", "green")), None, "TL-S1", id="three players"),
    pytest.param((BEN, ANN), None, "TL-S1", id="seats out of order"),
    pytest.param((ANN, Seat(2, "ann ", "blue")), None, "TL-S1", id="one name twice"),
    pytest.param((ANN, Seat(2, " ", "blue")), None, "TL-S1", id="no name"),
    pytest.param((ANN, Seat(2, "Ben", "RED")), None, "TL-S1", id="one colour twice"),
    pytest.param((ANN, Seat(2, "Ben", "")), None, "TL-S1", id="no colour"),
    pytest.param((ANN, BEN), "Ben", "TL-S2", id="a player judges"),
    pytest.param((ANN, BEN), " ", "TL-S2", id="a judge without a name"),
]


@pytest.mark.parametrize(("seats", "judge", "clause"), HEADERS)
def test_a_header_that_breaks_a_rule_of_set_up_is_refused(
    seats: tuple[Seat, ...], judge: str | None, clause: str
) -> None:
    with pytest.raises(BadHeader) as caught:
        GAME.new_header("m", seats, judge=judge)
    assert clause in caught.value.clauses


def test_a_proper_header_is_taken() -> None:
    assert GAME.new_header("m", (ANN, BEN), judge="Zoe").judge == "Zoe"
