"""Where the cards of Thunder & Lightning lie on the table, in mm: rows, strip, piles, hands and nooks of each seat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from companion.live.areas import Rect
from device.simulated import card_layout
from rules.thunder_and_lightning.components import COLUMNS, ROWS, Role

__all__ = ["TABLE_SIZE_MM", "CardPlaces", "Place", "nooks_for", "places_for"]

TABLE_SIZE_MM: tuple[float, float] = card_layout.CARD_TABLE_SIZE_MM
"""Width and depth between the centres of the corner markers."""


class Place(NamedTuple):
    """A place for cards. A "cell" has all numbers, the "strip" only a column, "pile" and "hand" only a seat."""

    kind: Literal["cell", "strip", "pile", "hand"]
    seat: int = 0
    column: int = 0
    row: int = 0


@dataclass(frozen=True, slots=True)
class CardPlaces:
    """Every place with its part of the table."""

    areas: Mapping[Place, Rect]

    def at(self, x_mm: float, y_mm: float) -> Place | None:
        """The place that a point lies in; None for the rest of the table."""
        return next((place for place, area in self.areas.items() if area.holds(x_mm, y_mm)), None)


def places_for(roles: Mapping[int, Role]) -> CardPlaces:
    """The places of a match; `roles` tells who plays whom, by seat number: Thor sits at the left, Loki at the right."""
    areas: dict[Place, Rect] = {}
    for seat, role in roles.items():
        for column in COLUMNS:
            for row in range(1, ROWS + 1):
                areas[Place("cell", seat, column, row)] = _rect(card_layout.cell(role.value, column, row))
            areas[Place("strip", column=column)] = _rect(card_layout.middle(role.value, column))
        areas[Place("pile", seat)] = _rect(card_layout.pile(role.value))
        areas[Place("hand", seat)] = _rect(card_layout.hand_spot(role.value))
    return CardPlaces(areas)


def nooks_for(roles: Mapping[int, Role]) -> dict[int, Rect]:
    """The shielded nook of each seat, where the simulated table has them."""
    return {seat: _rect(card_layout.nook(role.value)) for seat, role in roles.items()}


def _rect(area: card_layout.Area) -> Rect:
    return Rect(area.x0, area.y0, area.x1, area.y1)
