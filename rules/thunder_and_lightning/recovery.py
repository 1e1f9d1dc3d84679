"""Cards taken back from the own discard pile: Hel, Longships, Odin. Sections H, U and O."""

from __future__ import annotations

from rules.records import Fact
from rules.rulings import Outcome, Ruling, accepted
from rules.thunder_and_lightning.components import RECOVERED, Kind, Role
from rules.thunder_and_lightning.events import Play, Take
from rules.thunder_and_lightning.knowledge import into_hand, known_card, weighed
from rules.thunder_and_lightning.pack import Card
from rules.thunder_and_lightning.piles import backs_below, matching, none_left, take_secretly, take_shown
from rules.thunder_and_lightning.state import ThunderAndLightningState, Waiting
from rules.thunder_and_lightning.turns import next_waiting, not_waited_for, refuse, waits_for

__all__ = ["IN_VAIN", "RECOVERY", "hel", "matching_for", "recover", "take"]

State = ThunderAndLightningState
Step = tuple[State, tuple[Ruling, ...]]

IN_VAIN = ("empty_powers",)
"""The option under which a power may achieve nothing. TL-M7."""

RECOVERY: dict[Kind, tuple[Kind, ...]] = {
    Kind.LONGSHIPS: (Kind.WARRIORS, Kind.ARCHER),
    Kind.ODIN: (Kind.RAVENS,),
}
"""What Longships and Odin take back. TL-U1, TL-O1."""


def matching_for(state: State, seat: int, card: Card) -> tuple[int, int]:
    """How many cards in the pile Longships or Odin could take: at least, at most."""
    return matching(state, seat, RECOVERY[card.kind])


def hel(state: State, event: Play, card: Card, seq: int) -> Step:
    """One card of the own pile, which nobody needs to show. TL-H1 to TL-H3, TL-H5, TL-H6."""
    seat = event.seat
    backs = backs_below(state, seat, played=True)
    if not backs:
        ruling = accepted("tl.nothing-to-take", "TL-M7", "TL-H1", seat=seat, facts={"card": card.id}, by_option=IN_VAIN)
        return state, (ruling,)
    state = take_secretly(state, seat, Role(event.use or backs[0]), None, seq)
    facts: dict[str, Fact] = {"hand": state.side(seat).hand, "pile": state.side(seat).pile_size}
    return state, (accepted("tl.hel", "TL-H1", "TL-H2", "TL-H3", "TL-H5", "TL-H6", seat=seat, facts=facts),)


def recover(state: State, event: Play, card: Card, seq: int) -> Step:
    """Wait to see what Longships or Odin take; without anything it is played in vain. TL-U1, TL-O1, TL-M7."""
    _, most = _takes(state, event.seat, RECOVERY[card.kind])
    facts: dict[str, Fact] = {"card": card.id}
    if not most:
        clause = "TL-U2" if card.kind is Kind.LONGSHIPS else "TL-O2"
        ruling = accepted("tl.nothing-to-take", "TL-M7", clause, seat=event.seat, facts=facts, by_option=IN_VAIN)
        return state, (ruling,)
    waiting = Waiting("take", event.seat, event.seat, seq, card.kind.value, card=card.id, left=most)
    return state.wait_for(waiting), ()


def _takes(state: State, seat: int, kinds: tuple[Kind, ...]) -> tuple[int, int]:
    """How many cards must and can be taken: three, what there is, what the hand holds. TL-U2, TL-U4, TL-O2, TL-O4."""
    limit = min(RECOVERED, state.hand_room(seat))
    least, most = matching(state, seat, kinds)
    return min(least, limit), min(most, limit)


def take(state: State, event: Take, seq: int) -> Outcome[State]:
    """What Longships or Odin took is shown: as many as possible, of the right kinds. TL-U1 to TL-U6, TL-O1 to TL-O6.

    The order of the pile stays. TL-M6, TL-U5, TL-O5.
    """
    waiting = waits_for(state, "take")
    seat = event.seat
    if waiting is None or waiting.seat != seat:
        return not_waited_for(state, "take", "TL-M6", "TL-T7", seat=seat)
    kinds = RECOVERY[Kind(waiting.why)]
    ships = waiting.why == Kind.LONGSHIPS.value
    least, most = _takes(state, seat, kinds)
    shown = state.options.recovered_shown
    number = len(event.cards) if shown else event.count
    mixed = bool(event.count or event.strangers) if shown else bool(event.cards)
    if not least <= number <= most or not 0 <= event.strangers <= event.count or mixed:
        facts: dict[str, Fact] = {"taken": number, "least": least, "most": most}
        clauses = ("TL-U1", "TL-U2", "TL-U4") if ships else ("TL-O1", "TL-O2", "TL-O4")
        option = ("recovered_shown",) if mixed else ()
        open_case = (("TL-U6",) if ships else ("TL-O6",)) if mixed else ()
        return refuse(state, "tl.take-number", *clauses, *open_case, seat=seat, facts=facts, by_option=option)
    state_before = state
    limit = min(RECOVERED, state.hand_room(seat))
    for identity in event.cards:
        card = known_card(state, identity, seat)
        if isinstance(card, Ruling):
            return Outcome(state_before, (card,))
        if card.kind not in kinds:
            return refuse(
                state_before, "tl.take-kind", "TL-U1" if ships else "TL-O1", seat=seat, facts={"card": card.id}
            )
        after = take_shown(state, seat, card.id)
        if after is None:
            clause = "TL-U2" if ships else "TL-O2"
            return refuse(state_before, "tl.take-not-there", clause, seat=seat, facts={"card": card.id})
        state = into_hand(after, seat, card, seq)
    if not shown:
        role = state.side(seat).role
        for nth in range(number):
            back = role.other if nth < event.strangers else role
            if not any(_fits(state, piled.card, back, kinds) for piled in state.side(seat).pile[:-1]):
                facts = {"card": back.value}
                return refuse(state_before, "tl.take-not-there", "TL-U2" if ships else "TL-O2", seat=seat, facts=facts)
            state = take_secretly(state, seat, back, kinds, seq)
    if number < limit:
        rest = none_left(state, seat, kinds)
        if rest is None:
            facts = {"taken": number, "least": least, "most": most}
            return refuse(state_before, "tl.take-number", "TL-U2" if ships else "TL-O2", seat=seat, facts=facts)
        state = rest
    told = weighed(state, seat, state.side(seat).ledger, state.given.cards[waiting.card or ""])
    if told.problem is not None:
        return Outcome(state_before, (told.problem,))
    state = next_waiting(told.state)
    why = ("TL-U1", "TL-U3", "TL-U4", "TL-U6") if ships else ("TL-O1", "TL-O3", "TL-O4", "TL-O6")
    hand = state.side(seat).hand
    if shown:
        facts = {"taken": event.cards, "hand": hand}
        return Outcome(state, (accepted("tl.take", *why, seat=seat, facts=facts, by_option=("recovered_shown",)),))
    facts = {"count": number, "hand": hand}
    return Outcome(state, (accepted("tl.take-hidden", *why, seat=seat, facts=facts, by_option=("recovered_shown",)),))


def _fits(state: State, identity: str, back: Role, kinds: tuple[Kind, ...]) -> bool:
    card = state.given.cards[identity]
    return card.deck is back and card.kind in kinds
