"""What the tracker tells: the state of each die, what happened to it, hands over it, and whether it can be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from vision.readings import DieReading, Point, Reading, Unreadable

__all__ = ["DieState", "HandSeen", "Happening", "Kind", "OutOfStep", "TrackedDie", "Trouble", "Watched"]


class DieState(StrEnum):
    """What a die is doing."""

    ROLLING = "rolling"
    """It moves, or has moved so lately that what it shows may still change."""
    SETTLED = "settled"
    """It lies flat and still; its value is known, or the reason why it cannot be."""
    COCKED = "cocked"
    """It rests leaning: no face is on top."""
    COVERED = "covered"
    """It lay here when a hand or a thing came over it, and nothing says that it has gone."""
    IN_HAND = "in hand"
    """A hand took it from its place."""
    OFF_TABLE = "off table"
    """It went over the edge of the table or of the picture, or is nowhere to be seen."""


class Kind(StrEnum):
    """What happened to a die."""

    SETTLED = "settled"
    """It came to rest flat: `value`, or None with `reason`."""
    COCKED = "cocked"
    """It came to rest leaning."""
    ROLLED = "rolled"
    """It was picked up or pushed, tumbled, and came to rest."""
    SLID = "slid"
    """It moved flat over the table with the same face up."""
    LIFTED = "lifted"
    """A hand took it up."""
    SET_BACK = "set back"
    """It was lifted and is at rest again without having tumbled."""
    TOUCHED = "touched"
    """A hand met it while it was rolling."""
    NUDGED = "nudged"
    """Its value or its place changed without a throw."""
    DROPPED = "dropped"
    """It seems to have fallen rather than rolled: a suspicion beside its *rolled*, told with its `why`."""
    LEFT_TABLE = "left the table"
    """It went over the edge."""
    CAME_BACK = "came back"
    """It is on the table again after it left it, or after nobody knew where it was."""


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that happened to one die. Times are exposure starts of frames, in ns on the monotonic clock.

    Attributes:
        kind: what happened.
        die: id of the die's track.
        began_ns: the first frame that shows it: the last frame of rest before a motion has passed.
        ended_ns: the first frame in which it was over: of a motion, the first frame of the rest.
        told_ns: the frame at which it was told.
        before: value at rest before; None when there was none.
        value: value after; None when none is known.
        reason: why there is no value where one might be.
        from_px: centre of the top face before, in pixels; None when it was not seen.
        to_px: the same after.
        from_mm: place on the table before, in mm, where the geometry is known.
        to_mm: the same after.
        why: for a suspicion, in a few words of a fixed vocabulary ("fell straight down"); else empty.
    """

    kind: Kind
    die: int
    began_ns: int
    ended_ns: int
    told_ns: int
    before: int | None = None
    value: int | None = None
    reason: Unreadable | None = None
    from_px: Point | None = None
    to_px: Point | None = None
    from_mm: Point | None = None
    to_mm: Point | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class TrackedDie:
    """One physical die as of one frame. Its `id` is kept as long as it can be told from the others.

    Attributes:
        id: number of the track; never used again.
        state: what it is doing.
        value: what it shows, 1 to 6; only of a die that is settled, or covered since.
        reason: why a settled die has no value.
        confidence: that the value is right, 0..1; 0 without a value.
        since_ns: exposure of the first frame in this state.
        rest_ns: exposure of the first frame of the unbroken rest; None while it moves.
        seen: this very frame shows it, and no other die that it may be as well.
        reading: what was last read of it.
        centre_px: where it is, or was last seen.
        side_px: side of its top face.
        position_mm: the same on the table, where the geometry is known.
        colour: name of its body's colour, by most of its readings.
        speed_px_s: how fast it moves.
    """

    id: int
    state: DieState
    value: int | None
    reason: Unreadable | None
    confidence: float
    since_ns: int
    rest_ns: int | None
    seen: bool
    reading: DieReading
    centre_px: Point
    side_px: float
    position_mm: Point | None
    colour: str
    speed_px_s: float = 0.0


@dataclass(frozen=True, slots=True)
class HandSeen:
    """Something large over the table that was not there before: a hand, an arm, a sleeve, a box.

    `outline_px` is its outline in pixels, (x, y) points; `enters` names the side of the picture where it comes in
    ("left", "top", "right", "bottom"), None when it touches none.
    """

    outline_px: tuple[Point, ...]
    enters: str | None


class Trouble(StrEnum):
    """Why what the tracker says cannot be trusted now."""

    CAMERA_MOVED = "camera moved"
    LIGHT_CHANGED = "light changed"
    FRAMES_MISSING = "frames missing"
    FRAMES_LATE = "frames late"
    VIEW_BLOCKED = "view blocked"


@dataclass(frozen=True, slots=True)
class OutOfStep:
    """The tracker has lost step with the table: until it is in step again no value counts and no event is told.

    Attributes:
        trouble: what happened.
        since_ns: exposure of the first frame that shows it.
    """

    trouble: Trouble
    since_ns: int


@dataclass(frozen=True, slots=True)
class Watched:
    """What the tracker makes of one frame.

    Attributes:
        reading: dice and markers as read in this frame; where nothing changed, carried over.
        dice: every die that is known, by id.
        happenings: what was found out with this frame, in the order in which it happened.
        hands: what large things are over the table.
        out_of_step: why nothing counts now; None while all is well.
    """

    reading: Reading
    dice: tuple[TrackedDie, ...]
    happenings: tuple[Happening, ...] = ()
    hands: tuple[HandSeen, ...] = ()
    out_of_step: OutOfStep | None = None
