from __future__ import annotations

import pytest

from vision.readings import DieReading, Reading, Unreadable
from vision.settling import SettleWatcher

MS = 1_000_000


def die(
    value: int | None, x: float = 100, y: float = 100, reason: Unreadable = Unreadable.GLARE, side: float = 40
) -> DieReading:
    h = side / 2
    outline = ((x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h))
    return DieReading(
        value=value,
        reason=None if value else reason,
        confidence=0.97,
        box_xyxy=(x - h, y - h, x + h, y + h),
        outline_px=outline,
        pips_px=(),
        colour="red",
        pip_colour="white",
        colour_bgr=(0, 0, 200),
    )


class Table:
    """Feeds readings 66 ms apart and keeps the changes told."""

    def __init__(self) -> None:
        self.watcher = SettleWatcher()
        self.now_ms = 0
        self.told: list[tuple[int, str, int | None]] = []

    def see(self, *dice: DieReading, times: int = 1, step_ms: int = 66) -> None:
        for _ in range(times):
            self.now_ms += step_ms
            reading = Reading((1280, 720), dice, (), exposure_start_ns=self.now_ms * MS)
            for change in self.watcher.update(reading, 0):
                assert change.at_ns == self.now_ms * MS
                self.told.append((change.die.id, change.die.state, change.die.value))

    @property
    def values(self) -> list[int | None]:
        return [d.value for d in self.watcher.settled]


def test_a_still_die_settles_once_after_200_ms_and_not_before() -> None:
    table = Table()
    table.see(die(4), times=3)
    assert table.values == []
    assert table.now_ms - 66 < 200
    table.see(die(4), times=2)
    assert table.values == [4]
    table.see(die(4), times=30)
    assert table.told == [(1, "moving", None), (1, "settled", 4)]


def test_few_frames_are_not_enough_however_long_apart() -> None:
    table = Table()
    table.see(die(4), times=2, step_ms=400)
    assert table.values == []
    table.see(die(4), step_ms=400)
    assert table.values == [4]


def test_a_rolling_die_has_no_value_whatever_the_frames_show() -> None:
    table = Table()
    for k in range(20):
        table.see(die(1 + k % 6, x=100 + 25 * k))
        assert table.values == []
    table.see(die(5, x=600), times=6)
    assert table.values == [5]
    assert len({i for i, _, _ in table.told}) == 1


def test_noise_of_the_reading_is_not_motion() -> None:
    table = Table()
    for k in range(20):
        table.see(die(3, x=100 + (k % 3), y=100 - (k % 2) * 2))
    assert table.told == [(1, "moving", None), (1, "settled", 3)]


def test_values_are_voted_on_never_averaged() -> None:
    table = Table()
    for value in (2, 2, 2, 6, 2, 2, 2):
        table.see(die(value))
    assert table.values == [2]


def test_frames_that_do_not_agree_end_as_ambiguous() -> None:
    table = Table()
    for k in range(18):
        table.see(die(3 if k % 2 else 5))
        assert table.values in ([], [None])
    (settled,) = table.watcher.settled
    assert (settled.value, settled.reason) == (None, Unreadable.AMBIGUOUS)


def test_an_unreadable_die_stays_unreadable_with_its_reason() -> None:
    table = Table()
    table.see(die(None, reason=Unreadable.TILTED), times=40)
    (settled,) = table.watcher.settled
    assert (settled.value, settled.reason) == (None, Unreadable.TILTED)
    assert table.told == [(1, "moving", None), (1, "settled", None)]


@pytest.mark.parametrize(
    ("every_nth_is_glare", "reason"),
    [(1_000, Unreadable.NOT_A_PIP_DIE), (5, Unreadable.NOT_A_PIP_DIE), (3, Unreadable.GLARE)],
    ids=["always", "nearly always", "two of three"],
)
def test_a_die_is_not_called_pipless_unless_nearly_every_frame_says_so(
    every_nth_is_glare: int, reason: Unreadable
) -> None:
    table = Table()
    for k in range(1, 31):
        table.see(die(None, reason=Unreadable.NOT_A_PIP_DIE if k % every_nth_is_glare else Unreadable.GLARE))
    (settled,) = table.watcher.settled
    assert (settled.value, settled.reason) == (None, reason)


@pytest.mark.parametrize(
    "passing",
    [
        pytest.param([], id="hidden"),
        pytest.param([die(None, reason=Unreadable.COVERED)], id="covered"),
        pytest.param([die(2)], id="half-covered-and-misread"),
    ],
)
def test_a_hand_passing_over_changes_nothing(passing: list[DieReading]) -> None:
    table = Table()
    table.see(die(6), times=6)
    table.see(*passing, times=6)
    assert table.values == [6]
    table.see(die(6), times=6)
    assert table.values == [6]
    assert table.told == [(1, "moving", None), (1, "settled", 6)]


def test_a_die_turned_in_its_place_is_told_after_a_while() -> None:
    table = Table()
    table.see(die(6), times=6)
    table.see(die(1), times=12)
    assert table.values == [1]
    assert table.told[-1] == (1, "settled", 1)


def test_a_pushed_die_moves_and_settles_again_under_the_same_id() -> None:
    table = Table()
    table.see(die(6), times=6)
    for k in range(4):
        table.see(die(6, x=115 + 15 * k))
    assert table.values == []
    table.see(die(3, x=160), times=6)
    assert table.told == [(1, "moving", None), (1, "settled", 6), (1, "moving", None), (1, "settled", 3)]


def test_a_die_taken_away_is_gone_after_a_second_and_a_new_one_has_a_new_id() -> None:
    table = Table()
    table.see(die(6), die(2, x=300), times=6)
    table.see(die(2, x=300), times=10)
    assert sorted(table.values) == [2, 6]
    table.see(die(2, x=300), times=8)
    assert table.values == [2]
    table.see(die(2, x=300), die(5), times=6)
    assert {d.id: d.value for d in table.watcher.settled} == {2: 2, 3: 5}


def test_two_dice_side_by_side_keep_their_own_votes() -> None:
    table = Table()
    for _ in range(6):
        table.see(die(1, x=140), die(6, x=100))
    assert sorted((d.position[0], d.value) for d in table.watcher.settled) == [(100, 6), (140, 1)]


def test_only_exposure_times_count_and_old_frames_are_passed_over() -> None:
    watcher = SettleWatcher()
    for k in range(10):
        assert (
            watcher.update(Reading((64, 64), (die(4),), (), exposure_start_ns=50 * MS), now_ns=k * 500 * MS) == ()
            or k == 0
        )
    assert watcher.settled == ()
    later = [watcher.update(Reading((64, 64), (die(4),), ()), now_ns=(100 + k * 100) * MS) for k in range(5)]
    assert watcher.settled[0].value == 4
    assert sum(len(c) for c in later) == 1


def test_positions_are_in_mm_when_known() -> None:
    from dataclasses import replace

    watcher = SettleWatcher()
    for k in range(6):
        watcher.update(Reading((64, 64), (replace(die(4), position_mm=(33.0, 44.0)),), ()), now_ns=k * 66 * MS + 1)
    assert (watcher.settled[0].position, watcher.settled[0].in_mm) == ((33.0, 44.0), True)
