"""The times for which true dice lay still, from what happened to them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.measure.told import AT_REST, Die, Shot, Watching, die_of
from device.simulated.play.truth import TrueHappening

__all__ = ["VISIBLE", "Rest", "rests"]

VISIBLE = 0.9
"""A die of whose upper face less is seen cannot be asked for: a pip may be hidden."""
_ENDS_AT_REST = frozenset(["settled", "cocked", "rolled", "slid", "set back", "nudged", "dropped", "came back"])
_TUMBLED = frozenset(["rolled", "dropped"])


@dataclass(frozen=True, slots=True)
class Rest:
    """One die lying still.

    Attributes:
        die: which.
        from_ns: when it came to rest.
        until_ns: when it was next touched, or the play was over.
        value: what it shows; None when it leans.
        after: the kinds of what ended here.
        shots: the frames whose exposure began meanwhile, in order of time.
        visible: those of them that see the whole upper face.
    """

    die: Die
    from_ns: int
    until_ns: int
    value: int | None
    after: frozenset[str]
    shots: tuple[Shot, ...]
    visible: tuple[Shot, ...]

    @property
    def tumbled(self) -> bool:
        """It came to rest after a roll, in the air or on the table."""
        return bool(self.after & _TUMBLED)

    @property
    def seen_from_ns(self) -> int | None:
        """From when on it could be read: its begin, or later when something hid it then; None when never."""
        if not self.visible:
            return None
        first = self.visible[0]
        return self.from_ns if first is self.shots[0] else first.at_ns

    def visible_s(self, frame_ns: int) -> float:
        """For how long it could be read, in seconds."""
        return len(self.visible) * frame_ns / 1e9


def rests(watching: Watching) -> list[Rest]:
    """All rests that began during the play, by time."""
    shots = sorted(watching.shots, key=_time)
    end_ns = max((shot.at_ns for shot in shots), default=0) + watching.frame_ns
    of: dict[Die, list[TrueHappening]] = {}
    for each in watching.happenings:
        of.setdefault(die_of(each), []).append(each)
    found = [rest for die, happened in of.items() for rest in _of_die(die, happened, shots, end_ns)]
    return sorted(found, key=lambda rest: (rest.from_ns, rest.die))


def _of_die(die: Die, happened: Sequence[TrueHappening], shots: Sequence[Shot], end_ns: int) -> Iterable[Rest]:
    ends = {each.ended_ns: each for each in happened if each.kind in _ENDS_AT_REST}
    for from_ns, last in sorted(ends.items()):
        until_ns = min((each.began_ns for each in happened if each.began_ns >= from_ns < each.ended_ns), default=end_ns)
        if min(until_ns, end_ns) <= from_ns:
            continue
        first, last_but = bisect_left(shots, from_ns, key=_time), bisect_left(shots, until_ns, key=_time)
        within = tuple(shot for shot in shots[first:last_but] if die in shot.true)
        visible = tuple(
            shot for shot in within if shot.true[die].visible >= VISIBLE and shot.true[die].state in AT_REST
        )
        after = frozenset(each.kind for each in happened if each.ended_ns == from_ns)
        yield Rest(die, from_ns, until_ns, last.value, after, within, visible)


def _time(shot: Shot) -> int:
    return shot.at_ns
