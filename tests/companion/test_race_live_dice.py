"""What the camera tells a race: Movement dice by the board area they lie in, wedges and Favors by their markers."""

from __future__ import annotations

from typing import Any

import pytest

from companion.live.interpreter import Seen
from companion.live.places import MISSING_NS
from companion.live.race_dice import RaceDice
from companion.live.race_eyes import RaceEyes
from rules.greece_lightning.events import DrawWedge, Movement, Reveal
from rules.greece_lightning.state import Waiting
from rules.header import Seat
from tests.companion.painted import Box, PaintedTable
from tests.companion.test_eyes import die, marker
from tests.rules.greece_lightning.script import board
from vision.readings import DieReading
from vision.tracking.happenings import DieState, Happening, Kind, TrackedDie

MS = 1_000_000
FRAME_NS = 66 * MS
SEATS = (Seat(1, "Ann", "red"), Seat(2, "Ben", "blue"), Seat(3, "Cleo", "green"))


class Area:
    """Half of the painted table; a die at x pixels lies at x / 2 mm."""

    def __init__(self, from_mm: float, to_mm: float) -> None:
        self.from_mm, self.to_mm = from_mm, to_mm

    def holds(self, x_mm: float, _y_mm: float) -> bool:
        return self.from_mm <= x_mm < self.to_mm


class Bench:
    """Shows frames to the eyes and collects what they tell."""

    def __init__(self, state: Any) -> None:
        zones = {1: Area(0, 100), 2: Area(100, 200), 3: Area(200, 300)}
        self.eyes = RaceEyes(SEATS, zones, {7: "w7", 8: "w8"}, {40: "zeus", 41: "zeus", 42: "hera"})
        self.state = state
        self.table = PaintedTable()
        self.now_ns = 1_000 * MS
        self.last = Seen()

    def show(
        self, *dice: DieReading, frames: int = 12, markers: tuple[int, ...] = (), hands: tuple[Box, ...] = ()
    ) -> list[Any]:
        told: list[Any] = []
        for _ in range(frames):
            self.now_ns += FRAME_NS
            found = tuple(marker(each) for each in markers)
            watched = self.table.show(list(dice), self.now_ns, markers=found, hands=hands)
            self.last = self.eyes.update(watched, self.now_ns, self.state)
            told += [sighting.submission.event for sighting in self.last.sightings]
        return told


def blue(value: int | None, x: float, y: float = 100.0) -> DieReading:
    return die(value, x, y, "blue")


@pytest.fixture
def rolling() -> Bench:
    """All roll; the camera has watched an empty table for a while."""
    bench = Bench(board(ships="3a 8a 8b", turn=None).match.state)
    bench.show(frames=25)
    return bench


def test_a_die_is_that_player_s_before_whom_it_lies_though_all_look_alike(rolling: Bench) -> None:
    assert rolling.show(blue(4, 100)) == [Movement(1, (4,))]
    assert rolling.show(blue(4, 100), blue(6, 300)) == [Movement(2, (6,))]
    assert rolling.last.still_seats == {1, 2, 3}


def test_a_second_die_is_told_alone_while_the_first_lies_there(rolling: Bench) -> None:
    rolling.show(blue(4, 100))
    assert rolling.show(blue(4, 100), blue(2, 150)) == [Movement(1, (2,))]
    assert rolling.show(blue(4, 100), blue(2, 150), frames=30) == []


def test_two_dice_of_one_throw_are_told_together(rolling: Bench) -> None:
    """So that the referee can say that they are rolled one at a time. GL-R6."""
    (event,) = rolling.show(blue(4, 100), blue(2, 150))
    assert (event.seat, sorted(event.faces)) == (1, [2, 4])


def test_a_light_die_is_the_navigation_die_and_is_not_read_as_movement(rolling: Bench) -> None:
    assert rolling.show(die(1, 100, colour="white"), die(2, 300, colour="grey")) == []
    assert rolling.show(die(1, 100, colour="white"), blue(5, 150)) == [Movement(1, (5,))]


def test_dice_that_lay_there_when_the_camera_was_opened_were_not_thrown() -> None:
    bench = Bench(board(ships="3a 8a 8b", turn=None).match.state)
    assert bench.show(blue(4, 100), frames=30) == []
    assert bench.show(blue(4, 100), blue(3, 150)) == [Movement(1, (3,))]  # as one that comes later was


