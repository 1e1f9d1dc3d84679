"""What is true of a die of a play at any time, and what happened to it, worked out from its motions."""

from __future__ import annotations

from collections.abc import Iterator

from device.simulated.dice_acts import Deed, Die
from device.simulated.dice_model import FACE_NORMALS, top_face
from device.simulated.gestures import Carried, Course, LiftedOff, SetDown
from device.simulated.motion import Pose, Slide
from device.simulated.play.truth import TrueHappening
from device.simulated.recorded.codec import RATE_HZ
from device.simulated.recorded.player import RolledDie

__all__ = ["flat_value", "happenings_of", "held", "state_of"]

_FLAT_COS = 0.99985
"""Cosine of one degree."""
_MOVED_MM = 2.0
"""A lying die that is moved by less is not said to have been nudged."""


def flat_value(pose: Pose) -> int | None:
    """The upper face of a die that lies flat; None when it leans."""
    top = top_face(pose.rotation)
    return top if (pose.rotation @ FACE_NORMALS[top])[2] > _FLAT_COS else None


def state_of(die: Die, at_ns: int) -> tuple[str, bool]:
    """What a die does at a time, as if nothing hid it, and whether it lies at rest."""
    course = die.course(at_ns)
    part = None if course is None else course.part_at(at_ns)
    while isinstance(part, Course):
        part = part.part_at(at_ns)
    pose = die.pose(at_ns)
    if pose.gone:
        return "off table", False
    if isinstance(part, Carried | LiftedOff):
        return ("in hand", False) if at_ns >= part.start_ns else _lying(pose)
    if isinstance(part, SetDown):
        return _lying(pose) if at_ns >= part.rest_ns else ("in hand", False)
    if isinstance(part, RolledDie):
        if any(begin <= at_ns and (end is None or at_ns < end) for begin, end in part.rests):
            return _lying(pose)
        return ("in hand" if at_ns < part.released_ns else "rolling"), False
    if isinstance(part, Slide) and part.start_ns <= at_ns < part.rest_ns:
        return "rolling", False
    return ("in hand", False) if pose.hidden else _lying(pose)


def _lying(pose: Pose) -> tuple[str, bool]:
    return ("cocked" if flat_value(pose) is None else "settled"), True


def held(die: Die, at_ns: int) -> bool:
    """True when a hand holds it."""
    return state_of(die, at_ns)[0] == "in hand"


def happenings_of(
    die: Die, deed: Deed, before: int | None, *, was_off: bool = False, seen_until_ns: int | None = None
) -> Iterator[TrueHappening]:
    """What a deed did to its die, which showed `before` when it last lay.

    `was_off`: it had left the table. `seen_until_ns`: when one that goes over the edge was last in sight.
    """
    motion = deed.motion

    def told(kind: str, began_ns: int, ended_ns: int, value: int | None, why: str = "") -> TrueHappening:
        return TrueHappening(kind, die.seat, die.index, began_ns, ended_ns, before, value, why)

    began_ns = motion.start_ns
    for part in motion.parts:
        if isinstance(part, Carried | LiftedOff):
            up_ns = part.inside_ns if isinstance(part, Carried) else part.up_ns
            began_ns = part.start_ns
            if not part.start.hidden:
                yield told("lifted", began_ns, up_ns, None, deed.why if isinstance(part, LiftedOff) else "")
        elif isinstance(part, Slide):
            yield told("slid", part.start_ns, part.rest_ns, before)
            yield told("settled", part.start_ns, part.rest_ns, before)
        elif isinstance(part, SetDown):
            value = flat_value(part.goal.pose())
            if was_off:
                yield told("came back", part.start_ns, part.rest_ns, value)
            yield told("set back", part.start_ns, part.rest_ns, value, deed.why)
            yield told("settled", part.start_ns, part.rest_ns, value)
        elif isinstance(part, RolledDie):
            if was_off and not part.off:
                yield told("came back", began_ns, part.rest_ns, flat_value(part.pose(part.rest_ns)))
            yield from _rolled(die, deed, part, before, began_ns, seen_until_ns)


def _rolled(
    die: Die, deed: Deed, part: RolledDie, before: int | None, began_ns: int, seen_until_ns: int | None
) -> Iterator[TrueHappening]:
    def told(kind: str, begin: int, end: int, was: int | None, value: int | None, why: str = "") -> TrueHappening:
        return TrueHappening(kind, die.seat, die.index, begin, end, was, value, why)

    was, begin = before, began_ns
    hit = deed.kind == "hit"
    for number, (from_ns, until_ns) in enumerate(part.rests):
        value = flat_value(part.pose(from_ns if from_ns >= 0 else part.start_ns))
        if from_ns >= 0:
            if number == 0 and not hit:
                yield told("dropped" if deed.kind == "drop" else "rolled", begin, from_ns, was, value, deed.why)
            elif (again := _moved(part, begin, from_ns)) is not None:
                yield told(again, begin, from_ns, was, value, "knocked")
            yield told("settled" if value is not None else "cocked", begin, from_ns, was, value)
        was, begin = value, until_ns if until_ns is not None else begin
    if part.off:
        gone_ns = part.rest_ns if seen_until_ns is None else seen_until_ns
        yield told("left the table", begin, gone_ns, was, None, deed.why)
    if deed.touched_ns is not None:
        yield told("touched", deed.touched_ns, part.rest_ns, before, None, deed.why)


def _moved(part: RolledDie, begin_ns: int, end_ns: int) -> str | None:
    """What a knock did between two rests: "rolled" when it tumbled, "nudged" when not, None for next to nothing."""
    step_ns = round(1e9 / RATE_HZ)
    first, last = part.pose(begin_ns), part.pose(end_ns)
    tops = {top_face(part.pose(at_ns).rotation) for at_ns in range(begin_ns, end_ns + 1, step_ns)}
    away = float(((last.centre_mm - first.centre_mm) ** 2).sum() ** 0.5)
    if len(tops | {top_face(last.rotation)}) > 1:
        return "rolled"
    return "nudged" if away > _MOVED_MM else None
