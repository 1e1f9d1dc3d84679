"""What only people can see, count or vouch for: conduct, counts, the figure, the tops of the piles."""

from __future__ import annotations

from rules.events import Submission, correctors
from rules.records import Fact
from rules.rulings import Outcome, Refusal, Ruling, accepted, infraction, refused
from rules.thunder_and_lightning.events import Conduct, Count, Figure, Top, Vouch
from rules.thunder_and_lightning.knowledge import known_card, weighed
from rules.thunder_and_lightning.piles import seen_top
from rules.thunder_and_lightning.state import ThunderAndLightningState
from rules.thunder_and_lightning.turns import next_waiting, refuse, waits_for

__all__ = ["CONDUCT", "COUNTED", "conduct", "count", "figure", "may_say", "top", "vouch"]

State = ThunderAndLightningState

CONDUCT: dict[str, tuple[bool, tuple[str, ...]]] = {
    "peeks-hand": (False, ("TL-S5",)),
    "peeks-field": (False, ("TL-B12", "TL-V12")),
    "looks-own": (True, ("TL-B12",)),
    "draws-from-middle": (False, ("TL-D5",)),
    "searches-deck": (False, ("TL-D5",)),
    "reorders-pile": (False, ("TL-M6", "TL-H4", "TL-U5", "TL-O5")),
    "searches-pile": (False, ("TL-M6",)),
    "removes-own": (False, ("TL-B9",)),
    "rearranges": (False, ("TL-B11",)),
    "turns-down": (False, ("TL-G8", "TL-P11")),
    "fourth-column": (False, ("TL-B1",)),
    "discards-as-action": (False, ("TL-T7",)),
    "hides-drawn": (False, ("TL-A7", "TL-U6", "TL-O6")),
    "hand-hidden": (False, ("TL-G2",)),
    "looks-at-moved": (False, ("TL-V12",)),
    "picks-not-random": (False, ("TL-R16",)),
    "shows-taken": (True, ("TL-H2",)),
    "asks-taken": (False, ("TL-H2",)),
    "sits-askew": (False, ("TL-S2",)),
    "reads-other-text": (False, ("TL-M5",)),
}
"""What people may report: whether it is allowed, and the clauses that say so."""

COUNTED = ("hand", "deck", "pile")
"""What a count may be about."""


def may_say(state: State, filed: Submission[object]) -> Ruling | None:
    """Why this source may not speak for people; None when it may. TC-9."""
    if filed.source in correctors(judged=state.given.judge):
        return None
    return refused(Refusal.ILLEGAL, "core.not-judge", "TC-9")


def _no_seat(state: State, seat: int) -> Outcome[State] | None:
    if state.has_seat(seat):
        return None
    return refuse(state, "tl.no-such-seat", "TL-S1", facts={"number": seat})


def conduct(state: State, event: Conduct) -> Outcome[State]:
    """A report of what only people can see: an infraction for the judge to weigh, or allowed.

    TL-B9, TL-B11, TL-B12, TL-D5, TL-M5, TL-M6, TL-H2, TL-H4, TL-R16, TL-S2, TL-S5, TL-T7, TL-V12.
    """
    wrong = _no_seat(state, event.seat)
    if wrong is not None:
        return wrong
    facts: dict[str, Fact] = {"what": event.what}
    if event.what not in CONDUCT:
        return refuse(state, "tl.no-such-conduct", "TC-1", seat=event.seat, facts=facts, family=Refusal.UNREADABLE)
    fine, clauses = CONDUCT[event.what]
    option: tuple[str, ...] = ()
    if event.what == "looks-at-moved":
        fine, option = state.options.moved_cards_seen, ("moved_cards_seen",)
    if fine:
        ruling = accepted("tl.conduct-fine", *clauses, seat=event.seat, facts=facts, by_option=option)
        return Outcome(state, (ruling,))
    return Outcome(state, (infraction("tl.conduct", *clauses, seat=event.seat, facts=facts, by_option=option),))


