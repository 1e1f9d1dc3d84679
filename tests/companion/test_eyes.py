"""What the camera tells a match: painted frames with given readings, through the tracker, no waiting."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from companion.live.eyes import LightningDiceEyes
from companion.live.interpreter import Seen, SeenDie
from companion.live.seating import Seating
from rules.header import Seat
from rules.lightning_dice.events import Flip, Moving, Roll
from tests.companion.painted import Box, PaintedTable
from vision.readings import DieReading, MarkerReading, Unreadable

MS = 1_000_000
FRAME_NS = 66 * MS
SEATS = (Seat(1, "Ann", "red"), Seat(2, "Ben", "blue"))
SIDE_PX = 24.0
OVER_THREE: Box = (255, 0, 430, 140)
"""A hand from beyond the edge over the last three dice of `row`."""


def die(value: int | None, x: float, y: float = 100.0, colour: str = "red", reason: Any = None) -> DieReading:
    half = SIDE_PX / 2
    outline = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    why = None if value is not None else reason or Unreadable.GLARE
    box = (x - half, y - half, x + half, y + half)
    return DieReading(value, why, 0.99, box, outline, (), colour, "white", (0, 0, 255), (x / 2, y / 2))


def marker(identity: int) -> MarkerReading:
    return MarkerReading(identity, ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)))


@dataclass
class SeatNow:
    number: int
    faces: tuple[int | None, ...] | None = None
    moving: tuple[int, ...] = ()


@dataclass
class StateNow:
    """As much of the game's state as the eyes look at."""

    card: str | None = None
    seats: dict[int, SeatNow] = field(default_factory=dict)

    def find(self, number: int) -> SeatNow | None:
        return self.seats.get(number)


class Bench:
    """Shows frames to the eyes and collects what they tell."""

    def __init__(self, zones: Any = None, state: StateNow | None = None, frame_ns: int = FRAME_NS) -> None:
        self.frame_ns = frame_ns
        self.eyes = LightningDiceEyes(SEATS, {7: "g07", 8: "g08"}, zones=zones)
        self.state = state or StateNow()
        self.table = PaintedTable()
        self.now_ns = 1_000 * MS
        self.told: list[Any] = []
        self.last = Seen()

    def show(
        self, dice: list[DieReading], frames: int = 12, markers: tuple[int, ...] = (), hands: tuple[Box, ...] = ()
    ) -> list[Any]:
        told: list[Any] = []
        for _ in range(frames):
            self.now_ns += self.frame_ns
            found = tuple(marker(each) for each in markers)
            watched = self.table.show(dice, self.now_ns, markers=found, hands=hands)
            self.last = self.eyes.update(watched, self.now_ns, self.state)
            told += [sighting.submission.event for sighting in self.last.sightings]
        self.told += told
        return told


def row(values: list[int | None], *, colour: str = "red", y: float = 100.0, shift: float = 0.0) -> list[DieReading]:
    return [die(value, 100 + 60 * place + shift, y, colour) for place, value in enumerate(values)]


def test_six_dice_at_rest_are_told_once_from_left_to_right() -> None:
    bench = Bench()
    dice = row([1, 2, 3, 4, 5, 6])
    (roll,) = bench.show(dice[::-1], 30)
    assert (roll.seat, roll.faces, roll.thrown) == (1, (1, 2, 3, 4, 5, 6), ())
    assert bench.last.still_seats == {1}


def test_a_press_is_answered_by_the_first_frame_of_rest_from_the_frame_before_it_on() -> None:
    bench = Bench()
    bench.show(row([1, 2, 3, 4, 5, 6], y=300.0), 1)  # still rolling, elsewhere
    rested_ns = bench.now_ns + FRAME_NS
    (roll,) = bench.show(row([1, 2, 3, 4, 5, 6]), 30)
    assert roll.settled_ns == rested_ns - FRAME_NS + 1  # it is what answers for a press since the frame before


def test_a_machine_of_one_frame_in_two_seconds_reads_the_same_only_later() -> None:
    bench = Bench(frame_ns=2_000 * MS)
    (roll,) = bench.show(row([1, 2, 3, 4, 5, 6]), 4)
    assert roll.faces == (1, 2, 3, 4, 5, 6)
    dice = row([1, 2, None, 4, 5, 6])
    (roll,) = bench.show(dice, 4)
    assert roll.faces == (1, 2, None, 4, 5, 6)


def test_five_dice_are_not_told_as_six() -> None:
    bench = Bench()
    assert bench.show(row([1, 2, 3, 4, 5])[:5], 60) == []


