"""What the dice reader is meant to reach on photographs that it did not learn from, beside what it reaches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vision.outcomes import View

if TYPE_CHECKING:
    from vision.evaluation import Report

__all__ = ["Goal", "goals"]


@dataclass(frozen=True, slots=True)
class Goal:
    """One figure and its bound: at most the bound, or at least when `least` is true."""

    name: str
    figure: float
    bound: float
    least: bool = False

    @property
    def met(self) -> bool:
        """Whether the figure is within the bound."""
        return self.figure >= self.bound if self.least else self.figure <= self.bound

    def __str__(self) -> str:
        mark = "met" if self.met else "NOT MET"
        return f"{self.name:60} {self.figure:7.3g}   {'at least' if self.least else 'at most'} {self.bound:g}   {mark}"


def goals(report: Report) -> list[Goal]:
    """The goals for sources that only test; those of which the report has no dice are left out.

    Shares are in percent of the dice or frames. Inventions are counted once over the photographs with dice and once
    with those that have none.
    """
    tested, views = report.unlearned, report.views(unlearned=True)
    if not tested.dice:
        return []
    found = [Goal("dice wrong, %", tested.share("wrong"), 0.5)]
    easy = [views[view] for view in (View.OVERHEAD, View.MILD) if view in views]
    if dice := sum(tally.dice for tally in easy):
        wrong = sum(tally.wrong for tally in easy)
        found.append(Goal("dice wrong, overhead and mildly oblique, %", 100 * wrong / dice, 0.1))
    found.append(Goal("dice refused or missed, %", tested.share("refused") + tested.share("missed"), 4))
    if View.OVERHEAD in views and (above := views[View.OVERHEAD]).dice:
        found.append(Goal("dice refused or missed, overhead, %", above.share("refused") + above.share("missed"), 2))
    found.append(Goal("invented per 100 frames with dice", tested.invented_per_100_frames, 1))
    if (none := report.without_dice).frames:
        every = 100 * (tested.invented + none.invented) / (tested.frames + none.frames)
        found.append(Goal("invented per 100 frames, those without dice among them", every, 1))
    found.append(Goal("frames wholly right, %", 100 * tested.frames_right / tested.frames, 92, least=True))
    found.append(Goal("expected calibration error", report.calibration_error(unlearned=True), 0.02))
    return found
