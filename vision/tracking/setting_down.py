"""Hands that set dice down stand still over them; a die that was taken up may be set down almost where it lay."""

from __future__ import annotations

from math import dist
from statistics import median

from vision.readings import Point
from vision.tracking.hands import HandsWatch
from vision.tracking.track import Home, Track

__all__ = ["NEARBY_SIDES", "Uncovered", "stood_still"]

_MS = 1_000_000
_STOOD_SIDES, _AROUND_A_HAND_SIDES = 0.8, 2.5
_STOOD_NS, _STOOD_LATELY_NS = 175 * _MS, 500 * _MS
"""Fingers that set a die down may have stood still over it for so long, between frames that show them move, so lately
before it comes to light; a hand that throws swings on, or waits for less long before it does. On rendered tables the
fingers stand for 150 ms and longer, which is 183 ms and longer between such frames at 60 a second, 200 at 30 and at
15. Of 209 dice that were thrown to where a hand hid them and seemed to stand for 60 ms, at 30 frames a second, 171 are
told by this."""
_PLAIN_FRAMES = 3
NEARBY_SIDES = 0.15
"""A die that lies this far from where it lay was moved: of 212 dice that a hand had only been over none seemed to be
farther away than 0.1 sides on 32 rendered plays."""
_BESIDE_SIDES = 0.6
"""What lies farther away is told as any die that comes out of a hand."""
_HIDDEN_NS, _WHOLLY = 800 * _MS, 0.94
"""To take a die up, carry it and set it down hides all around it, for longer than this."""


def stood_still(hands: HandsWatch, place_px: Point, side_px: float, rest_ns: int) -> bool:
    """A hand stood still over a place shortly before something was seen to lie there."""
    stood_ns = hands.stood_ns(
        place_px, _STOOD_SIDES * side_px, _AROUND_A_HAND_SIDES * side_px, rest_ns - _STOOD_LATELY_NS, rest_ns
    )
    return stood_ns >= _STOOD_NS


class Uncovered:
    """Dice that have just come to light where they lay, showing what they showed; `hands` were over the table."""

    def __init__(self, hands: HandsWatch) -> None:
        self._hands = hands
        self._before: dict[int, tuple[Home, int]] = {}

    def came_to_light(self, track: Track, at_ns: int) -> None:
        """A hand that was over it has gone: it lies at its place, or almost."""
        if track.home is not None:
            self._before[track.id] = track.home, at_ns

    def set_down_beside(self, track: Track) -> bool:
        """Whether it lies beside where it lay, as some frames show in plain view, and a hand must have set it down."""
        if track.id not in self._before:
            return False
        home, since_ns = self._before[track.id]
        plain = [
            each.place_px
            for each in track.samples
            if each.at_ns >= since_ns and not each.partial and each.cover == 0 and each.reading.value == home.value
        ]
        if len(plain) < _PLAIN_FRAMES:
            return False
        place_px = median(x for x, _ in plain), median(y for _, y in plain)
        if dist(place_px, home.place_px) >= NEARBY_SIDES * home.side_px and self._set_down(track, home, since_ns):
            return True
        del self._before[track.id]
        return False

    def taken_from(self, track: Track) -> Home | None:
        """Where it lay, when a hand must have taken it from there and set it down beside that; it is asked once."""
        home, since_ns = self._before.pop(track.id, (None, 0))
        return home if home is not None and self._set_down(track, home, since_ns) else None

    def _set_down(self, track: Track, home: Home, since_ns: int) -> bool:
        place_px, side_px = track.last.place_px, home.side_px
        return (
            track.last.reading.value == home.value
            and dist(place_px, home.place_px) <= _BESIDE_SIDES * side_px
            and since_ns - home.until_ns >= _HIDDEN_NS
            and self._hands.most_cover(home.place_px, _STOOD_SIDES * side_px, home.until_ns, since_ns) >= _WHOLLY
            and stood_still(self._hands, place_px, side_px, since_ns)
        )
