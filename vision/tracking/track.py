"""One die followed through frames: what was seen of it, where it lies, and since when."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from math import atan2, dist, hypot, pi

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readings import DieReading, Point, Unreadable
from vision.tracking.glimpse import Glimpse
from vision.tracking.happenings import DieState, Happening, Kind, TrackedDie
from vision.tracking.looks import Look

__all__ = ["Home", "Sample", "Track", "hues", "one_of_each_colour", "place_of", "turn_of", "turned_by"]

_NS_PER_S = 1_000_000_000
_STEP_SIDES = 0.12
_STEP_PX = 0.8
"""Centres that lie no farther apart than this are one place: the reading's own spread is a third of it."""
_SPIN_RAD = 0.3
"""Outlines of a die at rest do not turn by more than this from frame to frame; one that spins on the spot does."""
_UNSEEN_NS = 300_000_000
"""What was read before it was hidden for so long does not say what lies there now."""
_HALF_SEEN = 0.03
_HALF_SEEN_SIDES = 0.5
_ALIKE_HUES = 22.0
_SIZE_MEMORY = 0.9
_CREEP = 0.05
"""A camera that sinks by a hair a frame carries the places along; a die that is pushed leaves its place behind."""
_KEPT = 120
_AT_REST = (DieState.SETTLED, DieState.COCKED, DieState.COVERED)


@dataclass(frozen=True, slots=True)
class Sample:
    """A die as one frame shows it.

    Attributes:
        at_ns: exposure of the frame.
        reading: what was read.
        hue_lab: colour of its body in CIELAB (3,).
        cover: part (0..1) of its surroundings that hands cover.
        handled: a hand is within reach of it.
        moves: pixels on or around it differ from the frame before.
        centre_px: centre of its face's outline.
        place_px: the same by the pips where the value is known, for they are seen more exactly than edges.
        side_px: side of its face.
    """

    at_ns: int
    reading: DieReading
    hue_lab: NDArray[np.float32]
    cover: float
    handled: bool
    moves: bool
    centre_px: Point
    place_px: Point
    side_px: float
    partial: bool = False
    """A hand hides part of it, and nothing but its place can be told."""
    side_mm: float | None = None
    """Side of its face laid on the table, where the place of the table is known."""


@dataclass(frozen=True, slots=True)
class Home:
    """Where a die lay when it last was at rest: `until_ns` is the last frame that shows it there."""

    place_px: Point
    place_mm: Point | None
    side_px: float
    turn_rad: float
    value: int | None
    reason: Unreadable | None
    rest_ns: int
    until_ns: int
    state: DieState = DieState.SETTLED
    confidence: float = 0.0
    look: Look | None = None
    """How the place looked with the die on it, no hand near."""

    def stays(self, glimpse: Glimpse) -> bool:
        """Whether the picture shows the die there, read or not."""
        return self.look is not None and self.look.stays(glimpse)


