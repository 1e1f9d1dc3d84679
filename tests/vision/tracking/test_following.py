"""What is told of a die that lies still: that it leans, and that it was found not to lean after all."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from tests.vision.tracking.samples import FRAME_NS, sample
from vision.tracking.following import DiceFollower
from vision.tracking.glimpse import Glimpse
from vision.tracking.hands import Hands, HandsWatch
from vision.tracking.happenings import DieState, Kind

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
