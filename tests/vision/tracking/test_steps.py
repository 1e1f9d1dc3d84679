"""A camera that is knocked, a lamp, lost and late frames are noticed, named and recovered from; play is not."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from tests.vision.tracking.pictures import FRAME_NS, noisy, shifted, table, with_arm
from vision.tracking.glimpse import Glimpse, Glimpses
from vision.tracking.happenings import Trouble
from vision.tracking.steps import Return, StepWatch

START_NS = 1_000_000_000


def watched(
    pictures: Sequence[np.ndarray], times_ns: Sequence[int] | None = None, covered: Sequence[float] = ()
) -> tuple[list[Trouble | None], list[tuple[int, Return]], list[Glimpse]]:
    """The trouble after each frame, the returns with their frame, and the glimpses."""
    glimpses, steps = Glimpses(), StepWatch()
    troubles: list[Trouble | None] = []
    returns, seen = [], []
    for number, picture in enumerate(pictures):
        at_ns = START_NS + number * FRAME_NS if times_ns is None else times_ns[number]
        glimpse = glimpses.look(noisy(picture, number), at_ns)
        back = steps.look(glimpse, covered[number] if covered else 0.0)
        if back is not None:
            returns.append((number, back))
        troubles.append(None if steps.out_of_step is None else steps.out_of_step.trouble)
        seen.append(glimpse)
    return troubles, returns, seen


BARE = table()


@pytest.mark.parametrize(("dx", "dy", "turn"), [(12, 5, 0.0), (-30, 20, 0.0), (6, 6, 2.0), (3, -2, 0.0)])
def test_a_knocked_camera_is_noticed_at_once_and_followed_to_its_new_place(dx: int, dy: int, turn: float) -> None:
    after = shifted(BARE, dx, dy, turn)
    troubles, returns, _ = watched([BARE] * 10 + [after] * 10)
    assert troubles[:10] == [None] * 10
    assert troubles[10] is Trouble.CAMERA_MOVED
    assert troubles[-1] is None
    number, back = returns[0]
    assert number <= 14
    assert back.trouble is Trouble.CAMERA_MOVED
    if not turn:
        assert np.hypot(back.shift_px[0] - dx, back.shift_px[1] - dy) < 2


@pytest.mark.parametrize("gain", [(0.6, 0.6, 0.6), (1.4, 1.4, 1.4), (0.5, 0.8, 1.0)])
def test_a_lamp_that_is_switched_is_called_light(gain: tuple[float, float, float]) -> None:
    after = np.clip(BARE * np.array(gain), 0, 255).astype(np.uint8)
    troubles, returns, _ = watched([BARE] * 10 + [after] * 10)
    assert troubles[10] is Trouble.LIGHT_CHANGED
    assert troubles[-1] is None
    assert returns[0][1].trouble is Trouble.LIGHT_CHANGED


def test_a_camera_that_sets_its_exposure_by_itself_is_no_trouble() -> None:
    pictures = [np.clip(BARE * (1 + 0.02 * np.sin(n / 2)), 0, 255).astype(np.uint8) for n in range(40)]
    troubles, _, seen = watched(pictures)
    assert set(troubles) == {None}
    assert max(glimpse.motion_share for glimpse in seen) < 0.01


def test_a_camera_that_trembles_by_less_than_a_pixel_is_no_trouble() -> None:
    pictures = [shifted(BARE, 0.8 * np.sin(n), 0.6 * np.cos(1.7 * n)) for n in range(40)]
    assert set(watched(pictures)[0]) == {None}


def test_a_camera_held_in_a_hand_is_soon_taken_as_such() -> None:
    pictures = [shifted(BARE, 2.5 * n, 1.0 * n) for n in range(40)]
    troubles, _, seen = watched(pictures)
    assert set(troubles[20:]) == {None}
    assert np.mean([glimpse.drift_px for glimpse in seen[20:]]) == pytest.approx(np.hypot(2.5, 1.0), abs=0.3)
    ways = np.mean([np.subtract(glimpse.moved((300, 200)), (300, 200)) for glimpse in seen[20:]], axis=0)
    assert ways == pytest.approx((2.5, 1.0), abs=0.3)
    assert np.mean([glimpse.motion_share for glimpse in seen[20:]]) < 0.08  # what comes into view


@pytest.mark.parametrize("still_px", [0, 250])
def test_a_camera_that_stands_does_not_move_because_most_of_what_it_sees_does(still_px: int) -> None:
    """The near miss: nothing of the picture stands."""
    pictures = []
    for n in range(40):
        picture = shifted(BARE, 2.0 * n, 0.8 * n)
        picture[:, :still_px] = BARE[:, :still_px]
        pictures.append(picture)
    _, _, seen = watched(pictures)
    assert (np.mean([glimpse.move is not None for glimpse in seen[20:]]) > 0.8) == (still_px == 0)
    assert all(glimpse.move is None for glimpse in seen[20:]) == (still_px > 0)


@pytest.mark.parametrize(("still_px", "trouble"), [(300, None), (0, Trouble.CAMERA_MOVED)])
def test_nor_is_it_knocked_when_most_of_what_it_sees_goes_one_way_at_once(
    still_px: int, trouble: Trouble | None
) -> None:
    after = shifted(BARE, 12, 5)
    after[:, :still_px] = BARE[:, :still_px]
    troubles, _, _ = watched([BARE] * 10 + [after])
    assert troubles == [None] * 10 + [trouble]


def test_frames_that_do_not_come_are_missed_and_a_slower_rate_is_not() -> None:
    regular = [START_NS + n * FRAME_NS for n in range(30)]
    late = [at if n < 15 else at + 800_000_000 for n, at in enumerate(regular)]
    troubles, returns, _ = watched([BARE] * 30, late)
    assert troubles[15] is Trouble.FRAMES_MISSING
    assert troubles[-1] is None
    assert returns[0][1].trouble is Trouble.FRAMES_MISSING
    halved = [START_NS + (n if n < 15 else 2 * n - 15) * FRAME_NS for n in range(30)]
    assert set(watched([BARE] * 30, halved)[0]) == {None}


def test_one_late_frame_is_passed_over_and_several_are_trouble() -> None:
    steps, glimpses = StepWatch(), Glimpses()
    for number in range(8):
        steps.look(glimpses.look(noisy(BARE, number), START_NS + number * FRAME_NS), 0.0)
    assert steps.late(START_NS) is None
    steps.late(START_NS)
    told = steps.late(START_NS)
    assert told is not None
    assert told.trouble is Trouble.FRAMES_LATE
    for number in range(8, 20):
        steps.look(glimpses.look(noisy(BARE, number), START_NS + number * FRAME_NS), 0.0)
    assert steps.out_of_step is None


def test_an_arm_is_no_trouble_and_a_covered_table_is() -> None:
    arm = [with_arm(BARE, reach) for reach in (40, 90, 150, 200, 200, 200, 120, 60)]
    assert set(watched([BARE] * 5 + arm + [BARE] * 5)[0]) == {None}
    coat = np.full_like(BARE, 40)
    cv2.circle(coat, (320, 180), 100, (60, 50, 45), -1)
    pictures = [BARE] * 5 + [coat] * 8 + [BARE] * 8
    troubles, _, _ = watched(pictures, covered=[0.0] * 5 + [1.0] * 8 + [0.0] * 8)
    assert troubles[6] is Trouble.VIEW_BLOCKED
    assert troubles[-1] is None


def test_the_very_same_picture_twice_is_told_as_repeated() -> None:
    glimpses = Glimpses()
    first = noisy(BARE, 0)
    for number in range(12):
        glimpses.look(noisy(BARE, number), START_NS + number * FRAME_NS)
    glimpses.look(first, START_NS + 12 * FRAME_NS)
    assert glimpses.look(first, START_NS + 13 * FRAME_NS).repeated
    assert not glimpses.look(noisy(BARE, 99), START_NS + 14 * FRAME_NS).repeated


@pytest.mark.parametrize(("moves", "trouble"), [(True, Trouble.FRAMES_MISSING), (False, None)])
def test_frames_are_missing_while_the_same_picture_comes_again_unless_nothing_moved(
    moves: bool, trouble: Trouble | None
) -> None:
    glimpses, steps = Glimpses(), StepWatch()
    for number in range(12):
        picture = with_arm(BARE, 40 + 10 * number) if moves else BARE
        stopped = noisy(picture, number)
        steps.look(glimpses.look(stopped, START_NS + number * FRAME_NS), 0.0)
    taken = []
    for number in range(12, 42):
        glimpse = glimpses.look(stopped, START_NS + number * FRAME_NS)
        taken.append(steps.repeated(glimpse.exposure_start_ns))
        if taken[-1]:
            steps.look(glimpse, 0.0)
    assert taken == [False] * 9 + [not moves] * 21
    assert (None if steps.out_of_step is None else steps.out_of_step.trouble) is trouble
    troubles = []
    for number in range(42, 46):  # what has happened meanwhile was not seen, either way
        steps.look(glimpses.look(noisy(BARE, number), START_NS + number * FRAME_NS), 0.0)
        troubles.append(None if steps.out_of_step is None else steps.out_of_step.trouble)
    assert troubles[0] is Trouble.FRAMES_MISSING
    assert troubles[-1] is None


def test_much_motion_is_no_knock_while_things_lie_as_they_lay() -> None:
    after = shifted(BARE, 12, 5)
    for stands, trouble in ((False, Trouble.CAMERA_MOVED), (True, None)):
        glimpses, steps = Glimpses(), StepWatch()
        for number, picture in enumerate([BARE] * 6 + [after]):
            steps.look(glimpses.look(noisy(picture, number), START_NS + number * FRAME_NS), 0.0, stands=stands)
        assert (None if steps.out_of_step is None else steps.out_of_step.trouble) is trouble
