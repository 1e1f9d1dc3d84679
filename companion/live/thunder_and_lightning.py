"""Thunder & Lightning at the live table: what its buttons mean, and what its screens show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from companion.live.areas import Rect
from companion.live.duel_question import question_view
from companion.live.duel_words import card_view
from companion.live.interpreter import Eyes, Markers
from device.buttons.base import Press
from rules.events import Decision, Event, Source, Submission
from rules.header import Header, Seat
from rules.match import Match
from rules.packs import Provenance, parse
from rules.thunder_and_lightning.components import Role
from rules.thunder_and_lightning.events import Decide, Draw, EndTurn
from rules.thunder_and_lightning.options import OPEN_CASES
from rules.thunder_and_lightning.pack import Pack
from rules.thunder_and_lightning.state import Given, Lying, SideState, ThunderAndLightningState, Waiting

if TYPE_CHECKING:
    from companion.live.colour_desk import ColourDesk

__all__ = ["BACK_MARKERS", "ThunderAndLightning"]

BACK_MARKERS: dict[int, Role] = {200: Role.THOR, 201: Role.LOKI}
"""The marker on every back of a deck."""

TIE_NS = 10_000_000
"""Nothing here is a race: presses this close are simply filed one after the other."""

_ALWAYS_OPEN: tuple[Literal["pile", "hand"], ...] = ("pile", "hand")
"""Kinds of places where cards are laid for all to see."""

_DECISIONS = {"uphold": Decision.UPHOLD, "overrule": Decision.REFUSE}


def _meant(match: Match[Any], seat: int) -> str:
    """Which of the two buttons the only button of a seat stands for now."""
    return "claim" if any(option.event == Draw(seat) for option in match.options()) else "call"


class ThunderAndLightning:
    """See `Interpreter`."""

    dice = False

    @property
    def table_size_mm(self) -> tuple[float, float]:
        """As the layout of the cards has it."""
        from companion.live.card_places import TABLE_SIZE_MM

        return TABLE_SIZE_MM

    def tie_ns(self, header: Header) -> int:
        """Next to nothing."""
        return TIE_NS

    def presses(self, presses: tuple[Press, ...], match: Match[Any]) -> list[Submission[Any]]:
        """A seat's first button says that it drew a card, the second that its turn ends; a judge's, a word on a claim.

        A seat's only button says that it drew a card as long as it may draw one, and else that its turn ends.

        TL-D1, TL-T16, TL-E5.
        """
        filed: list[Submission[Any]] = []
        judge = Source.JUDGE if match.header.judge is not None else Source.BUTTON
        claims = [each for each in match.state.waiting if each.kind == "stuck"]
        for press in presses:
            seated = match.header.seat(press.seat) is not None
            decision = _DECISIONS.get(press.button)
            button = press.button if press.button != "switch" else _meant(match, press.seat)
            if seated and button == "claim":
                filed.append(Submission(Draw(press.seat), Source.BUTTON, at_ns=press.edge_ns))
            elif seated and button == "call":
                filed.append(Submission(EndTurn(press.seat), Source.BUTTON, at_ns=press.edge_ns))
            elif decision is not None and claims:
                event = Decide(claims.pop(0).seq, decision)
                filed.append(Submission(event, judge, answers=match.seq, at_ns=press.edge_ns))
        return filed

    def view(self, match: Match[Any]) -> dict[str, Any]:
        """Phase, turn, both sides and what is waited for, for the screens; only what the table shows in public."""
        state: ThunderAndLightningState = match.state
        turn = state.turn
        return {
            "phase": state.phase,
            "remarks": [],
            "options": dict(match.header.options),
            "open_cases": dict(OPEN_CASES),
            "assumed_pack": any(
                Provenance.ASSUMED in msgspec.structs.astuple(each.sure) for each in state.given.cards.values()
            ),
            "turn": None
            if turn is None
            else {
                "seat": turn.seat,
                "points": turn.points,
                "spent": turn.spent,
                "left": turn.left,
                "first": turn.first,
            },
            "waiting": [_waiting_view(each, state) for each in state.waiting],
            "question": question_view(match),
            "seats": [
                _seat_view(seat, side, state) for seat, side in zip(match.header.seats, state.sides, strict=True)
            ],
        }

    def is_news(self, event: Event) -> bool:
        """Everything: each event is somebody's act."""
        return True

    def eyes(
        self, header: Header, *, zones: Mapping[int, Any] | None = None, colours: ColourDesk | None = None
    ) -> Eyes:
        """Eyes that know the faces and backs of both decks, and where the cards lie; `zones` are not needed."""
        from companion.live.card_eyes import CardEyes
        from companion.live.card_places import places_for

        pack = parse(header.pack, Pack, what="a pack of Thunder & Lightning cards")
        roles = header.options.get("roles") or (Role.THOR, Role.LOKI)
        places = places_for({number: Role(role) for number, role in enumerate(roles, start=1)})
        return CardEyes(header.seats, pack.card, BACK_MARKERS, places)

    def markers(self, header: Header) -> Markers:
        """The markers of the faces, each on one copy of a card, and those of the backs."""
        pack = parse(header.pack, Pack, what="a pack of Thunder & Lightning cards")
        return Markers({marker: card.id for card in pack.card for marker in card.markers}, frozenset(BACK_MARKERS))

    def open_areas(self, match: Match[Any]) -> tuple[Rect, ...] | None:
        """Cards that lie face up, piles, shown hands and a challenge; all of the table until a card is dealt."""
        from companion.live.card_places import Place, places_for

        state: ThunderAndLightningState = match.state
        if not any(side.dealt for side in state.sides):
            return None
        open_places = [Place(kind, side.seat) for side in state.sides for kind in _ALWAYS_OPEN]
        for side in state.sides:
            for column, cards in enumerate(side.columns, start=1):
                rows = (row for row, lying in enumerate(cards, start=1) if lying.card is not None)
                open_places += [Place("cell", side.seat, column, row) for row in rows]
        open_places += [Place("strip", column=each.column) for each in state.waiting if each.kind == "challenge"]
        areas = places_for({side.seat: side.role for side in state.sides}).areas
        return tuple(areas[place] for place in open_places)