def count(state: State, event: Count) -> Outcome[State]:
    """A count of hand, deck or pile, held against the record. TL-D3, TL-K1, TL-S6, TL-M6."""
    wrong = _no_seat(state, event.seat)
    if wrong is not None:
        return wrong
    if event.what not in COUNTED:
        return refuse(state, "tl.no-such-count", "TC-1", seat=event.seat, facts={"what": event.what})
    if event.cards < 0:
        return refuse(state, "tl.no-such-count", "TC-1", seat=event.seat, facts={"what": event.what})
    side = state.side(event.seat)
    expected = {"hand": side.hand, "deck": side.deck, "pile": side.pile_size}[event.what]
    facts: dict[str, Fact] = {"what": event.what, "cards": event.cards}
    clauses = {"hand": ("TL-D3", "TL-D1"), "deck": ("TL-K1", "TL-D1"), "pile": ("TL-M8", "TL-K1")}[event.what]
    if event.cards == expected:
        return Outcome(state, (accepted("tl.count", *clauses, seat=event.seat, facts=facts),))
    facts["expected"] = expected
    return Outcome(state, (infraction("tl.count-differs", *clauses, seat=event.seat, facts=facts),))


def figure(state: State, event: Figure) -> Outcome[State]:
    """The figure marks that the leader is in play and does nothing itself. TL-K2, TL-L1."""
    wrong = _no_seat(state, event.seat)
    if wrong is not None:
        return wrong
    lead = state.leader_in_play(event.seat)
    after = state.with_side(event.seat, figure=event.placed)
    card = state.given.leader(state.side(event.seat).role).id
    if event.placed and not lead:
        return Outcome(after, (accepted("tl.figure-alone", "TL-K2", "TL-L1", seat=event.seat),))
    if lead and not event.placed:
        ruling = accepted("tl.figure-missing", "TL-L1", "TL-K2", seat=event.seat, facts={"card": card})
        return Outcome(after, (ruling,))
    facts: dict[str, Fact] = {"placed": event.placed}
    return Outcome(after, (accepted("tl.figure", "TL-L1", "TL-K2", seat=event.seat, facts=facts),))


def top(state: State, event: Top) -> Outcome[State]:
    """The top card of a pile, which is public: asked for after Hel, else held against the record. TL-M8, TL-H6."""
    wrong = _no_seat(state, event.seat)
    if wrong is not None:
        return wrong
    if event.card is not None:
        card = known_card(state, event.card, event.seat)
        if isinstance(card, Ruling):
            return Outcome(state, (card,))
    facts: dict[str, Fact] = {"card": event.card}
    there = state.side(event.seat).top
    if there is None or there.sure:
        expected = None if there is None else there.card
        if event.card == expected:
            return Outcome(state, (accepted("tl.top", "TL-M8", seat=event.seat, facts=facts),))
        facts["expected"] = expected
        family = Refusal.AMBIGUOUS
        return refuse(state, "tl.top-wrong", "TL-M8", "TC-2", seat=event.seat, facts=facts, family=family)
    after = seen_top(state, event.seat, event.card)
    known = state.given.cards[there.card]
    if after is None or weighed(after, event.seat, after.side(event.seat).ledger, known).problem is not None:
        facts["expected"] = there.card
        family = Refusal.AMBIGUOUS
        return refuse(state, "tl.top-wrong", "TL-M8", "TL-H6", seat=event.seat, facts=facts, family=family)
    waiting = waits_for(after, "top")
    if waiting is not None and waiting.seat == event.seat:
        after = next_waiting(after)
    return Outcome(after, (accepted("tl.top-seen", "TL-M8", "TL-H6", seat=event.seat, facts=facts),))


def vouch(state: State, filed: Submission[Vouch]) -> Outcome[State]:
    """People looked twice: the card is what it seems to be, whatever the record says. TL-K5, TC-9."""
    event = filed.event
    wrong = _no_seat(state, event.seat)
    if wrong is not None:
        return wrong
    problem = may_say(state, filed)
    if problem is None and not event.reason.strip():
        problem = refused(Refusal.ILLEGAL, "core.no-reason", "TC-9")
    if problem is not None:
        return Outcome(state, (problem,))
    card = known_card(state, event.card, event.seat)
    if isinstance(card, Ruling):
        return Outcome(state, (card,))
    after = state.replace(vouched=(*state.vouched, (event.seat, card.id)))
    facts: dict[str, Fact] = {"card": card.id, "reason": event.reason}
    return Outcome(after, (accepted("tl.vouched", "TL-K5", "TC-9", seat=event.seat, facts=facts),))
