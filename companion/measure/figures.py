"""All figures of watched plays, one line for each goal, and whether it is met."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import ceil, isnan, nan
from typing import Any

from companion.measure.alarms import CLEAN, Alarm
from companion.measure.failures import Failure
from companion.measure.identities import Identities, identities_of
from companion.measure.kinds import MEASURED, Kinds, kinds_of, scores_sum
from companion.measure.presses import Presses, presses_of
from companion.measure.robustness import Endured
from companion.measure.told import Watching
from companion.measure.values import Values, values_of
from vision.goals import Goal

__all__ = ["PlayFigures", "Report", "figures_of", "percentile"]

_GOAL_F1 = {"rolled", "slid", "lifted", "set back", "left the table", "cocked"}


@dataclass(slots=True)
class PlayFigures:
    """What came out of one play. `endured` only of one whose camera was disturbed: then nothing else is measured.

    `out_of_step` counts the frames in which it was told by trouble, `frames` all of them; `alarms` are what a judge was
    shown of a clean play.
    """

    name: str
    kind: str
    seats: int
    fps: float
    seconds: float
    values: Values = field(default_factory=Values)
    identities: Identities = field(default_factory=Identities)
    kinds: Kinds = field(default_factory=Kinds)
    presses: Presses = field(default_factory=Presses)
    endured: Endured | None = None
    out_of_step: dict[str, int] = field(default_factory=dict)
    frames: int = 0
    alarms: Sequence[Alarm] = ()

    @property
    def failures(self) -> list[Failure]:
        """All of them, by time."""
        found = [*self.values.failures, *self.identities.failures, *self.kinds.failures, *self.presses.failures]
        found += [_false(alarm) for alarm in self.alarms]
        if self.endured is not None:
            found += self.endured.failures
        return sorted(found, key=lambda each: each.at_ns)


def figures_of(watching: Watching) -> PlayFigures:
    """Everything that is measured of an undisturbed play, whose pairs are filled in."""
    return PlayFigures(
        watching.name, watching.kind, watching.seats, watching.fps, watching.seconds,
        values_of(watching), identities_of(watching), kinds_of(watching), presses_of(watching),
        out_of_step=dict(Counter(str(shot.out_of_step.trouble) for shot in watching.shots if shot.out_of_step)),
        frames=len(watching.shots),
        alarms=watching.alarms,
    )  # fmt: skip


def _false(alarm: Alarm) -> Failure:
    said = f"rule {alarm.rule} ({alarm.detail}) laid before the judge of seat {alarm.seat}, who broke none"
    return Failure("false infraction", alarm.at_ns, None, None, said, alarm.at_ns)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest of the values that this share (0..1) of them does not exceed; nan for none."""
    ordered = sorted(values)
    return ordered[max(0, ceil(share * len(ordered)) - 1)] if ordered else nan


