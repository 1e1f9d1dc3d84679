"""Boxes that nobody printed: marks and cards by chance, whatever a pack may hold."""

from __future__ import annotations

import random
from typing import Any

from rules.greece_lightning.check_favors import STARTER_NAMES
from rules.greece_lightning.components import FAVORS, WHIRLPOOLS, FavorKind, Mark
from rules.greece_lightning.favors import Deed, FavorTime, Whom
from rules.greece_lightning.pack import default_pack

__all__ = ["any_box"]

_MOST_COPIES = 3


def any_box(chance: random.Random) -> dict[str, Any]:
    """A pack as plain data: the shipped paths, with other marks on every dot but whirlpools, and other cards."""
    pack = default_pack()
    marks = [mark.value for mark in Mark if mark not in WHIRLPOOLS]
    for wedge in pack["wedge"]:
        for dot in wedge["dots"]:
            if not set(dot.get("marks", ())) & set(WHIRLPOOLS):
                dot["marks"] = chance.sample(marks, chance.choice((0, 0, 1, 1, 2)))
    pack["favor"] = _cards(chance)
    return pack


def _cards(chance: random.Random) -> list[dict[str, Any]]:
    cards = [
        {"id": name.lower(), "name": name, "starter": number, **_text(chance, chance.choice(("boat", "trident")))}
        for number, name in enumerate(STARTER_NAMES, start=1)
    ]
    left = FAVORS - len(cards)
    while left:
        copies = min(left, chance.randint(1, _MOST_COPIES))
        left -= copies
        text = _text(chance, chance.choice(list(FavorKind)).value)
        cards.append({"id": f"card-{len(cards)}", "name": f"Card {len(cards)}", "copies": copies, **text})
    return cards


def _text(chance: random.Random, kind: str) -> dict[str, Any]:
    text: dict[str, Any] = {"kind": kind, "effects": [_effect(chance) for _ in range(chance.choice((1, 1, 2)))]}
    if kind != FavorKind.BOLT:
        text["when"] = chance.choice(list(FavorTime)).value
    return text


def _effect(chance: random.Random) -> dict[str, Any]:
    deed = chance.choice(list(Deed))
    if deed in (Deed.LIFT_WEDGE, Deed.BY_HAND):
        return {"do": deed.value}
    if deed is Deed.TAKE_FISH:
        whom = chance.choice((Whom.OTHER, Whom.OTHERS))
        return {"do": deed.value, "amount": chance.randint(1, 2), "whom": whom.value}
    amounts = (-2, -1, 1, 2, 3) if deed in (Deed.MOVE, Deed.FISH) else (1, 2)
    whom = chance.choice((Whom.USER, *Whom))
    return {"do": deed.value, "amount": chance.choice(amounts), "whom": whom.value}
