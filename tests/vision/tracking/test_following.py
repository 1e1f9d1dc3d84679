"""What is told of a die that lies still: that it leans, and that it was found not to lean after all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.tracking.samples import FRAME_NS, sample
from vision.readings import Point
from vision.tracking.following import DiceFollower
from vision.tracking.glimpse import Glimpse
from vision.tracking.hands import Hands, HandsWatch
from vision.tracking.happenings import DieState, Happening, Kind
from vision.tracking.rest import Verdict
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
    answers = iter([1.0, 1.0, 0.0, 0.0])
    monkeypatch.setattr("vision.tracking.tilts.leaning", lambda *_: next(answers, 0.0))
    frames = list(told(60))
    kinds = [kind for each, _, _ in frames for kind in each]
    assert kinds == [Kind.COCKED, Kind.SETTLED]
    values = [value for _, _, value in frames]
    first = next(n for n, value in enumerate(values) if value is not None)
    assert values[:first] == [None] * first, "no value while it leans"
    assert set(values[first:]) == {4}
    assert first >= 2 * 15, "it is judged twice a second, not in every frame"


def test_a_die_that_leans_goes_on_leaning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.tracking.tilts.leaning", lambda *_: 1.0)
    frames = list(told(60))
    assert {state for _, state, _ in frames} == {DieState.COCKED}
    assert {value for _, _, value in frames} == {None}


@pytest.mark.parametrize(("first", "then", "expected"), [(0.6, 0.01, Kind.SETTLED), (0.6, 0.99, Kind.COCKED)])
def test_where_it_is_in_doubt_the_die_is_looked_at_once_more(
    monkeypatch: pytest.MonkeyPatch, first: float, then: float, expected: Kind
) -> None:
    at_once = list(told(20))
    answers = iter([first])
    monkeypatch.setattr("vision.tracking.tilts.leaning", lambda *_: next(answers, then))
    frames = list(told(20))
    assert [kind for each, _, _ in frames for kind in each] == [expected]
    assert len(at_once) - len(frames) == 6, "told a fifth of a second later"


def test_a_die_in_doubt_that_is_read_no_longer_steadily_may_be_found_to_lean(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([0.6])
    monkeypatch.setattr("vision.tracking.tilts.leaning", lambda *_: next(answers, 0.99))
    verdicts = iter([Verdict(4, None, 0.9)])
    monkeypatch.setattr("vision.tracking.following.verdict", lambda *_: next(verdicts, None))
    assert [kind for each, _, _ in told(60) for kind in each] == [Kind.COCKED]


@pytest.mark.parametrize(
    ("name", "later", "expected"),
    [
        ("a shadow had deceived", 0.03, [Kind.COCKED, Kind.SETTLED]),
        ("it seems to lean a little less surely", 0.93, [Kind.COCKED]),
        ("that is in doubt", 0.3, [Kind.COCKED]),
    ],
)
def test_a_die_that_leaned_is_told_to_lie_flat_only_where_that_is_beyond_doubt(
    monkeypatch: pytest.MonkeyPatch, name: str, later: float, expected: list[Kind]
) -> None:
    answers = iter([0.99])
    monkeypatch.setattr("vision.tracking.tilts.leaning", lambda *_: next(answers, later))
    assert [kind for each, _, _ in told(60) for kind in each] == expected, name


class Unchanged(HandsWatch):
    """No hand is over a table whose picture does not change from one moment on."""

    def __init__(self, since_ns: int) -> None:
        super().__init__()
        self._unchanged_since_ns = since_ns

    def unchanged_since_ns(self, centre_px: Point, radius_px: float) -> int | None:
        return self._unchanged_since_ns


def first_told(readings: Callable[[int], Sample], since_ns: int = 0, frames: int = 40) -> tuple[int, Kind] | None:
    """The frame in which something is first told of a die that lies there, and what; `readings` by the frame."""
    follower = DiceFollower(Unchanged(since_ns))
    for frame in range(frames):
        at_ns = frame * FRAME_NS
        glimpse = Glimpse(SMALL, np.zeros(SMALL.shape[:2], bool), at_ns, 1.0)
        pairs = follower.matches([readings(frame)], glimpse, at_ns)
        hands = Hands(at_ns, np.zeros((45, 80), bool))
        for each in follower.follow(pairs, glimpse, hands, IMAGE, None, at_ns):
            return frame, each.kind
    return None


@pytest.mark.parametrize(
    ("hand_until", "read_every", "chance", "expected"),
    [
        (0, 60, 0.99, (7, Kind.COCKED)),  # before it would be given up, for the next hand may come
        (0, 60, 0.9, (25, Kind.SETTLED)),  # it is not sure that it leans
        (10, 60, 0.99, (17, Kind.COCKED)),  # the shadow of a hand may have split its face
        (40, 60, 0.99, (19, Kind.COCKED)),
        (0, 3, 0.99, (19, Kind.COCKED)),  # a value is read of it now and then: that is waited for
    ],
)
def test_a_die_of_which_nothing_is_read_in_plain_view_is_told_at_once_where_it_surely_leans(
    monkeypatch: pytest.MonkeyPatch, hand_until: int, read_every: int, chance: float, expected: tuple[int, Kind]
) -> None:
    monkeypatch.setattr("vision.tracking.tilts.leaning", lambda *_: chance)

    def reading(frame: int) -> Sample:
        value = 4 if frame % read_every == read_every - 1 else None
        return replace(sample(frame, A, value, moves=False), handled=frame < hand_until)

    assert first_told(reading) == expected


@pytest.mark.parametrize(("first", "told"), [(None, 7), (4, 21)])
def test_a_flat_die_that_was_read_and_is_outlined_wrongly_then_is_not_told_to_lean(
    monkeypatch: pytest.MonkeyPatch, first: int | None, told: int
) -> None:
    """Its outline takes in the side that is seen below its face, so that its middle lies lower."""
    monkeypatch.setattr("vision.tracking.tilts.leaning", lambda *_: 0.99)

    def reading(frame: int) -> Sample:
        return sample(frame, A if frame < 2 else (A[0] + 2.0, A[1] + 6.0), first if frame < 2 else None, moves=False)

    assert first_told(reading) == (told, Kind.COCKED)


@pytest.mark.parametrize(("side_px", "value", "dice"), [(12.0, None, 1), (26.0, None, 2), (12.0, 3, 2)])
def test_what_is_half_as_large_as_a_die_and_is_not_read_is_the_side_of_one(
    side_px: float, value: int | None, dice: int
) -> None:
    follower = DiceFollower(Unchanged(0))
    for frame in range(60):
        at_ns = frame * FRAME_NS
        glimpse = Glimpse(SMALL, np.zeros(SMALL.shape[:2], bool), at_ns, 1.0)
        beside = sample(frame, (A[0] + 40.0, A[1]), value, side_px=side_px, moves=False)
        pairs = follower.matches([sample(frame, A, 4, moves=False), *([beside] if frame > 20 else [])], glimpse, at_ns)
        follower.follow(pairs, glimpse, Hands(at_ns, np.zeros((45, 80), bool)), IMAGE, None, at_ns)
    assert len(follower.dice) == dice


def test_what_is_outlined_at_a_glance_while_another_die_moves_beside_it_is_not_yet_told_to_lean(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("vision.tracking.tilts.leaning", lambda *_: 0.99)
    for still, told in ((0, 7), (5, 12)):
        since_ns = still * FRAME_NS
        assert first_told(lambda frame: sample(frame, A, None, moves=False), since_ns) == (told, Kind.COCKED)


def test_what_stays_in_doubt_is_told_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.tracking.tilts.leaning", lambda *_: 0.6)
    kinds = [kind for each, _, _ in told(60) for kind in each]
    assert kinds == [Kind.SETTLED]


A, B = (150.0, 100.0), (400.0, 220.0)
HAND_FRAMES = range(10, 41)


class HandOverBoth(HandsWatch):
    """A hand lies over both places in some frames, and never again; it stands still there for so many at most."""

    def __init__(self, *, stands: int = 100, unchanged_since_ns: int | None = None) -> None:
        super().__init__()
        self._stands, self._unchanged_since_ns = stands, unchanged_since_ns

    def stood_ns(self, centre_px: Point, radius_px: float, around_px: float, since_ns: int, until_ns: int) -> int:
        frames = [frame for frame in HAND_FRAMES if since_ns < frame * FRAME_NS <= until_ns]
        return min(len(frames), self._stands) * FRAME_NS

    def unchanged_since_ns(self, centre_px: Point, radius_px: float) -> int | None:
        return self._unchanged_since_ns

    def most_cover(self, centre_px: Point, radius_px: float, since_ns: int, until_ns: int | None = None) -> float:
        frames = (frame * FRAME_NS for frame in HAND_FRAMES)
        return float(any(since_ns <= at_ns and (until_ns is None or at_ns < until_ns) for at_ns in frames))


def out_of_the_hand(way: dict[int, Sample], hand_watch: HandOverBoth | None = None) -> list[Happening]:
    """What is told of a four that a hand took, that is seen again in the frames of `way`, and that lies at B then."""
    follower = DiceFollower(hand_watch or HandOverBoth())
    happenings: list[Happening] = []
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
        happenings += [each for each in told if each.kind in (Kind.ROLLED, Kind.SET_BACK)]
    return happenings


def kinds(happenings: list[Happening]) -> list[Kind]:
    return [each.kind for each in happenings]


def test_a_die_that_was_seen_to_come_to_where_no_hand_is_any_more_was_not_set_back() -> None:
    far = (B[0] - 60, B[1])
    came = {41: sample(41, far, 4, 0.5), 46: sample(46, (B[0] - 6, B[1]), None), 48: sample(48, B, 4)}
    assert kinds(out_of_the_hand(came)) == [Kind.ROLLED]
    assert kinds(out_of_the_hand(LAY)) == [Kind.SET_BACK]


LAY = {41: sample(41, B, 4, 0.5)}


def test_a_hand_that_sets_a_die_down_stands_still_over_it_and_one_that_swings_on_has_thrown_it() -> None:
    assert kinds(out_of_the_hand(LAY, HandOverBoth())) == [Kind.SET_BACK]
    assert kinds(out_of_the_hand(LAY, HandOverBoth(stands=0))) == [Kind.ROLLED]


def test_a_hand_that_waits_for_a_moment_before_it_throws_stands_still_for_less_long_than_one_that_sets_down() -> None:
    assert kinds(out_of_the_hand(LAY, HandOverBoth(stands=6))) == [Kind.SET_BACK]
    assert kinds(out_of_the_hand(LAY, HandOverBoth(stands=5))) == [Kind.ROLLED]


def test_a_die_that_is_read_late_has_lain_there_since_the_picture_changed_there() -> None:
    late = {60: sample(60, B, 4)}
    (told,) = out_of_the_hand(late)
    assert (told.kind, told.ended_ns) == (Kind.ROLLED, 60 * FRAME_NS), "no hand was near when it was first read"
    (told,) = out_of_the_hand(late, HandOverBoth(unchanged_since_ns=42 * FRAME_NS))
    assert (told.kind, told.ended_ns) == (Kind.SET_BACK, 42 * FRAME_NS)


def test_a_die_that_was_seen_elsewhere_since_has_not_lain_there() -> None:
    there_first = HandOverBoth(unchanged_since_ns=5 * FRAME_NS)
    (told,) = out_of_the_hand({60: sample(60, B, 4)}, there_first)
    assert told.ended_ns == 60 * FRAME_NS, "until frame 9 it lay at A"
    coming = {57: sample(57, (B[0] - 45, B[1]), 4), 58: sample(58, (B[0] - 20, B[1]), None)}
    (told,) = out_of_the_hand(coming, HandOverBoth(unchanged_since_ns=42 * FRAME_NS))
    assert told.ended_ns >= 58 * FRAME_NS, "it was seen to come"
    part = {57: sample(57, (B[0] - 20, B[1]), None, moves=False)}
    (told,) = out_of_the_hand(part, HandOverBoth(unchanged_since_ns=42 * FRAME_NS))
    assert told.ended_ns == 42 * FRAME_NS, "nothing moved: another part of it was outlined"


def test_a_die_of_which_a_hand_lets_only_parts_be_seen_has_no_number_put_on_it_until_it_is_read() -> None:
    """A hand carries another die past one that lies there: what is seen of that one may be taken for it."""
    follower = DiceFollower(HandsWatch())
    told: list[tuple[DieState, bool]] = []
    for frame in range(34):
        at_ns = frame * FRAME_NS
        seen = [sample(frame, A, 4, moves=False)]
        if 25 <= frame < 30:
            seen = [replace(sample(frame, (A[0] + 8.0 * (frame - 22), A[1]), None, cover=0.8), partial=True)]
        glimpse = Glimpse(SMALL, np.zeros(SMALL.shape[:2], bool), at_ns, 1.0)
        pairs = follower.matches(seen, glimpse, at_ns)
        follower.follow(pairs, glimpse, Hands(at_ns, np.zeros((45, 80), bool)), IMAGE, None, at_ns)
        told += [(die.state, die.seen) for die in follower.dice]
    before, meanwhile, after = told[-34 + 20 : -34 + 25], told[-34 + 25 : -34 + 30], told[-34 + 30 :]
    assert before == [(DieState.SETTLED, True)] * 5
    assert (DieState.ROLLING, False) in meanwhile
    assert not any(seen for _, seen in meanwhile)
    assert after == [(DieState.SETTLED, True)] * 4, "it never left"