def test_dice_of_two_seats_are_told_apart_by_colour() -> None:
    bench = Bench()
    dice = row([1, 1, 1, 1, 1, 1]) + row([2, 2, 2, 2, 2, 2], colour="blue", y=400.0)
    told = bench.show(dice, 12)
    assert sorted((roll.seat, roll.faces[0]) for roll in told) == [(1, 1), (2, 2)]


def test_a_thrown_die_leaves_and_comes_back_to_its_number() -> None:
    bench = Bench()
    dice = row([1, 2, 3, 4, 5, 6])
    bench.show(dice)
    left_ns = bench.now_ns + FRAME_NS
    (moving,) = bench.show([*dice[:2], *dice[3:]], 9)
    assert moving == Moving(1, (2,), left_ns)
    assert bench.last.still_seats == frozenset()
    (roll,) = bench.show([*dice[:2], *dice[3:], die(6, 700)], 12)
    assert (roll.faces, roll.thrown) == ((1, 2, 6, 4, 5, 6), (2,))


def test_all_six_thrown_are_all_thrown_and_numbered_anew_from_left_to_right() -> None:
    bench = Bench()
    bench.show(row([1, 2, 3, 4, 5, 6]))
    (moving,) = bench.show([], 9)
    assert moving.dice == (0, 1, 2, 3, 4, 5)
    (roll,) = bench.show(row([6, 5, 4, 3, 2, 1], y=260.0, shift=15.0), 12)
    assert (roll.faces, roll.thrown) == ((6, 5, 4, 3, 2, 1), (0, 1, 2, 3, 4, 5))


def test_dice_hidden_by_a_hand_were_not_thrown() -> None:
    bench = Bench()
    dice = row([1, 2, 3, 4, 5, 6])
    bench.show(dice)
    (moving,) = bench.show(dice[:3], 9, hands=(OVER_THREE,))
    assert moving.dice == (3, 4, 5)
    (roll,) = bench.show(dice, 12)
    assert (roll.faces, roll.thrown) == ((1, 2, 3, 4, 5, 6), ())


def test_a_hand_that_passes_quickly_is_not_told_at_all() -> None:
    bench = Bench()
    dice = row([1, 2, 3, 4, 5, 6])
    bench.show(dice)
    assert bench.show(dice[:3], 4, hands=(OVER_THREE,)) + bench.show(dice, 20) == []


def test_a_die_pushed_aside_keeps_its_number_and_was_not_thrown() -> None:
    bench = Bench()
    dice = row([1, 2, 3, 4, 5, 6])
    bench.show(dice)
    told: list[Any] = []
    for step in range(1, 6):
        told += bench.show([die(1, 100, 100 + 8 * step), *dice[1:]], 1)
    told += bench.show([die(1, 100, 140), *dice[1:]], 12)
    moving, roll = told
    assert moving.dice == (0,)
    assert (roll.faces, roll.thrown) == ((1, 2, 3, 4, 5, 6), ())


def test_an_unreadable_die_has_no_face_and_its_reason_is_kept() -> None:
    bench = Bench()
    (roll,) = bench.show(row([1, 2, None, 4, 5, 6]), 20)
    assert roll.faces == (1, 2, None, 4, 5, 6)
    third = next(each for each in bench.last.dice if each.place == 2)
    assert (third.value, third.reason) == (None, "glare")


def test_a_die_that_is_painted_over_stays_its_seats_and_loses_its_face() -> None:
    bench = Bench()
    dice = row([1, 2, 3, 4, 5, 6])
    bench.show(dice)
    dice[3] = die(None, 100 + 60 * 3, colour="white")
    (roll,) = bench.show(dice, 45)
    assert (roll.faces, roll.thrown) == ((1, 2, 3, None, 5, 6), ())
    assert bench.last.notices == ()


def test_a_throw_of_which_one_die_is_lost_is_told_without_it() -> None:
    bench = Bench()
    dice = row([1, 2, 3, 4, 5, 6])
    bench.show(dice)
    bench.show([], 9)
    told = bench.show(row([6, 6, 6, 6, 6, 6], y=260.0)[:5], 15)
    assert told == []
    (roll,) = bench.show(row([6, 6, 6, 6, 6, 6], y=260.0)[:5], 30)
    assert roll.faces == (6, 6, 6, 6, 6, None)


def test_dice_in_the_hand_are_waited_for() -> None:
    bench = Bench()
    dice = row([1, 2, 3, 4, 5, 6])
    bench.show(dice)
    told = bench.show(dice[:2], 45)
    assert [type(event) for event in told] == [Moving]
    assert [seen.reason for seen in bench.last.dice] == [None, None, *["moving"] * 4]


