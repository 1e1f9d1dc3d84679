"""How seats look on every page: a colour, a shape and a number, so that no one has to tell colours apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["COLOURS", "SHAPES", "Look", "look_of"]

SHAPES: Final = ("circle", "square", "triangle", "diamond", "star", "plus")
"""Shape of a seat's badge and pips, by player number from 1."""

COLOURS: Final = frozenset(
    {"white", "black", "grey", "red", "orange", "yellow", "green", "blue", "purple", "pink", "brown"}
)
"""Colours that the style sheet has a class for ("seat-red"); any other is drawn grey."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a seat is drawn with: the class of its colour, its shape, and the letter of its badge."""

    colour: str
    shape: str
    letter: str


def look_of(number: int, colour: str) -> Look:
    """The look of the seat with this player number and dice colour."""
    return Look(
        colour=colour if colour in COLOURS else "grey",
        shape=SHAPES[(number - 1) % len(SHAPES)],
        letter=chr(ord("A") + (number - 1) % 26),
    )
