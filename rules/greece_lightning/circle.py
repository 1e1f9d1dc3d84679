"""Which wedges may make the first circle, and on which places a drawn wedge may be laid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from rules.greece_lightning.components import BASE_WEDGES, PLACES, WEDGES_OF_A_SYMBOL
from rules.greece_lightning.course import Layout, Spot
from rules.greece_lightning.wedges import Wedge

__all__ = ["CircleFault", "barred", "circle_fault"]


class CircleFault(NamedTuple):
    """What is wrong with a first circle.

    Attributes:
        what: "number" of wedges, "unknown" wedges, a wedge "twice", wedges with "no symbol", "sets" that are not of
            three, or wedges of one symbol "apart".
        clauses: the clauses that it breaks.
        named: the wedges or symbols concerned.
    """

    what: Literal["number", "unknown", "twice", "no symbol", "sets", "apart"]
    clauses: tuple[str, ...]
    named: tuple[str, ...] = ()


def circle_fault(circle: Sequence[str], wedges: Mapping[str, Wedge]) -> CircleFault | None:
    """What is wrong with a first circle, wedge by wedge clockwise; None when it may be sailed.

    Quarters may lie in any order (GL-S5), and so may the three wedges of each (GL-S3). It does not matter in which
    quarter the list begins, nor where in it.
    """
    if len(circle) != BASE_WEDGES:
        return CircleFault("number", ("GL-S1",))
    unknown = tuple(wedge for wedge in circle if wedge not in wedges)
    if unknown:
        return CircleFault("unknown", ("GL-C2", "GL-S1"), unknown)
    twice = tuple(wedge for wedge, number in Counter(circle).items() if number > 1)
    if twice:
        return CircleFault("twice", ("GL-C2", "GL-S1"), twice)
    symbols = [wedges[wedge].symbol for wedge in circle]
    plain = tuple(wedge for wedge, symbol in zip(circle, symbols, strict=True) if symbol is None)
    if plain:
        return CircleFault("no symbol", ("GL-S1",), plain)
    named = [symbol for symbol in symbols if symbol is not None]
    odd = tuple(symbol for symbol, number in Counter(named).items() if number != WEDGES_OF_A_SYMBOL)
    if odd:
        return CircleFault("sets", ("GL-S2",), odd)
    quarters = sum(symbol != before for symbol, before in zip(named, [named[-1], *named], strict=False))
    if quarters != len(set(named)):
        return CircleFault("apart", ("GL-S4",), tuple(_apart(named)))
    return None


def _apart(symbols: Sequence[str]) -> Iterable[str]:
    """The symbols whose wedges do not lie side by side."""
    for symbol in dict.fromkeys(symbols):
        begins = sum(here == symbol != before for here, before in zip(symbols, [symbols[-1], *symbols], strict=False))
        if begins > 1:
            yield symbol


def barred(layout: Layout, ships: Iterable[Spot], wakes: Iterable[Spot] = ()) -> dict[int, str]:
    """The places on which no wedge may be laid now, each with the clause that says so.

    Args:
        layout: the course.
        ships: the dots of all ships, also of the player who lays it. GL-W6.
        wakes: the dots of wake tokens; one that lies apart from its ship bars its place too. GL-W12.

    Every other place is free, ahead of a ship or behind it, whatever the wedge shows and however high the stack.
    GL-W7, GL-W11.
    """
    found = {wake.place: "GL-W12" for wake in wakes}
    found |= {ship.place: "GL-W6" for ship in ships}
    found[layout.line] = "GL-W5"
    return {place: found[place] for place in range(1, PLACES + 1) if place in found}
