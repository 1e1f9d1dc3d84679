"""Which entries of a match want evidence, and which entries dispute what was ruled."""

from __future__ import annotations

from typing import Any, Final

from companion.evidence.freezing import Wanted
from rules.events import Amend, Decision, Overrule
from rules.lightning_dice.events import Breach, Call, Calls, Decide
from rules.referee import Entry

__all__ = ["Dispute", "disputes_of", "wanted_of"]

_BUTTONS: Final = {Call.GOT_IT: "claim", Call.BONUS: "call", Call.THUNDER: "call", Call.NICE_OR_NASTY: "call"}

Dispute = tuple[int, str]
"""Sequence number of an entry, and why it is disputed; an empty word says that it is no more."""


def wanted_of(match: str, entry: Entry, now_ns: int) -> Wanted | None:
    """The evidence that an entry wants: of calls the moment of the presses, of a breach the seconds before it."""
    event = entry.filed.event
    if isinstance(event, Calls) and event.presses:
        edges = tuple(
            sorted(
                ((press.seat, _BUTTONS[press.call], press.edge_ns) for press in event.presses if press.edge_ns),
                key=lambda edge: (edge[2], edge[0]),
            )
        )
        return Wanted(
            match=match,
            seq=entry.seq,
            kind="claim",
            at_ns=edges[0][2] if edges else now_ns,
            timed=bool(edges),
            wall=entry.filed.wall,
            seats=tuple(dict.fromkeys(press.seat for press in event.presses)),
            edges=edges,
        )
    if isinstance(event, Breach):
        at_ns = entry.filed.at_ns
        return Wanted(
            match=match,
            seq=entry.seq,
            kind="infraction",
            at_ns=now_ns if at_ns is None else at_ns,
            timed=at_ns is not None,
            wall=entry.filed.wall,
            seats=(event.seat,),
            detail=event.detail,
            places=event.dice,
        )
    return None


def disputes_of(entry: Entry) -> list[Dispute]:
    """What this entry disputes, or settles: an overruled or amended entry, one that waits for the judge, a decision."""
    event: Any = entry.filed.event
    if isinstance(event, Breach):
        return [(entry.seq, "infraction")]
    if isinstance(event, Calls):
        pending = any(effect.what == "pending" for ruling in entry.rulings for effect in ruling.effects)
        return [(entry.seq, "pending")] if pending else []
    if not any(ruling.refusal is None for ruling in entry.rulings):
        return []  # what was refused changes nothing
    if isinstance(event, Overrule):
        return [(event.target, "overruled")]
    if isinstance(event, Amend):
        return [(event.target, "amended")]
    if isinstance(event, Decide):
        return [(event.target, "overruled" if event.decision is Decision.REFUSE else "")]
    return []
