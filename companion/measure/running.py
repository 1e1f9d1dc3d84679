"""Which plays are watched, one after another or on several cores, and all their figures together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import count, islice
from multiprocessing import get_context
from pathlib import Path

import cv2

from companion.measure.alarms import CLEAN
from companion.measure.disturbances import DISTURBANCES, Delivery, deliveries
from companion.measure.figures import PlayFigures, Report, figures_of
from companion.measure.robustness import endured
from companion.measure.sheets import chosen, prepare, wanted, write_index, write_sheets
from companion.measure.told import Script, Watching
from companion.measure.watching import Tracker, picture, watch

__all__ = ["FAULT_FROM_NS", "Order", "measure", "orders", "run_order"]

FAULT_FROM_NS = 2_000_000_000
"""When a camera's fault begins: by then the tracker has seen the table, and dice roll."""
_FAULT_NAMES = {fault.name: fault for fault in DISTURBANCES}

Maker = Callable[["Order"], Script]


@dataclass(frozen=True, slots=True)
class Order:
    """One play to be watched: its kind, people at the table, seed, frames a second, the camera's fault, its length."""

    kind: str
    seats: int
    seed: int
    fps: float
    fault: str | None = None
    seconds: float = 16.0

    @property
    def name(self) -> str:
        """For people."""
        fault = f", {self.fault}" if self.fault else ""
        return f"{self.kind}, {self.seats} seats, seed {self.seed}, {self.fps:g} fps{fault}"


def orders(
    kinds: Sequence[str], seats: Sequence[int], fps: Sequence[float], seed: int, faults: Sequence[str] = ()
) -> Iterator[Order]:
    """Plays without end: every kind with every rate and, in the long run, every count of seats; each with a new seed.

    Each round ends with one clean play for each of the camera's faults, at 30 frames a second.
    """
    turn = count()

    def order(kind: str, rate: float, fault: str | None = None) -> Order:
        number = next(turn)
        many = seats[(number + number // len(fps)) % len(seats)]  # shifted, so that a rate meets every count of seats
        return Order(kind, many, seed + number, rate, fault)

    while True:
        yield from (order(kind, rate) for kind in kinds for rate in fps)
        yield from (order(CLEAN, 30.0, fault) for fault in faults)


def make_play(order: Order) -> Script:
    """The simulated play of an order."""
    from device.simulated.play.play import Play

    return Play(order.seats, order.seed, order.kind, seconds=order.seconds)


def make_tracker() -> Tracker:
    """The tracker that is measured."""
    from companion.measure.mounted import MountedTracker
    from device.simulated.layout import TABLE_SIZE_MM

    return MountedTracker(TABLE_SIZE_MM)


def run_order(
    order: Order,
    number: int = 0,
    gallery: Path | None = None,
    *,
    make: Maker = make_play,
    tracker: Callable[[], Tracker] = make_tracker,
) -> tuple[PlayFigures, dict[str, list[str]]]:
    """Watch one play; gives its figures and the names of its sheets by kind of failure."""
    script = make(order)
    frames = deliveries(order.fps, script.end_ns, order.fault, FAULT_FROM_NS)

    def watched(seen: Sequence[Delivery]) -> Watching:
        return watch(script, tracker(), name=order.name, kind=order.kind, seats=order.seats, fps=order.fps, frames=seen)

    watching = watched(frames)
    if order.fault is None:
        figures = figures_of(watching)
    else:
        figures = PlayFigures(watching.name, watching.kind, watching.seats, watching.fps, watching.seconds)
        figures.endured = endured(
            watching, _FAULT_NAMES[order.fault], FAULT_FROM_NS, watched(deliveries(order.fps, script.end_ns))
        )
    sheets: dict[str, list[str]] = {}
    if gallery is not None:
        needed = {shot.at_ns: shot for failure in chosen(figures.failures) for shot in wanted(failure, watching)}
        pictures = {at_ns: picture(script, frames[shot.number]) for at_ns, shot in sorted(needed.items())}
        sheets = write_sheets(figures.failures, watching, pictures, gallery, number)
    return figures, sheets


def measure(
    wanted_orders: Iterator[Order],
    *,
    rolls: int,
    at_least: int = 1,
    workers: int = 1,
    gallery: Path | None = None,
    tell: Callable[[int, PlayFigures], None] | None = None,
    run: Callable[..., tuple[PlayFigures, dict[str, list[str]]]] = run_order,
) -> Report:
    """Watch plays until so many dice have been rolled, and at least so many plays.

    `tell` is called after each play with the rolls so far; `gallery` is a folder for sheets of all failures.
    """
    if gallery is not None:
        prepare(gallery)
    report = Report()
    sheets: dict[str, list[str]] = {}
    done = 0
    for figures, written in _results(wanted_orders, workers, gallery, run):
        report.plays.append(figures)
        done += figures.values.thrown
        for kind, names in written.items():
            sheets.setdefault(kind, []).extend(names)
        if tell is not None:
            tell(done, figures)
        if done >= rolls and len(report.plays) >= at_least:
            break
    if gallery is not None:
        write_index(gallery, sheets, report.failure_kinds(), str(report))
    return report


def _results(
    wanted_orders: Iterator[Order],
    workers: int,
    gallery: Path | None,
    run: Callable[..., tuple[PlayFigures, dict[str, list[str]]]],
) -> Iterator[tuple[PlayFigures, dict[str, list[str]]]]:
    if workers == 1:
        for number, order in enumerate(wanted_orders):
            yield run(order, number, gallery)
        return
    numbered = enumerate(wanted_orders)
    with ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=cv2.setNumThreads, initargs=(1,)
    ) as pool:
        try:
            pending = [pool.submit(run, order, number, gallery) for number, order in islice(numbered, 2 * workers)]
            while pending:  # in order, so that a run is the same however many work at it
                figures = pending.pop(0).result()
                pending += [pool.submit(run, order, number, gallery) for number, order in islice(numbered, 1)]
                yield figures
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
