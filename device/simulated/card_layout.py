"""Where the cards lie on the simulated table of a battlefield for two, in mm; it knows no rules.

Thor's player sits at the left end as the camera sees the table, Loki's at the right. The eight rows run along x, row 1
of both sides next to the strip in the middle. Columns are counted from Loki's left, so that column 1 is the nearest to
the camera on both sides and columns of the same number lie in one line.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot, pi
from typing import Final

from device.errors import SceneError
from device.simulated.layout import CARD_MM, CORNER_MARKER_IDS

__all__ = [
    "BACK_MARKER_IDS",
    "CARD_TABLE_SIZE_MM",
    "COLUMNS",
    "HAND_CARDS",
    "ROLES",
    "ROWS",
    "STRIP",
    "Area",
    "card_corner_positions_mm",
    "cell",
    "deck",
    "hand_places",
    "hand_spot",
    "middle",
    "nook",
    "pile",
    "places",
    "spot_at",
]

CARD_TABLE_SIZE_MM: Final = (1070.0, 600.0)
"""Width and depth between the centres of the corner markers: eight rows, and a hand of twelve open beside them."""

ROLES: Final = ("thor", "loki")
"""Who sits at the left and at the right; a deck is named by its number here."""
BACK_MARKER_IDS: Final = (200, 201)
"""The marker on every back of each deck, in the order of ROLES."""
COLUMNS: Final = (1, 2, 3)
ROWS: Final = (1, 2, 3, 4)
HAND_CARDS: Final = 12
"""Cards that can be shown side by side."""

_ROW_MM: Final = 94.0
_COLUMN_MM: Final = 72.0
_STRIP_MM: Final = 100.0
_HAND_STEP_MM: Final = (70.0, 94.0)
_HAND_END_MM: Final = 58.0
_NOOK_MM: Final = 150.0
_NOOK_END_MM: Final = 60.0
_NOOK_FAR_MM: Final = 20.0


@dataclass(frozen=True, slots=True)
class Area:
    """An upright rectangle of the table and how a card lies in it.

    `turn_rad` turns a card from upright as the camera sees it, clockwise in the picture; `stacks` says that several
    cards may lie on one another.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    turn_rad: float = 0.0
    stacks: bool = False

    def holds(self, x_mm: float, y_mm: float) -> bool:
        """True when the point lies in it (its left and far edges included)."""
        return self.x0 <= x_mm < self.x1 and self.y0 <= y_mm < self.y1

    @property
    def centre_mm(self) -> tuple[float, float]:
        """Its middle."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2


_CENTRE_X: Final = CARD_TABLE_SIZE_MM[0] / 2
_CENTRE_Y: Final = CARD_TABLE_SIZE_MM[1] / 2
_FAR_MM: Final = _CENTRE_Y - len(COLUMNS) / 2 * _COLUMN_MM
_NEAR_MM: Final = _CENTRE_Y + len(COLUMNS) / 2 * _COLUMN_MM

STRIP: Final = Area(_CENTRE_X - _STRIP_MM / 2, _FAR_MM, _CENTRE_X + _STRIP_MM / 2, _NEAR_MM)
"""Between the two rows 1: where a card lies that is slid forward."""


def cell(role: str, column: int, row: int) -> Area:
    """The place of a card of a side; column 1 to 3 from Loki's left, row 1 next to the strip.

    Raises SceneError for a side, column or row that the table does not have.
    """
    _checked_column(column)
    if row not in ROWS:
        raise SceneError(f"there is no row {row}; rows are 1 to {ROWS[-1]}, 1 next to the strip in the middle")
    far = _NEAR_MM - column * _COLUMN_MM
    return _sided(role, STRIP.x0 - row * _ROW_MM, far, _ROW_MM, _COLUMN_MM)


def middle(role: str, column: int) -> Area:
    """The place in the strip where a card of `role` lies that is slid forward in a column.

    Raises SceneError for a side or column that the table does not have.
    """
    _checked_column(column)
    far = _NEAR_MM - column * _COLUMN_MM
    return Area(STRIP.x0, far, STRIP.x1, far + _COLUMN_MM, _turn(role))


def pile(role: str) -> Area:
    """The discard pile, at the player's end. Raises SceneError for another side than those of ROLES."""
    return _sided(role, _END_MM, _CENTRE_Y - 2 - _COLUMN_MM, _ROW_MM, _COLUMN_MM, stacks=True)


