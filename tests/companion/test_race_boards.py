"""Movement dice that lie before a seat and contradict the record: people are told, and only of what is certain."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.catalogue import Catalogue
from companion.live.interpreter import Seen
from companion.live.race_boards import LOOK_NS, LOOKS, SURE_LOOKS
from companion.live.race_eyes import RaceEyes
from companion.web.aloud import NewNotices
from companion.web.present import notice_words
from tests.companion.test_race_live_dice import FRAME_NS, SEATS, Area, tracked
from tests.rules.greece_lightning.script import board
from vision.readings import Reading
from vision.tracking.happenings import DieState, HandSeen, TrackedDie, Watched

SURE = LOOKS * LOOK_NS // FRAME_NS + 20
"""Frames after which what is wrong is told for sure."""

HAND = HandSeen(((900.0, 500.0), (1000.0, 500.0), (1000.0, 720.0)), "bottom")
FIRST, SECOND = 1, 2
"""Tracks of the two dice of seat 1."""

Die = tuple[int, int | None]


class Before:
    """The dice before seat 1, as the tracker has them, frame by frame; each is a track with what it shows."""

    def __init__(self, state: Any, *dice: Die) -> None:
        self.eyes = RaceEyes(SEATS, {1: Area(0, 100), 2: Area(100, 200), 3: Area(200, 300)}, {}, {})
        self.state = state
        self.seen = Seen()
        self.now_ns = 1_000_000_000
        self.rests: dict[int, int] = {}
        self.look(*dice, frames=20)

    def look(self, *dice: Die, frames: int = SURE, hands: tuple[HandSeen, ...] = (), **how: Any) -> list[str]:
        """The findings on dice after these frames."""
        return [code for code, _ in self.told(*dice, frames=frames, hands=hands, **how)]

    def told(self, *dice: Die, frames: int = SURE, hands: tuple[HandSeen, ...] = (), **how: Any) -> list[Any]:
        seen = self.seen
        for _ in range(frames):
            self.now_ns += FRAME_NS
            lying = tuple(self._die(track, value, **how) for track, value in dice)
            self.rests = {track: rest for track, rest in self.rests.items() if track in dict(dice)}
            watched = Watched(Reading((1280, 720), (), (), self.now_ns, 1), lying, hands=hands)
            seen = self.seen = self.eyes.update(watched, self.now_ns, self.state)
        kinds = "notice.movement-dice-"
        return [
            (each.code.removeprefix(kinds), dict(each.facts)) for each in seen.notices if each.code.startswith(kinds)
        ]

    def _die(self, track: int, value: int | None, **how: Any) -> TrackedDie:
        rest_ns = self.rests.setdefault(track, self.now_ns)
        return replace(tracked(track, value, rest_ns), position_mm=(30.0 * track, 50.0), **how)


def rolling(**seat: Any) -> Any:
    return board(ships="3a 8a 8b", turn=None, seat={1: seat}).match.state


def turns(dice: str, **changes: Any) -> Any:
    return board(ships="3a 8a 8b", turn=2, step="move", left=3, dice=f"{dice} - -", **changes).match.state


@pytest.fixture
def rolled() -> Before:
    """Seat 1 has thrown 4 and then 5 before the camera, and its record has both; seat 2 moves."""
    before = Before(rolling())
    before.look((FIRST, 4), frames=10)
    before.look((FIRST, 4), (SECOND, 5), frames=10)
    before.state = turns("2-4-5")
    return before


# --- in the turns


def test_dice_that_lie_as_the_record_has_them_are_no_finding(rolled: Before) -> None:
    assert rolled.look((FIRST, 4), (SECOND, 5)) == []


def test_dice_that_are_gone_are_missing(rolled: Before) -> None:
    ((what, facts),) = rolled.told()
    assert (what, facts["seat"], facts["expected"]) == ("missing", 1, "4, 5")


@pytest.mark.parametrize("state", [DieState.IN_HAND, DieState.OFF_TABLE])
def test_dice_that_a_hand_has_taken_away_are_missing(rolled: Before, state: DieState) -> None:
    assert rolled.look((FIRST, None), (SECOND, None), state=state, seen=False) == ["missing"]


def test_dice_with_other_faces_differ(rolled: Before) -> None:
    ((what, facts),) = rolled.told((FIRST, 4), (SECOND, 6))
    assert (what, facts["faces"], facts["expected"]) == ("differ", "4, 6", "4, 5")
    assert rolled.look((FIRST, 4)) == ["differ"]  # one of two lies there


def test_a_finding_goes_as_soon_as_the_dice_or_the_record_are_put_right(rolled: Before) -> None:
    assert rolled.look((FIRST, 4), (SECOND, 6)) == ["differ"]
    assert rolled.look((FIRST, 4), (SECOND, 5), frames=1) == []
    assert rolled.look((FIRST, 4), (SECOND, 6)) == ["differ"]
    rolled.state = turns("2-4-6")
    assert rolled.look((FIRST, 4), (SECOND, 6), frames=1) == []


def test_dice_lost_by_a_bust_that_stay_are_told(rolled: Before) -> None:
    rolled.state = turns("2-5-4")
    assert rolled.look((FIRST, 5), (SECOND, 4)) == ["lost"]
    assert rolled.look((FIRST, None)) == ["lost"]  # whatever it shows
    assert rolled.look() == []


def test_a_die_more_may_be_one_that_was_not_rolled(rolled: Before) -> None:
    rolled.state = turns("2-4")
    assert rolled.look((FIRST, 4), (SECOND, 2)) == []


def test_dice_that_cannot_be_read_differ_from_nothing(rolled: Before) -> None:
    assert rolled.look((FIRST, 4), (SECOND, None)) == []


def test_who_was_never_seen_to_throw_has_the_dice_elsewhere() -> None:
    assert Before(turns("2-4-5")).look() == []


def test_who_throws_elsewhere_in_this_round_has_the_dice_there(rolled: Before) -> None:
    rolled.look((FIRST, 4), (SECOND, 5))
    next_round(rolled)
    rolled.look()
    rolled.state = turns("2-3").replace(round=rolled.state.round)
    assert rolled.look() == []


def test_dice_before_others_are_theirs(rolled: Before) -> None:
    """Seats 2 and 3 have a record too and nothing lies before them, but the camera has not seen them throw."""
    rolled.state = board(ships="3a 8a 8b", turn=2, left=3, dice="2-4-5 2-4 1-6").match.state
    assert [facts["seat"] for _, facts in rolled.told()] == [1]


# --- what is not certain


def test_nothing_is_told_before_it_has_lasted(rolled: Before) -> None:
    almost = (SURE_LOOKS - 2) * LOOK_NS // FRAME_NS
    assert rolled.look((FIRST, 4), (SECOND, 6), frames=almost) == []


def test_a_die_that_is_misread_now_and_then_is_no_finding(rolled: Before) -> None:
    for _ in range(3 * LOOKS):
        assert rolled.look((FIRST, 4), (SECOND, 6), frames=8) == []
        assert rolled.look((FIRST, 4), (SECOND, 5), frames=4) == []


def test_one_that_is_read_right_now_and_then_is_a_finding(rolled: Before) -> None:
    assert rolled.look((FIRST, 4), (SECOND, 6)) == ["differ"]
    rolled.look((FIRST, 4), (SECOND, 5), frames=5)
    assert rolled.look((FIRST, 4), (SECOND, 6), frames=1) == ["differ"]


def test_while_a_hand_is_over_the_table_nothing_is_found(rolled: Before) -> None:
    assert rolled.look(hands=(HAND,)) == []
    assert rolled.look(frames=5) == []
    assert rolled.look() == ["missing"]


def test_under_a_hand_a_finding_stays_until_the_dice_are_seen_put_right(rolled: Before) -> None:
    assert rolled.look((FIRST, 4), (SECOND, 6)) == ["differ"]
    assert rolled.look((FIRST, 4), (SECOND, 6), frames=3, hands=(HAND,)) == ["differ"]
    assert rolled.look((FIRST, 4), (SECOND, 5), frames=1, hands=(HAND,)) == []


@pytest.mark.parametrize("state", [DieState.ROLLING, DieState.COVERED])
def test_while_a_die_is_not_in_plain_view_nothing_is_found(rolled: Before, state: DieState) -> None:
    assert rolled.look((FIRST, 4), (SECOND, 6), state=state) == []


def test_a_die_that_this_frame_does_not_show_is_not_in_plain_view(rolled: Before) -> None:
    assert rolled.look((FIRST, 4), (SECOND, 6), seen=False) == []


# --- while all roll


def test_who_has_finished_the_roll_is_held_to_it_and_who_still_rolls_is_not(rolled: Before) -> None:
    rolled.state = rolling(navigation=2, first=4)
    assert rolled.look((FIRST, 3)) == []
    rolled.state = rolling(navigation=2, first=4, finished=True)
    assert rolled.look((FIRST, 3)) == ["differ"]


def next_round(before: Before, **seat: Any) -> None:
    before.state = rolling(**seat).replace(round=before.state.round + 1)


def test_dice_of_the_last_round_that_stay_are_told_until_they_are_taken_off(rolled: Before) -> None:
    """GL-E1. Also when the Navigation die is rolled meanwhile."""
    rolled.look((FIRST, 4), (SECOND, 5))
    next_round(rolled)
    assert rolled.look((FIRST, 4), (SECOND, 5), frames=5) == []
    ((what, facts),) = rolled.told((FIRST, 4), (SECOND, 5))
    assert (what, facts["dice"]) == ("left", 2)
    rolled.state = rolled.state.with_seat(1, navigation=3)
    assert rolled.look((SECOND, 5)) == ["left"]
    assert rolled.look(frames=1) == []
    assert rolled.look() == []


def test_a_die_that_comes_back_or_is_thrown_in_this_round_is_not_left_over(rolled: Before) -> None:
    rolled.look((FIRST, 4), (SECOND, 5))
    next_round(rolled)
    rolled.look(frames=3)
    assert rolled.look((FIRST, 4)) == []


def test_a_die_that_is_thrown_again_where_it_lay_is_not_left_over(rolled: Before) -> None:
    rolled.look((FIRST, 4))
    next_round(rolled)
    assert rolled.look((FIRST, 4)) == ["left"]
    rolled.rests[FIRST] = rolled.now_ns  # it rolled, and shows another face
    assert rolled.look((FIRST, 2)) == []


def test_a_die_that_was_not_rolled_in_the_last_round_is_not_left_over() -> None:
    before = Before(rolling(), (SECOND, 6))  # it lay there from the start
    before.look((SECOND, 6), (FIRST, 4), frames=30)
    before.state = turns("2-4")
    before.look((SECOND, 6), (FIRST, 4))
    next_round(before)
    assert before.look((SECOND, 6)) == []


def test_the_first_die_of_a_roll_that_a_favor_gives_again_is_not_left_over(rolled: Before) -> None:
    rolled.look((FIRST, 4))
    next_round(rolled, navigation=2, rerolling="first")
    assert rolled.look((FIRST, 4)) == []


def test_after_the_race_dice_mean_nothing(rolled: Before) -> None:
    rolled.state = turns("2-4-5").replace(phase="over", turn=None)
    assert rolled.look((FIRST, 1)) == []


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "The Movement dice before Ann show 4, 6; the record has 4, 5."),
        ("it", "I dadi di movimento davanti a Ann mostrano 4, 6; per il verbale ci sono 4, 5."),
    ],
)
def test_a_finding_is_told_with_both_sides_and_what_to_do(rolled: Before, language: str, words: str) -> None:
    catalogue = Catalogue(language)
    rolled.look((FIRST, 4), (SECOND, 6))
    (notice,) = rolled.seen.notices
    told = notice_words(notice.plain(), board().match.header, catalogue)
    assert told.startswith(words)
    assert "GL-R24" in told
    assert notice.text.startswith("Before Ann lie Movement dice with 4, 6; the record has 4, 5.")
    aloud = NewNotices()
    spoken = [aloud.due([notice.plain()], board().match.header, catalogue) for _ in range(3)]
    assert spoken == [[told], [], []]