def test_a_die_that_is_rolled_again_with_the_same_face_is_told_again(rolling: Bench) -> None:
    hand = (130, 40, 230, 160)
    rolling.show(blue(4, 100))
    rolling.show(blue(4, 100), blue(2, 180))
    rolling.show(blue(4, 100), frames=4, hands=(hand,))
    rolling.state = rolling.state.with_seat(1, navigation=1, first=4, rerolling="second")
    rolling.show(blue(4, 100), frames=8)
    assert rolling.show(blue(4, 100), blue(2, 186, 130)) == [Movement(1, (2,))]


def test_a_die_that_is_only_pushed_is_not_told_again(rolling: Bench) -> None:
    rolling.show(blue(4, 100))
    rolling.show(frames=4)
    assert rolling.show(blue(4, 106, 120), frames=20) == []


def test_a_die_that_a_hand_only_covers_is_not_told_again(rolling: Bench) -> None:
    rolling.show(blue(4, 100))
    assert rolling.show(frames=6, hands=((60, 40, 140, 160),)) == []
    assert rolling.show(blue(4, 100), frames=20) == []


def test_dice_before_nobody_count_for_nobody_and_are_shown(rolling: Bench) -> None:
    assert rolling.show(blue(4, 700)) == []
    assert [(each.seat, each.value) for each in rolling.last.dice] == [(None, 4)]


def test_more_dice_than_a_player_has_are_a_notice(rolling: Bench) -> None:
    rolling.show(blue(4, 60))
    rolling.show(blue(4, 60), blue(5, 110))
    assert [each.code for each in rolling.last.notices] == []
    rolling.show(blue(4, 60), blue(5, 110), blue(6, 160))
    notice = rolling.last.notices[0]
    assert len(rolling.last.notices) == 1
    assert (notice.code, dict(notice.facts)["dice"]) == ("notice.too-many-movement-dice", 3)


@pytest.mark.parametrize("phase", ["setup", "over"])
def test_dice_mean_nothing_before_the_race_and_after_it(rolling: Bench, phase: str) -> None:
    rolling.state = rolling.state.replace(phase=phase)
    assert rolling.show(blue(4, 100)) == []


def test_a_die_thrown_in_the_turns_is_told_for_the_referee_to_refuse() -> None:
    bench = Bench(board(ships="3a 8a 8b", turn=1, step="move", left=3).match.state)
    bench.show(frames=25)
    assert bench.show(blue(4, 300)) == [Movement(2, (4,))]


def test_the_wedge_that_is_drawn_is_named_by_its_marker() -> None:
    state = board(ships="3a 8a 8b", turn=1, step="move", left=3).match.state
    bench = Bench(state)
    assert bench.show(markers=(7,)) == []  # nobody draws: it only lies there
    bench.state = state.replace(waiting=(Waiting("wedge", 1),))
    assert bench.show(markers=(7,)) == []  # still the same one
    assert bench.show(markers=(7, 8)) == [DrawWedge(1, "w8")]


def test_favors_that_are_turned_up_are_named_and_counted() -> None:
    bench = Bench(board(ships="3a 8a 8b", turn=2, step="reveal", facedown="0 2 0").match.state)
    bench.show(frames=6)
    assert bench.show(markers=(41,)) == [Reveal(2, "zeus", 0)]
    assert bench.show(markers=(41,), frames=20) == []
    (event,) = bench.show(frames=8) + bench.show(markers=(40, 42))
    assert (event.seat, event.others) == (2, 1)


@pytest.mark.parametrize(
    ("left", "facedown", "stopped", "told"),
    [
        (0, 1, False, [Reveal(2, "zeus", 0)]),  # the last dot is taken: nobody need say that the move is finished
        (1, 1, False, []),  # there is movement left: too early, and it may only have been looked at
        (0, 0, False, []),  # no card was drawn
        (0, 1, True, []),  # a Hydra stopped the ship: in this house its cards then stay down
    ],
)
def test_a_favor_turned_up_after_the_last_dot_is_named(
    left: int, facedown: int, stopped: bool, told: list[Reveal]
) -> None:
    made = board(
        turn=2,
        step="move",
        left=left,
        facedown=f"0 {facedown} 0",
        seat={2: {"stopped": stopped}},
        options={"stopped_reveals": False},
    )
    bench = Bench(made.match.state)
    bench.show(frames=6)
    assert bench.show(markers=(41,)) == told