def test_dice_that_stay_out_of_view_are_unread_and_count_again_when_thrown() -> None:
    bench = Bench()
    dice = row([1, 2, 3, 4, 5, 6])
    bench.show(dice)
    _, roll = bench.show(dice[:4], 90)
    assert (roll.faces, roll.thrown) == ((1, 2, 3, 4, None, None), ())
    assert [seen.reason for seen in bench.last.dice] == [*[None] * 4, "not seen", "not seen"]
    (roll,) = bench.show(dice[:4] + row([2] * 6, y=200.0)[4:], 30)
    assert (roll.faces, roll.thrown) == ((1, 2, 3, 4, 2, 2), (4, 5))


def test_all_six_in_the_hand_are_waited_for_however_long() -> None:
    bench = Bench()
    bench.show(row([1, 2, 3, 4, 5, 6]))
    told = bench.show([], 300)
    assert [type(event) for event in told] == [Moving]


def test_what_the_record_says_already_is_not_told_again_after_a_restart() -> None:
    faces = (1, 2, 3, 4, 5, 6)
    bench = Bench(state=StateNow("g07", {1: SeatNow(1, faces)}))
    assert bench.show(row(list(faces)), 20, markers=(7,)) == []
    bench = Bench(state=StateNow("g07", {1: SeatNow(1, (6, 5, 4, 3, 2, 1))}))
    assert [type(event) for event in bench.show(row(list(faces)), 20, markers=(7,))] == [Roll]


def test_a_card_counts_after_three_of_five_frames_from_its_first() -> None:
    bench = Bench()
    first_ns = bench.now_ns + FRAME_NS
    assert bench.show([], 2, markers=(7,)) == []
    assert bench.show([], 1, markers=(7,)) == [Flip("g07")]
    assert bench.last.sightings[0].at_ns == first_ns
    assert bench.show([], 20, markers=(7,)) == []


def test_a_marker_that_flickers_or_is_not_of_the_deck_is_no_card() -> None:
    bench = Bench()
    for _ in range(10):
        bench.show([], 1, markers=(7, 99))
        bench.show([], 2, markers=(99,))
    assert bench.told == []


def test_two_cards_at_once_are_reported_and_count_for_nothing_until_one_is_left() -> None:
    bench = Bench()
    assert bench.show([], 10, markers=(7, 8)) == []
    assert [notice.code for notice in bench.last.notices] == ["notice.two-cards"]
    assert bench.show([], 10, markers=(8,)) == [Flip("g08")]
    assert bench.last.notices == ()


def test_the_next_card_counts_while_the_last_still_lies_there() -> None:
    bench = Bench()
    bench.show([], 5, markers=(7,))
    assert bench.show([], 5, markers=(7, 8)) == [Flip("g08")]


def test_a_card_taken_away_and_shown_again_counts_again() -> None:
    bench = Bench()
    bench.show([], 5, markers=(7,))
    bench.show([], 6)
    assert bench.show([], 5, markers=(7,)) == [Flip("g07")]


NO_PIPS = Unreadable.NOT_A_PIP_DIE


def codes(bench: Bench) -> list[str]:
    return [notice.code for notice in bench.last.notices]


def test_a_die_without_pips_beside_six_is_foreign_and_disturbs_nothing() -> None:
    bench = Bench()
    dice = row([1, 2, 3, 4, 5, 6])
    (roll,) = bench.show([*dice, die(None, 40, reason=NO_PIPS)], 90)
    assert roll.faces == (1, 2, 3, 4, 5, 6)
    assert bench.last.still_seats == {1}
    assert codes(bench) == ["notice.no-pips"]
    assert bench.last.dice[-1] == SeenDie(None, 0, None, "not a pip die")
    assert bench.show(dice, 30) == []
    assert bench.last.notices == ()


def test_a_die_without_pips_in_place_of_the_sixth_is_not_told_as_an_unread_one() -> None:
    bench = Bench()
    dice = row([1, 2, 3, 4, 5, 6])
    assert bench.show([*dice[:5], die(None, 400, reason=NO_PIPS)], 90) == []
    assert codes(bench) == ["notice.no-pips"]
    (roll,) = bench.show(dice, 60)  # after so long without a value, it has to insist
    assert roll.faces == (1, 2, 3, 4, 5, 6)


def test_a_throw_with_a_die_without_pips_is_told_without_it() -> None:
    bench = Bench()
    bench.show(row([1, 2, 3, 4, 5, 6]))
    bench.show([], 9)
    thrown = [*row([6, 5, 4, 3, 2, 1], y=260.0)[:5], die(None, 400, 260.0, reason=NO_PIPS)]
    (roll,) = bench.show(thrown, 60)
    assert roll.faces == (6, 5, 4, 3, 2, None)
    assert bench.last.dice[5].reason == "not seen"


