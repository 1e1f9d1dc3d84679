"""The markers of a Greece Lightning pack: one for each wedge and the Starting Line, one for each copy of a Favor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.errors import BadInput
from companion.markers import MarkerSet
from rules.greece_lightning.pack import STARTING_LINE
from vision.markers import CARD_IDS

__all__ = ["sets_of_box"]


def sets_of_box(pack: Mapping[str, Any]) -> list[MarkerSet]:
    """The markers of a pack given as plain data: those of the wedges, then those of the Favor cards.

    Raises:
        BadInput: a marker is wrong or given twice, or nothing has one.
    """
    taken: dict[int, str] = {}
    sets = [
        MarkerSet(title, tuple(_free(taken, marker, text) for marker, text in found))
        for title, found in (("wedges", _wedges(pack)), ("Favor cards", _favors(pack)))
    ]
    if not taken:
        raise BadInput(
            "Nothing in the pack has a marker: write marker = 0 (1, 2, ...) under a [[wedge]], and markers = [40, 41] "
            "under a [[favor]], one for each copy."
        )
    return [each for each in sets if each.markers]


def _wedges(pack: Mapping[str, Any]) -> Iterator[tuple[object, str]]:
    for wedge in _tables(pack, "wedge"):
        if "marker" in wedge:
            yield wedge["marker"], f"Wedge {wedge.get('id', '')}"
    line = pack.get(STARTING_LINE.replace("-", "_"))
    if isinstance(line, dict) and "marker" in line:
        yield line["marker"], "Starting Line"


def _favors(pack: Mapping[str, Any]) -> Iterator[tuple[object, str]]:
    for favor in _tables(pack, "favor"):
        markers = favor.get("markers", [])
        if not isinstance(markers, list):
            raise BadInput(f"Favor {favor.get('id')!r} of the pack has no list of markers: check the pack.")
        for copy, marker in enumerate(markers, start=1):
            which = f" {copy} of {len(markers)}" if len(markers) > 1 else ""
            yield marker, f"{favor.get('name') or favor.get('id')}{which}"


def _tables(pack: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    found = pack.get(name)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _free(taken: dict[int, str], marker: object, text: str) -> tuple[int, str]:
    if not isinstance(marker, int) or isinstance(marker, bool) or marker not in CARD_IDS:
        raise BadInput(f"{text} has marker {marker}: expected {CARD_IDS[0]} to {CARD_IDS[-1]}.")
    if marker in taken:
        raise BadInput(f"{text} and {taken[marker]} have the same marker {marker}: give each its own.")
    taken[marker] = text
    return marker, text
