"""The course: twelve places in a circle, each with a stack of wedges of which the top one is sailed, and the Starting
Line on one of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import msgspec

from rules.greece_lightning.components import PLACES
from rules.greece_lightning.wedges import Dot, Path, Wedge, lane_out
from rules.records import Record

__all__ = ["Course", "Layout", "Leg", "Spot", "Way", "next_place"]


class Spot(Record, frozen=True, array_like=True):
    """A dot of the course: the place of its wedge, 1 to 12 clockwise, and its name on the wedge that lies on top."""

    place: int
    dot: str


class Layout(Record, frozen=True):
    """Which wedges lie where.

    Attributes:
        stacks: ids of the wedges at places 1 to 12, clockwise; each from the bottom up. GL-W7.
        line: the place that the Starting Line covers. GL-S6.
    """

    stacks: tuple[tuple[str, ...], ...]
    line: int

    def stack(self, place: int) -> tuple[str, ...]:
        """Ids of the wedges at a place, from the bottom up, without the Starting Line."""
        return self.stacks[place - 1]

    def top(self, place: int) -> str:
        """Id of the wedge on top at a place, the Starting Line not regarded."""
        return self.stacks[place - 1][-1]

    def with_wedge(self, place: int, wedge: str) -> Layout:
        """The same course with a wedge laid on top. GL-W7."""
        return self._with_stack(place, (*self.stack(place), wedge))

    def without_top(self, place: int) -> Layout:
        """The same course with the top wedge taken off."""
        return self._with_stack(place, self.stack(place)[:-1])

    def _with_stack(self, place: int, stack: tuple[str, ...]) -> Layout:
        stacks = tuple(stack if number == place else old for number, old in enumerate(self.stacks, start=1))
        return msgspec.structs.replace(self, stacks=stacks)

    @property
    def wedges(self) -> tuple[str, ...]:
        """Ids of all wedges of the course, also of those covered."""
        return tuple(wedge for stack in self.stacks for wedge in stack)


class Leg(Record, frozen=True):
    """A piece of a move from one dot to the next one on its path, occupied or not.

    Attributes:
        start, end: the dots.
        number: of the path out of a whirlpool; None for any other path. GL-V2, GL-Y2.
    """

    start: Spot
    end: Spot
    number: int | None = None


class Way(Record, frozen=True):
    """One way to spend one movement: over the dots of other ships, which do not count, to a free dot. GL-M9, GL-M10.

    Attributes:
        legs: one for each dot on the way; the last one ends where the ship lands.
    """

    legs: tuple[Leg, ...]

    @property
    def to(self) -> Spot:
        """Where the ship lands."""
        return self.legs[-1].end

    @property
    def skipped(self) -> tuple[Spot, ...]:
        """The dots of other ships skipped on the way, in order. GL-M9, GL-M15."""
        return tuple([leg.end for leg in self.legs[:-1]])

    @property
    def number(self) -> int | None:
        """Number of the path taken out of the whirlpool that the ship stands on; None elsewhere."""
        return self.legs[0].number


def next_place(place: int) -> int:
    """The place clockwise of this one."""
    return place % PLACES + 1


@dataclass(frozen=True, slots=True)
class Course:
    """The course as it can be sailed now.

    Attributes:
        layout: which wedges lie where.
        wedges: every wedge of the box by its id.
        line: the Starting Line.
    """

    layout: Layout
    wedges: dict[str, Wedge]
    line: Wedge

    def top(self, place: int) -> Wedge:
        """The wedge that is sailed at a place: only the top one counts. GL-W10."""
        return self.line if place == self.layout.line else self.wedges[self.layout.top(place)]

    def find(self, spot: Spot) -> Dot | None:
        """The dot at this spot, None when there is no such place or no such dot on top."""
        return self.top(spot.place).find(spot.dot) if 1 <= spot.place <= PLACES else None

    def dot(self, spot: Spot) -> Dot:
        """The dot at this spot.

        Raises:
            LookupError: there is none.
        """
        return self.top(spot.place).dot(spot.dot)

    def on_line(self, spot: Spot) -> bool:
        """True for a dot of the Starting Line; landing there and skipping a ship there count a lap. GL-L1, GL-M14."""
        return spot.place == self.layout.line and spot.dot in self.line.line

    @property
    def line_dots(self) -> tuple[Spot, ...]:
        """The dots of the Starting Line, where ships start. GL-S29."""
        return tuple(Spot(self.layout.line, dot) for dot in self.line.line)

    @property
    def spots(self) -> tuple[Spot, ...]:
        """Every dot that can be sailed now, by place."""
        return tuple(Spot(place, dot.id) for place in range(1, PLACES + 1) for dot in self.top(place).dots)

    def legs(self, start: Spot) -> tuple[Leg, ...]:
        """The legs that begin at a dot; more than one where its paths divide. GL-M2, GL-M3, GL-M6."""
        wedge = self.top(start.place)
        found = (
            Leg(start, end, path.number)
            for path in wedge.ways_from(start.dot)
            for end in self._ends(start.place, path, frozenset())
        )
        return tuple(dict.fromkeys(found))

    def _ends(self, place: int, path: Path, passed: frozenset[tuple[int, int]]) -> Iterator[Spot]:
        lane = lane_out(path.end)
        if lane is None:
            yield Spot(place, path.end)
            return
        if (place, lane) in passed:  # no dot on a whole circle: such a path leads nowhere
            return
        beyond = next_place(place)
        for onward in self.top(beyond).ways_in(lane):
            yield from self._ends(beyond, onward, passed | {(place, lane)})

    def ways(self, start: Spot, occupied: Collection[Spot]) -> tuple[Way, ...]:
        """The ways to spend one movement from a dot, in the order in which the paths are printed.

        Args:
            start: where the ship stands.
            occupied: the dots of the other ships; each is skipped, however many follow on each other. GL-M9, GL-M15.
        """
        return tuple(self._ways((), start, occupied))

    def _ways(self, gone: tuple[Leg, ...], start: Spot, occupied: Collection[Spot]) -> Iterator[Way]:
        for leg in self.legs(start):
            if leg.end not in occupied:
                yield Way((*gone, leg))
            elif all(leg.end != before.end for before in gone):
                yield from self._ways((*gone, leg), leg.end, occupied)

    def wedges_past_line(self, spot: Spot) -> int:
        """How many wedges clockwise of the Starting Line a dot lies: 0 on its wedge, 12 on its wedge but before the
        line. GL-E3."""
        wedges = (spot.place - self.layout.line) % PLACES
        return PLACES if wedges == 0 and self._before_line(spot.dot) else wedges

    def _before_line(self, dot: str) -> bool:
        """True for a dot of the Starting Line's wedge from which the line is still ahead."""
        if dot in self.line.line:
            return False
        return any(
            path.end in self.line.line or (self.line.find(path.end) is not None and self._before_line(path.end))
            for path in self.line.ways_from(dot)
        )

    def advance(self, laps: int, spot: Spot) -> tuple[int, int, int, int]:
        """How far a ship is in the race; the greater is ahead, and no two ships are equal. GL-E3, GL-E7 to GL-E9.

        Laps first, then wedges past the line, then closeness to the centre, then how far clockwise on the wedge.
        """
        dot = self.dot(spot)
        return laps, self.wedges_past_line(spot), -dot.lane_tenths, dot.along_percent
