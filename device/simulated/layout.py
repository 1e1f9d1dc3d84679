"""What is where on the simulated table before anything moves: seats, zones, colours, corner markers, cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from device.errors import SceneError

__all__ = [
    "CARD_MM",
    "CORNER_MARKER_IDS",
    "DICE_PER_SEAT",
    "DIE_MM",
    "GOAL_CARD_MM",
    "MARKER_MM",
    "SEAT_COLOURS",
    "STACK_MM",
    "STRIP_MM",
    "TABLE_SIZE_MM",
    "Zone",
    "corner_marker_positions_mm",
    "zones_for",
]

TABLE_SIZE_MM: Final = (660.0, 380.0)
"""Width and depth between the centres of the corner markers."""

SEAT_COLOURS: Final = {1: "red", 2: "blue", 3: "green", 4: "yellow", 5: "white", 6: "black"}
DIE_MM: Final = 16.0
DICE_PER_SEAT: Final = 6
MARKER_MM: Final = 26.0
"""Side of the black square of a marker; its paper is wider by more than a module all round."""
CORNER_MARKER_IDS: Final = (240, 241, 242, 243)
CARD_MM: Final = (63.0, 88.0)
GOAL_CARD_MM: Final = (355.0, 190.0)
"""Centre of the open goal card."""
STACK_MM: Final = (265.0, 190.0)
"""Centre of the stack of face-down cards."""
STRIP_MM: Final = (127.0, 253.0)
"""Far and near edge of the strip across the middle, for the cards: no seat's zone."""


@dataclass(frozen=True, slots=True)
class Zone:
    """The part of the table in front of one seat, in mm, and which edge its player sits at."""

    seat: int
    x0: float
    y0: float
    x1: float
    y1: float
    near: bool

    def holds(self, x_mm: float, y_mm: float) -> bool:
        """True when the point lies in the zone (its left and far edges included)."""
        return self.x0 <= x_mm < self.x1 and self.y0 <= y_mm < self.y1

    @property
    def centre_mm(self) -> tuple[float, float]:
        """Middle of the zone."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2


def zones_for(seats: int) -> dict[int, Zone]:
    """The zones of `seats` players, clockwise from the near left: near row and far row, equally wide.

    Raises SceneError for fewer than 1 or more than 6 seats.
    """
    if not 1 <= seats <= len(SEAT_COLOURS):
        raise SceneError(f"{seats} seats asked for; the simulated table has 1 to {len(SEAT_COLOURS)}")
    near_count = (seats + 1) // 2
    far_count = seats - near_count
    places = [(0, True)] + [(i, False) for i in range(far_count)]
    places += [(i, True) for i in reversed(range(1, near_count))]
    zones = {}
    for seat, (column, near) in enumerate(places, start=1):
        width = TABLE_SIZE_MM[0] / (near_count if near else far_count)
        y0, y1 = (STRIP_MM[1], TABLE_SIZE_MM[1]) if near else (0.0, STRIP_MM[0])
        zones[seat] = Zone(seat, column * width, y0, (column + 1) * width, y1, near)
    return zones


def corner_marker_positions_mm() -> dict[int, tuple[float, float]]:
    """Centre of each corner marker by id: clockwise from the far left as the camera sees the table."""
    width, depth = TABLE_SIZE_MM
    places = ((0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth))
    return dict(zip(CORNER_MARKER_IDS, places, strict=True))
