"""What the buttons of a race mean: the first one goes on, the second one feeds the Hydra."""

from __future__ import annotations

from typing import Any

from device.buttons.base import Press
from rules.events import Decision, Event, Overrule, Source, Submission
from rules.greece_lightning.corrections import FINDINGS
from rules.greece_lightning.events import EndMove, Feed, FinishRoll, Step
from rules.greece_lightning.moving import ways_of
from rules.greece_lightning.state import GreeceLightningState
from rules.match import Match
from rules.rulings import Verdict

__all__ = ["going_on", "race_presses"]

_DECISIONS = {"uphold": Decision.UPHOLD, "overrule": Decision.REFUSE}


def race_presses(presses: tuple[Press, ...], match: Match[Any]) -> list[Submission[Any]]:
    """What a group of presses means, in the order to file.

    A seat's second button always feeds: the referee says why when there is no Hydra, no Fish, or protection holds. Its
    first button goes on (see `going_on`); it means nothing where people have to say more. A seat's only button goes on
    in its own turn and while all roll, and else feeds. The judge's buttons are a word on the finding that waits
    longest.
    """
    filed: list[Submission[Any]] = []
    findings = _open_findings(match)
    judge = Source.JUDGE if match.header.judge is not None else Source.BUTTON
    for press in presses:
        seated = match.header.seat(press.seat) is not None
        decision = _DECISIONS.get(press.button)
        event: Event | None = None
        button = press.button if press.button != "switch" else _meant(match.state, press.seat)
        if seated and button == "call":
            event = Feed(press.seat)
        elif seated and button == "claim":
            event = going_on(match.state, press.seat)
        if event is not None:
            filed.append(Submission(event, Source.BUTTON, at_ns=press.edge_ns))
        if decision is not None and findings:
            target, ruling = findings.pop(0)
            word = Overrule(target, decision, "button", ruling)
            filed.append(Submission(word, judge, answers=match.seq, at_ns=press.edge_ns))
    return filed


def _meant(state: GreeceLightningState, number: int) -> str:
    """Which of the two buttons the only button of a seat stands for now."""
    elsewhere = state.phase == "turns" and state.turn is not None and state.turn.seat != number
    return "call" if elsewhere else "claim"


def going_on(state: GreeceLightningState, number: int) -> Event | None:
    """The one thing that a seat can do next without saying more; None when there is none, or several.

    While all roll it accepts the roll; in its move one press is one dot, as long as only one path leads on; with all
    movement used it finishes the move. Out of turn it tries to move, so that the referee says whose turn it is.
    """
    seat = state.find(number)
    if seat is None or seat.spot is None or state.phase not in ("rolling", "turns"):
        return None
    if state.phase == "rolling":
        return FinishRoll(number)
    if state.turn is None or state.turn.seat != number or state.turn.step != "move" or state.waiting:
        return EndMove(number)
    if not seat.movement_left:
        return EndMove(number)
    ways = {(way.to, way.number) for way in ways_of(state, number)}
    if len(ways) != 1:
        return None
    ((to, path),) = ways
    return Step(number, to, path)


def _open_findings(match: Match[Any]) -> list[tuple[int, int]]:
    """Entry and number of each finding that nobody has spoken on, oldest first."""
    spoken = {
        (entry.filed.event.target, entry.filed.event.ruling)
        for entry in match.entries
        if isinstance(entry.filed.event, Overrule) and entry.rulings[0].verdict is not Verdict.REFUSED
    }
    return [
        (entry.seq, number)
        for entry in match.entries
        for number, ruling in enumerate(entry.rulings)
        if ruling.code in FINDINGS and ruling.about is None and (entry.seq, number) not in spoken
    ]
