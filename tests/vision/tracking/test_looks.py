"""A die at rest whose place looks as it did lies there, read or not; one whose place looks otherwise may have gone."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.tracking.samples import FRAME_NS, sample
from vision.tracking.book import Book
from vision.tracking.following import DiceFollower
from vision.tracking.glimpse import Glimpse
from vision.tracking.hands import Hands, HandsWatch
from vision.tracking.happenings import DieState, Kind, TrackedDie
from vision.tracking.looks import Look
from vision.tracking.matching import matched
from vision.tracking.stories import Story
from vision.tracking.track import Home, Sample, Track

SIDE = 24.0
HERE, BESIDE = (240.0, 160.0), (240.0 + 1.1 * SIDE, 160.0)
SHAPE = (90, 160, 3)
WOOD, RED, PIP, SKIN = (70, 110, 150), (40, 40, 190), (235, 235, 235), (120, 150, 200)


def picture(*, die: bool = True, shade: float = 1.0, seed: int = 0) -> np.ndarray:
    """A table in small with a die on it, or without, in shade, with the noise of a camera."""
    small = np.full(SHAPE, WOOD, np.float32)
    if die:
        x, y = (int(each) // 4 for each in HERE)
        small[y - 3 : y + 3, x - 3 : x + 3] = RED
        small[y - 2, x - 2] = small[y + 1, x + 1] = PIP
    noise = np.random.default_rng(seed).normal(0, 1.0, SHAPE)
    return np.clip(small * shade + noise, 0, 255).astype(np.uint8)


def glimpse(frame: int, small: np.ndarray, *, moves: bool = False) -> Glimpse:
    return Glimpse(small, np.full(SHAPE[:2], moves), frame * FRAME_NS, 1.0)


@pytest.mark.parametrize(
    ("name", "now", "stays"),
    [
        ("the same", picture(seed=1), True),
        ("in the shade of a hand", picture(shade=0.8, seed=2), True),
        ("the bare table", picture(die=False, seed=3), False),
        ("a hand", np.full(SHAPE, SKIN, np.uint8), False),
        ("dark", picture(shade=0.3, seed=4), False),
        ("pushed by half a side", np.roll(picture(seed=5), 3, axis=1), False),
    ],
)
def test_a_place_looks_as_it_did_or_it_does_not(name: str, now: np.ndarray, stays: bool) -> None:
    look = Look.of(glimpse(0, picture()), HERE, SIDE)
    assert look.stays(glimpse(1, now)) is stays, name


def step(
    follower: DiceFollower, now: Glimpse, read: list[Sample], *, covered: bool, watch: HandsWatch | None = None
) -> list[Kind]:
    """What the follower tells of one more frame, with a hand over the whole table or none; `watch` remembers it."""
    hands = Hands(now.exposure_start_ns, np.full((45, 80), covered))
    if watch is not None:
        watch._history.append(hands)
    pairs = follower.matches(read, now, hands.exposure_start_ns)
    image = np.zeros((360, 640, 3), np.uint8)
    return [each.kind for each in follower.follow(pairs, now, hands, image, None, hands.exposure_start_ns)]


def watched(
    smalls: list[np.ndarray], *, hand: range = range(0), moves: range = range(0)
) -> tuple[TrackedDie, list[Kind]]:
    """A die that lies there and is read in the first ten frames and never again; what is known of it, and was told."""
    follower = DiceFollower(HandsWatch())
    kinds: list[Kind] = []
    for frame, small in enumerate(smalls):
        read = [sample(frame, HERE, 4, side_px=SIDE, moves=False)] if frame < 10 else []
        kinds += step(follower, glimpse(frame, small, moves=frame in moves), read, covered=frame in hand)
    (die,) = follower.dice
    return die, kinds


def test_a_die_that_is_not_read_after_a_hand_has_passed_has_not_gone_when_the_picture_shows_it() -> None:
    hand = range(10, 20)
    die, kinds = watched([picture(seed=n) for n in range(160)], hand=hand, moves=range(10, 24))
    assert (die.state, die.value, kinds) == (DieState.SETTLED, 4, [Kind.SETTLED])
    die, kinds = watched([picture(die=n < 15, seed=n) for n in range(160)], hand=hand, moves=range(10, 24))
    assert (die.state, kinds) == (DieState.IN_HAND, [Kind.SETTLED, Kind.LIFTED])


def test_a_hand_that_was_not_seen_as_one_took_no_die_that_is_there_when_it_has_gone() -> None:
    overlooked = [np.full(SHAPE, SKIN, np.uint8)] * 6
    smalls = [picture(seed=n) for n in range(20)] + overlooked + [picture(seed=n) for n in range(100)]
    die, kinds = watched(smalls, hand=range(12, 20), moves=range(10, 24))
    assert (die.state, die.value, kinds) == (DieState.SETTLED, 4, [Kind.SETTLED])


def test_a_die_that_lies_where_it_lay_is_not_another_that_is_read_beside_it() -> None:
    track = Track(1)
    for frame in range(5):
        track.add(sample(frame, HERE, 4, side_px=SIDE, moves=False))
    track.be(DieState.SETTLED, 0)
    track.known = True
    track.home = Home(HERE, None, SIDE, 0.0, 4, None, 0, 4 * FRAME_NS, look=Look.of(glimpse(4, picture()), HERE, SIDE))
    other = [sample(5, BESIDE, 4, side_px=SIDE)]
    for small, found in ((picture(seed=1), None), (picture(die=False), track)):
        now = glimpse(5, small)
        assert matched(other, [track], 5 * FRAME_NS, lambda each, now=now: each.home.stays(now)) == [found]


def test_what_was_followed_in_the_stead_of_a_die_that_lies_where_it_lay_is_a_die_of_its_own() -> None:
    follower = DiceFollower(HandsWatch())
    kinds: list[Kind] = []
    for frame in range(50):
        covered = 10 <= frame < 16
        hand = np.full(SHAPE, SKIN, np.uint8)
        now = glimpse(frame, hand if covered else picture(seed=frame), moves=covered)
        read = []
        if not covered:
            read.append(sample(frame, HERE, 4, side_px=SIDE, moves=False))
        if frame >= 11:  # another comes from under the hand, by the place of the first
            beside = (HERE[0] + min(1.2 + 0.8 * (frame - 11), 4.0) * SIDE, HERE[1])
            read.append(sample(frame, beside, 4, side_px=SIDE, moves=frame < 16))
        kinds += step(follower, now, read, covered=covered)
    first, second = sorted(follower.dice, key=lambda die: die.centre_px[0])
    assert (first.id, first.value, first.centre_px) == (1, 4, HERE)
    assert (second.value, second.centre_px) == (4, (HERE[0] + 4 * SIDE, HERE[1]))
    assert Kind.LIFTED not in kinds
    assert Kind.SLID not in kinds


def test_a_die_that_cannot_be_read_when_a_hand_has_passed_was_not_changed_for_another() -> None:
    follower = DiceFollower(HandsWatch())
    kinds: list[Kind] = []
    for frame in range(60):
        covered = 10 <= frame < 36
        small = np.full(SHAPE, SKIN, np.uint8) if covered else picture(shade=1.0 if frame < 10 else 1.3, seed=frame)
        value = 4 if frame < 10 or frame > 45 else None  # glare for a moment
        read = [] if covered else [sample(frame, HERE, value, side_px=SIDE, moves=False)]
        now = glimpse(frame, small, moves=covered)
        kinds += step(follower, now, read, covered=covered)
    (die,) = follower.dice
    assert (die.state, die.value, kinds) == (DieState.SETTLED, 4, [Kind.SETTLED])


def test_what_was_followed_in_the_stead_of_a_die_keeps_what_was_seen_of_it() -> None:
    book = Book()
    track = book.new_track(0)
    for frame in range(5):
        track.add(sample(frame, HERE, 4, side_px=SIDE, moves=False))
    track.known = True
    track.home = Home(HERE, None, SIDE, 0.0, 4, None, 0, 4 * FRAME_NS)
    book.stories[track.id] = Story(track.home, 4 * FRAME_NS, hidden=True)
    way = [sample(frame, (HERE[0] + 20.0 * frame, HERE[1]), None, side_px=SIDE) for frame in (6, 7, 8)]
    for each in way:
        track.add(each)
        book.stories[track.id].add(each)
    book.never_left(track)
    stayed, other = book.tracks
    assert (stayed.id, stayed.state, stayed.value, stayed.last.centre_px) == (track.id, DieState.SETTLED, 4, HERE)
    assert (other.known, list(other.samples), book.stories[other.id].samples) == (False, way, way)
    assert track.id not in book.stories


@pytest.mark.parametrize(("others", "shown"), [(range(22, 60), 2), (range(22, 23), 4)])
def test_a_die_thrown_to_where_it_lay_is_not_what_its_place_looks_like_but_what_is_read(
    others: range, shown: int
) -> None:
    watch = HandsWatch()
    follower = DiceFollower(watch)
    for frame in range(60):
        covered = 10 <= frame < 20
        now = glimpse(frame, np.full(SHAPE, SKIN, np.uint8) if covered else picture(seed=frame), moves=covered)
        read = []
        if frame < 10 or (frame > 22 and frame not in others):
            read.append(sample(frame, HERE, 4, side_px=SIDE, moves=False))
        elif frame in others:
            thrown = (HERE[0] - (0.33 if frame == others[0] else 0.38) * SIDE, HERE[1])
            read.append(sample(frame, thrown, 2, side_px=SIDE, moves=False))
        step(follower, now, read, covered=covered, watch=watch)
    assert [(each.state, each.value) for each in follower.dice] == [(DieState.SETTLED, shown)]


def test_what_lies_where_a_hand_has_just_been_is_not_said_to_show_what_lay_there_until_it_is_read() -> None:
    for passed, state in ((True, DieState.COVERED), (False, DieState.SETTLED)):
        hands = HandsWatch()
        follower = DiceFollower(hands)
        for frame in range(25):
            covered = 10 <= frame < 20
            now = glimpse(frame, np.full(SHAPE, SKIN, np.uint8) if covered else picture(seed=frame), moves=covered)
            read = [sample(frame, HERE, 4, side_px=SIDE, moves=False)] if frame < 10 else []
            step(follower, now, read, covered=covered, watch=hands if passed else None)
        assert [(each.state, each.value) for each in follower.dice] == [(state, 4)]
