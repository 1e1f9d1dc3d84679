"""What was told to have happened, matched one to one with what truly happened to the same die.

A told happening is of the die on which its track lies when it is told, or lay last before. One that takes a die away
(lifted, left the table) is of the die on which the track lay when it began: out of a hand a track may come back with
another die of the same seat. Both must be of one kind and of one time:

- What ends with a die at rest (rolled, slid, set back, nudged, dropped, cocked, settled, came back) is timed by that
  rest, of which the tracker tells the first frame. It may be off by `SLACK_NS`, half a second: the 400 ms within which
  a value must be told, and a frame at 15 a second, rounded up. While a hand or another die hides the die nobody can
  know when it came to rest, so the time for which it is hidden is added after its end; and before its begin
  for a die that was already out of sight. A frame in which the camera shows an old picture again sees nothing.
- What begins with a die at rest (lifted) is timed by the end of that rest: a hand covers a die before it takes it up,
  and is gone only when it has. It may be told to have begun from the last frame that saw the die, until the lift is
  over, with `SLACK_NS` on both sides.
- What has no rest (left the table, touched) must overlap the truth, widened by `SLACK_NS` on both sides. A die that
  left the table without any frame that shows it rolling is not asked for.

To be dropped is a suspicion beside a roll: to tell that a dropped die rolled is neither right nor wrong.

Rolls come some seconds apart, so no window reaches the next one of a die.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import nan

from companion.measure.assign import one_to_one
from companion.measure.failures import Failure
from companion.measure.told import Die, Shot, Watching, die_of
from device.simulated.play.truth import TrueHappening
from vision.tracking.happenings import Happening

__all__ = ["MEASURED", "SLACK_NS", "KindScore", "Kinds", "Match", "kinds_of"]

SLACK_NS = 500_000_000
_IN_SIGHT = 0.5
MEASURED = ("rolled", "slid", "lifted", "set back", "left the table", "cocked", "dropped", "touched", "nudged")
"""Kinds that are scored; the others (settled, came back) say nothing more than the states of the dice."""
_TAKES_AWAY = frozenset(["lifted", "left the table"])
_ENDS_AT_REST = frozenset(["rolled", "slid", "set back", "nudged", "dropped", "cocked"])


@dataclass(frozen=True, slots=True)
class Match:
    """A true happening, a told one, or both where they are the same; `die` None where what was told is of none."""

    true: TrueHappening | None
    told: Happening | None
    die: Die | None

    @property
    def kind(self) -> str:
        """Which kind it is of."""
        if self.told is not None:
            return str(self.told.kind)
        assert self.true is not None
        return self.true.kind


@dataclass(slots=True)
class KindScore:
    """How often a kind was told rightly, told without being so, and not told."""

    found: int = 0
    false: int = 0
    missed: int = 0

    @property
    def precision(self) -> float:
        """Share of what was told that is so; nan when nothing was told."""
        told = self.found + self.false
        return self.found / told if told else nan

    @property
    def recall(self) -> float:
        """Share of what is so that was told; nan when nothing happened."""
        true = self.found + self.missed
        return self.found / true if true else nan

    @property
    def f1(self) -> float:
        """Harmonic mean of both; nan when nothing happened and nothing was told."""
        all_of_it = 2 * self.found + self.false + self.missed
        return 2 * self.found / all_of_it if all_of_it else nan


@dataclass(slots=True)
class Kinds:
    """Scores by kind, all matches, and what was told or happened in place of what should have been."""

    scores: dict[str, KindScore] = field(default_factory=lambda: {kind: KindScore() for kind in MEASURED})
    matches: list[Match] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)


def kinds_of(watching: Watching) -> Kinds:
    """Match one play, whose pairs are filled in."""
    found = Kinds()
    shots = sorted((each for each in watching.shots if each.shows_ns == each.at_ns), key=_time)
    true_of: defaultdict[tuple[str, Die | None], list[TrueHappening]] = defaultdict(list)
    last_ns = shots[-1].at_ns if shots else 0
    for true in watching.happenings:
        if true.kind in MEASURED and true.ended_ns <= last_ns - SLACK_NS:  # later ones could not be told any more
            true_of[true.kind, die_of(true)].append(true)
    told_of: defaultdict[tuple[str, Die | None], list[Happening]] = defaultdict(list)
    for told, die in _attributed(watching.shots):
        if str(told.kind) in MEASURED:
            told_of[str(told.kind), die].append(told)

    def drops(die: Die | None) -> list[Window]:
        return [window(each, shots) for each in true_of["dropped", die]]

    for kind, die in sorted({*true_of, *told_of}, key=lambda each: (each[0], each[1] or (0, 0))):
        true_here, told_here = true_of[kind, die], told_of[kind, die]
        windows = [window(each, shots) for each in true_here]
        pairs = (
            one_to_one(range(len(true_here)), told_here, lambda i, t, w=windows: off_ns(t, w[i]))  # type: ignore[misc]
            if die is not None
            else []
        )
        taken_true, taken_told = {i for i, _ in pairs}, {j for _, j in pairs}
        found.matches += [Match(true_here[i], told_here[j], die) for i, j in pairs]
        found.matches += [
            Match(each, None, die)
            for i, each in enumerate(true_here)
            if i not in taken_true and _shows(each, shots, watching.frame_ns)
        ]
        found.matches += [
            Match(None, each, die)
            for j, each in enumerate(told_here)
            if j not in taken_told
            and not _cut_off(each, kind, die, watching.happenings, last_ns)
            and not (kind == "rolled" and any(off_ns(each, w) is not None for w in drops(die)))
        ]
    for match in found.matches:
        score = found.scores[match.kind]
        score.found += match.true is not None and match.told is not None
        score.false += match.true is None
        score.missed += match.told is None
    found.failures = _failures(found.matches)
    return found


@dataclass(frozen=True, slots=True)
class Window:
    """When a happening must be told to have been: `by_end` judges its end, `by_begin` its begin, else any of it."""

    from_ns: int
    until_ns: int
    by: str


def window(true: TrueHappening, shots: Sequence[Shot]) -> Window:
    """The time within which it may be told to have been; shots are in order of time."""
    die = die_of(true)
    if true.kind in _ENDS_AT_REST:
        seen_ns = _seen_after(die, true.ended_ns, shots)
        return Window(true.ended_ns - SLACK_NS, max(true.ended_ns, seen_ns) + SLACK_NS, "end")
    if true.kind == "lifted":
        seen_ns = _seen_before(die, true.began_ns, shots)
        return Window(min(true.began_ns, seen_ns) - SLACK_NS, true.ended_ns + SLACK_NS, "begin")
    return Window(true.began_ns - SLACK_NS, true.ended_ns + SLACK_NS, "any")


def off_ns(told: Happening, allowed: Window) -> float | None:
    """How far from the middle of the window, None outside."""
    middle = (allowed.from_ns + allowed.until_ns) / 2
    if allowed.by == "any":
        if told.began_ns > allowed.until_ns or told.ended_ns < allowed.from_ns:
            return None
        return abs((told.began_ns + told.ended_ns) / 2 - middle)
    at_ns = told.ended_ns if allowed.by == "end" else told.began_ns
    return abs(at_ns - middle) if allowed.from_ns <= at_ns <= allowed.until_ns else None


def _shows(true: TrueHappening, shots: Sequence[Shot], frame_ns: int) -> bool:
    """Some frame shows it. A die that went over the edge out of a hand, and was never seen rolling, nobody can tell."""
    if true.kind != "left the table":
        return True
    die = die_of(true)
    first, last = (bisect_left(shots, at, key=_time) for at in (true.began_ns, true.ended_ns + frame_ns))
    return any(
        die in shot.true and shot.true[die].state == "rolling" and shot.true[die].visible >= _IN_SIGHT
        for shot in shots[first:last]
    )


def _cut_off(told: Happening, kind: str, die: Die | None, happenings: Sequence[TrueHappening], last_ns: int) -> bool:
    """It is of something true that was over so late that it need not have been told."""
    return any(
        each.kind == kind and die_of(each) == die and each.ended_ns > last_ns - SLACK_NS
        and told.ended_ns >= each.began_ns - SLACK_NS
        for each in happenings
    )  # fmt: skip


def _seen_after(die: Die, at_ns: int, shots: Sequence[Shot]) -> int:
    """The first frame from then on that sees the die."""
    for shot in shots[bisect_left(shots, at_ns, key=_time) :]:
        if die in shot.true and shot.true[die].visible >= _IN_SIGHT and shot.true[die].state != "in hand":
            return shot.at_ns
    return at_ns


def _seen_before(die: Die, at_ns: int, shots: Sequence[Shot]) -> int:
    """The last frame until then that sees the die."""
    for shot in reversed(shots[: bisect_right(shots, at_ns, key=_time)]):
        if die in shot.true and shot.true[die].visible >= _IN_SIGHT:
            return shot.at_ns
    return at_ns


def _attributed(shots: Sequence[Shot]) -> list[tuple[Happening, Die | None]]:
    """All told happenings with the die each is of."""
    told: list[tuple[Happening, Die | None]] = []
    of: defaultdict[int, list[tuple[int, Die]]] = defaultdict(list)
    for shot in shots:
        for track, die in shot.pairs.items():
            of[track].append((shot.at_ns, die))
        for each in shot.happenings:
            paired = of[each.die]
            if str(each.kind) in _TAKES_AWAY:
                until = bisect_right(paired, each.began_ns, key=lambda pair: pair[0])
                paired = paired[: max(1, until)]
            told.append((each, paired[-1][1] if paired else None))
    return told


def _failures(matches: Sequence[Match]) -> list[Failure]:
    """Missed and false ones of one die that fall together are told as one: this for that."""
    false = [match for match in matches if match.true is None]
    failures = []
    used: set[int] = set()
    for match in matches:
        if match.true is None or match.told is not None:
            continue
        true = match.true
        instead = next(
            (
                (i, other.told) for i, other in enumerate(false)
                if i not in used and other.die == match.die and other.told is not None
                and other.told.began_ns <= true.ended_ns + SLACK_NS and other.told.ended_ns >= true.began_ns - SLACK_NS
            ),
            None,
        )  # fmt: skip
        why = f" ({true.why})" if true.why else ""
        if instead is None:
            said = f"{true.kind}{why} {true.before}>{true.value} not told"
            failures.append(Failure(f"{true.kind} missed", true.ended_ns, match.die, None, said, true.began_ns))
            continue
        used.add(instead[0])
        told = instead[1]
        said = f"{true.kind}{why} {true.before}>{true.value} told as {told.kind} {told.before}>{told.value}"
        kind = f"{true.kind} told as {told.kind}"
        if str(told.kind) == true.kind:
            kind = f"{true.kind} told at another time"
            said += f", {(told.ended_ns - true.ended_ns) / 1e6:+.0f} ms"
        failures.append(Failure(kind, told.told_ns, match.die, told.die, said, true.began_ns))
    for i, match in enumerate(false):
        if i not in used and match.told is not None:
            told = match.told
            said = f"{told.kind} {told.before}>{told.value} told, nothing of that kind happened {told.why}".rstrip()
            failures.append(
                Failure(f"{told.kind} told falsely", told.told_ns, match.die, told.die, said, told.began_ns)
            )
    return failures


def _time(shot: Shot) -> int:
    return shot.at_ns


def scores_sum(scores: Sequence[Mapping[str, KindScore]]) -> dict[str, KindScore]:
    """The scores of several plays together."""
    total = {kind: KindScore() for kind in MEASURED}
    for each in scores:
        for kind, score in each.items():
            total[kind].found += score.found
            total[kind].false += score.false
            total[kind].missed += score.missed
    return total
