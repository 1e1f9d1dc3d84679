"""Positions of Thunder & Lightning written down in a line, and rulings asked for by code and clause.

Seat 1 is Thor, seat 2 is Loki. A side is three columns, row 1 first; "?" is a face-down card, any other word a card of
the shipped pack without its deck ("ravens"), with its deck where it comes from the enemy ("loki-ravens").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.events import Event, Source, Submission
from rules.header import Seat
from rules.match import Match
from rules.referee import Entry
from rules.rulings import Ruling, Verdict
from rules.thunder_and_lightning.components import DECK, Kind, Role
from rules.thunder_and_lightning.events import Deal, Draw, EndTurn, Lay, Shuffled
from rules.thunder_and_lightning.game import GAME, REFEREE
from rules.thunder_and_lightning.ledger import Ledger, Move
from rules.thunder_and_lightning.state import Lying, Piled, SideState, ThunderAndLightningState, Turn

__all__ = ["LOKI", "SEATS", "THOR", "Board", "board", "dealt", "playing", "ruled"]

THOR, LOKI = 1, 2
SEATS = (Seat(THOR, "Ann", "red"), Seat(LOKI, "Ben", "blue"))
Columns = Sequence[str]


class Board:
    """A match that can be put into any position, with its rulings at hand."""

    def __init__(self, *, judge: str | None = None, pack: Mapping[str, Any] | None = None, **options: Any) -> None:
        header = GAME.new_header("script", SEATS, options, pack, judge)
        self.match: Match[ThunderAndLightningState] = Match(REFEREE, header)
        self.judge = judge

    @property
    def state(self) -> ThunderAndLightningState:
        return self.match.state

    @property
    def left(self) -> int:
        """Action points left."""
        assert self.state.turn is not None
        return self.state.turn.left

    def column(self, seat: int, number: int) -> list[str]:
        """A column as it lies: "?" or card id."""
        return [lying.card or "?" for lying in self.state.side(seat).column(number)]

    def top(self, seat: int) -> str | None:
        """The card on top of a pile."""
        top = self.state.side(seat).top
        return None if top is None else top.card

    def pile(self, seat: int) -> list[str]:
        """A pile, bottom first, with the cards that Hel may have taken."""
        return [piled.card for piled in self.state.side(seat).pile]

    def put(self, state: ThunderAndLightningState) -> None:
        """Set the position; it must be a possible one."""
        assert REFEREE.check_state(state) == ()
        self.match._positions[-1] = type(self.match.position)(state)

    def submit(self, event: Event, source: Source = Source.DECLARED) -> tuple[Ruling, ...]:
        """File an event; the state afterwards must be possible, and untouched when it was refused."""
        before = self.state
        entry: Entry = self.match.submit(Submission(event, source))
        assert REFEREE.check_state(self.state) == (), REFEREE.check_state(self.state)
        if all(ruling.verdict is Verdict.REFUSED for ruling in entry.rulings):
            assert self.state == before
        return entry.rulings

    def accept(self, *events: Event, source: Source = Source.DECLARED) -> Ruling:
        """File events that must all be taken; the last ruling of the last."""
        rulings: tuple[Ruling, ...] = ()
        for event in events:
            rulings = self.submit(event, source)
            assert all(ruling.verdict is not Verdict.REFUSED for ruling in rulings), rulings
        return rulings[-1]

    def refuse(self, event: Event, code: str, clause: str, source: Source = Source.DECLARED) -> Ruling:
        """File an event that must be refused with this code, this clause among those cited."""
        (ruling,) = self.submit(event, source)
        assert (ruling.verdict, ruling.code) == (Verdict.REFUSED, code), ruling
        assert clause in ruling.clauses, ruling
        return ruling

    def rules(self, event: Event, code: str, clause: str, source: Source = Source.DECLARED) -> Ruling:
        """File an event; one of its rulings must have this code and cite this clause."""
        return ruled(self.submit(event, source), code, clause)


def ruled(rulings: tuple[Ruling, ...], code: str, clause: str) -> Ruling:
    """The ruling with this code, which must cite this clause."""
    found = [ruling for ruling in rulings if ruling.code == code]
    assert found, [ruling.code for ruling in rulings]
    assert clause in found[0].clauses, found[0]
    return found[0]


def _identity(role: Role, word: str) -> str:
    named = word if word.split("-")[0] in ("thor", "loki") and word not in ("thor", "loki") else f"{role.value}-{word}"
    assert named in _CARDS, f"no card {named}"
    return named


_CARDS = REFEREE.start(GAME.new_header("names", SEATS)).given.cards


def board(
    *,
    thor: Columns = ("?", "?", "?"),
    loki: Columns = ("?", "?", "?"),
    hands: tuple[int, int] = (6, 6),
    knows: tuple[str, str] = ("", ""),
    piles: tuple[str, str] = ("", ""),
    decks: tuple[int | None, int | None] = (None, None),
    turn: int = THOR,
    points: int | None = None,
    spent: int = 0,
    first: bool = False,
    judge: str | None = None,
    pack: Mapping[str, Any] | None = None,
    **options: Any,
) -> Board:
    """A position in the middle of a match.

    Args:
        thor, loki: three columns each, words from row 1 backwards ("ravens ? ?").
        hands: cards in the hands of Thor and Loki; all unknown but for `knows`.
        knows: words of hand cards that everybody saw going into the hand.
        piles: words of the discard piles, bottom first.
        decks: cards left; cards that are nowhere else go into the deck, so a smaller number puts the rest on the
            bottom of the pile as plain fighters. None = what is left.
        turn, points, spent, first: whose turn; points None = as counted by the rules.
    """
    made = Board(judge=judge, pack=pack, **options)
    state = made.state
    tokens = 0
    sides: list[SideState] = []
    for seat, role, columns, hand, known, pile in zip(
        (THOR, LOKI), (Role.THOR, Role.LOKI), (thor, loki), hands, knows, piles, strict=True
    ):
        moves: list[Move] = []
        field: list[tuple[Lying, ...]] = []
        for words in columns:
            column: list[Lying] = []
            for word in words.split():
                tokens += 1
                if word == "?":
                    moves += [Move(True, role), Move(False, role, token=tokens)]
                    column.append(Lying(tokens, role, None, laid=0))
                else:
                    card = _identity(role, word)
                    column.append(Lying(tokens, _CARDS[card].deck, card))
            field.append(tuple(column))
        piled = []
        for word in pile.split():
            tokens += 1
            piled.append(Piled(_identity(role, word), tokens))
        seen = [_identity(role, word) for word in known.split()]
        moves += [Move(True, role)] * (hand - len(seen)) + [Move(True, _CARDS[card].deck, card=card) for card in seen]
        side = state.side(seat)
        sides.append(
            SideState(
                seat, role, Ledger(tuple(moves)), tuple(field), hand, 0, tuple(piled), turns=0 if first else 3,
                shuffled=True, dealt=9, treasure=side.treasure,
            )
        )  # fmt: skip
    elsewhere = {
        role: sum(
            [lying.back is role for column in side.columns for lying in column].count(True)
            + [_CARDS[piled.card].deck is role for piled in side.pile].count(True)
            + sum(1 if move.into else -1 for move in side.ledger.moves if move.back is role)
            for side in sides
        )
        for role in Role
    }
    filled: list[SideState] = []
    for side, wanted in zip(sides, decks, strict=True):
        left = DECK - elsewhere[side.role]
        bottom: tuple[Piled, ...] = ()
        if wanted is not None:
            plain = [card.id for card in _CARDS.values() if card.deck is side.role and card.kind is Kind.FIGHTER]
            assert left >= wanted, f"only {left} cards are left for the deck"
            bottom = tuple(Piled(plain[nth % len(plain)], tokens + nth + 1) for nth in range(left - wanted))
            tokens += len(bottom)
            left = wanted
        filled.append(
            SideState(
                side.seat, side.role, side.ledger, side.columns, side.hand, left, (*bottom, *side.pile),
                turns=side.turns, shuffled=True, dealt=9, treasure=side.treasure,
            )
        )  # fmt: skip
    state = state.replace(sides=(filled[0], filled[1]), phase="play", tokens=tokens)
    for kind, name in ((Kind.BERSERKER, "berserker"), (Kind.IDUNN, "idunn")):
        on_top = [s.seat for s in state.sides if s.top is not None and _CARDS[s.top.card].kind is kind]
        state = state.replace(**{name: on_top[0] if on_top else None})
    counted = state.points_of(turn) if points is None else points
    made.put(state.replace(turn=Turn(turn, counted, spent, first)))
    return made


def dealt(**options: Any) -> Board:
    """A match whose two hands of nine are dealt, the first rows not yet laid."""
    made = Board(**options)
    for seat in (THOR, LOKI):
        made.accept(Shuffled(seat), Deal(seat, 9, deck=41))
    return made


def playing(*, past_first_turns: bool = False, **options: Any) -> Board:
    """A match set up by the rules: Loki's first turn; or past both first turns, Loki on turn again."""
    made = dealt(**options)
    made.accept(*(Lay(seat, column) for seat in (THOR, LOKI) for column in (1, 2, 3)))
    if past_first_turns:
        for seat in (LOKI, THOR):
            made.accept(*[Draw(seat)] * 3, EndTurn(seat))
    return made
