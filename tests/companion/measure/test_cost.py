"""Figures of what following costs; the goals themselves are measured by `companion bench track`, not here."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.measure.cost import TrackCost, TrackingNotTimed, there_and_back, track_apart, track_cost


def test_pictures_are_shown_there_and_back_without_a_jump() -> None:
    assert list(islice(there_and_back(4), 9)) == [0, 1, 2, 3, 2, 1, 0, 1, 2]
    assert list(islice(there_and_back(2), 4)) == [0, 1, 0, 1]


def test_a_play_is_timed_by_stage_and_its_memory_told(tmp_path: Path) -> None:
    chance = np.random.default_rng(1)
    for number in range(3):
        picture = chance.normal(90, 3, (120, 160, 3)).clip(0, 255).astype(np.uint8)
        cv2.imwrite(str(tmp_path / f"{number:05}.jpg"), picture)
    lines: list[str] = []
    cost = track_cost(tmp_path, 5, threads=1, minutes=0.0001, tell=lines.append)
    assert cost.frames >= 5
    assert cost.frames_per_s == pytest.approx(cost.frames / cost.seconds)
    assert {"follow", "glimpse", "changes"} <= set(cost.stages_ms)
    assert 0 < cost.ms[0] <= cost.ms[1]
    assert 20 < cost.minutes_mb[0] <= cost.memory_mb
    assert lines[0].startswith("minute 0: ")


def test_growth_is_counted_from_the_first_full_minute() -> None:
    assert TrackCost(minutes_mb=[60.0, 150.0, 151.0, 155.5]).growth_mb == 5.5
    assert TrackCost(minutes_mb=[60.0, 150.0]).growth_mb == 0


def test_a_folder_without_pictures_is_named(tmp_path: Path) -> None:
    with pytest.raises(TrackingNotTimed, match="holds no pictures"):
        track_apart(tmp_path, 3)
