"""What following costs: frames a second, time by stage, memory. To be run in a process of its own, as

    python -m companion.measure.cost FOLDER --frames 600 --threads 1

FOLDER holds numbered pictures of a play, which are shown forwards and backwards again and again, so that dice never
jump from one place to another. Decoding them is not counted.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from companion.errors import CompanionError
from vision.timing import held_to, peak_memory_mb

__all__ = [
    "TrackCost",
    "TrackingNotTimed",
    "render_play",
    "resident_mb",
    "there_and_back",
    "track_apart",
    "track_cost",
    "track_figures",
]

TRACK_FRAMES = 360
"""Rendered for the tracker: two throws of each of six seats; they are shown there and back again."""
TRACK_GOAL_PER_S = 45.0
GROWTH_GOAL_MB = 10.0
"""More than this within a run is no flat memory."""
PEAK_GOAL_MB = 300.0
_NS_PER_FRAME = 33_333_333
_S = 1e9
_WARM_FRAMES = 30
_GROUP = 12
"""A seat throws every so many frames, each in turn."""


class TrackingNotTimed(CompanionError):
    """The process that times the tracker ended without figures."""


@dataclass(slots=True)
class TrackCost:
    """Figures of one run; the first frames, in which networks are loaded, are left out.

    Attributes:
        frames: how many were timed.
        dice: the most dice known at once.
        moving_share: part of the dice (0..1) that moved, over all frames.
        seconds: wall time of all updates together.
        cpu_seconds: processor time of the same, of all threads.
        ms: median and 99th percentile of one update, in ms.
        stages_ms: the same by stage; "glimpse" is motion, hands and step, "follow" what is done with the readings.
        memory_mb: peak of the process; `memory_before_mb` was its peak before the tracker was made.
        minutes_mb: resident memory when the run was so many minutes old, 0 first.
    """

    frames: int = 0
    dice: int = 0
    moving_share: float = 0.0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    cores: int = 0
    ms: tuple[float, float] = (0.0, 0.0)
    stages_ms: dict[str, tuple[float, float]] = field(default_factory=dict)
    memory_mb: float = 0.0
    memory_before_mb: float = 0.0
    minutes_mb: list[float] = field(default_factory=list)

    @property
    def frames_per_s(self) -> float:
        """As many as could be followed in a second."""
        return self.frames / self.seconds if self.seconds else 0.0

    @property
    def growth_mb(self) -> float:
        """By how much the memory grew from the first full minute (or the begin) to the end."""
        return self.minutes_mb[-1] - self.minutes_mb[min(1, len(self.minutes_mb) - 1)] if self.minutes_mb else 0.0


def render_play(folder: Path, frames: int, tell: Callable[[int], None], seats: int = 6, seed: int = 1) -> None:
    """Write a play of the simulated table at 30 frames a second, six dice a seat, as numbered JPEG files."""
    import cv2

    from device.clock import ManualClock
    from device.simulated.table import SimulatedTable

    clock = ManualClock()
    table = SimulatedTable(clock, seats, seed=seed, size_wh=(1280, 720))
    for number in range(frames):
        if number % _GROUP == 2:
            table.throw(table.seats[number // _GROUP % len(table.seats)])
        image = table.frame().image_bgr
        cv2.imwrite(str(folder / f"{number:05}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 95])
        clock.advance(_NS_PER_FRAME)
        tell(number + 1)


def there_and_back(count: int) -> Iterator[int]:
    """0 to count - 1 and back again, without end; neither end comes twice in a row."""
    while True:
        yield from range(count - 1 if count > 1 else 1)
        yield from range(count - 1, 0, -1)


def resident_mb() -> float:
    """Memory of this process that is resident now, in MB (10^6 bytes); its peak where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return peak_memory_mb()
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def track_cost(
    folder: Path, frames: int, threads: int | None = None, minutes: float = 0.0, tell: Callable[[str], None] = print
) -> TrackCost:
    """Follow the play in the folder for so many frames, or for so many minutes of wall time if that is longer.

    `tell` is called with a line at each full minute. Raises TrackingNotTimed when there are no pictures.
    """
    import cv2
    import numpy as np

    from vision.beside import share_cores
    from vision.tracking.tracker import TableTracker

    paths = sorted(folder.glob("*.jpg"))
    if not paths:
        raise TrackingNotTimed(f"{folder} holds no pictures; expected numbered JPEG files of a play.")
    cost = TrackCost(memory_before_mb=peak_memory_mb())
    stages: dict[str, list[float]] = {}
    whole: list[float] = []
    moving = known = 0
    with held_to(threads) as cores:
        cost.cores = cores
        if threads is None:
            share_cores()
        tracker = TableTracker()
        began_ns = time.perf_counter_ns()
        for number, which in enumerate(there_and_back(len(paths))):
            passed_s = (time.perf_counter_ns() - began_ns) / _S
            if cost.frames >= frames and passed_s >= 60 * minutes:
                break
            if passed_s >= 60 * len(cost.minutes_mb):
                cost.minutes_mb.append(round(resident_mb(), 1))
                if minutes:
                    tell(f"minute {len(cost.minutes_mb) - 1}: {cost.minutes_mb[-1]} MB, {number} frames")
            image = cv2.imread(str(paths[which]))
            if image is None:
                raise TrackingNotTimed(f"{paths[which]} is not a picture that can be read.")
            start_ns, start_cpu_ns = time.perf_counter_ns(), time.process_time_ns()
            reading = tracker.read(
                np.asarray(image, np.uint8), exposure_start_ns=number * _NS_PER_FRAME, sequence=number
            )
            middle_ns = time.perf_counter_ns()
            watched = tracker.follow(reading)
            end_ns, end_cpu_ns = time.perf_counter_ns(), time.process_time_ns()
            if number < _WARM_FRAMES:
                continue
            cost.frames += 1
            cost.seconds += (end_ns - start_ns) / _S
            cost.cpu_seconds += (end_cpu_ns - start_cpu_ns) / _S
            cost.dice = max(cost.dice, len(watched.dice))
            moving += sum(die.state == "rolling" for die in watched.dice)
            known += len(watched.dice)
            if cost.frames <= 20_000:  # so that the figures themselves do not grow
                whole.append((end_ns - start_ns) / 1e6)
                read_ms = (middle_ns - start_ns) / 1e6
                by_stage = {**reading.stage_ms, "follow": (end_ns - middle_ns) / 1e6}
                by_stage["glimpse"] = max(0.0, read_ms - sum(reading.stage_ms.values()))
                for stage, ms in by_stage.items():
                    stages.setdefault(stage, []).append(ms)
        cost.minutes_mb.append(round(resident_mb(), 1))
    cost.moving_share = moving / known if known else 0.0
    cost.ms = _spread(whole)
    cost.stages_ms = {stage: _spread(values) for stage, values in stages.items()}
    cost.memory_mb = max(peak_memory_mb(), *cost.minutes_mb)  # the system counts what is resident in two ways
    return cost


