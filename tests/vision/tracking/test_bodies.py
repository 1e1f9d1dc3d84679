"""A die that the reader gives no face of is found by its body, when one of its colour is missing."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist

import numpy as np
import pytest

from device.simulated.layout import DIE_MM
from tests.vision.tracking.leaning_scenes import Laid, Scene
from vision.readings import Unreadable
from vision.tracking.bodies import LEANS_UNREAD, Bodies
from vision.tracking.book import Book
from vision.tracking.glimpse import Glimpses
from vision.tracking.hands import HandsWatch
from vision.tracking.happenings import DieState
from vision.tracking.track import Sample, Track

FRAME_NS = 33_333_333
LEANING, FLAT = 38.0, 0.0
WAY_RAD = 2.0


def dice(look: str, tilt_deg: float) -> list[Laid]:
    """One that leans, or does not, on another of its set."""
    c, s = float(np.cos(WAY_RAD)), float(np.sin(WAY_RAD))
    apart = 21.5 if tilt_deg else 18.0
    leaning = Laid(look, 210.0, 110.0, WAY_RAD + 0.1, 5, tilt_deg, WAY_RAD)
    return [leaning, Laid(look, 210.0 + apart * c, 110.0 + apart * s, WAY_RAD - 0.1, 4)]


class Watch:
    """A table that was bare for a while, and on which two dice lie then, of which the reader sees the second alone."""

    def __init__(self, look: str = "green", tilt_deg: float = LEANING, *, missing: str | None = None) -> None:
        self.scene, self.bare = Scene(dice(look, tilt_deg), "felt"), Scene([], "felt")
        self.other = Scene(dice(missing or look, tilt_deg), "felt")
        self.book, self.hands, self.glimpses = Book(), HandsWatch(), Glimpses()
        self.bodies = Bodies(self.book, self.hands)
        self.frame = 0
        self.die = self.known(1, DieState.IN_HAND)
        self.known(2, DieState.SETTLED)
        for _ in range(30):
            self.see(self.bare, [])

    def known(self, number: int, state: DieState) -> Track:
        """A die of the set that is missing, last seen at the beginning, as lit in the picture."""
        track = Track(number, known=True, state=state)
        colour = np.median(np.array(self.other.image)[_inside(self.other.outlines[1])].reshape(-1, 3), axis=0)
        sample = self.other.samples(1, count=1)[0]
        reading = sample.reading
        object.__setattr__(reading, "colour_bgr", tuple(int(level) for level in colour))
        track.add(sample)
        track.side_mm = DIE_MM * 1.03
        self.book.tracks.append(track)
        return track

    def see(self, scene: Scene, samples: Sequence[Sample]) -> list[Sample]:
        """What is found in one more frame."""
        self.frame += 1
        glimpse = self.glimpses.look(scene.image, self.frame * FRAME_NS)
        hands = self.hands.look(glimpse, 30.0)
        return self.bodies.look(samples, glimpse, hands, scene.image, self.scene.geometry)

    def lies(self, frames: int = 12) -> list[list[Sample]]:
        """What is found while the dice lie there."""
        return [self.see(self.scene, self.scene.samples(1, count=1)) for _ in range(frames)]


def _inside(outline: np.ndarray) -> tuple[slice, slice]:
    (x, y) = outline.mean(axis=0)
    return slice(int(y) - 8, int(y) + 9), slice(int(x) - 8, int(x) + 9)


def test_a_die_that_leans_and_is_not_read_is_found_once_it_has_lain_still_and_said_to_be_tilted() -> None:
    watch = Watch()
    seen = watch.lies()
    assert not any(seen[:6])  # 200 ms
    assert [len(each) for each in seen[-5:]] == [1] * 5
    (body,) = seen[-1]
    assert body.reading.value is None
    assert body.reading.reason is Unreadable.TILTED
    assert dist(body.centre_px, watch.scene.outlines[0].mean(axis=0)) < 0.7 * body.side_px


def test_one_that_lies_flat_there_is_unreadable_and_not_said_to_be_tilted() -> None:
    (body,) = Watch(tilt_deg=FLAT).lies()[-1]
    assert body.reading.reason is Unreadable.AMBIGUOUS


def test_nothing_is_found_while_no_die_of_that_colour_is_missing() -> None:
    assert not any(Watch(missing="yellow").lies())
    watch = Watch()
    watch.die.state = DieState.SETTLED
    assert not any(watch.lies())


def test_what_is_read_there_after_all_is_no_body() -> None:
    watch = Watch()
    assert watch.lies()[-1]
    both = [*watch.scene.samples(0, count=1), *watch.scene.samples(1, count=1)]
    assert not watch.see(watch.scene, both)


def test_it_is_gone_when_its_place_looks_otherwise() -> None:
    watch = Watch()
    assert watch.lies()[-1]
    assert not watch.see(watch.bare, watch.scene.samples(1, count=1))


@pytest.mark.parametrize("look", ["red", "green", "blue", "yellow"])
def test_the_body_of_a_die_that_is_not_read_tells_whether_it_leans(look: str) -> None:
    chances = []
    for tilt_deg in (LEANING, FLAT):
        watch = Watch(look, tilt_deg)
        watch.lies(2)
        x, y = watch.scene.outlines[0].mean(axis=0)
        shown = watch.bodies.shown((float(x), float(y)), watch.die.plain_bgr)
        assert shown is not None
        assert shown.chance is not None
        chances.append(shown.chance)
    assert chances[0] >= LEANS_UNREAD > chances[1]


def test_two_that_are_not_read_and_look_like_one_body_are_not_said_to_lean() -> None:
    watch = Watch()
    for _ in range(3):
        watch.see(watch.scene, [])
    watch.book.tracks.pop()  # what it leans on lies there unread, too
    x, y = watch.scene.outlines[0].mean(axis=0)
    assert watch.bodies.shown((float(x), float(y)), watch.die.plain_bgr) == (None,)


def test_without_the_tables_geometry_nothing_is_found() -> None:
    watch = Watch()
    watch.scene.geometry = None  # type: ignore[assignment]
    assert not any(watch.lies())
    assert watch.bodies.shown((400.0, 200.0), (0, 0, 200)) is None
