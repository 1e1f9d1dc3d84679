"""What markers on wedges and Favors tell a race: what was drawn, turned up, and laid on which place of the course.

Nobody measures the course beforehand. A wedge lines up with the one under it (GL-W4), and all markers are stuck on
the same spot of their wedges: a wedge whose marker lies where that of a top wedge lay, which is hidden since, was laid
on it. What is less certain stays untold, and people say it on the page.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import dist
from typing import Final

from companion.live.collector import Sighting
from companion.live.deeds import hands_at
from rules.events import Event, Source, Submission
from rules.greece_lightning.components import PLACES
from rules.greece_lightning.events import DrawWedge, PlaceWedge, Reveal
from rules.greece_lightning.favors_in_play import may_reveal
from rules.greece_lightning.state import GreeceLightningState
from vision.readings import MarkerReading, Point
from vision.tracking.happenings import HandSeen, Watched

__all__ = ["MARKER_FRAMES", "MARKER_SEEN", "RaceMarkers"]

MARKER_FRAMES: Final = 5
MARKER_SEEN: Final = 3
"""A marker counts once it was seen in so many of the last MARKER_FRAMES frames."""

LIES_NS: Final = 1_000_000_000
"""A wedge that has not moved for so long was let go of."""

STILL_SIDES: Final = 0.2
"""A marker that stays within this part of its side does not move: outlines are read to within a twentieth of it."""

HELD_SIDES: Final = 2.0
"""A hand that reaches in as near as this to a marker may still hold its wedge by the rim."""

OVER_SIDES: Final = 0.75
"""A marker this near to where another one lay, in sides, is stuck on the wedge laid over it. Next to each other on the
course two are several sides apart."""


@dataclass(slots=True)
class _Lying:
    """Where the marker of a wedge was last seen, since when it is there, and when it was last seen; pixels and ns."""

    centre_px: Point
    side_px: float
    since_ns: int
    seen_ns: int


class RaceMarkers:
    """Follows the markers of wedges and Favors from frame to frame; pure apart from what it remembers."""

    def __init__(self, wedges: Mapping[int, str], favors: Mapping[int, str]) -> None:
        """`wedges` and `favors` map marker ids to ids of the pack."""
        self._wedges = dict(wedges)
        self._favors = dict(favors)
        self._frames: deque[frozenset[int]] = deque(maxlen=MARKER_FRAMES)
        self._shown: frozenset[int] = frozenset()
        self._lying: dict[str, _Lying] = {}
        self._told: dict[str, int] = {}

    def forget_places(self) -> None:
        """Forget where wedges lie: the camera was moved."""
        self._lying.clear()
        self._told.clear()

    def update(self, watched: Watched, at_ns: int, state: GreeceLightningState) -> list[Sighting]:
        """What the markers of one frame, exposed at `at_ns`, tell that the record does not have yet."""
        reading = watched.reading
        known = self._wedges.keys() | self._favors.keys()
        self._frames.append(frozenset(marker.id for marker in reading.markers if marker.id in known))
        up = frozenset(marker for marker in known if self._often_seen(marker))
        new = up - self._shown
        self._shown = frozenset(marker for marker in self._shown | up if any(marker in f for f in self._frames))
        self._follow(reading.markers, at_ns)
        found = [] if (named := self._named(new, state)) is None else [(named, at_ns)]
        return [_sighting(event, since_ns) for event, since_ns in (*found, *self._laid(watched.hands, at_ns, state))]

    def _often_seen(self, marker: int) -> bool:
        return sum(marker in frame for frame in self._frames) >= MARKER_SEEN

    def _named(self, new: frozenset[int], state: GreeceLightningState) -> Event | None:
        """A wedge or Favor that came into view just when one is to be seen; only a single wedge names itself."""
        drawing = next((each.seat for each in state.waiting if each.kind == "wedge"), None)
        wedges = [self._wedges[marker] for marker in new if marker in self._wedges]
        favors = [self._favors[marker] for marker in new if marker in self._favors]
        if drawing is not None and len(wedges) == 1:
            return DrawWedge(drawing, wedges[0])
        if favors and state.turn is not None and not state.waiting and may_reveal(state, state.turn.seat):
            return Reveal(state.turn.seat, favors[0], len(favors) - 1)
        return None

    # --- the course

    def _follow(self, markers: Iterable[MarkerReading], at_ns: int) -> None:
        """Note where each wedge's marker lies; one seen in two places at once lies in neither."""
        places: dict[str, list[MarkerReading]] = {}
        for marker in markers:
            if marker.id in self._wedges:
                places.setdefault(self._wedges[marker.id], []).append(marker)
        for wedge, seen in places.items():
            lying = self._lying.get(wedge)
            centre_px, side_px = seen[0].centre_px, _side_px(seen[0])
            if len(seen) > 1:
                self._lying.pop(wedge, None)
            elif lying is None or dist(lying.centre_px, centre_px) > STILL_SIDES * lying.side_px:
                self._lying[wedge] = _Lying(centre_px, side_px, at_ns, at_ns)
            else:
                lying.seen_ns = at_ns

    def _laid(self, hands: Sequence[HandSeen], at_ns: int, state: GreeceLightningState) -> list[tuple[PlaceWedge, int]]:
        """Wedges that lie on the course since a moment ago, while one is to be laid; each is told once."""
        placing = state.phase == "turns" and state.turn is not None and state.turn.step == "place" and not state.waiting
        if not placing:
            self._told.clear()
            return []
        assert state.turn is not None
        assert state.layout is not None
        # What lies there on its own since a moment ago, the wedge itself, may be taken for a hand too.
        arms = [hand for hand in hands if hand.enters is not None]
        tops = {state.layout.top(place): place for place in range(1, PLACES + 1)}
        found = []
        for wedge, lying in self._lying.items():
            if wedge in state.layout.wedges or lying.seen_ns != at_ns:
                continue
            place = self._place_under(lying, tops)
            if place is None:
                self._told.pop(wedge, None)
            elif hands_at(arms, lying.centre_px, HELD_SIDES * lying.side_px):
                lying.since_ns = at_ns  # it lies from when it is let go of
            elif at_ns - lying.since_ns >= LIES_NS and self._told.get(wedge) != place:
                found.append((wedge, place, lying.since_ns))
        self._told |= {wedge: place for wedge, place, _ in found}
        return [
            (PlaceWedge(state.turn.seat, wedge, place, others=len(found) - 1), since_ns)
            for wedge, place, since_ns in found[:1]
        ]

    def _place_under(self, lying: _Lying, tops: Mapping[str, int]) -> int | None:
        """The one place whose top wedge lay still where this one lies now, and is hidden since this one came."""
        reach_px = OVER_SIDES * lying.side_px
        under = [
            place
            for wedge, place in tops.items()
            if (top := self._lying.get(wedge)) is not None
            and dist(top.centre_px, lying.centre_px) <= reach_px
            and top.seen_ns < lying.since_ns
            and top.seen_ns - top.since_ns >= LIES_NS
        ]
        return under[0] if len(under) == 1 else None


def _side_px(marker: MarkerReading) -> float:
    """Mean length of the marker's sides."""
    corners = marker.corners_px
    return sum(dist(a, b) for a, b in zip(corners, (*corners[1:], corners[0]), strict=True)) / len(corners)


def _sighting(event: Event, at_ns: int) -> Sighting:
    return Sighting(Submission(event, Source.CAMERA, at_ns=at_ns), at_ns, None, begins=True)
