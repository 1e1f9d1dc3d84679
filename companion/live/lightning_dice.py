"""Lightning Dice at the live table: what its buttons mean, and what its screens show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from companion.live.areas import Rect
from companion.live.interpreter import Eyes, Markers
from device.buttons.base import Press
from rules.events import Decision, Event, Source, Submission
from rules.header import Header
from rules.lightning_dice.events import Call, Calls, Decide, Flip, Moving
from rules.lightning_dice.events import Press as Called
from rules.lightning_dice.options import OPEN_CASES, options_from
from rules.lightning_dice.pack import GoalCard, Pack
from rules.lightning_dice.state import LightningDiceState
from rules.match import Match
from rules.packs import parse

if TYPE_CHECKING:
    from companion.live.colour_desk import ColourDesk

__all__ = ["LightningDice", "card_turned", "marker_of_open_card"]

_CALLS = {"claim": Call.GOT_IT, "call": Call.NICE_OR_NASTY}
_DECISIONS = {"uphold": Decision.UPHOLD, "overrule": Decision.REFUSE}


def _call_of(press: Press, state: LightningDiceState) -> Call | None:
    """The call that a press is; None for a button that is no call."""
    if press.button != "switch":
        return _CALLS.get(press.button)
    faces = state.seat_state(press.seat).faces or ()
    alike = len(faces) == 6 and len({*faces}) == 1 and None not in faces
    return Call.NICE_OR_NASTY if alike else Call.GOT_IT


class LightningDice:
    """See `Interpreter`."""

    dice = True

    @property
    def table_size_mm(self) -> tuple[float, float]:
        """As the simulated table is, and as the sheets of corner markers say."""
        from device.simulated.layout import TABLE_SIZE_MM

        return TABLE_SIZE_MM

    def tie_ns(self, header: Header) -> int:
        """The option `tie_ms`. LD-S40."""
        return options_from(header.options).tie_ms * 1_000_000

    def presses(self, presses: tuple[Press, ...], match: Match[Any]) -> list[Submission[Any]]:
        """Calls of the seats as one event, then the judge's word on the call that waits longest, or else the breach.

        A seat's only button calls Bonus or Thunder when its six dice are alike, and else "Got it!": who calls "Got it!"
        with six dice alike does so on a page. In tournament play the judge's flip button opens the card that was seen
        to be turned up (LD-J3); elsewhere it means nothing by itself, as a card counts once it is seen.
        """
        filed: list[Submission[Any]] = []
        seats = {seat.number for seat in match.header.seats}
        calls = tuple(
            Called(press.seat, call, press.edge_ns, None, press.kernel_timed)
            for press in presses
            if press.seat in seats and (call := _call_of(press, match.state)) is not None
        )
        if calls:
            filed.append(Submission(Calls(calls), Source.BUTTON, at_ns=calls[0].edge_ns))
        # Calls first: a camera may report a breach at any moment, and the button under the thumb was meant for a call.
        waiting = sorted(match.state.pending, key=lambda each: each.kind == "breach")
        judge = Source.JUDGE if match.header.judge is not None else Source.BUTTON
        turned = card_turned(match)
        for press in presses:
            if press.button == "flip" and turned is not None:
                filed.append(Submission(Flip(turned), judge, answers=match.seq, at_ns=press.edge_ns))
            decision = _DECISIONS.get(press.button)
            if decision is not None and waiting:
                first = waiting.pop(0)
                filed.append(
                    Submission(Decide(first.seq, decision, first.ruling), judge, answers=match.seq, at_ns=press.edge_ns)
                )
        return filed

    def view(self, match: Match[Any]) -> dict[str, Any]:
        """Phase, card, seats and what waits, for the screens."""
        state: LightningDiceState = match.state
        options = state.options
        card = state.given.card(state.card) if state.card is not None else None
        return {
            "phase": state.phase,
            "mode": options.mode,
            "quick": options.quick,
            "remarks": list(options.remarks),
            "options": dict(match.header.options),
            "open_cases": dict(OPEN_CASES),
            "assumed_pack": any(str(each.provenance) == "assumed" for each in state.given.cards),
            "card": None if card is None else card_view(card),
            "card_turned": card_turned(match),
            "contest": state.contest,
            "target": options.target,
            "cards_left": state.cards_left,
            "shuffled": state.shuffled,
            "stack": state.stack,
            "seats": [
                {
                    "number": seat.number,
                    "name": seat.name,
                    "colour": seat.colour,
                    "score": there.score,
                    "faces": None if there.faces is None else list(there.faces),
                    "moving": list(there.moving),
                    "off_table": list(there.off_table),
                    "must_roll": list(there.must_roll),
                    "rolled": there.rolled,
                    "must_roll_all": there.must_roll_all,
                    "cards_won": there.cards_won,
                    "ready": there.ready,
                    "pawn": there.pawn,
                    "locked_out": there.locked_out,
                }
                for seat, there in zip(match.header.seats, state.seats, strict=True)
            ],
            "pending": [msgspec.to_builtins(each) for each in state.pending],
        }

    def is_news(self, event: Event) -> bool:
        """Everything but dice that left their place."""
        return not isinstance(event, Moving)

    def eyes(
        self, header: Header, *, zones: Mapping[int, Any] | None = None, colours: ColourDesk | None = None
    ) -> Eyes:
        """Eyes that know the seats' colours and the cards' markers."""
        from companion.live.eyes import LightningDiceEyes
        from companion.live.infractions import Infractions

        options = options_from(header.options)
        watches = options.tournament and options.camera_infractions
        infractions = Infractions(self.table_size_mm) if watches else None
        return LightningDiceEyes(header.seats, _markers(header), zones=zones, colours=colours, infractions=infractions)

    def markers(self, header: Header) -> Markers:
        """The markers that the pack gives its cards."""
        return Markers(_markers(header))

    def open_areas(self, match: Match[Any]) -> tuple[Rect, ...] | None:
        """Nothing is hidden in this game."""
        return None


def marker_of_open_card(match: Match[Any]) -> int | None:
    """Marker of the card that lies open in the match, to set a simulated table like it."""
    state: LightningDiceState = match.state
    card = state.given.card(state.card) if state.card is not None else None
    return None if card is None else card.marker


def card_turned(match: Match[Any]) -> str | None:
    """The card that lies face up and waits for the judge to open it, None when none does. LD-J3."""
    if match.state.card is not None or not match.state.options.tournament:
        return None
    for entry in reversed(match.entries):
        event = entry.filed.event
        if isinstance(event, Flip):
            waits = entry.rulings[0].code == "ld.judge-flips" and event.card not in match.state.used
            return event.card if waits else None
    return None


def card_view(card: GoalCard) -> dict[str, Any]:
    """A goal card for the screens: its id, its text and its goal as the catalogue words it."""
    return {
        "id": card.id,
        "text": card.text,
        "goal_text": card.goal,
        "goal": card.meaning.words(),
        "provenance": str(card.provenance),
    }


def _markers(header: Header) -> dict[int, str]:
    """Card id by marker id. Only cards of the pack in play count."""
    pack = parse(header.pack, Pack, what="a pack of goal cards")
    return {card.marker: card.id for card in pack.card if card.marker is not None}