def deck(role: str) -> Area:
    """The deck to draw from, beside the discard pile. Raises SceneError for another side than those of ROLES."""
    return _sided(role, _END_MM, _CENTRE_Y + 2, _ROW_MM, _COLUMN_MM, stacks=True)


def hand_spot(role: str) -> Area:
    """Where cards are shown open that lie in no row: a hand, a card hit or drawn. Near the camera.

    Raises SceneError for another side than those of ROLES.
    """
    each = hand_places(role)
    return Area(each[0].x0, each[0].y0, each[-1].x1, each[-1].y1)


def hand_places(role: str) -> tuple[Area, ...]:
    """The twelve places of `hand_spot`, row by row, cards upright. Raises SceneError as it does."""
    wide, deep = _HAND_STEP_MM
    per_row = HAND_CARDS // 2
    end = _HAND_END_MM if _index(role) == 0 else CARD_TABLE_SIZE_MM[0] - _HAND_END_MM - per_row * wide
    near = CARD_TABLE_SIZE_MM[1] - 2 * deep
    corners = [(end + n % per_row * wide, near + n // per_row * deep) for n in range(HAND_CARDS)]
    return tuple(Area(x, y, x + wide, y + deep) for x, y in corners)


def nook(role: str) -> Area:
    """The hood at the player's far corner under which one card is shown to the camera and to nobody else.

    Raises SceneError for another side than those of ROLES.
    """
    return _sided(role, _NOOK_END_MM, _NOOK_FAR_MM, _NOOK_MM, _NOOK_MM)


def spot_at(x_mm: float, y_mm: float, turn_rad: float = 0.0) -> Area:
    """A place of the size of a card anywhere on the table, for cards that lie where they should not."""
    half = hypot(*CARD_MM) / 2
    return Area(x_mm - half, y_mm - half, x_mm + half, y_mm + half, turn_rad)


def places() -> dict[str, Area]:
    """Every place by a name such as "thor column 1 row 2"; the strip's places are left out, as cards overlap there."""
    found: dict[str, Area] = {}
    for role in ROLES:
        found |= {f"{role} column {c} row {r}": cell(role, c, r) for c in COLUMNS for r in ROWS}
        found |= {f"{role} pile": pile(role), f"{role} deck": deck(role), f"{role} nook": nook(role)}
        found |= {f"{role} hand {n}": place for n, place in enumerate(hand_places(role), start=1)}
    return found


def card_corner_positions_mm() -> dict[int, tuple[float, float]]:
    """Centre of each corner marker by id: clockwise from the far left as the camera sees the table."""
    width, depth = CARD_TABLE_SIZE_MM
    corners = ((0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth))
    return dict(zip(CORNER_MARKER_IDS, corners, strict=True))


_END_MM: Final = (STRIP.x0 - len(ROWS) * _ROW_MM - _ROW_MM) / 2
"""From the table's end to the pile and the deck: in the middle of what the rows leave free."""


def _index(role: str) -> int:
    if role not in ROLES:
        raise SceneError(f"there is no side {role!r} at this table; sides are {' and '.join(ROLES)}")
    return ROLES.index(role)


def _checked_column(column: int) -> None:
    if column not in COLUMNS:
        raise SceneError(f"there is no column {column}; columns are 1 to {COLUMNS[-1]}, from Loki's left")


def _turn(role: str) -> float:
    """A card's upper edge points to the enemy."""
    return pi / 2 if _index(role) == 0 else -pi / 2


def _sided(role: str, x: float, y: float, wide: float, deep: float, *, stacks: bool = False) -> Area:
    """A rectangle given as Thor has it; Loki's is its mirror image across the strip."""
    left = x if _index(role) == 0 else CARD_TABLE_SIZE_MM[0] - x - wide
    return Area(left, y, left + wide, y + deep, _turn(role), stacks)
