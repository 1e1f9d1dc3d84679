"""What people put right: counts set outright, claims decided, findings upheld or withdrawn."""

from __future__ import annotations

import msgspec

from rules.events import Adjust, Decision, Overrule, Submission
from rules.records import Fact
from rules.referee import Entry
from rules.rulings import Effect, Outcome, Refusal, Ruling, Verdict, accepted, infraction, penalty, refused
from rules.thunder_and_lightning.components import HAND_LIMIT
from rules.thunder_and_lightning.conduct import may_say
from rules.thunder_and_lightning.events import Decide
from rules.thunder_and_lightning.knowledge import foreign, hidden_moves
from rules.thunder_and_lightning.state import ThunderAndLightningState
from rules.thunder_and_lightning.turns import next_waiting, refuse, waits_for, won_by

__all__ = ["FINDINGS", "adjust", "adjustable", "decide", "overrule"]

State = ThunderAndLightningState

FINDINGS = frozenset(
    {
        "tl.late-barred",
        "tl.late-leader",
        "tl.late-leader-first-row",
        "tl.late-treasure",
        "tl.weapon-missed",
        "tl.conduct",
        "tl.count-differs",
        "tl.finding-stands",
    }
)
"""Codes of findings that a person may uphold or withdraw."""


def adjustable(state: State, seat: int, what: str) -> tuple[int, int] | None:
    """Least and most that a count of a seat can be set to; None when it is no such count. TC-8."""
    side = state.side(seat)
    if what == "hand":
        return foreign(side), min(HAND_LIMIT, side.hand + side.deck)
    if what == "points" and state.turn is not None and state.turn.seat == seat:
        return 0, state.turn.points
    return None


def adjust(state: State, event: Adjust, seq: int) -> Outcome[State]:
    """Set the number of cards in a hand, or the points left. TC-8.

    A hand that was miscounted was miscounted against the deck, so the deck changes with it and no card is lost. TL-K1.
    """
    if not state.has_seat(event.seat):
        return refuse(state, "tl.no-such-seat", "TL-S1", facts={"number": event.seat})
    limits = adjustable(state, event.seat, event.what)
    if limits is None:
        return refuse(state, "tl.no-such-count", "TC-8", seat=event.seat, facts={"what": event.what})
    least, most = limits
    facts: dict[str, Fact] = {"what": event.what, "value": event.value, "least": least, "most": most}
    if not least <= event.value <= most:
        return refuse(state, "tl.out-of-range", "TC-8", "TL-D3", seat=event.seat, facts=facts)
    side = state.side(event.seat)
    if event.what == "hand":
        before = side.hand
        more = event.value - before
        moves = hidden_moves(abs(more), side.role, seq, into=more > 0)
        ledger = side.ledger.with_moves(*moves)
        after = state.with_side(event.seat, hand=event.value, deck=side.deck - more, ledger=ledger)
    else:
        assert state.turn is not None
        before = state.turn.left
        turn = msgspec.structs.replace(state.turn, spent=state.turn.points - event.value)
        after = state.replace(turn=turn)
    facts = {"what": event.what, "before": before, "after": event.value, "reason": event.reason}
    return Outcome(after, (accepted("tl.adjusted", "TC-8", "TL-K1", seat=event.seat, facts=facts),))


def decide(state: State, filed: Submission[Decide]) -> Outcome[State]:
    """Somebody saw the hand of a player who claims to be stuck. TL-E5, TL-C6, TL-E9."""
    event = filed.event
    problem = may_say(state, filed)
    if problem is not None:
        return Outcome(state, (problem,))
    waiting = waits_for(state, "stuck")
    if waiting is None or waiting.seq != event.target:
        return refuse(state, "tl.nothing-waits", "TC-10", "TL-E5", facts={"target": event.target})
    state = next_waiting(state)
    facts: dict[str, Fact] = {"reason": event.reason}
    if event.decision is Decision.REFUSE:
        clauses = ("TL-E9", "TL-C6", "TL-T12")
        return Outcome(
            state, (accepted("tl.stuck-refused", *clauses, seat=waiting.seat, about=waiting.seq, facts=facts),)
        )
    ruling = penalty("tl.stuck-upheld", "TL-E5", seat=waiting.seat, about=waiting.seq, facts=facts)
    return Outcome(won_by(state, state.enemy(waiting.seat).seat, "tl.won-stuck", "TL-E5"), (ruling,))


def overrule(state: State, filed: Submission[Overrule], original: Entry, standing: Ruling) -> Outcome[State]:
    """Uphold or withdraw a finding; what was played stands. TC-7. Anything else is amended. TC-6."""
    event = filed.event
    facts: dict[str, Fact] = {"target": event.target}
    if standing.code not in FINDINGS and standing.code != "tl.finding-withdrawn":
        return Outcome(state, (refused(Refusal.ILLEGAL, "tl.no-overrule", "TC-10", "TC-6", facts=facts),))
    upheld = event.decision is Decision.UPHOLD
    stood = standing.verdict is Verdict.INFRACTION
    if upheld == stood and standing.code != original.rulings[event.ruling].code:
        ruling = refused(Refusal.ILLEGAL, "tl.already-so", "TC-7", seat=standing.seat, about=event.target, facts=facts)
        return Outcome(state, (ruling,))
    facts = {"was": original.rulings[event.ruling].code, "reason": event.reason}
    clauses = ("TC-7", *(each for each in standing.clauses if each != "TC-7"))
    effects = (Effect("finding", standing.seat, "open" if stood else "withdrawn", "upheld" if upheld else "withdrawn"),)
    if upheld:
        ruling = infraction(
            "tl.finding-stands", *clauses, seat=standing.seat, about=event.target, facts=facts, effects=effects
        )
    else:
        ruling = accepted(
            "tl.finding-withdrawn", *clauses, seat=standing.seat, about=event.target, facts=facts, effects=effects
        )
    return Outcome(state, (ruling,))
