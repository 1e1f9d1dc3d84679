"""The drawings of all wedges of a component pack."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from companion.catalogue import Catalogue
from companion.course.wedge_svg import wedge_svg
from rules.errors import BadPack
from rules.greece_lightning.pack import STARTING_LINE, Pack, PrintedLine, PrintedWedge
from rules.packs import parse

__all__ = ["pack_drawings"]


def pack_drawings(plain: dict[str, Any], wrong: Collection[str], catalogue: Catalogue) -> list[tuple[str, str]]:
    """Each wedge of a pack and the Starting Line: a name for its file, and its drawing.

    Args:
        plain: the pack as plain data; nothing is drawn of what is no pack at all.
        wrong: where its check found errors ("wedge owl-1", "starting-line", "lanes"); these are left out.
        catalogue: the language of the words in the drawings.
    """
    try:
        pack = parse(plain, Pack, what="a Greece Lightning pack")
    except BadPack:
        return []
    if "lanes" in wrong:
        return []
    found: dict[str, str] = {}
    prints: list[tuple[str, PrintedWedge | PrintedLine]] = [(f"wedge {each.id}", each) for each in pack.wedge]
    for where, printed in (*prints, (STARTING_LINE, pack.starting_line)):
        if where not in wrong:
            wedge = printed.graph
            found[_free_name(wedge.id, found)] = wedge_svg(wedge, pack.lanes, catalogue)
    return list(found.items())


def _free_name(identity: str, taken: Collection[str]) -> str:
    """A name for a file that any system takes and that no other drawing has."""
    plain = re.sub(r"[^a-z0-9-]+", "-", identity.lower()).strip("-") or "wedge"
    name, number = plain, 2
    while name in taken:
        name, number = f"{plain}-{number}", number + 1
    return name
