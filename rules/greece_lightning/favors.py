"""Favor of the Gods cards as data: each card does one or more plain deeds, at a time that its text gives.

The rulebook prints no card. A deed that none of these words tells is `by-hand`: the referee takes note that the card
was used, and the group carries its text out with corrections. GL-F17.
"""

from __future__ import annotations

from enum import StrEnum

from rules.greece_lightning.components import FavorKind
from rules.records import Record

__all__ = ["CHOSEN", "LASTING", "Deed", "Favor", "FavorEffect", "FavorTime", "Whom"]


class FavorTime(StrEnum):
    """When a card that lies face up may be used. GL-M19, GL-F18.

    A trident takes effect by itself at the first such moment of the player who got it: the receiver did not choose it.
    """

    ROLLING = "rolling"
    """While its player rolls, until the roll is finished."""
    MOVING = "moving"
    """During its player's own movement. GL-M19, GL-M20."""
    TURN = "turn"
    """At any moment of its player's own turn."""


class Whom(StrEnum):
    """Whom a deed befalls."""

    USER = "user"
    """The player who uses the card; for a trident the one who got it."""
    OTHER = "other"
    """Another player of the user's choice."""
    OTHERS = "others"
    """Every other player."""
    ALL = "all"
    """Everybody."""


class Deed(StrEnum):
    """What a card does; `amount` is the n of an effect."""

    MOVE = "move"
    """n movement more (or less, never below none): of the move under way, else of the next one."""
    FISH = "fish"
    """n Fish from the supply, or back to it; within the limits of the board."""
    TAKE_FISH = "take-fish"
    """n Fish from another player's board, as many as there are and fit. Whom: the one they are taken from."""
    DRAW_WEDGE = "draw-wedge"
    """n wedges from the stack, within the limit of a turn."""
    DRAW_FAVOR = "draw-favor"
    """n cards from the deck, face down, within the limit of a turn."""
    LIFT_WEDGE = "lift-wedge"
    """The top wedge of one stack of at least two goes under the face-down stack; nobody may stand on it."""
    DOUBLE_NAVIGATION = "double-navigation"
    """The Navigation die counts double this turn, as with the Fleece; not doubled twice."""
    PASS_HYDRAS = "pass-hydras"
    """Hydras are ignored this turn."""
    PASS_WHIRLPOOLS = "pass-whirlpools"
    """Any path out of a whirlpool may be taken this turn, without Fish."""
    SAFE_SECOND = "safe-second"
    """A lower second Movement die is no bust this round."""
    NO_SECOND = "no-second"
    """The second Movement die may not be rolled this round."""
    REROLL_NAVIGATION = "reroll-navigation"
    """n rolls of the Navigation die again without Fish, at the time at which Fish could buy them."""
    REROLL_FIRST = "reroll-first"
    """n rolls of the first Movement die again, before the second one is rolled: card over rule. GL-F17."""
    REROLL_SECOND = "reroll-second"
    """n rolls of the second Movement die again without Fish."""
    BY_HAND = "by-hand"
    """Something else: the group does what the card says and corrects the record."""


LASTING = (
    Deed.DOUBLE_NAVIGATION,
    Deed.PASS_HYDRAS,
    Deed.PASS_WHIRLPOOLS,
    Deed.SAFE_SECOND,
    Deed.NO_SECOND,
    Deed.REROLL_NAVIGATION,
    Deed.REROLL_FIRST,
    Deed.REROLL_SECOND,
)
"""Deeds that stay with a seat until the end of the round; the others are done at once."""

CHOSEN = (Deed.LIFT_WEDGE,)
"""Deeds that ask for a place of the course."""


class FavorEffect(Record, frozen=True):
    """One deed of a card.

    Attributes:
        do: what.
        amount: how much; below 0 it takes away (movement and Fish only).
        whom: whom it befalls.
    """

    do: Deed
    amount: int = 1
    whom: Whom = Whom.USER


class Favor(Record, frozen=True):
    """One card.

    Attributes:
        id: how events name it.
        name: as printed.
        kind: its icon.
        effects: what it does, in order.
        copies: how many of it the box holds.
        when: when it may be used; None for a bolt, which is used as it is revealed. GL-F5.
        starter: its number, when it is a Starter. GL-S21, GL-S28.
    """

    id: str
    name: str
    kind: FavorKind
    effects: tuple[FavorEffect, ...]
    copies: int = 1
    when: FavorTime | None = None
    starter: int | None = None

    @property
    def asks_player(self) -> bool:
        """True when its user must name another player."""
        return any(effect.whom is Whom.OTHER for effect in self.effects)

    @property
    def asks_place(self) -> bool:
        """True when its user must name a place of the course."""
        return any(effect.do in CHOSEN for effect in self.effects)
