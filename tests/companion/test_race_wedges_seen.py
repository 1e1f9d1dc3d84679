"""Wedges with markers laid on the course: which one, and on which place, from where the markers of others lay."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.live.race_markers import LIES_NS, RaceMarkers
from rules.greece_lightning.events import PlaceWedge
from rules.greece_lightning.state import Waiting
from tests.companion.test_race_live_dice import FRAME_NS, SEATS
from tests.rules.greece_lightning.script import board
from vision.readings import MarkerReading, Reading
from vision.tracking.happenings import HandSeen, OutOfStep, Trouble, Watched

SIDE_PX = 24.0
LONG = round(LIES_NS / FRAME_NS) + 3
"""Frames in which something lies for long enough."""

SPOTS = {"w5": (600.0, 300.0), "w6": (640.0, 380.0), "fish": (150.0, 650.0), "wedges": (260.0, 650.0)}
"""Where markers lie in pixels: those of two wedges of the course, and of two before the players."""

IDS = {"w5": 5, "w6": 6, "fish": 20, "wedges": 21}


def marker(wedge: str, x: float, y: float) -> MarkerReading:
    half = SIDE_PX / 2
    corners = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    return MarkerReading(IDS[wedge], corners)


def hand(x: float, y: float, enters: str | None) -> HandSeen:
    return HandSeen(((x - 20, y - 20), (x + 20, y - 20), (x + 20, y + 400), (x - 20, y + 400)), enters)


def placing(**changes: Any) -> Any:
    return board("3a 8a 8b", turn=1, step="place", wedges="fish", **changes).match.state


class Course:
    """Markers that lie before the camera; all of SPOTS at first."""

    def __init__(self, state: Any, **spots: tuple[float, float]) -> None:
        self.markers = RaceMarkers({number: wedge for wedge, number in IDS.items()}, {})
        self.state = state
        self.lies: dict[str, tuple[float, float]] = {**SPOTS, **spots}
        self.now_ns = 1_000_000_000
        self.hands: tuple[HandSeen, ...] = ()

    def look(self, frames: int = LONG) -> list[Any]:
        told: list[Any] = []
        for _ in range(frames):
            self.now_ns += FRAME_NS
            seen = tuple(marker(wedge, *spot) for wedge, spot in self.lies.items())
            watched = Watched(Reading((1280, 720), (), seen, self.now_ns, 1), (), hands=self.hands)
            told += [each.submission.event for each in self.markers.update(watched, self.now_ns, self.state)]
        return told

    def lay(self, wedge: str, over: str, off_px: float = 0.0) -> None:
        """The marker of a wedge lies where the one of another did, so far beside it; that one is hidden."""
        x, y = self.lies.pop(over)
        self.lies[wedge] = (x + off_px, y)


@pytest.fixture
def course() -> Course:
    """Seat 1 is to lay the wedge "fish"; the camera has watched the course for a while."""
    made = Course(placing())
    assert made.look() == []
    return made


def test_a_wedge_laid_over_another_tells_its_place_once(course: Course) -> None:
    course.lay("fish", "w5")
    assert course.look() == [PlaceWedge(1, "fish", 5)]
    assert course.look() == []


def test_it_is_told_when_it_came_to_lie_there_not_when_that_was_sure(course: Course) -> None:
    course.lay("fish", "w5")
    laid_ns = course.now_ns + FRAME_NS
    while True:
        course.now_ns += FRAME_NS
        seen = tuple(marker(wedge, *spot) for wedge, spot in course.lies.items())
        watched = Watched(Reading((1280, 720), (), seen, course.now_ns, 1), ())
        if found := course.markers.update(watched, course.now_ns, course.state):
            break
    assert found[0].at_ns == found[0].submission.at_ns == laid_ns
    assert course.now_ns - laid_ns >= LIES_NS


def test_a_wedge_that_is_not_due_is_told_too_for_the_referee_to_refuse(course: Course) -> None:
    course.lay("wedges", "w6")
    assert course.look() == [PlaceWedge(1, "wedges", 6)]


def test_two_laid_at_one_moment_are_told_as_two(course: Course) -> None:
    """GL-W3."""
    course.lay("fish", "w5")
    course.lay("wedges", "w6")
    (event,) = course.look()
    assert (event.seat, event.others) == (1, 1)


def test_a_refused_wedge_is_told_again_on_another_place_or_when_it_was_taken_away(course: Course) -> None:
    course.lay("fish", "w5")
    assert course.look() == [PlaceWedge(1, "fish", 5)]
    course.lies |= {"w5": SPOTS["w5"], "fish": SPOTS["fish"]}
    assert course.look() == []
    course.lay("fish", "w5")
    assert course.look() == [PlaceWedge(1, "fish", 5)]
    course.lies["w5"] = SPOTS["w5"]
    course.lay("fish", "w6")
    assert course.look() == [PlaceWedge(1, "fish", 6)]


def test_a_wedge_laid_before_the_turn_is_told_when_the_turn_comes(course: Course) -> None:
    due, course.state = course.state, course.state.replace(phase="rolling", turn=None)
    course.lay("fish", "w5")
    assert course.look() == []
    course.state = due
    assert course.look(1) == [PlaceWedge(1, "fish", 5)]


def test_one_over_a_wedge_that_was_laid_before_lies_on_the_same_place() -> None:
    course = Course(placing(tops={5: "wedges"}))
    course.lay("wedges", "w5")
    course.look()
    course.lay("fish", "wedges")
    assert course.look() == [PlaceWedge(1, "fish", 5)]


# --- near misses


def test_nothing_is_told_while_it_is_moved_or_has_only_just_come(course: Course) -> None:
    course.lay("fish", "w5")
    assert course.look(LONG // 2) == []
    for push in range(2 * LONG):
        x, y = SPOTS["w5"]
        course.lies["fish"] = (x + 8 * (push % 2), y)
        assert course.look(1) == []


def test_nothing_is_told_while_a_hand_holds_it(course: Course) -> None:
    course.lay("fish", "w5")
    course.hands = (hand(*SPOTS["w5"], "bottom"),)
    assert course.look(3 * LONG) == []
    course.hands = ()
    assert course.look(LONG // 2) == []
    assert course.look() == [PlaceWedge(1, "fish", 5)]


def test_the_wedge_itself_is_no_hand_though_it_has_only_just_come(course: Course) -> None:
    course.lay("fish", "w5")
    course.hands = (hand(*SPOTS["w5"], None),)
    assert course.look() == [PlaceWedge(1, "fish", 5)]


def test_beside_the_course_it_only_lies_there(course: Course) -> None:
    course.lies["fish"] = (400.0, 500.0)
    assert course.look() == []


def test_too_far_beside_the_hidden_marker_its_place_is_not_sure(course: Course) -> None:
    course.lay("fish", "w5", off_px=SIDE_PX)
    assert course.look() == []


def test_next_to_a_marker_that_is_still_seen_it_lies_on_nothing(course: Course) -> None:
    x, y = SPOTS["w5"]
    course.lies["fish"] = (x + 0.5 * SIDE_PX, y)
    assert course.look() == []


def test_over_a_wedge_whose_marker_was_never_seen_its_place_is_not_known() -> None:
    course = Course(placing())
    del course.lies["w5"]
    course.look()
    course.lies["fish"] = SPOTS["w5"]
    assert course.look() == []


def test_over_a_marker_that_only_passed_there_nothing_is_laid(course: Course) -> None:
    course.lies["w5"] = (660.0, 300.0)  # somebody straightens the wedge of the course, and puts the other down at once
    course.look(2)
    course.lay("fish", "w5")
    assert course.look() == []


def test_a_wedge_that_the_record_has_on_the_course_is_not_laid_again() -> None:
    course = Course(board("3a 8a 8b", turn=1, step="place", wedges="wedges", tops={5: "fish"}).match.state)
    course.look()
    course.lay("fish", "w6")
    assert course.look() == []


def test_over_a_wedge_that_is_no_top_of_the_course_nothing_is_laid(course: Course) -> None:
    course.lay("fish", "wedges")
    assert course.look() == []


@pytest.mark.parametrize("elsewhere", ["move", "waiting", "laid"])
def test_only_where_a_wedge_is_to_be_laid_one_counts(course: Course, elsewhere: str) -> None:
    course.state = {
        "move": board("3a 8a 8b", turn=1, step="move", left=2).match.state,
        "waiting": course.state.replace(waiting=(Waiting("wedge", 1),)),
        "laid": board("3a 8a 8b", turn=1, step="place", wedges="wedges", tops={5: "fish"}).match.state,
    }[elsewhere]
    course.lay("fish", "w5")
    assert course.look() == []


def test_a_marker_that_is_seen_twice_lies_nowhere(course: Course) -> None:
    course.lay("fish", "w5")
    for _ in range(2 * LONG):
        course.now_ns += FRAME_NS
        seen = (marker("fish", *SPOTS["w5"]), marker("fish", *SPOTS["fish"]), marker("w6", *SPOTS["w6"]))
        watched = Watched(Reading((1280, 720), (), seen, course.now_ns, 1), ())
        assert course.markers.update(watched, course.now_ns, course.state) == []


def test_after_the_camera_was_moved_nobody_knows_where_the_places_are() -> None:
    from companion.live.race_eyes import RaceEyes

    state = placing()
    eyes = RaceEyes(SEATS, {}, {number: wedge for wedge, number in IDS.items()}, {})
    lies = dict(SPOTS)
    now_ns, told = 1_000_000_000, []

    def look(trouble: Trouble | None = None) -> None:
        nonlocal now_ns
        now_ns += FRAME_NS
        seen = tuple(marker(wedge, *spot) for wedge, spot in lies.items())
        watched = Watched(Reading((1280, 720), (), seen, now_ns, 1), ())
        out = None if trouble is None else OutOfStep(trouble, now_ns)
        found = eyes.update(replace(watched, out_of_step=out), now_ns, state)
        told.extend(each.submission.event for each in found.sightings)

    def lay(trouble: Trouble) -> list[Any]:
        lies.update(SPOTS)
        told.clear()
        for _ in range(LONG):
            look()
        look(trouble)
        lies["fish"] = lies.pop("w5")
        for _ in range(LONG):
            look()
        return list(told)

    assert lay(Trouble.CAMERA_MOVED) == []
    assert lay(Trouble.LIGHT_CHANGED) == [PlaceWedge(1, "fish", 5)]
