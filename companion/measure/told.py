"""What a tracker told of a play, frame by frame, beside what was true at those times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from companion.measure.alarms import Alarm
from device.simulated.play.truth import TrueDie, TrueHappening
from vision.images import Image
from vision.readings import Point, Unreadable
from vision.tracking.happenings import DieState, Happening, OutOfStep, Watched

__all__ = ["AT_REST", "Die", "Script", "Shot", "Told", "TruePress", "Watching", "die_of", "told_of"]

Die = tuple[int, int]
"""A true die: its seat, and which of the seat's dice it is."""

AT_REST = ("settled", "cocked", "covered")
"""States in which a true die lies still on the table."""


def die_of(true: TrueDie | TrueHappening) -> Die:
    """Which die this is of."""
    return true.seat, true.index


class Script(Protocol):
    """A simulated play as far as it is watched here; `device.simulated.play` makes them."""

    @property
    def happenings(self) -> Sequence[TrueHappening]:
        """Everything that happens, by the time at which it was over."""

    @property
    def presses(self) -> Sequence[tuple[int, int]]:
        """(seat, edge_ns) of every press."""

    @property
    def end_ns(self) -> int:
        """When it is over."""

    def truth(self, at_ns: int) -> tuple[TrueDie, ...]:
        """Every die as it is at that time."""

    def render(self, exposure_start_ns: int, exposure_ns: int = ...) -> Image:
        """The (H, W, 3) uint8 BGR picture of an exposure that begins then."""


@dataclass(frozen=True, slots=True)
class Told:
    """What was told of one track with one frame; the words are those of `TrackedDie`."""

    id: int
    state: DieState
    value: int | None
    reason: Unreadable | None
    seen: bool
    centre_px: Point
    outline_px: tuple[Point, ...] = ()

    @property
    def states_value(self) -> bool:
        """It says that the die lies still and shows this value now; a covered one only remembers it."""
        return self.state is DieState.SETTLED and self.value is not None


@dataclass(frozen=True, slots=True)
class Shot:
    """One frame: what was told with it and what was true.

    Attributes:
        at_ns: start of the exposure.
        number: which frame of the play, from 0, as it would be without any disturbance.
        told: every die that was told, none while out of step.
        happenings: what was told to have happened.
        out_of_step: why nothing counts; None while all is well.
        shows_ns: start of the exposure that its picture shows: `at_ns`, but of a camera that sends an old one again.
        true: every true die in that picture, at the start of its exposure; places (`centre_px`, `top_px`) are of its
            middle.
        pairs: of which die each track is; see `pairing`. Filled in afterwards.
    """

    at_ns: int
    number: int
    told: tuple[Told, ...]
    happenings: tuple[Happening, ...]
    out_of_step: OutOfStep | None
    shows_ns: int
    true: Mapping[Die, TrueDie]
    pairs: dict[int, Die] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TruePress:
    """A press of a seat's button, its edge in ns, and how every die truly was at that very time."""

    seat: int
    edge_ns: int
    true: Mapping[Die, TrueDie]


@dataclass(frozen=True, slots=True)
class Watching:
    """One play that was watched from begin to end.

    Attributes:
        name: which play it was, for people: its kind, seats, seed and frames a second.
        kind: the kind of play.
        seats: people at the table.
        fps: frames a second.
        shots: every frame, in the order in which the tracker had them.
        happenings: what truly happened.
        presses: every press, with what was true at its edge.
        alarms: what a judge would have been shown, if the kind is CLEAN: of any other it is not asked.
    """

    name: str
    kind: str
    seats: int
    fps: float
    shots: Sequence[Shot]
    happenings: Sequence[TrueHappening]
    presses: Sequence[TruePress] = ()
    alarms: Sequence[Alarm] = ()

    @property
    def frame_ns(self) -> int:
        """From one frame to the next."""
        return round(1e9 / self.fps)

    @property
    def seconds(self) -> float:
        """How long it was watched."""
        return (self.shots[-1].at_ns - self.shots[0].at_ns + self.frame_ns) / 1e9 if self.shots else 0.0


def told_of(watched: Watched) -> tuple[Told, ...]:
    """The dice of a `Watched`, as far as they count: none while out of step."""
    if watched.out_of_step is not None:
        return ()
    return tuple(
        Told(die.id, die.state, die.value, die.reason, die.seen, die.centre_px, die.reading.outline_px)
        for die in watched.dice
    )