def track_apart(
    folder: Path, frames: int, threads: int | None = None, minutes: float = 0.0, tell: Callable[[str], None] = print
) -> TrackCost:
    """The same in a process of its own, so that memory is only the tracker's. Raises TrackingNotTimed."""
    command = [sys.executable, "-P", "-m", "companion.measure.cost", str(folder), "--frames", str(frames)]
    command += ["--minutes", str(minutes)]
    if threads is not None:
        command += ["--threads", str(threads)]
    lines: list[str] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        for line in process.stdout:
            lines.append(line.strip())
            if line.startswith("minute"):
                tell(line.strip())
        errors = process.stderr.read().strip().splitlines() or ["no word why"]
    if process.returncode or not lines:
        raise TrackingNotTimed(f"The play in {folder} was not followed in a process of its own: {errors[-1]}")
    return TrackCost(**json.loads(lines[-1]))


def track_figures(
    frames: int, tell: Callable[[int], None], say: Callable[[str], None], threads: int | None, minutes: float
) -> dict[str, Any]:
    """A rendered play followed in processes of their own: on all cores and on one, or on `threads` alone.

    `tell` is called with the frames rendered, `say` with a line at each minute.
    """
    figures: dict[str, Any] = {"size": "1280x720", "frames": frames}
    with tempfile.TemporaryDirectory() as folder:
        render_play(Path(folder), min(frames, TRACK_FRAMES), tell)
        for held in (None, 1) if threads is None else (threads,):
            lasts = minutes if held == threads else 0.0
            cost = track_apart(Path(folder), frames, held, lasts, say)
            figures["all_cores" if held is None else f"{held}_core{'s' * (held > 1)}"] = {
                "frames_per_s": round(cost.frames_per_s, 1),
                **({"goal": TRACK_GOAL_PER_S, "met": cost.frames_per_s >= TRACK_GOAL_PER_S} if held is None else {}),
                "cpu_ms_per_frame": round(1000 * cost.cpu_seconds / cost.frames, 2),
                "dice": cost.dice,
                "moving_share": round(cost.moving_share, 3),
                "ms": {"median": cost.ms[0], "p99": cost.ms[1]},
                "stages_ms": {stage: {"median": ms[0], "p99": ms[1]} for stage, ms in cost.stages_ms.items()},
                "memory_mb": {
                    "peak": round(cost.memory_mb),
                    "before_tracking": round(cost.memory_before_mb),
                    "goal": PEAK_GOAL_MB,
                    **(
                        {
                            "by_minute": cost.minutes_mb,
                            "growth": round(cost.growth_mb, 1),
                            "growth_goal": GROWTH_GOAL_MB,
                        }
                        if lasts
                        else {}
                    ),
                },
            }
    return figures


def _spread(values: list[float]) -> tuple[float, float]:
    ordered = sorted(values) or [0.0]
    return round(ordered[len(ordered) // 2], 2), round(ordered[round(0.99 * (len(ordered) - 1))], 2)


def _main() -> int:
    parser = argparse.ArgumentParser(prog="python -m companion.measure.cost", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--frames", type=int, default=600)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--minutes", type=float, default=0.0)
    given = parser.parse_args()
    try:
        cost = track_cost(
            given.folder, given.frames, given.threads, given.minutes, lambda line: print(line, flush=True)
        )
    except CompanionError as error:
        print(error, file=sys.stderr)
        return 2
    print(json.dumps(asdict(cost)))
    return 0


if __name__ == "__main__":
    sys.exit(_main())
