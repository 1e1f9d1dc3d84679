"""Lets a tracker watch a simulated play and keeps what it told beside what was true."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

import cv2
import numpy as np

from companion.measure.alarms import CLEAN, Alarm, Alarms
from companion.measure.disturbances import Delivery, deliveries
from companion.measure.pairing import pair_all
from companion.measure.told import Die, Script, Shot, TruePress, Watching, die_of, told_of
from device.simulated.play.truth import TrueDie
from vision.images import Image
from vision.tracking.happenings import Watched

__all__ = ["EXPOSURE_NS", "Tracker", "picture", "watch"]

EXPOSURE_NS = 8_000_000
"""As long as a camera over a lit table exposes; what moves at 1 m/s is smeared by 8 mm, half a die."""


class Tracker(Protocol):
    """As much of a `TableTracker` as is measured."""

    def update(self, image_bgr: Image, *, exposure_start_ns: int, sequence: int) -> Watched:
        """What one more frame brings."""


def watch(
    script: Script,
    tracker: Tracker,
    *,
    name: str,
    kind: str,
    seats: int,
    fps: float,
    frames: Sequence[Delivery] | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> Watching:
    """Show every frame of a play to a tracker; gives what it told, with the pairs of tracks and dice filled in.

    `frames` are the deliveries of a disturbed camera; without them all frames come as they should. `tell` is called
    with how many frames are done and how many there are.
    """
    frames = deliveries(fps, script.end_ns) if frames is None else frames
    shots: list[Shot] = []
    judge = Alarms(seats) if kind == CLEAN else None
    alarms: list[Alarm] = []
    newest_ns = -1
    for number, frame in enumerate(frames):
        watched = tracker.update(picture(script, frame), exposure_start_ns=frame.at_ns, sequence=frame.sequence)
        newest = frame if frame.at_ns >= newest_ns else None
        newest_ns = max(newest_ns, frame.at_ns)
        # A frame that comes late, or again, tells nothing of its own: what is told still stands for the newest one.
        shows_ns, true = (
            (shots[-1].shows_ns, shots[-1].true) if newest is None else (frame.picture_ns, _true(script, frame))
        )
        shots.append(Shot(newest_ns, number, told_of(watched), watched.happenings, watched.out_of_step, shows_ns, true))
        if judge is not None:
            alarms += judge.update(watched, newest_ns)
        if tell is not None:
            tell(number + 1, len(frames))
    pair_all(shots)
    presses = [
        TruePress(seat, edge_ns, {die_of(each): each for each in script.truth(edge_ns)})
        for seat, edge_ns in script.presses
    ]
    return Watching(name, kind, seats, fps, shots, tuple(script.happenings), presses, alarms)


def picture(script: Script, frame: Delivery) -> Image:
    """The (H, W, 3) uint8 BGR picture of one delivery."""
    image = script.render(frame.picture_ns, EXPOSURE_NS)
    if frame.shift_px != (0.0, 0.0):
        dx, dy = frame.shift_px
        size = image.shape[1], image.shape[0]
        moved = np.array([(1.0, 0.0, dx), (0.0, 1.0, dy)])
        image = np.asarray(cv2.warpAffine(image, moved, size, borderMode=cv2.BORDER_REFLECT), np.uint8)
    if frame.gain_bgr != (1.0, 1.0, 1.0):
        image = np.clip(image * np.array(frame.gain_bgr), 0, 255).astype(np.uint8)
    return image


def _true(script: Script, frame: Delivery) -> Mapping[Die, TrueDie]:
    """States as of the start of the exposure, places as of its middle and where the picture has them."""
    dx, dy = frame.shift_px
    places = {die_of(each): each for each in script.truth(frame.picture_ns + EXPOSURE_NS // 2)}
    return {
        die: replace(
            each,
            centre_px=(place.centre_px[0] + dx, place.centre_px[1] + dy),
            top_px=tuple((x + dx, y + dy) for x, y in place.top_px),
        )
        for each in script.truth(frame.picture_ns)
        if (place := places[die := die_of(each)])
    }
