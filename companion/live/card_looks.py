"""Which markers lie in which place: what counts after several frames, and since when. Knows no rules."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from math import atan2, degrees, dist

from companion.live.card_places import CardPlaces, Place
from vision.readings import MarkerReading, Reading

__all__ = ["FRAMES", "SEEN", "UNMOVED_DEG", "UNMOVED_MM", "CardLooks", "Spot"]

FRAMES = 5
SEEN = 3
"""A marker counts in a place once it was seen there in so many of the last FRAMES frames."""

UNMOVED_MM = 0.8
UNMOVED_DEG = 1.0
"""A card that lies so near to where one lay, and so nearly as it was turned, is that one: hands are never so exact."""

Fact = tuple[Place, int, int]
"""Place, marker, and which of several equal ones there."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a marker lies in mm, and how it is turned in the picture, in degrees."""

    x_mm: float
    y_mm: float
    turn_deg: float

    def same(self, other: Spot) -> bool:
        """True when a card that lay at one of them and lies at the other has not been moved."""
        turned = abs((self.turn_deg - other.turn_deg + 180) % 360 - 180)
        return dist((self.x_mm, self.y_mm), (other.x_mm, other.y_mm)) <= UNMOVED_MM and turned <= UNMOVED_DEG


class CardLooks:
    """Fed with every reading; then tells what lies where. `at_ns` is the exposure of the last one."""

    def __init__(self, places: CardPlaces) -> None:
        self._places = places
        self.at_ns = 0
        self._frames: deque[frozenset[Fact]] = deque(maxlen=FRAMES)
        self._votes: Counter[Fact] = Counter()
        self._since_ns: dict[Fact, int] = {}
        self._at: dict[Place, tuple[int, ...]] = {}
        self._touched: frozenset[Place] = frozenset()
        self._spots: deque[dict[Place, Spot]] = deque(maxlen=FRAMES)

    def update(self, reading: Reading, at_ns: int) -> None:
        """Take in a reading whose markers have their places in mm."""
        self.at_ns = at_ns
        counts: Counter[tuple[Place, int]] = Counter()
        spots: dict[Place, Spot] = {}
        for marker in reading.markers:
            place = self.place_of(marker)
            if place is not None:
                counts[place, marker.id] += 1
                spots[place] = _spot(marker)
        self._spots.append(spots)
        facts = frozenset((place, marker, n) for (place, marker), count in counts.items() for n in range(count))
        self._frames.append(facts)
        self._votes = Counter(fact for frame in self._frames for fact in frame)
        for fact in facts:
            self._since_ns.setdefault(fact, at_ns)
        for fact in self._since_ns.keys() - self._votes.keys():
            del self._since_ns[fact]
        found: dict[Place, list[int]] = {}
        for fact, votes in self._votes.items():
            if votes >= SEEN:
                found.setdefault(fact[0], []).append(fact[1])
        self._at = {place: tuple(sorted(markers)) for place, markers in found.items()}
        self._touched = frozenset(fact[0] for fact in self._votes)

    @property
    def ready(self) -> bool:
        """True once enough frames were seen for an empty place to mean something."""
        return len(self._frames) == FRAMES

    @property
    def still(self) -> bool:
        """True when the last frames all show the same: nothing is on its way in or out of what counts."""
        return self.ready and len({*list(self._frames)[-SEEN:]}) == 1

    def at(self, place: Place) -> tuple[int, ...]:
        """The markers that count in a place, by id."""
        return self._at.get(place, ())

    def bare(self, place: Place) -> bool:
        """True when none of the last frames shows a marker there."""
        return self.ready and place not in self._touched

    def since_ns(self, place: Place, marker: int) -> int:
        """Exposure of the first frame that showed the marker in this place, without a long break since."""
        times = [ns for fact, ns in self._since_ns.items() if fact[0] == place and fact[1] == marker]
        return max(times, default=0)

    def lately(self, marker: int) -> bool:
        """True for a marker that one of the last frames shows in some place."""
        return any(fact[1] == marker for fact in self._votes)

    def place_of(self, marker: MarkerReading) -> Place | None:
        """Where a marker of a reading lies; None for the rest of the table."""
        return None if marker.position_mm is None else self._places.at(*marker.position_mm)

    def places_of(self, marker: int) -> set[Place]:
        """Where a marker counts."""
        return {place for place, markers in self._at.items() if marker in markers}

    def spot(self, place: Place) -> Spot | None:
        """Where the only marker of a place lies, as the last frames have it together; None when they have none."""
        found = [spots[place] for spots in self._spots if place in spots]
        if not found or len(self.at(place)) != 1:
            return None
        turned = [(each.turn_deg - found[0].turn_deg + 180) % 360 - 180 for each in found]
        return Spot(
            sum(each.x_mm for each in found) / len(found),
            sum(each.y_mm for each in found) / len(found),
            found[0].turn_deg + sum(turned) / len(found),
        )


def _spot(marker: MarkerReading) -> Spot:
    assert marker.position_mm is not None
    (ax, ay), (bx, by) = marker.corners_px[:2]
    return Spot(*marker.position_mm, degrees(atan2(by - ay, bx - ax)))
