"""When it is judged of a die whether it leans, and when it is told that it does."""

from __future__ import annotations

from itertools import takewhile
from math import dist

import numpy as np

from vision.geometry import TableGeometry
from vision.images import Image
from vision.tracking.bodies import LEANS_UNREAD, Bodies
from vision.tracking.book import Book
from vision.tracking.flat import HAND_COVER, LEANS_FROM, in_doubt, leaning, surely_flat, together
from vision.tracking.hands import HandsWatch
from vision.tracking.sampling import REACH_SIDES
from vision.tracking.track import Track

__all__ = ["Tilts"]

_MS = 1_000_000
_NEIGHBOUR_SIDES = 3.0
_JUDGED_NS = 500 * _MS
_DOUBT_NS = 190 * _MS
"""Where it is in doubt whether a die leans, it is looked at once more after so long, before anything is told of it: at
once a second look would be the same again, since what lies still looks alike from frame to frame."""
_UNREAD_NS, _UNREAD_FRAMES = 230 * _MS, 3
"""A die that leans often shows no value at all: where it lies in plain view for so long it need not be waited for until
one is given up, for the next hand may come before. A flat one is read sooner."""
_BY_BODY = 0.995
"""A body that looks this much like one that leans does, though a face is outlined there that could be a flat die's. Of
3,950 times that flat dice came to rest on 40 rendered plays none looked so by more than 0.977, of 81 of leaning ones
26 by more than 0.99. In the sum of both logits the flat ones had 0.5 at most, the leaning ones 3.7 at least, but for
one of which no value was read."""
_READ, _LEANS_HALF_READ = 0.5, 0.5
"""One that is read in no more than this part of the frames is unread, too; but of these more lie flat, and it must be
surer that one leans."""


class Tilts:
    """Judges the dice of a book in the frame that it was last given; `hands` are those that were over the table."""

    def __init__(self, book: Book, hands: HandsWatch, bodies: Bodies) -> None:
        self._book = book
        self._hands = hands
        self._bodies = bodies
        self._image: Image = np.zeros((1, 1, 3), np.uint8)
        self._geometry: TableGeometry | None = None

    def look(self, image: Image, geometry: TableGeometry | None) -> None:
        """Take in a frame, `image` (H, W, 3) BGR uint8; without the table's geometry little can be told."""
        self._image, self._geometry = image, geometry

    def leans(self, track: Track, at_ns: int) -> bool:
        """Whether it surely leans, as it lies there now."""
        return self._chance(track, at_ns) >= LEANS_FROM

    def surely(self, track: Track, at_ns: int) -> bool | None:
        """Whether a die that has come to rest leans; None while it is in doubt, and to be looked at once more.

        So it is where a hand is at it, until that has gone.
        """
        waited_ns = at_ns - track.doubted_ns
        hidden = self._geometry is not None and track.last.cover > HAND_COVER
        if waited_ns < _DOUBT_NS and (hidden or not track.doubted_at_hand):
            return None
        chance = self._chance(track, at_ns)
        if waited_ns > _JUDGED_NS and (hidden or in_doubt(chance)):
            track.doubted_ns, track.doubted_at_hand = at_ns, hidden
            return None
        return chance >= LEANS_FROM

    def is_due(self, track: Track, at_ns: int) -> bool:
        """Whether it is time to judge a die anew that was found to lean: now and then, with no hand over it."""
        return at_ns - track.judged_ns >= _JUDGED_NS and track.last.cover == 0

    def lies_flat_after_all(self, track: Track, at_ns: int) -> bool:
        """Whether a die that was found to lean surely lies flat: a shadow may have deceived."""
        return surely_flat(self._chance(track, at_ns))

    def though_not_read(self, track: Track, at_ns: int) -> bool:
        """Whether a die leans of which no value can be told: none is read, or now one and now another."""
        return self._unread(track, at_ns) or self._unsteadily_read(track, at_ns)

    def _unsteadily_read(self, track: Track, at_ns: int) -> bool:
        """It was in doubt, and surely leans."""
        doubted_ns = track.doubted_ns
        again = _DOUBT_NS <= at_ns - doubted_ns <= _JUDGED_NS
        if not again or track.rest_ns is None or track.rest_ns > doubted_ns:
            return False
        return self.leans(track, at_ns)

    def _unread(self, track: Track, at_ns: int) -> bool:
        """No value was read, or hardly any, since all about it lies still, and it surely leans by its body.

        A flat one in the shadow of a hand, or glanced at while another moves beside it, may be outlined wrongly.
        """
        if track.rest_ns is None or at_ns - track.judged_ns < _DOUBT_NS:
            return False
        still_ns = self._hands.unchanged_since_ns(track.last.place_px, REACH_SIDES * track.side_px) or 0
        plain = list(takewhile(lambda each: not each.handled and each.at_ns >= still_ns, reversed(track.samples)))
        if len(plain) < _UNREAD_FRAMES or at_ns - plain[-1].at_ns < _UNREAD_NS:
            return False
        read = sum(each.reading.value is not None for each in plain)
        if read > _READ * len(plain):
            return False
        track.judged_ns = at_ns
        shown = self._bodies.shown(track.last.centre_px, track.last.reading.colour_bgr)
        if shown is None:
            return not read and self.leans(track, at_ns)
        return shown.chance is not None and shown.chance >= (_LEANS_HALF_READ if read else LEANS_UNREAD)

    def _chance(self, track: Track, at_ns: int) -> float:
        """How sure it is that it leans, as it lies there now: by the outline of its face and by its body."""
        track.judged_ns = at_ns
        around = [
            each.last.reading.outline_px
            for each in self._book.tracks
            if each is not track and dist(each.last.centre_px, track.last.centre_px) < _NEIGHBOUR_SIDES * track.side_px
        ]
        by_outline = leaning(track.steady(), self._geometry, self._image, around)
        if self._geometry is None or track.last.cover > 0:
            return by_outline
        shown = self._bodies.shown(track.last.centre_px, track.last.reading.colour_bgr)
        if shown is None or shown.chance is None:
            return by_outline
        return shown.chance if shown.chance >= _BY_BODY else together(by_outline, shown.chance)
