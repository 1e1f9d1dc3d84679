"""A value read from a part of a face is refused by the size of its outline, and dice of another size are themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.tracking.samples import sample
from vision.geometry import TableGeometry
from vision.readings import Point, Unreadable
from vision.tracking.happenings import DieState
from vision.tracking.sizes import of_whole_faces, sides_mm, with_parts
from vision.tracking.track import Home, Sample, Track

RED, BLUE = np.array([50.0, 60.0, 40.0], np.float32), np.array([50.0, 10.0, -50.0], np.float32)


def read(side_mm: float | None, value: int | None = 2, cover: float = 0.0, hue: np.ndarray = RED) -> Sample:
    return replace(sample(20, (300.0, 200.0), value, cover, hue=hue), side_mm=side_mm)


def known(sides: Sequence[float], hue: np.ndarray = RED) -> list[Track]:
    tracks = []
    for number, side in enumerate(sides):
        track = Track(number)
        for frame in range(5):
            track.add(replace(sample(frame, (100.0 * number, 400.0), 4, hue=hue, moves=False), side_mm=side))
        track.known = True
        tracks.append(track)
    return tracks


DICE = known([17.5, 17.8, 18.2, 18.0, 17.9])


@pytest.mark.parametrize(
    ("name", "seen", "dice", "refused"),
    [
        ("half a face", read(11.0), DICE, True),
        ("a whole face seen a little small", read(14.5), DICE, False),
        ("the same beside a hand that hides a part", read(14.5, cover=0.8), DICE, True),
        ("a hand is near and the face is whole", read(16.0, cover=0.8), DICE, False),
        ("nobody knows how large dice are", read(11.0), DICE[:2], False),
        ("nobody knows how large it is", read(None), DICE, False),
        ("one of another seat, whose dice are smaller", read(11.0, hue=BLUE), DICE + known([11.2] * 4, BLUE), False),
        ("a part of one of those", read(7.0, hue=BLUE), DICE + known([11.2] * 4, BLUE), True),
        ("of its colour too few are known", read(11.0, hue=BLUE), DICE + known([17.0] * 2, BLUE), False),
    ],
)
def test_what_is_read_from_a_part_of_a_face(name: str, seen: Sample, dice: list[Track], refused: bool) -> None:
    (told,) = of_whole_faces([seen], dice)
    assert (told.reading.value is None) is refused, name
    assert told.reading.reason is (Unreadable.AMBIGUOUS if refused else None)
    assert told.centre_px == seen.centre_px


def at_home(side_px: float, value: int | None, *, away_px: float = 9.0, moves: bool = False) -> Sample:
    return sample(30, (300.0 + away_px, 200.0), value, side_px=side_px, moves=moves)


@pytest.mark.parametrize(
    ("name", "seen", "part"),
    [
        ("another value of something smaller", at_home(22.0, 1), True),
        ("the same value", at_home(22.0, 4), False),
        ("nothing is read", at_home(22.0, None), False),
        ("another value of a whole face", at_home(26.0, 1), False),
        ("something moves there", at_home(22.0, 1, moves=True), False),
        ("elsewhere", at_home(22.0, 1, away_px=25.0), False),
    ],
)
def test_a_die_at_rest_is_not_read_anew_from_a_part_of_its_face(name: str, seen: Sample, part: bool) -> None:
    lies = Track(1)
    for frame in range(20, 25):
        lies.add(sample(frame, (300.0, 200.0), 4, side_px=28.0, moves=False))
    lies.home = Home((300.0, 200.0), None, 28.0, 0.0, 4, None, 0, 24)
    lies.be(DieState.SETTLED, 24)
    ((told, track),) = with_parts([(seen, lies)])
    assert told.partial is part, name
    assert told.reading == seen.reading
    assert track is lies
    lies.be(DieState.ROLLING, 25)
    assert with_parts([(seen, lies), (seen, None)]) == [(seen, lies), (seen, None)], "what rolls shows any face"


def test_what_is_not_read_stays_as_it_is() -> None:
    unread = read(11.0, None)
    assert of_whole_faces([unread], DICE) == [unread]


def test_how_large_a_die_is_shows_in_plain_view_only() -> None:
    track = known([18.0])[0]
    track.add(replace(sample(9, (0.0, 400.0), 4, 0.5), side_mm=10.0))
    track.add(replace(sample(10, (0.0, 400.0), None), side_mm=10.0))
    assert track.side_mm == pytest.approx(18.0)


def test_sides_are_those_on_the_table_wherever_the_die_lies_in_the_picture() -> None:
    corners: tuple[Point, ...] = ((340.0, 100.0), (940.0, 100.0), (1240.0, 700.0), (40.0, 700.0))
    geometry = TableGeometry((660.0, 380.0), corners)
    dice = []
    for x, y in ((100.0, 60.0), (500.0, 320.0)):
        square = geometry.to_px([(x, y), (x + 16, y), (x + 16, y + 16), (x, y + 16)])
        outline = tuple((float(a), float(b)) for a, b in square)
        dice.append(replace(sample(0, (0.0, 0.0), 3).reading, outline_px=outline))
    assert dice[1].side_px > 1.3 * dice[0].side_px
    assert sides_mm(dice, geometry) == pytest.approx([16.0, 16.0], abs=0.01)
    assert sides_mm(dice, None) == [None, None]
    assert sides_mm([], geometry) == []
