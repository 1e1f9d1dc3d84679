"""What rulings tell: that a card cannot be read, where and how much, and no rule that has no part in them."""

from __future__ import annotations

from typing import Any

import pytest

from rules.events import Event
from rules.rulings import Refusal
from rules.thunder_and_lightning.events import Conduct, Drawn, Figure, Hit, Play, ShowHand, Stack, Take, Top, TurnUp
from tests.rules.thunder_and_lightning.rows import run
from tests.rules.thunder_and_lightning.script import LOKI, THOR, board

TWO: dict[str, Any] = {"hands": (6, 2)}
WIPED: dict[str, Any] = {"thor": ("tyr", "?", "?"), "loki": ("nightmare hel", "?", "?")}
SHIPS: dict[str, Any] = {"piles": ("female-archer", "")}

UNREAD = [
    pytest.param("challenge 1", {}, TurnUp((LOKI, 1, 1), None), "tl.card-unreadable", id="turned up"),
    pytest.param("challenge 1", {}, TurnUp((LOKI, 1, 1), "loki-thor"), "tl.card-unknown", id="turned up, unknown"),
    pytest.param("ravens hand", {}, Hit(LOKI, None), "tl.card-unreadable", id="hit"),
    pytest.param("ravens hand", {}, Hit(LOKI, "loki-thor"), "tl.card-unknown", id="hit, unknown"),
    pytest.param("seer", {}, Drawn(LOKI, None), "tl.card-unreadable", id="drawn"),
    pytest.param("seer", {}, Drawn(LOKI, "loki-thor"), "tl.card-unknown", id="drawn, unknown"),
    pytest.param("frigg hand", TWO, ShowHand(LOKI, ("loki-hel", "loki-thor")), "tl.card-unknown", id="shown, unknown"),
    pytest.param("longships", SHIPS, Take(THOR, ("thor-thor",)), "tl.card-unknown", id="taken, unknown"),
    pytest.param(
        "challenge 1", WIPED, Stack(LOKI, ("loki-hel", "loki-thor")), "tl.card-unknown", id="stacked, unknown"
    ),
    pytest.param("", {}, Top(LOKI, "loki-thor"), "tl.card-unknown", id="top, unknown"),
    pytest.param("", {}, Play(THOR, "thor-thor"), "tl.card-unknown", id="played, unknown"),
]


@pytest.mark.parametrize(("script", "given", "event", "code"), UNREAD)
def test_a_card_that_is_not_known_changes_nothing(script: str, given: dict[str, Any], event: Event, code: str) -> None:
    made = board(**given)
    run(made, script)
    (ruling,) = made.submit(event)
    assert (ruling.code, ruling.refusal, "TC-1" in ruling.clauses) == (code, Refusal.UNREADABLE, True)


@pytest.mark.parametrize("seat", [0, 3])
@pytest.mark.parametrize("make", [lambda seat: Conduct(seat, "turns-down"), Figure, lambda seat: Top(seat, None)])
def test_nothing_is_seen_of_a_seat_that_is_not_there(make: Any, seat: int) -> None:
    board().refuse(make(seat), "tl.no-such-seat", "TL-S1")


def test_conduct_that_nobody_knows_is_not_understood() -> None:
    ruling = board().refuse(Conduct(THOR, "hums"), "tl.no-such-conduct", "TC-1")
    assert ruling.refusal is Refusal.UNREADABLE


@pytest.mark.parametrize(
    ("event", "kind", "clause"),
    [
        (TurnUp((THOR, 1, 1), "thor-tyr"), "turn-up", "TL-P11"),
        (ShowHand(LOKI, ("loki-hel",)), "show-hand", "TL-S5"),
        (Hit(LOKI, "loki-hel"), "hit", "TL-R16"),
        (Drawn(LOKI, "loki-hel"), "drawn", "TL-A3"),
        (Take(THOR, ("thor-tyr",)), "take", "TL-M6"),
        (Stack(LOKI, ("loki-hel",)), "stack", "TL-N3"),
    ],
)
def test_what_nothing_asks_for_is_not_taken(event: Event, kind: str, clause: str) -> None:
    ruling = board().refuse(event, "tl.not-waited-for", clause)
    assert ruling.facts == {"kind": kind}


