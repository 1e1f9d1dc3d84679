"""What is wrong with a component pack of Greece Lightning, what is unusual in it, and what is still a guess."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from rules.errors import BadPack
from rules.greece_lightning.check_favors import favor_errors, favor_remarks
from rules.greece_lightning.check_wedges import WedgeFault, wedge_errors, wedge_remarks
from rules.greece_lightning.components import SEATS, SYMBOLS, WEDGES, WEDGES_OF_A_SYMBOL, Mark
from rules.greece_lightning.pack import GAME, STARTING_LINE, Pack, PrintedFavor, PrintedLine, PrintedWedge
from rules.greece_lightning.wedges import Wedge, read_paths
from rules.packs import Finding, Provenance, Severity, parse, unfit

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
        return unfit(plain, Pack, error)
    graphs, errors = _graphs(pack)
    errors = [*_frame(pack), *_ids(pack), *errors, *_symbols(pack), *favor_errors(pack.favor), *_markers(pack)]
    remarks = [] if errors else [*_remarks(pack, graphs), *favor_remarks(pack.favor)]
    return (*errors, *remarks, *_assumed(pack))


def _wrong(where: str, message: str, *at: str | int) -> Finding:
    return Finding(Severity.ERROR, where, message, at)


def _frame(pack: Pack) -> Iterator[Finding]:
    if pack.game != GAME:
        yield _wrong("game", f"The pack says game = {pack.game!r}; expected {GAME!r}.", "game")
    if not 1 <= pack.lanes <= MOST_LANES:
        counted = f"{pack.lanes} lanes; count the paths that cross the edge of a wedge, 1 to {MOST_LANES}."
        yield _wrong("lanes", counted, "lanes")
    if len(pack.wedge) != WEDGES:
        yield _wrong(
            "wedge", f"There are {len(pack.wedge)} wedges; expected {WEDGES}, without the Starting Line. Count again."
        )
    if len(pack.starting_line.line) < SEATS[1]:
        yield _wrong(
            STARTING_LINE,
            f"Ships start on {len(pack.starting_line.line)} dots; expected {SEATS[1]} or more, as each player needs "
            "another one. Name them in `line`.",
            "starting_line",
            "line",
        )


def _ids(pack: Pack) -> Iterator[Finding]:
    first: dict[str, int] = {}
    for number, wedge in enumerate(pack.wedge, start=1):
        where = f"wedge {wedge.id.strip() or number}"
        at = ("wedge", number - 1, "id")
        if not wedge.id.strip():
            yield _wrong(where, f"Wedge number {number} has no id; give each wedge its own.", *at)
        elif wedge.id == STARTING_LINE:
            yield _wrong(where, f"{STARTING_LINE!r} names the Starting Line; give the wedge another id.", *at)
        elif wedge.id in first:
            same = f"Wedges number {first[wedge.id]} and {number} have the same id; give each its own."
            yield _wrong(where, same, *at)
        first.setdefault(wedge.id, number)


def _graphs(pack: Pack) -> tuple[list[Wedge], list[Finding]]:
    """The wedges and the Starting Line as graphs, with what is wrong in each."""
    lanes = max(1, min(pack.lanes, MOST_LANES))
    graphs: list[Wedge] = []
    errors: list[Finding] = []
    for piece in _pieces(pack):
        unread = [
            _wrong(piece.where, str(error), *piece.at, "paths", number)
            for number, error in enumerate(map(_unreadable, piece.printed.paths))
            if error is not None
        ]
        if unread:
            errors += unread
            continue
        graphs.append(piece.printed.graph)
        errors += [piece.finding(Severity.ERROR, fault) for fault in wedge_errors(piece.printed.graph, lanes)]
    return graphs, errors


class _Piece(NamedTuple):
    """A wedge or the Starting Line, with its name and its place in the pack."""

    where: str
    printed: PrintedWedge | PrintedLine
    at: tuple[str | int, ...]

    def finding(self, severity: Severity, fault: WedgeFault) -> Finding:
        """What is wrong or unusual in it, with the dot or the written path that it lies in."""
        at = self.at
        if fault.dot is not None:
            at = (*at, "dots", fault.dot)
        elif fault.path is not None:
            written = [number for number, line in enumerate(self.printed.paths) for _ in read_paths((line,))]
            at = (*at, "paths", written[fault.path])
        return Finding(severity, self.where, fault.message, at)


def _pieces(pack: Pack) -> Iterator[_Piece]:
    for number, wedge in enumerate(pack.wedge):
        yield _Piece(f"wedge {wedge.id}", wedge, ("wedge", number))
    yield _Piece(STARTING_LINE, pack.starting_line, ("starting_line",))


def _unreadable(written: str) -> BadPack | None:
    """Why a path as it is written cannot be read; None when it can."""
    try:
        read_paths((written,))
    except BadPack as error:
        return error
    return None


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
    told: list[tuple[str, int, tuple[str | int, ...]]] = [
        (piece.where, piece.printed.marker, (*piece.at, "marker"))
        for piece in _pieces(pack)
        if piece.printed.marker is not None
    ]
    for number, favor in enumerate(pack.favor):
        told += [(f"favor {favor.id}", marker, ("favor", number, "markers")) for marker in favor.markers]
    used: dict[int, str] = {}
    for where, marker, at in told:
        if not 0 <= marker <= LAST_MARKER:
            yield _wrong(where, f"Marker {marker} is none of the game's; expected 0 to {LAST_MARKER}.", *at)
        elif marker in used:
            also = "twice" if used[marker] == where else f"on {used[marker]} too"
            yield _wrong(where, f"Marker {marker} is {also}; stick another on one.", *at)
        used.setdefault(marker, where)
    for number, favor in enumerate(pack.favor):
        if favor.markers and len(favor.markers) != favor.copies:
            counted = f"{len(favor.markers)} markers for {favor.copies} copies; list one for each copy, or none."
            yield _wrong(f"favor {favor.id}", counted, "favor", number, "markers")


def _remarks(pack: Pack, graphs: list[Wedge]) -> Iterator[Finding]:
    for piece, graph in zip(_pieces(pack), graphs, strict=True):
        for fault in wedge_remarks(graph, pack.lanes):
            yield piece.finding(Severity.REMARK, fault)
    printed = {mark for graph in graphs for dot in graph.dots for mark in dot.marks}
    for mark in Mark:
        if mark not in printed:
            message = f"No wedge shows {mark.value}, which the rulebook tells of; look through them again."
            yield Finding(Severity.REMARK, "wedge", message)


def _assumed(pack: Pack) -> Iterator[Finding]:
    """Every value that nobody has read from a box."""

    def guess(where: str, value: str, question: str, *at: str | int) -> Finding:
        return Finding(Severity.ASSUMED, where, f"Assumed: {value}. Read {question} and mark it published.", at)

    if pack.sure is Provenance.ASSUMED:
        yield guess("lanes", f"{pack.lanes} lanes", "how many paths cross the edge of a wedge", "lanes")
    if pack.starting_line.sure is Provenance.ASSUMED:
        yield guess(STARTING_LINE, "its dots and paths", "them from the Starting Line", "starting_line", "sure")
    for number, wedge in enumerate(pack.wedge):
        at = ("wedge", number, "sure")
        if wedge.sure.symbol is Provenance.ASSUMED:
            symbol = "no starting symbol" if wedge.symbol is None else f"the starting symbol {wedge.symbol!r}"
            question = "the symbol from the edge of the wedge, if it has one,"
            yield guess(f"wedge {wedge.id} symbol", symbol, question, *at)
        if wedge.sure.print is Provenance.ASSUMED:
            dots = f"{len(wedge.dots)} dots with their marks and paths"
            yield guess(f"wedge {wedge.id} print", dots, "them from the wedge", *at)
    for number, favor in enumerate(pack.favor):
        for field, value, question in _of_favor(favor):
            if getattr(favor.sure, field) is Provenance.ASSUMED:
                asked = f"{question} from the card {favor.name!r}"
                yield guess(f"favor {favor.id} {field}", value, asked, "favor", number, "sure")


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
