"""What evidence costs: the camera's thread a frame, the keeper a frame, the table a press, the disk a claim."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from companion.evidence.archive import Archive
from companion.evidence.keeper import EvidenceKeeper
from companion.evidence.ring import RING_NS, encode_frame
from companion.live.interpreter import Seen
from companion.live.opening import Wanted, open_match
from companion.live.table import LiveTable
from companion.store import Store
from device.clock import NS_PER_S, ManualClock
from device.frames import Frame
from device.simulated.table import SimulatedTable
from rules.events import Source, Submission
from rules.lightning_dice.events import Call, Calls, Press
from vision.readings import Reading
from vision.tracking.happenings import Watched

__all__ = ["bench_evidence"]

FPS: Final = 30
SIZE_WH: Final = (1280, 720)


def bench_evidence(frames: int, tell: Callable[[int], None]) -> dict[str, Any]:
    """Rendered frames of a full table left with a keeper, and a press ruled on with and without one.

    Times are of this process alone (process_time), so that other work on the machine does not count. A second half of
    the frames, from one that is pressed at on, becomes stored evidence.
    """
    clock = ManualClock(NS_PER_S)
    simulated = SimulatedTable(clock, 6, seed=1, size_wh=SIZE_WH, fps=FPS)
    image = simulated.render(clock.now_ns())
    step_ns = NS_PER_S // FPS
    left_ms: list[float] = []
    kept_ms: list[float] = []
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder)) as store:
        stored, _ = open_match(store, Wanted("lightning-dice"))
        keeper = EvidenceKeeper(Archive(store), clock)
        with LiveTable(store, stored) as table:
            alone_ms = [_rule(table, number) for number in range(20)]
            keeper.watch(table)
            kept_frame = encode_frame(image, 0, 0, ())
            for number in range(frames):
                at_ns = clock.advance(step_ns)
                frame = Frame(image, at_ns, number, "bench")
                watched = Watched(Reading(SIZE_WH, (), (), at_ns, number), ())
                began = time.process_time_ns()
                table.sight.frame(frame, watched, Seen())
                left_ms.append((time.process_time_ns() - began) / 1e6)
                began = time.process_time_ns()
                keeper.work()
                kept_ms.append((time.process_time_ns() - began) / 1e6)
                tell(number + 1)
            beside_ms = [_rule(table, number) for number in range(20)]
            pressed_ns = clock.now_ns() - NS_PER_S // 2
            press = Press(1, Call.GOT_IT, pressed_ns)
            entry = table.submit(Submission(Calls((press,)), Source.BUTTON, at_ns=pressed_ns))
            began = time.process_time_ns()
            keeper.work(at_once=True)
            frozen_ms = (time.process_time_ns() - began) / 1e6
            row = keeper.archive.row(table.header.match, entry.seq)
    frame_bytes = len(kept_frame.jpeg) if kept_frame is not None else 0
    return {
        "frames": frames,
        "camera_thread_ms_per_frame": round(statistics.median(left_ms), 3),
        "keeper_ms_per_frame": round(statistics.median(kept_ms), 2),
        "frame_kb": round(frame_bytes / 1e3),
        "memory_mb": round(frame_bytes * min(frames, FPS * RING_NS // NS_PER_S) / 1e6, 1),
        "ruling_ms_without": round(statistics.median(alone_ms), 2),
        "ruling_ms_with": round(statistics.median(beside_ms), 2),
        "freeze_ms": round(frozen_ms, 1),
        "claim_mb": round((row.bytes if row is not None else 0) / 1e6, 2),
    }


def _rule(table: LiveTable, number: int) -> float:
    """Wall time of a ruling on a press, judged, on the disk and answered, in ms."""
    began = time.perf_counter_ns()
    table.submit(Submission(Calls((Press(1 + number % 2, Call.GOT_IT, number + 1),)), Source.BUTTON))
    return (time.perf_counter_ns() - began) / 1e6
