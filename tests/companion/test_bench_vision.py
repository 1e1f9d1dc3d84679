"""Figures of the reader in a process of its own."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.commands.bench import ReaderNotTimed, _words, bench_stills, read_apart
from vision.timing import TimingFailed, held_to, peak_memory_mb, read_times


def test_a_process_of_its_own_reads_the_picture_on_one_core_and_tells_its_memory(tmp_path: Path) -> None:
    picture = tmp_path / "plain.png"
    cv2.imwrite(str(picture), np.full((120, 160, 3), 90, np.uint8))
    told = read_apart(picture, rounds=2, threads=1)
    assert (told.width, told.height, told.threads) == (160, 120, 1)
    assert told.cores == (1 if hasattr(os, "sched_setaffinity") else 0)
    assert len(told.ms) == 2
    assert all(ms > 0 for ms in told.ms)
    assert len(told.processor_ms) == 2
    # The clock of processes ticks coarsely on some systems; one core cannot give more than all of its time.
    assert all(0 < spent <= ms + 20 for spent, ms in zip(told.processor_ms, told.ms, strict=True))
    assert {"dice.proposals", "dice.faces", "markers"} <= set(told.stages_ms)
    for number, whole in enumerate(told.ms):
        assert sum(values[number] for values in told.stages_ms.values()) <= whole
    assert 20 < told.memory_before_mb < told.memory_mb < 1000


def test_a_picture_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ReaderNotTimed, match=r"nowhere\.png is not a picture"):
        read_apart(tmp_path / "nowhere.png", rounds=1)
    with pytest.raises(TimingFailed, match=r"nowhere\.png"):
        read_times(tmp_path / "nowhere.png", rounds=1)


def test_threads_and_cores_are_as_before_afterwards() -> None:
    threads = cv2.getNumThreads()
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
    with held_to(1) as held:
        assert cv2.getNumThreads() == 1
        assert cores is None or len(os.sched_getaffinity(0)) == held == 1
    assert cv2.getNumThreads() == threads
    assert cores is None or os.sched_getaffinity(0) == cores


@pytest.mark.skipif(sys.platform == "win32", reason="memory is not measured on Windows")
def test_peak_memory_grows_with_what_is_held() -> None:
    assert peak_memory_mb() > 20
    held = np.ones(int((peak_memory_mb() + 20) * 1e6), np.uint8)
    assert peak_memory_mb() > held.size / 1e6


def test_stills_of_the_bench_carry_their_goals_beside_the_figures() -> None:
    told = bench_stills(1, 1, {(1280, 720): (2, 18.0)})
    assert list(told) == ["still_1280x720"]
    figures = told["still_1280x720"]
    assert figures["dice"] == 24
    assert figures["readings"] == 3
    assert figures["ms"]["goal"] == 18
    for spread in (figures["ms"], figures["processor_ms"], *figures["stages_ms"].values()):
        assert 0 < spread["best"] <= spread["median"] <= spread["p99"]
    assert figures["memory_mb"]["goal"] == 300
    words = _words(told)
    best = figures["ms"]["best"]
    assert f"\n      ms: best {best}, median {figures['ms']['median']}, p99 {figures['ms']['p99']}, goal 18.0" in words
    assert "\n        dice.faces: best " in words