@dataclass(slots=True)
class Report:
    """All plays together."""

    plays: list[PlayFigures] = field(default_factory=list)

    @property
    def _measured(self) -> list[PlayFigures]:
        return [play for play in self.plays if play.endured is None]

    @property
    def rates(self) -> list[float]:
        """The frame rates watched, fastest first."""
        return sorted({play.fps for play in self._measured}, reverse=True)

    def at(self, fps: float) -> list[PlayFigures]:
        """The undisturbed plays at this rate."""
        return [play for play in self._measured if play.fps == fps]

    def goals(self) -> list[Goal]:
        """Every goal that the plays say anything about; per rate where the goal is per rate."""
        found: list[Goal] = []
        plays = self._measured
        rolls = sum(play.values.rolls for play in plays)
        if rolls:
            right = sum(play.values.right for play in plays)
            wrong = sum(play.values.wrong for play in plays)
            found.append(Goal("settled values after a roll, right, %", 100 * right / rolls, 99.8, least=True))
            found.append(Goal("settled values after a roll, wrong, %", 100 * wrong / rolls, 0.02))
        if plays:
            found.append(Goal("values told before rest", sum(play.values.early for play in plays), 0))
            found.append(
                Goal("values told of no die, or of one twice", sum(play.values.of_nothing for play in plays), 0)
            )
        delays = [ms for play in self.at(30) for ms in play.values.delays_ms]
        if delays:
            found.append(Goal("rest to value at 30 fps, median, ms", statistics.median(delays), 200))
            found.append(Goal("rest to value at 30 fps, 99th percentile, ms", percentile(delays, 0.99), 400))
        for fps, bound in ((30.0, 0.97), (15.0, 0.90)):
            for kind, score in scores_sum([play.kinds.scores for play in self.at(fps)]).items():
                if kind in _GOAL_F1 and score.found + score.missed:
                    found.append(Goal(f"{kind}, F1 at {fps:g} fps", score.f1, bound, least=True))
        seconds = sum(play.identities.die_seconds for play in plays)
        if seconds:
            switches = sum(play.identities.switches for play in plays)
            found.append(Goal("identity switches in 1,000 die-seconds", 1000 * switches / seconds, 1))
        clean = [play for play in plays if play.kind == CLEAN]
        if clean:
            minutes = sum(play.seconds * play.seats / 6 for play in clean) / 60
            alarms = sum(len(play.alarms) for play in clean)
            found.append(Goal("false infractions in 10 minutes of six rolling", 10 * alarms / minutes, 1))
        frozen = sum(play.presses.settled for play in plays)
        if frozen:
            right = sum(play.presses.right for play in plays)
            found.append(Goal("values frozen at presses that are true, %", 100 * right / frozen, 100, least=True))
        if any(play.presses.presses for play in plays):
            moving = sum(play.presses.moving for play in plays)
            found.append(Goal("values frozen of dice that moved or leaned at a press", moving, 0))
        disturbed = [play.endured for play in self.plays if play.endured is not None]
        if disturbed:
            good = sum(each.good for each in disturbed)
            found.append(
                Goal("camera faults noticed, recovered, nothing false, %", 100 * good / len(disturbed), 100, least=True)
            )
        return found

    def failure_kinds(self) -> dict[str, int]:
        """How many failures there are of each kind, the commonest first."""
        counts: dict[str, int] = {}
        for play in self.plays:
            for failure in play.failures:
                counts[failure.kind] = counts.get(failure.kind, 0) + 1
        return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))

    def as_dict(self) -> dict[str, Any]:
        """Everything but the single failures, for JSON."""
        return {
            "plays": [
                {
                    "name": play.name, "kind": play.kind, "seats": play.seats, "fps": play.fps,
                    "seconds": round(play.seconds, 2), "failures": len(play.failures),
                }
                for play in self.plays
            ],
            "seats": {str(seats): self._values_of_seats(seats) for seats in sorted({p.seats for p in self._measured})},
            "kinds": {
                f"{fps:g}": {
                    kind: {
                        "found": score.found, "false": score.false, "missed": score.missed,
                        "precision": _number(score.precision), "recall": _number(score.recall), "f1": _number(score.f1),
                    }
                    for kind, score in scores_sum([play.kinds.scores for play in self.at(fps)]).items()
                }
                for fps in self.rates
            },
            "delays_ms": {f"{fps:g}": self._delays(fps) for fps in self.rates},
            "faults": [
                {**{name: value for name, value in asdict(play.endured).items() if name != "failures"},
                 "good": play.endured.good}
                for play in self.plays if play.endured is not None
            ],
            "goals": [
                {"name": goal.name, "figure": goal.figure, "bound": goal.bound, "least": goal.least, "met": goal.met}
                for goal in self.goals()
            ],
            "out_of_step_frames": dict(sum((Counter(play.out_of_step) for play in self._measured), Counter[str]())),
            "failure_kinds": self.failure_kinds(),
        }  # fmt: skip

    def _values_of_seats(self, seats: int) -> dict[str, int]:
        plays = [play.values for play in self._measured if play.seats == seats]
        names = (
            "thrown", "rolls", "right", "wrong", "refused", "short", "leaning", "early", "of_nothing",
            "wrong_elsewhere",
        )  # fmt: skip
        return {name: sum(getattr(each, name) for each in plays) for name in names}

    def _delays(self, fps: float) -> dict[str, float | None]:
        delays = [ms for play in self.at(fps) for ms in play.values.delays_ms]
        return {"median": _number(percentile(delays, 0.5), 1), "p99": _number(percentile(delays, 0.99), 1)}

    def __str__(self) -> str:
        seconds = sum(play.seconds for play in self.plays)
        lines = [f"{len(self.plays)} plays, {seconds:.0f} s at the table", ""]
        told = self.as_dict()
        lines.append("seats   thrown    rolls    right    wrong  refused   short leaning   early  nothing  elsewhere")
        for seats, row in told["seats"].items():
            lines.append(
                f"{seats:>5}{row['thrown']:9}{row['rolls']:9}{row['right']:9}{row['wrong']:9}{row['refused']:9}"
                f"{row['short']:8}{row['leaning']:8}{row['early']:8}{row['of_nothing']:9}{row['wrong_elsewhere']:11}"
            )
        for fps, kinds in told["kinds"].items():
            delays = told["delays_ms"][fps]
            lines += ["", f"at {fps} frames a second: rest to value median {delays['median']}, 99th {delays['p99']} ms"]
            lines.append(f"  {'kind':18}{'found':>7}{'false':>7}{'missed':>8}{'precision':>11}{'recall':>8}{'F1':>8}")
            lines += [_kind_row(kind, kinds[kind]) for kind in MEASURED]
        lost = sum((Counter(play.out_of_step) for play in self._measured), Counter[str]())
        frames = sum(play.frames for play in self._measured)
        if frames:
            shares = ", ".join(f"{trouble} {100 * n / frames:.1f} %" for trouble, n in lost.most_common()) or "never"
            lines += ["", f"out of step though nothing was wrong with the camera: {shares} of the frames"]
        disturbed = [play.endured for play in self.plays if play.endured is not None]
        if disturbed:
            lines += ["", "camera faults:", *(f"  {each}" for each in disturbed)]
        if kinds := self.failure_kinds():
            lines += ["", "failures:", *(f"  {count:5}  {kind}" for kind, count in kinds.items())]
        lines += ["", "goals:", *(f"  {goal}" for goal in self.goals())]
        return "\n".join(lines)


def _kind_row(kind: str, row: Mapping[str, Any]) -> str:
    shares = "".join(f"{'-' if row[name] is None else format(row[name], '.3f'):>{wide}}" for name, wide in _SHARES)
    return f"  {kind:18}{row['found']:7}{row['false']:7}{row['missed']:8}{shares}"


_SHARES = (("precision", 11), ("recall", 8), ("f1", 8))


def _number(value: float, digits: int = 4) -> float | None:
    return None if isnan(value) else round(value, digits)
