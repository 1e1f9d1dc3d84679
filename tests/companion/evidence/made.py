"""Frames, dice and evidence made for tests; no camera, no waiting."""

from __future__ import annotations

import cv2
import numpy as np

from companion.evidence.freezing import Freezer, Frozen, Wanted
from companion.evidence.records import DieThen
from companion.evidence.ring import RingFrame, encode_frame
from device.frames import Frame
from vision.readings import DieReading, Reading, Unreadable
from vision.tracking.happenings import DieState, TrackedDie, Watched

MS = 1_000_000
START_NS = 5_000 * MS
SQUARE = ((10.0, 10.0), (34.0, 10.0), (34.0, 34.0), (10.0, 34.0))


def image(number: int, size_wh: tuple[int, int] = (160, 96)) -> np.ndarray:
    """A picture that says which it is by its grey."""
    return np.full((size_wh[1], size_wh[0], 3), number * 7 % 256, np.uint8)


def die(
    value: int | None = 3, *, track: int = 1, seat: int | None = 1, place: int | None = 0,
    state: DieState = DieState.SETTLED, rest_ns: int | None = 0, seen: bool = True,
) -> DieThen:  # fmt: skip
    """A die of a kept frame."""
    return DieThen(track, seat, place, state, value, None, "red", SQUARE, ((22.0, 22.0),), seen, rest_ns)


def kept(number: int, at_ns: int, dice: tuple[DieThen, ...] = ()) -> RingFrame:
    """A frame of the ring."""
    found = encode_frame(image(number), at_ns, number, dice)
    assert found is not None
    return found


def filled(freezer: Freezer, first_ns: int, last_ns: int, step_ns: int = 33 * MS) -> list[int]:
    """A freezer whose camera watched all the while; gives the exposures."""
    freezer.camera("watching")
    exposures = list(range(first_ns, last_ns + 1, step_ns))
    for number, at_ns in enumerate(exposures):
        freezer.ring.add(kept(number, at_ns, (die(),)))
    return exposures


def frozen(match: str, seq: int, kind: str = "claim", frames: int = 3) -> Frozen:
    """Complete evidence of an entry."""
    freezer = Freezer()
    filled(freezer, START_NS - 33 * MS, START_NS + (frames - 2) * 33 * MS)
    wanted = Wanted(match, seq, kind, START_NS, edges=((1, "claim", START_NS),), seats=(1,))  # type: ignore[arg-type]
    freezer.want(wanted)
    (made,) = freezer.due(0, at_once=True)
    return made


def tracked(track: int, value: int | None, *, seen: bool = True, state: DieState = DieState.SETTLED) -> TrackedDie:
    """A die as the tracker tells it."""
    why = None if value is not None else Unreadable.BLURRED
    reading = DieReading(value, why, 0.9, (10.0, 10.0, 34.0, 34.0), SQUARE, (), "red", "white", (0, 0, 255))
    return TrackedDie(track, state, value, why, 0.9, 0, 0, seen, reading, (22.0, 22.0), 24.0, None, "red")


def frame(number: int, at_ns: int) -> Frame:
    """A frame of a camera."""
    return Frame(image(number), at_ns, number, "test")


def watched(number: int, at_ns: int, *dice: TrackedDie) -> Watched:
    """What a tracker makes of such a frame."""
    return Watched(Reading((160, 96), tuple(each.reading for each in dice), (), at_ns, number), tuple(dice))


def grey_of(jpeg: bytes) -> int:
    """Which picture this is."""
    decoded = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert decoded is not None
    return int(np.median(decoded))
