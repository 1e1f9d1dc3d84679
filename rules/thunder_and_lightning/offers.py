"""What would be accepted now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules.events import Decision, correctors
from rules.referee import Domain, Option
from rules.thunder_and_lightning import events
from rules.thunder_and_lightning.actions import lay
from rules.thunder_and_lightning.challenge import challenge
from rules.thunder_and_lightning.components import COLUMNS, FIRST_HAND, HAND_LIMIT, ROWS, Kind, Role
from rules.thunder_and_lightning.conduct import CONDUCT, COUNTED
from rules.thunder_and_lightning.knowledge import at_place, foreign, in_hand, on_deck
from rules.thunder_and_lightning.legality import FIELD_POWERS, power_problem
from rules.thunder_and_lightning.pack import Card
from rules.thunder_and_lightning.reveals import asked_for
from rules.thunder_and_lightning.state import SideState, ThunderAndLightningState, Waiting
from rules.thunder_and_lightning.strikes import open_to
from rules.thunder_and_lightning.turns import stuck

__all__ = ["offers"]

State = ThunderAndLightningState

_COUNT = Domain(least=0)
_TEXT = Domain()


def offers(state: State) -> tuple[Option, ...]:
    """Every kind of event that would be accepted now, with the fields that the table decides.

    A power is offered for every card that may be in the hand by all that was seen: what is there is nobody's business.
    """
    return (*_now(state), *_always(state))


def _now(state: State) -> Iterator[Option]:
    if state.phase == "setup":
        for side in state.sides:
            yield from _set_up(state, side)
    elif state.waiting:
        yield from _asked(state, state.waiting[0])
    elif state.turn is not None:
        yield from _turn(state, state.turn.seat)


def _always(state: State) -> Iterator[Option]:
    for side in state.sides:
        top = side.top
        if top is None or top.sure:
            yield Option(
                events.Top(side.seat, None if top is None else top.card), {}, ("TL-M8",), "tl.option.top", people=False
            )
        for what in COUNTED:
            size = {"hand": side.hand, "deck": side.deck, "pile": side.pile_size}[what]
            yield Option(events.Count(side.seat, what, size), {"cards": _COUNT}, ("TL-D3",), "tl.option.count")
        yield Option(events.Figure(side.seat), {"placed": Domain((True, False))}, ("TL-L1",), "tl.option.figure")
        yield Option(
            events.Conduct(side.seat, "peeks-hand"), {"what": Domain(tuple(CONDUCT))}, ("TL-S5",), "tl.option.conduct"
        )
        cards = Domain(tuple(state.given.cards))
        example = events.Vouch(side.seat, next(iter(state.given.cards)), "seen")
        people = correctors(judged=state.given.judge)
        yield Option(example, {"card": cards, "reason": _TEXT}, ("TL-K5",), "tl.option.vouch", sources=people)


def _set_up(state: State, side: SideState) -> Iterator[Option]:
    seat = side.seat
    yield Option(events.Shuffled(seat), {}, ("TL-S3",), "tl.option.shuffled")
    if side.shuffled and side.dealt < FIRST_HAND:
        left = FIRST_HAND - side.dealt
        yield Option(
            events.Deal(seat, left), {"cards": Domain(tuple(range(1, left + 1)))}, ("TL-S4",), "tl.option.deal"
        )
    if side.dealt < FIRST_HAND:
        return
    treasure = state.given.treasure(side.role)
    if not side.treasure and not side.field:
        yield Option(events.Treasure(seat, treasure.id), {}, ("TL-S7",), "tl.option.treasure")
    if side.treasure == "shown":
        yield Option(events.Replace(seat), {}, ("TL-S8",), "tl.option.replace")
    elif side.treasure == "replaced":
        yield Option(events.ShuffleBack(seat), {}, ("TL-S9",), "tl.option.shuffle-back")
    else:
        for column in COLUMNS:
            if not side.column(column):
                backs = Domain((None, side.role.value))
                yield Option(events.Lay(seat, column), {"back": backs}, ("TL-S11",), "tl.option.first-row")


def _turn(state: State, seat: int) -> Iterator[Option]:
    side, turn = state.side(seat), state.turn
    assert turn is not None
    hand = in_hand(state, seat)
    yield from _leader(state, side, hand)
    if not turn.left:
        yield Option(events.EndTurn(seat), {}, ("TL-T16",), "tl.option.end-turn")
        return
    if side.deck and side.hand < HAND_LIMIT:
        yield Option(events.Draw(seat), {}, ("TL-D1",), "tl.option.draw")
    backs = _backs(side)
    for column in COLUMNS:
        rows = tuple(row for row in range(1, ROWS + 1) if not lay(state, events.Lay(seat, column, row), 0).refused)
        if rows:
            free = {"row": Domain(rows), "back": Domain(backs)}
            yield Option(events.Lay(seat, column, rows[-1]), free, ("TL-P1",), "tl.option.lay")
        if not challenge(state, events.Challenge(seat, column), 0).refused:
            free = {"target_column": Domain((None, column))}
            yield Option(events.Challenge(seat, column), free, ("TL-C15",), "tl.option.challenge")
    for card in hand:
        if card.symbol and card.kind not in FIELD_POWERS:
            yield from _powers(state, seat, card)
    if not stuck(state, events.Stuck(seat), 0).refused:
        yield Option(events.Stuck(seat), {}, ("TL-E5",), "tl.option.stuck")


def _backs(side: SideState) -> tuple[str | None, ...]:
    strangers = foreign(side)
    own = (side.role.value,) if side.hand > strangers else ()
    other = (side.role.other.value,) if strangers else ()
    return (None, *own, *other)


def _leader(state: State, side: SideState, hand: tuple[Card, ...]) -> Iterator[Option]:
    assert state.turn is not None
    if not state.turn.left and not state.options.leader_after_last_point:
        return
    if state.given.leader(side.role) in hand:
        for column in COLUMNS:
            if state.room(side.seat, column):
                yield Option(events.Lead(side.seat, column), {}, ("TL-L5", "TL-L6"), "tl.option.lead")


def _powers(state: State, seat: int, card: Card) -> Iterator[Option]:
    """Every use of a card of the hand, each spot it can work on an option or a value of a free field."""
    enemy = state.enemy(seat).seat
    clauses, label = ("TL-M1",), f"tl.option.play.{card.kind.value}"

    def option(use: str, at: events.Spot | None, tos: tuple[events.Spot, ...] = ()) -> Option:
        free = {"to": Domain(tos)} if tos else {}
        return Option(events.Play(seat, card.id, use, at, tos[0] if tos else None), free, clauses, label)

    def good(use: str = "", at: events.Spot | None = None, to: events.Spot | None = None) -> bool:
        return power_problem(state, events.Play(seat, card.id, use, at, to), card) is None

    match card.kind:
        case Kind.BALDR | Kind.VALKYRIES:
            owner = seat if card.kind is Kind.BALDR else enemy
            for at in _spots(state, owner):
                places = [(owner, column, row) for column in COLUMNS for row in range(1, ROWS + 1)]
                tos = tuple(to for to in places if good("", at, to))
                if tos:
                    yield option("", at, tos)
        case Kind.VIDARR:
            for at in _spots(state, seat):
                tos = tuple(to for to in _spots(state, enemy) if good("", at, to))
                if tos:
                    yield option("", at, tos)
        case Kind.WEAPON:
            yield from (option("", at) for at in _both(state) if good("", at))
        case Kind.RAVENS:
            if good("hand"):
                yield option("hand", None)
            yield from (option("row", at) for at in _both(state) if good("row", at))
        case Kind.FRIGG:
            if good("hand"):
                yield option("hand", None)
            for column in COLUMNS:
                at = (enemy, column, 1)
                if good("column", at):
                    rows = Domain(tuple((enemy, column, row) for row in range(1, ROWS + 1)))
                    yield Option(events.Play(seat, card.id, "column", at), {"at": rows}, clauses, label)
        case Kind.HEL:
            yield from (option(use, None) for use in ("", *(role.value for role in Role)) if good(use))
        case _:
            if good():
                yield option("", None)


def _spots(state: State, seat: int) -> tuple[events.Spot, ...]:
    side = state.side(seat)
    return tuple((seat, column, row) for column in COLUMNS for row in range(1, len(side.column(column)) + 1))


def _both(state: State) -> Iterable[events.Spot]:
    return (*_spots(state, 1), *_spots(state, 2))


def _asked(state: State, waiting: Waiting) -> Iterator[Option]:
    """What the table waits for."""
    seat, by = waiting.seat, waiting.by
    match waiting.kind:
        case "challenge" | "column" | "strike":
            yield from _to_turn_up(state, waiting)
        case "show-hand":
            ids = tuple(state.given.cards)
            example = events.ShowHand(seat, ids[: state.side(seat).hand])
            free = {"cards": Domain(ids, each=True, count=state.side(seat).hand)}
            yield Option(example, free, ("TL-G2",), "tl.option.show-hand", people=False)
        case "hit":
            ids = tuple(card.id for card in in_hand(state, seat))
            if ids:
                yield Option(
                    events.Hit(seat, ids[0]), {"card": Domain(ids)}, ("TL-R16",), "tl.option.hit", people=False
                )
        case "drawn":
            ids = tuple(card.id for card in on_deck(state, seat))
            if ids:
                yield Option(
                    events.Drawn(seat, ids[0]), {"card": Domain(ids)}, ("TL-A2",), "tl.option.drawn", people=False
                )
            yield Option(events.Stop(by), {}, ("TL-A3",), "tl.option.stop")
        case "place":
            clause = "TL-R18" if waiting.source == "hand" else "TL-A4"
            yield from (
                Option(events.Place(by, each), {}, (clause,), "tl.option.place") for each in open_to(state, seat)
            )
        case "take":
            yield from _to_take(state, waiting)
        case "stack":
            count = len(waiting.cards) + waiting.left
            free = {"cards": Domain(tuple(state.given.cards), each=True, count=count)}
            yield Option(events.Stack(seat, waiting.cards), free, ("TL-N3",), "tl.option.stack", people=False)
        case "top":
            there = state.side(seat).pile
            ids = tuple(dict.fromkeys(piled.card for piled in reversed(there)))
            yield Option(
                events.Top(seat, ids[0]), {"card": Domain((*ids, None))}, ("TL-M8",), "tl.option.top", people=False
            )
        case "stuck":
            free = {"decision": Domain(tuple(each.value for each in Decision)), "reason": _TEXT}
            word = events.Decide(waiting.seq, Decision.UPHOLD)
            yield Option(word, free, ("TL-E5",), "tl.option.decide", sources=correctors(judged=state.given.judge))


def _to_turn_up(state: State, waiting: Waiting) -> Iterator[Option]:
    for token in asked_for(waiting):
        spot = state.spot_of(token)
        lying = None if spot is None else state.at(spot)
        if spot is None or lying is None or lying.card is not None:
            continue
        ids = tuple(card.id for card in at_place(state, spot[0], lying))
        if ids:
            free = {"card": Domain(ids)}
            yield Option(events.TurnUp(spot, ids[0]), free, ("TL-C16",), "tl.option.turn-up", people=False)


def _to_take(state: State, waiting: Waiting) -> Iterator[Option]:
    side = state.side(waiting.seat)
    ids = tuple(dict.fromkeys(piled.card for piled in side.pile))
    if state.options.recovered_shown:
        free = {"cards": Domain(ids, each=True)}
        yield Option(
            events.Take(waiting.seat, ids[: waiting.left]), free, ("TL-U1", "TL-O1"), "tl.option.take", people=False
        )
    else:
        free = {"count": Domain(tuple(range(waiting.left + 1)))}
        yield Option(events.Take(waiting.seat, (), waiting.left), free, ("TL-U1", "TL-O1"), "tl.option.take")
