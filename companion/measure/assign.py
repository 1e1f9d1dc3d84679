"""The most pairs of two lists, each member in one pair at most, and among those that are tried first the nearest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

__all__ = ["one_to_one"]

Left = TypeVar("Left")
Right = TypeVar("Right")


def one_to_one(
    left: Sequence[Left], right: Sequence[Right], cost: Callable[[Left, Right], float | None]
) -> list[tuple[int, int]]:
    """Indices of as many pairs as can be had; `cost` gives None for a pair that cannot be.

    Cheap partners are tried first (Kuhn's augmenting paths), so that a pair is only given up for a further one.
    """
    wanted: list[list[int]] = []
    for each in left:
        costs = [(found, j) for j, other in enumerate(right) if (found := cost(each, other)) is not None]
        wanted.append([j for _, j in sorted(costs)])
    partner: dict[int, int] = {}

    def place(i: int, tried: set[int]) -> bool:
        for j in wanted[i]:
            if j in tried:
                continue
            tried.add(j)
            if j not in partner or place(partner[j], tried):
                partner[j] = i
                return True
        return False

    for i in range(len(left)):
        place(i, set())
    return sorted((i, j) for j, i in partner.items())
