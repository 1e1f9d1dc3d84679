"""What is wrong with a component pack of Greece Lightning, what is unusual in it, and what is still a guess."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from rules.errors import BadPack
from rules.greece_lightning.check_favors import favor_errors, favor_remarks
from rules.greece_lightning.check_wedges import wedge_errors, wedge_remarks
from rules.greece_lightning.components import SEATS, SYMBOLS, WEDGES, WEDGES_OF_A_SYMBOL, Mark
from rules.greece_lightning.pack import GAME, STARTING_LINE, Pack, PrintedFavor, PrintedLine, PrintedWedge
from rules.greece_lightning.wedges import Wedge
from rules.packs import Finding, Provenance, Severity, parse

__all__ = ["LAST_MARKER", "MOST_LANES", "check_pack"]

LAST_MARKER = 199
"""Markers 0 to 199 belong to what is in play."""

MOST_LANES = 9
"""A lane is written with one digit."""


def check_pack(plain: dict[str, Any]) -> tuple[Finding, ...]:
    """Findings about a pack: what makes it unplayable, what is unusual, and which values people should read from
    their box."""
    try:
        pack = parse(plain, Pack, what="a Greece Lightning pack")
    except BadPack as error:
        return (_wrong("pack", str(error)),)
    graphs, errors = _graphs(pack)
    errors = [*_frame(pack), *_ids(pack), *errors, *_symbols(pack), *favor_errors(pack.favor), *_markers(pack)]
    remarks = [] if errors else [*_remarks(pack, graphs), *favor_remarks(pack.favor)]
    return (*errors, *remarks, *_assumed(pack))


def _wrong(where: str, message: str) -> Finding:
    return Finding(Severity.ERROR, where, message)


def _frame(pack: Pack) -> Iterator[Finding]:
    if pack.game != GAME:
        yield _wrong("game", f"The pack says game = {pack.game!r}; expected {GAME!r}.")
    if not 1 <= pack.lanes <= MOST_LANES:
        yield _wrong("lanes", f"{pack.lanes} lanes; count the paths that cross the edge of a wedge, 1 to {MOST_LANES}.")
    if len(pack.wedge) != WEDGES:
        yield _wrong(
            "wedge", f"There are {len(pack.wedge)} wedges; expected {WEDGES}, without the Starting Line. Count again."
        )
    if len(pack.starting_line.line) < SEATS[1]:
        yield _wrong(
            STARTING_LINE,
            f"Ships start on {len(pack.starting_line.line)} dots; expected {SEATS[1]} or more, as each player needs "
            "another one. Name them in `line`.",
        )


def _ids(pack: Pack) -> Iterator[Finding]:
    first: dict[str, int] = {}
    for number, wedge in enumerate(pack.wedge, start=1):
        where = f"wedge {wedge.id.strip() or number}"
        if not wedge.id.strip():
            yield _wrong(where, f"Wedge number {number} has no id; give each wedge its own.")
        elif wedge.id == STARTING_LINE:
            yield _wrong(where, f"{STARTING_LINE!r} names the Starting Line; give the wedge another id.")
        elif wedge.id in first:
            yield _wrong(where, f"Wedges number {first[wedge.id]} and {number} have the same id; give each its own.")
        first.setdefault(wedge.id, number)


def _graphs(pack: Pack) -> tuple[list[Wedge], list[Finding]]:
    """The wedges and the Starting Line as graphs, with what is wrong in each."""
    lanes = max(1, min(pack.lanes, MOST_LANES))
    graphs: list[Wedge] = []
    errors: list[Finding] = []
    prints: list[tuple[str, PrintedWedge | PrintedLine]] = [(f"wedge {wedge.id}", wedge) for wedge in pack.wedge]
    for where, printed in (*prints, (STARTING_LINE, pack.starting_line)):
        try:
            graph = printed.graph
        except BadPack as error:
            errors.append(_wrong(where, str(error)))
            continue
        graphs.append(graph)
        errors += [_wrong(where, message) for message in wedge_errors(graph, lanes)]
    return graphs, errors


def _symbols(pack: Pack) -> Iterator[Finding]:
    """Four starting symbols on three wedges each. GL-S1, GL-S2."""
    count = Counter(wedge.symbol for wedge in pack.wedge if wedge.symbol is not None)
    if len(count) != SYMBOLS:
        named = ", ".join(count) or "none"
        yield _wrong(
            "symbol", f"There are {len(count)} starting symbols ({named}); expected {SYMBOLS}. Look at the edges."
        )
    for symbol, number in count.items():
        if not symbol.strip():
            yield _wrong("symbol", "A starting symbol has no name; leave the line out where a wedge shows none.")
        if number != WEDGES_OF_A_SYMBOL:
            yield _wrong(
                f"symbol {symbol}", f"{number} wedges show it; expected {WEDGES_OF_A_SYMBOL}. Look at their edges."
            )


def _markers(pack: Pack) -> Iterator[Finding]:
    told = [(f"wedge {wedge.id}", wedge.marker) for wedge in pack.wedge if wedge.marker is not None]
    if pack.starting_line.marker is not None:
        told.append((STARTING_LINE, pack.starting_line.marker))
    told += [(f"favor {favor.id}", marker) for favor in pack.favor for marker in favor.markers]
    used: dict[int, str] = {}
    for where, marker in told:
        if not 0 <= marker <= LAST_MARKER:
            yield _wrong(where, f"Marker {marker} is none of the game's; expected 0 to {LAST_MARKER}.")
        elif marker in used:
            also = "twice" if used[marker] == where else f"on {used[marker]} too"
            yield _wrong(where, f"Marker {marker} is {also}; stick another on one.")
        used.setdefault(marker, where)
    for favor in pack.favor:
        if favor.markers and len(favor.markers) != favor.copies:
            yield _wrong(
                f"favor {favor.id}",
                f"{len(favor.markers)} markers for {favor.copies} copies; list one for each copy, or none.",
            )


def _remarks(pack: Pack, graphs: list[Wedge]) -> Iterator[Finding]:
    for graph in graphs:
        where = STARTING_LINE if graph.line else f"wedge {graph.id}"
        for message in wedge_remarks(graph, pack.lanes):
            yield Finding(Severity.REMARK, where, message)
    printed = {mark for graph in graphs for dot in graph.dots for mark in dot.marks}
    for mark in Mark:
        if mark not in printed:
            message = f"No wedge shows {mark.value}, which the rulebook tells of; look through them again."
            yield Finding(Severity.REMARK, "wedge", message)


def _assumed(pack: Pack) -> Iterator[Finding]:
    """Every value that nobody has read from a box."""

    def guess(where: str, value: str, question: str) -> Finding:
        return Finding(Severity.ASSUMED, where, f"Assumed: {value}. Read {question} and mark it published.")

    if pack.sure is Provenance.ASSUMED:
        yield guess("lanes", f"{pack.lanes} lanes", "how many paths cross the edge of a wedge")
    if pack.starting_line.sure is Provenance.ASSUMED:
        yield guess(STARTING_LINE, "its dots and paths", "them from the Starting Line")
    for wedge in pack.wedge:
        if wedge.sure.symbol is Provenance.ASSUMED:
            symbol = "no starting symbol" if wedge.symbol is None else f"the starting symbol {wedge.symbol!r}"
            yield guess(f"wedge {wedge.id} symbol", symbol, "the symbol from the edge of the wedge, if it has one,")
        if wedge.sure.print is Provenance.ASSUMED:
            dots = f"{len(wedge.dots)} dots with their marks and paths"
            yield guess(f"wedge {wedge.id} print", dots, "them from the wedge")
    for favor in pack.favor:
        for field, value, question in _of_favor(favor):
            if getattr(favor.sure, field) is Provenance.ASSUMED:
                yield guess(f"favor {favor.id} {field}", value, f"{question} from the card {favor.name!r}")


def _of_favor(favor: PrintedFavor) -> tuple[tuple[str, str, str], ...]:
    return (
        ("name", f"the name {favor.name!r}", "what it is called"),
        ("kind", f"the icon {favor.kind.value}", "its icon"),
        ("effects", "what it does", "its text"),
        ("copies", f"{favor.copies} copies" if favor.copies != 1 else "1 copy", "how many the box holds"),
        (
            "starter",
            "no Starter" if favor.starter is None else f"Starter {favor.starter}",
            "its Starter number, if any,",
        ),
    )
