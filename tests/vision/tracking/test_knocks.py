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
    assert knocked_away(newcomer, book.tracks, book.stories) is (track if knocked else None), name


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
