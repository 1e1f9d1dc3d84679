"""What the dice of a caller show at the press, weighed against the card or the six equal faces."""

from __future__ import annotations

from typing import NamedTuple

from rules.lightning_dice.components import DICE
from rules.lightning_dice.events import Press
from rules.lightning_dice.state import ALL_PLACES, LightningDiceState
from rules.lightning_dice.throws import lay_at
from rules.records import Fact

__all__ = ["Look", "dice_facts", "look", "match_problem", "six_facts"]

State = LightningDiceState


class Look(NamedTuple):
    """The dice of a seat at an instant.

    Attributes:
        shown: by place; None = shows nothing, or nobody knows.
        unreadable: places that cannot be read.
        idle: places that show nothing: rolling, in the hand, off the table, owed to be thrown.
        never: no throw lies there yet.
        owed: for what all six are owed ("new-card", "bonus", "thunder"); "" when they are not.
    """

    shown: tuple[int | None, ...]
    unreadable: tuple[int, ...]
    idle: tuple[int, ...]
    never: bool
    owed: str

    @property
    def same(self) -> int | None:
        """The face that all six readable dice show; None when they differ or one is not readable."""
        return self.shown[0] if None not in self.shown and len(set(self.shown)) == 1 else None


def look(state: State, press: Press) -> Look:
    """The dice as they lay at the press. LD-S43; dice owed to be thrown show nothing. LD-T3, LD-T8."""

    seat = state.seat_state(press.seat)
    lay = lay_at(seat, press.edge_ns, state.options.settle_ms * 1_000_000)
    if lay is None:
        every = tuple(range(DICE))
        return Look((None,) * DICE, every, (), False, "")
    whole = len(lay.must_roll) == DICE and lay.why in ("new-card", "bonus", "thunder")
    if whole and lay.why != "new-card" and not state.options.one_call_per_throw:
        whole = False
        owed: tuple[int, ...] = ()
    else:
        owed = () if whole else lay.must_roll
    idle = tuple(sorted({*lay.idle, *owed}))
    shown = tuple(None if place in idle else face for place, face in enumerate(lay.faces))
    unreadable = tuple(place for place, face in enumerate(lay.faces) if face is None and place not in idle)
    never = seat.faces is None and lay.idle == ALL_PLACES
    return Look(shown, unreadable, idle, never, lay.why if whole else "")


def dice_facts(state: State, seen: Look, call: str = "got-it") -> dict[str, Fact]:
    """The facts that every sentence on a match names."""
    card = state.given.card(state.card or "")
    return {
        "call": call,
        "contest": state.contest,
        "card": state.card,
        "goal": card.goal if card else "",
        "faces": seen.shown,
        "unreadable": seen.unreadable,
        "idle": seen.idle,
    }


def six_facts(state: State, seen: Look, call: str, number: int | None) -> dict[str, Fact]:
    """The facts that every sentence on a Bonus or Thunder names."""
    return {
        "call": call,
        "contest": state.contest,
        "number": number,
        "faces": seen.shown,
        "unreadable": seen.unreadable,
        "idle": seen.idle,
    }


def match_problem(state: State, seen: Look, card_id: str | None) -> str:
    """Empty when the dice meet the card, "false" when they do not, "unproven" when it hangs on unread dice.

    Every number asked is covered by a die of its own, in any place; the dice beyond may show anything (LD-S6, LD-C3).
    Unread dice neither win nor lose, unless the others settle it (LD-S44, LD-T10).
    """
    card = state.given.card(card_id or "")
    if card is None:
        return "false"
    exact = state.options.surplus_dice == "none"
    met = card.meaning.verdict(seen.shown, len(seen.unreadable), exact=exact)
    if met is None:
        return "unproven" if state.options.missing_evidence == "unproven" else "false"
    return "" if met else "false"
