"""A die that another knocks away, and whose place that one takes, is known by the face that it keeps."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.vision.tracking.samples import FRAME_NS, sample
from vision.readings import Point
from vision.tracking.book import Book
from vision.tracking.happenings import DieState
from vision.tracking.knocks import knocked_away
from vision.tracking.stories import Story
from vision.tracking.track import Home, Track

SIDE = 30.0
HERE: Point = (300.0, 200.0)
Values = Sequence[int | None]


def nowhere(home: Home) -> bool:
    """No place is bare."""
    return False


def struck(book: Book, followed: Values) -> Track:
    """A four that lay there up to frame 9, and what is read of the die that came and is followed in its stead."""
    track = book.new_track(0)
    for frame in range(5, 10):
        track.add(sample(frame, HERE, 4, moves=False))
    track.known, track.home = True, Home(HERE, None, SIDE, 0.0, 4, None, 0, 9 * FRAME_NS)
    story = book.stories[track.id] = Story(track.home, 9 * FRAME_NS)
    track.be(DieState.ROLLING, 10 * FRAME_NS)
    for number, value in enumerate(followed):
        each = sample(10 + number, (HERE[0] + 0.5 * SIDE, HERE[1]), value)
        track.add(each)
        story.add(each)
    return track


def comes_to_light(book: Book, values: Values, sides: float, frame: int = 11) -> Track:
    newcomer = book.new_track(frame * FRAME_NS)
    for number, value in enumerate(values):
        each = sample(frame + number, (HERE[0] - sides * SIDE, HERE[1]), value)
        newcomer.add(each)
        book.stories[newcomer.id].add(each)
    return newcomer


@pytest.mark.parametrize(
    ("name", "followed", "values", "sides", "frame", "knocked"),
    [
        ("the followed one shows another face", (None, 2), (4, 4), 1.5, 11, True),
        ("the followed one is not read yet", (None, None), (None, 4, 4), 1.5, 11, True),
        ("the followed one shows the face itself", (4, 4), (4, 4), 1.5, 11, False),
        ("the newcomer shows another", (None, 2), (5, 5), 1.5, 11, False),
        ("the newcomer was read in one frame only", (None, 2), (None, 4), 1.5, 11, False),
        ("the newcomer shows another now", (None, 2), (4, 4, 5), 1.5, 11, False),
        ("farther than a knock goes", (None, 2), (4, 4), 2.8, 11, False),
        ("later than a knock takes", (None, 2), (4, 4), 1.5, 26, False),
        ("nothing was followed", (), (4, 4), 1.5, 11, False),
    ],
)
def test_which_newcomer_is_a_die_that_was_knocked_away(
    name: str, followed: Values, values: Values, sides: float, frame: int, knocked: bool
) -> None:
    book = Book()
    track = struck(book, followed)
    newcomer = comes_to_light(book, values, sides, frame)
    assert knocked_away(newcomer, book.tracks, book.stories, nowhere) is (track if knocked else None), name


@pytest.mark.parametrize(
    ("name", "state", "read", "cover", "bare", "knocked"),
    [
        ("another face shows where it lay, under no hand any more", DieState.COVERED, 2, 0.0, False, True),
        ("that is read beside a hand: a part of it may be", DieState.COVERED, 2, 0.6, False, False),
        ("what lies there is not read yet", DieState.COVERED, None, 0.0, False, False),
        ("it shows where it lay itself", DieState.COVERED, 4, 0.0, False, False),
        ("nothing lies where it lay", DieState.COVERED, 0, 0.0, True, True),
        ("a hand hides where it lay", DieState.COVERED, 0, 0.0, False, False),
        ("it went as a hand came, and nothing lies there", DieState.IN_HAND, 0, 0.0, True, True),
        ("it lies there in plain view", DieState.SETTLED, 0, 0.0, True, False),
    ],
)
def test_a_die_may_be_knocked_away_while_a_hand_passes_over_it(
    name: str, state: DieState, read: int | None, cover: float, bare: bool, knocked: bool
) -> None:
    """`read` is what is read where it lay, 0 when nothing is seen there."""
    book = Book()
    track = struck(book, ())
    track.be(state, 10 * FRAME_NS)
    book.stories[track.id].hidden = True
    if state is not DieState.IN_HAND:
        del book.stories[track.id]
    track.seen = read != 0
    if track.seen:
        track.add(sample(12, HERE, read, cover))
    newcomer = comes_to_light(book, (4, 4), 1.5)
    found = knocked_away(newcomer, book.tracks, book.stories, lambda home: bare)
    assert found is (track if knocked else None), name
    if found is None:
        return
    number = track.id
    book.exchange(newcomer, track)
    assert (newcomer.id, newcomer.known) == (number, True)
    assert book.stories[number].hidden is (read == 0), "where another die lies now, that one moved it"
    assert len(book.tracks) == (2 if read else 1), "what lies there is followed as one that nobody knows"


def test_the_die_keeps_its_number_and_what_was_followed_in_its_stead_is_one_that_nobody_knows() -> None:
    book = Book()
    track = struck(book, (None, 2))
    number = track.id
    newcomer = comes_to_light(book, (4, 4), 1.5)
    book.exchange(newcomer, track)
    assert newcomer.id == number
    assert newcomer.known
    assert [each.reading.value for each in book.stories[number].samples] == [4, 4]
    (other,) = [each for each in book.tracks if each is not newcomer]
    assert not other.known
    assert [each.reading.value for each in other.samples] == [None, 2]
    assert book.stories[other.id].home is None


@pytest.mark.parametrize(
    ("name", "sides", "value", "cover", "knocked"),
    [
        ("it was seen there, though not read", 0.1, None, 0.0, True),
        ("another came to lie by its place", 0.4, None, 0.0, False),
        ("another face was read there", 0.1, 2, 0.0, False),
        ("a hand was still over it", 0.1, None, 0.5, False),
    ],
)
def test_a_die_lay_there_until_it_was_last_seen_there_though_a_hand_kept_it_from_being_read(
    name: str, sides: float, value: int | None, cover: float, knocked: bool
) -> None:
    book = Book()
    track = struck(book, ())
    for frame in range(24, 27):
        track.add(sample(frame, (HERE[0] + sides * SIDE, HERE[1]), value, cover))
    for frame in range(27, 29):
        track.add(sample(frame, (HERE[0] + 0.5 * SIDE, HERE[1]), None))
    newcomer = comes_to_light(book, (4, 4), 1.0, 28)
    assert knocked_away(newcomer, book.tracks, book.stories, nowhere) is (track if knocked else None), name
    if knocked:
        number = track.id
        book.exchange(newcomer, track)
        home = book.stories[number].home
        assert home is not None
        assert home.until_ns == 26 * FRAME_NS
        (other,) = [each for each in book.tracks if each is not newcomer]
        assert [each.at_ns for each in other.samples] == [27 * FRAME_NS, 28 * FRAME_NS], "its way began after that"


@pytest.mark.parametrize(("part_in_frame", "knocked"), [(25, True), (None, False), (10, False), (29, False)])
def test_a_die_lay_there_as_long_as_a_part_of_it_was_seen_there_beside_a_hand(
    part_in_frame: int | None, knocked: bool
) -> None:
    book = Book()
    track = struck(book, ())
    track.be(DieState.COVERED, 10 * FRAME_NS)
    if part_in_frame is not None:
        track.glimpsed_ns = part_in_frame * FRAME_NS
    track.add(sample(29, HERE, 2))
    newcomer = comes_to_light(book, (4, 4), 1.0, 28)
    assert knocked_away(newcomer, book.tracks, book.stories, nowhere) is (track if knocked else None)
