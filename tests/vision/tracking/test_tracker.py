"""The tracker on rendered throws: every value right, none before rest, and the same dice before and after a hand."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

from device.clock import ManualClock
from device.simulated.layout import TABLE_SIZE_MM
from device.simulated.table import SimulatedTable
from vision.geometry import TableGeometry
from vision.tracking.happenings import DieState, Happening, Kind, Trouble, Watched
from vision.tracking.tracker import TableTracker

FRAME_NS = 33_333_333
START_NS = 1_000_000_000


@dataclass
class Scene:
    """One seat's table before the tracker, frame by frame."""

    seed: int
    clock: ManualClock = field(default_factory=lambda: ManualClock(START_NS))
    happenings: list[Happening] = field(default_factory=list)
    watched: Watched | None = None

    def __post_init__(self) -> None:
        self.table = SimulatedTable(self.clock, 1, seed=self.seed)
        self.tracker = TableTracker()
        self._sequence = 0

    def watch(self, seconds: float, *, frozen: bool = False) -> None:
        """The camera may send the same picture again and again meanwhile."""
        stopped = self.table.render(self.clock.now_ns()) if frozen else None
        until_ns = self.clock.now_ns() + int(seconds * 1e9)
        while self.clock.now_ns() < until_ns:
            now_ns = self.clock.now_ns()
            image = self.table.render(now_ns) if stopped is None else stopped
            self.watched = self.tracker.update(image, exposure_start_ns=now_ns, sequence=self._sequence)
            if self.tracker.reader.geometry is None:
                markers = self.watched.reading.markers
                self.tracker.reader.geometry = TableGeometry.from_corner_markers(markers, TABLE_SIZE_MM)
            self.happenings += self.watched.happenings
            self._sequence += 1
            self.clock.advance(FRAME_NS)

    def told(self) -> list[tuple[float, float, int | None]]:
        assert self.watched is not None
        return [(*die.centre_px, die.value) for die in self.watched.dice if die.state is DieState.SETTLED]


def test_a_throw_is_followed_from_the_hand_to_rest() -> None:
    scene = Scene(seed=4)
    scene.watch(0.4)
    assert len(scene.told()) == 6
    before = {die.id for die in scene.watched.dice} if scene.watched else set()
    rest_ns = scene.table.throw(1, [0, 2, 3], {0: 6, 2: 1, 3: 4})
    scene.watch((rest_ns - scene.clock.now_ns()) / 1e9 + 0.6)
    told = scene.told()
    for die in scene.table.dice_truth():
        near = [value for x, y, value in told if np.hypot(x - die.centre_px[0], y - die.centre_px[1]) < 12]
        assert near == [die.value]
    assert {die.id for die in scene.watched.dice} == before if scene.watched else False
    rolled = [each for each in scene.happenings if each.kind is Kind.ROLLED]
    assert sorted(each.value or 0 for each in rolled) == [1, 4, 6]
    assert all(each.told_ns - each.ended_ns < 400_000_000 for each in rolled)


def test_nothing_happens_on_a_table_where_nothing_happens() -> None:
    scene = Scene(seed=5)
    scene.watch(1.0)
    assert {each.kind for each in scene.happenings} == {Kind.SETTLED}
    assert len(scene.happenings) == 6


def test_a_frame_that_comes_twice_or_late_changes_nothing() -> None:
    scene = Scene(seed=5)
    scene.watch(0.3)
    first = scene.watched
    image = scene.table.render(scene.clock.now_ns())
    again = scene.tracker.update(image, exposure_start_ns=START_NS, sequence=99)
    assert first is not None
    assert again.happenings == ()
    assert [(die.id, die.value) for die in again.dice] == [(die.id, die.value) for die in first.dice]


@pytest.mark.parametrize(("after_s", "trouble"), [(0.5, Trouble.FRAMES_MISSING), (2.5, None)])
def test_a_picture_that_stops_while_dice_move_shows_nothing_that_counts_and_of_a_still_table_all(
    after_s: float, trouble: Trouble | None
) -> None:
    scene = Scene(seed=4)
    scene.watch(0.4)
    scene.table.throw(1, [0, 2, 3], {0: 6, 2: 1, 3: 4})
    scene.watch(after_s)
    scene.happenings.clear()
    scene.watch(1.0, frozen=True)
    assert scene.watched is not None
    step = scene.watched.out_of_step
    assert (None if step is None else step.trouble) is trouble
    assert scene.happenings == []
    scene.watch(1.5)
    assert scene.watched.out_of_step is None
    assert sorted(value or 0 for _, _, value in scene.told()) == sorted(
        die.value or 0 for die in scene.table.dice_truth()
    )


def test_a_reading_of_another_frame_is_refused() -> None:
    scene = Scene(seed=5)
    scene.watch(0.1)
    assert scene.watched is not None
    with pytest.raises(ValueError, match="read last"):
        TableTracker().follow(scene.watched.reading)
