"""Dice that come out of a hand: which is which, and whether they were thrown or set back, told together."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from tests.vision.tracking import samples
from tests.vision.tracking.samples import FRAME_NS
from vision.readings import Point
from vision.tracking.book import Book
from vision.tracking.handfuls import Handfuls
from vision.tracking.happenings import DieState, Happening, Kind
from vision.tracking.stories import Story
from vision.tracking.track import Home, Sample, Track

SIDE = 24.0
RED, BLUE = np.array([50.0, 60.0, 40.0], np.float32), np.array([50.0, 10.0, -50.0], np.float32)


def sample(frame: int, place: Point, value: int | None, cover: float = 0.0, hue: np.ndarray = RED) -> Sample:
    return samples.sample(frame, place, value, cover, side_px=SIDE, hue=hue, moves=False)


@dataclass
class Table:
    """Dice that a hand has taken, and some that come out of it."""

    book: Book = field(default_factory=Book)

    @property
    def handfuls(self) -> Handfuls:
        return self.book.handfuls

    def taken(self, value: int, place: Point, *, covered: bool = False, hue: np.ndarray = RED, since: int = 0) -> Track:
        """A die that lay there until frame `since`; a hand has it, or is still over its place."""
        track = self.book.new_track(0)
        track.add(sample(since, place, value, hue=hue))
        track.known, track.seen = True, False
        track.home = Home(place, None, SIDE, 0.0, value, None, since * FRAME_NS, since * FRAME_NS)
        if covered:
            track.be(DieState.COVERED, 0)
            del self.book.stories[track.id]
        else:
            track.be(DieState.IN_HAND, 0)
            self.book.stories[track.id] = Story(track.home, since * FRAME_NS, bare_ns=10 * FRAME_NS, hidden=True)
        return track

    def comes_out(
        self, value: int, place: Point, frame: int, *, hue: np.ndarray = RED, stood_still: bool = True
    ) -> list[Happening]:
        """A die is seen at rest where a hand has just been; what is told of it at once."""
        track = self.book.new_track(frame * FRAME_NS)
        for number in range(3):
            track.add(sample(frame + number, place, value, hue=hue))
        old, _ = self.handfuls.owner(track, self.book.tracks, self.book.stories)
        assert old is not None
        self.book.take_over(track, old)
        story = self.book.stories.pop(track.id)
        story.under_a_hand, story.stood_still, story.most_cover = True, stood_still, 1.0
        rest = Home(place, None, SIDE, 0.0, value, None, frame * FRAME_NS, frame * FRAME_NS)
        track.home = rest
        track.be(DieState.SETTLED, frame * FRAME_NS)
        return self.handfuls.ended(
            track, story, rest, self.book.tracks, self.book.stories, (frame + 3) * FRAME_NS
        )  # fmt: skip

    def later(self, frame: int) -> list[Kind]:
        told = self.handfuls.look(self.book.tracks, self.book.stories, frame * FRAME_NS)
        return [each.kind for each in told if each.kind is not Kind.LIFTED]


FAR: list[Point] = [(300.0, 300.0), (360.0, 300.0), (420.0, 320.0)]


@pytest.mark.parametrize(
    ("name", "went_in", "came_out", "told"),
    [
        ("all show what went in", [4, 2], [2, 4], [Kind.SET_BACK, Kind.SET_BACK]),
        ("one shows what none had shown", [4, 2], [4, 5], [Kind.ROLLED, Kind.ROLLED]),
        ("more fours than went in", [4, 2], [4, 4], [Kind.ROLLED, Kind.ROLLED]),
        ("one alone shows the same", [4], [4], [Kind.SET_BACK]),
        ("one alone shows another", [4], [3], [Kind.ROLLED]),
    ],
)
def test_dice_of_one_hand_are_thrown_or_set_back_together(
    name: str, went_in: list[int], came_out: list[int], told: list[Kind]
) -> None:
    table = Table()
    for number, value in enumerate(went_in):
        table.taken(value, (100.0 + 60 * number, 100.0))
    kinds = []
    for number, value in enumerate(came_out):
        kinds += [each.kind for each in table.comes_out(value, FAR[number], 40 + number)]
    kinds += table.later(46)
    assert [kind for kind in kinds if kind is not Kind.LIFTED] == told, name


def test_what_nothing_tells_waits_for_the_rest_of_the_hand_but_not_for_ever() -> None:
    table = Table()
    table.taken(4, (100.0, 100.0))
    table.taken(2, (160.0, 100.0))
    assert table.comes_out(4, FAR[0], 40) == []
    assert table.later(44) == []
    assert table.later(40 + 28) == [Kind.SET_BACK]


@pytest.mark.parametrize(
    ("name", "taken", "hue", "told"),
    [
        ("one hand took both", 0, RED, Kind.ROLLED),
        ("it took the other long before", -60, RED, Kind.SET_BACK),
        ("the other is of another colour", 0, BLUE, Kind.SET_BACK),
    ],
)
def test_a_hand_that_did_not_stand_still_over_one_of_its_dice_set_none_of_them_back(
    name: str, taken: int, hue: np.ndarray, told: Kind
) -> None:
    table = Table()
    table.taken(4, (100.0, 100.0), since=taken, hue=hue)
    table.taken(2, (160.0, 100.0))
    assert table.comes_out(4, FAR[0], 40, stood_still=False, hue=hue) == []
    assert table.later(44) == [Kind.ROLLED], "there is nothing to wait for"
    assert table.comes_out(2, FAR[1], 46) == []
    assert table.later(48) == [told], name


def test_a_die_that_went_on_when_the_hand_had_left_it_was_not_set_back() -> None:
    for went_on, told in ((39, Kind.ROLLED), (40, Kind.SET_BACK), (-1, Kind.SET_BACK)):  # it rests from frame 40 on
        table = Table()
        table.taken(4, (100.0, 100.0)).rolled_ns = went_on * FRAME_NS
        table.comes_out(4, FAR[0], 40)
        assert table.later(44) == [told], f"seen to move in frame {went_on}"


def test_what_is_hidden_since_a_hand_took_others_may_come_out_of_it_and_is_waited_for() -> None:
    for hidden, at_once in ((0, []), (-60, [Kind.SET_BACK])):
        table = Table()
        table.taken(4, (100.0, 100.0))
        table.taken(2, (160.0, 100.0), covered=True, since=hidden)
        table.comes_out(4, FAR[0], 40)
        assert table.later(44) == at_once, f"hidden since frame {hidden}"
        if not at_once:
            assert Kind.ROLLED in [each.kind for each in table.comes_out(5, FAR[1], 46)], "none had shown a five"
            assert table.later(50) == [Kind.ROLLED]


def test_what_lay_hidden_all_the_time_gives_its_face_to_no_other() -> None:
    for value, told in ((2, Kind.ROLLED), (4, Kind.SET_BACK)):
        table = Table()
        table.taken(4, (100.0, 100.0))
        covered = table.taken(2, (160.0, 100.0), covered=True)
        table.comes_out(value, FAR[0], 40)
        assert table.later(44) == []
        covered.be(DieState.SETTLED, 46 * FRAME_NS)
        assert table.later(46) == [told]


def test_what_has_just_come_to_light_and_is_of_its_colour_may_be_of_its_hand_and_is_waited_for() -> None:
    for hue, at_once in ((RED, []), (BLUE, [Kind.SET_BACK])):
        table = Table()
        table.taken(4, (100.0, 100.0))
        table.comes_out(4, FAR[0], 40)
        newcomer = table.book.new_track(42 * FRAME_NS)
        newcomer.add(sample(42, FAR[1], None, hue=hue))
        newcomer.seen = True
        assert table.later(44) == at_once


def test_two_that_were_let_go_at_once_make_a_throw_of_what_the_same_hand_let_go_before() -> None:
    for apart, told in ((1, Kind.ROLLED), (8, Kind.SET_BACK)):
        table = Table()
        for number, value in enumerate((4, 2, 6)):
            table.taken(value, (100.0 + 60 * number, 100.0), since=6 * number)
        table.comes_out(6, FAR[0], 44)
        table.comes_out(4, FAR[1], 52)
        table.comes_out(2, FAR[2], 52 + apart)
        assert table.later(64) == [told] * 3


def test_one_of_its_company_that_is_seen_to_roll_makes_it_a_throw_and_one_of_another_colour_does_not() -> None:
    for hue, told in ((RED, Kind.ROLLED), (BLUE, Kind.SET_BACK)):
        table = Table()
        table.taken(4, (200.0, 200.0))
        other = table.taken(2, (100.0, 100.0), hue=hue)
        other.rolled_ns = 41 * FRAME_NS
        table.comes_out(4, FAR[0], 40)
        assert table.later(70) == [told]


def test_a_die_that_comes_to_light_long_after_its_company_was_thrown_may_have_lain_there_unread() -> None:
    for thrown, told in ((80, Kind.ROLLED), (-1, Kind.SET_BACK)):
        table = Table()
        table.taken(4, (200.0, 200.0))
        other = table.taken(2, (100.0, 100.0))
        other.rolled_ns = thrown * FRAME_NS
        table.comes_out(4, FAR[0], 200)
        assert table.later(230) == [told]


def test_a_die_that_left_the_table_was_not_thrown_back_with_those_that_it_left_it_with() -> None:
    for thrown, told in ((30, Kind.SET_BACK), (80, Kind.ROLLED)):
        table = Table()
        one, other = table.taken(4, (200.0, 200.0)), table.taken(2, (100.0, 100.0))
        table.book.stories[one.id].left_ns = 25 * FRAME_NS
        one.be(DieState.OFF_TABLE, 25 * FRAME_NS)
        other.rolled_ns = thrown * FRAME_NS
        other.be(DieState.SETTLED, thrown * FRAME_NS)
        del table.book.stories[other.id]
        table.comes_out(4, FAR[0], 100)
        assert [kind for kind in table.later(130) if kind is not Kind.CAME_BACK] == [told]


def test_a_die_that_fell_off_the_table_may_be_set_back_with_any_face_up() -> None:
    table = Table()
    track = table.taken(4, (100.0, 100.0))
    table.book.stories[track.id].left_ns = 20 * FRAME_NS
    assert table.comes_out(6, FAR[0], 40) == []
    assert table.later(44) == [Kind.CAME_BACK, Kind.SET_BACK]


def test_a_die_under_an_arm_is_taken_for_gone_only_when_no_other_is_missing() -> None:
    table = Table()
    covered = table.taken(3, (300.0, 310.0), covered=True)
    missing = table.taken(4, (900.0, 100.0))
    newcomer = table.book.new_track(40 * FRAME_NS)
    newcomer.add(sample(40, FAR[0], 5))
    assert table.handfuls.owner(newcomer, table.book.tracks, table.book.stories) == (missing, True)
    table.book.drop(missing)
    assert table.handfuls.owner(newcomer, table.book.tracks, table.book.stories) == (covered, False)
    covered.add(sample(41, (300.0, 310.0), 3))
    covered.seen = False
    assert table.handfuls.owner(newcomer, table.book.tracks, table.book.stories) == (None, True), (
        "they lay side by side"
    )


@pytest.mark.parametrize(("frame", "gone"), [(41, False), (39, True)])
def test_a_die_of_which_a_part_is_seen_where_it_lies_was_not_taken(frame: int, gone: bool) -> None:
    table = Table()
    covered = table.taken(3, (300.0, 310.0), covered=True)
    covered.glimpsed_ns = frame * FRAME_NS
    newcomer = table.book.new_track(40 * FRAME_NS)
    newcomer.add(sample(40, FAR[0], 5))
    found, _ = table.handfuls.owner(newcomer, table.book.tracks, table.book.stories)
    assert found is (covered if gone else None)


@pytest.mark.parametrize(("part", "known"), [(0.5, False), (0.7, True)])
def test_what_is_half_as_large_as_a_die_gets_the_number_of_none(part: float, known: bool) -> None:
    table = Table()
    missing = table.taken(4, (100.0, 100.0))
    newcomer = table.book.new_track(40 * FRAME_NS)
    for number in range(3):
        place = (300.0 + 10 * number, 300.0)
        newcomer.add(samples.sample(40 + number, place, None, side_px=part * SIDE, hue=RED))
    found = table.handfuls.owner_on_its_way(newcomer, table.book.tracks, table.book.stories)
    assert found is (missing if known else None)


def test_a_die_on_its_way_is_known_again_only_in_plain_view() -> None:
    for cover, neighbour, known in ((0.0, False, True), (0.5, False, False), (0.0, True, False)):
        table = Table()
        missing = table.taken(4, (100.0, 100.0))
        newcomer = table.book.new_track(40 * FRAME_NS)
        for number in range(3):
            newcomer.add(sample(40 + number, (300.0 + 20 * number, 300.0), None, cover=cover))
        if neighbour:
            table.book.new_track(40 * FRAME_NS).add(sample(42, (350.0, 310.0), None))
        found = table.handfuls.owner_on_its_way(newcomer, table.book.tracks, table.book.stories)
        assert (found is missing) is known


def test_a_die_that_lies_as_one_lay_is_that_one_whoever_asks_first() -> None:
    table = Table()
    one, other = table.taken(1, (300.0, 300.0)), table.taken(1, (430.0, 330.0))
    stayed, thrown = table.book.new_track(20 * FRAME_NS), table.book.new_track(20 * FRAME_NS)
    for frame in range(20, 23):
        stayed.add(sample(frame, (300.0, 300.0), 1))
        thrown.add(sample(frame, (306.0, 330.0), 6))
    for newcomer, old in ((thrown, other), (stayed, one)):
        assert table.handfuls.owner(newcomer, table.book.tracks, table.book.stories) == (old, True)


def test_a_die_that_was_seen_to_leave_the_hand_and_then_not_is_the_one_found_near_by() -> None:
    for lost_frame, rolled in ((35, True), (20, False)):
        table = Table()
        inside, rolling = table.taken(4, (300.0, 320.0)), table.taken(2, (500.0, 500.0))
        rolling.add(sample(lost_frame, (310.0, 250.0), None))
        table.book.stories[rolling.id].add(rolling.last)
        rolling.be(DieState.ROLLING, 0)
        rolling.seen = False
        newcomer = table.book.new_track(40 * FRAME_NS)
        newcomer.add(sample(40, FAR[0], None))
        owner, _ = table.handfuls.owner(newcomer, table.book.tracks, table.book.stories)
        assert owner is (rolling if rolled else inside)


@pytest.mark.parametrize(
    ("name", "step_px", "lost_frames", "away_px", "same"),
    [
        ("where it went", 20.0, 3, 70.0, True),
        ("somewhat farther", 20.0, 3, 150.0, True),
        ("where it can never have come to so soon", 2.0, 3, 240.0, False),
        ("as far, but it went fast", 60.0, 4, 240.0, True),
        ("as far, but nobody has seen it for a while", 2.0, 20, 240.0, True),
    ],
)
def test_a_die_that_was_just_seen_on_its_way_is_none_that_is_far_ahead(
    name: str, step_px: float, lost_frames: int, away_px: float, same: bool
) -> None:
    table = Table()
    rolling = table.taken(2, (500.0, 500.0))
    for frame, x in ((30, 310.0 - step_px), (31, 310.0)):
        rolling.add(sample(frame, (x, 250.0), None))
        table.book.stories[rolling.id].add(rolling.last)
    rolling.be(DieState.ROLLING, 0)
    rolling.seen, rolling.rest_ns = False, None
    newcomer = table.book.new_track(40 * FRAME_NS)
    newcomer.add(sample(31 + lost_frames, (310.0 + away_px, 250.0), None))
    owner, _ = table.handfuls.owner(newcomer, table.book.tracks, table.book.stories)
    assert owner is (rolling if same else None), name


def test_the_colour_of_a_die_that_comes_from_under_a_hand_is_not_that_of_skin() -> None:
    skin = np.array([70.0, 20.0, 20.0], np.float32)
    for value, cover in ((2, 0.9), (None, 0.0)):
        table = Table()
        missing = table.taken(4, (100.0, 100.0))
        newcomer = table.book.new_track(40 * FRAME_NS)
        newcomer.add(sample(40, FAR[0], value, cover=cover, hue=skin))
        newcomer.add(sample(41, FAR[0], 4, cover=0.0))
        assert table.handfuls.owner(newcomer, table.book.tracks, table.book.stories)[0] is missing


def test_a_die_that_is_knocked_from_under_a_hand_is_the_one_that_lay_there_until_the_place_says_otherwise() -> None:
    table = Table()
    covered, inside = table.taken(3, (300.0, 300.0), covered=True), table.taken(1, (340.0, 340.0))
    newcomer = table.book.new_track(8 * FRAME_NS)
    for frame in range(8, 12):
        newcomer.add(sample(frame, (270.0, 300.0), 3))
    tracks, stories = table.book.tracks, table.book.stories
    assert table.handfuls.owner_on_its_way(newcomer, tracks, stories) is None, "it may be either"
    assert table.handfuls.owner(newcomer, tracks, stories) == (covered, False)
    newcomer.add(sample(12, (270.0, 300.0), 5))
    assert table.handfuls.owner_on_its_way(newcomer, tracks, stories) is inside


def test_dice_that_a_hand_took_one_by_one_and_that_come_to_rest_at_once_were_let_go() -> None:
    for later, apart, told in (
        (6, 1, Kind.ROLLED), (2, 1, Kind.SET_BACK), (6, 8, Kind.SET_BACK), (-60, 1, Kind.SET_BACK)
    ):  # fmt: skip
        table = Table()
        table.taken(4, (100.0, 100.0))
        second = table.taken(2, (190.0, 100.0))
        assert second.home is not None
        second.home = replace(second.home, until_ns=later * FRAME_NS)
        table.book.stories[second.id].home = second.home
        table.comes_out(4, FAR[0], 40)
        table.comes_out(2, FAR[1], 40 + apart)
        assert table.later(52) == [told, told]


def test_a_die_that_comes_out_elsewhere_was_not_slid_there_when_what_was_followed_was_the_hand() -> None:
    table = Table()
    old = table.taken(4, (100.0, 100.0))
    old.be(DieState.ROLLING, 0)
    story = table.book.stories[old.id]
    story.bare_ns, story.most_cover = None, 1.0
    story.add(replace(sample(4, (120.0, 110.0), None, cover=0.5), partial=True))
    kinds = [each.kind for each in table.comes_out(4, FAR[0], 40)] + table.later(46)
    assert Kind.SLID not in kinds
