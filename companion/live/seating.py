"""Whose die is it? By its colour, and by where it lies when each seat's part of the table is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.live.interpreter import Notice
from rules.header import Seat
from vision.readings import Point
from vision.seat_colours import Whose

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
        if by_colour is None:
            return None, self._foreign(colour, position_mm)
        return self._placed(by_colour, colour, position_mm)

    def seat_by_colours(self, whose: Whose, colour: str, position_mm: Point | None) -> tuple[int | None, Notice | None]:
        """The same of a die that was judged by learned colours; `colour` is only what it is called.

        A die of seats that are too much alike is that one's before whom it lies; where places are not known it is
        nobody's, without a notice, for there is one of these seats already.
        """
        if whose.seat is not None:
            return self._placed(whose.seat, colour, position_mm)
        if whose.why == "foreign":
            return None, self._foreign(colour, position_mm)
        if whose.why == "alike":
            by_place = self.seat_at(position_mm)
            return (by_place if by_place in whose.among else None), None
        text = f"It is not sure whose a {colour} die is; it counts for nobody. Turn it over, or give it more light."
        return None, Notice("notice.die-unsure", (("colour", colour),), text)

    def _foreign(self, colour: str, position_mm: Point | None) -> Notice:
        by_place = self.seat_at(position_mm)
        whose = f" in front of {self._names[by_place]}" if by_place is not None else ""
        return Notice(
            "notice.foreign-die",
            (("colour", colour), ("seat", by_place or 0)),
            f"A {colour} die lies{whose} that belongs to no seat; take it away.",
        )

    def _placed(self, seat: int, colour: str, position_mm: Point | None) -> tuple[int | None, Notice | None]:
        by_place = self.seat_at(position_mm)
        if by_place is not None and by_place != seat:
            return None, Notice(
                "notice.die-elsewhere",
                (("colour", colour), ("seat", seat), ("elsewhere", by_place)),
                f"A {colour} die of {self._names[seat]} lies in front of {self._names[by_place]}; "
                "it counts for nobody there.",
            )
        return seat, None

    def seat_at(self, position_mm: Point | None) -> int | None:
        """The player in front of whom a place is; None when nobody is, and when places are not known."""
        if position_mm is None:
            return None
        return next((seat for seat, zone in self._zones.items() if zone.holds(*position_mm)), None)
