"""Debounce as a pure function of edges and time: the first edge counts, the line re-arms after quiet.

A switch bounces: one press is a burst of edges. The press is stamped with the first edge of its burst, so a
noisy switch never loses a race to a clean one. It is told once the contact has stayed closed for `hold_ns`,
so that a spike picked up by a long wire is not a press; the wait delays the telling, never the stamp.
After a press the line must be open and quiet for `quiet_ns` before the next one counts.

What is no press but tells that something is wrong with a switch or a wire is kept apart, as a LineTrouble.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Final, Generic, Literal, TypeVar

__all__ = ["DEFAULT_TIMES", "DebounceTimes", "DebouncedEdge", "Debouncer", "LineTrouble", "TroubleKind"]

Line = TypeVar("Line", bound=Hashable)
_MS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class DebounceTimes:
    """The times of the debounce, in nanoseconds.

    `hold_ns`: closed this long without a break makes a press (arcade switches bounce for 1 to 8 ms;
    nobody presses for less than 20 ms). `gap_ns`: an open stretch shorter than this is inside one burst,
    a longer one ends it. `quiet_ns`: open this long after a press arms the line again. `burst_ns`: a burst that
    has not settled by then is a broken contact or crosstalk; it is dropped, so that it never holds others up.
    `stuck_ns`: a button that is down for longer is stuck, or something lies on it. `together_ns`: edges of two lines
    this close are more likely one disturbance in two wires than two people (two who press within 10 ms of one
    another, and do so often, are this close once in fifty times).
    """

    hold_ns: int = 5 * _MS
    gap_ns: int = 10 * _MS
    quiet_ns: int = 20 * _MS
    burst_ns: int = 60 * _MS
    stuck_ns: int = 10_000 * _MS
    together_ns: int = _MS // 5

    def __post_init__(self) -> None:
        times = (self.hold_ns, self.gap_ns, self.quiet_ns, self.burst_ns, self.stuck_ns, self.together_ns)
        if min(times) < 0:
            raise ValueError(f"debounce times must be 0 or more, not {self}")


DEFAULT_TIMES: Final = DebounceTimes()


@dataclass(frozen=True, slots=True)
class DebouncedEdge(Generic[Line]):
    """A press: which line, and when its first edge was."""

    line: Line
    edge_ns: int


TroubleKind = Literal["spike", "chatter", "stuck", "together"]
"""A closed contact too short for a press; one that does not settle; one that stays; two lines at the same instant."""


@dataclass(frozen=True, slots=True)
class LineTrouble(Generic[Line]):
    """Something wrong with a switch or a wire: what kind, on which line or lines, and when it began."""

    kind: TroubleKind
    lines: tuple[Line, ...]
    at_ns: int


@dataclass(slots=True)
class _LineState:
    closed: bool = False
    last_edge_ns: int | None = None  # the last change of level
    burst_start_ns: int | None = None  # first edge of a press that is not told yet
    held: bool = False  # a press was told and the line is not armed again
    stuck_told: bool = False


class Debouncer(Generic[Line]):
    """Turns raw edges of any number of lines into presses, in the order of their first edges.

    Feed every edge with `edge`; ask with `due` for what has become certain. A press is kept back while
    another line with an earlier first edge is still undecided, so presses come out sorted by time.
    Lines that are closed when the program starts count only after they were opened.
    """

    def __init__(
        self, lines: Iterable[Line], *, times: DebounceTimes = DEFAULT_TIMES, closed: Iterable[Line] = ()
    ) -> None:
        self._times = times
        self._states: dict[Line, _LineState] = {line: _LineState() for line in lines}
        self._ready: list[DebouncedEdge[Line]] = []
        self._troubles: list[LineTrouble[Line]] = []
        self._last_began: tuple[Line, int] | None = None
        for line in closed:
            state = self._states[line]
            state.closed = state.held = True

    def edge(self, line: Line, edge_ns: int, closed: bool) -> None:
        """Take in one edge. Edges of one line come in order of time; a repeated level is ignored."""
        state = self._states[line]
        if state.last_edge_ns is not None and edge_ns < state.last_edge_ns:
            edge_ns = state.last_edge_ns
        if closed == state.closed:
            return
        self._decide(line, state, edge_ns)
        open_ns = None if state.last_edge_ns is None else edge_ns - state.last_edge_ns
        if closed:
            if state.held and (open_ns is None or open_ns >= self._times.quiet_ns):
                state.held = False
            burst_over = open_ns is None or open_ns >= self._times.gap_ns
            if not state.held and (state.burst_start_ns is None or burst_over):
                state.burst_start_ns = edge_ns
                self._note_together(line, edge_ns)
        state.closed = closed
        state.stuck_told = False
        state.last_edge_ns = edge_ns
        if closed and self._times.hold_ns == 0:
            self._decide(line, state, edge_ns)

    def due(self, now_ns: int) -> list[DebouncedEdge[Line]]:
        """The presses that are certain at `now_ns`, sorted by their first edge.

        Presses of the very same nanosecond come out in no meaningful order: that is a tie.
        """
        for line, state in self._states.items():
            self._decide(line, state, now_ns)
            open_since_ns = None if state.closed or state.burst_start_ns is None else state.last_edge_ns
            began_ns = state.burst_start_ns
            if began_ns is not None and open_since_ns is not None and now_ns - open_since_ns >= self._times.gap_ns:
                state.burst_start_ns = None  # opened and stayed open
                self._troubles.append(LineTrouble("spike", (line,), began_ns))
            elif began_ns is not None and now_ns - began_ns > self._times.burst_ns:
                state.burst_start_ns = None
                self._troubles.append(LineTrouble("chatter", (line,), began_ns))
            closed_since_ns = state.last_edge_ns if state.closed else None
            if closed_since_ns is not None and not state.stuck_told and now_ns - closed_since_ns > self._times.stuck_ns:
                state.stuck_told = True
                self._troubles.append(LineTrouble("stuck", (line,), closed_since_ns))
        undecided = [s.burst_start_ns for s in self._states.values() if s.burst_start_ns is not None]
        barrier_ns = min(undecided, default=None)
        told = [press for press in self._ready if barrier_ns is None or press.edge_ns <= barrier_ns]
        self._ready = [press for press in self._ready if press not in told]
        return sorted(told, key=lambda press: press.edge_ns)

    @property
    def pending(self) -> bool:
        """True while an edge has been seen whose meaning only time will tell, so `due` must be asked again."""
        return bool(self._ready) or any(s.burst_start_ns is not None for s in self._states.values())

    @property
    def down(self) -> bool:
        """True while some line is closed, so that `due` must be asked again lest it be stuck."""
        return any(state.closed and not state.stuck_told for state in self._states.values())

    def troubles(self) -> list[LineTrouble[Line]]:
        """What went wrong since this was last asked, oldest first. Presses are never held back or dropped for it."""
        told, self._troubles = self._troubles, []
        return told

    def _note_together(self, line: Line, edge_ns: int) -> None:
        last, self._last_began = self._last_began, (line, edge_ns)
        if last is not None and last[0] != line and abs(edge_ns - last[1]) <= self._times.together_ns:
            self._troubles.append(LineTrouble("together", (last[0], line), min(edge_ns, last[1])))

    def _decide(self, line: Line, state: _LineState, now_ns: int) -> None:
        if not state.closed or state.burst_start_ns is None or state.last_edge_ns is None:
            return
        if now_ns - state.last_edge_ns >= self._times.hold_ns:
            self._ready.append(DebouncedEdge(line, state.burst_start_ns))
            state.burst_start_ns = None
            state.held = True
