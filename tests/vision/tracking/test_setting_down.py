"""A die that a hand takes up and sets down beside where it lay is set back; one that it was only over is not."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.tracking.samples import FRAME_NS, sample
from vision.readings import Point
from vision.tracking.following import DiceFollower
from vision.tracking.glimpse import Glimpse
from vision.tracking.hands import Hands, HandsWatch
from vision.tracking.happenings import Kind
from vision.tracking.setting_down import Uncovered
from vision.tracking.track import Home, Track

PLACE = (150.0, 100.0)
SIDE_PX = 30.0
IMAGE = np.zeros((720, 1280, 3), np.uint8)
SMALL = np.zeros((180, 320, 3), np.uint8)


class HandOver(HandsWatch):
    """A hand that was over everything for so many frames from the tenth on, over such a share, and stood still."""

    def __init__(self, frames: int = 31, share: float = 1.0, stood_frames: int = 7) -> None:
        super().__init__()
        self.frames, self._share, self._stood_frames = range(10, 10 + frames), share, stood_frames

    def stood_ns(self, centre_px: Point, radius_px: float, around_px: float, since_ns: int, until_ns: int) -> int:
        return self._stood_frames * FRAME_NS

    def unchanged_since_ns(self, centre_px: Point, radius_px: float) -> int | None:
        return None

    def most_cover(self, centre_px: Point, radius_px: float, since_ns: int, until_ns: int | None = None) -> float:
        over = (frame * FRAME_NS for frame in self.frames)
        return self._share * any(since_ns <= at_ns and (until_ns is None or at_ns < until_ns) for at_ns in over)


def told(watch: HandOver, away_px: float, *, value: int = 4, comes_px: float | None = None) -> list[Kind]:
    """What is told of a four that lies so far away once the hand has gone; at first it may seem to lie elsewhere."""
    follower = DiceFollower(watch)
    found = []
    for frame in range(watch.frames[-1] + 20):
        at_ns = frame * FRAME_NS
        hidden = frame in watch.frames
        first = frame == watch.frames[-1] + 1 and comes_px is not None
        x = PLACE[0] + (0.0 if frame < watch.frames[0] else comes_px if first and comes_px is not None else away_px)
        seen = [] if hidden else [sample(frame, (x, PLACE[1]), value if frame > 10 else 4, moves=first)]
        glimpse = Glimpse(SMALL, np.zeros(SMALL.shape[:2], bool), at_ns, 1.0)
        pairs = follower.matches(seen, glimpse, at_ns)
        hands = Hands(at_ns, np.full((90, 160), hidden))
        found += [each.kind for each in follower.follow(pairs, glimpse, hands, IMAGE, None, at_ns)]
    return found[1:]


SET_BACK = [Kind.LIFTED, Kind.SET_BACK, Kind.SETTLED]


@pytest.mark.parametrize(
    ("name", "watch", "away_px", "expected"),
    [
        ("a fifth of a side away", HandOver(), 6.0, SET_BACK),
        ("where it lay", HandOver(), 0.0, []),
        ("as far away as readings spread", HandOver(), 3.0, []),
        ("the hand was there for too short a time to take it up", HandOver(frames=20), 6.0, []),
        ("the hand did not stand still over it", HandOver(stood_frames=3), 6.0, []),
        ("the hand was over a part of it", HandOver(share=0.8), 6.0, []),
    ],
)
def test_a_die_that_comes_to_light_beside_where_it_lay(
    name: str, watch: HandOver, away_px: float, expected: list[Kind]
) -> None:
    assert told(watch, away_px)[:3] == expected, name


def test_one_that_seems_to_lie_where_it_lay_at_the_rim_of_the_hand_was_set_back_all_the_same() -> None:
    assert told(HandOver(), 12.0, comes_px=9.0)[-3:] == SET_BACK
    assert Kind.SET_BACK not in told(HandOver(stood_frames=3), 12.0, comes_px=9.0)


def uncovered(watch: HandOver, away_px: float, frames: int, cover: float = 0.0) -> tuple[Uncovered, Track]:
    """A die that has come to light so far away, and been read since in so many frames."""
    track = Track(1)
    track.home = Home(PLACE, None, SIDE_PX, 0.0, 4, None, 0, 9 * FRAME_NS)
    light = Uncovered(watch)
    for frame in range(41, 41 + frames):
        track.add(sample(frame, (PLACE[0] + away_px, PLACE[1]), 4, cover, moves=False))
    light.came_to_light(track, 41 * FRAME_NS)
    return light, track


@pytest.mark.parametrize(
    ("away_px", "frames", "cover", "moved"),
    [(6.0, 3, 0.0, True), (6.0, 2, 0.0, False), (6.0, 3, 0.05, False), (3.0, 3, 0.0, False)],
)
def test_that_it_was_moved_some_frames_in_plain_view_must_show(
    away_px: float, frames: int, cover: float, moved: bool
) -> None:
    light, track = uncovered(HandOver(), away_px, frames, cover)
    assert light.set_down_beside(track) is moved


def test_where_it_was_taken_from_is_told_once_and_only_of_what_lies_close_by() -> None:
    light, track = uncovered(HandOver(), 6.0, 3)
    assert light.taken_from(track) is track.home
    assert light.taken_from(track) is None
    light, track = uncovered(HandOver(), 25.0, 3)
    assert light.taken_from(track) is None
    light, track = uncovered(HandOver(), 6.0, 3)
    track.add(sample(45, PLACE, 5, moves=False))
    assert light.taken_from(track) is None, "it shows another face"
