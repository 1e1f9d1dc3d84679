"""A book of dice of which some are missing, hands as a test has them, and what is seen to fly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import dist

import numpy as np

from tests.vision.tracking.samples import FRAME_NS, sample
from vision.readings import Point
from vision.tracking.book import Book
from vision.tracking.departures import Departures
from vision.tracking.hands import Hands, HandsWatch, Thing
from vision.tracking.happenings import DieState, Kind
from vision.tracking.stories import Story
from vision.tracking.track import Home, Track

SIDE_PX = 30.0
HOME = (900.0, 400.0)
PLACE = (40.0, 300.0)
SIZE_WH = (1280, 720)
RED, TABLE = (40, 40, 200), (60.0, 100.0, 80.0)


class Watched(HandsWatch):
    """Hands as a test has them: `over` covers the places of the picture, from when until when in frames.

    It covers `share` of them. All of the table looks as `looks` says.
    """

    def __init__(
        self,
        over: Sequence[tuple[Point, int, int]] = (),
        peeps: Thing | None = None,
        looks: tuple[float, float, float] | None = None,
        share: float = 1.0,
    ) -> None:
        super().__init__()
        self._over, self._peeps, self._looks, self._share = over, peeps, looks, share
        self.frame = 0

    def colour_at(self, centre_px: Point, radius_px: float) -> tuple[float, float, float] | None:
        return self._looks

    def most_cover(self, centre_px: Point, radius_px: float, since_ns: int, until_ns: int | None = None) -> float:
        until_ns = self.frame * FRAME_NS + 1 if until_ns is None else until_ns
        return self._share * float(
            any(
                dist(centre_px, place) < radius_px and since_ns < last * FRAME_NS and first * FRAME_NS < until_ns
                for place, first, last in self._over
            )
        )

    def peeping(self, hands: Hands, colours_bgr: Iterable[Sequence[float]], side_px: float) -> list[Thing]:
        asked = list(colours_bgr)
        return [self._peeps] if self.frame == 10 and self._peeps is not None and asked else []


def die(book: Book, place: Point, state: DieState, frame: int = 0) -> Track:
    """A die that lay there, and what it does now."""
    track = book.new_track(frame * FRAME_NS)
    track.add(sample(frame, place, 4, moves=False))
    track.known, track.seen, track.anchor_px = True, False, place
    track.home = Home(place, None, SIDE_PX, 0.0, 4, None, 0, frame * FRAME_NS)
    track.be(state, 0)
    if not track.at_rest:
        book.stories[track.id] = Story(track.home, 0, bare_ns=5 * FRAME_NS, hidden=True)
    return track


BLURRED = Thing(PLACE, 1.8 * SIDE_PX**2, (50.0, 70.0, 140.0), TABLE)
A_LITTLE = replace(BLURRED, area_px2=0.7 * SIDE_PX**2, peeps=True)


def told(
    book: Book,
    watch: Watched,
    *,
    until: int,
    seen: Thing | None = BLURRED,
    later: Track | None = None,
    before: Thing | None = None,
    after: Thing | None = None,
    hides: Point | None = None,
    meanwhile: Callable[[int], None] = lambda frame: None,
) -> list[int]:
    """In which frames it is told that a die left: a hand lets go, in the tenth frame something is seen at the edge.

    `before` and `after` it something else is; `later` is a die that comes to light in the twentieth; another hand is
    over the place that `hides` names; `meanwhile` is called with each frame.
    """
    departures = Departures(book, watch)
    mask = np.zeros((90, 160), bool)
    mask[30:45, 14:20] = True  # 112..160 x 240..360 px of the picture
    if hides is not None:
        x, y = (int(each) // 8 for each in hides)
        mask[y - 1 : y + 2, x - 1 : x + 2] = True
    found = []
    for frame in range(until):
        watch.frame = frame
        meanwhile(frame)
        thing = {9: before, 10: seen, 11: after}.get(frame)
        if later is not None and frame == 20:
            later.seen = True
            later.be(DieState.SETTLED if later.known else DieState.ROLLING, frame * FRAME_NS)
        hands = Hands(frame * FRAME_NS, mask, things=() if thing is None else (thing,))
        found += [frame for each in departures.flown(hands, SIZE_WH, frame * FRAME_NS) if each.kind is Kind.LEFT_TABLE]
    return found


def painted(track: Track, colour_bgr: tuple[int, int, int]) -> None:
    """That die is of this colour."""
    each = track.samples.pop()
    track.samples.append(replace(each, reading=replace(each.reading, colour_bgr=colour_bgr)))


def coming_to_rest(track: Track, place: Point, in_frame: int) -> Callable[[int], None]:
    """That it does so there, when that frame comes."""

    def rests(frame: int) -> None:
        if frame == in_frame:
            track.anchor_px, track.rest_ns = place, frame * FRAME_NS
            track.be(DieState.SETTLED, frame * FRAME_NS)

    return rests
