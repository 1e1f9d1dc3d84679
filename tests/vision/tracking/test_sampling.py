"""Each die of a frame once, though two of its faces are read while it tumbles."""

from __future__ import annotations

import pytest

from tests.vision.tracking.samples import sample
from vision.tracking.sampling import told_apart
from vision.tracking.track import Home

SIDE = 24.0


def nothing_over(_: Home) -> float:
    return 0.0


def lying(value: int) -> Home:
    return Home((200.0, 200.0), None, SIDE, 0.0, value, None, 0, 0)


def test_two_faces_of_one_die_are_one_die_and_two_dice_that_touch_are_two() -> None:
    face = sample(0, (200.0, 200.0), 3, side_px=SIDE)
    for sides, value, moves, dice in (
        (0.5, None, True, 1),
        (1.0, None, True, 2),
        (0.5, None, False, 1),
        (0.5, 5, False, 2),
        (0.3, 5, True, 1),
    ):
        other = sample(0, (200.0 + sides * SIDE, 200.0), value, side_px=SIDE, moves=moves)
        assert len(told_apart([face, other], [], nothing_over)) == dice, (sides, value, moves)


@pytest.mark.parametrize(
    ("value", "over_its_place", "partial"),
    [(3, 0.4, True), (3, 0.05, False), (6, 0.4, False)],
    ids=["three pips of a six beside a hand", "another value in plain view", "its own value beside a hand"],
)
def test_what_is_read_beside_a_hand_that_hides_part_of_a_die_does_not_contradict_it(value, over_its_place, partial):
    seen = sample(0, (195.0, 197.0), value, 0.08, side_px=0.8 * SIDE)
    [told] = told_apart([seen], [lying(6)], lambda home: over_its_place)
    assert told.partial is partial


def test_a_hand_over_another_die_farther_away_takes_nothing_from_a_reading() -> None:
    seen = sample(0, (200.0 + 1.4 * SIDE, 200.0), 3, 0.08, side_px=SIDE)
    [told] = told_apart([seen], [lying(6)], lambda home: 0.4)
    assert not told.partial
