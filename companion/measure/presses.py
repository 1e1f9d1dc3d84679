"""What is frozen at a press: the state of every die in the first frame exposed after the press edge."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.measure.failures import Failure
from companion.measure.rests import VISIBLE
from companion.measure.told import Watching

__all__ = ["Presses", "presses_of"]


@dataclass(slots=True)
class Presses:
    """Dice frozen at presses, counted one by one.

    Attributes:
        presses: all presses after which a frame came.
        settled: values frozen of dice that truly lay flat at the press.
        right: those of them that are what the die showed.
        moving: values frozen of dice that moved, leaned or were held at the press: they match nothing.
        open: dice that truly lay flat and in sight at the press, of which no value was frozen.
    """

    presses: int = 0
    settled: int = 0
    right: int = 0
    moving: int = 0
    open: int = 0
    failures: list[Failure] = field(default_factory=list)


def presses_of(watching: Watching) -> Presses:
    """Judge all presses of one play, whose pairs are filled in."""
    found = Presses()
    for press in watching.presses:
        edge_ns = press.edge_ns
        shot = next((each for each in watching.shots if each.at_ns >= edge_ns), None)
        if shot is None:
            continue
        found.presses += 1
        told_of = {die: told for told in shot.told if (die := shot.pairs.get(told.id)) is not None}
        for die, true in press.true.items():
            if die[0] != press.seat:
                continue
            told = told_of.get(die)
            flat = true.state in ("settled", "covered") and true.value is not None
            if told is None or not told.states_value:
                found.open += flat and true.visible >= VISIBLE
                continue
            if not flat:
                found.moving += 1
                said = f"{told.value} frozen, but the die was {true.state}"
                kind = f"frozen of a die that was {true.state}"
                found.failures.append(Failure(kind, shot.at_ns, die, told.id, said, edge_ns))
                continue
            found.settled += 1
            found.right += told.value == true.value
            if told.value != true.value:
                said = f"{told.value} frozen, true is {true.value}"
                found.failures.append(Failure("frozen wrong", shot.at_ns, die, told.id, said, edge_ns))
    return found
