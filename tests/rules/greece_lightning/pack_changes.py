"""Changes to the shipped pack, each a small step away from one that can be played with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.greece_lightning.check import check_pack
from rules.greece_lightning.pack import default_pack
from rules.packs import Severity

Plain = dict[str, Any]
Change = Callable[[Plain], None]


def wedge(plain: Plain, identity: str) -> Plain:
    if identity == "line":
        line: Plain = plain["starting_line"]
        return line
    return next(each for each in plain["wedge"] if each["id"] == identity)


def favor(plain: Plain, identity: str) -> Plain:
    return next(each for each in plain["favor"] if each["id"] == identity)


def messages(plain: Plain, severity: Severity) -> list[str]:
    return [f"{each.where}: {each.message}" for each in check_pack(plain) if each.severity is severity]


def change(identity: str, **values: Any) -> Change:
    def apply(plain: Plain) -> None:
        (favor if identity in {each["id"] for each in plain["favor"]} else wedge)(plain, identity).update(values)

    return apply


def dot(identity: str, name: str, **values: Any) -> Change:
    def apply(plain: Plain) -> None:
        next(each for each in wedge(plain, identity)["dots"] if each["id"] == name).update(values)

    return apply


def paths(identity: str, *more: str, without: str = "") -> Change:
    def apply(plain: Plain) -> None:
        printed = wedge(plain, identity)
        assert not without or without in printed["paths"], printed["paths"]
        printed["paths"] = [*(path for path in printed["paths"] if path != without), *more]

    return apply


def effects(identity: str, *told: Plain) -> Change:
    return change(identity, effects=list(told))


def both(*changes: Change) -> Change:
    def apply(plain: Plain) -> None:
        for each in changes:
            each(plain)

    return apply


def whole(**values: Any) -> Change:
    return lambda plain: plain.update(values)


def dots(identity: str, *more: Plain) -> Change:
    def apply(plain: Plain) -> None:
        wedge(plain, identity)["dots"] += more

    return apply


def lose_wedge(plain: Plain) -> None:
    del plain["wedge"][-1]


def replace_wedge(plain: Plain) -> None:
    plain["wedge"][-1] = {**plain["wedge"][-2], "id": "another", "marker": 199}


EXTRA = {"id": "z", "lane_tenths": 25, "along_percent": 50}
MORE_DOTS = both(dots("line", {**EXTRA, "id": "e"}), paths("line", "in2 > e > out2"))


def hold_error(spoil: Change, words: str, near: Change) -> None:
    """The spoiled pack has an error with these words, the one with the near miss has none."""
    plain = default_pack()
    spoil(plain)
    told = messages(plain, Severity.ERROR)
    assert [each for each in told if words in each], told
    plain = default_pack()
    near(plain)
    assert messages(plain, Severity.ERROR) == []
