"""What a used Favor comes to: whom each of its deeds befalls, and whether its user has chosen what it asks for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Literal, NamedTuple

from rules.greece_lightning.circle import barred
from rules.greece_lightning.components import PLACES
from rules.greece_lightning.course import Layout, Spot
from rules.greece_lightning.favors import LASTING, Deed, Favor, FavorEffect, FavorTime, Whom

__all__ = ["Choice", "ChoiceFault", "Work", "choice_fault", "in_time", "lasting_amount", "liftable", "works"]


class Choice(NamedTuple):
    """What the user of a card chose.

    Attributes:
        other: the other player; None when none was named.
        place: the place of the course; None when none was named.
    """

    other: int | None = None
    place: int | None = None


class Work(NamedTuple):
    """One deed done to one seat.

    Attributes:
        do: what.
        seat: whom it befalls; of `lift-wedge` and `by-hand` who does it.
        amount: how much, as the card says; limits of boards and stacks are not regarded.
        giver: of `take-fish` whose Fish they were; None for any other deed.
        place: of `lift-wedge` the place of the stack; None for any other deed, and when no wedge can be lifted.
    """

    do: Deed
    seat: int
    amount: int = 1
    giver: int | None = None
    place: int | None = None

    @property
    def lasting(self) -> FavorEffect | None:
        """What stays with the seat until the end of the round; None for what is done at once."""
        return FavorEffect(self.do, self.amount) if self.do in LASTING else None


class ChoiceFault(NamedTuple):
    """Why a choice is none: another player is "no other" (missing, unknown or oneself) or "not asked"; a place is
    missing or has no wedge that can be lifted ("no place") or is "not asked" for."""

    what: Literal["no other", "other not asked", "no place", "place not asked"]
    clauses: tuple[str, ...]


def in_time(favor: Favor, open_times: Collection[FavorTime]) -> bool:
    """True when a card that lies face up may be used now. GL-M19, GL-M20, GL-F18.

    Args:
        favor: the card.
        open_times: which times are open for its player: rolling; or the own turn, and in it the own movement.
    """
    return favor.when is not None and favor.when in open_times


def liftable(layout: Layout, ships: Iterable[Spot], wakes: Iterable[Spot] = ()) -> tuple[int, ...]:
    """The places from whose stack the top wedge can be taken: two wedges or more, no ship and no wake token on it, not
    under the Starting Line."""
    shut = barred(layout, ships, wakes)
    return tuple(place for place in range(1, PLACES + 1) if place not in shut and len(layout.stack(place)) > 1)


def choice_fault(
    favor: Favor, user: int, seats: Sequence[int], choice: Choice, places: Collection[int]
) -> ChoiceFault | None:
    """What is wrong with the choice made for a card; None when the card can be used so. GL-F17.

    Args:
        favor: the card.
        user: seat of its user.
        seats: every seat.
        choice: what was chosen.
        places: the places from which a wedge can be lifted; when there is none, no place is asked for.
    """
    others = [seat for seat in seats if seat != user]
    if not favor.asks_player:
        if choice.other is not None:
            return ChoiceFault("other not asked", ("GL-F17",))
    elif choice.other not in others and not (choice.other is None and len(others) == 1):
        return ChoiceFault("no other", ("GL-F17",))
    if not favor.asks_place or not places:
        if choice.place is not None:
            return ChoiceFault("place not asked", ("GL-F17",))
    elif choice.place not in places:
        return ChoiceFault("no place", ("GL-F17",))
    return None


def works(favor: Favor, user: int, seats: Sequence[int], choice: Choice) -> tuple[Work, ...]:
    """The deeds of a card seat by seat, in the order of the card, and of the seats from its user on.

    Args:
        favor: the card.
        user: seat of its user; of a trident the one that got it.
        seats: every seat, clockwise.
        choice: what was chosen, without a fault. With two players the other one need not be named.
    """
    start = seats.index(user)
    others = (*seats[start + 1 :], *seats[:start])
    other = choice.other if choice.other is not None else others[0]
    befallen: dict[Whom, tuple[int, ...]] = {
        Whom.USER: (user,),
        Whom.OTHER: (other,),
        Whom.OTHERS: others,
        Whom.ALL: (user, *others),
    }
    found: list[Work] = []
    for effect in favor.effects:
        for seat in befallen[effect.whom]:
            if effect.do is Deed.TAKE_FISH:
                found.append(Work(effect.do, user, effect.amount, giver=seat))
            elif effect.do is Deed.LIFT_WEDGE:
                found.append(Work(effect.do, user, place=choice.place))
            else:
                found.append(Work(effect.do, seat, effect.amount))
    return tuple(found)


def lasting_amount(lasting: Iterable[FavorEffect], deed: Deed) -> int:
    """How much of a deed stays with a seat: how many free rolls, or 0 when it does not hold."""
    return sum(effect.amount for effect in lasting if effect.do is deed)