@pytest.mark.parametrize(("card", "family"), [("tyr", Refusal.ILLEGAL), ("frigg", Refusal.UNREADABLE)])
def test_a_card_that_lies_open_is_not_turned_up_again(card: str, family: Refusal) -> None:
    made = board(thor=("tyr", "?", "?"))
    run(made, "challenge 1")
    ruling = made.refuse(TurnUp((THOR, 1, 1), f"thor-{card}"), "tl.already-up", "TL-C16" if card == "tyr" else "TL-G8")
    assert (ruling.refusal, ruling.facts["card"]) == (family, "thor-tyr")


@pytest.mark.parametrize(
    ("script", "code", "facts"),
    [
        ("ravens hand", "tl.pick", {"owner": 2, "hand": 6}),
        ("ravens hand; hit nightmare", "tl.hit-nightmare", {"card": "loki-nightmare", "cards": 6}),
        ("ravens row L12", "tl.not-row-1", {"row": 1, "target_row": 2}),
        ("mjolnir L13", "tl.nothing-there", {"owner": 2, "column": 1, "row": 3}),
        ("baldr T11 T21", "tl.moved", {"owner": 1, "column": 1, "row": 1, "to_column": 2, "to_row": 1}),
        ("frigg column L31", "tl.column-turned", {"owner": 2, "column": 3, "cards": ("loki-hel",)}),
        ("vidarr T11 L12", "tl.challenge", {"column": 1, "target_column": 1, "target_row": 2, "points": 2}),
        ("seer; drawn hel; stop", "tl.seer-stops", {"left": 2}),
    ],
)
def test_a_ruling_tells_where_and_how_much(script: str, code: str, facts: dict[str, Any]) -> None:
    made = board(loki=("? ?", "?", "?"))
    rulings = run(made, script + ("; up L31 hel" if code == "tl.column-turned" else ""))
    (found,) = [ruling for ruling in rulings if ruling.code == code]
    assert {name: found.facts[name] for name in facts} == facts


@pytest.mark.parametrize(
    ("script", "given", "code", "absent"),
    [
        ("challenge 1", WIPED, "tl.nightmare", "TL-N9 TL-N10 TL-R11"),
        ("challenge 1", WIPED, "tl.wiped", "TL-N7"),
        ("ravens row L11", WIPED, "tl.nightmare", "TL-N10"),
        ("mjolnir L12", WIPED, "tl.weapon-target", "TL-J4 TL-J5"),
        ("mjolnir L13", WIPED, "tl.nothing-there", "TL-J4 TL-J5"),
        ("challenge 1", {"thor": ("tyr", "", ""), "loki": ("frigg", "", "")}, "tl.frigg-beaten", "TL-G14 TL-W6"),
        ("challenge 1", {"thor": ("tyr", "", ""), "loki": ("dragon", "", "")}, "tl.won", "TL-G14 TL-F3 TL-R3 TL-Y4"),
        ("challenge 1", {"thor": ("tyr", "", ""), "loki": ("hel", "", "")}, "tl.no-strength", "TL-W7 TL-I7 TL-Q2"),
        ("freya", {"piles": ("", "dragon")}, "tl.freya", "TL-Y7"),
        ("frigg column L11; up L11 hel", {}, "tl.column-turned", "TL-G7 TL-G16"),
        ("seer", {}, "tl.seer", "TL-A10"),
    ],
)
def test_a_ruling_cites_no_rule_that_has_no_part_in_it(
    script: str, given: dict[str, Any], code: str, absent: str
) -> None:
    found = [ruling for ruling in run(board(**given), script) if ruling.code == code]
    assert found, code
    assert [clause for ruling in found for clause in absent.split() if clause in ruling.clauses] == []
