"""Whose die is it? By its colour, and by where it lies when each seat's part of the table is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.live.interpreter import Notice
from rules.header import Seat
from vision.readings import Point

__all__ = ["NEAR_COLOURS", "Seating"]

NEAR_COLOURS: dict[str, tuple[str, ...]] = {
    "white": ("grey",),
    "black": ("grey",),
    "grey": ("white", "black"),
    "red": ("orange", "pink", "brown"),
    "orange": ("red", "yellow", "brown"),
    "yellow": ("orange",),
    "green": (),
    "blue": ("purple",),
    "purple": ("blue", "pink"),
    "pink": ("red", "purple"),
    "brown": ("red", "orange"),
}
"""Names that a colour may be given by mistake under a lamp; they count only when just one seat could be meant."""


class Seating:
    """The seats of a match and, when it is known, which part of the table is whose."""

    def __init__(self, seats: Sequence[Seat], zones: Mapping[int, Any] | None = None) -> None:
        """`zones` maps a player number to something with `holds(x_mm, y_mm)`."""
        self.seats = tuple(seats)
        self._zones = dict(zones or {})
        self._names = {seat.number: seat.name for seat in seats}
        exact = {seat.colour: seat.number for seat in seats}
        self._by_colour: dict[str, int | None] = {}
        for colour, near in NEAR_COLOURS.items():
            meant = {exact[name] for name in near if name in exact}
            self._by_colour[colour] = exact.get(colour, meant.pop() if len(meant) == 1 else None)

    def seat_of(self, colour: str, position_mm: Point | None) -> tuple[int | None, Notice | None]:
        """The player number of a die, or None with a notice when colour and place contradict each other."""
        by_colour = self._by_colour.get(colour)
        by_place = self.seat_at(position_mm)
        if by_colour is None:
            whose = f" in front of {self._names[by_place]}" if by_place is not None else ""
            return None, Notice(
                "notice.foreign-die",
                (("colour", colour), ("seat", by_place or 0)),
                f"A {colour} die lies{whose} that belongs to no seat; take it away.",
            )
        if by_place is not None and by_place != by_colour:
            return None, Notice(
                "notice.die-elsewhere",
                (("colour", colour), ("seat", by_colour), ("elsewhere", by_place)),
                f"A {colour} die of {self._names[by_colour]} lies in front of {self._names[by_place]}; "
                "it counts for nobody there.",
            )
        return by_colour, None

    def seat_at(self, position_mm: Point | None) -> int | None:
        """The player in front of whom a place is; None when nobody is, and when places are not known."""
        if position_mm is None:
            return None
        return next((seat for seat, zone in self._zones.items() if zone.holds(*position_mm)), None)
