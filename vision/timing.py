"""How long one picture takes the reader on so many cores, and how much memory: to be run in a process of its own."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter_ns, process_time_ns

from vision.errors import VisionError

__all__ = ["ReadTimes", "TimingFailed", "held_to", "peak_memory_mb", "read_times"]


class TimingFailed(VisionError, RuntimeError):
    """There is no picture to read."""


@dataclass(frozen=True, slots=True)
class ReadTimes:
    """Figures of one picture read again and again, the first time left out.

    `ms` are whole readings on the wall's clock, `stages_ms` the same by stage, `processor_ms` what whole readings took
    of all cores together, whatever else ran. `dice` are the dice found and `stated` those with a value;
    `closely_looked_at` are the faces for which a glance was not enough;
    `cores` is the number of cores the process was held to, 0 when the system does not allow it. `memory_mb` is the
    peak of the whole process, the picture included, and `memory_before_mb` its peak before the reader was made.
    """

    width: int
    height: int
    dice: int
    stated: int
    closely_looked_at: int
    threads: int
    cores: int
    ms: tuple[float, ...]
    processor_ms: tuple[float, ...]
    stages_ms: dict[str, tuple[float, ...]]
    memory_mb: float
    memory_before_mb: float


def peak_memory_mb() -> float:
    """The most memory this process has had resident, in MB (10^6 bytes)."""
    try:  # what getrusage tells on Linux also counts the process that started this one
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024 / 1e6
    except OSError:
        pass
    import resource  # not on Windows

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6


@contextmanager
def held_to(threads: int | None) -> Iterator[int]:
    """Hold OpenCV to so many threads and this process to as many cores; gives the cores, 0 when not allowed.

    None leaves everything as it is. Both are as before afterwards.
    """
    import cv2

    if threads is None:
        yield 0
        return
    before = cv2.getNumThreads()
    allowed = os.sched_getaffinity(0) if hasattr(os, "sched_setaffinity") else set()
    cores = set(sorted(allowed)[-threads:])
    cv2.setNumThreads(threads)
    try:
        if cores:
            os.sched_setaffinity(0, cores)
        yield len(os.sched_getaffinity(0)) if cores else 0
    finally:
        cv2.setNumThreads(before)
        if cores:
            os.sched_setaffinity(0, allowed)


def read_times(picture: Path | str, rounds: int, threads: int | None = None) -> ReadTimes:
    """Read the picture file once, then `rounds` times more in this process, on so many threads and cores.

    The memory is that of this process alone when nothing else ran in it: `python -m vision.timing PICTURE` prints
    the same as JSON. Raises TimingFailed.
    """
    import cv2

    from vision.dice import DiceReader
    from vision.reader import TableReader

    with held_to(threads) as cores:
        image = cv2.imread(str(picture))
        if image is None:
            raise TimingFailed(f"{picture} is not a picture that can be read.")
        before = peak_memory_mb()
        dice = DiceReader()
        reader = TableReader(dice)
        reading = reader.read(image)
        ms: list[float] = []
        processor_ms: list[float] = []
        stages: dict[str, list[float]] = {}
        for _ in range(rounds):
            start, spent_ns = perf_counter_ns(), process_time_ns()
            reading = reader.read(image)
            ms.append((perf_counter_ns() - start) / 1e6)
            processor_ms.append((process_time_ns() - spent_ns) / 1e6)
            for stage, spent in reading.stage_ms.items():
                stages.setdefault(stage, []).append(spent)
        return ReadTimes(
            width=image.shape[1],
            height=image.shape[0],
            dice=len(reading.dice),
            stated=sum(die.value is not None for die in reading.dice),
            closely_looked_at=dice.closely_looked_at,
            threads=cv2.getNumThreads(),
            cores=cores,
            ms=tuple(ms),
            processor_ms=tuple(processor_ms),
            stages_ms={stage: tuple(values) for stage, values in stages.items()},
            memory_mb=peak_memory_mb(),
            memory_before_mb=before,
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Read one picture again and again and print the figures as JSON.")
    parser.add_argument("picture")
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--threads", type=int)
    asked = parser.parse_args()
    print(json.dumps(asdict(read_times(asked.picture, asked.rounds, asked.threads))))
