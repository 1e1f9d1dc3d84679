"""What is wrong or unusual in the Favor cards of a component pack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.greece_lightning.components import FAVORS, STARTERS, FavorKind
from rules.greece_lightning.favors import Deed, FavorEffect, FavorTime, Whom
from rules.greece_lightning.pack import PrintedFavor
from rules.packs import Finding, Severity

__all__ = ["STARTER_NAMES", "favor_errors", "favor_remarks"]

STARTER_NAMES = ("Demeter", "Apollo", "Hephaestus", "Janus")
"""GL-S21; which of them has which number the rulebook does not tell."""

_BELOW_NONE = (Deed.MOVE, Deed.FISH)
"""Deeds that may also take away."""

_WHILE_ROLLING = (
    Deed.SAFE_SECOND,
    Deed.NO_SECOND,
    Deed.REROLL_NAVIGATION,
    Deed.REROLL_FIRST,
    Deed.REROLL_SECOND,
)
"""Deeds that are of no use after the roll."""


def favor_errors(favors: Sequence[PrintedFavor]) -> Iterator[Finding]:
    """What makes the Favor cards unplayable. GL-C6, GL-S21."""
    first: dict[str, int] = {}
    for number, favor in enumerate(favors, start=1):
        where = f"favor {favor.id.strip() or number}"
        if not favor.id.strip():
            yield _wrong(where, f"Favor number {number} has no id; give each card its own.", "favor", number - 1, "id")
        elif favor.id in first:
            same = f"Favors number {first[favor.id]} and {number} have the same id; give each its own."
            yield _wrong(where, same, "favor", number - 1, "id")
        first.setdefault(favor.id, number)
        for field, message in _of_one(favor):
            yield _wrong(where, message, "favor", number - 1, field)
    cards = sum(favor.copies for favor in favors)
    if cards != FAVORS:
        yield _wrong("favor", f"There are {cards} Favor cards; expected {FAVORS}. Count the copies of each card again.")
    yield from _starters(favors)


def _wrong(where: str, message: str, *at: str | int) -> Finding:
    return Finding(Severity.ERROR, where, message, at)


def _of_one(favor: PrintedFavor) -> Iterator[tuple[str, str]]:
    """The field of a card that is wrong, and what is wrong in it."""
    if not favor.name.strip():
        yield "name", "It has no name; type in the one that the card prints."
    if favor.copies < 1:
        yield "copies", f"{favor.copies} copies; type in how many of it the box holds, at least 1."
    if favor.kind is FavorKind.BOLT and favor.when is not None:
        yield "when", "A bolt is used as it is revealed; leave `when` out."
    if favor.kind is not FavorKind.BOLT and favor.when is None:
        times = ", ".join(time.value for time in FavorTime)
        yield "when", f"It has no `when`; write when it is used: {times}."
    if not favor.effects:
        yield (
            "effects",
            'It does nothing; write its effects, or { do = "by-hand" } when no other word tells what it does.',
        )
    for effect in favor.effects:
        for message in _wrong_effect(effect):
            yield "effects", message


def _wrong_effect(effect: FavorEffect) -> Iterator[str]:
    do = effect.do.value
    if effect.amount == 0:
        yield f"The effect {do} has amount = 0; write how much."
    elif effect.amount < 0 and effect.do not in _BELOW_NONE:
        yield f"The effect {do} has amount = {effect.amount}; only {' and '.join(_BELOW_NONE)} can take away."
    if effect.do is Deed.TAKE_FISH and effect.whom in (Whom.USER, Whom.ALL):
        yield f"The effect {do} takes from {effect.whom.value}; write whom = other, or others."
    if effect.do in (Deed.LIFT_WEDGE, Deed.BY_HAND) and (effect.whom is not Whom.USER or effect.amount != 1):
        yield f"The effect {do} is done once by the user; leave whom and amount out."


def _starters(favors: Sequence[PrintedFavor]) -> Iterator[Finding]:
    starters = [favor for favor in favors if favor.starter is not None]
    numbers = sorted(favor.starter for favor in starters if favor.starter is not None)
    if tuple(numbers) != STARTERS:
        told = ", ".join(str(number) for number in numbers) or "none"
        yield _wrong("starter", f"The Starter numbers are {told}; expected 1 to {STARTERS[-1]}, each once.")
    for number, favor in enumerate(favors):
        if favor.starter is None:
            continue
        at = ("favor", number)
        if favor.name not in STARTER_NAMES:
            told = f"{favor.name} is no Starter; those are {', '.join(STARTER_NAMES)}."
            yield _wrong(f"favor {favor.id}", told, *at, "name")
        if favor.copies != 1:
            told = f"{favor.copies} copies of a Starter; there is one of each."
            yield _wrong(f"favor {favor.id}", told, *at, "copies")
    missing = [name for name in STARTER_NAMES if name not in {favor.name for favor in starters}]
    if missing:
        yield _wrong("starter", f"No Starter is called {', '.join(missing)}; look for the cards that say Starter.")


def favor_remarks(favors: Sequence[PrintedFavor]) -> Iterator[Finding]:
    """What is unusual in Favor cards that can be played with."""
    for number, favor in enumerate(favors):
        for message in _unusual(favor):
            yield Finding(Severity.REMARK, f"favor {favor.id}", message, ("favor", number))
    for kind in FavorKind:
        if all(favor.kind is not kind for favor in favors):
            message = f"No card has the icon {kind.value}, which the rulebook tells of; look through them again."
            yield Finding(Severity.REMARK, "favor", message)


def _unusual(favor: PrintedFavor) -> Iterator[str]:
    if favor.starter is not None and favor.kind is not FavorKind.BOAT:
        yield f"A Starter lies face up on its player's board from set-up, and this one has the icon {favor.kind.value}."
    for effect in favor.effects:
        late = effect.do in _WHILE_ROLLING and favor.when is not FavorTime.ROLLING
        if late:
            yield f"The effect {effect.do.value} comes after the roll; look at when the card is used."
