"""Dice that a hand meets while they roll: stopped or turned aside by it, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.vision.tracking.samples import FRAME_NS, sample
from vision.readings import Point
from vision.tracking.happenings import DieState, Kind
from vision.tracking.stories import Story
from vision.tracking.touches import touched
from vision.tracking.track import Home, Sample, Track

SIDE = 30.0
A: Point = (100.0, 100.0)
REST = 40


def home(place: Point, value: int, frame: int) -> Home:
    return Home(place, None, SIDE, 0.0, value, None, frame * FRAME_NS, frame * FRAME_NS)


def die(number: int, *seen: Sample, state: DieState = DieState.ROLLING) -> Track:
    track = Track(number)
    for each in seen:
        track.add(each)
    track.known = True
    track.be(state, 0)
    return track


def met(story: Story, place: Point, *others: Track) -> Sample | None:
    """The sample in which a hand is said to have met a die that rolled, and rests at `place`."""
    rolled = die(1, *story.samples)
    told = touched(rolled, story, home(place, 2, REST), [rolled, *others], (REST + 3) * FRAME_NS)
    if told is None:
        return None
    assert (told.kind, told.die, told.ended_ns) == (Kind.TOUCHED, 1, REST * FRAME_NS)
    (found,) = [each for each in story.samples if each.at_ns == told.began_ns]
    assert told.to_px == found.place_px
    return found


def story_of(samples: Sequence[Sample]) -> Story:
    story = Story(home(A, 4, 0), 0, bare_ns=3 * FRAME_NS, hidden=True)
    for each in samples:
        story.add(each)
    return story


def way(start: Point, stop: Point, covers: Sequence[float]) -> list[Sample]:
    """Evenly from place to place from frame 10 on, a frame for each cover."""
    last = len(covers) - 1
    return [
        sample(
            10 + n, (start[0] + (stop[0] - start[0]) * n / last, start[1] + (stop[1] - start[1]) * n / last), 3, cover
        )
        for n, cover in enumerate(covers)
    ]


def test_a_hand_that_comes_over_a_rolling_die_and_stops_it_touched_it() -> None:
    stop, covers = (350.0, 180.0), [0.0] * 6 + [0.6]
    fast = story_of(way((150, 120), stop, covers))
    found = met(fast, stop)
    assert found is not None
    assert found.at_ns == 16 * FRAME_NS, "the first in which the hand is over it"
    assert met(fast, (stop[0] + 1.5 * SIDE, stop[1])) is None, "it went on: an arm passed over it"
    assert met(story_of(way((300, 170), stop, covers)), stop) is None, "it would have stopped by itself"
    assert met(story_of(way((205, 140), stop, covers)), stop) is None, (
        "so would this: dice that tumble stop as suddenly"
    )
    slows = [*fast.samples[:-2], sample(15, (295, 163), 3), sample(16, (300, 165), 3, cover=0.6)]
    assert met(story_of(slows), (300, 165)) is None, "it had slowed down before the hand came"
    at_rest = [*way((150, 120), stop, [0.0] * 4), sample(30, stop, 2, cover=0.6)]
    assert met(story_of(at_rest), stop) is None, "it lay there already"
    seldom = story_of([replace(each, at_ns=2 * each.at_ns) for each in fast.samples])
    assert met(seldom, stop) is None, "at 15 frames a second it may have slowed down by itself"


def turned(
    *, before: Point = (25.0, 0.0), after: Point = (-5.0, 18.0), cover: float = 0.6, hidden: int = 2,
    partial: bool = False, first_cover: float = 0.0,
) -> Story:  # fmt: skip
    """A die goes its way by so many px a frame, is under a finger for some frames, and goes another way."""
    frame, (x, y) = 10, A
    samples = []

    def go(step: Point, frames: int, cover: float, *, partial: bool = False) -> None:
        nonlocal frame, x, y
        for _ in range(frames):
            frame, x, y = frame + 1, x + step[0], y + step[1]
            samples.append(replace(sample(frame, (x, y), None if partial else 3, cover), partial=partial))

    go(before, 3, first_cover)
    go(before, hidden, cover, partial=partial)
    go(after, 4, 0.0)
    return story_of(samples)


@pytest.mark.parametrize(
    ("name", "story", "told"),
    [
        ("turned aside under a finger", turned(), True),
        ("half hidden meanwhile", turned(partial=True), True),
        ("thrown back", turned(after=(-18.0, 0.0)), True),
        ("it goes straight on: an arm passed over it", turned(after=(18.0, 3.0)), False),
        (
            "it is slowed and goes straight on: it rubbed along the table",
            turned(before=(40.0, 0.0), after=(15.0, 4.0)),
            False,
        ),
        ("it turns a little, and not fast", turned(before=(19.0, 0.0), after=(10.0, 8.0)), False),
        ("no hand was there: it hopped", turned(cover=0.0), False),
        ("a slow die hops as it likes", turned(before=(22.0, 0.0)), False),
        ("it nearly stops: its ways then tell nothing", turned(after=(-1.0, 8.0)), False),
        ("out of sight for too long", turned(hidden=7, partial=True), False),
        ("the hand that threw it is still over it", turned(first_cover=0.5), False),
    ],
)
def test_a_fast_die_that_comes_out_from_under_a_hand_another_way_was_touched(
    name: str, story: Story, told: bool
) -> None:
    assert (met(story, (600.0, 600.0)) is not None) is told, name


def test_it_is_told_of_the_first_frame_that_shows_the_hand_over_it() -> None:
    for partial in (False, True):
        found = met(turned(partial=partial), (600.0, 600.0))
        assert found is not None
        assert found.at_ns == 14 * FRAME_NS


@pytest.mark.parametrize(("sides", "told"), [(1.5, False), (2.5, True)])
def test_a_die_that_tumbles_out_its_last_two_sides_seems_to_turn(sides: float, told: bool) -> None:
    story = turned()
    x, y = story.samples[4].place_px  # the last under the hand
    assert (met(story, (x, y + sides * SIDE)) is not None) is told


@pytest.mark.parametrize(("sides", "told"), [(1.5, False), (4.0, True)])
@pytest.mark.parametrize("state", [DieState.SETTLED, DieState.ROLLING])
def test_a_die_that_another_die_may_have_turned_was_not_touched(state: DieState, sides: float, told: bool) -> None:
    story = turned()
    meeting = story.samples[3].place_px
    beside = (meeting[0], meeting[1] - sides * SIDE)
    other = die(2, sample(14, beside, 5), state=state)
    assert (met(story, (600.0, 600.0), other) is not None) is told
    gone = die(2, sample(2, beside, 5), state=DieState.ROLLING)
    assert met(story, (600.0, 600.0), gone) is not None, "it rolled there long before"


def test_of_a_die_that_nobody_watched_or_knows_nothing_is_told() -> None:
    broken, unknown = turned(), turned()
    broken.broken, unknown.home = True, None
    assert met(broken, (600.0, 600.0)) is None
    assert met(unknown, (600.0, 600.0)) is None
