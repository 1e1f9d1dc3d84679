"""What is in the box and set-up, clause by clause, each with a near miss that goes the other way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from rules.errors import BadHeader
from rules.events import Event
from rules.greece_lightning.events import (
    Circle,
    Count,
    Deal,
    Fleece,
    LapBoard,
    LapMarker,
    Launch,
    Ready,
    Shuffled,
    Stack,
    Starters,
)
from rules.greece_lightning.game import GAME
from rules.header import Seat
from rules.rulings import Ruling, Verdict
from tests.rules.greece_lightning.box import box
from tests.rules.greece_lightning.script import Board, seats

clause = pytest.mark.clause
near_miss = pytest.mark.near_miss

CIRCLE = tuple(f"w{place}" for place in range(1, 13))
CARDS = ("demeter", "apollo", "hephaestus", "janus")
"""Starters 1 to 4."""


def turned(*order: int) -> tuple[str, ...]:
    return tuple(f"w{place}" for place in order)


def whole(dealt: str = "3 1 4", *, fish: int = 2) -> list[Event]:
    """Set-up up to the ships; the numbers of the Starters that the seats were dealt."""
    numbers = [int(number) for number in dealt.split()]
    return [
        Circle(CIRCLE, 7),
        Shuffled("wedges"),
        Stack("wedges", count=16),
        LapBoard(),
        *(Ready(seat, fish=fish) for seat in range(1, len(numbers) + 1)),
        Starters(CARDS),
        Shuffled("starters"),
        *(Deal(seat, CARDS[number - 1]) for seat, number in enumerate(numbers, start=1)),
        Shuffled("favors"),
        Stack("favors"),
    ]


def launched(dealt: str = "3 1 4") -> list[Event]:
    """Set-up to the end: the ships in their order on dots a, b, c …"""
    numbers = [int(number) for number in dealt.split()]
    order = sorted(range(len(numbers)), key=lambda seat: numbers[seat])
    return [*whole(dealt), *(Launch(seat + 1, "abcd"[nth]) for nth, seat in enumerate(order))]


def until(kind: type[Event]) -> list[Event]:
    """Set-up up to the first event of a kind."""
    events = whole()
    return events[: next(number for number, event in enumerate(events) if isinstance(event, kind))]


SHUFFLED_WEDGES = whole()[:2]
SHUFFLED_STARTERS = until(Deal)
DEALT = whole()[:-2]


def row(mark: Any, word: str, events: Sequence[Event], code: str, **given: Any) -> Any:
    wanted = mark.args if mark.name == "clause" else ()
    return pytest.param(events, code, wanted, given, marks=mark, id=f"{mark.args[0]}-{word}")


APART = "gl.circle-apart"
MIXED = turned(1, 2, 4, 3, 5, 6, 7, 8, 9, 10, 11, 12)

TABLE = [
    row(clause("GL-C2"), "a wedge is missing", [*launched(), Count("wedges", 27)], "gl.count-differs"),
    row(near_miss("GL-C2"), "all there", [*launched(), Count("wedges", 28)], "gl.counted"),
    row(clause("GL-C5"), "six players' worth", [*launched("3 1 4 2"), Count("supply", 7)], "gl.count-differs"),
    row(near_miss("GL-C5"), "sixteen less eight", [*launched("3 1 4 2"), Count("supply", 8)], "gl.counted"),
    row(clause("GL-C6"), "33 of three players", [*DEALT, Shuffled("favors"), Stack("favors", count=33)], "gl.stack"),
    row(near_miss("GL-C6"), "36", [*DEALT, Shuffled("favors"), Stack("favors", count=36)], "gl.stack-count"),
    row(clause("GL-C7"), "15 wedges", [*SHUFFLED_WEDGES, Stack("wedges", count=15)], "gl.stack-count"),
    row(near_miss("GL-C7"), "16 wedges", [*SHUFFLED_WEDGES, Stack("wedges", count=16)], "gl.stack"),
    row(clause("GL-S1"), "no symbol", [Circle(("fish", *CIRCLE[1:]), 7)], "gl.circle-no-symbol"),
    row(clause("GL-S1"), "eleven", [Circle(CIRCLE[1:], 7)], "gl.circle-number"),
    row(near_miss("GL-S1"), "twelve with symbols", [Circle(CIRCLE, 7)], "gl.circle"),
    row(clause("GL-S2"), "all sets of three", [Circle(CIRCLE, 7)], "gl.circle"),
    row(near_miss("GL-S2"), "one of them twice", [Circle((*CIRCLE[:11], "w1"), 7)], "gl.circle-twice"),
    row(clause("GL-S3"), "any order", [Circle(turned(3, 1, 2, 4, 5, 6, 9, 8, 7, 12, 10, 11), 7)], "gl.circle"),
    row(near_miss("GL-S3"), "into another set", [Circle(MIXED, 7)], APART),
    row(clause("GL-S4"), "apart", [Circle(MIXED, 7)], APART),
    row(near_miss("GL-S4"), "round the seam", [Circle(turned(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1), 7)], "gl.circle"),
    row(clause("GL-S5"), "C A D B", [Circle(turned(7, 8, 9, 1, 2, 3, 10, 11, 12, 4, 5, 6), 7)], "gl.circle"),
    row(near_miss("GL-S5"), "half quarters", [Circle(turned(7, 8, 1, 9, 2, 3, 10, 11, 12, 4, 5, 6), 7)], APART),
    row(clause("GL-S6"), "on place 7", [Circle(CIRCLE, 7)], "gl.circle"),
    row(near_miss("GL-S6"), "on none", [Circle(CIRCLE, None)], "gl.no-line"),
    row(near_miss("GL-S6"), "on place 13", [Circle(CIRCLE, 13)], "gl.no-line"),
    row(clause("GL-S7"), "without the middle", [Circle(CIRCLE, 7, centre=False)], "gl.no-centre"),
    row(near_miss("GL-S7"), "with it", [Circle(CIRCLE, 7)], "gl.circle"),
    row(clause("GL-S8"), "declared", [Circle(CIRCLE, 7), Shuffled("wedges")], "gl.shuffled"),
    row(clause("GL-S8"), "not declared", [Circle(CIRCLE, 7), Stack("wedges")], "gl.shuffle-first"),
    row(near_miss("GL-S8"), "before the circle", [Shuffled("wedges")], "gl.circle-first"),
    row(clause("GL-S9"), "face up", [*SHUFFLED_WEDGES, Stack("wedges", face_down=False)], "gl.face-down"),
    row(near_miss("GL-S9"), "face down", [*SHUFFLED_WEDGES, Stack("wedges")], "gl.stack"),
    row(clause("GL-S19"), "there", [LapBoard()], "gl.lap-board"),
    row(near_miss("GL-S19"), "not there", [*(e for e in whole() if not isinstance(e, LapBoard)), Launch(2, "a")],
        "gl.set-up-first"),
]  # fmt: skip

PLAYERS = [
    row(clause("GL-S10"), "own colour", [Ready(1, board="red")], "gl.ready"),
    row(near_miss("GL-S10"), "another's", [Ready(1, board="blue")], "gl.ready-board"),
    row(clause("GL-S11"), "a blue board", [Ready(1, board="blue")], "gl.ready-board"),
    row(near_miss("GL-S11"), "a red board", [Ready(1, board="red")], "gl.ready"),
    row(near_miss("GL-S11"), "a board called Red", [Ready(1, board="Red")], "gl.ready"),
    row(clause("GL-S12"), "no ship to race", [Ready(1, ships=0)], "gl.ready-count"),
    row(near_miss("GL-S12"), "both ships", [Ready(1, ships=1, lap_markers=1)], "gl.ready"),
    row(clause("GL-S13"), "no wake token", [Ready(1, wake=False)], "gl.ready-count"),
    row(near_miss("GL-S13"), "a wake token", [Ready(1, wake=True)], "gl.ready"),
    row(clause("GL-S14"), "two Navigation dice", [Ready(1, navigation=2)], "gl.ready-count"),
    row(near_miss("GL-S14"), "one", [Ready(1, navigation=1)], "gl.ready"),
    row(clause("GL-S15"), "one Movement die", [Ready(1, movement=1)], "gl.ready-count"),
    row(near_miss("GL-S15"), "two", [Ready(1, movement=2)], "gl.ready"),
    row(clause("GL-S16"), "three Fish", [Ready(2, fish=3)], "gl.ready-count"),
    row(near_miss("GL-S16"), "two Fish", [Ready(2, fish=2)], "gl.ready"),
    row(clause("GL-S17"), "one Fish", [Ready(2, fish=1)], "gl.ready", difficult=True),
    row(clause("GL-S17"), "two Fish", [Ready(2, fish=2)], "gl.ready-count", difficult=True),
    row(near_miss("GL-S17"), "one Fish, not difficult", [Ready(2, fish=1)], "gl.ready-count"),
    row(clause("GL-S18"), "on the line too soon", [*whole()[:-1], Launch(2, "a")], "gl.set-up-first"),
    row(near_miss("GL-S18"), "when the order is known", [*whole(), Launch(2, "a")], "gl.launched"),
    row(clause("GL-S20"), "no Lap marker", [Ready(1, lap_markers=0)], "gl.ready-count"),
    row(clause("GL-S20"), "not on Start", [*launched(), LapMarker(1, 1)], "gl.lap-marker-wrong"),
    row(near_miss("GL-S20"), "on Start", [*launched(), LapMarker(1, 0)], "gl.lap-marker"),
]

STARTING = [
    row(clause("GL-S21"), "no Starter", [Starters((*CARDS[:3], "zeus"))], "gl.starters-wrong"),
    row(clause("GL-S21"), "three", [Starters(CARDS[:3])], "gl.starters-wrong"),
    row(near_miss("GL-S21"), "in any order", [Starters(CARDS[::-1])], "gl.starters"),
    row(clause("GL-S22"), "declared", [Starters(CARDS), Shuffled("starters")], "gl.shuffled"),
    row(near_miss("GL-S22"), "not declared", [Starters(CARDS), Deal(1, "janus")], "gl.shuffle-first"),
    row(near_miss("GL-S22"), "not found", [Shuffled("starters")], "gl.starters-first"),
    row(clause("GL-S23"), "a second one", [*SHUFFLED_STARTERS, Deal(1, "janus"), Deal(1, "apollo")],
        "gl.second-starter"),
    row(clause("GL-S23"), "the same for another", [*SHUFFLED_STARTERS, Deal(1, "janus"), Deal(2, "janus")],
        "gl.card-elsewhere"),
    row(near_miss("GL-S23"), "one each", [*SHUFFLED_STARTERS, Deal(1, "janus"), Deal(2, "apollo")], "gl.dealt"),
    row(clause("GL-S24"), "face down", [*SHUFFLED_STARTERS, Deal(1, "janus", face_up=False)], "gl.face-up"),
    row(near_miss("GL-S24"), "face up", [*SHUFFLED_STARTERS, Deal(1, "janus")], "gl.dealt"),
    row(clause("GL-S25", "GL-D1"), "34 of two players",
        [*whole("2 4")[:-1], Stack("favors", count=34)], "gl.stack"),
    row(near_miss("GL-S25", "GL-D1"), "the left-over ones are missing",
        [*whole("2 4")[:-1], Stack("favors", count=32)], "gl.stack-count"),
    row(clause("GL-D1"), "32 of four players", [*whole("2 4 1 3")[:-1], Stack("favors", count=32)], "gl.stack"),
    row(clause("GL-S26"), "declared", [*DEALT, Shuffled("favors")], "gl.shuffled"),
    row(clause("GL-S26"), "not declared", [*DEALT, Stack("favors")], "gl.shuffle-first"),
    row(near_miss("GL-S26"), "before all are dealt", [*SHUFFLED_STARTERS, Shuffled("favors")], "gl.deal-first"),
    row(clause("GL-S27"), "face up", [*DEALT, Shuffled("favors"), Stack("favors", face_down=False)], "gl.face-down"),
    row(near_miss("GL-S27"), "face down", [*DEALT, Shuffled("favors"), Stack("favors")], "gl.stack"),
    row(clause("GL-S28"), "3 before 1", [*whole(), Launch(1, "a")], "gl.launch-order"),
    row(near_miss("GL-S28"), "1 first", [*whole(), Launch(2, "a")], "gl.launched"),
    row(clause("GL-S29"), "any free dot", [*whole(), Launch(2, "d")], "gl.launched"),
    row(near_miss("GL-S29"), "beside the line", [*whole(), Launch(2, None)], "gl.not-on-line"),
    row(clause("GL-S30"), "no wake token", [*whole(), Launch(2, "a", wake=False)], "gl.no-wake"),
    row(near_miss("GL-S30"), "under the ship", [*whole(), Launch(2, "a")], "gl.launched"),
    row(clause("GL-S31"), "taken", [*whole(), Launch(2, "b"), Launch(1, "b")], "gl.dot-taken"),
    row(near_miss("GL-S31"), "another", [*whole(), Launch(2, "b"), Launch(1, "c")], "gl.launched"),
    row(clause("GL-S32"), "no gain", [*launched(), Count("fish", 2, 3)], "gl.counted"),
    row(near_miss("GL-S32"), "a gain", [*launched(), Count("fish", 3, 3)], "gl.count-differs"),
    row(clause("GL-S33"), "to another", [*launched(), Fleece(2)], "gl.fleece-wrong"),
    row(near_miss("GL-S33"), "to the last", [*launched(), Fleece(3)], "gl.fleece-lies"),
    row(clause("GL-D3"), "2 before 4", [*whole("4 2"), Launch(2, "a")], "gl.launched"),
    row(near_miss("GL-D3"), "4 before 2", [*whole("4 2"), Launch(1, "a")], "gl.launch-order"),
]  # fmt: skip

CITED_ELSEWHERE = {"gl.counted": {"GL-S32"}, "gl.card-elsewhere": set()}
"""What a plain count shows without citing it."""


def play(events: Sequence[Event], **options: Any) -> tuple[Board, tuple[Ruling, ...]]:
    """Every event but the last is accepted."""
    players = len({event.seat for event in events if isinstance(event, Ready)})
    made = Board(players if players > 1 else 3, **options)
    rulings: tuple[Ruling, ...] = ()
    for number, event in enumerate(events, start=1):
        rulings = made.submit(event)
        if number < len(events):
            assert rulings[0].verdict is not Verdict.REFUSED, (event, rulings)
    return made, rulings


@pytest.mark.parametrize(("events", "code", "wanted", "given"), [*TABLE, *PLAYERS, *STARTING])
def test_set_up(events: Sequence[Event], code: str, wanted: tuple[str, ...], given: dict[str, Any]) -> None:
    _, rulings = play(events, **given)
    assert rulings[0].code == code
    assert set(wanted) - CITED_ELSEWHERE.get(code, set()) <= set(rulings[0].clauses)


@pytest.mark.parametrize("players", [pytest.param(5, marks=clause("GL-C1")), pytest.param(1, marks=clause("GL-C1"))])
def test_too_many_or_too_few_players(players: int) -> None:
    people = [Seat(number, f"player {number}", f"colour {number}") for number in range(1, players + 1)]
    with pytest.raises(BadHeader) as caught:
        GAME.new_header("m", people)
    assert caught.value.clauses == ("GL-C1",)


@pytest.mark.parametrize("players", [pytest.param(players, marks=near_miss("GL-C1")) for players in (2, 3, 4)])
def test_two_three_or_four_may_play(players: int) -> None:
    assert len(GAME.new_header("m", seats(players), pack=box()).seats) == players


@clause("GL-S10")
def test_nobody_has_the_colour_of_another() -> None:
    with pytest.raises(BadHeader) as caught:
        GAME.new_header("m", [Seat(1, "Ann", "red"), Seat(2, "Ben", "Red ")])
    assert caught.value.clauses == ("GL-S10",)


@pytest.mark.parametrize(
    "people",
    [
        [Seat(1, "Ann", "red"), Seat(3, "Ben", "blue")],
        [Seat(1, "Ann", "red"), Seat(2, "ann", "blue")],
        [Seat(1, "Ann", "red"), Seat(2, " ", "blue")],
    ],
)
def test_seats_are_numbered_and_named(people: list[Seat]) -> None:
    with pytest.raises(BadHeader):
        GAME.new_header("m", people)


@pytest.mark.parametrize("judge", ["Ann", " "])
def test_no_player_judges(judge: str) -> None:
    with pytest.raises(BadHeader):
        GAME.new_header("m", seats(2), judge=judge)


@clause("GL-S33", "GL-S34", "GL-D3")
@near_miss("GL-S33")
def test_the_last_ship_brings_the_fleece_and_opens_the_first_round() -> None:
    made, rulings = play(launched("3 1 4"))
    assert [ruling.code for ruling in rulings] == ["gl.launched", "gl.first-fleece", "gl.round"]
    state = made.state
    assert (state.fleece, state.phase, state.round) == (3, "rolling", 1)
    made, _ = play(launched("4 2"))
    assert made.state.fleece == 1


@clause("GL-D2")
@near_miss("GL-D2")
def test_one_wedge_a_turn_or_two_with_two_players() -> None:
    assert [Board(players).state.given.wedges_a_turn for players in (2, 3, 4)] == [2, 1, 1]


def test_set_up_can_be_declared_twice_and_not_after_the_start() -> None:
    events = [*whole()[:2], *whole()]
    made, _ = play(events)
    assert made.state.supply == 10
    made, rulings = play([*launched(), Circle(CIRCLE, 3)])
    assert rulings[0].code == "gl.set-up-done"
    made, rulings = play([*whole(), Launch(2, "a"), Circle(CIRCLE, 3)])
    assert rulings[0].code == "gl.ships-on"


def test_what_is_missing_is_told_in_order() -> None:
    made = Board(3)
    (ruling,) = made.submit(Launch(1, "a"))
    assert ruling.facts["missing"] == (
        "circle", "wedges shuffled", "wedges stacked", "lap board", "players", "starters shown", "starters shuffled",
        "starters dealt", "favors shuffled", "favors stacked",
    )  # fmt: skip
    made, _ = play(whole())
    (ruling,) = made.submit(Fleece(1))
    assert ruling.facts["missing"] == ("ships",)


def test_only_starters_not_dealt_are_offered_and_only_to_seats_without_one() -> None:
    made, _ = play([*SHUFFLED_STARTERS, Deal(2, "janus")])
    offered = {option.event for option in made.match.options() if isinstance(option.event, Deal)}
    assert offered == {Deal(seat, card) for seat in (1, 3) for card in CARDS if card != "janus"}
