"""The battlefield: cards put into columns, shifted and taken away. Columns never have gaps. TL-B4, TL-B7, TL-B8."""

from __future__ import annotations

from rules.thunder_and_lightning.components import COLUMNS, ROWS
from rules.thunder_and_lightning.events import Spot
from rules.thunder_and_lightning.state import Lying, SideState, ThunderAndLightningState

__all__ = ["face_down", "is_place", "lifted", "put", "replaced", "taken"]

State = ThunderAndLightningState


def is_place(column: int, row: int) -> bool:
    """True for a column and row that exist. TL-B1, TL-B2."""
    return column in COLUMNS and 1 <= row <= ROWS


def _with_column(side: SideState, column: int, cards: tuple[Lying, ...]) -> tuple[tuple[Lying, ...], ...]:
    return tuple(cards if number == column else old for number, old in enumerate(side.columns, start=1))


def put(state: State, seat: int, column: int, row: int, lying: Lying) -> State:
    """A card put into a row; the card that lies there and all behind it move back. TL-P5, TL-P6, TL-B10, TL-L11."""
    cards = state.side(seat).column(column)
    there = (*cards[: row - 1], lying, *cards[row - 1 :])
    return state.with_side(seat, columns=_with_column(state.side(seat), column, there))


def taken(state: State, seat: int, token: int) -> State:
    """A card taken off a side; those behind it close up. TL-B8, TL-C21, TL-J8, TL-V3, TL-V8, TL-X10."""
    side = state.side(seat)
    found = side.find(token)
    assert found is not None
    column = found[0]
    left = tuple(lying for lying in side.column(column) if lying.token != token)
    return state.with_side(seat, columns=_with_column(side, column, left))


def lifted(state: State, seat: int, column: int) -> State:
    """A whole column taken off a side. TL-N2."""
    return state.with_side(seat, columns=_with_column(state.side(seat), column, ()))


def replaced(state: State, seat: int, lying: Lying) -> State:
    """The same place with its card turned up (or told apart otherwise)."""
    side = state.side(seat)
    return state.with_side(
        seat,
        columns=tuple(
            tuple(lying if old.token == lying.token else old for old in column) if column else column
            for column in side.columns
        ),
    )


def face_down(state: State, spots: list[Spot]) -> tuple[int, ...]:
    """Tokens of those cards at these spots that lie face down."""
    found = (state.at(spot) for spot in spots)
    return tuple(lying.token for lying in found if lying is not None and lying.card is None)
