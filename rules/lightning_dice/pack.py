"""The component pack of Lightning Dice: what is printed on the goal cards, and how sure we are of it.

The rulebook prints no goal card; the shipped pack is a guess in every card, marked `assumed`, so that the game can be
played before a group has typed in its own fifty.
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib import resources
from typing import Any

from rules.errors import BadPack
from rules.lightning_dice import goals
from rules.lightning_dice.goals import BadGoal, Goal, chance_per_throw, parse_goal
from rules.packs import Finding, Provenance, Severity, parse, unfit
from rules.records import Record

__all__ = ["LAST_CARD_MARKER", "PRINTED_CARDS", "GoalCard", "Pack", "check_pack", "default_pack", "pack_template"]

PRINTED_CARDS = 50
"""Goal cards in the box, by published lists of its contents; the rulebook gives no number."""

LAST_CARD_MARKER = 199
"""Markers 0 to 199 belong to the deck in play."""


class GoalCard(Record, frozen=True):
    """One goal card. LD-C3.

    Attributes:
        id: how events name it.
        goal: what it asks, in the goal language.
        text: its words or picture as printed, for people; may be empty.
        provenance: where `goal` comes from.
        marker: number of the marker stuck on it; None when it has none.
    """

    id: str
    goal: str
    text: str = ""
    provenance: Provenance = Provenance.ASSUMED
    marker: int | None = None

    @property
    def meaning(self) -> Goal:
        """The goal as a value.

        Raises:
            BadGoal: it is not in the goal language.
        """
        return parse_goal(self.goal)


class Pack(Record, frozen=True):
    """A deck of goal cards."""

    game: str
    title: str
    card: tuple[GoalCard, ...]
    note: str = ""


def default_pack() -> dict[str, Any]:
    """The shipped pack as plain data: fifty playable cards, each of them assumed."""
    text = resources.files("rules.lightning_dice").joinpath("assumed_pack.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@lru_cache(maxsize=64)
def _card_problem(goal: str) -> str:
    try:
        meaning = parse_goal(goal)
    except BadGoal as error:
        return str(error)
    if not chance_per_throw(meaning):
        return f"Goal {goal!r} cannot be met by any six dice; look at the card again."
    return ""


def check_pack(plain: dict[str, Any]) -> tuple[Finding, ...]:
    """Findings about a pack: what makes it unplayable, which cards are still assumed, and which ask the same.

    A goal that no throw of six dice meets is found by trying all 462 different throws.
    """
    try:
        pack = parse(plain, Pack, what="a Lightning Dice pack")
    except BadPack as error:
        return unfit(plain, Pack, error)
    found: list[Finding] = []

    def wrong(where: str, message: str, *at: str | int) -> None:
        found.append(Finding(Severity.ERROR, where, message, at))

    if pack.game != "lightning-dice":
        wrong("game", f"The pack says game = {pack.game!r}; expected 'lightning-dice'.", "game")
    if not pack.card:
        wrong("card", "There is no card; write one [[card]] with id and goal for each goal card.")
    ids: dict[str, int] = {}
    markers: dict[int, str] = {}
    meanings: dict[str, str] = {}
    for place, card in enumerate(pack.card, start=1):
        where = f"card {card.id or place}"
        at = ("card", place - 1)
        if not card.id.strip():
            wrong(where, f"Card number {place} has no id; give each card its own.", *at, "id")
        elif card.id in ids:
            wrong(where, f"Cards number {ids[card.id]} and {place} have the same id; give each its own.", *at, "id")
        ids.setdefault(card.id, place)
        if card.marker is not None:
            if not 0 <= card.marker <= LAST_CARD_MARKER:
                message = f"Marker {card.marker} is no card marker; expected 0 to {LAST_CARD_MARKER}."
                wrong(where, message, *at, "marker")
            elif card.marker in markers:
                message = f"Marker {card.marker} is on card {markers[card.marker]} too; stick another on one."
                wrong(where, message, *at, "marker")
            markers.setdefault(card.marker, card.id)
        problem = _card_problem(card.goal)
        if problem:
            wrong(where, problem, *at, "goal")
            continue
        meaning = parse_goal(card.goal).text()
        if meaning in meanings:
            message = f"It asks the same as card {meanings[meaning]}; right if your box holds both, else correct one."
            found.append(Finding(Severity.REMARK, where, message, (*at, "goal")))
        meanings.setdefault(meaning, card.id)
        if card.provenance is Provenance.ASSUMED:
            message = f"Goal {card.goal!r} is assumed; read it from the card and mark it published."
            found.append(Finding(Severity.ASSUMED, where, message, (*at, "goal")))
    return tuple(found)


def pack_template() -> str:
    """A pack file to fill in, with the goal language explained."""
    language = "\n".join(f"# {line}".rstrip() for line in (goals.__doc__ or "").strip().splitlines())
    cards = "\n".join(
        f'[[card]]\nid = "g{number:02}"\nmarker = {number - 1}\ngoal = ""\ntext = ""\nprovenance = "published"\n'
        for number in range(1, PRINTED_CARDS + 1)
    )
    return (
        "# The goal cards of one box of Lightning Dice. Type in `goal` as the card shows it; `text` is its wording\n"
        "# for people and may stay empty; `marker` is the number of the marker stuck on the card (leave the line out\n"
        '# when it has none); provenance is "published" for what you read from the card, "assumed" for a guess.\n'
        f'# Check it with: companion pack check lightning-dice FILE\n#\n{language}\n\ngame = "lightning-dice"\n'
        f'title = "My goal cards"\n\n{cards}'
    )
