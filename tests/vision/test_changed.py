"""Reading only what changed gives what reading everything gives, and reads little when little happens."""

from __future__ import annotations

from dataclasses import replace
from math import dist

import cv2
import numpy as np
import pytest

from tests.vision.tracking.pictures import noisy, shifted, table
from vision.dice import Worth
from vision.markers import MarkerReader, marker_image
from vision.pyramid import Pyramid
from vision.reader import TableReader
from vision.readings import DieReading, Reading, Unreadable
from vision.tracking.changed import FRESH_FRAMES, WHOLE_EVERY, ChangedReader
from vision.tracking.glimpse import Glimpses


class Squares:
    """A stand-in for the dice reader: every bright square is a die, its value the number of its grey level."""

    def __init__(self) -> None:
        self.stage_ms: dict[str, float] = {"dice.proposals": 1.0}
        self.read_px = 0
        self.largest_px: list[float] = []

    def read(self, picture: np.ndarray | Pyramid, worth: Worth | None = None) -> tuple[DieReading, ...]:
        image = Pyramid.of(picture).colour(0)
        self.largest_px.append(np.inf if worth is None else worth.largest_px)
        self.read_px += image.shape[0] * image.shape[1]
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        found = []
        count, labels, stats, _ = cv2.connectedComponentsWithStats((grey > 120).astype(np.uint8))
        for label in range(1, count):
            x, y, w, h, area = (int(v) for v in stats[label])
            if (w, h) != (24, 24) or area != 24 * 24:
                continue
            level = int(np.median(grey[labels == label]))
            outline = ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
            found.append(
                DieReading(
                    (level - 130) // 20 + 1, None, 0.9, (x, y, x + w, y + h), outline, (), "white", "black", (0, 0, 0)
                )
            )
        return tuple(found)


