"""Sheets of markers to print and cut: for the cards of a game, and four for the corners of the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.errors import BadInput
from companion.sheets import Box, Label, Page, Stroke
from rules.thunder_and_lightning.components import Role
from vision.markers import CARD_BACK_IDS, CARD_IDS, CORNER_IDS, SPARE_IDS, marker_image

__all__ = [
    "CORNER_PLACES",
    "CORNER_SIDE_MM",
    "DEFAULT_SIDE_MM",
    "PAPERS",
    "MarkerSet",
    "card_pages",
    "corner_page",
    "marker_boxes",
    "names_of_pack",
    "parse_ids",
    "parse_names",
    "set_pages",
    "sets_of_pack",
    "side_mm_of_pack",
]

PAPERS: dict[str, tuple[float, float]] = {"A4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height in mm."""

CORNER_PLACES: dict[int, str] = {
    240: "far left",
    241: "far right",
    242: "near right",
    243: "near left",
}
"""Where each corner marker goes, seen from the camera's side of the table."""

CORNER_SIDE_MM = 40.0
"""Black side of a corner marker."""

DEFAULT_SIDE_MM = 18.0
"""Black side of a card's marker, where the game asks for no other."""

_MODULES = 8
"""Six data modules and the black frame, along one side."""
_MARGIN_MM = 10.0
_HEAD_MM = 14.0
_TEXT_MM = 2.6
_SMALLEST_TEXT_MM = 1.8
_LETTER_WIDTH = 0.55
"""Mean width of a letter, in text sizes."""
_SMALLEST_SIDE_MM = 8.0
"""Under this a camera half a metre away has less than two pixels for a module."""


@dataclass(frozen=True, slots=True)
class _Cell:
    """The piece of paper that is cut out for one marker."""

    side_mm: float
    text_lines: int = 1

    @property
    def border_mm(self) -> float:
        """One module and a fifth: a cut that strays leaves the white module that finding a marker needs."""
        return 1.2 * self.side_mm / _MODULES

    @property
    def size_mm(self) -> tuple[float, float]:
        side = self.side_mm + 2 * self.border_mm
        return side, side + self.text_lines * (_TEXT_MM + 0.8)


def parse_ids(text: str) -> list[int]:
    """The card ids of a list such as "0-49,60"; each once, in the order given.

    Raises BadInput for what is no such list, and for ids that are not for cards.
    """
    ids: dict[int, None] = {}
    last_id = SPARE_IDS[-1]
    for part in text.split(","):
        first, dash, last = (piece.strip() for piece in part.partition("-"))
        numbers = (first, last) if dash else (first, first)
        if not all(number.isascii() and number.isdigit() for number in numbers):
            raise BadInput(f"Wrong marker ids {text!r}: expected numbers and ranges, such as 0-49,60.")
        start, stop = (int(number) for number in numbers)
        if start > stop or stop > last_id:
            raise BadInput(
                f"Wrong marker ids {part.strip()!r}: cards have {CARD_IDS[0]} to {last_id}, the smaller number "
                "first. The table corners are printed with --corners."
            )
        ids.update(dict.fromkeys(range(start, stop + 1)))
    return list(ids)


