"""A goal card in words and as dice faces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.catalogue import Catalogue

__all__ = ["condition_words", "goal_faces", "goal_sentence"]


def goal_faces(card: Mapping[str, Any]) -> tuple[int, ...]:
    """The exact faces that a card asks for; empty when it asks for something else."""
    found: list[int] = []
    for condition in _conditions(card):
        if condition.get("kind") == "faces":
            found.extend(int(face) for face in condition["faces"])
    return tuple(found)


def goal_sentence(card: Mapping[str, Any], catalogue: Catalogue) -> str:
    """What a card asks for, in words; the card's own text when its goal is not known as data."""
    parts = [condition_words(each, catalogue) for each in _conditions(card)]
    return catalogue.listed(parts) if parts else str(card.get("text") or "")


def condition_words(condition: Mapping[str, Any], catalogue: Catalogue) -> str:
    """One condition of a goal, as `Goal.words()` gives it, in words."""
    kind = condition.get("kind")
    if kind == "faces":
        return catalogue.text("goal.faces", faces=tuple(condition["faces"]))
    if kind == "kinds":
        sizes = [int(size) for size in condition["sizes"]]
        if set(sizes) == {2}:
            return catalogue.text("goal.pairs", count=len(sizes))
        return catalogue.listed(catalogue.text("goal.kind", number=size) for size in sizes)
    if kind == "run":
        return catalogue.text("goal.run", number=condition["length"])
    if kind == "sum":
        return catalogue.text(f"goal.sum.{_COMPARE[str(condition['compare'])]}", value=condition["value"])
    return _count(condition, catalogue)


_COMPARE = {"=": "equal", "<": "below", "<=": "at-most", ">": "above", ">=": "at-least"}


def _count(condition: Mapping[str, Any], catalogue: Catalogue) -> str:
    number, of = int(condition["number"]), str(condition["of"])
    quantity = str(condition["quantity"]).replace(" ", "-")
    if of.isdigit():
        thing = catalogue.text("goal.of.face", face=of, count=number)
    else:
        thing = catalogue.text(f"goal.of.{of}", count=number)
    if quantity == "exactly" and number == 0:
        return catalogue.text("goal.count.none", thing=thing)
    return catalogue.text(f"goal.count.{quantity}", number=number, thing=thing)


def _conditions(card: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    goal = card.get("goal")
    if isinstance(goal, list | tuple):
        return [each for each in goal if isinstance(each, Mapping)]
    return []
