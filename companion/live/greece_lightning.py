"""Greece Lightning at the live table: what its buttons mean, what its camera sees, and what its screens show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from companion.live.areas import Rect
from companion.live.greece_lightning_presses import race_presses
from companion.live.greece_lightning_view import race_view
from companion.live.interpreter import Eyes, Markers
from device.buttons.base import Press
from rules.events import Event, Submission
from rules.greece_lightning.events import Total
from rules.greece_lightning.options import OPEN_CASES
from rules.greece_lightning.pack import Pack
from rules.header import Header
from rules.match import Match
from rules.packs import Provenance, parse

if TYPE_CHECKING:
    from companion.live.colour_desk import ColourDesk

__all__ = ["GreeceLightning"]

TIE_NS = 10_000_000
"""Nothing here is decided by who was first: presses this close are simply filed one after the other."""


class GreeceLightning:
    """See `Interpreter`."""

    dice = True

    @property
    def table_size_mm(self) -> tuple[float, float]:
        """Of the board areas: as large as any table on which each seat throws dice of its own."""
        from device.simulated.layout import TABLE_SIZE_MM

        return TABLE_SIZE_MM

    def tie_ns(self, header: Header) -> int:
        """Next to nothing."""
        return TIE_NS

    def presses(self, presses: tuple[Press, ...], match: Match[Any]) -> list[Submission[Any]]:
        """A seat's first button goes on, its second feeds the Hydra; the judge's are a word on a finding."""
        return race_presses(presses, match)

    def view(self, match: Match[Any]) -> dict[str, Any]:
        """The race, and what of it is a guess, for the screens."""
        pack = _pack(match.header)
        return {
            **race_view(match.state),
            "remarks": [],
            "options": dict(match.header.options),
            "open_cases": dict(OPEN_CASES),
            "assumed_pack": any(_guessed(sure) for sure in _sources(pack)),
        }

    def is_news(self, event: Event) -> bool:
        """Everything but sums that were only held against the dice."""
        return not isinstance(event, Total)

    def eyes(
        self, header: Header, *, zones: Mapping[int, Any] | None = None, colours: ColourDesk | None = None
    ) -> Eyes:
        """Eyes that know the board areas and the markers of the box.

        `zones` are those of the play mat when none are given; `colours` are not needed, for all dice look alike.
        """
        from companion.live.race_eyes import RaceEyes
        from device.simulated.layout import zones_for

        pack = _pack(header)
        wedges = {each.marker: each.id for each in pack.wedge if each.marker is not None}
        favors = {marker: each.id for each in pack.favor for marker in each.markers}
        return RaceEyes(header.seats, zones or zones_for(len(header.seats)), wedges, favors)

    def markers(self, header: Header) -> Markers:
        """The markers that the pack gives its wedges and its Favors."""
        pack = _pack(header)
        found = {each.marker: each.id for each in pack.wedge if each.marker is not None}
        return Markers(found | {marker: each.id for each in pack.favor for marker in each.markers})

    def open_areas(self, match: Match[Any]) -> tuple[Rect, ...] | None:
        """Cards lie face down or face up, never for some eyes only."""
        return None


def _pack(header: Header) -> Pack:
    return parse(header.pack, Pack, what="a pack of Greece Lightning wedges and cards")


def _sources(pack: Pack) -> Iterator[Any]:
    """Of every piece, where what is printed on it comes from."""
    yield pack.starting_line.sure
    yield from (wedge.sure for wedge in pack.wedge)
    yield from (favor.sure for favor in pack.favor)


def _guessed(sure: Any) -> bool:
    """True when any value of a piece is a guess; `sure` tells of one value, or of each."""
    values = msgspec.structs.astuple(sure) if isinstance(sure, msgspec.Struct) else (sure,)
    return Provenance.ASSUMED in values
