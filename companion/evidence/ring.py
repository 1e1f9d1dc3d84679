"""The last seconds of frames as JPEG, bounded in time, number and memory, each with what was known of the dice."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import cv2

from companion.evidence.records import DieThen
from device.clock import NS_PER_S
from vision.images import Image
from vision.readings import Point
from vision.tracking.happenings import DieState, TrackedDie, Watched

__all__ = ["JPEG_QUALITY", "LARGEST_SIDE_PX", "RING_BYTES", "RING_NS", "Ring", "RingFrame", "dice_then", "encode_frame"]

RING_NS: Final = 8 * NS_PER_S
"""A ruling comes at most a few seconds after its press, even on a slow machine; a clip wants the 3 s before it."""
RING_BYTES: Final = 48_000_000
"""8 s of 60 frames a second at 1280×720 are about 45 MB (94 KB a frame, measured on the simulated table)."""
LARGEST_SIDE_PX: Final = 1280
"""Larger frames are kept smaller: dice are still 30 px and more, and a frame costs 3 ms."""
JPEG_QUALITY: Final = 80
DICE_OF_A_SEAT: Final = 6


@dataclass(frozen=True, slots=True)
class RingFrame:
    """One kept frame; outlines in `dice` are in pixels of this JPEG."""

    exposure_start_ns: int
    sequence: int
    jpeg: bytes
    size_wh: tuple[int, int]
    dice: tuple[DieThen, ...]


class Ring:
    """Frames by exposure, the oldest thrown away first. Used by one thread."""

    def __init__(self, span_ns: int = RING_NS, most_bytes: int = RING_BYTES) -> None:
        self._span_ns = span_ns
        self._most_bytes = most_bytes
        self._frames: deque[RingFrame] = deque()
        self._bytes = 0

    @property
    def bytes(self) -> int:
        """How much memory the pictures take."""
        return self._bytes

    def __len__(self) -> int:
        return len(self._frames)

    def __iter__(self) -> Iterator[RingFrame]:
        return iter(self._frames)

    def add(self, frame: RingFrame) -> None:
        """Keep a frame. One that is not newer than the newest is passed over: its picture is there already."""
        if self._frames and frame.exposure_start_ns <= self._frames[-1].exposure_start_ns:
            return
        self._frames.append(frame)
        self._bytes += len(frame.jpeg)
        while len(self._frames) > 1 and (
            frame.exposure_start_ns - self._frames[0].exposure_start_ns > self._span_ns
            or self._bytes > self._most_bytes
        ):
            self._bytes -= len(self._frames.popleft().jpeg)

    def newest_ns(self) -> int | None:
        """Exposure of the newest frame."""
        return self._frames[-1].exposure_start_ns if self._frames else None

    def between(self, first_ns: int, last_ns: int) -> list[RingFrame]:
        """The frames exposed from `first_ns` to `last_ns`, both included."""
        return [frame for frame in self._frames if first_ns <= frame.exposure_start_ns <= last_ns]

    def answering(self, edge_ns: int) -> RingFrame | None:
        """The frame that answers for a press: of those whose exposure began at its edge or later, the nearest."""
        return next((frame for frame in self._frames if frame.exposure_start_ns >= edge_ns), None)

    def clear(self) -> None:
        """Forget every frame."""
        self._frames.clear()
        self._bytes = 0


def encode_frame(
    image_bgr: Image, exposure_start_ns: int, sequence: int, dice: tuple[DieThen, ...]
) -> RingFrame | None:
    """The frame as it is kept; None when it cannot be encoded. `dice` are in pixels of `image_bgr`, (H, W, 3) uint8."""
    height, width = image_bgr.shape[:2]
    scale = min(1.0, LARGEST_SIDE_PX / max(width, height))
    if scale < 1.0:
        width, height = round(width * scale), round(height * scale)
        image_bgr = cv2.resize(image_bgr, (width, height), interpolation=cv2.INTER_AREA)
        dice = tuple(_scaled(die, scale) for die in dice)
    done, data = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return RingFrame(exposure_start_ns, sequence, data.tobytes(), (width, height), dice) if done else None


def dice_then(watched: Watched, whose: Mapping[int, tuple[int, int | None]]) -> tuple[DieThen, ...]:
    """Every die that the tracker knows at this frame, by seat, place and track; `whose` as in `Seen`.

    While the tracker is out of step it vouches for nothing: dice keep their places and lose their values.
    """
    trusted = watched.out_of_step is None
    dice = [_then(die, *whose.get(die.id, (None, None)), trusted=trusted) for die in watched.dice]
    here = [die for die in dice if die.seen]
    for die in sorted((die for die in dice if not die.seen), key=lambda die: die.place is None):
        if die.seat is not None and sum(other.seat == die.seat for other in here) < DICE_OF_A_SEAT:
            here.append(die)  # else it is an old track of a die that is seen under another number
    return tuple(sorted(here, key=_by_seat))


def _then(die: TrackedDie, seat: int | None, place: int | None, *, trusted: bool) -> DieThen:
    lies = die.state in (DieState.SETTLED, DieState.COVERED, DieState.COCKED)
    reading = die.reading
    return DieThen(
        track=die.id,
        seat=seat,
        place=place,
        state=die.state,
        value=die.value if trusted and lies else None,
        reason=(None if die.reason is None else str(die.reason)) if trusted else "out of step",
        colour=die.colour,
        outline_px=reading.outline_px if die.seen else (),
        pips_px=reading.pips_px if die.seen else (),
        seen=die.seen,
        rest_ns=die.rest_ns,
    )


def _scaled(die: DieThen, scale: float) -> DieThen:
    def points(of: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple((x * scale, y * scale) for x, y in of)

    return DieThen(
        die.track,
        die.seat,
        die.place,
        die.state,
        die.value,
        die.reason,
        die.colour,
        points(die.outline_px),
        points(die.pips_px),
        die.seen,
        die.rest_ns,
    )


def _by_seat(die: DieThen) -> tuple[bool, int, bool, int, int]:
    return (die.seat is None, die.seat or 0, die.place is None, die.place or 0, die.track)
