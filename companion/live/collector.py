"""Which came first: presses and sightings brought into the order in which they happened, whatever order they came in.

Pure: time is given, nothing waits. A press is held back until no earlier edge can still arrive and until the dice at
the press are known; presses that could tie leave together. What was seen after a press that is still held back waits
behind it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from device.buttons.base import Press
from rules.events import Submission

__all__ = ["Collector", "Sighting", "Timing"]

_MS = 1_000_000


@dataclass(frozen=True, slots=True)
class Timing:
    """How long things may take.

    Attributes:
        tie_ns: presses this close to one another cannot be told apart.
        transport_ns: an edge reaches the collector at most this much later (debounce, thread switches, pins polled
            together).
        evidence_ns: a press waits for the reading of the dice at the press, at most for frames exposed this long after
            it: dice that came to rest just before it are told by then.
        window_ns: a chain of presses is cut this long after its first, whoever keeps pressing.
    """

    tie_ns: int = 10 * _MS
    transport_ns: int = 60 * _MS
    evidence_ns: int = 500 * _MS
    window_ns: int = 250 * _MS


@dataclass(frozen=True, slots=True)
class Sighting:
    """Something seen that became a submission.

    Attributes:
        submission: for the referee.
        at_ns: when it happened, not when it was noticed.
        seat: whose dice; None for a card.
        begins: True when a press before `at_ns` must be judged without it (dice lifted, a card turned); False for
            what only tells how an earlier throw ended.
    """

    submission: Submission[Any]
    at_ns: int
    seat: int | None
    begins: bool


class Collector:
    """Holds presses and sightings until their order is certain."""

    def __init__(self, timing: Timing | None = None) -> None:
        self.timing = timing or Timing()
        self._presses: list[Press] = []
        self._held: list[Sighting] = []
        self._ready: list[Sighting] = []
        self._known_ns: dict[int, int] = {}
        self._watching = False
        self._reading_ns = 0

    @property
    def waiting(self) -> tuple[Press, ...]:
        """The presses that are held back, by edge."""
        return tuple(self._presses)

    def press(self, press: Press) -> None:
        """Take in a press, in any order."""
        self._presses.append(press)
        self._presses.sort(key=_by_edge)

    def sighted(self, sightings: Iterable[Sighting]) -> None:
        """Take in what was seen, in the order in which it was noticed."""
        for sighting in sightings:
            (self._held if self._must_wait(sighting) else self._ready).append(sighting)

    def watched(self, exposed_ns: int, still_seats: Iterable[int], reading_ns: int = 0) -> None:
        """A frame exposed at `exposed_ns` was read; the dice of `still_seats` are known as of then.

        `reading_ns` is how long a frame now takes from its exposure to here, plus the time between frames: on a slow
        machine a press waits that much longer for its evidence.
        """
        self._watching = True
        self._reading_ns = reading_ns
        for seat in still_seats:
            self._known_ns[seat] = max(exposed_ns, self._known_ns.get(seat, 0))

    def blind(self) -> None:
        """No camera is watching: presses wait for no reading."""
        self._watching = False

    def due(self, now_ns: int) -> list[tuple[Press, ...] | Submission[Any]]:
        """What is certain by now, in the order in which it happened."""
        out: list[tuple[Press, ...] | Submission[Any]] = [sighting.submission for sighting in self._ready]
        self._ready.clear()
        while self._presses:
            group = self._first_group()
            if now_ns < self._certain_ns(group):
                break
            del self._presses[: len(group)]
            out.append(group)
            waiting, self._held = self._held, []
            self.sighted(waiting)
            out.extend(sighting.submission for sighting in self._ready)
            self._ready.clear()
        return out

    def next_due_ns(self) -> int | None:
        """When to ask again at the latest; None when nothing is held back."""
        if self._ready:
            return 0
        return self._certain_ns(self._first_group()) if self._presses else None

    def _must_wait(self, sighting: Sighting) -> bool:
        if sighting.seat is not None and any(held.seat == sighting.seat for held in self._held):
            return True
        return sighting.begins and bool(self._presses) and self._presses[0].edge_ns < sighting.at_ns

    def _first_group(self) -> tuple[Press, ...]:
        first = self._presses[0]
        group = [first]
        for press in self._presses[1:]:
            if press.edge_ns - group[-1].edge_ns > self.timing.tie_ns:
                break
            if press.edge_ns - first.edge_ns > self.timing.window_ns:
                break
            group.append(press)
        return tuple(group)

    def _certain_ns(self, group: tuple[Press, ...]) -> int:
        """When the group can be judged: no edge that belongs before or into it can still come, and dice are known."""
        last_ns = group[-1].edge_ns
        certain_ns = last_ns + self.timing.tie_ns + self.timing.transport_ns
        if not self._watching:
            return certain_ns
        unknown = [press for press in group if self._known_ns.get(press.seat, -1) < press.edge_ns]
        patience_ns = self.timing.evidence_ns + self._reading_ns
        return max([certain_ns, *(press.edge_ns + patience_ns for press in unknown)])


def _by_edge(press: Press) -> tuple[int, int, str]:
    return (press.edge_ns, press.seat, press.button)
