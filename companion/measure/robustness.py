"""What a tracker tells when its camera is disturbed: noticed, recovered from, and nothing false meanwhile."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.measure.disturbances import Disturbance
from companion.measure.failures import Failure
from companion.measure.kinds import kinds_of
from companion.measure.told import Die, Watching
from companion.measure.values import values_of

__all__ = ["NOTICED_FRAMES", "RECOVERED_FRAMES", "Endured", "endured"]

NOTICED_FRAMES = 6
"""A fault that can be seen must be told within so many frames of its begin: three that come late, every second one."""
RECOVERED_FRAMES = 60
"""Two seconds after its end all must be well again, at 30 frames a second."""
_AFTER_NS = 4_000_000_000


@dataclass(slots=True)
class Endured:
    """One disturbed play.

    Attributes:
        name: the fault.
        expected: a trouble that had to be told; None where none need be.
        noticed_frames: frames from the begin of the fault to the first that was out of step; None when never.
        recovered_frames: frames from the end of the fault (or from when it was noticed, if that is later) to the first
            that was in step again; None when never.
        trouble: what was told to be wrong; None when nothing.
        false_values: values that were wrong, early or of nothing, from the begin of the fault until 4 s after its end.
        false_happenings: happenings told in that time that were none.
        false_alarms: out of step told before the fault.
    """

    name: str
    expected: str | None
    noticed_frames: int | None = None
    recovered_frames: int | None = None
    trouble: str | None = None
    false_values: int = 0
    false_happenings: int = 0
    false_alarms: int = 0
    failures: list[Failure] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Noticed in time where it must be, recovered in time, nothing false told."""
        noticed = self.expected is None or (
            self.trouble == self.expected and self.noticed_frames is not None and self.noticed_frames <= NOTICED_FRAMES
        )
        recovered = self.noticed_frames is None or (
            self.recovered_frames is not None and self.recovered_frames <= RECOVERED_FRAMES
        )
        return noticed and recovered and not (self.false_values or self.false_happenings or self.false_alarms)

    def __str__(self) -> str:
        noticed = "not told" if self.noticed_frames is None else f"{self.trouble}, frame {self.noticed_frames}"
        back = "" if self.noticed_frames is None else f"back after {self.recovered_frames} frames"
        false = f"false values {self.false_values}, happenings {self.false_happenings}, alarms {self.false_alarms}"
        return f"{self.name:20} {noticed:30} {back:24} {false}   {'good' if self.good else 'NOT GOOD'}"


def endured(watching: Watching, fault: Disturbance, from_ns: int, plain: Watching | None = None) -> Endured:
    """Judge one play whose camera had the fault from `from_ns` on; its pairs are filled in.

    `plain` is the same play without the fault: what is told falsely there as well, of the same die and at about the
    same time, is not the fault's doing and left out.
    """
    until_ns = from_ns + round(fault.lasts_s * 1e9)
    found = Endured(fault.name, None if fault.trouble is None else str(fault.trouble))
    shots = watching.shots
    found.false_alarms = sum(
        1 for before, shot in zip((None, *shots), shots, strict=False)
        if shot.at_ns < from_ns and shot.out_of_step and (before is None or not before.out_of_step)
    )  # fmt: skip
    after = [shot for shot in shots if shot.at_ns >= from_ns]
    noticed = next((k for k, shot in enumerate(after) if shot.out_of_step), None)
    if noticed is not None:
        found.noticed_frames = noticed + 1
        step = after[noticed].out_of_step
        found.trouble = None if step is None else str(step.trouble)
        over = max(noticed, sum(shot.at_ns < until_ns for shot in after) - 1)
        back = next((k for k in range(over, len(after)) if after[k].out_of_step is None), None)
        found.recovered_frames = None if back is None else back - over
    values, kinds = values_of(watching), kinds_of(watching)
    anyway = [] if plain is None else _told_falsely(plain)
    for failure in values.failures:
        if failure.kind in _FALSE_VALUES and from_ns <= failure.at_ns <= until_ns + _AFTER_NS:
            if _among(failure.kind, failure.die, failure.at_ns, anyway):
                continue
            found.false_values += 1
            found.failures.append(failure)
    for match in kinds.matches:
        told = match.told
        if match.true is None and told is not None and from_ns <= told.told_ns <= until_ns + _AFTER_NS:
            if _among(match.kind, match.die, told.told_ns, anyway):
                continue
            found.false_happenings += 1
            said = f"{told.kind} {told.before}>{told.value} told while {fault.name}"
            kind = f"{fault.name}: {told.kind} told falsely"
            found.failures.append(Failure(kind, told.told_ns, match.die, told.die, said, told.began_ns))
    return found


_FALSE_VALUES = frozenset(
    ["wrong value", "value of a leaning die", "value before rest", "value of nothing", "die told twice"]
)
_SAME_NS = 1_000_000_000


def _told_falsely(watching: Watching) -> list[tuple[str, Die | None, int]]:
    """What (kind), of which die and when."""
    values = [(each.kind, each.die, each.at_ns) for each in values_of(watching).failures]
    matches = kinds_of(watching).matches
    return values + [(each.kind, each.die, each.told.told_ns) for each in matches if each.true is None and each.told]


def _among(kind: str, die: Die | None, at_ns: int, anyway: list[tuple[str, Die | None, int]]) -> bool:
    return any(each[:2] == (kind, die) and abs(each[2] - at_ns) <= _SAME_NS for each in anyway)