def test_a_die_without_pips_that_is_pushed_about_stays_foreign() -> None:
    bench = Bench()
    dice = row([1, 2, 3, 4, 5, 6])
    bench.show([*dice, die(None, 40, 300, reason=NO_PIPS)], 20)
    for step in range(1, 12):
        assert bench.show([*dice, die(None, 40 + 9 * step, 300, reason=Unreadable.BLURRED)], 1) == []
        assert bench.last.still_seats == {1}, "what is nobody's holds up nobody's dice"
    assert bench.show([*dice, die(None, 139, 300, reason=Unreadable.BLURRED)], 20) == []
    assert bench.last.dice[-1] == SeenDie(None, 0, None, "blurred")


def test_a_die_taken_for_one_without_pips_counts_once_its_pips_are_read() -> None:
    bench = Bench()
    dice = row([1, 2, 3, 4, 5, 6])
    assert bench.show([*dice[:5], die(None, 400, reason=NO_PIPS)], 40) == []
    (roll,) = bench.show([*dice[:5], die(6, 400)], 40)
    assert roll.faces == (1, 2, 3, 4, 5, 6)
    assert bench.last.notices == ()


def test_what_lies_on_a_die_that_was_read_leaves_it_its_seats() -> None:
    bench = Bench()
    dice = row([1, 2, 3, 4, 5, 6])
    bench.show(dice)
    dice[3] = die(None, 100 + 60 * 3, colour="white", reason=NO_PIPS)
    (roll,) = bench.show(dice, 45)
    assert (roll.faces, roll.thrown) == ((1, 2, 3, None, 5, 6), ())
    assert bench.last.dice[3] == SeenDie(1, 3, None, "not a pip die")
    assert codes(bench) == ["notice.no-pips"]


def test_a_die_without_pips_in_the_place_of_one_that_was_read_is_foreign_once_it_has_moved() -> None:
    bench = Bench()
    dice = row([1, 2, 3, 4, 5, 6])
    bench.show(dice)
    for step in range(1, 6):
        bench.show([*dice[:5], die(None, 400 + 8 * step, reason=NO_PIPS)], 1)
    told = bench.show([*dice[:5], die(None, 440, reason=NO_PIPS)], 90)
    assert told[-1].faces == (1, 2, 3, 4, 5, None)
    assert bench.last.dice[-1] == SeenDie(None, 0, None, "not a pip die")


def test_dice_without_pips_are_told_once_for_each_part_of_the_table() -> None:
    bench = Bench(zones={1: Half(True), 2: Half(False)})
    strange = [die(None, x, 400, colour, NO_PIPS) for x, colour in ((40, "green"), (140, "red"), (900, "green"))]
    bench.show(strange, 20)
    facts = [(notice.code, dict(notice.facts)) for notice in bench.last.notices]
    assert facts == [
        ("notice.no-pips-of-seat", {"seat": 1, "count": 2, "colours": ("green", "red")}),
        ("notice.no-pips-of-seat", {"seat": 2, "count": 1, "colours": ("green",)}),
    ]


class Half:
    """A zone: everything left or right of a line, in mm."""

    def __init__(self, left: bool) -> None:
        self.left = left

    def holds(self, x_mm: float, y_mm: float) -> bool:
        return (x_mm < 300) == self.left


@pytest.mark.parametrize(
    ("colour", "place", "seat", "notice"),
    [
        ("red", (10.0, 10.0), 1, None),
        ("blue", (400.0, 10.0), 2, None),
        ("orange", (10.0, 10.0), 1, None),
        ("red", (400.0, 10.0), None, "notice.die-elsewhere"),
        ("green", (10.0, 10.0), None, "notice.foreign-die"),
        ("purple", None, 2, None),
        ("green", None, None, "notice.foreign-die"),
    ],
    ids=["own", "other", "near colour", "contradiction", "stranger", "no place known", "stranger, no place"],
)
def test_whose_die(colour: str, place: Any, seat: int | None, notice: str | None) -> None:
    seating = Seating(SEATS, {1: Half(True), 2: Half(False)})
    found, told = seating.seat_of(colour, place)
    assert found == seat
    assert (told.code if told else None) == notice


def test_a_near_colour_of_two_seats_is_nobodys() -> None:
    seating = Seating((Seat(1, "Ann", "red"), Seat(2, "Ben", "yellow")))
    assert seating.seat_of("orange", None)[0] is None


def test_a_die_in_the_wrong_place_is_named_and_not_counted() -> None:
    bench = Bench(zones={1: Half(True), 2: Half(False)})
    dice = row([1, 2, 3, 4, 5, 6])
    dice[5] = die(6, 900)
    assert bench.show(dice, 20) == []
    assert [notice.code for notice in bench.last.notices] == ["notice.die-elsewhere"]
