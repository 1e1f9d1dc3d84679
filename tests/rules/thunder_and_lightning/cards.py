"""What lies on a real table: pieces of cardboard, a side with its places, and whoever decides."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from rules.thunder_and_lightning.components import Kind, Role
from rules.thunder_and_lightning.pack import Card

NEVER = (Kind.LEADER, Kind.TREASURE, Kind.SHIELD_WALL, Kind.NIGHTMARE)
"""Kinds that begin no challenge."""


@dataclass(eq=False, slots=True)
class Real:
    """One piece of cardboard: its number in the box, its face, and what became of it.

    `seen`: everybody has known this very piece by its face; `first`: it was among the nine first cards.
    """

    serial: int
    card: Card
    up: bool = False
    seen: bool = False
    first: bool = False

    @property
    def kind(self) -> Kind:
        return self.card.kind

    @property
    def barred(self) -> bool:
        """It may not begin a challenge. TL-C9 to TL-C13."""
        return self.kind in NEVER or self.card.strength is None


@dataclass(eq=False, slots=True)
class Side:
    """One player's cards. The deck's top is its end; so is the pile's. `ghosts` left the pile, nobody saw whence."""

    seat: int
    role: Role
    deck: list[Real]
    hand: list[Real] = field(default_factory=list)
    pile: list[Real] = field(default_factory=list)
    columns: tuple[list[Real], list[Real], list[Real]] = field(default_factory=lambda: ([], [], []))
    ghosts: list[Real] = field(default_factory=list)
    ghost_kinds: set[Kind] = field(default_factory=set)
    turns: int = 0

    def led(self, column: int) -> bool:
        """A leader stands at the head of the column."""
        cards = self.columns[column - 1]
        return bool(cards) and cards[0].up and cards[0].kind is Kind.LEADER

    def room(self, column: int) -> bool:
        return len(self.columns[column - 1]) < 4

    @property
    def field(self) -> int:
        return sum(map(len, self.columns))


class Mind(Protocol):
    """Whoever decides: chance, a cheat, or a script of decisions made before."""

    def first_row(self, table: Any, side: Side) -> list[int]: ...
    def action(self, table: Any, side: Side) -> tuple[Any, ...]: ...
    def order(self, what: str, serials: list[int]) -> list[int]: ...
    def number(self, what: str, choices: list[int]) -> int: ...
