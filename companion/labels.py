"""Labels for buttons, to print and stick beside them: what a press means in a game, and whose it is."""

from __future__ import annotations

from typing import Final

from companion.catalogue import Catalogue
from companion.errors import BadInput
from companion.markers import PAPERS
from companion.sheets import Label, Page, Stroke
from device.buttons.base import JUDGE_SEAT

__all__ = ["LABEL_MM", "MOST_SEATS", "label_pages", "labels_of_game"]

LABEL_MM: Final = (44.0, 18.0)
"""Width and height: fits into the recess of the button box (hardware/solids/button_box.scad)."""
MOST_SEATS: Final = 6
_MARGIN_MM: Final = 12.0
_HEAD_MM: Final = 18.0
_GAP_MM: Final = 3.0
_WORD_MM: Final = 6.5
_SEAT_MM: Final = 4.0
_LETTER_WIDTH: Final = 0.55
_SEAT_BUTTONS: Final = ("claim", "call")
_JUDGE_BUTTONS: Final = {
    "lightning-dice": ("flip", "uphold", "overrule"),
    "greece-lightning": ("uphold", "overrule"),
    "thunder-and-lightning": ("uphold", "overrule"),
}
"""The judge's buttons that a game uses, for every game that uses buttons."""


def labels_of_game(game: str, seats: int, catalogue: Catalogue) -> list[tuple[int, str, str]]:
    """Every label: the seat (0 for the judge), who that is in words, and what the button says.

    Raises:
        BadInput: the game has no buttons, or that many seats are none of the boxes'.
    """
    if game not in _JUDGE_BUTTONS:
        known = ", ".join(_JUDGE_BUTTONS)
        raise BadInput(f"There are no buttons for {game!r}; there are for {known}.")
    if not 1 <= seats <= MOST_SEATS:
        raise BadInput(f"Labels for {seats} seats were asked for; expected 1 to {MOST_SEATS}.")
    found = []
    for seat in range(1, seats + 1):
        who = catalogue.text("wiring.box.seat", seat=seat)
        found += [(seat, who, catalogue.text(f"label.{game}.{button}")) for button in _SEAT_BUTTONS]
    judge = catalogue.text("wiring.box.judge")
    return found + [(JUDGE_SEAT, judge, catalogue.text(f"label.{game}.{each}")) for each in _JUDGE_BUTTONS[game]]


def label_pages(game: str, seats: int, paper: str, catalogue: Catalogue) -> list[Page]:
    """Sheets with the labels of a game. Raises BadInput as `labels_of_game` does."""
    labels = labels_of_game(game, seats, catalogue)
    width, height = PAPERS[paper]
    wide, high = LABEL_MM
    columns = int((width - 2 * _MARGIN_MM + _GAP_MM) // (wide + _GAP_MM))
    rows = int((height - _HEAD_MM - _MARGIN_MM + _GAP_MM) // (high + _GAP_MM))
    pages = []
    for start in range(0, len(labels), columns * rows):
        page = Page((width, height))
        title = catalogue.text("label.title", game=catalogue.text(f"game.{game}"))
        page.labels.append(Label((_MARGIN_MM, 9), title, 3.6))
        page.labels.append(Label((_MARGIN_MM, 14), catalogue.text("label.print"), 2.6))
        for place, label in enumerate(labels[start : start + columns * rows]):
            row, column = divmod(place, columns)
            _draw(page, label, _MARGIN_MM + column * (wide + _GAP_MM), _HEAD_MM + row * (high + _GAP_MM))
        pages.append(page)
    return pages


def _draw(page: Page, label: tuple[int, str, str], left: float, top: float) -> None:
    _, who, word = label
    wide, high = LABEL_MM
    corners = [(left, top), (left + wide, top), (left + wide, top + high), (left, top + high)]
    for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
        page.strokes.append(Stroke(min(start, end), max(start, end)))
    room = wide - 6
    size = min(_WORD_MM, room / (_LETTER_WIDTH * len(word)))
    page.labels.append(Label((left + 3, top + 8.5), word, round(size, 2)))
    page.labels.append(Label((left + 3, top + 15), who, _SEAT_MM))
