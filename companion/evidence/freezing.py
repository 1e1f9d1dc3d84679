"""Which frames answer for a press or an infraction, and what they make sure of: pure, time is given.

A press is answered by the frame whose exposure begins nearest after its edge; no frame that was exposed before it
ever answers. What such a frame shows may only be known some frames later (a value is told once several frames agree):
a die that, by what is told later, lay at rest in the frozen frame already has that value in it; one whose rest began
later was still moving.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

import msgspec

from companion.evidence.records import CameraWords, DieThen, Evidence, FrameKept, Kind, PressThen
from companion.evidence.ring import Ring, RingFrame
from device.buttons.base import Press
from device.clock import NS_PER_S
from vision.tracking.happenings import DieState

__all__ = ["AROUND_NS", "CLIP_NS", "MOST_FRAMES", "PATIENCE_NS", "Freezer", "Frozen", "Wanted", "dice_in"]

AROUND_NS: Final = NS_PER_S // 2
"""So much before the first press and after the last belongs to the evidence of a claim."""
CLIP_NS: Final = 3 * NS_PER_S
"""So much before an infraction belongs to its clip; half a second after it too."""
PATIENCE_NS: Final = 4 * NS_PER_S
"""A watching camera is given so long, after the moment, to bring the later frames; a slow machine reads late."""
MOST_FRAMES: Final = 72
"""More frames than this are thinned, those far from the moment first: 1 s at 60 frames a second is kept whole."""
KEPT_PRESSES: Final = 200


@dataclass(frozen=True, slots=True)
class Wanted:
    """Evidence that an entry asks for. `edges` are seat, button and edge of the presses that it rules on."""

    match: str
    seq: int
    kind: Kind
    at_ns: int
    timed: bool = True
    wall: str | None = None
    seats: tuple[int, ...] = ()
    detail: str = ""
    places: tuple[int, ...] = ()
    edges: tuple[tuple[int, str, int], ...] = ()

    @property
    def first_ns(self) -> int:
        """Where the wanted frames begin."""
        return self.at_ns - (CLIP_NS if self.kind == "infraction" else AROUND_NS)

    @property
    def last_ns(self) -> int:
        """Where they end."""
        return max([self.at_ns, *(edge_ns for *_, edge_ns in self.edges)]) + AROUND_NS


@dataclass(frozen=True, slots=True)
class Frozen:
    """Evidence that is complete, and its pictures in the order of its frames."""

    evidence: Evidence
    pictures: tuple[bytes, ...]


@dataclass(slots=True)
class Freezer:
    """Holds what is wanted until the frames after the moment have come. Used by one thread.

    Attributes:
        ring: the frames; whoever owns the freezer adds to it.
        dropped_ns: exposures of frames that could not be kept.
    """

    ring: Ring = field(default_factory=Ring)
    dropped_ns: deque[int] = field(default_factory=lambda: deque(maxlen=1000))
    _wanted: list[Wanted] = field(default_factory=list)
    _presses: deque[Press] = field(default_factory=lambda: deque(maxlen=KEPT_PRESSES))
    _camera: CameraWords = "none"
    _problem: str | None = None

    @property
    def waiting(self) -> tuple[Wanted, ...]:
        """What is not complete yet."""
        return tuple(self._wanted)

    def press(self, press: Press) -> None:
        """Remember a press, of whatever seat and button."""
        self._presses.append(press)

    def want(self, wanted: Wanted) -> None:
        """Ask for evidence."""
        self._wanted.append(wanted)

    def camera(self, state: CameraWords, problem: str | None = None) -> None:
        """Take in how the camera is now."""
        self._camera, self._problem = state, problem

    def due(self, now_ns: int, *, at_once: bool = False) -> list[Frozen]:
        """What is complete by now, in the order in which it was asked for; `at_once`: as far as it has come."""
        done = [wanted for wanted in self._wanted if at_once or now_ns >= self._due_ns(wanted)]
        self._wanted = [wanted for wanted in self._wanted if wanted not in done]
        return [self._freeze(wanted) for wanted in done]

    def next_due_ns(self) -> int | None:
        """When to ask again at the latest, without any new frame; None while nothing is wanted."""
        return min((self._due_ns(wanted) for wanted in self._wanted), default=None)

    def _due_ns(self, wanted: Wanted) -> int:
        newest_ns = self.ring.newest_ns()
        if newest_ns is not None and newest_ns >= wanted.last_ns:
            return 0
        return wanted.last_ns + (PATIENCE_NS if self._camera == "watching" else 0)

    def _freeze(self, wanted: Wanted) -> Frozen:
        answer = self.ring.answering(wanted.at_ns)
        if self._camera == "none":  # what the ring still has is of another time
            answer, found = None, []
        else:
            found = self.ring.between(wanted.first_ns, wanted.last_ns)
            answers = [self.ring.answering(edge_ns) for *_, edge_ns in wanted.edges]
            known = {frame.sequence for frame in found}
            for late in (answer, *answers):  # a halting camera may answer after the window
                if late is not None and late.sequence not in known:
                    found.append(late)
                    known.add(late.sequence)
        frames = _thinned(found, [wanted.at_ns, *(edge_ns for *_, edge_ns in wanted.edges)])
        numbers = {frame.exposure_start_ns: number for number, frame in enumerate(frames)}

        def number_of(edge_ns: int) -> int | None:
            return next((n for at_ns, n in numbers.items() if at_ns >= edge_ns), None)

        frozen = number_of(wanted.at_ns) if answer is not None else None
        camera: CameraWords = self._camera
        if camera == "watching" and frozen is None:
            camera = "silent"
        kept = tuple(
            FrameKept(
                f"{number:03}.jpg",
                frame.exposure_start_ns,
                frame.exposure_start_ns - wanted.at_ns,
                frame.sequence,
                frame.size_wh,
                sha256(frame.jpeg).hexdigest(),
                frame.dice,
            )
            for number, frame in enumerate(frames)
        )
        evidence = Evidence(
            match=wanted.match,
            seq=wanted.seq,
            kind=wanted.kind,
            at_ns=wanted.at_ns,
            timed=wanted.timed,
            wall=wanted.wall,
            seats=wanted.seats,
            detail=wanted.detail,
            places=wanted.places,
            camera=camera,
            problem=self._problem,
            frozen=frozen,
            dice=() if frozen is None else dice_in(kept, frozen),
            presses=tuple(self._pressed(wanted, number_of)),
            frames=kept,
            frames_dropped=sum(wanted.first_ns <= at_ns <= wanted.last_ns for at_ns in self.dropped_ns),
        )
        return Frozen(evidence, tuple(frame.jpeg for frame in frames))

    def _pressed(self, wanted: Wanted, number_of: Callable[[int], int | None]) -> Iterable[PressThen]:
        """The presses of all seats from half a second before the first to half a second after the last."""
        first_ns = wanted.at_ns - AROUND_NS
        meant = {(seat, edge_ns): button for seat, button, edge_ns in wanted.edges}  # of a seat's only button
        near = {
            (press.seat, _button(press, meant), press.edge_ns): press
            for press in self._presses
            if first_ns <= press.edge_ns <= wanted.last_ns
        }
        ruled = set(wanted.edges)
        for seat, button, edge_ns in sorted({*near, *ruled}, key=lambda each: (each[2], each[0], each[1])):
            press = near.get((seat, button, edge_ns))
            yield PressThen(
                seat,
                button,
                edge_ns,
                edge_ns - wanted.at_ns if edge_ns else 0,
                (seat, button, edge_ns) in ruled,
                number_of(edge_ns) if edge_ns else None,
                press is not None and press.kernel_timed,
                "" if press is None else press.source,
            )


def _button(press: Press, meant: Mapping[tuple[int, int], str]) -> str:
    """Which button a press was: a seat's only one is what the game took it for."""
    return meant.get((press.seat, press.edge_ns), press.button) if press.button == "switch" else press.button


