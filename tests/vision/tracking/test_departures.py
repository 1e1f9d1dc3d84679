"""Dice that go over the edge: one that was read on its way out, and those that only seem to go out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.tracking.samples import FRAME_NS, sample
from vision.readings import Point, Unreadable
from vision.tracking.book import Book
from vision.tracking.departures import Departures
from vision.tracking.glimpse import Glimpse
from vision.tracking.hands import Hands, HandsWatch
from vision.tracking.happenings import DieState, Kind
from vision.tracking.stories import Story
from vision.tracking.track import Home, Sample

SMALL = np.zeros((180, 320, 3), np.uint8)


def cut_off(each: Sample) -> Sample:
    return replace(each, reading=replace(each.reading, reason=Unreadable.CUT_OFF))


@pytest.mark.parametrize(
    ("name", "way", "last_cut_off", "goes"),
    [
        ("read twice, then cut off by the edge", [(1220, 492), (1267, 469)], True, True),
        ("read twice, and no edge was seen to cut it off", [(1220, 492), (1267, 469)], False, False),
        ("cut off, and it comes in", [(1269, 492), (1244, 469)], True, False),
        ("cut off where it first was seen", [(1267, 469)], True, False),
        ("followed to the edge in four frames", [(1180, 500), (1210, 492), (1240, 480), (1267, 469)], False, True),
    ],
)
def test_a_die_that_came_rolling_out_of_a_hand_goes_over_the_edge(
    name: str, way: Sequence[Point], last_cut_off: bool, goes: bool
) -> None:
    book = Book()
    old = book.new_track(0)
    old.add(sample(0, (900.0, 400.0), 4))
    old.known, old.home = True, Home((900.0, 400.0), None, 30.0, 0.0, 4, None, 0, 0)
    book.stories[old.id] = Story(old.home, 0, bare_ns=5 * FRAME_NS, hidden=True)
    old.be(DieState.IN_HAND, 0)
    newcomer = book.new_track(20 * FRAME_NS)
    samples = [sample(20 + n, place, None) for n, place in enumerate(way)]
    if last_cut_off:
        samples[-1] = cut_off(samples[-1])
    for each in samples:
        newcomer.add(each)
        book.stories[newcomer.id].add(each)
    old.seen = newcomer.seen = False
    departures = Departures(book, HandsWatch())
    at_ns = (30 + len(way)) * FRAME_NS
    glimpse = Glimpse(SMALL, np.zeros(SMALL.shape[:2], bool), at_ns, 1.0)
    fell = departures.fell(newcomer, glimpse, Hands(at_ns, np.zeros((90, 160), bool)), at_ns)
    assert fell is goes, name
    if goes:
        assert departures.left(newcomer, newcomer.last.at_ns, at_ns).kind is Kind.LEFT_TABLE
        assert newcomer.id == old.id
