"""The component pack of Greece Lightning: what is printed on the wedges and the Favor cards, and how sure we are of it.

The rulebook tells how many there are, what may be printed on them and the names of four cards; every dot, path and text
it leaves to the pieces. The shipped pack is a guess in these, marked `assumed`, so that the game can be played before a
group has typed in its own box. What is wrong with a pack is found in `check`.
"""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

from rules.greece_lightning.components import LANES, FavorKind
from rules.greece_lightning.favors import Favor, FavorEffect, FavorTime
from rules.greece_lightning.wedges import Dot, Wedge, read_paths
from rules.packs import Provenance
from rules.records import Record

__all__ = [
    "GAME",
    "STARTING_LINE",
    "FavorSure",
    "Pack",
    "PrintedFavor",
    "PrintedLine",
    "PrintedWedge",
    "WedgeSure",
    "default_pack",
    "favors_of",
    "wedges_of",
]

GAME = "greece-lightning"
"""How a pack file names the game."""

STARTING_LINE = "starting-line"
"""How events and findings name the Starting Line wedge."""


class WedgeSure(Record, frozen=True):
    """Where each printed value of a wedge comes from: its starting symbol, and its dots with their marks and paths."""

    symbol: Provenance = Provenance.ASSUMED
    print: Provenance = Provenance.ASSUMED


class PrintedWedge(Record, frozen=True):
    """One racecourse wedge. GL-C2.

    Attributes:
        id: how events name it.
        dots: its dots.
        paths: its paths, in the form that `wedges` tells of.
        symbol: its starting symbol; None for a wedge of the stack. GL-S1.
        sure: where each value comes from.
        marker: number of the marker stuck on it; None when it has none.
    """

    id: str
    dots: tuple[Dot, ...]
    paths: tuple[str, ...]
    symbol: str | None = None
    sure: WedgeSure = WedgeSure()
    marker: int | None = None

    @property
    def graph(self) -> Wedge:
        """The wedge as a graph.

        Raises:
            BadPack: a path is not in the form that `wedges` tells of.
        """
        return Wedge(self.id, self.dots, read_paths(self.paths), self.symbol)


class PrintedLine(Record, frozen=True):
    """The Starting Line wedge. Its icons are the same on every box (GL-L2), so its dots have no marks.

    Attributes:
        line: the dots on which ships start. GL-S29.
        dots, paths: as those of a wedge.
        sure: where its print comes from.
        marker: number of the marker stuck on it; None when it has none.
    """

    line: tuple[str, ...]
    dots: tuple[Dot, ...]
    paths: tuple[str, ...]
    sure: Provenance = Provenance.ASSUMED
    marker: int | None = None

    @property
    def graph(self) -> Wedge:
        """The wedge as a graph.

        Raises:
            BadPack: a path is not in the form that `wedges` tells of.
        """
        return Wedge(STARTING_LINE, self.dots, read_paths(self.paths), line=self.line)


class FavorSure(Record, frozen=True):
    """Where each printed value of a Favor card comes from; `effects` with the time at which it is used."""

    name: Provenance = Provenance.ASSUMED
    kind: Provenance = Provenance.ASSUMED
    effects: Provenance = Provenance.ASSUMED
    copies: Provenance = Provenance.ASSUMED
    starter: Provenance = Provenance.ASSUMED


class PrintedFavor(Record, frozen=True):
    """One Favor card, with all its copies. GL-C6.

    Attributes:
        id: how events name it.
        name: as printed.
        kind: its icon: bolt, boat or trident.
        effects: what it does.
        copies: how many of it the box holds.
        when: when it may be used; left out for a bolt.
        starter: its number, of the four Starters. GL-S21.
        text: its wording, for people; may be empty.
        sure: where each value comes from.
        markers: number of the marker stuck on each copy; empty when there are none.
    """

    id: str
    name: str
    kind: FavorKind
    effects: tuple[FavorEffect, ...]
    copies: int = 1
    when: FavorTime | None = None
    starter: int | None = None
    text: str = ""
    sure: FavorSure = FavorSure()
    markers: tuple[int, ...] = ()


class Pack(Record, frozen=True):
    """The print of one box.

    Attributes:
        lanes: paths that cross the edge between two wedges, the same for every wedge of the box.
        sure: where that number comes from.
    """

    game: str
    title: str
    starting_line: PrintedLine
    wedge: tuple[PrintedWedge, ...]
    favor: tuple[PrintedFavor, ...]
    lanes: int = LANES
    sure: Provenance = Provenance.ASSUMED
    note: str = ""


def default_pack() -> dict[str, Any]:
    """The shipped pack as plain data: a playable course and deck, with what is guessed marked so."""
    text = resources.files("rules.greece_lightning").joinpath("assumed_pack.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def wedges_of(pack: Pack) -> dict[str, Wedge]:
    """The racecourse wedges of a pack, by id.

    Raises:
        BadPack: a path is not in the form that `wedges` tells of.
    """
    return {each.id: each.graph for each in pack.wedge}


def favors_of(pack: Pack) -> dict[str, Favor]:
    """The Favor cards of a pack, by id."""
    return {
        each.id: Favor(each.id, each.name, each.kind, each.effects, each.copies, each.when, each.starter)
        for each in pack.favor
    }
