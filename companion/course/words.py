"""A wedge in words: what a person hears who does not see the drawing."""

from __future__ import annotations

from collections.abc import Iterable

from companion.catalogue import Catalogue
from rules.greece_lightning.components import Mark
from rules.greece_lightning.wedges import Dot, Path, Wedge, lane_out

__all__ = ["dot_words", "mark_words", "wedge_sentences", "wedge_title"]


def wedge_title(wedge: Wedge, catalogue: Catalogue) -> str:
    """What a wedge is called."""
    return catalogue.text("wedge.line") if wedge.line else catalogue.text("wedge.title", wedge=wedge.id)


def wedge_sentences(wedge: Wedge, lanes: int, catalogue: Catalogue) -> tuple[str, ...]:
    """A wedge sentence by sentence: its symbol, how many dots, where each lane comes in, each dot with what is printed
    on it and where its paths lead."""
    found = []
    if wedge.line:
        found.append(catalogue.text("wedge.line-dots", dots=catalogue.listed(wedge.line)))
        found.append(catalogue.text("wedge.line-icons"))
    elif wedge.symbol is not None:
        found.append(catalogue.text("wedge.symbol", symbol=wedge.symbol))
    else:
        found.append(catalogue.text("wedge.no-symbol"))
    found.append(catalogue.text("wedge.dots", count=len(wedge.dots)))
    for lane in range(1, lanes + 1):
        onward = _onward(wedge.ways_in(lane), catalogue)
        found.append(catalogue.text("wedge.comes-in", lane=lane, onward=onward))
    found += [dot_words(dot, wedge, catalogue) for dot in wedge.dots]
    return tuple(found)


def dot_words(dot: Dot, wedge: Wedge, catalogue: Catalogue) -> str:
    """One dot in a sentence: where it lies, what is printed on it, where its paths lead."""
    lane, rest = divmod(dot.lane_tenths, 10)
    where = (
        catalogue.text("wedge.between-lanes", lane=lane, next=lane + 1)
        if rest
        else catalogue.text("wedge.on-lane", lane=lane)
    )
    onward = _onward(wedge.ways_from(dot.id), catalogue, dot.whirlpool)
    if not dot.marks:
        return catalogue.text("wedge.dot", dot=dot.id, where=where, onward=onward)
    marks = catalogue.listed(mark_words(mark, catalogue) for mark in dot.marks)
    return catalogue.text("wedge.dot-marked", dot=dot.id, where=where, marks=marks, onward=onward)


def mark_words(mark: Mark, catalogue: Catalogue) -> str:
    """What a mark is called."""
    return catalogue.text(f"mark.{mark.value}")


def _onward(paths: Iterable[Path], catalogue: Catalogue, whirlpool: Mark | None = None) -> str:
    return catalogue.listed((_end_words(path, catalogue, whirlpool) for path in paths), choice=True)


def _end_words(path: Path, catalogue: Catalogue, whirlpool: Mark | None) -> str:
    lane = lane_out(path.end)
    end = path.end if lane is None else catalogue.text("wedge.lane-out", lane=lane)
    if path.number is None:
        return end
    if whirlpool is Mark.SCYLLA:
        return catalogue.text("wedge.for-fish", count=path.number, end=end)
    return catalogue.text("wedge.by-number", number=path.number, end=end)
