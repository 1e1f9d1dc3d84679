"""Play mats to print: corner markers and the places of a game, as large as the table, over several sheets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

from companion.errors import BadInput
from companion.markers import CORNER_PLACES, CORNER_SIDE_MM, PAPERS, marker_boxes
from companion.sheets import Box, Label, Page, Stroke
from vision.markers import CORNER_IDS

__all__ = ["DEFAULT_SEATS", "MOST_SEATS", "Mat", "Tiling", "mat_of_game", "mat_pages", "tiling"]

DEFAULT_SEATS = 4
MOST_SEATS = 6

_RIM_MM = CORNER_SIDE_MM / 2 + 8
"""From the centre of a corner marker to the edge of the mat: half the marker and a border of more than a module."""
_EDGE_MM = 10.0
_HEAD_MM = 18.0
"""Margins of a sheet: at its sides and foot, and at its head for what is written there."""
_INSET_MM = 2.0
"""A place is drawn so much smaller all round, so that neighbours have lines of their own."""
_TEXT_MM = 4.0
_LETTER_WIDTH = 0.55


class MatPlace(NamedTuple):
    """A rectangle of the table in mm (x to the right, y towards the camera) and what is written in it."""

    x0: float
    y0: float
    x1: float
    y1: float
    text: str


@dataclass(frozen=True, slots=True)
class Mat:
    """A table between the centres of its corner markers, (width, depth) in mm, and its places."""

    title: str
    table_size_mm: tuple[float, float]
    places: tuple[MatPlace, ...]

    @property
    def size_mm(self) -> tuple[float, float]:
        """Of the paper: the table and a rim that holds the markers."""
        width, depth = self.table_size_mm
        return width + 2 * _RIM_MM, depth + 2 * _RIM_MM


class Tiling(NamedTuple):
    """How a mat is divided: the paper as it lies, columns and rows, and the part of the mat on each sheet, in mm."""

    paper_mm: tuple[float, float]
    columns: int
    rows: int
    tile_mm: tuple[float, float]
    origin_mm: tuple[float, float] = (_EDGE_MM, _HEAD_MM)
    """Where on the sheet its part of the mat begins."""


def mat_of_game(game: str, seats: int = DEFAULT_SEATS) -> Mat:
    """The mat of a game as the live table expects it; `seats` counts where each seat throws its own dice.

    Raises BadInput for a game without a mat and for a number of seats that the table does not have.
    """
    make = _OF_GAME.get(game)
    if make is None:
        raise BadInput(f"There is no mat for {game!r}; there is one for {', '.join(_OF_GAME)}.")
    return make(seats)


def _lightning_dice(seats: int) -> Mat:
    from device.simulated.layout import CARD_MM, GOAL_CARD_MM, STACK_MM, TABLE_SIZE_MM, zones_for

    if not 1 <= seats <= MOST_SEATS:
        raise BadInput(f"A mat for {seats} seats was asked for; expected 1 to {MOST_SEATS}.")
    places = [MatPlace(z.x0, z.y0, z.x1, z.y1, f"seat {number}: dice") for number, z in zones_for(seats).items()]
    for centre, text in ((STACK_MM, "cards, face down"), (GOAL_CARD_MM, "open card")):
        (x, y), (half_x, half_y) = centre, (CARD_MM[0] / 2 + _INSET_MM, CARD_MM[1] / 2 + _INSET_MM)
        places.append(MatPlace(x - half_x, y - half_y, x + half_x, y + half_y, text))
    return Mat("Lightning Dice", TABLE_SIZE_MM, tuple(places))


def _thunder_and_lightning(_seats: int) -> Mat:
    from device.simulated import card_layout

    places = [
        MatPlace(area.x0, area.y0, area.x1, area.y1, name[0].upper() + name[1:])
        for name, area in card_layout.places().items()
        if " hand " not in name
    ]
    for role in card_layout.ROLES:
        hand = card_layout.hand_spot(role)
        places.append(MatPlace(hand.x0, hand.y0, hand.x1, hand.y1, f"{role.title()}: cards shown to all"))
    strip = card_layout.STRIP
    places.append(MatPlace(strip.x0, strip.y0, strip.x1, strip.y1, "challenge"))
    return Mat("Thunder & Lightning", card_layout.CARD_TABLE_SIZE_MM, tuple(places))


def _greece_lightning(seats: int) -> Mat:
    """Board areas around a strip for what is turned up; the course lies beside the mat, for it is as large itself."""
    from device.simulated.layout import STRIP_MM, TABLE_SIZE_MM, zones_for
    from rules.greece_lightning.components import SEATS

    fewest, most = SEATS
    if not fewest <= seats <= most:
        raise BadInput(f"A mat for {seats} seats was asked for; expected {fewest} to {most}.")
    places = [
        MatPlace(zone.x0, zone.y0, zone.x1, zone.y1, f"seat {number}: board, dice")
        for number, zone in zones_for(seats).items()
    ]
    far, near = STRIP_MM
    places.append(MatPlace(0.0, far, TABLE_SIZE_MM[0], near, "wedge or Favor just drawn, face up"))
    return Mat("Greece Lightning", TABLE_SIZE_MM, tuple(places))


_OF_GAME: dict[str, Callable[[int], Mat]] = {
    "lightning-dice": _lightning_dice,
    "thunder-and-lightning": _thunder_and_lightning,
    "greece-lightning": _greece_lightning,
}


def tiling(mat: Mat, paper: str) -> Tiling:
    """The fewest sheets of paper, upright or across, that hold the mat in equal parts."""
    wide, high = PAPERS[paper]
    found = []
    for paper_mm in ((wide, high), (high, wide)):
        room = paper_mm[0] - 2 * _EDGE_MM, paper_mm[1] - _HEAD_MM - _EDGE_MM
        columns, rows = ceil(mat.size_mm[0] / room[0]), ceil(mat.size_mm[1] / room[1])
        found.append(Tiling(paper_mm, columns, rows, (mat.size_mm[0] / columns, mat.size_mm[1] / rows)))
    return min(found, key=lambda each: each.columns * each.rows)


def mat_pages(mat: Mat, paper: str) -> list[Page]:
    """The sheets of a mat, row by row from its far left; each is cut along its dashed edge and joined to the next."""
    division = tiling(mat, paper)
    whole = _drawn(mat)
    return [
        _sheet(mat, whole, division, row, column) for row in range(division.rows) for column in range(division.columns)
    ]


def _drawn(mat: Mat) -> Page:
    """All of the mat on one page as large as itself."""
    page = Page(mat.size_mm)
    width, depth = mat.table_size_mm
    corners = dict(zip(CORNER_IDS, ((0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth)), strict=True))
    for place in mat.places:
        x0, y0 = place.x0 + _RIM_MM + _INSET_MM, place.y0 + _RIM_MM + _INSET_MM
        x1, y1 = place.x1 + _RIM_MM - _INSET_MM, place.y1 + _RIM_MM - _INSET_MM
        sides = (((x0, y0), (x1, y0)), ((x0, y1), (x1, y1)), ((x0, y0), (x0, y1)), ((x1, y0), (x1, y1)))
        for start, end in sides:
            page.strokes.extend(_beside_markers(start, end, list(corners.values())))
        size = min(_TEXT_MM, (x1 - x0 - 4) / (_LETTER_WIDTH * len(place.text)))
        text_width = _LETTER_WIDTH * size * len(place.text)
        page.labels.append(Label(((x0 + x1 - text_width) / 2, (y0 + y1 + size) / 2), place.text, round(size, 2)))
    for marker_id, (x, y) in corners.items():
        page.boxes.extend(
            marker_boxes(marker_id, x + _RIM_MM - CORNER_SIDE_MM / 2, y + _RIM_MM - CORNER_SIDE_MM / 2, CORNER_SIDE_MM)
        )
        left = x + _RIM_MM - CORNER_SIDE_MM / 2
        page.labels.append(
            Label((left, y + _RIM_MM + CORNER_SIDE_MM / 2 + 7.2), f"{marker_id}  {CORNER_PLACES[marker_id]}", 2.6)
        )
    return page


def _beside_markers(
    start: tuple[float, float], end: tuple[float, float], corners: list[tuple[float, float]]
) -> Iterator[Stroke]:
    """An upright or level line without the parts that would run over a corner marker or its white border."""
    along = 0 if start[1] == end[1] else 1
    across = 1 - along
    parts = [(start[along], end[along])]
    for corner in corners:
        at = corner[across] + _RIM_MM
        if abs(start[across] - at) >= _RIM_MM:
            continue
        low, high = corner[along], corner[along] + 2 * _RIM_MM
        parts = [
            piece for a, b in parts for piece in ((a, min(b, low)), (max(a, high), b)) if piece[1] - piece[0] > 1e-6
        ]
    for a, b in parts:
        yield Stroke((a, start[1]), (b, start[1])) if along == 0 else Stroke((start[0], a), (start[0], b))


def _sheet(mat: Mat, whole: Page, division: Tiling, row: int, column: int) -> Page:
    page = Page(division.paper_mm)
    wide, high = division.tile_mm
    left, top = column * wide, row * high
    shift_x, shift_y = division.origin_mm[0] - left, division.origin_mm[1] - top

    def within(x: float, y: float) -> tuple[float, float]:
        return min(max(x, left), left + wide) + shift_x, min(max(y, top), top + high) + shift_y

    for box in whole.boxes:
        (x0, y0), (x1, y1) = (
            within(box.left_mm, box.top_mm),
            within(box.left_mm + box.width_mm, box.top_mm + box.height_mm),
        )
        if x1 > x0 and y1 > y0:
            page.boxes.append(Box(x0, y0, x1 - x0, y1 - y0))
    for stroke in whole.strokes:
        level = stroke.from_mm[1] == stroke.to_mm[1]
        at, first = (stroke.from_mm[1], top) if level else (stroke.from_mm[0], left)
        if first <= at < first + (high if level else wide):
            start, end = within(*stroke.from_mm), within(*stroke.to_mm)
            if start != end:
                page.strokes.append(Stroke(start, end))
    for label in whole.labels:
        x, y = label.at_mm
        text_end = x + _LETTER_WIDTH * label.size_mm * len(label.text)
        if x < left + wide and text_end > left and y - label.size_mm < top + high and y > top:
            page.labels.append(Label((x + shift_x, y + shift_y), label.text, label.size_mm))
    x0, y0 = division.origin_mm
    corners = [(x0, y0), (x0 + wide, y0), (x0 + wide, y0 + high), (x0, y0 + high)]
    for ends in zip(corners, corners[1:] + corners[:1], strict=True):
        page.strokes.append(Stroke(min(ends), max(ends)))
    _head(page, mat, division, row, column)
    return page


def _head(page: Page, mat: Mat, division: Tiling, row: int, column: int) -> None:
    width, depth = mat.table_size_mm
    place = (
        f"row {row + 1} of {division.rows} from the far side, sheet {column + 1} of {division.columns} from the left"
    )
    page.labels.append(Label((_EDGE_MM, 6), f"Tabletop Companion: mat for {mat.title}, {place}", 3.0))
    page.labels.append(
        Label(
            (_EDGE_MM, 10.5),
            f"Print at 100 %: the line is 100 mm long. Cut along the dashes, join. Table {width:g} x {depth:g} mm.",
            2.6,
        )
    )
    y = 14.0
    page.strokes.append(Stroke((_EDGE_MM, y), (_EDGE_MM + 100, y), black=True))
    page.strokes.extend(Stroke((x, y - 1), (x, y + 1), black=True) for x in (_EDGE_MM, _EDGE_MM + 100))
