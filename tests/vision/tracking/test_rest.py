"""When a die is at rest: by what was read of it since it last stirred."""

from __future__ import annotations

from itertools import pairwise

from tests.vision.tracking.samples import FRAME_NS, sample
from vision.tracking.happenings import DieState
from vision.tracking.rest import verdict
from vision.tracking.track import Home, Track

PLACE = (300.0, 200.0)


def stirred(unread_frames: int, read_frames: int) -> Track:
    """A die that lay there as a four for a second, and stirs since; what moves there hides its face, then not."""
    track = Track(1, known=True)
    for frame in range(30):
        track.add(sample(frame, PLACE, 4))
    track.home = Home(PLACE, None, 30.0, 0.0, 4, None, 0, 29 * FRAME_NS)
    track.be(DieState.ROLLING, 30 * FRAME_NS)
    for frame in range(unread_frames):
        track.add(sample(30 + frame, PLACE, None))
    for frame in range(read_frames):
        track.add(sample(30 + unread_frames + frame, PLACE, 4))
    return track


def test_what_was_read_of_a_die_before_it_stirred_does_not_say_that_it_rests() -> None:
    for unread, read, value in ((4, 0, None), (6, 0, None), (0, 9, 4)):
        track = stirred(unread, read)
        found = verdict(track, track.last.at_ns)
        assert (None if found is None else found.value) == value


def test_what_was_read_before_a_hand_lay_over_it_does_not_say_that_it_rests() -> None:
    hidden, seldom = [*range(30, 33), *range(48, 50)], [30, 36, 42, 48, 49]
    for frames, missed, rests in ((hidden, True, False), (hidden, False, True), (seldom, True, True)):
        track = stirred(0, 0)
        for before, frame in pairwise([29, *frames]):
            track.missed = missed and frame > before + 1  # where it is not missed the camera gave no frame
            track.add(sample(frame, PLACE, None))
        assert (verdict(track, track.last.at_ns) is not None) is rests, (frames, missed)