def parse_names(text: str) -> dict[int, str]:
    """Card names by id, from lines "ID NAME"; empty lines and lines that begin with # are passed over.

    Raises BadInput, naming the line, for anything else and for an id given twice.
    """
    names: dict[int, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        first, _, name = line.strip().partition(" ")
        if not (first.isascii() and first.isdigit()) or not name.strip():
            raise BadInput(f"Line {number} of the names: got {line.strip()!r}, expected an id and a name.")
        if int(first) in names:
            raise BadInput(f"Line {number} of the names: id {first} has a name already. Keep one.")
        names[int(first)] = name.strip()
    return names


@dataclass(frozen=True, slots=True)
class MarkerSet:
    """Markers that are printed together: each id with the text beside it, as often as it is stuck on a card."""

    title: str
    markers: tuple[tuple[int, str], ...]


def names_of_pack(pack: Mapping[str, Any]) -> dict[int, str]:
    """Labels by marker id for the cards of a component pack, in the pack's order: its id, then what it says.

    Raises BadInput when no card of the pack has a marker, or two have the same.
    """
    names: dict[int, str] = {}
    for card in _cards(pack):
        marker = card.get("marker")
        if not isinstance(marker, int) or isinstance(marker, bool):
            continue
        says = next((str(card[key]) for key in ("text", "name", "goal") if card.get(key)), "")
        _add(names, card, marker, f"{card.get('id', '')} {says}".strip(), SPARE_IDS[-1])
    if not names:
        raise BadInput("No card of the pack has a marker: write marker = 0 (1, 2, ...) under each [[card]].")
    return names


def _one_deck(pack: Mapping[str, Any]) -> list[MarkerSet]:
    """One marker for each card."""
    return [MarkerSet("card markers", tuple(names_of_pack(pack).items()))]


def _two_decks(pack: Mapping[str, Any]) -> list[MarkerSet]:
    """For each deck one marker for each copy of a card, with its name; then as many backs, which are all the same."""
    faces: dict[int, str] = {}
    of_deck: dict[Role, list[int]] = {role: [] for role in Role}
    for card in _cards(pack):
        numbers = card.get("markers", [])
        if card.get("deck") not in of_deck or not isinstance(numbers, list):
            raise BadInput(f"Card {card.get('id')!r} of the pack has no deck or no list of markers: check the pack.")
        role = Role(card["deck"])
        for copy, marker in enumerate(numbers, start=1):
            which = f" {copy} of {len(numbers)}" if len(numbers) > 1 else ""
            _add(
                faces, card, marker, f"{role.value.title()}: {card.get('name') or card.get('id')}{which}", CARD_IDS[-1]
            )
            of_deck[role].append(marker)
    if not faces:
        raise BadInput(
            "No card of the pack has markers: write markers = [0, 1] under each [[card]], one for each copy."
        )
    sets = [
        MarkerSet(f"faces of {role.value.title()}'s deck", tuple((marker, faces[marker]) for marker in markers))
        for role, markers in of_deck.items()
    ]
    sets += [
        MarkerSet(
            f"backs of {role.value.title()}'s deck", ((back, f"back of a card of {role.value.title()}"),) * len(markers)
        )
        for (role, markers), back in zip(of_deck.items(), CARD_BACK_IDS, strict=True)
    ]
    return [each for each in sets if each.markers]


def _wedges_and_favors(pack: Mapping[str, Any]) -> list[MarkerSet]:
    """One marker for each wedge, one for each copy of a Favor."""
    from companion.course.markers import sets_of_box

    return sets_of_box(pack)


@dataclass(frozen=True, slots=True)
class _GameMarkers:
    """How a game's cards are marked: the sets of a pack, and the side that is read on a table as large as it needs."""

    sets: Callable[[Mapping[str, Any]], list[MarkerSet]]
    side_mm: float = DEFAULT_SIDE_MM


_OF_GAME: dict[str, _GameMarkers] = {
    "lightning-dice": _GameMarkers(_one_deck),
    "thunder-and-lightning": _GameMarkers(_two_decks, 30.0),
    "greece-lightning": _GameMarkers(_wedges_and_favors),
}


def sets_of_pack(pack: Mapping[str, Any]) -> list[MarkerSet]:
    """The markers of a component pack, as its `game` uses them; one that names no game has one for each card.

    Raises BadInput for a game without cards to mark, and for markers that are missing, wrong or given twice.
    """
    return _marked(pack).sets(pack)


def side_mm_of_pack(pack: Mapping[str, Any]) -> float:
    """The black side of a card's marker that is read on a table as large as the pack's game needs.

    Raises BadInput for a game without cards to mark.
    """
    return _marked(pack).side_mm


def set_pages(sets: Sequence[MarkerSet], *, side_mm: float, paper: str, names: Mapping[int, str]) -> list[Page]:
    """Pages with sets of markers, each set on pages of its own; `names` by id are printed instead of their texts.

    Raises BadInput as `card_pages` does.
    """
    pages = []
    for each in sets:
        ids = [marker for marker, _ in each.markers]
        texts = {**dict(each.markers), **names}
        pages += card_pages(ids, side_mm=side_mm, paper=paper, names=texts, title=each.title)
    return pages


def _marked(pack: Mapping[str, Any]) -> _GameMarkers:
    game = pack.get("game", "lightning-dice")
    marked = _OF_GAME.get(game) if isinstance(game, str) else None
    if marked is None:
        raise BadInput(f"The pack is of {game!r}; markers are known for {', '.join(_OF_GAME)}.")
    return marked


def _cards(pack: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    cards = pack.get("card")
    return [card for card in cards if isinstance(card, dict)] if isinstance(cards, list) else []


def _add(names: dict[int, str], card: Mapping[str, Any], marker: object, text: str, last_id: int) -> None:
    if not isinstance(marker, int) or isinstance(marker, bool) or not 0 <= marker <= last_id:
        raise BadInput(f"Card {card.get('id')!r} has marker {marker}: expected 0 to {last_id}.")
    if marker in names:
        raise BadInput(f"Two cards of the pack have marker {marker}: give each its own.")
    names[marker] = text


def card_pages(
    ids: Sequence[int],
    *,
    side_mm: float,
    paper: str,
    names: Mapping[int, str] | None = None,
    title: str = "card markers",
) -> list[Page]:
    """Pages with a marker for each id, `side_mm` along the black square, with cut lines, id and name.

    Raises BadInput when a marker is too small to be read or too large for the paper.
    """
    cell = _Cell(side_mm)
    size = PAPERS[paper]
    columns, rows = _grid(cell, size)
    per_page = columns * rows
    count = -(-len(ids) // per_page)
    pages = []
    for start in range(0, len(ids), per_page):
        page = Page(size)
        _head(page, f"{title} {_span(ids)}, {side_mm:g} mm, sheet {start // per_page + 1} of {count}")
        for place, marker_id in enumerate(ids[start : start + per_page]):
            row, column = divmod(place, columns)
            name = (names or {}).get(marker_id)
            text = f"{marker_id}  {name}" if name else str(marker_id)
            _cell(page, cell, _origin(cell, size, columns, row, column), marker_id, [text])
        pages.append(page)
    return pages


def corner_page(*, side_mm: float, paper: str) -> Page:
    """One page with the four markers of the table's corners, each with a line saying where it goes.

    Raises BadInput when a marker is too small to be read or the four are too large for the paper.
    """
    cell = _Cell(side_mm, text_lines=2)
    size = PAPERS[paper]
    columns, rows = _grid(cell, size)
    if columns * rows < len(CORNER_IDS):
        raise BadInput(
            f"Four corner markers of {side_mm:g} mm do not fit on {paper}: choose a smaller --corner-side-mm."
        )
    page = Page(size)
    _head(page, f"table corners, {side_mm:g} mm; lay them flat, left and right as seen from the camera")
    for place, marker_id in enumerate(CORNER_IDS):
        row, column = divmod(place, min(columns, 2))
        lines = [f"{marker_id}  {CORNER_PLACES[marker_id]} corner", "its centre is the corner of the table"]
        _cell(page, cell, _origin(cell, size, columns, row, column), marker_id, lines)
    return page


def _grid(cell: _Cell, size: tuple[float, float]) -> tuple[int, int]:
    if not _SMALLEST_SIDE_MM <= cell.side_mm < float("inf"):
        raise BadInput(
            f"Markers of {cell.side_mm:g} mm are too small to be read: expected {_SMALLEST_SIDE_MM:g} mm or more."
        )
    width, height = cell.size_mm
    columns = int((size[0] - 2 * _MARGIN_MM) / width)
    rows = int((size[1] - 2 * _MARGIN_MM - _HEAD_MM) / height)
    if columns < 1 or rows < 1:
        raise BadInput(f"Markers of {cell.side_mm:g} mm do not fit on the paper: choose a smaller --side-mm.")
    return columns, rows


def _origin(cell: _Cell, size: tuple[float, float], columns: int, row: int, column: int) -> tuple[float, float]:
    width, height = cell.size_mm
    left = (size[0] - columns * width) / 2
    return left + column * width, _MARGIN_MM + _HEAD_MM + row * height


def _cell(page: Page, cell: _Cell, origin_mm: tuple[float, float], marker_id: int, lines: Sequence[str]) -> None:
    left, top = origin_mm
    width, height = cell.size_mm
    corners = [(left, top), (left + width, top), (left + width, top + height), (left, top + height)]
    for corner, following in zip(corners, corners[1:] + corners[:1], strict=True):
        # From left to right and from top to bottom: the dashes of neighbours then lie on one another.
        start, end = sorted((corner, following))
        if Stroke(start, end) not in page.strokes:
            page.strokes.append(Stroke(start, end))
    page.boxes.extend(marker_boxes(marker_id, left + cell.border_mm, top + cell.border_mm, cell.side_mm))
    base = top + cell.side_mm + 2 * cell.border_mm
    for line in lines:
        base += _TEXT_MM + 0.8
        page.labels.append(_fitted(line, left + cell.border_mm, base - 1.2, width - cell.border_mm))


def marker_boxes(marker_id: int, left_mm: float, top_mm: float, side_mm: float) -> list[Box]:
    """The black modules, joined along rows and again along columns, so that no white hairline parts them."""
    bits = marker_image(marker_id, _MODULES + 2)[1:-1, 1:-1] < 128
    module = side_mm / _MODULES
    rows = [
        Box(left_mm + start * module, top_mm + row * module, (stop - start) * module, module)
        for row in range(_MODULES)
        for start, stop in _runs(bits[row])
    ]
    columns = [
        Box(left_mm + column * module, top_mm + start * module, module, (stop - start) * module)
        for column in range(_MODULES)
        for start, stop in _runs(bits[:, column])
    ]
    return rows + columns


def _runs(bits: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Start and end of each unbroken run of set bits."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], bits.astype(np.int8), [0])))).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))


def _fitted(text: str, left_mm: float, base_mm: float, width_mm: float) -> Label:
    size = max(_SMALLEST_TEXT_MM, min(_TEXT_MM, width_mm / (_LETTER_WIDTH * len(text))))
    room = int(width_mm / (_LETTER_WIDTH * size) + 1e-6)
    if len(text) > room:
        text = text[: max(1, room - 1)].rstrip() + "…"
    return Label((left_mm, base_mm), text, round(size, 2))


def _head(page: Page, what: str) -> None:
    page.labels.append(Label((_MARGIN_MM, _MARGIN_MM + 3), f"Tabletop Companion: {what}", 3.2))
    page.labels.append(
        Label(
            (_MARGIN_MM, _MARGIN_MM + 7.5),
            "Print at 100 %, on matt paper: this line is 100 mm long.",
            2.8,
        )
    )
    x, y = _MARGIN_MM, _MARGIN_MM + 10
    page.strokes.append(Stroke((x, y), (x + 100, y), black=True))
    page.strokes.extend(Stroke((end, y - 1), (end, y + 1), black=True) for end in (x, x + 100))


def _span(ids: Sequence[int]) -> str:
    return str(ids[0]) if len(set(ids)) == 1 else f"{min(ids)} to {max(ids)}"