def _seat_view(seat: Seat, side: SideState, state: ThunderAndLightningState) -> dict[str, Any]:
    top = side.top
    rulers = {"berserker": state.berserker, "idunn": state.idunn}
    return {
        "number": seat.number,
        "name": seat.name,
        "colour": seat.colour,
        "role": side.role.value,
        "hand": side.hand,
        "deck": side.deck,
        "pile": side.pile_size,
        "top": None if top is None else card_view(state.given, top.card),
        "top_sure": top is not None and top.sure,
        "active": [kind for kind, ruler in rulers.items() if ruler == seat.number],
        "leader": state.leader_in_play(seat.number),
        "figure": side.figure,
        "points_next": state.points_of(seat.number),
        "turns": side.turns,
        "columns": [
            [_lying_view(lying, row, state.given) for row, lying in enumerate(column, start=1)]
            for column in side.columns
        ],
        "setup": {
            "shuffled": side.shuffled,
            "dealt": side.dealt,
            "treasure": side.treasure,
            "laid": side.field if state.phase == "setup" else 3,
        },
    }


def _lying_view(lying: Lying, row: int, given: Given) -> dict[str, Any]:
    return {"back": lying.back.value, "card": card_view(given, lying.card), "row": row}


def _waiting_view(waiting: Waiting, state: ThunderAndLightningState) -> dict[str, Any]:
    spots = [state.spot_of(token) for token in waiting.tokens]
    challenger = None if waiting.token is None else state.spot_of(waiting.token)
    return {
        "kind": waiting.kind,
        "seat": waiting.seat,
        "by": waiting.by,
        "why": waiting.why,
        "card": card_view(state.given, waiting.card),
        "left": waiting.left,
        "spots": [list(spot) for spot in spots if spot is not None],
        "challenger": None if challenger is None else list(challenger),
    }
