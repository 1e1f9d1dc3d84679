"""`companion bench`: rulings a second, read and tracking time by stage, a battlefield of cards, press to page."""

from __future__ import annotations

import http.client
import json
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.commands.common import print_json, progress
from companion.errors import CompanionError

if TYPE_CHECKING:
    from vision.timing import ReadTimes

__all__ = [
    "bench_cards",
    "bench_latency",
    "bench_rules",
    "bench_stills",
    "bench_track",
    "bench_vision",
    "command",
    "read_apart",
]

WAIT_S = 10.0
WIDTH, HEIGHT = 1280, 720
STILLS = {(1280, 720): (1, 15.0), (2304, 1296): (1, 40.0), (4000, 3000): (2, 400.0)}
"""Sizes at which the reader is timed: how much the rendered table is enlarged for it, and the goal in ms."""
MEMORY_GOAL_MB = 300.0

Tell = Callable[[int], None]


class ReaderNotTimed(CompanionError):
    """The process that times the reader ended without figures."""


@click.command(epilog="Example:  companion bench rules --json")
@click.argument("what", type=click.Choice(["rules", "vision", "track", "cards", "latency", "evidence"]), nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each part.")
@click.option(
    "--threads", type=click.IntRange(min=1), help="Time the reader on so many threads and cores [default: all]"
)
@click.option(
    "--rounds", type=click.IntRange(min=1), help="Rulings, frames or presses [default: 5000, 40, 300, 600, 200, 240]"
)
@click.option("--minutes", type=click.FloatRange(min=0), default=0.0, help="Follow the dice of `track` for so long.")
def command(what: tuple[str, ...], as_json: bool, threads: int | None, rounds: int | None, minutes: float) -> None:
    """Measure this machine; all six when none is named.

    rules: rulings a second in random Lightning Dice matches. vision: time per rendered frame (1280x720, 24 dice) by
    stage, read as a whole and read where it changed, then still pictures of three sizes with the goal for each and the
    peak memory of a process that reads it; --threads 1 holds all of it to one core. track: 36 dice
    followed at 1280x720 through a play in which somebody always rolls, reading included, on all cores and on one, with
    the goal and the memory; --minutes N goes on for so long and tells the memory at each minute. cards: a simulated
    match of Thunder & Lightning, time from a frame to its events, and the match judged again. latency: from a press to
    its entry on the disk, and at a page that follows over loopback; a press is held on purpose until no earlier edge
    can still arrive, told apart as `held`. evidence: what the pictures kept of presses cost a frame, a ruling and the
    disk.
    """
    from companion.evidence.bench import bench_evidence

    benches: dict[str, tuple[Callable[[int, Tell], dict[str, Any]], int]] = {
        "rules": (bench_rules, 5000),
        "vision": (lambda count, tell: bench_vision(count, tell, threads=threads), 40),
        "track": (lambda count, tell: bench_track(count, tell, threads=threads, minutes=minutes), 300),
        "cards": (bench_cards, 600),
        "latency": (bench_latency, 200),
        "evidence": (bench_evidence, 240),
    }
    for name in what or tuple(benches):
        bench, default = benches[name]
        count = rounds or default
        with progress(name, count) as tell:
            figures = bench(count, tell)
        if as_json:
            print_json({"bench": name, **figures})
        else:
            click.echo(f"{name}:")
            for figure, value in figures.items():
                click.echo(f"  {figure.replace('_', ' ')}: {_words(value)}")


def bench_rules(rulings: int, tell: Tell, seed: int = 1) -> dict[str, Any]:
    """Random matches of four seats; only the judging is timed, not the choice of events."""
    from companion.live.opening import Wanted, new_header
    from rules.events import Submission
    from rules.games import new_match
    from rules.referee import Option

    chance = random.Random(seed)

    def filled(option: Option) -> Any:
        import msgspec

        values: dict[str, Any] = {}
        for name, domain in option.free.items():
            if domain.each:
                count = domain.count if domain.count is not None else len(getattr(option.event, name) or ())
                values[name] = tuple(chance.choice(list(domain.values or (1,))) for _ in range(count))
            elif domain.values:
                values[name] = chance.choice(domain.values)
        return msgspec.structs.replace(option.event, **values)

    header = new_header(Wanted("lightning-dice"))
    done, matches, spent_ns = 0, 0, 0
    while done < rulings:
        match = new_match(header)
        matches += 1
        while done < rulings and match.seq < 1000:
            options = match.options()
            if not options:
                break
            filed = Submission(filled(chance.choice(options)))
            start = time.perf_counter_ns()
            entry = match.submit(filed)
            spent_ns += time.perf_counter_ns() - start
            done += len(entry.rulings)
            tell(min(done, rulings))
    return {
        "rulings": done,
        "matches": matches,
        "rulings_per_s": round(done / (spent_ns / 1e9)),
        "us_per_ruling": round(spent_ns / 1e3 / done, 1),
    }


def bench_vision(frames: int, tell: Tell, seed: int = 1, threads: int | None = None) -> dict[str, Any]:
    """Frames of the simulated table while throws go on, each read as a whole and where it changed; then stills."""
    from device.clock import ManualClock
    from device.simulated.table import SimulatedTable
    from vision.reader import TableReader
    from vision.timing import held_to
    from vision.tracking.changed import ChangedReader
    from vision.tracking.glimpse import Glimpses

    clock = ManualClock()
    table = SimulatedTable(clock, 4, seed=seed, size_wh=(WIDTH, HEIGHT))
    whole, changed, glimpses = TableReader(), ChangedReader(TableReader()), Glimpses()
    stages: dict[str, list[float]] = {}
    whole_ms: list[float] = []
    changed_ms: list[float] = []
    with held_to(threads):
        whole.read(table.frame().image_bgr)  # weights are loaded on first use
        for number in range(frames):
            if number % 12 == 4:
                table.throw(table.seats[number // 12 % len(table.seats)])
            frame = table.frame()
            start = time.perf_counter_ns()
            reading = whole.read(frame.image_bgr)
            middle = time.perf_counter_ns()
            glimpse = glimpses.look(frame.image_bgr, frame.exposure_start_ns)
            changed.read(frame.image_bgr, glimpse, sequence=frame.sequence)
            changed_ms.append((time.perf_counter_ns() - middle) / 1e6)
            whole_ms.append((middle - start) / 1e6)
            for stage, ms in reading.stage_ms.items():
                stages.setdefault(stage, []).append(ms)
            clock.advance(66_000_000)
            tell(number + 1)
    return {
        "frames": frames,
        "size": f"{WIDTH}x{HEIGHT}",
        "threads": threads or "all",
        "ms_per_frame": _spread(whole_ms),
        "stages_ms": {stage: round(statistics.median(values), 2) for stage, values in stages.items()},
        "ms_per_frame_where_changed": _spread(changed_ms),
        **bench_stills(frames, threads, seed=seed),
    }


def bench_stills(
    rounds: int, threads: int | None, stills: dict[tuple[int, int], tuple[int, float]] | None = None, seed: int = 1
) -> dict[str, Any]:
    """Still pictures of the simulated table with 24 dice at rest, each read again and again in a process of its own.

    `stills` gives for each size by how much a smaller rendering is enlarged, and the goal in ms [default: STILLS].
    """
    import cv2

    from device.clock import ManualClock
    from device.simulated.table import SimulatedTable

    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for (width, height), (enlarged, goal_ms) in (STILLS if stills is None else stills).items():
            size_wh = (width // enlarged, height // enlarged)
            image = SimulatedTable(ManualClock(), 4, seed=seed, size_wh=size_wh).frame().image_bgr
            picture = Path(folder) / f"{width}.png"
            cv2.imwrite(str(picture), cv2.resize(image, (width, height), interpolation=cv2.INTER_CUBIC))
            told = read_apart(picture, rounds=max(3, rounds * WIDTH * HEIGHT // (width * height)), threads=threads)
            figures[f"still_{width}x{height}"] = {
                "dice": told.dice,
                "stated": told.stated,
                "closely_looked_at": told.closely_looked_at,
                "readings": len(told.ms),
                "cores": told.cores or "all",
                "ms": {**_spread_with_best(told.ms), "goal": goal_ms},
                "processor_ms": _spread_with_best(told.processor_ms),
                "stages_ms": {stage: _spread_with_best(values) for stage, values in told.stages_ms.items()},
                "memory_mb": {
                    "peak": round(told.memory_mb),
                    "before_reading": round(told.memory_before_mb),
                    "goal": MEMORY_GOAL_MB,
                },
            }
    return figures


def read_apart(picture: Path, rounds: int, threads: int | None = None) -> ReadTimes:
    """Read the picture file `rounds` times in a process of its own, on so many threads and cores [default: all].

    Raises:
        ReaderNotTimed: that process ended without figures.
    """
    from vision.timing import ReadTimes

    command = [sys.executable, "-P", "-m", "vision.timing", str(picture), "--rounds", str(rounds)]
    if threads is not None:
        command += ["--threads", str(threads)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no word why"])[-1]
        raise ReaderNotTimed(f"{picture} was not read in a process of its own: {last}")
    return ReadTimes(**json.loads(done.stdout))


def bench_track(frames: int, tell: Tell, threads: int | None = None, minutes: float = 0.0) -> dict[str, Any]:
    """A rendered play followed in processes of their own: on all cores and on one, or on `threads` alone."""
    from companion.measure.cost import track_figures

    return track_figures(frames, tell, lambda line: click.echo(line, err=True), threads, minutes)


def bench_cards(frames: int, tell: Tell, seed: int = 1) -> dict[str, Any]:
    """Frames of the simulated battlefield while two players play on it; the record is then judged again."""
    from companion.live.opening import Wanted, open_match
    from companion.live.simulation import DUEL, staged
    from companion.live.table import LiveTable
    from companion.store import Store
    from device.clock import ManualClock
    from rules.games import new_match

    clock = ManualClock()
    wanted = Wanted("thunder-and-lightning", simulated=True)
    frame_ms: list[float] = []
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder)) as store:
        stored, _ = open_match(store, wanted)
        with LiveTable(store, stored, clock=clock, simulated=True) as table:
            simulated, watcher, players = staged(DUEL, table, clock, wanted, seed=seed)
            for number in range(frames):
                clock.advance(66_000_000)
                frame = simulated.frame()
                start = time.perf_counter_ns()
                watcher.step(frame)
                frame_ms.append((time.perf_counter_ns() - start) / 1e6)
                players.step()
                tell(number + 1)
            header, entries = table.header, table.entries()
    match = new_match(header)
    start = time.perf_counter_ns()
    for entry in entries:
        match.submit(entry.filed)
    judged_ns = time.perf_counter_ns() - start
    start = time.perf_counter_ns()
    offered = len(match.options())
    offered_ns = time.perf_counter_ns() - start
    rulings = sum(len(entry.rulings) for entry in match.entries)
    return {
        "frames": frames,
        "size": f"{WIDTH}x{HEIGHT}",
        "ms_from_frame_to_events": _spread(frame_ms),
        "events": len(entries),
        "rulings_per_s": round(rulings / (judged_ns / 1e9)) if rulings else 0,
        "options": offered,
        "ms_to_list_the_options": round(offered_ns / 1e6, 2),
    }


def bench_latency(presses: int, tell: Tell) -> dict[str, Any]:
    """Presses put into a live table; its entries are followed by a client of the real server over loopback."""
    from companion.hub import Hub
    from companion.live.collector import Timing
    from companion.live.opening import Wanted, open_match
    from companion.live.table import LiveTable
    from companion.store import Store
    from companion.web.app import create_app
    from companion.web.server import WebServer
    from device.buttons.base import Press

    hub = Hub()
    committed: dict[int, int] = {}
    received: dict[int, int] = {}
    changed = threading.Condition()

    def publish(topic: str, data: dict[str, Any], seq: int | None = None) -> None:
        if topic == "entry" and seq is not None:
            committed[seq] = time.monotonic_ns()
        hub.publish(topic, data, seq)

    def follow(port: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT_S)
        connection.request("GET", "/events?page=table")
        answer = connection.getresponse()
        topic, ident = b"", b""
        for line in answer:
            if line.startswith(b"event: "):
                topic, ident = line[7:].strip(), b""
            elif line.startswith(b"id: "):
                ident = line[4:].strip()
            elif not line.strip() and topic:
                with changed:
                    received[int(ident or 0) if topic == b"entry" else -1] = time.monotonic_ns()
                    changed.notify_all()
                topic = b""

    with tempfile.TemporaryDirectory() as folder, Store(Path(folder)) as store:
        stored, _ = open_match(store, Wanted("lightning-dice"))
        with LiveTable(store, stored, publish=publish) as table:
            app = create_app(table, hub, judge_pin="000000", seat_codes={})
            pressed: list[int] = []
            with WebServer(app, hub, port=0) as server:
                threading.Thread(target=follow, args=(server.port,), daemon=True).start()
                _wait(changed, lambda: -1 in received)
                for number in range(1, presses + 1):
                    edge_ns = time.monotonic_ns()
                    pressed.append(edge_ns)
                    table.press(Press(1 + number % 4, "claim", edge_ns, "bench", True))
                    _wait(changed, lambda wanted=number: wanted in received)  # type: ignore[misc]
                    tell(number)
    to_disk = [(committed[n] - edge) / 1e6 for n, edge in enumerate(pressed, start=1)]
    to_page = [(received[n] - edge) / 1e6 for n, edge in enumerate(pressed, start=1)]
    timing = Timing()
    return {
        "presses": presses,
        "held_ms": (timing.tie_ns + timing.transport_ns) / 1e6,
        "press_to_disk_ms": _spread(to_disk),
        "press_to_page_ms": _spread(to_page),
    }


def _wait(changed: threading.Condition, ready: Callable[[], bool]) -> None:
    from companion.errors import TableBusy

    with changed:
        if not changed.wait_for(ready, WAIT_S):
            raise TableBusy(f"Nothing came over the page's stream within {WAIT_S:g} s; is the machine overloaded?")


def _spread(values: list[float]) -> dict[str, float]:
    ordered = sorted(values)
    last = min(len(ordered) - 1, round(0.99 * (len(ordered) - 1)))
    return {"median": round(statistics.median(ordered), 2), "p99": round(ordered[last], 2)}


def _spread_with_best(values: Sequence[float]) -> dict[str, float]:
    """The best too: what a busy machine tells most truly."""
    return {"best": round(min(values), 2), **_spread(list(values))}


def _words(value: Any, depth: int = 2) -> str:
    """Figures for people: what holds further figures takes a line for each, the last level one line in all."""
    if not isinstance(value, dict):
        return str(value)
    if not any(isinstance(each, dict) for each in value.values()):
        return ", ".join(f"{name.replace('_', ' ')} {each}" for name, each in value.items())
    lines = ""
    for name, each in value.items():
        told = _words(each, depth + 1)
        lines += f"\n{'  ' * depth}{name.replace('_', ' ')}:{'' if told.startswith(chr(10)) else ' '}{told}"
    return lines
