"""Dice that fell out of a hand: suspected as a whole handful, and only when they were in view from the beginning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.tracking.samples import FRAME_NS, GREY, sample
from vision.readings import Point
from vision.tracking.book import Book
from vision.tracking.drops import STRAIGHT_DOWN, UNDER_THE_HAND, Drops
from vision.tracking.happenings import DieState, Happening, Kind
from vision.tracking.stories import Story
from vision.tracking.track import Home, Track

SIDE = 30.0
RED, BLUE = np.array([50.0, 60.0, 40.0], np.float32), np.array([50.0, 10.0, -50.0], np.float32)
FRAME, CALM, LATE = 40, 46, 65
"""When the first of a handful rests, when it is clear that it was all of it, and when it is too late to say so."""
PLACES: list[Point] = [(600.0, 400.0), (660.0, 400.0), (630.0, 450.0), (690.0, 450.0), (600.0, 490.0), (660.0, 500.0)]
"""The first three lie within 1.2 sides of their middle, all of them within 2.2."""


class Table:
    """Dice that come out of a hand, each seen for some frames before it rests; all of them were thrown, it is told."""

    def __init__(self) -> None:
        self.book, self.drops = Book(), Drops()
        self.told: list[Happening] = []

    def held(self, hue: np.ndarray = RED) -> Track:
        """A die that a hand has."""
        track = self.book.new_track(0)
        track.add(sample(0, (100.0 + 50 * track.id, 100.0), 4, hue=hue))
        track.known, track.seen = True, False
        track.be(DieState.IN_HAND, 0)
        track.home = Home(track.last.place_px, None, SIDE, 0.0, 4, None, 0, 0)
        self.book.stories[track.id] = Story(track.home, 0, bare_ns=10 * FRAME_NS, hidden=True)
        return track

    def rests(
        self, place: Point, *, seen: int, went: float = 0.5, frame: int = FRAME, hue: np.ndarray = RED,
        change: Callable[[Story], object] = lambda story: None, kind: Kind = Kind.ROLLED,
    ) -> Track:  # fmt: skip
        """It rests in a frame, after it was seen for some frames, coming from so many sides away."""
        track = self.held(hue)
        story = self.book.stories.pop(track.id)
        for number in range(seen, 0, -1):
            away_px = SIDE * went * number / max(seen, 1)
            story.add(sample(frame - number, (place[0] + away_px, place[1]), 4, hue=hue))
        change(story)
        track.home = Home(place, None, SIDE, 0.0, 2, None, frame * FRAME_NS, frame * FRAME_NS)
        track.be(DieState.SETTLED, frame * FRAME_NS)
        self.drops.ended(track, story, track.home)
        self.told.append(Happening(kind, track.id, 0, track.home.rest_ns, track.home.rest_ns))
        return track

    def at(self, frame: int) -> list[Happening]:
        told, self.told = self.told, []
        return self.drops.look(told, self.book.tracks, self.book.stories, frame * FRAME_NS)


def handful(seen: Sequence[int], went: Sequence[float] | None = None, places: Sequence[Point] = PLACES) -> Table:
    table = Table()
    for number, frames in enumerate(seen):
        table.rests(places[number], seen=frames, went=0.5 if went is None else went[number])
    return table


def apart(sides: float) -> list[Point]:
    """Three places so many sides from their middle."""
    return [
        (600.0 + SIDE * sides * float(np.cos(turn)), 400.0 + SIDE * sides * float(np.sin(turn)))
        for turn in np.arange(3) * 2 * np.pi / 3
    ]


def test_three_dice_that_come_down_in_view_and_go_nowhere_are_a_suspicion_with_its_reason() -> None:
    table = handful([8, 7, 6])
    told = table.at(CALM)
    assert [(each.kind, each.why, each.ended_ns) for each in told] == [
        (Kind.DROPPED, STRAIGHT_DOWN, FRAME * FRAME_NS)
    ] * 3
    assert [each.to_px for each in told] == PLACES[:3]
    assert [(each.before, each.value) for each in told] == [(4, 2)] * 3
    assert table.at(CALM + 1) == [], "told once"


@pytest.mark.parametrize(
    ("name", "seen", "went", "places", "why"),
    [
        ("one was in view, one for a moment", [8, 2, 0], None, PLACES, STRAIGHT_DOWN),
        ("all come to light at rest under the hand", [0, 0, 0], None, PLACES, None),
        ("in view for a moment, in a tight heap", [5, 3, 2], None, PLACES, UNDER_THE_HAND),
        ("in view in too few frames", [4, 4, 4], None, PLACES, None),
        ("in view for less, in a tight heap", [3, 3, 3], None, PLACES, None),
        ("in view for a moment, a little apart", [4, 4, 4], None, apart(2.2), None),
        ("in view for long, a little apart", [8, 2, 0], None, apart(2.2), STRAIGHT_DOWN),
        ("in view for long, far apart", [8, 8, 8], None, apart(2.6), None),
        ("one of them rolled on", [8, 8, 8], [0.5, 0.5, 2.6], PLACES, None),
        ("one die", [8], None, PLACES, None),
        ("two dice, as gentle throws of two do", [8, 8], None, PLACES, None),
        ("one of six speaks for all", [8, 0, 0, 0, 0, 0], None, PLACES, None),
        ("one of three speaks for all", [8, 1, 0], None, PLACES, None),
        ("three of six in view", [8, 8, 4, 0, 0, 0], None, PLACES, STRAIGHT_DOWN),
    ],
)
def test_what_is_suspected_and_what_is_not(
    name: str, seen: list[int], went: list[float] | None, places: list[Point], why: str | None
) -> None:
    told = handful(seen, went, places).at(CALM)
    assert [each.why for each in told] == ([] if why is None else [why] * len(seen)), name


def test_a_die_that_was_out_of_sight_on_the_way_may_have_rolled_there() -> None:
    def hide(story: Story) -> None:
        story.samples[2:] = []  # seen as it left the hand, then not for six frames

    table = handful([0, 0])
    table.rests(PLACES[2], seen=9, change=hide)
    assert table.at(CALM) == []


def test_what_a_hand_half_hides_says_nothing_of_the_way() -> None:
    def half(story: Story) -> None:
        story.samples[:] = [replace(each, partial=True) for each in story.samples]

    for change, told in ((half, 0), (lambda story: None, 3)):
        table = handful([0, 0])
        table.rests(PLACES[2], seen=11, change=change)
        assert len(table.at(CALM)) == told


def test_it_waits_for_what_is_still_in_the_hand_and_says_nothing_when_that_stays_there() -> None:
    table = handful([8, 8, 8])
    rest = table.held()
    assert table.at(CALM) == []
    table.book.drop(rest)
    assert len(table.at(CALM + 1)) == 3

    table = handful([8, 8, 8])
    rest = table.held()
    assert table.at(CALM) == []
    assert table.at(LATE) == []
    table.book.drop(rest)
    assert table.at(LATE + 1) == []


def test_another_of_the_hand_that_goes_far_clears_them_all_and_one_of_another_colour_does_not() -> None:
    for hue, told in ((RED, 0), (BLUE, 3)):
        table = handful([8, 8, 8])
        assert table.at(FRAME + 2) == [], "others may come"
        table.rests(PLACES[3], seen=10, went=6.0, frame=FRAME + 3, hue=hue)
        assert len([each for frame in range(FRAME + 3, LATE) for each in table.at(frame)]) == told


def broken(story: Story) -> None:
    story.broken = True


def never_taken(story: Story) -> None:
    story.hidden = False


def from_nowhere(story: Story) -> None:
    story.home = None


@pytest.mark.parametrize(
    ("name", "change", "kind", "three", "four"),
    [
        ("nobody watched it all the way", broken, Kind.ROLLED, 0, 3),
        ("knocked, not taken up", never_taken, Kind.ROLLED, 0, 3),
        ("it came from nowhere", from_nowhere, Kind.ROLLED, 0, 3),
        ("pushed aside meanwhile", lambda story: None, Kind.SLID, 0, 3),
        ("set back out of the same hand", lambda story: None, Kind.SET_BACK, 0, 0),
    ],
)
def test_only_dice_that_were_thrown_out_of_a_hand_count(
    name: str, change: Callable[[Story], None], kind: Kind, three: int, four: int
) -> None:
    for others, expected in ((2, three), (3, four)):
        table = handful([8] * others)
        table.rests(PLACES[others], seen=8, change=change, kind=kind)
        assert len([each for frame in range(CALM, LATE) for each in table.at(frame)]) == expected, name


def test_what_is_told_late_of_one_of_them_counts_as_well() -> None:
    table = handful([8, 8, 8])
    table.told, late = table.told[:2], table.told[2]
    assert table.at(FRAME + 2) == []
    table.told = [late]
    assert len(table.at(CALM)) == 3


def test_grey_and_red_dice_are_of_two_hands() -> None:
    table = handful([8, 8])
    table.rests(PLACES[2], seen=8, hue=GREY)
    assert table.at(CALM) == []


def test_of_what_is_seen_fifteen_times_a_second_nothing_is_said() -> None:
    def every_other(story: Story) -> None:
        story.samples[:] = story.samples[::2]

    for change, told in ((every_other, 0), (lambda story: None, 3)):
        table = Table()
        for place in PLACES[:3]:
            table.rests(place, seen=12, change=change)
        assert len(table.at(CALM)) == told
