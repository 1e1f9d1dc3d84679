"""The challenge or strike in question, for the screens: the open one, or the last that was ruled."""

from __future__ import annotations

from typing import Any

from companion.live.duel_words import card_view
from rules.match import Match
from rules.referee import Entry
from rules.rulings import Verdict
from rules.thunder_and_lightning.components import Kind
from rules.thunder_and_lightning.events import Challenge, Play, Spot, TurnUp
from rules.thunder_and_lightning.state import ThunderAndLightningState

__all__ = ["question_view"]

_STRIKES = (Kind.RAVENS, Kind.WEAPON)


def question_view(match: Match[Any]) -> dict[str, Any] | None:
    """What is challenged or struck by what: the cards as far as they came to light by it. None before the first.

    A card that came to light stays named here after it left the table: everybody saw it.
    """
    seen: dict[Spot, str | None] = {}
    position = match.position
    while position.entry is not None and position.before is not None:
        entry, before = position.entry, position.before.state
        event = entry.filed.event
        if _stood(entry):
            if isinstance(event, TurnUp):
                seen[event.spot] = event.card  # the first after the challenge is what it brought to light
            found = _asked(event, before)
            if found is not None:
                kind, challenger, target = found
                assert target is not None
                by = event.seat
                return {
                    "kind": kind,
                    "by": by,
                    "card": card_view(before.given, event.card) if isinstance(event, Play) else None,
                    "column": None if challenger is None else challenger[1],
                    "target_column": target[1],
                    "challenger": _card_at(challenger, before, seen),
                    "target": _card_at(target, before, seen),
                    "open": any(each.seq == entry.seq for each in match.state.waiting),
                }
        position = position.before
    return None


def _stood(entry: Entry) -> bool:
    return any(ruling.verdict is not Verdict.REFUSED for ruling in entry.rulings)


def _asked(event: Any, before: ThunderAndLightningState) -> tuple[str, Spot | None, Spot | None] | None:
    """Kind, challenger and target of an event that puts a card in question."""
    if isinstance(event, Challenge):
        other = before.enemy(event.seat).seat
        target = (other, event.target_column or event.column, event.target_row)
        return "challenge", (event.seat, event.column, event.row), target
    if isinstance(event, Play):
        card = before.given.card(event.card)
        if card is None:
            return None
        if card.kind is Kind.VIDARR and event.at is not None and event.to is not None:
            return "flank", event.at, event.to
        if card.kind in _STRIKES and event.at is not None:
            return "strike", None, event.at
    return None


def _card_at(
    spot: Spot | None, before: ThunderAndLightningState, seen: dict[Spot, str | None]
) -> dict[str, Any] | None:
    lying = None if spot is None else before.at(spot)
    if spot is None or lying is None:
        return None
    card = lying.card or seen.get(spot)
    return {"spot": list(spot), "back": lying.back.value, "card": card_view(before.given, card)}