def scene(dice: list[tuple[int, int, int]], *, seed: int, marker_at: tuple[int, int] | None = None) -> np.ndarray:
    """A dark table of 960 x 640 px with squares (x, y, value) and sensor noise."""
    image = np.full((640, 960, 3), 60, np.uint8)
    for x, y, value in dice:
        image[y : y + 24, x : x + 24] = 140 + 20 * (value - 1) + 5
    if marker_at is not None:
        paper = marker_image(9, 64)
        x, y = marker_at
        image[y : y + paper.shape[0], x : x + paper.shape[1]] = paper[:, :, None] if paper.ndim == 2 else paper
    noise = np.random.default_rng(seed).normal(0, 1.5, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def values_at(dice: tuple[DieReading, ...]) -> list[tuple[int, int, int | None]]:
    return sorted((round(die.box_xyxy[0]), round(die.box_xyxy[1]), die.value) for die in dice)


class Following:
    """A reader of changes together with the glimpses that it asks for."""

    def __init__(self) -> None:
        self.squares = Squares()
        self._glimpses = Glimpses()
        self._changes = ChangedReader(TableReader(dice=self.squares, markers=MarkerReader([9])))

    @property
    def share(self) -> float:
        return self._changes.share

    def read(self, image: np.ndarray, *, exposure_start_ns: int, sequence: int) -> Reading:
        return self._changes.read(image, self._glimpses.look(image, exposure_start_ns), sequence=sequence)


def new_reader() -> tuple[Following, Squares]:
    following = Following()
    return following, following.squares


def test_moving_dice_are_read_as_if_everything_were_read() -> None:
    reader, _ = new_reader()
    chance = np.random.default_rng(4)
    dice = [(40 + 110 * n, 60 + 60 * (n % 5), 1 + n % 5) for n in range(8)]
    for number in range(40):
        if number % 3 == 0:
            moved = int(chance.integers(len(dice)))
            others = [each for n, each in enumerate(dice) if n != moved]
            while True:
                place = (int(chance.integers(0, 930)), int(chance.integers(0, 610)))
                if all(dist(place, each[:2]) > 60 for each in others):
                    break
            dice[moved] = (*place, int(chance.integers(1, 6)))
        image = scene(dice, seed=number)
        whole = Squares().read(image)
        reading = reader.read(image, exposure_start_ns=number, sequence=number)
        assert values_at(reading.dice) == values_at(whole), number


@pytest.mark.parametrize(("known", "largest_px"), [(2, np.inf), (3, 3 * 24.0)])
def test_where_dice_enough_are_known_nothing_much_larger_is_looked_for_but_now_and_then(
    known: int, largest_px: float
) -> None:
    reader = Following()
    dice = [(100 * n, 100, n) for n in range(1, known + 1)]
    for number in range(WHOLE_EVERY + 1):
        image = scene(dice, seed=number)
        if number < 10:  # something passes that is no die
            image[300:340, 20 + 10 * number : 60 + 10 * number] = 200
        reader.read(image, exposure_start_ns=number * 33_000_000, sequence=number)
    asked_px = reader.squares.largest_px
    assert asked_px[0] == np.inf
    assert len(asked_px) > 10
    assert set(asked_px[1:-1]) == {largest_px}
    assert asked_px[-1] == np.inf, "everything is read now and then"


def test_a_still_table_costs_nothing_and_is_read_whole_now_and_then() -> None:
    reader, squares = new_reader()
    shares = []
    for number in range(WHOLE_EVERY + 5):
        reading = reader.read(scene([(100, 100, 3)], seed=number), exposure_start_ns=number, sequence=number)
        assert values_at(reading.dice) == [(100, 100, 3)]
        shares.append(reader.share)
    assert shares[:FRESH_FRAMES] == [1.0] * FRESH_FRAMES
    assert sum(share > 0 for share in shares) == FRESH_FRAMES + 1
    assert squares.read_px > 0


def test_a_change_is_read_in_several_frames_and_little_around_it() -> None:
    reader, _ = new_reader()
    for number in range(FRESH_FRAMES + 1):
        reader.read(scene([(100, 100, 3), (700, 500, 2)], seed=number), exposure_start_ns=number, sequence=number)
    shares = []
    for number in range(FRESH_FRAMES + 3):
        image = scene([(100, 100, 3), (700, 500, 5)], seed=100 + number)
        reading = reader.read(image, exposure_start_ns=100 + number, sequence=100 + number)
        assert values_at(reading.dice) == [(100, 100, 3), (700, 500, 5)]
        shares.append(reader.share)
    assert all(0 < share < 0.15 for share in shares[:FRESH_FRAMES])
    assert shares[FRESH_FRAMES:] == [0.0] * 3


def test_a_marker_comes_moves_and_goes() -> None:
    reader, _ = new_reader()
    places = [None] * 6 + [(200, 200)] * 6 + [(500, 300)] * 6 + [None] * 6
    found = []
    for number, place in enumerate(places):
        image = scene([], seed=number, marker_at=place)
        markers = reader.read(image, exposure_start_ns=number, sequence=number).markers
        found.append([tuple(round(x / 50) * 50 for x in marker.corners_px[0]) for marker in markers])
    assert [len(each) for each in found] == [0 if place is None else 1 for place in places]
    assert len({each[0] for each in found if each}) == 2


def test_slow_light_adds_up_until_it_is_read_anew() -> None:
    reader, _ = new_reader()
    image = scene([(100, 100, 3)], seed=0)
    for number in range(FRESH_FRAMES):
        reader.read(image, exposure_start_ns=number, sequence=number)
    seen = []
    for step in range(1, 16):
        darker = image.copy()
        darker[:200, :200] = np.clip(image[:200, :200].astype(int) - step, 0, 255).astype(np.uint8)
        reader.read(darker, exposure_start_ns=50 + step, sequence=50 + step)
        seen.append(reader.share > 0)
    assert not any(seen[:8])
    assert any(seen[8:])


class Blinking(Squares):
    """Overlooks every die in the frames whose numbers are given."""

    def __init__(self, blind: set[int]) -> None:
        super().__init__()
        self.frame, self.blind = 0, blind

    def read(self, picture: np.ndarray | Pyramid, worth: Worth | None = None) -> tuple[DieReading, ...]:
        return () if self.frame in self.blind else super().read(picture, worth)


def seen_while(blind: set[int], frames: list[list[tuple[int, int, int]]]) -> list[int]:
    """How many dice are told in each frame."""
    dice, glimpses = Blinking(blind), Glimpses()
    reader = ChangedReader(TableReader(dice=dice))  # type: ignore[arg-type]
    counts = []
    for number, lying in enumerate(frames):
        dice.frame = number
        image = scene(lying, seed=number)
        counts.append(len(reader.read(image, glimpses.look(image, number * 33_333_333), sequence=number).dice))
    return counts


def test_a_die_that_is_overlooked_while_nothing_moves_is_kept_and_one_that_is_taken_away_is_not() -> None:
    lying = [(300, 300, 3)]
    assert seen_while({2, 3}, [[]] + [lying] * 8)[1:] == [1] * 8
    assert seen_while(set(), [[]] + [lying] * 3 + [[]] * 4)[4:] == [0] * 4
    assert seen_while(set(range(2, 40)), [[]] + [lying] * 30)[-1] == 0, "what is never read again is not there"


class Hesitant(Squares):
    """Reads the value of a die only in the frames whose numbers are given; `asked` are those in which it was read."""

    def __init__(self, sure: set[int]) -> None:
        super().__init__()
        self.frame, self.sure = 0, sure
        self.asked: list[int] = []

    def read(self, image: np.ndarray, worth: Worth | None = None) -> tuple[DieReading, ...]:
        found = super().read(image, worth)
        self.asked += [self.frame] * bool(found)
        if self.frame in self.sure:
            return found
        return tuple(replace(die, value=None, reason=Unreadable.AMBIGUOUS) for die in found)


def asked_about(sure: set[int]) -> tuple[list[int], list[int | None]]:
    """In which of 40 frames a die that lies still was looked at, and the value told in each."""
    dice, glimpses = Hesitant(sure), Glimpses()
    reader = ChangedReader(TableReader(dice=dice))  # type: ignore[arg-type]
    told = []
    for number in range(40):
        dice.frame = number
        image = scene([(300, 300, 3)], seed=number)
        told += [
            die.value for die in reader.read(image, glimpses.look(image, number * 33_333_333), sequence=number).dice
        ]
    return dice.asked, told


def test_a_value_that_comes_up_at_once_is_read_again_before_it_is_believed() -> None:
    never, nothing = asked_about(set())
    again = next(frame for frame in never if frame > 2 * FRESH_FRAMES)
    once, told = asked_about({again})
    assert set(nothing) == {None}
    assert [frame for frame in once if frame not in never] == [again + 1, again + 2, again + 3]
    assert told.count(3) == 1, "a value that was read in one frame alone is told of that frame alone"
    held, told = asked_about(set(range(again, 40)))
    assert [frame for frame in held if frame > again] == [again + 1, again + 2, again + 3]
    assert told[again:] == [3] * (40 - again)


class AskedFor(Squares):
    """Keeps what it was asked to look at."""

    def __init__(self) -> None:
        super().__init__()
        self.worth: Worth | None = None

    def read(self, image: np.ndarray, worth: Worth | None = None) -> tuple[DieReading, ...]:
        self.worth = worth
        return super().read(image, worth)


@pytest.mark.parametrize("in_a_hand", [True, False])
def test_of_a_camera_in_a_hand_everything_is_looked_at_closely(in_a_hand: bool) -> None:
    """Every edge seems to move a little, and a value that needs the close look would never be read."""
    dice, glimpses = AskedFor(), Glimpses()
    reader = ChangedReader(TableReader(dice=dice))  # type: ignore[arg-type]
    bare = table() // 2
    for number in range(6):
        image = shifted(bare, 2.5 * number, number) if in_a_hand else bare.copy()
        x = 100 if in_a_hand else 100 + 9 * number
        image[100:124, x : x + 24] = 185
        image = noisy(image, number)
        glimpse = glimpses.look(image, number * 33_333_333)
        reader.read(image, glimpse, sequence=number)
    assert (glimpse.move is not None) is in_a_hand
    assert dice.worth is not None
    assert bool(dice.worth.closely[dice.worth.look].all()) is in_a_hand