def test_a_favor_is_not_named_while_the_table_waits_for_something_else() -> None:
    state = board(turn=2, step="move", left=0, facedown="0 1 0").match.state
    bench = Bench(state.replace(waiting=(Waiting("wedge", 2),)))
    assert bench.show(frames=6) == []
    assert bench.show(markers=(41,)) == []


def test_what_cannot_be_trusted_is_told_and_brings_nothing(rolling: Bench) -> None:
    from dataclasses import replace

    from vision.tracking.happenings import OutOfStep, Trouble

    watched = rolling.table.show([blue(4, 100)], rolling.now_ns + FRAME_NS)
    out = OutOfStep(Trouble.CAMERA_MOVED, rolling.now_ns)
    seen = rolling.eyes.update(replace(watched, out_of_step=out), rolling.now_ns, rolling.state)
    assert seen.sightings == ()
    assert [notice.code for notice in seen.notices] == ["notice.out-of-step.camera-moved"]


def test_a_die_is_told_when_it_can_be_read_and_one_that_never_can_is_told_as_unread(rolling: Bench) -> None:
    assert rolling.show(blue(None, 100), frames=6) == []
    assert rolling.show(blue(4, 100)) == [Movement(1, (4,))]
    assert rolling.show(blue(4, 100), blue(None, 300), frames=40) == [Movement(2, (None,))]
    assert rolling.show(blue(4, 100), blue(5, 300), frames=30) == [Movement(2, (5,))]  # the glare is gone


class OneDie:
    """A die before a seat as the tracker has it, frame by frame."""

    def __init__(self) -> None:
        self.dice = RaceDice()
        self.dice.update((), (), 1_000 * MS)
        self.now_ns = 3_000 * MS

    def shows(self, value: int | None, rest_ns: int, *deeds: Kind, due: bool = False) -> tuple[int | None, ...] | None:
        self.now_ns += FRAME_NS
        lying = tracked(7, value, rest_ns)
        happened = [Happening(kind, 7, rest_ns, rest_ns, self.now_ns) for kind in deeds]
        told = self.dice.update((lying,), happened, self.now_ns, due=due)
        return None if told is None else told.faces


def test_a_roll_that_is_told_some_frames_after_the_rest_counts_once() -> None:
    one = OneDie()
    assert one.shows(4, 3_000 * MS) == (4,)
    assert one.shows(4, 3_000 * MS, Kind.ROLLED) is None  # it was told already
    assert one.shows(4, 4_000 * MS) is None  # nobody knows yet how it came to the same face
    assert one.shows(4, 4_000 * MS, Kind.ROLLED) == (4,)
    assert one.shows(4, 5_000 * MS, Kind.SET_BACK) is None
    assert one.shows(4, 6_000 * MS) is None


def test_a_nudge_is_a_roll_only_of_a_die_that_is_to_be_rolled_again() -> None:
    one = OneDie()
    one.shows(4, 3_000 * MS)
    assert one.shows(4, 4_000 * MS, Kind.NUDGED) is None
    assert one.shows(4, 5_000 * MS, Kind.NUDGED, due=True) == (4,)


def tracked(track: int, value: int | None, rest_ns: int | None) -> TrackedDie:
    state = DieState.ROLLING if rest_ns is None else DieState.SETTLED
    at = rest_ns or 0
    return TrackedDie(
        track, state, value, None, 0.9, at, rest_ns, True, blue(value, 100), (100.0, 100.0), 24.0, (50.0, 50.0), "blue"
    )


def test_a_die_waits_for_one_that_rolls_with_it_but_not_for_ever() -> None:
    dice = RaceDice()
    dice.update((), (), 1_000 * MS)
    first, rolling_on = tracked(1, 4, 3_000 * MS), tracked(2, None, None)
    assert dice.update((first, rolling_on), (), 3_100 * MS) is None
    assert not dice.still
    both = dice.update((first, tracked(2, 6, 3_500 * MS)), (), 3_600 * MS)
    assert both is not None
    assert (both.faces, both.settled_ns) == ((4, 6), 3_500 * MS)

    alone = RaceDice()
    alone.update((), (), 1_000 * MS)
    assert alone.update((first, rolling_on), (), 3_100 * MS) is None
    told = alone.update((first, rolling_on), (), 3_100 * MS + MISSING_NS)
    assert told is not None
    assert told.faces == (4,)
