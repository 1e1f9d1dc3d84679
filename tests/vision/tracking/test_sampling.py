"""Each die of a frame once, though two of its faces are read while it tumbles."""

from __future__ import annotations

from tests.vision.tracking.samples import sample
from vision.tracking.sampling import told_apart

SIDE = 24.0


def test_two_faces_of_a_die_that_tumbles_are_one_die_and_two_dice_that_touch_are_two() -> None:
    face = sample(0, (200.0, 200.0), 3, side_px=SIDE)
    for sides, value, moves, dice in (
        (0.5, None, True, 1),
        (1.0, None, True, 2),
        (0.5, None, False, 2),
        (0.3, 5, True, 1),
    ):
        other = sample(0, (200.0 + sides * SIDE, 200.0), value, side_px=SIDE, moves=moves)
        assert len(told_apart([face, other], [])) == dice, (sides, value, moves)