def dice_in(frames: Sequence[FrameKept], number: int) -> tuple[DieThen, ...]:
    """Every die as it lay in frame `number`, by what that frame and those after it make sure.

    A die that is said to be rolling in that frame only because its value was not told yet is settled in it when a later
    frame tells that its rest had begun by then, and nothing moved it in between. A die whose rest began later keeps
    no value.
    """
    frame = frames[number]
    at_ns = frame.exposure_start_ns
    return tuple(_as_it_lay(die, at_ns, frames[number + 1 :]) for die in frame.dice)


def _as_it_lay(die: DieThen, at_ns: int, later: Sequence[FrameKept]) -> DieThen:
    if die.state is not DieState.ROLLING:
        return die
    for frame in later:
        then = next((each for each in frame.dice if each.track == die.track), None)
        if then is None or then.state is DieState.ROLLING:
            continue
        if then.state in (DieState.SETTLED, DieState.COCKED) and then.rest_ns is not None and then.rest_ns <= at_ns:
            return msgspec.structs.replace(
                die, state=then.state, value=then.value, reason=then.reason, rest_ns=then.rest_ns, place=then.place
            )
        break
    return die


def _thinned(frames: list[RingFrame], moments_ns: Sequence[int]) -> list[RingFrame]:
    """At most MOST_FRAMES: those within half a second of the moments first, of the others evenly as many as fit."""
    frames = sorted(frames, key=lambda frame: frame.exposure_start_ns)
    if len(frames) <= MOST_FRAMES:
        return frames
    answers = {
        next((frame.sequence for frame in frames if frame.exposure_start_ns >= moment_ns), -1)
        for moment_ns in moments_ns
    }
    first_ns, last_ns = min(moments_ns) - AROUND_NS, max(moments_ns) + AROUND_NS
    near = [f for f in frames if first_ns <= f.exposure_start_ns <= last_ns]
    far = [f for f in frames if not first_ns <= f.exposure_start_ns <= last_ns]
    room = max(MOST_FRAMES - len(near), MOST_FRAMES // 4)
    chosen = _evenly(far, room) + _evenly(near, MOST_FRAMES - min(room, len(far)))
    known = {frame.sequence for frame in chosen}
    chosen += [frame for frame in frames if frame.sequence in answers - known]
    return sorted(chosen, key=lambda frame: frame.exposure_start_ns)


def _evenly(frames: list[RingFrame], count: int) -> list[RingFrame]:
    if len(frames) <= count:
        return frames
    return [frames[number * len(frames) // count] for number in range(count)]