@dataclass(slots=True)
class Track:
    """A die and its recent past; the tracker alone changes it."""

    id: int
    samples: deque[Sample] = field(default_factory=lambda: deque(maxlen=_KEPT))
    state: DieState = DieState.ROLLING
    since_ns: int = 0
    value: int | None = None
    reason: Unreadable | None = None
    confidence: float = 0.0
    rest_ns: int | None = None
    """Exposure of the first frame of the rest that goes on; None while it moves."""
    anchor_px: Point = (0.0, 0.0)
    home: Home | None = None
    look: Look | None = None
    """How its place looks where it lies still, no hand near; None while it moves."""
    known: bool = False
    """It has settled once, so that it surely is a die."""
    seen_frames: int = 0
    read_otherwise: int = 0
    """In so many of the last frames another value was read where it lies, in plain view."""
    hue_lab: NDArray[np.float32] | None = None
    hue_doubt: float = 0.0
    """How much skin may mix with its colour: the part of its surroundings under a hand, and 1 without a value."""
    colours: Counter[str] = field(default_factory=Counter)
    seen: bool = False
    doubtful: bool = False
    """What is seen of it may be another die."""
    missed: bool = False
    """The frame before did not show it."""
    again_ns: int = 0
    """When it was seen again after it had been hidden for a while."""
    glimpsed_ns: int = -(1 << 62)
    """When a part of it was last seen where it lies, a hand being over the rest."""
    rolled_ns: int = -(1 << 62)
    """Exposure of the last frame that shows it going its way with no hand over it."""
    judged_ns: int = 0
    """When it was last judged whether it leans."""
    doubted_ns: int = -(1 << 62)
    """When that was last in doubt as it came to rest."""
    doubted_at_hand: bool = False
    """That was because a hand was at it."""
    side_px: float = 1.0
    """Side of its face: the median of what was lately seen."""
    side_mm: float | None = None
    """Side of its face laid on the table, by what was seen of it in plain view; None while that is not known."""

    @property
    def last(self) -> Sample:
        """What was last seen of it."""
        return self.samples[-1]

    @property
    def turn_rad(self) -> float:
        """By how much its face is turned in the picture; see `turn_of`."""
        return turn_of(self.last.reading.outline_px)

    @property
    def colour(self) -> str:
        """Name of its colour, by most of its readings."""
        return max(self.colours, key=self.colours.__getitem__)

    @property
    def plain_bgr(self) -> tuple[int, int, int]:
        """Its colour as it was last read with no hand near that shades it."""
        plain = (each for each in reversed(self.samples) if not each.handled and each.reading.value is not None)
        return next(plain, self.last).reading.colour_bgr

    @property
    def at_rest(self) -> bool:
        """It lies where it settled."""
        return self.state in _AT_REST

    def move(self, moved: Callable[[Point], Point]) -> None:
        """The whole picture has moved: all places that are known lie elsewhere in it now."""
        for _ in range(len(self.samples)):
            sample = self.samples.popleft()
            self.samples.append(replace(sample, centre_px=moved(sample.centre_px), place_px=moved(sample.place_px)))
        self.anchor_px, self.look = moved(self.anchor_px), None
        if self.home is not None:
            self.home = replace(self.home, place_px=moved(self.home.place_px), look=None)

    def velocity_px_s(self) -> Point:
        """By its last two samples, if they are not far apart; else nothing is known of it."""
        if len(self.samples) < 2 or self.rest_ns is not None:
            return (0.0, 0.0)
        a, b = self.samples[-2], self.samples[-1]
        gap_s = (b.at_ns - a.at_ns) / _NS_PER_S
        if not 0 < gap_s <= 0.25:
            return (0.0, 0.0)
        (ax, ay), (bx, by) = a.centre_px, b.centre_px
        return ((bx - ax) / gap_s, (by - ay) / gap_s)

    def speed_px_s(self) -> float:
        """See `velocity_px_s`."""
        return hypot(*self.velocity_px_s())

    def hue_gap(self, hue_lab: NDArray[np.float32] | None) -> float:
        """By how much its colour differs from another, in CIELAB; 0 where one is not known, the light having changed.

        Gloss, shade and motion change lightness more than hue, so that it counts half.
        """
        if self.hue_lab is None or hue_lab is None:
            return 0.0
        light, a, b = (hue_lab - self.hue_lab).tolist()
        return hypot(0.5 * light, a, b)

    def like(self, other: Track | Sample) -> bool:
        """Whether it may belong to the same set of dice, by its colour."""
        return self.hue_gap(other.hue_lab) <= _ALIKE_HUES

    def be(self, state: DieState, at_ns: int, *, keep: bool = False) -> None:
        """Take a state; the value goes with the rest unless it is kept."""
        if self.state is not state:
            self.since_ns = at_ns
        self.state = state
        if not keep:
            self.value, self.reason, self.confidence = None, None, 0.0

    def add(self, sample: Sample) -> None:
        """Take in what a frame shows of it, and whether it still lies where it lay."""
        self.seen = True
        self.seen_frames += 1
        before = self.samples[-1] if self.samples else None
        if before is not None and self.missed and sample.at_ns - before.at_ns > _UNSEEN_NS:
            self.again_ns = sample.at_ns
        self.samples.append(sample)
        recent = sorted(self.samples[-1 - i].side_px for i in range(min(5, len(self.samples))))
        self.side_px = recent[len(recent) // 2]
        if not sample.partial:
            self.colours[sample.reading.colour] += 1
        if sample.side_mm is not None and sample.reading.value is not None and sample.cover == 0:
            self.side_mm = sample.side_mm + (
                0.0 if self.side_mm is None else _SIZE_MEMORY * (self.side_mm - sample.side_mm)
            )
        doubt = sample.cover + (sample.reading.value is None)
        if self.hue_lab is None or (not self.known and doubt < self.hue_doubt):
            self.hue_lab, self.hue_doubt = sample.hue_lab, doubt
        elif not sample.moves and not sample.partial:
            self.hue_lab = 0.9 * self.hue_lab + 0.1 * sample.hue_lab
        self._follow_rest(before, sample)

    def _follow_rest(self, before: Sample | None, sample: Sample) -> None:
        near_px = _STEP_SIDES * sample.side_px + _STEP_PX
        place = sample.place_px
        if self.rest_ns is not None:
            reach_px = near_px * (2.5 if self.at_rest and not sample.moves else 1.0)
            if self.at_rest and sample.cover > _HALF_SEEN:  # of a face that is half hidden the middle lies elsewhere
                reach_px = max(reach_px, _HALF_SEEN_SIDES * sample.side_px)
            if dist(place, self.anchor_px) > reach_px or (sample.moves and not self.at_rest):
                self.rest_ns, self.look = None, None
            else:
                (ax, ay), (x, y) = self.anchor_px, place
                self.anchor_px = (ax + _CREEP * (x - ax), ay + _CREEP * (y - ay))
        elif before is not None and not sample.moves and dist(place, before.place_px) <= near_px:
            # Nothing differs between the frame before and this one: it lay there then already.
            self.rest_ns = before.at_ns
            self.anchor_px = place

    def since_rest(self) -> list[Sample]:
        """What was seen of it since it rests; nothing while it moves."""
        if self.rest_ns is None:
            return []
        return [sample for sample in self.samples if sample.at_ns >= self.rest_ns and not sample.partial]

    def steady(self) -> list[Sample]:
        """The last samples that, by the readings alone, show it in one place; shadows may pass over it meanwhile."""
        last = self.samples[-1]
        if last.partial:
            return []
        near_px = _STEP_SIDES * last.side_px + _STEP_PX
        found = []
        turn_rad = turn_of(last.reading.outline_px)
        for sample in reversed(self.samples):
            if sample.at_ns < self.again_ns:
                break
            if sample.partial:
                continue
            if dist(sample.place_px, last.place_px) > near_px:
                break
            if turned_by(turn_of(sample.reading.outline_px), turn_rad) > _SPIN_RAD:
                break
            found.append(sample)
        return found[::-1]

    def unchanged_ns(self) -> int:
        """For how long it has been in one place with one value."""
        last = self.samples[-1]
        since_ns = last.at_ns
        for sample in reversed(self.steady()):
            if sample.reading.value != last.reading.value:
                break
            since_ns = sample.at_ns
        return last.at_ns - since_ns

    def happened(self, kind: Kind, began_ns: int, ended_ns: int, at_ns: int, before: int | None = None) -> Happening:
        """That something happened to it where it is now; told with the frame `at_ns`."""
        return Happening(
            kind, self.id, began_ns, ended_ns, at_ns, before=before, value=self.value, reason=self.reason,
            to_px=self.last.place_px, to_mm=self.last.reading.position_mm,
        )  # fmt: skip

    def told(self) -> TrackedDie:
        """The die as it is told to others."""
        last = self.last
        return TrackedDie(
            id=self.id,
            state=self.state,
            value=self.value,
            reason=self.reason,
            confidence=self.confidence,
            since_ns=self.since_ns,
            rest_ns=self.rest_ns if self.at_rest else None,
            seen=self.seen and not self.doubtful,
            reading=last.reading,
            centre_px=last.centre_px,
            side_px=self.side_px,
            position_mm=last.reading.position_mm,
            colour=self.colour,
            speed_px_s=self.speed_px_s() if self.seen else 0.0,
        )


def one_of_each_colour(tracks: Iterable[Track]) -> list[Track]:
    """Dice of which none is like another; the first of each colour."""
    found: list[Track] = []
    for track in tracks:
        if not any(track.like(each) for each in found):
            found.append(track)
    return found


def place_of(die: DieReading, centre_px: Point) -> Point:
    """Centre of the pips of a die whose value is known, else `centre_px`."""
    pips = die.pips_px
    if die.value is None or len(pips) != die.value:
        return centre_px
    return (sum(x for x, _ in pips) / len(pips), sum(y for _, y in pips) / len(pips))


def turn_of(outline_px: tuple[Point, ...]) -> float:
    """By how much a face is turned in the picture, in radians, 0 to a quarter turn."""
    (ax, ay), (bx, by) = outline_px[0], outline_px[1]
    return atan2(by - ay, bx - ax) % (pi / 2)


def turned_by(a_rad: float, b_rad: float) -> float:
    """By how much two squares are turned against each other: 0 to an eighth of a turn, in radians."""
    return abs((a_rad - b_rad + pi / 4) % (pi / 2) - pi / 4)


def hues(dice: tuple[DieReading, ...]) -> list[NDArray[np.float32]]:
    """The body colours of dice in CIELAB, each (3,): L 0..100, a and b about -127..127."""
    if not dice:
        return []
    bgr = np.array([[die.colour_bgr for die in dice]], np.float32) / 255
    return list(cv2.cvtColor(bgr, cv2.COLOR_BGR2Lab)[0].astype(np.float32))
