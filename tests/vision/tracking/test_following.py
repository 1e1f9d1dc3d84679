"""What is told of a die that lies still: that it leans, and that it was found not to lean after all."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from tests.vision.tracking.samples import FRAME_NS, sample
from vision.readings import Point
from vision.tracking.following import DiceFollower
from vision.tracking.glimpse import Glimpse
from vision.tracking.hands import Hands, HandsWatch
from vision.tracking.happenings import DieState, Kind
from vision.tracking.track import Sample

IMAGE = np.zeros((360, 640, 3), np.uint8)
SMALL = np.zeros((90, 160, 3), np.uint8)


def told(frames: int) -> Iterator[tuple[list[Kind], DieState, int | None]]:
    """A die that lies there and is read as a four in every frame: what is told, its state and its value."""
    follower = DiceFollower(HandsWatch())
    for frame in range(frames):
        at_ns = frame * FRAME_NS
        glimpse = Glimpse(SMALL, np.zeros(SMALL.shape[:2], bool), at_ns, 1.0)
        pairs = follower.matches([sample(frame, (300.0, 200.0), 4, moves=False)], glimpse, at_ns)
        hands = Hands(at_ns, np.zeros((45, 80), bool))
        kinds = [each.kind for each in follower.follow(pairs, glimpse, hands, IMAGE, None, at_ns)]
        for die in follower.dice:
            yield kinds, die.state, die.value


def test_a_die_that_seemed_to_lean_is_judged_again_and_counts_once_it_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([True, True, False, False])
    monkeypatch.setattr("vision.tracking.following.leans", lambda *_: next(answers, False))
    frames = list(told(60))
    kinds = [kind for each, _, _ in frames for kind in each]
    assert kinds == [Kind.COCKED, Kind.SETTLED]
    values = [value for _, _, value in frames]
    first = next(n for n, value in enumerate(values) if value is not None)
    assert values[:first] == [None] * first, "no value while it leans"
    assert set(values[first:]) == {4}
    assert first >= 2 * 15, "it is judged twice a second, not in every frame"


def test_a_die_that_leans_goes_on_leaning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.tracking.following.leans", lambda *_: True)
    frames = list(told(60))
    assert {state for _, state, _ in frames} == {DieState.COCKED}
    assert {value for _, _, value in frames} == {None}


A, B = (150.0, 100.0), (400.0, 220.0)
HAND_FRAMES = range(10, 41)


class HandOverBoth(HandsWatch):
    """A hand lies over both places in some frames, and never again."""

    def most_cover(self, centre_px: Point, radius_px: float, since_ns: int, until_ns: int | None = None) -> float:
        frames = (frame * FRAME_NS for frame in HAND_FRAMES)
        return float(any(since_ns <= at_ns and (until_ns is None or at_ns < until_ns) for at_ns in frames))


def out_of_the_hand(way: dict[int, Sample]) -> list[Kind]:
    """What is told of a four that a hand took, that is seen again in the frames of `way`, and that lies at B then."""
    follower = DiceFollower(HandOverBoth())
    kinds = []
    last = max(way)
    for frame in range(last + 15):
        at_ns = frame * FRAME_NS
        hand = np.full((45, 80), frame in HAND_FRAMES)
        seen = [sample(frame, A, 4, moves=False)] if frame < HAND_FRAMES[0] else []
        if frame > last:
            seen = [sample(frame, B, 4, moves=False)]
        elif frame in way:
            seen = [way[frame]]
        glimpse = Glimpse(SMALL, np.zeros(SMALL.shape[:2], bool), at_ns, 1.0)
        pairs = follower.matches(seen, glimpse, at_ns)
        told = follower.follow(pairs, glimpse, Hands(at_ns, hand), IMAGE, None, at_ns)
        kinds += [each.kind for each in told if each.kind in (Kind.ROLLED, Kind.SET_BACK)]
    return kinds


def test_a_die_that_was_seen_to_come_to_where_no_hand_is_any_more_was_not_set_back() -> None:
    far = (B[0] - 60, B[1])
    came = {41: sample(41, far, 4, 0.5), 46: sample(46, (B[0] - 6, B[1]), None), 48: sample(48, B, 4)}
    assert out_of_the_hand(came) == [Kind.ROLLED]
    lay = {41: sample(41, B, 4, 0.5)}
    assert out_of_the_hand(lay) == [Kind.SET_BACK]
