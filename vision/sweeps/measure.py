"""What a reader makes of the sweeps: counts a step, as a table, and floors below which it may not fall."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from math import ceil, floor
from typing import Any

import numpy as np

from vision.dice import DiceReader
from vision.evaluation import Reads, expected_calibration_error
from vision.outcomes import match
from vision.readings import DieReading, Unreadable
from vision.sweeps.catalogue import SWEEPS, Step, Sweep
from vision.sweeps.scenes import Duty, Scene, make_scene

__all__ = ["Row", "SweepReport", "below_floors", "floors_of", "judged", "measure", "scene_of", "thumbnail"]

_MARGIN = 1
"""Dice that a step may lose to the rounding of other processors before that is called a fall."""
_MARGIN_IN_ALL = 1.5
"""The same over all sweeps, in percent of the dice."""


@dataclass
class Row:
    """Counts of one step. `dice` are those that must be read: `right` + `refused` + `missed` + wrong ones of them.

    `wrong` counts every false value on a die, `invented` every value where none may be stated: beside dice, and on dice
    without pips, of which `told` of `without_pips` were said to be such. Dice that may be refused count only if wrong.
    """

    sweep: str
    step: str
    goal_right: float | None
    scenes: int = 0
    dice: int = 0
    right: int = 0
    refused: int = 0
    wrong: int = 0
    missed: int = 0
    invented: int = 0
    without_pips: int = 0
    told: int = 0

    @property
    def right_share(self) -> float:
        """Percent of the dice that must be read; 100 when there is none."""
        return 100 * self.right / self.dice if self.dice else 100.0

    @property
    def goal_met(self) -> bool:
        """Whether enough is right and nothing wrong or invented."""
        return not self.wrong and not self.invented and (self.goal_right is None or self.right_share >= self.goal_right)

    def add(self, scene: Scene, readings: Iterable[DieReading]) -> None:
        """Count what was read in one more scene."""
        self.scenes += 1
        for true_duty, true_value, reading in judged(scene, readings):
            stated = None if reading is None else reading.value
            if true_duty is Duty.READ:
                self.dice += 1
                self.missed += reading is None
                self.refused += reading is not None and stated is None
                self.right += stated is not None and stated == true_value
            if true_duty is None or true_duty is Duty.NO_VALUE:
                self.invented += stated is not None
                if true_duty is not None and true_value is None:
                    self.without_pips += 1
                    self.told += reading is not None and reading.reason is Unreadable.NOT_A_PIP_DIE
            elif stated is not None and stated != true_value:
                self.wrong += 1


def judged(scene: Scene, readings: Iterable[DieReading]) -> list[tuple[Duty | None, int | None, DieReading | None]]:
    """Duty, value and reading of every die, then (None, None, reading) of what was read where there is none."""
    labels: list[Mapping[str, Any]] = [{"box": die.box} for die in scene.dice]
    pairs, left = match(readings, labels, [])
    found = dict(pairs)
    every: list[tuple[Duty | None, int | None, DieReading | None]] = [
        (die.duty, die.value, found.get(k)) for k, die in enumerate(scene.dice)
    ]
    return every + [(None, None, reading) for reading in left]


def scene_of(sweep: str, step: Step, number: int) -> Scene:
    """The scene with this number (0, 1, ...) of a step; its seed hangs on the names only."""
    return make_scene(step.setting, [zlib.crc32(f"{sweep}/{step.name}".encode()), number])


@dataclass
class SweepReport:
    """Rows in the order of the sweeps; `str(report)` is a table."""

    rows: list[Row] = field(default_factory=list)
    pictures: dict[str, list[int]] = field(default_factory=dict)
    """The `thumbnail` of the first scene of each step."""
    stated: list[tuple[float, bool]] = field(default_factory=list)
    """Confidence of every value that was stated, and whether it is right."""

    @property
    def all(self) -> Row:
        """The sums."""
        total = Row("all", "", None)
        for row in self.rows:
            for name in ("scenes", "dice", "right", "refused", "wrong", "missed", "invented", "without_pips", "told"):
                setattr(total, name, getattr(total, name) + getattr(row, name))
        return total

    @property
    def calibration_error(self) -> float:
        """Expected calibration error of the stated values."""
        return expected_calibration_error(self.stated)

    def as_dict(self) -> dict[str, Any]:
        """Rows and sums as plain values."""
        rows = [
            {**asdict(row), "right_share": round(row.right_share, 1), "goal_met": row.goal_met} for row in self.rows
        ]
        return {
            "rows": rows,
            "all": asdict(self.all),
            "goals_met": sum(row.goal_met for row in self.rows),
            "calibration_error": self.calibration_error,
        }

    def __str__(self) -> str:
        head = f"{'sweep':20} {'step':22} {'dice':>5} {'right':>6} {'refused':>8} {'wrong':>6} {'missed':>7}"
        lines = [f"{head} {'invented':>9} {'not pips':>9}  goal"]
        name = ""
        for row in [*self.rows, self.all]:
            shown = row.sweep if row.sweep != name else ""
            name = row.sweep
            told = f"{row.told}/{row.without_pips}" if row.without_pips else ""
            least = "" if row.goal_right is None else f"{row.goal_right:g} % right, "
            goal = f"{least}0 wrong: {'met' if row.goal_met else 'NOT MET'}" if row.sweep != "all" else ""
            lines.append(
                f"{shown:20} {row.step:22} {row.dice or '':>5} {row.right if row.dice else '':>6} "
                f"{row.refused if row.dice else '':>8} {row.wrong:>6} {row.missed if row.dice else '':>7} "
                f"{row.invented:>9} {told:>9}  {goal}"
            )
        met = sum(row.goal_met for row in self.rows)
        lines.append(
            f"{self.all.right_share:.1f} % of the dice right; {met} of {len(self.rows)} steps meet their goal."
        )
        lines.append(f"Expected calibration error of the stated values: {self.calibration_error:.3f}.")
        return "\n".join(lines)


def measure(
    scenes: int = 1,
    *,
    sweeps: Iterable[Sweep] = SWEEPS,
    reader: Reads | None = None,
    progress: Callable[[int, int], None] | None = None,
    seen: Callable[[str, Step, Scene, tuple[DieReading, ...]], None] | None = None,
) -> SweepReport:
    """Render `scenes` scenes of every step and read them.

    `progress` is told how many of how many steps are done, `seen` every scene with its readings.
    """
    chosen = [(sweep.name, step) for sweep in sweeps for step in sweep.steps]
    reads = reader or DiceReader()
    report = SweepReport()
    for done, (name, step) in enumerate(chosen):
        row = Row(name, step.name, step.goal_right)
        for number in range(scenes):
            scene = scene_of(name, step, number)
            if number == 0:
                report.pictures[f"{name}/{step.name}"] = thumbnail(scene)
            readings = reads.read(scene.image)
            row.add(scene, readings)
            report.stated += [
                (reading.confidence, reading.value == value and duty not in (None, Duty.NO_VALUE))
                for duty, value, reading in judged(scene, readings)
                if reading is not None and reading.value is not None
            ]
            if seen is not None:
                seen(name, step, scene, readings)
        report.rows.append(row)
        if progress is not None:
            progress(done + 1, len(chosen))
    return report


def thumbnail(scene: Scene) -> list[int]:
    """Mean grey levels of 4 x 4 fields, by which a picture that came out otherwise than it was is known."""
    grey = scene.image.mean(2)
    rows = np.array_split(grey, 4, axis=0)
    return [round(float(field.mean())) for row in rows for field in np.array_split(row, 4, axis=1)]


def floors_of(report: SweepReport) -> dict[str, Any]:
    """What this run reaches, less a margin, as `below_floors` takes it."""
    steps = {
        f"{row.sweep}/{row.step}": {
            "least_right": max(0, row.right - _MARGIN) if row.dice else 0,
            "most_wrong": row.wrong,
            "most_invented": row.invented,
        }
        for row in report.rows
    }
    return {
        "scenes": report.rows[0].scenes if report.rows else 0,
        "least_right_percent": floor(10 * (report.all.right_share - _MARGIN_IN_ALL)) / 10,
        "most_calibration_error": ceil(1000 * report.calibration_error + 5) / 1000,
        "least_told_without_pips": max(0, report.all.told - 3),
        "steps": steps,
        "pictures": report.pictures,
    }


def below_floors(report: SweepReport, floors: Mapping[str, Any]) -> list[str]:
    """What is worse than the floors allow, in words; empty when nothing is."""
    found = []
    total = report.all
    if total.right_share < floors["least_right_percent"]:
        found.append(f"all: {total.right_share:.1f} % right, at least {floors['least_right_percent']} %")
    if total.told < floors["least_told_without_pips"]:
        found.append(f"all: {total.told} told to be no pip dice, at least {floors['least_told_without_pips']}")
    if report.calibration_error > floors["most_calibration_error"]:
        found.append(
            f"all: calibration error {report.calibration_error:.3f}, at most {floors['most_calibration_error']}"
        )
    for row in report.rows:
        name = f"{row.sweep}/{row.step}"
        bound = floors["steps"].get(name)
        if bound is None:
            found.append(f"{name}: has no floor")
            continue
        if row.right < bound["least_right"]:
            found.append(f"{name}: {row.right} of {row.dice} right, at least {bound['least_right']}")
        if row.wrong > bound["most_wrong"]:
            found.append(f"{name}: {row.wrong} wrong, at most {bound['most_wrong']}")
        if row.invented > bound["most_invented"]:
            found.append(f"{name}: {row.invented} invented, at most {bound['most_invented']}")
    return found
