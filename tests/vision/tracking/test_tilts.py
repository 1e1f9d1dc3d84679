"""Whether a die leans is judged by the outline of its face and by its body, when no hand is at it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision.tracking.test_bodies import FLAT, FRAME_NS, LEANING, Watch
from vision.tracking.happenings import DieState
from vision.tracking.tilts import Tilts
from vision.tracking.track import Track

MS = 1_000_000


class Judged:
    """A die of a table, read and at rest, leaning or flat, beside the one that it may lean on."""

    def __init__(self, tilt_deg: float, look: str = "green", cover: float = 0.0) -> None:
        self.watch = Watch(look, tilt_deg)
        self.watch.book.tracks.remove(self.watch.die)
        self.watch.lies(8)
        self.track = Track(7, state=DieState.ROLLING)
        colour_bgr = self.watch.die.plain_bgr
        for each in self.watch.scene.samples(0):
            reading = replace(each.reading, colour_bgr=colour_bgr)
            self.track.add(replace(each, reading=reading, cover=cover, at_ns=each.at_ns + self.watch.frame * FRAME_NS))
        self.watch.book.tracks.append(self.track)
        self.tilts = Tilts(self.watch.book, self.watch.hands, self.watch.bodies)
        self.tilts.look(self.watch.scene.image, self.watch.scene.geometry)

    def surely(self, after_ms: int = 0) -> bool | None:
        return self.tilts.surely(self.track, self.watch.frame * FRAME_NS + after_ms * MS)


@pytest.mark.parametrize(("tilt_deg", "leans"), [(LEANING, True), (FLAT, False)])
def test_a_die_whose_outline_is_taken_for_that_of_a_flat_one_leans_by_its_body(
    monkeypatch: pytest.MonkeyPatch, tilt_deg: float, leans: bool
) -> None:
    monkeypatch.setattr("vision.tracking.tilts.leaning", lambda *_: 0.0)
    assert Judged(tilt_deg).surely() is leans


@pytest.mark.parametrize(("tilt_deg", "leans"), [(LEANING, True), (FLAT, False)])
def test_where_the_outline_alone_leaves_it_in_doubt_the_body_tells(
    monkeypatch: pytest.MonkeyPatch, tilt_deg: float, leans: bool
) -> None:
    monkeypatch.setattr("vision.tracking.tilts.leaning", lambda *_: 0.8)
    assert Judged(tilt_deg).surely() is leans


def test_where_the_body_cannot_be_told_the_outline_counts_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.tracking.tilts.leaning", lambda *_: 0.8)
    judged = Judged(FLAT)
    monkeypatch.setattr(judged.watch.bodies, "shown", lambda *_: None)
    assert judged.surely() is None, "it is in doubt"
    assert judged.surely(200) is False


def test_a_die_at_which_a_hand_is_is_waited_for_before_its_value_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    at_hand = Judged(LEANING, cover=0.05)
    assert at_hand.surely() is None
    assert at_hand.surely(33) is None
    free = [replace(each, cover=0.0) for each in at_hand.track.samples]
    at_hand.track.samples.extend(free)
    assert at_hand.surely(67) is True, "as soon as the hand has gone"
    assert Judged(FLAT, cover=0.01).surely() is False, "hardly anything of a hand"


def test_a_hand_that_stays_is_not_waited_for_for_ever() -> None:
    at_hand = Judged(FLAT, cover=0.05)
    assert at_hand.surely() is None
    assert at_hand.surely(200) is False
